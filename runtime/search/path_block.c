/* A path as memory: its block, what is read from it, and the room that it is built in. */
#include "core/status.h"
#include "search/berth_path.h"
#include "search/path.h"

#include <string.h>

lw_path_query lw_path_query_default(void) {
  return (lw_path_query){.snap = {2, 4, 2},
                         .navmesh = LW_NAVMESH_FITTING,
                         .quality = LW_QUALITY_GOOD,
                         .max_nodes = INT32_MAX,
                         .heights = {0.9f, 1.6f},
                         .height_count = 2,
                         .visibility = -1,
                         .cookie = LWI_COOKIE};
}

/* A slice of a block. Slices whose elements are larger come first. */
static void *carve(char **at, size_t count, size_t size) {
  void *slice = *at;
  *at += count * size;
  return slice;
}

void lwi_path_free_arrays(lw_path *path) {
  lwi_free(&path->memory, path->block, path->size);
  lwi_free(&path->memory, path->corridor, (size_t)path->corridor_count * sizeof *path->corridor);
  path->block = NULL;
  path->corridor = NULL;
}

/* Two blocks: C libraries are slower with large ones. */
bool lwi_path_alloc(lw_path *path, size_t points, size_t runs, int links, size_t polygons) {
  size_t each = sizeof *path->points + sizeof *path->areas + sizeof *path->remaining + sizeof *path->tallies +
                (size_t)path->threat_count * sizeof *path->seen;
  path->size = (size_t)links * sizeof *path->links + runs * sizeof *path->runs + points * each;
  path->block = lwi_alloc(&path->memory, path->size);
  path->corridor = lwi_alloc(&path->memory, polygons * sizeof *path->corridor);
  path->corridor_count = (int)polygons;
  if (!path->block || !path->corridor) {
    lwi_path_free_arrays(path);
    return false;
  }
  char *at = path->block;
  path->links = carve(&at, (size_t)links, sizeof *path->links);
  path->points = carve(&at, points, sizeof *path->points);
  path->remaining = carve(&at, points, sizeof *path->remaining);
  path->runs = carve(&at, runs, sizeof *path->runs);
  path->tallies = carve(&at, points, sizeof *path->tallies);
  path->seen = carve(&at, points * (size_t)path->threat_count, sizeof *path->seen);
  path->areas = carve(&at, points, sizeof *path->areas);
  path->link_count = links;
  return true;
}

void lw_path_destroy(lw_path *path) {
  if (!path) return;
  lwi_path_free_arrays(path);
  lwi_memory memory = path->memory;
  lwi_free(&memory, path, sizeof *path);
}

const lw_vec3 *lw_path_points(const lw_path *path, int *count) {
  *count = path->point_count;
  return path->points;
}
const lw_poly_id *lw_path_corridor(const lw_path *path, int *count) {
  *count = path->corridor_count;
  return path->corridor;
}
lw_area_id lw_path_area(const lw_path *path, int index) {
  return index >= 0 && index < path->point_count ? path->areas[index] : LW_AREA_NONE;
}
const lwi_path_link *lwi_path_link_at(const lw_path *path, int index) {
  for (int i = 0; i < path->link_count; i++)
    if (path->links[i].point == index) return &path->links[i];
  return NULL;
}
lw_link_kind lw_path_link(const lw_path *path, int index) {
  const lwi_path_link *link = lwi_path_link_at(path, index);
  return link ? link->kind : LW_LINK_NONE;
}
float lw_path_remaining(const lw_path *path, int index) {
  return index >= 0 && index < path->point_count ? path->remaining[index] : 0;
}
float lw_path_length(const lw_path *path) {
  return path->length;
}
float lw_path_cost(const lw_path *path) {
  return path->cost;
}
bool lw_path_is_partial(const lw_path *path) {
  return path->partial;
}
int lw_path_navmesh(const lw_path *path) {
  return path->navmesh;
}
float lw_path_exposed(const lw_path *path) {
  return path->exposed;
}
float lw_path_danger(const lw_path *path) {
  double sum = 0;
  for (int i = 0; i < path->point_count; i++) sum += (double)path->tallies[i].danger;
  return (float)sum;
}
int lw_path_nodes(const lw_path *path) {
  return path->nodes;
}

/* --- room to work in -------------------------------------------------------------------------------------------- */

static void free_block(lwi_path_room *room) {
  lwi_free(room->memory, room->block, room->size);
  room->block = NULL;
  room->size = 0;
  room->capacity = 0;
}

/* An array's place in the block, with what it held. */
static void *carve_again(char **at, size_t count, const void *before, size_t held, size_t size) {
  void *slice = carve(at, count, size);
  if (held > 0) memcpy(slice, before, held * size);
  return slice;
}

static bool reserve_block(lwi_path_room *room, int points) {
  if (points <= room->capacity) return true;
  size_t held = (size_t)room->capacity, count = (size_t)points + (size_t)points / 2 + 64;
  size_t each = sizeof *room->gates + sizeof *room->prices + sizeof *room->costs + 3 * sizeof(lw_vec3) +
                sizeof *room->pieces + sizeof *room->tallies + sizeof *room->corners + sizeof *room->polygons +
                sizeof *room->keep + sizeof *room->stirred;
  char *block = lwi_alloc(room->memory, count * each), *at = block;
  if (!block) return false;
  room->gates = carve_again(&at, count, room->gates, held, sizeof *room->gates);
  room->prices = carve_again(&at, count, room->prices, held, sizeof *room->prices);
  room->costs = carve_again(&at, count, room->costs, held, sizeof *room->costs);
  room->crossings = carve_again(&at, count, room->crossings, held, sizeof *room->crossings);
  room->best = carve_again(&at, count, room->best, held, sizeof *room->best);
  room->points = carve_again(&at, count, room->points, held, sizeof *room->points);
  room->pieces = carve_again(&at, count, room->pieces, held, sizeof *room->pieces);
  room->tallies = carve_again(&at, count, room->tallies, held, sizeof *room->tallies);
  room->corners = carve_again(&at, count, room->corners, held, sizeof *room->corners);
  room->polygons = carve_again(&at, count, room->polygons, held, sizeof *room->polygons);
  room->keep = carve_again(&at, count, room->keep, held, sizeof *room->keep);
  room->stirred = carve_again(&at, count, room->stirred, held, sizeof *room->stirred);
  free_block(room);
  room->block = block;
  room->size = count * each;
  room->capacity = (int)count;
  return true;
}

/* Room for what each threat sees: of one piece, and of every point. */
static bool reserve_seen(lwi_path_room *room, int points, int threats) {
  int count = threats > 0 ? (points + 1) * threats : 1; /* never none: it is counted on from */
  if (!lwi_reserve(room->memory, &room->seen_room, &room->seen_capacity, count, sizeof *room->seen_room))
    return false;
  room->seen_now = room->seen_room;
  room->seen = room->seen_room + threats;
  return true;
}

bool lwi_path_room_reserve(lwi_path_room *room, int points, int threats) {
  return reserve_block(room, points) && reserve_seen(room, points, threats);
}

void lwi_path_room_free(lwi_path_room *room) {
  free_block(room);
  lwi_sleeve_free(&room->sleeve);
  lwi_free(room->memory, room->corridor, (size_t)room->corridor_capacity * sizeof *room->corridor);
  room->corridor = NULL;
  room->corridor_capacity = 0;
  lwi_free(room->memory, room->seen_room, (size_t)room->seen_capacity * sizeof *room->seen_room);
  room->seen_room = NULL;
  room->seen_capacity = 0;
  if (!room->berth) return;
  lwi_berth_room_free(room->berth);
  lwi_free(room->memory, room->berth, sizeof *room->berth);
  room->berth = NULL;
}
