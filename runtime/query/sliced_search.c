#include "query/sliced_search.h"

#include "core/status.h"

#include <stdio.h>
#include <string.h>

/* --- memory ------------------------------------------------------------------------------------------------------- */

bool lwi_sliced_search_init(lw_search *search, const lwi_scene *scene, lw_workspace *workspace) {
  *search = (lw_search){.memory = lwi_memory_make(&scene->allocator), .scene = scene, .status = LW_UNFINISHED};
  search->workspace = workspace ? workspace : lwi_workspace_make(scene);
  search->owns_workspace = !workspace;
  if (search->workspace) search->workspace->is_held = true;
  return search->workspace != NULL;
}

void lwi_sliced_search_free(lw_search *search) {
  if (!search->scene) return;
  lwi_sliced_search_drop(search);
  lwi_free(&search->memory, search->goals, (size_t)search->goal_capacity * sizeof *search->goals);
  lwi_free(&search->memory, search->threats, (size_t)search->threat_capacity * sizeof *search->threats);
  if (search->workspace) search->workspace->is_held = false;
  if (search->owns_workspace) lw_workspace_destroy(search->workspace);
  *search = (lw_search){.scene = NULL};
}

/* --- slices ------------------------------------------------------------------------------------------------------- */

static bool copy_query(lw_search *search, const lw_path_query *query) {
  const int count = query->threat_count;
  if (!lwi_reserve(&search->memory, &search->threats, &search->threat_capacity, count, sizeof *search->threats))
    return false;
  if (count > 0) memcpy(search->threats, query->threats, (size_t)count * sizeof *query->threats);
  if (!lwi_reserve(&search->memory, &search->goals, &search->goal_capacity, query->goal_count,
                   sizeof *search->goals))
    return false;
  if (query->goal_count > 0)
    memcpy(search->goals, query->goals, (size_t)query->goal_count * sizeof *query->goals);
  search->query = *query;
  search->query.goals = query->goal_count > 0 ? search->goals : NULL;
  search->query.threats = count > 0 ? search->threats : NULL;
  if (!query->team) return true;
  snprintf(search->team, sizeof search->team, "%s", query->team);
  search->query.team = search->team;
  return true;
}

void lwi_sliced_search_drop(lw_search *search) {
  if (search->is_searching) lwi_path_search_cancel(&search->nav_search.search);
  lw_path_destroy(search->path);
  search->path = NULL;
  if (search->drive.is_begun) lwi_drive_job_drop(&search->drive.job);
  lw_drive_destroy(search->drive.found);
  search->drive.found = NULL;
  search->is_begun = search->is_searching = search->drive.is_begun = false;
  search->field.is_asked = search->field.is_alone = false;
  search->field.led = NULL;
  search->status = LW_UNFINISHED;
}

bool lwi_sliced_search_begin(lw_search *search, const lw_path_query *query, const lwi_sliced_from *from) {
  lwi_sliced_search_drop(search);
  search->begins = 0;
  search->work = search->field.work = 0;
  search->from = *from;
  if (from->limits) search->limits = *from->limits;
  search->from.limits = from->limits ? &search->limits : NULL;
  search->blockers.count = 0;
  if (from->blockers) search->blockers = *from->blockers;
  search->from.blockers = search->blockers.count > 0 ? &search->blockers : NULL;
  search->drive.is_asked = from->drive != NULL;
  if (from->drive) search->drive.job = *from->drive;
  search->from.drive = NULL;
  search->drive.job.workspace = search->workspace;
  return copy_query(search, query);
}

lwi_path_run lwi_sliced_run(const lwi_scene *scene, lw_workspace *workspace, const lw_path_query *query,
                            const lwi_sliced_from *from) {
  lwi_path_run run = lwi_path_run_of(scene, workspace, query, from->limits);
  run.spared = from->spared;
  run.goal_reach = from->goal_reach;
  run.blockers = from->blockers;
  run.is_cold = from->is_cold;
  run.is_sliced = true;
  return run;
}

/* What the searches of all navmeshes took so far. */
static uint64_t spent_by(const lw_workspace *workspace) {
  uint64_t sum = 0;
  for (int i = 0; i < workspace->scene->nav_count; i++) sum += workspace->navs[i].search.spent;
  return sum;
}

/* A path to one of several goals, or that may lead over several navmeshes. */
static lw_status find_whole(lw_search *search, const lwi_nav *nav, lw_location at) {
  const lwi_path_run *run = &search->run;
  const uint64_t before = spent_by(search->workspace);
  const lw_status status = search->query.goal_count > 0 ? lwi_path_run_find(run, &search->path)
                                                        : lwi_path_run_find_from(run, nav, at, &search->path);
  search->work += spent_by(search->workspace) - before;
  return status;
}

/* Find both ends, and let the search of one navmesh begin; what is not interrupted is found at once. */
static lw_status begin(lw_search *search) {
  lwi_path_run *run = &search->run;
  const lwi_nav *nav = search->from.nav;
  lw_location at = search->from.at;
  *run = lwi_sliced_run(search->scene, search->workspace, &search->query, &search->from);
  lw_status status = nav ? LW_OK : lwi_path_run_place_start(run, &nav, &at);
  if (status != LW_OK) return status;
  if (search->query.goal_count > 0 || lwi_path_run_may_cross(run)) return find_whole(search, nav, at);
  status = lwi_path_run_reach_ends(run, nav, at, &search->start);
  if (status != LW_OK) return status;
  status = lwi_nav_search_begin(&search->nav_search, run, nav, search->start.reach, &search->start.ends,
                                search->query.max_nodes);
  search->is_searching = search->field.is_asked = status == LW_OK;
  return search->is_searching ? LW_UNFINISHED : status;
}

/* Has what the search points into been changed or freed? */
bool lwi_sliced_search_is_outdated(const lw_search *search) {
  return search->ground.changes != search->scene->changes ||
         search->ground.forgotten != search->workspace->forgotten;
}

static void begin_again(lw_search *search) {
  lwi_sliced_search_drop(search);
  search->is_begun = true;
  search->begins += 1;
  search->work += LWI_WORK_A_SEARCH;
  search->pausable = 0;
  search->ground = (lwi_sliced_ground){search->scene->changes, search->workspace->forgotten};
  search->status = begin(search);
}

/* What threats see of the ground may have changed since the last slice, and the maps that show it were moved. */
static lw_status renew_watch(lw_search *search) {
  lwi_nav_search *at = &search->nav_search;
  if (search->query.threat_count == 0) return LW_OK;
  lwi_nav_scratch *scratch = lwi_workspace_nav(search->workspace, at->nav);
  return scratch ? lwi_path_run_watch(at->run, at->nav, scratch, &at->watch) : LW_OUT_OF_MEMORY;
}

/* Lead the path along a distance field, if there is one for it. @return false: it is to be searched. */
static bool ask_field(lw_search *search, uint64_t work) {
  if (!search->field.is_asked) return false;
  const uint64_t limit = search->begins >= LWI_SEARCH_BEGINS ? UINT64_MAX : work;
  uint64_t grown = 0;
  const lwi_crowd_lead lead =
      lwi_crowd_lead_search(&search->from.crowd, &search->nav_search, limit, &grown, &search->field.led);
  search->work += grown;
  search->field.work += grown;
  search->field.is_alone = lead == LWI_CROWD_ALONE;
  if (search->field.is_alone || lead == LWI_CROWD_GROWS) return true;
  search->field.is_asked = false;
  if (lead != LWI_CROWD_FAILED) return false;
  search->status = LW_OUT_OF_MEMORY;
  search->is_searching = false;
  return true;
}

static void search_nodes(lw_search *search, uint64_t work) {
  lwi_search *nodes = search->nav_search.search.search;
  const bool is_whole = search->nav_search.pays_timed || search->begins >= LWI_SEARCH_BEGINS;
  const uint64_t before = nodes->spent;
  nodes->pause_at = is_whole || work > LWI_NO_PAUSE - before ? LWI_NO_PAUSE : before + work;
  search->status = renew_watch(search);
  if (search->status == LW_OK)
    search->status = lwi_nav_search_go_on(&search->nav_search, &search->path);
  else
    lwi_path_search_cancel(&search->nav_search.search);
  nodes->pause_at = LWI_NO_PAUSE;
  search->work += nodes->spent - before;
  search->pausable = is_whole ? 0 : nodes->spent - before;
  search->is_searching = search->status == LW_UNFINISHED;
  if (search->status != LW_OK || !search->start.is_partial) return;
  search->path->partial = true;
  search->status = LW_PARTIAL;
}

static void search_on(lw_search *search, uint64_t work) {
  const uint64_t before = search->work;
  if (ask_field(search, work)) return;
  const uint64_t spent = search->work - before;
  const bool is_led = search->field.led && search->nav_search.search.has_corridor;
  search_nodes(search, work > spent ? work - spent : 0);
  const lwi_crowd_use *use = &search->from.crowd;
  if (!is_led || use->is_beside || use->is_resumed) return;
  lwi_crowd_note_led(use->fields, search->field.led, use->step, search->nav_search.search.is_far);
}

/* The path was found: find the drive along it. */
static void begin_drive(lw_search *search) {
  const bool is_whole = search->begins >= LWI_SEARCH_BEGINS;
  search->drive.is_begun = true;
  search->work += LWI_WORK_A_SEARCH;
  if (is_whole && search->drive.job.query.max_nodes > LWI_POSES_AT_ONCE)
    search->drive.job.query.max_nodes = LWI_POSES_AT_ONCE;
  search->status = lwi_drive_job_begin(&search->drive.job, search->path);
  search->work += search->drive.job.work;
}

/* @param work  That is left. */
static void drive_on(lw_search *search, uint64_t work) {
  const uint64_t before = search->drive.job.work;
  search->status =
      lwi_drive_job_step(&search->drive.job, search->begins >= LWI_SEARCH_BEGINS ? UINT64_MAX : work);
  search->work += search->drive.job.work - before;
  if (search->status == LW_UNFINISHED) return;
  search->drive.found = lwi_drive_job_take(&search->drive.job);
}

bool lwi_sliced_search_step(lw_search *search, uint64_t work) {
  if (search->status != LW_UNFINISHED) return true;
  if (!search->is_begun || lwi_sliced_search_is_outdated(search)) {
    if (search->is_begun && search->from.nav) return false;
    begin_again(search);
  }
  const uint64_t before = search->work;
  if (search->status == LW_UNFINISHED && !search->drive.is_begun) search_on(search, work);
  if (search->status == LW_OK && search->drive.is_asked) begin_drive(search);
  if (search->status != LW_UNFINISHED || !search->drive.is_begun) return true;
  const uint64_t spent = search->work - before;
  drive_on(search, work > spent ? work - spent : 0);
  return true;
}

lw_status lwi_sliced_search_so_far(lw_search *search, lw_path **path) {
  *path = NULL;
  return search->is_searching && !search->drive.is_asked ? lwi_nav_search_so_far(&search->nav_search, path)
                                                         : LW_NO_PATH;
}

/* --- the C API ---------------------------------------------------------------------------------------------------- */

static lw_search *make(const lwi_scene *scene, lw_workspace *workspace, const lw_path_query *query) {
  const lwi_sliced_from from = {.nav = NULL};
  lwi_memory memory = lwi_memory_make(&scene->allocator);
  lw_search *search = lwi_alloc_zero(&memory, sizeof *search);
  if (!search) return NULL;
  if (lwi_sliced_search_init(search, scene, workspace) && lwi_sliced_search_begin(search, query, &from))
    return search;
  lwi_sliced_search_free(search);
  lwi_free(&memory, search, sizeof *search);
  return NULL;
}

lw_status lw_search_begin(const lw_world *world, lw_workspace *workspace, const lw_path_query *query,
                          lw_search **search) {
  if (!search) return LW_INVALID;
  *search = NULL;
  if (!world || !query) return LW_INVALID;
  const lwi_scene *scene = lwi_scene_of(world);
  if (workspace && !lwi_workspace_of(scene, workspace)) return LW_INVALID;
  const lw_status status = lwi_path_query_check(scene, query);
  if (status != LW_OK) return status;
  *search = make(scene, workspace, query);
  return *search ? LW_OK : LW_OUT_OF_MEMORY;
}

lw_status lw_search_step(lw_search *search, int work) {
  if (!search || work < 1) return LW_INVALID;
  lwi_sliced_search_step(search, (uint64_t)work);
  return search->status == LW_UNFINISHED ? LW_UNFINISHED : LW_OK;
}

uint64_t lw_search_work(const lw_search *search) {
  return search ? search->work : 0;
}

lw_status lw_search_finish(lw_search *search, lw_path **path) {
  if (path) *path = NULL;
  if (!search || !path) return LW_INVALID;
  lwi_sliced_search_step(search, LWI_NO_PAUSE);
  const lw_status status = search->status;
  *path = search->path;
  search->path = NULL;
  lw_search_cancel(search);
  return status;
}

void lw_search_cancel(lw_search *search) {
  if (!search) return;
  lwi_memory memory = lwi_memory_make(&search->scene->allocator);
  lwi_sliced_search_free(search);
  lwi_free(&memory, search, sizeof *search);
}
