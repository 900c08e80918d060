#include "query/distance_field.h"

#include "core/status.h"
#include "core/vec3.h"
#include "query/workspace.h"
#include "search/reach.h"

#include <math.h>
#include <string.h>

/* A corner nearer than this is passed. [m] */
#define PASSED 0.01f

lw_distance_field_def lw_distance_field_def_default(void) {
  return (lw_distance_field_def){.snap = {2, 4, 2},
                                 .navmesh = LW_NAVMESH_FITTING,
                                 .max_cost = INFINITY,
                                 .visibility = -1,
                                 .cookie = LWI_COOKIE};
}

bool lwi_distance_field_check(const lwi_scene *scene, const lw_distance_field_def *def) {
  if (def->cookie != LWI_COOKIE || def->goal_count < 1 || !def->goals || !lwi_finite(def->snap)) return false;
  for (int i = 0; i < def->goal_count; i++)
    if (!lwi_finite(def->goals[i])) return false;
  return def->snap.x > 0 && def->snap.y > 0 && def->snap.z > 0 && def->max_cost >= 0 &&
         (def->visibility == -1 || (def->visibility >= 0 && def->visibility <= 1)) &&
         lwi_scene_has(scene, def->navmesh);
}

/* --- computing ---------------------------------------------------------------------------------------------------- */

/* Prices as they are now. */
static const lwi_prices *prices_of(const lw_distance_field *field, lwi_prices *scratch) {
  const float own = field->def.visibility, visibility = own >= 0 ? own : field->scene->visibility;
  return lwi_scene_prices(field->scene, field->def.profile, visibility, scratch);
}

static const lwi_nav *nav_of(const lw_distance_field *field) {
  return &field->scene->navs[field->navmesh];
}

/* Dangers and lanes, for agents of the field on its navmesh. @param[out] costs  What the model points into. */
static lwi_cost_model cost_model_of(const lw_distance_field *field, lwi_nav_scratch *scratch,
                                    lwi_timed_costs costs[2 * LWI_TIMED_KINDS]) {
  const lwi_scene *scene = field->scene;
  const lwi_nav *nav = nav_of(field);
  const lw_profile *profile = field->def.profile;
  const lwi_timed_costs *found[2 * LWI_TIMED_KINDS] = {NULL};
  const bool has_links = nav->mesh->links.count > 0;
  for (int kind = 0; kind < LWI_TIMED_KINDS; kind++) {
    lwi_timed_scratch *timed = &scratch->timed[kind];
    lwi_timed_costs *ground = &costs[kind], *links = &costs[LWI_TIMED_KINDS + kind];
    if (has_links && lwi_scene_timed_anywhere(scene, (lwi_timed_kind)kind, nav, profile, timed, links))
      found[LWI_TIMED_KINDS + kind] = links;
    if (lwi_scene_timed_costs(scene, (lwi_timed_kind)kind, nav, profile, timed, ground)) found[kind] = ground;
  }
  return (lwi_cost_model){.mesh = nav->mesh,
                          .prices = &field->prices,
                          .dangers = found[LWI_DANGER],
                          .lanes = found[LWI_FIRE_LANE],
                          .link_dangers = found[LWI_TIMED_KINDS + LWI_DANGER],
                          .link_lanes = found[LWI_TIMED_KINDS + LWI_FIRE_LANE]};
}

/* The navmesh of the first goal that has a place. @return LW_OK, LW_NO_GOAL. */
static lw_status find_navmesh(lw_distance_field *field) {
  const lw_distance_field_def *def = &field->def;
  for (int i = 0; i < def->goal_count; i++) {
    const lwi_place_query place = {def->navmesh, def->goals[i], def->snap, def->profile};
    const lwi_nav *nav;
    lw_location at;
    if (lwi_scene_place(field->scene, &place, &nav, &at) != LW_OK) continue;
    field->navmesh = lwi_scene_index(field->scene, nav);
    return LW_OK;
  }
  field->navmesh = -1;
  return LW_NO_GOAL;
}

/* @return LW_OK, LW_NO_POINT. */
static lw_status find_near(const lw_distance_field *field, lw_vec3 wanted, lw_location *at) {
  return lw_navmesh_nearest(nav_of(field)->mesh, wanted, field->def.snap, &field->prices.filter, at);
}

/* Of those that have a place. @return LW_OK, LW_OUT_OF_MEMORY. */
static lw_status place_goals(const lw_distance_field *field, const lwi_reach *reach, lwi_nav_scratch *scratch,
                             int *count) {
  *count = 0;
  for (int i = 0; i < field->def.goal_count; i++) {
    lw_location at;
    uint32_t region;
    const lw_vec3 wanted = field->def.goals[i];
    if (find_near(field, wanted, &at) != LW_OK) continue;
    const lw_status status = lwi_placement_find(reach, &scratch->region, wanted, field->def.snap, &at, &region);
    if (status == LW_OUT_OF_MEMORY) return status;
    if (status == LW_OK && region != LWI_NONE)
      field->goals[(*count)++] = (lwi_field_goal){at.point, region, (uint32_t)i};
  }
  return LW_OK;
}

static void note_world(lw_distance_field *field, const lwi_cost_model *cost_model) {
  const lwi_nav *nav = nav_of(field);
  field->base = nav->base;
  field->version = nav->mesh->live.version;
  field->pays[LWI_DANGER] = cost_model->dangers || cost_model->link_dangers;
  field->pays[LWI_FIRE_LANE] = cost_model->lanes || cost_model->link_lanes;
  for (int kind = 0; kind < LWI_TIMED_KINDS; kind++) field->timed_versions[kind] = nav->outlines[kind].version;
}

lw_status lwi_distance_field_compute(lw_distance_field *field, lw_workspace *workspace) {
  field->field.region_count = 0;
  lw_status status = find_navmesh(field);
  if (status != LW_OK) return status;
  const lwi_prices *prices = prices_of(field, &workspace->prices);
  field->prices = *prices;
  const lwi_nav *nav = nav_of(field);
  lwi_nav_scratch *scratch = lwi_workspace_nav(workspace, nav);
  const lwi_reach *reach = lwi_workspace_reach(workspace, nav, &field->prices.filter);
  if (!scratch || !reach) return LW_OUT_OF_MEMORY;
  int count;
  status = place_goals(field, reach, scratch, &count);
  if (status != LW_OK) return status;
  lwi_timed_costs costs[2 * LWI_TIMED_KINDS];
  const lwi_cost_model cost_model = cost_model_of(field, scratch, costs);
  note_world(field, &cost_model);
  if (count == 0) return LW_NO_GOAL;
  const lwi_field_query query = {.graph = &reach->graph,
                                 .cost_model = &cost_model,
                                 .goals = field->goals,
                                 .goal_count = count,
                                 .max_cost = field->def.max_cost,
                                 .is_uniform = lwi_scene_one_price(field->scene, nav, prices) > 0 &&
                                               !lwi_cost_varies(&cost_model)};
  return lwi_field_run(&field->field, &query);
}

/* --- creating and refreshing -------------------------------------------------------------------------------------- */

static size_t goals_size(const lw_distance_field *field) {
  return (size_t)field->def.goal_count * sizeof *field->goals;
}

void lw_distance_field_destroy(lw_distance_field *field) {
  if (!field) return;
  lwi_field_free(&field->field);
  lwi_free(&field->memory, field->goals, goals_size(field));
  lwi_free(&field->memory, field->wanted, (size_t)field->def.goal_count * sizeof(lw_vec3));
  lwi_memory last = field->memory;
  lwi_free(&last, field, sizeof *field);
}

lw_distance_field *lwi_distance_field_make(const lwi_scene *scene, const lw_distance_field_def *def) {
  lwi_memory memory = lwi_memory_make(&scene->allocator);
  lw_distance_field *field = lwi_alloc_zero(&memory, sizeof *field);
  if (!field) return NULL;
  field->memory = memory;
  field->scene = scene;
  field->def = *def;
  field->navmesh = -1;
  field->field.memory = &field->memory;
  const size_t size = (size_t)def->goal_count * sizeof(lw_vec3);
  field->wanted = lwi_alloc(&field->memory, size);
  field->def.goals = field->wanted;
  field->goals = lwi_alloc(&field->memory, goals_size(field));
  if (field->wanted) memcpy(field->wanted, def->goals, size);
  if (field->wanted && field->goals) return field;
  lw_distance_field_destroy(field);
  return NULL;
}

void lwi_distance_field_set_goal(lw_distance_field *field, lw_vec3 goal) {
  field->wanted[0] = goal;
}

void lwi_distance_field_forget(lw_distance_field *field) {
  lwi_field_free(&field->field);
  field->field.memory = &field->memory;
}

lw_status lw_distance_field_create(const lw_world *world, lw_workspace *workspace,
                                   const lw_distance_field_def *def, lw_distance_field **field) {
  if (!field) return LW_INVALID;
  *field = NULL;
  if (!world || !def) return LW_INVALID;
  const lwi_scene *scene = lwi_scene_of(world);
  lw_workspace *own = lwi_workspace_of(scene, workspace);
  if (!own || !lwi_distance_field_check(scene, def)) return LW_INVALID;
  lw_distance_field *created = lwi_distance_field_make(scene, def);
  if (!created) return LW_OUT_OF_MEMORY;
  const lw_status status = lwi_distance_field_compute(created, own);
  if (status == LW_OK)
    *field = created;
  else
    lw_distance_field_destroy(created);
  return status;
}

static bool has_ground_changed(const lw_distance_field *field) {
  const lwi_nav *nav = nav_of(field);
  return nav->base != field->base || nav->mesh->live.version != field->version;
}

static bool has_regions_changed(const lw_distance_field *field, lwi_timed_kind kind) {
  const lwi_nav *nav = nav_of(field);
  if (nav->outlines[kind].version == field->timed_versions[kind]) return false;
  if (field->pays[kind]) return true;
  lwi_timed_scratch none = {0};
  lwi_timed_costs costs;
  return lwi_scene_timed_anywhere(field->scene, kind, nav, field->def.profile, &none, &costs);
}

static bool has_visibility_changed(const lw_distance_field *field) {
  return field->prices.by_polygon && field->def.visibility < 0 &&
         field->prices.visibility != field->scene->visibility;
}

bool lwi_distance_field_pays_otherwise(const lw_distance_field *field) {
  return field->navmesh >= 0 && (has_regions_changed(field, LWI_DANGER) ||
                                 has_regions_changed(field, LWI_FIRE_LANE) || has_visibility_changed(field));
}

bool lw_distance_field_is_stale(const lw_distance_field *field, const lw_world *world) {
  if (!field || !world || lwi_scene_of(world) != field->scene) return false;
  if (field->navmesh < 0 || field->field.region_count == 0) return true;
  return has_ground_changed(field) || lwi_distance_field_pays_otherwise(field);
}

lw_status lw_distance_field_refresh(lw_distance_field *field, const lw_world *world, lw_workspace *workspace) {
  if (!field || !world || lwi_scene_of(world) != field->scene) return LW_INVALID;
  lw_workspace *own = lwi_workspace_of(field->scene, workspace);
  if (!own) return LW_INVALID;
  return lw_distance_field_is_stale(field, world) ? lwi_distance_field_compute(field, own) : LW_OK;
}

size_t lw_distance_field_memory(const lw_distance_field *field) {
  return field ? field->memory.bytes : 0;
}

/* --- asking ------------------------------------------------------------------------------------------------------- */

/* A place that was asked about, and the route from there. */
typedef struct asked_place {
  lw_vec3 wanted, at; /* as it was asked about; on the navmesh */
  lwi_field_route route;
} asked_place;

/* The region that a place is asked about by: of ground that has changed, as it was before. */
static uint32_t region_as_it_was(const lw_distance_field *field, uint32_t polygon, uint32_t region) {
  if (!has_ground_changed(field)) return region;
  const lwi_nav *nav = nav_of(field);
  return nav->base == field->base ? lwi_origin_of(nav->mesh, polygon) : LWI_NONE;
}

static lw_status ask(const lw_distance_field *field, lw_workspace *workspace, lw_vec3 at, asked_place *asked) {
  if (field->navmesh < 0) return LW_NO_PATH;
  const lwi_nav *nav = nav_of(field);
  lwi_nav_scratch *scratch = lwi_workspace_nav(workspace, nav);
  const lwi_reach *reach = lwi_workspace_reach(workspace, nav, &field->prices.filter);
  if (!scratch || !reach) return LW_OUT_OF_MEMORY;
  lw_location place;
  uint32_t region;
  if (find_near(field, at, &place) != LW_OK) return LW_NO_START;
  const lw_status status = lwi_placement_start(reach, &scratch->region, at, field->def.snap, &place, &region);
  if (status != LW_OK) return status == LW_NO_POINT ? LW_NO_START : status;
  asked->wanted = at;
  asked->at = place.point;
  const uint32_t polygon = lwi_poly_index(nav->mesh, place.poly);
  lwi_timed_costs costs[2 * LWI_TIMED_KINDS];
  const lwi_cost_model plain = {.mesh = nav->mesh, .prices = &field->prices};
  const bool pays = !field->field.is_taut && (field->pays[LWI_DANGER] || field->pays[LWI_FIRE_LANE]);
  const lwi_cost_model cost_model = pays ? cost_model_of(field, scratch, costs) : plain;
  const lwi_field_place from = {.graph = has_ground_changed(field) ? NULL : &reach->graph,
                                .region = region_as_it_was(field, polygon, region),
                                .polygon = polygon,
                                .at = place.point,
                                .price = lwi_price_on(&field->prices, nav->mesh, polygon),
                                .cost_model = &cost_model};
  asked->route = lwi_field_from(&field->field, &from);
  return asked->route.cost < INFINITY ? LW_OK : LW_NO_PATH;
}

/* Is the corner the place itself? On slopes that is moved from where it was asked about, which may be a corner. */
static bool is_passed(const asked_place *asked, lw_vec3 corner) {
  return lwi_distance(corner, asked->wanted) < PASSED || lwi_distance_xz(corner, asked->at) < PASSED;
}

/* The first corner of a route that is not passed yet. */
static uint32_t next_corner(const lw_distance_field *field, const asked_place *asked) {
  const lwi_taut_corner *corners = field->field.corners;
  uint32_t corner = asked->route.corner;
  while (corners[corner].before != LWI_NONE && is_passed(asked, corners[corner].at))
    corner = corners[corner].before;
  return corner;
}

/* Everything but what is asked. @return The workspace to ask in; NULL: invalid. */
static lw_workspace *check_ask(const lw_distance_field *field, const lw_world *world, lw_workspace *workspace,
                               lw_vec3 at) {
  if (!field || !world || lwi_scene_of(world) != field->scene || !lwi_finite(at)) return NULL;
  return lwi_workspace_of(field->scene, workspace);
}

lw_status lw_distance_field_get(const lw_distance_field *field, const lw_world *world, lw_workspace *workspace,
                                lw_vec3 at, lw_field_route *route) {
  if (!route) return LW_INVALID;
  *route = (lw_field_route){0};
  lw_workspace *own = check_ask(field, world, workspace, at);
  if (!own) return LW_INVALID;
  asked_place asked;
  const lw_status status = ask(field, own, at, &asked);
  if (status != LW_OK) return status;
  *route = (lw_field_route){.from = asked.at,
                            .next = field->field.corners[next_corner(field, &asked)].at,
                            .cost = asked.route.cost,
                            .goal = (int)asked.route.goal};
  return LW_OK;
}

lw_status lw_distance_field_path(const lw_distance_field *field, const lw_world *world, lw_workspace *workspace,
                                 lw_vec3 at, lw_field_path *path) {
  if (!path) return LW_INVALID;
  path->count = 0;
  lw_workspace *own = check_ask(field, world, workspace, at);
  if (!own || path->capacity < 0 || (path->capacity > 0 && !path->points)) return LW_INVALID;
  asked_place asked;
  const lw_status status = ask(field, own, at, &asked);
  if (status != LW_OK) return status;
  const lwi_taut_corner *corners = field->field.corners;
  int count = 0;
  if (count++ < path->capacity) path->points[0] = asked.at;
  for (uint32_t i = next_corner(field, &asked); i != LWI_NONE; i = corners[i].before, count++)
    if (count < path->capacity) path->points[count] = corners[i].at;
  path->count = count;
  return LW_OK;
}
