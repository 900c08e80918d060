/* Ground of several prices: Dijkstra backwards from the goals over points of portals (Lanthier, Maheshwari and Sack 1997).
   Over ground of one price paths go straight on from the corner behind a point, where the line passes through all portals
   between (Theta*, Nash et al. 2007): each point knows between which two places. */
#include "core/status.h"
#include "mesh/slopes.h"
#include "query/field.h"
#include "search/link_cost.h"
#include "search/point_search.h"
#include "search/taut_funnel.h"

#include <math.h>
#include <string.h>

/* Another path to a point must be cheaper by more than rounding. */
#define BETTER 0.99999f
/* From point to point of a portal [m], and the limit on the pieces of one. */
#define SPACING 1.0f
#define PIECES_MAX 12

typedef struct point_field {
  lwi_field *field;
  const lwi_field_query *query;
  const lwi_graph *graph;
  const lwi_prices *prices;
  uint32_t *crossings;   /* [portals] LWI_NONE: not met yet */
  uint32_t *link_starts; /* [links] The corner of the start; that of the end follows. LWI_NONE: not met yet */
  bool failed;           /* out of memory */
} point_field;

/* A corner that is left into a region. */
typedef struct departure {
  uint32_t region, polygon, corner;
  uint32_t crossing;   /* that it lies on; LWI_NONE: on none */
  lw_vec3 left, right; /* its ends, as seen by an agent that comes from the goal */
  float price;
  bool varies; /* dangers or lanes lie in the polygon */
} departure;

static float slope_between(lw_vec3 a, lw_vec3 b) {
  return lwi_distance(a, b) - lwi_distance_xz(a, b);
}

/* --- corners ------------------------------------------------------------------------------------------------------ */

/* @return Its number; LWI_NONE: no memory. */
static uint32_t add_corner(point_field *run, lw_vec3 at, uint32_t crossing) {
  lwi_field *field = run->field;
  const int count = (int)field->corner_count + 1;
  if (field->corner_count >= INT32_MAX / 2 ||
      !lwi_reserve(field->memory, &field->corners, &field->corner_capacity, count, sizeof *field->corners) ||
      !lwi_reserve(field->memory, &field->lines, &field->line_capacity, count, sizeof *field->lines)) {
    run->failed = true;
    return LWI_NONE;
  }
  field->corners[field->corner_count] = (lwi_taut_corner){.at = at, .g = INFINITY, .before = LWI_NONE};
  field->lines[field->corner_count] =
      (lwi_field_line){.crossing = crossing, .link = LWI_NONE, .goal = LWI_NONE};
  return field->corner_count++;
}

static void add_exit(point_field *run, uint32_t region, uint32_t first, uint32_t count) {
  const lwi_field_exit exit = {
      .apex = first, .left = count, .region = region, .behind = LWI_NONE, .parent = LWI_NONE, .goal = LWI_NONE};
  if (!lwi_field_add_exit(run->field, &exit)) run->failed = true;
}

static int pieces_of(lw_vec3 left, lw_vec3 right) {
  const float length = lwi_distance(left, right);
  const int pieces = (int)ceilf(length / SPACING);
  return pieces < 1 ? 1 : pieces < PIECES_MAX ? pieces : PIECES_MAX;
}

/* A point of a portal of a polygon, on its surface. */
static lw_vec3 point_of(const point_field *run, uint32_t polygon, lw_vec3 left, lw_vec3 right, float t) {
  const lw_navmesh *mesh = run->graph->mesh;
  const uint32_t surface = lwi_surface_of(mesh, lwi_origin_of(mesh, polygon));
  lw_vec3 at = lwi_lerp(left, right, t);
  if (surface != LWI_SURFACE_LEVEL && surface != LWI_SURFACE_PLANE)
    at.y = lwi_polygon_height(mesh, polygon, at.x, at.z);
  return at;
}

/* The portal between a region and another one, met for the first time.
   @return LWI_NONE: it leads nowhere, or there is no memory. */
static uint32_t add_crossing(point_field *run, uint32_t region, uint32_t k) {
  lwi_field *field = run->field;
  const uint32_t to = run->graph->portals[k].to, back = lwi_field_back(run->graph, region, k);
  if (lwi_price_in(run->prices, run->graph, to) == INFINITY) return LWI_NONE;
  if (!lwi_reserve(field->memory, &field->crossings, &field->crossing_capacity, field->crossing_count + 1,
                   sizeof *field->crossings)) {
    run->failed = true;
    return LWI_NONE;
  }
  lw_vec3 left, right;
  lwi_graph_points(run->graph, region, &run->graph->portals[k], &left, &right);
  const uint32_t number = (uint32_t)field->crossing_count++, first = field->corner_count;
  const uint32_t polygon = lwi_region_polygon(run->graph, region);
  const int pieces = pieces_of(left, right);
  for (int i = 0; i <= pieces && !run->failed; i++)
    add_corner(run, point_of(run, polygon, left, right, (float)i / (float)pieces), number);
  field->crossings[number] = (lwi_field_crossing){
      .regions = {region, to}, .portals = {k, back}, .first = first, .count = (uint32_t)pieces + 1};
  add_exit(run, region, first, (uint32_t)pieces + 1);
  add_exit(run, to, first, (uint32_t)pieces + 1);
  run->crossings[k] = number;
  if (back != LWI_NONE) run->crossings[back] = number;
  return run->failed ? LWI_NONE : number;
}

/* --- leaving a corner --------------------------------------------------------------------------------------------- */

/* Cost of a straight piece of the region that is left, as an agent walks it. */
static float cost_of_piece(point_field *run, const departure *from, lw_vec3 at, lw_vec3 to) {
  if (!from->varies) return lwi_distance(at, to) * from->price;
  const float cost = lwi_cost_over_ground(run->query->cost_model, from->polygon, at, to);
  if (cost < 0) run->failed = true;
  return cost;
}

/* Does the line on which paths leave a corner pass the corner's portal when it comes from `to`? */
static bool is_straight(const lwi_taut_corner *corners, const lwi_field_line *line, const departure *from,
                        lw_vec3 to) {
  const lw_vec3 root = corners[corners[from->corner].before].at;
  if (lwi_taut_funnel_turn(root, from->left, to) > 0 || lwi_taut_funnel_turn(root, from->right, to) < 0)
    return false;
  return !line->is_bounded ||
         (lwi_taut_funnel_turn(root, line->left, to) <= 0 && lwi_taut_funnel_turn(root, line->right, to) >= 0);
}

/* The lines from a corner's own next one that pass its portal, too. */
static void bound_line(lwi_field_line *line, const lwi_field_line *before, const departure *from,
                       lw_vec3 root) {
  line->left = from->left;
  line->right = from->right;
  if (before->is_bounded) {
    if (lwi_taut_funnel_turn(root, from->left, before->left) < 0) line->left = before->left;
    if (lwi_taut_funnel_turn(root, from->right, before->right) > 0) line->right = before->right;
  }
  line->is_bounded = true;
}

/* The route from a place in the region to a corner, straight or by that corner's own.
   @param[out] before  The corner that follows. @param[out] line  All but crossing and flags. */
static float route_to(point_field *run, const departure *from, lw_vec3 at, uint32_t *before,
                      lwi_field_line *line) {
  const lwi_field *field = run->field;
  const lwi_taut_corner *corners = field->corners, *corner = &corners[from->corner];
  const lwi_field_line *own = &field->lines[from->corner];
  *before = from->corner;
  line->is_bounded = false;
  line->price = from->varies ? 0 : from->price;
  line->climb = slope_between(at, corner->at);
  if (from->crossing != LWI_NONE && line->price > 0 && own->price == line->price &&
      corner->before != LWI_NONE && is_straight(corners, own, from, at)) {
    const lwi_taut_corner *root = &corners[corner->before];
    *before = corner->before;
    line->climb += own->climb;
    bound_line(line, own, from, root->at);
    return root->g + (lwi_distance_xz(root->at, at) + line->climb) * line->price;
  }
  return corner->g + cost_of_piece(run, from, at, corner->at);
}

static void relax(point_field *run, const departure *from, uint32_t index, bool is_back) {
  lwi_field *field = run->field;
  if (field->lines[index].is_closed) return;
  const lw_vec3 at = field->corners[index].at;
  lwi_field_line line = {.is_back = is_back, .link = LWI_NONE, .crossing = field->lines[index].crossing};
  uint32_t before;
  const float g = route_to(run, from, at, &before, &line);
  if (run->failed || !(g < field->corners[index].g * BETTER) || g > field->max_cost) return;
  line.goal = field->lines[from->corner].goal;
  field->corners[index].g = g;
  field->corners[index].before = before;
  field->lines[index] = line;
  if (!lwi_heap_push(&field->scratch.open, field->memory, g, index)) run->failed = true;
}

/* Back through a portal of the region, as agents walk into it. */
static void go_back(point_field *run, const departure *from, uint32_t k) {
  const lwi_field *field = run->field;
  uint32_t number = run->crossings[k];
  if (number == LWI_NONE) number = add_crossing(run, from->region, k);
  if (number == LWI_NONE) return;
  const lwi_field_crossing *crossing = &field->crossings[number];
  const bool is_back = crossing->regions[0] != from->region;
  /* Along the corner's own portal only where the other side costs more. */
  if (number == from->crossing &&
      !(from->price < lwi_price_in(run->prices, run->graph, crossing->regions[!is_back])))
    return;
  const uint32_t forth = crossing->portals[!is_back];
  if (forth == LWI_NONE || !lwi_field_crosses(run->query, forth)) return;
  /* An agent comes from the other side, so a point leads into this region. */
  const uint32_t first = crossing->first, end = first + crossing->count;
  for (uint32_t i = first; i < end && !run->failed; i++) relax(run, from, i, is_back);
}

/* A link that ends in the region: its start lies where agents come from. */
static void take_link_back(point_field *run, const departure *from, uint32_t number) {
  lwi_field *field = run->field;
  const lw_navmesh *mesh = run->graph->mesh;
  const lwi_link *link = &mesh->links.items[number];
  const uint32_t region = lwi_graph_link_regions(run->graph, number).from;
  if (region >= run->graph->region_count || !lwi_is_there(mesh, link->from) ||
      lwi_link_price(mesh, link, run->prices) == INFINITY)
    return;
  if (run->link_starts[number] == LWI_NONE) {
    const uint32_t start = add_corner(run, link->start, LWI_NONE);
    if (run->failed || add_corner(run, link->end, LWI_NONE) == LWI_NONE) return;
    add_exit(run, region, start, 1);
    run->link_starts[number] = start;
  }
  const uint32_t start = run->link_starts[number], end = start + 1;
  const float cost = lwi_cost_of_link(run->query->cost_model, link);
  if (cost < 0) run->failed = true;
  lwi_field_line line = {.crossing = LWI_NONE, .link = LWI_NONE, .goal = field->lines[from->corner].goal};
  uint32_t before;
  const float behind = route_to(run, from, link->end, &before, &line), g = behind + cost;
  if (run->failed || field->lines[start].is_closed || !(g < field->corners[start].g * BETTER) ||
      g > field->max_cost)
    return;
  field->corners[end].g = behind;
  field->corners[end].before = before;
  field->lines[end] = line;
  field->corners[start].g = g;
  field->corners[start].before = end;
  field->lines[start] = (lwi_field_line){.crossing = LWI_NONE, .link = number, .goal = line.goal};
  if (!lwi_heap_push(&field->scratch.open, field->memory, g, start)) run->failed = true;
}

static void leave_into(point_field *run, departure from) {
  const lwi_graph *graph = run->graph;
  const lwi_field *field = run->field;
  from.polygon = lwi_region_polygon(graph, from.region);
  from.price = lwi_price_in(run->prices, graph, from.region);
  from.varies = lwi_cost_varies_in(run->query->cost_model, from.polygon);
  for (uint32_t k = graph->first_portal[from.region]; k < graph->end_portal[from.region] && !run->failed; k++)
    go_back(run, &from, k);
  if (!field->scratch.has_links) return;
  for (uint32_t i = field->scratch.links_into[from.region];
       i < field->scratch.links_into[from.region + 1] && !run->failed; i++)
    take_link_back(run, &from, field->scratch.links[i]);
}

/* --- the run ------------------------------------------------------------------------------------------------------ */

static void leave(point_field *run, uint32_t index) {
  lwi_field *field = run->field;
  const lwi_field_line *line = &field->lines[index];
  departure from = {.corner = index, .crossing = line->crossing};
  field->lines[index].is_closed = true;
  field->expanded += 1;
  if (line->crossing == LWI_NONE) {
    from.region = lwi_graph_link_regions(run->graph, line->link).from;
    leave_into(run, from);
    return;
  }
  /* It leads into one region, and agents come from the other one. */
  const lwi_field_crossing *crossing = &field->crossings[line->crossing];
  const lw_vec3 left = field->corners[crossing->first].at,
                right = field->corners[crossing->first + crossing->count - 1].at;
  from.region = crossing->regions[!line->is_back];
  from.left = line->is_back ? right : left;
  from.right = line->is_back ? left : right;
  leave_into(run, from);
}

static void begin_at(point_field *run, const lwi_field_goal *goal) {
  const uint32_t corner = add_corner(run, goal->at, LWI_NONE);
  if (run->failed) return;
  run->field->corners[corner].g = 0;
  run->field->lines[corner].goal = goal->index;
  run->field->lines[corner].is_closed = true;
  add_exit(run, goal->region, corner, 1);
  leave_into(run, (departure){.region = goal->region, .corner = corner, .crossing = LWI_NONE});
}

static bool begin_numbers(point_field *run) {
  lwi_field *field = run->field;
  const uint32_t portals = run->graph->portal_count, links = run->graph->mesh->links.count;
  const size_t count = (size_t)portals + links;
  if (field->scratch.number_capacity < count) {
    lwi_free(field->memory, field->scratch.numbers,
             field->scratch.number_capacity * sizeof *field->scratch.numbers);
    field->scratch.numbers = lwi_alloc(field->memory, count * sizeof *field->scratch.numbers);
    field->scratch.number_capacity = field->scratch.numbers ? count : 0;
    if (!field->scratch.numbers) return false;
  }
  if (count > 0) memset(field->scratch.numbers, 0xff, count * sizeof *field->scratch.numbers);
  run->crossings = field->scratch.numbers;
  run->link_starts = field->scratch.numbers + portals;
  return true;
}

lw_status lwi_field_run_points(lwi_field *field, const lwi_field_query *query) {
  point_field run = {
      .field = field, .query = query, .graph = query->graph, .prices = query->cost_model->prices};
  if (!begin_numbers(&run)) return LW_OUT_OF_MEMORY;
  for (int i = 0; i < query->goal_count; i++) begin_at(&run, &query->goals[i]);
  lwi_heap_entry entry;
  while (!run.failed && lwi_heap_pop(&field->scratch.open, &entry)) {
    if (field->lines[entry.item].is_closed || entry.key > field->corners[entry.item].g) continue;
    leave(&run, entry.item);
  }
  return run.failed ? LW_OUT_OF_MEMORY : LW_OK;
}

/* --- asking ------------------------------------------------------------------------------------------------------- */

/* Straight on from the corner's next one, if that is seen through the corner's portal. */
static bool goes_straight(const lwi_field *field, uint32_t region, uint32_t corner, lw_vec3 at, float price) {
  const lwi_field_line *line = &field->lines[corner];
  if (line->crossing == LWI_NONE || field->corners[corner].before == LWI_NONE || line->price != price)
    return false;
  const lwi_field_crossing *crossing = &field->crossings[line->crossing];
  if (crossing->regions[!line->is_back] != region) return false;
  const lw_vec3 left = field->corners[crossing->first].at,
                right = field->corners[crossing->first + crossing->count - 1].at;
  const departure from = {
      .corner = corner, .left = line->is_back ? right : left, .right = line->is_back ? left : right};
  return is_straight(field->corners, line, &from, at);
}

/* The cost of going straight to a corner, and from there on. */
static float cost_by_corner(const lwi_field *field, const lwi_field_place *place, uint32_t i) {
  const lwi_taut_corner *corner = &field->corners[i];
  if (!lwi_cost_varies_in(place->cost_model, place->polygon))
    return corner->g + lwi_distance(place->at, corner->at) * place->price;
  const float cost = lwi_cost_over_ground(place->cost_model, place->polygon, place->at, corner->at);
  return cost < 0 ? INFINITY : corner->g + cost;
}

static void try_corner(const lwi_field *field, const lwi_field_place *place, uint32_t i,
                       lwi_field_route *route) {
  const lwi_taut_corner *corner = &field->corners[i];
  const lwi_field_line *line = &field->lines[i];
  if (!(corner->g < route->cost)) return;
  const float cost = cost_by_corner(field, place, i);
  if (cost < route->cost) *route = (lwi_field_route){cost, i, line->goal, LWI_NONE};
  if (lwi_cost_varies_in(place->cost_model, place->polygon) ||
      !goes_straight(field, place->region, i, place->at, place->price))
    return;
  const lwi_taut_corner *next = &field->corners[corner->before];
  const float climb = line->climb + slope_between(place->at, corner->at);
  const float straight = next->g + (lwi_distance_xz(place->at, next->at) + climb) * place->price;
  if (straight < route->cost) *route = (lwi_field_route){straight, corner->before, line->goal, LWI_NONE};
}

lwi_field_route lwi_field_from_points(const lwi_field *field, const lwi_field_place *place) {
  lwi_field_route route = {INFINITY, LWI_NONE, LWI_NONE, LWI_NONE};
  if (place->region >= field->region_count) return route;
  for (uint32_t e = field->last[place->region]; e != LWI_NONE; e = field->exits[e].before) {
    const lwi_field_exit *exit = &field->exits[e];
    for (uint32_t i = exit->apex; i < exit->apex + exit->left; i++) try_corner(field, place, i, &route);
  }
  return route.cost <= field->max_cost ? route : (lwi_field_route){INFINITY, LWI_NONE, LWI_NONE, LWI_NONE};
}
