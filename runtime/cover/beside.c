/* The mesh ends an agent's radius before a wall, less or more by its voxels, and further away in corners; so one stands at
   the nearest place of the mesh to a point that far before the wall, if nothing is between it and the wall. */
#include "cover/beside.h"

#include "core/vec3.h"

/* How far the mesh's border may be from where the radius says, beside what corners need. [m] */
#define SLACK 0.35f
/* Floors no further apart are the same. [m] */
#define FLOOR_APART 0.4f
/* How far the ground may be from the mesh's surface. [m] */
#define GROUND_SLACK 0.35f
/* Lines of sight end so far before the wall: facets of one plane are not exactly in it. [m] */
#define BEFORE 0.03f
#define HALF_SIGHT 0.5f

typedef struct footing {
  lw_vec3 at;
  float far; /* from where one would stand if walls were straight */
} footing;

static lw_vec3 on_face(const lwi_wall_place *place, float y, float out) {
  double off = place->lean * (double)y + (double)out;
  return lwi_vec3((float)(place->x + place->hx * off), y, (float)(place->z + place->hz * off));
}

static float clamp(float x, float low, float high) {
  return x < low ? low : x > high ? high : x;
}

/* The polygon's place nearest to where one would stand. @return Whether that is at the wall. */
static bool try_polygon(const lwi_beside *of, const lwi_wall_place *place, uint32_t polygon, lw_vec3 before,
                        footing *best) {
  const float radius = of->mesh->agent.radius;
  lwi_polygon corners = lwi_polygon_get(of->mesh, polygon);
  lw_vec3 at;
  lwi_polygon_closest(&corners, before, &at);
  if (lwi_distance_xz(at, before) > radius + SLACK + fabsf((float)place->lean) * (place->high - place->low))
    return false;
  at.y = lwi_polygon_height(of->mesh, polygon, at.x, at.z);
  if (!lwi_is_cover(place->low - GROUND_SLACK, place->high + GROUND_SLACK, at.y)) return false;
  if (place->lean != 0) { /* where the wall is at that height */
    before = on_face(place, clamp(at.y + LWI_COVER_TOP_LEAST, place->low, place->high), radius);
    lwi_polygon_closest(&corners, before, &at);
    at.y = lwi_polygon_height(of->mesh, polygon, at.x, at.z);
  }
  lw_vec3 face = on_face(place, at.y, 0);
  double out = (at.x - (double)face.x) * place->hx + (at.z - (double)face.z) * place->hz;
  *best = (footing){at, lwi_distance_xz(at, before)};
  return best->far <= radius + SLACK && out >= 0.5 * (double)radius;
}

/* The nearest of each floor. @return How many there are then. */
static int add_footing(footing *floors, int count, const footing *one) {
  for (int i = 0; i < count; i++) {
    if (fabsf(floors[i].at.y - one->at.y) > FLOOR_APART) continue;
    if (one->far < floors[i].far) floors[i] = *one;
    return count;
  }
  if (count == LWI_FLOORS) return count;
  floors[count] = *one;
  return count + 1;
}

static int find_footings(const lwi_beside *of, const lwi_wall_place *place, footing *floors) {
  const lw_navmesh *mesh = of->mesh;
  const float radius = mesh->agent.radius;
  lw_vec3 before = on_face(place, (place->low + place->high) / 2, radius);
  float reach = radius + SLACK + fabsf((float)place->lean) * (place->high - place->low);
  lwi_cells cells;
  int count = 0;
  if (!lwi_grid_cells(&mesh->grid, before.x - reach, before.z - reach, before.x + reach, before.z + reach,
                      &cells))
    return 0;
  for (int z = cells.z0; z <= cells.z1; z++)
    for (int x = cells.x0; x <= cells.x1; x++) {
      size_t cell = (size_t)z * (size_t)mesh->grid.width + (size_t)x;
      for (uint32_t k = mesh->grid.first[cell]; k < mesh->grid.first[cell + 1]; k++) {
        footing one;
        if (try_polygon(of, place, mesh->grid.references[k].polygon, before, &one))
          count = add_footing(floors, count, &one);
      }
    }
  return count;
}

/* The surface of a mesh follows the ground in steps of its voxels. */
static float ground_at(const lwi_beside *of, lw_vec3 at) {
  lw_vec3 above = at, below = at;
  above.y += GROUND_SLACK;
  below.y -= GROUND_SLACK;
  float t = lwi_occluders_ray(of->occluders, above, below, false);
  return t < 1 ? above.y - 2 * GROUND_SLACK * t : at.y;
}

/* Is the wall what one who stands there has before the chest? */
static bool is_before(const lwi_beside *of, const lwi_wall_place *place, lw_vec3 at, float ground) {
  float low = fmaxf(place->low, ground), high = fminf(place->high, ground + 2 * HALF_SIGHT);
  lw_vec3 eye = {at.x, (low + high) / 2, at.z}, face = on_face(place, eye.y, BEFORE);
  return high > low && lwi_occluders_see(of->occluders, eye, face, place->soft);
}

int lwi_beside_find(const lwi_beside *of, const lwi_wall_place *place, float floors[LWI_FLOORS]) {
  footing found[LWI_FLOORS];
  int footings = find_footings(of, place, found), count = 0;
  for (int i = 0; i < footings; i++) {
    float ground = ground_at(of, found[i].at);
    if (!lwi_is_cover(place->low, place->high, ground) || !is_before(of, place, found[i].at, ground)) continue;
    int k = count++;
    for (; k > 0 && floors[k - 1] > ground; k--) floors[k] = floors[k - 1];
    floors[k] = ground;
  }
  return count;
}
