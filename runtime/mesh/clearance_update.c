/* What of a clearance a change of the navmesh touches. */
#include "mesh/clearance_parts.h"
#include "mesh/live_journal.h"
#include "mesh/live_parts.h"

/* Corners are rounded. [m] */
#define ROUNDING 0.02f

typedef struct rectangle {
  float min_x, min_z, max_x, max_z;
} rectangle;

static rectangle of_frame(lwi_frame frame) {
  return (rectangle){frame.min_x, frame.min_z, frame.min_x + frame.size_x, frame.min_z + frame.size_z};
}

static rectangle of_polygon(const lw_navmesh *mesh, uint32_t polygon) {
  const lwi_polygon outline = lwi_polygon_get(mesh, polygon);
  return of_frame(lwi_polygon_frame(&outline));
}

/* The split that a square is of. @return NULL: it is a square no longer, and its polygon has changed, too. */
static const lwi_split *split_of(const lw_navmesh *mesh, uint32_t square) {
  for (uint32_t i = 0; i < mesh->live.split_count; i++) {
    const lwi_split *split = &mesh->live.splits[i];
    if (split->first != LWI_NONE && square - split->first < split->count) return split;
  }
  return NULL;
}

uint32_t lwi_ground_polygon(const lw_navmesh *mesh, uint32_t ground) {
  if (ground < lwi_base_count(mesh)) return ground;
  const lwi_split *split = split_of(mesh, ground);
  return split ? split->polygon : LWI_NONE;
}

/* List polygons near a rectangle, whatever is between. */
static bool list_around(lwi_clearance_build *build, rectangle box) {
  const lw_navmesh *mesh = build->mesh;
  const float keep = (float)lwi_clearance_place_keep(build->clearance) + ROUNDING;
  const rectangle wide = {box.min_x - keep, box.min_z - keep, box.max_x + keep, box.max_z + keep};
  const lw_vec3 min = {wide.min_x, 0, wide.min_z}, max = {wide.max_x, 0, wide.max_z};
  lwi_cells cells;
  if (!lwi_grid_cells(&mesh->grid, wide.min_x, wide.min_z, wide.max_x, wide.max_z, &cells)) return true;
  for (int z = cells.z0; z <= cells.z1; z++)
    for (int x = cells.x0; x <= cells.x1; x++) {
      const size_t cell = (size_t)z * (size_t)mesh->grid.width + (size_t)x;
      for (uint32_t r = mesh->grid.first[cell]; r < mesh->grid.first[cell + 1]; r++) {
        lwi_part_walk walk = lwi_parts_near(mesh, mesh->grid.references[r].polygon, min, max);
        for (uint32_t part; lwi_next_part(&walk, &part);) {
          if (lwi_clearance_is_listed(build, part)) continue;
          const rectangle own = of_polygon(mesh, part);
          if (own.min_x <= wide.max_x && own.max_x >= wide.min_x && own.min_z <= wide.max_z &&
              own.max_z >= wide.min_z && !lwi_clearance_list(build, part))
            return false;
        }
      }
    }
  return true;
}

/* What was cut, or put back: there were other walls all over it. */
static bool list_around_ground(lwi_clearance_build *build, uint32_t ground) {
  const lw_navmesh *mesh = build->mesh;
  if (ground < lwi_base_count(mesh)) return list_around(build, of_polygon(lwi_base_of(mesh), ground));
  const lwi_split *split = split_of(mesh, ground);
  if (!split) return true;
  const lwi_square *square = &split->squares[ground - split->first];
  return list_around(build, (rectangle){(float)square->min_x, (float)square->min_z, (float)square->max_x,
                                        (float)square->max_z});
}

/* The parts of all ground that has changed. */
static bool list_ground(lwi_clearance_build *build, const lwi_changed_grounds *changed) {
  build->list.count = 0;
  for (int i = 0; i < changed->count; i++) {
    const lwi_span parts = lwi_ground_parts(build->mesh, changed->grounds[i]);
    for (uint32_t k = parts.first; k < parts.first + parts.count; k++)
      if (!lwi_clearance_list(build, k)) return false;
  }
  return true;
}

static bool list_changed(lwi_clearance_build *build, const lwi_changed_grounds *changed) {
  if (!list_ground(build, changed)) return false;
  const int count = build->list.count;
  for (int i = 0; i < count; i++) {
    const uint32_t p = build->list.items[i];
    bool differ;
    if (!lwi_clearance_find_barriers(build, p, &differ)) return false;
    if (differ && !list_around(build, of_polygon(build->mesh, p))) return false;
  }
  for (int i = 0; i < changed->count; i++)
    if (changed->is_new[i] && !list_around_ground(build, changed->grounds[i])) return false;
  return true;
}

bool lwi_clearance_update(lwi_clearance *clearance, const lw_filter *filter, const lwi_changed_grounds *changed,
                          bool *has_links) {
  lwi_clearance_build *build = clearance->build;
  build->filter = filter;
  return list_changed(build, changed) && lwi_clearance_compute(build, has_links);
}

const uint32_t *lwi_clearance_updated(const lwi_clearance *clearance, int *count) {
  *count = clearance->build->list.count;
  return clearance->build->list.items;
}

bool lwi_clearance_is_updated(const lwi_clearance *clearance, uint32_t polygon) {
  return lwi_clearance_is_listed(clearance->build, polygon);
}

/* --- destroying ------------------------------------------------------------------------------------------- */

static void free_numbers(lwi_memory *memory, lwi_number_list *list) {
  lwi_free(memory, list->items, (size_t)list->capacity * sizeof *list->items);
}

static void free_build(lwi_clearance_build *build) {
  if (!build) return;
  lwi_memory *memory = build->memory;
  const size_t space = build->clearance->polygon_space;
  lwi_region_scratch_free(&build->region);
  free_numbers(memory, &build->list);
  free_numbers(memory, &build->first);
  free_numbers(memory, &build->order);
  free_numbers(memory, &build->gather.queue);
  free_numbers(memory, &build->gather.near);
  lwi_free(memory, build->place, space * sizeof *build->place);
  lwi_free(memory, build->seen, space * sizeof *build->seen);
  lwi_free(memory, build->barriers, (size_t)build->barrier_capacity * sizeof *build->barriers);
  lwi_free(memory, build->portals.items, (size_t)build->portals.capacity * sizeof *build->portals.items);
  lwi_free(memory, build->free_intervals,
           (size_t)build->free_interval_capacity * sizeof *build->free_intervals);
  lwi_free(memory, build->labels, (size_t)build->label_capacity * sizeof *build->labels);
  lwi_free(memory, build->corners, (size_t)build->corner_capacity * sizeof *build->corners);
  lwi_free(memory, build, sizeof *build);
}

void lwi_clearance_destroy(lwi_clearance *clearance) {
  if (!clearance) return;
  lwi_memory *memory = clearance->memory;
  const int *capacities = clearance->capacities;
  free_build(clearance->build);
  lwi_free(memory, clearance->polygons, clearance->polygon_space * sizeof *clearance->polygons);
  lwi_free(memory, clearance->barriers, (size_t)clearance->barrier_capacity * sizeof *clearance->barriers);
  lwi_free(memory, clearance->near, (size_t)clearance->near_capacity * sizeof *clearance->near);
  lwi_free(memory, clearance->first_portal, (size_t)capacities[0] * sizeof *clearance->first_portal);
  lwi_free(memory, clearance->end_portal, (size_t)capacities[1] * sizeof *clearance->end_portal);
  lwi_free(memory, clearance->next, (size_t)capacities[2] * sizeof *clearance->next);
  lwi_free(memory, clearance->runs, (size_t)capacities[3] * sizeof *clearance->runs);
  lwi_free(memory, clearance->extra, (size_t)capacities[4] * sizeof *clearance->extra);
  lwi_free(memory, clearance->clear_portals, (size_t)capacities[5] * sizeof *clearance->clear_portals);
  lwi_free(memory, clearance->intervals, (size_t)capacities[6] * sizeof *clearance->intervals);
  lwi_free(memory, clearance->twins, (size_t)capacities[7] * sizeof *clearance->twins);
  free_numbers(memory, &clearance->free_extra);
  lwi_free(memory, clearance->link_regions, (size_t)clearance->link_capacity * sizeof *clearance->link_regions);
  lwi_runs_free(&clearance->barrier_runs, memory);
  lwi_runs_free(&clearance->near_runs, memory);
  lwi_runs_free(&clearance->slot_runs, memory);
  lwi_free(memory, clearance, sizeof *clearance);
}
