/* The obstacles in a world's file, in order of creation, with what they are cut out as; and the permutations, which some
   of them belong to. */
#include "core/sort.h"
#include "save/saved.h"

#include <string.h>

/* Flags of an obstacle. */
enum { BLOCKS = 1, CUT = 2, ACTIVE = 4, REMOVED = 8, SHOWN = 16, OFFERS = 32, ANNOUNCED = 64, FLAGS = 127 };

/* The number of the carrier of an obstacle that awaits its agent, which nobody restored. */
#define NOBODY UINT32_MAX
/* Attached ones may be further out than what the API takes. */
#define PLACE_MAX (8 * LW_COORDINATE_MAX) /* m */
#define YAW_MAX (8 * LW_OBSTACLE_YAW_MAX) /* rad */

/* --- permutations ----------------------------------------------------------------------------------------- */

void lwi_saved_put_permutations(lwi_bytes *to, const lw_world *world) {
  lwi_put_u32(to, (uint32_t)world->permutations.count);
  for (int i = 0; i < world->permutations.count; i++) {
    const lwi_permutation *permutation = &world->permutations.items[i];
    lwi_put_text(to, permutation->name);
    lwi_put_text(to, permutation->state);
    lwi_put_u32(to, permutation->is_applied);
    lwi_put_u32(to, (uint32_t)permutation->barred_count);
    for (int k = 0; k < permutation->barred_count; k++) lwi_put_text(to, permutation->barred[k].text);
  }
}

static bool read_name(lwi_reader *from, char *name) {
  char text[256];
  lwi_get_text(from, text);
  if (from->failed || !text[0] || strlen(text) > LW_PERMUTATION_NAME_MAX) return false;
  memcpy(name, text, strlen(text) + 1);
  return true;
}

/* The links that it bars. @return "": no memory. */
static const char *read_barred(lw_saved *saved, lwi_reader *from, lwi_saved_permutation *read) {
  const uint32_t count = lwi_get_u32(from);
  if (count > LW_PERMUTATION_LINKS_MAX) return "one bars too many links";
  if (count == 0 || from->failed) return NULL;
  read->barred = lwi_alloc_zero(&saved->memory, count * sizeof *read->barred);
  if (!read->barred) return "";
  read->barred_count = (int)count;
  for (uint32_t i = 0; i < count; i++) {
    char text[256];
    lwi_get_text(from, text);
    if (from->failed) return NULL;
    if (!text[0] || strlen(text) > LW_LINK_NAME_MAX) return "the name of a link is out of range";
    memcpy(read->barred[i].text, text, strlen(text) + 1);
  }
  return NULL;
}

const char *lwi_saved_read_permutations(lw_saved *saved, lwi_reader *from) {
  const uint32_t count = lwi_get_u32(from);
  if (count > LW_PERMUTATIONS_MAX) return "there are too many";
  for (uint32_t i = 0; i < count && !from->failed; i++) {
    lwi_saved_permutation read = {.is_applied = false};
    const bool named = read_name(from, read.name) && read_name(from, read.state);
    const uint32_t is_applied = lwi_get_u32(from);
    if (from->failed) return NULL;
    if (!named || is_applied > 1) return "a name or a number is out of range";
    read.is_applied = is_applied == 1;
    for (int k = 0; k < saved->permutations.count; k++)
      if (strcmp(saved->permutations.items[k].name, read.name) == 0) return "two have one name";
    if (!lwi_reserve(&saved->memory, &saved->permutations.items, &saved->permutations.capacity,
                     saved->permutations.count + 1, sizeof read))
      return "";
    saved->permutations.items[saved->permutations.count++] = read;
    const char *wrong = read_barred(saved, from, &saved->permutations.items[saved->permutations.count - 1]);
    if (wrong) return wrong;
  }
  return NULL;
}

/* --- writing ---------------------------------------------------------------------------------------------- */

static void put_pose(lwi_bytes *to, lwi_pose pose) {
  lwi_put_vec3(to, pose.at);
  lwi_put_float(to, pose.yaw);
}

static void put_shape(lwi_bytes *to, const lw_obstacle_def *def) {
  lwi_put_u32(to, (uint32_t)def->shape);
  lwi_put_vec3(to, def->at);
  lwi_put_float(to, def->yaw);
  lwi_put_vec3(to, def->size);
  lwi_put_float(to, def->radius);
  lwi_put_float(to, def->height);
  lwi_put_u32(to, (uint32_t)def->point_count);
  for (int i = 0; i < def->point_count; i++) lwi_put_vec3(to, def->points[i]);
  lwi_put(to, def->area, 1);
  lwi_put_float(to, def->cost);
  lwi_put(to, def->cover, 1);
  lwi_put_float(to, def->min_move);
  lwi_put_float(to, def->max_speed);
  lwi_put_u64(to, def->user);
}

static unsigned flags_of(const lw_world *world, const lwi_obstacle *obstacle) {
  return (obstacle->def.blocks ? BLOCKS : 0U) | (obstacle->is_cut ? CUT : 0U) |
         (obstacle->is_active ? ACTIVE : 0U) | (obstacle->is_removed ? REMOVED : 0U) |
         (obstacle->is_shown ? SHOWN : 0U) | (lwi_obstacle_offers_cover(world, obstacle) ? OFFERS : 0U) |
         (obstacle->is_announced ? ANNOUNCED : 0U);
}

/* The numbers of agents in the file, from 1. @return [world->agents.capacity] By slot. NULL: no memory. */
static uint32_t *number_agents(const lw_world *world, lwi_memory *memory) {
  uint32_t *numbers = lwi_alloc_zero(memory, (size_t)world->agents.capacity * sizeof *numbers), number = 0;
  if (!numbers) return NULL;
  for (const lwi_agent *agent = NULL; (agent = lwi_next_agent(world, agent));)
    numbers[agent->id.slot] = ++number;
  return numbers;
}

/* @param numbers  NULL: there are no agents. */
static void put_obstacles(lwi_bytes *to, const lw_world *world, const uint32_t *numbers) {
  const lwi_id_pool *ids = &world->obstacles.ids;
  for (uint32_t i = ids->first; i != LWI_NO_SLOT; i = lwi_id_pool_next(ids, i)) {
    const lwi_obstacle *obstacle = lwi_obstacle_at(world, i);
    const bool has_agent = !lw_agent_id_is_none(obstacle->agent);
    put_shape(to, &obstacle->def);
    lwi_put_u32(to, flags_of(world, obstacle));
    lwi_put_u32(to, obstacle->number);
    lwi_put_u32(to, (uint32_t)obstacle->permutation);
    put_pose(to, obstacle->now);
    lwi_put_vec3(to, obstacle->from);
    lwi_put_double(to, obstacle->from_time);
    lwi_put_double(to, obstacle->moved);
    put_pose(to, obstacle->cut);
    put_pose(to, obstacle->offset);
    put_pose(to, obstacle->shown);
    put_pose(to, obstacle->announced);
    lwi_put_vec3(to, obstacle->velocity);
    lwi_put_u32(to, obstacle->head);
    lwi_put_u32(to, obstacle->awaits != 0 ? NOBODY : has_agent ? numbers[obstacle->agent.slot] : 0);
  }
}

void lwi_saved_put_obstacles(lwi_bytes *to, const lw_world *world) {
  const int agents = world->agents.capacity;
  uint32_t *numbers = agents > 0 ? number_agents(world, to->memory) : NULL;
  if (agents > 0 && !numbers) {
    to->failed = true;
    return;
  }
  lwi_saved_put_ids(to, &world->obstacles.ids);
  put_obstacles(to, world, numbers);
  lwi_free(to->memory, numbers, (size_t)agents * sizeof *numbers);
}

/* --- reading ---------------------------------------------------------------------------------------------- */

static lwi_pose get_pose(lwi_reader *from) {
  const lw_vec3 at = lwi_get_vec3(from);
  return (lwi_pose){at, lwi_get_float(from)};
}

static bool is_pose(lwi_pose pose) {
  return fabsf(pose.at.x) <= PLACE_MAX && fabsf(pose.at.y) <= PLACE_MAX && fabsf(pose.at.z) <= PLACE_MAX &&
         fabsf(pose.yaw) <= YAW_MAX;
}

/* @return "": no memory. */
static const char *read_points(lw_saved *saved, lwi_reader *from, lw_obstacle_def *def) {
  const uint32_t count = lwi_get_u32(from);
  if (from->failed || count == 0) return NULL;
  if (count > LW_OBSTACLE_POINTS_MAX) return "an outline has too many points";
  lw_vec3 *points = lwi_alloc(&saved->memory, count * sizeof *points);
  if (!points) return "";
  for (uint32_t i = 0; i < count; i++) points[i] = lwi_get_vec3(from);
  def->points = points;
  def->point_count = (int)count;
  return NULL;
}

static const char *read_shape(lw_saved *saved, lwi_reader *from, lw_obstacle_def *def) {
  *def = lw_obstacle_def_default();
  const uint32_t shape = lwi_get_u32(from);
  def->at = lwi_get_vec3(from);
  def->yaw = lwi_get_float(from);
  def->size = lwi_get_vec3(from);
  def->radius = lwi_get_float(from);
  def->height = lwi_get_float(from);
  const char *wrong = read_points(saved, from, def);
  if (wrong) return wrong;
  def->area = (lw_area_id)lwi_get(from, 1);
  def->cost = lwi_get_float(from);
  def->cover = (lw_cover_kind)lwi_get(from, 1);
  def->min_move = lwi_get_float(from);
  def->max_speed = lwi_get_float(from);
  def->user = lwi_get_u64(from);
  if (from->failed) return NULL;
  if (shape >= LW_OBSTACLE_SHAPE_COUNT || (shape == LW_OBSTACLE_POLYGON) != (def->point_count > 0) ||
      def->area > saved->area_count)
    return "a number is out of range";
  def->shape = (lw_obstacle_shape)shape;
  return NULL;
}

/* Whether it is a screen, and the same as what was added. */
static bool has_good_sight(const lwi_obstacle *obstacle, unsigned flags) {
  const bool can_hide = obstacle->def.cover == LW_COVER_HARD || obstacle->def.cover == LW_COVER_SOFT;
  if (!can_hide && (obstacle->def.cover != LW_COVER_NONE || flags & (SHOWN | OFFERS | ANNOUNCED))) return false;
  return is_pose(obstacle->shown) && is_pose(obstacle->announced) && !(flags & OFFERS && !(flags & SHOWN));
}

static const char *read_obstacle(lw_saved *saved, lwi_reader *from, lwi_obstacle *obstacle, bool *offers) {
  *obstacle = (lwi_obstacle){.next_carried = LWI_NO_SLOT,
                             .first_attached = LWI_NO_SLOT,
                             .next_attached = LWI_NO_SLOT,
                             .agent = lw_agent_id_none()};
  const char *wrong = read_shape(saved, from, &obstacle->def);
  if (wrong) return wrong;
  const uint32_t flags = lwi_get_u32(from);
  obstacle->number = lwi_get_u32(from);
  const uint32_t permutation = lwi_get_u32(from);
  obstacle->now = get_pose(from);
  obstacle->from = lwi_get_vec3(from);
  obstacle->from_time = lwi_get_double(from);
  obstacle->moved = lwi_get_double(from);
  obstacle->cut = get_pose(from);
  obstacle->offset = get_pose(from);
  obstacle->shown = get_pose(from);
  obstacle->announced = get_pose(from);
  obstacle->velocity = lwi_get_vec3(from);
  obstacle->head = lwi_get_u32(from);
  const uint32_t awaits = lwi_get_u32(from);
  if (from->failed) return NULL;
  obstacle->def.blocks = flags & BLOCKS;
  obstacle->is_cut = flags & CUT;
  obstacle->is_active = flags & ACTIVE;
  obstacle->is_removed = flags & REMOVED;
  obstacle->is_shown = flags & SHOWN;
  obstacle->is_announced = flags & ANNOUNCED;
  *offers = flags & OFFERS;
  obstacle->awaits = awaits == NOBODY ? LWI_AWAITS_NOBODY : (int)awaits;
  obstacle->permutation = (int)permutation;
  const bool has_head = obstacle->head != LWI_NO_SLOT;
  /* Each number was the smallest free one when its obstacle took a slot, so there are as many slots. */
  const uint32_t number_limit = (uint32_t)saved->obstacles.ids.slot_count;
  if (flags > FLAGS || !has_good_sight(obstacle, flags) || obstacle->number >= number_limit ||
      permutation > (uint32_t)saved->permutations.count || (permutation > 0 && (has_head || awaits > 0)) ||
      !is_pose(obstacle->now) || !is_pose((lwi_pose){obstacle->from, 0}) ||
      !(obstacle->from_time >= 0 && obstacle->from_time <= obstacle->moved &&
        obstacle->moved <= saved->clock.time) ||
      !is_pose(obstacle->cut) || !is_pose(obstacle->offset) || !lwi_finite(obstacle->velocity) ||
      (awaits > (uint32_t)saved->agent_count && awaits != NOBODY) || (has_head && awaits > 0) ||
      (!obstacle->def.blocks && obstacle->def.area == LW_AREA_NONE && !(obstacle->def.cost > 0) &&
       lwi_obstacle_cover(&obstacle->def) == LW_COVER_NONE && !obstacle->is_removed) ||
      lwi_obstacle_check(&obstacle->def, NULL) != LW_OK)
    return "a number is out of range";
  return NULL;
}

/* Are all attached to heads that are attached to nothing, and have all footprints numbers of their own? @return "": no
   memory. */
static const char *check_all(lw_saved *saved) {
  const lwi_saved_obstacles *all = &saved->obstacles;
  lwi_number_set numbers = {NULL, 0, 0};
  const char *wrong = NULL;
  for (int i = 0; i < all->ids.count && !wrong; i++) {
    const lwi_obstacle *obstacle = &all->items[all->ids.order[i]];
    if (obstacle->head != LWI_NO_SLOT &&
        (!lwi_saved_has_id(&all->ids, obstacle->head) || all->items[obstacle->head].head != LWI_NO_SLOT ||
         (all->items[obstacle->head].is_removed && !obstacle->is_removed)))
      wrong = "what one is attached to is not there";
    else if (lwi_number_set_has(&numbers, obstacle->number))
      wrong = "two have one number";
    else if (!lwi_number_set_take_this(&numbers, &saved->memory, obstacle->number))
      wrong = "";
  }
  lwi_number_set_free(&numbers, &saved->memory);
  return wrong;
}

static int compare_carried(const void *left, const void *right) {
  const lwi_carried *a = left, *b = right;
  if (a->agent != b->agent) return a->agent < b->agent ? -1 : 1;
  return (a->place > b->place) - (a->place < b->place);
}

/* List what agents carry by their numbers in the file, so that each agent finds its own. @return false: no memory. */
static bool list_carried(lw_saved *saved) {
  lwi_saved_obstacles *all = &saved->obstacles;
  for (int i = 0; i < all->ids.count; i++) {
    const int awaits = all->items[all->ids.order[i]].awaits;
    if (awaits <= 0) continue;
    if (!lwi_reserve(&saved->memory, &all->carried, &all->carried_capacity, all->carried_count + 1,
                     sizeof *all->carried))
      return false;
    all->carried[all->carried_count++] = (lwi_carried){awaits - 1, i, all->ids.order[i]};
  }
  lwi_sort(all->carried, (size_t)all->carried_count, sizeof *all->carried, compare_carried);
  return true;
}

const char *lwi_saved_read_obstacles(lw_saved *saved, lwi_reader *from) {
  lwi_saved_obstacles *all = &saved->obstacles;
  const char *wrong = lwi_saved_read_ids(saved, from, &all->ids);
  if (wrong || from->failed) return wrong;
  const int slots = all->ids.slot_count;
  if (!lwi_reserve(&saved->memory, &all->items, &all->capacity, slots, sizeof *all->items)) return "";
  if (slots > 0) memset(all->items, 0, (size_t)slots * sizeof *all->items);
  if (!lwi_reserve(&saved->memory, &all->offers, &all->offer_capacity, slots, sizeof *all->offers)) return "";
  for (int i = 0; i < all->ids.count && !wrong && !from->failed; i++) {
    const uint32_t slot = all->ids.order[i];
    wrong = read_obstacle(saved, from, &all->items[slot], &all->offers[slot]);
  }
  if (!wrong && !from->failed) wrong = check_all(saved);
  return wrong || from->failed ? wrong : list_carried(saved) ? NULL : "";
}

void lwi_saved_restore_carried(lw_world *world, lwi_agent *agent, const lw_saved *saved, int index) {
  const lwi_saved_obstacles *all = &saved->obstacles;
  int low = 0, high = all->carried_count;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (all->carried[middle].agent < index)
      low = middle + 1;
    else
      high = middle;
  }
  for (int i = low; i < all->carried_count && all->carried[i].agent == index; i++)
    lwi_world_restore_carried(world, agent, index, all->carried[i].slot);
}

void lwi_saved_obstacles_free(lw_saved *saved) {
  lwi_saved_obstacles *all = &saved->obstacles;
  for (int i = 0; i < all->ids.slot_count && all->items; i++) {
    lwi_obstacle_free_points(&saved->memory, &all->items[i].def);
  }
  lwi_saved_free_ids(saved, &all->ids);
  lwi_free(&saved->memory, all->items, (size_t)all->capacity * sizeof *all->items);
  for (int i = 0; i < saved->permutations.count; i++)
    lwi_free(&saved->memory, saved->permutations.items[i].barred,
             (size_t)saved->permutations.items[i].barred_count * sizeof(lwi_link_name));
  lwi_free(&saved->memory, all->offers, (size_t)all->offer_capacity * sizeof *all->offers);
  lwi_free(&saved->memory, all->carried, (size_t)all->carried_capacity * sizeof *all->carried);
  lwi_free(&saved->memory, saved->permutations.items,
           (size_t)saved->permutations.capacity * sizeof *saved->permutations.items);
}

/* --- giving it to a world --------------------------------------------------------------------------------- */

bool lwi_saved_restore_obstacles(lw_world *world, const lw_saved *saved) {
  const lwi_saved_obstacles *all = &saved->obstacles;
  const lw_area_table *areas = world->scene.meshes[0]->areas;
  lw_area_id known[LW_AREA_MAX + 1] = {LW_AREA_NONE};
  for (int i = 1; i <= saved->area_count; i++) known[i] = lwi_saved_area(saved, areas, (lw_area_id)i);
  const lwi_obstacles_state state = {.states = all->ids.states,
                                     .items = all->items,
                                     .offers = all->offers,
                                     .areas = known,
                                     .slot_count = all->ids.slot_count,
                                     .order = all->ids.order,
                                     .count = all->ids.count};
  return lwi_world_obstacles_restore(world, &state) &&
         lwi_world_permutations_restore(world, saved->permutations.items, saved->permutations.count);
}
