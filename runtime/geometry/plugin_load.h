/// Finding and loading libleeward_bake.so.
#ifndef LW_GEOMETRY_PLUGIN_LOAD_H
#define LW_GEOMETRY_PLUGIN_LOAD_H

#include "geometry/plugin.h"
#include "leeward/base.h"

typedef struct lwi_plugin_handle {
  void *library;
  const lwi_plugin *plugin; ///< Valid until lwi_plugin_close().
} lwi_plugin_handle;

/// Looks in the folder of the leeward library (or program) itself, its parent and its grandparent, then where
/// the system looks. The loader counts, so that any number may be open at a time.
/// @return LW_OK or LW_NO_BAKE with the loader's own words.
lw_status lwi_plugin_open(lwi_plugin_handle *handle, lw_error *error);
void lwi_plugin_close(lwi_plugin_handle *handle);

#endif
