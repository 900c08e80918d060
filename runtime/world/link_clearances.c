#include "world/link_clearances.h"

#include "core/vec3.h"
#include "sight/occluder_walk.h"
#include "world/world.h"

#include <math.h>

/* Clearances are measured for bodies of at least that size. [m] */
#define RADIUS_MIN 1.0f
#define HEIGHT_MIN 4.0f

/* --- measuring -------------------------------------------------------------------------------------------- */

/* The power of two from there on, so that few clearances are measured twice. */
static float round_up(float size, float smallest) {
  float to = smallest;
  while (to < size) to *= 2;
  return to;
}

static void add_obstacle(const lwi_obstacle *obstacle, const lwi_clearance_measure *measure,
                         lwi_link_clearance *clearance) {
  if (!obstacle->is_cut || !obstacle->def.blocks) return;
  const lwi_footprint footprint = lwi_obstacle_footprint(&obstacle->def, obstacle->cut, 0);
  lwi_link_clearance_add_footprint(clearance, measure, &footprint);
}

static void add_obstacles(const lw_world *world, const lwi_clearance_measure *measure,
                          lwi_link_clearance *clearance) {
  const lwi_link_arcs *arcs = &world->links.arcs;
  const lwi_id_pool *ids = &world->obstacles.ids;
  if (arcs->is_known && arcs->has_links) {
    const lw_box box = lwi_clearance_measure_box(measure);
    const lwi_rectangle about = {box.min.x, box.min.z, box.max.x, box.max.z};
    lwi_rectangle_walk walk = lwi_rectangle_walk_box(&arcs->obstacles, about);
    for (uint32_t slot; (slot = lwi_rectangle_walk_next(&walk)) != UINT32_MAX;)
      add_obstacle(lwi_obstacle_at(world, slot), measure, clearance);
    return;
  }
  for (uint32_t i = ids->first; i != LWI_NO_SLOT; i = lwi_id_pool_next(ids, i))
    add_obstacle(lwi_obstacle_at(world, i), measure, clearance);
}

static bool overlaps(const void *user, const lw_box *box) {
  return lwi_box_overlaps(*(const lw_box *)user, *box);
}

/* What hides softly, as leaves do, stops nobody. */
static void add_level(const lwi_occluders *occluders, const lwi_clearance_measure *measure,
                      lwi_link_clearance *clearance) {
  const lw_box box = lwi_clearance_measure_box(measure);
  lwi_occluder_walk walk = {.occluders = occluders, .filter = overlaps, .user = &box};
  lwi_occluder_cursor at;
  lwi_occluder_facet facet;
  while (lwi_occluder_walk_next(&walk, &at, &facet)) {
    lw_vec3 corners[LWI_OCCLUDER_CORNERS];
    lw_box around = lwi_box_empty();
    for (int i = 0; i < facet.count; i++) {
      corners[i] = lwi_add(facet.corners[i], occluders->origin);
      around = lwi_box_add(around, corners[i]);
    }
    if (facet.kind == LW_COVER_HARD && lwi_box_overlaps(around, box))
      lwi_link_clearance_add_facet(clearance, measure, corners, facet.count);
  }
}

static void measure_clearance(const lw_world *world, const lwi_clearance_measure *measure,
                              lwi_link_clearance *clearance) {
  clearance->count = 0;
  add_obstacles(world, measure, clearance);
  for (int i = 0; i < world->scene.sight.count; i++) add_level(world->scene.sight.sets[i], measure, clearance);
}

/* --- asking ----------------------------------------------------------------------------------------------- */

/* What is known of the clearance, if it was measured that far. */
static bool look_up(lwi_known_clearances *clearances, const lwi_known_clearance *known,
                    const lwi_arc_body *body, lwi_link_clearance *clearance) {
  lwi_mutex_lock(&clearances->lock);
  const bool is_known = known->is_known && known->radius >= body->radius && known->height >= body->height;
  if (is_known) *clearance = known->clearance;
  lwi_mutex_unlock(&clearances->lock);
  return is_known;
}

static void keep(lwi_known_clearances *clearances, lwi_known_clearance *known,
                 const lwi_clearance_measure *measure, const lwi_link_clearance *clearance) {
  lwi_mutex_lock(&clearances->lock);
  known->is_known = clearances->any_known = true;
  known->radius = measure->radius;
  known->height = measure->height;
  known->clearance = *clearance;
  clearances->radius = fmaxf(clearances->radius, measure->radius);
  lwi_mutex_unlock(&clearances->lock);
}

/* Others may measure the same at once: they find the same. */
static bool fits(lw_world *world, uint32_t slot, float radius, float height) {
  lwi_known_clearances *clearances = &world->links.arcs.clearances;
  lwi_link_entry *entry = lwi_link_at(world, slot);
  const lwi_arc_body smallest = lwi_link_arc_body(world, entry);
  if (radius <= smallest.radius && height <= smallest.height) return true;
  const lwi_link_arc arc = lwi_link_arc_placed(world, entry);
  if (arc.parts == 0) return true;
  const lwi_arc_body body = {fmaxf(radius, smallest.radius), fmaxf(height, smallest.height), smallest.step};
  lwi_link_clearance clearance;
  if (!look_up(clearances, &entry->clearance, &body, &clearance)) {
    const lwi_clearance_measure measure = {.arc = arc,
                                           .smallest = smallest,
                                           .radius = round_up(body.radius, RADIUS_MIN),
                                           .height = round_up(body.height, HEIGHT_MIN)};
    measure_clearance(world, &measure, &clearance);
    keep(clearances, &entry->clearance, &measure, &clearance);
  }
  return lwi_link_clearance_fits(&clearance, body.radius, body.height);
}

/* As the navmeshes ask, in which a link may be that was removed since changes were last applied. */
static bool fits_on_mesh(const lwi_link_clearances *hook, lw_link_id link, float radius, float height) {
  lw_world *world = ((const lwi_known_clearances *)hook)->world;
  const uint32_t slot = LWI_FIND(&world->links.ids, link);
  return slot == LWI_NO_SLOT || fits(world, slot, radius, height);
}

bool lwi_link_fits_filter(const lw_world *world, const lwi_link_entry *entry, const lw_filter *filter) {
  return fits(world->links.arcs.clearances.world, (uint32_t)(entry - world->links.items), filter->radius,
              filter->height);
}

int lwi_link_clearances_refusing(const lw_world *world, const lw_filter *filter) {
  const lwi_id_pool *ids = &world->links.ids;
  int count = 0;
  for (uint32_t i = ids->first; i != LWI_NO_SLOT; i = lwi_id_pool_next(ids, i)) {
    const lwi_link_entry *entry = lwi_link_at(world, i);
    count += !entry->is_removed && entry->is_on && !lwi_link_fits_filter(world, entry, filter);
  }
  return count;
}

/* --- changes ---------------------------------------------------------------------------------------------- */

static void forget_clearance(lw_world *world, uint32_t slot) {
  lwi_link_entry *entry = lwi_link_at(world, slot);
  if (!entry->clearance.is_known) return;
  entry->clearance.is_known = false;
  entry->clearance.has_changed = true;
  lwi_link_note_change(world, entry);
}

void lwi_link_clearances_note(lw_world *world, lwi_rectangle about) {
  const lwi_known_clearances *clearances = &world->links.arcs.clearances;
  if (!clearances->any_known) return;
  const lwi_rectangle wide = {about.min_x - clearances->radius, about.min_z - clearances->radius,
                              about.max_x + clearances->radius, about.max_z + clearances->radius};
  lwi_rectangle_walk walk = lwi_rectangle_walk_box(&world->links.arcs.links, wide);
  for (uint32_t slot; (slot = lwi_rectangle_walk_next(&walk)) != UINT32_MAX;) forget_clearance(world, slot);
}

void lwi_link_clearances_forget(lw_world *world) {
  const lwi_id_pool *ids = &world->links.ids;
  if (!world->links.arcs.clearances.any_known) return;
  for (uint32_t i = ids->first; i != LWI_NO_SLOT; i = lwi_id_pool_next(ids, i)) forget_clearance(world, i);
  world->links.arcs.clearances.any_known = false;
  world->links.arcs.clearances.radius = 0;
}

/* --- beginning and end ------------------------------------------------------------------------------------ */

bool lwi_link_clearances_init(lw_world *world) {
  lwi_known_clearances *clearances = &world->links.arcs.clearances;
  clearances->hook.fits = fits_on_mesh;
  clearances->world = world;
  clearances->has_lock = lwi_mutex_init(&clearances->lock);
  return clearances->has_lock;
}

void lwi_link_clearances_free(lw_world *world) {
  lwi_known_clearances *clearances = &world->links.arcs.clearances;
  if (clearances->has_lock) lwi_mutex_destroy(&clearances->lock);
  clearances->has_lock = false;
}
