/* The navmesh's file holds its sections as they are in memory, little-endian, each at a multiple of 16 bytes:

     head (file_head.h) | area names, 64 bytes each | sections, in the order of sections.h | names of links

   The head holds all counts and checksums. Areas are indices into the names; loading replaces them by ids of
   the given table. */
#include "core/file.h"
#include "core/status.h"
#include "mesh/depths.h"
#include "mesh/file_head.h"
#include "mesh/landmarks.h"
#include "mesh/link_notes.h"
#include "mesh/reduction.h"

#include <stdio.h>
#include <string.h>

/* Groups that files of a version have. */
static int groups_of(uint32_t version) {
  if (version == LWI_FILE_VERSION_BARE) return LWI_REDUCTION_SLOT;
  return version <= LWI_FILE_VERSION_MIDDLES ? LWI_LANDMARKS_SLOT : LWI_ATTACHMENT_COUNT;
}

/* Whether files of a version have one of the navmesh's own sections. */
static bool has_section(uint32_t version, int section) {
  if (section == LWI_INTERVAL_STEPS) return version > LWI_FILE_VERSION_FLUSH;
  return version > LWI_FILE_VERSION_OPEN || (section != LWI_HEADROOMS && section != LWI_STEPS);
}

static size_t head_size_of(const lwi_section_group *group, uint32_t version) {
  return version <= LWI_FILE_VERSION_OPEN && group->old_head_size > 0 ? group->old_head_size : group->head_size;
}

lwi_file_layout lwi_file_layout_get(uint32_t version) {
  lwi_file_layout at = {.attachments = sizeof(lwi_file_head)};
  size_t sections = 0, end = at.attachments;
  for (int i = 0; i < LWI_SECTION_COUNT; i++) sections += has_section(version, i);
  for (int i = 0; i < groups_of(version); i++) {
    end += head_size_of(lwi_attached_groups[i], version);
    sections += (size_t)lwi_attached_groups[i]->section_count;
  }
  const size_t hash_bytes = (sections + 1) * sizeof(uint64_t);
  at.size = (size_t)lwi_section_padded(end + hash_bytes);
  at.hashes = at.size - hash_bytes;
  at.own_hash = at.size - sizeof(uint64_t);
  return at;
}

static lwi_file_counts counts_of(const lw_navmesh *mesh) {
  const lwi_annotations *annotations = &mesh->annotations;
  return (lwi_file_counts){.tiles = mesh->tiles.count,
                           .polygons = mesh->polygons.count,
                           .corners = mesh->polygons.corner_count,
                           .vertices = mesh->polygons.vertex_count,
                           .detail_vertices = mesh->detail.vertex_count,
                           .detail_triangles = mesh->detail.triangle_count,
                           .detail_neighbours = mesh->detail.neighbour_count,
                           .portals = mesh->graph.portal_count,
                           .intervals = mesh->graph.interval_count,
                           .islands = mesh->graph.island_count,
                           .links = mesh->links.count,
                           .joined = mesh->links.joined_count,
                           .refused = mesh->links.refused_count,
                           .requests = annotations->request_count,
                           .waters = annotations->water_count,
                           .water_points = annotations->water_point_count};
}

static void take_counts(lw_navmesh *mesh, const lwi_file_counts *counts) {
  mesh->tiles.count = counts->tiles;
  mesh->polygons.count = counts->polygons;
  mesh->polygons.corner_count = counts->corners;
  mesh->polygons.vertex_count = counts->vertices;
  mesh->detail.vertex_count = counts->detail_vertices;
  mesh->detail.triangle_count = counts->detail_triangles;
  mesh->detail.neighbour_count = counts->detail_neighbours;
  mesh->graph.portal_count = counts->portals;
  mesh->graph.interval_count = counts->intervals;
  mesh->graph.island_count = counts->islands;
  mesh->links.count = counts->links;
  mesh->links.joined_count = counts->joined;
  mesh->links.refused_count = counts->refused;
  mesh->annotations.request_count = counts->requests;
  mesh->annotations.water_count = counts->waters;
  mesh->annotations.water_point_count = counts->water_points;
}

static lwi_file_head head_of(const lw_navmesh *mesh) {
  const lwi_grid *grid = &mesh->grid;
  return (lwi_file_head){.magic = LWI_FILE_MAGIC,
                         .version = LWI_FILE_VERSION,
                         .endian_mark = LWI_FILE_ENDIAN_MARK,
                         .part = mesh->part,
                         .area = mesh->area,
                         .bounds = mesh->bounds,
                         .agent = mesh->agent,
                         .tile_size = mesh->tile_size,
                         .counts = counts_of(mesh),
                         .grid = {.min_x = grid->min_x,
                                  .min_z = grid->min_z,
                                  .cell = grid->cell,
                                  .min_y = grid->min_y,
                                  .size_y = grid->size_y,
                                  .width = (uint32_t)grid->width,
                                  .height = (uint32_t)grid->height,
                                  .reference_count = grid->reference_count}};
}

static void take_fixed(lw_navmesh *mesh, const lwi_file_head *head) {
  const lwi_file_grid *grid = &head->grid;
  mesh->part = head->part;
  mesh->area = head->area;
  mesh->bounds = head->bounds;
  mesh->agent = head->agent;
  mesh->tile_size = head->tile_size;
  take_counts(mesh, &head->counts);
  mesh->grid = (lwi_grid){.min_x = grid->min_x,
                          .min_z = grid->min_z,
                          .cell = grid->cell,
                          .min_y = grid->min_y,
                          .size_y = grid->size_y,
                          .width = (int32_t)grid->width,
                          .height = (int32_t)grid->height,
                          .reference_count = grid->reference_count};
}

void lwi_file_take_head(lw_navmesh *mesh, const unsigned char *data) {
  lwi_file_head head;
  memcpy(&head, data, sizeof head);
  take_fixed(mesh, &head);
  data += sizeof head;
  for (int i = 0; i < groups_of(head.version); i++) {
    const size_t size = head_size_of(lwi_attached_groups[i], head.version);
    memcpy(mesh->attachments.slots[i], data, size);
    data += size;
  }
}

/* --- writing ---------------------------------------------------------------------------------------------- */

typedef struct writing {
  const lw_navmesh *mesh;
  lw_area_id ids[LW_AREA_MAX + 1]; /* [area_count] by index into the names, from 0 */
  uint8_t slots[LW_AREA_MAX + 1];  /* by id: 1 + index into the names; 0: none */
  uint32_t area_count;
  void *sections[LWI_SECTION_COUNT]; /* copies of own sections, with indices for areas */
  lwi_file_layout layout;
  unsigned char *head;  /* [layout.size] */
  unsigned char *notes; /* [notes_size] */
  size_t notes_size;
} writing;

/* The areas that occur, in the order of their ids. */
static void list_areas(writing *to) {
  const lw_navmesh *mesh = to->mesh;
  bool used[LW_AREA_MAX + 1] = {false};
  for (uint32_t p = 0; p < mesh->polygons.count; p++) used[mesh->polygons.areas[p]] = true;
  for (uint32_t i = 0; i < mesh->annotations.request_count; i++)
    used[mesh->annotations.requests[i].area] = true;
  for (uint32_t i = 0; i < mesh->links.count; i++) used[mesh->links.items[i].area] = true;
  for (int id = 1; id <= LW_AREA_MAX; id++) {
    if (!used[id]) continue;
    to->ids[to->area_count++] = (lw_area_id)id;
    to->slots[id] = (uint8_t)to->area_count;
  }
}

static bool copy_section(writing *to, lwi_memory *memory, int which) {
  const lwi_section_place at = lwi_section_own(to->mesh, which);
  size_t size = (size_t)lwi_section_size(&at);
  if (size == 0) return true;
  if (!(to->sections[which] = lwi_alloc(memory, size))) return false;
  memcpy(to->sections[which], lwi_section_get(&at), size);
  return true;
}

static bool number_areas(writing *to, lwi_memory *memory) {
  list_areas(to);
  if (!copy_section(to, memory, LWI_AREAS) || !copy_section(to, memory, LWI_LINKS) ||
      !copy_section(to, memory, LWI_REQUESTS))
    return false;
  lw_area_id *areas = to->sections[LWI_AREAS];
  lwi_link *links = to->sections[LWI_LINKS];
  lwi_request *requests = to->sections[LWI_REQUESTS];
  for (uint32_t p = 0; p < to->mesh->polygons.count; p++) areas[p] = to->slots[areas[p]];
  for (uint32_t i = 0; i < to->mesh->links.count; i++) links[i].area = to->slots[links[i].area];
  for (uint32_t i = 0; i < to->mesh->annotations.request_count; i++)
    requests[i].area = to->slots[requests[i].area];
  return true;
}

static const void *section_of(const writing *from, const lwi_section_place *at) {
  const void *copy = at->slot < 0 ? from->sections[at->index] : NULL;
  return copy ? copy : lwi_section_get(at);
}

static void name_area(const writing *from, uint32_t i, char name[LWI_FILE_NAME_SIZE]) {
  memset(name, 0, LWI_FILE_NAME_SIZE);
  strncpy(name, lw_area_table_get(from->mesh->areas, from->ids[i])->name, LWI_FILE_NAME_SIZE - 1);
}

static lwi_file_head summarize(const writing *from, size_t head_size) {
  char name[LWI_FILE_NAME_SIZE];
  lwi_file_head head = head_of(from->mesh);
  head.area_count = from->area_count;
  head.size = head_size + from->area_count * (uint64_t)LWI_FILE_NAME_SIZE;
  head.name_hash = LWI_HASH_SEED;
  for (uint32_t i = 0; i < from->area_count; i++) {
    name_area(from, i, name);
    head.name_hash = lwi_hash(head.name_hash, name, sizeof name);
  }
  for (lwi_section_place at = lwi_section_begin(from->mesh); lwi_section_next(&at);)
    head.size += lwi_section_padded(lwi_section_size(&at));
  head.notes_size = (uint32_t)lwi_link_notes_size(&from->mesh->annotations);
  head.size += head.notes_size;
  return head;
}

static bool make_head(writing *to, lwi_memory *memory) {
  const lwi_file_layout *layout = &to->layout;
  const lwi_file_head head = summarize(to, layout->size);
  to->head = lwi_alloc_zero(memory, layout->size);
  if (!to->head) return false;
  unsigned char *at = to->head + layout->attachments;
  memcpy(to->head, &head, sizeof head);
  for (int i = 0; i < LWI_ATTACHMENT_COUNT; i++) {
    const size_t size = lwi_attached_groups[i]->head_size;
    memcpy(at, to->mesh->attachments.slots[i], size);
    at += size;
  }
  uint64_t hash;
  for (lwi_section_place of = lwi_section_begin(to->mesh); lwi_section_next(&of);) {
    hash = lwi_hash(LWI_HASH_SEED, section_of(to, &of), (size_t)lwi_section_size(&of));
    memcpy(to->head + layout->hashes + (size_t)of.position * sizeof hash, &hash, sizeof hash);
  }
  hash = lwi_hash(LWI_HASH_SEED, to->head, layout->own_hash);
  memcpy(to->head + layout->own_hash, &hash, sizeof hash);
  return true;
}

static void write_all(const writing *from, lwi_writer *to) {
  static const char zeros[LWI_SECTION_ALIGNMENT];
  char name[LWI_FILE_NAME_SIZE];
  lwi_writer_put(to, from->head, from->layout.size);
  for (uint32_t i = 0; i < from->area_count; i++) {
    name_area(from, i, name);
    lwi_writer_put(to, name, sizeof name);
  }
  for (lwi_section_place at = lwi_section_begin(from->mesh); lwi_section_next(&at);) {
    size_t size = (size_t)lwi_section_size(&at);
    lwi_writer_put(to, section_of(from, &at), size);
    lwi_writer_put(to, zeros, (size_t)lwi_section_padded(size) - size);
  }
  lwi_writer_put(to, from->notes, from->notes_size);
}

static bool make_notes(writing *to, lwi_memory *memory) {
  const lwi_annotations *annotations = &to->mesh->annotations;
  to->notes_size = lwi_link_notes_size(annotations);
  if (to->notes_size == 0) return true;
  to->notes = lwi_alloc(memory, to->notes_size);
  if (to->notes) lwi_link_notes_write(annotations, to->notes);
  return to->notes != NULL;
}

lw_status lw_navmesh_save(const lw_navmesh *mesh, const char *name, lw_error *error) {
  if (!mesh) return lwi_fail_null(error, "navmesh");
  if (!name) return lwi_fail_null(error, "file");
  mesh = lwi_base_of(mesh);
  lwi_memory memory = lwi_memory_make(&mesh->memory.allocator);
  writing from = {.mesh = mesh, .layout = lwi_file_layout_get(LWI_FILE_VERSION)};
  lwi_writer to;
  bool prepared = number_areas(&from, &memory) && make_head(&from, &memory) && make_notes(&from, &memory);
  if (prepared) {
    lwi_writer_open(&to, name);
    write_all(&from, &to);
  }
  for (int i = 0; i < LWI_SECTION_COUNT; i++) {
    const lwi_section_place at = lwi_section_own(mesh, i);
    lwi_free(&memory, from.sections[i], (size_t)lwi_section_size(&at));
  }
  lwi_free(&memory, from.head, from.layout.size);
  lwi_free(&memory, from.notes, from.notes_size);
  return prepared ? lwi_writer_close(&to, error) : lwi_fail_status(error, LW_OUT_OF_MEMORY);
}

/* --- reading ---------------------------------------------------------------------------------------------- */

static lw_status damaged(const char *name, const char *what, const char *why, lw_error *error) {
  return lwi_fail(error, LW_BAD_FILE, "'%s' is damaged: its %s: %s", name, what, why);
}

static lw_status check_head(const lwi_file_head *head, const unsigned char *data, uint64_t size,
                            const char *name, lw_error *error) {
  if (memcmp(head->magic, LWI_FILE_MAGIC, sizeof head->magic) != 0)
    return lwi_fail(error, LW_BAD_FILE, "'%s' is not a leeward navmesh", name);
  if (head->endian_mark != LWI_FILE_ENDIAN_MARK)
    return lwi_fail(error, LW_BAD_FILE, "'%s' is damaged, or from a machine of another byte order", name);
  if (head->version > LWI_FILE_VERSION || head->version < LWI_FILE_VERSION_BARE)
    return lwi_fail(error, LW_BAD_FILE,
                    "'%s' has version %u; this build reads versions %d to %d: bake it again", name,
                    (unsigned)head->version, LWI_FILE_VERSION_BARE, LWI_FILE_VERSION);
  const lwi_file_layout layout = lwi_file_layout_get(head->version);
  if (size < layout.size) return lwi_fail(error, LW_BAD_FILE, "'%s' is cut short", name);
  const size_t hashed = layout.own_hash;
  uint64_t hash;
  memcpy(&hash, data + hashed, sizeof hash);
  if (lwi_hash(LWI_HASH_SEED, data, hashed) != hash)
    return lwi_fail(error, LW_BAD_FILE, "'%s' is damaged: its head does not match its checksum", name);
  if (size != head->size)
    return lwi_fail(error, LW_BAD_FILE, "'%s' is %s: %llu bytes instead of %llu", name,
                    size < head->size ? "cut short" : "too long", (unsigned long long)size,
                    (unsigned long long)head->size);
  if (head->area_count > LW_AREA_MAX || head->grid.width > INT16_MAX || head->grid.height > INT16_MAX ||
      head->counts.requests > INT32_MAX ||
      (head->counts.requests == 0 && head->counts.joined + head->counts.refused > 0))
    return damaged(name, "head", "a count is out of range", error);
  return LW_OK;
}

/* Sections lie one behind the other up to the end. Counts are below 2^32 and elements below 256 bytes, so
   nothing wraps. */
static bool place_sections(lw_navmesh *mesh, unsigned char *data, size_t begin, size_t size) {
  uint64_t at = begin;
  bool fits = true;
  for (lwi_section_place section = lwi_section_begin(mesh); lwi_section_next(&section);) {
    uint64_t padded = lwi_section_padded(lwi_section_size(&section));
    fits = fits && padded <= size - at;
    lwi_section_set(&section, fits && padded > 0 ? data + at : NULL);
    if (fits) at += padded;
  }
  lwi_sections_derive(mesh);
  return fits && at == size;
}

static bool is_zero(const unsigned char *from, const unsigned char *end) {
  while (from < end)
    if (*from++ != 0) return false;
  return true;
}

static lw_status check_hashes(const lw_navmesh *mesh, uint32_t version, const unsigned char *hashes,
                              const char *name, lw_error *error) {
  uint64_t hash;
  for (lwi_section_place at = lwi_section_begin(mesh); lwi_section_next(&at) && at.slot < groups_of(version);) {
    if (at.slot < 0 && !has_section(version, at.index)) continue;
    const unsigned char *section = lwi_section_get(&at);
    size_t size = (size_t)lwi_section_size(&at), padded = (size_t)lwi_section_padded(size);
    memcpy(&hash, hashes, sizeof hash);
    hashes += sizeof hash;
    if (lwi_hash(LWI_HASH_SEED, section, size) != hash ||
        (padded > size && !is_zero(section + size, section + padded)))
      return damaged(name, lwi_section_of(&at)->name, "contents do not match the checksum", error);
  }
  return LW_OK;
}

static lw_status read_names(const lwi_file_head *head, const char *names, const lw_area_table *areas,
                            lw_area_id *ids, const char *name, lw_error *error) {
  uint64_t hash = LWI_HASH_SEED;
  ids[0] = LW_AREA_NONE;
  for (uint32_t i = 0; i < head->area_count; i++)
    hash = lwi_hash(hash, names + i * LWI_FILE_NAME_SIZE, LWI_FILE_NAME_SIZE);
  if (hash != head->name_hash) return damaged(name, "area names", "contents do not match the checksum", error);
  for (uint32_t i = 0; i < head->area_count; i++, names += LWI_FILE_NAME_SIZE) {
    if (names[LWI_FILE_NAME_SIZE - 1] != 0 || names[0] == 0)
      return damaged(name, "area names", "a name is empty or not terminated", error);
    ids[i + 1] = lw_area_table_find(areas, names);
    if (ids[i + 1] == LW_AREA_NONE)
      return lwi_fail(error, LW_NOT_FOUND, "'%s' uses the area '%s', which is not defined", name, names);
  }
  return LW_OK;
}

/* Replace indices by ids, within the block. */
static bool take_areas(lw_navmesh *mesh, const lw_area_id *ids, uint32_t area_count) {
  for (uint32_t p = 0; p < mesh->polygons.count; p++) {
    lw_area_id *area = &mesh->polygons.areas[p];
    if (*area < 1 || *area > area_count) return false;
    *area = ids[*area];
  }
  for (uint32_t i = 0; i < mesh->links.count; i++) {
    lw_area_id *area = &mesh->links.items[i].area;
    if (*area > area_count) return false;
    *area = ids[*area];
  }
  for (uint32_t i = 0; i < mesh->annotations.request_count; i++) {
    lw_area_id *area = &mesh->annotations.requests[i].area;
    if (*area > area_count) return false;
    *area = ids[*area];
  }
  return true;
}

/* What an old file does not say is unknown, and limits nobody. @return false: no memory. */
static bool add_limits(lw_navmesh *mesh) {
  if (!mesh->polygons.has_no_limits) return true;
  const size_t size = mesh->polygons.count;
  mesh->polygons.has_no_limits = false;
  mesh->polygons.headrooms = lwi_alloc(&mesh->memory, size);
  mesh->polygons.steps = lwi_alloc_zero(&mesh->memory, size);
  if (mesh->polygons.headrooms) memset(mesh->polygons.headrooms, LWI_HEADROOM_OPEN, size);
  return (mesh->polygons.headrooms && mesh->polygons.steps) || size == 0;
}

/* What an old file does not say has no step. @return false: no memory. */
static bool add_steps(lw_navmesh *mesh) {
  if (mesh->graph.has_no_steps)
    mesh->graph.interval_steps = lwi_alloc_zero(&mesh->memory, mesh->graph.interval_count);
  mesh->graph.has_no_steps = false;
  if (!mesh->graph.interval_steps) return false;
  lwi_graph_measure_steps(mesh);
  return true;
}

/* The bytes of an old file stay unused in the block. @return false: no memory. */
static bool renew_depths(lw_navmesh *mesh) {
  if (!mesh->polygons.has_old_depths) return true;
  const size_t size = 2 * (size_t)mesh->polygons.count;
  mesh->polygons.has_old_depths = false;
  mesh->polygons.depths = lwi_alloc_zero(&mesh->memory, size);
  return (mesh->polygons.depths || size == 0) && lwi_depths_make(mesh);
}

/* The bytes of an old file stay unused in the block. @return false: no memory. */
static bool renew_landmarks(lw_navmesh *mesh) {
  lwi_reduction *reduction = mesh->attachments.slots[LWI_REDUCTION_SLOT];
  const bool had_some = reduction->old_landmark_count > 0;
  reduction->old_landmark_count = 0;
  reduction->old_distances = NULL;
  return !had_some || lwi_landmarks_make(mesh);
}

static lw_status read_block(lw_navmesh *mesh, unsigned char *data, size_t size, const char *name,
                            lw_error *error) {
  lwi_file_head head;
  if (size < lwi_file_layout_get(LWI_FILE_VERSION_BARE).size) {
    bool is_navmesh = size >= sizeof LWI_FILE_MAGIC && memcmp(data, LWI_FILE_MAGIC, sizeof LWI_FILE_MAGIC) == 0;
    return lwi_fail(error, LW_BAD_FILE, is_navmesh ? "'%s' is cut short" : "'%s' is not a leeward navmesh",
                    name);
  }
  memcpy(&head, data, sizeof head);
  lw_status status = check_head(&head, data, size, name, error);
  if (status != LW_OK) return status;
  const lwi_file_layout layout = lwi_file_layout_get(head.version);
  lwi_file_take_head(mesh, data);
  mesh->polygons.has_old_depths = head.version <= LWI_FILE_VERSION_PARTS;
  mesh->polygons.has_no_limits = head.version <= LWI_FILE_VERSION_OPEN;
  mesh->graph.has_no_steps = head.version <= LWI_FILE_VERSION_FLUSH;
  const char *whose, *wrong = lwi_heads_check(mesh, &whose);
  if (wrong) return damaged(name, whose, wrong, error);
  const size_t begin = layout.size + head.area_count * (size_t)LWI_FILE_NAME_SIZE, end = size - head.notes_size;
  if (head.notes_size > size || begin > end || !place_sections(mesh, data, begin, end))
    return lwi_fail(error, LW_BAD_FILE, "'%s' is damaged: its head counts more or less than the file holds",
                    name);
  lw_area_id ids[LW_AREA_MAX + 1];
  status = check_hashes(mesh, head.version, data + layout.hashes, name, error);
  if (status == LW_OK)
    status = read_names(&head, (const char *)data + layout.size, mesh->areas, ids, name, error);
  if (status != LW_OK) return status;
  lwi_section_place section;
  wrong = lwi_sections_check(mesh, &section);
  if (wrong) return damaged(name, lwi_section_of(&section)->name, wrong, error);
  if (!take_areas(mesh, ids, head.area_count)) return damaged(name, "areas", "an index is out of range", error);
  status = lwi_link_notes_read(mesh, data + end, head.notes_size, &wrong);
  if (status != LW_OK)
    return status == LW_BAD_FILE ? damaged(name, "names of links", wrong, error)
                                 : lwi_fail_status(error, status);
  lwi_surfaces_fill(mesh); /* files of older builds hold other bytes there */
  const bool built = add_limits(mesh) && add_steps(mesh) && renew_depths(mesh) &&
                     (lwi_reduction_of(mesh)->is_built || lwi_reduction_make(mesh));
  if (built) lwi_reduction_mark_all(mesh);
  if (built && head.version <= LWI_FILE_VERSION_MIDDLES && !renew_landmarks(mesh))
    return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  return built && lwi_generations_make(mesh) ? LW_OK : lwi_fail_status(error, LW_OUT_OF_MEMORY);
}

lw_status lw_navmesh_load(const char *name, const lw_area_table *areas, const lw_allocator *allocator,
                          lw_navmesh **navmesh, lw_error *error) {
  if (!navmesh) return lwi_fail_null(error, "navmesh");
  *navmesh = NULL;
  if (!name) return lwi_fail_null(error, "file");
  if (!areas) return lwi_fail_null(error, "areas");
  lwi_memory memory = lwi_memory_make(allocator);
  lw_navmesh *mesh = lwi_navmesh_new(&memory);
  if (!mesh) return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  mesh->areas = areas;
  unsigned char *data = NULL;
  lw_status status = lwi_file_read(name, &mesh->memory, &data, &mesh->block_size, error);
  mesh->block = data;
  if (status == LW_OK) status = read_block(mesh, data, mesh->block_size, name, error);
  if (status == LW_OK)
    *navmesh = mesh;
  else
    lw_navmesh_destroy(mesh);
  return status;
}
