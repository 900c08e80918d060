/* Geometry sets of RecastDemo:

     f FILE                                     the level; ignored
     s NUMBERS                                  settings of the bake; ignored
     c X Y Z  X Y Z  RADIUS BIDIRECTIONAL AREA FLAGS    an off-mesh link
     v COUNT AREA MIN_Y MAX_Y                   a volume, and in the next COUNT lines its corners: X Y Z

   and, which RecastDemo skips:

     p X Y Z                                    a seed */
#include "core/file.h"
#include "core/status.h"
#include "geometry/geometry.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_MAX (1 << 20) /* bytes: some 20,000 links; the largest of known levels has 2 kB */
#define LINE_SIZE 512      /* of the longest line and a zero: ten numbers of 50 digits */
#define CODE_MAX 255
#define CORNERS_MAX 256 /* RecastDemo writes 12 at most; checking a volume takes their square */

typedef struct gset_reader {
  lw_geometry *geometry;
  const char *file;
  const char *at, *end;
  int line; /* number of the current line */
  char text[LINE_SIZE];
  const lw_gset_options *options;
  lwi_memory memory;
  lw_error *error;
} gset_reader;

/* --- rules ------------------------------------------------------------------------------------------------ */

static lw_gset_rule rule_by_name(const lw_area_table *areas, int code) {
  static const char *const names[] = {"ground", NULL, "road", "door", "grass", NULL, "unsafe"};
  lw_gset_rule rule = {.volume = LW_GSET_NOTHING};
  switch (code) {
  case 1: rule.volume = LW_GSET_WATER; return rule;
  case 5: return rule;
  case 7: rule.volume = LW_GSET_MARK; return rule;
  case 8: rule.link = LW_LINK_LADDER; return rule;
  default: break;
  }
  const char *name = code < (int)(sizeof names / sizeof *names) ? names[code] : NULL;
  rule.area = name ? lw_area_table_find(areas, name) : LW_AREA_NONE;
  rule.volume = rule.area == LW_AREA_NONE ? LW_GSET_UNKNOWN : LW_GSET_MARK;
  if (code == 3) rule.link = LW_LINK_DOOR;
  return rule;
}

static lw_gset_rule rule_of(const gset_reader *reader, int code) {
  if (reader->options && reader->options->rule) return reader->options->rule(reader->options->user, code);
  return rule_by_name(lw_geometry_area_table(reader->geometry), code);
}

/* --- words ------------------------------------------------------------------------------------------------ */

static lw_status wrong(const gset_reader *reader, const char *what) {
  return lwi_fail(reader->error, LW_BAD_FILE, "%s:%d: %s", reader->file, reader->line, what);
}

static lw_status next_line(gset_reader *reader) {
  size_t left = (size_t)(reader->end - reader->at);
  const char *newline = memchr(reader->at, '\n', left);
  size_t length = newline ? (size_t)(newline - reader->at) : left;
  reader->line += 1;
  if (length >= LINE_SIZE) {
    char what[96];
    snprintf(what, sizeof what, "the line has %zu bytes, expected at most %d in a geometry set", length,
             LINE_SIZE - 1);
    return wrong(reader, what);
  }
  if (memchr(reader->at, 0, length)) return wrong(reader, "not a geometry set: it has bytes that are not text");
  memcpy(reader->text, reader->at, length);
  reader->text[length] = 0;
  reader->at += length + (newline != NULL);
  return LW_OK;
}

/* Read exactly that many finite numbers. */
static lw_status read_numbers(const gset_reader *reader, const char *text, const char *const *names, int count,
                              double *numbers) {
  char what[160];
  for (int i = 0; i < count; ++i) {
    char *end;
    text += strspn(text, " \t\r");
    numbers[i] = lwi_number_read(text, &end);
    if (end == text || (*end && !isspace((unsigned char)*end)) || !isfinite(numbers[i])) {
      int length = (int)strcspn(text, " \t\r");
      if (length > 40) length = 40;
      if (length > 0)
        snprintf(what, sizeof what, "%s is '%.*s', expected a finite number", names[i], length, text);
      else
        snprintf(what, sizeof what, "%s is missing", names[i]);
      return wrong(reader, what);
    }
    text = end;
  }
  text += strspn(text, " \t\r");
  if (!*text) return LW_OK;
  snprintf(what, sizeof what, "got '%.40s' after the last number, expected %d numbers", text, count);
  return wrong(reader, what);
}

static lw_vec3 point(const double *numbers) {
  return (lw_vec3){(float)numbers[0], (float)numbers[1], (float)numbers[2]};
}

static lw_status read_rule(const gset_reader *reader, double code, lw_gset_rule *rule) {
  char what[96];
  snprintf(what, sizeof what, "area is %g, expected a whole number from 0 to %d", code, CODE_MAX);
  if (!(code >= 0 && code <= CODE_MAX) || code != floor(code)) return wrong(reader, what);
  *rule = rule_of(reader, (int)code);
  if (rule->volume != LW_GSET_UNKNOWN) return LW_OK;
  snprintf(what, sizeof what, "area is %g, for which there is no rule", code);
  return wrong(reader, what);
}

/* Name the current line in what the geometry says of it. */
static lw_status with_line(const gset_reader *reader, lw_status status, const lw_error *error) {
  if (status == LW_OK) return LW_OK;
  if (status == LW_OUT_OF_MEMORY) return lwi_fail_status(reader->error, status);
  return wrong(reader, error->text);
}

/* --- statements ------------------------------------------------------------------------------------------- */

static lw_status read_link(gset_reader *reader, const char *text) {
  static const char *const names[] = {"x of the start", "y of the start", "z of the start", "x of the end",
                                      "y of the end",   "z of the end",   "radius",         "bidirectional",
                                      "area",           "flags"};
  double numbers[10];
  lw_gset_rule rule;
  lw_status status = read_numbers(reader, text, names, 10, numbers);
  if (!status) status = read_rule(reader, numbers[8], &rule);
  if (status) return status;
  if (numbers[7] != 0 && numbers[7] != 1)
    return lwi_fail(reader->error, LW_BAD_FILE, "%s:%d: bidirectional is %g, expected 0 or 1", reader->file,
                    reader->line, numbers[7]);
  lw_link_def link = lw_link_def_default();
  link.kind = rule.link;
  link.area = rule.area;
  link.from = point(numbers);
  link.to = point(numbers + 3);
  link.radius = (float)numbers[6];
  link.bidirectional = numbers[7] != 0;
  lw_error error = {0};
  return with_line(reader, lw_geometry_add_link(reader->geometry, &link, &error), &error);
}

static lw_status add_volume(gset_reader *reader, const lw_gset_rule *rule, const lw_vec3 *corners, int count,
                            float low, float high) {
  lw_error error = {0};
  if (rule->volume == LW_GSET_WATER) {
    lw_water_def water = lw_water_def_default();
    water.points = corners;
    water.point_count = count;
    water.bottom = low;
    water.level = high;
    return with_line(reader, lw_geometry_add_water(reader->geometry, &water, &error), &error);
  }
  lw_mark_def mark = lw_mark_def_default(LW_MARK_POLYGON);
  mark.area = rule->area;
  mark.points = corners;
  mark.point_count = count;
  mark.bottom = low;
  mark.top = high;
  return with_line(reader, lw_geometry_mark_area(reader->geometry, &mark, &error), &error);
}

static lw_status read_corners(gset_reader *reader, lw_vec3 *corners, int count) {
  static const char *const names[] = {"x", "y", "z"};
  double numbers[3];
  for (int i = 0; i < count; ++i) {
    if (reader->at == reader->end) return wrong(reader, "the file ends before the last corner of the volume");
    lw_status status = next_line(reader);
    if (!status) status = read_numbers(reader, reader->text, names, 3, numbers);
    if (status) return status;
    corners[i] = point(numbers);
  }
  return LW_OK;
}

static lw_status read_volume(gset_reader *reader, const char *text) {
  static const char *const names[] = {"count of corners", "area", "lowest y", "highest y"};
  double numbers[4];
  lw_gset_rule rule;
  int line = reader->line;
  lw_status status = read_numbers(reader, text, names, 4, numbers);
  if (!status) status = read_rule(reader, numbers[1], &rule);
  if (status) return status;
  if (!(numbers[0] >= 3 && numbers[0] <= CORNERS_MAX) || numbers[0] != floor(numbers[0]))
    return lwi_fail(reader->error, LW_BAD_FILE,
                    "%s:%d: count of corners is %g, expected a whole number from 3 to %d", reader->file,
                    reader->line, numbers[0], CORNERS_MAX);
  int count = (int)numbers[0];
  size_t size = (size_t)count * sizeof(lw_vec3);
  lw_vec3 *corners = lwi_alloc(&reader->memory, size);
  if (!corners) return lwi_fail_status(reader->error, LW_OUT_OF_MEMORY);
  status = read_corners(reader, corners, count);
  if (!status && rule.volume != LW_GSET_NOTHING) {
    int last = reader->line;
    reader->line = line; /* messages about a volume name its first line */
    status = add_volume(reader, &rule, corners, count, (float)numbers[2], (float)numbers[3]);
    reader->line = last;
  }
  lwi_free(&reader->memory, corners, size);
  return status;
}

static lw_status read_seed(gset_reader *reader, const char *text) {
  static const char *const names[] = {"x", "y", "z"};
  double numbers[3];
  lw_error error = {0};
  lw_status status = read_numbers(reader, text, names, 3, numbers);
  if (status) return status;
  return with_line(reader, lw_geometry_add_seed(reader->geometry, point(numbers), &error), &error);
}

static lw_status read_statement(gset_reader *reader) {
  const char *text = reader->text + strspn(reader->text, " \t\r");
  if (!*text || *text == '#') return LW_OK;
  if (text[1] == 0 || isspace((unsigned char)text[1])) switch (text[0]) {
    case 'f':
    case 's': return LW_OK;
    case 'c': return read_link(reader, text + 1);
    case 'v': return read_volume(reader, text + 1);
    case 'p': return read_seed(reader, text + 1);
    default: break;
    }
  char what[128];
  snprintf(what, sizeof what, "the line is '%.40s', expected one that begins with f, s, c, v or p", text);
  return wrong(reader, what);
}

static lw_status read_all(gset_reader *reader) {
  lw_status status = LW_OK;
  while (!status && reader->at < reader->end) {
    status = next_line(reader);
    if (!status) status = read_statement(reader);
  }
  return status;
}

lw_status lw_geometry_load_gset(lw_geometry *geometry, const char *file, const lw_gset_options *options,
                                lw_error *error) {
  if (!geometry) return lwi_fail_null(error, "geometry");
  if (!file) return lwi_fail_null(error, "file");
  int marks = lw_geometry_mark_count(geometry), links = lw_geometry_link_count(geometry);
  int seeds = lw_geometry_seed_count(geometry);
  lwi_memory memory = lwi_geometry_memory(geometry);
  unsigned char *data = NULL;
  size_t size = 0;
  const char *reason;
  lw_status status = lwi_file_read_up_to(file, FILE_MAX, &memory, &data, &size, &reason);
  if (status == LW_FILE) return lwi_fail(error, status, "cannot read '%s': %s", file, reason);
  if (status == LW_LIMIT)
    return lwi_fail(error, LW_BAD_FILE, "'%s' is larger than %d KiB, expected a geometry set", file,
                    FILE_MAX >> 10);
  if (status) return lwi_fail_status(error, status);
  const char *text = data ? (const char *)data : "";
  gset_reader reader = {.geometry = geometry,
                        .file = file,
                        .at = text,
                        .end = text + size,
                        .options = options,
                        .memory = memory,
                        .error = error};
  status = read_all(&reader);
  lwi_free(&memory, data, size);
  if (status) lw_geometry_forget(geometry, marks, links, seeds);
  return status;
}
