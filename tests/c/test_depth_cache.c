/* When a threat gets a depth map, and which eyes the map answers for. */
#include "allocator.h"
#include "slab_scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#define SEED 20261122u

/* Where fast is measurably not exact: the shadow's ends lie between texels. */
static const lw_vec3 here = {0.13f, 1.07f, -7.3f}, walk_from = {-9.1f, 1, 4.4f}, walk_to = {11.3f, 1.2f, 5.1f};

static float ask_from(slab_asker *a, lw_accuracy accuracy, lw_vec3 eye) {
  return slab_exposed(a, accuracy, eye, walk_from, walk_to, false);
}

/* Before a wall. */
static void begin(slab_asker *a, slab_scene *s, int maps) {
  slab_wall(s, LW_COVER_HARD);
  slab_open(a, s, maps);
}

static void end(slab_asker *a, slab_scene *s) {
  slab_close(a);
  slab_drop(s);
}

static void ask_often(slab_asker *a, lw_vec3 eye) {
  for (int i = 0; i < LWI_EYE_BREAK_EVEN; i++) ask_from(a, LW_ACCURACY_AUTO, eye);
}

static void auto_is_exact_until_the_step_after_the_eye_was_asked_about_often(void **state) {
  static slab_scene s;
  slab_asker a;
  (void)state;
  begin(&a, &s, 4);
  float exact = ask_from(&a, LW_ACCURACY_EXACT, here), fast;
  for (int i = 0; i < 2 * LWI_EYE_BREAK_EVEN; i++) assert_true(ask_from(&a, LW_ACCURACY_AUTO, here) == exact);
  assert_int_equal(a.cache.map_count, 0);
  assert_true(slab_settle(&a));
  fast = ask_from(&a, LW_ACCURACY_AUTO, here);
  assert_int_equal(a.cache.map_count, 1);
  assert_true(fast != exact && fabsf(fast - exact) < 0.01f);
  assert_true(ask_from(&a, LW_ACCURACY_FAST, here) == fast);
  assert_true(ask_from(&a, LW_ACCURACY_EXACT, here) == exact);
  end(&a, &s);
}

static void fast_does_not_change_what_auto_answers_in_the_same_step(void **state) {
  static slab_scene s;
  slab_asker a;
  (void)state;
  begin(&a, &s, 1);
  float exact = ask_from(&a, LW_ACCURACY_EXACT, here);
  assert_true(ask_from(&a, LW_ACCURACY_AUTO, here) == exact);
  float fast = ask_from(&a, LW_ACCURACY_FAST, here);
  assert_true(fast != exact);
  assert_true(ask_from(&a, LW_ACCURACY_AUTO, here) == exact);
  assert_true(slab_settle(&a));
  assert_true(ask_from(&a, LW_ACCURACY_AUTO, here) == exact); /* three questions are not many */
  for (int i = 0; i < LWI_EYE_BREAK_EVEN; i++) assert_true(ask_from(&a, LW_ACCURACY_FAST, here) == fast);
  assert_true(ask_from(&a, LW_ACCURACY_AUTO, here) == exact);
  assert_true(slab_settle(&a));
  assert_true(ask_from(&a, LW_ACCURACY_AUTO, here) == fast);
  end(&a, &s);
}

static void rare_questions_add_up(void **state) {
  static slab_scene s;
  slab_asker a;
  (void)state;
  begin(&a, &s, 4);
  for (int i = 0; i < LWI_EYE_BREAK_EVEN; i++) {
    assert_int_equal(a.cache.map_count, 0);
    ask_from(&a, LW_ACCURACY_AUTO, here);
    assert_true(slab_settle(&a));
  }
  assert_int_equal(a.cache.map_count, 1);
  end(&a, &s);
}

static void settle(slab_asker *a, int steps, lw_vec3 eye) {
  for (int i = 0; i < steps; i++) {
    ask_from(a, LW_ACCURACY_AUTO, eye);
    assert_true(slab_settle(a));
  }
}

static lw_vec3 beside(float x, float z) {
  return lwi_add(here, lwi_vec3(x, 0, z));
}

/* What a map tells that was drawn just there. */
static float fast_from(const slab_scene *s, lw_vec3 eye) {
  slab_asker other;
  slab_open(&other, s, 1);
  float seen = ask_from(&other, LW_ACCURACY_FAST, eye);
  slab_close(&other);
  return seen;
}

static void a_map_serves_its_eye_while_it_moves_less_than_a_quarter_metre(void **state) {
  static slab_scene s;
  slab_asker a;
  (void)state;
  begin(&a, &s, 4);
  ask_often(&a, here);
  assert_true(slab_settle(&a));
  float at_first = ask_from(&a, LW_ACCURACY_AUTO, here);
  lw_vec3 near = beside(0.24f, 0), off = beside(0.26f, 0);
  assert_true(ask_from(&a, LW_ACCURACY_AUTO, near) == at_first); /* as seen from where the map was drawn */
  assert_true(ask_from(&a, LW_ACCURACY_AUTO, off) == ask_from(&a, LW_ACCURACY_EXACT, off));
  assert_int_equal(a.cache.map_count, 1);
  end(&a, &s);
}

/* Two stand back to back at either side of a wall, 20 cm apart. */
static void no_map_answers_for_an_eye_behind_a_wall(void **state) {
  static slab_scene s;
  static const lw_vec3 before = {0, 1, 0.1f}, behind = {0, 1, -0.1f};
  (void)state;
  for (int kind = LW_COVER_HARD; kind <= LW_COVER_SOFT; kind++) {
    slab_asker a;
    slab_wall(&s, (lw_cover_kind)kind);
    slab_open(&a, &s, 4);
    ask_often(&a, before);
    assert_true(slab_settle(&a));
    assert_int_equal(a.cache.map_count, 1);
    const lw_vec3 from = {-1, 1, 3}, to = {1, 1, 3};
    for (int i = 0; i < 2 * LWI_EYE_BREAK_EVEN; i++) {
      assert_true(slab_exposed(&a, LW_ACCURACY_AUTO, before, from, to, false) == 1);
      assert_true(slab_exposed(&a, LW_ACCURACY_AUTO, behind, from, to, false) == 0);
      assert_true(slab_exposed(&a, LW_ACCURACY_FAST, behind, from, to, false) == 0);
      if (i % 9 == 0) assert_true(slab_settle(&a));
    }
    slab_close(&a);
    slab_drop(&s);
  }
}

static void an_eye_that_has_come_to_rest_takes_its_map_along(void **state) {
  static slab_scene s;
  slab_asker a;
  (void)state;
  begin(&a, &s, 4);
  ask_often(&a, here);
  assert_true(slab_settle(&a));
  const lw_vec3 there = beside(0.2f, 0.1f);
  const float old = fast_from(&s, here), own = fast_from(&s, there);
  assert_true(old != own);
  for (int step = 0; step < LWI_EYE_STILL; step++) {
    assert_true(ask_from(&a, LW_ACCURACY_AUTO, there) == old);
    assert_true(slab_settle(&a));
  }
  assert_true(ask_from(&a, LW_ACCURACY_AUTO, there) == own);
  assert_int_equal(a.cache.map_count, 1);
  end(&a, &s);
}

/* It never leaves the map's reach, and never stands. */
static void an_eye_that_sways_for_long_gets_its_map_drawn_again(void **state) {
  static slab_scene s;
  slab_asker a;
  (void)state;
  begin(&a, &s, 4);
  ask_often(&a, here);
  assert_true(slab_settle(&a));
  for (int step = 0; step < LWI_EYE_REST + 2; step++) settle(&a, 1, beside(step % 2 ? 0.2f : 0.19f, 0));
  assert_int_equal(a.cache.map_count, 1);
  assert_true(lwi_distance(a.cache.maps[0]->eye, beside(0.195f, 0)) < 0.01f);
  end(&a, &s);
}

/* Two stand near one another: the first has a map, and stays. */
static void an_eye_beside_another_gets_a_map_once_it_was_asked_about_often(void **state) {
  static slab_scene s;
  slab_asker a;
  (void)state;
  begin(&a, &s, 4);
  ask_often(&a, here);
  assert_true(slab_settle(&a));
  const lw_vec3 there = beside(0.2f, 0.1f);
  const float first = fast_from(&s, here), second = fast_from(&s, there);
  for (int step = 0; step < 2 * LWI_EYE_STILL; step++) {
    assert_true(ask_from(&a, LW_ACCURACY_AUTO, there) == first);
    settle(&a, 1, here);
  }
  assert_int_equal(a.cache.map_count, 1);
  ask_often(&a, there);
  settle(&a, 1, here);
  assert_int_equal(a.cache.map_count, 2);
  assert_true(ask_from(&a, LW_ACCURACY_AUTO, here) == first);
  assert_true(ask_from(&a, LW_ACCURACY_AUTO, there) == second);
  end(&a, &s);
}

/* The map is drawn again every quarter metre, and never because of a pause shorter than a stop. */
static void an_eye_that_moves_on_keeps_one_map(void **state) {
  static slab_scene s;
  slab_asker a;
  uint64_t maps = 0;
  (void)state;
  begin(&a, &s, 4);
  for (int step = 0; step < 120; step++) { /* 5 cm every other step */
    const lw_vec3 at = beside(0.05f * (float)(step / 2), 0);
    ask_often(&a, at);
    const int before = a.cache.map_count > 0 ? (int)(a.cache.maps[0]->eye.x * 1000) : 0;
    assert_true(slab_settle(&a));
    maps += (int)(a.cache.maps[0]->eye.x * 1000) != before;
    assert_int_equal(a.cache.map_count, 1);
    assert_true(lwi_distance(a.cache.maps[0]->eye, at) < LWI_EYE_REACH);
  }
  assert_true(maps >= 12 && maps <= 15); /* in 3 m */
  end(&a, &s);
}

static void fast_looks_from_the_very_place_that_is_asked_about(void **state) {
  static slab_scene s;
  slab_asker a;
  (void)state;
  begin(&a, &s, 4);
  for (int i = 0; i < 12; i++) {
    const lw_vec3 at = beside(0.02f * (float)(i % 6), 0);
    assert_true(ask_from(&a, LW_ACCURACY_FAST, at) == fast_from(&s, at));
  }
  assert_int_equal(a.asks.fast.count, 4);
  assert_int_equal(a.cache.map_count, 0);
  end(&a, &s);
}

/* What each threat sees of the walk, as a part of it. */
static void ask_from_all(slab_asker *a, const lw_threat *threats, int count, float *seen) {
  const lwi_sight sight = {.sets = a->of->sets, .count = 1, .cache = &a->cache, .asks = &a->asks};
  lw_exposure_query query = lw_exposure_query_default();
  lw_exposure exposure;
  query.from = walk_from;
  query.to = walk_to;
  query.threats = threats;
  query.threat_count = count;
  query.heights[0] = 0;
  query.height_count = 1;
  query.accuracy = LW_ACCURACY_FAST;
  query.exposed_to = seen;
  assert_int_equal(lwi_exposure_find(&sight, &query, &a->memory, &a->scratch, &exposure), LW_OK);
  for (int i = 0; i < count; i++) seen[i] /= exposure.length;
}

static void fast_draws_no_map_twice_for_more_threats_than_there_are_maps(void **state) {
  enum { THREATS = 6, MAPS = 4 };
  static slab_scene s;
  slab_asker a;
  lw_threat threats[THREATS];
  float seen[THREATS];
  (void)state;
  begin(&a, &s, MAPS);
  for (int i = 0; i < THREATS; i++) {
    threats[i] = lw_threat_default();
    threats[i].at = beside(0.3f * (float)i, 0);
  }
  for (int round = 0; round < 3; round++) {
    ask_from_all(&a, threats, THREATS, seen);
    for (int i = 0; i < THREATS; i++) {
      const float single =
          i < MAPS ? fast_from(&s, threats[i].at) : ask_from(&a, LW_ACCURACY_EXACT, threats[i].at);
      assert_float_equal(seen[i], single, 1e-6);
    }
    assert_int_equal(a.asks.fast.count, MAPS);
    for (int i = 0; i < MAPS; i++) assert_true(lwi_equal(a.asks.fast.maps[i]->eye, threats[i].at));
  }
  end(&a, &s);
}

static void the_number_of_maps_is_bounded_and_they_serve_eyes_that_are_asked_about(void **state) {
  static slab_scene s;
  slab_asker a;
  lw_vec3 eyes[3];
  (void)state;
  begin(&a, &s, 2);
  for (int i = 0; i < 3; i++) {
    eyes[i] = lwi_add(here, lwi_vec3((float)i, 0, 0));
    ask_often(&a, eyes[i]);
  }
  assert_true(slab_settle(&a));
  assert_int_equal(a.cache.map_count, 2);
  assert_true(ask_from(&a, LW_ACCURACY_AUTO, eyes[2]) == ask_from(&a, LW_ACCURACY_EXACT, eyes[2]));
  for (int step = 0; step <= LWI_EYE_REST + 1; step++) { /* the second is not asked about any more */
    ask_from(&a, LW_ACCURACY_AUTO, eyes[0]);
    ask_from(&a, LW_ACCURACY_AUTO, eyes[2]);
    assert_true(slab_settle(&a));
  }
  assert_true(ask_from(&a, LW_ACCURACY_AUTO, eyes[2]) != ask_from(&a, LW_ACCURACY_EXACT, eyes[2]));
  assert_true(ask_from(&a, LW_ACCURACY_AUTO, eyes[0]) != ask_from(&a, LW_ACCURACY_EXACT, eyes[0]));
  assert_true(ask_from(&a, LW_ACCURACY_AUTO, eyes[1]) == ask_from(&a, LW_ACCURACY_EXACT, eyes[1]));
  for (int i = 0; i < 500; i++) /* never more than there may be, however many eyes */
    ask_from(&a, i % 2 ? LW_ACCURACY_FAST : LW_ACCURACY_AUTO, lwi_add(here, lwi_vec3((float)i, 2, 0)));
  assert_int_equal(a.cache.map_count, 2);
  assert_int_equal(a.asks.fast.count, 2);
  assert_true(a.memory.bytes < 5 * sizeof(lwi_depth_map));
  end(&a, &s);
}

static void without_maps_every_answer_is_exact(void **state) {
  static slab_scene s;
  slab_asker a;
  (void)state;
  begin(&a, &s, 0);
  ask_often(&a, here);
  assert_true(slab_settle(&a));
  assert_true(ask_from(&a, LW_ACCURACY_FAST, here) == ask_from(&a, LW_ACCURACY_EXACT, here));
  assert_true(ask_from(&a, LW_ACCURACY_AUTO, here) == ask_from(&a, LW_ACCURACY_EXACT, here));
  end(&a, &s);
}

static void the_same_questions_get_the_same_answers(void **state) {
  static slab_scene s;
  lw_random random = lwi_random_make(SEED, 5);
  float first[600] = {0};
  uint64_t hash = 0;
  (void)state;
  slab_random(&s, &random, lwi_vec3(0, 0, 0));
  for (int round = 0; round < 2; round++) {
    slab_asker a;
    lw_random places = lwi_random_make(SEED, 6);
    slab_open(&a, &s, 2);
    for (int step = 0; step < 60; step++) {
      for (int i = 0; i < 10; i++) {
        float answer = 0;
        lw_vec3 eye = lwi_add(here, lwi_vec3((float)(i % 4) + (float)step * 0.01f, 0, 0));
        lw_vec3 to = {slab_between(&places, -10, 10), 1, slab_between(&places, -10, 10)};
        for (int k = 0; k < 20; k++) answer += slab_exposed(&a, LW_ACCURACY_AUTO, eye, walk_from, to, false);
        if (round == 0) first[step * 10 + i] = answer;
        assert_true(first[step * 10 + i] == answer);
      }
      assert_true(slab_settle(&a));
    }
    if (round == 0) hash = lwi_depth_cache_hash(&a.cache, 1);
    assert_true(lwi_depth_cache_hash(&a.cache, 1) == hash);
    assert_true(a.cache.map_count == 2);
    slab_close(&a);
  }
  slab_drop(&s);
}

static void running_out_of_memory_leaks_nothing(void **state) {
  static slab_scene s;
  bool done = false;
  (void)state;
  slab_wall(&s, LW_COVER_HARD);
  for (int left = 0; left < 20 && !done; left++) {
    support_memory counted = {.left = left};
    lw_allocator allocator = support_allocator(&counted);
    slab_asker a = {.of = &s, .memory = lwi_memory_make(&allocator)};
    const lwi_depth_scene drawn = {.sets = s.sets, .count = 1};
    lwi_depth_answer answer;
    lwi_depth_cache_init(&a.cache, 2, &drawn, &a.memory);
    lwi_depth_asks_init(&a.asks, &a.cache, &a.memory);
    done = lwi_depth_ask_about(&a.cache, &a.asks, here, true, LW_ACCURACY_FAST, &answer);
    assert_true(done == (answer.map != NULL));
    for (int i = 0; i < LWI_EYE_BREAK_EVEN && done; i++)
      done = lwi_depth_ask_about(&a.cache, &a.asks, walk_from, true, LW_ACCURACY_AUTO, &answer) && !answer.map;
    done = slab_settle(&a) && done;
    slab_close(&a);
    assert_int_equal(counted.bytes, 0);
  }
  assert_true(done);
  slab_drop(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(auto_is_exact_until_the_step_after_the_eye_was_asked_about_often),
      cmocka_unit_test(fast_does_not_change_what_auto_answers_in_the_same_step),
      cmocka_unit_test(rare_questions_add_up),
      cmocka_unit_test(a_map_serves_its_eye_while_it_moves_less_than_a_quarter_metre),
      cmocka_unit_test(no_map_answers_for_an_eye_behind_a_wall),
      cmocka_unit_test(an_eye_that_has_come_to_rest_takes_its_map_along),
      cmocka_unit_test(an_eye_that_sways_for_long_gets_its_map_drawn_again),
      cmocka_unit_test(an_eye_beside_another_gets_a_map_once_it_was_asked_about_often),
      cmocka_unit_test(an_eye_that_moves_on_keeps_one_map),
      cmocka_unit_test(fast_looks_from_the_very_place_that_is_asked_about),
      cmocka_unit_test(fast_draws_no_map_twice_for_more_threats_than_there_are_maps),
      cmocka_unit_test(the_number_of_maps_is_bounded_and_they_serve_eyes_that_are_asked_about),
      cmocka_unit_test(without_maps_every_answer_is_exact),
      cmocka_unit_test(the_same_questions_get_the_same_answers),
      cmocka_unit_test(running_out_of_memory_leaks_nothing),
  };
  setvbuf(stdout, NULL, _IOLBF, 0);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
