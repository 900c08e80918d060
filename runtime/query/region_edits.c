/* What is changed of regions: names, districts, rooms that are merged or carved out. */
#include "core/status.h"
#include "core/vec3.h"
#include "mesh/reduction.h"
#include "mesh/rooms.h"
#include "query/regions.h"

#include <math.h>
#include <string.h>

#define OUTLINE_MAX 1000

static const lwi_name_place NAME = {"", "name", LW_REGION_NAME_SIZE - 1};

static bool has_room(const lw_regions *regions, int room) {
  return room >= 0 && (uint32_t)room < regions->layout.room_count;
}

static lw_status fail_room(const lw_regions *regions, int room, lw_error *error) {
  return lwi_fail(error, LW_NOT_FOUND, "there is no room %d, expected 0 to %d", room,
                  (int)regions->layout.room_count - 1);
}

static lw_status check_rooms(const lw_regions *regions, const int *rooms, int count, lw_error *error) {
  if (!regions) return lwi_fail_null(error, "regions");
  if (!rooms) return lwi_fail_null(error, "rooms");
  if (count < 1) return lwi_fail(error, LW_INVALID, "count is %d, expected 1 or more rooms", count);
  for (int i = 0; i < count; i++)
    if (!has_room(regions, rooms[i])) return fail_room(regions, rooms[i], error);
  return LW_OK;
}

lw_status lw_regions_name_room(lw_regions *regions, int room, const char *name, lw_error *error) {
  if (!regions) return lwi_fail_null(error, "regions");
  if (!has_room(regions, room)) return fail_room(regions, room, error);
  lwi_room *of = &regions->layout.rooms[room];
  if (!name) {
    of->name = (lwi_region_name){.text = ""};
    return LW_OK;
  }
  const lw_status status = lwi_check_name(&NAME, name, error);
  if (status != LW_OK) return status;
  const int other = lw_regions_find_room(regions, name);
  if (other >= 0 && other != room)
    return lwi_fail(error, LW_INVALID, "name is '%s', which another room has", name);
  of->name = (lwi_region_name){.text = ""};
  memcpy(of->name.text, name, strlen(name));
  return LW_OK;
}

/* --- districts ---------------------------------------------------------------------------------------------------- */

/* Forget districts without rooms. @param numbers  [district_count] Scratch. */
static void drop_empty(lw_regions *regions, uint32_t *numbers) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < regions->district_count; i++) numbers[i] = 0;
  for (uint32_t i = 0; i < regions->layout.room_count; i++) numbers[regions->layout.rooms[i].district] = 1;
  for (uint32_t i = 0; i < regions->district_count; i++) {
    if (!numbers[i]) continue;
    regions->districts[count] = regions->districts[i];
    numbers[i] = count++;
  }
  for (uint32_t i = 0; i < regions->layout.room_count; i++)
    regions->layout.rooms[i].district = numbers[regions->layout.rooms[i].district];
  const size_t size = sizeof *regions->districts;
  lwi_district *fewer =
      lwi_resize(&regions->memory, regions->districts, regions->district_count * size, count * size);
  if (fewer) { /* else the space stays */
    regions->districts = fewer;
    regions->district_count = count;
  }
  lwi_regions_count_districts(regions);
}

lw_status lw_regions_set_district(lw_regions *regions, const int *rooms, int count, const char *name,
                                  lw_error *error) {
  lw_status status = check_rooms(regions, rooms, count, error);
  if (status == LW_OK && !name) return lwi_fail_null(error, "name");
  if (status == LW_OK) status = lwi_check_name(&NAME, name, error);
  if (status != LW_OK) return status;
  lwi_memory *memory = &regions->memory;
  const size_t size = sizeof *regions->districts, before = regions->district_count;
  int found = lw_regions_find_district(regions, name);
  uint32_t *numbers = lwi_alloc(memory, (before + 1) * sizeof *numbers);
  lwi_district *more = numbers && found < 0
                           ? lwi_resize(memory, regions->districts, before * size, (before + 1) * size)
                           : regions->districts;
  if (numbers && more) {
    regions->districts = more;
    if (found < 0) {
      found = (int)regions->district_count++;
      more[found] = (lwi_district){.room_count = 0};
      memcpy(more[found].name.text, name, strlen(name));
    }
    for (int i = 0; i < count; i++) regions->layout.rooms[rooms[i]].district = (uint32_t)found;
    drop_empty(regions, numbers);
  }
  lwi_free(memory, numbers, (before + 1) * sizeof *numbers);
  return numbers && more ? LW_OK : lwi_fail_status(error, LW_OUT_OF_MEMORY);
}

/* --- other rooms -------------------------------------------------------------------------------------------------- */

static uint32_t *copy_labels(lw_regions *regions) {
  const size_t size = regions->mesh->polygons.count * sizeof(uint32_t);
  uint32_t *labels = lwi_alloc(&regions->memory, size);
  if (labels) memcpy(labels, regions->layout.rooms_of, size);
  return labels;
}

/* Have rooms by these labels, whose space it takes over or frees. */
static bool replace_layout(lw_regions *regions, const lwi_room_labels *labels) {
  lwi_memory *memory = &regions->memory;
  const size_t polygons = regions->mesh->polygons.count * sizeof *labels->of;
  const size_t size = regions->district_count * sizeof(uint32_t);
  uint32_t *numbers = lwi_alloc(memory, size);
  if (!numbers) lwi_free(memory, labels->of, polygons);
  lwi_room_layout layout;
  const bool done = numbers && lwi_room_layout_make(&layout, memory, regions->mesh, labels);
  if (done) {
    lwi_room_layout_free(&regions->layout, memory, regions->mesh);
    regions->layout = layout;
    regions->version += 1;
    drop_empty(regions, numbers);
  }
  lwi_free(memory, numbers, size);
  return done;
}

/* Put rooms into one. @param kept  Room whose name and district it has. */
static bool merge_rooms(lw_regions *regions, const int *rooms, int count, uint32_t kept) {
  lwi_memory *memory = &regions->memory;
  const uint32_t before = regions->layout.room_count;
  uint32_t *becomes = lwi_alloc(memory, before * sizeof *becomes), *labels = copy_labels(regions);
  const bool has_space = becomes && labels;
  if (has_space) {
    for (uint32_t i = 0; i < before; i++) becomes[i] = i;
    for (int i = 0; i < count; i++) becomes[rooms[i]] = kept;
    for (uint32_t p = 0; p < regions->mesh->polygons.count; p++) labels[p] = becomes[labels[p]];
  } else {
    lwi_free(memory, labels, regions->mesh->polygons.count * sizeof *labels);
  }
  lwi_free(memory, becomes, before * sizeof *becomes);
  const lwi_room_labels as = {labels, before, regions->layout.rooms};
  return has_space && replace_layout(regions, &as);
}

lw_status lw_regions_merge_rooms(lw_regions *regions, const int *rooms, int count, int *room, lw_error *error) {
  if (room) *room = -1;
  const lw_status status = check_rooms(regions, rooms, count, error);
  if (status != LW_OK) return status;
  int kept = rooms[0];
  for (int i = count - 1; i >= 0; i--)
    if (regions->layout.rooms[rooms[i]].name.text[0]) kept = rooms[i];
  uint32_t polygon = 0;
  while (regions->layout.rooms_of[polygon] != (uint32_t)kept) polygon++;
  lwi_room *target = &regions->layout.rooms[kept];
  const uint32_t district = target->district;
  target->district = regions->layout.rooms[rooms[0]].district;
  if (!merge_rooms(regions, rooms, count, (uint32_t)kept)) {
    target->district = district;
    return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  }
  if (room) *room = (int)regions->layout.rooms_of[polygon];
  return LW_OK;
}

/* --- volumes ------------------------------------------------------------------------------------------------------ */

static bool holds(const lw_region_volume *volume, lw_vec3 at) {
  if (!(at.y >= volume->bottom && at.y <= volume->top)) return false;
  bool inside = false;
  for (int i = 0, k = volume->count - 1; i < volume->count; k = i++) {
    const lw_vec3 a = volume->outline[i], b = volume->outline[k];
    if ((a.z > at.z) == (b.z > at.z)) continue;
    const double x = (double)a.x + ((double)b.x - a.x) * ((double)at.z - a.z) / ((double)b.z - a.z);
    if ((double)at.x < x) inside = !inside;
  }
  return inside;
}

static lw_status check_volume(const lw_region_volume *volume, lw_error *error) {
  if (!volume) return lwi_fail_null(error, "volume");
  if (!volume->outline) return lwi_fail_null(error, "volume.outline");
  if (volume->count < 3 || volume->count > OUTLINE_MAX)
    return lwi_fail(error, LW_INVALID, "volume.count is %d, expected 3 to %d", volume->count, OUTLINE_MAX);
  for (int i = 0; i < volume->count; i++)
    if (!lwi_is_place(volume->outline[i]))
      return lwi_fail(error, LW_INVALID, "volume.outline[%d] is not finite, or too far away", i);
  if (!(volume->bottom <= volume->top))
    return lwi_fail(error, LW_INVALID, "volume.bottom is %g, expected at most its top, which is %g",
                    (double)volume->bottom, (double)volume->top);
  return LW_OK;
}

/* A room that is carved out. */
typedef struct carving {
  lw_regions *regions;
  uint32_t *labels;          /* [polygons] In the end those of the new rooms. */
  uint32_t *parts;           /* [polygons] Connected parts of labels. */
  uint32_t *stack, *scratch; /* [polygons] */
  lwi_room *named;           /* [old rooms + 1 + polygons] By label. */
  double *areas;             /* [polygons] Of parts. [m2] */
  uint32_t *largest;         /* [old rooms] Part. */
  uint32_t first;            /* Polygon inside the volume. */
  uint32_t count;            /* Of labels. */
} carving;

/* Rooms that lost ground fall into their connected parts, of which the largest keeps the label. */
static void part_losers(carving *of, const bool *lost) {
  const lw_regions *regions = of->regions;
  const uint32_t polygons = regions->mesh->polygons.count, rooms = regions->layout.room_count;
  memcpy(of->parts, of->labels, polygons * sizeof *of->parts);
  const uint32_t parts = lwi_rooms_separate(regions->mesh, of->parts, of->stack, of->scratch);
  for (uint32_t i = 0; i < parts; i++) of->areas[i] = 0;
  for (uint32_t i = 0; i < rooms; i++) of->largest[i] = LWI_NONE;
  for (uint32_t p = 0; p < polygons; p++) of->areas[of->parts[p]] += lwi_area_of(regions->mesh, p);
  for (uint32_t p = 0; p < polygons; p++) {
    const uint32_t room = of->labels[p];
    if (room >= rooms) continue;
    if (of->largest[room] == LWI_NONE || of->areas[of->parts[p]] > of->areas[of->largest[room]])
      of->largest[room] = of->parts[p];
  }
  for (uint32_t p = 0; p < polygons; p++) {
    const uint32_t room = of->labels[p];
    if (room >= rooms || !lost[room] || of->parts[p] == of->largest[room]) continue;
    of->labels[p] = rooms + 1 + of->parts[p];
    of->named[of->labels[p]] = (lwi_room){.district = regions->layout.rooms[room].district};
  }
  of->count = rooms + 1 + parts;
}

/* @param lost  [rooms] Zeros. @return LW_OK; LW_NO_POINT; LW_INVALID: the name is in use. */
static lw_status carve(carving *of, const lw_region_volume *volume, const char *name, bool *lost,
                       lw_error *error) {
  const lw_regions *regions = of->regions;
  const uint32_t rooms = regions->layout.room_count;
  of->first = LWI_NONE;
  for (uint32_t p = 0; p < regions->mesh->polygons.count; p++) {
    of->labels[p] = regions->layout.rooms_of[p];
    if (!holds(volume, lwi_regions_place_of(regions->mesh, p))) continue;
    lost[of->labels[p]] = true;
    of->labels[p] = rooms;
    if (of->first == LWI_NONE) of->first = p;
  }
  if (of->first == LWI_NONE) return lwi_fail(error, LW_NO_POINT, "no polygon's middle lies in the volume");
  memcpy(of->named, regions->layout.rooms, rooms * sizeof *of->named);
  of->named[rooms] =
      (lwi_room){.district = regions->layout.rooms[regions->layout.rooms_of[of->first]].district};
  part_losers(of, lost);
  const int owner = name ? lw_regions_find_room(regions, name) : -1;
  for (uint32_t p = 0; owner >= 0 && p < regions->mesh->polygons.count; p++)
    if (of->labels[p] == (uint32_t)owner)
      return lwi_fail(error, LW_INVALID, "name is '%s', which room %d has, of which a part lies outside", name,
                      owner);
  if (name) memcpy(of->named[rooms].name.text, name, strlen(name));
  return LW_OK;
}

static lw_status carve_with(carving *of, const lw_region_volume *volume, const char *name, bool *lost,
                            lw_error *error) {
  const lw_status status = carve(of, volume, name, lost, error);
  if (status != LW_OK) return status;
  const lwi_room_labels as = {of->labels, of->count, of->named};
  of->labels = NULL;
  return replace_layout(of->regions, &as) ? LW_OK : lwi_fail_status(error, LW_OUT_OF_MEMORY);
}

lw_status lw_regions_carve_room(lw_regions *regions, const lw_region_volume *volume, const char *name,
                                int *room, lw_error *error) {
  if (room) *room = -1;
  if (!regions) return lwi_fail_null(error, "regions");
  lw_status status = check_volume(volume, error);
  if (status == LW_OK && name) status = lwi_check_name(&NAME, name, error);
  if (status != LW_OK) return status;
  lwi_memory *memory = &regions->memory;
  const size_t polygons = regions->mesh->polygons.count, rooms = regions->layout.room_count;
  const size_t labels = (rooms + 1 + polygons) * sizeof(lwi_room);
  carving of = {.regions = regions,
                .labels = lwi_alloc(memory, polygons * sizeof(uint32_t)),
                .parts = lwi_alloc(memory, polygons * sizeof(uint32_t)),
                .stack = lwi_alloc(memory, polygons * sizeof(uint32_t)),
                .scratch = lwi_alloc(memory, polygons * sizeof(uint32_t)),
                .named = lwi_alloc_zero(memory, labels),
                .areas = lwi_alloc(memory, polygons * sizeof(double)),
                .largest = lwi_alloc(memory, rooms * sizeof(uint32_t))};
  bool *lost = lwi_alloc_zero(memory, rooms * sizeof *lost);
  const bool has_space =
      of.labels && of.parts && of.stack && of.scratch && of.named && of.areas && of.largest && lost;
  status = has_space ? carve_with(&of, volume, name, lost, error) : lwi_fail_status(error, LW_OUT_OF_MEMORY);
  lwi_free(memory, of.labels, polygons * sizeof(uint32_t));
  lwi_free(memory, of.parts, polygons * sizeof(uint32_t));
  lwi_free(memory, of.stack, polygons * sizeof(uint32_t));
  lwi_free(memory, of.scratch, polygons * sizeof(uint32_t));
  lwi_free(memory, of.named, labels);
  lwi_free(memory, of.areas, polygons * sizeof(double));
  lwi_free(memory, of.largest, rooms * sizeof(uint32_t));
  lwi_free(memory, lost, rooms * sizeof *lost);
  if (status == LW_OK && room) *room = (int)regions->layout.rooms_of[of.first];
  return status;
}
