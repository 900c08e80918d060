#include "file_faults.h"

#include "core/platform.h"

file_faults support_faults = {.left = -1};

/* What the linker calls in the places of the real functions, and the real ones. */
const char *__real_lwi_file_open(const char *name, FILE **file, uint64_t *size);
const char *__wrap_lwi_file_open(const char *name, FILE **file, uint64_t *size);
const char *__real_lwi_file_get(FILE *file, void *data, size_t size, size_t *count);
const char *__wrap_lwi_file_get(FILE *file, void *data, size_t size, size_t *count);
const char *__real_lwi_file_create(const char *name, lwi_replacement *to);
const char *__wrap_lwi_file_create(const char *name, lwi_replacement *to);
const char *__real_lwi_file_put(FILE *file, const void *data, size_t size);
const char *__wrap_lwi_file_put(FILE *file, const void *data, size_t size);
const char *__real_lwi_file_sync(FILE *file);
const char *__wrap_lwi_file_sync(FILE *file);
const char *__real_lwi_file_close(FILE *file);
const char *__wrap_lwi_file_close(FILE *file);
const char *__real_lwi_file_replace(const char *from, const char *to);
const char *__wrap_lwi_file_replace(const char *from, const char *to);

/* @return NULL: go on; the reason of a failure. */
static const char *next(void) {
  file_faults *faults = &support_faults;
  faults->calls += 1;
  if (faults->left < 0 || faults->left-- > 0) return NULL;
  faults->left = faults->full ? 0 : -1;
  faults->failed += 1;
  return faults->why ? faults->why : "No space left on device";
}

const char *__wrap_lwi_file_open(const char *name, FILE **file, uint64_t *size) {
  *file = NULL;
  *size = 0;
  const char *reason = next();
  return reason ? reason : __real_lwi_file_open(name, file, size);
}

/* A read that fails has read a part. */
const char *__wrap_lwi_file_get(FILE *file, void *data, size_t size, size_t *count) {
  const char *reason = next();
  if (!reason) return __real_lwi_file_get(file, data, size, count);
  __real_lwi_file_get(file, data, size / 2, count);
  return reason;
}

const char *__wrap_lwi_file_create(const char *name, lwi_replacement *to) {
  to->file = NULL;
  const char *reason = next();
  return reason ? reason : __real_lwi_file_create(name, to);
}

/* So has a write. */
const char *__wrap_lwi_file_put(FILE *file, const void *data, size_t size) {
  const char *reason = next();
  if (!reason) return __real_lwi_file_put(file, data, size);
  __real_lwi_file_put(file, data, size / 2);
  return reason;
}

const char *__wrap_lwi_file_sync(FILE *file) {
  const char *reason = next();
  if (reason || support_faults.fast) return reason;
  return __real_lwi_file_sync(file);
}

const char *__wrap_lwi_file_close(FILE *file) {
  const char *reason = next(), *real = __real_lwi_file_close(file);
  return reason ? reason : real;
}

const char *__wrap_lwi_file_replace(const char *from, const char *to) {
  const char *reason = next();
  return reason ? reason : __real_lwi_file_replace(from, to);
}
