/* Finding cover in a world: places behind the walls around, the best after the way to each; and keeping them. */
#include "core/status.h"
#include "cover/pairs.h"
#include "search/stand.h"
#include "world/world.h"

#include <math.h>
#include <string.h>

/* Of places nearer to each other than this only the best is told. [m] */
#define APART 1.0f
/* An agent that comes so near to its place is there. [m] */
#define THERE 1.0f
/* From a wall to one who stands at it, beside his radius: the navmesh ends about there. [m] */
#define GAP 0.1f
/* Rounding of what one way costs, charged twice. */
#define SAME_COST 1.00001f

lw_cover_point_query lw_cover_point_query_default(void) {
  return (lw_cover_point_query){.radius = 20,
                                .snap = {2, 4, 2},
                                .stance = -1,
                                .max_cost = INFINITY,
                                .visibility = -1,
                                .weights = {1, 0.5f, 0.5f},
                                .navmesh = LW_NAVMESH_FITTING,
                                .cookie = LWI_COOKIE};
}

/* --- what is asked ------------------------------------------------------------------------------------------------ */

static bool is_weight(float weight) {
  return weight >= 0 && isfinite(weight);
}

static bool check_query(const lw_world *world, const lw_cover_point_query *query) {
  lw_exposure_query exposure = lw_exposure_query_default();
  const lw_profile *profile = query->profile;
  int stances = profile ? profile->def.stance_count : LW_CROUCH + 1;
  const lw_vec3 *from = query->from ? query->from : &query->around;
  exposure.threats = query->threats;
  exposure.threat_count = query->threat_count;
  return query->cookie == LWI_COOKIE && lwi_finite(query->around) && lwi_finite(*from) && query->radius > 0 &&
         isfinite(query->radius) && lwi_finite(query->snap) && query->snap.x > 0 && query->snap.y > 0 &&
         query->snap.z > 0 && query->threat_count >= 1 && lwi_exposure_check(&exposure) &&
         query->stance >= -1 && query->stance < stances && query->max_cost >= 0 &&
         (query->visibility == -1 || (query->visibility >= 0 && query->visibility <= 1)) &&
         is_weight(query->weights.protection) && is_weight(query->weights.flank) &&
         is_weight(query->weights.cost) && query->navmesh >= LW_NAVMESH_FITTING &&
         query->navmesh < world->ground_count;
}

/* Where he comes from: the place, the rooms that he can get to. */
static lw_status begin(lw_world *world, lwi_ground **ground, lwi_cover_seeker *seeker) {
  const lw_cover_point_query *query = seeker->query;
  const lwi_prices *prices = query->profile ? &query->profile->prices : &world->plain;
  lw_vec3 from = query->from ? *query->from : query->around;
  lw_location at;
  if (lwi_world_place(world, query->navmesh, from, query->snap, query->profile, ground, &at) != LW_OK)
    return LW_NO_START;
  seeker->filter = &prices->filter;
  seeker->lowest_price = (*ground)->has_short_links ? 0 : prices->lowest;
  seeker->reach = lwi_components_get(&(*ground)->components, &prices->filter);
  seeker->work = &(*ground)->components.region;
  if (!seeker->reach) return LW_OUT_OF_MEMORY;
  uint32_t room;
  lw_status status = lwi_stand(seeker->reach, seeker->work, seeker->filter, from, query->snap, &at, &room);
  if (status != LW_OK) return status == LW_NO_POINT ? LW_NO_START : status;
  if (room == LWI_NONE) return LW_NO_POINT;
  seeker->label = seeker->reach->labels[room];
  seeker->from = at.point;
  float made_for = lw_navmesh_get_agent((*ground)->mesh).radius;
  seeker->radius = query->profile ? query->profile->def.radius : made_for;
  seeker->standoff = fmaxf(seeker->radius, made_for) + GAP;
  return LW_OK;
}

/* What others have reserved. */
static lw_status find_taken(lw_world *world, lwi_cover_seeker *seeker) {
  lwi_cover_room *room = &world->cover_room;
  for (int i = 0; i < world->agent_count; i++) {
    const lwi_agent *agent = world->agents[i];
    if (!agent->has_cover || agent->doomed || agent->id == seeker->query->agent) continue;
    if (!lwi_reserve(&world->memory, &room->taken, &room->taken_capacity, seeker->taken_count + 1,
                     sizeof *room->taken))
      return LW_OUT_OF_MEMORY;
    room->taken[seeker->taken_count++] =
        (lwi_cover_taken){agent->cover, agent->profile->def.radius + seeker->radius};
  }
  seeker->taken = room->taken;
  return LW_OK;
}

static lw_status make_room(lw_world *world, lwi_cover_seeker *seeker) {
  lwi_cover_room *room = &world->cover_room;
  if (!lwi_reserve(&world->memory, &room->judged, &room->judged_capacity, seeker->query->threat_count,
                   sizeof *room->judged))
    return LW_OUT_OF_MEMORY;
  seeker->judged = room->judged;
  return LW_OK;
}

/* The walls around, nearest first. @return LW_OK, LW_OUT_OF_MEMORY. */
static lw_status find_segments(lw_world *world, const lwi_cover_seeker *seeker, int navmesh, int *count) {
  lwi_cover_room *room = &world->cover_room;
  lw_cover_query query = lw_cover_query_default();
  query.around = seeker->query->around;
  query.radius = seeker->query->radius + seeker->standoff;
  query.profile = seeker->query->profile;
  query.navmesh = navmesh;
  lw_status status = lw_cover_segments_around(world, &query, room->segments, room->segment_capacity, count);
  if (status != LW_OK || *count <= room->segment_capacity) return status;
  if (!lwi_reserve(&world->memory, &room->segments, &room->segment_capacity, *count, sizeof *room->segments))
    return LW_OUT_OF_MEMORY;
  return lw_cover_segments_around(world, &query, room->segments, room->segment_capacity, count);
}

static lw_status gather(lw_world *world, const lwi_cover_seeker *seeker, int navmesh) {
  lwi_cover_room *room = &world->cover_room;
  int segments = 0;
  room->count = 0;
  lw_status status = find_segments(world, seeker, navmesh, &segments);
  for (int i = 0; i < segments && status == LW_OK; i++)
    if (!lwi_cover_gather(seeker, &room->segments[i], room)) status = LW_OUT_OF_MEMORY;
  return status;
}

/* --- the way there ------------------------------------------------------------------------------------------------ */

/* As who walks it would search it. */
static lw_path_query way_to(const lwi_cover_seeker *seeker, const lw_cover_point *point) {
  lw_path_query query = lw_path_query_default();
  query.from = seeker->from;
  query.to = point->at.point;
  query.profile = seeker->query->profile;
  query.navmesh = point->navmesh;
  query.team = seeker->query->team;
  query.visibility = seeker->query->visibility;
  return query;
}

static void let_watch(const lwi_cover_seeker *seeker, lw_path_query *query) {
  const lw_stance *stance = lw_profile_get_stance(query->profile, LW_STAND);
  query->heights[0] = stance->body[0];
  query->heights[1] = stance->body[1];
  query->height_count = 2;
  query->threats = seeker->query->threats;
  query->threat_count = seeker->query->threat_count;
}

/* @return LW_OK; LW_NO_POINT: no way, or too dear; LW_OUT_OF_MEMORY. */
static lw_status price_way(lw_world *world, const lwi_cover_seeker *seeker, const lw_path_query *query,
                           lwi_cover_spot *spot) {
  lw_path *path = NULL;
  lw_status status = lw_path_find(world, query, &path);
  if (status != LW_OK) return status == LW_OUT_OF_MEMORY ? status : LW_NO_POINT;
  spot->point.cost = spot->least = path->cost;
  spot->point.exposed = path->exposed;
  lw_path_destroy(path);
  return spot->least <= seeker->query->max_cost ? LW_OK : LW_NO_POINT;
}

/* What the way that is the cheapest if nobody sees it costs where they do. A search that minds them finds none that costs
   more. @param[out] cost  Infinity: there is none. @return LW_OK, LW_OUT_OF_MEMORY. */
static lw_status price_seen(lw_world *world, const lw_path_query *query, float *cost, float *exposed) {
  const lwi_prices *prices = lwi_world_prices(world, query->profile, lwi_world_visibility_for(world, query));
  const lwi_pricing pricing = {prices, prices};
  lw_path *path = NULL;
  lw_status status = lwi_world_find(world, query, &pricing, &path);
  *cost = status == LW_OK ? path->cost : INFINITY;
  *exposed = status == LW_OK ? path->exposed : 0;
  lw_path_destroy(path);
  return status == LW_OUT_OF_MEMORY ? status : LW_OK;
}

/* Does nobody see the way, so that it costs no more than if nobody looked? Then all is known. */
static lw_status try_unseen(lw_world *world, const lwi_cover_seeker *seeker, lwi_cover_spot *spot) {
  lw_path_query way = way_to(seeker, &spot->point);
  float cost;
  let_watch(seeker, &way);
  lw_status status = price_seen(world, &way, &cost, &spot->point.exposed);
  if (cost > spot->least * SAME_COST) return status;
  spot->known = LWI_SPOT_PRICED;
  spot->point.cost = spot->least = cost;
  return status;
}

/* Who can go on from the place to one whose way is priced pays no less to get there than the difference. */
static lw_status compare_with(lw_world *world, const lwi_cover_seeker *seeker, const lw_cover_point *priced,
                              lwi_cover_spot *spot) {
  float away = lwi_distance(priced->at.point, spot->point.at.point), cost, exposed;
  if (priced->cost - away * seeker->lowest_price <= spot->least) return LW_OK;
  lw_path_query way = way_to(seeker, priced);
  way.from = spot->point.at.point;
  let_watch(seeker, &way);
  lw_status status = price_seen(world, &way, &cost, &exposed);
  spot->least = fmaxf(spot->least, priced->cost - cost);
  return status;
}

/* By all that can be known without a search that minds who sees the way. */
static lw_status bound_way(lw_world *world, const lwi_cover_seeker *seeker, lwi_cover_spot *spot) {
  const lwi_cover_room *room = &world->cover_room;
  lw_status status = spot->compared == 0 ? try_unseen(world, seeker, spot) : LW_OK;
  int first = spot->compared > 0 ? spot->compared - 1 : 0;
  for (int i = first; i < room->priced_count && status == LW_OK && spot->known != LWI_SPOT_PRICED; i++)
    status = compare_with(world, seeker, &room->priced[i], spot);
  spot->compared = room->priced_count + 1;
  if (status != LW_OK) return status;
  return spot->least <= seeker->query->max_cost ? LW_OK : LW_NO_POINT;
}

/* With a search that minds who sees the way. */
static lw_status price_watched(lw_world *world, const lwi_cover_seeker *seeker, lwi_cover_spot *spot) {
  lwi_cover_room *room = &world->cover_room;
  lw_path_query way = way_to(seeker, &spot->point);
  let_watch(seeker, &way);
  spot->known = LWI_SPOT_PRICED;
  lw_status status = price_way(world, seeker, &way, spot);
  if (status != LW_OK) return status;
  if (!lwi_reserve(&world->memory, &room->priced, &room->priced_capacity, room->priced_count + 1,
                   sizeof *room->priced))
    return LW_OUT_OF_MEMORY;
  room->priced[room->priced_count++] = spot->point;
  return LW_OK;
}

static lw_status price_unseen(lw_world *world, const lwi_cover_seeker *seeker, lwi_cover_spot *spot) {
  lw_path_query way = way_to(seeker, &spot->point);
  spot->known = seeker->query->watched ? LWI_SPOT_REACHED : LWI_SPOT_PRICED;
  return price_way(world, seeker, &way, spot);
}

static lw_status judge(const lwi_cover_seeker *seeker, lwi_cover_spot *spot) {
  spot->known = LWI_SPOT_JUDGED;
  return lwi_cover_protect(seeker, &spot->point) ? LW_OK : LW_OUT_OF_MEMORY;
}

/* Look one step closer at a place: at what is quickly known first.
   @return LW_OK; LW_NO_POINT: no way, or too dear; LW_OUT_OF_MEMORY. */
static lw_status look_closer(lw_world *world, const lwi_cover_seeker *seeker, lwi_cover_spot *spot) {
  lw_status status;
  if (spot->known == LWI_SPOT_FOUND)
    status = judge(seeker, spot);
  else if (spot->known == LWI_SPOT_JUDGED)
    status = price_unseen(world, seeker, spot);
  else if (spot->compared <= world->cover_room.priced_count)
    status = bound_way(world, seeker, spot);
  else
    status = price_watched(world, seeker, spot);
  spot->most = spot->point.score = lwi_cover_score(seeker->query, &spot->point, spot->least);
  return status;
}

/* Is one of the better places so near that this one is not told? */
static bool is_beside_better(const lw_cover_point *points, int count, const lw_cover_point *point) {
  for (int i = 0; i < count; i++)
    if (lwi_distance(points[i].at.point, point->at.point) < APART) return true;
  return false;
}

/* Behind those that are no worse: but for the error of a bound it is the last. */
static void insert(lw_cover_point *points, int count, const lw_cover_point *point) {
  for (; count > 0 && points[count - 1].score < point->score; count--) points[count] = points[count - 1];
  points[count] = *point;
}

/* @return LW_OK, LW_OUT_OF_MEMORY. */
static lw_status open_spot(lw_world *world, uint32_t spot) {
  lwi_cover_room *room = &world->cover_room;
  bool good = lwi_heap_push(&room->open, &world->memory, -room->spots[spot].most, spot);
  return good ? LW_OK : LW_OUT_OF_MEMORY;
}

/* The one that may come out best is looked at closer, until all is known of it: then it is the best. */
static lw_status choose(lw_world *world, const lwi_cover_seeker *seeker, lw_cover_point *points, int capacity,
                        int *count) {
  lwi_cover_room *room = &world->cover_room;
  lwi_heap_entry best;
  lw_status status = LW_OK;
  room->open.count = room->priced_count = 0;
  for (int i = 0; i < room->count && status == LW_OK; i++) status = open_spot(world, (uint32_t)i);
  while (status == LW_OK && *count < capacity && lwi_heap_pop(&room->open, &best)) {
    lwi_cover_spot *spot = &room->spots[best.item];
    if (is_beside_better(points, *count, &spot->point)) continue;
    if (spot->known == LWI_SPOT_PRICED) {
      insert(points, (*count)++, &spot->point);
      continue;
    }
    status = look_closer(world, seeker, spot);
    if (status == LW_OK)
      status = open_spot(world, best.item);
    else if (status == LW_NO_POINT)
      status = LW_OK;
  }
  if (status != LW_OK) return status;
  return *count > 0 ? LW_OK : LW_NO_POINT;
}

lw_status lw_cover_point_find(lw_world *world, const lw_cover_point_query *query, lw_cover_point *points,
                              int capacity, int *count) {
  *count = 0;
  if (!points || capacity < 1 || !check_query(world, query)) return LW_INVALID;
  const lwi_agent *agent = lwi_world_agent(world, query->agent);
  if (query->agent && !agent) return LW_STALE;
  lw_cover_point_query asked = *query;
  if (agent && !asked.team) asked.team = agent->team;
  lwi_cover_seeker seeker = {.query = &asked,
                             .sight = {.sets = world->occluders,
                                       .count = world->occluder_count,
                                       .meshes = world->sight_meshes,
                                       .bare = world->bare},
                             .memory = &world->memory,
                             .room = &world->exposure_room};
  lwi_ground *ground;
  lw_status status = begin(world, &ground, &seeker);
  if (status != LW_OK) return status;
  seeker.sight.ground = ground->mesh;
  if (lwi_pairs_pay(ground->mesh))
    seeker.sight.over = lwi_sight_over(ground->mesh, query->threats, query->threat_count, seeker.over);
  lwi_cover_stances(&seeker);
  status = make_room(world, &seeker);
  if (status == LW_OK) status = find_taken(world, &seeker);
  if (status == LW_OK) status = gather(world, &seeker, (int)(ground - world->grounds));
  return status == LW_OK ? choose(world, &seeker, points, capacity, count) : status;
}

/* --- keeping one -------------------------------------------------------------------------------------------------- */

static bool is_on_navmesh(const lw_world *world, const lwi_agent *agent, lw_vec3 at) {
  lwi_ground *ground;
  lw_location place;
  return lwi_world_place(world, LW_NAVMESH_FITTING, at, lw_cover_point_query_default().snap, agent->profile,
                         &ground, &place) == LW_OK;
}

lw_status lw_agent_reserve_cover(lw_world *world, lw_agent_id id, lw_vec3 at, float leash) {
  lwi_agent *agent = lwi_world_agent(world, id);
  if (!agent) return LW_STALE;
  if (!lwi_finite(at) || !(leash >= 0)) return LW_INVALID; /* infinity is one */
  if (!is_on_navmesh(world, agent, at)) return LW_NO_POINT;
  for (int i = 0; i < world->agent_count; i++) {
    const lwi_agent *other = world->agents[i];
    if (other == agent || !other->has_cover || other->doomed) continue;
    if (lwi_distance(other->cover, at) < other->profile->def.radius + agent->profile->def.radius)
      return LW_TAKEN;
  }
  agent->has_cover = true;
  agent->was_there = false;
  agent->cover = at;
  agent->leash = leash;
  return LW_OK;
}

lw_status lw_agent_release_cover(lw_world *world, lw_agent_id id) {
  lwi_agent *agent = lwi_world_agent(world, id);
  if (!agent) return LW_STALE;
  agent->has_cover = false;
  return LW_OK;
}

lw_status lw_agent_get_cover(const lw_world *world, lw_agent_id id, lw_vec3 *at, float *leash) {
  const lwi_agent *agent = lwi_world_agent(world, id);
  if (!agent) return LW_STALE;
  if (!agent->has_cover) return LW_EMPTY;
  *at = agent->cover;
  if (leash) *leash = agent->leash;
  return LW_OK;
}

void lwi_agent_keep_cover(lwi_agent *agent) {
  if (!agent->has_cover) return;
  float away = lwi_distance(agent->at.point, agent->cover);
  if (away <= fminf(THERE, agent->leash)) agent->was_there = true;
  if (agent->was_there && away > agent->leash) agent->has_cover = false;
}

void lwi_agent_leave_cover(lwi_agent *agent, lw_vec3 goal) {
  if (agent->has_cover && lwi_distance(goal, agent->cover) > agent->leash) agent->has_cover = false;
}
