/* A search for a taut path in stages. Among obstacles the bounds on what is left know no obstacle, so that a search looks
   at all ground on which paths could be a little shorter. A path over the navmesh as it was baked takes a hundredth of that
   to find, and mostly the best one among obstacles runs along it. So once a search proves to be long, portals far from that
   path come later than those near it. */
#include "search/taut_funnel.h"
#include "search/taut_run.h"

#include <limits.h>

/* A search is long from this number of nodes on. */
#define FEW_NODES 128
/* With less of more_weight there are few obstacles. */
#define MIN_WEIGHT 0.02F
/* With fewer portals searches are long only where obstacles block that path. */
#define MIN_PORTALS 12000
/* Portals that are much further from the path than this come later... [m] */
#define BAND 1.5F
/* ...by this part of what more_weight may make paths longer by. */
#define BESIDE 0.5F

/* --- the line of a path ----------------------------------------------------------------------------------- */

static bool add_corner(lwi_taut_run *run, lw_vec3 at) {
  lwi_taut_scratch *scratch = run->scratch;
  if (!lwi_reserve(run->common.memory, &scratch->line, &scratch->line_capacity, scratch->line_count + 1,
                   sizeof *scratch->line))
    return false;
  scratch->line[scratch->line_count++] = at;
  return true;
}

/* The taut path to a place, back to the start or to where a link ends. @param node  The last one before the place. */
static bool add_taut(lwi_taut_run *run, uint32_t node, lw_vec3 to) {
  const lwi_taut_corner *corners = run->scratch->corners;
  uint32_t at = lwi_taut_funnel_before(corners, &run->scratch->nodes[node].funnel, to);
  for (; at != LWI_NONE; at = corners[at].before)
    if (!add_corner(run, corners[at].at)) return false;
  return true;
}

/* The last link by which a path comes to a node. @return LWI_NONE: it takes none. */
static uint32_t link_before(const lwi_taut_run *run, uint32_t node) {
  const lwi_taut_node *nodes = run->scratch->nodes;
  while (node != LWI_NONE && !lwi_taut_is_link(&nodes[node])) node = nodes[node].parent;
  return node;
}

/* From the goal back to the start. */
static bool read_line(lwi_taut_run *run) {
  lw_vec3 to = run->to;
  uint32_t node = run->last;
  run->scratch->line_count = 0;
  if (!add_corner(run, to)) return false;
  while (node != LWI_NONE) {
    if (!add_taut(run, node, to)) return false;
    node = link_before(run, node);
    if (node == LWI_NONE) return true;
    const lwi_taut_node *link = &run->scratch->nodes[node];
    to = run->common.mesh->links.items[link->portal & ~LWI_UNIFORM_LINK].start;
    if (!add_corner(run, to)) return false;
    node = link->parent;
  }
  return add_corner(run, run->common.query->from);
}

/* --- stages ----------------------------------------------------------------------------------------------- */

/* Search on the navmesh as it was baked. @return false: no memory. */
static bool begin_baked(lwi_taut_staged *staged) {
  const lwi_search_query *asked = staged->asked;
  const lw_navmesh *mesh = asked->graph->mesh, *base = lwi_base_of(mesh);
  staged->stage = LWI_TAUT_BAKED;
  staged->baked_graph = lwi_graph_of(base);
  staged->baked = *asked;
  staged->baked.graph = &staged->baked_graph;
  staged->baked.cost_model.mesh = base;
  staged->baked.from_region = lwi_origin_of(mesh, asked->from_region);
  staged->baked.to_region = lwi_origin_of(mesh, asked->to_region);
  return lwi_taut_begin(&staged->run, staged->run.common.search, &staged->baked) &&
         lwi_taut_leave(&staged->run);
}

/* @param length  Of the path that is in scratch->line. [m; 0: there is none] @return false: no memory. */
static bool begin_last(lwi_taut_staged *staged, float length) {
  lwi_taut_run *run = &staged->run;
  lwi_search *search = run->common.search;
  lwi_taut_scratch *scratch = run->scratch;
  staged->stage = LWI_TAUT_LAST;
  if (!lwi_taut_begin(run, search, staged->asked)) return false;
  if (length > 0) {
    if (!lwi_band_lay(&scratch->band, search->memory, scratch->line, scratch->line_count, BAND)) return false;
    run->band = &scratch->band;
    run->beside = BESIDE * run->more_weight * length;
  }
  return lwi_taut_leave(run);
}

/* Go on to the next stage. @param status  Of the stage before. @return false: no memory. */
static bool begin_next(lwi_taut_staged *staged, lw_status status) {
  lwi_search *search = staged->run.common.search;
  const int expanded = search->expanded;
  bool good = true;
  if (staged->stage == LWI_TAUT_FIRST)
    good = begin_baked(staged);
  else if (status == LW_OK)
    good = read_line(&staged->run) && begin_last(staged, staged->run.best);
  else
    good = begin_last(staged, 0);
  search->expanded = expanded;
  return good;
}

/* Is there another stage behind one that ended so? */
static bool has_next(const lwi_taut_staged *staged, lw_status status) {
  if (staged->stage == LWI_TAUT_FIRST) return status == LW_UNFINISHED;
  return staged->stage == LWI_TAUT_BAKED && (status == LW_OK || status == LW_NO_PATH);
}

static lw_status search_on(lwi_taut_staged *staged) {
  lwi_taut_run *run = &staged->run;
  for (;;) {
    const lw_status status = lwi_taut_search_on(run, staged->stage == LWI_TAUT_FIRST ? FEW_NODES : INT_MAX);
    if (status == LW_UNFINISHED && lwi_search_is_due(run->common.search)) return status;
    if (!has_next(staged, status)) return status == LW_OK ? lwi_taut_collect(run, run->last) : status;
    if (!begin_next(staged, status)) return LW_OUT_OF_MEMORY;
  }
}

/* Is the search worth stages, should it be long? On one polygon as it was baked there is no path to look for. */
static bool has_stages(const lwi_taut_run *run, const lwi_search_query *query) {
  return run->more_weight >= MIN_WEIGHT && lwi_uniform_portals(&run->common) >= MIN_PORTALS &&
         query->has_landmarks &&
         lwi_origin_of(run->common.mesh, query->from_region) !=
             lwi_origin_of(run->common.mesh, query->to_region);
}

lw_status lwi_taut_search_run(lwi_search *search, const lwi_search_query *query) {
  lwi_taut_scratch *scratch = &search->taut;
  if (!scratch->staged) scratch->staged = lwi_alloc(search->memory, sizeof *scratch->staged);
  lwi_taut_staged *staged = scratch->staged;
  if (!staged || !lwi_taut_begin(&staged->run, search, query)) return LW_OUT_OF_MEMORY;
  if (query->from_region == query->to_region) return LW_OK;
  staged->asked = query;
  staged->stage = has_stages(&staged->run, query) ? LWI_TAUT_FIRST : LWI_TAUT_LAST;
  return lwi_taut_leave(&staged->run) ? search_on(staged) : LW_OUT_OF_MEMORY;
}

lw_status lwi_taut_search_go_on(lwi_search *search) {
  return search_on(search->taut.staged);
}
