#include "search/berth_path.h"

#include "search/berth_cut.h"

/* The string is cut again where it is not clear of walls (LWI_CLEAR_SLACK), and rejected where that did not help and it comes
   nearer than it should by more than this. [m] */
#define SWEEP_SLACK 0.045
/* Each round cuts what lies between two gates. */
#define MAX_ROUNDS 16

/* Arrays for the string, [gates + 2] each. */
typedef struct string_arrays {
  lwi_gate *gates;
  lw_vec3 *crossings, *best, *points;
  lwi_corner_point *corners;
  float *prices;
} string_arrays;

/* A stretch of the corridor, from link to link. */
typedef struct widening {
  const lwi_berth *berth;
  const lwi_search *search;
  const lwi_search_query *query;
  lwi_berth_room *room;
  string_arrays string;
  lw_vec3 from, to;
  uint32_t from_poly;
  int first_step, last_step; /* nodes of the corridor that are its gates */
  bool as_searched;          /* it leads where the search crossed the gates; otherwise it is pulled taut */
  int count;                 /* gates, in room->before */
} widening;

void lwi_berth_room_free(lwi_berth_room *room) {
  lwi_memory *memory = room->memory;
  if (!memory) return;
  lwi_free(memory, room->gates, (size_t)room->gate_capacity * sizeof *room->gates);
  lwi_free(memory, room->counts, (size_t)room->count_capacity * sizeof *room->counts);
  lwi_free(memory, room->before, (size_t)room->before_capacity * sizeof *room->before);
  lwi_free(memory, room->after, (size_t)room->after_capacity * sizeof *room->after);
  lwi_free(memory, room->string, room->string_size);
  lwi_free(memory, room->corners, (size_t)room->corner_capacity * sizeof *room->corners);
  lwi_free(memory, room->slab, (size_t)room->slab_capacity * sizeof *room->slab);
  lwi_free(memory, room->labels, (size_t)room->label_capacity * sizeof *room->labels);
  lwi_free(memory, room->openings, (size_t)room->opening_capacity * sizeof *room->openings);
  lwi_free(memory, room->cut, (size_t)room->cut_capacity * sizeof *room->cut);
  lwi_region_room_free(&room->region);
  *room = (lwi_berth_room){.memory = memory};
}

/* --- the string --------------------------------------------------------------------------------------------------- */

static bool make_string(lwi_berth_room *room, int gates, string_arrays *out) {
  size_t count = (size_t)gates + 2;
  size_t each = sizeof *out->gates + 3 * sizeof(lw_vec3) + sizeof *out->corners + sizeof *out->prices;
  if (room->string_size < count * each) {
    lwi_free(room->memory, room->string, room->string_size);
    room->string_size = (count + count / 2 + 32) * each;
    room->string = lwi_alloc(room->memory, room->string_size);
    if (!room->string) room->string_size = 0;
  }
  if (!room->string) return false;
  char *at = room->string;
  out->gates = (void *)at;
  at += count * sizeof *out->gates;
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
  return piece == 0 ? work->from_poly : work->room->before[piece - 1].polygon;
}

static float price_of(const widening *work, int piece) {
  return lwi_price_on(work->query->prices, work->search->graph.mesh, polygon_of(work, piece));
}

/* Pull the string taut through the gates so far, and find where it crosses each. */
static void pull(widening *work) {
  string_arrays *arrays = &work->string;
  int count = work->count;
  for (int i = 0; i < count; i++) {
    arrays->gates[i] = work->room->before[i].clear;
    arrays->crossings[i] = work->room->before[i].crossing;
  }
  for (int i = 0; i <= count; i++) arrays->prices[i] = price_of(work, i);
  lwi_string string = {work->from,     work->to,          count,        arrays->gates,
                       arrays->prices, arrays->crossings, arrays->best, lwi_pull_rounds(work->query->quality)};
  int corners = lwi_pull(&string, arrays->corners);
  for (int i = 0; i <= arrays->corners[0].portal; i++) arrays->points[i + 1] = work->from;
  for (int c = 0; c + 1 < corners; c++) {
    const lwi_corner_point *a = &arrays->corners[c], *b = &arrays->corners[c + 1];
    for (int i = a->portal + 1; i < b->portal; i++)
      arrays->points[i + 1] = arrays->prices[i] != arrays->prices[i + 1]
                                  ? arrays->crossings[i]
                                  : lwi_gate_crossing(a->point, b->point, arrays->points[i], &arrays->gates[i]);
    arrays->points[b->portal + 1] = b->point;
  }
  for (int i = 0; i < count; i++) work->room->before[i].crossing = arrays->crossings[i];
}

static bool lay_string(widening *work) {
  string_arrays *arrays = &work->string;
  int count = work->count;
  if (!make_string(work->room, count, arrays)) return false;
  arrays->points[0] = work->from;
  for (int i = 0; i < count; i++) arrays->points[i + 1] = work->room->before[i].crossing;
  arrays->points[count + 1] = work->to;
  if (!work->as_searched) pull(work);
  return true;
}

/* What it costs. @return A negative number: no memory. */
static float charge_string(const widening *work) {
  lwi_charges charges = lwi_query_charges(work->query);
  const lw_vec3 *points = work->string.points;
  float sum = 0;
  charges.rough = lwi_charges_by_guess(&charges);
  for (int i = 0; i <= work->count; i++) {
    float cost = lwi_charge_over_ground(&charges, polygon_of(work, i), points[i], points[i + 1]);
    if (cost < 0) return cost;
    sum += cost;
  }
  return sum;
}

/* --- cuts --------------------------------------------------------------------------------------------------------- */

static lwi_chord chord_of(const lwi_berth_gate *gate) {
  lwi_chord chord = {lwi_spot_of(gate->whole.left), lwi_spot_of(gate->whole.right), 0, 1};
  double length = lwi_spot_distance(chord.right, chord.left);
  if (!(length > 0)) return chord;
  chord.clear0 = lwi_spot_distance(chord.right, lwi_spot_of(gate->clear.right)) / length;
  chord.clear1 = lwi_spot_distance(chord.right, lwi_spot_of(gate->clear.left)) / length;
  return chord;
}

static lwi_spot across_of(const lwi_chord *chord) {
  return (lwi_spot){chord->left.x - chord->right.x, chord->left.z - chord->right.z};
}

/* A line across the way through its start or its goal: away from the wall that is too near, or, if that does not leave the
   other gate on one side, as the other gate runs. */
static lwi_spot across_at(const lwi_crossing *crossing, lwi_spot at, const lwi_chord *other, double side) {
  lwi_spot along = {crossing->to.x - crossing->from.x, crossing->to.z - crossing->from.z};
  lwi_spot across = {at.x - crossing->wall.x, at.z - crossing->wall.z};
  if (across.x * along.z - across.z * along.x < 0) across = (lwi_spot){-across.x, -across.z};
  if (!other) return (lwi_spot){along.z, -along.x}; /* left of the way */
  lwi_spot left = {at.x + across.x, at.z + across.z};
  lwi_spot ends[2] = {lwi_spot_between(other->right, other->left, other->clear0),
                      lwi_spot_between(other->right, other->left, other->clear1)};
  bool is_beside = side * lwi_spot_turn(at, left, ends[0]) <= 0 && side * lwi_spot_turn(at, left, ends[1]) <= 0;
  return is_beside && hypot(across.x, across.z) > 1e-6 ? across : across_of(other);
}

/* The gates that a piece lies between. */
static lw_status find_chords(widening *work, int piece, lwi_crossing *crossing) {
  const lwi_berth_gate *gates = work->room->before;
  bool has_entry = piece > 0, has_exit = piece < work->count;
  *crossing = (lwi_crossing){.berth = work->berth, .polygon = polygon_of(work, piece)};
  crossing->from = lwi_spot_of(work->string.points[piece]);
  crossing->to = lwi_spot_of(work->string.points[piece + 1]);
  lwi_barriers near = lwi_berth_near(work->berth, crossing->polygon);
  lwi_region_nearest(&near, crossing->from, crossing->to, &crossing->at, &crossing->wall);
  if (has_entry) crossing->entry = chord_of(&gates[piece - 1]);
  if (has_exit) crossing->exit = chord_of(&gates[piece]);
  lw_status status = LW_OK;
  if (!has_entry)
    status = lwi_berth_line(work->berth, work->room, crossing->polygon, crossing->from,
                            across_at(crossing, crossing->from, has_exit ? &crossing->exit : NULL, 1),
                            &crossing->entry);
  if (!has_exit && status == LW_OK)
    status = lwi_berth_line(work->berth, work->room, crossing->polygon, crossing->to,
                            across_at(crossing, crossing->to, has_entry ? &crossing->entry : NULL, -1),
                            &crossing->exit);
  return status;
}

static lw_vec3 lay(const widening *work, uint32_t polygon, lwi_spot spot) {
  lw_vec3 point = {(float)spot.x, 0, (float)spot.z};
  point.y = lwi_polygon_height(work->search->graph.mesh, polygon, point.x, point.z);
  return point;
}

static lwi_berth_gate gate_of(const widening *work, uint32_t polygon, const lwi_chord *chord) {
  lwi_spot right = lwi_spot_between(chord->right, chord->left, chord->clear0);
  lwi_spot left = lwi_spot_between(chord->right, chord->left, chord->clear1);
  return (lwi_berth_gate){
      .clear = {lay(work, polygon, left), lay(work, polygon, right)},
      .whole = {lay(work, polygon, chord->left), lay(work, polygon, chord->right)},
      .crossing = lay(work, polygon, lwi_spot_between(left, right, 0.5)),
      .polygon = polygon,
  };
}

static lw_status cut_piece(widening *work, int piece, lwi_berth_gate *gate) {
  lwi_crossing crossing;
  lwi_chord cut;
  lw_status status = find_chords(work, piece, &crossing);
  if (status == LW_OK) status = lwi_berth_cut(&crossing, work->room, &cut);
  if (status == LW_OUT_OF_MEMORY) return status;
  if (status != LW_OK) return LW_NO_PATH;
  *gate = gate_of(work, crossing.polygon, &cut);
  gate->step = piece < work->count ? work->room->before[piece].step : work->last_step;
  const lw_vec3 *points = work->string.points + piece;
  if (work->as_searched) gate->crossing = lwi_gate_crossing(points[0], points[1], gate->crossing, &gate->clear);
  return LW_OK;
}

static bool is_clear(const widening *work, int piece, double slack) {
  const lw_vec3 *points = work->string.points + piece;
  return lwi_berth_clear(work->berth, polygon_of(work, piece), points[0], points[1], slack);
}

/* Ways over spots are of a closer look, which is not taken again. */
static uint32_t ban_node(const widening *work, int step) {
  const lwi_graph *graph = &work->search->graph;
  if (step < 0 || (step < work->search->corridor_count && lwi_search_is_spot(work->search, step)))
    return LWI_NONE;
  if (step >= work->search->corridor_count) return 0;
  return lwi_node_first(graph, work->search->corridor[step].node);
}

static lw_status reject(const widening *work, int piece) {
  int step = piece < work->count ? work->room->before[piece].step : work->last_step;
  work->room->rejected = (lwi_ban){ban_node(work, step - 1), ban_node(work, step)};
  return LW_NO_PATH;
}

static bool add_gate(lwi_berth_room *room, int *count, const lwi_berth_gate *gate) {
  if (!lwi_reserve(room->memory, &room->after, &room->after_capacity, *count + 1, sizeof *room->after))
    return false;
  room->after[(*count)++] = *gate;
  return true;
}

/* Keep gates in place of what was kept from gate `first` on. */
static bool keep_gates(lwi_berth_room *room, int first, const lwi_berth_gate *gates, int count) {
  if (!lwi_reserve(room->memory, &room->gates, &room->gate_capacity, first + count + 1, sizeof *room->gates))
    return false;
  for (int i = 0; i < count; i++) room->gates[first + i] = gates[i];
  room->gate_count = first + count;
  return true;
}

/* Cut every piece that the disc does not fit through. @param[out] cuts  How many. */
static lw_status cut_pieces(widening *work, bool is_last, int *cuts) {
  lwi_berth_room *room = work->room;
  int count = 0;
  *cuts = 0;
  for (int piece = 0; piece <= work->count; piece++) {
    if (!is_clear(work, piece, is_last ? SWEEP_SLACK : LWI_CLEAR_SLACK)) {
      lwi_berth_gate gate;
      lw_status status = is_last ? LW_NO_PATH : cut_piece(work, piece, &gate);
      if (status == LW_NO_PATH && !is_clear(work, piece, SWEEP_SLACK)) return reject(work, piece);
      if (status == LW_OUT_OF_MEMORY || (status == LW_OK && !add_gate(room, &count, &gate)))
        return LW_OUT_OF_MEMORY;
      *cuts += status == LW_OK;
    }
    if (piece < work->count && !add_gate(room, &count, &room->before[piece])) return LW_OUT_OF_MEMORY;
  }
  lwi_berth_gate *gates = room->before;
  int capacity = room->before_capacity;
  room->before = room->after;
  room->before_capacity = room->after_capacity;
  room->after = gates;
  room->after_capacity = capacity;
  work->count = count;
  return LW_OK;
}

/* --- gates -------------------------------------------------------------------------------------------------------- */

/* A gate across the way, within a room. @return LW_OK; LW_NO_POINT: nothing of it is clear; LW_OUT_OF_MEMORY. */
static lw_status gate_across(const widening *work, uint32_t polygon, lw_vec3 before, lw_vec3 at, lw_vec3 behind,
                             int step, lwi_berth_gate *gate) {
  lwi_spot left = {behind.z - before.z, before.x - behind.x};
  lwi_chord chord;
  if (left.x == 0 && left.z == 0) left.x = 1;
  lw_status status = lwi_berth_line(work->berth, work->room, polygon, lwi_spot_of(at), left, &chord);
  if (status != LW_OK) return status;
  *gate = gate_of(work, polygon, &chord);
  gate->crossing = at;
  gate->step = step;
  return LW_OK;
}

static lw_vec3 searched_at(const widening *work, int step) {
  if (step < work->first_step) return work->from;
  return step < work->last_step ? lwi_search_crossing(work->search, step) : work->to;
}

static lwi_berth_gate portal_gate(const widening *work, uint32_t polygon, int step) {
  const lwi_graph *graph = &work->search->graph;
  const lwi_portal *portal = lwi_search_portal(work->search, step);
  lwi_berth_gate gate = {
      .crossing = searched_at(work, step), .polygon = lwi_room_polygon(graph, portal->to), .step = step};
  lwi_graph_points(graph, polygon, portal, &gate.clear.left, &gate.clear.right);
  gate.whole = gate.clear;
  return gate;
}

/* Portals, and for a way as it was searched the spots between them. */
static bool read_gates(widening *work) {
  lwi_berth_room *room = work->room;
  uint32_t polygon = work->from_poly;
  work->count = 0;
  if (!lwi_reserve(room->memory, &room->before, &room->before_capacity, work->last_step - work->first_step + 1,
                   sizeof *room->before))
    return false;
  for (int step = work->first_step; step < work->last_step; step++) {
    lwi_berth_gate *gate = &room->before[work->count];
    lw_status status = LW_OK;
    if (!lwi_search_is_spot(work->search, step))
      *gate = portal_gate(work, polygon, step);
    else if (work->as_searched)
      status = gate_across(work, polygon, searched_at(work, step - 1), searched_at(work, step),
                           searched_at(work, step + 1), step, gate);
    else
      continue;
    if (status == LW_OUT_OF_MEMORY) return false;
    if (status != LW_OK) continue;
    polygon = gate->polygon;
    work->count += 1;
  }
  return true;
}

/* --- a stretch ---------------------------------------------------------------------------------------------------- */

/* Cut the string until it is clear of walls. */
static lw_status clear_string(widening *work) {
  if (!read_gates(work)) return LW_OUT_OF_MEMORY;
  for (int round = 0, cuts = 1; cuts > 0; round++) {
    if (!lay_string(work)) return LW_OUT_OF_MEMORY;
    lw_status status = cut_pieces(work, round == MAX_ROUNDS, &cuts);
    if (status != LW_OK) return status;
  }
  return LW_OK;
}

/* Keep the string, in place of what was kept from gate `first` on. */
static bool keep_string(widening *work, int first) {
  for (int i = 0; i < work->count; i++) work->room->before[i].crossing = work->string.points[i + 1];
  return keep_gates(work->room, first, work->room->before, work->count);
}

/* Where it matters where the way runs: take the string, if there is one, or the way as it was searched, whichever is cheaper. */
static lw_status widen_by_place(widening *work, int first, lw_status status) {
  const lwi_ban rejected = work->room->rejected;
  float taut = status == LW_OK ? charge_string(work) : INFINITY;
  work->as_searched = true;
  lw_status searched_status = clear_string(work);
  if (taut < 0 || searched_status == LW_OUT_OF_MEMORY) return LW_OUT_OF_MEMORY;
  if (searched_status != LW_OK) {
    work->room->rejected = rejected;
    return status;
  }
  float searched = charge_string(work);
  if (searched < 0 || (searched < taut && !keep_string(work, first))) return LW_OUT_OF_MEMORY;
  return LW_OK;
}

static lw_status widen_stretch(widening *work) {
  lwi_berth_room *room = work->room;
  const lwi_charges charges = lwi_query_charges(work->query);
  int first = room->gate_count;
  work->as_searched = false;
  lw_status status = clear_string(work);
  if (status == LW_OUT_OF_MEMORY || (status == LW_OK && !keep_string(work, first))) return LW_OUT_OF_MEMORY;
  if (lwi_charges_by_place(&charges)) status = widen_by_place(work, first, status);
  if (status != LW_OK) return status;
  if (!lwi_reserve(room->memory, &room->counts, &room->count_capacity, room->stretch_count + 1,
                   sizeof *room->counts))
    return LW_OUT_OF_MEMORY;
  room->counts[room->stretch_count++] = room->gate_count - first;
  return LW_OK;
}

lw_status lwi_berth_widen(const lwi_berth *berth, const lwi_search *search, const lwi_search_query *query,
                          lwi_berth_room *room) {
  widening work = {.berth = berth, .search = search, .query = query, .room = room};
  work.from = query->from;
  work.from_poly = lwi_room_polygon(&search->graph, query->from_room);
  room->gate_count = room->stretch_count = 0;
  room->region.memory = room->memory;
  for (int i = 0; i <= search->corridor_count; i++) {
    const lwi_link *link = i < search->corridor_count ? lwi_search_link(search, i) : NULL;
    if (i < search->corridor_count && !link) continue;
    work.to = link ? link->start : query->to;
    work.last_step = i;
    lw_status status = widen_stretch(&work);
    if (status != LW_OK || !link) return status;
    work.from = link->end;
    work.from_poly = link->to;
    work.first_step = i + 1;
  }
  return LW_OK;
}

float lwi_berth_charge(const lwi_search *search, const lwi_search_query *query, const lwi_berth_room *room,
                       const lwi_charges *charges) {
  lw_vec3 from = query->from;
  uint32_t polygon = lwi_room_polygon(&search->graph, query->from_room);
  float sum = 0;
  for (int i = 0, gate = 0, stretch = 0; i <= search->corridor_count; i++) {
    const lwi_link *link = i < search->corridor_count ? lwi_search_link(search, i) : NULL;
    if (i < search->corridor_count && !link) continue;
    for (int end = gate + room->counts[stretch++]; gate <= end; gate++) {
      lw_vec3 to = gate < end ? room->gates[gate].crossing : link ? link->start : query->to;
      float cost = lwi_charge_over_ground(charges, polygon, from, to);
      if (cost < 0) return cost;
      sum += cost;
      from = to;
      if (gate == end) break;
      polygon = room->gates[gate].polygon;
    }
    if (!link) break;
    sum += lwi_charge_link(charges, link);
    from = link->end;
    polygon = link->to;
  }
  return sum;
}
