/// The files that Assimp may open: the level, and what it refers to inside its folder or where the caller
/// allows. Part of libleeward_bake.so.
#ifndef LW_GEOMETRY_IMPORT_FILES_H
#define LW_GEOMETRY_IMPORT_FILES_H

#include "core/platform.h"
#include "geometry/plugin.h"

#include <assimp/cfileio.h>

typedef struct lwi_import_files {
  const lwi_import_job *job;
  lwi_memory memory;
  struct aiFileIO io;             ///< For Assimp; its UserData points to this struct, which must not move.
  bool may_refer;                 ///< Whether any other file than the level is opened.
  struct lwi_import_stream *open; ///< The last opened of the open files.
  unsigned char *level;
  size_t level_size;
  uint64_t left;                ///< Bytes that may still be read.
  char (*roots)[LWI_PATH_SIZE]; ///< [root_count] What may be read: folders and files, as resolved.
  int root_count;
  char refused[LWI_PLUGIN_MESSAGE]; ///< The first reference that was not opened, and why. Empty: none.
} lwi_import_files;

/// Read the level.
/// @param[out] files  To be closed in any case. @param[out] message  [LWI_PLUGIN_MESSAGE] Of a failure.
lwi_plugin_status lwi_import_files_open(lwi_import_files *files, const lwi_import_job *job, char *message);
/// Insert text into the level, as Assimp will see it. Before Assimp opens it.
/// @return false: out of memory; the level is as it was.
bool lwi_import_files_insert(lwi_import_files *files, size_t at, const char *text);
void lwi_import_files_close(lwi_import_files *files);

#endif
