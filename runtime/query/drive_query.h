/// Finding drives in a world.
#ifndef LW_QUERY_DRIVE_QUERY_H
#define LW_QUERY_DRIVE_QUERY_H

#include "query/workspace.h"

/// A drive that is to be found, along a path that was.
typedef struct lwi_drive_run {
  const lw_world *world;
  const lwi_scene *scene;
  lw_workspace *workspace;
  const lw_drive_query *query;
  const lwi_prices *prices; ///< That say where it may drive.
  const lwi_nav *nav;
  lw_location from;
  const lw_path *path;           ///< Rounded, to the query's `to`.
  const lwi_drive_block *blocks; ///< [block_count] Places that it keeps away from. Borrowed.
  int block_count;
} lwi_drive_run;

/// @return As lw_drive_find().
lw_status lwi_drive_run_find(const lwi_drive_run *run, lw_drive **drive);

#endif
