/* Runs that must not change: four scenes of 60 seconds, hashed every few seconds and compared with tests/golden. The same
   hashes come with gcc and clang, at -O0 and -O2, with vectors and without (`make golden`).

   A change that is meant to change a run renews the files: GOLDEN=renew build/tests/test_golden, from the repository's top.
   Then say in the commit which scenes changed and why. Which column differs says what changed: `navmesh` the level (another
   Recast, for the scene `cover`), `agents` what can be seen of the agents, `world` alone only what the world hashes. */
#include "golden_scenes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))
#define SECONDS 60

static const int seconds_hashed[] = {1, 5, 10, 20, 30, 45, SECONDS};

typedef struct text {
  char chars[4096];
  size_t length;
} text;

static void add_line(text *to, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(to->chars + to->length, sizeof to->chars - to->length, format, arguments);
  va_end(arguments);
  assert_true(length > 0 && (size_t)length < sizeof to->chars - to->length);
  to->length += (size_t)length;
}

static void add_hashes(text *to, const golden_run *run, int seconds) {
  lw_agent_stats stats = golden_stats(run);
  assert_int_equal(stats.off_mesh, 0);
  add_line(to, "%2d s: %3d agents, walked %9.3f m, %4d goals, %3d replans; agents %016llx world %016llx\n",
           seconds, run->agent_count, stats.walked, stats.goals_reached, stats.replans,
           (unsigned long long)golden_agents_hash(run), (unsigned long long)lw_world_hash(run->world));
}

static void run_scene(const golden_scene *scene, text *to) {
  static golden_run run;
  golden_open(&run, scene);
  add_line(to, "navmesh %016llx\n", (unsigned long long)golden_navmesh_hash(&run));
  for (int i = 0; i < COUNT(seconds_hashed); i++) {
    while (run.step < seconds_hashed[i] * GOLDEN_STEPS_PER_SECOND) golden_step(&run, scene);
    add_hashes(to, &run, seconds_hashed[i]);
  }
  add_line(to, "in all: %d agents spawned, %d places behind cover reserved, %d leaves failed\n", run.spawned,
           run.covers_reserved, run.leaves_failed);
  golden_close(&run);
}

static void read_file(const char *path, text *to) {
  FILE *file = fopen(path, "rb");
  if (!file) fail_msg("%s is missing: GOLDEN=renew writes it", path);
  to->length = fread(to->chars, 1, sizeof to->chars - 1, file);
  to->chars[to->length] = '\0';
  fclose(file);
}

static void write_file(const char *path, const text *from) {
  FILE *file = fopen(path, "wb");
  if (!file) fail_msg("%s cannot be written", path);
  assert_true(fwrite(from->chars, 1, from->length, file) == from->length);
  assert_int_equal(fclose(file), 0);
}

/* The first line that differs, of both. */
static void expect_same(const char *path, const char *expected, const char *got) {
  while (*expected || *got) {
    int length = (int)strcspn(expected, "\n"), got_length = (int)strcspn(got, "\n");
    if (length != got_length || memcmp(expected, got, (size_t)length) != 0)
      fail_msg("%s\n  expected %.*s\n  got      %.*s", path, length, expected, got_length, got);
    expected += length + (expected[length] == '\n');
    got += got_length + (got[got_length] == '\n');
  }
}

static void runs_agree_with_the_golden_hashes(void **state) {
  const golden_scene *scene = *state;
  const char *mode = getenv("GOLDEN");
  char path[256];
  static text got, expected;
  got = (text){0};
  snprintf(path, sizeof path, "tests/golden/%s.txt", scene->name);
  run_scene(scene, &got);
  if (mode && strcmp(mode, "renew") == 0) {
    write_file(path, &got);
    printf("note: %s renewed\n", path);
  } else {
    read_file(path, &expected);
    expect_same(path, expected.chars, got.chars);
  }
}

int main(void) {
  struct CMUnitTest tests[GOLDEN_SCENES];
  for (int i = 0; i < GOLDEN_SCENES; i++)
    tests[i] = (struct CMUnitTest){golden_scenes[i].name, runs_agree_with_the_golden_hashes, NULL, NULL,
                                   (void *)(uintptr_t)&golden_scenes[i]};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
