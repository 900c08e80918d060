#define _GNU_SOURCE /* fmemopen(), open_memstream() */
#include "memory_files.h"

#include "core/platform.h"

#include <stdlib.h>
#include <string.h>

#define FILES 8

typedef struct memory_file {
  char name[LWI_PATH_SIZE];
  const void *data;
  size_t size;
  char *written; /* owned: what a program wrote */
  size_t written_size;
} memory_file;

static memory_file files[FILES];
static int file_count;
static bool only;

/* Declared as what they replace, so that neither can change alone. */
extern __typeof__(lwi_file_open) __wrap_lwi_file_open, __real_lwi_file_open;
extern __typeof__(lwi_file_create) __wrap_lwi_file_create;
extern __typeof__(lwi_file_sync) __wrap_lwi_file_sync;
extern __typeof__(lwi_file_replace) __wrap_lwi_file_replace;
extern __typeof__(lwi_file_remove) __wrap_lwi_file_remove;
extern __typeof__(lwi_path_is_file) __wrap_lwi_path_is_file, __real_lwi_path_is_file;
extern __typeof__(lwi_path_resolve) __wrap_lwi_path_resolve, __real_lwi_path_resolve;

static memory_file *find(const char *name) {
  for (int i = 0; i < file_count; i++)
    if (strcmp(files[i].name, name) == 0) return &files[i];
  return NULL;
}

static memory_file *find_or_add(const char *name) {
  memory_file *file = find(name);
  if (file) return file;
  if (file_count == FILES || strlen(name) >= LWI_PATH_SIZE) abort();
  file = &files[file_count++];
  strcpy(file->name, name);
  return file;
}

void memory_file_set(const char *name, const void *data, size_t size) {
  memory_file *file = find_or_add(name);
  free(file->written);
  file->written = NULL;
  file->data = data;
  file->size = size;
}

const void *memory_file_get(const char *name, size_t *size) {
  const memory_file *file = find(name);
  if (!file) return NULL;
  *size = file->written ? file->written_size : file->size;
  return file->written ? file->written : file->data;
}

void memory_files_only(void) {
  only = true;
}

void memory_files_clear(void) {
  for (int i = 0; i < file_count; i++) free(files[i].written);
  for (int i = 0; i < file_count; i++) files[i].written = NULL;
  file_count = 0;
}

const char *__wrap_lwi_file_open(const char *name, FILE **stream, uint64_t *size) {
  size_t length = 0;
  const void *data = memory_file_get(name, &length);
  *stream = NULL;
  *size = length;
  if (!find(name)) return only ? "No such file or directory" : __real_lwi_file_open(name, stream, size);
  *stream = length > 0 ? fmemopen((void *)data, length, "rb") : fopen("/dev/null", "rb");
  if (!*stream) abort();
  return NULL;
}

const char *__wrap_lwi_file_create(const char *name, lwi_replacement *to) {
  snprintf(to->target, sizeof to->target, "%.4000s", name);
  snprintf(to->temporary, sizeof to->temporary, "%.4000s.tmp", name);
  memory_file *file = find_or_add(to->temporary);
  free(file->written);
  file->written = NULL;
  to->file = open_memstream(&file->written, &file->written_size);
  if (!to->file) abort();
  return NULL;
}

const char *__wrap_lwi_file_sync(FILE *stream) {
  return fflush(stream) == 0 ? NULL : "writing failed";
}

const char *__wrap_lwi_file_replace(const char *from, const char *to) {
  memory_file *source = find(from), *target = find_or_add(to);
  if (!source) abort();
  free(target->written);
  target->written = source->written;
  target->written_size = source->written_size;
  source->written = NULL;
  source->size = 0;
  return NULL;
}

void __wrap_lwi_file_remove(const char *name) {
  memory_file *file = find(name);
  if (!file) return;
  free(file->written);
  *file = files[--file_count];
}

/* Programs still find their libraries. */
bool __wrap_lwi_path_is_file(const char *path) {
  return find(path) || (!only && __real_lwi_path_is_file(path));
}

bool __wrap_lwi_path_resolve(const char *path, char *resolved) {
  return !only && __real_lwi_path_resolve(path, resolved);
}
