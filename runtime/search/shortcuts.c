/* A link that counts for less than its straight length breaks the straight line as a lower bound. Any way to the goal
   either takes no such link, or reaches the first one's start, and from the last one's end goes on to the goal: so it is no
   shorter than the straight line to the nearest start and the shortest of all such ends to the goal together. */
#include "search/shortcuts.h"

/* Rounding apart, a link's own length is the straight one. */
#define SHORTER 0.9999f

void lwi_shortcuts_free(lwi_shortcuts *shortcuts, lwi_memory *memory) {
  lwi_free(memory, shortcuts->list, (size_t)shortcuts->capacity * sizeof *shortcuts->list);
  lwi_free(memory, shortcuts->blocks, (size_t)shortcuts->block_capacity * sizeof *shortcuts->blocks);
  *shortcuts = (lwi_shortcuts){0};
}

static void add(lwi_shortcuts *shortcuts, const lw_navmesh *mesh, const lwi_link *link, float length) {
  lwi_shortcut *shortcut = &shortcuts->list[shortcuts->count];
  *shortcut = (lwi_shortcut){
      .start = link->start,
      .tail = length + lwi_distance(link->end, shortcuts->goal),
      .island = mesh->islands[link->from],
      .is_short = length < SHORTER * lwi_distance(link->start, link->end),
  };
  lwi_shortcut_block *block = &shortcuts->blocks[shortcuts->count / LWI_SHORTCUT_BLOCK];
  if (shortcuts->count % LWI_SHORTCUT_BLOCK == 0)
    *block = (lwi_shortcut_block){lwi_box_empty(), lwi_box_empty(), INFINITY};
  block->starts = lwi_box_add(block->starts, shortcut->start);
  block->tail = fminf(block->tail, shortcut->tail);
  if (shortcut->is_short) {
    block->short_starts = lwi_box_add(block->short_starts, shortcut->start);
    shortcuts->short_tail = fminf(shortcuts->short_tail, shortcut->tail);
  }
  shortcuts->count += 1;
}

bool lwi_shortcuts_begin(lwi_shortcuts *shortcuts, lwi_memory *memory, const lw_navmesh *mesh,
                         const lwi_prices *prices, lw_vec3 goal, uint32_t to) {
  shortcuts->count = 0;
  shortcuts->short_tail = INFINITY;
  shortcuts->goal = goal;
  if (mesh->link_count == 0) return true;
  shortcuts->goal_island = mesh->islands[to];
  int count = (int)mesh->link_count;
  if (!lwi_reserve(memory, &shortcuts->list, &shortcuts->capacity, count, sizeof *shortcuts->list) ||
      !lwi_reserve(memory, &shortcuts->blocks, &shortcuts->block_capacity, count / LWI_SHORTCUT_BLOCK + 1,
                   sizeof *shortcuts->blocks))
    return false;
  for (int i = 0; i < count; i++) {
    const lwi_link *link = &mesh->links[i];
    float price = lwi_link_price(mesh, link, prices);
    if (price < INFINITY) add(shortcuts, mesh, link, link->length * price / prices->lowest);
  }
  return true;
}

static float squared(lw_vec3 a) {
  return lwi_dot(a, a);
}

static float box_distance2(const lw_box *box, lw_vec3 p) {
  return squared(lwi_vec3(fmaxf(0, fmaxf(box->min.x - p.x, p.x - box->max.x)),
                          fmaxf(0, fmaxf(box->min.y - p.y, p.y - box->max.y)),
                          fmaxf(0, fmaxf(box->min.z - p.z, p.z - box->max.z))));
}

static int block_end(const lwi_shortcuts *shortcuts, int begin) {
  int end = begin + LWI_SHORTCUT_BLOCK;
  return end < shortcuts->count ? end : shortcuts->count;
}

/* The nearest start of a short link, squared, if it is nearer than `best`. */
static float nearest_short2(const lwi_shortcuts *shortcuts, lw_vec3 point, float best) {
  for (int begin = 0; begin < shortcuts->count; begin += LWI_SHORTCUT_BLOCK) {
    if (!(box_distance2(&shortcuts->blocks[begin / LWI_SHORTCUT_BLOCK].short_starts, point) < best)) continue;
    for (int i = begin; i < block_end(shortcuts, begin); i++) {
      const lwi_shortcut *shortcut = &shortcuts->list[i];
      if (shortcut->is_short) best = fminf(best, squared(lwi_sub(shortcut->start, point)));
    }
  }
  return best;
}

float lwi_shortcuts_bound_over_links(const lwi_shortcuts *shortcuts, lw_vec3 point) {
  float straight = lwi_distance(point, shortcuts->goal), room = straight - shortcuts->short_tail;
  if (!(room > 0)) return straight;
  return sqrtf(nearest_short2(shortcuts, point, room * room)) + shortcuts->short_tail;
}

lw_vec3 lwi_shortcuts_aim_at_links(const lwi_shortcuts *shortcuts, lw_vec3 point, uint32_t island) {
  lw_vec3 aim = shortcuts->goal;
  bool is_home = island == shortcuts->goal_island;
  float best = is_home ? lwi_distance(point, aim) : INFINITY;
  for (int begin = 0; begin < shortcuts->count; begin += LWI_SHORTCUT_BLOCK) {
    const lwi_shortcut_block *block = &shortcuts->blocks[begin / LWI_SHORTCUT_BLOCK];
    float room = best - block->tail;
    if (!(room > 0) || box_distance2(&block->starts, point) >= room * room) continue;
    for (int i = begin; i < block_end(shortcuts, begin); i++) {
      const lwi_shortcut *shortcut = &shortcuts->list[i];
      if (shortcut->island != island || (is_home && !shortcut->is_short)) continue;
      float length = lwi_distance(point, shortcut->start) + shortcut->tail;
      if (length >= best) continue;
      best = length;
      aim = shortcut->start;
    }
  }
  return aim;
}
