#include "search/rounding.h"

#include <string.h>

/* The polyline that is walked lies outside of the arc, by no more. [m] */
#define ARC_SLACK 0.02
/* The circle passes corners at this distance, so that rounding does not lead to their other side. [m] */
#define CORNER_SPACE 0.002
/* The path may pass the end of a portal, or the outline of a polygon, by this much: it is put onto it. [m] */
#define PORTAL_SLACK 1e-3
/* A circle without space shrinks by this factor, and from this part of the whole radius on to nothing. */
#define SHRINK 0.75
#define PART_MIN 0.04
/* Points this near to the line past them are no corners. [m] */
#define STRAIGHT 5e-4F
/* From turn to turn the path costs at max this times what its length explains, and a little. [metre-equivalents] */
#define RISE_MAX 1.1
#define RISE_ALWAYS 0.05
/* How often turns are looked at, for each corner: a few dozen times at max where that was measured. */
#define LOOKS_A_CORNER 400
/* Corners that turn farther together than there and back share no circle. [rad] */
#define TURN_MAX 3.3
/* What a circle may turn more than its corners do, as the lines beside it lead to other circles. [rad] */
#define TURN_MORE 1.6

void lwi_round_scratch_free(lwi_round_scratch *rounding) {
  lwi_memory *memory = rounding->memory;
  if (!memory) return;
  lwi_free(memory, rounding->corners, (size_t)rounding->corner_capacity * sizeof *rounding->corners);
  lwi_free(memory, rounding->turns, (size_t)rounding->turn_capacity * sizeof *rounding->turns);
  lwi_free(memory, rounding->sums, (size_t)rounding->sum_capacity * sizeof *rounding->sums);
  lwi_free(memory, rounding->points, (size_t)rounding->point_capacity * sizeof *rounding->points);
  lwi_free(memory, rounding->arcs, (size_t)rounding->arc_capacity * sizeof *rounding->arcs);
  *rounding = (lwi_round_scratch){.memory = memory};
}

/* --- directions in xz ------------------------------------------------------------------------------------- */

static inline lwi_point2 minus(lwi_point2 a, lwi_point2 b) {
  return (lwi_point2){a.x - b.x, a.z - b.z};
}
/* a + s b */
static inline lwi_point2 plus(lwi_point2 a, double s, lwi_point2 b) {
  return (lwi_point2){a.x + s * b.x, a.z + s * b.z};
}
static inline double dot(lwi_point2 a, lwi_point2 b) {
  return a.x * b.x + a.z * b.z;
}
/* > 0: b is left of a. */
static inline double cross(lwi_point2 a, lwi_point2 b) {
  return a.z * b.x - a.x * b.z;
}
static inline lwi_point2 left_of(lwi_point2 a) {
  return (lwi_point2){a.z, -a.x};
}
static inline lwi_point2 unit(lwi_point2 a) {
  const double length = sqrt(dot(a, a));
  return length > 0 ? (lwi_point2){a.x / length, a.z / length} : a;
}
/* Turned to the left. @param angle  [rad] */
static inline lwi_point2 turned(lwi_point2 a, double angle) {
  return plus((lwi_point2){a.x * cos(angle), a.z * cos(angle)}, sin(angle), left_of(a));
}
static inline lw_vec3 point_of(lwi_point2 at, float y) {
  return (lw_vec3){(float)at.x, y, (float)at.z};
}

/* --- corners ---------------------------------------------------------------------------------------------- */

/* One section that is being rounded. */
typedef struct round {
  lwi_round_scratch *of;
  const lwi_round_query *query;
} round_run;

static lwi_point2 corner_at(const round_run *run, int corner) {
  return lwi_point2_of(run->query->points[run->of->corners[corner]]);
}
/* The direction of the taut path behind a corner. */
static lwi_point2 direction_behind(const round_run *run, int corner) {
  return unit(minus(corner_at(run, corner + 1), corner_at(run, corner)));
}
/* How far the taut path turns at a corner. > 0: to the left. [rad] */
static double turn_at(const round_run *run, int corner) {
  const lwi_point2 in = direction_behind(run, corner - 1), out = direction_behind(run, corner);
  return atan2(cross(in, out), dot(in, out));
}

/* Whether a point turns the path that came from `a`. */
static bool is_corner(lw_vec3 a, lw_vec3 at, lw_vec3 b) {
  if (lwi_distance_xz(a, at) < STRAIGHT || lwi_distance_xz(at, b) < STRAIGHT) return false;
  return lwi_distance_xz(lwi_nearest_on(a, b, at), at) > STRAIGHT;
}

static bool may_turn(const lwi_round_query *query, int point) {
  return query->turns_anywhere || query->keep[point];
}

/* @return false: no memory. */
static bool find_corners(round_run *run) {
  const lwi_round_query *query = run->query;
  lwi_round_scratch *of = run->of;
  const int last = query->portal_count + 1;
  if (!lwi_reserve(of->memory, &of->corners, &of->corner_capacity, last + 1, sizeof *of->corners)) return false;
  int count = 0, next = 0;
  of->corners[count++] = 0;
  for (int i = 1; i < last; i++) {
    if (!may_turn(query, i)) continue;
    for (next = next > i ? next : i + 1; !may_turn(query, next);) next += 1;
    if (is_corner(query->points[of->corners[count - 1]], query->points[i], query->points[next]))
      of->corners[count++] = i;
  }
  of->corners[count++] = last;
  of->corner_count = count;
  return true;
}

/* --- circles ---------------------------------------------------------------------------------------------- */

/* Put the circle of a turn as far inward as it still holds its corners. @return false: it is too small. */
static bool place_circle(const round_run *run, lwi_round_turn *turn) {
  if (turn->radius <= 0) {
    turn->centre = corner_at(run, turn->first);
    return true;
  }
  const lwi_point2 in = direction_behind(run, turn->first - 1), out = direction_behind(run, turn->last);
  const lwi_point2 inward = unit(minus(out, in)), across = left_of(inward);
  const lwi_point2 base = corner_at(run, turn->first);
  double min = 0, max = 0; /* across */
  for (int i = turn->first + 1; i <= turn->last; i++) {
    const double at = dot(minus(corner_at(run, i), base), across);
    min = fmin(min, at);
    max = fmax(max, at);
  }
  const double middle = (min + max) / 2, radius = turn->radius - CORNER_SPACE;
  double nearest = INFINITY, farthest = -INFINITY; /* how far inward the centre may lie */
  for (int i = turn->first; i <= turn->last; i++) {
    const lwi_point2 from = minus(corner_at(run, i), base);
    const double beside = dot(from, across) - middle, reach = radius * radius - beside * beside;
    if (reach <= 0) return false;
    nearest = fmin(nearest, dot(from, inward) + sqrt(reach));
    farthest = fmax(farthest, dot(from, inward) - sqrt(reach));
  }
  turn->centre = plus(plus(base, middle, across), nearest, inward);
  return nearest >= farthest;
}

/* Let a line touch the circle of a turn and that of the next. @return false: none does, or it leads back. */
static bool touch_both(const round_run *run, lwi_round_turn *turn, lwi_round_turn *next) {
  const lwi_point2 between = minus(next->centre, turn->centre);
  const double beside = next->side * next->radius - turn->side * turn->radius;
  const double distance2 = dot(between, between), length2 = distance2 - beside * beside;
  if (length2 <= 1e-12) { /* a path that ends where it begins has no direction */
    turn->direction = (lwi_point2){0, 0};
    turn->leave = turn->centre;
    next->enter = next->centre;
    return turn->radius <= 0 && next->radius <= 0;
  }
  const double length = sqrt(length2);
  const lwi_point2 direction = {(length * between.x - beside * between.z) / distance2,
                                (length * between.z + beside * between.x) / distance2};
  if (dot(direction, minus(corner_at(run, next->first), corner_at(run, turn->last))) <= 0) return false;
  turn->direction = direction;
  turn->leave = plus(turn->centre, -turn->side * turn->radius, left_of(direction));
  next->enter = plus(next->centre, -next->side * next->radius, left_of(direction));
  return true;
}

/* How far the path turns from the line before a turn to that behind it. > 0: to the left. [rad] */
static double heading_change(const round_run *run, const lwi_round_turn *turn) {
  const lwi_point2 in = run->of->turns[turn->before].direction, out = turn->direction;
  return atan2(cross(in, out), dot(in, out));
}

/* How far the path turns on a circle. Negative: there is no such arc. [rad] */
static double sweep_of(const round_run *run, const lwi_round_turn *turn) {
  double sweep = turn->side * heading_change(run, turn), taut = 0;
  for (int i = turn->first; i <= turn->last; i++) taut += fabs(turn_at(run, i));
  if (sweep < 0 && taut > 1.5) sweep += 2 * acos(-1);
  if (sweep > -1e-6 && sweep < 0) sweep = 0;
  return sweep <= taut + TURN_MORE ? sweep : -1;
}

/* Points of the polyline round an arc, both ends included: its edges touch the arc. */
typedef struct arc_line {
  lwi_point2 centre, from;
  double step, outside; ///< [rad] How much farther from the centre its inner points lie, as a factor.
  int count;
} arc_line;

static arc_line line_of(const lwi_round_turn *turn, double sweep) {
  const double half = acos(turn->radius / (turn->radius + ARC_SLACK));
  const int edges = (int)ceil(sweep / (2 * half)) + (sweep <= 0);
  const double step = sweep / edges;
  return (arc_line){turn->centre, minus(turn->enter, turn->centre), turn->side * step, 1 / cos(step / 2),
                    edges + 2};
}

static lwi_point2 point_on(const arc_line *line, int i) {
  if (i == 0) return plus(line->centre, 1, line->from);
  if (i + 1 == line->count) return plus(line->centre, 1, turned(line->from, line->step * (line->count - 2)));
  return plus(line->centre, line->outside, turned(line->from, line->step * (i - 0.5)));
}

/* --- walking through the portals -------------------------------------------------------------------------- */

/* A walk along the rounded path. */
typedef struct walk {
  const round_run *run;
  bool writes; ///< Its points are added to the result.
  bool failed; ///< Out of memory.
  int portal;  ///< The next one.
  lw_vec3 at;
  lwi_round_sum sum; ///< From where it began; the highest price that it met.
  double highest;
} walk;

/* @return false: no memory. */
static bool add_point(walk *w, const lwi_round_point *point) {
  lwi_round_scratch *of = w->run->of;
  if (!w->writes) return true;
  w->failed =
      !lwi_reserve(of->memory, &of->points, &of->point_capacity, of->point_count + 1, sizeof *of->points);
  if (w->failed) return false;
  of->points[of->point_count++] = *point;
  return true;
}

/* A place in a polygon, with its height where that counts. */
static lw_vec3 on_surface(const walk *w, lw_vec3 at, uint32_t polygon) {
  const lwi_round_query *query = w->run->query;
  if (w->writes || query->avoids) at.y = lwi_polygon_height(query->mesh, polygon, at.x, at.z);
  return at;
}

/* Whether the agent may go straight on within its polygon. */
static bool is_free(const walk *w, uint32_t polygon, lw_vec3 to) {
  const lwi_round_query *query = w->run->query;
  if (!lwi_clearance_is_free(query->clearance, polygon, w->at, to, LWI_CLEAR_SLACK)) return false;
  const lwi_cost_model *avoids = query->avoids;
  return !avoids || (lwi_dangers_entered(avoids->dangers, polygon, w->at, to) <= 0 &&
                     lwi_lanes_price(avoids->lanes, polygon, w->at, to) <= 0);
}

static void add_piece(lwi_round_sum *sum, const lwi_round_query *query, uint32_t polygon, lw_vec3 from,
                      lw_vec3 to) {
  const double length = (double)lwi_distance_xz(from, to);
  sum->length += length;
  sum->cost += length * (double)lwi_price_on(query->prices, query->mesh, polygon);
}

/* Go straight on within the polygon. @return false: it may not. */
static bool advance(walk *w, lw_vec3 to) {
  const lwi_round_query *query = w->run->query;
  const uint32_t polygon = query->polygons[w->portal];
  if (!is_free(w, polygon, to)) return false;
  if (query->prices) {
    add_piece(&w->sum, query, polygon, w->at, to);
    w->highest = fmax(w->highest, (double)lwi_price_on(query->prices, query->mesh, polygon));
  }
  w->at = to;
  return true;
}

/* Cross the next portal at a point near it. @param is_kept  At that very point. @return Whether it is near enough. */
static bool cross_portal(walk *w, lw_vec3 at, bool is_kept) {
  const lwi_round_query *query = w->run->query;
  const lwi_portal_ends ends = query->portals[w->portal];
  const lw_vec3 nearest = lwi_nearest_on(ends.right, ends.left, at);
  const lw_vec3 on = on_surface(w, is_kept ? at : nearest, query->polygons[w->portal]);
  if ((double)lwi_distance_xz(nearest, at) > PORTAL_SLACK || !advance(w, on)) return false;
  w->portal += 1;
  return add_point(w, &(lwi_round_point){on, ends, query->polygons[w->portal], is_kept});
}

/* Go straight on to a point, through the portals before it. @return false: that leaves the corridor. */
static bool walk_to(walk *w, lwi_point2 point) {
  const lwi_round_query *query = w->run->query;
  lw_vec3 to = point_of(point, w->at.y);
  while (w->portal < query->portal_count) {
    const lwi_portal_ends ends = query->portals[w->portal];
    const double near = lwi_turn(ends.right, ends.left, w->at), far = lwi_turn(ends.right, ends.left, to);
    if (far >= 0) break;
    const float t = near > 0 ? (float)(near / (near - far)) : 0;
    if (!cross_portal(w, lwi_lerp(w->at, to, t), false)) return false;
  }
  const uint32_t polygon = query->polygons[w->portal];
  const lwi_polygon in = lwi_polygon_get(query->mesh, polygon);
  to = on_surface(w, to, polygon);
  if (!lwi_polygon_holds(&in, to, PORTAL_SLACK) || !advance(w, to)) return false;
  return add_point(w, &(lwi_round_point){to, {to, to}, polygon, true});
}

/* Go straight on to a corner that stays. */
static bool walk_to_corner(walk *w, int corner) {
  const lwi_round_query *query = w->run->query;
  const int index = w->run->of->corners[corner];
  const bool is_end = index > query->portal_count;
  const lw_vec3 to = query->points[index];
  const int end = is_end ? query->portal_count : index;
  while (w->portal < end) {
    const lwi_portal_ends ends = query->portals[w->portal];
    const double near = lwi_turn(ends.right, ends.left, w->at), far = lwi_turn(ends.right, ends.left, to);
    const bool is_there = w->portal + 1 == end && !is_end;
    const float t = near > 0 && far < 0 ? (float)(near / (near - far)) : near > 0 ? 1 : 0;
    if (!cross_portal(w, is_there ? to : lwi_lerp(w->at, to, t), is_there)) return false;
  }
  if (w->portal != end || !advance(w, to)) return false;
  return !is_end || add_point(w, &(lwi_round_point){to, {to, to}, query->polygons[end], true});
}

/* Go on as the taut path does. */
static bool walk_taut(walk *w, int corner) {
  const lwi_round_query *query = w->run->query;
  const int index = w->run->of->corners[corner];
  while (w->portal < index) {
    const int at = ++w->portal;
    const bool is_end = at > query->portal_count;
    w->at = query->points[at];
    const lwi_portal_ends ends = is_end ? (lwi_portal_ends){w->at, w->at} : query->portals[at - 1];
    const uint32_t polygon = query->polygons[is_end ? at - 1 : at];
    if (!add_point(w, &(lwi_round_point){w->at, ends, polygon, at == index || query->keep[at]})) return false;
  }
  return true;
}

/* --- making it fit ---------------------------------------------------------------------------------------- */

/* Whether a circle of no radius stands for this turn: the start, the end, or a corner that stays. */
static bool is_point(const lwi_round_turn *turn) {
  return turn->radius <= 0;
}

static void make_turn(const round_run *run, int index, double radius) {
  lwi_round_turn *turn = &run->of->turns[index];
  const int last = run->of->corner_count - 1;
  const bool is_end = index == 0 || index == last;
  *turn = (lwi_round_turn){
      .first = index, .last = index, .before = index - 1, .next = index + 1, .is_needed = turn->is_needed};
  turn->side = is_end || turn_at(run, index) >= 0 ? 1 : -1;
  turn->radius = is_end ? 0 : radius;
  turn->centre = corner_at(run, index);
}

/* Place the circle of one corner, or leave the corner as it is. */
static void settle_circle(const round_run *run, lwi_round_turn *turn) {
  if (place_circle(run, turn)) return;
  turn->radius = 0;
  place_circle(run, turn);
}

/* Give each corner of a circle one of its own, which shares no more. */
static void part(const round_run *run, int index) {
  lwi_round_turn *turns = run->of->turns;
  const lwi_round_turn group = turns[index];
  for (int i = group.first; i <= group.last; i++) {
    make_turn(run, i, group.radius);
    turns[i].is_alone = true;
    turns[i].before = i == group.first ? group.before : i - 1;
    turns[i].next = i == group.last ? group.next : i + 1;
    settle_circle(run, &turns[i]);
  }
  turns[group.before].next = group.first;
  turns[group.next].before = group.last;
}

/* Take the next smaller circle, or the corner itself; corners that share a circle too small for them part. */
static void shrink(const round_run *run, int index) {
  lwi_round_turn *turn = &run->of->turns[index];
  const double min = fmax(PART_MIN * (double)run->query->radius, 2 * CORNER_SPACE);
  turn->radius *= SHRINK;
  if (turn->radius >= min && place_circle(run, turn)) return;
  if (turn->first < turn->last) {
    part(run, index);
    return;
  }
  turn->radius = 0;
  place_circle(run, turn);
}

/* Leave a turn aside: the path passes it on the outer side. */
static void leave_aside(const round_run *run, int index) {
  lwi_round_turn *turns = run->of->turns;
  const lwi_round_turn *turn = &turns[index];
  turns[turn->before].next = turn->next;
  turns[turn->next].before = turn->before;
}

/* Take up what was left aside between a turn and the next. @return Whether there was any. */
static bool take_up(const round_run *run, int index) {
  lwi_round_turn *turns = run->of->turns;
  const int next = turns[index].next, first = turns[index].last + 1, end = turns[next].first;
  for (int i = first; i < end; i++) {
    make_turn(run, i, (double)run->query->radius);
    turns[i].is_needed = true;
    turns[i].before = i == first ? index : i - 1;
    turns[i].next = i + 1 == end ? next : i + 1;
    settle_circle(run, &turns[i]);
  }
  if (first == end) return false;
  turns[index].next = first;
  turns[next].before = end - 1;
  return true;
}

/* Let a turn and the next share a circle. @return false: they may not. */
static bool share(const round_run *run, int index) {
  lwi_round_turn *turns = run->of->turns, *turn = &turns[index];
  const lwi_round_turn *next = &turns[turn->next];
  if (is_point(turn) || is_point(next) || turn->side != next->side || turn->is_alone || next->is_alone)
    return false;
  double taut = 0;
  for (int i = turn->first; i <= next->last; i++) taut += fabs(turn_at(run, i));
  lwi_round_turn both = *turn;
  both.last = next->last;
  both.next = next->next;
  both.radius = fmax(turn->radius, next->radius);
  if (taut > TURN_MAX || !place_circle(run, &both)) return false;
  *turn = both;
  turns[both.next].before = index;
  return true;
}

/* Shrink a circle at an end of the line behind a turn: the nearer one, if it is no point. They are not both points.
   @param where  On that line. [0..1] @return The turn from which on the path is to be looked at again. */
static int make_space(const round_run *run, int index, double where) {
  const lwi_round_turn *turns = run->of->turns;
  const int next = turns[index].next, before = turns[index].before;
  const int first = where < 0.5 ? index : next, other = first == index ? next : index;
  take_up(run, index);
  shrink(run, is_point(&turns[first]) ? other : first);
  return before >= 0 ? before : 0;
}

/* Whether the path costs no more than the taut one there, but for what it is longer. */
static bool is_worth(const round_run *run, const walk *w, const lwi_round_turn *turn,
                     const lwi_round_turn *next) {
  if (!run->query->prices) return true;
  const lwi_round_sum begin = run->of->sums[run->of->corners[turn->first]];
  const lwi_round_sum end = run->of->sums[run->of->corners[next->first]];
  const double length = end.length - begin.length, cost = end.cost - begin.cost;
  const double more = fmax(0, w->sum.length - length);
  return w->sum.cost <= RISE_MAX * (cost + more * w->highest) + RISE_ALWAYS;
}

/* Walk along the arc of a turn, and the line behind it. @param[out] where  What part of the line was good. [0..1]
   @return false: there is no space. */
static bool walk_turn(const round_run *run, walk *w, int index, double *where) {
  lwi_round_turn *turns = run->of->turns, *turn = &turns[index], *next = &turns[turn->next];
  *where = 0;
  if (!is_point(turn)) {
    const double sweep = sweep_of(run, turn);
    if (sweep < 0) return false;
    const arc_line line = line_of(turn, sweep);
    for (int i = 1; i < line.count; i++)
      if (!walk_to(w, point_on(&line, i))) return false;
  }
  if (is_point(turn) && is_point(next)) return walk_taut(w, next->first);
  const lw_vec3 from = w->at;
  const bool good = is_point(next) ? walk_to_corner(w, next->first) : walk_to(w, next->enter);
  if (good && !is_worth(run, w, turn, next)) {
    *where = turn->radius >= next->radius ? 0 : 1;
    return false;
  }
  const double length = lwi_point2_distance(turn->leave, next->enter);
  *where = length > 0 ? (double)lwi_distance_xz(from, w->at) / length : 0;
  return good;
}

/* Look at a turn and the line behind it. @return The turn to look at next. */
static int settle(const round_run *run, int index) {
  lwi_round_turn *turns = run->of->turns, *turn = &turns[index], *next = &turns[turn->next];
  const int before = turn->before >= 0 ? turn->before : 0;
  if (is_point(turn) && is_point(next) && take_up(run, index)) return index;
  if (!touch_both(run, turn, next))
    return share(run, index) ? before : make_space(run, index, turn->radius >= next->radius ? 0 : 1);
  if (index > 0 && sweep_of(run, turn) < 0 && !(is_point(turn) && turn->is_needed)) {
    if (turn->is_needed) return make_space(run, index, 0);
    leave_aside(run, index);
    return before;
  }
  double where;
  walk w = {.run = run, .portal = turn->portal, .at = point_of(turn->enter, 0)};
  if (index == 0 || is_point(turn)) w.at = run->query->points[run->of->corners[turn->first]];
  if (walk_turn(run, &w, index, &where)) {
    next->portal = is_point(next) ? run->of->corners[next->first] : w.portal;
    return turn->next;
  }
  return make_space(run, index, where);
}

static void make_turns(const round_run *run, double radius) {
  for (int i = 0; i < run->of->corner_count; i++) {
    make_turn(run, i, radius);
    settle_circle(run, &run->of->turns[i]);
  }
  run->of->turns[0].enter = run->of->turns[0].centre;
}

/* Make all circles, and let them shrink until the path fits. @return false: no memory. */
static bool fit(const round_run *run) {
  lwi_round_scratch *of = run->of;
  const int last = of->corner_count - 1;
  if (!lwi_reserve(of->memory, &of->turns, &of->turn_capacity, of->corner_count, sizeof *of->turns))
    return false;
  memset(of->turns, 0, (size_t)of->corner_count * sizeof *of->turns);
  make_turns(run, (double)run->query->radius);
  int looks = LOOKS_A_CORNER * of->corner_count;
  for (int i = 0; i != last;) {
    if (--looks == 0) { /* too many that make space for each other: no corner is rounded */
      make_turns(run, 0);
      i = 0;
    }
    i = settle(run, i);
  }
  return true;
}

/* --- the result ------------------------------------------------------------------------------------------- */

static bool add_arc(lwi_round_scratch *of, const lwi_round_arc *arc) {
  if (!lwi_reserve(of->memory, &of->arcs, &of->arc_capacity, of->arc_count + 1, sizeof *of->arcs)) return false;
  of->arcs[of->arc_count++] = *arc;
  return true;
}

bool lwi_round_add_corner(lwi_round_scratch *rounding, lwi_point2 at) {
  return add_arc(rounding, &(lwi_round_arc){.begin = at, .end = at, .centre = at, .is_reduced = true});
}

static bool add_turn(const round_run *run, const lwi_round_turn *turn) {
  if (is_point(turn)) return lwi_round_add_corner(run->of, turn->centre);
  const double turns = turn->side * sweep_of(run, turn);
  if (fabs(turns) < (double)LWI_ARC_TURN_MIN) return true;
  const lwi_point2 from = minus(turn->enter, turn->centre);
  return add_arc(run->of, &(lwi_round_arc){.begin = turn->enter,
                                           .end = turn->leave,
                                           .centre = turn->centre,
                                           .radius = (float)turn->radius,
                                           .from = (float)atan2(-from.z, from.x),
                                           .turn = (float)turns,
                                           .is_reduced = turn->radius < (double)run->query->radius * 0.999});
}

static bool sum_up(const round_run *run) {
  const lwi_round_query *query = run->query;
  lwi_round_scratch *of = run->of;
  const int count = query->portal_count + 2;
  if (!query->prices) return true;
  if (!lwi_reserve(of->memory, &of->sums, &of->sum_capacity, count, sizeof *of->sums)) return false;
  lwi_round_sum sum = of->sums[0] = (lwi_round_sum){0};
  for (int i = 1; i < count; i++) {
    add_piece(&sum, query, query->polygons[i - 1], query->points[i - 1], query->points[i]);
    of->sums[i] = sum;
  }
  return true;
}

static bool write(const round_run *run) {
  lwi_round_scratch *of = run->of;
  const int last = of->corner_count - 1;
  walk w = {.run = run, .writes = true, .at = run->query->points[0]};
  of->point_count = 0;
  for (int i = 0; i != last; i = of->turns[i].next) {
    double where;
    if (i > 0 && !add_turn(run, &of->turns[i])) return false;
    w.sum = (lwi_round_sum){0};
    w.highest = 0;
    if (!walk_turn(run, &w, i, &where)) return false; /* every turn was walked before: there is no memory */
  }
  return true;
}

bool lwi_round(lwi_round_scratch *rounding, const lwi_round_query *query) {
  round_run run = {rounding, query};
  return find_corners(&run) && sum_up(&run) && fit(&run) && write(&run);
}
