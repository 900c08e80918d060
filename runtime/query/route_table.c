/* Costs between places: one distance field for each, from which all others are asked. */
#include "query/route_table.h"

#include "core/hash.h"
#include "core/status.h"
#include "core/vec3.h"
#include "query/workspace.h"

#include <math.h>
#include <string.h>

lw_route_table_def lw_route_table_def_default(void) {
  return (lw_route_table_def){
      .snap = {2, 4, 2}, .navmesh = LW_NAVMESH_FITTING, .visibility = -1, .cookie = LWI_COOKIE};
}

static lw_distance_field_def field_def_of(const lw_route_table_def *def) {
  lw_distance_field_def field = lw_distance_field_def_default();
  field.goals = def->places;
  field.goal_count = 1;
  field.snap = def->snap;
  field.profile = def->profile;
  field.navmesh = def->navmesh;
  field.visibility = def->visibility;
  return field;
}

static bool is_name(const char *name) {
  return name && name[0] && strlen(name) < LW_ROUTE_NAME_SIZE;
}

static bool check(const lwi_scene *scene, const lw_route_table_def *def) {
  if (def->cookie != LWI_COOKIE || !def->places || def->place_count < 1 ||
      def->place_count > LW_ROUTE_PLACES_MAX)
    return false;
  for (int i = 0; i < def->place_count; i++)
    if (!lwi_finite(def->places[i]) || (def->names && !is_name(def->names[i]))) return false;
  const lw_distance_field_def field = field_def_of(def);
  return lwi_distance_field_check(scene, &field);
}

/* Ask for the routes from all places to the field's. */
static lw_status ask_for_all(const lw_distance_field *field, const lw_world *world, lw_workspace *workspace,
                             const lw_route_table_def *def, int to, lwi_route *routes) {
  for (int from = 0; from < def->place_count; from++) {
    lw_field_route route;
    const lw_status status = lw_distance_field_get(field, world, workspace, def->places[from], &route);
    if (status == LW_OUT_OF_MEMORY) return status;
    routes[(size_t)from * (size_t)def->place_count + (size_t)to] =
        status == LW_OK ? (lwi_route){route.cost, route.next} : (lwi_route){.cost = INFINITY};
  }
  return LW_OK;
}

static lw_status compute(lw_distance_field *field, const lw_world *world, lw_workspace *workspace,
                         const lw_route_table_def *def, lwi_route *routes) {
  for (int to = 0; to < def->place_count; to++) {
    lwi_distance_field_set_goal(field, def->places[to]);
    lw_status status = lwi_distance_field_compute(field, workspace);
    if (status == LW_OUT_OF_MEMORY) return status;
    status = ask_for_all(field, world, workspace, def, to, routes);
    if (status != LW_OK) return status;
  }
  return LW_OK;
}

static size_t size_of(const lw_route_table *table) {
  return (size_t)table->count * (size_t)table->count * sizeof *table->routes;
}

void lw_route_table_destroy(lw_route_table *table) {
  if (!table) return;
  lw_distance_field_destroy(table->field);
  lwi_free(&table->memory, table->names, (size_t)table->count * sizeof *table->names);
  lwi_free(&table->memory, table->routes, size_of(table));
  lwi_memory last = table->memory;
  lwi_free(&last, table, sizeof *table);
}

lw_route_table *lwi_route_table_make(const lwi_scene *scene, int count) {
  lwi_memory memory = lwi_memory_make(&scene->allocator);
  lw_route_table *table = lwi_alloc_zero(&memory, sizeof *table);
  if (!table) return NULL;
  table->memory = memory;
  table->scene = scene;
  table->count = count;
  table->changes = scene->changes;
  table->routes = lwi_alloc(&table->memory, size_of(table));
  table->names = lwi_alloc_zero(&table->memory, (size_t)count * sizeof *table->names);
  if (table->routes && table->names) return table;
  lw_route_table_destroy(table);
  return NULL;
}

uint64_t lwi_route_identity(const lwi_scene *scene) {
  uint64_t hash = LWI_HASH_SEED;
  for (int i = 0; i < scene->nav_count; i++) {
    const uint64_t identity = lwi_navmesh_identity(scene->navs[i].own);
    hash = lwi_hash(hash, &identity, sizeof identity);
  }
  return hash;
}

static lw_route_table *make(const lwi_scene *scene, const lw_route_table_def *def) {
  const lw_distance_field_def field = field_def_of(def);
  lw_route_table *table = lwi_route_table_make(scene, def->place_count);
  if (!table) return NULL;
  for (int i = 0; i < def->place_count && def->names; i++) strcpy(table->names[i].text, def->names[i]);
  if (def->profile) strcpy(table->profile, lw_profile_get_def(def->profile)->name);
  table->field = lwi_distance_field_make(scene, &field);
  if (table->field) return table;
  lw_route_table_destroy(table);
  return NULL;
}

lw_status lw_route_table_create(const lw_world *world, lw_workspace *workspace, const lw_route_table_def *def,
                                lw_route_table **table) {
  if (!table) return LW_INVALID;
  *table = NULL;
  if (!world || !def) return LW_INVALID;
  const lwi_scene *scene = lwi_scene_of(world);
  lw_workspace *own = lwi_workspace_of(scene, workspace);
  if (!own || !check(scene, def)) return LW_INVALID;
  lw_route_table *created = make(scene, def);
  if (!created) return LW_OUT_OF_MEMORY;
  const lw_status status = compute(created->field, world, own, def, created->routes);
  if (status == LW_OK) {
    lwi_distance_field_forget(created->field);
    *table = created;
  } else {
    lw_route_table_destroy(created);
  }
  return status;
}

lw_status lw_path_costs_find(const lw_world *world, lw_workspace *workspace, const lw_route_table_def *def,
                             float *costs) {
  lw_route_table *table;
  if (!costs) return LW_INVALID;
  const lw_status status = lw_route_table_create(world, workspace, def, &table);
  if (status != LW_OK) return status;
  const size_t count = (size_t)table->count * (size_t)table->count;
  for (size_t i = 0; i < count; i++) costs[i] = table->routes[i].cost;
  lw_route_table_destroy(table);
  return LW_OK;
}

/* --- asking ------------------------------------------------------------------------------------------------------- */

static const lwi_route *find_route(const lw_route_table *table, int from, int to) {
  if (!table || from < 0 || from >= table->count || to < 0 || to >= table->count) return NULL;
  return &table->routes[(size_t)from * (size_t)table->count + (size_t)to];
}

int lw_route_table_count(const lw_route_table *table) {
  return table ? table->count : 0;
}

float lw_route_table_cost(const lw_route_table *table, int from, int to) {
  const lwi_route *found = find_route(table, from, to);
  return found ? found->cost : INFINITY;
}

bool lw_route_table_next(const lw_route_table *table, int from, int to, lw_vec3 *point) {
  if (!point) return false;
  *point = (lw_vec3){0};
  const lwi_route *found = find_route(table, from, to);
  if (!found || found->cost == INFINITY) return false;
  *point = found->next;
  return true;
}

const char *lw_route_table_name(const lw_route_table *table, int place) {
  return table && place >= 0 && place < table->count ? table->names[place].text : "";
}

const char *lw_route_table_profile(const lw_route_table *table) {
  return table ? table->profile : "";
}

bool lw_route_table_is_stale(const lw_route_table *table, const lw_world *world) {
  if (!table || !world || lwi_scene_of(world) != table->scene) return false;
  return table->scene->changes != table->changes ||
         (table->field && lwi_distance_field_pays_otherwise(table->field));
}

size_t lw_route_table_memory(const lw_route_table *table) {
  return table ? table->memory.bytes + lw_distance_field_memory(table->field) : 0;
}
