#include "geometry/level_check.h"

#include "core/file.h"
#include "core/status.h"
#include "core/text.h"
#include "geometry/gltf_check.h"
#include "geometry/lines.h"
#include "geometry/off_check.h"
#include "geometry/ply_check.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- OBJ files -------------------------------------------------------------------------------------------- */

/* Statements that are checked are shorter; the rest of a longer line is skipped. */
#define LINE_SIZE 4096

typedef struct checker {
  const char *file;
  int line;
  long vertices;
  lw_error *error;
} checker;

static lw_status check_vertex(checker *check, const char *text) {
  lwi_word rest = {text, strcspn(text, "\r\n")};
  for (int axis = 0; axis < 3; ++axis) {
    const lwi_word word = lwi_next_word(&rest);
    if (!lwi_word_is_finite(word))
      return lwi_fail(check->error, LW_INVALID, "%s:%d: %c of vertex %ld is '%.*s', expected a finite number",
                      check->file, check->line, "xyz"[axis], check -> vertices + 1, lwi_word_shown(word),
                      word.text);
  }
  check->vertices += 1;
  return LW_OK;
}

/* Corners are `v`, `v/vt`, `v//vn` or `v/vt/vn`; negative ones count back from the last vertex so far. A
   positive one may name a later vertex, so the highest is checked at the end of the file. */
static lw_status check_face(checker *check, const char *text, long *highest, int *highest_line) {
  int corners = 0;
  for (text += strspn(text, " \t\r\n"); *text && *text != '#' && *text != '\\';
       text += strspn(text, " \t\r\n")) {
    char *end;
    long index = strtol(text, &end, 10);
    const lwi_word word = {text, strcspn(text, " \t\r\n\v\f")};
    if (end == text || (*end && *end != '/' && !isspace((unsigned char)*end)))
      return lwi_fail(check->error, LW_INVALID, "%s:%d: a face's corner is '%.*s', expected an index",
                      check->file, check->line, lwi_word_shown(word), word.text);
    if (index == 0 || index < -check->vertices)
      return lwi_fail(check->error, LW_INVALID, "%s:%d: index is %ld, expected 1 or more, or -%ld to -1",
                      check->file, check->line, index, check->vertices);
    if (index > *highest) *highest = index, *highest_line = check->line;
    text += strcspn(text, " \t\r\n");
    ++corners;
  }
  if (corners >= 3 || *text == '\\') return LW_OK;
  return lwi_fail(check->error, LW_INVALID, "%s:%d: the number of corners of a face is %d, expected 3 or more",
                  check->file, check->line, corners);
}

static bool is_binary(const char *line, size_t length) {
  for (size_t i = 0; i < length; ++i)
    if ((unsigned char)line[i] < 32 && !isspace((unsigned char)line[i])) return true;
  return false;
}

static lw_status check_lines(checker *check, FILE *stream) {
  char line[LINE_SIZE];
  long highest = 0, statements = 0;
  int highest_line = 0;
  bool fresh = true; /* the next bytes begin a line */
  while (fgets(line, sizeof line, stream)) {
    size_t length = strlen(line);
    bool ended = length > 0 && line[length - 1] == '\n';
    bool starts = fresh;
    check->line += starts ? 1 : 0;
    fresh = ended;
    if (is_binary(line, length))
      return lwi_fail(check->error, LW_BAD_FILE, "%s:%d: not an OBJ file: it has bytes that are not text",
                      check->file, check->line);
    if (!starts) continue;
    const char *text = line + strspn(line, " \t");
    lw_status status = LW_OK;
    if (text[0] == 'v' && isblank((unsigned char)text[1])) status = check_vertex(check, text + 1);
    if (text[0] == 'f' && isblank((unsigned char)text[1]))
      status = check_face(check, text + 1, &highest, &highest_line), ++statements;
    if (status) return status;
  }
  if (ferror(stream))
    return lwi_fail(check->error, LW_FILE, "cannot read '%s': %s", check->file, strerror(errno));
  if (highest > check->vertices)
    return lwi_fail(check->error, LW_INVALID,
                    "%s:%d: index is %ld, expected at most %ld, the number of vertices", check->file,
                    highest_line, highest, check->vertices);
  if (check->vertices == 0 && statements == 0)
    return lwi_fail(check->error, LW_BAD_FILE, "'%s' is not an OBJ file: no line of it is a vertex or a face",
                    check->file);
  if (statements == 0)
    return lwi_fail(check->error, LW_EMPTY, "'%s' holds no triangles: %ld vertices, no face", check->file,
                    check->vertices);
  return LW_OK;
}

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
  checker check = {.file = file, .error = error};
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
  return lwi_text_ends_in(file, ".obj") ? check_lines(&check, level->stream) : LW_OK;
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
