#include "search/watched_graph.h"

#include <math.h>
#include <string.h>

/* The spacing of points of portals [m], and their limit between the ends. */
#define SPACING 1.5f
#define POINTS_MAX 9
/* The spacing of lattices [m], and the limit on points of one: those of large polygons are wider. */
#define STEP 0.75f
#define LATTICE_MAX 200
/* Narrower polygons have no lattice. [m] */
#define NARROW 2.0f
/* Past this number of arcs all are forgotten before the next search. */
#define ARCS_MAX (1 << 21)

/* --- memory ----------------------------------------------------------------------------------------------- */

static void free_array(lwi_memory *memory, void *array, int capacity, size_t size) {
  lwi_free(memory, array, (size_t)capacity * size);
}

void lwi_watched_graph_free(lwi_watched_graph *watched) {
  lwi_memory *memory = watched->memory;
  if (!memory) return;
  lwi_free(memory, watched->ground_of, watched->region_count * sizeof *watched->ground_of);
  lwi_free(memory, watched->transition_of, watched->crossing_count * sizeof *watched->transition_of);
  free_array(memory, watched->grounds, watched->capacities.ground, sizeof *watched->grounds);
  free_array(memory, watched->transitions, watched->capacities.transition, sizeof *watched->transitions);
  free_array(memory, watched->points, watched->capacities.point, sizeof *watched->points);
  free_array(memory, watched->members, watched->capacities.member, sizeof *watched->members);
  free_array(memory, watched->rows, watched->capacities.row, sizeof *watched->rows);
  free_array(memory, watched->arcs, watched->capacities.arc, sizeof *watched->arcs);
  free_array(memory, watched->trail, watched->capacities.trail, sizeof *watched->trail);
  lwi_heap_free(&watched->open, memory);
  *watched = (lwi_watched_graph){.memory = memory};
}

static bool make_numbers(lwi_memory *memory, uint32_t **numbers, uint32_t *count, uint32_t wanted) {
  if (*count < wanted || !*numbers) {
    lwi_free(memory, *numbers, *count * sizeof **numbers);
    *count = 0;
    *numbers = lwi_alloc_zero(memory, (wanted > 0 ? wanted : 1) * sizeof **numbers);
    if (!*numbers) return false;
    *count = wanted > 0 ? wanted : 1;
    return true;
  }
  memset(*numbers, 0, *count * sizeof **numbers);
  return true;
}

static uint32_t crossings_of(const lwi_graph *graph) {
  return graph->portal_count + graph->mesh->links.count;
}

/* Forget all points. @return false: no memory. */
static bool forget(lwi_watched_graph *watched, const lwi_graph *graph) {
  watched->ground_count = watched->transition_count = watched->point_count = 0;
  watched->member_count = watched->row_count = watched->arc_count = 0;
  watched->portals = NULL;
  if (!make_numbers(watched->memory, &watched->ground_of, &watched->region_count, graph->region_count) ||
      !make_numbers(watched->memory, &watched->transition_of, &watched->crossing_count, crossings_of(graph)))
    return false;
  watched->portals = graph->portals;
  watched->version = graph->mesh->live.version;
  return true;
}

bool lwi_watched_graph_begin(lwi_watched_graph *watched, const lwi_graph *graph, const lwi_watch *watch) {
  const lwi_visibility_samples *samples = watch->visibility;
  if ((watched->portals != graph->portals || watched->version != graph->mesh->live.version ||
       watched->region_count < graph->region_count || watched->crossing_count < crossings_of(graph) ||
       watched->arc_count > ARCS_MAX) &&
      !forget(watched, graph))
    return false;
  if (watched->samples_stamp != samples->stamp) watched->seen_stamp += 1;
  watched->samples_stamp = samples->stamp;
  watched->open.count = 0;
  watched->stamp += 1;
  if (watched->stamp > 0 && watched->seen_stamp > 0) return true;
  watched->stamp = watched->seen_stamp = 1; /* they have come round: whatever has one is old */
  return forget(watched, graph);
}

void lwi_watched_graph_go_on(lwi_watched_graph *watched, const lwi_watch *watch) {
  if (watched->samples_stamp == watch->visibility->stamp) return;
  watched->samples_stamp = watch->visibility->stamp;
  watched->seen_stamp += watched->seen_stamp == UINT32_MAX ? 2 : 1;
}

static bool add_member(lwi_watched_graph *watched, uint32_t point) {
  if (!lwi_reserve(watched->memory, &watched->members, &watched->capacities.member, watched->member_count + 1,
                   sizeof *watched->members))
    return false;
  watched->members[watched->member_count++] = point;
  return true;
}

static bool add_arc(lwi_watched_graph *watched, uint32_t from, uint32_t to) {
  if (!lwi_reserve(watched->memory, &watched->arcs, &watched->capacities.arc, watched->arc_count + 1,
                   sizeof *watched->arcs))
    return false;
  watched->arcs[watched->arc_count++] =
      (lwi_watched_arc){to, lwi_distance(watched->points[from].at, watched->points[to].at), -1};
  return true;
}

static bool add_row(lwi_watched_graph *watched) {
  if (!lwi_reserve(watched->memory, &watched->rows, &watched->capacities.row, watched->row_count + 1,
                   sizeof *watched->rows))
    return false;
  watched->rows[watched->row_count++] = (uint32_t)watched->arc_count;
  return true;
}

static bool add_point(lwi_watched_graph *watched, lw_vec3 at, uint32_t transition) {
  if (!lwi_reserve(watched->memory, &watched->points, &watched->capacities.point, watched->point_count + 1,
                   sizeof *watched->points))
    return false;
  watched->points[watched->point_count++] =
      (lwi_watched_point){.at = at, .transition = transition, .members = {LWI_NONE, LWI_NONE}};
  return true;
}

/* @return Its number; LWI_NONE: no memory. */
static uint32_t add_transition(lwi_watched_graph *watched, lwi_transition of) {
  if (!lwi_reserve(watched->memory, &watched->transitions, &watched->capacities.transition,
                   watched->transition_count + 1, sizeof *watched->transitions))
    return LWI_NONE;
  of.first = (uint32_t)watched->point_count;
  watched->transitions[watched->transition_count] = (lwi_watched_transition){.of = of};
  return (uint32_t)watched->transition_count++;
}

/* --- portals ---------------------------------------------------------------------------------------------- */

static bool is_before(lw_vec3 a, lw_vec3 b) {
  return a.x != b.x ? a.x < b.x : a.z < b.z;
}

/* The transition of a portal, from a side that its ends decide, so that it is the same whichever comes first and however
   regions are numbered, which tells of the changes of the ground before. @return LWI_NONE: no memory. */
static uint32_t make_portal(lwi_watched_graph *watched, const lwi_graph *graph, uint32_t region, uint32_t k) {
  const uint32_t base = 1 + graph->mesh->links.count;
  uint32_t to = graph->portals[k].to;
  lw_vec3 left, right;
  lwi_graph_points(graph, region, &graph->portals[k], &left, &right);
  uint32_t twin = lwi_graph_twin(graph, region, k, left, right);
  if (twin != LWI_NONE && is_before(right, left)) {
    const uint32_t swap = twin;
    twin = k;
    k = swap;
    to = region;
    region = graph->portals[twin].to;
    lwi_graph_points(graph, region, &graph->portals[k], &left, &right);
  }
  const int steps = (int)fminf(POINTS_MAX + 1, fmaxf(2, ceilf(lwi_distance(left, right) / SPACING)));
  const uint32_t index =
      add_transition(watched, (lwi_transition){.regions = {region, to},
                                               .nodes = {base + k, twin == LWI_NONE ? LWI_NONE : base + twin},
                                               .count = (uint32_t)steps + 1});
  const uint32_t polygon = lwi_region_polygon(graph, region);
  for (int i = 0; i <= steps && index != LWI_NONE; i++) {
    lw_vec3 at = lwi_lerp(left, right, (float)i / (float)steps);
    at.y = lwi_polygon_height(graph->mesh, polygon, at.x, at.z);
    if (!add_point(watched, at, index)) return LWI_NONE;
  }
  if (index == LWI_NONE) return LWI_NONE;
  watched->transition_of[k] = 1 + index;
  if (twin != LWI_NONE) watched->transition_of[twin] = 1 + index;
  return index;
}

static bool add_portals(lwi_watched_graph *watched, const lwi_graph *graph, uint32_t region,
                        lwi_watched_ground *ground) {
  for (uint32_t k = graph->first_portal[region]; k < graph->end_portal[region]; k++) {
    const uint32_t known = watched->transition_of[k],
                   index = known ? known - 1 : make_portal(watched, graph, region, k);
    if (index == LWI_NONE) return false;
    const lwi_transition of = watched->transitions[index].of;
    const int side = of.regions[0] == region ? 0 : 1;
    if (of.nodes[side] == LWI_NONE && of.regions[side] == region) continue;
    for (uint32_t i = of.first; i < of.first + of.count; i++) {
      watched->points[i].members[side] = (uint32_t)watched->member_count - ground->first_member;
      if (!add_member(watched, i)) return false;
    }
  }
  ground->portal_members = (uint32_t)watched->member_count - ground->first_member;
  return true;
}

uint32_t lwi_watched_graph_link(lwi_watched_graph *watched, const lwi_graph *graph, uint32_t link) {
  uint32_t *known = &watched->transition_of[graph->portal_count + link];
  if (*known) return watched->transitions[*known - 1].of.first;
  const lwi_link_regions regions = lwi_graph_link_regions(graph, link);
  const uint32_t index = add_transition(
      watched,
      (lwi_transition){.regions = {regions.from, regions.to}, .nodes = {1 + link, LWI_NONE}, .count = 1});
  if (index == LWI_NONE || !add_point(watched, graph->mesh->links.items[link].end, index)) return LWI_NONE;
  *known = 1 + index;
  return (uint32_t)watched->point_count - 1;
}

/* --- the lattice ------------------------------------------------------------------------------------------ */

static void lay_lattice(const lwi_graph *graph, uint32_t polygon, lwi_watched_ground *ground) {
  const lwi_polygon of = lwi_polygon_get(graph->mesh, polygon);
  const lwi_frame frame = lwi_polygon_frame(&of);
  if (fminf(frame.size_x, frame.size_z) < NARROW) return;
  const float step = fmaxf(STEP, sqrtf(frame.size_x * frame.size_z / LATTICE_MAX));
  const int columns = (int)(frame.size_x / step), rows = (int)(frame.size_z / step);
  if (columns < 2 || rows < 2) return;
  ground->columns = columns;
  ground->rows = rows;
  ground->step_x = frame.size_x / (float)columns;
  ground->step_z = frame.size_z / (float)rows;
  ground->x = frame.min_x + ground->step_x / 2;
  ground->z = frame.min_z + ground->step_z / 2;
}

static bool add_lattice(lwi_watched_graph *watched, const lwi_graph *graph, uint32_t region,
                        lwi_watched_ground *ground) {
  const uint32_t polygon = lwi_region_polygon(graph, region);
  const lwi_polygon of = lwi_polygon_get(graph->mesh, polygon);
  lay_lattice(graph, polygon, ground);
  ground->first_inner = (uint32_t)watched->point_count;
  if (ground->columns == 0) return true;
  const uint32_t index =
      add_transition(watched, (lwi_transition){.regions = {region, region},
                                               .nodes = {LWI_NODE_INNER, LWI_NODE_INNER},
                                               .count = (uint32_t)(ground->columns * ground->rows)});
  if (index == LWI_NONE) return false;
  for (int i = 0; i < ground->columns * ground->rows; i++) {
    lw_vec3 at = {ground->x + (float)(i % ground->columns) * ground->step_x, 0,
                  ground->z + (float)(i / ground->columns) * ground->step_z};
    const bool is_in = lwi_polygon_holds(&of, at, 0);
    if (is_in) at.y = lwi_polygon_height(graph->mesh, polygon, at.x, at.z);
    if (!add_point(watched, at, index)) return false;
    lwi_watched_point *point = &watched->points[watched->point_count - 1];
    point->is_outside = !is_in;
    point->members[0] = point->members[1] = (uint32_t)watched->member_count - ground->first_member;
    if (!add_member(watched, (uint32_t)watched->point_count - 1)) return false;
  }
  return true;
}

/* Lattice steps as a chess king or knight moves: sixteen directions. */
static const int8_t STEPS[16][2] = {{1, 0}, {0, 1},  {-1, 0}, {0, -1},  {1, 1}, {1, -1}, {-1, 1}, {-1, -1},
                                    {2, 1}, {2, -1}, {-2, 1}, {-2, -1}, {1, 2}, {1, -2}, {-1, 2}, {-1, -2}};
/* The points about a place between four of them. */
static const int8_t ABOUT[16][2] = {{-1, -1}, {0, -1}, {1, -1}, {2, -1}, {-1, 0}, {0, 0}, {1, 0}, {2, 0},
                                    {-1, 1},  {0, 1},  {1, 1},  {2, 1},  {-1, 2}, {0, 2}, {1, 2}, {2, 2}};

static int points_around(const lwi_watched_ground *ground, int column, int row, const int8_t steps[16][2],
                         uint32_t *next) {
  int count = 0;
  for (int i = 0; i < 16; i++) {
    const int x = column + steps[i][0], z = row + steps[i][1];
    if (x >= 0 && x < ground->columns && z >= 0 && z < ground->rows)
      next[count++] = ground->first_inner + (uint32_t)(z * ground->columns + x);
  }
  return count;
}

int lwi_watched_graph_about(const lwi_watched_ground *ground, lw_vec3 at, uint32_t *next) {
  if (ground->columns == 0) return 0;
  return points_around(ground, (int)floorf((at.x - ground->x) / ground->step_x),
                       (int)floorf((at.z - ground->z) / ground->step_z), ABOUT, next);
}

/* The range of a lattice step. Portals further away are reached over other points. [m] */
static float lattice_reach(const lwi_watched_ground *ground) {
  return 2.5f * fmaxf(ground->step_x, ground->step_z);
}

/* --- arcs ------------------------------------------------------------------------------------------------- */

static bool add_arcs_inside(lwi_watched_graph *watched, const lwi_watched_ground *ground, uint32_t from) {
  const lw_vec3 at = watched->points[from].at;
  uint32_t next[16];
  const bool is_inner = from >= ground->first_inner;
  const int inner = (int)(from - ground->first_inner);
  const int count = is_inner
                        ? points_around(ground, inner % ground->columns, inner / ground->columns, STEPS, next)
                        : lwi_watched_graph_about(ground, at, next);
  for (int i = 0; i < count; i++)
    if (!watched->points[next[i]].is_outside && !add_arc(watched, from, next[i])) return false;
  return true;
}

/* Straight lines from a member to the points of portals, and to those of the lattice near by. */
static bool add_arcs(lwi_watched_graph *watched, const lwi_watched_ground *ground, uint32_t from) {
  const lwi_watched_point point = watched->points[from];
  const bool is_inner = watched->transitions[point.transition].of.nodes[0] == LWI_NODE_INNER;
  const float reach = is_inner ? lattice_reach(ground) : INFINITY;
  for (uint32_t i = 0; i < ground->portal_members && !point.is_outside; i++) {
    const uint32_t to = watched->members[ground->first_member + i];
    if (watched->points[to].transition == point.transition ||
        lwi_distance_xz(point.at, watched->points[to].at) > reach)
      continue;
    if (!add_arc(watched, from, to)) return false;
  }
  return point.is_outside || ground->columns == 0 || add_arcs_inside(watched, ground, from);
}

static bool make_ground(lwi_watched_graph *watched, const lwi_graph *graph, uint32_t region,
                        lwi_watched_ground *ground) {
  *ground = (lwi_watched_ground){.first_member = (uint32_t)watched->member_count};
  if (!add_portals(watched, graph, region, ground) || !add_lattice(watched, graph, region, ground))
    return false;
  ground->member_count = (uint32_t)watched->member_count - ground->first_member;
  ground->first_row = (uint32_t)watched->row_count;
  for (uint32_t i = 0; i < ground->member_count; i++)
    if (!add_row(watched) || !add_arcs(watched, ground, watched->members[ground->first_member + i]))
      return false;
  return add_row(watched);
}

lwi_watched_ground *lwi_watched_graph_ground(lwi_watched_graph *watched, const lwi_graph *graph,
                                             uint32_t region) {
  lwi_watched_ground *ground =
      watched->ground_of[region] ? &watched->grounds[watched->ground_of[region] - 1] : NULL;
  if (!ground) {
    lwi_watched_ground built;
    if (!lwi_reserve(watched->memory, &watched->grounds, &watched->capacities.ground, watched->ground_count + 1,
                     sizeof *watched->grounds) ||
        !make_ground(watched, graph, region, &built)) {
      watched->portals = NULL; /* what is half built is forgotten */
      return NULL;
    }
    built.seen_stamp = watched->seen_stamp;
    ground = &watched->grounds[watched->ground_count++];
    *ground = built;
    watched->ground_of[region] = (uint32_t)watched->ground_count;
  }
  if (ground->seen_stamp == watched->seen_stamp) return ground;
  ground->seen_stamp = watched->seen_stamp;
  ground->is_measured = false;
  for (uint32_t i = watched->rows[ground->first_row];
       i < watched->rows[ground->first_row + ground->member_count]; i++)
    watched->arcs[i].seen = -1;
  return ground;
}

void lwi_watched_graph_measure(lwi_watched_graph *watched, const lwi_watch *watch, uint32_t polygon,
                               lwi_watched_ground *ground) {
  if (ground->is_measured || ground->columns == 0) return;
  ground->is_measured = true;
  ground->low = INFINITY;
  ground->high = 0;
  for (int i = 0; i < ground->columns * ground->rows; i++) {
    const lwi_watched_point *point = &watched->points[ground->first_inner + (uint32_t)i];
    if (point->is_outside) continue;
    const float seen = lwi_watch_seen_at(watch, polygon, point->at);
    ground->low = fminf(ground->low, seen);
    ground->high = fmaxf(ground->high, seen);
  }
}
