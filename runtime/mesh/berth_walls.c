#include "mesh/berth_walls.h"

/* A wall whose height differs from a polygon's by more than twice what must be kept from it, and this, is of another
   floor. [m] */
#define FLOOR_SLACK 1.0f

typedef struct wall_gather {
  lwi_berth *berth;
  const lw_navmesh *mesh;
  const lw_filter *filter;
  lwi_memory *memory;
  uint32_t *seen;  /* [polygon_count] The polygon + 1 that it was last looked at for. */
  uint32_t *queue; /* [polygon_count] */
  uint32_t *near;
  int near_count, near_capacity;
  /* Of the polygon that walls are gathered for. */
  uint32_t at;
  lwi_polygon polygon;
  double min_x, min_z, max_x, max_z;
  float low, high;
} wall_gather;

/* --- all walls ------------------------------------------------------------------------------------------------- */

static uint32_t add_barrier(lwi_barrier *out, lw_vec3 a, lw_vec3 b, float from, float to) {
  if (!lwi_is_wall(a, b, from, to)) return 0;
  if (out) {
    lw_vec3 begin = from <= 0 ? a : lwi_lerp(a, b, from), end = to >= 1 ? b : lwi_lerp(a, b, to);
    *out = (lwi_barrier){begin.x, begin.z, end.x, end.z};
  }
  return 1;
}

/* What of a polygon's edges no passable portal leads through. @param out  NULL: only count them. */
static uint32_t read_barriers(const lw_navmesh *mesh, const lw_filter *filter, uint32_t p, lwi_barrier *out) {
  if (!lw_filter_passes(filter, mesh->poly_areas[p])) return 0;
  lwi_polygon polygon = lwi_polygon_get(mesh, p);
  uint32_t count = 0, k = mesh->first_portal[p], end = mesh->first_portal[p + 1];
  for (uint32_t edge = 0; edge < polygon.count; edge++) {
    lw_vec3 a = lwi_corner(&polygon, edge), b = lwi_corner(&polygon, lwi_next_corner(&polygon, edge));
    float open_to = 0;
    for (; k < end && mesh->portals[k].edge == edge; k++) {
      if (!lw_filter_passes(filter, mesh->poly_areas[mesh->portals[k].to])) continue;
      lwi_stretch stretch = lwi_portal_stretch(mesh, &mesh->portals[k]);
      count += add_barrier(out ? out + count : NULL, a, b, open_to, stretch.t0);
      open_to = fmaxf(open_to, stretch.t1);
    }
    count += add_barrier(out ? out + count : NULL, a, b, open_to, 1);
  }
  return count;
}

static bool collect_barriers(lwi_berth *berth, const lw_navmesh *mesh, const lw_filter *filter) {
  uint32_t polygons = mesh->polygon_count;
  berth->first_barrier = lwi_alloc_zero(berth->memory, ((size_t)polygons + 1) * sizeof *berth->first_barrier);
  if (!berth->first_barrier) return false;
  for (uint32_t p = 0; p < polygons; p++)
    berth->first_barrier[p + 1] = berth->first_barrier[p] + read_barriers(mesh, filter, p, NULL);
  uint32_t count = berth->first_barrier[polygons];
  berth->barriers = lwi_alloc(berth->memory, count * sizeof *berth->barriers);
  if (!berth->barriers && count > 0) return false;
  berth->barrier_count = count;
  for (uint32_t p = 0; p < polygons; p++)
    read_barriers(mesh, filter, p, berth->barriers + berth->first_barrier[p]);
  return true;
}

/* --- those near a polygon -------------------------------------------------------------------------------------- */

/* Does the piece of wall or portal come nearer to the polygon than that? */
static bool is_near(const wall_gather *gather, const lwi_barrier *piece, double distance) {
  double low_x = fmin((double)piece->ax, (double)piece->bx),
         high_x = fmax((double)piece->ax, (double)piece->bx);
  double low_z = fmin((double)piece->az, (double)piece->bz),
         high_z = fmax((double)piece->az, (double)piece->bz);
  if (high_x < gather->min_x - distance || low_x > gather->max_x + distance ||
      high_z < gather->min_z - distance || low_z > gather->max_z + distance)
    return false;
  const lwi_polygon *polygon = &gather->polygon;
  lwi_spot a = lwi_spot_of(lwi_corner(polygon, polygon->count - 1));
  bool holds = true; /* one end inside is as near as can be, though no edge is */
  for (uint32_t i = 0; i < polygon->count; i++) {
    lwi_spot b = lwi_spot_of(lwi_corner(polygon, i));
    if (lwi_barrier_distance(piece, a, b) < distance) return true;
    holds = holds && lwi_spot_turn(a, b, (lwi_spot){piece->ax, piece->az}) >= 0;
    a = b;
  }
  return holds;
}

static bool add_near(wall_gather *gather, uint32_t polygon) {
  const lwi_berth *berth = gather->berth;
  for (uint32_t i = berth->first_barrier[polygon]; i < berth->first_barrier[polygon + 1]; i++) {
    if (polygon != gather->at && !is_near(gather, &berth->barriers[i], berth->keep)) continue;
    if (!lwi_reserve(gather->memory, &gather->near, &gather->near_capacity, gather->near_count + 1,
                     sizeof *gather->near))
      return false;
    gather->near[gather->near_count++] = i;
  }
  return true;
}

/* Does the disc about some point of the polygon reach through the portal? */
static bool leads_on(const wall_gather *gather, uint32_t from, const lwi_portal *portal) {
  lw_vec3 left, right;
  if (gather->seen[portal->to] == gather->at + 1) return false;
  if (!lw_filter_passes(gather->filter, gather->mesh->poly_areas[portal->to])) return false;
  lwi_portal_points(gather->mesh, from, portal, &left, &right);
  float reach = 2 * (float)gather->berth->keep + FLOOR_SLACK;
  if (fminf(left.y, right.y) > gather->high + reach || fmaxf(left.y, right.y) < gather->low - reach)
    return false;
  lwi_barrier piece = {right.x, right.z, left.x, left.z};
  return from == gather->at || is_near(gather, &piece, gather->berth->keep);
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

/* Outwards over portals, as far as the disc reaches. */
static bool gather_near(wall_gather *gather, uint32_t p) {
  const lw_navmesh *mesh = gather->mesh;
  uint32_t count = 1;
  begin(gather, p);
  gather->queue[0] = p;
  gather->seen[p] = p + 1;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t polygon = gather->queue[i];
    if (!add_near(gather, polygon)) return false;
    for (uint32_t k = mesh->first_portal[polygon]; k < mesh->first_portal[polygon + 1]; k++) {
      if (!leads_on(gather, polygon, &mesh->portals[k])) continue;
      gather->seen[mesh->portals[k].to] = p + 1;
      gather->queue[count++] = mesh->portals[k].to;
    }
  }
  return true;
}

static bool gather_all(wall_gather *gather) {
  lwi_berth *berth = gather->berth;
  uint32_t polygons = gather->mesh->polygon_count;
  for (uint32_t p = 0; p < polygons; p++) {
    if (lw_filter_passes(gather->filter, gather->mesh->poly_areas[p]) && !gather_near(gather, p)) return false;
    berth->first_near[p + 1] = (uint32_t)gather->near_count;
  }
  berth->near = lwi_alloc(gather->memory, (size_t)gather->near_count * sizeof *berth->near);
  if (!berth->near && gather->near_count > 0) return false;
  berth->near_count = (uint32_t)gather->near_count;
  for (int i = 0; i < gather->near_count; i++) berth->near[i] = gather->near[i];
  return true;
}

bool lwi_berth_walls(lwi_berth *berth, const lw_navmesh *mesh, const lw_filter *filter) {
  size_t count = mesh->polygon_count;
  if (!collect_barriers(berth, mesh, filter)) return false;
  wall_gather gather = {.berth = berth, .mesh = mesh, .filter = filter, .memory = berth->memory};
  gather.seen = lwi_alloc_zero(berth->memory, count * sizeof *gather.seen);
  gather.queue = lwi_alloc(berth->memory, count * sizeof *gather.queue);
  berth->first_near = lwi_alloc_zero(berth->memory, (count + 1) * sizeof *berth->first_near);
  bool done = (count == 0 || (gather.seen && gather.queue)) && berth->first_near && gather_all(&gather);
  lwi_free(berth->memory, gather.seen, count * sizeof *gather.seen);
  lwi_free(berth->memory, gather.queue, count * sizeof *gather.queue);
  lwi_free(berth->memory, gather.near, (size_t)gather.near_capacity * sizeof *gather.near);
  return done;
}
