/* The rounded points of one section of a path that is being built, and the arcs of the whole path. */
#include "search/path_build.h"

#include <math.h>

/* Put the rounded points in the place of the taut ones. @return false: no memory. */
static bool take_points(path_trace *trace) {
  lwi_path_scratch *scratch = trace->scratch;
  const lwi_round_scratch *rounding = &scratch->rounding;
  const int count = rounding->point_count;
  if (!lwi_trace_grow(trace, trace->point_count + count + 1)) return false;
  trace->portal_count = count - 1;
  for (int i = 0; i < count; i++) {
    const lwi_round_point *point = &rounding->points[i];
    trace->points[i + 1] = point->at;
    trace->keep[i + 1] = point->is_kept;
    if (i + 1 == count) break;
    scratch->portals[i] = point->ends;
    scratch->polygons[i + 1] = point->polygon;
  }
  trace->keep[count] = true;
  return true;
}

void lwi_trace_round(path_trace *trace) {
  const lwi_path_scratch *scratch = trace->scratch;
  const lwi_cost_model *cost_model = &trace->query->cost_model;
  const bool has_regions = cost_model->dangers || cost_model->lanes;
  if (trace->failed) return;
  const lwi_round_query query = {
      .mesh = trace->search->graph.mesh,
      .clearance = trace->query->clearance,
      .prices = trace->query->is_uniform ? NULL : cost_model->prices,
      .avoids = has_regions && lwi_trace_is_free_of_danger(trace) ? cost_model : NULL,
      .radius = trace->query->turn_radius,
      .portal_count = trace->portal_count,
      .points = trace->points,
      .portals = scratch->portals,
      .polygons = scratch->polygons,
      .keep = trace->keep,
      .turns_anywhere = lwi_cost_varies(cost_model),
  };
  if (!lwi_round(&trace->scratch->rounding, &query) || !take_points(trace)) {
    trace->failed = true;
    return;
  }
  trace->points[trace->portal_count + 1] = trace->to;
  lwi_trace_keep_changes(trace);
}

/* --- the arcs of the path --------------------------------------------------------------------------------- */

static double distance_to(const lw_path *path, int point, lwi_point2 at) {
  return lwi_point2_distance(lwi_point2_of(path->points[point]), at);
}

/* The next point of the path where an arc begins or ends; -1: there is none, it was too near to the next one. Points may be
   closer together than they are rounded: the nearest. */
static int find_point(const lw_path *path, int from, lwi_point2 at) {
  const int last = path->point_count - 1;
  while (from <= last && distance_to(path, from, at) > 2 * (double)lwi_rounding(path->points[from])) from += 1;
  if (from > last) return -1;
  while (from < last && distance_to(path, from + 1, at) < distance_to(path, from, at)) from += 1;
  return from;
}

/* Points nearer than this say nothing about directions. [m] */
#define NEAR 0.01F

/* The direction from a point of the path to the next in that order that is not too near, or as if the path came from
   there, counter-clockwise from +x. @param step  1: behind it; -1: before. [rad] */
static float heading(const lw_path *path, int point, int step) {
  int other = point + step;
  while (other > 0 && other + 1 < path->point_count &&
         lwi_distance_xz(path->points[other], path->points[point]) < NEAR)
    other += step;
  const lw_vec3 direction = lwi_scale(lwi_sub(path->points[other], path->points[point]), (float)step);
  return atan2f(-direction.z, direction.x);
}

/* Let an arc of no radius turn as the path does. @return false: it hardly turns. */
static bool turn_in_place(const lw_path *path, lw_path_arc *arc) {
  const int point = arc->first;
  if (point == 0 || point + 1 >= path->point_count) return false;
  arc->from = heading(path, point, -1);
  float turn = heading(path, point, 1) - arc->from;
  const float whole = 2 * acosf(-1);
  if (turn > whole / 2) turn -= whole;
  if (turn < -whole / 2) turn += whole;
  arc->to = arc->from + turn;
  return fabsf(turn) >= LWI_ARC_TURN_MIN;
}

/* The next arc that is one. @param[in, out] next  Of the scratch's. @return false: there are no more. */
static bool next_arc(const lw_path *path, const lwi_round_scratch *rounding, int *next, lw_path_arc *arc) {
  int point = *next > 0 ? arc->last : 0;
  while (*next < rounding->arc_count) {
    const lwi_round_arc *from = &rounding->arcs[(*next)++];
    const int first = find_point(path, point, from->begin);
    const int last = first < 0 ? -1 : find_point(path, first, from->end);
    if (last < 0) continue;
    *arc = (lw_path_arc){.first = first,
                         .last = last,
                         .centre = {(float)from->centre.x, path->points[first].y, (float)from->centre.z},
                         .radius = from->radius,
                         .from = from->from,
                         .to = from->from + from->turn,
                         .is_reduced = from->is_reduced};
    if (arc->radius > 0 ? first < last : turn_in_place(path, arc)) return true;
    point = last;
  }
  return false;
}

bool lwi_path_take_arcs(lw_path *path, const lwi_round_scratch *rounding) {
  lw_path_arc arc;
  int count = 0;
  for (int next = 0; next_arc(path, rounding, &next, &arc);) count += 1;
  if (!lwi_path_alloc_arcs(path, count)) return false;
  for (int next = 0, i = 0; next_arc(path, rounding, &next, &arc);) path->arcs.items[i++] = arc;
  return true;
}
