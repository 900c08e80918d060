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
/// @param[out] file  The caller closes it with fclose().
/// @param[out] size  As the system states it; some special file systems state 0 for files that have contents.
///   [bytes]
/// @return NULL; the reason, and `file` is NULL.
const char *lwi_file_open(const char *name, FILE **file, uint64_t *size);
/// Create and open a new file in the folder of `name`, to replace it later. Refuses a `name` that exists and is
/// no ordinary file.
/// @param[out] temporary  [LWI_PATH_SIZE] The new file's name, which no other thread or process uses.
/// @return NULL; the reason, and `file` is NULL.
const char *lwi_file_create(const char *name, char *temporary, FILE **file);
/// Wait until all that was written is on the device. @return NULL; the reason.
const char *lwi_file_sync(FILE *file);
/// Give `from` the name `to`, in one step that other processes see whole or not at all. @return NULL; the
/// reason.
const char *lwi_file_replace(const char *from, const char *to);
/// Does a terminal show what is written to it?
bool lwi_file_is_terminal(FILE *file);

/* --- paths ------------------------------------------------------------------------------------------------ */

/// Is there an ordinary file, or a link to one?
bool lwi_path_is_file(const char *path);
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

typedef struct lwi_folder lwi_folder;
/// @return NULL: it cannot be read. The caller closes it with lwi_folder_close().
lwi_folder *lwi_folder_open(const char *path);
/// @return The next entry's name, in no particular order; valid until the next call. NULL: no more.
const char *lwi_folder_next(lwi_folder *folder);
/// @param folder  May be NULL.
void lwi_folder_close(lwi_folder *folder);

/// Set a variable of the process's environment. One thread at a time. @return false: out of memory.
bool lwi_environment_set(const char *name, const char *value);

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

/* --- time: for statistics and limits, never for what a run computes --------------------------------------- */

/// @return Seconds since some fixed moment; never goes back.
double lwi_clock(void);
/// @return Processor time that the calling thread has used. [s]
double lwi_clock_thread(void);

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
typedef void (*lwi_library_function)(void);
/// @return To be cast to its type; NULL: the library has no such function.
lwi_library_function lwi_library_find(void *library, const char *name);

#endif
