#include "geometry/plugin_load.h"

#include "core/platform.h"
#include "core/status.h"

#define PLUGIN "leeward_bake"
#define FOLDERS_UP 3

/* In the folder of this library and in those above it: an installed and a built one differ. A file that exists but
   cannot be loaded ends the search, so that the message gives its reason.
   @param[out] file  [LWI_PATH_SIZE] Without a folder: the system looks for it. */
static void find(char *file) {
  char folder[LWI_PATH_SIZE];
  bool known = lwi_path_of_library(folder);
  for (int up = 0; known && up < FOLDERS_UP && lwi_path_up(folder); ++up)
    if (lwi_library_file(folder, PLUGIN, file) && lwi_path_is_file(file)) return;
  lwi_library_file(NULL, PLUGIN, file);
}

lw_status lwi_plugin_open(lwi_plugin_handle *handle, lw_error *error) {
  char file[LWI_PATH_SIZE];
  find(file);
  return lwi_plugin_open_file(handle, file, error);
}

lw_status lwi_plugin_open_file(lwi_plugin_handle *handle, const char *file, lw_error *error) {
  const char *reason;
  *handle = (lwi_plugin_handle){.library = lwi_library_open(file, &reason)};
  if (!handle->library)
    return lwi_fail(error, LW_NO_BAKE,
                    "libleeward_bake.so, which bakes and reads geometry files, cannot be loaded: %s", reason);
  typedef const lwi_plugin *(*getter)(void);
  getter get = (getter)lwi_library_find(handle->library, LWI_PLUGIN_SYMBOL);
  if (get) handle->plugin = get();
  if (handle->plugin && handle->plugin->version == LWI_PLUGIN_VERSION) return LW_OK;
  int version = handle->plugin ? handle->plugin->version : 0;
  lwi_plugin_close(handle);
  return lwi_fail(error, LW_NO_BAKE, "%s is of version %d, expected version %d", file, version,
                  LWI_PLUGIN_VERSION);
}

void lwi_plugin_close(lwi_plugin_handle *handle) {
  lwi_library_close(handle->library);
  *handle = (lwi_plugin_handle){0};
}
