/* The seam to POSIX systems. */
#define _GNU_SOURCE /* dladdr(), sched_getaffinity() */
#include "core/platform.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <locale.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* --- files ------------------------------------------------------------------------------------------------------- */

/* @return NULL: an ordinary file. */
static const char *reason_of_kind(mode_t mode) {
  if (S_ISREG(mode)) return NULL;
  return S_ISDIR(mode) ? "it is a directory" : "it is not an ordinary file";
}

static const char *check_open(int descriptor, uint64_t *size) {
  struct stat about;
  if (fstat(descriptor, &about) != 0) return strerror(errno);
  *size = (uint64_t)about.st_size;
  return reason_of_kind(about.st_mode);
}

const char *lwi_file_open(const char *name, FILE **file, uint64_t *size) {
  *file = NULL;
  *size = 0;
  int descriptor =
      open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY); /* a pipe without a writer would block */
  if (descriptor < 0) return strerror(errno);
  const char *reason = check_open(descriptor, size);
  if (!reason && !(*file = fdopen(descriptor, "rb"))) reason = strerror(errno);
  if (reason) close(descriptor);
  return reason;
}

static const char *reason_of(int error, const char *otherwise) {
  return error ? strerror(error) : otherwise;
}

const char *lwi_file_get(FILE *file, void *data, size_t size, size_t *count) {
  errno = 0;
  *count = size > 0 ? fread(data, 1, size, file) : 0;
  return *count < size && ferror(file) ? reason_of(errno, "reading failed") : NULL;
}

/* One link further: the name that it holds is relative to its folder.
   @return false: it is no link, or one that cannot be followed, and errno is not 0. */
static bool follow_link(char *path) {
  char held[LWI_PATH_SIZE];
  const ssize_t length = readlink(path, held, sizeof held);
  errno = length < 0 && errno == EINVAL ? 0 : errno; /* no link */
  if (length < 0) return false;
  char *slash = strrchr(path, '/');
  const size_t folder = held[0] != '/' && slash ? (size_t)(slash + 1 - path) : 0;
  if (folder + (size_t)length >= LWI_PATH_SIZE) return errno = ENAMETOOLONG, false;
  memcpy(path + folder, held, (size_t)length);
  path[folder + (size_t)length] = 0;
  return true;
}

/* Follow links also to a file that is not there yet. */
static const char *find_target(const char *name, char *target) {
  enum { LINKS = 40 };
  struct stat about;
  if (strlen(name) >= LWI_PATH_SIZE) return strerror(ENAMETOOLONG);
  /* Links to pipes, such as /dev/stdout, hold no name of a file. */
  const char *reason = stat(name, &about) == 0 ? reason_of_kind(about.st_mode) : NULL;
  if (reason) return reason;
  strcpy(target, name);
  for (int i = 0; i < LINKS; ++i) {
    errno = 0;
    if (!follow_link(target)) return errno && errno != ENOENT ? strerror(errno) : NULL;
  }
  return strerror(ELOOP);
}

/* @param[out] about  st_nlink is 0: there is no such file. */
static const char *check_target(const char *target, struct stat *about) {
  about->st_nlink = 0;
  if (stat(target, about) != 0) return errno == ENOENT ? NULL : strerror(errno);
  const char *reason = reason_of_kind(about->st_mode);
  if (reason) return reason;
  return faccessat(AT_FDCWD, target, W_OK, AT_EACCESS) == 0 ? NULL : strerror(errno);
}

/* A few names, since another thread may write the same file, or an earlier process of this number may have died. Of a
   long name only the beginning is taken: what it is given behind must not make it longer than file systems have them. */
static int create_beside(const char *name, char *temporary) {
  enum { TRIES = 100, TAKEN = 200 };
  const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name;
  const int taken = (int)(base - name) + (int)strnlen(base, TAKEN);
  for (int try = 0; try < TRIES; ++try) {
    int length = snprintf(temporary, LWI_PATH_SIZE, "%.*s.%ld.%d.tmp", taken, name, (long)getpid(), try);
    if (length < 0 || length >= LWI_PATH_SIZE) return errno = ENAMETOOLONG, -1;
    int descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor >= 0 || errno != EEXIST) return descriptor;
  }
  return -1;
}

/* As far as the file system and the user's rights have such things: only then may they differ. */
static void take_permissions(int descriptor, const struct stat *from) {
  struct stat own;
  if (from->st_nlink == 0 || fstat(descriptor, &own) != 0) return;
  const bool same = own.st_uid == from->st_uid && own.st_gid == from->st_gid;
  const bool owned = same || fchown(descriptor, from->st_uid, from->st_gid) == 0;
  (void)!fchmod(descriptor, from->st_mode & (owned ? 07777 : 0777));
}

static const char *reason_not_created(const char *name, const char *target) {
  if (errno != ENOENT) return strerror(errno);
  const bool is_link = strcmp(name, target) != 0;
  return is_link ? "it is a link into a folder that does not exist" : "its folder does not exist";
}

const char *lwi_file_create(const char *name, lwi_replacement *to) {
  struct stat about;
  to->file = NULL;
  const char *reason = find_target(name, to->target);
  if (!reason) reason = check_target(to->target, &about);
  if (reason) return reason;
  int descriptor = create_beside(to->target, to->temporary);
  if (descriptor < 0) return reason_not_created(name, to->target);
  take_permissions(descriptor, &about);
  if ((to->file = fdopen(descriptor, "wb"))) return NULL;
  reason = strerror(errno);
  close(descriptor);
  unlink(to->temporary);
  return reason;
}

/* A file that would exceed the process's limit on sizes ends the process by a signal, unless that is blocked: then it
   is an error as any other. */
typedef struct blocked_signal {
  sigset_t before;
  bool was_pending;
} blocked_signal;

static sigset_t size_signal(void) {
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, SIGXFSZ);
  return only;
}

static void block_size_signal(blocked_signal *state) {
  const sigset_t only = size_signal();
  sigset_t pending;
  state->was_pending = sigpending(&pending) == 0 && sigismember(&pending, SIGXFSZ) == 1;
  pthread_sigmask(SIG_BLOCK, &only, &state->before);
}

static void unblock_size_signal(const blocked_signal *state) {
  const sigset_t only = size_signal();
  const struct timespec now = {0};
  const int error = errno;
  while (!state->was_pending && sigtimedwait(&only, NULL, &now) < 0 && errno == EINTR) continue;
  pthread_sigmask(SIG_SETMASK, &state->before, NULL);
  errno = error;
}

const char *lwi_file_put(FILE *file, const void *data, size_t size) {
  blocked_signal state;
  block_size_signal(&state);
  errno = 0;
  const bool done = size == 0 || fwrite(data, 1, size, file) == size;
  unblock_size_signal(&state);
  return done ? NULL : reason_of(errno, "writing failed");
}

const char *lwi_file_sync(FILE *file) {
  blocked_signal state;
  block_size_signal(&state);
  const bool done = fflush(file) == 0 && fsync(fileno(file)) == 0;
  unblock_size_signal(&state);
  return done ? NULL : strerror(errno);
}

const char *lwi_file_close(FILE *file) {
  blocked_signal state;
  block_size_signal(&state);
  errno = 0;
  const bool done = fclose(file) == 0;
  unblock_size_signal(&state);
  return done ? NULL : reason_of(errno, "closing failed");
}

const char *lwi_file_replace(const char *from, const char *to) {
  return rename(from, to) == 0 ? NULL : strerror(errno);
}

void lwi_file_remove(const char *name) {
  unlink(name);
}

bool lwi_file_is_terminal(FILE *file) {
  return isatty(fileno(file)) == 1;
}

/* --- paths ------------------------------------------------------------------------------------------------------- */

bool lwi_path_is_file(const char *path) {
  struct stat about;
  return stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

const char *lwi_path_other(const char *path) {
  struct stat about;
  return stat(path, &about) == 0 ? reason_of_kind(about.st_mode) : NULL;
}

bool lwi_path_resolve(const char *path, char *resolved) {
  char *whole = realpath(path, NULL);
  if (!whole) return false;
  const size_t size = strlen(whole) + 1;
  if (size <= LWI_PATH_SIZE) memcpy(resolved, whole, size);
  free(whole);
  return size <= LWI_PATH_SIZE;
}

bool lwi_path_up(char *path) {
  char *slash = strrchr(path, '/');
  if (!slash) return false;
  *slash = 0;
  return true;
}

bool lwi_path_of_program(char *path) {
  return lwi_path_resolve("/proc/self/exe", path);
}

static bool path_of_address(const void *address, char *path) {
  Dl_info info;
  if (!dladdr(address, &info) || !info.dli_fname) return false;
  /* The loader knows a program that was found along PATH by its bare name alone. */
  return strchr(info.dli_fname, '/') ? lwi_path_resolve(info.dli_fname, path) : lwi_path_of_program(path);
}

bool lwi_path_of_library(char *path) {
  static const char here = 0;
  return path_of_address(&here, path);
}

bool lwi_path_of_function(lwi_library_function function, char *path) {
  const void *address;
  memcpy(&address, &function, sizeof address); /* As in lwi_library_find(). */
  return path_of_address(address, path);
}

bool lwi_path_is_within(const char *path, const char *root) {
  const size_t length = strlen(root);
  if (strncmp(path, root, length) != 0) return false;
  return path[length] == 0 || path[length] == '/' || (length > 0 && root[length - 1] == '/');
}

const char *lwi_folder_create(const char *path) {
  struct stat there;
  if (mkdir(path, 0777) == 0) return NULL;
  const int reason = errno;
  return reason == EEXIST && stat(path, &there) == 0 && S_ISDIR(there.st_mode) ? NULL : strerror(reason);
}

lwi_folder *lwi_folder_open(const char *path) {
  return (lwi_folder *)opendir(path);
}

const char *lwi_folder_next(lwi_folder *folder) {
  const struct dirent *entry = readdir((DIR *)folder);
  return entry ? entry->d_name : NULL;
}

void lwi_folder_close(lwi_folder *folder) {
  if (folder) closedir((DIR *)folder);
}

bool lwi_environment_set(const char *name, const char *value) {
  return setenv(name, value, 1) == 0;
}

/* --- numbers ----------------------------------------------------------------------------------------------------- */

double lwi_number_read(const char *text, char **end) {
  const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0); /* costs nothing: it exists at all times */
  const locale_t before = uselocale(plain);
  const double number = strtod(text, end);
  uselocale(before);
  freelocale(plain);
  return number;
}

/* --- threads ----------------------------------------------------------------------------------------------------- */

_Static_assert(sizeof(pthread_mutex_t) <= sizeof(lwi_mutex), "lwi_mutex is too small");
_Static_assert(_Alignof(pthread_mutex_t) <= _Alignof(lwi_mutex), "lwi_mutex is aligned too coarsely");
_Static_assert(sizeof(pthread_cond_t) <= sizeof(lwi_condition), "lwi_condition is too small");
_Static_assert(_Alignof(pthread_cond_t) <= _Alignof(lwi_condition), "lwi_condition is aligned too coarsely");
_Static_assert(sizeof(pthread_t) <= sizeof((lwi_thread){0}.system), "lwi_thread is too small");
_Static_assert(_Alignof(pthread_t) <= _Alignof(lwi_thread), "lwi_thread is aligned too coarsely");

static pthread_mutex_t *system_mutex(lwi_mutex *mutex) {
  return (pthread_mutex_t *)(void *)&mutex->system;
}

static pthread_cond_t *system_condition(lwi_condition *condition) {
  return (pthread_cond_t *)(void *)&condition->system;
}

bool lwi_mutex_init(lwi_mutex *mutex) {
  return pthread_mutex_init(system_mutex(mutex), NULL) == 0;
}

void lwi_mutex_destroy(lwi_mutex *mutex) {
  pthread_mutex_destroy(system_mutex(mutex));
}

void lwi_mutex_lock(lwi_mutex *mutex) {
  pthread_mutex_lock(system_mutex(mutex));
}

void lwi_mutex_unlock(lwi_mutex *mutex) {
  pthread_mutex_unlock(system_mutex(mutex));
}

bool lwi_condition_init(lwi_condition *condition) {
  return pthread_cond_init(system_condition(condition), NULL) == 0;
}

void lwi_condition_destroy(lwi_condition *condition) {
  pthread_cond_destroy(system_condition(condition));
}

void lwi_condition_wait(lwi_condition *condition, lwi_mutex *mutex) {
  pthread_cond_wait(system_condition(condition), system_mutex(mutex));
}

void lwi_condition_signal(lwi_condition *condition) {
  pthread_cond_signal(system_condition(condition));
}

static void *run_thread(void *user) {
  const lwi_thread *thread = user;
  thread->run(thread->user);
  return NULL;
}

bool lwi_thread_start(lwi_thread *thread, void (*run)(void *user), void *user) {
  pthread_t started;
  thread->run = run;
  thread->user = user;
  if (pthread_create(&started, NULL, run_thread, thread) != 0) return false;
  memcpy(&thread->system, &started, sizeof started);
  return true;
}

void lwi_thread_join(lwi_thread *thread) {
  pthread_t started;
  memcpy(&started, &thread->system, sizeof started);
  pthread_join(started, NULL);
}

/* Processors that the process may run on: its affinity, or all of the system. */
static int allowed_processors(void) {
#ifdef __linux__
  cpu_set_t *set;
  for (int limit = 1024; limit <= 1 << 20 && (set = CPU_ALLOC((size_t)limit)); limit *= 2) {
    const size_t size = CPU_ALLOC_SIZE((size_t)limit);
    const bool known = sched_getaffinity(0, size, set) == 0;
    const int count = known ? CPU_COUNT_S(size, set) : 0;
    CPU_FREE(set);
    if (known) return count;
    if (errno != EINVAL) break; /* else there are more processors than that */
  }
#endif
  return (int)sysconf(_SC_NPROCESSORS_ONLN);
}

/* The processor time that the control group may use, in processors, rounded up; INT_MAX: as much as there is. */
static int quota_processors(void) {
  long quota, period;
  FILE *file = fopen("/sys/fs/cgroup/cpu.max", "re");
  if (!file) return INT_MAX;
  const bool is_limited = fscanf(file, "%ld %ld", &quota, &period) == 2 && quota > 0 && period > 0;
  fclose(file);
  return is_limited && quota / period < INT_MAX ? (int)((quota + period - 1) / period) : INT_MAX;
}

int lwi_processor_count(void) {
  const int allowed = allowed_processors(), quota = quota_processors(),
            count = allowed < quota ? allowed : quota;
  return count < 1 ? 1 : count > LWI_THREADS_MAX ? LWI_THREADS_MAX : count;
}

/* --- time -------------------------------------------------------------------------------------------------------- */

double lwi_clock(void) {
  struct timespec now;
  if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) return 0;
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

double lwi_thread_clock(void) {
  struct timespec used;
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used) != 0) return lwi_clock();
  return (double)used.tv_sec + (double)used.tv_nsec * 1e-9;
}

/* --- loadable libraries ------------------------------------------------------------------------------------------ */

bool lwi_library_file(const char *folder, const char *name, char *file) {
  int length = snprintf(file, LWI_PATH_SIZE, "%s%slib%s.so", folder ? folder : "", folder ? "/" : "", name);
  return length > 0 && length < LWI_PATH_SIZE;
}

const char *lwi_library_module_ending(void) {
  return ".so";
}

void *lwi_library_open(const char *file, const char **reason) {
  int flags = RTLD_NOW | RTLD_LOCAL;
#ifdef RTLD_NODELETE
  flags |= RTLD_NODELETE;
#endif
  void *library = dlopen(file, flags);
  *reason = library ? NULL : dlerror();
  if (!library && !*reason) *reason = "the system gives no reason";
  return library;
}

void lwi_library_close(void *library) {
  if (library) dlclose(library);
}

lwi_library_function lwi_library_find(void *library, const char *name) {
  lwi_library_function function = NULL;
  void *symbol = dlsym(library, name);
  memcpy(&function, &symbol, sizeof function); /* POSIX promises that this works; ISO C has no cast for it. */
  return function;
}
