/* The visibility table on the shared levels: what it says is sure agrees with lines of sight. */
#include "bake/visibility_table_make.h"
#include "level_test.h"
#include "visibility_check.h"

#define RANGE 30
#define PAIRS 3000

static void what_is_sure_is_so(shared_level *level) {
  lw_navmesh *mesh;
  lw_error error;
  lwi_memory memory = lwi_memory_make(NULL);
  if (level_navmesh(level->name, level->areas, &mesh, &error)) fail_msg("%s", error.text);
  lwi_sight_lines lines;
  assert_true(lwi_lines_make(&lines, lwi_occluders_of(mesh), &memory));
  const lwi_visibility_table_def def = {&lines, RANGE, 2};
  assert_true(lwi_visibility_table_make(mesh, &def, &memory));
  lwi_lines_free(&lines);
  assert_int_equal(memory.bytes, 0);
  pair_counts counts = pair_check(mesh, PAIRS, level->seed);
  printf("note: %s, seed %llu: of pairs within %d m %.0f %% hidden, %.1f %% visible; %d and %d looked at by %d "
         "lines, "
         "%d segments (%d with seams)\n",
         level->name, (unsigned long long)level->seed, RANGE, 100 * (double)lwi_visibility_of(mesh)->hidden,
         100 * (double)lwi_visibility_of(mesh)->visible, counts.hidden, counts.visible, counts.lines,
         counts.segments, counts.seams);
  assert_true(lwi_visibility_of(mesh)->hidden > 0 && lwi_visibility_of(mesh)->visible > 0);
  assert_true(counts.seams <= 1 + counts.segments / 200);
  lw_navmesh_destroy(mesh);
}

int main(void) {
  const level_check checks[] = {{"what_is_sure_of_pairs_is_so", what_is_sure_is_so}};
  return level_run("level pairs", checks, 1);
}
