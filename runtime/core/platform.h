/// The one seam to the operating system: files, paths, threads, time, loadable libraries. platform_posix.c
/// implements it; no other file of runtime/ or bindings/ includes a system header. It uses nothing else of
/// leeward.
///
/// Paths are zero-terminated, with '/' between folders. A `reason` is static text that says why the system
/// refused.
#ifndef LW_CORE_PLATFORM_H
#define LW_CORE_PLATFORM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define LWI_PATH_SIZE 4096 ///< With the final zero. [bytes]
#define LWI_THREADS_MAX 256

/* --- files ------------------------------------------------------------------------------------------------ */

/// Open an ordinary file for reading. Never waits: a pipe or device is refused.
/// @param[out] file  The caller closes it with lwi_file_close().
/// @param[out] size  As the system states it; some special file systems state 0 for files that have contents.
///   [bytes]
/// @return NULL; the reason, and `file` is NULL.
const char *lwi_file_open(const char *name, FILE **file, uint64_t *size);
/// @param[out] count  What was read; less than `size` only at the end of the file or on an error. [bytes]
/// @return NULL; the reason.
const char *lwi_file_get(FILE *file, void *data, size_t size, size_t *count);
/// A new file that is to replace another one.
typedef struct lwi_replacement {
  FILE *file; ///< For writing.
  /// What it is to replace: the file of that name, or what a link of that name leads to in the end.
  char target[LWI_PATH_SIZE];
  char temporary[LWI_PATH_SIZE]; ///< Its own name, which no other thread or process uses.
} lwi_replacement;
/// Create a file in the folder of what it is to replace, with the permissions of that. Refuses a name whose
/// file may not be written, or is no ordinary file.
/// @param[out] to  The caller closes its file, then replaces the target by it or removes it.
/// @return NULL; the reason, and there is no file.
const char *lwi_file_create(const char *name, lwi_replacement *to);
/// @return NULL; the reason. Less may have been written.
const char *lwi_file_put(FILE *file, const void *data, size_t size);
/// Wait until all that was written is on the device. @return NULL; the reason.
const char *lwi_file_sync(FILE *file);
/// @return NULL; the reason: what was written may be lost. The file is closed either way.
const char *lwi_file_close(FILE *file);
/// Give `from` the name `to`, in one step that other processes see whole or not at all. @return NULL; the
/// reason.
const char *lwi_file_replace(const char *from, const char *to);
void lwi_file_remove(const char *name);
/// Does a terminal show what is written to it?
bool lwi_file_is_terminal(FILE *file);

/* --- paths ------------------------------------------------------------------------------------------------ */

/// Is there an ordinary file, or a link to one?
bool lwi_path_is_file(const char *path);
/// @return What is there instead of an ordinary file: "it is a directory". NULL: such a file, or nothing.
const char *lwi_path_other(const char *path);
/// @param[out] resolved  [LWI_PATH_SIZE] From the root, without links. @return false: no such file or folder.
bool lwi_path_resolve(const char *path, char *resolved);
/// Cut off the last part: "/a/b" becomes "/a", "/a" becomes "" (the root). @return false: there is none left to
/// cut.
bool lwi_path_up(char *path);
/// @param[out] path  [LWI_PATH_SIZE] Of the running program, without links. @return false: unknown.
bool lwi_path_of_program(char *path);
/// @param[out] path  [LWI_PATH_SIZE] Of the library or program that this file is linked into. @return false:
///   unknown.
bool lwi_path_of_library(char *path);
typedef void (*lwi_library_function)(void);
/// @param[out] path  [LWI_PATH_SIZE] Of the library or program that has the function. @return false: unknown.
bool lwi_path_of_function(lwi_library_function function, char *path);
/// Does `path` name the file or folder `root`, or lie inside it? Both as lwi_path_resolve() gives them.
bool lwi_path_is_within(const char *path, const char *root);

/// Create a folder; its parent exists. @return NULL, also where there is that folder; the reason.
const char *lwi_folder_create(const char *path);
typedef struct lwi_folder lwi_folder;
/// @return NULL: it cannot be read. The caller closes it with lwi_folder_close().
lwi_folder *lwi_folder_open(const char *path);
/// @return The next entry's name, in no particular order; valid until the next call. NULL: no more.
const char *lwi_folder_next(lwi_folder *folder);
/// @param folder  May be NULL.
void lwi_folder_close(lwi_folder *folder);

/// Set a variable of the process's environment. One thread at a time. @return false: out of memory.
bool lwi_environment_set(const char *name, const char *value);

/* --- numbers ---------------------------------------------------------------------------------------------- */

/// strtod() with the decimal point of files, whatever locale the program has set.
double lwi_number_read(const char *text, char **end);

/* --- threads ---------------------------------------------------------------------------------------------- */

/// A lock to embed in a struct, which must not move while the lock is in use. Not recursive.
typedef struct lwi_mutex {
  union {
    void *alignment;
    unsigned char bytes[64];
  } system;
} lwi_mutex;
/// @return false: the system has no more locks.
bool lwi_mutex_init(lwi_mutex *mutex);
/// No thread may hold it.
void lwi_mutex_destroy(lwi_mutex *mutex);
void lwi_mutex_lock(lwi_mutex *mutex);
void lwi_mutex_unlock(lwi_mutex *mutex);

/// What a thread waits for while another one holds the mutex.
typedef struct lwi_condition {
  union {
    void *alignment;
    unsigned char bytes[64];
  } system;
} lwi_condition;
/// @return false: the system has no more of them.
bool lwi_condition_init(lwi_condition *condition);
void lwi_condition_destroy(lwi_condition *condition);
/// Unlock the mutex, wait for a signal, lock it again. May return without a signal: check what was waited for.
void lwi_condition_wait(lwi_condition *condition, lwi_mutex *mutex);
/// Wake at least one waiting thread, if any waits.
void lwi_condition_signal(lwi_condition *condition);

typedef struct lwi_thread {
  void (*run)(void *user);
  void *user;
  union {
    void *alignment;
    unsigned char bytes[16];
  } system;
} lwi_thread;
/// Call run(user) on a new thread. @param[out] thread  Must not move before lwi_thread_join().
/// @return false: the system gives no more threads.
bool lwi_thread_start(lwi_thread *thread, void (*run)(void *user), void *user);
/// Wait for its end. Once for every started thread.
void lwi_thread_join(lwi_thread *thread);

/// @return How many processors this process may use, by its affinity and its control group's quota,
/// 1..LWI_THREADS_MAX.
int lwi_processor_count(void);

/* --- time: for statistics and last resorts, never for what a run computes --------------------------------- */

/// @return Seconds since some fixed moment; never goes back.
double lwi_clock(void);
/// @return Seconds for which this thread has run on a processor; where the system does not say, lwi_clock().
double lwi_thread_clock(void);

/* --- loadable libraries ----------------------------------------------------------------------------------- */

/// @param folder  NULL: none, for the system to search.
/// @param[out] file  [LWI_PATH_SIZE] "FOLDER/libNAME.so" on POSIX systems. @return false: too long.
bool lwi_library_file(const char *folder, const char *name, char *file);
/// @return How names of Lua's C modules end: ".so" on POSIX systems.
const char *lwi_library_module_ending(void);
/// Opening twice gives the same library, to be closed twice. Its code stays loaded, since C++ libraries do not
/// unload well.
/// @param[out] reason  Of a NULL; valid until the thread's next call.
void *lwi_library_open(const char *file, const char **reason);
/// @param library  May be NULL.
void lwi_library_close(void *library);
/// @return To be cast to its type; NULL: the library has no such function.
lwi_library_function lwi_library_find(void *library, const char *name);

/* --- child processes (platform_process.c) ----------------------------------------------------------------- */

/// A child process that writes its answer to a pipe.
typedef struct lwi_process {
  long id;
  int pipe; ///< Its end to read from.
} lwi_process;

/// Start a program, without a shell. It inherits environment and working folder, and no open file but the pipe:
/// its standard input, output and errors lead nowhere. Signals act on it as by default. Safe while other
/// threads run.
/// @param arguments  NULL-terminated; the first one is the program's file.
/// @param[out] process  To be ended with lwi_process_end(). @return NULL; the reason.
const char *lwi_process_start(const char *const *arguments, lwi_process *process);

typedef enum lwi_process_read_result {
  LWI_PROCESS_READ,
  LWI_PROCESS_CLOSED, ///< It ended, or closed the pipe, before.
  LWI_PROCESS_LATE    ///< The deadline passed.
} lwi_process_read_result;
/// Read what it writes. @param size  Waits for all of these bytes. @param deadline  By lwi_clock().
lwi_process_read_result lwi_process_read(lwi_process *process, void *data, size_t size, double deadline);

/// How a process ended.
typedef enum lwi_process_fate {
  LWI_PROCESS_EXITED,  ///< By itself.
  LWI_PROCESS_CRASHED, ///< By a signal for what it did.
  LWI_PROCESS_KILLED,  ///< By a signal that another program or the system sent.
  LWI_PROCESS_TIMED,   ///< By its limit of processor time, or by lwi_process_end().
  LWI_PROCESS_UNKNOWN  ///< This program ignores SIGCHLD or waits for all children elsewhere.
} lwi_process_fate;
/// Wait for its end until the deadline, then kill it. To be called once; leaves no zombie.
/// @param[out] reason  Static text of the code or signal.
/// @param[out] number  Of the exit code or signal.
lwi_process_fate lwi_process_end(lwi_process *process, double deadline, const char **reason, int *number);

/// In a child: what it may use. Without effect on what it holds already.
typedef struct lwi_process_limits {
  /// Of memory in use, looked at every few milliseconds. Address space may be four times that; where the system
  /// does not tell what is in use, that is all. Under the address and thread sanitizers, which reserve
  /// terabytes, address space has no limit. [bytes]
  uint64_t memory;
  uint64_t stack; ///< [bytes]
  int seconds;    ///< Of processor time.
  int files;      ///< Open at once.
  /// Called when it uses more memory than that, from a signal handler: it may only write to the pipe and exit.
  void (*on_excess)(void);
} lwi_process_limits;
/// In a child: limit itself for good; also: no core dump, no growing of files, no further processes, and no
/// life after the thread that started it (Linux).
/// @param limits  Borrowed until the end of the process.
/// @return NULL; the reason, and some limits may hold.
const char *lwi_process_limit(const lwi_process_limits *limits);
/// In a child: call `on_excess` no more from now on.
void lwi_process_unwatch(void);
/// In a child: write to the pipe. @return false: the parent has closed its end.
bool lwi_process_write(const void *data, size_t size);
/// In a child: end at once: no handlers of atexit(), no buffers written.
_Noreturn void lwi_process_exit(int code);

/// Call work(user, number) in copies of this process, numbered from 0, and wait for all of them. A copy has
/// the memory of the caller, as it was, but no other thread of it; it ends when the work returns, without
/// handlers of atexit(), or with the caller (Linux).
/// @param[out] done  [count] Whether the work returned.
/// @return NULL; the reason why a copy could not be started; those that were have ended.
const char *lwi_process_copies(int count, void (*work)(void *user, int number), void *user, bool *done);

#endif
