#include "geometry/level_check.h"

#include "core/file.h"
#include "core/status.h"
#include "core/text.h"
#include "geometry/gltf_check.h"
#include "geometry/obj_check.h"
#include "geometry/off_check.h"
#include "geometry/ply_check.h"

/* --- files that are checked as a whole -------------------------------------------------------------------- */

/* Of a file's whole content. */
typedef lw_status (*whole_check)(const char *file, const unsigned char *data, size_t size, lwi_memory *memory,
                                 uint64_t *triangles, lw_error *error);

static lw_status check_ply(const char *file, const unsigned char *data, size_t size, lwi_memory *memory,
                           uint64_t *triangles, lw_error *error) {
  (void)memory, (void)triangles;
  return lwi_ply_check(file, data, size, error);
}

static lw_status check_off(const char *file, const unsigned char *data, size_t size, lwi_memory *memory,
                           uint64_t *triangles, lw_error *error) {
  (void)memory, (void)triangles;
  return lwi_off_check(file, data, size, error);
}

typedef struct level_file {
  const char *file;
  FILE *stream;
  uint64_t size;
} level_file;

static lw_status check_whole(const level_file *level, whole_check check, lwi_memory *memory,
                             uint64_t *triangles, lw_error *error) {
  const size_t size = (size_t)level->size;
  unsigned char *data = lwi_alloc(memory, size);
  if (!data) return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  const size_t got = fread(data, 1, size, level->stream);
  lw_status status = got == size
                         ? check(level->file, data, got, memory, triangles, error)
                         : lwi_fail(error, LW_FILE, "cannot read '%s': it changes meanwhile", level->file);
  lwi_free(memory, data, size);
  return status;
}

/* --- all files -------------------------------------------------------------------------------------------- */

typedef struct format {
  const char *ending;
  whole_check check; /* NULL: OBJ is checked line by line, of the others the import checks the triangles. */
} format;

/* Assimp reads some forty more. Those are not for levels, unpack archives, or follow references of their own. */
static const format formats[] = {
    {".obj", NULL}, {".gltf", lwi_gltf_check}, {".glb", lwi_glb_check}, {".fbx", NULL},
    {".dae", NULL}, {".ply", check_ply},       {".stl", NULL},          {".off", check_off},
    {".3ds", NULL}};

static const format *format_of(const char *file) {
  for (size_t i = 0; i < sizeof formats / sizeof *formats; ++i)
    if (lwi_text_ends_in(file, formats[i].ending)) return &formats[i];
  return NULL;
}

static lw_status check_stream(const level_file *level, uint64_t memory_max, lwi_memory *memory,
                              uint64_t *triangles, lw_error *error) {
  const char *file = level->file;
  const format *found = format_of(file);
  if (level->size == 0) return lwi_fail(error, LW_EMPTY, "'%s' is an empty file", file);
  if (!found)
    return lwi_fail(
        error, LW_BAD_FILE,
        "cannot read '%s': its name does not end in that of a format that is read: .obj, .gltf, .glb, "
        ".fbx, .dae, .ply, .stl, .off or .3ds",
        file);
  if (level->size > memory_max)
    return lwi_fail(error, LW_LIMIT, "'%s' has %llu bytes, expected at most %llu, the import's `memory`", file,
                    (unsigned long long)level->size, (unsigned long long)memory_max);
  if (found->check) return check_whole(level, found->check, memory, triangles, error);
  return lwi_text_ends_in(file, ".obj") ? lwi_obj_check(file, level->stream, error) : LW_OK;
}

lw_status lwi_level_check(const char *file, uint64_t memory_max, lwi_memory *memory, uint64_t *triangles,
                          lw_error *error) {
  *triangles = 0;
  level_file level = {.file = file};
  const char *reason = lwi_file_open(file, &level.stream, &level.size);
  if (reason) return lwi_fail(error, LW_FILE, "cannot read '%s': %s", file, reason);
  lw_status status = check_stream(&level, memory_max, memory, triangles, error);
  fclose(level.stream);
  return status;
}
