/// Reading a level file in a child process, leeward_import, which stands beside libleeward_bake.so: what kills
/// the reader does not end the caller.
#ifndef LW_GEOMETRY_IMPORT_RUN_H
#define LW_GEOMETRY_IMPORT_RUN_H

#include "geometry/plugin_load.h"

/// Read a file in a child process.
/// @param seconds_max  Of processor time; after four times that of the clock it is ended, too.
/// @param memory  Of the arrays. @param[out] scene  To be freed with lwi_import_scene_free() in any case.
/// @return LW_OK; LW_BAD_FILE: refused, or its reader crashed; LW_LIMIT: memory or time; LW_OUT_OF_MEMORY: of
///   `memory`; LW_NO_BAKE: there is no leeward_import, or it does not run.
lw_status lwi_import_run(const lwi_plugin_handle *plugin, const lwi_import_job *job, int seconds_max,
                         lwi_memory *memory, lwi_import_scene *scene, lw_error *error);
/// The same in this process. @return As above, but LW_OUT_OF_MEMORY also where Assimp ran out of memory.
lw_status lwi_import_run_here(const lwi_plugin_handle *plugin, const lwi_import_job *job, lwi_memory *memory,
                              lwi_import_scene *scene, lw_error *error);

/// What leeward_import is called with, after its own name.
typedef enum lwi_import_argument {
  LWI_IMPORT_VERSION = 1, ///< LWI_PLUGIN_VERSION
  LWI_IMPORT_PLUGIN,      ///< The path of libleeward_bake.so.
  LWI_IMPORT_MEMORY,      ///< [bytes]
  LWI_IMPORT_SECONDS,     ///< [s]
  LWI_IMPORT_FILE,
  LWI_IMPORT_ALLOWED ///< The first of the files and folders that are allowed.
} lwi_import_argument;

#endif
