/* What links between navmeshes cost beside their price. */
#include "query/path_query.h"
#include "search/link_cost.h"

bool lwi_inter_link_extras(const lwi_path_run *run, const lwi_inter_link *link, const lwi_edge *edge,
                           float *exposed_to, lwi_piece_cost *extras) {
  const lwi_nav *nav = &run->scene->navs[link->from];
  lwi_inter_scratch *scratch = &run->workspace->inter;
  const int threats = run->query->threat_count;
  lwi_timed_costs costs[LWI_TIMED_KINDS];
  const lwi_timed_costs *found[LWI_TIMED_KINDS];
  lwi_watch watch;
  *extras = (lwi_piece_cost){0};
  if (!lwi_reserve(&run->workspace->memory, &scratch->exposed, &scratch->exposed_capacity, threats,
                   sizeof *scratch->exposed))
    return false;
  lwi_path_run_timed_links(run, nav, &run->workspace->navs[link->from], costs, found);
  lwi_path_run_watch_plain(run, nav, &watch);
  const bool is_watched = threats > 0 && (watch.factor > 0 || exposed_to);
  const lwi_cost_model cost_model = {.mesh = nav->mesh,
                                     .watch = is_watched ? &watch : NULL,
                                     .exposed_to = scratch->exposed,
                                     .link_dangers = found[LWI_DANGER],
                                     .link_lanes = found[LWI_FIRE_LANE]};
  const lwi_link_crossing crossing = {link->kind, link->start.point, link->end.point, link->length,
                                      lwi_edge_visible(edge)};
  return lwi_cost_on_link(&cost_model, &crossing, exposed_to, extras);
}
