#include "geometry/off_check.h"

#include "core/status.h"
#include "geometry/lines.h"

#include <inttypes.h>
#include <string.h>

/* What Assimp takes of a line, and of a face. */
#define LINE_MAX_BYTES 4095
#define CORNERS_MAX 9

typedef struct checker {
  const char *file;
  lw_error *error;
  lwi_lines lines;
  lwi_word line;            /* What is left of the current line. */
  int coordinates;          /* Of a vertex. */
  uint32_t vertices, faces; /* As stated. */
} checker;

static lw_status refuse(const checker *check, const char *expected) {
  return lwi_fail(check->error, LW_BAD_FILE, "cannot read '%s': line %d: expected %s", check->file,
                  check->lines.line, expected);
}

/* --- header ----------------------------------------------------------------------------------------------- */

/* Until a word, which may stand on any line, with comments between. @return false: the file ends before. */
static bool skip_to_word(checker *check) {
  for (;;) {
    lwi_word rest = check->line;
    const lwi_word word = lwi_next_word(&rest);
    if (word.length > 0 && word.text[0] != '#') return true;
    if (!lwi_next_line(&check->lines, &check->line)) return false;
  }
}

static lwi_word next_in_header(checker *check) {
  return skip_to_word(check) ? lwi_next_word(&check->line) : (lwi_word){0};
}

/* ST: texture coordinates, C: colours, N: normals, 4: a fourth coordinate, which divides the others. */
static bool is_keyword(lwi_word word, bool *has_fourth) {
  static const char *const prefixes[] = {"ST", "C", "N", "4"};
  for (int i = 0; i < 4; ++i) {
    const size_t length = strlen(prefixes[i]);
    if (!lwi_word_begins(word, prefixes[i])) continue;
    word.text += length, word.length -= length;
    *has_fourth = i == 3;
  }
  return lwi_word_is(word, "OFF");
}

static lw_status read_count(checker *check, uint32_t *count) {
  static const char expected[] = "the numbers of vertices, faces and edges";
  const lwi_word word = next_in_header(check);
  if (!lwi_word_is(word, "BINARY")) return lwi_word_count(word, count) ? LW_OK : refuse(check, expected);
  return lwi_fail(check->error, LW_BAD_FILE, "cannot read '%s': it is a binary OFF file, expected one of text",
                  check->file);
}

static lw_status read_header(checker *check) {
  bool has_fourth = false;
  uint32_t edges;
  const lwi_word keyword = next_in_header(check);
  if (!is_keyword(keyword, &has_fourth))
    return lwi_fail(
        check->error, LW_BAD_FILE,
        "cannot read '%s': it begins with '%.*s', expected OFF, or OFF behind some of ST, C, N and 4 in "
        "this order, such as COFF and STCNOFF",
        check->file, lwi_word_shown(keyword), keyword.text ? keyword.text : "");
  check->coordinates = has_fourth ? 4 : 3;
  lw_status status = read_count(check, &check->vertices);
  if (!status) status = read_count(check, &check->faces);
  if (!status) status = read_count(check, &edges);
  return status;
}

/* --- lines ------------------------------------------------------------------------------------------------ */

/* The first vertex may stand behind the header on its line; every other element begins a line. The import hides
   comments and blank lines from Assimp. */
static bool skip_to_line(checker *check, bool is_first) {
  if (!is_first) check->line = (lwi_word){0};
  return skip_to_word(check);
}

/* @param number  Of the element of which the next line is. @param stated  How many there are to be. */
static lw_status next_line(checker *check, const char *elements, uint32_t number, uint32_t stated,
                           bool is_first) {
  if (!skip_to_line(check, is_first))
    return lwi_fail(check->error, LW_BAD_FILE,
                    "cannot read '%s': its header states %" PRIu32 " %s, expected at most %" PRIu32
                    ", what the rest of the file holds, each on a line of its own",
                    check->file, stated, elements, number);
  if (check->line.length > LINE_MAX_BYTES) return refuse(check, "lines of at most 4095 bytes");
  return lwi_word_is_text(check->line) ? LW_OK : refuse(check, "text");
}

static lw_status check_vertex(checker *check, uint32_t number) {
  static const char *const names[] = {"x", "y", "z", "w"};
  lw_status status = next_line(check, "vertices", number, check->vertices, number == 0);
  for (int axis = 0; axis < check->coordinates && !status; ++axis) {
    const lwi_word word = lwi_next_word(&check->line);
    if (!lwi_word_is_finite(word))
      status = lwi_fail(check->error, LW_INVALID,
                        "'%s': line %d: %s of vertex %" PRIu32 " is '%.*s', expected a finite number",
                        check->file, check->lines.line, names[axis], number, lwi_word_shown(word), word.text);
  }
  return status;
}

static lw_status check_face(checker *check, uint32_t number) {
  uint32_t corners, index;
  lw_status status = next_line(check, "faces", number, check->faces, false);
  if (status) return status;
  if (!lwi_word_count(lwi_next_word(&check->line), &corners) || corners == 0 || corners > CORNERS_MAX)
    return refuse(check, "a face: the number of its corners, 1 to 9, and their vertices");
  for (uint32_t i = 0; i < corners; ++i) {
    const lwi_word word = lwi_next_word(&check->line);
    if (!lwi_word_count(word, &index) || index >= check->vertices)
      return lwi_fail(check->error, LW_INVALID,
                      "'%s': line %d: corner %" PRIu32 " of face %" PRIu32 " is '%.*s', expected 0 to %" PRIu32
                      ", the vertices of the file",
                      check->file, check->lines.line, i, number, lwi_word_shown(word), word.text,
                      check->vertices - 1);
  }
  return LW_OK;
}

static lw_status check_lines(checker *check) {
  lw_status status = LW_OK;
  for (uint32_t i = 0; i < check->vertices && !status; ++i) status = check_vertex(check, i);
  for (uint32_t i = 0; i < check->faces && !status; ++i) status = check_face(check, i);
  return status;
}

lw_status lwi_off_check(const char *file, const unsigned char *data, size_t size, lw_error *error) {
  const size_t mark = size >= 3 && memcmp(data, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0; /* of UTF-8 */
  checker check = {.file = file, .error = error, .lines = {.at = data + mark, .end = data + size}};
  lw_status status = read_header(&check);
  if (status) return status;
  if (check.vertices == 0 || check.faces == 0)
    return lwi_fail(error, LW_EMPTY, "'%s' holds no triangles: %" PRIu32 " vertices, %" PRIu32 " faces", file,
                    check.vertices, check.faces);
  return check_lines(&check);
}
