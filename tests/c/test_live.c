/* A live navmesh under random changes of what is cut from it. */
#include "dense_path.h"
#include "level_test.h"
#include "live_scene.h"
#include "wide_plain.h"

#include "mesh/clearance.h"
#include "mesh/live_parts.h"
#include "query/random_point.h"
#include "world/world.h"

#include <stdlib.h>
#include <string.h>

#define FOOTPRINTS 60

/* A box, turned, somewhere on the level; every other one higher or lower than the ground there. */
static lwi_footprint random_box(shared_level *level, float size_max) {
  lw_vec3 at = level_place(level).point;
  if (level_random(level, 0, 1) < 0.5f) at.y += level_random(level, -3, 4);
  const live_box box = {at, level_random(level, 0, 6.3f), level_random(level, 0.2f, size_max),
                        level_random(level, 0.2f, size_max), level_random(level, 0.2f, 3)};
  return live_footprint(&box);
}

static void assert_sound(const lwi_live *live, const shared_level *level, int step) {
  lw_error error = {.text = ""};
  if (lwi_live_check(live, &error) != LW_OK)
    fail_msg("%s: seed %llu: step %d: %s", level->name, (unsigned long long)level->seed, step, error.text);
}

/* Is a place inside of the outline, by more than `margin`, or outside by more than that? 0: neither. */
static int side_of_outline(const lwi_cut_shape *shape, lw_vec3 at, double margin) {
  double nearest = INFINITY;
  for (int i = 0; i < shape->count; i++) {
    const lwi_point2 a = shape->sides[i].corner, b = shape->sides[i + 1 < shape->count ? i + 1 : 0].corner;
    const double dx = b.x - a.x, dz = b.z - a.z;
    nearest = fmin(nearest, (dz * ((double)at.x - a.x) - dx * ((double)at.z - a.z)) / sqrt(dx * dx + dz * dz));
  }
  return nearest > margin ? 1 : nearest < -margin ? -1 : 0;
}

/* Heights count to 5 cm, and to what a line that is 1 cm off makes of a slope. [m] */
#define HEIGHT_MARGIN (0.05 + 0.02)

/* The same for a footprint by heights, too. @param[in, out] room  Limits of the headroom at the place, which the footprint
   lowers where it hangs over it. [m] */
typedef struct room_limits {
  double least, most;
} room_limits;

/* What agents need that walk where there is that much room: that, rounded down by steps of a quarter of a metre from
   0.4 m on, of half a metre from 2 m on, and of a metre from 4 m on. */
static double rounded_room(double room) {
  const double step = room < 2 ? 0.25 : room < 4 ? 0.5 : 1, first = room < 2 ? 0.4 : 0;
  return first + floor((room - first) / step) * step;
}

static int side_of(const lwi_live *live, uint32_t number, uint32_t polygon, lw_vec3 at, int *by_height,
                   room_limits *room) {
  const lwi_live_entry *entry = &live->entries[number];
  const int side = side_of_outline(&entry->shape, at, 7e-3);
  const double height = (double)lwi_polygon_height(live->base, polygon, at.x, at.z);
  const double least = fmin(0.4, (double)live->base->agent.height), gap = (double)entry->low - height;
  const double below = (double)entry->high - height, within = fmin(least - gap, below);
  if (side >= 0 && gap > least - HEIGHT_MARGIN)
    room->least = fmin(room->least, rounded_room(gap - HEIGHT_MARGIN) - 0.05);
  if (side > 0 && gap > least + HEIGHT_MARGIN && gap + HEIGHT_MARGIN < (double)LW_BAKE_HEADROOM_MAX)
    room->most = fmin(room->most, gap + HEIGHT_MARGIN);
  if (side < 0 || within > HEIGHT_MARGIN) return side;
  *by_height += side > 0 && within < -HEIGHT_MARGIN;
  return within < -HEIGHT_MARGIN ? -1 : 0;
}

/* The part of the polygon that holds the place; LWI_NONE: it is cut out. */
static uint32_t part_at(const lwi_live *live, uint32_t polygon, lw_vec3 at) {
  const lw_navmesh *mesh = lwi_live_mesh(live);
  lwi_part_walk walk = lwi_parts_of(mesh, polygon);
  if (lwi_is_whole(mesh, polygon)) return polygon;
  for (uint32_t i; lwi_next_part(&walk, &i);) {
    const lwi_polygon piece = lwi_polygon_get(mesh, i);
    if (lwi_polygon_holds(&piece, at, 6e-3)) return i;
  }
  return LWI_NONE;
}

/* Is the headroom there what footprints leave of it? */
static void assert_headroom(const lwi_live *live, const shared_level *level, uint32_t part, uint32_t polygon,
                            const room_limits *room) {
  const double whole = fmin((double)lwi_headroom_of(live->base->polygons.headrooms[polygon]), 99),
               found = fmin((double)lwi_headroom_of(live->mesh.polygons.headrooms[part]), 99);
  if (found > fmin(whole, room->most) + 1e-3 || found < fmin(whole, room->least) - 1e-3)
    fail_msg("%s: seed %llu: a part of polygon %u has a headroom of %g m, expected %g to %g, and at most %g m",
             level->name, (unsigned long long)level->seed, polygon, found, room->least, room->most, whole);
}

/* What was baked holds on a part, too: how high the ground is there, its area, how open it lies, and its water. */
static void assert_as_baked(const lwi_live *live, const shared_level *level, uint32_t part, uint32_t polygon,
                            lw_vec3 at) {
  const lwi_mesh_polygons *is = &live->mesh.polygons, *baked = &live->base->polygons;
  const float height = lwi_polygon_height(&live->mesh, part, at.x, at.z),
              expected = lwi_polygon_height(live->base, polygon, at.x, at.z);
  if (fabsf(height - expected) > 1e-3f)
    fail_msg("%s: seed %llu: (%g, %g) in a part of polygon %u is %g m high, expected %g", level->name,
             (unsigned long long)level->seed, (double)at.x, (double)at.z, polygon, (double)height,
             (double)expected);
  assert_int_equal(is->areas[part], baked->areas[polygon]);
  assert_int_equal(is->openness[part], baked->openness[polygon]);
  assert_memory_equal(is->depths + 2 * (size_t)part, baked->depths + 2 * (size_t)polygon, 2);
}

/* Places of the base are walkable but inside of footprints, by their outline and their heights, and have less headroom below
   those that hang there. @param[in, out] by_height  Counts places that are only by height not inside.
   @param[in, out] lowered  Counts places with less headroom. @return How many places were inside. */
static int assert_walkable(const lwi_live *live, shared_level *level, int places, int *by_height,
                           int *lowered) {
  int inside = 0;
  for (int i = 0; i < places; i++) {
    const lw_location at = level_place(level);
    const uint32_t polygon = lwi_poly_index(level->mesh, at.poly);
    room_limits room = {99, 99};
    int side = -1;
    for (uint32_t number = 0; number < FOOTPRINTS && side < 1; number++) {
      if (number >= (uint32_t)live->entry_capacity || !live->entries[number].is_used) continue;
      const int own = side_of(live, number, polygon, at.point, by_height, &room);
      side = own > side ? own : side;
    }
    inside += side == 1;
    if (side == 0) continue;
    const uint32_t part = part_at(live, polygon, at.point);
    if ((part != LWI_NONE) != (side < 0))
      fail_msg("%s: seed %llu: (%g, %g, %g) in polygon %u is %s", level->name, (unsigned long long)level->seed,
               (double)at.point.x, (double)at.point.y, (double)at.point.z, polygon,
               side < 0 ? "gone" : "still there");
    if (part == LWI_NONE) continue;
    assert_headroom(live, level, part, polygon, &room);
    assert_as_baked(live, level, part, polygon, at.point);
    *lowered += room.most < 99 && live->mesh.polygons.headrooms[part] < live->base->polygons.headrooms[polygon];
  }
  return inside;
}

/* --- labels ------------------------------------------------------------------------------------------------- */

/* Is all that has one of `from` of one of `to`, too? */
static void assert_within(const lw_navmesh *mesh, const uint32_t *from, const uint32_t *to,
                          const shared_level *level) {
  uint32_t *of = malloc(mesh->polygons.count * sizeof *of);
  memset(of, 0xff, mesh->polygons.count * sizeof *of);
  for (uint32_t i = 0; i < mesh->polygons.count; i++) {
    if (!lwi_is_there(mesh, i)) continue;
    if (of[from[i]] == LWI_NONE) of[from[i]] = to[i];
    if (of[from[i]] != to[i])
      fail_msg("%s: seed %llu: polygon %u is on another island than what it borders", level->name,
               (unsigned long long)level->seed, i);
  }
  free(of);
}

/* Labels made anew. The caller frees them. */
static uint32_t *new_labels(const lw_navmesh *mesh) {
  const size_t size = mesh->polygons.count * sizeof(uint32_t);
  uint32_t *labels = malloc(size), *stack = malloc(size);
  const lwi_graph graph = lwi_graph_of(mesh);
  lwi_label_components(&graph, NULL, labels, stack);
  free(stack);
  return labels;
}

/* Labels are kept up as the navmesh changes: they tell apart what labels that are made anew do. */
static void assert_labels_as_made_anew(const lwi_live *live, const shared_level *level) {
  const lw_navmesh *mesh = lwi_live_mesh(live);
  uint32_t *labels = new_labels(mesh), *kept = malloc(mesh->polygons.count * sizeof *kept), count = 0;
  assert_within(mesh, labels, mesh->graph.islands, level);
  for (uint32_t i = 0; i < mesh->polygons.count; i++)
    if (lwi_is_there(mesh, i) && labels[i] == count) kept[count++] = mesh->graph.islands[i];
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = 0; k < i; k++)
      if (kept[i] == kept[k])
        fail_msg("%s: seed %llu: two islands have one label", level->name, (unsigned long long)level->seed);
  free(labels);
  free(kept);
}

/* --- reachability ------------------------------------------------------------------------------------------- */

/* The length over which two edges run along each other in opposite directions, within 3 mm of the longer one. */
static double common_length(lw_vec3 a, lw_vec3 b, lw_vec3 c, lw_vec3 d) {
  if (lwi_distance_xz(c, d) > lwi_distance_xz(a, b)) return common_length(c, d, a, b);
  const double ux = (double)b.x - a.x, uz = (double)b.z - a.z, length = sqrt(ux * ux + uz * uz);
  const double tc = (((double)c.x - a.x) * ux + ((double)c.z - a.z) * uz) / length,
               td = (((double)d.x - a.x) * ux + ((double)d.z - a.z) * uz) / length;
  if (fabs(lwi_turn(a, b, c)) > 3e-3 * length || fabs(lwi_turn(a, b, d)) > 3e-3 * length || td > tc) return 0;
  return fmin(length, tc) - fmax(0, td);
}

static double longest_common(const lw_navmesh *mesh, uint32_t one, uint32_t other) {
  const lwi_polygon p = lwi_polygon_get(mesh, one), q = lwi_polygon_get(mesh, other);
  double longest = 0;
  for (uint32_t i = 0; i < p.count; i++)
    for (uint32_t k = 0; k < q.count; k++)
      longest = fmax(longest, common_length(lwi_corner(&p, i), lwi_corner(&p, lwi_next_corner(&p, i)),
                                            lwi_corner(&q, k), lwi_corner(&q, lwi_next_corner(&q, k))));
  return longest;
}

static uint32_t root(uint32_t *parents, uint32_t i) {
  while (parents[i] != i) i = parents[i] = parents[parents[i]];
  return i;
}

/* Join parts of two polygons, or of one, wherever edges run along each other for so long. */
static void join_parts(const lw_navmesh *mesh, uint32_t *parents, double least, uint32_t one, uint32_t other) {
  lwi_part_walk a = lwi_parts_of(mesh, one);
  for (uint32_t i, k; lwi_next_part(&a, &i);)
    for (lwi_part_walk b = lwi_parts_of(mesh, other); lwi_next_part(&b, &k);)
      if (i != k && longest_common(mesh, i, k) > least) parents[root(parents, i)] = root(parents, k);
}

/* Islands by the places of edges: of polygons that have a portal in the base, and of pieces of one polygon. */
static uint32_t *make_islands(const lwi_live *live, double least) {
  const lw_navmesh *mesh = lwi_live_mesh(live), *base = live->base;
  uint32_t *parents = malloc(mesh->polygons.count * sizeof *parents);
  for (uint32_t i = 0; i < mesh->polygons.count; i++) parents[i] = i;
  for (uint32_t p = 0; p < base->polygons.count; p++) {
    join_parts(mesh, parents, least, p, p);
    for (uint32_t k = base->graph.first_portal[p]; k < base->graph.end_portal[p]; k++) {
      const uint32_t to = base->graph.portals[k].to;
      if (live->pieces[p].first == LWI_NONE && live->pieces[to].first == LWI_NONE)
        parents[root(parents, p)] = root(parents, to);
      else
        join_parts(mesh, parents, least, p, to);
    }
  }
  return parents;
}

/* --- the tests ---------------------------------------------------------------------------------------------- */

static void random_changes_leave_it_sound_and_their_end_the_base(shared_level *level) {
  lwi_memory memory = lwi_memory_make(NULL);
  lwi_live *live = lwi_live_create(&memory, level->mesh);
  assert_non_null(live);
  live_assert_is_base(live);
  int inside = 0, by_height = 0, lowered = 0;
  uint32_t most = 0;
  for (int step = 0; step < 400; step++) {
    const uint32_t number = (uint32_t)(lwi_random_bits(&level->random) % FOOTPRINTS);
    const lwi_footprint box = random_box(level, step % 10 == 0 ? 8 : 2);
    assert_true(lwi_live_set(live, number, step % 3 == 2 ? NULL : &box));
    if (step % 4 == 3) continue; /* some are applied together */
    assert_true(lwi_live_apply(live));
    assert_sound(live, level, step);
    assert_labels_as_made_anew(live, level);
    live_assert_links(live);
    if (step % 20 == 0) inside += assert_walkable(live, level, 400, &by_height, &lowered);
    if (live->mesh.polygons.count > most) most = live->mesh.polygons.count;
  }
  for (uint32_t i = 0; i < FOOTPRINTS; i++) assert_true(lwi_live_set(live, i, NULL));
  assert_true(lwi_live_apply(live));
  live_assert_is_base(live);
  printf(
      "note: %s: seed %llu: %u polygons, up to %u numbers; %d places inside of footprints, %d not by height, "
      "%d below them\n",
      level->name, (unsigned long long)level->seed, level->mesh->polygons.count, most, inside, by_height,
      lowered);
  assert_true(inside > 0 && lowered > 0);
  lwi_live_destroy(live);
  assert_int_equal(memory.bytes, 0);
}

/* What depends on the footprints alone does not depend on how they came. */
static void the_same_footprints_cut_the_same_pieces(shared_level *level) {
  lwi_memory memory = lwi_memory_make(NULL);
  lwi_live *one = lwi_live_create(&memory, level->mesh), *other = lwi_live_create(&memory, level->mesh);
  lwi_footprint last[FOOTPRINTS];
  for (int step = 0; step < 4; step++)
    for (uint32_t i = 0; i < FOOTPRINTS; i++) {
      last[i] = random_box(level, 2);
      assert_true(lwi_live_set(one, i, &last[i]) && lwi_live_apply(one));
    }
  for (uint32_t i = FOOTPRINTS; i-- > 0;) assert_true(lwi_live_set(other, i, &last[i]));
  assert_true(lwi_live_apply(other));
  const lw_navmesh *a = lwi_live_mesh(one), *b = lwi_live_mesh(other);
  for (uint32_t p = 0; p < level->mesh->polygons.count; p++) {
    lwi_part_walk pieces = lwi_parts_of(a, p), others = lwi_parts_of(b, p);
    uint32_t i, k = LWI_NONE;
    while (lwi_next_part(&pieces, &i)) {
      assert_true(lwi_next_part(&others, &k));
      const lwi_polygon piece = lwi_polygon_get(a, i), twin = lwi_polygon_get(b, k);
      assert_int_equal(piece.count, twin.count);
      assert_memory_equal(piece.at, twin.at, 3 * piece.count * sizeof(float));
      assert_int_equal(a->graph.end_portal[i] - a->graph.first_portal[i],
                       b->graph.end_portal[k] - b->graph.first_portal[k]);
    }
    assert_false(lwi_next_part(&others, &k));
  }
  lwi_live_destroy(one);
  lwi_live_destroy(other);
}

/* What meets over 8 mm is connected, and what is connected meets: only portals over short edges are shorter
   than 5, and those are 0.1 mm long or more. */
static void assert_labels(const lwi_live *live, const shared_level *level) {
  const lw_navmesh *mesh = lwi_live_mesh(live);
  uint32_t *wide = make_islands(live, 8e-3), *narrow = make_islands(live, 5e-5), *labels = new_labels(mesh);
  for (uint32_t i = 0; i < mesh->polygons.count; i++) {
    wide[i] = root(wide, i);
    narrow[i] = root(narrow, i);
  }
  assert_within(mesh, wide, labels, level);
  assert_within(mesh, labels, narrow, level);
  free(labels);
  free(wide);
  free(narrow);
}

static lwi_live *make_cut(shared_level *level, lwi_memory *memory, float size_max) {
  *memory = lwi_memory_make(NULL);
  lwi_live *live = lwi_live_create(memory, level->mesh);
  assert_non_null(live);
  for (uint32_t i = 0; i < FOOTPRINTS; i++) {
    const lwi_footprint box = random_box(level, size_max);
    assert_true(lwi_live_set(live, i, &box));
  }
  assert_true(lwi_live_apply(live));
  return live;
}

static void pieces_connect_where_their_edges_meet(shared_level *level) {
  for (int round = 0; round < 10; round++) {
    lwi_memory memory;
    lwi_live *live = make_cut(level, &memory, 3);
    assert_labels(live, level);
    lwi_live_destroy(live);
  }
}

/* --- questions ---------------------------------------------------------------------------------------------- */

/* The distance to the nearest of all polygons, each of which is asked. */
static float nearest_of_all(const lw_navmesh *mesh, lw_vec3 point, lw_vec3 snap) {
  float best = INFINITY;
  for (uint32_t i = 0; i < mesh->polygons.count; i++) {
    if (!lwi_is_there(mesh, i)) continue;
    const lwi_polygon polygon = lwi_polygon_get(mesh, i);
    lw_vec3 at;
    lwi_polygon_closest(&polygon, point, &at);
    at.y = lwi_polygon_height(mesh, i, at.x, at.z);
    const lw_vec3 gap = lwi_sub(at, point);
    if (fabsf(gap.x) > snap.x || fabsf(gap.y) > snap.y || fabsf(gap.z) > snap.z) continue;
    best = fminf(best, lwi_length(gap));
  }
  return best;
}

static void the_nearest_place_is_that_of_all_polygons(shared_level *level) {
  lwi_memory memory;
  lwi_live *live = make_cut(level, &memory, 3);
  const lw_navmesh *mesh = lwi_live_mesh(live);
  const lw_vec3 snap = {3, 4, 3};
  for (int i = 0; i < 500; i++) {
    lw_vec3 point = level_place(level).point;
    point.x += level_random(level, -2, 2);
    point.y += level_random(level, -2, 2);
    point.z += level_random(level, -2, 2);
    lw_location at;
    const lw_status status = lw_navmesh_nearest(mesh, point, snap, NULL, &at);
    const float expected = nearest_of_all(mesh, point, snap);
    assert_int_equal(status, expected < INFINITY ? LW_OK : LW_NO_POINT);
    if (status != LW_OK) continue;
    assert_float_equal(lwi_distance(at.point, point), expected, 1e-4f);
    const uint32_t polygon = lwi_poly_index(mesh, at.poly);
    assert_true(polygon != LWI_NONE && lwi_is_there(mesh, polygon));
  }
  lwi_live_destroy(live);
}

/* Rays end at sides of footprints, too: up to there all of the way is there, and there a wall is. */
static void rays_run_over_what_is_there_and_end_at_walls(shared_level *level) {
  lwi_memory memory;
  lwi_live *live = make_cut(level, &memory, 3);
  const lw_navmesh *mesh = lwi_live_mesh(live);
  int hits = 0;
  for (int i = 0; i < 300; i++) {
    lw_location from;
    if (lw_navmesh_nearest(mesh, level_place(level).point, lwi_vec3(2, 2, 2), NULL, &from) != LW_OK) continue;
    const float angle = level_random(level, 0, 6.3f), length = level_random(level, 1, 30);
    const lw_vec3 to = lwi_add(from.point, lwi_vec3(length * cosf(angle), 0, length * sinf(angle)));
    lw_raycast hit;
    assert_int_equal(lw_navmesh_raycast(mesh, from, to, NULL, &hit), LW_OK);
    lw_vec3 at = from.point;
    for (float t = 0; t < hit.t - 0.01f / length; t += 0.2f / length) {
      at = lwi_lerp(from.point, to, t);
      lw_location under;
      assert_int_equal(lw_navmesh_nearest(mesh, at, lwi_vec3(0.01f, 40, 0.01f), NULL, &under), LW_OK);
    }
    if (!hit.hit) continue;
    lw_wall wall;

    assert_int_equal(lw_navmesh_distance_to_wall(mesh, hit.at, 1, NULL, &wall), LW_OK);
    if (!wall.found || wall.distance > 0.02f)
      fail_msg("%s: seed %llu: a ray to (%g, %g) ends %g m from a wall", level->name,
               (unsigned long long)level->seed, (double)to.x, (double)to.z, (double)wall.distance);
    hits += 1;
  }
  assert_true(hits > 50);
  lwi_live_destroy(live);
}

/* Walls of what is cut out count for larger agents, too. */
static void large_agents_find_their_way_among_pieces(shared_level *level) {
  lwi_memory memory;
  lwi_live *live = make_cut(level, &memory, 2);
  const lw_navmesh *mesh = lwi_live_mesh(live);
  lw_filter filter = lw_filter_all();
  filter.radius = lw_navmesh_get_agent(mesh).radius + 0.3f;
  lwi_clearance *clearance = lwi_clearance_create(&memory, mesh, &filter);
  assert_non_null(clearance);
  lw_error error = {.text = ""};
  if (lwi_clearance_check(clearance, &error) != LW_OK)
    fail_msg("%s: seed %llu: %s", level->name, (unsigned long long)level->seed, error.text);
  lwi_clearance_destroy(clearance);
  lwi_live_destroy(live);
  assert_int_equal(memory.bytes, 0);
}

/* Every square metre that is there is drawn as often as any other: by what part of each the draws fall on pieces. */
static void random_places_are_spread_over_what_is_there(shared_level *level) {
  enum { DRAWS = 20000 };
  lwi_memory memory;
  lwi_live *live = make_cut(level, &memory, 3);
  const lw_navmesh *mesh = lwi_live_mesh(live);
  double all = 0, pieces = 0;
  int on_pieces = 0;
  for (uint32_t i = 0; i < mesh->polygons.count; i++) {
    if (!lwi_is_there(mesh, i)) continue;
    all += lwi_area_of(mesh, i);
    pieces += i >= mesh->live.base_count ? lwi_area_of(mesh, i) : 0;
  }
  for (int i = 0; i < DRAWS; i++) {
    lw_location at;
    assert_int_equal(lwi_random_anywhere(mesh, &(lwi_random_ground){0}, &level->random, &at), LW_OK);
    const uint32_t polygon = lwi_poly_index(mesh, at.poly);
    assert_true(polygon != LWI_NONE);
    on_pieces += polygon >= mesh->live.base_count;
  }
  const double part = pieces / all, error = sqrt(part * (1 - part) / DRAWS);
  if (fabs(on_pieces / (double)DRAWS - part) > 5 * error)
    fail_msg("%s: seed %llu: %g of the draws are on pieces, which are %g of the area", level->name,
             (unsigned long long)level->seed, on_pieces / (double)DRAWS, part);
  lwi_live_destroy(live);
}

/* Paths are as long as those over points set closely on all portals. */
static void paths_lead_round_what_is_cut_out(shared_level *level) {
  lwi_scene *scene = &level->world->scene;
  for (uint32_t i = 0; i < FOOTPRINTS; i++) {
    const lwi_footprint box = random_box(level, 2);
    assert_true(lwi_live_set(scene->navs[0].live, i, &box));
  }
  assert_true(lwi_scene_apply(scene, &level->world->memory));
  const lw_navmesh *mesh = lw_world_navmesh(level->world);
  dense_graph *dense = dense_make(mesh, 0.25f);
  lwi_prices plain;
  lwi_prices_plain(&plain);
  double excess = 0;
  int found = 0;
  for (int i = 0; i < 60; i++) {
    lw_location from, to;
    lw_path_query query = lw_path_query_default();
    lw_path *path;
    lwi_random_anywhere(mesh, &(lwi_random_ground){0}, &level->random, &from);
    lwi_random_anywhere(mesh, &(lwi_random_ground){0}, &level->random, &to);
    query.from = from.point;
    query.to = to.point;
    const lw_status status = lw_path_find(level->world, NULL, &query, &path);
    const double best = dense_cost(dense, &plain, from, to, INFINITY);
    assert_int_equal(status, best < INFINITY ? LW_OK : LW_NO_PATH);
    if (status != LW_OK) continue;
    excess += (double)lw_path_length(path) / fmax(best, 0.1) - 1;
    found += 1;
    lw_path_destroy(path);
  }
  dense_free(dense);
  printf("note: %s: seed %llu: %d paths, %.2f %% longer than over dense points in the mean\n", level->name,
         (unsigned long long)level->seed, found, 100 * excess / fmax(1, found));
  assert_true(found > 5);
  /* The ground between points, which rises and falls, counts for us alone: 4.5 % on recast_undulating. */
  assert_true(excess / found < 0.06);
}

static void ids_of_what_was_cut_are_stale(shared_level *level) {
  lwi_memory memory = lwi_memory_make(NULL);
  lwi_live *live = lwi_live_create(&memory, level->mesh);
  const lw_navmesh *mesh = lwi_live_mesh(live);
  lw_location at = level_place(level), piece;
  assert_true(lwi_poly_index(mesh, at.poly) != LWI_NONE);
  const live_box small = {at.point, 0, 0.2f, 0.2f, 1};
  const lwi_footprint box = live_footprint(&small);
  for (int round = 0; round < 3; round++) {
    assert_true(lwi_live_set(live, 0, &box) && lwi_live_apply(live));
    assert_int_equal(lwi_poly_index(mesh, at.poly), LWI_NONE);
    assert_int_equal(lw_navmesh_nearest(mesh, at.point, lwi_vec3(2, 2, 2), NULL, &piece), LW_OK);
    assert_true(lwi_poly_index(mesh, piece.poly) != LWI_NONE);
    assert_true(lwi_live_set(live, 0, NULL) && lwi_live_apply(live));
    assert_true(lwi_poly_index(mesh, at.poly) != LWI_NONE);
    if (lwi_poly_index(level->mesh, piece.poly) == LWI_NONE)
      assert_int_equal(lwi_poly_index(mesh, piece.poly), LWI_NONE);
  }
  lwi_live_destroy(live);
}

/* Bytes that a live navmesh takes with 300 boxes, `at_once` of which are cut in each round. */
static size_t bytes_of_rounds(const shared_level *level, const live_box *boxes, int at_once) {
  lwi_memory memory = lwi_memory_make(NULL);
  lwi_live *live = lwi_live_create(&memory, level->mesh);
  for (uint32_t i = 0; i < 300; i++) {
    const lwi_footprint box = live_footprint(&boxes[i]);
    assert_true(lwi_live_set(live, i, &box));
    if (((int)i + 1) % at_once == 0) assert_true(lwi_live_apply(live));
  }
  const size_t bytes = memory.bytes;
  lwi_live_destroy(live);
  return bytes;
}

static void many_footprints_at_once_leave_no_scratch(shared_level *level) {
  live_box boxes[300];
  for (int i = 0; i < 300; i++)
    boxes[i] = (live_box){level_place(level).point, level_random(level, 0, 6.3f), 0.9f, 0.9f, 1.5f};
  const size_t few = bytes_of_rounds(level, boxes, 10), all = bytes_of_rounds(level, boxes, 300);
  printf("note: %s: 300 boxes cut at once take %zu bytes, ten at a time %zu\n", level->name, all, few);
  assert_true(all < few + few / 20);
}

int main(void) {
  static const level_check checks[] = {
      {"random changes leave it sound, and their end the base",
       random_changes_leave_it_sound_and_their_end_the_base},
      {"the same footprints cut the same pieces", the_same_footprints_cut_the_same_pieces},
      {"pieces connect where their edges meet", pieces_connect_where_their_edges_meet},
      {"the nearest place is that of all polygons", the_nearest_place_is_that_of_all_polygons},
      {"rays run over what is there and end at walls", rays_run_over_what_is_there_and_end_at_walls},
      {"large agents find their way among pieces", large_agents_find_their_way_among_pieces},
      {"random places are spread over what is there", random_places_are_spread_over_what_is_there},
      {"paths lead round what is cut out", paths_lead_round_what_is_cut_out},
      {"ids of what was cut are stale", ids_of_what_was_cut_are_stale},
      {"many footprints at once leave no scratch", many_footprints_at_once_leave_no_scratch},
  };
  const int count = (int)(sizeof checks / sizeof *checks);
  const int failed = level_run("live", checks, count);
  return failed + level_run_on("wide_plain", support_wide_plain, checks, count);
}
