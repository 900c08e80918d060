#include "search/drive_search.h"

#include "core/hash.h"
#include "core/vec3.h"

#include <math.h>

/* Parts of a turn in which one pose is enough. */
#define HEADINGS 16
/* Those of the search along the path, whose ends matter. */
#define HEADINGS_FOLLOWED 64
/* Cells are wider by that factor at first. */
#define WIDE 2
/* Parts of a turn of a trailer against its vehicle in which one pose is enough. */
#define TRAILER_ANGLES 8
#define TRAILER_ANGLES_FINE 24
/* Heights of two floors differ by more. [m] */
#define FLOOR 2.0f
/* Poses so far along the path are tried from each pose near it. [m] */
static const float shots[] = {48, 24, 12, 6, 3};
enum { SHOTS = sizeof shots / sizeof *shots };
/* A route forwards that is no longer than this many routes with backing is taken. */
#define FORWARDS_FACTOR LW_DRIVE_FORWARDS
#define CUSPS 3
#define CUSPS_MORE 9
/* Poses to go on from while the path is followed, before it is searched more widely. */
#define FOLLOWING_NODES 300
/* The search may take a drive that costs more by this factor. */
#define GREED 1.3f
/* The same where others have found none. */
#define GREED_TURNS 2.5f
/* Curves to the goal are tried from poses nearer than this, in radii, and from every EVERY-th; those to the path from
   every EVERY-th where it is not followed. */
#define NEAR_GOAL 10.0
#define EVERY 8
/* Lengths that are no more than rounding. [m] */
#define ROUNDING 1e-4

/* The search of a stage. */
typedef struct search_run {
  lwi_drive_search *of;
  const lwi_drive_ask *ask; /* of that */
  lwi_drive_scratch *scratch;
} search_run;

static search_run run_of(lwi_drive_scratch *scratch) {
  return (search_run){&scratch->search, &scratch->search.ask, scratch};
}

static lwi_drive_node *node_at(const search_run *run, uint32_t index) {
  return &run->scratch->nodes[index];
}

/* --- what the rest costs ------------------------------------------------------------------------------------------ */

static float away_from(const lwi_drive_reference *reference, lw_vec3 at) {
  const float dy = fabsf(reference->pose.at.point.y - at.y);
  return lwi_distance_xz(reference->pose.at.point, at) + (dy > FLOOR ? 10 * dy : 0);
}

/* The nearest pose of the path, not far from where the parent was. */
static int reference_near(const search_run *run, lw_vec3 at, int station, float *away) {
  const lwi_drive_scratch *scratch = run->scratch;
  const int last = scratch->reference_count - 1, middle = station;
  const int from = middle > 16 ? middle - 16 : 0, to = middle + 64 < last ? middle + 64 : last;
  int best = last < middle ? last : middle;
  *away = INFINITY;
  for (int i = from; i <= to; i++) {
    const float distance = away_from(&scratch->reference[i], at);
    if (distance >= *away) continue;
    *away = distance;
    best = i;
  }
  return best;
}

/* What the shortest curve to the goal's pose costs where nothing is ahead: positions alone do not say that a vehicle has to
   turn round. Farther off it says hardly more than the distance. */
static float curve_of(const search_run *run, const lwi_drive_node *node) {
  const lwi_drive_ask *ask = run->ask;
  const lwi_curve_pose from = lwi_drive_curve_pose(&node->pose), to = lwi_drive_curve_pose(&ask->to);
  lwi_curve curve;
  if (ask->any_heading || hypot(from.x - to.x, from.z - to.z) > NEAR_GOAL * ask->body.radius) return 0;
  if (!run->of->backwards) {
    lwi_curve_forwards(from, to, ask->body.radius, &curve);
    return run->of->goal_price * (float)curve.length;
  }
  const lwi_curve_prices prices = {run->of->prices.backwards, run->of->prices.cusp, CUSPS_MORE};
  return lwi_curve_any(from, to, ask->body.radius, &prices, &curve) ? run->of->goal_price * (float)curve.cost
                                                                    : 0;
}

static float rest_of(const search_run *run, const lwi_drive_node *node) {
  const lwi_drive_scratch *scratch = run->scratch;
  const float own = run->of->is_following ? INFINITY : run->ask->rest(run->ask->user, node->pose.at.point);
  const float curve = curve_of(run, node);
  if (own < INFINITY) return run->of->greed * lwi_max(own, curve);
  float away;
  const int near = reference_near(run, node->pose.at.point, node->station, &away);
  return run->of->greed * lwi_max(away + scratch->reference[near].rest, curve);
}

/* --- nodes -------------------------------------------------------------------------------------------------------- */

static int32_t trailer_state(const search_run *run, const lwi_drive_pose *pose) {
  if (!run->ask->body.trailer) return 0;
  return (int32_t)lrint(lwi_trailer_angle(pose->trailer, pose->heading) / LWI_TURN * run->of->trailer_angles);
}

static uint64_t state_of(const search_run *run, const lwi_drive_pose *pose, int gear) {
  const double part = pose->heading / LWI_TURN;
  const int32_t words[] = {
      (int32_t)floor((double)pose->at.point.x / run->of->cell),
      (int32_t)floor((double)pose->at.point.z / run->of->cell), (int32_t)floorf(pose->at.point.y / FLOOR),
      (int32_t)((part - floor(part)) * run->of->headings), 2 * trailer_state(run, pose) + (gear < 0)};
  return lwi_hash(LWI_HASH_SEED, words, sizeof words);
}

static void add_node(search_run *run, const lwi_drive_node *node) {
  lwi_drive_scratch *scratch = run->scratch;
  const uint32_t index = (uint32_t)scratch->node_count;
  if (!(node->g <= run->of->max_cost)) return;
  if (!lwi_reserve(scratch->memory, &scratch->nodes, &scratch->node_capacity, scratch->node_count + 1,
                   sizeof *node)) {
    run->of->failed = true;
    return;
  }
  scratch->nodes[index] = *node;
  float key = node->g;
  if (!node->is_goal) {
    const uint64_t state = state_of(run, &node->pose, node->gear);
    const uint32_t known = lwi_hash_index_find(&scratch->states, state);
    if (known != LWI_NO_ITEM && scratch->nodes[known].g <= node->g) return;
    if (known != LWI_NO_ITEM) lwi_hash_index_remove(&scratch->states, state, known);
    if (!lwi_hash_index_add(&scratch->states, scratch->memory, state, index)) run->of->failed = true;
    key += rest_of(run, node);
  }
  scratch->node_count += 1;
  if (!lwi_heap_push(&scratch->open, scratch->memory, key, index)) run->of->failed = true;
}

/* The end of a curve from a node, if the body fits along it. @return false: it does not. */
static bool drive(const search_run *run, const lwi_drive_node *from, const lwi_curve *curve,
                  lwi_drive_node *to) {
  *to = *from;
  to->move.count = 0;
  for (int i = 0; i < curve->count; i++) {
    const float length = (float)curve->lengths[i];
    if (fabs((double)length) < ROUNDING) continue;
    const int gear = length < 0 ? -1 : 1;
    if (to->gear != 0 && to->gear != gear) {
      to->cusps += 1;
      to->g += (float)run->of->prices.cusp;
    }
    to->gear = (int8_t)gear;
    float cost = 0;
    if (!lwi_drive_along(&run->ask->body, &run->ask->start, curve->turns[i], (double)length, &to->pose, &cost))
      return false;
    to->g += gear < 0 ? cost * run->ask->reverse_cost : cost;
    to->move.turns[to->move.count] = (int8_t)curve->turns[i];
    to->move.lengths[to->move.count++] = length;
  }
  return to->cusps <= run->of->prices.cusps;
}

static void go_along(search_run *run, uint32_t index, const lwi_curve *curve, int station, bool is_goal) {
  lwi_drive_node node;
  if (!drive(run, node_at(run, index), curve, &node)) return;
  node.parent = index;
  node.station = station;
  node.is_goal = is_goal;
  add_node(run, &node);
}

/* --- where to go from a node -------------------------------------------------------------------------------------- */

static void go_on_a_step(search_run *run, uint32_t index) {
  const int station = node_at(run, index)->station;
  const int gears = run->of->backwards ? 2 : 1;
  for (int i = 0; i < 3 * gears; i++) {
    lwi_curve step = {.count = 1, .turns = {i % 3 - 1}, .lengths = {run->of->cell * 1.5}};
    if (i >= 3) step.lengths[0] = -step.lengths[0];
    go_along(run, index, &step, station, false);
  }
}

static bool is_near_reference(const search_run *run, const lwi_drive_node *node, int *near) {
  float away;
  *near = reference_near(run, node->pose.at.point, node->station, &away);
  return (double)away < 3 * run->ask->body.radius;
}

/* Curves to poses further along the path. */
static void go_to_reference(search_run *run, uint32_t index) {
  const lwi_drive_scratch *scratch = run->scratch;
  int near;
  if (!is_near_reference(run, node_at(run, index), &near)) return;
  node_at(run, index)->station = near;
  int before = near;
  for (int i = SHOTS - 1; i >= 0 && !run->of->failed; i--) {
    int at = near;
    while (at + 1 < scratch->reference_count &&
           scratch->reference[at].along < scratch->reference[near].along + shots[i])
      at += 1;
    if (at == before) continue;
    before = at;
    lwi_curve curve;
    lwi_curve_forwards(lwi_drive_curve_pose(&node_at(run, index)->pose),
                       lwi_drive_curve_pose(&scratch->reference[at].pose), run->ask->body.radius, &curve);
    go_along(run, index, &curve, at, false);
  }
}

static void go_to_place(search_run *run, uint32_t index, lwi_curve_pose from, lwi_curve_pose to) {
  for (int i = 0; i < (run->of->backwards ? 4 : 2); i++) {
    lwi_curve curve;
    if (lwi_curve_to_place(from, to, run->ask->body.radius, i & 1 ? -1 : 1, i & 2 ? -1 : 1, &curve))
      go_along(run, index, &curve, 0, true);
  }
}

static void go_to_goal(search_run *run, uint32_t index) {
  const lwi_drive_ask *ask = run->ask;
  const lwi_drive_node *node = node_at(run, index);
  const lwi_curve_pose from = lwi_drive_curve_pose(&node->pose), to = lwi_drive_curve_pose(&ask->to);
  const double away = hypot(from.x - to.x, from.z - to.z);
  lwi_curve curve;
  if (fabsf(node->pose.at.point.y - ask->to.at.point.y) > FLOOR + (float)away) return;
  if (away > NEAR_GOAL * ask->body.radius && run->of->done % EVERY != 0) return;
  if (ask->any_heading) {
    go_to_place(run, index, from, to);
  } else if (!run->of->backwards) {
    lwi_curve_forwards(from, to, ask->body.radius, &curve);
    go_along(run, index, &curve, 0, true);
  } else {
    const lwi_curve_prices prices = {run->of->prices.backwards, run->of->prices.cusp,
                                     run->of->prices.cusps - node->cusps};
    if (lwi_curve_any(from, to, ask->body.radius, &prices, &curve)) go_along(run, index, &curve, 0, true);
  }
}

static bool is_there(const search_run *run, const lwi_drive_node *node) {
  const lwi_drive_ask *ask = run->ask;
  return ask->any_heading && lwi_distance_xz(node->pose.at.point, ask->to.at.point) <= ask->within &&
         fabsf(node->pose.at.point.y - ask->to.at.point.y) < FLOOR;
}

/* --- one search --------------------------------------------------------------------------------------------------- */

static bool is_outdated(const search_run *run, const lwi_drive_node *node, uint32_t index) {
  if (node->is_goal) return false;
  return lwi_hash_index_find(&run->scratch->states, state_of(run, &node->pose, node->gear)) != index;
}

static void begin(search_run *run) {
  lwi_drive_scratch *scratch = run->scratch;
  scratch->node_count = 0;
  scratch->open.count = 0;
  lwi_hash_index_clear(&scratch->states);
  run->of->is_begun = true;
  run->of->failed = false;
  run->of->done = 0;
  run->of->goal = LWI_NONE;
  add_node(run, &(lwi_drive_node){.pose = run->ask->from, .parent = LWI_NONE});
}

/* @param[in, out] poses  To go on from. @return LW_OK; LW_UNFINISHED; LW_NO_PATH; LW_OUT_OF_NODES; LW_OUT_OF_MEMORY. */
static lw_status search(search_run *run, int *poses) {
  lwi_drive_scratch *scratch = run->scratch;
  lwi_heap_entry entry;
  if (!run->of->is_begun) begin(run);
  while (!run->of->failed) {
    if (*poses <= 0 && scratch->open.count > 0) return LW_UNFINISHED;
    if (!lwi_heap_pop(&scratch->open, &entry)) return LW_NO_PATH;
    const lwi_drive_node *node = node_at(run, entry.item);
    if (is_outdated(run, node, entry.item)) continue;
    if (node->is_goal || is_there(run, node)) {
      run->of->goal = entry.item;
      return LW_OK;
    }
    if (run->of->done >= run->of->left) return LW_OUT_OF_NODES;
    run->of->done += 1;
    *poses -= 1;
    go_to_goal(run, entry.item);
    if (run->of->is_following || run->of->done % EVERY == 1) go_to_reference(run, entry.item);
    go_on_a_step(run, entry.item);
  }
  return LW_OUT_OF_MEMORY;
}

/* --- the drive ---------------------------------------------------------------------------------------------------- */

/* Add the points of a piece; its first one is there already. */
static bool add_piece(lw_drive *drive, const lwi_drive_ask *ask, int turn, double length,
                      lwi_drive_pose *pose) {
  const int steps = lwi_drive_steps(&ask->body, turn, length);
  const lwi_curve_pose from = lwi_drive_curve_pose(pose);
  lw_drive_point *first = &drive->points[drive->count - 1];
  first->curvature = turn == 0 ? 0 : (float)(turn / ask->body.radius);
  first->gear = length < 0 ? -1 : 1;
  lw_drive_point point = *first;
  const float along = point.along;
  lwi_curve_pose to = from;
  for (int i = 1; i <= steps; i++) {
    const double part = length * i / steps;
    const lwi_curve_pose before = to;
    to = lwi_curve_move(from, ask->body.radius, turn, part);
    pose->trailer =
        ask->body.trailer ? lwi_trailer_follow(ask->body.trailer, pose->trailer, before, to) : to.heading;
    lw_raycast ray;
    const lw_vec3 target = {(float)to.x, pose->at.point.y, (float)to.z};
    if (lw_navmesh_raycast(ask->body.mesh, pose->at, target, &ask->body.prices->filter, &ray) == LW_OK)
      *pose = (lwi_drive_pose){ray.at, to.heading, pose->trailer};
    point.at = pose->at.point;
    point.trailer_heading = (float)remainder(pose->trailer, LWI_TURN);
    point.heading = (float)remainder(to.heading, LWI_TURN);
    point.along = along + (float)fabs(part);
    if (!lwi_drive_add(drive, &point)) return false;
  }
  return true;
}

static bool add_move(lw_drive *drive, const lwi_drive_ask *ask, const lwi_drive_move *move,
                     lwi_drive_pose *pose) {
  for (int i = 0; i < move->count; i++)
    if (!add_piece(drive, ask, move->turns[i], (double)move->lengths[i], pose)) return false;
  return true;
}

/* The nodes from the goal back to the start. */
static bool list_chain(lwi_drive_scratch *scratch, uint32_t goal) {
  scratch->chain_count = 0;
  for (uint32_t i = goal; i != LWI_NONE; i = scratch->nodes[i].parent) {
    if (!lwi_reserve(scratch->memory, &scratch->chain, &scratch->chain_capacity, scratch->chain_count + 1,
                     sizeof *scratch->chain))
      return false;
    scratch->chain[scratch->chain_count++] = i;
  }
  return true;
}

static lw_drive *build(const search_run *run, const lw_allocator *allocator) {
  lwi_drive_scratch *scratch = run->scratch;
  lw_drive *drive = lwi_drive_make(allocator);
  lwi_drive_pose pose = run->ask->from;
  const lw_drive_point first = {.at = pose.at.point,
                                .heading = (float)remainder(pose.heading, LWI_TURN),
                                .gear = 1,
                                .trailer_heading = (float)remainder(pose.trailer, LWI_TURN)};
  bool good = drive && list_chain(scratch, run->of->goal) && lwi_drive_add(drive, &first);
  for (int i = scratch->chain_count - 1; good && i >= 0; i--)
    good = add_move(drive, run->ask, &scratch->nodes[scratch->chain[i]].move, &pose);
  if (!good) {
    lw_drive_destroy(drive);
    return NULL;
  }
  drive->cost = scratch->nodes[run->of->goal].g;
  lwi_drive_sum_up(drive);
  return drive;
}

/* --- which search ------------------------------------------------------------------------------------------------- */

static double cell_of(const lwi_drive_search *of) {
  return lwi_smaller(2, lwi_larger(0.5, of->ask.body.radius / 4));
}

/* @param poses  That the stage may take, as far as the drive may. */
static void begin_stage(lwi_drive_search *of, lwi_drive_stage stage, int poses) {
  const int left = of->ask.max_nodes - of->expanded;
  const bool is_wide = stage == LWI_DRIVE_BACKS || stage == LWI_DRIVE_TURNS;
  of->stage = stage;
  of->is_begun = false;
  of->is_following = stage == LWI_DRIVE_FOLLOWS;
  of->backwards = stage != LWI_DRIVE_FOLLOWS && stage != LWI_DRIVE_FORWARDS;
  of->prices.cusps = stage == LWI_DRIVE_TURNS || stage == LWI_DRIVE_FINELY ? CUSPS_MORE : CUSPS;
  of->max_cost = stage == LWI_DRIVE_FORWARDS ? FORWARDS_FACTOR * of->drive->cost : INFINITY;
  of->headings = stage == LWI_DRIVE_FOLLOWS ? HEADINGS_FOLLOWED : HEADINGS;
  of->greed = stage == LWI_DRIVE_TURNS || stage == LWI_DRIVE_FINELY ? GREED_TURNS : GREED;
  of->trailer_angles = stage == LWI_DRIVE_FINELY ? TRAILER_ANGLES_FINE : TRAILER_ANGLES;
  of->cell = is_wide ? WIDE * cell_of(of) : cell_of(of);
  of->left = poses < left ? poses : left;
}

static void conclude(lwi_drive_search *of, lw_status status) {
  of->stage = LWI_DRIVE_OVER;
  of->status = status;
  if (status == LW_OUT_OF_MEMORY) return;
  const bool is_better = of->followed && (!of->drive || lw_drive_length(of->followed) <=
                                                            FORWARDS_FACTOR * lw_drive_length(of->drive));
  if (is_better) {
    lw_drive_destroy(of->drive);
    of->drive = of->followed;
    of->followed = NULL;
  }
  if (!of->drive) return;
  of->status = LW_OK;
  of->drive->nodes = of->expanded;
}

static void end_following(const lwi_drive_scratch *scratch, lwi_drive_search *of, lw_drive *found) {
  const float length = scratch->reference[scratch->reference_count - 1].along;
  of->followed = found;
  if (found && lw_drive_length(found) <= FORWARDS_FACTOR * length)
    conclude(of, LW_OK);
  else
    begin_stage(of, LWI_DRIVE_BACKS, of->ask.max_nodes / 4);
}

/* A route forwards may be worth more than the one with backing that was found. */
static void end_backing(lwi_drive_search *of, lw_drive *found) {
  of->drive = found;
  if (found && found->reversed > 0 && !of->followed)
    begin_stage(of, LWI_DRIVE_FORWARDS, of->ask.max_nodes / 4);
  else if (found)
    conclude(of, LW_OK);
  else if (of->stage == LWI_DRIVE_BACKS)
    begin_stage(of, LWI_DRIVE_TURNS, of->ask.max_nodes / 4);
  else if (of->stage == LWI_DRIVE_TURNS)
    begin_stage(of, LWI_DRIVE_FINELY, of->ask.max_nodes);
  else
    conclude(of, of->is_short ? LW_OUT_OF_NODES : LW_NO_PATH);
}

static void end_forwards(lwi_drive_search *of, lw_drive *found) {
  const bool is_better = found && lw_drive_length(found) <= FORWARDS_FACTOR * lw_drive_length(of->drive);
  lw_drive_destroy(is_better ? of->drive : found);
  if (is_better) of->drive = found;
  conclude(of, LW_OK);
}

/* @param status  Of its search. */
static void end_stage(search_run *run, lw_status status) {
  lwi_drive_search *of = run->of;
  lw_drive *found = status == LW_OK ? build(run, of->allocator) : NULL;
  of->expanded += of->done;
  if (status == LW_OUT_OF_MEMORY || (status == LW_OK && !found)) {
    conclude(of, LW_OUT_OF_MEMORY);
    return;
  }
  of->is_short = status == LW_OUT_OF_NODES && of->stage != LWI_DRIVE_FOLLOWS;
  switch (of->stage) {
  case LWI_DRIVE_FOLLOWS: end_following(run->scratch, of, found); return;
  case LWI_DRIVE_FORWARDS: end_forwards(of, found); return;
  default: end_backing(of, found); return;
  }
}

void lwi_drive_search_begin(lwi_drive_scratch *scratch, const lwi_drive_ask *ask,
                            const lw_allocator *allocator) {
  const uint32_t polygon = lwi_poly_index(ask->body.mesh, ask->to.at.poly);
  lwi_drive_search *of = &scratch->search;
  lwi_drive_search_drop(scratch);
  *of = (lwi_drive_search){
      .ask = *ask,
      .allocator = allocator,
      .status = LW_UNFINISHED,
      .prices = {(double)ask->reverse_cost, ask->body.radius, CUSPS},
      .goal_price = polygon == LWI_NONE ? 1 : lwi_price_on(ask->body.prices, ask->body.mesh, polygon)};
  begin_stage(of, LWI_DRIVE_FOLLOWS, FOLLOWING_NODES);
}

int lwi_drive_search_step(lwi_drive_scratch *scratch, int poses) {
  search_run run = run_of(scratch);
  int left = poses;
  while (run.of->status == LW_UNFINISHED) {
    const lw_status status = search(&run, &left);
    if (status == LW_UNFINISHED) break;
    end_stage(&run, status);
  }
  return poses - left;
}

lw_drive *lwi_drive_search_take(lwi_drive_scratch *scratch) {
  lw_drive *drive = scratch->search.status == LW_OK ? scratch->search.drive : NULL;
  if (drive) scratch->search.drive = NULL;
  lwi_drive_search_drop(scratch);
  return drive;
}

void lwi_drive_search_drop(lwi_drive_scratch *scratch) {
  lwi_drive_search *of = &scratch->search;
  lw_drive_destroy(of->drive);
  lw_drive_destroy(of->followed);
  *of = (lwi_drive_search){.stage = LWI_DRIVE_OVER};
}
