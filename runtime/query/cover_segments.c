/* Cover around a place: navmeshes have their segments in blocks with a box each, those of obstacles are found along their
   sides. */
#include "core/status.h"
#include "core/vec3.h"
#include "cover/cover_run.h"
#include "cover/segments.h"
#include "cover/screen_cover.h"
#include "mesh/column.h"
#include "query/cover_search.h"

lw_cover_segment_query lw_cover_segment_query_default(void) {
  return (lw_cover_segment_query){
      .radius = 20, .stance = -1, .navmesh = LW_NAVMESH_FITTING, .cookie = LWI_COOKIE};
}

/* Where found segments go: a heap with the furthest on top, so that the nearest stay. */
typedef struct finding {
  const lw_cover_segment_query *query;
  lw_cover_segment *heap;
  int capacity, held, count;
  int navmesh; /* that is looked at */
  const lw_navmesh *mesh;
  const lwi_screen *screen; /* NULL: what the navmesh has */
  uint32_t offered_by;      /* of `screen` */
} finding;

static float distance2_to_box(const lw_box *box, lw_vec3 p) {
  lw_vec3 off = {fmaxf(0, fmaxf(box->min.x - p.x, p.x - box->max.x)),
                 fmaxf(0, fmaxf(box->min.y - p.y, p.y - box->max.y)),
                 fmaxf(0, fmaxf(box->min.z - p.z, p.z - box->max.z))};
  return lwi_dot(off, off);
}

static float distance2_to_line(lw_vec3 a, lw_vec3 b, lw_vec3 p) {
  float t = lwi_part_along(a, b, p);
  lw_vec3 off = lwi_sub(lwi_sub(p, a), lwi_scale(lwi_sub(b, a), t < 0 ? 0 : t > 1 ? 1 : t));
  return lwi_dot(off, off);
}

/* --- nearest first ------------------------------------------------------------------------------------------------- */

static bool is_further(const finding *f, const lw_cover_segment *a, const lw_cover_segment *b) {
  float da = distance2_to_line(a->a, a->b, f->query->around),
        db = distance2_to_line(b->a, b->b, f->query->around);
  if (da != db) return da > db;
  if (a->navmesh != b->navmesh) return a->navmesh > b->navmesh;
  return a->offered_by != b->offered_by ? a->offered_by > b->offered_by : a->index > b->index;
}

/* Put a segment into the heap at a place that is free, or below it. */
static void sink(const finding *f, int at, int held, lw_cover_segment segment) {
  for (int child = 2 * at + 1; child < held; child = 2 * at + 1) {
    if (child + 1 < held && is_further(f, &f->heap[child + 1], &f->heap[child])) child += 1;
    if (!is_further(f, &f->heap[child], &segment)) break;
    f->heap[at] = f->heap[child];
    at = child;
  }
  f->heap[at] = segment;
}

static void keep(finding *f, const lw_cover_segment *segment) {
  f->count += 1;
  if (f->held == f->capacity) {
    if (f->held > 0 && is_further(f, &f->heap[0], segment)) sink(f, 0, f->held, *segment);
    return;
  }
  int at = f->held++;
  for (int parent = (at - 1) / 2; at > 0 && is_further(f, segment, &f->heap[parent]); parent = (at - 1) / 2) {
    f->heap[at] = f->heap[parent];
    at = parent;
  }
  f->heap[at] = *segment;
}

static void sort(finding *f) {
  for (int last = f->held - 1; last > 0; last--) {
    lw_cover_segment furthest = f->heap[0];
    sink(f, 0, last, f->heap[last]);
    f->heap[last] = furthest;
  }
}

static bool hides(const lw_cover_segment_query *query, const lwi_cover_segment *segment, int stance) {
  return lwi_segment_hides(segment, lw_profile_get_stance(query->profile, stance)->body);
}

/* --- ground beside what the level offers --------------------------------------------------------------------------- */

/* Bakes find ground at cover within this much of its height, beside it from the agents' radius on. [m] */
#define GROUND_HEIGHT 0.5f
static const float beside[] = {0.05f, 0.3f, 0.6f};
enum { BESIDE = sizeof beside / sizeof *beside };

typedef enum ground { NEVER, CUT, THERE } ground;

/* Of the ground that was baked there. */
static ground ground_at(const lw_navmesh *mesh, lw_vec3 at) {
  const lw_navmesh *base = lwi_base_of(mesh);
  ground found = NEVER;
  lwi_column cell;
  if (!lwi_grid_column(&base->grid, at.x, at.z, &cell)) return NEVER;
  for (uint32_t i = cell.first; i < cell.end && found != THERE; i++) {
    const lwi_reference *reference = &base->grid.references[i];
    if (!lwi_column_meets(&cell, reference) || lwi_part_at(base, reference->polygon, at, 0) == LWI_NONE ||
        fabsf(lwi_polygon_height(base, reference->polygon, at.x, at.z) - at.y) > GROUND_HEIGHT)
      continue;
    found = lwi_part_at(mesh, reference->polygon, at, 0) == LWI_NONE ? CUT : THERE;
  }
  return found;
}

/* Is all ground beside the segment cut away? */
static bool is_cut_off(const lw_navmesh *mesh, const lwi_cover_segment *segment) {
  const lw_vec3 normal = lwi_segment_normal(segment);
  const int columns = (int)ceilf(lwi_distance_xz(segment->a, segment->b) / (float)LWI_COVER_COLUMN);
  bool any_cut = false;
  if (!mesh->live.base) return false;
  for (int i = 0; i < columns; i++) {
    const lw_vec3 foot = lwi_lerp(segment->a, segment->b, ((float)i + 0.5f) / (float)columns);
    for (int k = 0; k < BESIDE; k++) {
      const ground here = ground_at(mesh, lwi_add(foot, lwi_scale(normal, mesh->agent.radius + beside[k])));
      if (here == THERE) return false;
      any_cut = any_cut || here == CUT;
    }
  }
  return any_cut;
}

/* --- looking ------------------------------------------------------------------------------------------------------- */

static void look_at(finding *f, const lwi_cover_segment *segment, uint32_t index) {
  const lw_cover_segment_query *query = f->query;
  if (distance2_to_line(segment->a, segment->b, query->around) > query->radius * query->radius) return;
  if (query->stance >= 0 && !hides(query, segment, query->stance)) return;
  if (!f->screen && is_cut_off(f->mesh, segment)) return;
  const lw_cover_segment found = {.a = segment->a,
                                  .b = segment->b,
                                  .bottom = segment->bottom,
                                  .top = segment->top,
                                  .normal = lwi_segment_normal(segment),
                                  .kind = (lw_cover_kind)segment->kind,
                                  .low = hides(query, segment, LW_CROUCH),
                                  .high = hides(query, segment, LW_STAND),
                                  .navmesh = f->navmesh,
                                  .index = index,
                                  .obstacle = f->screen ? f->screen->id : lw_obstacle_id_none(),
                                  .offered_by = f->offered_by};
  keep(f, &found);
}

static void look_through(finding *f, const lwi_cover *cover) {
  const float radius2 = f->query->radius * f->query->radius;
  for (uint32_t first = 0; first < cover->segment_count; first += LWI_COVER_BLOCK) {
    if (distance2_to_box(&cover->blocks[first / LWI_COVER_BLOCK], f->query->around) > radius2) continue;
    for (uint32_t i = first; i < first + LWI_COVER_BLOCK && i < cover->segment_count; i++)
      look_at(f, &cover->segments[i], i);
  }
}

/* @return false: no memory. */
static bool look_at_screen(finding *f, const lwi_screen_places *places, lwi_shared *shared, uint32_t number) {
  const lwi_screen_segments *segments = lwi_screen_cover_get(&shared->cover, places, number, &shared->memory);
  f->screen = &places->screens->items[number];
  f->offered_by = number + 1;
  for (int i = 0; segments && i < segments->count; i++)
    look_at(f, &segments->items[i].at, segments->items[i].index);
  f->screen = NULL;
  f->offered_by = 0;
  return segments != NULL;
}

/* Along the sides of what rests near by. @return false: no memory. */
static bool look_at_screens(finding *f, const lwi_scene *scene, const lwi_nav *nav, uint32_t spared) {
  const lwi_screens *screens = &scene->sight.screens;
  const lwi_screen_places places = {nav->mesh, scene->sight.sets, scene->sight.count, screens};
  const lw_vec3 at = f->query->around;
  const float radius = f->query->radius;
  const lwi_rectangle box = {at.x - radius, at.z - radius, at.x + radius, at.z + radius};
  bool done = true;
  if (!lwi_rectangle_tree_may_meet(&screens->tree, &box)) return true;
  lwi_mutex_lock(&nav->shared->lock);
  lwi_rectangle_walk walk = lwi_rectangle_walk_box(&screens->tree, box);
  for (uint32_t number; done && (number = lwi_rectangle_walk_next(&walk)) != UINT32_MAX;) {
    const lwi_screen *screen = &screens->items[number];
    if (screen->rests && (spared == 0 || screen->carrier != spared))
      done = look_at_screen(f, &places, nav->shared, number);
  }
  lwi_mutex_unlock(&nav->shared->lock);
  return done;
}

int lwi_cover_segments_copy(const lwi_scene *scene, const lwi_segment_part *part, lwi_cover_segment *segments,
                            int capacity) {
  const lwi_screens *screens = &scene->sight.screens;
  const lwi_screen *screen = lwi_screens_get(screens, part->screen);
  if (!screen || !screen->rests) return 0;
  const lwi_nav *nav = &scene->navs[part->navmesh];
  const lwi_screen_places places = {nav->mesh, scene->sight.sets, scene->sight.count, screens};
  int count = 0;
  lwi_mutex_lock(&nav->shared->lock);
  const lwi_screen_segments *found =
      lwi_screen_cover_get(&nav->shared->cover, &places, part->screen, &nav->shared->memory);
  for (int i = part->first; found && i < found->count && count < capacity; i++)
    segments[count++] = found->items[i].at;
  lwi_mutex_unlock(&nav->shared->lock);
  return count;
}

static bool is_query(const lwi_scene *scene, const lw_cover_segment_query *query) {
  const int stances = query->profile ? lw_profile_get_def(query->profile)->stance_count : LW_CROUCH + 1;
  return query->cookie == LWI_COOKIE && lwi_finite(query->around) && query->radius >= 0 &&
         isfinite(query->radius) && query->stance >= -1 && query->stance < stances &&
         lwi_scene_has(scene, query->navmesh);
}

lw_status lwi_cover_segment_find(const lwi_scene *scene, const lwi_segment_search *search,
                                 lw_cover_segment *segments, int capacity, int *count) {
  const lw_cover_segment_query *query = search->query;
  finding f = {.query = query, .heap = segments, .capacity = capacity};
  for (int i = 0; i < scene->nav_count; i++) {
    const lwi_nav *nav = &scene->navs[i];
    if (query->navmesh != i && (query->navmesh >= 0 || !lwi_nav_fits(scene, nav, query->profile))) continue;
    f.navmesh = i;
    f.mesh = nav->mesh;
    look_through(&f, lwi_cover_of(nav->mesh));
    if (!look_at_screens(&f, scene, nav, search->spared)) return LW_OUT_OF_MEMORY;
  }
  sort(&f);
  *count = f.count;
  return LW_OK;
}

lw_status lw_cover_segment_find(const lw_world *world, const lw_cover_segment_query *query,
                                lw_cover_segment *segments, int capacity, int *count) {
  if (count) *count = 0;
  if (!world || !query || !count) return LW_INVALID;
  const lwi_scene *scene = lwi_scene_of(world);
  if (!is_query(scene, query) || capacity < 0 || (capacity > 0 && !segments)) return LW_INVALID;
  return lwi_cover_segment_find(scene, &(lwi_segment_search){.query = query}, segments, capacity, count);
}
