#include "core/file.h"

#include "core/status.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static lw_status read_all(FILE *file, const char *name, lwi_memory *memory, unsigned char **data, size_t *size,
                          lw_error *error) {
  struct stat about;
  if (fstat(fileno(file), &about) != 0)
    return lwi_fail(error, LW_FILE, "cannot read '%s': %s", name, strerror(errno));
  if (!S_ISREG(about.st_mode))
    return lwi_fail(error, LW_FILE, "cannot read '%s': it is not an ordinary file", name);
  if (about.st_size == 0) return LW_OK;
  size_t length = (size_t)about.st_size;
  unsigned char *block = lwi_alloc(memory, length);
  if (!block) return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  if (fread(block, 1, length, file) != length) {
    const char *reason = ferror(file) ? strerror(errno) : "it became shorter while it was read";
    lwi_free(memory, block, length);
    return lwi_fail(error, LW_FILE, "cannot read '%s': %s", name, reason);
  }
  *data = block;
  *size = length;
  return LW_OK;
}

lw_status lwi_file_read(const char *name, lwi_memory *memory, unsigned char **data, size_t *size,
                        lw_error *error) {
  *data = NULL;
  *size = 0;
  FILE *file = fopen(name, "rb");
  if (!file) return lwi_fail(error, LW_FILE, "cannot read '%s': %s", name, strerror(errno));
  lw_status status = read_all(file, name, memory, data, size, error);
  fclose(file);
  return status;
}
