#include "link_oracle.h"

#include "core/random.h"
#include "core/vec3.h"
#include "leeward/path.h"
#include "leeward/world.h"
#include "mesh/mesh.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

/* --- a body and the triangles ----------------------------------------------------------------------------- */

#define SLICE 0.02f /* between slices of the body [m] */
#define PLACES 96   /* along each straight part of a path, and along an arc */

typedef struct body {
  lw_vec3 feet;
  float radius, low, high; /* [m] heights above the level's origin */
} body;

static double off_segment(lw_vec3 a, lw_vec3 b, lw_vec3 at) {
  const float t = fminf(1, fmaxf(0, lwi_part_along_xz(a, b, at)));
  return (double)lwi_distance_xz(lwi_lerp(a, b, t), at);
}

/* How far the triangle is from a vertical line, seen from above. */
static double off_triangle(const lw_vec3 c[3], lw_vec3 at) {
  const double turns[] = {lwi_turn(c[0], c[1], at), lwi_turn(c[1], c[2], at), lwi_turn(c[2], c[0], at)};
  const bool in =
      (turns[0] > 0 && turns[1] > 0 && turns[2] > 0) || (turns[0] < 0 && turns[1] < 0 && turns[2] < 0);
  if (in) return 0;
  return fmin(off_segment(c[0], c[1], at), fmin(off_segment(c[1], c[2], at), off_segment(c[2], c[0], at)));
}

/* The points where the triangle's edges pass through a height. @return How many, up to 3. */
static int cut(const lw_vec3 c[3], float y, lw_vec3 points[3]) {
  int count = 0;
  for (int k = 0; k < 3; k++) {
    const lw_vec3 a = c[k], b = c[(k + 1) % 3];
    if ((a.y < y) != (b.y < y)) points[count++] = lwi_lerp(a, b, (y - a.y) / (b.y - a.y));
  }
  return count;
}

static bool is_in(const lw_vec3 c[3], const body *of) {
  const float low = fminf(c[0].y, fminf(c[1].y, c[2].y)), high = fmaxf(c[0].y, fmaxf(c[1].y, c[2].y));
  if (low >= of->high || high <= of->low) return false;
  if (low > of->low && high < of->high) return off_triangle(c, of->feet) < (double)of->radius;
  for (float y = of->low; y < of->high; y += SLICE) {
    lw_vec3 points[3];
    if (cut(c, y, points) == 2 && off_segment(points[0], points[1], of->feet) < (double)of->radius) return true;
  }
  return false;
}

static bool is_free_at(const link_oracle *oracle, lw_vec3 feet, const lw_box *about) {
  const lw_bake_settings *used = &oracle->used;
  const lw_geometry *geometry = oracle->geometry;
  const float step = fminf(used->agent_climb + used->cell_height, used->agent_height / 2);
  const body here = {feet, used->agent_radius - oracle->slack, feet.y + step + oracle->slack,
                     feet.y + used->agent_height - oracle->slack};
  for (int i = 0; i < lw_geometry_triangle_count(geometry); i++) {
    lw_vec3 c[3];
    lw_box box = lwi_box_empty();
    for (int k = 0; k < 3; k++) {
      c[k] = lw_geometry_vertices(geometry)[lw_geometry_indices(geometry)[3 * i + k]];
      box = lwi_box_add(box, c[k]);
    }
    if (lwi_box_overlaps(box, *about) && is_in(c, &here)) return false;
  }
  return true;
}

static bool is_line_free(const link_oracle *oracle, lw_vec3 a, lw_vec3 b, float rise) {
  const float radius = oracle->used.agent_radius - oracle->slack;
  for (int i = 0; i <= PLACES; i++) {
    const float t = (float)i / PLACES;
    lw_vec3 feet = lwi_lerp(a, b, t);
    feet.y += 4 * rise * t * (1 - t);
    lw_box about = {{feet.x - radius, feet.y, feet.z - radius},
                    {feet.x + radius, feet.y + oracle->used.agent_height + 1, feet.z + radius}};
    if (!is_free_at(oracle, feet, &about)) return false;
  }
  return true;
}

bool link_oracle_is_free(const link_oracle *oracle, lw_link_kind kind, lw_vec3 from, lw_vec3 to) {
  if (kind == LW_LINK_DROP) {
    const lw_vec3 over = {to.x, from.y, to.z};
    return is_line_free(oracle, from, over, 0) && is_line_free(oracle, over, to, 0);
  }
  const float flat = lwi_distance_xz(from, to);
  return is_line_free(oracle, from, to, fminf(1, flat / 4) + fabsf(to.y - from.y) / 4);
}

/* --- the links that there are ----------------------------------------------------------------------------- */

static void check_heights(const link_oracle *oracle, const lw_link *link) {
  const lw_bake_settings *used = &oracle->used;
  const float down = link->from.point.y - link->to.point.y, slack = used->cell_height + 0.02f;
  if (link->def.kind == LW_LINK_DROP) {
    assert_true(down > used->agent_climb && down <= used->auto_links.drop + slack);
    assert_false(link->def.bidirectional);
  } else {
    assert_true(down >= -used->agent_climb - slack);
    assert_true(down <= fmaxf(used->agent_climb, used->auto_links.jump / 2) + slack);
    assert_int_equal(link->def.bidirectional, fabsf(down) <= used->agent_climb);
    assert_true(lwi_distance_xz(link->from.point, link->to.point) <=
                used->auto_links.jump + 2 * used->agent_radius + 2 * used->cell_size + 0.15f);
  }
}

int link_oracle_check(const link_oracle *oracle, const lw_navmesh *mesh) {
  int count = 0;
  for (int i = 0; i < lw_navmesh_link_count(mesh); i++) {
    lw_link link;
    assert_int_equal(lw_navmesh_get_link(mesh, i, &link), LW_OK);
    if (link.state != LW_LINK_JOINED || (link.def.kind != LW_LINK_DROP && link.def.kind != LW_LINK_JUMP))
      continue;
    const lw_vec3 a = link.from.point, b = link.to.point;
    if (!link_oracle_is_free(oracle, link.def.kind, a, b))
      fail_msg("link %d, a %s from (%g, %g, %g) to (%g, %g, %g), passes through a triangle", i,
               lw_link_kind_name(link.def.kind), (double)a.x, (double)a.y, (double)a.z, (double)b.x,
               (double)b.y, (double)b.z);
    assert_true(link.from_distance < 0.01f && link.to_distance < 0.01f);
    check_heights(oracle, &link);
    count += 1;
  }
  return count;
}

/* --- the links that there should be ----------------------------------------------------------------------- */

#define FINE 0.05f        /* steps outwards [m] */
#define LONG_WALK 4.0f    /* times the link's length: clearly more than the bake asks for */
#define NEAR_ENOUGH 3.75f /* a link begins and ends within this of every place [m] */

typedef struct hunt {
  const link_oracle *oracle;
  const lw_navmesh *mesh;
  lw_world *world; /* on the navmesh without links */
  lw_random random;
} hunt;

/* A random place on a border, and straight out. @return false: the edge drawn is none. */
static bool draw_place(hunt *h, lw_vec3 *at, lw_vec3 *out) {
  const lw_navmesh *mesh = h->mesh;
  const uint32_t p =
      (uint32_t)(lwi_random_unit(&h->random) * (float)mesh->polygons.count) % mesh->polygons.count;
  const lwi_polygon polygon = lwi_polygon_get(mesh, p);
  const uint32_t edge = (uint32_t)(lwi_random_unit(&h->random) * (float)polygon.count) % polygon.count;
  const float t = lwi_random_unit(&h->random);
  for (uint32_t k = mesh->graph.first_portal[p]; k < mesh->graph.end_portal[p]; k++)
    if (mesh->graph.portals[k].edge == edge) return false;
  const lw_vec3 a = lwi_corner(&polygon, edge), b = lwi_corner(&polygon, lwi_next_corner(&polygon, edge));
  const float length = lwi_distance_xz(a, b);
  if (length < 0.25f) return false;
  *at = lwi_lerp(a, b, t);
  at->y = lwi_polygon_height(mesh, p, at->x, at->z);
  *out = lwi_vec3(-(b.z - a.z) / length, 0, (b.x - a.x) / length);
  return true;
}

/* The ground over or under a place between two heights, by looking at every polygon: the highest. */
static bool ground_of_all(const lw_navmesh *mesh, lw_vec3 at, float low, float high, float *y) {
  bool found = false;
  for (uint32_t p = 0; p < mesh->polygons.count; p++) {
    const lwi_polygon polygon = lwi_polygon_get(mesh, p);
    if (!lwi_polygon_holds(&polygon, at, 0)) continue;
    const float here = lwi_polygon_height(mesh, p, at.x, at.z);
    if (here < low || here > high || (found && here <= *y)) continue;
    *y = here;
    found = true;
  }
  return found;
}

/* Straight out, to the first ground where a link of that kind may end. */
static bool find_end(const hunt *h, lw_link_kind kind, lw_vec3 at, lw_vec3 out, lw_vec3 *to) {
  const lw_bake_settings *used = &h->oracle->used;
  const bool drop = kind == LW_LINK_DROP;
  const float low = at.y - (drop ? used->auto_links.drop : fmaxf(used->agent_climb, used->auto_links.jump / 2));
  const float high = at.y + (drop ? -used->agent_climb - 0.02f : used->agent_climb);
  const float end = 2 * used->agent_radius + (drop ? 1 : used->auto_links.jump);
  for (float far = drop ? 2 * used->agent_radius : FINE; far < end; far += FINE) {
    *to = lwi_add(at, lwi_scale(out, far));
    if (!ground_of_all(h->mesh, *to, low, high, &to->y)) continue;
    if (link_oracle_is_free(h->oracle, kind, at, *to)) return drop || far > used->agent_radius;
    if (!drop) return false;
  }
  return false;
}

/* Is there no walk, or a long one? */
static bool saves_walk(const hunt *h, lw_vec3 from, lw_vec3 to) {
  lw_path_query query = lw_path_query_default();
  query.from = from;
  query.to = to;
  query.snap = (lw_vec3){0.1f, 0.2f, 0.1f};
  lw_path *path;
  const lw_status status = lw_path_find(h->world, NULL, &query, &path);
  const bool saves =
      status == LW_NO_PATH || (status == LW_OK && lw_path_length(path) > LONG_WALK * lwi_distance(from, to));
  lw_path_destroy(path);
  return saves;
}

static bool is_between(const lw_link *link, lw_vec3 from, lw_vec3 to) {
  return lwi_distance(link->from.point, from) < NEAR_ENOUGH && lwi_distance(link->to.point, to) < NEAR_ENOUGH;
}

static bool has_link(const hunt *h, lw_link_kind kind, lw_vec3 from, lw_vec3 to) {
  for (int i = 0; i < lw_navmesh_link_count(h->mesh); i++) {
    lw_link link;
    assert_int_equal(lw_navmesh_get_link(h->mesh, i, &link), LW_OK);
    if (link.state != LW_LINK_JOINED || link.def.kind != kind) continue;
    if (is_between(&link, from, to) || (link.def.bidirectional && is_between(&link, to, from))) return true;
  }
  return false;
}

int link_oracle_search(const link_oracle *oracle, const lw_navmesh *mesh, const lw_navmesh *plain, int samples,
                       uint64_t seed) {
  hunt h = {.oracle = oracle, .mesh = mesh, .random = lwi_random_make(seed, 0)};
  lw_world_def def = lw_world_def_default();
  def.navmesh = plain;
  assert_int_equal(lw_world_create(&def, &h.world, NULL), LW_OK);
  int count = 0;
  for (int i = 0; i < samples; i++) {
    lw_vec3 at, out, to;
    const lw_link_kind kind = i % 2 ? LW_LINK_DROP : LW_LINK_JUMP;
    if ((kind == LW_LINK_DROP ? oracle->used.auto_links.drop : oracle->used.auto_links.jump) == 0) continue;
    if (!draw_place(&h, &at, &out) || !find_end(&h, kind, at, out, &to) || !saves_walk(&h, at, to)) continue;
    count += 1;
    if (!has_link(&h, kind, at, to))
      fail_msg("seed %llu, sample %d: no %s near (%g, %g, %g) to (%g, %g, %g)", (unsigned long long)seed, i,
               lw_link_kind_name(kind), (double)at.x, (double)at.y, (double)at.z, (double)to.x, (double)to.y,
               (double)to.z);
  }
  lw_world_destroy(h.world);
  return count;
}
