/* What the agents in a world's file are about: their paths, what they know, what they keep. */
#include "core/hash.h"
#include "core/text.h"
#include "save/saved.h"
#include "world/placement.h"

/* An agent that was spawned so near to where it was is where it was. [m] */
#define SAME_PLACE 0.05f

/* All that decides which path is the best for it, whatever the areas' ids are. */
static uint64_t number_of(const lw_profile *profile, const lw_area_id *areas, int count) {
  const lwi_prices *prices = &profile->prices;
  const float numbers[] = {profile->def.radius,         profile->def.danger_cost,
                           profile->def.cover_bias,     prices->swim,
                           (float)prices->filter.links, prices->wade_depth,
                           prices->filter.wade_depth,   prices->filter.height,
                           prices->filter.climb,        prices->height};
  uint64_t hash = lwi_hash(LWI_HASH_SEED, numbers, sizeof numbers);
  for (int i = 0; i < count; i++) {
    const lw_area_id id = areas[i];
    const float of_area[] = {prices->per_metre[id], prices->exposure[id], prices->deep_water[id],
                             prices->in_water[id],  prices->waypoint[id], prices->more_between[id]};
    hash = lwi_hash(hash, of_area, sizeof of_area);
  }
  return hash;
}

/* Flags of an agent. */
enum { PARKED = 1, TRAPPED = 2 };

/* --- writing ---------------------------------------------------------------------------------------------- */

static void put_poly(lwi_bytes *to, const lw_world *world, int navmesh, lw_poly_id poly) {
  lwi_put_u64(to, lwi_poly_place(world->scene.meshes[navmesh], poly));
}

static void put_wait(lwi_bytes *to, const lw_world *world, const lwi_agent *agent) {
  const uint32_t code = lwi_world_link_code(world, agent->route.wait.link);
  lwi_put_u32(to, code);
  lwi_put_u64(to, code > 0 ? agent->route.wait.ticket : 0);
}

static void put_move(lwi_bytes *to, const lw_world *world, const lwi_agent *agent) {
  lwi_put_u32(to, (uint32_t)agent->navmesh);
  lwi_put_vec3(to, agent->at.point);
  put_poly(to, world, agent->navmesh, agent->at.poly);
  lwi_put_vec3(to, agent->velocity);
  lwi_put_u32(to, (uint32_t)agent->move);
  lwi_put_u32(to, (uint32_t)agent->failure);
  lwi_put_u32(to, (uint32_t)agent->route.next_point);
  lwi_put_float(to, agent->route.remaining);
  lwi_put_float(to, agent->route.best_remaining);
  lwi_put_double(to, agent->route.best_time);
  lwi_put_u32(to, (uint32_t)agent->route.replans_left);
  lwi_put_u32(to, (uint32_t)lwi_world_staleness(world, agent));
  lwi_put_float(to, agent->route.visibility);
  lwi_put_double(to, agent->route.searched);
  lwi_put_double(to, agent->route.reconsider);
  lwi_put_float(to, agent->route.excess);
  lwi_put_u32(to, (agent->ground.is_parked ? PARKED : 0U) | (agent->ground.is_trapped ? TRAPPED : 0U));
  lwi_saved_put_traverse(to, world, agent);
  put_wait(to, world, agent);
  lwi_saved_put_motion(to, &agent->route.motion);
  lwi_saved_put_remedy(to, agent);
  lwi_saved_put_driving(to, &agent->route.driving, world->scene.meshes[agent->navmesh]);
  if (agent->move != LW_MOVE_WALKING) return;
  lwi_saved_put_path(to, world, agent);
  for (int i = 0; i < agent->route.path->corridor_count; i++) {
    lwi_put_u32(to, i < agent->route.polygon_count ? agent->route.polygons[i].polygon : LWI_NONE);
  }
}

void lwi_saved_put_beliefs(lwi_bytes *to, const lwi_beliefs *beliefs) {
  lwi_put_u32(to, (uint32_t)beliefs->count);
  for (int i = 0; i < beliefs->count; i++) lwi_saved_put_threat(to, &beliefs->threats[i]);
}

static void put_journey(lwi_bytes *to, const lwi_journey *journey, const lw_area_id *areas, int count) {
  lwi_put_text(to, journey->profile ? journey->profile->def.name : "");
  lwi_put_u64(to, journey->profile ? number_of(journey->profile, areas, count) : 0);
  const int numbers[] = {(int)journey->quality, (int)journey->path_style, journey->pace, journey->has_threats};
  for (int i = 0; i < 4; i++) lwi_put_u32(to, (uint32_t)numbers[i]);
  lwi_put_u32(to, (uint32_t)(journey->priority + LW_PRIORITY_MAX));
  lwi_put_u32(to, journey->has_heading);
  lwi_put_float(to, journey->heading);
  lwi_saved_put_beliefs(to, &journey->threats);
}

/* The threats that the agent learned of, in that order, and those that are an eye of it. */
static void put_threats(lwi_bytes *to, const lw_world *world, const lwi_agent *agent) {
  const lwi_learning *learnings = world->threats.learnings;
  uint32_t count = 0;
  for (uint32_t i = agent->knowledge.first_learning; i != LWI_NO_SLOT; i = learnings[i].next_of_agent)
    count += 1;
  lwi_put_u32(to, count);
  for (uint32_t i = agent->knowledge.first_learning; i != LWI_NO_SLOT; i = learnings[i].next_of_agent)
    lwi_put_u32(to, learnings[i].threat);
  count = 0;
  for (uint32_t i = agent->knowledge.first_eye; i != LWI_NO_SLOT; i = lwi_threat_at(world, i)->next_eye)
    count += 1;
  lwi_put_u32(to, count);
  for (uint32_t i = agent->knowledge.first_eye; i != LWI_NO_SLOT; i = lwi_threat_at(world, i)->next_eye)
    lwi_put_u32(to, i);
}

static void put_mind(lwi_bytes *to, const lwi_agent *agent) {
  lwi_saved_put_beliefs(to, &agent->knowledge.beliefs);
  lwi_saved_put_beliefs(to, &agent->knowledge.searched_beliefs);
  lwi_put_u32(to, agent->cover.active);
  lwi_put_vec3(to, agent->cover.at);
  lwi_put_float(to, agent->cover.leash);
  lwi_put_u32(to, agent->cover.reached);
  lwi_put_u32(to, agent->cover.obstacle);
  lwi_put_u32(to, agent->cover.lost);
  lwi_put_u32(to, (uint32_t)agent->cover.stance);
  lwi_put_u32(to, (uint32_t)agent->cover.stance_before);
  lwi_agent settled = *agent; /* a const world is left as it is */
  lwi_agent_settle_reason(&settled);
  lwi_put_text(to, settled.mind.reason);
  lwi_put_double(to, agent->stats.walked);
  const int counts[] = {agent->stats.goals_reached, agent->stats.replans, agent->stats.searches,
                        agent->stats.stuck, agent->stats.off_mesh};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) lwi_put_u32(to, (uint32_t)counts[i]);
}

void lwi_saved_put_walks(lwi_bytes *to, const lw_world *world) {
  lw_area_id areas[LW_AREA_MAX];
  const int count = lw_area_table_count(world->scene.meshes[0]->areas);
  for (int i = 0; i < count; i++) areas[i] = (lw_area_id)(i + 1);
  for (const lwi_agent *agent = NULL; (agent = lwi_next_agent(world, agent));) {
    lwi_put_u64(to, number_of(agent->profile, areas, count));
    put_move(to, world, agent);
    put_threats(to, world, agent);
    put_journey(to, &agent->route.journey, areas, count);
    put_mind(to, agent);
  }
}

/* --- reading ---------------------------------------------------------------------------------------------- */

static bool read_wait(const lw_saved *saved, lwi_reader *from, lwi_agent *as) {
  as->route.wait.link = lwi_saved_get_link(from);
  as->route.wait.ticket = lwi_get_u64(from);
  return as->route.wait.ticket <= saved->links.arrivals;
}

static bool is_time(double time) {
  return time >= 0 && time <= LWI_SAVED_TIME_MAX;
}

/* @return false: what it says makes no sense. */
static bool read_numbers(const lw_saved *saved, lwi_reader *from, lwi_agent *as) {
  uint32_t navmesh = lwi_get_u32(from);
  as->at.point = lwi_get_vec3(from);
  as->at.poly = lwi_get_u64(from);
  as->velocity = lwi_get_vec3(from);
  uint32_t move = lwi_get_u32(from), failure = lwi_get_u32(from), next = lwi_get_u32(from);
  as->route.remaining = lwi_get_float(from);
  as->route.best_remaining = lwi_get_float(from);
  as->route.best_time = lwi_get_double(from);
  uint32_t replans = lwi_get_u32(from), stale = lwi_get_u32(from);
  as->route.visibility = lwi_get_float(from);
  as->route.searched = lwi_get_double(from);
  as->route.reconsider = lwi_get_double(from);
  as->route.excess = lwi_get_float(from);
  const uint32_t flags = lwi_get_u32(from);
  if (navmesh >= LW_NAVMESHES_MAX || !lwi_saved_is_place(as->at.point) || !lwi_saved_is_place(as->velocity) ||
      move > LW_MOVE_FAILED || failure >= LW_STATUS_COUNT || next > INT32_MAX ||
      !lwi_saved_is_amount(as->route.remaining) || !lwi_saved_is_amount(as->route.best_remaining) ||
      !is_time(as->route.best_time) || replans > LWI_MAX_REPLANS_OF_VEHICLE || stale >= LWI_STALENESS_COUNT ||
      flags > (PARKED | TRAPPED) || !is_time(as->route.searched) ||
      !(is_time(as->route.reconsider) || as->route.reconsider == INFINITY) ||
      !(lwi_saved_is_amount(as->route.excess) || as->route.excess == INFINITY) ||
      !(as->route.visibility >= 0 && as->route.visibility <= 1))
    return false;
  as->navmesh = (int)navmesh;
  as->move = (lw_move_state)move;
  as->failure = (lw_status)failure;
  as->route.next_point = (int)next;
  as->route.replans_left = (int)replans;
  as->route.staleness = (lwi_staleness)stale;
  as->ground.is_parked = flags & PARKED;
  as->ground.is_trapped = flags & TRAPPED;
  return lwi_saved_read_traverse(from, as) && read_wait(saved, from, as) &&
         lwi_saved_get_motion(saved, from, &as->route.motion) && lwi_saved_get_remedy(from, as);
}

/* The corridor of its path as it was baked. */
static const char *read_polygons(lw_saved *saved, lwi_reader *from, lwi_agent *as) {
  lwi_agent_route *route = &as->route;
  if (!lwi_reserve(&saved->memory, &route->polygons, &route->polygon_capacity, route->path->corridor_count,
                   sizeof *route->polygons))
    return "";
  route->polygon_count = route->path->corridor_count;
  for (int i = 0; i < route->polygon_count; i++) {
    route->polygons[i] = (lwi_route_polygon){lwi_get_u32(from), lw_path_corridor_navmesh(route->path, i)};
  }
  return NULL;
}

static const char *read_move(lw_saved *saved, lwi_reader *from, lwi_agent *as) {
  const char *wrong = read_numbers(saved, from, as) ? NULL : "a number is out of range";
  if (!wrong && !from->failed) wrong = lwi_saved_read_driving(saved, from, &as->route.driving);
  if (wrong || from->failed || as->move != LW_MOVE_WALKING) return wrong;
  wrong = lwi_saved_read_path(saved, from, &as->route.path);
  if (!wrong) wrong = read_polygons(saved, from, as);
  if (wrong || from->failed) return wrong;
  return as->route.next_point >= 1 && as->route.next_point <= as->route.path->point_count
             ? NULL
             : "a number is out of range";
}

static const char *read_slots(lw_saved *saved, lwi_reader *from, uint32_t **slots, int *count, int *capacity) {
  uint32_t expected = lwi_get_u32(from);
  for (uint32_t i = 0; i < expected && !from->failed; i++) {
    uint32_t slot = lwi_get_u32(from);
    if (from->failed || !lwi_saved_has_id(&saved->threats.ids, slot)) return "a threat is unknown";
    if (!lwi_reserve(&saved->memory, slots, capacity, *count + 1, sizeof slot)) return "";
    (*slots)[(*count)++] = slot;
  }
  return NULL;
}

static const char *read_threats(lw_saved *saved, lwi_reader *from, lwi_saved_walk *walk) {
  const char *wrong = read_slots(saved, from, &walk->learned, &walk->learned_count, &walk->learned_capacity);
  if (!wrong) wrong = read_slots(saved, from, &walk->eye_slots, &walk->eye_count, &walk->eye_capacity);
  for (int i = 0; i < walk->eye_count && !wrong; i++) {
    lwi_threat *threat = &saved->threats.items[walk->eye_slots[i]].as;
    if (threat->awaits != LWI_AWAITS_NOBODY) return "an eye is of several agents, or of none";
    threat->awaits = saved->walk_count;
  }
  return wrong;
}

const char *lwi_saved_read_beliefs(lw_saved *saved, lwi_reader *from, lwi_beliefs *beliefs) {
  uint32_t count = lwi_get_u32(from);
  for (uint32_t i = 0; i < count && !from->failed; i++) {
    lw_threat threat = lwi_saved_get_threat(from);
    if (from->failed || !lwi_threat_check(&threat, false)) return "a believed threat has a number out of range";
    if (!lwi_reserve(&saved->memory, &beliefs->threats, &beliefs->capacity, beliefs->count + 1, sizeof threat))
      return "";
    beliefs->threats[beliefs->count++] = threat;
  }
  return NULL;
}

static const char *read_journey(lw_saved *saved, lwi_reader *from, lwi_saved_walk *walk) {
  lwi_journey *journey = &walk->as.route.journey;
  lwi_get_text(from, walk->journey_name);
  walk->journey = lwi_get_u64(from);
  const uint32_t quality = lwi_get_u32(from), style = lwi_get_u32(from);
  const uint32_t pace = lwi_get_u32(from), has_threats = lwi_get_u32(from), priority = lwi_get_u32(from);
  const uint32_t has_heading = lwi_get_u32(from);
  journey->heading = lwi_get_float(from);
  if (from->failed) return NULL;
  if (quality >= LW_QUALITY_COUNT || style >= LW_PATH_STYLE_COUNT || pace > LW_PACE_COUNT || has_threats > 1 ||
      priority > 2 * LW_PRIORITY_MAX || has_heading > 1 || !isfinite(journey->heading) ||
      (walk->journey != 0) != (walk->journey_name[0] != 0))
    return "a number of a journey is out of range";
  journey->quality = (lw_quality)quality;
  journey->path_style = (lw_path_style)style;
  journey->pace = (int)pace;
  journey->priority = (int)priority - LW_PRIORITY_MAX;
  journey->has_threats = has_threats == 1;
  journey->has_heading = has_heading == 1;
  const char *wrong = lwi_saved_read_beliefs(saved, from, &journey->threats);
  return wrong || has_threats || journey->threats.count == 0 ? wrong : "a number of a journey is out of range";
}

/* Far more than a run counts, and far enough below INT_MAX to count on. */
#define COUNT_MAX 1000000000u

static bool read_stats(lwi_reader *from, lwi_agent *as) {
  uint32_t counts[5];
  bool good = true;
  as->stats.walked = lwi_get_double(from);
  for (int i = 0; i < 5; i++) {
    counts[i] = lwi_get_u32(from);
    good &= counts[i] <= COUNT_MAX;
  }
  as->stats.goals_reached = (int)counts[0];
  as->stats.replans = (int)counts[1];
  as->stats.searches = (int)counts[2];
  as->stats.stuck = (int)counts[3];
  as->stats.off_mesh = (int)counts[4];
  return good && as->stats.walked >= 0 && as->stats.walked <= 1e30;
}

static const char *read_rest(lwi_reader *from, lwi_agent *as) {
  char reason[256];
  uint32_t has_cover = lwi_get_u32(from);
  as->cover.at = lwi_get_vec3(from);
  as->cover.leash = lwi_get_float(from);
  uint32_t was_there = lwi_get_u32(from);
  as->cover.obstacle = lwi_get_u32(from);
  const uint32_t was_lost = lwi_get_u32(from), stance = lwi_get_u32(from), before = lwi_get_u32(from);
  lwi_get_text(from, reason);
  const bool counted = read_stats(from, as);
  if (!counted || has_cover > 1 || was_there > 1 || was_lost > 1 || !lwi_finite(as->cover.at) ||
      !(as->cover.leash >= 0) || stance > LW_STANCES_MAX || before > LW_STANCES_MAX ||
      (stance > 0) != (before > 0) || strlen(reason) >= sizeof as->mind.reason)
    return "a number is out of range";
  as->cover.stance = (int)stance;
  as->cover.stance_before = (int)before;
  as->cover.active = has_cover == 1;
  as->cover.reached = was_there == 1;
  as->cover.lost = was_lost == 1;
  lwi_text_show(as->mind.reason, sizeof as->mind.reason, reason); /* as lw_agent_set_reason() */
  return NULL;
}

const char *lwi_saved_read_walks(lw_saved *saved, lwi_reader *from) {
  const char *wrong = NULL;
  if (saved->agent_count > 0 && !lwi_reserve(&saved->memory, &saved->walks, &saved->walk_capacity,
                                             saved->agent_count, sizeof *saved->walks))
    return "";
  while (saved->walk_count < saved->agent_count && !from->failed && !wrong) {
    lwi_saved_walk *walk = &saved->walks[saved->walk_count++];
    *walk = (lwi_saved_walk){.profile = lwi_get_u64(from)};
    wrong = read_move(saved, from, &walk->as);
    if (!wrong) wrong = read_threats(saved, from, walk);
    if (!wrong) wrong = read_journey(saved, from, walk);
    if (!wrong) wrong = lwi_saved_read_beliefs(saved, from, &walk->as.knowledge.beliefs);
    if (!wrong) wrong = lwi_saved_read_beliefs(saved, from, &walk->as.knowledge.searched_beliefs);
    if (!wrong) wrong = read_rest(from, &walk->as);
  }
  return from->failed && (!wrong || *wrong) ? NULL : wrong; /* the caller says that they are cut short */
}

void lwi_saved_walks_free(lw_saved *saved) {
  for (int i = 0; i < saved->walk_count; i++) {
    lwi_agent *as = &saved->walks[i].as;
    lw_path_destroy(as->route.path);
    lw_drive_destroy(as->route.driving.drive);
    lwi_free(&saved->memory, as->route.polygons,
             (size_t)as->route.polygon_capacity * sizeof *as->route.polygons);
    lwi_free(&saved->memory, saved->walks[i].learned,
             (size_t)saved->walks[i].learned_capacity * sizeof(uint32_t));
    lwi_free(&saved->memory, saved->walks[i].senses.percepts,
             (size_t)saved->walks[i].senses.capacity * sizeof *saved->walks[i].senses.percepts);
    lwi_free(&saved->memory, saved->walks[i].eye_slots,
             (size_t)saved->walks[i].eye_capacity * sizeof(uint32_t));
    lwi_free(&saved->memory, as->route.journey.threats.threats,
             (size_t)as->route.journey.threats.capacity * sizeof(lw_threat));
    lwi_free(&saved->memory, as->knowledge.beliefs.threats,
             (size_t)as->knowledge.beliefs.capacity * sizeof(lw_threat));
    lwi_free(&saved->memory, as->knowledge.searched_beliefs.threats,
             (size_t)as->knowledge.searched_beliefs.capacity * sizeof(lw_threat));
  }
  lwi_free(&saved->memory, saved->walks, (size_t)saved->walk_capacity * sizeof *saved->walks);
}

/* --- giving it to an agent -------------------------------------------------------------------------------- */

/* @return false: no memory. */
static bool restore_mind(lw_world *world, lwi_agent *agent, const lw_saved *saved, int index) {
  const lwi_saved_walk *walk = &saved->walks[index];
  const lwi_agent *as = &walk->as;
  lwi_world_restore_eye_threats(world, agent, index, walk->eye_slots, walk->eye_count);
  for (int i = 0; i < walk->learned_count; i++) {
    uint32_t slot = walk->learned[i];
    uint32_t generation = saved->threats.ids.states[slot].generation;
    bool is_there = lwi_id_pool_find(&world->threats.ids, slot, generation, agent->id.world) != LWI_NO_SLOT;
    if (is_there && !lwi_world_learn(world, agent, slot)) return false;
  }
  if (!lwi_beliefs_set(&world->memory, &agent->knowledge.beliefs, as->knowledge.beliefs.threats,
                       as->knowledge.beliefs.count) ||
      !lwi_reserve(&world->memory, &agent->knowledge.searched_beliefs.threats,
                   &agent->knowledge.searched_beliefs.capacity, as->knowledge.beliefs.count,
                   sizeof *as->knowledge.searched_beliefs.threats) ||
      !lwi_beliefs_set(&world->memory, &agent->knowledge.searched_beliefs,
                       as->knowledge.searched_beliefs.threats, as->knowledge.searched_beliefs.count))
    return false;
  memcpy(agent->mind.reason, as->mind.reason, sizeof as->mind.reason);
  agent->stats = as->stats;
  return true;
}

/* A place of the file on the navmesh that it says. @return false: it is not there. */
static bool find_place(const lw_world *world, const lw_saved *saved, int navmesh, lw_location *at) {
  if (navmesh >= world->scene.nav_count) return false;
  at->poly = lwi_saved_place(world, saved, navmesh, at->poly);
  at->poly = lwi_poly_at_place(world->scene.meshes[navmesh], at->poly);
  return at->poly != 0;
}

/* Was there ground before it was cut away, or a tile before it was removed? */
static bool was_ground(const lw_world *world, const lw_saved *saved, int navmesh, lw_vec3 at) {
  if (lwi_saved_is_same(world, saved, navmesh)) return true;
  const lw_vec3 snap = {SAME_PLACE, SAME_PLACE, SAME_PLACE};
  lw_location found;
  return lw_navmesh_nearest(world->scene.navs[navmesh].base, at, snap, NULL, &found) == LW_OK;
}

/* Could it have been spawned there for standing at `to`? Where there is no ground, that is the nearest place that has
   some. */
static bool is_within_snap(lw_vec3 at, lw_vec3 to) {
  const lw_vec3 d = lwi_sub(at, to);
  return fmaxf(fmaxf(fabsf(d.x), fabsf(d.y)), fabsf(d.z)) <= LWI_SAVED_SPAWN_SNAP;
}

/* May an agent that is parked or trapped be at its place? No ground is there; a trapped agent that is large may also
   stand on ground where it does not fit. */
static bool may_be_off_ground(const lw_world *world, const lw_saved *saved, const lwi_agent *now,
                              const lwi_agent *as, bool is_there) {
  if (!is_there) return was_ground(world, saved, now->navmesh, now->at.point);
  return as->ground.is_trapped && lwi_agent_keep(&world->scene.navs[now->navmesh], now) > 0 &&
         lwi_agent_on_mesh(now, world->scene.meshes);
}

/* The same as it was, with all that is borrowed from this world. @return false: it would not stand on
   navmesh. */
static bool find_state(const lw_world *world, const lw_saved *saved, const lwi_agent *agent,
                       const lwi_agent *as, lwi_agent *now) {
  *now = *agent;
  now->navmesh = as->navmesh;
  now->at = as->at;
  now->link = as->link;
  if (now->navmesh >= world->scene.nav_count || !is_within_snap(agent->at.point, lwi_agent_footing(now).point))
    return false;
  const bool is_there = find_place(world, saved, now->navmesh, &now->at);
  if (as->ground.is_parked || as->ground.is_trapped) return may_be_off_ground(world, saved, now, as, is_there);
  /* Where it left for a link, ground may have been cut away since. */
  if (!now->link.active) return is_there && lwi_agent_on_mesh(now, world->scene.meshes);
  lwi_agent landed = *agent;
  const int end = lwi_agent_footing_navmesh(now);
  const bool has_end = as->link.to.poly != LWI_NO_PLACE; /* else its tile was removed on the way */
  if (!find_place(world, saved, end, &now->link.to))
    return !has_end && end < world->scene.nav_count && lwi_saved_is_same(world, saved, end);
  landed.at = now->link.to;
  landed.navmesh = end;
  landed.link.active = false;
  return lwi_agent_on_mesh(&landed, world->scene.meshes);
}

static bool is_where_it_was(const lwi_agent *agent, const lwi_saved_agent *from) {
  return agent->navmesh == from->navmesh && lwi_distance(agent->at.point, from->at) <= SAME_PLACE;
}

/* The number of a profile, as the file has it. NULL: 0. */
static uint64_t saved_number_of(const lw_world *world, const lw_saved *saved, const lw_profile *profile) {
  lw_area_id areas[LW_AREA_MAX];
  for (int i = 0; i < saved->area_count; i++)
    areas[i] = lwi_saved_area(saved, world->scene.meshes[0]->areas, (lw_area_id)(i + 1));
  return profile ? number_of(profile, areas, saved->area_count) : 0;
}

/* Has the agent the prices that it had, and its journey those that it had? */
static bool is_who_it_was(const lw_world *world, const lwi_agent *agent, const lw_saved *saved,
                          const lwi_saved_walk *walk) {
  return saved_number_of(world, saved, agent->profile) == walk->profile &&
         saved_number_of(world, saved, agent->route.journey.profile) == walk->journey;
}

/* Was the journey for numbers over the agent's own profile, which the file does not have, though `journey` has that
   profile's name? */
static bool had_other_numbers(const lw_world *world, const lw_saved *saved, const lwi_agent *agent,
                              const lwi_saved_walk *walk, const lw_profile *journey) {
  return journey && strcmp(walk->journey_name, agent->profile->def.name) == 0 &&
         saved_number_of(world, saved, journey) != walk->journey;
}

/* @return false: no memory. */
static bool restore_journey(lw_world *world, lwi_agent *agent, const lw_saved *saved,
                            const lwi_saved_walk *walk, const lw_profile *profile) {
  lwi_journey *journey = &agent->route.journey;
  const lwi_journey *as = &walk->as.route.journey;
  if (had_other_numbers(world, saved, agent, walk, profile)) profile = NULL;
  if (!lwi_beliefs_set(&world->memory, &journey->threats, as->threats.threats, as->threats.count)) return false;
  const lwi_beliefs threats = journey->threats;
  *journey = *as;
  journey->threats = threats;
  journey->profile = walk->journey_name[0] ? profile : NULL;
  return true;
}

/* Search its path again, on the same journey. @param walk  NULL: the file says nothing of that. */
static lw_status move_again(lw_world *world, lwi_agent *agent, const lwi_saved_agent *from,
                            const lwi_saved_walk *walk) {
  lw_move_options options = lw_move_options_default();
  options.within = from->within;
  options.profile = agent->route.journey.profile;
  if (walk) {
    const lwi_journey *as = &walk->as.route.journey;
    options.quality = as->quality;
    options.path_style = as->path_style;
    options.priority = as->priority;
    if (as->has_heading) options.heading = as->heading;
    if (as->pace > 0) options.pace = (lw_pace)(as->pace - 1);
    options.threats = as->threats.threats;
    if (as->has_threats) options.threat_count = as->threats.count;
  }
  lwi_agent_halt(agent, LW_MOVE_IDLE, LW_OK);
  return lw_agent_move_with(world, agent->id, from->goal, &options);
}

static void restore_move(lw_world *world, lwi_agent *agent, const lwi_agent *as, const lwi_agent *now) {
  lwi_agent_leave_links(world, agent); /* it may have been restored before */
  agent->navmesh = now->navmesh;
  agent->at = now->at;
  lwi_agent_note_place(world, agent);
  agent->link = now->link;
  agent->link.id = lw_link_id_none();
  agent->velocity = as->velocity;
  agent->route.motion = as->route.motion;
  agent->route.remedy = as->route.remedy;
  if (as->move == LW_MOVE_WALKING || now->link.active) agent->route.motion.is_resting = false;
  if (lwi_is_vehicle(agent->profile)) agent->route.motion.is_external = false; /* it walked then */
  agent->move = as->move;
  agent->failure = as->failure;
  agent->route.next_point = as->route.next_point;
  agent->route.remaining = as->route.remaining;
  agent->route.best_remaining = as->route.best_remaining;
  agent->route.best_time = as->route.best_time;
  agent->route.replans_left = as->route.replans_left;
  agent->route.staleness = as->route.staleness;
  agent->route.searched = as->route.searched;
  agent->route.reconsider = as->route.reconsider;
  agent->route.excess = as->route.excess;
  world->reconsider = fmin(world->reconsider, as->route.reconsider);
  agent->ground.is_parked = as->ground.is_parked;
  agent->ground.is_trapped = as->ground.is_trapped;
  if (agent->ground.is_parked) lwi_agent_look_beside(world, agent);
  agent->knowledge.heard = world->news;
  agent->route.visibility = as->route.visibility;
}

/* @return false: no memory, or there is no such polygon. */
static bool restore_polygons(lw_world *world, const lw_saved *saved, lwi_agent *agent, const lwi_agent *as) {
  if (!lwi_agent_note_corridor(world, agent)) return false;
  for (int i = 0; i < agent->route.polygon_count; i++) {
    const lwi_route_polygon from = as->route.polygons[i];
    const lwi_route_polygon at = {lwi_saved_polygon(world, saved, from.navmesh, from.polygon), from.navmesh};
    if (at.polygon == LWI_NONE && from.polygon != LWI_NONE) return false;
    if (at.polygon != LWI_NONE && at.polygon >= world->scene.navs[at.navmesh].base->polygons.count)
      return false;
    agent->route.polygons[i] = at;
  }
  return true;
}

/* @return false: no memory. */
static bool restore_cover(lw_world *world, lwi_agent *agent, const lwi_agent *as) {
  if (as->cover.active && !lwi_agent_hold_cover(world, agent, as->cover.at, as->cover.leash)) return false;
  if (!as->cover.active) lwi_agent_drop_cover(world, agent);
  agent->cover.reached = as->cover.reached;
  agent->cover.obstacle = as->cover.obstacle;
  agent->cover.lost = as->cover.lost;
  const int stances = agent->profile->def.stance_count; /* an edited profile may have fewer */
  const bool has_both = as->cover.active && as->cover.stance <= stances && as->cover.stance_before <= stances;
  agent->cover.stance = has_both ? as->cover.stance : 0;
  agent->cover.stance_before = has_both ? as->cover.stance_before : 0;
  return true;
}

lw_status lwi_saved_walk_on(lw_world *world, lwi_agent *agent, const lw_saved *saved, int index,
                            const lw_profile *journey) {
  const lwi_saved_agent *from = &saved->agents[index];
  const lwi_saved_walk *walk = index < saved->walk_count ? &saved->walks[index] : NULL;
  lwi_agent now;
  lw_status status = LW_OK;
  if (walk && !restore_mind(world, agent, saved, index)) return LW_OUT_OF_MEMORY;
  if (walk && from->walking && !restore_journey(world, agent, saved, walk, journey)) return LW_OUT_OF_MEMORY;
  bool is_same = walk && is_where_it_was(agent, from) && find_state(world, saved, agent, &walk->as, &now);
  agent->route.goal = from->goal;
  agent->route.within = from->within;
  if (is_same) restore_move(world, agent, &walk->as, &now);
  if (is_same && walk->as.route.path && is_who_it_was(world, agent, saved, walk))
    agent->route.path = lwi_saved_open_path(world, saved, walk->as.route.path);
  if (agent->route.path && !restore_polygons(world, saved, agent, &walk->as)) {
    lw_path_destroy(agent->route.path);
    agent->route.path = NULL;
  }
  if (is_same && !lwi_saved_restore_driving(world, agent, &walk->as)) return LW_OUT_OF_MEMORY;
  lwi_saved_restore_carried(world, agent, saved, index);
  if (is_same && agent->link.active)
    lwi_agent_restore_link(world, agent, lwi_world_link_of_code(world, walk->as.link.id.slot));
  if (is_same && agent->route.path)
    lwi_agent_restore_wait(world, agent, lwi_world_link_of_code(world, walk->as.route.wait.link.slot),
                           walk->as.route.wait.ticket);
  const bool keeps_path = agent->route.path != NULL;
  if (agent->route.path) {
    world->planner.any_stale |= agent->route.staleness != LWI_FRESH && agent->route.staleness != LWI_WAITING;
    lwi_saved_restore_waiting(world, agent, saved);
  } else if (from->walking || agent->move == LW_MOVE_WALKING) {
    status = move_again(world, agent, from, walk);
  }
  lwi_saved_restore_member(world, agent, saved, index, is_same && keeps_path);
  if (walk && !restore_cover(world, agent, &walk->as)) return LW_OUT_OF_MEMORY;
  return status;
}
