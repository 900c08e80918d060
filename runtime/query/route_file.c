/* Route tables in files, little-endian:
     magic (8 bytes) | version, places (u32) | navmeshes, checksum of what follows (u64)
     whether the world had changed, the profile's name and those of all places (text) | for each pair cost, next (float) */
#include "core/bytes.h"
#include "core/file.h"
#include "core/hash.h"
#include "core/status.h"
#include "core/vec3.h"
#include "query/route_table.h"

#include <math.h>
#include <string.h>

#define MAGIC "LWROUTE"
#define VERSION 1u
#define HEAD 32

/* --- writing ------------------------------------------------------------------------------------------------------ */

static void put_table(lwi_bytes *bytes, const lw_route_table *table) {
  lwi_put(bytes, table->scene->changes != 0 || table->changes != 0, 1);
  lwi_put_text(bytes, table->profile);
  for (int i = 0; i < table->count; i++) lwi_put_text(bytes, table->names[i].text);
  const size_t count = (size_t)table->count * (size_t)table->count;
  for (size_t i = 0; i < count; i++) {
    lwi_put_float(bytes, table->routes[i].cost);
    lwi_put_vec3(bytes, table->routes[i].next);
  }
}

static void put_head(lwi_bytes *bytes, const lw_route_table *table, uint64_t checksum) {
  lwi_put_block(bytes, MAGIC, 8);
  lwi_put_u32(bytes, VERSION);
  lwi_put_u32(bytes, (uint32_t)table->count);
  lwi_put_u64(bytes, lwi_route_identity(table->scene));
  lwi_put_u64(bytes, checksum);
}

static lw_status write_file(const char *file, const lwi_bytes *head, const lwi_bytes *body, lw_error *error) {
  lwi_writer writer;
  lwi_writer_open(&writer, file);
  lwi_writer_put(&writer, head->data, (size_t)head->count);
  lwi_writer_put(&writer, body->data, (size_t)body->count);
  return lwi_writer_close(&writer, error);
}

lw_status lw_route_table_save(const lw_route_table *table, const char *file, lw_error *error) {
  if (!table || !file) return lwi_fail_null(error, table ? "file" : "table");
  lwi_memory memory = lwi_memory_make(&table->scene->allocator);
  lwi_bytes head = {.memory = &memory}, body = {.memory = &memory};
  put_table(&body, table);
  if (!body.failed) put_head(&head, table, lwi_hash(LWI_HASH_SEED, body.data, (size_t)body.count));
  const lw_status status = body.failed || head.failed ? lwi_fail_status(error, LW_OUT_OF_MEMORY)
                                                      : write_file(file, &head, &body, error);
  lwi_free(&memory, body.data, (size_t)body.capacity);
  lwi_free(&memory, head.data, (size_t)head.capacity);
  return status;
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

/* A file that is read. */
typedef struct route_file {
  const char *name;
  const lwi_scene *scene;
  lwi_reader reader;
  int count;
  lw_error *error;
} route_file;

static lw_status damaged(const route_file *file, const char *what) {
  return lwi_fail(file->error, LW_BAD_FILE, "'%s' is damaged: %s", file->name, what);
}

static lw_status read_head(route_file *file) {
  lwi_reader *reader = &file->reader;
  if (reader->end - reader->at < HEAD || memcmp(reader->at, MAGIC, 8) != 0)
    return lwi_fail(file->error, LW_BAD_FILE, "'%s' is not a route table that leeward saved", file->name);
  reader->at += 8;
  const uint32_t version = lwi_get_u32(reader), count = lwi_get_u32(reader);
  const uint64_t navmeshes = lwi_get_u64(reader), checksum = lwi_get_u64(reader);
  if (version != VERSION)
    return lwi_fail(file->error, LW_BAD_FILE, "'%s' has version %u; this build reads version %u", file->name,
                    version, VERSION);
  if (lwi_hash(LWI_HASH_SEED, reader->at, (size_t)(reader->end - reader->at)) != checksum)
    return damaged(file, "it does not match its checksum");
  if (count < 1 || count > LW_ROUTE_PLACES_MAX) return damaged(file, "it has too many places, or none");
  if (navmeshes != lwi_route_identity(file->scene))
    return lwi_fail(file->error, LW_NOT_FOUND, "'%s' is of other navmeshes than this world has", file->name);
  file->count = (int)count;
  return LW_OK;
}

/* @param size  Of `text`. @return false: it is too long. */
static bool read_text(lwi_reader *reader, char *text, size_t size) {
  const size_t length = (size_t)lwi_get(reader, 1);
  const void *from = lwi_get_block(reader, length);
  if (reader->failed || length >= size || (length > 0 && (!from || memchr(from, 0, length)))) return false;
  if (length > 0) memcpy(text, from, length);
  text[length] = 0;
  return true;
}

static bool read_route(lwi_reader *reader, lwi_route *route) {
  route->cost = lwi_get_float(reader);
  route->next.x = lwi_get_float(reader);
  route->next.y = lwi_get_float(reader);
  route->next.z = lwi_get_float(reader);
  return route->cost >= 0 && lwi_finite(route->next);
}

static lw_status read_table(route_file *file, lw_route_table *table) {
  lwi_reader *reader = &file->reader;
  const bool had_changed = lwi_get(reader, 1) != 0;
  if (!read_text(reader, table->profile, sizeof table->profile))
    return damaged(file, "its profile has no name");
  for (int i = 0; i < file->count; i++)
    if (!read_text(reader, table->names[i].text, sizeof table->names[i].text))
      return damaged(file, "a place has no name");
  const size_t count = (size_t)file->count * (size_t)file->count;
  for (size_t i = 0; i < count; i++)
    if (!read_route(reader, &table->routes[i])) return damaged(file, "a cost is not a number");
  if (reader->failed || reader->at != reader->end) return damaged(file, "it is cut short or too long");
  table->changes = had_changed || file->scene->changes != 0 ? UINT64_MAX : 0;
  return LW_OK;
}

static lw_status read_file(route_file *file, lw_route_table **table) {
  lw_status status = read_head(file);
  if (status != LW_OK) return status;
  *table = lwi_route_table_make(file->scene, file->count);
  if (!*table) return lwi_fail_status(file->error, LW_OUT_OF_MEMORY);
  status = read_table(file, *table);
  if (status == LW_OK) return LW_OK;
  lw_route_table_destroy(*table);
  *table = NULL;
  return status;
}

lw_status lw_route_table_load(const lw_world *world, const char *name, lw_route_table **table,
                              lw_error *error) {
  if (!table) return lwi_fail_null(error, "table");
  *table = NULL;
  if (!world || !name) return lwi_fail_null(error, world ? "file" : "world");
  const lwi_scene *scene = lwi_scene_of(world);
  lwi_memory memory = lwi_memory_make(&scene->allocator);
  unsigned char *data = NULL;
  size_t size = 0;
  lw_status status = lwi_file_read(name, &memory, &data, &size, error);
  if (status != LW_OK) return status;
  route_file file = {.name = name, .scene = scene, .reader = {data, data + size, false}, .error = error};
  status = read_file(&file, table);
  lwi_free(&memory, data, size);
  return status;
}
