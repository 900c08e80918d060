#include "mesh/clearance.h"

#include <stdlib.h>

/* Subtracted, so that agents fit through a gap of exactly their width. [m] */
#define KEEP_SLACK 1e-3f

/* A clear portal, seen from one of its two polygons. */
typedef struct clear_portal {
  uint32_t polygon, edge;
  float t0, t1;
  uint32_t to, back; /* `back`: index of the same one seen from the other polygon */
  uint32_t region;
} clear_portal;

typedef struct clearance_build {
  lwi_memory *memory;
  lwi_clearance *clearance;
  const lw_navmesh *mesh;
  const lw_filter *filter;
  lwi_region_scratch region;
  clear_portal *clear_portals;
  int clear_portal_count, clear_portal_capacity;
  uint32_t *first; /* [polygons + 1] into `order` */
  uint32_t *order; /* [clear_portal_count] by polygon, edge and t0 */
  lwi_edge_interval *free_intervals;
  uint32_t *labels, *extra;
  lwi_point2 *corners;
  int free_interval_capacity, label_capacity, extra_capacity, extra_count, corner_capacity;
} clearance_build;

float lwi_clearance_extra(const lw_navmesh *mesh, const lw_filter *filter) {
  float keep = filter->radius - mesh->agent.radius;
  return keep > 2 * KEEP_SLACK ? keep : 0;
}

static void edge_ends(const lw_navmesh *mesh, uint32_t polygon, uint32_t edge, lwi_point2 ends[2]) {
  lwi_polygon outline = lwi_polygon_get(mesh, polygon);
  ends[0] = lwi_point2_of(lwi_corner(&outline, edge));
  ends[1] = lwi_point2_of(lwi_corner(&outline, lwi_next_corner(&outline, edge)));
}

/* --- walls ------------------------------------------------------------------------------------------------ */

/* Walls whose height differs from a polygon's by more than twice `keep` and this are of another floor. [m] */
#define FLOOR_SLACK 1.0f

typedef struct wall_gather {
  lwi_clearance *clearance;
  const lw_navmesh *mesh;
  const lw_filter *filter;
  lwi_memory *memory;
  uint32_t *seen;  /* [polygons] 1 + the polygon for which it was last reached */
  uint32_t *queue; /* [polygons] */
  uint32_t *near;
  int near_count, near_capacity;
  /* The polygon that walls are gathered for. */
  uint32_t at;
  lwi_polygon polygon;
  double min_x, min_z, max_x, max_z;
  float low, high;
} wall_gather;

static uint32_t add_barrier(lwi_barrier *out, lw_vec3 a, lw_vec3 b, float from, float to) {
  if (!lwi_is_wall(a, b, from, to)) return 0;
  if (out) {
    lw_vec3 begin = from <= 0 ? a : lwi_lerp(a, b, from), end = to >= 1 ? b : lwi_lerp(a, b, to);
    *out = (lwi_barrier){begin.x, begin.z, end.x, end.z};
  }
  return 1;
}

/* The parts of a polygon's edges that no passable portal covers. @param out  NULL: only count them. */
static uint32_t read_barriers(const lw_navmesh *mesh, const lw_filter *filter, uint32_t p, lwi_barrier *out) {
  if (!lw_filter_passes(filter, mesh->polygons.areas[p])) return 0;
  lwi_polygon polygon = lwi_polygon_get(mesh, p);
  uint32_t count = 0, k = mesh->graph.first_portal[p], end = mesh->graph.end_portal[p];
  for (uint32_t edge = 0; edge < polygon.count; edge++) {
    lw_vec3 a = lwi_corner(&polygon, edge), b = lwi_corner(&polygon, lwi_next_corner(&polygon, edge));
    float open_to = 0;
    for (; k < end && mesh->graph.portals[k].edge == edge; k++) {
      if (!lw_filter_passes(filter, mesh->polygons.areas[mesh->graph.portals[k].to])) continue;
      lwi_portal_interval interval = lwi_interval_of_portal(mesh, &mesh->graph.portals[k]);
      count += add_barrier(out ? out + count : NULL, a, b, open_to, interval.t0);
      open_to = fmaxf(open_to, interval.t1);
    }
    count += add_barrier(out ? out + count : NULL, a, b, open_to, 1);
  }
  return count;
}

static bool collect_barriers(lwi_clearance *clearance, const lw_navmesh *mesh, const lw_filter *filter) {
  uint32_t polygons = mesh->polygons.count;
  clearance->first_barrier =
      lwi_alloc_zero(clearance->memory, ((size_t)polygons + 1) * sizeof *clearance->first_barrier);
  if (!clearance->first_barrier) return false;
  for (uint32_t p = 0; p < polygons; p++)
    clearance->first_barrier[p + 1] = clearance->first_barrier[p] + read_barriers(mesh, filter, p, NULL);
  uint32_t count = clearance->first_barrier[polygons];
  clearance->barriers = lwi_alloc(clearance->memory, count * sizeof *clearance->barriers);
  if (!clearance->barriers && count > 0) return false;
  clearance->barrier_count = count;
  for (uint32_t p = 0; p < polygons; p++)
    read_barriers(mesh, filter, p, clearance->barriers + clearance->first_barrier[p]);
  return true;
}

/* --- walls near a polygon --------------------------------------------------------------------------------- */

/* Is the wall or portal nearer to the polygon than that? */
static bool is_near(const wall_gather *gather, const lwi_barrier *piece, double distance) {
  double low_x = fmin((double)piece->ax, (double)piece->bx),
         high_x = fmax((double)piece->ax, (double)piece->bx);
  double low_z = fmin((double)piece->az, (double)piece->bz),
         high_z = fmax((double)piece->az, (double)piece->bz);
  if (high_x < gather->min_x - distance || low_x > gather->max_x + distance ||
      high_z < gather->min_z - distance || low_z > gather->max_z + distance)
    return false;
  const lwi_polygon *polygon = &gather->polygon;
  lwi_point2 a = lwi_point2_of(lwi_corner(polygon, polygon->count - 1));
  bool holds = true; /* an end lies inside: then it is near, however far the edges are */
  for (uint32_t i = 0; i < polygon->count; i++) {
    lwi_point2 b = lwi_point2_of(lwi_corner(polygon, i));
    if (lwi_barrier_distance(piece, a, b) < distance) return true;
    holds = holds && lwi_point2_turn(a, b, (lwi_point2){piece->ax, piece->az}) >= 0;
    a = b;
  }
  return holds;
}

static bool add_near(wall_gather *gather, uint32_t polygon) {
  const lwi_clearance *clearance = gather->clearance;
  for (uint32_t i = clearance->first_barrier[polygon]; i < clearance->first_barrier[polygon + 1]; i++) {
    if (polygon != gather->at && !is_near(gather, &clearance->barriers[i], clearance->keep)) continue;
    if (!lwi_reserve(gather->memory, &gather->near, &gather->near_capacity, gather->near_count + 1,
                     sizeof *gather->near))
      return false;
    gather->near[gather->near_count++] = i;
  }
  return true;
}

/* Does the disc about some point of the polygon reach through the portal? */
static bool reaches_through(const wall_gather *gather, uint32_t from, const lwi_portal *portal) {
  lw_vec3 left, right;
  if (gather->seen[portal->to] == gather->at + 1) return false;
  if (!lw_filter_passes(gather->filter, gather->mesh->polygons.areas[portal->to])) return false;
  lwi_portal_points(gather->mesh, from, portal, &left, &right);
  float reach = 2 * (float)gather->clearance->keep + FLOOR_SLACK;
  if (fminf(left.y, right.y) > gather->high + reach || fmaxf(left.y, right.y) < gather->low - reach)
    return false;
  lwi_barrier piece = {right.x, right.z, left.x, left.z};
  return from == gather->at || is_near(gather, &piece, gather->clearance->keep);
}

static void begin(wall_gather *gather, uint32_t p) {
  gather->at = p;
  gather->polygon = lwi_polygon_get(gather->mesh, p);
  gather->min_x = gather->min_z = INFINITY;
  gather->max_x = gather->max_z = -INFINITY;
  gather->low = INFINITY;
  gather->high = -INFINITY;
  for (uint32_t i = 0; i < gather->polygon.count; i++) {
    lw_vec3 corner = lwi_corner(&gather->polygon, i);
    gather->min_x = fmin(gather->min_x, (double)corner.x);
    gather->max_x = fmax(gather->max_x, (double)corner.x);
    gather->min_z = fmin(gather->min_z, (double)corner.z);
    gather->max_z = fmax(gather->max_z, (double)corner.z);
    gather->low = fminf(gather->low, corner.y);
    gather->high = fmaxf(gather->high, corner.y);
  }
}

/* Search outwards over portals, as far as the disc reaches. */
static bool gather_near(wall_gather *gather, uint32_t p) {
  const lw_navmesh *mesh = gather->mesh;
  uint32_t count = 1;
  begin(gather, p);
  gather->queue[0] = p;
  gather->seen[p] = p + 1;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t polygon = gather->queue[i];
    if (!add_near(gather, polygon)) return false;
    for (uint32_t k = mesh->graph.first_portal[polygon]; k < mesh->graph.end_portal[polygon]; k++) {
      if (!reaches_through(gather, polygon, &mesh->graph.portals[k])) continue;
      gather->seen[mesh->graph.portals[k].to] = p + 1;
      gather->queue[count++] = mesh->graph.portals[k].to;
    }
  }
  return true;
}

static bool gather_all(wall_gather *gather) {
  lwi_clearance *clearance = gather->clearance;
  uint32_t polygons = gather->mesh->polygons.count;
  for (uint32_t p = 0; p < polygons; p++) {
    if (lw_filter_passes(gather->filter, gather->mesh->polygons.areas[p]) && !gather_near(gather, p))
      return false;
    clearance->first_near[p + 1] = (uint32_t)gather->near_count;
  }
  clearance->near = lwi_alloc(gather->memory, (size_t)gather->near_count * sizeof *clearance->near);
  if (!clearance->near && gather->near_count > 0) return false;
  clearance->near_count = (uint32_t)gather->near_count;
  for (int i = 0; i < gather->near_count; i++) clearance->near[i] = gather->near[i];
  return true;
}

static bool find_walls(lwi_clearance *clearance, const lw_navmesh *mesh, const lw_filter *filter) {
  size_t count = mesh->polygons.count;
  if (!collect_barriers(clearance, mesh, filter)) return false;
  wall_gather gather = {.clearance = clearance, .mesh = mesh, .filter = filter, .memory = clearance->memory};
  gather.seen = lwi_alloc_zero(clearance->memory, count * sizeof *gather.seen);
  gather.queue = lwi_alloc(clearance->memory, count * sizeof *gather.queue);
  clearance->first_near = lwi_alloc_zero(clearance->memory, (count + 1) * sizeof *clearance->first_near);
  bool done = (count == 0 || (gather.seen && gather.queue)) && clearance->first_near && gather_all(&gather);
  lwi_free(clearance->memory, gather.seen, count * sizeof *gather.seen);
  lwi_free(clearance->memory, gather.queue, count * sizeof *gather.queue);
  lwi_free(clearance->memory, gather.near, (size_t)gather.near_capacity * sizeof *gather.near);
  return done;
}

/* --- clear portals ---------------------------------------------------------------------------------------- */

static double parameter_of(const lwi_point2 line[2], lwi_point2 point) {
  double dx = line[1].x - line[0].x, dz = line[1].z - line[0].z, length2 = dx * dx + dz * dz;
  double t = length2 > 0 ? ((point.x - line[0].x) * dx + (point.z - line[0].z) * dz) / length2 : 0;
  return fmin(1, fmax(0, t));
}

/* Add a clear portal as seen from both of its polygons. */
static bool add_clear_portal(clearance_build *build, uint32_t polygon, const lwi_edge_interval *part,
                             const lwi_portal *portal, const lwi_portal *back) {
  lwi_point2 here[2], there[2];
  edge_ends(build->mesh, polygon, part->edge, here);
  edge_ends(build->mesh, portal->to, back->edge, there);
  float t0 = (float)parameter_of(there, lwi_point2_lerp(here[0], here[1], part->t1));
  float t1 = (float)parameter_of(there, lwi_point2_lerp(here[0], here[1], part->t0));
  if (!(t0 < t1) || !((float)part->t0 < (float)part->t1)) return true;
  if (!lwi_reserve(build->memory, &build->clear_portals, &build->clear_portal_capacity,
                   build->clear_portal_count + 2, sizeof *build->clear_portals))
    return false;
  uint32_t index = (uint32_t)build->clear_portal_count;
  clear_portal *pair = &build->clear_portals[index];
  pair[0] = (clear_portal){polygon, part->edge, (float)part->t0, (float)part->t1, portal->to, index + 1, 0};
  pair[1] = (clear_portal){portal->to, back->edge, t0, t1, polygon, index, 0};
  build->clear_portal_count += 2;
  return true;
}

/* The intervals of a portal that are clear of the walls near either of its polygons. */
static bool find_clear_portals(clearance_build *build, uint32_t polygon, const lwi_portal *portal) {
  const lwi_portal *back = lwi_portal_back(build->mesh, polygon, portal);
  if (!back) return true;
  lwi_barriers here = lwi_clearance_walls_near(build->clearance, polygon),
               there = lwi_clearance_walls_near(build->clearance, portal->to);
  lwi_region_scratch *scratch = &build->region;
  lwi_point2 line[2];
  lwi_portal_interval whole = lwi_interval_of_portal(build->mesh, portal);
  edge_ends(build->mesh, polygon, portal->edge, line);
  scratch->free_interval_count = 0;
  if (!lwi_region_free(scratch, &here, line, portal->edge, (double)whole.t0, (double)whole.t1)) return false;
  int first = scratch->free_interval_count;
  for (int i = 0; i < first; i++) {
    lwi_edge_interval part = scratch->free_intervals[i];
    if (!lwi_region_free(scratch, &there, line, portal->edge, part.t0, part.t1)) return false;
  }
  for (int i = first; i < scratch->free_interval_count; i++) {
    lwi_edge_interval part = scratch->free_intervals[i];
    if (!add_clear_portal(build, polygon, &part, portal, back)) return false;
  }
  return true;
}

/* Of which of two polygons with a portal are its clear parts computed first? Not by their numbers: those of pieces depend on
   what was cut before, and the last bits of the result on the answer. */
static bool comes_first(const lw_navmesh *mesh, uint32_t a, uint32_t b) {
  const uint32_t base_a = lwi_origin_of(mesh, a), base_b = lwi_origin_of(mesh, b);
  if (base_a != base_b) return base_a < base_b;
  const lwi_polygon one = lwi_polygon_get(mesh, a), other = lwi_polygon_get(mesh, b);
  const lw_vec3 at = lwi_corner(&one, 0), beside = lwi_corner(&other, 0);
  if (at.x < beside.x || at.x > beside.x) return at.x < beside.x;
  if (at.z < beside.z || at.z > beside.z) return at.z < beside.z;
  return a < b; /* pieces of one ground are in order */
}

static bool find_all_clear_portals(clearance_build *build) {
  const lw_navmesh *mesh = build->mesh;
  for (uint32_t p = 0; p < mesh->polygons.count; p++) {
    if (!lw_filter_passes(build->filter, mesh->polygons.areas[p])) continue;
    for (uint32_t k = mesh->graph.first_portal[p]; k < mesh->graph.end_portal[p]; k++) {
      const lwi_portal *portal = &mesh->graph.portals[k];
      if (!comes_first(mesh, p, portal->to) ||
          !lw_filter_passes(build->filter, mesh->polygons.areas[portal->to]))
        continue;
      if (!find_clear_portals(build, p, portal)) return false;
    }
  }
  return true;
}

static bool comes_before(const clear_portal *a, const clear_portal *b) {
  return a->edge != b->edge ? a->edge < b->edge : a->t0 < b->t0;
}

static bool sort_clear_portals(clearance_build *build) {
  uint32_t polygons = build->mesh->polygons.count, count = (uint32_t)build->clear_portal_count;
  build->first = lwi_alloc_zero(build->memory, (polygons + 1) * sizeof *build->first);
  build->order = lwi_alloc(build->memory, count * sizeof *build->order);
  if (!build->first || (!build->order && count > 0)) return false;
  for (uint32_t i = 0; i < count; i++) build->first[build->clear_portals[i].polygon] += 1;
  for (uint32_t p = 1; p <= polygons; p++) build->first[p] += build->first[p - 1];
  for (uint32_t i = count; i-- > 0;) build->order[--build->first[build->clear_portals[i].polygon]] = i;
  for (uint32_t p = 0; p < polygons; p++)
    for (uint32_t i = build->first[p] + 1; i < build->first[p + 1]; i++) {
      uint32_t moved = build->order[i], at = i;
      for (; at > build->first[p] &&
             comes_before(&build->clear_portals[moved], &build->clear_portals[build->order[at - 1]]);
           at--)
        build->order[at] = build->order[at - 1];
      build->order[at] = moved;
    }
  return true;
}

/* --- regions ---------------------------------------------------------------------------------------------- */

static bool read_corners(clearance_build *build, const lwi_polygon *polygon) {
  if (!lwi_reserve(build->memory, &build->corners, &build->corner_capacity, (int)polygon->count,
                   sizeof *build->corners))
    return false;
  for (uint32_t i = 0; i < polygon->count; i++) build->corners[i] = lwi_point2_of(lwi_corner(polygon, i));
  return true;
}

/* The free intervals of the polygon's outline. Where three polygons share an edge, clear portals overlap: they
   are one interval. `region` of each clear portal is set to its interval for now. @return How many intervals.
   */
static uint32_t gather_free_intervals(clearance_build *build, uint32_t first, uint32_t end) {
  uint32_t count = 0;
  for (uint32_t i = first; i < end; i++) {
    clear_portal *part = &build->clear_portals[build->order[i]];
    lwi_edge_interval *last = count > 0 ? &build->free_intervals[count - 1] : NULL;
    if (last && last->edge == part->edge && (double)part->t0 < last->t1 - 1e-6) {
      last->t1 = fmax(last->t1, (double)part->t1);
    } else {
      build->free_intervals[count++] = (lwi_edge_interval){part->edge, (double)part->t0, (double)part->t1};
    }
    part->region = count - 1;
  }
  return count;
}

static bool add_region(clearance_build *build, uint32_t polygon, uint32_t *region) {
  if (!lwi_reserve(build->memory, &build->extra, &build->extra_capacity, build->extra_count + 1,
                   sizeof *build->extra))
    return false;
  *region = build->mesh->polygons.count + (uint32_t)build->extra_count;
  build->extra[build->extra_count++] = polygon;
  return true;
}

/* Turn labels of intervals into regions; the first region has the polygon's index. */
static bool number_regions(clearance_build *build, uint32_t polygon, uint32_t count) {
  uint32_t found = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (build->labels[i] != i) {
      build->labels[count + i] = build->labels[count + build->labels[i]];
      continue;
    }
    build->labels[count + i] = polygon;
    if (found++ > 0 && !add_region(build, polygon, &build->labels[count + i])) return false;
  }
  return true;
}

static bool find_regions(clearance_build *build, uint32_t p) {
  uint32_t first = build->first[p], end = build->first[p + 1];
  lwi_barriers barriers = lwi_clearance_walls_near(build->clearance, p);
  lwi_polygon polygon = lwi_polygon_get(build->mesh, p);
  if (barriers.count == 0 || end - first < 2) {
    for (uint32_t i = first; i < end; i++) build->clear_portals[build->order[i]].region = p;
    return true;
  }
  int limit = (int)(end - first);
  if (!lwi_reserve(build->memory, &build->free_intervals, &build->free_interval_capacity, limit,
                   sizeof *build->free_intervals) ||
      !lwi_reserve(build->memory, &build->labels, &build->label_capacity, 2 * limit, sizeof *build->labels) ||
      !read_corners(build, &polygon))
    return false;
  uint32_t count = gather_free_intervals(build, first, end);
  const lwi_free_outline outline = {build->corners, polygon.count, build->free_intervals, count};
  if (!lwi_region_join(&build->region, &barriers, &outline, build->labels) || !number_regions(build, p, count))
    return false;
  for (uint32_t i = first; i < end; i++) {
    clear_portal *part = &build->clear_portals[build->order[i]];
    part->region = build->labels[count + part->region];
  }
  return true;
}

/* Store clear portals by region, as a search reads them. */
static bool store_graph(clearance_build *build) {
  lwi_clearance *clearance = build->clearance;
  uint32_t regions = build->mesh->polygons.count + (uint32_t)build->extra_count;
  uint32_t count = (uint32_t)build->clear_portal_count;
  size_t extra_size = (size_t)build->extra_count * sizeof *clearance->extra;
  clearance->clear_portal_count = count;
  clearance->graph = (lwi_graph){.mesh = build->mesh, .region_count = regions, .portal_count = count};
  clearance->first_clear_portal =
      lwi_alloc_zero(build->memory, ((size_t)regions + 1) * sizeof *clearance->first_clear_portal);
  clearance->clear_portals = lwi_alloc(build->memory, count * sizeof *clearance->clear_portals);
  clearance->intervals = lwi_alloc(build->memory, ((size_t)count + 1) * sizeof *clearance->intervals);
  clearance->extra = lwi_alloc(build->memory, extra_size);
  if (!clearance->intervals || !clearance->first_clear_portal || (!clearance->clear_portals && count > 0) ||
      (!clearance->extra && extra_size > 0))
    return false;
  for (int i = 0; i < build->extra_count; i++) clearance->extra[i] = build->extra[i];
  uint32_t *first = clearance->first_clear_portal;
  for (uint32_t i = 0; i < count; i++) first[build->clear_portals[i].region] += 1;
  for (uint32_t r = 1; r <= regions; r++) first[r] += first[r - 1];
  for (uint32_t i = count; i-- > 0;) {
    const clear_portal *part = &build->clear_portals[build->order[i]];
    uint32_t at = --first[part->region];
    clearance->intervals[at + 1] = (lwi_portal_interval){part->t0, part->t1};
    clearance->clear_portals[at] =
        (lwi_portal){build->clear_portals[part->back].region, part->edge & 0xff, (at + 1) & LWI_MAX_INTERVALS};
  }
  clearance->graph.first_portal = first;
  clearance->graph.end_portal = first + 1;
  clearance->graph.portals = clearance->clear_portals;
  clearance->intervals[0] = (lwi_portal_interval){0, 1};
  clearance->graph.intervals = clearance->intervals;
  clearance->graph.polygons = clearance->extra;
  return true;
}

/* An agent can take a link only when it can stand at both ends. */
static bool find_link_regions(clearance_build *build) {
  lwi_clearance *clearance = build->clearance;
  uint32_t count = build->mesh->links.count;
  if (count == 0) return true;
  clearance->link_regions = lwi_alloc(build->memory, count * sizeof *clearance->link_regions);
  if (!clearance->link_regions) return false;
  for (uint32_t i = 0; i < count; i++) {
    const lwi_link *link = &build->mesh->links.items[i];
    lwi_link_regions *regions = &clearance->link_regions[i];
    if (!lwi_clearance_region(clearance, &build->region, link->from, link->start, &regions->from) ||
        !lwi_clearance_region(clearance, &build->region, link->to, link->end, &regions->to))
      return false;
  }
  clearance->graph.link_regions = clearance->link_regions;
  return true;
}

static bool build_all(clearance_build *build) {
  if (!find_walls(build->clearance, build->mesh, build->filter) || !find_all_clear_portals(build) ||
      !sort_clear_portals(build))
    return false;
  for (uint32_t p = 0; p < build->mesh->polygons.count; p++)
    if (lwi_is_there(build->mesh, p) && !find_regions(build, p)) return false;
  return store_graph(build) && find_link_regions(build);
}

static void free_build(clearance_build *build) {
  lwi_memory *memory = build->memory;
  lwi_region_scratch_free(&build->region);
  lwi_free(memory, build->clear_portals, (size_t)build->clear_portal_capacity * sizeof *build->clear_portals);
  lwi_free(memory, build->first, ((size_t)build->mesh->polygons.count + 1) * sizeof *build->first);
  lwi_free(memory, build->order, (size_t)build->clear_portal_count * sizeof *build->order);
  lwi_free(memory, build->free_intervals,
           (size_t)build->free_interval_capacity * sizeof *build->free_intervals);
  lwi_free(memory, build->labels, (size_t)build->label_capacity * sizeof *build->labels);
  lwi_free(memory, build->extra, (size_t)build->extra_capacity * sizeof *build->extra);
  lwi_free(memory, build->corners, (size_t)build->corner_capacity * sizeof *build->corners);
}

lwi_clearance *lwi_clearance_create(lwi_memory *memory, const lw_navmesh *mesh, const lw_filter *filter) {
  lwi_clearance *clearance = lwi_alloc_zero(memory, sizeof *clearance);
  if (!clearance) return NULL;
  clearance->memory = memory;
  clearance->keep = (double)(lwi_clearance_extra(mesh, filter) - KEEP_SLACK);
  clearance->graph.mesh = mesh;
  clearance->polygon_count = mesh->polygons.count;
  clearance->link_count = mesh->links.count;
  clearance_build build = {
      .memory = memory, .clearance = clearance, .mesh = mesh, .filter = filter, .region = {.memory = memory}};
  bool done = build_all(&build);
  free_build(&build);
  if (done) return clearance;
  lwi_clearance_destroy(clearance);
  return NULL;
}

void lwi_clearance_destroy(lwi_clearance *clearance) {
  if (!clearance) return;
  lwi_memory *memory = clearance->memory;
  const size_t polygons = clearance->polygon_count, regions = clearance->graph.region_count;
  lwi_free(memory, clearance->barriers, clearance->barrier_count * sizeof *clearance->barriers);
  lwi_free(memory, clearance->first_barrier, (polygons + 1) * sizeof *clearance->first_barrier);
  lwi_free(memory, clearance->near, clearance->near_count * sizeof *clearance->near);
  lwi_free(memory, clearance->first_near, (polygons + 1) * sizeof *clearance->first_near);
  lwi_free(memory, clearance->clear_portals, clearance->clear_portal_count * sizeof *clearance->clear_portals);
  lwi_free(memory, clearance->intervals,
           ((size_t)clearance->clear_portal_count + 1) * sizeof *clearance->intervals);
  lwi_free(memory, clearance->first_clear_portal, (regions + 1) * sizeof *clearance->first_clear_portal);
  lwi_free(memory, clearance->extra, (regions - polygons) * sizeof *clearance->extra);
  lwi_free(memory, clearance->link_regions, clearance->link_count * sizeof *clearance->link_regions);
  lwi_free(memory, clearance, sizeof *clearance);
}
