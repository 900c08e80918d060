/* What a path was found on, compared with a world as it is now. */
#include "leeward/path_changes.h"

#include "core/status.h"
#include "search/path.h"
#include "world/world.h"

#include <math.h>

/* Prices are sums of floats. */
#define SAME_PRICE 1e-4f
/* Places on pieces are so far apart, and may lie beside ground by BESIDE: points of paths may, too. [m] */
#define STRIDE 0.1f
static const lw_vec3 BESIDE = {0.05f, 0.5f, 0.05f};

/* --- pieces ------------------------------------------------------------------------------------------------------- */

static uint64_t version_at(const lw_path *path, int point) {
  uint64_t version = path->ground.version;
  for (int i = 0; i < path->link_count && path->links[i].point < point; i++)
    if (path->links[i].navmesh >= 0) version = path->links[i].version;
  return version;
}

lw_status lw_path_get_piece(const lw_path *path, int index, lw_path_piece *piece) {
  if (piece) *piece = (lw_path_piece){0};
  if (!path || !piece || index < 0 || index + 1 >= path->point_count) return LW_INVALID;
  const lwi_path_link *link = lwi_path_link_at(path, index);
  const int polygon = path->ground.polygons[index];
  *piece = (lw_path_piece){.polygon = polygon < 0 ? 0 : path->corridor[polygon],
                           .navmesh = lw_path_navmesh_at(path, index),
                           .link = link ? link->id : lw_link_id_none(),
                           .price = polygon < 0 ? 0 : path->ground.prices[polygon],
                           .version = version_at(path, index)};
  if (link) piece->price = path->records[index].link;
  return LW_OK;
}

const char *lw_path_change_name(lw_path_change_kind kind) {
  static const char *const names[] = {"cut",          "replaced",      "priced",
                                      "link_removed", "link_disabled", "link_priced"};
  return (unsigned)kind < LW_PATH_CHANGE_KIND_COUNT ? names[kind] : NULL;
}

/* --- changes ------------------------------------------------------------------------------------------------------ */

typedef struct comparison {
  const lw_path *path;
  const lw_world *world;
  const lwi_prices *prices; /* NULL: they are not compared */
  lw_path_change *changes;
  int capacity, count;
} comparison;

static void note(comparison *of, const lw_path_change *change) {
  if (of->count < of->capacity) of->changes[of->count] = *change;
  of->count += 1;
}

static bool is_same_price(float a, float b) {
  return a == b || fabsf(a - b) <= SAME_PRICE * fmaxf(a, b);
}

/* Whether there is ground all along a piece that the profile may enter. */
static bool can_be_walked(const comparison *of, int point) {
  const lw_navmesh *mesh = of->world->scene.meshes[lw_path_navmesh_at(of->path, point)];
  const lw_filter *filter = of->prices ? &of->prices->filter : NULL;
  const lw_vec3 from = of->path->points[point], to = of->path->points[point + 1];
  const int last = 1 + (int)(lwi_distance_xz(from, to) / STRIDE);
  for (int i = 0; i <= last; i++) {
    lw_location place;
    const lw_vec3 at = lwi_lerp(from, to, (float)i / (float)last);
    if (lw_navmesh_nearest(mesh, at, BESIDE, filter, &place) != LW_OK) return false;
  }
  return true;
}

/* What has changed of a polygon of the corridor. @return LW_PATH_CHANGE_KIND_COUNT: nothing. */
static lw_path_change_kind change_of(const comparison *of, const lw_navmesh *mesh, int polygon, float *now) {
  const lw_path *path = of->path;
  const uint32_t index = lwi_poly_index(mesh, path->corridor[polygon]);
  if (index == LWI_NONE)
    return lwi_poly_is_replaced(mesh, path->corridor[polygon]) ? LW_PATH_REPLACED : LW_PATH_CUT;
  if (!of->prices) return LW_PATH_CHANGE_KIND_COUNT;
  *now = lwi_price_on(of->prices, mesh, index);
  return is_same_price(*now, path->ground.prices[polygon]) ? LW_PATH_CHANGE_KIND_COUNT : LW_PATH_PRICED;
}

static void compare_ground(comparison *of, int point) {
  const lw_path *path = of->path;
  const lw_navmesh *mesh = of->world->scene.meshes[lw_path_navmesh_at(path, point)];
  const int first = path->ground.polygons[point] < 0 ? 0 : path->ground.polygons[point];
  lw_path_change found[LW_PATH_LINK_REMOVED] = {{.count = 0}};
  bool any = false, closed = false;
  for (int i = first; i <= path->ground.polygons[point + 1]; i++) {
    float now = 0;
    const lw_path_change_kind kind = change_of(of, mesh, i, &now);
    if (kind == LW_PATH_CHANGE_KIND_COUNT) continue;
    any = true;
    closed |= now == INFINITY;
    if (found[kind].count++ > 0) continue;
    found[kind].kind = kind;
    found[kind].point = point;
    found[kind].polygon = i;
    found[kind].before = kind == LW_PATH_PRICED ? path->ground.prices[i] : 0;
    found[kind].after = now;
  }
  const bool blocks = any && (closed || !can_be_walked(of, point));
  for (int kind = 0; kind < LW_PATH_LINK_REMOVED; kind++) {
    found[kind].blocks = blocks;
    if (found[kind].count > 0) note(of, &found[kind]);
  }
}

static void compare_link(comparison *of, const lwi_path_link *link) {
  lw_link_info info;
  const float before = of->path->records[link->point].link;
  lw_path_change change = {.point = link->point, .polygon = -1, .count = 1, .link = link->id, .blocks = true};
  if (lw_link_get(of->world, link->id, &info) != LW_OK) {
    change.kind = LW_PATH_LINK_REMOVED;
    note(of, &change);
    return;
  }
  if (!info.is_used) {
    change.kind = LW_PATH_LINK_DISABLED;
    note(of, &change);
  }
  if (!of->prices || is_same_price(before, info.cost)) return;
  change.kind = LW_PATH_LINK_PRICED;
  change.before = before;
  change.after = info.cost;
  change.blocks = false;
  note(of, &change);
}

static bool has_navmeshes(const lw_path *path, const lw_world *world) {
  for (int i = 0; i < path->link_count; i++)
    if (path->links[i].navmesh >= world->scene.nav_count) return false;
  return path->navmesh >= 0 && path->navmesh < world->scene.nav_count;
}

static bool is_query(const lw_path_query *query) {
  return query->cookie == LWI_COOKIE &&
         (query->visibility == -1 || (query->visibility >= 0 && query->visibility <= 1));
}

lw_status lw_path_changes(const lw_path *path, const lw_world *world, const lw_path_query *query,
                          lw_path_change *changes, int capacity, int *count) {
  if (!count) return LW_INVALID;
  *count = 0;
  if (!path || !world || capacity < 0 || (!changes && capacity > 0) || (query && !is_query(query)) ||
      !has_navmeshes(path, world))
    return LW_INVALID;
  lwi_prices scratch;
  comparison of = {.path = path, .world = world, .changes = changes, .capacity = capacity};
  if (query) {
    const float visibility =
        query->visibility >= 0 ? query->visibility : lwi_scene_visibility(&world->scene, query->team);
    of.prices = lwi_scene_prices(&world->scene, query->profile, visibility, &scratch);
  }
  for (int i = 0; i + 1 < path->point_count; i++) {
    const lwi_path_link *link = lwi_path_link_at(path, i);
    if (!link)
      compare_ground(&of, i);
    else if (!lw_link_id_is_none(link->id))
      compare_link(&of, link);
  }
  *count = of.count;
  return LW_OK;
}
