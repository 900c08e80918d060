/* The navmeshes of a world, and which of them serves whom. */
#include "world/world.h"

#include <math.h>

/* Sizes that differ by less are the same: those that were baked are whole cells, and rounded. [m] */
#define SAME_SIZE 1e-3

bool lwi_grounds_init(lw_world *world) {
  const lw_world_def *def = &world->def;
  int count = def->navmeshes ? def->navmesh_count : 1;
  world->grounds = lwi_alloc_zero(&world->memory, (size_t)count * sizeof *world->grounds);
  world->meshes = lwi_alloc_zero(&world->memory, (size_t)count * sizeof *world->meshes);
  world->ground_count = world->grounds ? count : 0;
  world->mesh_count = count;
  if (!world->grounds || !world->meshes) return false;
  for (int i = 0; i < count; i++) {
    lwi_ground *ground = &world->grounds[i];
    ground->mesh = world->meshes[i] = def->navmeshes ? def->navmeshes[i] : def->navmesh;
    lwi_components_init(&ground->components, &world->memory, ground->mesh);
    ground->random_scratch.memory = &world->memory;
    ground->flood.memory = &world->memory;
    ground->rings.memory = &world->memory;
    ground->rings.mesh = ground->lane_rings.mesh = ground->mesh;
    ground->lane_rings.memory = &world->memory;
    if (!lwi_search_init(&ground->search, &world->memory, ground->mesh)) return false;
  }
  world->def.navmeshes = NULL; /* the list was lent for the call */
  world->def.navmesh = world->grounds[0].mesh;
  return true;
}

void lwi_grounds_free(lw_world *world) {
  for (int i = 0; i < world->ground_count; i++) {
    lwi_ground *ground = &world->grounds[i];
    lwi_search_free(&ground->search);
    lwi_components_free(&ground->components);
    lwi_random_scratch_free(&ground->random_scratch, ground->mesh);
    lwi_flood_free(&ground->flood);
    lwi_rings_free(&ground->rings);
    lwi_rings_free(&ground->lane_rings);
    lwi_outlook_free(&ground->outlook);
    lwi_spots_free(&ground->spots);
  }
  lwi_free(&world->memory, world->meshes, (size_t)world->mesh_count * sizeof *world->meshes);
  lwi_free(&world->memory, world->grounds, (size_t)world->ground_count * sizeof *world->grounds);
}

const lw_navmesh *lw_world_navmesh(const lw_world *world) {
  return world->grounds[0].mesh;
}
int lw_world_navmesh_count(const lw_world *world) {
  return world->ground_count;
}
const lw_navmesh *lw_world_navmesh_at(const lw_world *world, int index) {
  return index >= 0 && index < world->ground_count ? world->grounds[index].mesh : NULL;
}
int lw_world_navmesh_index(const lw_world *world, const lw_navmesh *navmesh) {
  for (int i = 0; i < world->ground_count; i++)
    if (world->grounds[i].mesh == navmesh) return i;
  return -1;
}

/* --- size ------------------------------------------------------------------------------------------------------- */

/* What is wrong with a navmesh's size for a profile, worst first. */
#define MISFITS 4

static void measure(const lw_navmesh *mesh, const lw_profile *profile, double *misfits) {
  double radius = profile ? (double)profile->def.radius : 0, height = profile ? (double)profile->def.height : 0;
  radius -= (double)mesh->agent.radius;
  height -= (double)mesh->agent.height;
  misfits[0] = fmax(0, height);
  misfits[1] = fmax(0, radius);
  misfits[2] = fmax(0, -radius);
  misfits[3] = fmax(0, -height);
}

/* < 0: a fits better; 0: they have the same size. */
static int compare_fit(const lw_navmesh *a, const lw_navmesh *b, const lw_profile *profile) {
  double of_a[MISFITS], of_b[MISFITS];
  measure(a, profile, of_a);
  measure(b, profile, of_b);
  for (int i = 0; i < MISFITS; i++)
    if (fabs(of_a[i] - of_b[i]) > SAME_SIZE) return of_a[i] < of_b[i] ? -1 : 1;
  return 0;
}

bool lwi_ground_fits(const lw_world *world, const lwi_ground *ground, const lw_profile *profile) {
  for (int i = 0; i < world->ground_count; i++)
    if (compare_fit(world->grounds[i].mesh, ground->mesh, profile) < 0) return false;
  return true;
}

/* --- place ------------------------------------------------------------------------------------------------------ */

/* Do the navmesh's bounds, grown, hold the point? */
static bool holds(const lw_navmesh *mesh, lw_vec3 p, float grow_x, float grow_y, float grow_z) {
  lw_box box = mesh->bounds;
  return p.x >= box.min.x - grow_x && p.x <= box.max.x + grow_x && p.y >= box.min.y - grow_y &&
         p.y <= box.max.y + grow_y && p.z >= box.min.z - grow_z && p.z <= box.max.z + grow_z;
}

typedef struct place_search {
  const lw_world *world;
  lw_vec3 point, snap;
  const lw_profile *profile;
  const lw_filter *filter;
  bool near; /* whoever is within the snap counts, not only who holds the point */
} place_search;

static bool is_there(const place_search *search, const lwi_ground *ground) {
  float x = search->near ? search->snap.x : 0, z = search->near ? search->snap.z : 0;
  return holds(ground->mesh, search->point, x, search->snap.y, z);
}

/* The first of those that are there and fit best. */
static lwi_ground *best_fit(const place_search *search) {
  lwi_ground *best = NULL;
  for (int i = 0; i < search->world->ground_count; i++) {
    lwi_ground *ground = &search->world->grounds[i];
    if (!is_there(search, ground)) continue;
    if (!best || compare_fit(ground->mesh, best->mesh, search->profile) < 0) best = ground;
  }
  return best;
}

/* Of all that have the size of `best`, the one with the nearest place. */
static lw_status nearest_of_size(const place_search *search, lwi_ground *best, lwi_ground **ground,
                                 lw_location *at) {
  lw_status status = LW_NO_POINT;
  float distance = INFINITY;
  *ground = best;
  for (int i = 0; i < search->world->ground_count; i++) {
    lwi_ground *other = &search->world->grounds[i];
    lw_location found;
    if (!is_there(search, other) || compare_fit(other->mesh, best->mesh, search->profile) != 0) continue;
    if (lw_navmesh_nearest(other->mesh, search->point, search->snap, search->filter, &found) != LW_OK) continue;
    if (lwi_distance(found.point, search->point) >= distance) continue;
    distance = lwi_distance(found.point, search->point);
    status = LW_OK;
    *ground = other;
    *at = found;
  }
  return status;
}

lw_status lwi_world_place(const lw_world *world, int navmesh, lw_vec3 point, lw_vec3 snap,
                          const lw_profile *profile, lwi_ground **ground, lw_location *at) {
  const lwi_prices *prices = profile ? &profile->prices : &world->plain;
  if (navmesh >= 0 || world->ground_count == 1) {
    *ground = &world->grounds[navmesh >= 0 ? navmesh : 0];
    return lw_navmesh_nearest((*ground)->mesh, point, snap, &prices->filter, at);
  }
  *ground = NULL;
  *at = (lw_location){.point = point};
  if (!lwi_finite(point) || !(snap.x > 0 && snap.y > 0 && snap.z > 0)) return LW_INVALID;
  place_search search = {world, point, snap, profile, &prices->filter, false};
  lwi_ground *best = best_fit(&search);
  if (!best) {
    search.near = true;
    best = best_fit(&search);
  }
  return best ? nearest_of_size(&search, best, ground, at) : LW_NO_POINT;
}

lw_status lw_world_find_navmesh(const lw_world *world, lw_vec3 point, lw_vec3 snap, const lw_profile *profile,
                                int *navmesh, lw_location *at) {
  lwi_ground *ground;
  lw_location found;
  lw_status status = lwi_world_place(world, LW_NAVMESH_FITTING, point, snap, profile, &ground, &found);
  if (navmesh) *navmesh = ground ? (int)(ground - world->grounds) : -1;
  if (at) *at = found;
  return status;
}
