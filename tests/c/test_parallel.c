#include "allocator.h"

#include "core/parallel.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define PIECES 500

/* The linker puts this in the place of the real one (see the Makefile). */
bool __real_lwi_thread_start(lwi_thread *thread, void (*run)(void *user), void *user);
bool __wrap_lwi_thread_start(lwi_thread *thread, void (*run)(void *user), void *user);

static int threads_left = -1; /* < 0: no limit */
static int threads_started;

bool __wrap_lwi_thread_start(lwi_thread *thread, void (*run)(void *user), void *user) {
  if (threads_left == 0) return false;
  if (threads_left > 0) threads_left -= 1;
  threads_started += 1;
  return __real_lwi_thread_start(thread, run, user);
}

typedef struct job {
  lwi_mutex mutex;
  pthread_t caller;
  int begun, finished, reported;
  int times[PIECES]; /* that a piece was worked on */
  int fail_at;       /* this piece fails; < 0: none */
  int stop_at;       /* `done` stops at this count; 0: never */
  bool out_of_order, wrong_thread, wrong_count;
} job;

static bool work(void *user, int piece) {
  job *j = user;
  lwi_mutex_lock(&j->mutex);
  j->out_of_order |= piece != j->begun && j->fail_at < 0 && threads_started == 0;
  j->begun += 1;
  j->times[piece] += 1;
  lwi_mutex_unlock(&j->mutex);
  volatile unsigned sum = 0;
  for (int i = 0; i < 1000 * (piece % 7); i++) sum = sum + (unsigned)i; /* pieces take unlike times */
  lwi_mutex_lock(&j->mutex);
  j->finished += 1;
  lwi_mutex_unlock(&j->mutex);
  return piece != j->fail_at;
}

static bool done(void *user, int count) {
  job *j = user;
  j->wrong_thread |= !pthread_equal(pthread_self(), j->caller);
  lwi_mutex_lock(&j->mutex);
  j->wrong_count |= count != j->reported + 1 || count > j->finished;
  lwi_mutex_unlock(&j->mutex);
  j->reported = count;
  return count != j->stop_at;
}

static bool run(job *j, int count, int threads) {
  const lwi_parallel parallel = {.count = count, .threads = threads, .work = work, .done = done, .user = j};
  assert_true(lwi_mutex_init(&j->mutex));
  j->caller = pthread_self();
  threads_started = 0;
  const bool all = lwi_parallel_run(&parallel);
  lwi_mutex_destroy(&j->mutex);
  assert_false(j->out_of_order || j->wrong_thread || j->wrong_count);
  assert_int_equal(j->begun, j->finished);
  for (int i = 0; i < PIECES; i++) assert_int_equal(j->times[i], i < j->begun); /* the first ones, once each */
  return all;
}

static void every_piece_is_done_once_and_reported_once(void **state) {
  (void)state;
  static const int threads[] = {1, 2, 3, 8, 64, LWI_THREADS_MAX};
  for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
    job j = {.fail_at = -1};
    assert_true(run(&j, PIECES, threads[i]));
    assert_int_equal(j.begun, PIECES);
    assert_int_equal(j.reported, PIECES);
    assert_int_equal(threads_started, threads[i] - 1);
  }
}

static void there_are_never_more_threads_than_pieces_or_than_the_limit(void **state) {
  (void)state;
  static const struct {
    int count, threads, started;
  } cases[] = {
      {0, 8, 0}, {1, 8, 0}, {3, 8, 2}, {PIECES, 0, 0}, {PIECES, LWI_THREADS_MAX + 50, LWI_THREADS_MAX - 1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    job j = {.fail_at = -1};
    assert_true(run(&j, cases[i].count, cases[i].threads));
    assert_int_equal(j.reported, cases[i].count);
    assert_int_equal(threads_started, cases[i].started);
  }
}

static void a_piece_that_fails_stops_the_rest(void **state) {
  (void)state;
  for (int threads = 1; threads <= 8; threads++)
    for (int fail_at = 0; fail_at < PIECES; fail_at += 83) {
      job j = {.fail_at = fail_at};
      assert_false(run(&j, PIECES, threads));
      assert_true(j.begun > fail_at);
      if (threads == 1) {
        assert_int_equal(j.begun, fail_at + 1);
        assert_int_equal(j.reported, fail_at);
      }
    }
  job last = {.fail_at = PIECES - 1};
  assert_false(run(&last, PIECES, 4));
}

static void a_report_that_says_no_stops_the_rest(void **state) {
  (void)state;
  for (int threads = 1; threads <= 8; threads++)
    for (int stop_at = 1; stop_at <= PIECES; stop_at += 83) {
      job j = {.fail_at = -1, .stop_at = stop_at};
      assert_false(run(&j, PIECES, threads));
      assert_int_equal(j.reported, stop_at); /* and is asked no more */
      if (threads == 1) assert_int_equal(j.begun, stop_at);
    }
}

/* Each piece notes how many have begun before it: all that precede it, but for one that each other thread has taken and
   not begun yet. */
typedef struct tickets {
  atomic_int next;
  int taken[PIECES];
} tickets;

static bool take_ticket(void *user, int piece) {
  tickets *t = user;
  t->taken[piece] = atomic_fetch_add(&t->next, 1);
  return true;
}

static void pieces_begin_in_order(void **state) {
  (void)state;
  for (int threads = 1; threads <= 4; threads++) {
    tickets t = {0};
    const lwi_parallel parallel = {.count = PIECES, .threads = threads, .work = take_ticket, .user = &t};
    assert_true(lwi_parallel_run(&parallel));
    for (int i = 0; i < PIECES; i++) assert_true(t.taken[i] >= i - (threads - 1));
    for (int i = 0; i < PIECES && threads == 1; i++) assert_int_equal(t.taken[i], i);
  }
}

/* Pieces that wait for each other: they do run at the same time. */
typedef struct meeting {
  lwi_mutex mutex;
  lwi_condition changed;
  int present;
} meeting;

static bool meet(void *user, int piece) {
  meeting *m = user;
  (void)piece;
  lwi_mutex_lock(&m->mutex);
  m->present += 1;
  while (m->present < 3) lwi_condition_wait(&m->changed, &m->mutex);
  lwi_condition_signal(&m->changed);
  lwi_mutex_unlock(&m->mutex);
  return true;
}

static void pieces_run_at_the_same_time(void **state) {
  (void)state;
  meeting m = {0};
  assert_true(lwi_mutex_init(&m.mutex) && lwi_condition_init(&m.changed));
  assert_true(lwi_parallel_run(&(lwi_parallel){.count = 3, .threads = 3, .work = meet, .user = &m}));
  assert_int_equal(m.present, 3);
  lwi_condition_destroy(&m.changed);
  lwi_mutex_destroy(&m.mutex);
}

static void fewer_threads_than_asked_for_do_all_the_work(void **state) {
  (void)state;
  for (int left = 0; left < 4; left++) {
    job j = {.fail_at = -1};
    threads_left = left;
    const bool all = run(&j, PIECES, 8);
    threads_left = -1;
    assert_true(all);
    assert_int_equal(threads_started, left);
    assert_int_equal(j.reported, PIECES);
  }
}

static bool churn(void *user, int piece) {
  lwi_memory memory = *(const lwi_memory *)user;
  int *items = NULL, capacity = 0;
  bool good = true;
  for (int i = 0; i < 100 && good; i++) {
    good = lwi_reserve(&memory, &items, &capacity, i + 1, sizeof *items);
    if (good) items[i] = piece;
  }
  for (int i = 0; i < 100 && good; i++) good = items[i] == piece;
  lwi_free(&memory, items, (size_t)capacity * sizeof *items);
  return good && memory.bytes == 0;
}

/* The allocator below counts without a lock of its own. */
static void a_guard_lets_threads_share_an_allocator(void **state) {
  (void)state;
  support_memory held = {.left = -1};
  const lw_allocator allocator = support_allocator(&held);
  lwi_memory_guard guard;
  lwi_memory memory;
  assert_true(lwi_memory_guard_open(&guard, &allocator, &memory));
  assert_true(lwi_parallel_run(&(lwi_parallel){.count = PIECES, .threads = 8, .work = churn, .user = &memory}));
  lwi_memory_guard_close(&guard);
  assert_int_equal(held.calls, PIECES * 6); /* 16, 24, 36, 54, 81, 121 items */
  assert_int_equal(held.bytes, 0);
  assert_int_equal(held.blocks, 0);
}

static void a_guard_passes_refusals_on(void **state) {
  (void)state;
  support_memory held = {.left = 20};
  const lw_allocator allocator = support_allocator(&held);
  lwi_memory_guard guard;
  lwi_memory memory;
  assert_true(lwi_memory_guard_open(&guard, &allocator, &memory));
  assert_false(
      lwi_parallel_run(&(lwi_parallel){.count = PIECES, .threads = 4, .work = churn, .user = &memory}));
  lwi_memory_guard_close(&guard);
  assert_int_equal(held.bytes, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_piece_is_done_once_and_reported_once),
      cmocka_unit_test(there_are_never_more_threads_than_pieces_or_than_the_limit),
      cmocka_unit_test(a_piece_that_fails_stops_the_rest),
      cmocka_unit_test(a_report_that_says_no_stops_the_rest),
      cmocka_unit_test(pieces_begin_in_order),
      cmocka_unit_test(pieces_run_at_the_same_time),
      cmocka_unit_test(fewer_threads_than_asked_for_do_all_the_work),
      cmocka_unit_test(a_guard_lets_threads_share_an_allocator),
      cmocka_unit_test(a_guard_passes_refusals_on),
  };
  return cmocka_run_group_tests_name("parallel", tests, NULL, NULL);
}
