/* The seam to POSIX systems: child processes. */
#define _GNU_SOURCE /* posix_spawn_file_actions_addclosefrom_np(), pipe2() */
#include "core/platform.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

/* The pipe in the child, after its standard input, output and errors. */
#define CHILD_PIPE 3

/* --- starting ---------------------------------------------------------------------------------------------------- */

#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 34)

/* The pipe first: its descriptor may be one of 0 to 2, where the caller closed those. A copy onto itself only clears its
   FD_CLOEXEC. */
static int redirect(posix_spawn_file_actions_t *actions, int pipe) {
  int wrong = posix_spawn_file_actions_adddup2(actions, pipe, CHILD_PIPE);
  if (!wrong) wrong = posix_spawn_file_actions_addopen(actions, 0, "/dev/null", O_RDWR, 0);
  if (!wrong) wrong = posix_spawn_file_actions_adddup2(actions, 0, 1);
  if (!wrong) wrong = posix_spawn_file_actions_adddup2(actions, 0, 2);
  if (!wrong) wrong = posix_spawn_file_actions_addclosefrom_np(actions, CHILD_PIPE + 1);
  return wrong;
}

/* What the caller ignores or blocks, an exec would keep. */
static int reset_signals(posix_spawnattr_t *attributes) {
  sigset_t all, none;
  sigfillset(&all);
  sigemptyset(&none);
  int wrong = posix_spawnattr_setsigdefault(attributes, &all);
  if (!wrong) wrong = posix_spawnattr_setsigmask(attributes, &none);
  if (!wrong) wrong = posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  return wrong;
}

/* The caller's own, and large pages for malloc() where the caller has no wish for it: Assimp fills 16 MB for an OBJ of any
   size, and most of an import was the faults of their small pages. @return To be freed; NULL: the caller's. */
static char **child_environment(void) {
  static char large_pages[] = "GLIBC_TUNABLES=glibc.malloc.hugetlb=1";
  size_t count = 0;
  while (environ && environ[count]) ++count;
  char **copy = getenv("GLIBC_TUNABLES") ? NULL : malloc((count + 2) * sizeof *copy);
  if (!copy) return NULL;
  if (count > 0) memcpy(copy, environ, count * sizeof *copy);
  copy[count] = large_pages;
  copy[count + 1] = NULL;
  return copy;
}

static int spawn(const char *const *arguments, int pipe, pid_t *id) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int wrong = posix_spawn_file_actions_init(&actions);
  if (wrong) return wrong;
  if (!(wrong = posix_spawnattr_init(&attributes))) {
    wrong = redirect(&actions, pipe);
    if (!wrong) wrong = reset_signals(&attributes);
    /* POSIX promises not to change the arguments, whatever their type says. */
    char **mutable = NULL, **environment = child_environment();
    memcpy(&mutable, &arguments, sizeof mutable);
    if (!wrong)
      wrong =
          posix_spawn(id, arguments[0], &actions, &attributes, mutable, environment ? environment : environ);
    free(environment);
    posix_spawnattr_destroy(&attributes);
  }
  posix_spawn_file_actions_destroy(&actions);
  return wrong;
}

const char *lwi_process_start(const char *const *arguments, lwi_process *process) {
  int ends[2];
  pid_t id = 0;
  if (pipe2(ends, O_CLOEXEC) != 0) return strerror(errno);
  const int wrong = spawn(arguments, ends[1], &id);
  close(ends[1]);
  *process = (lwi_process){.id = id, .pipe = ends[0]};
  if (!wrong) return NULL;
  close(ends[0]);
  return strerror(wrong);
}

#else

const char *lwi_process_start(const char *const *arguments, lwi_process *process) {
  (void)arguments;
  *process = (lwi_process){0};
  return "this system cannot start a process without open files";
}

#endif

/* --- reading ----------------------------------------------------------------------------------------------------- */

/* @return Milliseconds from now, rounded up; 0: it has passed. */
static int left_until(double deadline) {
  const double left = (deadline - lwi_clock()) * 1000;
  return left <= 0 ? 0 : left > 1e6 ? 1000000 : (int)left + 1;
}

lwi_process_read_result lwi_process_read(lwi_process *process, void *data, size_t size, double deadline) {
  for (size_t done = 0; done < size;) {
    struct pollfd wait = {.fd = process->pipe, .events = POLLIN};
    const int left = left_until(deadline), ready = poll(&wait, 1, left);
    if (ready == 0 && left_until(deadline) == 0) return LWI_PROCESS_LATE;
    if (ready < 0 && errno != EINTR && errno != EAGAIN) return LWI_PROCESS_CLOSED;
    if (ready <= 0) continue;
    const ssize_t got = read(process->pipe, (char *)data + done, size - done);
    if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN)) return LWI_PROCESS_CLOSED;
    if (got > 0) done += (size_t)got;
  }
  return LWI_PROCESS_READ;
}

/* --- its end ----------------------------------------------------------------------------------------------------- */

static const char *signal_text(int number) {
  switch (number) {
  case SIGSEGV: return "segmentation fault";
  case SIGABRT: return "abort";
  case SIGBUS: return "bus error";
  case SIGFPE: return "arithmetic error";
  case SIGILL: return "illegal instruction";
  case SIGKILL: return "kill";
  case SIGTERM: return "termination";
  case SIGXFSZ: return "file size";
  default: return "signal";
  }
}

/* @return 0: it still runs; -1: somebody else has waited for it. */
static pid_t wait_until(pid_t id, double deadline, int *status) {
  const struct timespec pause = {.tv_nsec = 200000};
  for (;;) {
    const pid_t ended = waitpid(id, status, WNOHANG);
    if (ended > 0) return ended;
    if (ended < 0 && errno != EINTR) return -1;
    if (left_until(deadline) == 0) return 0;
    nanosleep(&pause, NULL);
  }
}

static pid_t wait_for(pid_t id, int *status) {
  for (;;) {
    const pid_t ended = waitpid(id, status, 0);
    if (ended >= 0 || errno != EINTR) return ended;
  }
}

lwi_process_fate lwi_process_end(lwi_process *process, double deadline, const char **reason, int *number) {
  const pid_t id = (pid_t)process->id;
  int status = 0;
  *reason = "";
  *number = 0;
  close(process->pipe);
  pid_t ended = wait_until(id, deadline, &status);
  const bool timed = ended == 0;
  if (timed) {
    kill(id, SIGKILL);
    ended = wait_for(id, &status);
  }
  if (timed) return LWI_PROCESS_TIMED;
  if (ended < 0) return LWI_PROCESS_UNKNOWN;
  if (WIFEXITED(status)) {
    *reason = "exit code";
    *number = WEXITSTATUS(status);
    return LWI_PROCESS_EXITED;
  }
  *number = WTERMSIG(status);
  *reason = signal_text(*number);
  if (*number == SIGKILL || *number == SIGTERM) return LWI_PROCESS_KILLED;
  return *number == SIGXCPU ? LWI_PROCESS_TIMED : LWI_PROCESS_CRASHED;
}

/* --- in the child ------------------------------------------------------------------------------------------------ */

#if defined(__has_feature)
#define HAS_FEATURE(name) __has_feature(name)
#else
#define HAS_FEATURE(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || HAS_FEATURE(address_sanitizer) ||         \
    HAS_FEATURE(thread_sanitizer)
static const bool sanitized = true;
#else
static const bool sanitized = false;
#endif

#ifdef __GLIBC__
typedef __rlimit_resource_t resource_kind;
#else
typedef int resource_kind;
#endif

/* The system's own limit stays where it is lower. */
static bool limit(resource_kind resource, uint64_t soft, uint64_t hard) {
  struct rlimit now;
  if (getrlimit(resource, &now) != 0) return false;
  const rlim_t max = now.rlim_max;
  const struct rlimit wanted = {.rlim_cur = max != RLIM_INFINITY && max < soft ? max : (rlim_t)soft,
                                .rlim_max = max != RLIM_INFINITY && max < hard ? max : (rlim_t)hard};
  return setrlimit(resource, &wanted) == 0;
}

/* What a process uses and what it may use, for its signal handler. */
typedef struct watch {
  const lwi_process_limits *limits;
  uint64_t page;
  int file; /* /proc/self/statm: pages of address space, then those in use. */
} watch;

static uint64_t bytes_in_use(const watch *on) {
  char text[64];
  const ssize_t length = pread(on->file, text, sizeof text, 0);
  uint64_t pages = 0;
  ssize_t i = 0;
  while (i < length && text[i] != ' ') ++i;
  for (++i; i < length && text[i] >= '0' && text[i] <= '9'; ++i) pages = 10 * pages + (uint64_t)(text[i] - '0');
  return pages * on->page;
}

static void look(int number, siginfo_t *info, void *context) {
  (void)number, (void)context;
  const int before = errno;
  const watch *on = info->si_value.sival_ptr;
  if (info->si_code == SI_TIMER && bytes_in_use(on) > on->limits->memory) on->limits->on_excess();
  errno = before;
}

/* Every few milliseconds. @return false: the system does not tell what is in use, or has no such timer. */
static bool start_watch(watch *on) {
  timer_t timer;
  struct sigaction action = {.sa_flags = SA_SIGINFO | SA_RESTART};
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
  const struct itimerspec every = {.it_interval.tv_nsec = 4000000, .it_value.tv_nsec = 4000000};
  action.sa_sigaction = look;
  event.sigev_value.sival_ptr = on;
  on->page = (uint64_t)sysconf(_SC_PAGESIZE);
  on->file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (on->file < 0 || bytes_in_use(on) == 0) return false;
  return sigaction(SIGALRM, &action, NULL) == 0 && timer_create(CLOCK_MONOTONIC, &event, &timer) == 0 &&
         timer_settime(timer, 0, &every, NULL) == 0;
}

void lwi_process_unwatch(void) {
  signal(SIGALRM, SIG_IGN);
}

const char *lwi_process_limit(const lwi_process_limits *limits) {
#ifdef PR_SET_DUMPABLE
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); /* A handler of core dumps gets them whatever RLIMIT_CORE says. */
#endif
#ifdef PR_SET_NO_NEW_PRIVS
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
#endif
#ifdef PR_SET_PDEATHSIG
  prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0); /* With the thread that started it, which waits for it. */
#endif
  static watch on; /* As long as the process. */
  on.limits = limits;
  const uint64_t seconds = (uint64_t)limits->seconds, files = (uint64_t)limits->files;
  const uint64_t space = start_watch(&on) ? 4 * limits->memory : limits->memory;
  bool fine = limit(RLIMIT_CORE, 0, 0) && limit(RLIMIT_FSIZE, 0, 0) && limit(RLIMIT_NOFILE, files, files) &&
              limit(RLIMIT_STACK, limits->stack, limits->stack) && limit(RLIMIT_CPU, seconds, seconds + 1);
  if (fine && !sanitized) fine = limit(RLIMIT_AS, space, space);
#ifdef RLIMIT_NPROC
  if (fine && !sanitized) fine = limit(RLIMIT_NPROC, 0, 0);
#endif
  return fine ? NULL : strerror(errno);
}

bool lwi_process_write(const void *data, size_t size) {
  for (size_t done = 0; done < size;) {
    const ssize_t wrote = write(CHILD_PIPE, (const char *)data + done, size - done);
    if (wrote < 0 && errno != EINTR) return false;
    if (wrote > 0) done += (size_t)wrote;
  }
  return true;
}

void lwi_process_exit(int code) {
  _exit(code);
}

/* --- copies ------------------------------------------------------------------------------------------------------ */

static pid_t start_copy(void (*work)(void *user, int number), void *user, int number) {
  const pid_t parent = getpid(), id = fork();
  if (id != 0) return id;
#ifdef PR_SET_PDEATHSIG
  prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
#endif
  if (getppid() != parent) _exit(1); /* The parent ended before that. */
  work(user, number);
  fflush(NULL);
  _exit(0);
}

const char *lwi_process_copies(int count, void (*work)(void *user, int number), void *user, bool *done) {
  pid_t *ids = calloc((size_t)count, sizeof *ids);
  if (!ids) return strerror(ENOMEM);
  const char *reason = NULL;
  int started = 0;
  fflush(NULL); /* What is buffered is written once. */
  for (; started < count && !reason; ++started) {
    ids[started] = start_copy(work, user, started);
    if (ids[started] < 0) reason = strerror(errno);
  }
  for (int i = 0; i < count; ++i) {
    int status = 1;
    done[i] = i < started && ids[i] > 0 && wait_for(ids[i], &status) == ids[i] && WIFEXITED(status) &&
              WEXITSTATUS(status) == 0;
  }
  free(ids);
  return reason;
}
