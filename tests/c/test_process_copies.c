/* Copies of the process, and folders: what platform.h says of them. */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "core/platform.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define COPIES 5

/* What copies write, in memory that they share with the test, and what they have of their own. */
typedef struct board {
  long ids[COPIES];
  int seen[COPIES];
} board;

typedef struct job {
  board *board;
  int value;
} job;

static void note(void *user, int number) {
  job *own = user;
  own->value += number;
  own->board->ids[number] = getpid();
  own->board->seen[number] = own->value;
}

static void each_copy_has_its_own_memory(void **state) {
  (void)state;
  board *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  assert_true(shared != MAP_FAILED);
  memset(shared, 0, sizeof *shared);
  job own = {shared, 100};
  bool done[COPIES] = {false};
  assert_null(lwi_process_copies(COPIES, note, &own, done));
  assert_int_equal(own.value, 100);
  for (int i = 0; i < COPIES; ++i) {
    assert_true(done[i]);
    assert_int_equal(shared->seen[i], 100 + i);
    assert_true(shared->ids[i] != getpid());
    for (int k = 0; k < i; ++k) assert_true(shared->ids[i] != shared->ids[k]);
  }
  munmap(shared, sizeof *shared);
}

static void end(void *user, int number) {
  (void)user;
  if (number == 1) raise(SIGKILL);
  if (number == 2) lwi_process_exit(3);
}

static void tells_which_copies_did_their_work(void **state) {
  (void)state;
  bool done[4] = {false};
  assert_null(lwi_process_copies(4, end, NULL, done));
  assert_true(done[0] && !done[1] && !done[2] && done[3]);
}

static void creates_folders(void **state) {
  (void)state;
  char folder[] = "/tmp/leeward_folder_XXXXXX", inner[64], file[64];
  assert_non_null(mkdtemp(folder));
  snprintf(inner, sizeof inner, "%s/inner", folder);
  snprintf(file, sizeof file, "%s/file", folder);
  assert_null(lwi_folder_create(inner));
  assert_null(lwi_folder_create(inner)); /* it is there */
  struct stat there;
  assert_int_equal(stat(inner, &there), 0);
  assert_true(S_ISDIR(there.st_mode));
  FILE *made = fopen(file, "w");
  assert_non_null(made);
  fclose(made);
  assert_string_equal(lwi_folder_create(file), "File exists");
  assert_string_equal(lwi_folder_create("/tmp/leeward_no_folder_at_all/inner"), "No such file or directory");
  unlink(file);
  rmdir(inner);
  rmdir(folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_copy_has_its_own_memory),
      cmocka_unit_test(tells_which_copies_did_their_work),
      cmocka_unit_test(creates_folders),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
