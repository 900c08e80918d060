/* NULL for every pointer of the functions of planner.h: a status or a neutral value, never a crash. */
#include "grid_world.h"
#include "leeward/leeward.h"
#include "null_probe.h"

static grid_world grid;
static lw_world *world;

static int open_all(void **state) {
  (void)state;
  grid = grid_world_open_plain();
  world = grid.world;
  return 0;
}

static int close_all(void **state) {
  (void)state;
  grid_world_close(&grid);
  return 0;
}

static lw_path_query across(void) {
  lw_path_query query = lw_path_query_default();
  query.from = (lw_vec3){1, 0, 1};
  query.to = (lw_vec3){6, 0, 1};
  return query;
}

static void null_for_searches(void **state) {
  (void)state;
  const lw_path_query query = across();
  lw_search *search, *other;
  lw_path *path;
  REFUSES(world, lw_search_begin(NULL, NULL, &query, &search));
  REFUSES(query, lw_search_begin(world, NULL, NULL, &search));
  REFUSES(search, lw_search_begin(world, NULL, &query, NULL));
  GIVES(workspace, lw_search_begin(world, NULL, &query, &search), == LW_OK);
  REFUSES(search, lw_search_step(NULL, 5));
  GIVES(search, lw_search_work(NULL), == 0);
  REFUSES(search, lw_search_finish(NULL, &path));
  REFUSES(path, lw_search_finish(search, NULL));
  IGNORES(search, lw_search_cancel(NULL));
  assert_int_equal(lw_search_begin(world, NULL, &query, &other), LW_OK);
  lw_search_cancel(other);
  assert_int_equal(lw_search_finish(search, &path), LW_OK); /* what was refused has not ended it */
  lw_path_destroy(path);
}

static void null_for_requests(void **state) {
  (void)state;
  const lw_path_query query = across();
  const lw_request_id none = lw_request_id_none();
  lw_request_id request;
  lw_path *path;
  lw_planner_stats stats;
  REFUSES(world, lw_path_request(NULL, &query, 0, &request));
  REFUSES(query, lw_path_request(world, NULL, 0, &request));
  REFUSES(request, lw_path_request(world, &query, 0, NULL));
  REFUSES(world, lw_path_request_take(NULL, none, &path));
  REFUSES(path, lw_path_request_take(world, none, NULL));
  REFUSES(world, lw_path_request_cancel(NULL, none));
  REFUSES(world, lw_path_request_status(NULL, none));
  REFUSES(world, lw_world_get_planner_stats(NULL, &stats));
  REFUSES(stats, lw_world_get_planner_stats(world, NULL));
  REFUSES(world, lw_world_set_search_work(NULL, 5));
  assert_int_equal(lw_world_get_planner_stats(world, &stats), LW_OK);
  assert_int_equal(stats.waiting_requests, 0);
}

static void every_pointer_of_the_header_has_a_probe(void **state) {
  (void)state;
  probe_check_headers("planner");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(null_for_searches), cmocka_unit_test(null_for_requests),
      cmocka_unit_test(every_pointer_of_the_header_has_a_probe), /* last: it reads what the others recorded */
  };
  return cmocka_run_group_tests(tests, open_all, close_all);
}
