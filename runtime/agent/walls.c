#include "agent/walls.h"

#include "agent/steering.h"
#include "core/vec3.h"
#include "mesh/mesh.h"

#include <math.h>

/* Walls are collected again when an agent enters another cell. [m] */
#define CELL 0.5f
/* So far from the cell's middle; the agent may be half a diagonal of the cell nearer. [m] */
#define REACH 1.1f
/* Polygons looked at, at most; walls of those behind are not seen. */
#define POLYGONS_MAX 64
/* Two walls are one where an end of one is so near to that of the other, and their directions are alike. [m] */
#define SAME_END 0.02f
#define SAME_DIRECTION 0.998f
#define FOUND_MAX 96

typedef struct found_walls {
  lwi_wall items[FOUND_MAX];
  int count;
} found_walls;

static void add_wall(found_walls *found, lw_vec3 a, lw_vec3 b) {
  const float dx = b.x - a.x, dz = b.z - a.z, length = sqrtf(dx * dx + dz * dz);
  if (found->count == FOUND_MAX || !(length > 1e-4f)) return;
  found->items[found->count++] = (lwi_wall){a.x, a.z, b.x, b.z, dz / length, -dx / length};
}

static void add_near(found_walls *found, lw_vec3 center, lw_vec3 a, lw_vec3 b, float reach) {
  if (lwi_distance_xz(lwi_nearest_on(a, b, center), center) <= reach) add_wall(found, a, b);
}

/* The parts of a polygon's edges that no portal covers which the agent may cross. */
static void add_polygon(found_walls *found, const lw_navmesh *mesh, uint32_t index, const lw_filter *filter,
                        lw_vec3 center, float reach) {
  const lwi_polygon polygon = lwi_polygon_get(mesh, index);
  uint32_t k = mesh->graph.first_portal[index];
  const uint32_t end = mesh->graph.end_portal[index];
  for (uint32_t edge = 0; edge < polygon.count; edge++) {
    const lw_vec3 a = lwi_corner(&polygon, edge), b = lwi_corner(&polygon, lwi_next_corner(&polygon, edge));
    float open_to = 0;
    for (; k < end && mesh->graph.portals[k].edge == edge; k++) {
      const lwi_portal *portal = &mesh->graph.portals[k];
      if (!lwi_crosses(mesh, filter, portal)) continue;
      const lwi_portal_interval part = lwi_interval_of_portal(mesh, portal);
      if (lwi_is_wall(a, b, open_to, part.t0))
        add_near(found, center, lwi_lerp(a, b, open_to), lwi_lerp(a, b, part.t0), reach);
      open_to = fmaxf(open_to, part.t1);
    }
    if (lwi_is_wall(a, b, open_to, 1)) add_near(found, center, lwi_lerp(a, b, open_to), b, reach);
  }
}

static bool is_same(float ax, float az, float bx, float bz) {
  return fabsf(ax - bx) <= SAME_END && fabsf(az - bz) <= SAME_END;
}

/* Join walls that continue each other: where two meet there is no corner to be seen. */
static void merge(found_walls *found) {
  for (int i = 0; i < found->count; i++)
    for (int k = 0; k < found->count; k++) {
      lwi_wall *a = &found->items[i], *b = &found->items[k];
      if (i == k || !is_same(a->bx, a->bz, b->ax, b->az) || a->nx * b->nx + a->nz * b->nz < SAME_DIRECTION)
        continue;
      a->bx = b->bx;
      a->bz = b->bz;
      *b = found->items[--found->count];
      if (i == found->count) i = k; /* the joined one was moved there */
      k = -1;
    }
}

/* Total orders, whatever order they were found in. */
static bool is_left_of(const lwi_wall *a, const lwi_wall *b) {
  if (a->ax != b->ax) return a->ax < b->ax;
  if (a->az != b->az) return a->az < b->az;
  return a->bx != b->bx ? a->bx < b->bx : a->bz < b->bz;
}

static bool comes_before(const lwi_wall *a, const lwi_wall *b, float x, float z) {
  const float far_a = lwi_wall_distance(a, x, z), far_b = lwi_wall_distance(b, x, z);
  return far_a != far_b ? far_a < far_b : is_left_of(a, b);
}

static void swap_walls(lwi_wall *a, lwi_wall *b) {
  const lwi_wall swap = *a;
  *a = *b;
  *b = swap;
}

static void sort_walls(found_walls *found) {
  for (int i = 1; i < found->count; i++)
    for (int k = i; k > 0 && is_left_of(&found->items[k], &found->items[k - 1]); k--)
      swap_walls(&found->items[k], &found->items[k - 1]);
}

static int keep_nearest(lwi_wall *walls, found_walls *found, float x, float z) {
  for (int i = 1; i < found->count; i++)
    for (int k = i; k > 0 && comes_before(&found->items[k], &found->items[k - 1], x, z); k--)
      swap_walls(&found->items[k], &found->items[k - 1]);
  const int count = found->count < LWI_WALLS_MAX ? found->count : LWI_WALLS_MAX;
  for (int i = 0; i < count; i++) walls[i] = found->items[i];
  return count;
}

int lwi_walls_about(const lw_navmesh *mesh, lw_circle circle, const lw_filter *filter,
                    lwi_wall walls[LWI_WALLS_MAX]) {
  lw_poly_id around[POLYGONS_MAX];
  int count = 0;
  const lw_status status = lw_navmesh_polygons_around(mesh, circle, filter, around, POLYGONS_MAX, &count);
  found_walls found = {.count = 0};
  if (status == LW_LIMIT) count = POLYGONS_MAX;
  for (int i = 0; i < count; i++)
    add_polygon(&found, mesh, lwi_poly_index(mesh, around[i]), filter, circle.center.point, circle.radius);
  sort_walls(&found);
  merge(&found);
  return keep_nearest(walls, &found, circle.center.point.x, circle.center.point.z);
}

void lwi_agent_see_walls(lwi_agent *agent, const lw_navmesh *mesh) {
  lwi_agent_walls *walls = &agent->route.motion.walls;
  const int32_t x = (int32_t)floorf(agent->at.point.x / CELL), z = (int32_t)floorf(agent->at.point.z / CELL);
  if (walls->poly == agent->at.poly && walls->poly != 0 && walls->cell_x == x && walls->cell_z == z &&
      walls->mesh == mesh && walls->version == mesh->live.version)
    return;
  walls->poly = agent->at.poly;
  walls->cell_x = x;
  walls->cell_z = z;
  walls->mesh = mesh;
  walls->version = mesh->live.version;
  const float extra = fmaxf(0, agent->profile->def.radius - mesh->agent.radius);
  lw_circle circle = {.center = agent->at, .radius = REACH + extra};
  circle.center.point.x = ((float)x + 0.5f) * CELL;
  circle.center.point.z = ((float)z + 0.5f) * CELL;
  walls->count = lwi_walls_about(mesh, circle, &agent->profile->prices.filter, walls->items);
}

float lwi_free_length(const lw_navmesh *mesh, lw_location from, lwi_vec2 direction, float far,
                      const lw_filter *filter) {
  const lw_vec3 at = from.point, to = {at.x + direction.x * far, at.y, at.z + direction.z * far};
  lw_raycast ray;
  return lw_navmesh_raycast(mesh, from, to, filter, &ray) == LW_OK ? ray.t * far : 0;
}
