#define _GNU_SOURCE /* dladdr */
#include "geometry/plugin_load.h"

#include "core/status.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SONAME "libleeward_bake.so"
#define FOLDERS_UP 3

/* The path of the library or program that this file is linked into. */
static bool own_path(char path[PATH_MAX]) {
  static const char here = 0;
  Dl_info info;
  if (!dladdr(&here, &info) || !info.dli_fname) return false;
  /* A program found along PATH is known by its bare name alone. */
  const char *name = strchr(info.dli_fname, '/') ? info.dli_fname : "/proc/self/exe";
  return realpath(name, path) != NULL;
}

static bool strip_last(char *path) {
  char *slash = strrchr(path, '/');
  if (!slash) return false;
  *slash = 0;
  return true;
}

/* A file that is there but cannot be loaded ends the search: its reason is the one to tell. */
static void *load(char tried[PATH_MAX]) {
  char folder[PATH_MAX];
  int flags = RTLD_NOW | RTLD_LOCAL;
#ifdef RTLD_NODELETE
  flags |= RTLD_NODELETE; /* Assimp's and C++'s statics are made once; loading again costs nothing. */
#endif
  bool known = own_path(folder);
  for (int up = 0; known && up < FOLDERS_UP && strip_last(folder); ++up) {
    int length = snprintf(tried, PATH_MAX, "%s/%s", folder, SONAME);
    if (length > 0 && length < PATH_MAX && access(tried, F_OK) == 0) return dlopen(tried, flags);
  }
  snprintf(tried, PATH_MAX, "%s", SONAME);
  return dlopen(tried, flags);
}

lw_status lwi_plugin_open(lwi_plugin_handle *handle, lw_error *error) {
  char tried[PATH_MAX];
  *handle = (lwi_plugin_handle){.library = load(tried)};
  if (!handle->library) {
    const char *reason = dlerror();
    return lwi_fail(error, LW_NO_BAKE, "%s, which bakes and reads geometry files, cannot be loaded: %s", SONAME,
                    reason ? reason : "for no stated reason");
  }
  const lwi_plugin *(*get)(void) = NULL;
  void *symbol = dlsym(handle->library, LWI_PLUGIN_SYMBOL);
  memcpy(&get, &symbol, sizeof get); /* POSIX promises that this works; ISO C has no cast for it */
  if (get) handle->plugin = get();
  if (handle->plugin && handle->plugin->version == LWI_PLUGIN_VERSION) return LW_OK;
  int version = handle->plugin ? handle->plugin->version : 0;
  lwi_plugin_close(handle);
  return lwi_fail(error, LW_NO_BAKE, "%s is of another version (%d, this leeward needs %d)", tried, version,
                  LWI_PLUGIN_VERSION);
}

void lwi_plugin_close(lwi_plugin_handle *handle) {
  if (handle->library) dlclose(handle->library);
  *handle = (lwi_plugin_handle){0};
}
