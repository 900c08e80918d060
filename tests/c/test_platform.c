#define _GNU_SOURCE /* sched_setaffinity() */
#include "core/platform.h"

#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

/* --- threads ----------------------------------------------------------------------------------------------------- */

#define ROUNDS 20000

typedef struct counter {
  lwi_mutex mutex;
  lwi_condition changed;
  long count; /* not atomic: the mutex guards it */
  bool turn;
} counter;

static void count_up(void *user) {
  counter *c = user;
  for (int i = 0; i < ROUNDS; i++) {
    lwi_mutex_lock(&c->mutex);
    c->count += 1;
    lwi_mutex_unlock(&c->mutex);
  }
}

static void a_mutex_lets_one_thread_in_at_a_time(void **state) {
  (void)state;
  counter c = {0};
  lwi_thread threads[8];
  assert_true(lwi_mutex_init(&c.mutex));
  for (int i = 0; i < 8; i++) assert_true(lwi_thread_start(&threads[i], count_up, &c));
  for (int i = 0; i < 8; i++) lwi_thread_join(&threads[i]);
  assert_int_equal(c.count, 8 * ROUNDS);
  lwi_mutex_destroy(&c.mutex);
}

static void answer_turns(void *user) {
  counter *c = user;
  lwi_mutex_lock(&c->mutex);
  for (int i = 0; i < 1000; i++) {
    while (!c->turn) lwi_condition_wait(&c->changed, &c->mutex);
    c->turn = false;
    c->count += 1;
    lwi_condition_signal(&c->changed);
  }
  lwi_mutex_unlock(&c->mutex);
}

static void a_condition_wakes_who_waits(void **state) {
  (void)state;
  counter c = {0};
  lwi_thread thread;
  assert_true(lwi_mutex_init(&c.mutex) && lwi_condition_init(&c.changed));
  assert_true(lwi_thread_start(&thread, answer_turns, &c));
  lwi_mutex_lock(&c.mutex);
  for (int i = 0; i < 1000; i++) {
    c.turn = true;
    lwi_condition_signal(&c.changed);
    while (c.turn) lwi_condition_wait(&c.changed, &c.mutex);
    assert_int_equal(c.count, i + 1);
  }
  lwi_mutex_unlock(&c.mutex);
  lwi_thread_join(&thread);
  lwi_condition_destroy(&c.changed);
  lwi_mutex_destroy(&c.mutex);
}

static void there_is_a_processor(void **state) {
  (void)state;
  assert_in_range(lwi_processor_count(), 1, LWI_THREADS_MAX);
}

/* --- time -------------------------------------------------------------------------------------------------------- */

/* In a child, so that this process keeps its processors. */
static void processors_are_those_that_the_process_may_use(void **state) {
  (void)state;
  const pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    cpu_set_t one;
    size_t first = 0;
    sched_getaffinity(0, sizeof one, &one);
    while (!CPU_ISSET(first, &one)) first += 1;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    _exit(sched_setaffinity(0, sizeof one, &one) == 0 ? lwi_processor_count() : 100);
  }
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 1);
}

static void a_clock_goes_on_and_never_back(void **state) {
  (void)state;
  const double begin = lwi_clock();
  double last = begin;
  while (last - begin < 0.02) {
    const double now = lwi_clock();
    assert_true(now >= last);
    last = now;
  }
  nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
  assert_true(lwi_clock() - last > 0.045);
}

/* --- paths ------------------------------------------------------------------------------------------------------- */

static void ordinary_files_are_told_from_the_rest(void **state) {
  (void)state;
  char program[LWI_PATH_SIZE];
  assert_true(lwi_path_of_program(program));
  assert_true(lwi_path_is_file(program));
  assert_false(lwi_path_is_file("/tmp"));
  assert_false(lwi_path_is_file("/dev/null"));
  assert_false(lwi_path_is_file("/no/such"));
}

/* The runtime is linked into this program. */
static void the_program_and_its_library_are_found(void **state) {
  (void)state;
  char program[LWI_PATH_SIZE], library[LWI_PATH_SIZE];
  assert_true(lwi_path_of_program(program));
  assert_true(lwi_path_of_library(library));
  assert_string_equal(program, library);
  assert_non_null(strstr(program, "/test_platform"));
  assert_int_equal(program[0], '/');
}

static void paths_are_resolved(void **state) {
  (void)state;
  char here[LWI_PATH_SIZE], path[LWI_PATH_SIZE] = "unchanged";
  assert_true(lwi_path_resolve(".", here));
  assert_int_equal(here[0], '/');
  assert_true(lwi_path_resolve("/tmp/../tmp/./", path));
  assert_null(strstr(path, ".."));
  assert_false(lwi_path_resolve("/no/such/file", path));
}

static void parts_are_cut_off_up_to_the_root(void **state) {
  (void)state;
  char path[] = "/usr/lib/x";
  assert_true(lwi_path_up(path));
  assert_string_equal(path, "/usr/lib");
  assert_true(lwi_path_up(path));
  assert_string_equal(path, "/usr");
  assert_true(lwi_path_up(path));
  assert_string_equal(path, "");
  assert_false(lwi_path_up(path));
  char name[] = "name";
  assert_false(lwi_path_up(name));
}

static void a_folder_lists_what_is_in_it(void **state) {
  (void)state;
  char folder[] = "/tmp/leeward_platform_XXXXXX", file[64];
  assert_non_null(mkdtemp(folder));
  for (int i = 0; i < 20; i++) {
    snprintf(file, sizeof file, "%s/%d.lua", folder, i);
    fclose(fopen(file, "wb"));
  }
  bool seen[20] = {false};
  lwi_folder *listing = lwi_folder_open(folder);
  assert_non_null(listing);
  for (const char *name; (name = lwi_folder_next(listing));) {
    if (name[0] == '.') continue;
    const int number = atoi(name);
    assert_in_range(number, 0, 19);
    assert_false(seen[number]);
    seen[number] = true;
  }
  lwi_folder_close(listing);
  for (int i = 0; i < 20; i++) {
    assert_true(seen[i]);
    snprintf(file, sizeof file, "%s/%d.lua", folder, i);
    unlink(file);
  }
  rmdir(folder);
  assert_null(lwi_folder_open("/no/such"));
  assert_null(lwi_folder_open("/dev/null"));
  lwi_folder_close(NULL);
}

static void the_environment_is_set(void **state) {
  (void)state;
  assert_true(lwi_environment_set("LEEWARD_TEST_PLATFORM", "one"));
  assert_true(lwi_environment_set("LEEWARD_TEST_PLATFORM", "two"));
  assert_string_equal(getenv("LEEWARD_TEST_PLATFORM"), "two");
}

static void a_file_is_no_terminal(void **state) {
  (void)state;
  FILE *file = tmpfile();
  assert_false(lwi_file_is_terminal(file));
  fclose(file);
}

/* --- loadable libraries ------------------------------------------------------------------------------------------ */

static void library_names_are_put_together(void **state) {
  (void)state;
  char file[LWI_PATH_SIZE], folder[LWI_PATH_SIZE];
  assert_true(lwi_library_file("/usr/lib", "x", file));
  assert_string_equal(file, "/usr/lib/libx.so");
  assert_true(lwi_library_file(NULL, "x", file));
  assert_string_equal(file, "libx.so");
  memset(folder, 'x', sizeof folder);
  folder[sizeof folder - 1] = 0;
  assert_false(lwi_library_file(folder, "x", file));
  assert_string_equal(lwi_library_module_ending(), ".so");
}

static void a_library_that_cannot_be_loaded_says_why(void **state) {
  (void)state;
  const char *reason = NULL;
  assert_null(lwi_library_open("/no/such/libx.so", &reason));
  assert_non_null(strstr(reason, "/no/such/libx.so"));
  char name[] = "/tmp/leeward_library_XXXXXX";
  const int descriptor = mkstemp(name);
  assert_int_equal(write(descriptor, "no library", 10), 10);
  close(descriptor);
  assert_null(lwi_library_open(name, &reason));
  assert_non_null(reason);
  unlink(name);
  lwi_library_close(NULL);
}

static void a_librarys_functions_are_found_by_name(void **state) {
  (void)state;
  const char *reason;
  void *library = lwi_library_open("libm.so.6", &reason);
  if (!library) skip();
  double (*root)(double) = (double (*)(double))lwi_library_find(library, "sqrt");
  assert_non_null(root);
  assert_true(root(9) == 3);
  assert_null(lwi_library_find(library, "no_such_function"));
  void *again = lwi_library_open("libm.so.6", &reason);
  assert_ptr_equal(again, library);
  lwi_library_close(library);
  assert_true(root(16) == 4); /* opened twice: still there */
  lwi_library_close(again);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_mutex_lets_one_thread_in_at_a_time),
      cmocka_unit_test(a_condition_wakes_who_waits),
      cmocka_unit_test(there_is_a_processor),
      cmocka_unit_test(processors_are_those_that_the_process_may_use),
      cmocka_unit_test(a_clock_goes_on_and_never_back),
      cmocka_unit_test(ordinary_files_are_told_from_the_rest),
      cmocka_unit_test(the_program_and_its_library_are_found),
      cmocka_unit_test(paths_are_resolved),
      cmocka_unit_test(parts_are_cut_off_up_to_the_root),
      cmocka_unit_test(a_folder_lists_what_is_in_it),
      cmocka_unit_test(the_environment_is_set),
      cmocka_unit_test(a_file_is_no_terminal),
      cmocka_unit_test(library_names_are_put_together),
      cmocka_unit_test(a_library_that_cannot_be_loaded_says_why),
      cmocka_unit_test(a_librarys_functions_are_found_by_name),
  };
  return cmocka_run_group_tests_name("platform", tests, NULL, NULL);
}
