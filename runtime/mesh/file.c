/* The navmesh's file. Little-endian; a head, the names of its areas, then each tile's blob (blob.h):

     head | area names, 64 bytes each | { tile size (8 bytes), tile blob }...

   Everything is a multiple of 8 bytes. The head holds a checksum of all that follows it and one of itself. */
#include "core/file.h"
#include "core/hash.h"
#include "core/status.h"
#include "mesh/blob.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define MAGIC "LWNMESH"
#define VERSION 2
#define ENDIAN_MARK 0x01020304u
#define NAME_SIZE 64

typedef struct file_head {
  char magic[8];
  uint32_t version, endian_mark;
  uint64_t body_size; /* bytes behind the head */
  uint64_t body_hash;
  uint32_t area_count, tile_count;
  lw_navmesh_agent agent;
  float tile_size;
  lwi_part part;
  uint64_t head_hash; /* of all above */
} file_head;

_Static_assert(sizeof(file_head) == 88, "the file's head has no gaps");

static uint64_t hash_head(const file_head *head) {
  return lwi_hash(LWI_HASH_SEED, head, offsetof(file_head, head_hash));
}

/* --- writing --------------------------------------------------------------------------------------------------- */

typedef struct body_writer {
  FILE *file;
  uint64_t hash, size;
  bool failed;
} body_writer;

/* Hashes what it writes; with no file it only hashes, which gives the head before the body. */
static void put(body_writer *writer, const void *data, size_t size) {
  writer->hash = lwi_hash(writer->hash, data, size);
  writer->size += size;
  if (writer->file && fwrite(data, 1, size, writer->file) != size) writer->failed = true;
}

/* The areas that occur, in the order of their ids. @return How many. */
static int list_areas(const lw_navmesh *mesh, lw_area_id *ids, uint8_t *slots) {
  bool used[LW_AREA_MAX + 1] = {false};
  int count = 0;
  for (uint32_t p = 0; p < mesh->polygon_count; p++) used[mesh->poly_areas[p]] = true;
  for (int id = 1; id <= LW_AREA_MAX; id++) {
    if (!used[id]) continue;
    slots[id] = (uint8_t)count;
    ids[count++] = (lw_area_id)id;
  }
  return count;
}

static void put_areas(body_writer *writer, const lw_navmesh *mesh, const lw_area_id *ids, int count) {
  for (int i = 0; i < count; i++) {
    char name[NAME_SIZE] = {0};
    strncpy(name, lw_area_table_get(mesh->areas, ids[i])->name, NAME_SIZE - 1);
    put(writer, name, sizeof name);
  }
}

static void put_tiles(body_writer *writer, const lw_navmesh *mesh, const uint8_t *slots, void *room) {
  for (int i = 0; i < mesh->tile_count; i++) {
    lwi_blob_head head = lwi_blob_head_of(mesh, &mesh->tiles[i]);
    uint64_t size = lwi_blob_size(&head);
    lwi_blob_write(mesh, &mesh->tiles[i], slots, room);
    put(writer, &size, sizeof size);
    put(writer, room, size);
  }
}

static size_t largest_blob(const lw_navmesh *mesh) {
  size_t largest = 1;
  for (int i = 0; i < mesh->tile_count; i++) {
    lwi_blob_head head = lwi_blob_head_of(mesh, &mesh->tiles[i]);
    size_t size = lwi_blob_size(&head);
    if (size > largest) largest = size;
  }
  return largest;
}

static bool write_all(const lw_navmesh *mesh, FILE *file, void *room) {
  lw_area_id ids[LW_AREA_MAX + 1];
  uint8_t slots[LW_AREA_MAX + 1] = {0};
  int area_count = list_areas(mesh, ids, slots);
  body_writer measure = {.hash = LWI_HASH_SEED};
  put_areas(&measure, mesh, ids, area_count);
  put_tiles(&measure, mesh, slots, room);
  file_head head = {
      .magic = MAGIC,
      .version = VERSION,
      .endian_mark = ENDIAN_MARK,
      .body_size = measure.size,
      .body_hash = measure.hash,
      .area_count = (uint32_t)area_count,
      .tile_count = (uint32_t)mesh->tile_count,
      .agent = mesh->agent,
      .tile_size = mesh->tile_size,
      .part = mesh->part,
  };
  head.head_hash = hash_head(&head);
  body_writer writer = {.file = file, .hash = LWI_HASH_SEED};
  if (fwrite(&head, sizeof head, 1, file) != 1) return false;
  put_areas(&writer, mesh, ids, area_count);
  put_tiles(&writer, mesh, slots, room);
  return !writer.failed && fflush(file) == 0 && fsync(fileno(file)) == 0;
}

/* @return 0, or errno. */
static int write_temporary(const lw_navmesh *mesh, const char *temporary, void *room) {
  FILE *file = fopen(temporary, "wb");
  if (!file) return errno;
  int reason = write_all(mesh, file, room) ? 0 : errno;
  if (fclose(file) != 0 && reason == 0) reason = errno;
  return reason;
}

lw_status lw_navmesh_save(const lw_navmesh *mesh, const char *name, lw_error *error) {
  char temporary[4096];
  int length = snprintf(temporary, sizeof temporary, "%s.%ld.tmp", name, (long)getpid());
  if (length < 0 || (size_t)length >= sizeof temporary)
    return lwi_fail(error, LW_FILE, "the file name is too long");
  lwi_memory memory = lwi_memory_make(&mesh->memory.allocator);
  size_t room_size = largest_blob(mesh);
  void *room = lwi_alloc(&memory, room_size);
  if (!room) return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  int reason = write_temporary(mesh, temporary, room);
  lwi_free(&memory, room, room_size);
  if (reason == 0 && rename(temporary, name) != 0) reason = errno;
  if (reason == 0) return LW_OK;
  remove(temporary);
  return lwi_fail(error, LW_FILE, "cannot write '%s': %s", name, strerror(reason));
}

/* --- reading --------------------------------------------------------------------------------------------------- */

typedef struct body_reader {
  const char *name;
  unsigned char *begin;
  const unsigned char *at, *end;
  lw_error *error;
} body_reader;

static const void *take(body_reader *reader, uint64_t size) {
  if (size > (uint64_t)(reader->end - reader->at)) return NULL;
  const void *data = reader->at;
  reader->at += size;
  return data;
}

static lw_status damaged(const body_reader *reader, const char *what) {
  return lwi_fail(reader->error, LW_BAD_FILE, "'%s' is damaged: %s", reader->name, what);
}

static lw_status read_areas(body_reader *reader, const lw_area_table *areas, uint32_t count, lw_area_id *ids) {
  for (uint32_t i = 0; i < count; i++) {
    const char *area = take(reader, NAME_SIZE);
    if (!area || area[NAME_SIZE - 1] != 0 || area[0] == 0) return damaged(reader, "an area's name is missing");
    ids[i] = lw_area_table_find(areas, area);
    if (ids[i] == LW_AREA_NONE)
      return lwi_fail(reader->error, LW_NOT_FOUND, "'%s' uses the area '%s', which is not defined",
                      reader->name, area);
  }
  return LW_OK;
}

/* The tile's areas become ids where they lie: the buffer is ours. */
static lw_status read_tile(body_reader *reader, const lw_area_id *ids, int area_count, lwi_tile_source *tile) {
  uint64_t size = 0;
  const void *data = take(reader, sizeof size);
  if (data) memcpy(&size, data, sizeof size);
  if (!data || !(data = take(reader, size))) return damaged(reader, "a tile is cut short");
  const char *wrong = lwi_blob_read(data, size, area_count, tile);
  if (wrong) return damaged(reader, wrong);
  uint8_t *areas = reader->begin + ((const unsigned char *)tile->areas - reader->begin);
  for (int i = 0; i < tile->polygon_count; i++) areas[i] = ids[areas[i]];
  return LW_OK;
}

static lw_status read_tiles(body_reader *reader, const lw_area_id *ids, const file_head *head,
                            lwi_tile_source *tiles) {
  for (uint32_t i = 0; i < head->tile_count; i++) {
    lw_status status = read_tile(reader, ids, (int)head->area_count, &tiles[i]);
    if (status != LW_OK) return status;
  }
  return reader->at == reader->end ? LW_OK : damaged(reader, "there is something behind its last tile");
}

static lw_status read_body(body_reader *reader, const file_head *head, const lw_area_table *areas,
                           const lw_allocator *allocator, lw_navmesh **navmesh) {
  lw_area_id ids[LW_AREA_MAX + 1];
  lw_status status = read_areas(reader, areas, head->area_count, ids);
  if (status != LW_OK) return status;
  if (head->tile_count > (uint64_t)(reader->end - reader->at) / sizeof(uint64_t))
    return damaged(reader, "it has fewer tiles than it says");
  lwi_memory memory = lwi_memory_make(allocator);
  size_t size = head->tile_count * sizeof(lwi_tile_source);
  lwi_tile_source *tiles = lwi_alloc(&memory, size);
  if (!tiles && size > 0) return lwi_fail_status(reader->error, LW_OUT_OF_MEMORY);
  status = read_tiles(reader, ids, head, tiles);
  lwi_navmesh_source source = {
      .areas = areas,
      .allocator = allocator,
      .agent = head->agent,
      .tile_size = head->tile_size,
      .part = head->part,
      .tile_count = (int)head->tile_count,
      .tiles = tiles,
  };
  if (status == LW_OK) status = lwi_navmesh_build(&source, navmesh, reader->error);
  lwi_free(&memory, tiles, size);
  return status;
}

static lw_status check_head(const file_head *head, uint64_t body_size, const char *name, lw_error *error) {
  if (memcmp(head->magic, MAGIC, sizeof head->magic) != 0)
    return lwi_fail(error, LW_BAD_FILE, "'%s' is not a leeward navmesh", name);
  if (head->endian_mark != ENDIAN_MARK)
    return lwi_fail(error, LW_BAD_FILE, "'%s' is damaged, or from a machine of another byte order", name);
  if (head->version != VERSION)
    return lwi_fail(error, LW_BAD_FILE, "'%s' has version %u; this build reads version %d: bake it again", name,
                    (unsigned)head->version, VERSION);
  if (hash_head(head) != head->head_hash)
    return lwi_fail(error, LW_BAD_FILE, "'%s' is damaged: its head does not match its checksum", name);
  if (body_size != head->body_size)
    return lwi_fail(error, LW_BAD_FILE, "'%s' is %s: %llu bytes instead of %llu", name,
                    body_size < head->body_size ? "cut short" : "too long",
                    (unsigned long long)(body_size + sizeof *head),
                    (unsigned long long)(head->body_size + sizeof *head));
  if (head->area_count > LW_AREA_MAX)
    return lwi_fail(error, LW_BAD_FILE, "'%s' is damaged: it has %u areas", name, (unsigned)head->area_count);
  const lwi_part *part = &head->part;
  if (part->total > 0 && (part->first >= part->total || part->count > part->total - part->first ||
                          !(part->min_island >= 0 && part->min_island < INFINITY)))
    return lwi_fail(error, LW_BAD_FILE, "'%s' is damaged: it is a part of no bake", name);
  return LW_OK;
}

/* The parts in the order in which they were written, because each is hashed by itself. */
static bool body_matches(const unsigned char *body, const file_head *head) {
  uint64_t hash = LWI_HASH_SEED, left = head->body_size, size;
  for (uint32_t i = 0; i < head->area_count; i++) {
    if (left < NAME_SIZE) return false;
    hash = lwi_hash(hash, body, NAME_SIZE);
    body += NAME_SIZE;
    left -= NAME_SIZE;
  }
  for (uint32_t i = 0; i < head->tile_count; i++) {
    if (left < sizeof size) return false;
    memcpy(&size, body, sizeof size);
    hash = lwi_hash(hash, body, sizeof size);
    body += sizeof size;
    left -= sizeof size;
    if (left < size) return false;
    hash = lwi_hash(hash, body, size);
    body += size;
    left -= size;
  }
  return left == 0 && hash == head->body_hash;
}

static lw_status load(unsigned char *data, size_t size, const char *name, const lw_area_table *areas,
                      const lw_allocator *allocator, lw_navmesh **navmesh, lw_error *error) {
  file_head head;
  if (size < sizeof head) {
    bool ours = size >= sizeof MAGIC && memcmp(data, MAGIC, sizeof MAGIC) == 0;
    return lwi_fail(error, LW_BAD_FILE, ours ? "'%s' is cut short" : "'%s' is not a leeward navmesh", name);
  }
  memcpy(&head, data, sizeof head);
  lw_status status = check_head(&head, size - sizeof head, name, error);
  if (status != LW_OK) return status;
  if (!body_matches(data + sizeof head, &head))
    return lwi_fail(error, LW_BAD_FILE, "'%s' is damaged: its contents do not match their checksum", name);
  body_reader reader = {name, data, data + sizeof head, data + size, error};
  return read_body(&reader, &head, areas, allocator, navmesh);
}

lw_status lw_navmesh_load(const char *name, const lw_area_table *areas, const lw_allocator *allocator,
                          lw_navmesh **navmesh, lw_error *error) {
  *navmesh = NULL;
  lwi_memory memory = lwi_memory_make(allocator);
  unsigned char *data = NULL;
  size_t size = 0;
  lw_status status = lwi_file_read(name, &memory, &data, &size, error);
  if (status != LW_OK) return status;
  status = load(data, size, name, areas, allocator, navmesh, error);
  lwi_free(&memory, data, size);
  return status;
}
