#include "bake/auto_link_search.h"

#include "bake/auto_links.h"
#include "links/jump_arc.h"

/* Places along a border are this far apart. [m] */
#define SAMPLE_STEP 0.5f
/* Borders shorter than this are part of a longer one's rounding. [m] */
#define BORDER_MIN 0.2f
/* After a link was found, the next place of the same border that is tried is this far on. [m] */
#define NEXT_PLACE (LWI_AUTO_LINK_SPACING / 2)
/* A jump ends this far behind the border, if there is ground. [m] */
#define BEHIND_BORDER 0.1f
/* How far the surface may be from a straight line between two corners of a border. [m] */
#define RELIEF 1.0f
/* Bodies that touch a wall are free of it: navmesh borders are that exact at best. [m] */
#define TOUCH 0.01f
/* Directions of jumps, from straight out to both sides: cosine and sine of 0, 30 and 60 degrees. */
static const float directions[][2] = {
    {1, 0}, {0.8660254f, 0.5f}, {0.8660254f, -0.5f}, {0.5f, 0.8660254f}, {0.5f, -0.8660254f}};
enum { DIRECTION_COUNT = sizeof directions / sizeof *directions };

/* A place on a border, and the level direction straight out. */
typedef struct outset {
  lwi_near_ground at;
  float out_x, out_z;
} outset;

/* What the body may step over, above its feet. [m] */
static float step_of(const lw_bake_settings *used) {
  return fminf(used->agent_climb + used->cell_height, used->agent_height / 2);
}

/* How far a drop may lead outwards: from the border over the agent's radius to the edge, and the radius again. */
static float drop_out(const lw_bake_settings *used) {
  return 2 * used->agent_radius + LWI_AUTO_DROP_OUT;
}

/* Between the borders of a gap that may be jumped over. Each border is exact to a cell. */
static float jump_width(const lw_bake_settings *used) {
  return used->auto_links.jump + 2 * used->agent_radius + 2 * used->cell_size;
}

float lwi_auto_link_reach(const lw_bake_settings *used) {
  const float level = fmaxf(drop_out(used), jump_width(used)) + BEHIND_BORDER + used->agent_radius;
  const float high =
      fmaxf(used->auto_links.drop, used->auto_links.jump) + 2 * used->agent_height + LWI_JUMP_RISE_MAX;
  return fmaxf(level, high) + 1;
}

/* --- ground ----------------------------------------------------------------------------------------------- */

/* Level lines outwards, and the heights at which a link may end. */
static lwi_level_line drop_line(const lw_bake_settings *used, const outset *from) {
  const lw_vec3 at = from->at.point;
  return (lwi_level_line){.from = at,
                          .x = from->out_x,
                          .z = from->out_z,
                          .length = drop_out(used),
                          .low = at.y - used->auto_links.drop - used->cell_height,
                          .high = at.y - used->agent_climb - 1e-3f};
}

static lwi_level_line jump_line(const lw_bake_settings *used, const outset *from, const float direction[2]) {
  const lw_vec3 at = from->at.point;
  return (lwi_level_line){.from = at,
                          .x = from->out_x * direction[0] - from->out_z * direction[1],
                          .z = from->out_z * direction[0] + from->out_x * direction[1],
                          .length = jump_width(used),
                          .low = at.y - fmaxf(used->agent_climb, used->auto_links.jump / 2),
                          .high = at.y + used->agent_climb};
}

/* List the polygons that links from a border may reach. @return false: no memory. */
static bool list_ground(lwi_auto_link_search *search, lw_vec3 a, lw_vec3 b) {
  const lw_bake_settings *used = search->places->used;
  const float level =
      fmaxf(used->auto_links.drop > 0 ? drop_out(used) : 0, used->auto_links.jump > 0 ? jump_width(used) : 0);
  const float down =
      fmaxf(fmaxf(used->auto_links.drop, used->auto_links.jump / 2), used->agent_climb) + used->cell_height;
  lw_box box = lwi_box_add(lwi_box_add(lwi_box_empty(), a), b);
  box.min = lwi_sub(box.min, lwi_vec3(level, down + RELIEF, level));
  box.max = lwi_add(box.max, lwi_vec3(level, used->agent_climb + RELIEF, level));
  return lwi_ground_space_near(search->places->ground, box, &search->ground);
}

/* --- sweeps ----------------------------------------------------------------------------------------------- */

static lwi_sweep sweep_of(const lwi_auto_link_search *search, lw_vec3 a, lw_vec3 b) {
  const lw_bake_settings *used = search->places->used;
  const double step = (double)step_of(used), height = (double)used->agent_height;
  return (lwi_sweep){.from = lwi_point2_of(a),
                     .to = lwi_point2_of(b),
                     .radius = fmax((double)used->agent_radius - (double)TOUCH, 0),
                     .low = fmin((double)a.y, (double)b.y) + step,
                     .high = fmax((double)a.y, (double)b.y) + height};
}

static bool is_free(const lwi_auto_link_search *search, lw_vec3 a, lw_vec3 b) {
  const lwi_sweep sweep = sweep_of(search, a, b);
  return lwi_sweep_is_free(search->places->space, &search->near, &sweep);
}

/* List the triangles near a link. @param rise  How far the body rises above both ends. @return false: no memory. */
static bool look_near(lwi_auto_link_search *search, lw_vec3 from, lw_vec3 to, float rise) {
  const lw_bake_settings *used = search->places->used;
  lw_box box = lwi_box_add(lwi_box_add(lwi_box_empty(), from), to);
  box = lwi_box_grow(box, used->agent_radius);
  box.max.y += used->agent_height + rise;
  return lwi_solid_space_near(search->places->space, box, &search->near);
}

static bool is_arc_free(const lwi_auto_link_search *search, lw_vec3 from, lw_vec3 to, float rise) {
  lw_vec3 at = from;
  for (int i = 1; i <= LWI_JUMP_PARTS; i++) {
    const lw_vec3 next = lwi_jump_point(from, to, rise, (float)i / LWI_JUMP_PARTS);
    if (!is_free(search, at, next)) return false;
    at = next;
  }
  return true;
}

/* --- links ------------------------------------------------------------------------------------------------ */

/* @return false: no memory. */
static bool saves_walk(lwi_auto_link_search *search, const lwi_near_ground ends[2], bool *saves) {
  const float limit = LWI_AUTO_LINK_DETOUR * lwi_distance(ends[0].point, ends[1].point);
  bool is_short;
  if (!lwi_short_walk_find(&search->walk, search->places->mesh, ends, limit, &is_short)) return false;
  *saves = !is_short;
  return true;
}

/* @return false: no memory. */
static bool add(lwi_auto_link_search *search, const lwi_near_ground ends[2], lw_link_kind kind) {
  const lw_vec3 from = ends[0].point, to = ends[1].point;
  const bool both = kind == LW_LINK_JUMP && fabsf(to.y - from.y) <= search->places->used->agent_climb;
  if (!lwi_reserve(search->memory, &search->items, &search->capacity, search->count + 1, sizeof *search->items))
    return false;
  search->items[search->count++] = (lwi_auto_link){from, to, (uint8_t)kind, both};
  return true;
}

/* Out over the edge and down. The first place on the ground below to which the body falls freely is taken.
   @return false: no memory. */
static bool try_drop(lwi_auto_link_search *search, const outset *from, bool *found) {
  const lwi_auto_link_places *places = search->places;
  const lwi_level_line line = drop_line(places->used, from);
  const lw_vec3 at = line.from, end = lwi_level_line_at(&line, line.length);
  const float step = places->used->cell_size / 2;
  float range[2];
  if (!lwi_ground_range(places->ground, &search->ground, &line, range)) return true;
  if (!look_near(search, at, lwi_vec3(end.x, line.low, end.z), 0)) return false;
  for (float far = fmaxf(fmaxf(places->used->agent_radius, step), range[0]); far <= range[1]; far += step) {
    const lw_vec3 over = lwi_level_line_at(&line, far);
    lwi_near_ground ends[2] = {from->at};
    if (!lwi_ground_at(places->ground, &search->ground, &line, far, &ends[1])) continue;
    if (!is_free(search, at, over)) return true; /* nor is it further out */
    if (!is_free(search, over, ends[1].point)) continue;
    if (!saves_walk(search, ends, found)) return false;
    return !*found || add(search, ends, LW_LINK_DROP);
  }
  return true;
}

/* @return false: no memory. */
static bool try_jump(lwi_auto_link_search *search, const outset *from, const float direction[2], bool *found) {
  const lwi_auto_link_places *places = search->places;
  const lwi_level_line line = jump_line(places->used, from, direction);
  lwi_near_ground ends[2] = {from->at};
  const float far = lwi_ground_enter(places->ground, &search->ground, &line, BEHIND_BORDER, &ends[1]);
  if (!(far >= places->used->agent_radius && far < INFINITY)) return true;
  const lw_vec3 a = ends[0].point, b = ends[1].point;
  const float rise = lwi_jump_rise(a, b);
  bool saves;
  if (!saves_walk(search, ends, &saves)) return false;
  if (!saves) return true;
  if (!look_near(search, a, b, rise)) return false;
  *found = is_arc_free(search, a, b, rise);
  return !*found || add(search, ends, LW_LINK_JUMP);
}

/* --- borders ---------------------------------------------------------------------------------------------- */

/* Where the next drop and the next jump may begin, along the border. [m] */
typedef struct next_places {
  float drop, jump;
} next_places;

static bool try_place(lwi_auto_link_search *search, const outset *from, float along, next_places *next) {
  const lw_bake_settings *used = search->places->used;
  bool drop = false, jump = false;
  if (used->auto_links.drop > 0 && along >= next->drop && !try_drop(search, from, &drop)) return false;
  if (drop) next->drop = along + NEXT_PLACE;
  for (int i = 0; used->auto_links.jump > 0 && along >= next->jump && i < DIRECTION_COUNT && !jump; i++)
    if (!try_jump(search, from, directions[i], &jump)) return false;
  if (jump) next->jump = along + NEXT_PLACE;
  return true;
}

/* Along a border from a to b; the polygon lies to its left. */
static bool search_border(lwi_auto_link_search *search, uint32_t polygon, lw_vec3 a, lw_vec3 b) {
  const float length = lwi_distance_xz(a, b);
  if (length < fminf(BORDER_MIN, search->places->used->cell_size / 2)) return true;
  const int count = (int)ceilf(length / SAMPLE_STEP - 1e-3f) > 1 ? (int)ceilf(length / SAMPLE_STEP - 1e-3f) : 1;
  next_places next = {0, 0};
  if (!list_ground(search, a, b)) return false;
  for (int i = 0; i < count; i++) {
    const float t = ((float)i + 0.5f) / (float)count;
    outset from = {{polygon, lwi_lerp(a, b, t)}, -(b.z - a.z) / length, (b.x - a.x) / length};
    from.at.point.y = lwi_polygon_height(search->places->mesh, polygon, from.at.point.x, from.at.point.z);
    if (!try_place(search, &from, t * length, &next)) return false;
  }
  return true;
}

static bool search_part(lwi_auto_link_search *search, uint32_t polygon, lw_vec3 a, lw_vec3 b, float t0,
                        float t1) {
  if (!lwi_is_wall(a, b, t0, t1)) return true;
  return search_border(search, polygon, lwi_lerp(a, b, t0), lwi_lerp(a, b, t1));
}

bool lwi_auto_link_search_polygon(lwi_auto_link_search *search, uint32_t index) {
  const lw_navmesh *mesh = search->places->mesh;
  const lwi_polygon polygon = lwi_polygon_get(mesh, index);
  uint32_t k = mesh->graph.first_portal[index];
  const uint32_t end = mesh->graph.end_portal[index];
  for (uint32_t edge = 0; edge < polygon.count; edge++) {
    const lw_vec3 a = lwi_corner(&polygon, edge), b = lwi_corner(&polygon, lwi_next_corner(&polygon, edge));
    float open_to = 0;
    for (; k < end && mesh->graph.portals[k].edge == edge; k++) {
      const lwi_portal_interval interval = lwi_interval_of_portal(mesh, &mesh->graph.portals[k]);
      if (!search_part(search, index, a, b, open_to, interval.t0)) return false;
      open_to = fmaxf(open_to, interval.t1);
    }
    if (!search_part(search, index, a, b, open_to, 1)) return false;
  }
  return true;
}

void lwi_auto_link_search_end(lwi_auto_link_search *search) {
  lwi_box_list_free(&search->near);
  lwi_box_list_free(&search->ground);
  lwi_short_walk_free(&search->walk);
}
