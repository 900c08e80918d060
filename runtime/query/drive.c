/* Drives in a world: a path that says where to go, the search for a drive, and what walking costs to reference that. */
#include "query/drive_query.h"

#include "core/status.h"
#include "core/vec3.h"
#include "leeward/distance_field.h"
#include "query/path_query.h"

#include <limits.h>
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

/* A distance field to the goal, computed when it is first asked. */
typedef struct rest_field {
  const lwi_drive_run *run;
  lw_distance_field *field;
  bool is_tried;
} rest_field;

static void make_field(rest_field *rest) {
  const lwi_drive_run *run = rest->run;
  lw_distance_field_def def = lw_distance_field_def_default();
  const int last = run->path->point_count - 1;
  def.goals = &run->path->points[last];
  def.goal_count = 1;
  def.snap = run->query->snap;
  def.profile = run->query->profile;
  def.navmesh = lwi_scene_index(run->scene, run->nav);
  rest->is_tried = true;
  if (lw_distance_field_create(run->world, run->workspace, &def, &rest->field) != LW_OK) rest->field = NULL;
}

static float rest_of(void *user, lw_vec3 at) {
  rest_field *rest = user;
  lw_field_route route;
  if (rest->run->block_count > 0) return lwi_drive_flood_rest(&rest->run->workspace->drive.flood, at);
  if (!rest->is_tried) make_field(rest);
  if (!rest->field) return INFINITY;
  const lw_status status =
      lw_distance_field_get(rest->field, rest->run->world, rest->run->workspace, at, &route);
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
static lw_status find_goal(const lwi_drive_run *run, const lwi_drive_body *body, lwi_drive_pose *to) {
  const lw_drive_query *query = run->query;
  const lw_path *path = run->path;
  const bool any = isnan(query->heading);
  const lw_vec3 at = any ? path->points[path->point_count - 1] : query->to;
  *to = (lwi_drive_pose){.heading = any ? 0 : (double)query->heading};
  if (lw_navmesh_nearest(run->nav->mesh, at, query->snap, &run->prices->filter, &to->at) != LW_OK)
    return LW_NO_GOAL;
  return any || lwi_drive_body_fits(body, to, 1) ? LW_OK : LW_NO_GOAL;
}

lw_status lwi_drive_run_find(const lwi_drive_run *run, lw_drive **drive) {
  const lw_drive_query *query = run->query;
  const lw_path *path = run->path;
  lwi_drive_scratch *scratch = &run->workspace->drive;
  const lwi_prices prices = *run->prices; /* those of the workspace may change */
  rest_field rest = {.run = run};
  lwi_drive_ask ask = {.body = lwi_drive_body_of(run->nav->mesh, query->profile, &prices),
                       .reverse_cost = query->profile->def.body.vehicle.reverse_cost,
                       .from = {run->from, (double)query->from_heading},
                       .any_heading = isnan(query->heading),
                       .within = query->within,
                       .max_nodes = query->max_nodes,
                       .rest = rest_of,
                       .user = &rest};
  ask.body.blocks = run->blocks;
  ask.body.block_count = run->block_count;
  ask.start = (lwi_drive_start){run->from.point, query->profile->def.body.vehicle.length,
                                fitting_part(&ask.body, &ask.from)};
  lw_status status = find_goal(run, &ask.body, &ask.to);
  if (status != LW_OK) return status;
  if (!lwi_drive_lay_reference(scratch, &ask.body, run->from, path->points, path->point_count))
    return LW_OUT_OF_MEMORY;
  if (run->block_count > 0 && !lwi_drive_flood_run(&scratch->flood, &ask.body, ask.to.at, run->from.point))
    return LW_OUT_OF_MEMORY;
  lwi_drive_search_begin(scratch, &ask, &run->scene->allocator);
  lwi_drive_search_step(scratch, INT_MAX);
  status = scratch->search.status;
  *drive = lwi_drive_search_take(scratch);
  lw_distance_field_destroy(rest.field);
  if (status == LW_OK) (*drive)->navmesh = lwi_scene_index(run->scene, run->nav);
  return status;
}

/* --- the public call ---------------------------------------------------------------------------------------------- */

static bool check(const lwi_scene *scene, const lw_drive_query *query) {
  return query->cookie == LWI_COOKIE && query->profile && lwi_is_vehicle(query->profile) &&
         lwi_finite(query->from) && lwi_finite(query->to) && lwi_is_snap(query->snap) &&
         isfinite(query->from_heading) && !isinf(query->heading) && query->within >= 0 &&
         isfinite(query->within) && query->max_nodes >= 1 && lwi_scene_has(scene, query->navmesh);
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
  lwi_drive_run own_run = {
      .world = world, .scene = scene, .workspace = own, .query = query, .prices = run.prices};
  lw_status status = lwi_path_run_place_start(&run, &own_run.nav, &own_run.from);
  lw_path *path = NULL;
  if (status == LW_OK) status = lwi_path_run_find_from(&run, own_run.nav, own_run.from, &path);
  own_run.path = path;
  if (status == LW_OK) status = lwi_drive_run_find(&own_run, drive);
  lw_path_destroy(path);
  return status;
}
