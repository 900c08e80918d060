#include "leeward/area.h"

#include "core/memory.h"
#include "core/status.h"

#include <math.h>
#include <string.h>

#define NAME_SIZE 64

typedef struct area {
  lw_area_def def; /* def.name points at `name` */
  char name[NAME_SIZE];
} area;

struct lw_area_table {
  lwi_memory memory;
  uint32_t version;
  int count;
  area *areas[LW_AREA_MAX + 1]; /* by id; blocks never move, so names stay valid */
};

const char *lw_link_type_name(lw_link_type type) {
  static const char *const names[LW_LINK_TYPE_COUNT] = {"triangular", "road", "waypoint", "volume"};
  return (unsigned)type < LW_LINK_TYPE_COUNT ? names[type] : "unknown";
}

const char *lw_cover_kind_name(lw_cover_kind kind) {
  static const char *const names[LW_COVER_KIND_COUNT] = {"default", "hard", "soft", "none"};
  return (unsigned)kind < LW_COVER_KIND_COUNT ? names[kind] : "unknown";
}

lw_area_def lw_area_def_default(void) {
  return (lw_area_def){.type = LW_TRIANGULAR,
                       .resistance = 0.5f,
                       .exposure = 1.0f,
                       .speed = 1.0f,
                       .color = 0x9aa58b,
                       .cookie = LWI_COOKIE};
}

lw_status lw_area_table_create(const lw_allocator *allocator, lw_area_table **table) {
  if (!table) return LW_INVALID;
  *table = NULL;
  lwi_memory memory = lwi_memory_make(allocator);
  lw_area_table *created = lwi_alloc_zero(&memory, sizeof *created);
  if (!created) return LW_OUT_OF_MEMORY;
  created->memory = memory;
  *table = created;
  return LW_OK;
}

void lw_area_table_destroy(lw_area_table *table) {
  if (!table) return;
  for (int id = 1; id <= table->count; ++id) lwi_free(&table->memory, table->areas[id], sizeof(area));
  lwi_memory memory = table->memory;
  lwi_free(&memory, table, sizeof *table);
}

static lw_status check_number(const char *area_name, const char *field, float value, float low, float high,
                              lw_error *error) {
  if (value >= low && value <= high) return LW_OK; /* NaN fails */
  if (isinf(high) || high > 1.0f)
    return lwi_fail(error, LW_INVALID, "area '%s': %s is %g, expected a number >= %g", area_name, field,
                    (double)value, (double)low);
  return lwi_fail(error, LW_INVALID, "area '%s': %s is %g, expected %g to %g", area_name, field, (double)value,
                  (double)low, (double)high);
}

static lw_status check_def(const lw_area_def *def, lw_error *error) {
  const float limit = 1e6f;
  lw_status status = lwi_check_cookie(def->cookie, "lw_area_def", error);
  if (status) return status;
  if ((status = lwi_check_name(&(lwi_name_place){"area: ", "name", NAME_SIZE - 1}, def->name, error)))
    return status;
  if ((unsigned)def->type >= LW_LINK_TYPE_COUNT)
    return lwi_fail(error, LW_INVALID, "area '%s': type is %d, expected 0 to %d", def->name, (int)def->type,
                    LW_LINK_TYPE_COUNT - 1);
  if ((status = check_number(def->name, "resistance", def->resistance, 0, limit, error))) return status;
  if ((status = check_number(def->name, "exposure", def->exposure, 0, 1, error))) return status;
  if ((status = check_number(def->name, "concealment", def->concealment, 0, 1, error))) return status;
  if ((status = check_number(def->name, "deep_water", def->deep_water, 0, 1, error))) return status;
  if ((status = check_number(def->name, "unsafe", def->unsafe, 0, 1, error))) return status;
  if (!(def->speed > 0 && def->speed <= limit))
    return lwi_fail(error, LW_INVALID, "area '%s': speed is %g, expected a number > 0", def->name,
                    (double)def->speed);
  if ((unsigned)def->cover >= LW_COVER_KIND_COUNT)
    return lwi_fail(error, LW_INVALID, "area '%s': cover is %d, expected 0 to %d", def->name, (int)def->cover,
                    LW_COVER_KIND_COUNT - 1);
  return LW_OK;
}

lw_status lw_area_table_set(lw_area_table *table, const lw_area_def *def, lw_area_id *id, lw_error *error) {
  if (id) *id = LW_AREA_NONE;
  if (!table) return lwi_fail_null(error, "table");
  if (!def) return lwi_fail_null(error, "def");
  lw_status status = check_def(def, error);
  if (status) return status;
  lw_area_id found = lw_area_table_find(table, def->name);
  if (found == LW_AREA_NONE) {
    if (table->count == LW_AREA_MAX)
      return lwi_fail(error, LW_LIMIT, "area '%s': the table is full, expected at most %d areas", def->name,
                      LW_AREA_MAX);
    area *added = lwi_alloc_zero(&table->memory, sizeof *added);
    if (!added) return lwi_fail_status(error, LW_OUT_OF_MEMORY);
    memcpy(added->name, def->name, strlen(def->name));
    found = (lw_area_id)(table->count + 1);
    table->areas[found] = added;
    table->count += 1;
  }
  area *changed = table->areas[found];
  changed->def = *def;
  changed->def.name = changed->name;
  table->version += 1;
  if (id) *id = found;
  return LW_OK;
}

lw_area_id lw_area_table_find(const lw_area_table *table, const char *name) {
  if (!table || !name) return LW_AREA_NONE;
  for (int id = 1; id <= table->count; ++id)
    if (strcmp(table->areas[id]->name, name) == 0) return (lw_area_id)id;
  return LW_AREA_NONE;
}

const lw_area_def *lw_area_table_get(const lw_area_table *table, lw_area_id id) {
  return table && id >= 1 && id <= table->count ? &table->areas[id]->def : NULL;
}

int lw_area_table_count(const lw_area_table *table) {
  return table ? table->count : 0;
}

uint32_t lw_area_table_version(const lw_area_table *table) {
  return table ? table->version : 0;
}
