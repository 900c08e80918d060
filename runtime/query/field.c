#include "query/field.h"

#include "core/status.h"
#include "mesh/ground_line.h"
#include "search/point_search.h"
#include "search/taut_funnel.h"

#include <math.h>
#include <string.h>

/* Heights that the surface may differ by from straight lines. [m] */
#define SLACK 0.1f
/* Pieces of a route whose slopes are looked at for one answer. */
#define PIECES_MAX 64

/* --- memory ------------------------------------------------------------------------------------------------------- */

void lwi_field_free(lwi_field *field) {
  lwi_memory *memory = field->memory;
  if (!memory) return;
  lwi_heap_free(&field->scratch.open, memory);
  lwi_free(memory, field->corners, (size_t)field->corner_capacity * sizeof *field->corners);
  lwi_free(memory, field->climbs, (size_t)field->climb_capacity * sizeof *field->climbs);
  lwi_free(memory, field->exits, (size_t)field->exit_capacity * sizeof *field->exits);
  lwi_free(memory, field->last, field->region_capacity * sizeof *field->last);
  lwi_free(memory, field->lines, (size_t)field->line_capacity * sizeof *field->lines);
  lwi_free(memory, field->crossings, (size_t)field->crossing_capacity * sizeof *field->crossings);
  lwi_free(memory, field->scratch.marks, field->scratch.mark_capacity * sizeof *field->scratch.marks);
  lwi_free(memory, field->scratch.numbers, field->scratch.number_capacity * sizeof *field->scratch.numbers);
  lwi_free(memory, field->scratch.links, field->scratch.link_capacity * sizeof *field->scratch.links);
  lwi_free(memory, field->scratch.links_into, field->scratch.into_capacity * sizeof *field->scratch.links_into);
  *field = (lwi_field){0};
}

/* Make space for `count` numbers; what was there is lost. */
static bool renew(lwi_memory *memory, uint32_t **numbers, size_t *capacity, size_t count) {
  if (*capacity >= count) return true;
  lwi_free(memory, *numbers, *capacity * sizeof **numbers);
  *numbers = lwi_alloc(memory, count * sizeof **numbers);
  *capacity = *numbers ? count : 0;
  return *numbers != NULL;
}

static bool is_before(const lwi_link *a, const lwi_link *b) {
  const float ours[] = {a->start.x, a->start.z, a->start.y, a->end.x, a->end.z, a->end.y},
              others[] = {b->start.x, b->start.z, b->start.y, b->end.x, b->end.z, b->end.y};
  for (int i = 0; i < 6; i++)
    if (ours[i] != others[i]) return ours[i] < others[i];
  return false;
}

/* Order the links that enter a region by where they are: their numbers depend on what was changed before. */
static void sort_links(const lwi_graph *graph, uint32_t *links, uint32_t count) {
  const lwi_link *items = graph->mesh->links.items;
  for (uint32_t i = 1; i < count; i++) {
    const uint32_t moved = links[i];
    uint32_t at = i;
    for (; at > 0 && is_before(&items[moved], &items[links[at - 1]]); at--) links[at] = links[at - 1];
    links[at] = moved;
  }
}

/* List the links by the regions that they enter. */
static bool list_links(lwi_field *field, const lwi_graph *graph) {
  const uint32_t count = graph->mesh->links.count;
  field->scratch.has_links = count > 0;
  if (count == 0) return true;
  const size_t regions = (size_t)graph->region_count + 1;
  if (!renew(field->memory, &field->scratch.links, &field->scratch.link_capacity, count) ||
      !renew(field->memory, &field->scratch.links_into, &field->scratch.into_capacity, regions))
    return false;
  uint32_t *into = field->scratch.links_into, sum = 0;
  memset(into, 0, regions * sizeof *into);
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t to = lwi_graph_link_regions(graph, i).to;
    if (to < graph->region_count) into[to] += 1;
  }
  for (size_t i = 0; i < regions; i++) { /* where each list ends, to be filled backwards */
    sum += into[i];
    into[i] = sum;
  }
  for (uint32_t i = count; i-- > 0;) {
    const uint32_t to = lwi_graph_link_regions(graph, i).to;
    if (to < graph->region_count) field->scratch.links[--into[to]] = i;
  }
  for (uint32_t i = 0; i < graph->region_count; i++)
    sort_links(graph, field->scratch.links + into[i], into[i + 1] - into[i]);
  return true;
}

/* Forget the last run. */
static bool begin(lwi_field *field, const lwi_field_query *query) {
  const lwi_graph *graph = query->graph;
  size_t capacity = field->region_capacity;
  field->corner_count = 0;
  field->exit_count = field->crossing_count = field->expanded = field->scratch.open.count = 0;
  field->region_count = 0;
  field->max_cost = query->max_cost;
  field->is_taut = query->is_uniform;
  field->ignores_slopes = query->is_close || graph->mesh->bounds.min.y == graph->mesh->bounds.max.y;
  field->unit = 1;
  if (!renew(field->memory, &field->last, &capacity, graph->region_count)) {
    field->region_capacity = 0;
    return false;
  }
  field->region_capacity = (uint32_t)capacity;
  field->region_count = graph->region_count;
  memset(field->last, 0xff, graph->region_count * sizeof *field->last);
  return list_links(field, graph);
}

uint32_t lwi_field_back(const lwi_graph *graph, uint32_t region, uint32_t k) {
  const uint32_t to = graph->portals[k].to;
  uint32_t found = LWI_NONE;
  for (uint32_t i = graph->first_portal[to]; i < graph->end_portal[to]; i++) {
    if (graph->portals[i].to != region) continue;
    if (found != LWI_NONE) { /* several lead back */
      lw_vec3 left, right;
      lwi_graph_points(graph, region, &graph->portals[k], &left, &right);
      return lwi_graph_twin(graph, region, k, left, right);
    }
    found = i;
  }
  return found;
}

lw_status lwi_field_begin(lwi_field *field, const lwi_field_query *query) {
  const lw_status status = begin(field, query) ? lwi_field_begin_taut(field, query) : LW_OUT_OF_MEMORY;
  if (status != LW_OK) field->region_count = 0;
  return status;
}

lw_status lwi_field_grow_to(lwi_field *field, const lwi_field_query *query, int until) {
  const lw_status status = lwi_field_grow_taut_to(field, query, until);
  if (status == LW_OUT_OF_MEMORY) field->region_count = 0;
  return status;
}

lw_status lwi_field_grow(lwi_field *field, const lwi_field_query *query, const lwi_field_place *place,
                         int until, lwi_field_route *route) {
  const lw_status status = lwi_field_grow_taut(field, query, place, until, route);
  if (status == LW_OUT_OF_MEMORY) field->region_count = 0;
  return status;
}

lw_status lwi_field_run(lwi_field *field, const lwi_field_query *query) {
  lw_status status = begin(field, query) ? LW_OK : LW_OUT_OF_MEMORY;
  if (status == LW_OK)
    status = query->is_uniform ? lwi_field_run_taut(field, query) : lwi_field_run_points(field, query);
  if (status != LW_OK) field->region_count = 0;
  return status;
}

/* Where the line between two places passes a portal, or else the end that it passes by. [0 left..1 right] */
static inline float part_to_right(lw_vec3 from, lw_vec3 to, lw_vec3 left, lw_vec3 right) {
  const float to_left = lwi_taut_funnel_turn(from, to, left), to_right = lwi_taut_funnel_turn(from, to, right);
  if ((to_left < 0) == (to_right < 0)) return fabsf(to_left) < fabsf(to_right) ? 0 : 1;
  return to_left / (to_left - to_right);
}

static float slope_between(lw_vec3 a, lw_vec3 b) {
  return a.y == b.y ? 0 : lwi_distance(a, b) - lwi_distance_xz(a, b);
}

/* What slopes add to a piece within a polygon. [m]
   @param[in, out] end  Where it crosses the polygon's outline, its height becomes that of the surface. */
static float slopes_on(const lw_navmesh *mesh, uint32_t polygon, lw_vec3 from, lw_vec3 *end, bool is_crossing) {
  const lw_vec3 to = *end;
  const uint32_t surface = lwi_surface_of(mesh, lwi_origin_of(mesh, polygon));
  if (surface == LWI_SURFACE_LEVEL) return 0;
  if (surface == LWI_SURFACE_PLANE) return slope_between(from, to);
  lwi_ground_crease creases[LWI_GROUND_CREASES_MAX];
  lwi_ground_line line = {.from = from, .to = to, .is_crossing = is_crossing, .slack = SLACK};
  const int count = lwi_ground_line_creases(mesh, polygon, &line, creases);
  float sum = 0;
  lw_vec3 at = from;
  for (int i = 0; i < count; i++) {
    lw_vec3 next = lwi_lerp(from, to, creases[i].t);
    next.y = creases[i].y;
    sum += slope_between(at, next);
    at = next;
  }
  *end = line.to;
  return sum + slope_between(at, line.to);
}

/* On the portal the climb lies between those from its ends: neighbouring routes pass much the same slopes. */
float lwi_field_climb(const lwi_field *field, const lw_navmesh *mesh, uint32_t polygon,
                      const lwi_field_exit *exit, lw_vec3 at, uint32_t corner) {
  if (field->ignores_slopes) return 0;
  lw_vec3 to = field->corners[corner].at;
  if (exit->parent == LWI_NONE || exit->left == corner || exit->right == corner)
    return field->climbs[corner] + slopes_on(mesh, polygon, at, &to, false);
  const lw_vec3 left = field->corners[exit->left].at, right = field->corners[exit->right].at;
  const float t = part_to_right(at, to, left, right);
  const float behind = field->climbs[exit->left] + t * (field->climbs[exit->right] - field->climbs[exit->left]);
  lw_vec3 crossing = lwi_lerp(left, right, t);
  return behind + slopes_on(mesh, polygon, at, &crossing, true);
}

/* The same, piece by piece over the next portals of the straight route. */
static float climb_from(const lwi_field *field, const lwi_field_place *place, uint32_t number,
                        uint32_t corner) {
  const lw_navmesh *mesh = place->cost_model->mesh;
  const lwi_field_exit *exit = &field->exits[number];
  const lw_vec3 to = field->corners[corner].at;
  lw_vec3 at = place->at;
  uint32_t polygon = place->polygon;
  float sum = 0;
  for (int i = 0; i < PIECES_MAX && place->graph && !field->ignores_slopes; i++) {
    if (exit->parent == LWI_NONE || exit->left == corner || exit->right == corner) break;
    const lw_vec3 left = field->corners[exit->left].at, right = field->corners[exit->right].at;
    lw_vec3 next = lwi_lerp(left, right, part_to_right(place->at, to, left, right));
    sum += slopes_on(mesh, polygon, at, &next, true);
    at = next;
    polygon = lwi_region_polygon(place->graph, exit->behind);
    exit = &field->exits[exit->parent];
  }
  return sum + lwi_field_climb(field, mesh, polygon, exit, at, corner);
}

/* --- asking ------------------------------------------------------------------------------------------------------- */

lwi_field_route lwi_field_from(const lwi_field *field, const lwi_field_place *place) {
  if (!field->is_taut) return lwi_field_from_points(field, place);
  lwi_field_route route = {INFINITY, LWI_NONE, LWI_NONE, LWI_NONE};
  const lw_vec3 at = place->at;
  if (place->region >= field->region_count) return route;
  for (uint32_t i = field->last[place->region]; i != LWI_NONE; i = field->exits[i].before) {
    const lwi_field_exit *exit = &field->exits[i];
    const lwi_taut_funnel funnel = {exit->apex, exit->left, exit->right};
    const uint32_t corner = lwi_taut_funnel_before(field->corners, &funnel, at);
    const lwi_taut_corner *next = &field->corners[corner];
    const float length = next->g + lwi_field_length(field, at, next->at);
    if (!(length * field->unit < route.cost)) continue;
    const float climb = climb_from(field, place, i, corner);
    const float cost = (length + climb) * field->unit;
    if (cost < route.cost) route = (lwi_field_route){cost, corner, exit->goal, i};
  }
  return route.cost <= field->max_cost ? route : (lwi_field_route){INFINITY, LWI_NONE, LWI_NONE, LWI_NONE};
}
