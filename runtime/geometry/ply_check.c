#include "geometry/ply_check.h"

#include "core/status.h"
#include "geometry/lines.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define ELEMENTS_MAX 64
#define PROPERTIES_MAX 1024 /* of all elements */

typedef struct property {
  uint8_t size;       /* Of the number, or of each of a list's. [bytes] */
  uint8_t count_size; /* Of the number that states a list's length; 0: no list. [bytes] */
} property;

typedef struct element {
  lwi_word name;
  uint32_t count;
  int first, property_count;
  uint64_t bytes_min; /* Of one, in a binary file. */
  bool axes[3];
  bool has_corners;
} element;

typedef enum format { FORMAT_NONE, FORMAT_ASCII, FORMAT_LITTLE, FORMAT_BIG } format;

typedef struct checker {
  const char *file;
  lw_error *error;
  lwi_lines lines; /* Once the header is read: what follows it. */
  format format;
  element elements[ELEMENTS_MAX];
  property properties[PROPERTIES_MAX];
  int element_count, property_count;
} checker;

static lw_status refuse(const checker *check, const char *expected) {
  return lwi_fail(check->error, LW_BAD_FILE, "cannot read '%s': line %d of its header: expected %s",
                  check->file, check->lines.line, expected);
}

/* --- header ----------------------------------------------------------------------------------------------- */

static lw_status read_format(checker *check, lwi_word rest) {
  const lwi_word name = lwi_next_word(&rest);
  check->format = lwi_word_is(name, "ascii")                  ? FORMAT_ASCII
                  : lwi_word_is(name, "binary_little_endian") ? FORMAT_LITTLE
                  : lwi_word_is(name, "binary_big_endian")    ? FORMAT_BIG
                                                              : FORMAT_NONE;
  return check->format ? LW_OK
                       : refuse(check, "'format' with ascii, binary_little_endian or binary_big_endian");
}

static lw_status read_element(checker *check, lwi_word rest) {
  const lwi_word name = lwi_next_word(&rest), count = lwi_next_word(&rest);
  if (check->element_count == ELEMENTS_MAX) return refuse(check, "at most 64 elements");
  element *to = &check->elements[check->element_count++];
  *to = (element){.name = name, .first = check->property_count};
  if (!lwi_word_count(count, &to->count)) return refuse(check, "'element' with a name and a count");
  return LW_OK;
}

/* @return 0: no type. [bytes] */
static uint8_t size_of_type(lwi_word type, bool *whole) {
  static const struct {
    const char *name;
    uint8_t size;
    bool whole;
  } types[] = {{"char", 1, true},   {"uchar", 1, true},    {"int8", 1, true},    {"uint8", 1, true},
               {"short", 2, true},  {"ushort", 2, true},   {"int16", 2, true},   {"uint16", 2, true},
               {"int", 4, true},    {"uint", 4, true},     {"int32", 4, true},   {"uint32", 4, true},
               {"float", 4, false}, {"float32", 4, false}, {"double", 8, false}, {"float64", 8, false}};
  for (size_t i = 0; i < sizeof types / sizeof *types; ++i) {
    if (!lwi_word_is(type, types[i].name)) continue;
    *whole = types[i].whole;
    return types[i].size;
  }
  return 0;
}

static lw_status read_property(checker *check, lwi_word rest) {
  bool whole = true;
  property read = {0};
  lwi_word type = lwi_next_word(&rest);
  if (check->element_count == 0) return refuse(check, "'element' before 'property'");
  if (check->property_count == PROPERTIES_MAX) return refuse(check, "at most 1024 properties");
  const bool is_list = lwi_word_is(type, "list");
  if (is_list) {
    read.count_size = size_of_type(lwi_next_word(&rest), &whole);
    if (read.count_size == 0 || !whole) return refuse(check, "a list whose count is of a whole type");
    type = lwi_next_word(&rest);
  }
  read.size = size_of_type(type, &whole);
  const lwi_word name = lwi_next_word(&rest);
  if (read.size == 0 || name.length == 0) return refuse(check, "'property' with a type of PLY and a name");
  element *of = &check->elements[check->element_count - 1];
  for (int axis = 0; axis < 3; ++axis)
    if (!is_list && name.length == 1 && name.text[0] == "xyz"[axis]) of->axes[axis] = true;
  if (is_list && (lwi_word_is(name, "vertex_indices") || lwi_word_is(name, "vertex_index")))
    of->has_corners = true;
  of->bytes_min += is_list ? read.count_size : read.size;
  of->property_count += 1;
  check->properties[check->property_count++] = read;
  return LW_OK;
}

static lw_status read_line(checker *check, lwi_word line) {
  const lwi_word key = lwi_next_word(&line);
  if (key.length == 0 || lwi_word_is(key, "comment") || lwi_word_is(key, "obj_info")) return LW_OK;
  if (lwi_word_is(key, "format")) return read_format(check, line);
  if (lwi_word_is(key, "element")) return read_element(check, line);
  if (lwi_word_is(key, "property")) return read_property(check, line);
  return refuse(check, "format, comment, obj_info, element, property or end_header");
}

/* A last line without its end is refused: Assimp reads on and on there. */
static bool next_line(checker *check, lwi_word *line) {
  return lwi_next_line(&check->lines, line) && check->lines.ended;
}

static lw_status read_header(checker *check) {
  lwi_word line;
  if (!next_line(check, &line) || !lwi_word_is(line, "ply"))
    return lwi_fail(check->error, LW_BAD_FILE,
                    "cannot read '%s': it is not a PLY file: its first line is not 'ply'", check->file);
  while (next_line(check, &line)) {
    lwi_word rest = line;
    if (lwi_word_is(lwi_next_word(&rest), "end_header"))
      return check->format ? LW_OK : refuse(check, "'format' before 'end_header'");
    lw_status status = read_line(check, line);
    if (status) return status;
  }
  return lwi_fail(check->error, LW_BAD_FILE, "cannot read '%s': its header has no line 'end_header'",
                  check->file);
}

/* --- elements --------------------------------------------------------------------------------------------- */

static lw_status check_elements(const checker *check) {
  const element *vertices = NULL;
  bool has_faces = false;
  for (int i = 0; i < check->element_count; ++i) {
    const element *e = &check->elements[i];
    if (e->property_count == 0 && e->count > 0)
      return lwi_fail(check->error, LW_BAD_FILE, "cannot read '%s': its element '%.*s' has no properties",
                      check->file, lwi_word_shown(e->name), e->name.text);
    if (lwi_word_is(e->name, "vertex")) vertices = e;
    const bool is_faces = lwi_word_is(e->name, "face") || lwi_word_is(e->name, "tristrips");
    if (is_faces && !e->has_corners)
      return lwi_fail(check->error, LW_BAD_FILE, "cannot read '%s': its faces have no list 'vertex_indices'",
                      check->file);
    has_faces = has_faces || (is_faces && e->count > 0);
  }
  if (!vertices)
    return lwi_fail(check->error, LW_BAD_FILE, "cannot read '%s': it has no element 'vertex'", check->file);
  for (int axis = 0; axis < 3; ++axis)
    if (!vertices->axes[axis])
      return lwi_fail(check->error, LW_BAD_FILE, "cannot read '%s': its vertices have no property '%c'",
                      check->file, "xyz"[axis]);
  if (has_faces) return LW_OK;
  return lwi_fail(check->error, LW_EMPTY, "'%s' holds no triangles: %" PRIu32 " vertices, no face", check->file,
                  vertices->count);
}

static lw_status refuse_count(const checker *check, const element *e, uint64_t left) {
  return lwi_fail(check->error, LW_BAD_FILE,
                  "cannot read '%s': its header states %" PRIu32 " of element '%.*s', expected at most %" PRIu64
                  ", what the rest of the file holds",
                  check->file, e->count, lwi_word_shown(e->name), e->name.text, left);
}

/* Of an ASCII file: each element is a line. */
static uint64_t count_lines(const checker *check) {
  uint64_t lines = 0;
  bool blank = true;
  for (const unsigned char *at = check->lines.at; at < check->lines.end; ++at) {
    const bool ends = *at == '\n' || *at == '\r';
    if (ends || blank) lines += !ends && !lwi_is_blank((char)*at);
    blank = ends || (blank && lwi_is_blank((char)*at));
  }
  return lines;
}

static lw_status check_text(const checker *check) {
  uint64_t left = count_lines(check);
  for (int i = 0; i < check->element_count; ++i) {
    const element *e = &check->elements[i];
    if (e->count > left) return refuse_count(check, e, left);
    left -= e->count;
  }
  return LW_OK;
}

static uint64_t number_at(const checker *check, int size) {
  uint64_t value = 0;
  for (int i = 0; i < size; ++i) {
    const int shift = 8 * (check->format == FORMAT_LITTLE ? i : size - 1 - i);
    value |= (uint64_t)check->lines.at[i] << shift;
  }
  return value;
}

/* @return false: the file ends before. */
static bool skip_one(checker *check, const element *e) {
  for (int i = 0; i < e->property_count; ++i) {
    const property *p = &check->properties[e->first + i];
    uint64_t left = (uint64_t)(check->lines.end - check->lines.at), bytes = p->size;
    if (p->count_size > 0) {
      if (left < p->count_size) return false;
      bytes = number_at(check, p->count_size) * p->size;
      check->lines.at += p->count_size, left -= p->count_size;
    }
    if (bytes > left) return false;
    check->lines.at += bytes;
  }
  return true;
}

static lw_status check_binary(checker *check) {
  for (int i = 0; i < check->element_count; ++i) {
    const element *e = &check->elements[i];
    if (e->count == 0) continue;
    const uint64_t holds = (uint64_t)(check->lines.end - check->lines.at) / e->bytes_min;
    if (e->count > holds) return refuse_count(check, e, holds);
    for (uint64_t k = 0; k < e->count; ++k)
      if (!skip_one(check, e)) return refuse_count(check, e, k);
  }
  return LW_OK;
}

lw_status lwi_ply_check(const char *file, const unsigned char *data, size_t size, lw_error *error) {
  checker check = {.file = file, .error = error, .lines = {.at = data, .end = data + size}};
  lw_status status = read_header(&check);
  if (!status) status = check_elements(&check);
  if (status) return status;
  return check.format == FORMAT_ASCII ? check_text(&check) : check_binary(&check);
}
