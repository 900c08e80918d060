/* Finding cover in a world: places behind the walls around, the best after the way to each; and keeping them. */
#include "core/status.h"
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

lw_cover_point_query lw_cover_point_query_default(void) {
  return (lw_cover_point_query){.radius = 20,
                                .snap = {2, 4, 2},
                                .stance = -1,
                                .max_cost = INFINITY,
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
  seeker->lowest_price = prices->lowest;
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

/* @return LW_OK; LW_NO_POINT: no way, or too dear; LW_OUT_OF_MEMORY. */
static lw_status price_way(lw_world *world, const lwi_cover_seeker *seeker, lw_cover_point *point) {
  lw_path_query query = lw_path_query_default();
  query.from = seeker->from;
  query.to = point->at.point;
  query.profile = seeker->query->profile;
  query.navmesh = point->navmesh;
  if (seeker->query->watched) {
    const lw_stance *stance = lw_profile_get_stance(query.profile, LW_STAND);
    query.heights[0] = stance->body[0];
    query.heights[1] = stance->body[1];
    query.height_count = 2;
    query.threats = seeker->query->threats;
    query.threat_count = seeker->query->threat_count;
  }
  lw_path *path = NULL;
  lw_status status = lw_path_find(world, &query, &path);
  if (status != LW_OK) return status == LW_OUT_OF_MEMORY ? status : LW_NO_POINT;
  point->cost = path->cost;
  point->exposed = path->exposed;
  point->score = lwi_cover_score(seeker->query, point, point->cost);
  lw_path_destroy(path);
  return point->cost <= seeker->query->max_cost ? LW_OK : LW_NO_POINT;
}

static bool is_near(const lw_cover_point *a, const lw_cover_point *b) {
  return lwi_distance(a->at.point, b->at.point) < APART;
}

/* Put it among those found so far, best first, unless a better one is near; worse ones that are near go.
   @return How many there are then. */
static int insert(lw_cover_point *points, int count, int capacity, const lw_cover_point *point) {
  for (int i = 0; i < count && points[i].score >= point->score; i++)
    if (is_near(&points[i], point)) return count;
  int kept = 0;
  for (int i = 0; i < count; i++)
    if (points[i].score >= point->score || !is_near(&points[i], point)) points[kept++] = points[i];
  int at = 0;
  while (at < kept && points[at].score >= point->score) at += 1;
  if (at >= capacity) return kept;
  int moved = (kept < capacity ? kept : capacity - 1) - at;
  memmove(&points[at + 1], &points[at], (size_t)moved * sizeof *points);
  points[at] = *point;
  return kept < capacity ? kept + 1 : capacity;
}

/* Can it no longer be among the best, with no more than `most`? */
static bool is_hopeless(const lw_cover_point *points, int count, int capacity, const lw_cover_point *point,
                        float most) {
  if (count == capacity && points[count - 1].score >= most) return true;
  for (int i = 0; i < count; i++)
    if (points[i].score >= most && is_near(&points[i], point)) return true;
  return false;
}

/* Looks closer at those that may come out best first, until no other can be among the best: first how well they protect,
   then at the way there. */
static lw_status choose(lw_world *world, const lwi_cover_seeker *seeker, lw_cover_point *points, int capacity,
                        int *count) {
  lwi_cover_room *room = &world->cover_room;
  lwi_cover_sort(room);
  for (int i = 0; i < room->count; i++) {
    lw_cover_point point = room->spots[i].point;
    float most = room->spots[i].most;
    if (*count == capacity && points[capacity - 1].score >= most) break;
    if (is_hopeless(points, *count, capacity, &point, most)) continue;
    if (!lwi_cover_protect(seeker, &point)) return LW_OUT_OF_MEMORY;
    most -= seeker->query->weights.protection * (1 - point.protection);
    if (is_hopeless(points, *count, capacity, &point, most)) continue;
    lw_status status = price_way(world, seeker, &point);
    if (status == LW_OUT_OF_MEMORY) return status;
    if (status == LW_OK) *count = insert(points, *count, capacity, &point);
  }
  return *count > 0 ? LW_OK : LW_NO_POINT;
}

lw_status lw_cover_point_find(lw_world *world, const lw_cover_point_query *query, lw_cover_point *points,
                              int capacity, int *count) {
  *count = 0;
  if (!points || capacity < 1 || !check_query(world, query)) return LW_INVALID;
  if (query->agent && !lwi_world_agent(world, query->agent)) return LW_STALE;
  lwi_cover_seeker seeker = {.query = query,
                             .sight = {.sets = world->occluders,
                                       .count = world->occluder_count,
                                       .meshes = world->sight_meshes,
                                       .bare = world->bare},
                             .memory = &world->memory,
                             .room = &world->exposure_room};
  lwi_ground *ground;
  lw_status status = begin(world, &ground, &seeker);
  if (status != LW_OK) return status;
  lwi_cover_stances(&seeker);
  status = find_taken(world, &seeker);
  if (status == LW_OK) status = gather(world, &seeker, (int)(ground - world->grounds));
  return status == LW_OK ? choose(world, &seeker, points, capacity, count) : status;
}

/* --- keeping one -------------------------------------------------------------------------------------------------- */

lw_status lw_agent_reserve_cover(lw_world *world, lw_agent_id id, lw_vec3 at) {
  lwi_agent *agent = lwi_world_agent(world, id);
  if (!agent) return LW_STALE;
  if (!lwi_finite(at)) return LW_INVALID;
  for (int i = 0; i < world->agent_count; i++) {
    const lwi_agent *other = world->agents[i];
    if (other == agent || !other->has_cover || other->doomed) continue;
    if (lwi_distance(other->cover, at) < other->profile->def.radius + agent->profile->def.radius)
      return LW_TAKEN;
  }
  agent->has_cover = true;
  agent->was_there = false;
  agent->cover = at;
  return LW_OK;
}

lw_status lw_agent_release_cover(lw_world *world, lw_agent_id id) {
  lwi_agent *agent = lwi_world_agent(world, id);
  if (!agent) return LW_STALE;
  agent->has_cover = false;
  return LW_OK;
}

lw_status lw_agent_get_cover(const lw_world *world, lw_agent_id id, lw_vec3 *at) {
  const lwi_agent *agent = lwi_world_agent(world, id);
  if (!agent) return LW_STALE;
  if (!agent->has_cover) return LW_EMPTY;
  *at = agent->cover;
  return LW_OK;
}

void lwi_agent_keep_cover(lwi_agent *agent) {
  if (!agent->has_cover) return;
  float away = lwi_distance(agent->at.point, agent->cover);
  if (away <= THERE) agent->was_there = true;
  if (agent->was_there && away > LW_COVER_LEASH) agent->has_cover = false;
}

void lwi_agent_leave_cover(lwi_agent *agent, lw_vec3 goal) {
  if (agent->has_cover && lwi_distance(goal, agent->cover) > LW_COVER_LEASH) agent->has_cover = false;
}
