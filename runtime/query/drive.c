/* Drives in a world: a path that says where to go, the search for a drive, and what walking costs to reference that. */
#include "query/drive_query.h"

#include "core/status.h"
#include "core/vec3.h"
#include "leeward/distance_field.h"
#include "query/path_query.h"

#include <math.h>

lw_drive_query lw_drive_query_default(void) {
  return (lw_drive_query){.heading = NAN,
                          .within = 0.3f,
                          .snap = {2, 4, 2},
                          .navmesh = LW_NAVMESH_FITTING,
                          .max_nodes = 20000,
                          .cookie = LWI_COOKIE};
}

/* --- what the rest costs ------------------------------------------------------------------------------------------ */

/* A place of a flood takes as long as that many nodes of a search. */
#define WORK_A_PLACE 8
/* Polygons of a field take as long as one node of a search. */
#define POLYGONS_A_WORK 8

/* A distance field to the goal, computed when it is first asked. */
static void make_field(lwi_drive_job *job) {
  lw_distance_field_def def = lw_distance_field_def_default();
  const bool was_held = job->workspace->is_held;
  def.goals = &job->end;
  def.goal_count = 1;
  def.snap = job->query.snap;
  def.profile = job->query.profile;
  def.navmesh = lwi_scene_index(job->scene, job->nav);
  job->has_field = true;
  job->work += job->nav->base->polygons.count / POLYGONS_A_WORK; /* of the other, what it once was counts */
  job->workspace->is_held = false;                               /* by this search itself */
  if (lw_distance_field_create(job->world, job->workspace, &def, &job->field) != LW_OK) job->field = NULL;
  job->workspace->is_held = was_held;
}

/* Past what blocks the drive. Without memory nothing is known. */
static void flood(lwi_drive_job *job) {
  lwi_drive_scratch *scratch = &job->workspace->drive;
  const lwi_drive_ask *ask = &scratch->search.ask;
  job->has_field = true;
  lwi_drive_flood_run(&scratch->flood, &ask->body, ask->to.at, job->from.point);
  job->work += WORK_A_PLACE * (uint64_t)scratch->flood.count;
}

static float rest_of(void *user, lw_vec3 at) {
  lwi_drive_job *job = user;
  lw_field_route route;
  if (job->block_count > 0) {
    if (!job->has_field) flood(job);
    return lwi_drive_flood_rest(&job->workspace->drive.flood, at);
  }
  if (!job->has_field) make_field(job);
  if (!job->field) return INFINITY;
  const bool was_held = job->workspace->is_held;
  job->workspace->is_held = false;
  const lw_status status = lw_distance_field_get(job->field, job->world, job->workspace, at, &route);
  job->workspace->is_held = was_held;
  return status == LW_OK ? route.cost : INFINITY;
}

/* --- both ends ---------------------------------------------------------------------------------------------------- */

/* Parts of a body that may fit where a drive begins, if the whole does not. */
static float fitting_part(const lwi_drive_body *body, const lwi_drive_pose *pose) {
  static const float parts[] = {1, 0.75f, 0.5f, 0.25f};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    if (lwi_drive_body_fits(body, pose, parts[i])) return parts[i];
  return 0;
}

/* The goal itself where it has a heading, else where the path ends, which has been moved off walls. */
static lw_status find_goal(const lwi_drive_job *job, const lwi_drive_body *body, lwi_drive_pose *to) {
  const lw_drive_query *query = &job->query;
  const bool any = isnan(query->heading);
  *to = (lwi_drive_pose){.heading = any ? 0 : (double)query->heading};
  lwi_drive_body alone = lwi_drive_body_alone(body); /* how its trailer will stand there is not known */
  if (lw_navmesh_nearest(job->nav->mesh, any ? job->end : query->to, query->snap, &job->prices.filter,
                         &to->at) != LW_OK)
    return LW_NO_GOAL;
  if (any || lwi_drive_body_fits(&alone, to, 1)) return LW_OK;
  alone.block_count = 0;
  return lwi_drive_body_fits(&alone, to, 1) ? LW_NO_PATH : LW_NO_GOAL; /* others stand there */
}

/* A vehicle that cannot be driven so far in any way, from where it stands, cannot be driven there either. [m] */
#define MOVE 0.3
/* Less than that counts for rounding. [m] */
#define NO_NEARER 0.01f

static bool can_move(const lwi_drive_ask *ask, const lwi_drive_pose *pose) {
  const lwi_drive_start none = {.reach = 0};
  const lwi_drive_body alone = lwi_drive_body_alone(&ask->body);
  for (int i = 0; i < 6; i++) {
    lwi_drive_pose to = *pose;
    float cost = 0;
    if (lwi_drive_along(&alone, &none, i % 3 - 1, i < 3 ? MOVE : -MOVE, &to, &cost)) return true;
  }
  return false;
}

/* A goal that cannot be left is known at once not to be reached. */
static bool is_walled_in(const lwi_drive_ask *ask) {
  return !ask->any_heading && lwi_distance_xz(ask->from.at.point, ask->to.at.point) > (float)MOVE &&
         !can_move(ask, &ask->to);
}

/* With its trailer. */
static float length_of(const lw_profile *profile) {
  const lw_vehicle *vehicle = &profile->def.body.vehicle;
  const lw_trailer *trailer = lwi_trailer_of(profile);
  return trailer ? (vehicle->length + vehicle->wheelbase) / 2 + lwi_trailer_reach(trailer) : vehicle->length;
}

/* Where it begins. */
static double trailer_heading(const lw_drive_query *query) {
  const lw_trailer *trailer = lwi_trailer_of(query->profile);
  const float angle = trailer ? fminf(trailer->max_angle, fmaxf(-trailer->max_angle, query->trailer_angle)) : 0;
  return (double)(query->from_heading + angle);
}

/* To a block that is too near already, as it was stopped there, it is to come no nearer. */
static void leave_gaps(lwi_drive_job *job, const lwi_drive_ask *ask) {
  for (int i = 0; i < job->block_count; i++) {
    lwi_drive_block *block = &job->blocks[i];
    block->gap = fminf(block->gap, lwi_drive_body_gap(&ask->body, &ask->from, block) - NO_NEARER);
  }
}

static lwi_drive_ask ask_of(lwi_drive_job *job) {
  const lw_drive_query *query = &job->query;
  lwi_drive_ask ask = {.body = lwi_drive_body_of(job->nav->mesh, query->profile, &job->prices),
                       .reverse_cost = query->profile->def.body.vehicle.reverse_cost,
                       .from = {job->from, (double)query->from_heading, trailer_heading(query)},
                       .any_heading = isnan(query->heading),
                       .within = query->within,
                       .max_nodes = query->max_nodes,
                       .rest = rest_of,
                       .user = job};
  ask.body.blocks = job->blocks;
  ask.body.block_count = job->block_count;
  leave_gaps(job, &ask); /* a saved game has them: what follows is to be the same with them */
  ask.start = (lwi_drive_start){job->from.point, length_of(query->profile), fitting_part(&ask.body, &ask.from)};
  return ask;
}

lw_status lwi_drive_job_begin(lwi_drive_job *job, const lw_path *path) {
  lwi_drive_scratch *scratch = &job->workspace->drive;
  job->field = NULL;
  job->has_field = false;
  job->work = 0;
  job->end = path->points[path->point_count - 1];
  lwi_drive_ask ask = ask_of(job);
  const lw_status status = find_goal(job, &ask.body, &ask.to);
  if (status != LW_OK) return status;
  if (is_walled_in(&ask)) return LW_NO_PATH;
  if (!lwi_drive_lay_reference(scratch, &ask.body, job->from, path->points, path->point_count))
    return LW_OUT_OF_MEMORY;
  lwi_drive_search_begin(scratch, &ask, &job->scene->allocator);
  return LW_UNFINISHED;
}

lw_status lwi_drive_job_step(lwi_drive_job *job, uint64_t work) {
  lwi_drive_scratch *scratch = &job->workspace->drive;
  const uint64_t end = work > UINT64_MAX - job->work ? UINT64_MAX : job->work + work;
  while (scratch->search.status == LW_UNFINISHED && job->work < end) {
    const int poses = lwi_drive_search_step(scratch, 1);
    job->work += LWI_WORK_A_POSE * (uint64_t)poses;
  }
  return scratch->search.status;
}

lw_drive *lwi_drive_job_take(lwi_drive_job *job) {
  lw_drive *drive = lwi_drive_search_take(&job->workspace->drive);
  if (drive) drive->navmesh = lwi_scene_index(job->scene, job->nav);
  lwi_drive_job_drop(job);
  return drive;
}

void lwi_drive_job_drop(lwi_drive_job *job) {
  lw_distance_field_destroy(job->field);
  job->field = NULL;
  if (job->workspace) lwi_drive_search_drop(&job->workspace->drive);
}

/* --- the public call ---------------------------------------------------------------------------------------------- */

static bool check(const lwi_scene *scene, const lw_drive_query *query) {
  return query->cookie == LWI_COOKIE && query->profile && lwi_is_vehicle(query->profile) &&
         lwi_finite(query->from) && lwi_finite(query->to) && lwi_is_snap(query->snap) &&
         isfinite(query->from_heading) && isfinite(query->trailer_angle) && !isinf(query->heading) &&
         query->within >= 0 && isfinite(query->within) && query->max_nodes >= 1 &&
         lwi_scene_has(scene, query->navmesh);
}

lw_status lw_drive_find(const lw_world *world, lw_workspace *workspace, const lw_drive_query *query,
                        lw_drive **drive) {
  if (!drive) return LW_INVALID;
  *drive = NULL;
  if (!world || !query) return LW_INVALID;
  const lwi_scene *scene = lwi_scene_of(world);
  lw_workspace *own = lwi_workspace_of(scene, workspace);
  if (!own || !check(scene, query)) return LW_INVALID;
  lw_path_query asked = lw_path_query_default();
  asked.from = query->from;
  asked.to = query->to;
  asked.snap = query->snap;
  asked.profile = query->profile;
  asked.navmesh = query->navmesh;
  asked.path_style = LW_PATH_ROUNDED;
  const lwi_path_run run = lwi_path_run_of(scene, own, &asked, NULL);
  lwi_drive_job job = {
      .world = world, .scene = scene, .workspace = own, .query = *query, .prices = *run.prices};
  lw_status status = lwi_path_run_place_start(&run, &job.nav, &job.from);
  lw_path *path = NULL;
  if (status == LW_OK) status = lwi_path_run_find_from(&run, job.nav, job.from, &path);
  if (status == LW_OK) status = lwi_drive_job_begin(&job, path);
  if (status == LW_UNFINISHED) status = lwi_drive_job_step(&job, UINT64_MAX);
  *drive = lwi_drive_job_take(&job);
  lw_path_destroy(path);
  return status;
}
