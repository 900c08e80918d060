/* Rooms and doors from labels of polygons. */
#include "core/hash.h"
#include "core/hash_index.h"
#include "core/sort.h"
#include "mesh/region.h"
#include "mesh/rooms.h"
#include "query/regions.h"

#include <string.h>

/* Portals of one door have ends that are no farther apart than this, or twice as far. [m] */
#define DOOR_CELL 0.1f
#define DOOR_CELL_HEIGHT 1.0f

/* --- rooms -------------------------------------------------------------------------------------------------------- */

/* Number the labels by their first polygons. @param numbers  [labels->count] @return How many occur. */
static uint32_t number_rooms(const lw_navmesh *mesh, const lwi_room_labels *labels, uint32_t *numbers) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < labels->count; i++) numbers[i] = LWI_NONE;
  for (uint32_t p = 0; p < mesh->polygons.count; p++)
    if (numbers[labels->of[p]] == LWI_NONE) numbers[labels->of[p]] = count++;
  return count;
}

static lw_vec3 middle_of(const lw_navmesh *mesh, uint32_t polygon) {
  const lwi_polygon outline = lwi_polygon_get(mesh, polygon);
  lw_vec3 sum = {0, 0, 0};
  for (uint32_t i = 0; i < outline.count; i++) sum = lwi_add(sum, lwi_corner(&outline, i));
  return lwi_scale(sum, 1 / (float)outline.count);
}

static void add_corners(lw_box *box, const lw_navmesh *mesh, uint32_t polygon) {
  const lwi_polygon outline = lwi_polygon_get(mesh, polygon);
  for (uint32_t i = 0; i < outline.count; i++) *box = lwi_box_add(*box, lwi_corner(&outline, i));
}

/* @param centers  [room_count] Scratch. */
static void measure_rooms(lwi_room_layout *layout, const lw_navmesh *mesh, lw_vec3 *centers) {
  for (uint32_t i = 0; i < layout->room_count; i++) {
    lwi_room *room = &layout->rooms[i];
    room->box = lwi_box_empty();
    centers[i] = lwi_vec3(0, 0, 0);
  }
  for (uint32_t p = 0; p < mesh->polygons.count; p++) {
    lwi_room *room = &layout->rooms[layout->rooms_of[p]];
    room->area += lwi_area_of(mesh, p);
    room->polygon_count += 1;
    add_corners(&room->box, mesh, p);
  }
  for (uint32_t p = 0; p < mesh->polygons.count; p++) {
    const uint32_t room = layout->rooms_of[p];
    const double part = layout->rooms[room].area > 0 ? lwi_area_of(mesh, p) / layout->rooms[room].area : 0;
    centers[room] = lwi_add(centers[room], lwi_scale(middle_of(mesh, p), (float)part));
  }
}

/* The middle of the polygon that comes nearest to the middle of all. */
static void place_middles(lwi_room_layout *layout, const lw_navmesh *mesh, const lw_vec3 *centers) {
  for (uint32_t i = 0; i < layout->room_count; i++) layout->rooms[i].middle.x = INFINITY;
  for (uint32_t p = 0; p < mesh->polygons.count; p++) {
    const uint32_t i = layout->rooms_of[p];
    const lwi_polygon outline = lwi_polygon_get(mesh, p);
    lw_vec3 at = centers[i];
    if (!lwi_polygon_closest(&outline, centers[i], &at)) at = middle_of(mesh, p);
    at.y = lwi_polygon_height(mesh, p, at.x, at.z);
    lw_vec3 *middle = &layout->rooms[i].middle;
    if (middle->x < INFINITY && lwi_distance(at, centers[i]) >= lwi_distance(*middle, centers[i])) continue;
    *middle = at;
  }
}

static bool make_rooms(lwi_room_layout *layout, lwi_memory *memory, const lw_navmesh *mesh,
                       const lwi_room_labels *labels) {
  uint32_t *numbers = lwi_alloc(memory, labels->count * sizeof *numbers);
  if (!numbers) return false;
  layout->room_count = number_rooms(mesh, labels, numbers);
  layout->rooms = lwi_alloc_zero(memory, layout->room_count * sizeof *layout->rooms);
  lw_vec3 *centers = lwi_alloc(memory, layout->room_count * sizeof *centers);
  const bool done = layout->rooms && centers;
  for (uint32_t i = 0; done && labels->named && i < labels->count; i++) {
    if (numbers[i] == LWI_NONE) continue;
    layout->rooms[numbers[i]].name = labels->named[i].name;
    layout->rooms[numbers[i]].district = labels->named[i].district;
  }
  if (done) {
    for (uint32_t p = 0; p < mesh->polygons.count; p++) layout->rooms_of[p] = numbers[labels->of[p]];
    measure_rooms(layout, mesh, centers);
    place_middles(layout, mesh, centers);
  }
  lwi_free(memory, numbers, labels->count * sizeof *numbers);
  lwi_free(memory, centers, layout->room_count * sizeof *centers);
  return done;
}

/* --- doors -------------------------------------------------------------------------------------------------------- */

/* @param portals  NULL: they are only counted. */
static uint32_t list_crossings(const lwi_room_layout *layout, const lw_navmesh *mesh, lwi_crossing *portals) {
  uint32_t count = 0;
  for (uint32_t p = 0; p < mesh->polygons.count; p++) {
    for (uint32_t k = mesh->graph.first_portal[p]; k < mesh->graph.end_portal[p]; k++) {
      const uint32_t here = layout->rooms_of[p], there = layout->rooms_of[mesh->graph.portals[k].to];
      if (here >= there) continue; /* each is listed from one side */
      if (portals) portals[count] = (lwi_crossing){{here, there}, p, k};
      count++;
    }
  }
  return count;
}

static int compare_crossings(const void *a, const void *b) {
  const lwi_crossing *one = a, *other = b;
  for (int i = 0; i < 2; i++)
    if (one->rooms[i] != other->rooms[i]) return one->rooms[i] < other->rooms[i] ? -1 : 1;
  return one->portal < other->portal ? -1 : one->portal > other->portal;
}

/* Crossings that touch each other. */
typedef struct door_sets {
  lwi_memory *memory;
  uint32_t *parents; /* [portal_count] */
  lwi_hash_index ends;
} door_sets;

static uint64_t hash_of_cell(const lwi_crossing *crossing, const int32_t cell[3]) {
  const uint64_t hash = lwi_hash(LWI_HASH_SEED, crossing->rooms, sizeof crossing->rooms);
  return lwi_hash(hash, cell, 3 * sizeof *cell);
}

/* Join a crossing with those that have an end in this cell or one beside it. */
static bool join_end(door_sets *sets, const lwi_crossing *crossing, uint32_t item, lw_vec3 end) {
  const int32_t at[] = {(int32_t)floorf(end.x / DOOR_CELL), (int32_t)floorf(end.y / DOOR_CELL_HEIGHT),
                        (int32_t)floorf(end.z / DOOR_CELL)};
  for (int i = 0; i < 27; i++) {
    const int32_t cell[] = {at[0] + i % 3 - 1, at[1] + i / 3 % 3 - 1, at[2] + i / 9 - 1};
    const uint32_t found = lwi_hash_index_find(&sets->ends, hash_of_cell(crossing, cell));
    if (found != LWI_NO_ITEM) lwi_unite(sets->parents, found / 2, item / 2);
  }
  const uint64_t hash = hash_of_cell(crossing, at);
  return lwi_hash_index_find(&sets->ends, hash) != LWI_NO_ITEM ||
         lwi_hash_index_add(&sets->ends, sets->memory, hash, item);
}

static bool join_crossings(door_sets *sets, const lwi_room_layout *layout, const lw_navmesh *mesh) {
  for (uint32_t i = 0; i < layout->portal_count; i++) {
    const lwi_crossing *crossing = &layout->portals[i];
    lw_vec3 left, right;
    lwi_portal_points(mesh, crossing->polygon, &mesh->graph.portals[crossing->portal], &left, &right);
    sets->parents[i] = i;
    if (!join_end(sets, crossing, 2 * i, left) || !join_end(sets, crossing, 2 * i + 1, right)) return false;
  }
  return true;
}

/* Number the doors by their first crossings. @param[in, out] parents  Sets; then of each crossing its door.
   @return How many doors there are. */
static uint32_t number_doors(uint32_t *parents, uint32_t count) {
  uint32_t doors = 0;
  for (uint32_t i = 0; i < count; i++) parents[i] = lwi_root_of(parents, i);
  for (uint32_t i = 0; i < count; i++) /* the first crossing of a set is its root */
    parents[i] = parents[i] == i ? doors++ : parents[parents[i]];
  return doors;
}

/* Order the crossings by doors. @param doors  Of each crossing. @param[out] ordered  [portal_count] */
static void order_by_doors(lwi_room_layout *layout, const uint32_t *doors, lwi_crossing *ordered) {
  for (uint32_t i = 0; i < layout->portal_count; i++) {
    lwi_door *door = &layout->doors[doors[i]];
    memcpy(door->rooms, layout->portals[i].rooms, sizeof door->rooms);
    door->portal_count += 1;
  }
  for (uint32_t d = 0, first = 0; d < layout->door_count; d++) {
    layout->doors[d].first_portal = first;
    first += layout->doors[d].portal_count;
    layout->doors[d].portal_count = 0;
  }
  for (uint32_t i = 0; i < layout->portal_count; i++) {
    lwi_door *door = &layout->doors[doors[i]];
    ordered[door->first_portal + door->portal_count++] = layout->portals[i];
  }
}

static lw_vec3 middle_of_crossing(const lw_navmesh *mesh, const lwi_crossing *crossing, float *width) {
  lw_vec3 left, right;
  lwi_portal_points(mesh, crossing->polygon, &mesh->graph.portals[crossing->portal], &left, &right);
  *width = lwi_distance_xz(left, right);
  return lwi_lerp(left, right, 0.5f);
}

/* Its width, and the middle of the portal that is nearest to the middle of all. */
static void measure_door(const lwi_room_layout *layout, const lw_navmesh *mesh, lwi_door *door) {
  const lwi_crossing *portals = layout->portals + door->first_portal;
  lw_vec3 center = {0, 0, 0};
  float width;
  for (uint32_t i = 0; i < door->portal_count; i++) {
    const lw_vec3 at = middle_of_crossing(mesh, &portals[i], &width);
    center = lwi_add(center, lwi_scale(at, width));
    door->width += width;
  }
  center = door->width > 0 ? lwi_scale(center, 1 / door->width) : middle_of_crossing(mesh, &portals[0], &width);
  for (uint32_t i = 0; i < door->portal_count; i++) {
    const lw_vec3 at = middle_of_crossing(mesh, &portals[i], &width);
    if (i == 0 || lwi_distance(at, center) < lwi_distance(door->at, center)) door->at = at;
  }
}

/* List the doors of each room. */
static void list_room_doors(lwi_room_layout *layout) {
  for (uint32_t d = 0; d < layout->door_count; d++)
    for (int side = 0; side < 2; side++) layout->rooms[layout->doors[d].rooms[side]].door_count += 1;
  for (uint32_t i = 0, first = 0; i < layout->room_count; i++) {
    layout->rooms[i].first_door = first;
    first += layout->rooms[i].door_count;
    layout->rooms[i].door_count = 0;
  }
  for (uint32_t d = 0; d < layout->door_count; d++)
    for (int side = 0; side < 2; side++) {
      lwi_room *room = &layout->rooms[layout->doors[d].rooms[side]];
      layout->room_doors[room->first_door + room->door_count++] = d;
    }
}

static bool alloc_doors(lwi_room_layout *layout, lwi_memory *memory, uint32_t count) {
  layout->door_count = count;
  layout->doors = lwi_alloc_zero(memory, count * sizeof *layout->doors);
  layout->room_doors = lwi_alloc(memory, 2 * (size_t)count * sizeof *layout->room_doors);
  return layout->doors && layout->room_doors;
}

/* @param ordered  [portal_count] Of the layout afterwards. */
static bool find_doors(lwi_room_layout *layout, door_sets *sets, const lw_navmesh *mesh,
                       lwi_crossing *ordered) {
  list_crossings(layout, mesh, layout->portals);
  lwi_sort(layout->portals, layout->portal_count, sizeof *layout->portals, compare_crossings);
  if (!join_crossings(sets, layout, mesh)) return false;
  if (!alloc_doors(layout, sets->memory, number_doors(sets->parents, layout->portal_count))) return false;
  order_by_doors(layout, sets->parents, ordered);
  memcpy(layout->portals, ordered, layout->portal_count * sizeof *ordered);
  for (uint32_t d = 0; d < layout->door_count; d++) measure_door(layout, mesh, &layout->doors[d]);
  list_room_doors(layout);
  return true;
}

static bool make_doors(lwi_room_layout *layout, lwi_memory *memory, const lw_navmesh *mesh) {
  layout->portal_count = list_crossings(layout, mesh, NULL);
  if (layout->portal_count == 0) return true;
  const size_t count = layout->portal_count;
  door_sets sets = {.memory = memory, .parents = lwi_alloc(memory, count * sizeof *sets.parents)};
  lwi_crossing *ordered = lwi_alloc(memory, count * sizeof *ordered);
  layout->portals = lwi_alloc(memory, count * sizeof *layout->portals);
  const bool done = sets.parents && ordered && layout->portals && find_doors(layout, &sets, mesh, ordered);
  lwi_hash_index_free(&sets.ends, memory);
  lwi_free(memory, sets.parents, count * sizeof *sets.parents);
  lwi_free(memory, ordered, count * sizeof *ordered);
  return done;
}

/* --- both --------------------------------------------------------------------------------------------------------- */

bool lwi_room_layout_make(lwi_room_layout *layout, lwi_memory *memory, const lw_navmesh *mesh,
                          const lwi_room_labels *labels) {
  *layout = (lwi_room_layout){.rooms_of = labels->of};
  if (make_rooms(layout, memory, mesh, labels) && make_doors(layout, memory, mesh)) return true;
  lwi_room_layout_free(layout, memory, mesh);
  return false;
}

void lwi_room_layout_free(lwi_room_layout *layout, lwi_memory *memory, const lw_navmesh *mesh) {
  lwi_free(memory, layout->rooms_of, mesh->polygons.count * sizeof *layout->rooms_of);
  lwi_free(memory, layout->rooms, layout->room_count * sizeof *layout->rooms);
  lwi_free(memory, layout->doors, layout->door_count * sizeof *layout->doors);
  lwi_free(memory, layout->portals, layout->portal_count * sizeof *layout->portals);
  lwi_free(memory, layout->room_doors, 2 * (size_t)layout->door_count * sizeof *layout->room_doors);
  *layout = (lwi_room_layout){0};
}
