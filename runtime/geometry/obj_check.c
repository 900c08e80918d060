#include "geometry/obj_check.h"

#include "core/hash.h"
#include "core/status.h"
#include "geometry/lines.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

/* Statements that are checked are shorter; the rest of a longer line is skipped. */
#define LINE_SIZE 4096
/* Assimp takes 35 KB for each, and looks all of them through at each `usemtl`. */
#define MATERIALS_MAX 4096
#define NAME_BITS 65536

typedef struct checker {
  const char *file;
  int line;      /* In which the current statement begins. */
  int next_line; /* Behind it. */
  bool joined;   /* It goes on behind the end of a line. */
  bool curved;   /* Within `cstype` and `end`. */
  bool has_normals, has_texture_coordinates;
  long vertices, faces;
  long highest; /* index of a corner */
  int highest_line;
  int materials;                      /* How many names had another hash than those before. */
  uint32_t name_bits[NAME_BITS / 32]; /* Hashes of their names. */
  lw_error *error;
} checker;

/* As Assimp counts them. */
static bool is_number(lwi_word word) {
  const lwi_word start = {word.text, word.length < 3 ? word.length : 3};
  return strchr("0123456789+-", word.text[0]) || lwi_word_is_alike(start, "nan") ||
         lwi_word_is_alike(start, "inf");
}

static bool is_positive(lwi_word word) {
  bool has_value = false;
  for (size_t i = 0; i < word.length && (word.text[i] | 32) != 'e'; ++i)
    has_value = has_value || (word.text[i] >= '1' && word.text[i] <= '9');
  return has_value && word.text[0] != '-' && lwi_word_is_finite(word);
}

/* Assimp leaves a vertex out, and counts the others on, if it does not have 3, 4 or 6 numbers: a position alone,
   with a divisor, or with a colour. One that begins with its point it does not count, and yet reads. */
static lw_status check_numbers(const checker *check, lwi_word rest) {
  lwi_word fourth = {0};
  int count = 0, words = 0;
  for (lwi_word word = lwi_next_word(&rest); word.length > 0; word = lwi_next_word(&rest)) {
    if (word.text[0] == '.' || word.text[0] == ',')
      return lwi_fail(check->error, LW_INVALID,
                      "%s:%d: vertex %ld has '%.*s', expected a digit before the point", check->file,
                      check->line, check->vertices + 1, lwi_word_shown(word), word.text);
    count += is_number(word);
    if (++words == 4) fourth = word;
  }
  if (count == 4 && !is_positive(fourth))
    return lwi_fail(check->error, LW_INVALID,
                    "%s:%d: w of vertex %ld, which divides the others, is '%.*s', expected a number > 0",
                    check->file, check->line, check->vertices + 1, lwi_word_shown(fourth), fourth.text);
  if (count == 3 || count == 4 || count == 6) return LW_OK;
  return lwi_fail(check->error, LW_INVALID, "%s:%d: vertex %ld has %d numbers, expected 3, 4 or 6", check->file,
                  check->line, check->vertices + 1, count);
}

static lw_status check_vertex(checker *check, lwi_word rest) {
  const lwi_word numbers = rest;
  for (int axis = 0; axis < 3; ++axis) {
    const lwi_word word = lwi_next_word(&rest);
    if (!lwi_word_is_finite(word))
      return lwi_fail(check->error, LW_INVALID, "%s:%d: %c of vertex %ld is '%.*s', expected a finite number",
                      check->file, check->line, "xyz"[axis], check -> vertices + 1, lwi_word_shown(word),
                      word.text);
  }
  lw_status status = check_numbers(check, numbers);
  check->vertices += 1;
  return status;
}

/* Behind the index of its vertex. Assimp leaves the rest of a face out behind a third index if there are normals
   but no texture coordinates so far, and behind a fourth one. */
static bool is_read(const checker *check, lwi_word corner) {
  int slashes = 0;
  bool has_second = false;
  for (size_t i = 0; i < corner.length; ++i) {
    slashes += corner.text[i] == '/';
    has_second = has_second || (slashes == 1 && corner.text[i] != '/');
  }
  return slashes < 2 ||
         (slashes == 2 && !(has_second && check->has_normals && !check->has_texture_coordinates));
}

/* Digits, behind a minus where it counts back. Assimp takes an int, and reads other digits than its own again. */
static bool read_index(lwi_word digits, int64_t *index) {
  const bool is_back = lwi_word_begins(digits, "-");
  uint32_t count;
  if (is_back) ++digits.text, --digits.length;
  if (!lwi_word_count(digits, &count) || count > INT_MAX || (digits.length > 1 && digits.text[0] == '0'))
    return false;
  *index = is_back ? -(int64_t)count : (int64_t)count;
  return true;
}

/* Up to a slash, which is taken, too. */
static lwi_word next_part(lwi_word *corner) {
  const char *slash = corner->length > 0 ? memchr(corner->text, '/', corner->length) : NULL;
  const lwi_word part = {corner->text, slash ? (size_t)(slash - corner->text) : corner->length};
  const size_t taken = part.length + (slash ? 1 : 0);
  corner->text += taken, corner->length -= taken;
  return part;
}

/* A corner is `v`, `v/vt`, `v//vn` or `v/vt/vn`. @param[out] index  Of its vertex. */
static bool read_corner(lwi_word corner, int64_t *index) {
  int64_t other;
  bool is_good = read_index(next_part(&corner), index);
  while (is_good && corner.length > 0) {
    const lwi_word part = next_part(&corner);
    is_good = part.length == 0 || (read_index(part, &other) && other != 0);
  }
  return is_good;
}

/* A negative index counts back from the last vertex so far. A positive one may name a later vertex, so the highest
   is checked at the end of the file. */
static lw_status check_corner(checker *check, lwi_word corner) {
  int64_t index;
  if (!read_corner(corner, &index))
    return lwi_fail(check->error, LW_INVALID, "%s:%d: a face's corner is '%.*s', expected an index",
                    check->file, check->line, lwi_word_shown(corner), corner.text);
  if (!is_read(check, corner))
    return lwi_fail(check->error, LW_INVALID,
                    "%s:%d: a face's corner is '%.*s', expected at most a vertex, texture coordinates if there "
                    "are some above, and a normal",
                    check->file, check->line, lwi_word_shown(corner), corner.text);
  if (index == 0 || index < -check->vertices)
    return lwi_fail(check->error, LW_INVALID, "%s:%d: index is %lld, expected 1 or more, or -%ld to -1",
                    check->file, check->line, (long long)index, check->vertices);
  if (index > check->highest) check->highest = (long)index, check->highest_line = check->line;
  return LW_OK;
}

static lw_status check_face(checker *check, lwi_word rest) {
  int corners = 0;
  check->faces += 1;
  for (lwi_word word = lwi_next_word(&rest); word.length > 0; word = lwi_next_word(&rest), ++corners) {
    lw_status status = check_corner(check, word);
    if (status) return status;
  }
  if (corners >= 3) return LW_OK;
  return lwi_fail(check->error, LW_INVALID, "%s:%d: the number of corners of a face is %d, expected 3 or more",
                  check->file, check->line, corners);
}

static lw_status refuse_line(const checker *check, const char *what) {
  return lwi_fail(check->error, LW_BAD_FILE, "%s:%d: %s", check->file, check->line, what);
}

static bool is_ascii(lwi_word word) {
  for (size_t i = 0; i < word.length; ++i)
    if (word.text[i] & 0x80) return false;
  return true;
}

/* What Assimp takes for something else, and would go on: a vertex or face too few or too many. It knows no line
   that begins with a blank. */
static lw_status check_key(const checker *check, lwi_word key, bool is_first) {
  const bool is_vertex = lwi_word_is(key, "v"), is_face = lwi_word_is(key, "f") || lwi_word_is(key, "fo");
  if (is_first && check->joined && lwi_word_begins(key, "#"))
    return refuse_line(check,
                       "the comment ends in '\\', which joins the next line to it, expected another end");
  if (!is_first && (is_vertex || is_face))
    return refuse_line(check, "the line begins with a blank, expected 'v' or 'f'");
  if (is_first && !is_face && lwi_word_begins(key, "f"))
    return refuse_line(check, "the line begins with 'f', expected 'f' alone for a face");
  if (is_first && (lwi_word_is_alike(key, "v") || lwi_word_is_alike(key, "f")) && !is_vertex && !is_face)
    return refuse_line(check, "the line begins with a capital letter, expected 'v' or 'f'");
  if (is_first && !lwi_word_begins(key, "#") && !is_ascii(key))
    return refuse_line(check, "the line begins with a word that is not ASCII, expected a statement of OBJ");
  if ((is_vertex || is_face) && check->curved)
    return refuse_line(check, "a vertex or face is behind 'cstype', expected 'end' before");
  return LW_OK;
}

/* @param rest  Of the line, behind `usemtl`. */
static lw_status check_material(checker *check, lwi_word rest) {
  while (rest.length > 0 && lwi_is_blank(rest.text[0])) ++rest.text, --rest.length;
  while (rest.length > 0 && lwi_is_blank(rest.text[rest.length - 1])) --rest.length;
  const uint64_t bit = lwi_hash(LWI_HASH_SEED, rest.text, rest.length) % NAME_BITS;
  uint32_t *bits = &check->name_bits[bit / 32];
  check->materials += !(*bits >> bit % 32 & 1);
  *bits |= 1u << bit % 32;
  if (check->materials <= MATERIALS_MAX) return LW_OK;
  return refuse_line(check, "it names more than 4096 materials, expected at most these");
}

static lw_status check_statement(checker *check, const char *text, size_t length) {
  lwi_word rest = {text, length};
  const lwi_word key = lwi_next_word(&rest);
  lw_status status = check_key(check, key, key.text == text);
  if (status || key.text != text) return status;
  if (lwi_word_is(key, "cstype")) check->curved = true;
  if (lwi_word_is(key, "end")) check->curved = false;
  if (lwi_word_begins(key, "vn")) check->has_normals = true;
  if (lwi_word_begins(key, "vt")) check->has_texture_coordinates = true;
  if (lwi_word_is(key, "usemtl")) return check_material(check, rest);
  if (lwi_word_is(key, "v")) return check_vertex(check, rest);
  return lwi_word_begins(key, "f") && rest.length > 0 ? check_face(check, rest) : LW_OK;
}

/* --- lines ------------------------------------------------------------------------------------------------- */

/* \r\n is \n. */
static int next_byte(FILE *stream) {
  const int c = getc(stream), next = c == '\r' ? getc(stream) : EOF;
  if (next == '\n') return next;
  if (next != EOF) ungetc(next, stream);
  return c;
}

static bool is_end(int c) {
  return c == '\n' || c == '\r' || c == EOF;
}

/* Assimp joins a line that ends in a backslash with what follows the next \n, of which it takes the first byte
   as it is. @param[in,out] c  The byte behind the backslash; the next one of the joined lines. */
static lw_status join_lines(checker *check, FILE *stream, int *c) {
  const int end = *c;
  *c = next_byte(stream);
  check->joined = true;
  if (end == '\n' && *c != '\\' && (!is_end(*c) || *c == EOF)) return check->next_line += 1, LW_OK;
  return lwi_fail(check->error, LW_BAD_FILE,
                  "%s:%d: the line ends in '\\', expected \\n or \\r\\n behind it and a line that is not empty",
                  check->file, check->next_line);
}

/* At \v and \f Assimp ends words or lines, and other programs do not. */
static bool is_text(int c) {
  return c >= ' ' || c == '\t';
}

/* Read up to the end of a line as Assimp takes it. Of a line that is too long the last word is left out, too.
   @param[out] length  Of what was read. @param[out] end  The byte that ended it. */
static lw_status read_line(checker *check, FILE *stream, char line[LINE_SIZE], size_t *length, int *end) {
  lw_status status = LW_OK;
  int c = next_byte(stream);
  check->line = check->next_line;
  check->joined = false;
  for (*length = 0; !is_end(c) && !status;) {
    const int next = next_byte(stream);
    if (!is_text(c))
      status = lwi_fail(check->error, LW_BAD_FILE, "%s:%d: not an OBJ file: it has bytes that are not text",
                        check->file, check->line);
    const bool joins = c == '\\' && is_end(next) && next != EOF;
    if (!joins && *length < LINE_SIZE) line[(*length)++] = (char)c;
    c = next;
    if (joins) status = join_lines(check, stream, &c);
  }
  check->next_line += c == '\n' || c == '\r';
  *end = c;
  while (*length == LINE_SIZE && !lwi_is_blank(line[*length - 1])) --*length;
  return status;
}

static lw_status check_ends(const checker *check) {
  if (check->highest > check->vertices)
    return lwi_fail(check->error, LW_INVALID,
                    "%s:%d: index is %ld, expected at most %ld, the number of vertices", check->file,
                    check->highest_line, check->highest, check->vertices);
  if (check->vertices == 0 && check->faces == 0)
    return lwi_fail(check->error, LW_BAD_FILE, "'%s' is not an OBJ file: no line of it is a vertex or a face",
                    check->file);
  if (check->faces == 0)
    return lwi_fail(check->error, LW_EMPTY, "'%s' holds no triangles: %ld vertices, no face", check->file,
                    check->vertices);
  return LW_OK;
}

lw_status lwi_obj_check(const char *file, FILE *stream, lw_error *error) {
  static const char mark[] = "\xEF\xBB\xBF"; /* of UTF-8 */
  checker check = {.file = file, .error = error, .next_line = 1};
  char line[LINE_SIZE];
  size_t length;
  int end = 0;
  lw_status status = LW_OK;
  while (!status && end != EOF) {
    status = read_line(&check, stream, line, &length, &end);
    const size_t skipped = check.line == 1 && length >= 3 && memcmp(line, mark, 3) == 0 ? 3 : 0;
    if (!status && length > skipped) status = check_statement(&check, line + skipped, length - skipped);
  }
  if (ferror(stream)) return lwi_fail(error, LW_FILE, "cannot read '%s': %s", file, strerror(errno));
  return status ? status : check_ends(&check);
}
