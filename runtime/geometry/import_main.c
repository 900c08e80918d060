/* leeward_import: the program that reads a level file for import_run.c, limits itself first, and writes the triangles
   to its pipe. */
#include "core/platform.h"
#include "geometry/import_run.h"

#include <stdio.h>
#include <stdlib.h>

#define STACK (8u << 20)
#define OPEN_FILES 16

#if defined(__SANITIZE_ADDRESS__)
/* A crash must end it by a signal here, too. Leaks are not looked for: it ends without freeing anything. */
__attribute__((visibility("default"))) const char *__asan_default_options(void);
const char *__asan_default_options(void) {
  return "handle_segv=0:abort_on_error=1:detect_leaks=0";
}
#endif

static const lwi_plugin *load(const char *file, lwi_import_scene *scene) {
  lwi_plugin_handle handle;
  lw_error error;
  if (!lwi_plugin_open_file(&handle, file, &error)) return handle.plugin;
  snprintf(scene->message, sizeof scene->message, "%.255s", error.text);
  return NULL;
}

static bool limit(const lwi_process_limits *limits, lwi_import_scene *scene) {
  const char *reason = lwi_process_limit(limits);
  if (reason) snprintf(scene->message, sizeof scene->message, "its reader cannot be limited: %s", reason);
  return !reason;
}

/* The answer, without any more memory. Also called by a signal handler. */
static _Noreturn void answer_out_of_memory(void) {
  static const lwi_import_scene none = {0};
  lwi_import_scene_send(&none, LWI_PLUGIN_OUT_OF_MEMORY, lwi_process_write);
  lwi_process_exit(EXIT_SUCCESS);
}

int main(int count, char **arguments) {
  if (count < LWI_IMPORT_ALLOWED || atoi(arguments[LWI_IMPORT_VERSION]) != LWI_PLUGIN_VERSION) {
    fprintf(stderr,
            "leeward_import reads level files for libleeward; it is not meant to be called otherwise\n");
    return EXIT_FAILURE;
  }
  const lwi_import_job job = {.file = arguments[LWI_IMPORT_FILE],
                              .allowed = (const char *const *)(arguments + LWI_IMPORT_ALLOWED),
                              .allowed_count = count - LWI_IMPORT_ALLOWED,
                              .memory_max = strtoull(arguments[LWI_IMPORT_MEMORY], NULL, 10)};
  lwi_import_scene scene = {0};
  lwi_plugin_status status = LWI_PLUGIN_FAILED;
  const lwi_process_limits limits = {.memory = job.memory_max,
                                     .stack = STACK,
                                     .seconds = atoi(arguments[LWI_IMPORT_SECONDS]),
                                     .files = OPEN_FILES,
                                     .on_excess = answer_out_of_memory};
  if (limit(&limits, &scene)) {
    const lwi_plugin *plugin = load(arguments[LWI_IMPORT_PLUGIN], &scene);
    lwi_memory memory = lwi_memory_make(NULL);
    if (plugin) {
      plugin->on_out_of_memory(answer_out_of_memory);
      status = plugin->read_scene(&job, &memory, &scene);
    }
  }
  lwi_process_unwatch();
  lwi_process_exit(lwi_import_scene_send(&scene, status, lwi_process_write) ? EXIT_SUCCESS : EXIT_FAILURE);
}
