#include "geometry/ply_check.h"

#include "core/status.h"
#include "geometry/lines.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define ELEMENTS_MAX 64
#define PROPERTIES_MAX 256 /* of all elements */

/* A type of numbers. */
typedef struct number_type {
  const char *names[2];
  uint8_t size;     /* [bytes] */
  double low, high; /* Of a whole number; both 0: the type is not whole. */
} number_type;

/* What a number is to leeward. */
typedef enum number_use { USE_NONE, USE_COORDINATE, USE_CORNER } number_use;

typedef struct property {
  lwi_word name;
  const number_type *type;       /* Of the number, or of each of a list's. */
  const number_type *count_type; /* Of the number that states a list's length; NULL: no list. */
  number_use use;
} property;

typedef struct element {
  lwi_word name;
  uint32_t count;
  int first, property_count;
  uint64_t bytes_min; /* Of one, in a binary file. */
} element;

typedef enum format { FORMAT_NONE, FORMAT_ASCII, FORMAT_LITTLE, FORMAT_BIG } format;

typedef struct checker {
  const char *file;
  lw_error *error;
  lwi_lines lines; /* Once the header is read: what follows it. */
  lwi_word line;   /* Of an ASCII file: what is left of the current line, */
  lwi_word word;   /* and the number that was read last. */
  format format;
  element elements[ELEMENTS_MAX];
  property properties[PROPERTIES_MAX];
  int element_count, property_count;
  bool may_have_property; /* The line before is an element or a property. */
  uint32_t vertices;
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

static const element *find_element(const checker *check, const char *name) {
  for (int i = 0; i < check->element_count; ++i)
    if (lwi_word_is(check->elements[i].name, name)) return &check->elements[i];
  return NULL;
}

static lw_status read_element(checker *check, lwi_word rest) {
  const lwi_word name = lwi_next_word(&rest), count = lwi_next_word(&rest);
  if (check->element_count == ELEMENTS_MAX) return refuse(check, "at most 64 elements");
  for (int i = 0; i < check->element_count; ++i) {
    const lwi_word other = check->elements[i].name;
    if (name.length == other.length && memcmp(name.text, other.text, name.length) == 0)
      return refuse(check, "an element with a name of its own");
  }
  element *to = &check->elements[check->element_count++];
  *to = (element){.name = name, .first = check->property_count};
  if (!lwi_word_count(count, &to->count)) return refuse(check, "'element' with a name and a count");
  return LW_OK;
}

static bool is_whole(const number_type *type) {
  return type->high > 0;
}

/* @return NULL: no type. */
static const number_type *find_type(lwi_word name) {
  static const number_type types[] = {{{"char", "int8"}, 1, INT8_MIN, INT8_MAX},
                                      {{"uchar", "uint8"}, 1, 0, UINT8_MAX},
                                      {{"short", "int16"}, 2, INT16_MIN, INT16_MAX},
                                      {{"ushort", "uint16"}, 2, 0, UINT16_MAX},
                                      {{"int", "int32"}, 4, INT32_MIN, INT32_MAX},
                                      {{"uint", "uint32"}, 4, 0, UINT32_MAX},
                                      {{"float", "float32"}, 4, 0, 0},
                                      {{"double", "float64"}, 8, 0, 0}};
  for (size_t i = 0; i < sizeof types / sizeof *types; ++i)
    if (lwi_word_is(name, types[i].names[0]) || lwi_word_is(name, types[i].names[1])) return &types[i];
  return NULL;
}

static number_use find_use(const element *of, const property *p) {
  if (lwi_word_is(of->name, "vertex") && !p->count_type && p->name.length == 1 &&
      memchr("xyz", p->name.text[0], 3))
    return USE_COORDINATE;
  return lwi_word_is(of->name, "face") && p->count_type && is_whole(p->type) &&
                 (lwi_word_is(p->name, "vertex_indices") || lwi_word_is(p->name, "vertex_index"))
             ? USE_CORNER
             : USE_NONE;
}

static lw_status read_property(checker *check, lwi_word rest) {
  property read = {0};
  lwi_word type = lwi_next_word(&rest);
  if (check->element_count == 0) return refuse(check, "'element' before 'property'");
  if (!check->may_have_property)
    return refuse(check,
                  "'property' right below its element or another property, which is all that Assimp reads");
  if (check->property_count == PROPERTIES_MAX) return refuse(check, "at most 256 properties");
  if (lwi_word_is(type, "list")) {
    if (rest.length > 1 && lwi_is_blank(rest.text[1])) return refuse(check, "one blank behind 'list'");
    read.count_type = find_type(lwi_next_word(&rest));
    if (!read.count_type || !is_whole(read.count_type))
      return refuse(check, "a list whose count is of a whole type");
    type = lwi_next_word(&rest);
  }
  read.type = find_type(type);
  read.name = lwi_next_word(&rest);
  if (!read.type || read.name.length == 0) return refuse(check, "'property' with a type of PLY and a name");
  element *of = &check->elements[check->element_count - 1];
  read.use = find_use(of, &read);
  of->bytes_min += read.count_type ? read.count_type->size : read.type->size;
  of->property_count += 1;
  check->properties[check->property_count++] = read;
  return LW_OK;
}

static lw_status read_line(checker *check, lwi_word line) {
  const lwi_word key = lwi_next_word(&line);
  const bool is_element = lwi_word_is(key, "element"), is_property = lwi_word_is(key, "property");
  lw_status status = LW_OK;
  if (!lwi_word_is_text(line))
    status = refuse(check, "text");
  else if (is_element)
    status = read_element(check, line);
  else if (is_property)
    status = read_property(check, line);
  else if (lwi_word_is(key, "format"))
    status = read_format(check, line);
  else if (key.length > 0 && !lwi_word_is(key, "comment") && !lwi_word_is(key, "obj_info"))
    status = refuse(check, "format, comment, obj_info, element, property or end_header");
  check->may_have_property = is_element || is_property;
  return status;
}

/* As Assimp takes it, which leaves out one empty line between \n and \n. */
static bool next_line(checker *check, lwi_word *line) {
  lwi_lines *lines = &check->lines;
  if (!lwi_next_line(lines, line)) return false;
  const unsigned char *at = lines->at; /* behind the first line, if the current one is empty */
  const bool left_out = line->length == 0 && lines->ended && lines->line > 1 && at[-1] == '\n' &&
                        at[-2] == '\n' && at[-3] != '\r';
  return !left_out || lwi_next_line(lines, line);
}

/* A last line without its end is refused: Assimp reads on and on there. */
static bool next_header_line(checker *check, lwi_word *line) {
  return next_line(check, line) && check->lines.ended;
}

static lw_status read_header(checker *check) {
  lwi_word line;
  if (!next_header_line(check, &line) || !lwi_word_is(line, "ply"))
    return lwi_fail(check->error, LW_BAD_FILE,
                    "cannot read '%s': it is not a PLY file: its first line is not 'ply'", check->file);
  while (next_header_line(check, &line)) {
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

static bool has_property(const checker *check, const element *of, number_use use, char axis) {
  for (int i = 0; i < of->property_count; ++i) {
    const property *p = &check->properties[of->first + i];
    if (p->use == use && (!axis || p->name.text[0] == axis)) return true;
  }
  return false;
}

static lw_status check_vertices(checker *check, const element *vertices) {
  if (!vertices)
    return lwi_fail(check->error, LW_BAD_FILE, "cannot read '%s': it has no element 'vertex'", check->file);
  for (int axis = 0; axis < 3; ++axis)
    if (!has_property(check, vertices, USE_COORDINATE, "xyz"[axis]))
      return lwi_fail(check->error, LW_BAD_FILE, "cannot read '%s': its vertices have no property '%c'",
                      check->file, "xyz"[axis]);
  check->vertices = vertices->count;
  return LW_OK;
}

/* Of triangle strips Assimp reads the last triangle of each alone. */
static lw_status check_faces(const checker *check, const element *vertices, const element *faces) {
  const element *strips = find_element(check, "tristrips");
  if (strips && strips->count > 0)
    return lwi_fail(
        check->error, LW_BAD_FILE,
        "cannot read '%s': it has triangle strips, expected an element 'face' instead of 'tristrips'",
        check->file);
  if (faces && !has_property(check, faces, USE_CORNER, 0))
    return lwi_fail(check->error, LW_BAD_FILE,
                    "cannot read '%s': its faces have no list 'vertex_indices' of a whole type", check->file);
  if (!faces || faces->count == 0 || vertices->count == 0)
    return lwi_fail(check->error, LW_EMPTY, "'%s' holds no triangles: %" PRIu32 " vertices, %" PRIu32 " faces",
                    check->file, vertices->count, faces ? faces->count : 0);
  if (faces > vertices) return LW_OK;
  return lwi_fail(check->error, LW_BAD_FILE,
                  "cannot read '%s': its element 'face' comes before 'vertex', expected the vertices first",
                  check->file);
}

/* Assimp takes an element of a name that it does not know for one of which there are none. */
static bool is_read(lwi_word name) {
  static const char *const names[] = {"vertex", "face", "edge", "material"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (lwi_word_is(name, names[i])) return true;
  return false;
}

static lw_status check_elements(checker *check) {
  const element *vertices = find_element(check, "vertex"), *faces = find_element(check, "face");
  for (int i = 0; i < check->element_count; ++i) {
    const element *e = &check->elements[i];
    if (e->property_count == 0 && e->count > 0)
      return lwi_fail(check->error, LW_BAD_FILE, "cannot read '%s': its element '%.*s' has no properties",
                      check->file, lwi_word_shown(e->name), e->name.text);
  }
  lw_status status = check_vertices(check, vertices);
  if (!status) status = check_faces(check, vertices, faces);
  for (const element *e = check->elements; e < faces && !status; ++e)
    if (e->count > 0 && !is_read(e->name))
      status = lwi_fail(check->error, LW_BAD_FILE,
                        "cannot read '%s': its element '%.*s' comes before 'face', expected after it: Assimp "
                        "reads none of this name",
                        check->file, lwi_word_shown(e->name), e->name.text);
  return status;
}

static lw_status refuse_count(const checker *check, const element *e, uint64_t left) {
  return lwi_fail(check->error, LW_BAD_FILE,
                  "cannot read '%s': its header states %" PRIu32 " of element '%.*s', expected at most %" PRIu64
                  ", what the rest of the file holds",
                  check->file, e->count, lwi_word_shown(e->name), e->name.text, left);
}

/* --- numbers ---------------------------------------------------------------------------------------------- */

/* Of which element a number is, for messages. */
typedef struct place {
  const element *element;
  uint32_t number;
  const property *property;
  bool is_count;
  uint32_t item; /* Of a list. */
} place;

/* Digits, behind a sign where the type has one: that is what Assimp reads. */
static bool read_whole(lwi_word word, const number_type *type, double *value) {
  const bool has_sign = type->low < 0 && word.length > 0 && (word.text[0] == '-' || word.text[0] == '+');
  const bool is_negative = has_sign && word.text[0] == '-';
  uint32_t digits;
  if (has_sign) ++word.text, --word.length;
  if (!lwi_word_count(word, &digits)) return false;
  *value = is_negative ? -(double)digits : (double)digits;
  return *value >= type->low && *value <= type->high;
}

static bool is_nan_or_infinity(lwi_word word) {
  if (word.length > 0 && (word.text[0] == '-' || word.text[0] == '+')) ++word.text, --word.length;
  return lwi_word_is_alike(word, "nan") || lwi_word_is_alike(word, "inf") ||
         lwi_word_is_alike(word, "infinity");
}

/* @param[out] value  Of a number that is not whole: 0, or infinite where a float cannot hold it.
   @return Whether it is of the type. */
static bool read_word(checker *check, const number_type *type, double *value) {
  check->word = lwi_next_word(&check->line);
  if (is_whole(type)) return read_whole(check->word, type, value);
  const bool is_finite = lwi_word_is_finite(check->word);
  *value = is_finite ? 0 : (double)INFINITY;
  return is_finite || is_nan_or_infinity(check->word);
}

static double float_of(uint64_t bits, int size) {
  const uint32_t low = (uint32_t)bits;
  float single;
  double twice;
  memcpy(&single, &low, sizeof single);
  memcpy(&twice, &bits, sizeof twice);
  return size == 4 ? (double)single : twice;
}

static double read_binary(checker *check, const number_type *type) {
  uint64_t bits = 0;
  for (int i = 0; i < type->size; ++i) {
    const int shift = 8 * (check->format == FORMAT_LITTLE ? i : type->size - 1 - i);
    bits |= (uint64_t)*check->lines.at++ << shift;
  }
  if (!is_whole(type)) return float_of(bits, type->size);
  const double value = (double)bits;
  return value > type->high ? value - 2 * (type->high + 1) : value; /* two's complement */
}

/* @return false: it is not of the type. Bytes are of any. */
static bool read_number(checker *check, const number_type *type, double *value) {
  if (check->format == FORMAT_ASCII) return read_word(check, type, value);
  *value = read_binary(check, type);
  return true;
}

/* @param[out] text  "corner 2 of face 3" */
static void describe(const place *at, char *text, size_t size) {
  const lwi_word name = at->property->name, of = at->element->name;
  char item[48] = "";
  if (at->is_count)
    snprintf(item, sizeof item, "the count of ");
  else if (at->property->count_type && at->property->use != USE_CORNER)
    snprintf(item, sizeof item, "number %" PRIu32 " of ", at->item);
  if (at->property->use == USE_CORNER && !at->is_count)
    snprintf(text, size, "corner %" PRIu32, at->item);
  else
    snprintf(text, size, "%s%.*s", item, lwi_word_shown(name), name.text);
  const size_t length = strlen(text);
  snprintf(text + length, size - length, " of %.*s %" PRIu32, lwi_word_shown(of), of.text, at->number);
}

static lw_status refuse_number(const checker *check, const place *at, double value, const char *expected) {
  char what[160], line[32] = "", got[64];
  describe(at, what, sizeof what);
  if (check->format == FORMAT_ASCII) {
    snprintf(line, sizeof line, "line %d: ", check->lines.line);
    snprintf(got, sizeof got, "'%.*s'", lwi_word_shown(check->word), check->word.text);
  } else {
    snprintf(got, sizeof got, "%.10g", value);
  }
  return lwi_fail(check->error, LW_INVALID, "'%s': %s%s is %s, expected %s", check->file, line, what,
                  check->format == FORMAT_ASCII && check->word.length == 0 ? "missing" : got, expected);
}

static lw_status refuse_type(const checker *check, const place *at, const number_type *type) {
  char expected[64] = "a number";
  if (is_whole(type))
    snprintf(expected, sizeof expected, "a whole number from %.0f to %.0f", type->low, type->high);
  return refuse_number(check, at, 0, expected);
}

static lw_status check_number(checker *check, const place *at) {
  const property *p = at->property;
  double value = 0;
  const bool is_of_type = read_number(check, p->type, &value);
  if (p->use == USE_COORDINATE && !(is_of_type && fabs(value) <= (double)FLT_MAX))
    return refuse_number(check, at, value, "a finite number");
  if (p->use == USE_CORNER && !(is_of_type && value >= 0 && value < check->vertices)) {
    char expected[64];
    snprintf(expected, sizeof expected, "0 to %" PRIu32 ", the vertices of the file", check->vertices - 1);
    return refuse_number(check, at, value, expected);
  }
  return is_of_type ? LW_OK : refuse_type(check, at, p->type);
}

/* --- walk ------------------------------------------------------------------------------------------------- */

static bool holds_bytes(const checker *check, uint64_t bytes) {
  return check->format == FORMAT_ASCII || bytes <= (uint64_t)(check->lines.end - check->lines.at);
}

static lw_status check_count(checker *check, place at, uint32_t *count) {
  const number_type *type = at.property->count_type;
  double value;
  at.is_count = true;
  if (!read_number(check, type, &value)) return refuse_type(check, &at, type);
  const bool is_face = at.property->use == USE_CORNER; /* Assimp aborts on one without corners. */
  if (value < is_face) return refuse_number(check, &at, value, is_face ? "1 or more" : "0 or more");
  *count = (uint32_t)value;
  return LW_OK;
}

static lw_status check_property(checker *check, place at) {
  const property *p = at.property;
  uint32_t count = 1;
  if (!holds_bytes(check, (p->count_type ? p->count_type : p->type)->size))
    return refuse_count(check, at.element, at.number);
  lw_status status = p->count_type ? check_count(check, at, &count) : LW_OK;
  if (!status && !holds_bytes(check, (uint64_t)count * p->type->size))
    return refuse_count(check, at.element, at.number);
  for (at.item = 0; at.item < count && !status; ++at.item) status = check_number(check, &at);
  return status;
}

/* An element is a line: neither does Assimp read one that goes on in the next. */
static lw_status check_end_of_line(checker *check, const place *at) {
  const lwi_word of = at->element->name, word = lwi_next_word(&check->line);
  if (word.length == 0) return LW_OK;
  return lwi_fail(
      check->error, LW_INVALID,
      "'%s': line %d: %.*s %" PRIu32 " has '%.*s' behind its last number, expected the end of the line",
      check->file, check->lines.line, lwi_word_shown(of), of.text, at->number, lwi_word_shown(word), word.text);
}

static lw_status check_one(checker *check, const element *e, uint32_t number) {
  place at = {.element = e, .number = number};
  lw_status status = LW_OK;
  if (check->format == FORMAT_ASCII && !next_line(check, &check->line)) return refuse_count(check, e, number);
  for (int i = 0; i < e->property_count && !status; ++i) {
    at.property = &check->properties[e->first + i];
    status = check_property(check, at);
  }
  return status || check->format != FORMAT_ASCII ? status : check_end_of_line(check, &at);
}

/* Of an ASCII file: lines that are not blank, each of which may be an element. */
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

/* Before elements are looked at, since those of a file that is cut off would be taken for each other. */
static lw_status check_lines(const checker *check) {
  uint64_t left = count_lines(check);
  for (int i = 0; i < check->element_count; ++i) {
    const element *e = &check->elements[i];
    if (e->count > left) return refuse_count(check, e, left);
    left -= e->count;
  }
  return LW_OK;
}

static lw_status check_all(checker *check) {
  lw_status status = check->format == FORMAT_ASCII ? check_lines(check) : LW_OK;
  for (int i = 0; i < check->element_count && !status; ++i) {
    const element *e = &check->elements[i];
    const uint64_t left = (uint64_t)(check->lines.end - check->lines.at);
    if (check->format != FORMAT_ASCII && e->count > 0 && e->count > left / e->bytes_min)
      return refuse_count(check, e, left / e->bytes_min);
    for (uint32_t k = 0; k < e->count && !status; ++k) status = check_one(check, e, k);
  }
  return status;
}

lw_status lwi_ply_check(const char *file, const unsigned char *data, size_t size, lw_error *error) {
  checker check = {.file = file, .error = error, .lines = {.at = data, .end = data + size}};
  lw_status status = read_header(&check);
  if (!status) status = check_elements(&check);
  return status ? status : check_all(&check);
}
