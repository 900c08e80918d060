#include "levels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *const level_names[LEVEL_COUNT] = {"recast_nav_test", "recast_undulating", "recast_dungeon",
                                              "fd1_e1m1",        "fd2_map01",         "oa_aggressor",
                                              "oa_kaos2",        "oa_wrackdm17",      "wz_highground"};

static const char *setting(const char *name, const char *otherwise) {
  const char *value = getenv(name);
  return value && *value ? value : otherwise;
}

bool level_file(const char *name, char *file, size_t size) {
  int length = snprintf(file, size, "%s/levels/%s.obj", setting("LEEWARD_SHARED", "../shared"), name);
  return length > 0 && (size_t)length < size && access(file, R_OK) == 0;
}

void level_missing(const char *name, char *text, size_t size) {
  snprintf(text, size, "level %s is not in %s/levels (LEEWARD_SHARED says where to look)", name,
           setting("LEEWARD_SHARED", "../shared"));
}

lw_status level_areas(lw_area_table **table, lw_error *error) {
  static const char *const names[] = {"ground", "road",        "dirt",   "shallow_water", "deep_water",
                                      "grass",  "undergrowth", "unsafe", "door"};
  lw_status status = lw_area_table_create(NULL, table);
  for (size_t i = 0; i < sizeof names / sizeof *names && status == LW_OK; i++) {
    lw_area_def def = lw_area_def_default();
    def.name = names[i];
    status = lw_area_table_set(*table, &def, NULL, error);
  }
  return status;
}

static bool begins(const char *text, const char *start) {
  return strncmp(text, start, strlen(start)) == 0;
}

lw_material_rule level_rule(const lw_area_table *areas, const char *material) {
  static const char *const surfaces[] = {"liquid", "terrain_water"};
  static const char *const clear[] = {"block_line", "clip", "solid_trans"};
  static const char *const never[] = {"ceiling", "wall", "sky", "block_line", "solid_inclip", "terrain_cliff"};
  static const struct {
    const char *start, *area;
  } floors[] = {{"floor_water", "shallow_water"}, {"floor_door", "door"},    {"floor_nukage", "unsafe"},
                {"floor_lava", "unsafe"},         {"floor_slime", "unsafe"}, {"floor_blood", "unsafe"},
                {"floor_damage", "unsafe"},       {"terrain_road", "road"},  {"", "ground"}};
  for (size_t i = 0; i < sizeof surfaces / sizeof *surfaces; i++)
    if (begins(material, surfaces[i])) return (lw_material_rule){.ignored = true};
  lw_material_rule rule = {.area = LW_AREA_NONE};
  for (size_t i = 0; i < sizeof clear / sizeof *clear; i++)
    if (begins(material, clear[i])) rule.cover = LW_COVER_NONE;
  for (size_t i = 0; i < sizeof never / sizeof *never; i++)
    if (begins(material, never[i])) return rule;
  size_t i = 0;
  while (!begins(material, floors[i].start)) i++; /* the last one matches */
  rule.area = lw_area_table_find(areas, floors[i].area);
  return rule;
}

static lw_material_rule rule_of(void *user, const char *name) {
  return level_rule(user, name);
}

lw_bake_settings level_settings(void) {
  lw_bake_settings settings = lw_bake_settings_default();
  settings.cell_size = 0.3f;
  settings.cell_height = 0.1f;
  settings.agent_radius = 0.4f;
  settings.agent_height = 1.75f;
  settings.agent_climb = 0.8f;
  settings.agent_slope = 45;
  return settings;
}

lw_status level_geometry(const char *name, const lw_area_table *areas, lw_geometry **geometry,
                         lw_error *error) {
  char file[1024];
  level_file(name, file, sizeof file);
  lw_status status = lw_geometry_create(areas, NULL, geometry);
  if (status != LW_OK) return status;
  lw_geometry_import import = {.rule = rule_of, .user = (void *)(uintptr_t)areas};
  status = lw_geometry_load(*geometry, file, &import, error);
  if (status == LW_OK) return LW_OK;
  lw_geometry_destroy(*geometry);
  *geometry = NULL;
  return status;
}

/* @return false: there is no place to keep it. */
static bool cache_file(const char *name, char *file, size_t size) {
  const char *build = setting("BUILD", "build");
  int length = snprintf(file, size, "%s/levels", build);
  if (length < 0 || (size_t)length >= size) return false;
  mkdir(build, 0777);
  mkdir(file, 0777);
  length = snprintf(file, size, "%s/levels/%s.lwn", build, name);
  return length > 0 && (size_t)length < size;
}

lw_status level_navmesh(const char *name, const lw_area_table *areas, lw_navmesh **navmesh, lw_error *error) {
  char cache[1024];
  bool cached = cache_file(name, cache, sizeof cache);
  if (cached && lw_navmesh_load(cache, areas, NULL, navmesh, NULL) == LW_OK) return LW_OK;
  lw_geometry *geometry;
  lw_status status = level_geometry(name, areas, &geometry, error);
  if (status != LW_OK) return status;
  lw_bake_settings settings = level_settings();
  status = lw_navmesh_bake(geometry, &settings, navmesh, NULL, error);
  lw_geometry_destroy(geometry);
  if (status == LW_OK && cached) lw_navmesh_save(*navmesh, cache, NULL); /* only saves time: may fail */
  return status;
}
