/* The navmesh's file: what lies in memory, as it lies there. Little-endian; every section begins at a multiple of 16 bytes:

     head | area names, 64 bytes each | sections, in the order of sections.h

   The head holds how many of everything there are, a checksum of the names and of each section, and one of itself. Areas
   are indices into the names; ids of the table that is loaded against take their place. */
#include "core/file.h"
#include "core/status.h"
#include "mesh/file_head.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

uint64_t lwi_file_hash_head(const lwi_file_head *head) {
  return lwi_hash(LWI_HASH_SEED, head, offsetof(lwi_file_head, head_hash));
}

static lwi_file_head head_of(const lw_navmesh *mesh) {
  return (lwi_file_head){.magic = LWI_FILE_MAGIC,
                         .version = LWI_FILE_VERSION,
                         .endian_mark = LWI_FILE_ENDIAN_MARK,
                         .part = mesh->part,
                         .area = mesh->area,
                         .bounds = mesh->bounds,
                         .agent = mesh->agent,
                         .tile_size = mesh->tile_size,
                         .tile_count = mesh->tile_count,
                         .polygon_count = mesh->polygon_count,
                         .corner_count = mesh->corner_count,
                         .vertex_count = mesh->vertex_count,
                         .detail_vertex_count = mesh->detail_vertex_count,
                         .detail_triangle_count = mesh->detail_triangle_count,
                         .detail_box_count = mesh->detail_box_count,
                         .portal_count = mesh->portal_count,
                         .stretch_count = mesh->stretch_count,
                         .island_count = mesh->island_count,
                         .link_count = mesh->link_count,
                         .request_count = mesh->request_count,
                         .joined_count = mesh->joined_count,
                         .refused_count = mesh->refused_count,
                         .water_count = mesh->water_count,
                         .water_point_count = mesh->water_point_count,
                         .facet_count = mesh->occluders.facet_count,
                         .occluder_node_count = mesh->occluders.node_count,
                         .occluder_leaf_count = mesh->occluders.leaf_count,
                         .occluder_block_count = mesh->occluders.block_count,
                         .occluder_number_count = mesh->occluders.number_count,
                         .occluder_vertex_count = mesh->occluders.vertex_count,
                         .segment_count = mesh->cover.segment_count,
                         .veto_count = mesh->cover.veto_count,
                         .veto_point_count = mesh->cover.veto_point_count,
                         .added_count = mesh->cover.added_count,
                         .has_map = mesh->cover.has_map,
                         .map_size = mesh->cover.map_size,
                         .map_loss = mesh->cover.map_loss,
                         .has_pairs = mesh->pairs.has,
                         .pair_group_count = mesh->pairs.group_count,
                         .pair_word_count = mesh->pairs.word_count,
                         .pair_range = mesh->pairs.range,
                         .pair_hidden = mesh->pairs.hidden,
                         .pair_visible = mesh->pairs.visible,
                         .occluder_origin = mesh->occluders.origin,
                         .quantum = mesh->occluders.quantum,
                         .min_x = mesh->grid.min_x,
                         .min_z = mesh->grid.min_z,
                         .cell = mesh->grid.cell,
                         .min_y = mesh->grid.min_y,
                         .size_y = mesh->grid.size_y,
                         .width = (uint32_t)mesh->grid.width,
                         .height = (uint32_t)mesh->grid.height,
                         .reference_count = mesh->grid.reference_count};
}

void lwi_file_take_head(lw_navmesh *mesh, const lwi_file_head *head) {
  mesh->part = head->part;
  mesh->area = head->area;
  mesh->bounds = head->bounds;
  mesh->agent = head->agent;
  mesh->tile_size = head->tile_size;
  mesh->tile_count = head->tile_count;
  mesh->polygon_count = head->polygon_count;
  mesh->corner_count = head->corner_count;
  mesh->vertex_count = head->vertex_count;
  mesh->detail_vertex_count = head->detail_vertex_count;
  mesh->detail_triangle_count = head->detail_triangle_count;
  mesh->detail_box_count = head->detail_box_count;
  mesh->portal_count = head->portal_count;
  mesh->stretch_count = head->stretch_count;
  mesh->island_count = head->island_count;
  mesh->link_count = head->link_count;
  mesh->request_count = head->request_count;
  mesh->joined_count = head->joined_count;
  mesh->refused_count = head->refused_count;
  mesh->water_count = head->water_count;
  mesh->water_point_count = head->water_point_count;
  mesh->occluders = (lwi_occluders){.origin = head->occluder_origin,
                                    .quantum = head->quantum,
                                    .facet_count = head->facet_count,
                                    .node_count = head->occluder_node_count,
                                    .leaf_count = head->occluder_leaf_count,
                                    .block_count = head->occluder_block_count,
                                    .number_count = head->occluder_number_count,
                                    .vertex_count = head->occluder_vertex_count};
  mesh->cover = (lwi_cover){.segment_count = head->segment_count,
                            .veto_count = head->veto_count,
                            .veto_point_count = head->veto_point_count,
                            .added_count = head->added_count,
                            .has_map = head->has_map,
                            .map_size = head->map_size,
                            .map_loss = head->map_loss};
  mesh->pairs = (lwi_pairs){.has = head->has_pairs,
                            .group_count = head->pair_group_count,
                            .word_count = head->pair_word_count,
                            .range = head->pair_range,
                            .hidden = head->pair_hidden,
                            .visible = head->pair_visible};
  mesh->grid = (lwi_grid){.min_x = head->min_x,
                          .min_z = head->min_z,
                          .cell = head->cell,
                          .min_y = head->min_y,
                          .size_y = head->size_y,
                          .width = (int32_t)head->width,
                          .height = (int32_t)head->height,
                          .reference_count = head->reference_count};
}

/* --- writing --------------------------------------------------------------------------------------------------- */

typedef struct writing {
  const lw_navmesh *mesh;
  FILE *file;
  lw_area_id ids[LW_AREA_MAX + 1]; /* by index into the names */
  uint8_t slots[LW_AREA_MAX + 1];  /* and back */
  uint32_t area_count;
  void *sections[LWI_SECTION_COUNT]; /* copies of those that hold areas */
  bool failed;
} writing;

/* The areas that occur, in the order of their ids; index 0 is none. */
static void list_areas(writing *to) {
  const lw_navmesh *mesh = to->mesh;
  bool used[LW_AREA_MAX + 1] = {false};
  for (uint32_t p = 0; p < mesh->polygon_count; p++) used[mesh->poly_areas[p]] = true;
  for (uint32_t i = 0; i < mesh->request_count; i++) used[mesh->requests[i].area] = true;
  for (uint32_t i = 0; i < mesh->link_count; i++) used[mesh->links[i].area] = true;
  for (int id = 1; id <= LW_AREA_MAX; id++) {
    if (!used[id]) continue;
    to->ids[to->area_count++] = (lw_area_id)id;
    to->slots[id] = (uint8_t)to->area_count;
  }
}

static bool copy_section(writing *to, lwi_memory *memory, int which) {
  size_t size = (size_t)lwi_section_size(to->mesh, which);
  if (size == 0) return true;
  if (!(to->sections[which] = lwi_alloc(memory, size))) return false;
  memcpy(to->sections[which], lwi_section_get(to->mesh, which), size);
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
  for (uint32_t p = 0; p < to->mesh->polygon_count; p++) areas[p] = to->slots[areas[p]];
  for (uint32_t i = 0; i < to->mesh->link_count; i++) links[i].area = to->slots[links[i].area];
  for (uint32_t i = 0; i < to->mesh->request_count; i++) requests[i].area = to->slots[requests[i].area];
  return true;
}

static const void *section_of(const writing *from, int which) {
  return from->sections[which] ? from->sections[which] : lwi_section_get(from->mesh, which);
}

static void put(writing *to, const void *data, size_t size) {
  if (size > 0 && fwrite(data, 1, size, to->file) != size) to->failed = true;
}

static void name_area(const writing *from, uint32_t i, char name[LWI_FILE_NAME_SIZE]) {
  memset(name, 0, LWI_FILE_NAME_SIZE);
  strncpy(name, lw_area_table_get(from->mesh->areas, from->ids[i])->name, LWI_FILE_NAME_SIZE - 1);
}

static lwi_file_head summarize(const writing *from) {
  char name[LWI_FILE_NAME_SIZE];
  lwi_file_head head = head_of(from->mesh);
  head.area_count = from->area_count;
  head.size = sizeof head + from->area_count * (uint64_t)LWI_FILE_NAME_SIZE;
  head.name_hash = LWI_HASH_SEED;
  for (uint32_t i = 0; i < from->area_count; i++) {
    name_area(from, i, name);
    head.name_hash = lwi_hash(head.name_hash, name, sizeof name);
  }
  for (int i = 0; i < LWI_SECTION_COUNT; i++) {
    head.hashes[i] = lwi_hash(LWI_HASH_SEED, section_of(from, i), (size_t)lwi_section_size(from->mesh, i));
    head.size += lwi_section_room(from->mesh, i);
  }
  head.head_hash = lwi_file_hash_head(&head);
  return head;
}

static bool write_all(writing *to) {
  static const char zeros[LWI_SECTION_ALIGNMENT];
  char name[LWI_FILE_NAME_SIZE];
  lwi_file_head head = summarize(to);
  put(to, &head, sizeof head);
  for (uint32_t i = 0; i < to->area_count; i++) {
    name_area(to, i, name);
    put(to, name, sizeof name);
  }
  for (int i = 0; i < LWI_SECTION_COUNT; i++) {
    size_t size = (size_t)lwi_section_size(to->mesh, i);
    put(to, section_of(to, i), size);
    put(to, zeros, (size_t)lwi_section_room(to->mesh, i) - size);
  }
  return !to->failed && fflush(to->file) == 0 && fsync(fileno(to->file)) == 0;
}

/* @return 0, or errno. */
static int write_temporary(writing *to, const char *temporary) {
  to->file = fopen(temporary, "wb");
  if (!to->file) return errno;
  int reason = write_all(to) ? 0 : errno;
  if (fclose(to->file) != 0 && reason == 0) reason = errno;
  return reason;
}

lw_status lw_navmesh_save(const lw_navmesh *mesh, const char *name, lw_error *error) {
  char temporary[4096];
  int length = snprintf(temporary, sizeof temporary, "%s.%ld.tmp", name, (long)getpid());
  if (length < 0 || (size_t)length >= sizeof temporary)
    return lwi_fail(error, LW_FILE, "the file name is too long");
  lwi_memory memory = lwi_memory_make(&mesh->memory.allocator);
  writing to = {.mesh = mesh};
  bool numbered = number_areas(&to, &memory);
  int reason = numbered ? write_temporary(&to, temporary) : 0;
  for (int i = 0; i < LWI_SECTION_COUNT; i++)
    lwi_free(&memory, to.sections[i], (size_t)lwi_section_size(mesh, i));
  if (!numbered) return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  if (reason == 0 && rename(temporary, name) != 0) reason = errno;
  if (reason == 0) return LW_OK;
  remove(temporary);
  return lwi_fail(error, LW_FILE, "cannot write '%s': %s", name, strerror(reason));
}

/* --- reading --------------------------------------------------------------------------------------------------- */

static lw_status damaged(const char *name, const char *what, const char *why, lw_error *error) {
  return lwi_fail(error, LW_BAD_FILE, "'%s' is damaged: its %s: %s", name, what, why);
}

static lw_status check_head(const lwi_file_head *head, uint64_t size, const char *name, lw_error *error) {
  if (memcmp(head->magic, LWI_FILE_MAGIC, sizeof head->magic) != 0)
    return lwi_fail(error, LW_BAD_FILE, "'%s' is not a leeward navmesh", name);
  if (head->endian_mark != LWI_FILE_ENDIAN_MARK)
    return lwi_fail(error, LW_BAD_FILE, "'%s' is damaged, or from a machine of another byte order", name);
  if (head->version != LWI_FILE_VERSION)
    return lwi_fail(error, LW_BAD_FILE, "'%s' has version %u; this build reads version %d: bake it again", name,
                    (unsigned)head->version, LWI_FILE_VERSION);
  if (lwi_file_hash_head(head) != head->head_hash)
    return lwi_fail(error, LW_BAD_FILE, "'%s' is damaged: its head does not match its checksum", name);
  if (size != head->size)
    return lwi_fail(error, LW_BAD_FILE, "'%s' is %s: %llu bytes instead of %llu", name,
                    size < head->size ? "cut short" : "too long", (unsigned long long)size,
                    (unsigned long long)head->size);
  const lwi_part *part = &head->part;
  if (part->total > 0 && (part->first >= part->total || part->count > part->total - part->first ||
                          !(part->min_island >= 0 && part->min_island < INFINITY)))
    return lwi_fail(error, LW_BAD_FILE, "'%s' is damaged: it is a part of no bake", name);
  const float sizes[] = {head->agent.radius, head->agent.height, head->agent.climb, head->tile_size};
  for (int i = 0; i < 4; i++)
    if (!(sizes[i] >= 0 && sizes[i] < INFINITY)) return damaged(name, "head", "a size is no length", error);
  if (!(head->map_loss >= 0 && head->map_loss <= 1)) return damaged(name, "head", "a loss is no part", error);
  if (!(head->pair_hidden >= 0 && head->pair_visible >= 0 &&
        head->pair_hidden + head->pair_visible <= 1.0001f) ||
      !(head->pair_range >= 0 && head->pair_range < INFINITY))
    return damaged(name, "head", "a share of pairs is no part", error);
  if (head->area_count > LW_AREA_MAX || head->width > INT16_MAX || head->height > INT16_MAX ||
      head->request_count > INT32_MAX ||
      (head->request_count == 0 && head->joined_count + head->refused_count > 0))
    return damaged(name, "head", "a count is out of range", error);
  return LW_OK;
}

/* Sections lie one behind the other up to the end. Counts are below 2^32 and elements below 256 bytes, so nothing wraps. */
static bool place_sections(lw_navmesh *mesh, unsigned char *data, size_t begin, size_t size) {
  uint64_t at = begin;
  for (int i = 0; i < LWI_SECTION_COUNT; i++) {
    uint64_t room = lwi_section_room(mesh, i);
    if (room > size - at) return false;
    lwi_section_set(mesh, i, room > 0 ? data + at : NULL);
    at += room;
  }
  return at == size;
}

static bool is_zero(const unsigned char *from, const unsigned char *end) {
  while (from < end)
    if (*from++ != 0) return false;
  return true;
}

static lw_status check_hashes(const lw_navmesh *mesh, const lwi_file_head *head, const char *name,
                              lw_error *error) {
  for (int i = 0; i < LWI_SECTION_COUNT; i++) {
    const unsigned char *section = lwi_section_get(mesh, i);
    size_t size = (size_t)lwi_section_size(mesh, i), room = (size_t)lwi_section_room(mesh, i);
    if (lwi_hash(LWI_HASH_SEED, section, size) != head->hashes[i] ||
        (room > size && !is_zero(section + size, section + room)))
      return damaged(name, lwi_sections[i].name, "they do not match their checksum", error);
  }
  return LW_OK;
}

static lw_status read_names(const lwi_file_head *head, const char *names, const lw_area_table *areas,
                            lw_area_id *ids, const char *name, lw_error *error) {
  uint64_t hash = LWI_HASH_SEED;
  ids[0] = LW_AREA_NONE;
  for (uint32_t i = 0; i < head->area_count; i++)
    hash = lwi_hash(hash, names + i * LWI_FILE_NAME_SIZE, LWI_FILE_NAME_SIZE);
  if (hash != head->name_hash) return damaged(name, "area names", "they do not match their checksum", error);
  for (uint32_t i = 0; i < head->area_count; i++, names += LWI_FILE_NAME_SIZE) {
    if (names[LWI_FILE_NAME_SIZE - 1] != 0 || names[0] == 0)
      return damaged(name, "area names", "one is missing", error);
    ids[i + 1] = lw_area_table_find(areas, names);
    if (ids[i + 1] == LW_AREA_NONE)
      return lwi_fail(error, LW_NOT_FOUND, "'%s' uses the area '%s', which is not defined", name, names);
  }
  return LW_OK;
}

/* The block is ours to write to. */
static bool take_areas(lw_navmesh *mesh, const lw_area_id *ids, uint32_t area_count) {
  for (uint32_t p = 0; p < mesh->polygon_count; p++) {
    lw_area_id *area = &mesh->poly_areas[p];
    if (*area < 1 || *area > area_count) return false;
    *area = ids[*area];
  }
  for (uint32_t i = 0; i < mesh->link_count; i++) {
    lw_area_id *area = &mesh->links[i].area;
    if (*area > area_count) return false;
    *area = ids[*area];
  }
  for (uint32_t i = 0; i < mesh->request_count; i++) {
    lw_area_id *area = &mesh->requests[i].area;
    if (*area > area_count) return false;
    *area = ids[*area];
  }
  return true;
}

static lw_status read_block(lw_navmesh *mesh, unsigned char *data, size_t size, const char *name,
                            lw_error *error) {
  lwi_file_head head;
  if (size < sizeof head) {
    bool ours = size >= sizeof LWI_FILE_MAGIC && memcmp(data, LWI_FILE_MAGIC, sizeof LWI_FILE_MAGIC) == 0;
    return lwi_fail(error, LW_BAD_FILE, ours ? "'%s' is cut short" : "'%s' is not a leeward navmesh", name);
  }
  memcpy(&head, data, sizeof head);
  lw_status status = check_head(&head, size, name, error);
  if (status != LW_OK) return status;
  lwi_file_take_head(mesh, &head);
  size_t begin = sizeof head + head.area_count * (size_t)LWI_FILE_NAME_SIZE;
  if (begin > size || !place_sections(mesh, data, begin, size))
    return lwi_fail(error, LW_BAD_FILE, "'%s' is damaged: its size does not fit its contents", name);
  lw_area_id ids[LW_AREA_MAX + 1];
  status = check_hashes(mesh, &head, name, error);
  if (status == LW_OK)
    status = read_names(&head, (const char *)data + sizeof head, mesh->areas, ids, name, error);
  if (status != LW_OK) return status;
  int section;
  const char *wrong = lwi_sections_check(mesh, &section);
  if (wrong) return damaged(name, lwi_sections[section].name, wrong, error);
  if (!take_areas(mesh, ids, head.area_count)) return damaged(name, "areas", "one is out of range", error);
  return lwi_generations_make(mesh) ? LW_OK : lwi_fail_status(error, LW_OUT_OF_MEMORY);
}

lw_status lw_navmesh_load(const char *name, const lw_area_table *areas, const lw_allocator *allocator,
                          lw_navmesh **navmesh, lw_error *error) {
  *navmesh = NULL;
  lwi_memory memory = lwi_memory_make(allocator);
  lw_navmesh *mesh = lwi_alloc_zero(&memory, sizeof *mesh);
  if (!mesh) return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  mesh->memory = memory;
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
