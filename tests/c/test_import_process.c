/* The process that reads level files: however it ends and whatever the caller does with signals and descriptors, the
   caller gets an answer and keeps nothing. Stand-ins for leeward_import are shell scripts beside a copy of the
   library. */
#include "leeward/geometry.h"

#include "core/platform.h"
#include "core/status.h"
#include "geometry/import_run.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static lw_area_table *areas;
static char folder[] = "/tmp/leeward_process_XXXXXX";
static char level[256], helper[256];
static lwi_plugin_handle real, copy; /* libleeward_bake.so; its copy in `folder` */
static lw_error error;

static void copy_file(const char *from, const char *to) {
  char bytes[65536];
  FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
  assert_non_null(in);
  assert_non_null(out);
  for (size_t got; (got = fread(bytes, 1, sizeof bytes, in)) > 0;)
    assert_int_equal(fwrite(bytes, 1, got, out), got);
  fclose(in);
  assert_int_equal(fclose(out), 0);
}

static void open_copy(void) {
  char from[LWI_PATH_SIZE], to[256];
  const char *reason;
  assert_true(lwi_path_of_function((lwi_library_function)real.plugin->read_scene, from));
  snprintf(to, sizeof to, "%s/libleeward_bake.so", folder);
  copy_file(from, to);
  copy.library = lwi_library_open(to, &reason);
  if (!copy.library) fail_msg("%s", reason);
  typedef const lwi_plugin *(*getter)(void);
  copy.plugin = ((getter)lwi_library_find(copy.library, LWI_PLUGIN_SYMBOL))();
}

static int set_up(void **state) {
  (void)state;
  lw_area_def def = lw_area_def_default();
  def.name = "ground";
  if (!mkdtemp(folder) || lw_area_table_create(NULL, &areas)) return -1;
  if (lw_area_table_set(areas, &def, NULL, NULL) || lwi_plugin_open(&real, &error)) return -1;
  open_copy();
  snprintf(helper, sizeof helper, "%s/leeward_import", folder);
  snprintf(level, sizeof level, "%s/level.obj", folder);
  FILE *file = fopen(level, "wb");
  if (!file || fputs("v 0 0 0\nv 1 0 1\nv 1 0 0\nf 1 2 3\n", file) < 0) return -1;
  return fclose(file);
}

static int tear_down(void **state) {
  (void)state;
  char command[256];
  lw_area_table_destroy(areas);
  lwi_plugin_close(&real);
  lwi_plugin_close(&copy);
  snprintf(command, sizeof command, "rm -rf '%s'", folder);
  return system(command);
}

/* --- ends ------------------------------------------------------------------------------------------------- */

static void write_helper(const char *script) {
  FILE *file = fopen(helper, "wb");
  assert_non_null(file);
  fprintf(file, "#!/bin/sh\n%s\n", script);
  assert_int_equal(fclose(file), 0);
  assert_int_equal(chmod(helper, 0700), 0);
}

/* By the copy's helper. */
static lw_status run(int seconds) {
  lwi_memory memory = lwi_memory_make(NULL);
  lwi_import_scene scene;
  const lwi_import_job job = {.file = level, .memory_max = LW_IMPORT_MEMORY_DEFAULT};
  error = (lw_error){0};
  const lw_status status = lwi_import_run(&copy, &job, seconds, &memory, &scene, &error);
  assert_int_equal(scene.triangle_count > 0, status == LW_OK);
  lwi_import_scene_free(&memory, &scene);
  assert_int_equal(memory.bytes, 0);
  return status;
}

static void expect(lw_status expected, const char *message) {
  const lw_status status = run(1);
  if (status != expected || !strstr(error.text, message))
    fail_msg("got %s '%s', expected %s '%s'", lw_status_name(status), error.text, lw_status_name(expected),
             message);
}

static void a_missing_helper_is_named(void **state) {
  (void)state;
  unlink(helper);
  char message[400];
  snprintf(message, sizeof message,
           "leeward_import, the program that reads level files, is missing: it is neither in '%s', beside "
           "libleeward_bake.so, nor in its folder 'leeward' (the setting `in_process` reads levels without it)",
           folder);
  expect(LW_NO_BAKE, message);
  write_helper("exit 0");
  assert_int_equal(chmod(helper, 0600), 0);
  if (geteuid() != 0) expect(LW_NO_BAKE, "cannot be started: Permission denied");
  FILE *file = fopen(helper, "wb");
  assert_non_null(file);
  fputs("#!/no/such/program\n", file);
  fclose(file);
  assert_int_equal(chmod(helper, 0700), 0);
  expect(LW_NO_BAKE, "cannot be started: No such file or directory (the setting `in_process` reads");
}

static void the_helper_may_stand_in_a_folder_of_its_own(void **state) {
  (void)state;
  char own[200], inside[sizeof helper];
  unlink(helper);
  snprintf(own, sizeof own, "%s/leeward", folder);
  assert_int_equal(mkdir(own, 0700), 0);
  memcpy(inside, helper, sizeof inside);
  snprintf(helper, sizeof helper, "%s/leeward_import", own);
  write_helper("exit 9");
  expect(LW_NO_BAKE, "leeward_import gave no answer (exit code 9)");
  assert_int_equal(unlink(helper), 0);
  assert_int_equal(rmdir(own), 0);
  memcpy(helper, inside, sizeof helper);
}

static void every_end_of_the_helper_is_an_error(void **state) {
  (void)state;
  write_helper("exit 3");
  expect(LW_NO_BAKE, "leeward_import gave no answer (exit code 3)");
  write_helper("kill -SEGV $$");
  expect(LW_BAD_FILE,
         "its reader crashed (segmentation fault, signal 11): it is damaged, nested too deeply, or "
         "needs more than 900 MB, the import's `memory`");
  write_helper("kill -ABRT $$");
  expect(LW_BAD_FILE, "its reader crashed (abort, signal 6)");
  write_helper("kill -KILL $$");
  expect(LW_FILE,
         "its reader was ended from outside (kill, signal 9): by another program, or by a system that is");
  write_helper("kill -XCPU $$");
  expect(LW_LIMIT, "it takes longer than 1 s, the import's `seconds`");
  write_helper("echo hello >&3; exit 0");
  expect(LW_NO_BAKE, "leeward_import gave no answer (exit code 0)");
  write_helper("head -c 100000 /dev/zero >&3");
  expect(LW_BAD_FILE, "its reader gave an answer that makes no sense");
  write_helper("yes nonsense >&3");
  expect(LW_BAD_FILE, "its reader gave an answer that makes no sense");
}

static void a_helper_that_hangs_is_ended(void **state) {
  (void)state;
  write_helper("exec sleep 1000");
  const double start = lwi_clock();
  expect(LW_LIMIT, "it takes longer than 1 s, the import's `seconds`");
  write_helper("printf CSWL >&3; kill -STOP $$");
  expect(LW_LIMIT, "it takes longer than 1 s, the import's `seconds`");
  write_helper("exec 3>&-; kill -STOP $$"); /* closes the pipe */
  expect(LW_LIMIT, "it takes longer than 1 s, the import's `seconds`");
  assert_true(lwi_clock() - start < 60);
}

/* --- what it inherits ------------------------------------------------------------------------------------- */

static void it_has_no_open_file_but_its_pipe_and_no_terminal(void **state) {
  (void)state;
  char script[600], line[256];
  const int first = open(level, O_RDONLY), open_file = fcntl(first, F_DUPFD, 20); /* without FD_CLOEXEC */
  assert_true(open_file >= 20);
  snprintf(script, sizeof script,
           "cd /proc/$$/fd; for fd in 0 1 2 3 4 5 6 7 8 9 10 %d; do readlink $fd; done >'%s/fds'", open_file,
           folder);
  write_helper(script);
  expect(LW_NO_BAKE, "gave no answer");
  close(first);
  close(open_file);
  char name[300];
  snprintf(name, sizeof name, "%s/fds", folder);
  FILE *file = fopen(name, "r");
  assert_non_null(file);
  int null = 0, pipes = 0, other = 0;
  while (fgets(line, sizeof line, file)) {
    null += strcmp(line, "/dev/null\n") == 0;
    pipes += strncmp(line, "pipe:", 5) == 0;
    other += strstr(line, "level.obj") != NULL;
  }
  fclose(file);
  assert_int_equal(pipes, 1);
  assert_true(null >= 2); /* the shell itself put a file in the place of its output */
  assert_int_equal(other, 0);
}

static void it_inherits_the_environment(void **state) {
  (void)state;
  write_helper("test \"$LEEWARD_TEST/$GLIBC_TUNABLES\" = '/here/own' && exit 5; exit 6");
  assert_int_equal(setenv("LEEWARD_TEST", "/here", 1), 0);
  assert_int_equal(setenv("GLIBC_TUNABLES", "own", 1), 0);
  expect(LW_NO_BAKE, "(exit code 5)");
  unsetenv("GLIBC_TUNABLES");
  expect(LW_NO_BAKE, "(exit code 6)");
}

static void ignored_and_blocked_signals_are_not_inherited(void **state) {
  (void)state;
  sigset_t set, before;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  assert_int_equal(pthread_sigmask(SIG_BLOCK, &set, &before), 0);
  void (*handler)(int) = signal(SIGPIPE, SIG_IGN);
  write_helper("kill -TERM $$; exit 0");
  expect(LW_FILE, "signal 15");
  write_helper("kill -PIPE $$; exit 0");
  expect(LW_BAD_FILE, "signal 13");
  signal(SIGPIPE, handler);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* --- callers ---------------------------------------------------------------------------------------------- */

/* By the real helper. */
static lw_status load(void) {
  lw_geometry *geometry = NULL;
  error = (lw_error){0};
  lw_status status = lw_geometry_create(areas, NULL, &geometry);
  if (!status) status = lw_geometry_load(geometry, level, NULL, &error);
  lw_geometry_destroy(geometry);
  return status;
}

static int open_descriptors(void) {
  int count = 0;
  DIR *own = opendir("/proc/self/fd");
  assert_non_null(own);
  while (readdir(own)) ++count;
  closedir(own);
  return count;
}

static void no_descriptor_and_no_zombie_is_left(void **state) {
  (void)state;
  const int before = open_descriptors();
  for (int i = 0; i < 5; ++i) assert_int_equal(load(), LW_OK);
  write_helper("kill -SEGV $$");
  expect(LW_BAD_FILE, "crashed");
  write_helper("yes nonsense >&3");
  expect(LW_BAD_FILE, "no sense");
  unlink(helper);
  expect(LW_NO_BAKE, "is missing");
  assert_int_equal(open_descriptors(), before);
  assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
  assert_int_equal(errno, ECHILD);
}

static void a_caller_that_ignores_sigchld_gets_its_level(void **state) {
  (void)state;
  void (*handler)(int) = signal(SIGCHLD, SIG_IGN);
  const lw_status good = load();
  write_helper("kill -SEGV $$");
  const lw_status crashed = run(1);
  signal(SIGCHLD, handler);
  assert_int_equal(good, LW_OK);
  assert_int_equal(crashed, LW_BAD_FILE);
  assert_non_null(
      strstr(error.text, "its reader ended without an answer; this program ignores SIGCHLD or waits"));
}

static void a_caller_without_standard_files_gets_its_level(void **state) {
  (void)state;
  int kept[3];
  lw_status status[3];
  fflush(stdout);
  for (int i = 0; i < 3; ++i) kept[i] = fcntl(i, F_DUPFD_CLOEXEC, 10);
  for (int i = 0; i < 3; ++i) { /* without the first, the first two, all */
    close(i);
    status[i] = load();
  }
  for (int i = 0; i < 3; ++i) {
    dup2(kept[i], i);
    close(kept[i]);
  }
  for (int i = 0; i < 3; ++i) assert_int_equal(status[i], LW_OK);
}

static void count_signal(int number) {
  (void)number;
}

static void signals_that_interrupt_the_caller_do_no_harm(void **state) {
  (void)state;
  struct sigaction action = {.sa_handler = count_signal}, before; /* without SA_RESTART */
  const struct itimerval often = {{0, 200}, {0, 200}}, never = {{0, 0}, {0, 0}};
  assert_int_equal(sigaction(SIGALRM, &action, &before), 0);
  assert_int_equal(setitimer(ITIMER_REAL, &often, NULL), 0);
  lw_status status = LW_OK;
  for (int i = 0; i < 10 && !status; ++i) status = load();
  setitimer(ITIMER_REAL, &never, NULL);
  sigaction(SIGALRM, &before, NULL);
  if (status) fail_msg("%s", error.text);
}

/* What each of many threads does, and that each gets what it should. */
typedef struct import_thread {
  pthread_t id;
  bool crashes; /* Its reader does. */
  int wrong;
} import_thread;

static void *load_often(void *user) {
  import_thread *own = user;
  lwi_memory memory = lwi_memory_make(NULL);
  const lwi_import_job job = {.file = level, .memory_max = LW_IMPORT_MEMORY_DEFAULT};
  for (int i = 0; i < 5; ++i) {
    lwi_import_scene scene;
    lw_error own_error = {0};
    const lw_status status =
        lwi_import_run(own->crashes ? &copy : &real, &job, 20, &memory, &scene, &own_error);
    own->wrong += status != (own->crashes ? LW_BAD_FILE : LW_OK) || (scene.triangle_count == 1) == own->crashes;
    lwi_import_scene_free(&memory, &scene);
  }
  return NULL;
}

static int wrong_of_many_threads(void) {
  enum { THREADS = 8 };
  import_thread threads[THREADS];
  int wrong = 0;
  write_helper("kill -SEGV $$");
  for (int i = 0; i < THREADS; ++i) {
    threads[i] = (import_thread){.crashes = i % 4 == 3};
    assert_int_equal(pthread_create(&threads[i].id, NULL, load_often, &threads[i]), 0);
  }
  for (int i = 0; i < THREADS; ++i) {
    pthread_join(threads[i].id, NULL);
    wrong += threads[i].wrong;
  }
  return wrong;
}

static void many_threads_may_import_at_once(void **state) {
  (void)state;
  const int before = open_descriptors();
  assert_int_equal(wrong_of_many_threads(), 0);
  assert_int_equal(open_descriptors(), before);
  assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
  assert_int_equal(errno, ECHILD);
}

static void *wait_for_all_children(void *user) {
  atomic_bool *ends = user;
  while (!atomic_load(ends)) waitpid(-1, NULL, WNOHANG);
  return NULL;
}

/* As some games do in a thread: how a reader ended may be lost to it, but never its answer. */
static void a_caller_that_waits_for_all_children_gets_its_levels(void **state) {
  (void)state;
  pthread_t waiter;
  atomic_bool ends = false;
  assert_int_equal(pthread_create(&waiter, NULL, wait_for_all_children, &ends), 0);
  const int wrong = wrong_of_many_threads();
  write_helper("exec sleep 1000");
  const lw_status hung = run(1);
  atomic_store(&ends, true);
  pthread_join(waiter, NULL);
  assert_int_equal(wrong, 0);
  assert_int_equal(hung, LW_LIMIT);
  assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

static void a_caller_without_free_descriptors_gets_the_reason(void **state) {
  (void)state;
  struct rlimit before;
  assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
  const struct rlimit few = {.rlim_cur = 3, .rlim_max = before.rlim_max};
  write_helper("exit 0");
  assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
  const lw_status status = run(1);
  assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
  assert_int_equal(status, LW_NO_BAKE);
}

/* --- limits ----------------------------------------------------------------------------------------------- */

enum { EXCESS = 7, REFUSED = 8, ALLOWED = 9 };

static void exit_for_excess(void) {
  _exit(EXCESS);
}

/* Does one thing in a process that has limited itself. @return How it ended, as waitpid() says. */
static int limited(void (*act)(void)) {
  static const lwi_process_limits limits = {
      .memory = 300000000, .stack = 1 << 20, .seconds = 1, .files = 12, .on_excess = exit_for_excess};
  int status = 0;
  const pid_t id = fork();
  if (id == 0) {
    if (lwi_process_limit(&limits)) _exit(1);
    act();
    _exit(2);
  }
  assert_int_equal(waitpid(id, &status, 0), id);
  return status;
}

static void compute(void) {
  for (volatile unsigned i = 0;; ++i) {
  }
}

static void use_memory(void) {
  for (int i = 0; i < 400; ++i) {
    char *block = malloc(1000000);
    if (block) memset(block, 1, 1000000);
  }
}

static void open_files(void) {
  for (int i = 0; i < 12; ++i)
    if (open(level, O_RDONLY) < 0) _exit(REFUSED);
}

static void write_a_file(void) {
  signal(SIGXFSZ, SIG_IGN);
  char name[300];
  snprintf(name, sizeof name, "%s/written", folder);
  const int to = open(name, O_WRONLY | O_CREAT, 0600);
  _exit(to >= 0 && write(to, "x", 1) == 1 ? ALLOWED : REFUSED);
}

static void start_a_process(void) {
  const pid_t id = fork();
  if (id == 0) _exit(0);
  _exit(id < 0 ? REFUSED : ALLOWED);
}

static void a_process_holds_the_limits_that_it_set_itself(void **state) {
  (void)state;
  const int timed = limited(compute), used = limited(use_memory), opened = limited(open_files);
  const int wrote = limited(write_a_file), started = limited(start_a_process);
  assert_true(WIFSIGNALED(timed) && WTERMSIG(timed) == SIGXCPU);
  assert_true(WIFEXITED(used) && WEXITSTATUS(used) == EXCESS);
  assert_true(WIFEXITED(opened) && WEXITSTATUS(opened) == REFUSED);
  assert_true(WIFEXITED(wrote) && WEXITSTATUS(wrote) == REFUSED);
#ifndef __SANITIZE_ADDRESS__ /* which needs threads of its own */
  if (geteuid() != 0)
    assert_true(WIFEXITED(started) && WEXITSTATUS(started) == REFUSED); /* root has no such limit */
#endif
  (void)started;
}

/* Its parent ends first, by a signal or by itself. */
static void a_process_that_limited_itself_ends_with_its_parent(void **state) {
  (void)state;
  static const lwi_process_limits limits = {
      .memory = 300000000, .stack = 1 << 20, .seconds = 60, .files = 12, .on_excess = exit_for_excess};
  int ready[2], life[2];
  char byte = 0;
  assert_int_equal(pipe(ready), 0);
  assert_int_equal(pipe(life), 0);
  const pid_t parent = fork();
  if (parent == 0) {
    if (fork() == 0) {
      if (lwi_process_limit(&limits) || write(ready[1], "x", 1) != 1) _exit(1);
      sleep(20);
      _exit(0);
    }
    _exit(read(ready[0], &byte, 1) == 1 ? 0 : 1);
  }
  close(life[1]); /* Its last copy is the child's of the child. */
  assert_int_equal(waitpid(parent, NULL, 0), parent);
  struct pollfd ends = {.fd = life[0], .events = POLLIN};
  assert_int_equal(poll(&ends, 1, 10000), 1);
  assert_int_equal(read(life[0], &byte, 1), 0);
  close(life[0]), close(ready[0]), close(ready[1]);
}

/* --- answers ---------------------------------------------------------------------------------------------- */

typedef struct bytes {
  unsigned char data[2048];
  size_t size, at;
} bytes;

static bytes sent;

static bool put(const void *data, size_t size) {
  assert_true(sent.size + size <= sizeof sent.data);
  memcpy(sent.data + sent.size, data, size);
  sent.size += size;
  return true;
}

static bool get(void *user, void *data, size_t size) {
  bytes *from = user;
  if (size == 0) return true;
  if (from->size - from->at < size) return false;
  memcpy(data, from->data + from->at, size);
  from->at += size;
  return true;
}

static lwi_import_scene_result receive(const bytes *answer) {
  bytes from = *answer;
  lwi_memory memory = lwi_memory_make(NULL);
  lwi_import_scene scene;
  lwi_plugin_status status;
  const lwi_import_scene_result result =
      lwi_import_scene_receive(get, &from, LW_IMPORT_MEMORY_MIN, &memory, &scene, &status);
  if (result == LWI_IMPORT_RECEIVED && status == LWI_PLUGIN_OK) {
    int names = 0;
    for (int i = 0; i < scene.name_bytes; ++i) names += scene.names[i] == 0;
    assert_int_equal(names, scene.material_count);
    for (int i = 0; i < scene.triangle_count; ++i)
      assert_in_range(scene.materials[i], 0, scene.material_count - 1);
  }
  assert_true(memchr(scene.message, 0, sizeof scene.message) != NULL);
  lwi_import_scene_free(&memory, &scene);
  assert_int_equal(memory.bytes, 0);
  return result;
}

static void every_damaged_or_cut_answer_is_refused_or_makes_sense(void **state) {
  (void)state;
  float vertices[9] = {0};
  int triangles[6] = {0, 1, 2, 2, 1, 0}, materials[2] = {0, 1};
  char names[] = "mud\0road";
  const lwi_import_scene scene = {.vertex_count = 3,
                                  .triangle_count = 2,
                                  .material_count = 2,
                                  .name_bytes = sizeof names,
                                  .vertices = vertices,
                                  .triangles = triangles,
                                  .materials = materials,
                                  .names = names};
  sent = (bytes){.size = 0};
  assert_true(lwi_import_scene_send(&scene, LWI_PLUGIN_OK, put));
  assert_int_equal(receive(&sent), LWI_IMPORT_RECEIVED);
  static const unsigned char values[] = {0, 1, 0x7f, 0x80, 0xff};
  for (size_t i = 0; i < sent.size; ++i) {
    bytes damaged = sent;
    damaged.size = i;
    assert_int_equal(receive(&damaged), LWI_IMPORT_CUT);
    for (size_t k = 0; k < sizeof values; ++k) {
      damaged = sent;
      damaged.data[i] = values[k];
      receive(&damaged);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_missing_helper_is_named),
      cmocka_unit_test(the_helper_may_stand_in_a_folder_of_its_own),
      cmocka_unit_test(every_end_of_the_helper_is_an_error),
      cmocka_unit_test(a_helper_that_hangs_is_ended),
      cmocka_unit_test(it_has_no_open_file_but_its_pipe_and_no_terminal),
      cmocka_unit_test(it_inherits_the_environment),
      cmocka_unit_test(ignored_and_blocked_signals_are_not_inherited),
      cmocka_unit_test(no_descriptor_and_no_zombie_is_left),
      cmocka_unit_test(a_caller_that_ignores_sigchld_gets_its_level),
      cmocka_unit_test(a_caller_without_standard_files_gets_its_level),
      cmocka_unit_test(signals_that_interrupt_the_caller_do_no_harm),
      cmocka_unit_test(many_threads_may_import_at_once),
      cmocka_unit_test(a_caller_that_waits_for_all_children_gets_its_levels),
      cmocka_unit_test(a_caller_without_free_descriptors_gets_the_reason),
      cmocka_unit_test(a_process_holds_the_limits_that_it_set_itself),
      cmocka_unit_test(a_process_that_limited_itself_ends_with_its_parent),
      cmocka_unit_test(every_damaged_or_cut_answer_is_refused_or_makes_sense),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
