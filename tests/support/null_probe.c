#include "null_probe.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEADERS "runtime/include/leeward"
#define PROBES_MAX 1024
#define NAME_SIZE 64

/* The test that probes the functions of each header. */
static const struct {
  const char *header, *test;
} probed[] = {
    /* clang-format off */
    {"agent.h", "world"},
    {"area.h", "navmesh"},
    {"bake.h", "navmesh"},
    {"base.h", "navmesh"},
    {"cover.h", "world"},
    {"cover_points.h", "world"},
    {"danger.h", "world"},
    {"debug_draw.h", "world"},
    {"explain.h", "world"},
    {"fire_lane.h", "world"},
    {"geometry.h", "navmesh"},
    {"id.h", "navmesh"},
    {"import.h", "navmesh"},
    {"leeward.h", "world"},
    {"link.h", "world"},
    {"navmesh.h", "navmesh"},
    {"obstacle.h", "world"},
    {"permutation.h", "world"},
    {"path.h", "world"},
    {"profile.h", "navmesh"},
    {"query.h", "world"},
    {"save.h", "navmesh"},
    {"threat.h", "world"},
    {"tree.h", "navmesh"},
    {"history.h", "world"},
    {"senses.h", "minds"},
    {"blackboard.h", "minds"},
    {"workspace.h", "world"},
    {"world.h", "world"},
    {"planner.h", "planner"},
    {"distance_field.h", "fields"},
    {"drive.h", "fields"},
    {"route_table.h", "fields"},
    {"regions.h", "regions"},
    {"room_graph.h", "regions"},
    {"jobs.h", "planner"},
    {"path_changes.h", "navmesh"},
    {"group.h", "group"},
    /* clang-format on */
};

/* A pointer parameter of a function. */
typedef struct parameter {
  char function[NAME_SIZE], name[NAME_SIZE];
} parameter;

static parameter probes[PROBES_MAX];
static int probe_count;
lw_error probe_failure, *probe_error;

static void copy_name(char *name, const char *from, size_t length) {
  assert_true(length > 0 && length < NAME_SIZE);
  memcpy(name, from, length);
  name[length] = 0;
}

void probe_record(const char *call, const char *name) {
  const char *function = strstr(call, "lw_");
  assert_non_null(function);
  assert_true(probe_count < PROBES_MAX);
  parameter *probe = &probes[probe_count++];
  copy_name(probe->function, function, strcspn(function, "("));
  copy_name(probe->name, name, strlen(name));
}

void probe_refused(const char *call, const char *name, lw_status status) {
  if (status != LW_INVALID) fail_msg("%s is %s, expected INVALID", call, lw_status_name(status));
  probe_record(call, name);
  if (!strstr(call, ", probe_error)")) return;
  if (!probe_error) {
    probe_record(call, "error");
    return;
  }
  char expected[NAME_SIZE + 48];
  snprintf(expected, sizeof expected, "%s is NULL, expected a valid pointer", name);
  assert_int_equal(probe_error->status, LW_INVALID);
  assert_string_equal(probe_error->text, expected);
}

static bool is_probed(const parameter *wanted) {
  for (int i = 0; i < probe_count; i++)
    if (strcmp(probes[i].function, wanted->function) == 0 && strcmp(probes[i].name, wanted->name) == 0)
      return true;
  return false;
}

/* @param from  The list of parameters, up to its closing parenthesis. @return Pointers that have no probe. */
static int count_missing(const char *function, const char *from, const char *end) {
  int missing = 0;
  while (from < end) {
    const char *comma = memchr(from, ',', (size_t)(end - from)), *after = comma ? comma : end, *name = after;
    while (name > from && (isalnum((unsigned char)name[-1]) || name[-1] == '_')) name--;
    if (memchr(from, '*', (size_t)(after - from))) {
      parameter wanted;
      copy_name(wanted.function, function, strcspn(function, "("));
      copy_name(wanted.name, name, (size_t)(after - name));
      if (!is_probed(&wanted)) {
        print_error("%s: no probe with NULL for %s\n", wanted.function, wanted.name);
        missing++;
      }
    }
    from = after + 1;
  }
  return missing;
}

static char *read_text(const char *name) {
  FILE *stream = fopen(name, "rb");
  assert_non_null(stream);
  enum { LIMIT = 1 << 20 };
  char *content = malloc(LIMIT);
  assert_non_null(content);
  const size_t length = fread(content, 1, LIMIT - 1, stream);
  assert_true(length > 0 && length < LIMIT - 1);
  content[length] = 0;
  fclose(stream);
  return content;
}

/* @return Functions in the header. */
static int scan_header(const char *name, int *missing) {
  static const char mark[] = "\nLW_API ";
  int functions = 0;
  char *content = read_text(name);
  for (const char *at_mark = content; (at_mark = strstr(at_mark, mark)); functions++) {
    at_mark += sizeof mark - 1;
    const char *open = strchr(at_mark, '('), *function = open;
    assert_non_null(open);
    while (isalnum((unsigned char)function[-1]) || function[-1] == '_') function--;
    assert_memory_equal(function, "lw_", 3);
    const char *end = strchr(open, ')');
    assert_non_null(end);
    *missing += count_missing(function, open + 1, end);
  }
  free(content);
  return functions;
}

static const char *test_of(const char *header) {
  for (size_t i = 0; i < sizeof probed / sizeof *probed; i++)
    if (strcmp(probed[i].header, header) == 0) return probed[i].test;
  fail_msg("%s: no test in the table of null_probe.c probes it", header);
  return "";
}

void probe_check_headers(const char *test) {
  DIR *folder = opendir(HEADERS);
  assert_non_null(folder);
  int functions = 0, missing = 0;
  for (const struct dirent *entry; (entry = readdir(folder));) {
    const size_t length = strlen(entry->d_name);
    if (length < 3 || strcmp(entry->d_name + length - 2, ".h") != 0) continue;
    if (strcmp(test_of(entry->d_name), test) != 0) continue;
    char name[512];
    snprintf(name, sizeof name, HEADERS "/%s", entry->d_name);
    functions += scan_header(name, &missing);
  }
  closedir(folder);
  assert_true(functions > 0);
  assert_int_equal(missing, 0);
}
