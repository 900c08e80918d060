#include "allocator.h"

#include "core/file.h"
#include "file_faults.h"
#include "temp_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[64];

static const char *in_folder(const char *name) {
  static char paths[2][512];
  static int next;
  char *path = paths[next++ % 2];
  snprintf(path, sizeof *paths, "%s/%s", folder, name);
  return path;
}

static void assert_holds(const char *name, const void *data, size_t size) {
  lwi_memory memory = lwi_memory_make(NULL);
  unsigned char *read;
  size_t length;
  lw_error error;
  if (lwi_file_read(name, &memory, &read, &length, &error) != LW_OK) fail_msg("%s", error.text);
  assert_int_equal(length, size);
  if (size > 0) assert_memory_equal(read, data, size);
  lwi_free(&memory, read, length);
  assert_int_equal(memory.bytes, 0);
}

/* No temporary file is left behind. */
static void assert_folder_has(int entries) {
  DIR *listing = opendir(folder);
  int count = 0;
  assert_non_null(listing);
  for (const struct dirent *entry; (entry = readdir(listing));) count += entry->d_name[0] != '.';
  closedir(listing);
  assert_int_equal(count, entries);
}

static int make_folder(void **state) {
  (void)state;
  strcpy(folder, "/tmp/leeward_file_XXXXXX");
  return mkdtemp(folder) ? 0 : -1;
}

static int drop_folder(void **state) {
  (void)state;
  return rmdir(folder);
}

/* --- reading ----------------------------------------------------------------------------------------------------- */

static void refuses_to_read(const char *name, const char *reason) {
  lwi_memory memory = lwi_memory_make(NULL);
  unsigned char *data = (unsigned char *)folder;
  size_t size = 99;
  lw_error error;
  char expected[256];
  snprintf(expected, sizeof expected, "cannot read '%s': %s", name, reason);
  assert_int_equal(lwi_file_read(name, &memory, &data, &size, &error), LW_FILE);
  assert_string_equal(error.text, expected);
  assert_int_equal(error.status, LW_FILE);
  assert_null(data);
  assert_int_equal(size, 0);
  assert_int_equal(memory.bytes, 0);
}

static void what_is_no_ordinary_file_is_not_read(void **state) {
  (void)state;
  refuses_to_read("/no/such/file", "No such file or directory");
  refuses_to_read(folder, "it is a directory");
  refuses_to_read("/dev/zero", "it is not an ordinary file");
  refuses_to_read("", "No such file or directory");
}

static void a_pipe_without_a_writer_does_not_hang(void **state) {
  (void)state;
  const char *pipe = in_folder("pipe");
  assert_int_equal(mkfifo(pipe, 0600), 0);
  alarm(10); /* rather than for ever */
  refuses_to_read(pipe, "it is not an ordinary file");
  alarm(0);
  assert_int_equal(unlink(pipe), 0);
}

static void files_of_every_size_are_read_whole(void **state) {
  (void)state;
  static const size_t sizes[] = {0, 1, 4095, 4096, 4097, 100000};
  const char *name = in_folder("sizes");
  char *data = malloc(100000);
  for (size_t i = 0; i < 100000; i++) data[i] = (char)(i * 7 + i / 251);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    file_write(name, data, sizes[i]);
    assert_holds(name, data, sizes[i]);
  }
  free(data);
  unlink(name);
}

static void an_empty_file_is_no_memory(void **state) {
  (void)state;
  const char *name = in_folder("empty");
  support_memory held = {.left = 0};
  const lw_allocator allocator = support_allocator(&held);
  lwi_memory memory = lwi_memory_make(&allocator);
  unsigned char *data;
  size_t size;
  file_write(name, "", 0);
  assert_int_equal(lwi_file_read(name, &memory, &data, &size, NULL), LW_OK);
  assert_null(data);
  assert_int_equal(size, 0);
  unlink(name);
}

/* The system says 0 of these, and they hold lines. */
static void a_file_that_is_larger_than_stated_is_read_whole(void **state) {
  (void)state;
  const char *name = "/proc/self/mountinfo";
  struct stat about;
  if (stat(name, &about) != 0 || about.st_size != 0) skip();
  support_memory held = {.left = -1};
  const lw_allocator allocator = support_allocator(&held);
  lwi_memory memory = lwi_memory_make(&allocator);
  unsigned char *data;
  size_t size;
  assert_int_equal(lwi_file_read(name, &memory, &data, &size, NULL), LW_OK);
  assert_true(size > 0 && data[size - 1] == '\n');
  assert_int_equal(held.bytes, size); /* what is freed is what was counted */
  lwi_free(&memory, data, size);
  assert_int_equal(held.bytes, 0);
}

static void a_file_above_the_limit_is_refused_before_it_is_read(void **state) {
  (void)state;
  const char *name = in_folder("limit");
  lwi_memory memory = lwi_memory_make(NULL);
  unsigned char *data;
  size_t size;
  const char *reason;
  file_write(name, "12345678", 8);
  assert_int_equal(lwi_file_read_up_to(name, 7, &memory, &data, &size, &reason), LW_LIMIT);
  assert_null(data);
  assert_null(reason);
  assert_int_equal(lwi_file_read_up_to(name, 8, &memory, &data, &size, &reason), LW_OK);
  assert_int_equal(size, 8);
  lwi_free(&memory, data, size);
  /* This one states 0. */
  assert_int_equal(lwi_file_read_up_to("/proc/self/status", 100, &memory, &data, &size, &reason), LW_LIMIT);
  assert_int_equal(lwi_file_read_up_to("/no/such", 7, &memory, &data, &size, &reason), LW_FILE);
  assert_string_equal(reason, "No such file or directory");
  assert_int_equal(memory.bytes, 0);
  unlink(name);
}

static void whichever_allocation_is_refused_nothing_leaks(void **state) {
  (void)state;
  const char *const names[] = {in_folder("memory"), "/proc/self/status"};
  file_write(names[0], "some bytes", 10);
  for (int i = 0; i < 2; i++) {
    lw_status status = LW_OUT_OF_MEMORY;
    for (int left = 0; status != LW_OK; left++) {
      support_memory held = {.left = left};
      const lw_allocator allocator = support_allocator(&held);
      lwi_memory memory = lwi_memory_make(&allocator);
      unsigned char *data;
      size_t size;
      lw_error error;
      status = lwi_file_read(names[i], &memory, &data, &size, &error);
      if (status == LW_OK)
        lwi_free(&memory, data, size);
      else
        assert_string_equal(error.text, "out of memory");
      assert_int_equal(held.bytes, 0);
      assert_true(left < 10);
    }
  }
  unlink(names[0]);
}

/* --- writing ----------------------------------------------------------------------------------------------------- */

static lw_status write_parts(const char *name, const char *part, int times, lw_error *error) {
  lwi_writer writer;
  lwi_writer_open(&writer, name);
  for (int i = 0; i < times; i++) lwi_writer_put(&writer, part, strlen(part));
  return lwi_writer_close(&writer, error);
}

static void refuses_to_write(const char *name, const char *reason) {
  lw_error error;
  char expected[256];
  snprintf(expected, sizeof expected, "cannot write '%s': %s", name, reason);
  assert_int_equal(write_parts(name, "new", 1, &error), LW_FILE);
  assert_string_equal(error.text, expected);
  assert_int_equal(write_parts(name, "new", 1, NULL), LW_FILE);
}

static void a_new_file_and_a_replaced_one_hold_what_was_put(void **state) {
  (void)state;
  const char *name = in_folder("written");
  assert_int_equal(write_parts(name, "old ", 2, NULL), LW_OK);
  assert_holds(name, "old old ", 8);
  assert_int_equal(write_parts(name, "new", 1, NULL), LW_OK);
  assert_holds(name, "new", 3);
  assert_int_equal(write_parts(name, "", 1, NULL), LW_OK);
  assert_holds(name, "", 0);
  assert_folder_has(1);
  unlink(name);
}

static void the_old_file_is_there_until_the_new_one_is_whole(void **state) {
  (void)state;
  const char *name = in_folder("whole");
  lwi_writer writer;
  assert_int_equal(write_parts(name, "old", 1, NULL), LW_OK);
  lwi_writer_open(&writer, name);
  assert_true(lwi_writer_put(&writer, "ne", 2));
  assert_holds(name, "old", 3);
  assert_true(lwi_writer_put(&writer, "w", 1));
  assert_folder_has(2);
  assert_int_equal(lwi_writer_close(&writer, NULL), LW_OK);
  assert_holds(name, "new", 3);
  lwi_writer_open(&writer, name);
  assert_true(lwi_writer_put(&writer, "newer", 5));
  lwi_writer_cancel(&writer);
  assert_holds(name, "new", 3);
  assert_folder_has(1);
  unlink(name);
}

static void two_that_write_one_file_do_not_mix(void **state) {
  (void)state;
  const char *name = in_folder("both");
  lwi_writer a, b;
  lwi_writer_open(&a, name), lwi_writer_open(&b, name);
  assert_string_not_equal(a.to.temporary, b.to.temporary);
  for (int i = 0; i < 3; i++) lwi_writer_put(&a, "a", 1), lwi_writer_put(&b, "bb", 2);
  assert_int_equal(lwi_writer_close(&a, NULL), LW_OK);
  assert_holds(name, "aaa", 3);
  assert_int_equal(lwi_writer_close(&b, NULL), LW_OK);
  assert_holds(name, "bbbbbb", 6);
  assert_folder_has(1);
  unlink(name);
}

static void a_file_that_cannot_be_created_is_said(void **state) {
  (void)state;
  char name[LWI_PATH_SIZE + 16];
  refuses_to_write("/no/such/folder/x", "its folder does not exist");
  memset(name, 'x', sizeof name);
  memcpy(name, "/tmp/", 5);
  name[sizeof name - 1] = 0;
  lw_error error;
  assert_int_equal(write_parts(name, "new", 1, &error), LW_FILE); /* too long */
  lwi_writer writer;
  lwi_writer_open(&writer, "/no/such/folder/x");
  lwi_writer_cancel(&writer);
}

static void a_folder_that_is_read_only_is_said(void **state) {
  (void)state;
  const char *inside = in_folder("closed");
  char name[160];
  assert_int_equal(mkdir(inside, 0500), 0);
  snprintf(name, sizeof name, "%s/x", inside);
  if (geteuid() == 0)
    print_message("note: root writes to read-only folders: /proc stands for one\n");
  else
    refuses_to_write(name, "Permission denied");
  lw_error error;
  assert_int_equal(write_parts("/proc/x", "new", 1, &error), LW_FILE);
  assert_int_equal(rmdir(inside), 0);
}

static void devices_and_folders_are_not_replaced(void **state) {
  (void)state;
  struct stat about;
  const char *inside = in_folder("directory");
  assert_int_equal(mkdir(inside, 0700), 0);
  refuses_to_write(inside, "it is a directory");
  refuses_to_write("/dev/full", "it is not an ordinary file");
  assert_true(stat("/dev/full", &about) == 0 && S_ISCHR(about.st_mode));
  assert_folder_has(1);
  assert_int_equal(rmdir(inside), 0);
}

/* A directory that appears while the file is written: only the last step fails. */
static void a_rename_that_fails_leaves_no_temporary_file(void **state) {
  (void)state;
  const char *name = in_folder("late");
  lwi_writer writer;
  lw_error error;
  lwi_writer_open(&writer, name);
  assert_true(lwi_writer_put(&writer, "new", 3));
  assert_int_equal(mkdir(name, 0700), 0);
  assert_int_equal(lwi_writer_close(&writer, &error), LW_FILE);
  assert_non_null(strstr(error.text, "Is a directory"));
  assert_folder_has(1);
  assert_int_equal(rmdir(name), 0);
}

/* A limit of the process stands for a device that is full after so many bytes. */
static void a_full_device_leaves_the_old_file(void **state) {
  (void)state;
  static const rlim_t limits[] = {0, 1, 4096, 20000, 50000};
  const char *name = in_folder("full");
  struct rlimit old, low;
  lw_error error;
  assert_int_equal(write_parts(name, "old", 1, NULL), LW_OK);
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
  for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
    low = (struct rlimit){limits[i], old.rlim_max};
    setrlimit(RLIMIT_FSIZE, &low);
    const lw_status status = write_parts(name, "ten bytes.", 6000, &error);
    setrlimit(RLIMIT_FSIZE, &old);
    assert_int_equal(status, LW_FILE);
    assert_non_null(strstr(error.text, "': File too large"));
    assert_holds(name, "old", 3);
    assert_folder_has(1);
  }
  unlink(name);
}

/* Each operation in turn, alone or with all that follow. */
static void whichever_operation_fails_the_old_file_stays_and_says_why(void **state) {
  (void)state;
  const char *name = in_folder("each");
  lw_error error;
  assert_int_equal(write_parts(name, "old", 1, NULL), LW_OK);
  int failed = 0;
  for (int full = 0; full < 2; full++)
    for (int n = 0;; n++, failed++) {
      support_faults = (file_faults){.left = n, .why = "Input/output error", .full = full};
      const lw_status status = write_parts(name, "newer ", 2, &error);
      const bool reached = support_faults.failed > 0;
      support_faults = (file_faults){.left = -1};
      assert_folder_has(1);
      if (!reached) {
        assert_int_equal(status, LW_OK);
        assert_int_equal(n, 6); /* create, twice put, sync, close, replace */
        assert_holds(name, "newer newer ", 12);
        assert_int_equal(write_parts(name, "old", 1, NULL), LW_OK);
        break;
      }
      assert_int_equal(status, LW_FILE);
      assert_non_null(strstr(error.text, "each': Input/output error"));
      assert_holds(name, "old", 3);
    }
  printf("note: %d operations failed\n", failed);
  unlink(name);
}

static void whichever_operation_fails_what_is_read_is_nothing(void **state) {
  (void)state;
  const char *name = in_folder("each");
  file_write(name, "bytes", 5);
  lw_status status = LW_FILE;
  for (int n = 0; status != LW_OK; n++) {
    support_memory held = {.left = -1};
    const lw_allocator allocator = support_allocator(&held);
    lwi_memory memory = lwi_memory_make(&allocator);
    unsigned char *data;
    size_t size;
    lw_error error;
    support_faults = (file_faults){.left = n, .why = "Input/output error"};
    status = lwi_file_read(name, &memory, &data, &size, &error);
    support_faults = (file_faults){.left = -1};
    if (status == LW_OK) {
      assert_true(n > 2);
      lwi_free(&memory, data, size);
    } else {
      assert_non_null(strstr(error.text, "each': Input/output error"));
      assert_null(data);
      assert_int_equal(size, 0);
    }
    assert_int_equal(held.bytes, 0);
  }
  unlink(name);
}

/* --- links and permissions ------------------------------------------------------------------------------------ */

static void assert_link(const char *name, const char *target) {
  char held[128];
  const ssize_t length = readlink(name, held, sizeof held - 1);
  assert_true(length > 0);
  held[length] = 0;
  assert_string_equal(held, target);
}

static void a_link_stays_and_what_it_leads_to_is_written(void **state) {
  (void)state;
  char inside[128], file[192], link[192], second[192];
  snprintf(inside, sizeof inside, "%s/inside", folder);
  snprintf(file, sizeof file, "%s/file", inside);
  snprintf(link, sizeof link, "%s/link", folder);
  snprintf(second, sizeof second, "%s/second", inside);
  assert_int_equal(mkdir(inside, 0700), 0);
  assert_int_equal(symlink("inside/second", link), 0); /* relative to the link's folder */
  assert_int_equal(symlink("file", second), 0);
  for (int round = 0; round < 2; round++) { /* first it leads nowhere */
    assert_int_equal(write_parts(link, round ? "new" : "old", 1, NULL), LW_OK);
    assert_link(link, "inside/second");
    assert_link(second, "file");
    assert_holds(file, round ? "new" : "old", 3);
  }
  unlink(second);
  assert_int_equal(symlink(file, second), 0); /* from the root */
  assert_int_equal(write_parts(link, "newer", 1, NULL), LW_OK);
  assert_holds(file, "newer", 5);
  assert_folder_has(2);
  unlink(file), unlink(second), unlink(link);
  assert_int_equal(rmdir(inside), 0);
}

static void links_that_lead_to_no_file_are_refused(void **state) {
  (void)state;
  const char *link = in_folder("link");
  assert_int_equal(symlink("link", link), 0);
  refuses_to_write(link, "Too many levels of symbolic links");
  unlink(link);
  assert_int_equal(symlink("/dev/full", link), 0);
  refuses_to_write(link, "it is not an ordinary file");
  unlink(link);
  assert_int_equal(symlink(folder, link), 0);
  refuses_to_write(link, "it is a directory");
  unlink(link);
  assert_int_equal(symlink("/no/such/folder/x", link), 0);
  refuses_to_write(link, "it is a link into a folder that does not exist");
  unlink(link);
  assert_int_equal(mkfifo(link, 0600), 0);
  alarm(10);
  refuses_to_write(link, "it is not an ordinary file");
  alarm(0);
  unlink(link);
  assert_folder_has(0);
}

/* As `> >(program)` gives one: it links to a pipe that has no name. */
static void links_to_open_pipes_are_refused_as_pipes(void **state) {
  (void)state;
  int ends[2];
  char link[64];
  assert_int_equal(pipe(ends), 0);
  snprintf(link, sizeof link, "/proc/self/fd/%d", ends[1]);
  refuses_to_write(link, "it is not an ordinary file");
  close(ends[0]), close(ends[1]);
}

static void names_as_long_as_the_system_has_them_can_be_written(void **state) {
  (void)state;
  enum { LONGEST = 255 };
  char name[LONGEST + 1] = {0};
  memset(name, 'n', LONGEST);
  const char *file = in_folder(name);
  assert_int_equal(write_parts(file, "whole", 1, NULL), LW_OK);
  assert_holds(file, "whole", 5);
  unlink(file);
  assert_folder_has(0);
}

static void a_replaced_file_keeps_its_permissions(void **state) {
  (void)state;
  static const mode_t modes[] = {0600, 0640, 0666, 0755};
  const char *name = in_folder("mode");
  struct stat about;
  const mode_t mask = umask(027);
  assert_int_equal(write_parts(name, "old", 1, NULL), LW_OK);
  assert_int_equal(stat(name, &about), 0);
  assert_int_equal(about.st_mode & 07777, 0640);
  for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
    assert_int_equal(chmod(name, modes[i]), 0);
    assert_int_equal(write_parts(name, "new", 1, NULL), LW_OK);
    assert_int_equal(stat(name, &about), 0);
    assert_int_equal(about.st_mode & 07777, modes[i]);
  }
  umask(mask);
  assert_int_equal(chmod(name, 0400), 0);
  if (geteuid() != 0) refuses_to_write(name, "Permission denied");
  unlink(name);
}

/* Bytes that only the device refuses: what was buffered fails when it is flushed. */
static void bytes_that_never_reach_the_device_are_a_failure(void **state) {
  (void)state;
  const char *name = in_folder("sync");
  lw_error error;
  assert_int_equal(write_parts(name, "old", 1, NULL), LW_OK);
  assert_holds(name, "old", 3);
  lwi_writer writer = {.name = "x", .to.file = fopen("/dev/full", "wb")};
  strcpy(writer.to.temporary, in_folder("none"));
  assert_non_null(writer.to.file);
  assert_true(lwi_writer_put(&writer, "new", 3));
  assert_int_equal(lwi_writer_close(&writer, &error), LW_FILE);
  assert_string_equal(error.text, "cannot write 'x': No space left on device");
  assert_folder_has(1);
  unlink(name);
}

/* What an earlier process of the same number left behind. */
static void a_name_that_is_taken_is_left_alone(void **state) {
  (void)state;
  const char *name = in_folder("taken");
  lwi_writer writer;
  char taken[LWI_PATH_SIZE];
  lwi_writer_open(&writer, name);
  strcpy(taken, writer.to.temporary);
  lwi_writer_cancel(&writer);
  file_write(taken, "theirs", 6);
  assert_int_equal(write_parts(name, "new", 1, NULL), LW_OK);
  assert_holds(name, "new", 3);
  assert_holds(taken, "theirs", 6);
  assert_folder_has(2);
  unlink(name), unlink(taken);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_no_ordinary_file_is_not_read),
      cmocka_unit_test(a_pipe_without_a_writer_does_not_hang),
      cmocka_unit_test(files_of_every_size_are_read_whole),
      cmocka_unit_test(an_empty_file_is_no_memory),
      cmocka_unit_test(a_file_that_is_larger_than_stated_is_read_whole),
      cmocka_unit_test(a_file_above_the_limit_is_refused_before_it_is_read),
      cmocka_unit_test(whichever_allocation_is_refused_nothing_leaks),
      cmocka_unit_test(a_new_file_and_a_replaced_one_hold_what_was_put),
      cmocka_unit_test(the_old_file_is_there_until_the_new_one_is_whole),
      cmocka_unit_test(two_that_write_one_file_do_not_mix),
      cmocka_unit_test(a_file_that_cannot_be_created_is_said),
      cmocka_unit_test(a_folder_that_is_read_only_is_said),
      cmocka_unit_test(devices_and_folders_are_not_replaced),
      cmocka_unit_test(a_rename_that_fails_leaves_no_temporary_file),
      cmocka_unit_test(a_full_device_leaves_the_old_file),
      cmocka_unit_test(whichever_operation_fails_the_old_file_stays_and_says_why),
      cmocka_unit_test(whichever_operation_fails_what_is_read_is_nothing),
      cmocka_unit_test(a_link_stays_and_what_it_leads_to_is_written),
      cmocka_unit_test(links_that_lead_to_no_file_are_refused),
      cmocka_unit_test(links_to_open_pipes_are_refused_as_pipes),
      cmocka_unit_test(names_as_long_as_the_system_has_them_can_be_written),
      cmocka_unit_test(a_replaced_file_keeps_its_permissions),
      cmocka_unit_test(bytes_that_never_reach_the_device_are_a_failure),
      cmocka_unit_test(a_name_that_is_taken_is_left_alone),
  };
  return cmocka_run_group_tests_name("file", tests, make_folder, drop_folder);
}
