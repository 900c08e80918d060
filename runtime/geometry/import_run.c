#include "geometry/import_run.h"

#include "core/platform.h"
#include "core/status.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define HELPER "leeward_import"
#define MEGABYTE 1e6

/* --- its result --------------------------------------------------------------------------------------------- */

static lw_status refuse(const char *file, const char *message, lw_error *error) {
  return lwi_fail(error, LW_BAD_FILE, "cannot read '%s': %s", file, message);
}

static lw_status fail_memory(const lwi_import_job *job, const char *message, lw_error *error) {
  return lwi_fail(error, LW_LIMIT,
                  "cannot read '%s': %s%sit needs more memory than %.0f MB, the import's `memory`", job->file,
                  message, message[0] ? ": " : "", (double)job->memory_max / MEGABYTE);
}

static lw_status take(const lwi_import_job *job, lwi_plugin_status status, const lwi_import_scene *scene,
                      lw_error *error) {
  switch (status) {
  case LWI_PLUGIN_OK: return LW_OK;
  case LWI_PLUGIN_OUT_OF_MEMORY:
  case LWI_PLUGIN_LIMIT: return fail_memory(job, scene->message, error);
  default: return refuse(job->file, scene->message, error);
  }
}

lw_status lwi_import_run_here(const lwi_plugin_handle *plugin, const lwi_import_job *job, lwi_memory *memory,
                              lwi_import_scene *scene, lw_error *error) {
  lwi_plugin_status status = plugin->plugin->read_scene(job, memory, scene);
  if (status == LWI_PLUGIN_OUT_OF_MEMORY) return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  return take(job, status, scene, error);
}

/* --- the program ------------------------------------------------------------------------------------------ */

/* @param folder  Of the library. @param[out] helper  [LWI_PATH_SIZE] */
static bool find_helper(const char *folder, char *helper) {
  static const char *const folders[] = {"", "leeward/"};
  for (int i = 0; i < 2; ++i) {
    const int length = snprintf(helper, LWI_PATH_SIZE, "%s/%s" HELPER, folder, folders[i]);
    if (length < LWI_PATH_SIZE && lwi_path_is_file(helper)) return true;
  }
  return false;
}

static lw_status fail_missing(const char *folder, lw_error *error) {
  return lwi_fail(
      error, LW_NO_BAKE,
      HELPER
      ", the program that reads level files, is missing: it is neither in '%s', beside "
      "libleeward_bake.so, nor in its folder 'leeward' (the setting `in_process` reads levels without it)",
      folder);
}

static lw_status fail_start(const char *helper, const char *reason, lw_error *error) {
  return lwi_fail(error, LW_NO_BAKE,
                  "'%s', the program that reads level files, cannot be started: %s (the setting `in_process` "
                  "reads levels without it)",
                  helper, reason);
}

static lw_status start(const lwi_plugin_handle *plugin, const lwi_import_job *job, int seconds,
                       lwi_memory *memory, lwi_process *process, lw_error *error) {
  char library[LWI_PATH_SIZE], folder[LWI_PATH_SIZE] = "", helper[LWI_PATH_SIZE], text[3][32];
  if (lwi_path_of_function((lwi_library_function)plugin->plugin->read_scene, library))
    memcpy(folder, library, sizeof folder);
  if (!lwi_path_up(folder) || !find_helper(folder, helper)) return fail_missing(folder, error);
  const size_t size = ((size_t)LWI_IMPORT_ALLOWED + (size_t)job->allowed_count + 1) * sizeof(char *);
  const char **arguments = lwi_alloc(memory, size);
  if (!arguments) return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  snprintf(text[0], sizeof text[0], "%d", LWI_PLUGIN_VERSION);
  snprintf(text[1], sizeof text[1], "%" PRIu64, job->memory_max);
  snprintf(text[2], sizeof text[2], "%d", seconds);
  arguments[0] = helper;
  arguments[LWI_IMPORT_VERSION] = text[0];
  arguments[LWI_IMPORT_PLUGIN] = library;
  arguments[LWI_IMPORT_MEMORY] = text[1];
  arguments[LWI_IMPORT_SECONDS] = text[2];
  arguments[LWI_IMPORT_FILE] = job->file;
  for (int i = 0; i < job->allowed_count; ++i) arguments[LWI_IMPORT_ALLOWED + i] = job->allowed[i];
  arguments[LWI_IMPORT_ALLOWED + job->allowed_count] = NULL;
  const char *reason = lwi_process_start(arguments, process);
  lwi_free(memory, arguments, size);
  return reason ? fail_start(helper, reason, error) : LW_OK;
}

/* --- its answer ------------------------------------------------------------------------------------------- */

typedef struct answer {
  lwi_process process;
  double deadline; /* of lwi_clock() */
  bool late;
} answer;

static bool get(void *user, void *data, size_t size) {
  answer *from = user;
  const lwi_process_read_result result = lwi_process_read(&from->process, data, size, from->deadline);
  from->late = from->late || result == LWI_PROCESS_LATE;
  return result == LWI_PROCESS_READ;
}

static lw_status fail_time(const lwi_import_job *job, int seconds, lw_error *error) {
  return lwi_fail(error, LW_LIMIT, "cannot read '%s': it takes longer than %d s, the import's `seconds`",
                  job->file, seconds);
}

/* A file that is too deep or too large for Assimp ends its process in the same way as a damaged file does. */
static lw_status fail_end(const lwi_import_job *job, int seconds, lwi_process_fate fate, const char *reason,
                          int number, lw_error *error) {
  switch (fate) {
  case LWI_PROCESS_TIMED: return fail_time(job, seconds, error);
  case LWI_PROCESS_KILLED:
    return lwi_fail(
        error, LW_FILE,
        "cannot read '%s': its reader was ended from outside (%s, signal %d): by another program, or by "
        "a system that is short of memory",
        job->file, reason, number);
  case LWI_PROCESS_CRASHED:
    return lwi_fail(
        error, LW_BAD_FILE,
        "cannot read '%s': its reader crashed (%s, signal %d): it is damaged, nested too deeply, or "
        "needs more than %.0f MB, the import's `memory`",
        job->file, reason, number, (double)job->memory_max / MEGABYTE);
  case LWI_PROCESS_EXITED:
    return lwi_fail(error, LW_NO_BAKE, "cannot read '%s': " HELPER " gave no answer (%s %d)", job->file, reason,
                    number);
  default:
    return lwi_fail(
        error, LW_BAD_FILE,
        "cannot read '%s': its reader ended without an answer; this program ignores SIGCHLD or waits "
        "for all of its children, so why is unknown",
        job->file);
  }
}

lw_status lwi_import_run(const lwi_plugin_handle *plugin, const lwi_import_job *job, int seconds_max,
                         lwi_memory *memory, lwi_import_scene *scene, lw_error *error) {
  *scene = (lwi_import_scene){0};
  answer from = {.deadline = lwi_clock() + 4.0 * seconds_max};
  lw_status failure = start(plugin, job, seconds_max, memory, &from.process, error);
  if (failure) return failure;
  lwi_plugin_status status;
  const lwi_import_scene_result result =
      lwi_import_scene_receive(get, &from, job->memory_max, memory, scene, &status);
  /* After a wrong or late answer it is not waited for: lwi_process_end() kills it at once. */
  const bool ends = result == LWI_IMPORT_RECEIVED || (result == LWI_IMPORT_CUT && !from.late);
  const char *reason;
  int number;
  const lwi_process_fate fate = lwi_process_end(&from.process, ends ? from.deadline : 0, &reason, &number);
  switch (result) {
  case LWI_IMPORT_RECEIVED: return take(job, status, scene, error);
  case LWI_IMPORT_OUT_OF_MEMORY: return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  case LWI_IMPORT_TOO_LARGE: return fail_memory(job, "", error);
  case LWI_IMPORT_MALFORMED: return refuse(job->file, "its reader gave an answer that makes no sense", error);
  default:
    return from.late ? fail_time(job, seconds_max, error)
                     : fail_end(job, seconds_max, fate, reason, number, error);
  }
}
