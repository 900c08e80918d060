/// Finding and loading libleeward_bake.so.
#ifndef LW_GEOMETRY_PLUGIN_LOAD_H
#define LW_GEOMETRY_PLUGIN_LOAD_H

#include "geometry/plugin.h"
#include "leeward/base.h"

typedef struct lwi_plugin_handle {
  void *library;
  const lwi_plugin *plugin; ///< Valid until lwi_plugin_close().
} lwi_plugin_handle;

/// Search the folder of the library (or program) that this file is linked into, its parent and its grandparent,
/// then the system's folders for libraries. May be called again while it is open.
/// @param[out] handle  To be closed with lwi_plugin_close(). @return LW_OK; LW_NO_BAKE: not found, not
///   loadable, or of another version.
lw_status lwi_plugin_open(lwi_plugin_handle *handle, lw_error *error);
/// The same for a file that is known.
lw_status lwi_plugin_open_file(lwi_plugin_handle *handle, const char *file, lw_error *error);
/// @param handle  May have failed to open.
void lwi_plugin_close(lwi_plugin_handle *handle);

#endif
