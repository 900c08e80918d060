#include "geometry/obj_check.h"

#include "core/status.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* No statement that we look at is longer; the rest of a longer line goes by unseen. */
#define LINE_SIZE 4096

typedef struct checker {
  const char *file;
  int line;
  long vertices;
  lw_error *error;
} checker;

bool lwi_obj_is_named(const char *file) {
  size_t length = strlen(file);
  return length >= 4 && strcasecmp(file + length - 4, ".obj") == 0;
}

static int word_length(const char *text) {
  int length = 0;
  while (text[length] && !isspace((unsigned char)text[length]) && length < 40) ++length;
  return length;
}

static lw_status check_vertex(checker *check, const char *text) {
  for (int axis = 0; axis < 3; ++axis) {
    char *end;
    text += strspn(text, " \t");
    double value = strtod(text, &end);
    if (end == text || (*end && !isspace((unsigned char)*end)))
      return lwi_fail(check->error, LW_INVALID, "%s:%d: %c of vertex %ld must be a number, got '%.*s'",
                      check->file, check->line, "xyz"[axis], check -> vertices + 1, word_length(text), text);
    if (!isfinite(value) || fabs(value) > 3.4e38)
      return lwi_fail(check->error, LW_INVALID, "%s:%d: %c of vertex %ld must be finite, got '%.*s'",
                      check->file, check->line, "xyz"[axis], check -> vertices + 1, word_length(text), text);
    text = end;
  }
  check->vertices += 1;
  return LW_OK;
}

/* Corners are `v`, `v/vt`, `v//vn` or `v/vt/vn`; negative ones count back from the last vertex so far. A positive
   one may name a vertex that comes later, so it is checked at the end against `highest`. */
static lw_status check_face(checker *check, const char *text, long *highest, int *highest_line) {
  int corners = 0;
  for (text += strspn(text, " \t\r\n"); *text && *text != '#' && *text != '\\';
       text += strspn(text, " \t\r\n")) {
    char *end;
    long index = strtol(text, &end, 10);
    if (end == text || (*end && *end != '/' && !isspace((unsigned char)*end)))
      return lwi_fail(check->error, LW_INVALID, "%s:%d: a face's corner must be an index, got '%.*s'",
                      check->file, check->line, word_length(text), text);
    if (index == 0 || index < -check->vertices)
      return lwi_fail(check->error, LW_INVALID,
                      "%s:%d: index %ld is out of range, there are %ld vertices so far (indices begin at 1)",
                      check->file, check->line, index, check->vertices);
    if (index > *highest) *highest = index, *highest_line = check->line;
    text += strcspn(text, " \t\r\n");
    ++corners;
  }
  if (corners >= 3 || *text == '\\') return LW_OK;
  return lwi_fail(check->error, LW_INVALID, "%s:%d: a face needs 3 corners, got %d", check->file, check->line,
                  corners);
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
  bool fresh = true; /* at the beginning of a line, and not one that the line before continues on */
  while (fgets(line, sizeof line, stream)) {
    size_t length = strlen(line);
    bool ended = length > 0 && line[length - 1] == '\n';
    bool starts = fresh;
    check->line += starts ? 1 : 0;
    fresh = ended;
    if (is_binary(line, length))
      return lwi_fail(check->error, LW_BAD_FILE, "%s:%d: not an OBJ file: bytes that are no text", check->file,
                      check->line);
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
    return lwi_fail(check->error, LW_INVALID, "%s:%d: index %ld is out of range, there are %ld vertices",
                    check->file, highest_line, highest, check->vertices);
  if (check->vertices == 0 && statements == 0)
    return lwi_fail(check->error, LW_BAD_FILE, "'%s' is not an OBJ file: no line of it is a vertex or a face",
                    check->file);
  if (statements == 0)
    return lwi_fail(check->error, LW_EMPTY, "'%s' holds no triangles: %ld vertices, no face", check->file,
                    check->vertices);
  return LW_OK;
}

lw_status lwi_obj_check(const char *file, lw_error *error) {
  FILE *stream = fopen(file, "rb");
  if (!stream) return lwi_fail(error, LW_FILE, "cannot read '%s': %s", file, strerror(errno));
  checker check = {.file = file, .error = error};
  lw_status status = check_lines(&check, stream);
  fclose(stream);
  return status;
}
