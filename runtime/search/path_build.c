#include "search/path_build.h"

#include "core/status.h"
#include "search/link_cost.h"

#include <string.h>

/* Threats looked at for one path, a piece at a time, until it is smoothed no more: those of 64 threats at 400 portals. Of
   many threats the costs of the pieces alone take as long. */
#define LOOKS_MAX 1000000

/* --- scratch ---------------------------------------------------------------------------------------------- */

static void free_block(lwi_path_scratch *scratch) {
  lwi_free(scratch->memory, scratch->block, scratch->size);
  scratch->block = NULL;
  scratch->size = 0;
  scratch->capacity = 0;
}

/* A slice of the new block, with what the array held. */
static void *carve_again(char **at, size_t count, const void *before, size_t held, size_t size) {
  void *slice = *at;
  *at += count * size;
  if (held > 0) memcpy(slice, before, held * size);
  return slice;
}

static bool reserve_block(lwi_path_scratch *scratch, int points) {
  if (points <= scratch->capacity) return true;
  size_t held = (size_t)scratch->capacity, count = (size_t)points + (size_t)points / 2 + 64;
  size_t each = sizeof *scratch->portals + sizeof *scratch->prices + sizeof *scratch->costs +
                3 * sizeof(lw_vec3) + sizeof *scratch->pieces + sizeof *scratch->records +
                sizeof *scratch->corners + sizeof *scratch->polygons + sizeof *scratch->ends +
                sizeof *scratch->keep + sizeof *scratch->dirty;
  char *block = lwi_alloc(scratch->memory, count * each), *at = block;
  if (!block) return false;
  scratch->portals = carve_again(&at, count, scratch->portals, held, sizeof *scratch->portals);
  scratch->prices = carve_again(&at, count, scratch->prices, held, sizeof *scratch->prices);
  scratch->costs = carve_again(&at, count, scratch->costs, held, sizeof *scratch->costs);
  scratch->crossings = carve_again(&at, count, scratch->crossings, held, sizeof *scratch->crossings);
  scratch->best = carve_again(&at, count, scratch->best, held, sizeof *scratch->best);
  scratch->points = carve_again(&at, count, scratch->points, held, sizeof *scratch->points);
  scratch->pieces = carve_again(&at, count, scratch->pieces, held, sizeof *scratch->pieces);
  scratch->records = carve_again(&at, count, scratch->records, held, sizeof *scratch->records);
  scratch->corners = carve_again(&at, count, scratch->corners, held, sizeof *scratch->corners);
  scratch->polygons = carve_again(&at, count, scratch->polygons, held, sizeof *scratch->polygons);
  scratch->ends = carve_again(&at, count, scratch->ends, 0, sizeof *scratch->ends);
  scratch->keep = carve_again(&at, count, scratch->keep, held, sizeof *scratch->keep);
  scratch->dirty = carve_again(&at, count, scratch->dirty, held, sizeof *scratch->dirty);
  free_block(scratch);
  scratch->block = block;
  scratch->size = count * each;
  scratch->capacity = (int)count;
  return true;
}

/* For what each threat sees of one piece, and from every point. */
static bool reserve_seen(lwi_path_scratch *scratch, int points, int threats) {
  if (threats > 0 && points >= INT32_MAX / 2 / threats) return false; /* more than 4 GB */
  int count = threats > 0 ? (points + 1) * threats : 1; /* never empty: pointers are counted on from it */
  if (!lwi_reserve(scratch->memory, &scratch->seen_scratch, &scratch->seen_capacity, count,
                   sizeof *scratch->seen_scratch))
    return false;
  scratch->seen_now = scratch->seen_scratch;
  scratch->seen = scratch->seen_scratch + threats;
  return true;
}

bool lwi_path_scratch_reserve(lwi_path_scratch *scratch, int points, int threats) {
  return reserve_block(scratch, points) && reserve_seen(scratch, points, threats);
}

void lwi_path_scratch_free(lwi_path_scratch *scratch) {
  free_block(scratch);
  lwi_refinement_free(&scratch->refinement);
  lwi_round_scratch_free(&scratch->rounding);
  lwi_corridor_free(&scratch->best_corridor, scratch->memory);
  lwi_free(scratch->memory, scratch->creases.items,
           (size_t)scratch->creases.capacity * sizeof *scratch->creases.items);
  scratch->creases = (lwi_path_creases){0};
  lwi_free(scratch->memory, scratch->seen_scratch,
           (size_t)scratch->seen_capacity * sizeof *scratch->seen_scratch);
  scratch->seen_scratch = NULL;
  scratch->seen_capacity = 0;
  if (!scratch->clearance) return;
  lwi_clearance_scratch_free(scratch->clearance);
  lwi_free(scratch->memory, scratch->clearance, sizeof *scratch->clearance);
  scratch->clearance = NULL;
}

/* --- costs ------------------------------------------------------------------------------------------------ */

static uint32_t polygon_of(const path_trace *trace, int piece) {
  return trace->scratch->polygons[piece];
}

/* Add the exposure of a piece to the record at the kept point that it belongs to. */
static void add_exposure(path_trace *trace, const lwi_cost_model *cost_model, const lwi_piece_cost *piece_cost,
                         int at, bool first) {
  int threats = cost_model->watch->query.threat_count;
  lwi_cost_record *sum = &trace->records[at];
  float *seen = trace->scratch->seen + (trace->point_count + at) * threats;
  sum->exposed += piece_cost->exposed;
  sum->seen += piece_cost->seen;
  trace->exposed += (double)piece_cost->exposed;
  for (int k = 0; k < threats; k++) seen[k] = (first ? 0 : seen[k]) + cost_model->exposed_to[k];
}

/* Whether pieces of paths note what they pay for their place, beside their area: all, or one in water. */
static inline bool notes_all_places(const lwi_cost_model *cost_model) {
  return cost_model->prices->by_polygon || cost_model->mesh->live.costs;
}
static inline bool notes_place(const lwi_cost_model *cost_model, uint32_t polygon) {
  return notes_all_places(cost_model) || lwi_depth_of(cost_model->mesh, polygon).max > 0;
}

/* Does each metre of the path cost the same? */
static inline bool has_one_price(const path_trace *trace) {
  return trace->query->is_uniform && !trace->query->final_model;
}

/* Cost every piece of this section by its length, and fill the records at its kept points. */
static void cost_lengths(path_trace *trace, const lwi_cost_model *cost_model) {
  const lwi_prices *prices = cost_model->prices;
  const lw_navmesh *mesh = cost_model->mesh;
  const bool has_one = has_one_price(trace), notes_all = notes_all_places(cost_model);
  const float first_price = lwi_price_on(prices, mesh, polygon_of(trace, 0));
  double length = trace->length, cost = trace->cost, began = length;
  lwi_cost_record *record = &trace->records[0]; /* at the kept point that the piece belongs to */
  for (int i = 0; i <= trace->portal_count; i++) {
    const uint32_t polygon = polygon_of(trace, i);
    const float price = has_one ? first_price : lwi_price_on(prices, mesh, polygon),
                of = lwi_distance(trace->points[i], trace->points[i + 1]);
    if (trace->keep[i]) {
      record->length = (float)(length - began);
      record = &trace->records[i];
      *record = (lwi_cost_record){0};
      began = length;
    }
    if (notes_all || lwi_depth_of(mesh, polygon).max > 0)
      lwi_cost_record_place(record, prices, mesh, polygon, of);
    length += (double)of;
    cost += (double)(of * price);
    trace->pieces[i] = (lwi_piece){polygon, LWI_NONE};
  }
  record->length = (float)(length - began);
  trace->length = length;
  trace->cost = cost;
}

/* Cost every piece of this section by all that it meets, and fill the records at its kept points. */
static void cost_pieces(path_trace *trace, lwi_cost_model *cost_model) {
  int at = 0; /* the kept point that the piece belongs to */
  double began = trace->length;
  cost_model->exposed_to = trace->scratch->seen_now;
  for (int i = 0; i <= trace->portal_count; i++) {
    const uint32_t polygon = polygon_of(trace, i);
    lwi_piece_cost piece_cost;
    if (!lwi_cost_of_piece(cost_model, polygon, trace->points[i], trace->points[i + 1], &piece_cost))
      trace->failed = true;
    if (trace->keep[i]) {
      trace->records[at].length = (float)(trace->length - began);
      trace->records[at = i] = (lwi_cost_record){0};
      began = trace->length;
    }
    if (cost_model->watch) add_exposure(trace, cost_model, &piece_cost, at, at == i);
    trace->records[at].danger += piece_cost.danger;
    trace->records[at].lanes += piece_cost.lanes;
    if (notes_place(cost_model, polygon))
      lwi_cost_record_place(&trace->records[at], cost_model->prices, cost_model->mesh, polygon,
                            piece_cost.length);
    trace->length += (double)piece_cost.length;
    trace->cost += (double)lwi_piece_cost_sum(&piece_cost);
    trace->pieces[i] = (lwi_piece){polygon, LWI_NONE};
  }
  trace->records[at].length = (float)(trace->length - began);
}

static void cost_section(path_trace *trace) {
  lwi_cost_model cost_model = *lwi_query_final_model(trace->query);
  if (cost_model.watch || lwi_cost_varies(&cost_model))
    cost_pieces(trace, &cost_model);
  else
    cost_lengths(trace, &cost_model);
}

bool lwi_trace_grow(path_trace *trace, int points) {
  lwi_path_scratch *scratch = trace->scratch;
  bool grown = lwi_path_scratch_reserve(scratch, points, lwi_query_threats(trace->query));
  trace->points = scratch->points + trace->point_count;
  trace->records = scratch->records + trace->point_count;
  trace->pieces = scratch->pieces + trace->point_count;
  trace->keep = scratch->keep + trace->point_count;
  return grown;
}

static void trace_section(path_trace *trace) {
  int portals = trace->clear ? trace->scratch->clearance->counts[trace->section]
                             : trace->end_portal - trace->first_portal;
  trace->failed = trace->failed || !lwi_trace_grow(trace, trace->point_count + portals + 2);
  if (trace->failed) return;
  lwi_trace_lay(trace);
  cost_section(trace);
  trace->point_count += trace->portal_count + 2;
}

/* The piece over the link from the last point of this section to the first of the next. */
static void trace_link(path_trace *trace, const lwi_link *link) {
  const lw_navmesh *mesh = trace->search->graph.mesh;
  const int last = trace->portal_count + 1, threats = lwi_query_threats(trace->query);
  float *seen = trace->scratch->seen + (trace->point_count - 1) * threats;
  lwi_cost_model cost_model = *lwi_query_final_model(trace->query);
  lwi_piece_cost cost;
  cost_model.exposed_to = trace->scratch->seen_now;
  for (int k = 0; k < threats; k++) seen[k] = 0;
  if (!lwi_cost_of_link_terms(&cost_model, link, threats > 0 ? seen : NULL, &cost)) trace->failed = true;
  trace->records[last] = (lwi_cost_record){.length = link->length,
                                           .exposed = cost.exposed,
                                           .seen = cost.seen,
                                           .danger = cost.danger,
                                           .lanes = cost.lanes,
                                           .link = lwi_link_cost(mesh, link)};
  trace->length += (double)link->length;
  trace->exposed += (double)cost.exposed;
  trace->cost += (double)lwi_piece_cost_sum(&cost);
  trace->pieces[last] = (lwi_piece){link->from, (uint32_t)(link - mesh->links.items)};
}

/* The empty piece where this section meets the next at a turning point. */
static void trace_turn(path_trace *trace, uint32_t polygon) {
  int last = trace->portal_count + 1, threats = lwi_query_threats(trace->query);
  float *seen = trace->scratch->seen + (trace->point_count - 1) * threats;
  trace->pieces[last] = (lwi_piece){polygon, LWI_NONE};
  trace->records[last] = (lwi_cost_record){0};
  for (int k = 0; k < threats; k++) seen[k] = 0;
  if (trace->query->turn_radius <= 0) return;
  if (!lwi_round_add_corner(&trace->scratch->rounding, lwi_point2_of(trace->points[last])))
    trace->failed = true;
}

/* --- sections of the corridor ----------------------------------------------------------------------------- */

static path_anchor start_of(const path_trace *trace) {
  const lwi_search_query *query = trace->query;
  return (path_anchor){query->from, lwi_region_polygon(&trace->search->graph, query->from_region), 0};
}

/* Whether the section ends at step `i` of the corridor. @param[out] point  Where. @param[out] next  Where the
   next one begins. */
static bool is_anchored(const path_trace *trace, int i, lw_vec3 *point, path_anchor *next) {
  const lwi_search *search = trace->search;
  *point = trace->query->to;
  if (i == search->corridor.count) return true;
  const lwi_link *link = lwi_search_link(search, i);
  if (!link && !lwi_search_place(search, i)) return false;
  *point = link ? link->start : lwi_search_crossing(search, i);
  *next = (path_anchor){link ? link->end : *point, link ? link->to : lwi_search_polygon(search, i), i + 1};
  return true;
}

/* Lay and cost the section from an anchor to a point before step `end`. */
static void trace_from(path_trace *trace, const path_anchor *from, int end, lw_vec3 to) {
  trace->from = from->point;
  trace->from_polygon = from->polygon;
  trace->to = to;
  trace->first_portal = from->first_portal;
  trace->end_portal = end;
  trace_section(trace);
}

/* @return How many links it takes. */
static int trace_corridor(path_trace *trace) {
  const lwi_search *search = trace->search;
  const bool has_anchors = search->graph.mesh->links.count > 0 || search->place_base != LWI_NONE;
  int links = 0;
  path_anchor from = start_of(trace), next = from;
  lw_vec3 to;
  for (int i = has_anchors ? 0 : search->corridor.count; i <= search->corridor.count; i++) {
    if (!is_anchored(trace, i, &to, &next)) continue;
    trace->section = links;
    trace_from(trace, &from, i, to);
    if (trace->clear) trace->clear += trace->scratch->clearance->counts[links];
    if (i == search->corridor.count || trace->failed) break;
    const lwi_link *link = lwi_search_link(search, i);
    if (link)
      trace_link(trace, link);
    else
      trace_turn(trace, next.polygon);
    links += link != NULL;
    from = next;
  }
  return links;
}

/* --- turning points --------------------------------------------------------------------------------------- */

/* Moves of a turning point along a lane, each shorter than the one before, and how often all points are
   tried. */
#define SLIDES 10
#define SLIDE_ROUNDS 2
/* A move must save this much. [metre-equivalents] */
#define SLIDE_WORTH 1e-3

/* The cost of the taut path from an anchor to a point before step `end`. */
static double cost_from(path_trace *trace, const path_anchor *from, int end, lw_vec3 to) {
  path_trace before = *trace;
  trace_from(trace, from, end, to);
  double cost = trace->cost - before.cost;
  bool failed = trace->failed;
  *trace = before;
  trace->failed = failed;
  return cost;
}

/* Make step `i` no anchor: a turning point on a portal becomes an ordinary crossing of it, one within a polygon
   is taken out. */
static void release_place(lwi_search *search, int i) {
  const lwi_portal *portal = lwi_search_portal(search, i);
  if (portal) {
    uint32_t node = 1 + search->graph.mesh->links.count + (uint32_t)(portal - search->graph.portals);
    search->corridor.steps[i].node = node;
    return;
  }
  search->corridor.count -= 1;
  memmove(search->corridor.steps + i, search->corridor.steps + i + 1,
          (size_t)(search->corridor.count - i) * sizeof *search->corridor.steps);
}

/* The search turns at whatever points round a danger it met. The taut path past one of them may be
   cheaper. */
static void release_places(path_trace *trace, lwi_search *search) {
  path_anchor last = start_of(trace), held = last, next = last;
  lw_vec3 to;
  int held_step = -1; /* of the turning point `held`; -1: none */
  double cost_held = 0;
  for (int i = 0; i <= search->corridor.count; i++) {
    if (!is_anchored(trace, i, &to, &next)) continue;
    double cost = cost_from(trace, held_step >= 0 ? &held : &last, i, to);
    if (held_step >= 0) {
      double straight = cost_from(trace, &last, i, to);
      if (straight <= cost_held + cost) {
        int count = search->corridor.count;
        release_place(search, held_step);
        i -= count - search->corridor.count;
        next.first_portal = i + 1;
        cost = straight;
      } else {
        last = held;
      }
    }
    if (i == search->corridor.count) return;
    held_step = -1;
    cost_held = cost;
    if (!lwi_search_place(search, i)) {
      last = next;
      continue;
    }
    held = next;
    held_step = i;
  }
}

/* Try to move the turning point of step `i` along its lane. @return Whether the path is cheaper so. */
static bool slide(path_trace *trace, lwi_search *search, const path_anchor *last, int i, lw_vec3 step,
                  double *cost) {
  const lwi_outline_point *place = lwi_search_place(search, i);
  const lw_navmesh *mesh = search->graph.mesh;
  const lwi_polygon polygon = lwi_polygon_get(mesh, place->polygon);
  lw_vec3 *point = &search->corridor.steps[i].point, before = *point, to;
  path_anchor here, next;
  *point = lwi_add(before, step);
  if (lwi_polygon_holds(&polygon, *point, 0)) {
    point->y = lwi_polygon_height(mesh, place->polygon, point->x, point->z);
    is_anchored(trace, i, &to, &here);
    double moved = cost_from(trace, last, i, to);
    int end = i + 1;
    while (!is_anchored(trace, end, &to, &next)) end += 1;
    moved += cost_from(trace, &here, end, to);
    if (moved < *cost - SLIDE_WORTH) {
      *cost = moved;
      return true;
    }
  }
  *point = before;
  return false;
}

/* The turning points beside a lane are metres apart; between them it may be cheaper to turn. */
static void slide_places(path_trace *trace, lwi_search *search) {
  path_anchor last = start_of(trace), next = last;
  lw_vec3 to;
  for (int i = 0; i < search->corridor.count; i++) {
    if (!is_anchored(trace, i, &to, &next)) continue;
    const lwi_outline_point *place = lwi_search_place(search, i);
    if (place && place->portal == LWI_NONE && search->corridor.steps[i].node >= search->lane_base) {
      const lwi_timed_shape *lane = &trace->query->cost_model.lanes->regions[place->region];
      lw_vec3 step = lwi_scale(lwi_sub(lane->to, lane->from), 0.5f / LWI_LANE_SIDE);
      step.y = 0;
      double cost = INFINITY;
      slide(trace, search, &last, i, lwi_vec3(0, 0, 0), &cost);
      for (int k = 0; k < SLIDES; k++) {
        if (!slide(trace, search, &last, i, step, &cost))
          slide(trace, search, &last, i, lwi_scale(step, -1), &cost);
        step = lwi_scale(step, 0.6f);
      }
      is_anchored(trace, i, &to, &next);
    }
    last = next;
  }
}

/* Drop the turning points that do not pay, and move those beside lanes to where they are best. */
static void settle_turns(path_trace *trace, lwi_search *search) {
  if (!search->turned) return;
  release_places(trace, search);
  if (!trace->query->cost_model.lanes) return;
  for (int i = 0; i < SLIDE_ROUNDS; i++) slide_places(trace, search);
}

/* --- the path from it ------------------------------------------------------------------------------------- */

/* Whether step `i` of the corridor stays in its polygon. */
static bool is_within(const lwi_search *search, int i) {
  const lwi_outline_point *place = lwi_search_place(search, i);
  return lwi_search_is_inner(search, i) || (place && place->portal == LWI_NONE);
}

static inline lw_area_id area_of_piece(const lw_navmesh *mesh, lwi_piece piece) {
  lw_area_id area = piece.link == LWI_NONE ? LW_AREA_NONE : mesh->links.items[piece.link].area;
  return area != LW_AREA_NONE ? area : mesh->polygons.areas[piece.polygon];
}

static bool make_arrays(lw_path *path, const path_trace *trace, int links) {
  const lwi_search *search = trace->search;
  const lw_navmesh *mesh = search->graph.mesh;
  const lwi_prices *prices = lwi_query_final_model(trace->query)->prices;
  const lwi_piece *pieces = trace->scratch->pieces;
  const bool *keep = trace->scratch->keep;
  size_t kept = 1, runs = 0, polygons = 1; /* the last point is kept */
  uint32_t walked = LWI_NONE;              /* a polygon of the run; LWI_NONE: none yet, or a link */
  for (int i = 0; i < search->corridor.count; i++) polygons += !is_within(search, i);
  for (int i = 0; i + 1 < trace->point_count; i++) {
    if (!keep[i]) continue;
    const uint32_t next = pieces[i].link == LWI_NONE ? pieces[i].polygon : LWI_NONE;
    kept += 1;
    runs += next == LWI_NONE || walked == LWI_NONE || !lwi_prices_walk_alike(prices, mesh, walked, next);
    walked = next;
  }
  path->table = mesh->areas;
  path->threat_count = lwi_query_threats(trace->query);
  return lwi_path_alloc(path, kept, runs, links, polygons);
}

static lwi_path_link path_link(const lw_navmesh *mesh, uint32_t index, int point) {
  const lwi_link *link = &mesh->links.items[index];
  return (lwi_path_link){.point = point,
                         .kind = (lw_link_kind)link->kind,
                         .length = link->length,
                         .to = lwi_poly_id(mesh, link->to),
                         .navmesh = -1,
                         .crossing = -1,
                         .id = mesh->links.ids ? mesh->links.ids[index] : lw_link_id_none()};
}

/* Begin a run at the path's piece `at` where the area, the stance or the link of a piece differs from the run
   before. */
static inline void add_run(const path_trace *trace, lw_path *path, const lwi_piece *piece, int at) {
  const lw_navmesh *mesh = trace->search->graph.mesh;
  const lwi_prices *prices = lwi_query_final_model(trace->query)->prices;
  lwi_run *next = path->runs + path->run_count;
  if (path->run_count > 0 && next[-1].first == at) { /* its piece had no length */
    path->run_count -= 1;
    next -= 1;
  }
  if (piece->link != LWI_NONE) {
    const lwi_edge edge = lwi_edge_of(mesh, &mesh->links.items[piece->link]);
    *next = lwi_run_link(prices, &edge);
  } else {
    if (path->run_count > 0 && lwi_run_holds(&next[-1], prices, mesh, piece->polygon)) return;
    *next = lwi_run_ground(prices, mesh, piece->polygon);
  }
  next->first = at;
  path->run_count += 1;
}

/* Copy what threats see of the piece at point `i` of the trace to the path's piece `at`.
   @param on_top  Add it to what they see of the piece without length that was there. */
static void copy_seen(const path_trace *trace, lw_path *path, int i, int at, bool on_top) {
  float *seen = path->seen + at * path->threat_count;
  const float *sums = trace->scratch->seen + i * path->threat_count;
  const bool is_last = i + 1 == trace->point_count;
  for (int k = 0; k < path->threat_count; k++) seen[k] = (on_top ? seen[k] : 0) + (is_last ? 0 : sums[k]);
}

/* Copy the piece at point `i` of the trace to the path's piece `at`. @param on_top  Add its record to that of the piece
   without length that was there. */
static inline void copy_piece(const path_trace *trace, lw_path *path, int i, int at, bool on_top) {
  const lwi_cost_record *record = &trace->scratch->records[i];
  const lwi_piece *piece = &trace->scratch->pieces[i];
  add_run(trace, path, piece, at);
  if (on_top)
    lwi_cost_record_add(&path->records[at], record);
  else
    path->records[at] = *record;
  path->areas[at] = area_of_piece(trace->search->graph.mesh, *piece);
}

/* Pieces up to this length count as without any. [m] */
#define NO_LENGTH 1e-4f

/* Whether a piece lies in the next polygon of the corridor, seen from the one before it. */
static bool has_left(const lwi_piece *before, const lwi_piece *piece) {
  return before->link != LWI_NONE || before->polygon != piece->polygon;
}

/* Copy the kept points. Pieces without length are left out, but for links. */
static void copy_points(const path_trace *trace, lw_path *path) {
  const lwi_path_scratch *scratch = trace->scratch;
  const int last = trace->point_count - 1;
  int count = 0, links = 0, polygon = 0; /* of the corridor */
  bool after_link = false;
  for (int i = 0; i <= last; i++) {
    polygon += i > 0 && i < last && has_left(&scratch->pieces[i - 1], &scratch->pieces[i]);
    if (!scratch->keep[i]) continue;
    const lw_vec3 at = scratch->points[i];
    const float no_length = count > 1 || i == last ? NO_LENGTH : 0;
    const bool again = count > 0 && !after_link && lwi_distance(path->points[count - 1], at) <= no_length;
    if (again) count -= 1;
    after_link = i < last && scratch->pieces[i].link != LWI_NONE;
    if (after_link) path->links[links++] = path_link(trace->search->graph.mesh, scratch->pieces[i].link, count);
    if (i < last)
      copy_piece(trace, path, i, count, again);
    else if (!again)
      path->records[count] = (lwi_cost_record){0};
    if (path->threat_count > 0) copy_seen(trace, path, i, count, again);
    path->ground.polygons[count] = polygon;
    path->points[count++] = at;
  }
  path->areas[count - 1] = LW_AREA_NONE;
  path->point_count = count;
}

static void copy_corridor(const path_trace *trace, lw_path *path) {
  const lwi_search *search = trace->search;
  const lw_navmesh *mesh = search->graph.mesh;
  const lwi_prices *prices = lwi_query_final_model(trace->query)->prices;
  uint32_t polygon = lwi_region_polygon(&search->graph, trace->query->from_region);
  int count = 0;
  for (int i = 0; i <= search->corridor.count; i++) {
    if (i > 0 && is_within(search, i - 1)) continue;
    if (i > 0) polygon = lwi_search_polygon(search, i - 1);
    path->corridor[count] = lwi_poly_id(mesh, polygon);
    const bool is_same = count > 0 && has_one_price(trace);
    path->ground.prices[count] = is_same ? path->ground.prices[0] : lwi_price_on(prices, mesh, polygon);
    count += 1;
  }
  path->ground.version = lw_navmesh_version(mesh);
}

static bool fill(path_trace *trace, lw_path *path) {
  trace->is_final = true;
  trace->scratch->rounding.memory = trace->scratch->memory;
  trace->scratch->rounding.arc_count = 0;
  int links = trace_corridor(trace);
  if (trace->failed || !make_arrays(path, trace, links)) return false;
  path->length = (float)trace->length;
  path->cost = (float)trace->cost;
  path->exposed = (float)trace->exposed;
  copy_points(trace, path);
  if (trace->query->turn_radius > 0 && !lwi_path_take_arcs(path, &trace->scratch->rounding)) return false;
  lwi_path_sum_up(path);
  copy_corridor(trace, path);
  return true;
}

/* --- the whole -------------------------------------------------------------------------------------------- */

lw_status lwi_path_build(lwi_search *search, const lwi_search_query *query, lwi_path_scratch *scratch,
                         const lw_allocator *allocator, lw_path **out) {
  lwi_memory memory = lwi_memory_make(allocator);
  lw_path *path = lwi_alloc_zero(&memory, sizeof *path);
  if (!path) return LW_OUT_OF_MEMORY;
  path->memory = memory;
  path->nodes = search->expanded;
  path_trace trace = {.search = search, .query = query, .scratch = scratch};
  const lwi_watch *watch = lwi_query_final_model(query)->watch;
  if (watch) trace.looks_end = watch->scratch->looks + LOOKS_MAX;
  if (query->clearance)
    trace.clear = scratch->clearance->portals;
  else
    settle_turns(&trace, search);
  if (!fill(&trace, path)) {
    lw_path_destroy(path);
    return LW_OUT_OF_MEMORY;
  }
  search->reduced = search->reduced || trace.reduced;
  *out = path;
  return LW_OK;
}
