/* How a search begins that a saved game had in progress: as it had begun then. */
#include "world/world.h"

#include <string.h>

void lwi_plan_resume_search(const lw_world *world, const lwi_agent *agent, const lwi_plan_resume *from,
                            lwi_agent_search *search) {
  search->query.threats = from->threats.threats;
  search->query.threat_count = from->threats.count;
  search->query.visibility = agent->route.visibility;
  search->from.nav = &world->scene.navs[from->navmesh];
  search->from.is_cold = from->is_cold;
  search->from.at = search->footing = from->footing;
  search->query.from = from->footing.point;
  search->blockers = from->blockers;
  search->is_steady = lwi_path_run_is_steady(&search->run, search->from.nav);
}

void lwi_plan_resume_drive(const lwi_plan_resume *from, lwi_drive_job *job) {
  job->query.from_heading = from->heading;
  job->query.trailer_angle = from->trailer_angle;
  job->block_count = from->block_count;
  memcpy(job->blocks, from->blocks, sizeof job->blocks);
}
