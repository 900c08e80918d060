/* The mesh ends about an agent's radius before a wall, and further away in corners. So the ground beside a
   wall point is the mesh's nearest point to a point one radius before the wall, if nothing lies between that
   and the wall. */
#include "bake/wall_ground.h"

#include "core/vec3.h"

#include <stdlib.h>

/* How far the mesh's border may deviate from one radius, besides what corners need. [m] */
#define SLACK 0.35f
/* Floors closer than this are the same. [m] */
#define FLOOR_APART 0.4f
/* How far the ground may be from the mesh's surface. [m] */
#define GROUND_SLACK 0.35f
/* Lines of sight end this far before the wall, because facets of one plane are not exactly in it. [m] */
#define BEFORE 0.03f
#define HALF_SIGHT 0.5f
/* How far ground may be from the height that designers gave. [m] */
#define REQUEST_SLACK 0.5f
/* Boxes are skipped only if they are further away than this: it covers rounding. [m] */
#define LOOSE 0.01f

typedef struct footing {
  lw_vec3 at;
  float far; /* distance from the expected point before a straight wall */
} footing;

static lw_vec3 on_face(const lwi_wall_place *place, float y, float out) {
  double off = place->lean * (double)y + (double)out;
  return lwi_vec3((float)(place->x + place->hx * off), y, (float)(place->z + place->hz * off));
}

static float clamp(float x, float low, float high) {
  return x < low ? low : x > high ? high : x;
}

/* How far polygons may be from the expected point at the wall's middle height. */
static float reach_of(const lwi_beside *of, const lwi_wall_place *place) {
  return of->mesh->agent.radius + SLACK + fabsf((float)place->lean) * (place->high - place->low);
}

/* The polygon's nearest point to the expected one. @return Whether it is at the wall. */
static bool try_polygon(const lwi_beside *of, const lwi_wall_place *place, uint32_t polygon, lw_vec3 before,
                        footing *best) {
  const float radius = of->mesh->agent.radius;
  lwi_polygon corners = lwi_polygon_get(of->mesh, polygon);
  lw_vec3 at;
  lwi_polygon_closest(&corners, before, &at);
  if (lwi_distance_xz(at, before) > reach_of(of, place)) return false;
  at.y = lwi_polygon_height(of->mesh, polygon, at.x, at.z);
  if (!lwi_is_cover(place->low - GROUND_SLACK, place->high + GROUND_SLACK, at.y)) return false;
  if (place->lean != 0) { /* the wall leans: use its position at that height */
    before = on_face(place, clamp(at.y + LWI_COVER_TOP_MIN, place->low, place->high), radius);
    lwi_polygon_closest(&corners, before, &at);
    at.y = lwi_polygon_height(of->mesh, polygon, at.x, at.z);
  }
  lw_vec3 face = on_face(place, at.y, 0);
  double out = (at.x - (double)face.x) * place->hx + (at.z - (double)face.z) * place->hz;
  *best = (footing){at, lwi_distance_xz(at, before)};
  return best->far <= radius + SLACK && out >= 0.5 * (double)radius;
}

/* Keep the nearest of each floor. @return How many floors there are. */
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

static lw_vec3 middle_of(const lwi_beside *of, const lwi_wall_place *place) {
  return on_face(place, (place->low + place->high) / 2, of->mesh->agent.radius);
}

/* Is the whole box too far away, too high or too low? */
static bool is_beyond(const lw_box *box, lw_vec3 at, float reach, float low, float high) {
  float x = lwi_max(lwi_max(box->min.x - at.x, at.x - box->max.x), 0);
  float z = lwi_max(lwi_max(box->min.z - at.z, at.z - box->max.z), 0);
  reach += LOOSE;
  return x * x + z * z > reach * reach || box->min.y > high + LOOSE || box->max.y < low - LOOSE;
}

static int find_footings(const lwi_beside *of, const lwi_wall_place *place, footing *floors) {
  const lw_vec3 before = middle_of(of, place);
  const float reach = reach_of(of, place), low = place->low - GROUND_SLACK - LWI_COVER_BOTTOM_MAX,
              high = place->high + GROUND_SLACK - LWI_COVER_TOP_MIN;
  int count = 0;
  for (int i = 0; i < of->count; i++) {
    footing one;
    if (!is_beyond(&of->boxes[of->near[i]], before, reach, low, high) &&
        try_polygon(of, place, of->near[i], before, &one))
      count = add_footing(floors, count, &one);
  }
  return count;
}

/* The real height: the mesh follows the ground in steps of its voxels. */
static float ground_at(const lwi_beside *of, lw_vec3 at) {
  lw_vec3 above = at, below = at;
  above.y += GROUND_SLACK;
  below.y -= GROUND_SLACK;
  float t = lwi_lines_ray(of->lines, above, below, false);
  return t < 1 ? above.y - 2 * GROUND_SLACK * t : at.y;
}

/* Does an agent there see the wall at chest height? */
static bool is_before(const lwi_beside *of, const lwi_wall_place *place, lw_vec3 at, float ground) {
  float low = fmaxf(place->low, ground), high = fminf(place->high, ground + 2 * HALF_SIGHT);
  lw_vec3 eye = {at.x, (low + high) / 2, at.z}, face = on_face(place, eye.y, BEFORE);
  return high > low && lwi_lines_see(of->lines, eye, face, place->soft);
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

bool lwi_beside_is_ground(const lwi_beside *of, const lwi_wall_place *place, float height) {
  footing found[LWI_FLOORS];
  const int count = find_footings(of, place, found);
  for (int i = 0; i < count; i++)
    if (fabsf(found[i].at.y - height) <= REQUEST_SLACK) return true;
  return false;
}

/* --- what is near ----------------------------------------------------------------------------------------- */

static lw_box box_of(const lw_navmesh *mesh, uint32_t p) {
  lwi_polygon polygon = lwi_polygon_get(mesh, p);
  lw_box box = lwi_box_empty();
  for (uint32_t i = 0; i < polygon.count; i++) box = lwi_box_add(box, lwi_corner(&polygon, i));
  if (mesh->detail.first_vertex)
    for (uint32_t i = mesh->detail.first_vertex[p]; i < mesh->detail.first_vertex[p + 1]; i++)
      box = lwi_box_add(box, mesh->detail.vertices[i]);
  return box;
}

void lwi_beside_boxes(const lw_navmesh *mesh, lw_box *boxes) {
  for (uint32_t p = 0; p < mesh->polygons.count; p++) boxes[p] = box_of(mesh, p);
}

float lwi_beside_range(const lw_navmesh *mesh) {
  return mesh->agent.radius + SLACK + 0.1f;
}

lw_box lwi_beside_reach(const lwi_beside *of, const lwi_wall_place *place, lw_box box) {
  const lw_vec3 at = middle_of(of, place);
  const float reach = reach_of(of, place) + 2 * LOOSE;
  return lwi_box_add(lwi_box_add(box, lwi_vec3(at.x - reach, at.y, at.z - reach)),
                     lwi_vec3(at.x + reach, at.y, at.z + reach));
}

static int compare(const void *left, const void *right) {
  const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  return (a > b) - (a < b);
}

static bool gather_cell(lwi_beside *of, uint32_t first, uint32_t end, const lw_box *box) {
  if (!lwi_reserve(of->memory, &of->near, &of->capacity, of->count + (int)(end - first), sizeof *of->near))
    return false;
  for (uint32_t k = first; k < end; k++) {
    const uint32_t polygon = of->mesh->grid.references[k].polygon;
    if (of->has && !of->has[polygon]) {
      of->has[polygon] = 1;
      of->boxes[polygon] = box_of(of->mesh, polygon);
    }
    const lw_box *about = &of->boxes[polygon];
    if (about->min.x <= box->max.x && about->max.x >= box->min.x && about->min.z <= box->max.z &&
        about->max.z >= box->min.z)
      of->near[of->count++] = polygon;
  }
  return true;
}

bool lwi_beside_gather(lwi_beside *of, const lw_box *box) {
  const lwi_grid *grid = &of->mesh->grid;
  lwi_cells cells;
  of->count = 0;
  if (!lwi_grid_cells(grid, box->min.x, box->min.z, box->max.x, box->max.z, &cells)) return true;
  for (int z = cells.z0; z <= cells.z1; z++)
    for (int x = cells.x0; x <= cells.x1; x++) {
      size_t cell = (size_t)z * (size_t)grid->width + (size_t)x;
      if (!gather_cell(of, grid->first[cell], grid->first[cell + 1], box)) return false;
    }
  if (of->count == 0) return true;
  qsort(of->near, (size_t)of->count, sizeof *of->near, compare);
  int count = 1;
  for (int i = 1; i < of->count; i++)
    if (of->near[i] != of->near[count - 1]) of->near[count++] = of->near[i];
  of->count = count;
  return true;
}

void lwi_beside_free(lwi_beside *of) {
  lwi_free(of->memory, of->near, (size_t)of->capacity * sizeof *of->near);
}
