/* One navmesh of a world is swapped for another, with all that is on it. What is on tiles that both have stays. */
#include "world/swap.h"

#include "bake/sight_difference.h"
#include "core/status.h"
#include "query/cover_search.h"
#include "query/workspace.h"

#include <math.h>

/* --- asking for it ---------------------------------------------------------------------------------------- */

static bool is_near(float a, float b) {
  return fabsf(a - b) <= 1e-3f + 1e-6f * fabsf(a);
}

static lw_status check_size(const lw_navmesh *before, const lw_navmesh *now, lw_error *error) {
  const lw_navmesh_agent a = before->agent, b = now->agent;
  if (!is_near(a.radius, b.radius) || !is_near(a.height, b.height) || !is_near(a.climb, b.climb))
    return lwi_fail(
        error, LW_INVALID,
        "navmesh is for agents of radius %g, height %g, climb %g m, expected %g, %g, %g m as the one "
        "that it replaces",
        (double)b.radius, (double)b.height, (double)b.climb, (double)a.radius, (double)a.height,
        (double)a.climb);
  if (is_near(before->tile_size, now->tile_size)) return LW_OK;
  return lwi_fail(error, LW_INVALID, "navmesh has tiles of %g m, expected %g m as the one that it replaces",
                  (double)now->tile_size, (double)before->tile_size);
}

static lw_status check_navmesh(const lw_world *world, int index, const lw_navmesh *navmesh, lw_error *error) {
  const lwi_scene *scene = &world->scene;
  if (index < 0 || index >= scene->nav_count)
    return lwi_fail(error, LW_INVALID, "index is %d, expected 0 to %d", index, scene->nav_count - 1);
  if (navmesh->live.base)
    return lwi_fail(error, LW_INVALID, "navmesh is a world's version of one, expected one that was baked");
  if (navmesh->part.total > 0)
    return lwi_fail(error, LW_INVALID,
                    "navmesh is a part of a bake, expected a whole one: merge the parts first");
  if (navmesh->areas != scene->meshes[0]->areas)
    return lwi_fail(error, LW_INVALID, "navmesh: its area table is not that of the world, expected the same");
  for (int i = 0; i < scene->nav_count; i++)
    if (i != index && (scene->navs[i].own == navmesh || scene->navs[i].next == navmesh))
      return lwi_fail(error, LW_INVALID, "navmesh is navmesh %d of the world already, expected another", i + 1);
  const lw_status status = check_size(scene->navs[index].own, navmesh, error);
  return status == LW_OK ? lwi_tiles_fit(world, index, navmesh, error) : status;
}

lw_status lw_world_set_navmesh(lw_world *world, int index, const lw_navmesh *navmesh, lw_error *error) {
  if (!world) return lwi_fail_null(error, "world");
  if (!navmesh) return lwi_fail_null(error, "navmesh");
  const lw_status status = check_navmesh(world, index, navmesh, error);
  if (status != LW_OK) return status;
  lwi_nav *nav = &world->scene.navs[index];
  nav->next = navmesh == nav->own ? NULL : navmesh;
  return LW_OK;
}

const lw_navmesh *lw_world_base_navmesh(const lw_world *world, int index) {
  return world && index >= 0 && index < world->scene.nav_count ? world->scene.navs[index].own : NULL;
}

/* --- agents ----------------------------------------------------------------------------------------------- */

/* Does a piece lead through the box in xz? */
static bool piece_meets(lw_vec3 from, lw_vec3 to, const lw_box *box) {
  const double at[] = {(double)from.x, (double)from.z},
               along[] = {(double)to.x - (double)from.x, (double)to.z - (double)from.z},
               low[] = {(double)box->min.x, (double)box->min.z},
               high[] = {(double)box->max.x, (double)box->max.z};
  double t0 = 0, t1 = 1;
  for (int i = 0; i < 2; i++) {
    if (along[i] > 0 || along[i] < 0) {
      const double a = (low[i] - at[i]) / along[i], b = (high[i] - at[i]) / along[i];
      t0 = fmax(t0, fmin(a, b));
      t1 = fmin(t1, fmax(a, b));
    } else if (at[i] < low[i] || at[i] > high[i]) {
      return false;
    }
  }
  return t0 <= t1;
}

#define BESIDE_TILE 0.05f /* A path along a tile's border may be in either tile. [m] */

/* Does what is left of the path lead through a tile of the old navmesh? */
static bool path_meets(const lwi_agent *agent, const lwi_tile *tile) {
  const lw_vec3 margin = {BESIDE_TILE, 0, BESIDE_TILE};
  const lw_box box = {lwi_sub(tile->bounds.min, margin), lwi_add(tile->bounds.max, margin)};
  const lw_path *path = agent->route.path;
  lw_vec3 from = lwi_agent_footing(agent).point;
  for (int i = agent->route.next_point; i < path->point_count; from = path->points[i++])
    if (piece_meets(from, path->points[i], &box)) return true;
  return false;
}

/* @return Whether what is left of the path leads over tiles that change. */
static bool swap_corridor(lwi_agent *agent, const lwi_nav_swap *swap, int navmesh) {
  const lw_navmesh *before = swap->map.before;
  lw_path *path = agent->route.path;
  uint32_t last = LWI_NONE; /* the tile that was looked at last */
  bool changes = false;
  for (int i = 0; i < path->corridor_count; i++)
    if (lw_path_corridor_navmesh(path, i) == navmesh)
      path->corridor[i] = lwi_nav_swap_poly(swap, path->corridor[i]);
  for (int i = 0; i < agent->route.polygon_count; i++) {
    lwi_route_polygon *at = &agent->route.polygons[i];
    if (at->navmesh != navmesh || at->polygon == LWI_NONE) continue;
    const uint32_t tile = before->polygons.ranges[at->polygon].tile;
    at->polygon = lwi_tile_map_polygon(&swap->map, at->polygon);
    if (at->polygon != LWI_NONE || tile == last) continue;
    last = tile;
    changes = changes || path_meets(agent, &before->tiles.items[tile]);
  }
  return changes;
}

/* @return Whether a link ahead ends on a tile that changes. */
static bool swap_path_links(lwi_agent *agent, const lwi_nav_swap *swap, int swapped) {
  lw_path *path = agent->route.path;
  int navmesh = path->navmesh;
  bool changes = false;
  for (int i = 0; i < path->link_count; i++) {
    lwi_path_link *link = &path->links[i];
    if (link->navmesh >= 0) navmesh = link->navmesh;
    if (navmesh != swapped) continue;
    const bool was_there = link->to != 0;
    link->to = lwi_nav_swap_poly(swap, link->to);
    changes |= was_there && link->to == 0 && link->point + 1 >= agent->route.next_point;
  }
  return changes;
}

void lwi_agents_swap(lw_world *world, const lwi_nav_swap *swap) {
  const int navmesh = lwi_scene_index(&world->scene, swap->nav);
  for (lwi_agent *agent = NULL; (agent = lwi_next_agent(world, agent));) {
    const int footing = lwi_agent_footing_navmesh(agent);
    if (agent->navmesh == navmesh) agent->at.poly = lwi_nav_swap_poly(swap, agent->at.poly);
    if (agent->link.active && footing == navmesh)
      agent->link.to.poly = lwi_nav_swap_poly(swap, agent->link.to.poly);
    if (!agent->route.path) continue;
    const bool over = swap_corridor(agent, swap, navmesh), beyond = swap_path_links(agent, swap, navmesh);
    if (!(over || beyond) || agent->move != LW_MOVE_WALKING) continue;
    lwi_agent_doubt_path(agent, LWI_BLOCKED);
    agent->route.excess = INFINITY; /* what it cost there says nothing of the new tiles */
    world->planner.any_stale = true;
  }
}

/* --- cover ------------------------------------------------------------------------------------------------ */

/* The segments of the level at the places that agents have reserved. */
typedef struct kept_cover {
  lw_cover_segment *segments; /* [count] By slot of the agent; `normal` is 0: none. */
  int count;
} kept_cover;

/* @return LW_NOT_FOUND: the level has none there. */
static lw_status find_cover(const lw_world *world, const lwi_agent *agent, const lw_cover_segment *same,
                            lw_cover_segment *found) {
  enum { NEAREST = 8 };
  lw_cover_segment segments[NEAREST];
  lw_cover_segment_query query = lw_cover_segment_query_default();
  int count = 0;
  query.around = agent->cover.at;
  query.radius = agent->profile->def.radius + LWI_COVER_BESIDE;
  query.profile = agent->profile;
  const lwi_segment_search search = {.query = &query, .spared = agent->id.slot + 1};
  const lw_status status = lwi_cover_segment_find(&world->scene, &search, segments, NEAREST, &count);
  if (status != LW_OK) return status;
  for (int i = 0; i < count && i < NEAREST; i++) {
    if (segments[i].offered_by != 0) continue;
    *found = segments[i];
    if (!same || (lwi_equal(same->a, found->a) && lwi_equal(same->b, found->b))) return LW_OK;
  }
  return LW_NOT_FOUND;
}

/* @return false: no memory. */
static bool note_cover(lw_world *world, kept_cover *kept) {
  *kept = (kept_cover){NULL, world->agents.capacity};
  if (world->reserved.index.count == 0) return true;
  kept->segments = lwi_alloc_zero(&world->memory, (size_t)kept->count * sizeof *kept->segments);
  if (!kept->segments) return false;
  for (const lwi_agent *agent = NULL; (agent = lwi_next_agent(world, agent));)
    if (agent->cover.active && agent->cover.obstacle == 0 &&
        find_cover(world, agent, NULL, &kept->segments[agent->id.slot]) == LW_OUT_OF_MEMORY)
      return false;
  return true;
}

/* Cover that vanished is nobody's. */
static void settle_cover(lw_world *world, const kept_cover *kept) {
  if (!kept->segments) return;
  for (lwi_agent *agent = NULL; (agent = lwi_next_agent(world, agent));) {
    const lw_cover_segment *before = &kept->segments[agent->id.slot];
    lw_cover_segment found;
    if (!agent->cover.active || !(lwi_length(before->normal) > 0)) continue;
    if (find_cover(world, agent, before, &found) == LW_NOT_FOUND) lwi_agent_lose_cover(world, agent);
  }
}

static void free_cover(lw_world *world, kept_cover *kept) {
  lwi_free(&world->memory, kept->segments, kept->segments ? (size_t)kept->count * sizeof *kept->segments : 0);
}

/* --- news ------------------------------------------------------------------------------------------------- */

static bool note_tile(lw_world *world, const lwi_tile *tile) {
  const lw_vec3 at = lwi_lerp(tile->bounds.min, tile->bounds.max, 0.5f);
  const float radius = lwi_distance_xz(tile->bounds.min, tile->bounds.max) / 2;
  const lwi_changed_disc disc = {.shape = {.from = at, .to = at, .radius = radius}, .number = LWI_NONE};
  return lwi_world_note_ground(world, &world->obstacles.opened, &disc) &&
         lwi_world_note_ground(world, &world->obstacles.closed, &disc);
}

/* Paths may be cheaper over tiles that come, or that lie more open or less. @return false: no memory. */
static bool note_tiles(lw_world *world, const lwi_nav_swap *swap) {
  const lwi_tile_map *map = &swap->map;
  for (uint32_t i = 0; i < map->now->tiles.count; i++) {
    const lwi_tile *tile = &map->now->tiles.items[i];
    const uint32_t from = map->from[i];
    const bool is_same =
        from != LWI_NONE && lwi_tile_is_as_open(map->before, &map->before->tiles.items[from], map->now, tile);
    if (!is_same && !note_tile(world, tile)) return false;
  }
  return true;
}

/* What blocks sight is compared in cells of that size. [m] */
#define SIGHT_CELL 16.0f

/* Threats may see more or less where occluders came or went. @return false: no memory. */
static bool note_sight(lw_world *world, const lwi_nav_swap *swap) {
  lwi_sight_difference changes = {.memory = &world->memory};
  if (swap->is_as_seen || world->agents.ids.count == 0) return true;
  const lw_box all = {{-LW_COORDINATE_MAX, 0, -LW_COORDINATE_MAX}, {LW_COORDINATE_MAX, 0, LW_COORDINATE_MAX}};
  bool done = lwi_sight_difference_find(&changes, lwi_occluders_of(swap->nav->base), lwi_occluders_of(swap->to),
                                        (lw_vec3){0}, SIGHT_CELL);
  if (done && changes.all) done = lwi_world_note_sight(world, &all);
  for (int i = 0; i < changes.count && done; i++) done = lwi_world_note_sight(world, &changes.cells[i].box);
  lwi_sight_difference_free(&changes);
  return done;
}

/* --- making it -------------------------------------------------------------------------------------------- */

/* Everything that may run out of memory. */
static bool prepare(lw_world *world, lwi_nav *nav, const lw_navmesh *to, lwi_nav_swap *swap,
                    lwi_links_swap *links, kept_cover *kept) {
  lwi_memory *memory = &world->memory;
  return lwi_nav_swap_begin(swap, &world->scene, nav, to, memory) && lwi_links_swap_begin(links, world, swap) &&
         lwi_world_cut_out_of(world, swap->live, swap->to) && lwi_nav_swap_cut(swap, &world->scene) &&
         note_tiles(world, swap) && note_sight(world, swap) && note_cover(world, kept);
}

/* @return false: no memory, and nothing has changed. */
static bool swap_one(lw_world *world, lwi_nav *nav, const lw_navmesh *to) {
  lwi_nav_swap swap = {.nav = NULL};
  lwi_links_swap links = {.navmesh = 0};
  kept_cover kept = {NULL, 0};
  const bool done = prepare(world, nav, to, &swap, &links, &kept);
  if (done) {
    lwi_agents_swap(world, &swap);
    lwi_nav_swap_make(&swap, &world->scene, &world->memory);
    lwi_plan_tables_forget(world, lwi_scene_index(&world->scene, nav));
    lwi_links_swap_make(&links, world);
    settle_cover(world, &kept);
    world->threats.version += !swap.is_as_seen;
  }
  free_cover(world, &kept);
  lwi_links_swap_free(&links, world);
  lwi_nav_swap_free(&swap, &world->memory);
  return done;
}

/* @return false: no memory. */
static bool renew(lw_world *world, int index) {
  lwi_nav *nav = &world->scene.navs[index];
  const lw_navmesh *own = nav->next ? nav->next : nav->own, *to;
  lw_error error;
  const lw_status status = lwi_tiles_compose(world, index, own, &to, &error);
  if (status == LW_OUT_OF_MEMORY) return false;
  if (status != LW_OK)
    lw_world_log(world, LW_LOG_ERROR, "permutations: navmesh %d goes without their tiles: %s", index + 1,
                 error.text);
  if (to != nav->base && !swap_one(world, nav, to)) return false;
  nav->own = own;
  nav->next = NULL;
  return true;
}

bool lwi_world_swap(lw_world *world) {
  lwi_permutations *permutations = &world->permutations;
  bool any_new = permutations->tiles_pending;
  for (int i = 0; i < world->scene.nav_count; i++) {
    any_new |= world->scene.navs[i].next != NULL;
    if ((permutations->tiles_pending || world->scene.navs[i].next) && !renew(world, i)) return false;
  }
  permutations->tiles_pending = false;
  if (any_new) lwi_tiles_forget(world);
  return true;
}
