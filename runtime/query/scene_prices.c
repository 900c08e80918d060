/* What a profile's prices are on the navmeshes of a world. */
#include "query/workspace.h"

#include "mesh/reduction.h"

#include <math.h>

/* The lowest price of ground of an area, without openness, dry or in water. */
static float ground_price(const lwi_area_note *note, const lwi_prices *prices, int id) {
  if (!note->has_water && note->marks == 0) return prices->per_metre[id];
  return fminf(prices->per_metre[id], prices->in_water[id]);
}

/* Of what there is in this world no metre costs less. Where all of it lies open that is far more than of what there might
   be, and a search with a better bound looks at less. */
static float lowest_here(const lwi_scene *scene, const lwi_prices *prices) {
  float lowest = INFINITY;
  bool waypoints = prices->filter.links >> LW_LINK_WAYPOINT & 1;
  for (int id = 1; id <= LW_AREA_MAX; id++) {
    const lwi_area_note *note = &scene->area_notes[id];
    const bool has_ground = note->has_ground || note->marks > 0;
    if (!has_ground && note->links == 0) continue;
    float open = note->marks == 0 && has_ground ? lwi_byte_part(note->min_openness) * prices->visibility : 0;
    const float dry = ground_price(note, prices, id), ground = dry + prices->exposure[id] * open;
    lowest = fminf(lowest, note->links > 0 ? dry : ground);
    if (!waypoints) continue;
    if (note->links > 0) lowest = fminf(lowest, prices->waypoint[id]);
    if (has_ground) lowest = fminf(lowest, ground + fminf(0, prices->more_between[id]));
  }
  return lowest < INFINITY ? lowest : prices->lowest;
}

/* Is there ground where metres may cost more under a low ceiling? */
static bool may_crouch(const lwi_scene *scene, const lwi_prices *prices) {
  return prices->low_count > 0 && scene->min_headroom < prices->headroom;
}

static bool may_crouch_below(const lwi_nav *nav, const lwi_prices *prices) {
  return prices->low_count > 0 &&
         lwi_is_lowered(nav->mesh->live.lowered, lwi_headroom_byte((double)prices->filter.height),
                        prices->headroom);
}

/* The price of a metre of any ground, but for what single polygons add to it; 0: there are several. */
static float price_of_areas(const lwi_scene *scene, const lwi_nav *nav, const lwi_prices *prices) {
  if (!prices->terms) return 1;
  if (prices->by_polygon) return 0;
  float price = INFINITY;
  for (int id = 1; id <= lw_area_table_count(nav->mesh->areas); id++) {
    const lwi_area_note *note = &scene->area_notes[id];
    const float here = ground_price(note, prices, id); /* prices->swim is 0: that of all that may be entered */
    if ((!note->has_ground && note->marks == 0) || here == INFINITY) continue;
    if (price < INFINITY && here != price) return 0;
    price = here;
  }
  return price;
}

/* Are there polygons that add to the price of their area? */
static bool any_adds(const lwi_scene *scene, const lwi_nav *nav, const lwi_prices *prices) {
  return prices->terms && (may_crouch(scene, prices) || may_crouch_below(nav, prices) || nav->mesh->live.costs);
}

float lwi_scene_one_price(const lwi_scene *scene, const lwi_nav *nav, const lwi_prices *prices) {
  return any_adds(scene, nav, prices) ? 0 : price_of_areas(scene, nav, prices);
}

static bool are_areas_uniform(const lwi_scene *scene, const lwi_nav *nav, const lwi_prices *prices) {
  if (!lwi_reduction_of(nav->mesh)->is_built) return false;
  const float price = price_of_areas(scene, nav, prices);
  return price > 0 && (!prices->terms || nav->mesh->links.count == 0 || lowest_here(scene, prices) >= price);
}

bool lwi_scene_is_uniform(const lwi_scene *scene, const lwi_nav *nav, const lwi_prices *prices) {
  return nav->short_links == 0 && !any_adds(scene, nav, prices) && are_areas_uniform(scene, nav, prices);
}

/* Where more pieces than this part of the polygons are low, most paths meet some. */
#define LOW_PART 4

bool lwi_scene_is_uniform_elsewhere(const lwi_scene *scene, const lwi_nav *nav, const lwi_prices *prices) {
  const uint32_t *lowered = nav->mesh->live.lowered;
  uint32_t low = 0;
  for (int i = 0; lowered && i < prices->headroom; i++) low += lowered[i];
  return low <= nav->base->polygons.count / LOW_PART + 1 && are_areas_uniform(scene, nav, prices);
}

/* No metre of ground as it was baked costs more. INFINITY: some may not be entered. */
static float highest_price(const lwi_area_note *note, const lwi_prices *prices, int id) {
  if (!note->has_water) return prices->per_metre[id] + prices->exposure[id] * prices->visibility;
  if (prices->filter.wade_depth < INFINITY) return INFINITY;
  return fmaxf(prices->per_metre[id], prices->in_water[id] + prices->swim) +
         prices->exposure[id] * prices->visibility;
}

/* May obstacles that mark ground make any of it cheaper? */
static bool may_cheapen(const lwi_scene *scene, const lwi_prices *prices) {
  float lowest = INFINITY, lowest_in_water = INFINITY, highest = 0;
  bool any_water = false;
  for (int id = 1; id <= LW_AREA_MAX; id++) {
    const lwi_area_note *note = &scene->area_notes[id];
    if (note->has_ground) highest = fmaxf(highest, highest_price(note, prices, id));
    any_water |= note->has_water;
    if (note->marks == 0) continue;
    lowest = fminf(lowest, prices->per_metre[id]);
    lowest_in_water = fminf(lowest_in_water, prices->in_water[id]);
  }
  return fminf(lowest, any_water ? lowest_in_water : INFINITY) < highest;
}

/* @param with_marks  Ground that obstacles mark counts, too. */
static bool prices_differ(const lwi_scene *scene, const lwi_nav *nav, const lwi_prices *prices,
                          bool with_marks) {
  float price = INFINITY;
  if (prices->by_polygon || may_crouch(scene, prices)) return true;
  for (int id = 1; id <= lw_area_table_count(nav->mesh->areas); id++) {
    const lwi_area_note *note = &scene->area_notes[id];
    const float here = ground_price(note, prices, id);
    if ((!note->has_ground && !(with_marks && note->marks > 0)) || here == INFINITY) continue;
    if (price < INFINITY && here != price) return true;
    price = here;
  }
  return false;
}

bool lwi_scene_prices_differ(const lwi_scene *scene, const lwi_nav *nav, const lwi_prices *prices) {
  return prices->terms && (any_adds(scene, nav, prices) || prices_differ(scene, nav, prices, true));
}

bool lwi_scene_has_price_table(const lwi_scene *scene, const lwi_nav *nav, const lwi_prices *prices) {
  return nav->added_links <= LWI_PRICE_LINKS_MAX && prices->identity != 0 &&
         lwi_price_tables_serve(nav->base) && prices_differ(scene, nav, prices, false) &&
         !may_cheapen(scene, prices);
}

const lwi_prices *lwi_scene_prices(const lwi_scene *scene, const lw_profile *profile, float visibility,
                                   lwi_prices *scratch) {
  if (!profile) return &scene->plain;
  if (!profile->prices.by_polygon) return &profile->prices;
  *scratch = profile->prices;
  scratch->visibility = visibility;
  scratch->lowest = lowest_here(scene, scratch);
  return scratch;
}
