/* Dangers and fire lanes: they are added, lose strength and end, and agents that they concern search again. */
#include "world/timed_regions.h"

#include "core/hash.h"
#include "core/status.h"
#include "search/link_cost.h"
#include "world/world.h"

/* News of regions that waits for the next step; when there is more, all agents hear it at once. */
#define NEWS_MAX 16384

static lwi_timed_store *store_of(lw_world *world, lwi_timed_kind kind) {
  return &world->regions.of[kind];
}

static lwi_timed_set *set_of(lw_world *world, lwi_timed_kind kind) {
  return &world->scene.timed[kind];
}

/* --- what concerns agents --------------------------------------------------------------------------------- */

/* What the agent still has to walk. */
typedef struct remaining_path {
  const lw_path *path;
  lw_vec3 from;
  int next; /* point of the path */
} remaining_path;

static bool enters_danger(const remaining_path *route, const lwi_timed_shape *disc) {
  lw_vec3 from = route->from;
  for (int i = route->next; i < route->path->point_count; i++) {
    lw_vec3 to = route->path->points[i];
    const lwi_path_link *link = lwi_path_link_at(route->path, i - 1);
    const lwi_link_line line = lwi_link_line_of(link ? link->kind : LW_LINK_NONE, from, to);
    if (link ? lwi_link_enters(disc, &line) : lwi_disc_enters(disc, from, to)) return true;
    from = to;
  }
  return false;
}

static bool leads_through_lane(const remaining_path *route, const lwi_timed_shape *lane) {
  lw_vec3 from = route->from;
  for (int i = route->next; i < route->path->point_count; i++) {
    const lwi_path_link *link = lwi_path_link_at(route->path, i - 1);
    const lwi_link_line line = lwi_link_line_of(link ? link->kind : LW_LINK_NONE, from, route->path->points[i]);
    for (int k = 0; k < line.pieces; k++)
      if (lwi_lane_metres(lane, line.points[k], line.points[k + 1]) > 0) return true;
    from = line.end;
  }
  return false;
}

/* None is shorter than straight to it and on. */
float lwi_bound_over_disc(lw_vec3 from, lw_vec3 to, const lwi_timed_shape *disc) {
  return lwi_distance_xz(from, disc->from) + lwi_distance_xz(disc->from, to) - 2 * disc->radius;
}

/* Could a path over the disc be cheaper than the agent's? */
static bool could_gain(const lwi_agent *agent, lw_vec3 from, const lwi_timed_shape *disc) {
  return lwi_bound_over_disc(from, agent->route.goal, disc) < agent->route.path->cost;
}

/* The box in xz of what is left of the path. */
static lw_box box_of(const remaining_path *route) {
  lw_box box = lwi_box_add(lwi_box_empty(), route->from);
  for (int i = route->next; i < route->path->point_count; i++) box = lwi_box_add(box, route->path->points[i]);
  return box;
}

static bool is_beside(const lw_box *box, const lwi_timed_shape *shape) {
  double r = (double)shape->radius * (1 + 1e-6); /* rounding */
  return fmax(shape->from.x, shape->to.x) + r < box->min.x ||
         fmin(shape->from.x, shape->to.x) - r > box->max.x ||
         fmax(shape->from.z, shape->to.z) + r < box->min.z || fmin(shape->from.z, shape->to.z) - r > box->max.z;
}

static bool pays_for(const lwi_agent *agent, const lwi_timed_news *news) {
  const lw_profile_def *def = &lwi_agent_payer(agent)->def;
  return news->kind == LWI_DANGER ? def->danger_cost > 0 : def->cover_bias > 1;
}

static bool concerns(const lwi_agent *agent, const remaining_path *route, const lw_box *box,
                     const lwi_timed_news *news) {
  if (!pays_for(agent, news)) return false;
  if (!news->came) return could_gain(agent, route->from, &news->shape);
  if (is_beside(box, &news->shape)) return false;
  return news->kind == LWI_DANGER ? enters_danger(route, &news->shape)
                                  : leads_through_lane(route, &news->shape);
}

/* They lie in an ellipse about both places. */
lwi_rectangle lwi_discs_within(lw_vec3 from, lw_vec3 to, float cost, float radius) {
  const float half = cost / 2 + radius, x = (from.x + to.x) / 2, z = (from.z + to.z) / 2;
  const float reach = half * (1 + 1e-5f) + 1e-5f * (fabsf(x) + fabsf(z)) + 1e-3f; /* rounding */
  return (lwi_rectangle){x - reach, z - reach, x + reach, z + reach};
}

/* Does any of the news of a walk concern the agent? */
static bool any_concerns(const lwi_timed_regions *regions, const lwi_agent *agent, const remaining_path *route,
                         const lw_box *box, lwi_rectangle_walk *walk) {
  for (uint32_t i; (i = lwi_rectangle_walk_next(walk)) != LWI_NONE;)
    if (regions->news[i].when > agent->knowledge.heard && concerns(agent, route, box, &regions->news[i]))
      return true;
  return false;
}

bool lwi_world_regions_concern(const lw_world *world, const lwi_agent *agent) {
  const lwi_timed_regions *regions = &world->regions;
  if (regions->news_count == 0 || regions->news[regions->news_count - 1].when <= agent->knowledge.heard)
    return false;
  const remaining_path route = {agent->route.path, lwi_agent_footing(agent).point, agent->route.next_point};
  const lw_box box = box_of(&route);
  const lwi_rectangle about = {box.min.x, box.min.z, box.max.x, box.max.z};
  lwi_rectangle_walk came = lwi_rectangle_walk_box(&regions->came, about);
  if (any_concerns(regions, agent, &route, &box, &came)) return true;
  lwi_rectangle_walk went =
      lwi_rectangle_walk_box(&regions->went, lwi_discs_within(route.from, agent->route.goal,
                                                              agent->route.path->cost, regions->went_radius));
  return any_concerns(regions, agent, &route, &box, &went);
}

bool lwi_world_regions_may_concern(const lw_world *world, const lwi_agent *agent, uint64_t heard) {
  const lwi_timed_regions *regions = &world->regions;
  for (int i = regions->news_count; i-- > 0 && regions->news[i].when > heard;)
    if (pays_for(agent, &regions->news[i])) return true;
  return false;
}

void lwi_world_regions_forget(lw_world *world) {
  lwi_timed_regions *regions = &world->regions;
  regions->news_count = 0;
  regions->went_radius = 0;
  lwi_rectangle_tree_clear(&regions->came);
  lwi_rectangle_tree_clear(&regions->went);
}

/* Without memory for the news: every agent hears it now. */
static void tell_agents(lw_world *world, const lwi_timed_news *news) {
  for (lwi_agent *agent = NULL; (agent = lwi_next_agent(world, agent));) {
    if (agent->move != LW_MOVE_WALKING || agent->route.staleness != LWI_FRESH) continue;
    const remaining_path route = {agent->route.path, lwi_agent_footing(agent).point, agent->route.next_point};
    const lw_box box = box_of(&route);
    if (!concerns(agent, &route, &box, news)) continue;
    lwi_agent_doubt_path(agent, LWI_ALARMED);
    world->planner.any_stale = true;
  }
}

static void note(lw_world *world, lwi_timed_kind kind, const lwi_timed_shape *shape, bool came) {
  lwi_timed_regions *regions = &world->regions;
  if (world->agents.ids.count == 0) return;
  if (kind == LWI_FIRE_LANE && !came) return; /* agents keep to their paths */
  if (regions->news_count == NEWS_MAX) lwi_world_settle(world);
  lwi_timed_news news = {kind, *shape, came, world->news + 1};
  if (!lwi_reserve(&world->memory, &regions->news, &regions->news_capacity, regions->news_count + 1,
                   sizeof *regions->news) ||
      !lwi_rectangle_tree_add(came ? &regions->came : &regions->went, &world->memory,
                              (uint32_t)regions->news_count, lwi_timed_rectangle(shape))) {
    tell_agents(world, &news);
    return;
  }
  if (!came) regions->went_radius = fmaxf(regions->went_radius, shape->radius);
  world->news = news.when;
  regions->news[regions->news_count++] = news;
}

/* --- coming and going ------------------------------------------------------------------------------------- */

static bool reserve(lw_world *world, lwi_timed_kind kind, int count) {
  lwi_timed_store *store = store_of(world, kind);
  lwi_timed_set *set = set_of(world, kind);
  return lwi_reserve(&world->memory, &store->items, &store->item_capacity, count, sizeof *store->items) &&
         lwi_reserve(&world->memory, &set->shapes, &set->shape_capacity, count, sizeof *set->shapes);
}

static bool add_outlines(lw_world *world, lwi_timed_kind kind, uint32_t slot) {
  lwi_timed_set *set = set_of(world, kind);
  const lwi_timed_shape *shape = &set->shapes[slot];
  const lwi_timed_outline outline = lwi_timed_outline_make(kind, shape);
  if (!lwi_rectangle_tree_add(&set->tree, &world->memory, slot, lwi_timed_rectangle(shape))) return false;
  set->largest = fmaxf(set->ids.count > 1 ? set->largest : 0, shape->radius);
  for (int i = 0; i < world->scene.nav_count; i++) {
    if (lwi_outline_index_add(&world->scene.navs[i].outlines[kind], slot, &outline)) continue;
    while (i-- > 0) lwi_outline_index_remove(&world->scene.navs[i].outlines[kind], slot);
    lwi_rectangle_tree_remove(&set->tree, slot);
    return false;
  }
  return true;
}

static void remove_outlines(lw_world *world, lwi_timed_kind kind, uint32_t slot) {
  lwi_rectangle_tree_remove(&set_of(world, kind)->tree, slot);
  for (int i = 0; i < world->scene.nav_count; i++)
    lwi_outline_index_remove(&world->scene.navs[i].outlines[kind], slot);
}

static float strength_left(const lw_world *world, lwi_timed_kind kind, const lwi_timed_region *item) {
  return lwi_timed_left(kind, item->strength, item->seconds, world->time - item->since);
}

/* From now on the region counts. */
static void admit(lw_world *world, lwi_timed_kind kind, uint32_t slot) {
  lwi_timed_store *store = store_of(world, kind);
  lwi_timed_set *set = set_of(world, kind);
  set->shapes[slot].strength = strength_left(world, kind, &store->items[slot]);
  note(world, kind, &set->shapes[slot], true);
}

/* @return The slot, or LWI_NO_SLOT: no memory. */
static uint32_t add(lw_world *world, lwi_timed_kind kind, lwi_timed_shape shape, float seconds) {
  lwi_timed_store *store = store_of(world, kind);
  lwi_timed_set *set = set_of(world, kind);
  if (!reserve(world, kind, set->ids.slot_count + 1)) return LWI_NO_SLOT;
  uint32_t slot = lwi_id_pool_add(&set->ids, &world->memory);
  if (slot == LWI_NO_SLOT) return LWI_NO_SLOT;
  store->items[slot] = (lwi_timed_region){world->time, shape.strength, seconds, false};
  set->shapes[slot] = shape;
  set->shapes[slot].strength = 0;
  if (!add_outlines(world, kind, slot)) {
    lwi_id_pool_remove(&set->ids, slot);
    return LWI_NO_SLOT;
  }
  if (!world->scene.stepping) admit(world, kind, slot);
  return slot;
}

static void drop(lw_world *world, lwi_timed_kind kind, uint32_t slot) {
  lwi_timed_store *store = store_of(world, kind);
  lwi_timed_set *set = set_of(world, kind);
  store->gone_count -= store->items[slot].gone;
  remove_outlines(world, kind, slot);
  lwi_id_pool_remove(&set->ids, slot);
  note(world, kind, &set->shapes[slot], false);
}

/* @param slot  As an id leads to it. */
static lw_status remove_region(lw_world *world, lwi_timed_kind kind, uint32_t slot) {
  lwi_timed_store *store = store_of(world, kind);
  if (slot == LWI_NO_SLOT || store->items[slot].gone) return LW_STALE;
  if (!world->scene.stepping) {
    drop(world, kind, slot);
    return LW_OK;
  }
  store->items[slot].gone = true;
  store->gone_count += 1;
  return LW_OK;
}

static void step(lw_world *world, lwi_timed_kind kind) {
  lwi_timed_store *store = store_of(world, kind);
  lwi_timed_set *set = set_of(world, kind);
  for (uint32_t slot = set->ids.first, next; slot != LWI_NO_SLOT; slot = next) {
    next = lwi_id_pool_next(&set->ids, slot);
    float left = strength_left(world, kind, &store->items[slot]);
    if (store->items[slot].gone || left == 0)
      drop(world, kind, slot);
    else if (set->shapes[slot].strength == 0)
      admit(world, kind, slot);
    else
      set->shapes[slot].strength = left;
  }
}

void lwi_world_regions_step(lw_world *world) {
  for (int kind = 0; kind < LWI_TIMED_KINDS; kind++) step(world, (lwi_timed_kind)kind);
}

void lwi_world_regions_free(lw_world *world) {
  lwi_memory *memory = &world->memory;
  for (int kind = 0; kind < LWI_TIMED_KINDS; kind++) {
    lwi_timed_store *store = &world->regions.of[kind];
    lwi_free(memory, store->items, (size_t)store->item_capacity * sizeof *store->items);
  }
  lwi_rectangle_tree_free(&world->regions.came, memory);
  lwi_rectangle_tree_free(&world->regions.went, memory);
  lwi_free(memory, world->regions.news, (size_t)world->regions.news_capacity * sizeof *world->regions.news);
}

bool lwi_world_regions_restore(lw_world *world, lwi_timed_kind kind, const lwi_timed_state *from) {
  lwi_timed_store *store = store_of(world, kind);
  lwi_timed_set *set = set_of(world, kind);
  while (set->ids.count > 0) drop(world, kind, set->ids.first);
  if (!reserve(world, kind, from->slot_count) ||
      !lwi_id_pool_restore(&set->ids, &world->memory, from->states, from->slot_count, from->order, from->count))
    return false;
  bool good = true;
  for (int i = 0; i < from->count; i++) {
    uint32_t slot = from->order[i];
    store->items[slot] = from->items[slot];
    set->shapes[slot] = from->shapes[slot];
    good = good && add_outlines(world, kind, slot);
    if (good)
      admit(world, kind, slot);
    else
      lwi_id_pool_remove(&set->ids, slot);
  }
  return good;
}

/* --- asking ----------------------------------------------------------------------------------------------- */

static uint64_t hash_region(uint64_t hash, lwi_timed_kind kind, const lwi_timed_region *item,
                            const lwi_timed_shape *shape) {
  lw_vec3 a = shape->from, b = shape->to;
  const float disc[] = {
      a.x, a.y, a.z, shape->radius, shape->height, item->strength, item->seconds, (float)item->gone};
  const float lane[] = {
      a.x, a.y, a.z, b.x, b.y, b.z, shape->radius, item->seconds, item->strength, (float)item->gone};
  hash = lwi_hash(hash, &item->since, sizeof item->since);
  return kind == LWI_DANGER ? lwi_hash(hash, disc, sizeof disc) : lwi_hash(hash, lane, sizeof lane);
}

uint64_t lwi_world_regions_hash(const lw_world *world, uint64_t hash) {
  for (int kind = 0; kind < LWI_TIMED_KINDS; kind++) {
    const lwi_timed_store *store = &world->regions.of[kind];
    const lwi_timed_set *set = &world->scene.timed[kind];
    for (uint32_t i = set->ids.first; i != LWI_NO_SLOT; i = lwi_id_pool_next(&set->ids, i))
      hash = hash_region(hash, (lwi_timed_kind)kind, &store->items[i], &set->shapes[i]);
  }
  return hash;
}

static int count(const lw_world *world, lwi_timed_kind kind) {
  return world->scene.timed[kind].ids.count - world->regions.of[kind].gone_count;
}

/* The slot used after the one that an id leads to, or the first one. Regions that are gone are passed over.
   @param begins  The id is all zero. */
static uint32_t next_slot(const lw_world *world, lwi_timed_kind kind, uint32_t slot, bool begins) {
  const lwi_timed_store *store = &world->regions.of[kind];
  const lwi_timed_set *set = &world->scene.timed[kind];
  if (slot == LWI_NO_SLOT ? !begins : store->items[slot].gone) return LWI_NO_SLOT;
  slot = slot == LWI_NO_SLOT ? set->ids.first : lwi_id_pool_next(&set->ids, slot);
  while (slot != LWI_NO_SLOT && store->items[slot].gone) slot = lwi_id_pool_next(&set->ids, slot);
  return slot;
}

/* --- the two kinds ---------------------------------------------------------------------------------------- */

lw_status lw_danger_add(lw_world *world, const lw_danger_def *def, lw_danger_id *danger, lw_error *error) {
  if (!danger) return lwi_fail_null(error, "danger");
  *danger = lw_danger_id_none();
  if (!world) return lwi_fail_null(error, "world");
  if (!def) return lwi_fail_null(error, "def");
  lw_status status = lwi_danger_check(def, error);
  if (status != LW_OK) return status;
  uint32_t slot = add(world, LWI_DANGER, lwi_danger_region(def), def->half_life);
  if (slot == LWI_NO_SLOT) return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  *danger = (lw_danger_id)LWI_ID(&world->scene.timed[LWI_DANGER].ids, slot);
  return LW_OK;
}

lw_status lw_danger_remove(lw_world *world, lw_danger_id danger) {
  if (!world) return LW_INVALID;
  return remove_region(world, LWI_DANGER, LWI_FIND(&world->scene.timed[LWI_DANGER].ids, danger));
}

lw_status lw_danger_get_state(const lw_world *world, lw_danger_id danger, lw_danger_state *state) {
  if (state) *state = (lw_danger_state){0};
  if (!world || !state) return LW_INVALID;
  const lwi_timed_store *store = &world->regions.of[LWI_DANGER];
  const lwi_timed_set *set = &world->scene.timed[LWI_DANGER];
  uint32_t slot = LWI_FIND(&set->ids, danger);
  if (slot == LWI_NO_SLOT || store->items[slot].gone) return LW_STALE;
  const lwi_timed_region *item = &store->items[slot];
  const lwi_timed_shape *shape = &set->shapes[slot];
  *state =
      (lw_danger_state){{shape->from, shape->radius, shape->height, item->strength, item->seconds, LWI_COOKIE},
                        item->since,
                        strength_left(world, LWI_DANGER, item)};
  return LW_OK;
}

int lw_danger_count(const lw_world *world) {
  return world ? count(world, LWI_DANGER) : 0;
}

lw_danger_id lw_danger_next(const lw_world *world, lw_danger_id danger) {
  if (!world) return lw_danger_id_none();
  const lwi_timed_set *set = &world->scene.timed[LWI_DANGER];
  uint32_t slot = next_slot(world, LWI_DANGER, LWI_FIND(&set->ids, danger), lw_danger_id_is_none(danger));
  return slot == LWI_NO_SLOT ? lw_danger_id_none() : (lw_danger_id)LWI_ID(&set->ids, slot);
}

lw_status lw_fire_lane_add(lw_world *world, const lw_fire_lane_def *def, lw_fire_lane_id *lane,
                           lw_error *error) {
  if (!lane) return lwi_fail_null(error, "lane");
  *lane = lw_fire_lane_id_none();
  if (!world) return lwi_fail_null(error, "world");
  if (!def) return lwi_fail_null(error, "def");
  lw_status status = lwi_fire_lane_check(def, error);
  if (status != LW_OK) return status;
  uint32_t slot = add(world, LWI_FIRE_LANE, lwi_fire_lane_region(def), def->seconds);
  if (slot == LWI_NO_SLOT) return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  *lane = (lw_fire_lane_id)LWI_ID(&world->scene.timed[LWI_FIRE_LANE].ids, slot);
  return LW_OK;
}

lw_status lw_fire_lane_remove(lw_world *world, lw_fire_lane_id lane) {
  if (!world) return LW_INVALID;
  return remove_region(world, LWI_FIRE_LANE, LWI_FIND(&world->scene.timed[LWI_FIRE_LANE].ids, lane));
}

lw_status lw_fire_lane_get_state(const lw_world *world, lw_fire_lane_id lane, lw_fire_lane_state *state) {
  if (state) *state = (lw_fire_lane_state){0};
  if (!world || !state) return LW_INVALID;
  const lwi_timed_store *store = &world->regions.of[LWI_FIRE_LANE];
  const lwi_timed_set *set = &world->scene.timed[LWI_FIRE_LANE];
  uint32_t slot = LWI_FIND(&set->ids, lane);
  if (slot == LWI_NO_SLOT || store->items[slot].gone) return LW_STALE;
  const lwi_timed_region *item = &store->items[slot];
  const lwi_timed_shape *shape = &set->shapes[slot];
  *state =
      (lw_fire_lane_state){{shape->from, shape->to, shape->radius, item->seconds, item->strength, LWI_COOKIE},
                           item->since,
                           (float)((double)item->seconds - (world->time - item->since))};
  return LW_OK;
}

int lw_fire_lane_count(const lw_world *world) {
  return world ? count(world, LWI_FIRE_LANE) : 0;
}

lw_fire_lane_id lw_fire_lane_next(const lw_world *world, lw_fire_lane_id lane) {
  if (!world) return lw_fire_lane_id_none();
  const lwi_timed_set *set = &world->scene.timed[LWI_FIRE_LANE];
  uint32_t slot = next_slot(world, LWI_FIRE_LANE, LWI_FIND(&set->ids, lane), lw_fire_lane_id_is_none(lane));
  return slot == LWI_NO_SLOT ? lw_fire_lane_id_none() : (lw_fire_lane_id)LWI_ID(&set->ids, slot);
}
