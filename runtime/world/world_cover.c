/* What is seen in a world. */
#include "core/status.h"
#include "core/vec3.h"
#include "cover/pairs.h"
#include "world/world.h"

#include <math.h>
#include <string.h>

/* Navmeshes of one level, baked for different agents, have the same occluders: once is enough. */
static bool are_same(const lwi_occluders *a, const lwi_occluders *b) {
  return a->number_count == b->number_count && a->vertex_count == b->vertex_count && a->quantum == b->quantum &&
         memcmp(&a->origin, &b->origin, sizeof a->origin) == 0 &&
         memcmp(a->vertices, b->vertices, lwi_occluder_vertex_numbers(a->vertex_count) * sizeof *a->vertices) ==
             0 &&
         memcmp(a->numbers, b->numbers, a->number_count * sizeof *a->numbers) == 0;
}

static bool is_new(const lw_world *world, const lwi_occluders *occluders) {
  for (int i = 0; i < world->occluder_count; i++)
    if (are_same(world->occluders[i], occluders)) return false;
  return true;
}

bool lwi_world_cover_init(lw_world *world) {
  world->occluders = lwi_alloc(&world->memory, (size_t)world->ground_count * sizeof *world->occluders);
  world->sight_meshes = lwi_alloc(&world->memory, (size_t)world->ground_count * sizeof *world->sight_meshes);
  if (!world->occluders || !world->sight_meshes) return false;
  for (int i = 0; i < world->ground_count; i++) {
    const lwi_occluders *occluders = &world->grounds[i].mesh->occluders;
    if (occluders->leaf_count == 0 || !is_new(world, occluders)) continue;
    world->sight_meshes[world->occluder_count] = world->grounds[i].mesh;
    world->occluders[world->occluder_count++] = occluders;
    world->any_map |= world->grounds[i].mesh->cover.has_map != 0;
    world->bare |= occluders->node_count == 0;
  }
  for (int i = 0; i < 2; i++)
    lwi_eyes_init(&world->eyes[i], world->def.depth_maps, world->occluders, world->occluder_count,
                  &world->memory);
  lwi_guides_init(&world->guides, world->def.depth_maps, world->occluders, world->occluder_count,
                  &world->memory);
  return true;
}

void lwi_world_cover_free(lw_world *world) {
  lwi_exposure_room_free(&world->exposure_room);
  lwi_guides_free(&world->guides);
  lwi_cover_room_free(&world->cover_room, &world->memory);
  for (int i = 0; i < 2; i++)
    if (world->eyes[i].memory) lwi_eyes_free(&world->eyes[i]);
  lwi_free(&world->memory, world->occluders, (size_t)world->ground_count * sizeof *world->occluders);
  lwi_free(&world->memory, world->sight_meshes, (size_t)world->ground_count * sizeof *world->sight_meshes);
}

lwi_sight lwi_world_sight(lw_world *world) {
  return (lwi_sight){.sets = world->occluders,
                     .count = world->occluder_count,
                     .meshes = world->sight_meshes,
                     .bare = world->bare,
                     .eyes = &world->eyes[world->stepping]};
}

lw_status lwi_world_check_accuracy(const lw_world *world, lw_accuracy accuracy) {
  return accuracy == LW_ACCURACY_MAP && !world->any_map ? LW_NOT_FOUND : LW_OK;
}

/* How far a threat is from the straight way. */
static float beside(const lw_path_query *query, lw_vec3 at) {
  float t = lwi_part_along(query->from, query->to, at);
  return lwi_distance(at, lwi_lerp(query->from, query->to, fminf(1, fmaxf(0, t))));
}

static bool counts_for_more(const lw_path_query *query, const lw_threat *a, const lw_threat *b) {
  return a->weight != b->weight ? a->weight > b->weight : beside(query, a->at) < beside(query, b->at);
}

static int find_least(const lw_path_query *query, const lw_threat *threats, int count) {
  int least = 0;
  for (int i = 1; i < count; i++)
    if (counts_for_more(query, &threats[least], &threats[i])) least = i;
  return least;
}

/* The threats that a search looks by: who weighs most, and then who is nearest to the way. Who weighs nothing is none. They stay
   in their order: as long as they are the same what was looked up for them is, too.
   @param[out] threats  [LWI_GUIDES_MAX] @return How many. */
static int choose_guides(const lw_path_query *query, lw_threat *threats) {
  int count = 0;
  for (int i = 0; i < query->threat_count; i++) {
    const lw_threat *threat = &query->threats[i];
    if (threat->weight == 0) continue;
    if (count == LWI_GUIDES_MAX) {
      int least = find_least(query, threats, count);
      if (!counts_for_more(query, threat, &threats[least])) continue;
      memmove(threats + least, threats + least + 1, (size_t)(--count - least) * sizeof *threats);
    }
    threats[count++] = *threat;
  }
  return count;
}

/* A depth map for each. @return false: no memory. */
static bool find_guides(lw_world *world, const lw_threat *threats, int count) {
  lwi_guides_begin(&world->guides);
  for (int i = 0; i < count; i++) {
    world->guiding[i] = lwi_guides_get(&world->guides, threats[i].at);
    if (!world->guiding[i]) return false;
  }
  return true;
}

/* @return LW_OK, also where there may be no depth maps; LW_OUT_OF_MEMORY. */
static lw_status look_out(lw_world *world, lwi_ground *ground, lwi_watch *watch, const lw_path_query *query) {
  if (world->bare || world->guides.limit == 0) return LW_OK;
  lw_threat threats[LWI_GUIDES_MAX];
  uint32_t over[LWI_SIGHT_OVER];
  lw_exposure_query rough = watch->query;
  lwi_sight sight = watch->sight;
  rough.threats = threats;
  rough.threat_count = choose_guides(query, threats);
  sight.maps = world->guiding;
  sight.scene = &world->guides.scene;
  sight.over = lwi_sight_over(ground->mesh, threats, rough.threat_count, over);
  if (!find_guides(world, threats, rough.threat_count)) return LW_OUT_OF_MEMORY;
  if (!ground->spots.grids && !lwi_spots_make(&ground->spots, ground->mesh, &world->memory))
    return LW_OUT_OF_MEMORY;
  if (!lwi_outlook_turn(&ground->outlook, &ground->spots, &sight, &rough)) return LW_OUT_OF_MEMORY;
  watch->outlook = &ground->outlook;
  return LW_OK;
}

lw_status lwi_world_watch(lw_world *world, lwi_ground *ground, const lw_path_query *query, lwi_watch *to) {
  lwi_watch watch = {.mesh = ground->mesh,
                     .sight = lwi_world_sight(world),
                     .query = lw_exposure_query_default(),
                     .factor = query->profile ? (query->profile->def.cover_bias - 1) *
                                                    lwi_world_visibility_for(world, query)
                                              : 0,
                     .memory = &world->memory,
                     .room = &world->exposure_room};
  watch.sight.ground = ground->mesh;
  watch.sight.over = lwi_sight_over(ground->mesh, query->threats, query->threat_count, ground->threats_over);
  watch.query.threats = query->threats;
  watch.query.accuracy = query->accuracy;
  watch.query.threat_count = query->threat_count;
  watch.query.height_count = query->height_count;
  for (int i = 0; i < query->height_count; i++) watch.query.heights[i] = query->heights[i];
  for (int i = 0; i < query->threat_count; i++) watch.worst += watch.factor * query->threats[i].weight;
  lw_status status = LW_OK;
  if (watch.factor > 0 && query->threat_count > 0) status = look_out(world, ground, &watch, query);
  *to = watch;
  return status;
}

/* Longer ways are seldom over one polygon. [m] */
#define PAIRS_WAY 6.0f

/* What is sure of a way that is over one polygon. */
static void find_pairs(lw_world *world, const lw_exposure_query *query, lwi_sight *sight) {
  const lw_navmesh *mesh = world->ground_count == 1 ? world->grounds[0].mesh : NULL;
  if (!mesh || !lwi_pairs_pay(mesh) || lwi_distance(query->from, query->to) > PAIRS_WAY) return;
  sight->polygon = lwi_pairs_over(mesh, lwi_add(query->from, lwi_vec3(0, LWI_PAIR_MIDDLE, 0)));
  if (sight->polygon == LWI_NONE ||
      !lwi_pairs_hold(mesh, sight->polygon, query->to, query->to, LWI_PAIR_MIDDLE, LWI_PAIR_MIDDLE))
    return;
  sight->ground = mesh;
  sight->over = lwi_sight_over(mesh, query->threats, query->threat_count, world->threats_over);
}

lw_status lw_exposure_find(lw_world *world, const lw_exposure_query *query, lw_exposure *exposure) {
  *exposure = (lw_exposure){0};
  if (!lwi_exposure_check(query)) return LW_INVALID;
  lw_status status = lwi_world_check_accuracy(world, query->accuracy);
  if (status != LW_OK) return status;
  lwi_sight sight = lwi_world_sight(world);
  find_pairs(world, query, &sight);
  return lwi_exposure_find(&sight, query, &world->memory, &world->exposure_room, exposure);
}

bool lw_sees(const lw_world *world, lw_vec3 eye, lw_vec3 target, bool shots) {
  if (!lwi_is_place(eye) || !lwi_is_place(target)) return false;
  return lwi_sets_see(world->occluders, world->occluder_count, eye, target, !shots);
}
