#include "core/file.h"

#include "core/status.h"

/* --- reading ----------------------------------------------------------------------------------------------------- */

typedef struct reading {
  FILE *file;
  lwi_memory *memory;
  unsigned char *data; /* [capacity] */
  size_t size, capacity, limit;
} reading;

static bool resize(reading *from, size_t capacity) {
  unsigned char *data = lwi_resize(from->memory, from->data, from->capacity, capacity);
  if (!data && capacity > 0) return false;
  from->data = data;
  from->capacity = capacity;
  return true;
}

/* Fill the space that there is. @return false: the file has ended, or reading failed. */
static bool fill(reading *from, const char **reason) {
  const size_t space = from->capacity - from->size;
  size_t count = 0;
  *reason = lwi_file_get(from->file, from->data + from->size, space, &count);
  from->size += count;
  return count == space && !*reason;
}

/* The stated size is a guess: a file may grow or shrink meanwhile, and files of /proc state 0. */
static lw_status read_to_end(reading *from, const char **reason) {
  while (from->capacity == 0 || fill(from, reason)) {
    unsigned char next;
    size_t count = 0;
    *reason = lwi_file_get(from->file, &next, 1, &count);
    if (*reason || count == 0) break;
    if (from->size >= from->limit) return LW_LIMIT;
    const size_t more = from->limit - from->size, wanted = from->size / 2 + 4096;
    if (!resize(from, from->size + (wanted < more ? wanted : more))) return LW_OUT_OF_MEMORY;
    from->data[from->size++] = next;
  }
  if (*reason) return LW_FILE;
  return resize(from, from->size) ? LW_OK : LW_OUT_OF_MEMORY;
}

lw_status lwi_file_read_up_to(const char *name, size_t limit, lwi_memory *memory, unsigned char **data,
                              size_t *size, const char **reason) {
  reading from = {.memory = memory, .limit = limit};
  uint64_t stated;
  *data = NULL;
  *size = 0;
  *reason = lwi_file_open(name, &from.file, &stated);
  if (*reason) return LW_FILE;
  lw_status status = stated > limit                   ? LW_LIMIT
                     : !resize(&from, (size_t)stated) ? LW_OUT_OF_MEMORY
                                                      : read_to_end(&from, reason);
  lwi_file_close(from.file);
  if (status != LW_OK) {
    lwi_free(memory, from.data, from.capacity);
    return status;
  }
  *data = from.data;
  *size = from.size;
  return LW_OK;
}

lw_status lwi_file_read(const char *name, lwi_memory *memory, unsigned char **data, size_t *size,
                        lw_error *error) {
  const char *reason;
  lw_status status = lwi_file_read_up_to(name, SIZE_MAX, memory, data, size, &reason);
  if (status == LW_FILE) return lwi_fail(error, status, "cannot read '%s': %s", name, reason);
  return status == LW_OK ? LW_OK : lwi_fail_status(error, LW_OUT_OF_MEMORY);
}

/* --- writing ----------------------------------------------------------------------------------------------------- */

void lwi_writer_open(lwi_writer *writer, const char *name) {
  writer->name = name;
  writer->reason = lwi_file_create(name, &writer->to);
}

bool lwi_writer_put(lwi_writer *writer, const void *data, size_t size) {
  if (!writer->reason) writer->reason = lwi_file_put(writer->to.file, data, size);
  return !writer->reason;
}

static void close_file(lwi_writer *writer) {
  const char *reason = lwi_file_close(writer->to.file);
  if (!writer->reason) writer->reason = reason;
  writer->to.file = NULL;
}

lw_status lwi_writer_close(lwi_writer *writer, lw_error *error) {
  lwi_replacement *to = &writer->to;
  if (to->file) {
    if (!writer->reason) writer->reason = lwi_file_sync(to->file);
    close_file(writer);
    if (!writer->reason) writer->reason = lwi_file_replace(to->temporary, to->target);
    if (writer->reason) lwi_file_remove(to->temporary);
  }
  if (!writer->reason) return LW_OK;
  return lwi_fail(error, LW_FILE, "cannot write '%s': %s", writer->name, writer->reason);
}

void lwi_writer_cancel(lwi_writer *writer) {
  if (!writer->to.file) return;
  close_file(writer);
  lwi_file_remove(writer->to.temporary);
}
