/* Funnels, led backwards from the goals through all portals (Lee and Preparata 1984). Of two corridors to a portal the later
   one counts if it is shorter to either end, from whichever side it comes. */
#include "core/status.h"
#include "query/field.h"
#include "search/link_cost.h"
#include "search/taut_funnel.h"

#include <math.h>

/* Another corridor to a portal must be shorter by this part to count. */
#define BETTER 0.9999f

typedef struct taut_field {
  lwi_field *field;
  const lwi_field_query *query;
  const lwi_graph *graph;
  float slack2;           /* of funnels [m2] */
  float limit;            /* of lengths [m] */
  lwi_field_mark *others; /* [portals] where it is close: of the corridor that is shorter to the right end */
  bool has_limits;        /* some ground may not be entered, or some portals not be crossed */
  bool failed;            /* out of memory */
} taut_field;

/* There is space for two more. */
static bool reserve_corners(taut_field *run) {
  lwi_field *field = run->field;
  if (field->corner_count + 2 <= (uint32_t)field->corner_capacity &&
      field->corner_count + 2 <= (uint32_t)field->climb_capacity)
    return true;
  if (field->corner_count < INT32_MAX / 2 &&
      lwi_reserve(field->memory, &field->climbs, &field->climb_capacity, (int)field->corner_count + 2,
                  sizeof *field->climbs) &&
      lwi_reserve(field->memory, &field->corners, &field->corner_capacity, (int)field->corner_count + 2,
                  sizeof *field->corners))
    return true;
  run->failed = true;
  return false;
}

/* Does no other portal, and no link, lead into a region? */
static inline bool is_end(const taut_field *run, uint32_t region) {
  const lwi_graph *graph = run->graph;
  const lwi_field *field = run->field;
  return graph->end_portal[region] - graph->first_portal[region] == 1 &&
         (!field->scratch.has_links ||
          field->scratch.links_into[region] == field->scratch.links_into[region + 1]);
}

static inline void push(taut_field *run, const lwi_field_exit *exit, float key) {
  lwi_field *field = run->field;
  if (!lwi_field_add_exit(field, exit)) run->failed = true;
  if (run->failed || (exit->parent != LWI_NONE && is_end(run, exit->region))) return;
  if (!lwi_heap_push(&field->scratch.open, field->memory, key, (uint32_t)field->exit_count - 1))
    run->failed = true;
}

/* --- portals ------------------------------------------------------------------------------------------------------ */

/* Ends of a portal of a region. Most portals are whole edges, which take no call. */
static inline void portal_ends(const lwi_graph *graph, uint32_t region, const lwi_portal *portal, lw_vec3 *left,
                               lw_vec3 *right) {
  if (portal->interval != 0) {
    lwi_graph_points(graph, region, portal, left, right);
    return;
  }
  const lwi_polygon polygon = lwi_polygon_get(graph->mesh, lwi_region_polygon(graph, region));
  *right = lwi_corner(&polygon, portal->edge);
  *left = lwi_corner(&polygon, lwi_next_corner(&polygon, portal->edge));
}

/* The corners of a region's polygon, to be read soon. */
static inline const float *corners_of(const lwi_graph *graph, uint32_t region) {
  const lw_navmesh *mesh = graph->mesh;
  const uint32_t first = mesh->polygons.ranges[lwi_region_polygon(graph, region)].first_corner;
  return mesh->polygons.corners + 3 * (size_t)first;
}

static inline bool is_no_shorter(const lwi_field_mark *mark, float left, float right) {
  return left >= mark->left * BETTER && right >= mark->right * BETTER;
}

/* Is the corridor shorter to neither end of a portal than one before, from whichever side that came? */
static inline bool is_beaten(const taut_field *run, uint32_t portal, float left, float right) {
  return is_no_shorter(&run->field->scratch.marks[portal], left, right) ||
         (run->others && is_no_shorter(&run->others[portal], left, right));
}

/* Close to the ends it may be the shortest even where it is longer than one to this end, than another to that. */
static void note_apart(const taut_field *run, uint32_t portal, uint32_t forth, float left, float right) {
  lwi_field_mark *marks = run->field->scratch.marks, *others = run->others;
  if (left < marks[portal].left) {
    marks[portal] = (lwi_field_mark){left, right};
    others[forth] = (lwi_field_mark){right, left};
  }
  if (right < others[portal].right) {
    others[portal] = (lwi_field_mark){left, right};
    marks[forth] = (lwi_field_mark){right, left};
  }
}

static inline void note_ends(const taut_field *run, uint32_t portal, uint32_t forth, float left, float right) {
  lwi_field_mark *mark = &run->field->scratch.marks[portal], *back = &run->field->scratch.marks[forth];
  if (run->others) {
    note_apart(run, portal, forth, left, right);
    return;
  }
  mark->left = back->right = lwi_min(mark->left, left);
  mark->right = back->left = lwi_min(mark->right, right);
}

/* The point of a portal that is nearest to a place. */
static inline lw_vec3 nearest_on(lw_vec3 left, lw_vec3 right, lw_vec3 to) {
  const float dx = right.x - left.x, dz = right.z - left.z, length2 = dx * dx + dz * dz;
  if (!(length2 > 0)) return left;
  const float t = ((to.x - left.x) * dx + (to.z - left.z) * dz) / length2;
  return t <= 0 ? left : t >= 1 ? right : lwi_lerp(left, right, t);
}

/* A corner that was added: lengths are in xz, and what slopes add is counted apart. */
static inline void settle(const taut_field *run, const lwi_field_exit *from, uint32_t corner) {
  lwi_field *field = run->field;
  lwi_taut_corner *corners = field->corners;
  const uint32_t before = corners[corner].before;
  corners[corner].g = corners[before].g + lwi_distance_xz(corners[corner].at, corners[before].at);
  const uint32_t polygon = lwi_region_polygon(run->graph, from->region);
  field->climbs[corner] = lwi_field_climb(field, run->graph->mesh, polygon, from, corners[corner].at, before);
}

/* The funnel of an exit through the next portal; corners are added behind `count`. */
static inline lwi_taut_funnel lead(const taut_field *run, uint32_t number, lw_vec3 left, lw_vec3 right,
                                   uint32_t *count) {
  const lwi_field *field = run->field;
  const lwi_field_exit *from = &field->exits[number];
  lwi_taut_corner *corners = field->corners;
  lwi_taut_funnel funnel = {from->apex, from->left, from->right};
  const uint32_t first = *count;
  if (from->parent == LWI_NONE && lwi_taut_funnel_is_on(corners[from->apex].at, left, right)) return funnel;
  lwi_taut_funnel_lead(corners, count, &funnel, left, right, run->slack2);
  for (uint32_t i = first; i < *count && !field->ignores_slopes; i++) settle(run, from, i);
  return funnel;
}

/* Cost of the route from a corner. [m] */
static inline float length_from(const lwi_field *field, uint32_t corner) {
  return field->corners[corner].g + (field->ignores_slopes ? 0 : field->climbs[corner]);
}

/* May agents go through the portal `forth`, from a region where they may be? */
static inline bool is_open(const taut_field *run, uint32_t region, uint32_t forth) {
  if (forth == LWI_NONE) return false;
  return !run->has_limits || (lwi_price_in(run->query->cost_model->prices, run->graph, region) < INFINITY &&
                              lwi_field_crosses(run->query, forth));
}

/* From the region of an exit through portal `k` into the region before it, as agents walk. */
static inline void go_back(taut_field *run, uint32_t number, const lwi_field_exit *from, uint32_t k) {
  lwi_field *field = run->field;
  const lwi_graph *graph = run->graph;
  const lwi_portal *portal = &graph->portals[k];
  lw_vec3 left, right;
  portal_ends(graph, from->region, portal, &left, &right);
  uint32_t count = field->corner_count;
  const lwi_taut_funnel funnel = lead(run, number, left, right, &count);
  const float to_left = length_from(field, funnel.left), to_right = length_from(field, funnel.right);
  if (is_beaten(run, k, to_left, to_right)) return;
  const lw_vec3 apex = field->corners[funnel.apex].at;
  const float key = length_from(field, funnel.apex) + lwi_distance(apex, nearest_on(left, right, apex));
  if (key > run->limit) return;
  const uint32_t forth = lwi_field_back(graph, from->region, k);
  if (!is_open(run, portal->to, forth)) return;
  __builtin_prefetch(corners_of(graph, portal->to));
  note_ends(run, k, forth, to_left, to_right);
  field->corner_count = count;
  const lwi_field_exit exit = {.apex = funnel.apex,
                               .left = funnel.left,
                               .right = funnel.right,
                               .region = portal->to,
                               .behind = from->region,
                               .portal = k,
                               .forth = forth,
                               .parent = number,
                               .goal = from->goal};
  push(run, &exit, key);
}

/* --- links and goals ---------------------------------------------------------------------------------------------- */

/* From the region of an exit to the start of a link that ends there. */
static void take_link_back(taut_field *run, uint32_t from_exit, uint32_t number) {
  lwi_field *field = run->field;
  const lw_navmesh *mesh = run->graph->mesh;
  const lwi_link *link = &mesh->links.items[number];
  const lwi_cost_model *cost_model = run->query->cost_model;
  const uint32_t region = lwi_graph_link_regions(run->graph, number).from;
  if (region >= run->graph->region_count || !lwi_is_there(mesh, link->from) ||
      lwi_link_price(mesh, link, cost_model->prices) == INFINITY)
    return;
  const lwi_field_exit *from = &field->exits[from_exit];
  const uint32_t goal = from->goal;
  const lwi_taut_funnel funnel = {from->apex, from->left, from->right};
  const uint32_t before = lwi_taut_funnel_before(field->corners, &funnel, link->end);
  const uint32_t polygon = lwi_region_polygon(run->graph, from->region);
  const float length = field->corners[before].g + lwi_field_length(field, field->corners[before].at, link->end),
              climb = lwi_field_climb(field, mesh, polygon, from, link->end, before), behind = length + climb;
  const float cost = lwi_cost_of_link(cost_model, link);
  if (cost < 0) run->failed = true;
  const float g = behind + cost / field->unit;
  lwi_field_mark *mark = &field->scratch.marks[run->graph->portal_count + number];
  if (run->failed || g > run->limit || g >= mark->left * BETTER || !reserve_corners(run)) return;
  mark->left = g;
  const uint32_t end = field->corner_count, start = end + 1;
  field->climbs[end] = climb;
  field->climbs[start] = 0;
  field->corners[end] = (lwi_taut_corner){.at = link->end, .g = length, .before = before};
  field->corners[start] = (lwi_taut_corner){.at = link->start, .g = g, .before = end};
  field->corner_count += 2;
  const lwi_field_exit exit = {.apex = start,
                               .left = start,
                               .right = start,
                               .region = region,
                               .behind = from_exit,
                               .portal = number,
                               .forth = LWI_NONE,
                               .parent = LWI_NONE,
                               .goal = goal};
  push(run, &exit, g);
}

static void begin_at(taut_field *run, const lwi_field_goal *goal) {
  lwi_field *field = run->field;
  if (!reserve_corners(run)) return;
  const uint32_t corner = field->corner_count++;
  field->corners[corner] = (lwi_taut_corner){.at = goal->at, .g = 0, .before = LWI_NONE};
  field->climbs[corner] = 0;
  const lwi_field_exit exit = {.apex = corner,
                               .left = corner,
                               .right = corner,
                               .region = goal->region,
                               .behind = LWI_NONE,
                               .portal = LWI_NONE,
                               .forth = LWI_NONE,
                               .parent = LWI_NONE,
                               .goal = goal->index};
  push(run, &exit, 0);
}

/* --- the run ------------------------------------------------------------------------------------------------------ */

static bool begin_marks(taut_field *run) {
  lwi_field *field = run->field;
  const size_t portals = run->graph->portal_count, links = run->graph->mesh->links.count,
               count = portals + links + (run->query->is_close ? portals : 0);
  if (field->scratch.mark_capacity < count) {
    lwi_free(field->memory, field->scratch.marks, field->scratch.mark_capacity * sizeof *field->scratch.marks);
    field->scratch.marks = lwi_alloc(field->memory, count * sizeof *field->scratch.marks);
    field->scratch.mark_capacity = field->scratch.marks ? count : 0;
    if (!field->scratch.marks) return false;
  }
  for (size_t i = 0; i < count; i++) field->scratch.marks[i] = (lwi_field_mark){INFINITY, INFINITY};
  return true;
}

/* Did a better corridor come to the portal since the exit was found? */
static inline bool is_outdated(const taut_field *run, const lwi_field_exit *exit) {
  if (exit->parent == LWI_NONE) return false;
  const lwi_field *field = run->field;
  const lwi_field_mark *mark = &field->scratch.marks[exit->portal];
  const float left = length_from(field, exit->left), right = length_from(field, exit->right);
  if (left > mark->left && right > mark->right) return true;
  return run->others && left > run->others[exit->portal].left && right > run->others[exit->portal].right;
}

static void leave(taut_field *run, uint32_t number, const lwi_field_exit *exit) {
  const lwi_graph *graph = run->graph;
  const lwi_field *field = run->field;
  run->field->expanded += 1;
  for (uint32_t k = graph->first_portal[exit->region]; k < graph->end_portal[exit->region] && !run->failed; k++)
    if (k != exit->forth && reserve_corners(run)) go_back(run, number, exit, k);
  if (!field->scratch.has_links) return;
  for (uint32_t i = field->scratch.links_into[exit->region];
       i < field->scratch.links_into[exit->region + 1] && !run->failed; i++)
    take_link_back(run, number, field->scratch.links[i]);
}

/* The price of a metre wherever agents may walk. */
static float price_of_metre(const lwi_field_query *query) {
  return query->goal_count > 0 ? lwi_price_in(query->cost_model->prices, query->graph, query->goals[0].region)
                               : 1;
}

static taut_field run_of(lwi_field *field, const lwi_field_query *query) {
  const lwi_prices *prices = query->cost_model->prices;
  const lwi_graph *graph = query->graph;
  lwi_field_mark *others = field->scratch.marks + graph->portal_count + graph->mesh->links.count;
  return (taut_field){.field = field,
                      .query = query,
                      .graph = query->graph,
                      .slack2 = lwi_taut_funnel_slack2(query->graph->mesh),
                      .limit = query->max_cost / field->unit,
                      .others = query->is_close ? others : NULL,
                      .has_limits = prices->terms || prices->by_length};
}

lw_status lwi_field_begin_taut(lwi_field *field, const lwi_field_query *query) {
  field->unit = price_of_metre(query);
  taut_field run = run_of(field, query);
  if (!begin_marks(&run)) return LW_OUT_OF_MEMORY;
  run = run_of(field, query); /* the marks may have moved */
  for (int i = 0; i < query->goal_count; i++) begin_at(&run, &query->goals[i]);
  return run.failed ? LW_OUT_OF_MEMORY : LW_OK;
}

/* Leave the next exit that no better corridor has come to. @return false: there is none. */
static bool leave_next(taut_field *run) {
  lwi_heap_entry entry;
  while (lwi_heap_pop(&run->field->scratch.open, &entry)) {
    const lwi_field_exit exit = run->field->exits[entry.item];
    if (is_outdated(run, &exit)) continue;
    leave(run, entry.item, &exit);
    return true;
  }
  return false;
}

lw_status lwi_field_grow_taut(lwi_field *field, const lwi_field_query *query, const lwi_field_place *place,
                              int until, lwi_field_route *route) {
  taut_field run = run_of(field, query);
  uint32_t seen = field->last[place->region];
  *route = lwi_field_from(field, place);
  while (!run.failed && !lwi_field_knows(field, route)) {
    if (field->expanded >= until) return LW_UNFINISHED;
    if (!leave_next(&run)) break;
    if (field->last[place->region] == seen) continue;
    seen = field->last[place->region];
    *route = lwi_field_from(field, place);
  }
  return run.failed ? LW_OUT_OF_MEMORY : LW_OK;
}

lw_status lwi_field_grow_taut_to(lwi_field *field, const lwi_field_query *query, int until) {
  taut_field run = run_of(field, query);
  while (!run.failed && field->expanded < until && leave_next(&run)) continue;
  return run.failed ? LW_OUT_OF_MEMORY : LW_OK;
}

lw_status lwi_field_run_taut(lwi_field *field, const lwi_field_query *query) {
  const lw_status status = lwi_field_begin_taut(field, query);
  return status == LW_OK ? lwi_field_grow_taut_to(field, query, INT32_MAX) : status;
}
