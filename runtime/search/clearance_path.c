#include "search/clearance_path.h"
#include "search/link_cost.h"

/* The path is cut where it is not clear of walls within LWI_CLEAR_SLACK, and led round them where cutting did
   not help and it comes nearer to a wall than it should by more than this. [m] */
#define SWEEP_SLACK 0.045
/* Each round cuts pieces between two portals once. */
#define MAX_ROUNDS 16

/* Arrays for the taut path, [portals + 2] each. */
typedef struct taut_arrays {
  lwi_portal_ends *portals;
  lw_vec3 *crossings, *best, *points;
  lwi_corner_point *corners;
  float *prices;
} taut_arrays;

/* A section of the corridor, from link to link. */
typedef struct widening {
  const lwi_clearance *clearance;
  const lwi_search *search;
  const lwi_search_query *query;
  lwi_clearance_scratch *scratch;
  taut_arrays taut;
  lw_vec3 from, to;
  uint32_t from_polygon;
  int first_step, last_step; /* steps of the corridor that are its portals */
  bool as_searched;          /* crosses portals where the search did; otherwise the path is taut */
  int count;                 /* portals, in scratch->before */
} widening;

void lwi_clearance_scratch_free(lwi_clearance_scratch *scratch) {
  lwi_memory *memory = scratch->memory;
  if (!memory) return;
  lwi_free(memory, scratch->portals, (size_t)scratch->portal_capacity * sizeof *scratch->portals);
  lwi_free(memory, scratch->counts, (size_t)scratch->count_capacity * sizeof *scratch->counts);
  lwi_free(memory, scratch->before, (size_t)scratch->before_capacity * sizeof *scratch->before);
  lwi_free(memory, scratch->after, (size_t)scratch->after_capacity * sizeof *scratch->after);
  lwi_free(memory, scratch->taut, scratch->taut_size);
  lwi_cut_scratch_free(&scratch->cut);
  lwi_route_scratch_free(&scratch->route);
  *scratch = (lwi_clearance_scratch){.memory = memory};
}

/* --- the path through the portals ------------------------------------------------------------------------- */

static bool make_arrays(lwi_clearance_scratch *scratch, int portals, taut_arrays *out) {
  size_t count = (size_t)portals + 2;
  size_t each = sizeof *out->portals + 3 * sizeof(lw_vec3) + sizeof *out->corners + sizeof *out->prices;
  if (scratch->taut_size < count * each) {
    lwi_free(scratch->memory, scratch->taut, scratch->taut_size);
    scratch->taut_size = (count + count / 2 + 32) * each;
    scratch->taut = lwi_alloc(scratch->memory, scratch->taut_size);
    if (!scratch->taut) scratch->taut_size = 0;
  }
  if (!scratch->taut) return false;
  char *at = scratch->taut;
  out->portals = (void *)at;
  at += count * sizeof *out->portals;
  out->crossings = (void *)at;
  out->best = out->crossings + count;
  out->points = out->best + count;
  at += 3 * count * sizeof(lw_vec3);
  out->corners = (void *)at;
  at += count * sizeof *out->corners;
  out->prices = (void *)at;
  return true;
}

static uint32_t polygon_of(const widening *work, int piece) {
  return piece == 0 ? work->from_polygon : work->scratch->before[piece - 1].polygon;
}

static float price_of(const widening *work, int piece) {
  return lwi_price_on(work->query->cost_model.prices, work->search->graph.mesh, polygon_of(work, piece));
}

/* Lay the taut path through the portals so far, and find where it crosses each. */
static void straighten(widening *work) {
  taut_arrays *arrays = &work->taut;
  int count = work->count;
  for (int i = 0; i < count; i++) {
    arrays->portals[i] = work->scratch->before[i].clear;
    arrays->crossings[i] = work->scratch->before[i].crossing;
  }
  for (int i = 0; i <= count; i++) arrays->prices[i] = price_of(work, i);
  const lwi_taut_query query = {
      work->from,     work->to,          count,        arrays->portals,
      arrays->prices, arrays->crossings, arrays->best, lwi_taut_rounds(work->query->quality)};
  int corners = lwi_taut_path(&query, arrays->corners);
  lwi_taut_points(&query, arrays->corners, corners, arrays->points);
  for (int i = 0; i < count; i++) work->scratch->before[i].crossing = arrays->crossings[i];
}

/* Lay the path as it crosses the portals so far. */
static bool lay_crossings(widening *work) {
  taut_arrays *arrays = &work->taut;
  int count = work->count;
  if (!make_arrays(work->scratch, count, arrays)) return false;
  arrays->points[0] = work->from;
  for (int i = 0; i < count; i++) arrays->points[i + 1] = work->scratch->before[i].crossing;
  arrays->points[count + 1] = work->to;
  return true;
}

static bool lay_path(widening *work) {
  if (!lay_crossings(work)) return false;
  if (!work->as_searched) straighten(work);
  return true;
}

/* @return The cost of the path as it is laid; negative: no memory. */
static float cost_laid(const widening *work) {
  lwi_cost_model cost_model = work->query->cost_model;
  const lw_vec3 *points = work->taut.points;
  float sum = 0;
  cost_model.approximate = lwi_cost_has_estimate(&cost_model);
  for (int i = 0; i <= work->count; i++) {
    float cost = lwi_cost_over_ground(&cost_model, polygon_of(work, i), points[i], points[i + 1]);
    if (cost < 0) return cost;
    sum += cost;
  }
  return sum;
}

/* --- cuts ------------------------------------------------------------------------------------------------- */

static lwi_cut cut_line_of(const lwi_clearance_portal *ends) {
  lwi_cut cut_line = {lwi_point2_of(ends->whole.left), lwi_point2_of(ends->whole.right), 0, 1};
  double length = lwi_point2_distance(cut_line.right, cut_line.left);
  if (!(length > 0)) return cut_line;
  cut_line.clear0 = lwi_point2_distance(cut_line.right, lwi_point2_of(ends->clear.right)) / length;
  cut_line.clear1 = lwi_point2_distance(cut_line.right, lwi_point2_of(ends->clear.left)) / length;
  return cut_line;
}

static lwi_point2 across_of(const lwi_cut *cut_line) {
  return (lwi_point2){cut_line->left.x - cut_line->right.x, cut_line->left.z - cut_line->right.z};
}

/* The direction of a line across the path at its start or goal: away from the wall that is too near, or
   parallel to the other portal if otherwise the line would cross that. */
static lwi_point2 across_at(const lwi_crossing *crossing, lwi_point2 at, const lwi_cut *other, double side) {
  lwi_point2 along = {crossing->to.x - crossing->from.x, crossing->to.z - crossing->from.z};
  lwi_point2 across = {at.x - crossing->wall.x, at.z - crossing->wall.z};
  if (across.x * along.z - across.z * along.x < 0) across = (lwi_point2){-across.x, -across.z};
  if (!other) return (lwi_point2){along.z, -along.x}; /* left of the path */
  lwi_point2 left = {at.x + across.x, at.z + across.z};
  lwi_point2 ends[2] = {lwi_point2_lerp(other->right, other->left, other->clear0),
                        lwi_point2_lerp(other->right, other->left, other->clear1)};
  bool is_beside =
      side * lwi_point2_turn(at, left, ends[0]) <= 0 && side * lwi_point2_turn(at, left, ends[1]) <= 0;
  return is_beside && hypot(across.x, across.z) > 1e-6 ? across : across_of(other);
}

/* The lines that a piece lies between: portals, or lines across its start or goal. */
static lw_status find_cut_lines(widening *work, int piece, lwi_crossing *crossing) {
  const lwi_clearance_portal *portals = work->scratch->before;
  bool has_entry = piece > 0, has_exit = piece < work->count;
  *crossing = (lwi_crossing){.clearance = work->clearance, .polygon = polygon_of(work, piece)};
  crossing->from = lwi_point2_of(work->taut.points[piece]);
  crossing->to = lwi_point2_of(work->taut.points[piece + 1]);
  lwi_barriers near = lwi_clearance_walls_near(work->clearance, crossing->polygon);
  lwi_region_nearest(&near, crossing->from, crossing->to, &crossing->at, &crossing->wall);
  if (has_entry) crossing->entry = cut_line_of(&portals[piece - 1]);
  if (has_exit) crossing->exit = cut_line_of(&portals[piece]);
  lw_status status = LW_OK;
  if (!has_entry)
    status = lwi_cut_line(work->clearance, &work->scratch->cut, crossing->polygon, crossing->from,
                          across_at(crossing, crossing->from, has_exit ? &crossing->exit : NULL, 1),
                          &crossing->entry);
  if (!has_exit && status == LW_OK)
    status = lwi_cut_line(work->clearance, &work->scratch->cut, crossing->polygon, crossing->to,
                          across_at(crossing, crossing->to, has_entry ? &crossing->entry : NULL, -1),
                          &crossing->exit);
  return status;
}

static lw_vec3 on_surface(const widening *work, uint32_t polygon, lwi_point2 at) {
  lw_vec3 point = {(float)at.x, 0, (float)at.z};
  point.y = lwi_polygon_height(work->search->graph.mesh, polygon, point.x, point.z);
  return point;
}

static lwi_clearance_portal portal_of(const widening *work, uint32_t polygon, const lwi_cut *cut_line) {
  lwi_point2 right = lwi_point2_lerp(cut_line->right, cut_line->left, cut_line->clear0);
  lwi_point2 left = lwi_point2_lerp(cut_line->right, cut_line->left, cut_line->clear1);
  return (lwi_clearance_portal){
      .clear = {on_surface(work, polygon, left), on_surface(work, polygon, right)},
      .whole = {on_surface(work, polygon, cut_line->left), on_surface(work, polygon, cut_line->right)},
      .crossing = on_surface(work, polygon, lwi_point2_lerp(left, right, 0.5)),
      .polygon = polygon,
  };
}

static lw_status cut_piece(widening *work, int piece, lwi_clearance_portal *ends) {
  lwi_crossing crossing;
  lwi_cut cut;
  lw_status status = find_cut_lines(work, piece, &crossing);
  if (status == LW_OK) status = lwi_cut_polygon(&crossing, &work->scratch->cut, &cut);
  if (status == LW_OUT_OF_MEMORY) return status;
  if (status != LW_OK) return LW_NO_PATH;
  *ends = portal_of(work, crossing.polygon, &cut);
  const lw_vec3 *points = work->taut.points + piece;
  if (work->as_searched)
    ends->crossing = lwi_portal_crossing(points[0], points[1], ends->crossing, &ends->clear);
  return LW_OK;
}

static bool is_clear(const widening *work, int piece, double slack) {
  const lw_vec3 *points = work->taut.points + piece;
  return lwi_clearance_is_free(work->clearance, polygon_of(work, piece), points[0], points[1], slack);
}

static bool add_portal(lwi_clearance_scratch *scratch, int *count, const lwi_clearance_portal *ends) {
  if (!lwi_reserve(scratch->memory, &scratch->after, &scratch->after_capacity, *count + 1,
                   sizeof *scratch->after))
    return false;
  scratch->after[(*count)++] = *ends;
  return true;
}

/* Keep portals in place of those kept from portal `first` on. */
static bool keep_portals(lwi_clearance_scratch *scratch, int first, const lwi_clearance_portal *portals,
                         int count) {
  if (!lwi_reserve(scratch->memory, &scratch->portals, &scratch->portal_capacity, first + count + 1,
                   sizeof *scratch->portals))
    return false;
  for (int i = 0; i < count; i++) scratch->portals[first + i] = portals[i];
  scratch->portal_count = first + count;
  return true;
}

/* Take the new portals for the portals so far. */
static void swap_portals(widening *work, int count) {
  lwi_clearance_scratch *scratch = work->scratch;
  lwi_clearance_portal *portals = scratch->before;
  int capacity = scratch->before_capacity;
  scratch->before = scratch->after;
  scratch->before_capacity = scratch->after_capacity;
  scratch->after = portals;
  scratch->after_capacity = capacity;
  work->count = count;
}

/* Cut every piece that the disc does not fit through. @param[out] cuts  How many were.
   @param[out] stuck  Some could not be cut. @return false: no memory. */
static bool cut_pieces(widening *work, int *cuts, bool *stuck) {
  lwi_clearance_scratch *scratch = work->scratch;
  int count = 0;
  *cuts = 0;
  *stuck = false;
  for (int piece = 0; piece <= work->count; piece++) {
    if (!is_clear(work, piece, LWI_CLEAR_SLACK)) {
      lwi_clearance_portal ends;
      lw_status status = cut_piece(work, piece, &ends);
      if (status == LW_OUT_OF_MEMORY || (status == LW_OK && !add_portal(scratch, &count, &ends))) return false;
      *cuts += status == LW_OK;
      *stuck = *stuck || status == LW_NO_PATH;
    }
    if (piece < work->count && !add_portal(scratch, &count, &scratch->before[piece])) return false;
  }
  swap_portals(work, count);
  return true;
}

/* --- routes ----------------------------------------------------------------------------------------------- */

static lwi_clearance_portal portal_as_point(lw_vec3 at, uint32_t polygon) {
  return (lwi_clearance_portal){.clear = {at, at}, .whole = {at, at}, .crossing = at, .polygon = polygon};
}

static bool route_piece(widening *work, int piece, int *count) {
  lwi_clearance_scratch *scratch = work->scratch;
  const lw_vec3 *points = work->taut.points + piece;
  const uint32_t polygon = polygon_of(work, piece);
  if (!lwi_clearance_route(work->clearance, &scratch->route, polygon, lwi_point2_of(points[0]),
                           lwi_point2_of(points[1]), LWI_CLEAR_SLACK))
    return false;
  for (int i = 0; i < scratch->route.point_count; i++) {
    lwi_clearance_portal at = portal_as_point(on_surface(work, polygon, scratch->route.points[i]), polygon);
    if (!add_portal(scratch, count, &at)) return false;
  }
  return true;
}

/* Hold the path where it lies, and lead it round the walls where the disc does not fit through. A region joins
   what the disc can be moved between, so that there always is a route. */
static bool route_pieces(widening *work) {
  lwi_clearance_scratch *scratch = work->scratch;
  int count = 0;
  for (int piece = 0; piece <= work->count; piece++) {
    if (!is_clear(work, piece, SWEEP_SLACK) && !route_piece(work, piece, &count)) return false;
    if (piece == work->count) break;
    lwi_clearance_portal held = portal_as_point(work->taut.points[piece + 1], scratch->before[piece].polygon);
    if (!add_portal(scratch, &count, &held)) return false;
  }
  swap_portals(work, count);
  return lay_crossings(work);
}

/* --- portals ---------------------------------------------------------------------------------------------- */

static lw_vec3 searched_at(const widening *work, int step) {
  if (step < work->first_step) return work->from;
  return step < work->last_step ? lwi_search_crossing(work->search, step) : work->to;
}

/* A portal across the path at a step inside a polygon. @return LW_OK; LW_NO_POINT: nothing of it is clear;
   LW_OUT_OF_MEMORY. */
static lw_status portal_across(const widening *work, uint32_t polygon, int step, lwi_clearance_portal *ends) {
  const lw_vec3 before = searched_at(work, step - 1), at = searched_at(work, step),
                behind = searched_at(work, step + 1);
  lwi_point2 left = {behind.z - before.z, before.x - behind.x};
  lwi_cut cut_line;
  if (left.x == 0 && left.z == 0) left.x = 1;
  lw_status status =
      lwi_cut_line(work->clearance, &work->scratch->cut, polygon, lwi_point2_of(at), left, &cut_line);
  if (status != LW_OK) return status;
  *ends = portal_of(work, polygon, &cut_line);
  ends->crossing = at;
  return LW_OK;
}

static lwi_clearance_portal portal_at(const widening *work, uint32_t polygon, int step) {
  const lwi_graph *graph = &work->search->graph;
  const lwi_portal *portal = lwi_search_portal(work->search, step);
  lwi_clearance_portal ends = {.crossing = searched_at(work, step),
                               .polygon = lwi_region_polygon(graph, portal->to)};
  lwi_graph_points(graph, polygon, portal, &ends.clear.left, &ends.clear.right);
  ends.whole = ends.clear;
  return ends;
}

/* The portals of the section, and for a path as searched its steps inside polygons. */
static bool read_portals(widening *work) {
  lwi_clearance_scratch *scratch = work->scratch;
  uint32_t polygon = work->from_polygon;
  work->count = 0;
  if (!lwi_reserve(scratch->memory, &scratch->before, &scratch->before_capacity,
                   work->last_step - work->first_step + 1, sizeof *scratch->before))
    return false;
  for (int step = work->first_step; step < work->last_step; step++) {
    lwi_clearance_portal *ends = &scratch->before[work->count];
    lw_status status = LW_OK;
    if (!lwi_search_is_inner(work->search, step))
      *ends = portal_at(work, polygon, step);
    else if (work->as_searched)
      status = portal_across(work, polygon, step, ends);
    else
      continue;
    if (status == LW_OUT_OF_MEMORY) return false;
    if (status != LW_OK) continue;
    polygon = ends->polygon;
    work->count += 1;
  }
  return true;
}

/* --- a section -------------------------------------------------------------------------------------------- */

/* Cut the path until it is clear of walls, and lead it round those that are left. @return false: no memory. */
static bool clear_path(widening *work) {
  bool stuck = false;
  if (!read_portals(work)) return false;
  for (int round = 0, cuts = 1; cuts > 0; round++) {
    if (!lay_path(work)) return false;
    if (round == MAX_ROUNDS) return route_pieces(work);
    if (!cut_pieces(work, &cuts, &stuck)) return false;
  }
  return !stuck || route_pieces(work);
}

/* Keep the path, in place of the portals kept from `first` on. */
static bool keep_path(widening *work, int first) {
  for (int i = 0; i < work->count; i++) work->scratch->before[i].crossing = work->taut.points[i + 1];
  return keep_portals(work->scratch, first, work->scratch->before, work->count);
}

/* Where costs vary: take the taut path or the path as searched, whichever is cheaper. */
static bool widen_by_cost(widening *work, int first) {
  float taut = cost_laid(work);
  work->as_searched = true;
  if (taut < 0 || !clear_path(work)) return false;
  float searched = cost_laid(work);
  return searched >= 0 && (searched >= taut || keep_path(work, first));
}

static bool widen_section(widening *work) {
  lwi_clearance_scratch *scratch = work->scratch;
  int first = scratch->portal_count;
  work->as_searched = false;
  if (!clear_path(work) || !keep_path(work, first)) return false;
  if (lwi_cost_varies(&work->query->cost_model) && !widen_by_cost(work, first)) return false;
  if (!lwi_reserve(scratch->memory, &scratch->counts, &scratch->count_capacity, scratch->section_count + 1,
                   sizeof *scratch->counts))
    return false;
  scratch->counts[scratch->section_count++] = scratch->portal_count - first;
  return true;
}

bool lwi_clearance_widen(const lwi_search *search, const lwi_search_query *query,
                         lwi_clearance_scratch *scratch) {
  widening work = {.clearance = query->clearance, .search = search, .query = query, .scratch = scratch};
  work.from = query->from;
  work.from_polygon = lwi_region_polygon(&search->graph, query->from_region);
  scratch->portal_count = scratch->section_count = 0;
  scratch->cut.memory = scratch->cut.region.memory = scratch->route.memory = scratch->memory;
  for (int i = 0; i <= search->corridor.count; i++) {
    const lwi_link *link = i < search->corridor.count ? lwi_search_link(search, i) : NULL;
    if (i < search->corridor.count && !link) continue;
    work.to = link ? link->start : query->to;
    work.last_step = i;
    if (!widen_section(&work)) return false;
    if (!link) break;
    work.from = link->end;
    work.from_polygon = link->to;
    work.first_step = i + 1;
  }
  return true;
}

float lwi_clearance_path_cost(const lwi_search *search, const lwi_search_query *query,
                              const lwi_clearance_scratch *scratch) {
  const lwi_cost_model *cost_model = &query->cost_model;
  lw_vec3 from = query->from;
  uint32_t polygon = lwi_region_polygon(&search->graph, query->from_region);
  float sum = 0;
  for (int i = 0, ends = 0, section = 0; i <= search->corridor.count; i++) {
    const lwi_link *link = i < search->corridor.count ? lwi_search_link(search, i) : NULL;
    if (i < search->corridor.count && !link) continue;
    for (int end = ends + scratch->counts[section++]; ends <= end; ends++) {
      lw_vec3 to = ends < end ? scratch->portals[ends].crossing : link ? link->start : query->to;
      float cost = lwi_cost_over_ground(cost_model, polygon, from, to);
      if (cost < 0) return cost;
      sum += cost;
      from = to;
      if (ends == end) break;
      polygon = scratch->portals[ends].polygon;
    }
    if (!link) break;
    const float over = lwi_cost_of_link(cost_model, link);
    if (over < 0) return over;
    sum += over;
    from = link->end;
    polygon = link->to;
  }
  return sum;
}
