/// Finding drives in a world.
#ifndef LW_QUERY_DRIVE_QUERY_H
#define LW_QUERY_DRIVE_QUERY_H

#include "leeward/distance_field.h"
#include "query/workspace.h"

/// What a pose that a search goes on from takes, in the units of lw_search_step().
#define LWI_WORK_A_POSE 50
/// Places that a drive keeps away from, at most.
#define LWI_DRIVE_BLOCKS 16

/// A drive that is to be found, along a path that was.
typedef struct lwi_drive_job {
  const lw_world *world;
  const lwi_scene *scene;
  lw_workspace *workspace;
  lw_drive_query query;
  lwi_prices prices; ///< That say where it may drive.
  const lwi_nav *nav;
  lw_location from;
  lwi_drive_block blocks[LWI_DRIVE_BLOCKS]; ///< [block_count] Places that it keeps away from.
  int block_count;
  lw_vec3 end;              ///< Of the path. [m]
  lw_distance_field *field; ///< To that end. NULL until it is asked, or there is none.
  bool has_field;           ///< It was asked, or the flood of the workspace is for this job.
  uint64_t work;            ///< That it took since it began.
} lwi_drive_job;

/// Begin. The job and its workspace stay where they are until it is dropped.
/// @param path  Rounded, to the query's `to`. @return LW_UNFINISHED; else as lw_drive_find().
lw_status lwi_drive_job_begin(lwi_drive_job *job, const lw_path *path);
/// Search on with that work. @return LW_UNFINISHED; else as lw_drive_find().
lw_status lwi_drive_job_step(lwi_drive_job *job, uint64_t work);
/// @return The drive, owned by the caller; NULL: none was found.
lw_drive *lwi_drive_job_take(lwi_drive_job *job);
void lwi_drive_job_drop(lwi_drive_job *job);

#endif
