/* A world on which everything changes at random, thousands of times: what can be walked on is what is known without asking
   it, and all answers are those of a world in which the same is made at once. */
#include "changing_world.h"
#include "level_test.h"
#include "sight_scene.h"

#include <math.h>
#include <stdlib.h>

#define OPERATIONS 10000
#define CHECKS 40      /* times that all is compared */
#define VALIDATIONS 25 /* changes from one check of the navmesh to the next */
#define SAMPLES 1000
#define PAIRS 60
#define STEPS 250 /* changes, after each of which what is connected is compared */
#define STEP_PAIRS 12
#define AGENTS 6
#define DT (1.0f / 30)
/* How much two paths may differ, of their cost: they depend on how ground is cut, and so on the order of obstacles; those by
   length alone less than those of profiles. */
#define NEAR 0.02
#define APART 0.2
#define GAP 0.005f   /* m, on either side */
#define BESIDE 0.05f /* m, of a wall */
#define AGENT_BODY 1.6f

typedef struct run {
  changing_world it;
  lw_random random; /* of what is asked, so that changes do not depend on it */
  lw_agent_id agents[AGENTS];
  int operation;
  int ground, none, cut, road; /* places */
  int near[CHANGING_PROFILES];
  double max_apart[CHANGING_PROFILES];
  int walls;                            /* edges */
  int gaps;                             /* answers that depend on one */
  int found, lost, hidden, seen, links; /* answers */
} run;

static const char *where(const run *r) {
  static char text[64];
  snprintf(text, sizeof text, "seed %llu, operation %d", (unsigned long long)r->it.seed, r->operation);
  return text;
}

/* --- the ground --------------------------------------------------------------------------------------------------- */

/* For agents of the bake: some obstacles hang at 1 m, and others at 5 m. */
static lw_filter standing(const lw_navmesh *mesh) {
  lw_filter filter = lw_filter_all();
  filter.height = lw_navmesh_get_agent(mesh).height;
  return filter;
}

static lw_area_id area_at(const lw_navmesh *mesh, lw_vec3 at) {
  const lw_filter filter = standing(mesh);
  lw_location found;
  if (lw_navmesh_nearest(mesh, at, (lw_vec3){0.01f, 1, 0.01f}, &filter, &found) != LW_OK) return LW_AREA_NONE;
  return mesh->polygons.areas[lwi_poly_index(mesh, found.poly)];
}

/* Walkable is what was baked but for all grown obstacles. */
static void compare_ground(run *r) {
  const lw_navmesh *mesh = lw_world_navmesh(r->it.world);
  const lw_filter filter = standing(mesh);
  for (int i = 0; i < SAMPLES; i++) {
    const lw_vec3 at = changing_place(&r->random);
    const changing_ground known = changing_ground_at(&r->it, at);
    if (!known.is_sure) continue;
    if (lw_navmesh_contains(mesh, at, 1, &filter) != known.is_ground)
      fail_msg("%s: (%g, %g) should%s be ground%s", where(r), (double)at.x, (double)at.z,
               known.is_ground ? "" : " not", known.is_cut ? ": it is cut out" : "");
    r->ground += known.is_ground;
    r->none += !known.is_ground;
    r->cut += known.is_cut;
    if (!known.is_ground) continue;
    const lw_area_id expected = known.is_marked ? SCENE_ROAD : SCENE_GROUND;
    r->road += known.is_marked;
    if (area_at(mesh, at) != expected)
      fail_msg("%s: (%g, %g) is of area %d, expected %d", where(r), (double)at.x, (double)at.z,
               (int)area_at(mesh, at), (int)expected);
  }
}

static bool has_portal(const lw_navmesh *mesh, uint32_t polygon, uint32_t edge) {
  for (uint32_t k = mesh->graph.first_portal[polygon]; k < mesh->graph.end_portal[polygon]; k++)
    if (mesh->graph.portals[k].edge == edge) return true;
  return false;
}

/* Is there ground all around? */
static bool is_amid_ground(const run *r, lw_vec3 at) {
  for (int i = 0; i < 8; i++) {
    const float angle = (float)i * 0.7853982f;
    const lw_vec3 beside = {at.x + BESIDE * cosf(angle), 0, at.z + BESIDE * sinf(angle)};
    const changing_ground known = changing_ground_at(&r->it, beside);
    if (!known.is_sure || !known.is_ground) return false;
  }
  return true;
}

static void check_walls(run *r, const lw_navmesh *mesh, uint32_t index) {
  const lwi_polygon polygon = lwi_polygon_get(mesh, index);
  for (uint32_t edge = 0; edge < polygon.count; edge++) {
    if (has_portal(mesh, index, edge)) continue;
    const lw_vec3 from = lwi_corner(&polygon, edge), to = lwi_corner(&polygon, lwi_next_corner(&polygon, edge));
    const lw_vec3 at = lwi_lerp(from, to, 0.5f);
    if (is_amid_ground(r, at))
      fail_msg("%s: at (%g, %g) there is a wall of %g m amid ground", where(r), (double)at.x, (double)at.z,
               (double)lwi_distance_xz(from, to));
    r->walls += 1;
  }
}

/* Agents larger than the bake's keep away from any wall, however short: one amid ground shuts ways. */
static void compare_walls(run *r) {
  const lw_navmesh *mesh = lw_world_navmesh(r->it.world);
  for (uint32_t i = 0; i < mesh->polygons.count; i++)
    if (lwi_is_there(mesh, i)) check_walls(r, mesh, i);
}

/* --- answers ------------------------------------------------------------------------------------------------------ */

static bool is_connected(const lw_world *world, const lw_profile *profile, lw_vec3 from, lw_vec3 to) {
  lw_path_exists_query query = lw_path_exists_query_default();
  bool connected = false;
  query.from = from;
  query.to = to;
  query.snap = (lw_vec3){0.01f, 1, 0.01f};
  query.profile = profile;
  lw_path_exists(world, NULL, &query, &connected);
  return connected;
}

static lw_status cost_of(const lw_world *world, const lw_profile *profile, lw_vec3 from, lw_vec3 to,
                         float *cost) {
  lw_path_query query = lw_path_query_default();
  lw_path *path;
  query.from = from;
  query.to = to;
  query.snap = (lw_vec3){0.01f, 1, 0.01f};
  query.profile = profile;
  const lw_status status = lw_path_find(world, NULL, &query, &path);
  *cost = path ? lw_path_cost(path) : 0;
  lw_path_destroy(path);
  return status;
}

static void compare_sight(run *r, const lw_world *fresh, lw_vec3 from, lw_vec3 to) {
  lw_vec3 eye = changing_place(&r->random);
  eye.y = AGENT_BODY;
  const float mine = sight_exposed(r->it.world, NULL, eye, from, to, LW_ACCURACY_EXACT),
              expected = sight_exposed(fresh, NULL, eye, from, to, LW_ACCURACY_EXACT);
  if (fabsf(mine - expected) > 1e-3f)
    fail_msg("%s: from (%g, %g) %g m of (%g, %g) to (%g, %g) are seen, expected %g", where(r), (double)eye.x,
             (double)eye.z, (double)mine, (double)from.x, (double)from.z, (double)to.x, (double)to.z,
             (double)expected);
  r->seen += expected > 0;
  r->hidden += !(expected > 0);
}

/* Does it depend on a gap that is hardly any? Gaps of less than 5 mm are there or not by the order of obstacles. */
static bool is_by_a_gap(const run *r, const lw_profile *profile, lw_vec3 from, lw_vec3 to) {
  lw_world *wider = changing_create_at_once(&r->it, GAP), *narrower = changing_create_at_once(&r->it, -GAP);
  const bool is_unsure = is_connected(wider, profile, from, to) != is_connected(narrower, profile, from, to);
  lw_world_destroy(wider);
  lw_world_destroy(narrower);
  return is_unsure;
}

static void compare_paths(run *r, const lw_world *fresh, lw_vec3 from, lw_vec3 to) {
  for (int i = 0; i < CHANGING_PROFILES; i++) {
    const lw_profile *profile = r->it.profiles[i];
    float mine, expected;
    const lw_status status = cost_of(r->it.world, profile, from, to, &mine),
                    other = cost_of(fresh, profile, from, to, &expected);
    if (status != other && is_by_a_gap(r, profile, from, to)) {
      r->gaps += 1;
      continue;
    }
    const double apart = (double)fabsf(mine - expected) / fmax(1, (double)fminf(mine, expected));
    r->near[i] += apart > NEAR;
    r->max_apart[i] = fmax(r->max_apart[i], apart);
    if (status != other || apart > APART)
      fail_msg("%s: profile %d, (%g, %g) to (%g, %g): %s %g, expected %s %g", where(r), i, (double)from.x,
               (double)from.z, (double)to.x, (double)to.z, lw_status_text(status), (double)mine,
               lw_status_text(other), (double)expected);
    assert_int_equal(is_connected(r->it.world, profile, from, to), status == LW_OK);
    assert_int_equal(is_connected(fresh, profile, from, to), status == LW_OK);
    r->found += status == LW_OK;
    r->lost += status == LW_NO_PATH;
  }
}

static void compare_links(run *r, const lw_world *fresh) {
  int used = 0, expected = 0;
  const lw_world *worlds[] = {r->it.world, fresh};
  for (int i = 0; i < 2; i++) {
    lw_link_id id = lw_link_id_none();
    while (!lw_link_id_is_none(id = lw_link_next(worlds[i], id))) {
      lw_link_info info;
      assert_int_equal(lw_link_get(worlds[i], id, &info), LW_OK);
      *(i == 0 ? &used : &expected) += info.is_used;
    }
  }
  if (used != expected) fail_msg("%s: %d links are used, expected %d", where(r), used, expected);
  r->links += used;
}

static void compare_all(run *r) {
  changing_settle(&r->it);
  compare_ground(r);
  compare_walls(r);
  lw_world *fresh = changing_create_at_once(&r->it, 0);
  compare_links(r, fresh);
  for (int i = 0; i < PAIRS; i++) {
    const lw_vec3 from = changing_place(&r->random), to = changing_place(&r->random);
    compare_paths(r, fresh, from, to);
    compare_sight(r, fresh, from, to);
  }
  lw_world_destroy(fresh);
}

/* --- the run ------------------------------------------------------------------------------------------------------ */

static void assert_valid(const run *r) {
  lw_error error = {.text = ""};
  if (lw_navmesh_validate(lw_world_navmesh(r->it.world), &error) != LW_OK)
    fail_msg("%s: %s", where(r), error.text);
  for (int i = 0; i < AGENTS; i++) {
    lw_agent_stats stats;
    assert_int_equal(lw_agent_get_stats(r->it.world, r->agents[i], &stats), LW_OK);
    if (stats.off_mesh > 0) fail_msg("%s: agent %d is off the navmesh", where(r), i);
  }
}

static void spawn(run *r) {
  for (int i = 0; i < AGENTS; i++) {
    lw_agent_def def = lw_agent_def_default();
    def.profile = r->it.profiles[1 + i % 3];
    def.at = (lw_vec3){2 + (float)i, 0, 12};
    assert_int_equal(lw_agent_spawn(r->it.world, &def, &r->agents[i], NULL), LW_OK);
  }
}

static void send(run *r) {
  for (int i = 0; i < AGENTS; i++) {
    lw_agent_state state;
    assert_int_equal(lw_agent_get_state(r->it.world, r->agents[i], &state), LW_OK);
    if (state.move != LW_MOVE_WALKING)
      lw_agent_move_to(r->it.world, r->agents[i], changing_place(&r->random), 0.5f);
  }
}

/* One change at a time takes effect, or some together in a step. */
static void change(run *r) {
  changing_change(&r->it);
  const int kind = (int)(8 * lwi_random_unit(&r->random));
  if (kind == 0) send(r);
  if (kind < 2) assert_int_equal(lw_world_step(r->it.world, DT), LW_OK);
  if (kind < 7) assert_int_equal(lw_world_apply_changes(r->it.world), LW_OK);
}

static void run_changes(uint64_t seed) {
  static run state;
  run *r = &state;
  *r = (run){.random = lwi_random_make(seed, 1)};
  changing_open(&r->it, seed);
  spawn(r);
  const uint64_t ground = level_ground_hash(lw_world_navmesh(r->it.world));
  for (r->operation = 1; r->operation <= OPERATIONS; r->operation++) {
    change(r);
    if (r->operation % VALIDATIONS == 0) assert_valid(r);
    if (r->operation % (OPERATIONS / CHECKS) == 0) compare_all(r);
  }
  changing_undo(&r->it);
  compare_all(r);
  assert_true(level_ground_hash(lw_world_navmesh(r->it.world)) == ground);
  assert_true(lw_world_base_navmesh(r->it.world, 0) == r->it.sources[0]);
  print_message(
      "note: seed %llu: %d changes of obstacles, %d of links, %d of permutations, %d of tiles; places: "
      "%d ground (%d road), %d none (%d cut out); %d paths, %d not connected; %d segments seen, %d not; "
      "%d links used; %d answers by a gap of less than 1 cm\n",
      (unsigned long long)seed, r->it.operations[0], r->it.operations[1], r->it.operations[2],
      r->it.operations[3], r->ground, r->road, r->none, r->cut, r->found, r->lost, r->seen, r->hidden, r->links,
      r->gaps);
  for (int i = 0; i < CHANGING_PROFILES; i++)
    print_message("note: profile %d: %d paths differ by more than %g %%, at most by %.1f %%\n", i, r->near[i],
                  NEAR * 100, r->max_apart[i] * 100);
  assert_true(r->cut > SAMPLES && r->road > SAMPLES && r->ground > SAMPLES);
  assert_true(r->gaps <= PAIRS);
  assert_true(r->found > PAIRS && r->lost > PAIRS && r->seen > PAIRS && r->hidden > PAIRS && r->links > PAIRS);
  changing_close(&r->it);
}

static void ten_thousand_changes_leave_what_one_change_gives(void **state) {
  (void)state;
  const char *seed = getenv("LEEWARD_SEED");
  run_changes(seed ? strtoull(seed, NULL, 10) : 20261125);
}

/* What is connected, for each class of agents, beside a world in which the same is made at once. */
static void compare_connected(run *r) {
  lw_world *fresh = changing_create_at_once(&r->it, 0);
  for (int i = 0; i < STEP_PAIRS; i++) {
    const lw_vec3 from = changing_place(&r->random), to = changing_place(&r->random);
    for (int k = 0; k < CHANGING_PROFILES; k++) {
      const lw_profile *profile = r->it.profiles[k];
      const bool mine = is_connected(r->it.world, profile, from, to),
                 expected = is_connected(fresh, profile, from, to);
      r->found += expected;
      r->lost += !expected;
      if (mine == expected) continue;
      if (!is_by_a_gap(r, profile, from, to))
        fail_msg("%s: profile %d, (%g, %g) to (%g, %g): %sconnected", where(r), k, (double)from.x,
                 (double)from.z, (double)to.x, (double)to.z, mine ? "" : "not ");
      r->gaps += 1;
    }
  }
  lw_world_destroy(fresh);
}

static void what_is_connected_is_right_after_each_change(void **state) {
  (void)state;
  static run all;
  run *r = &all;
  const char *seed = getenv("LEEWARD_SEED");
  *r = (run){.random = lwi_random_make(7, 1)};
  changing_open(&r->it, seed ? strtoull(seed, NULL, 10) : 20261127);
  for (r->operation = 1; r->operation <= STEPS; r->operation++) {
    changing_change(&r->it);
    changing_settle(&r->it);
    compare_walls(r);
    compare_connected(r);
  }
  print_message("note: seed %llu: %d places are connected, %d not; %d edges are walls; %d answers by a gap\n",
                (unsigned long long)r->it.seed, r->found, r->lost, r->walls, r->gaps);
  assert_true(r->found > STEPS && r->lost > STEPS && r->walls > STEPS && r->gaps <= STEPS);
  changing_close(&r->it);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(ten_thousand_changes_leave_what_one_change_gives),
                                     cmocka_unit_test(what_is_connected_is_right_after_each_change)};
  return cmocka_run_group_tests(tests, scene_open, scene_close);
}
