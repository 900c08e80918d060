/* Clear portals and regions of a clearance, of all polygons or of those that changes touch. Walls are found first, then
   what of portals is clear of walls near either polygon, then which of the clear portals of a polygon belong together.
   So walls that differ count for polygons nearer than `keep`, clear portals of these for the polygons beside them, and
   all other polygons stay as they are. */
#include "mesh/clearance_parts.h"

/* Subtracted, so that agents fit through a gap of exactly their width. [m] */
#define KEEP_SLACK 1e-3f

float lwi_clearance_extra(const lw_navmesh *mesh, const lw_filter *filter) {
  float keep = filter->radius - mesh->agent.radius;
  return keep > 2 * KEEP_SLACK ? keep : 0;
}

static void edge_ends(const lw_navmesh *mesh, uint32_t polygon, uint32_t edge, lwi_point2 ends[2]) {
  lwi_polygon outline = lwi_polygon_get(mesh, polygon);
  ends[0] = lwi_point2_of(lwi_corner(&outline, edge));
  ends[1] = lwi_point2_of(lwi_corner(&outline, lwi_next_corner(&outline, edge)));
}

/* --- what is listed --------------------------------------------------------------------------------------- */

static bool is_changed(const lwi_clearance_build *build, uint32_t polygon) {
  return lwi_clearance_is_listed(build, polygon) && build->place[polygon] < (uint32_t)build->changed;
}

bool lwi_clearance_list(lwi_clearance_build *build, uint32_t polygon) {
  lwi_number_list *list = &build->list;
  if (lwi_clearance_is_listed(build, polygon)) return true;
  if (!lwi_reserve(build->memory, &list->items, &list->capacity, list->count + 1, sizeof *list->items))
    return false;
  build->place[polygon] = (uint32_t)list->count;
  list->items[list->count++] = polygon;
  return true;
}

/* Those beside the changed ones have other clear portals to them. */
static bool list_beside(lwi_clearance_build *build) {
  const lw_navmesh *mesh = build->mesh;
  build->changed = build->list.count;
  for (int i = 0; i < build->changed; i++) {
    const uint32_t p = build->list.items[i];
    for (uint32_t k = mesh->graph.first_portal[p]; k < mesh->graph.end_portal[p]; k++) {
      const uint32_t to = mesh->graph.portals[k].to;
      if (lwi_passes(mesh, build->filter, to) && !lwi_clearance_list(build, to)) return false;
    }
  }
  return true;
}

/* --- clear portals ---------------------------------------------------------------------------------------- */

static double parameter_of(const lwi_point2 line[2], lwi_point2 point) {
  double dx = line[1].x - line[0].x, dz = line[1].z - line[0].z, length2 = dx * dx + dz * dz;
  double t = length2 > 0 ? ((point.x - line[0].x) * dx + (point.z - line[0].z) * dz) / length2 : 0;
  return lwi_smaller(1, lwi_larger(0, t));
}

static lwi_clear_portal *add_portals(lwi_clearance_build *build, int count) {
  lwi_clear_portal_list *list = &build->portals;
  if (!lwi_reserve(build->memory, &list->items, &list->capacity, list->count + count, sizeof *list->items))
    return NULL;
  list->count += count;
  return &list->items[list->count - count];
}

/* Add a clear portal as seen from both of its polygons. */
static bool add_clear_portal(lwi_clearance_build *build, uint32_t polygon, const lwi_edge_interval *part,
                             const lwi_portal *portal, const lwi_portal *back) {
  lwi_point2 here[2], there[2];
  edge_ends(build->mesh, polygon, part->edge, here);
  edge_ends(build->mesh, portal->to, back->edge, there);
  float t0 = (float)parameter_of(there, lwi_point2_lerp(here[0], here[1], part->t1));
  float t1 = (float)parameter_of(there, lwi_point2_lerp(here[0], here[1], part->t0));
  if (!(t0 < t1) || !((float)part->t0 < (float)part->t1)) return true;
  const uint32_t index = (uint32_t)build->portals.count;
  lwi_clear_portal *pair = add_portals(build, 2);
  if (!pair) return false;
  pair[0] = (lwi_clear_portal){.polygon = polygon,
                               .edge = part->edge,
                               .t0 = (float)part->t0,
                               .t1 = (float)part->t1,
                               .to = portal->to,
                               .back = index + 1};
  pair[1] = (lwi_clear_portal){
      .polygon = portal->to, .edge = back->edge, .t0 = t0, .t1 = t1, .to = polygon, .back = index};
  return true;
}

/* The intervals of a portal that are clear of the walls near either of its polygons. */
static bool find_clear_portals(lwi_clearance_build *build, uint32_t polygon, const lwi_portal *portal) {
  const lwi_portal *back = lwi_portal_back(build->mesh, polygon, portal);
  if (!back) return true;
  lwi_barriers here = lwi_clearance_walls_near(build->clearance, polygon),
               there = lwi_clearance_walls_near(build->clearance, portal->to);
  lwi_region_scratch *scratch = &build->region;
  lwi_point2 line[2];
  lwi_portal_interval whole = lwi_interval_of_portal(build->mesh, portal);
  edge_ends(build->mesh, polygon, portal->edge, line);
  scratch->free_interval_count = 0;
  if (!lwi_region_free(scratch, &here, line, portal->edge, (double)whole.t0, (double)whole.t1)) return false;
  int first = scratch->free_interval_count;
  for (int i = 0; i < first; i++) {
    lwi_edge_interval part = scratch->free_intervals[i];
    if (!lwi_region_free(scratch, &there, line, portal->edge, part.t0, part.t1)) return false;
  }
  for (int i = first; i < scratch->free_interval_count; i++) {
    lwi_edge_interval part = scratch->free_intervals[i];
    if (!add_clear_portal(build, polygon, &part, portal, back)) return false;
  }
  return true;
}

/* Of which of two polygons with a portal are its clear parts computed first? Not by their numbers: those of pieces depend
   on what was cut before, and the last bits of the result on the answer. */
static bool comes_first(const lw_navmesh *mesh, uint32_t a, uint32_t b) {
  const uint32_t base_a = lwi_origin_of(mesh, a), base_b = lwi_origin_of(mesh, b);
  if (base_a != base_b) return base_a < base_b;
  const lwi_polygon one = lwi_polygon_get(mesh, a), other = lwi_polygon_get(mesh, b);
  const lw_vec3 at = lwi_corner(&one, 0), beside = lwi_corner(&other, 0);
  if (at.x < beside.x || at.x > beside.x) return at.x < beside.x;
  if (at.z < beside.z || at.z > beside.z) return at.z < beside.z;
  return a < b; /* pieces of one ground are in order */
}

static bool find_new_portals(lwi_clearance_build *build, uint32_t p) {
  const lw_navmesh *mesh = build->mesh;
  const bool changed = is_changed(build, p);
  for (uint32_t k = mesh->graph.first_portal[p]; k < mesh->graph.end_portal[p]; k++) {
    const lwi_portal *portal = &mesh->graph.portals[k];
    if (!comes_first(mesh, p, portal->to) || !lwi_crosses(mesh, build->filter, portal)) continue;
    if (!changed && !is_changed(build, portal->to)) continue;
    if (!find_clear_portals(build, p, portal)) return false;
  }
  return true;
}

static lwi_clear_portal stored_portal(const lwi_clearance *clearance, uint32_t polygon, uint32_t slot) {
  const lwi_portal *portal = &clearance->clear_portals[slot];
  const lwi_portal_interval interval = clearance->intervals[portal->interval];
  return (lwi_clear_portal){.polygon = polygon,
                            .edge = portal->edge,
                            .t0 = interval.t0,
                            .t1 = interval.t1,
                            .to = lwi_region_polygon(&clearance->graph, portal->to),
                            .back = LWI_NONE,
                            .outside = clearance->twins[slot],
                            .to_region = portal->to};
}

/* Keep a clear portal between two polygons that have not changed. Where both are listed, they are a pair. */
static bool keep_portal(lwi_clearance_build *build, uint32_t p, uint32_t slot) {
  lwi_clear_portal kept = stored_portal(build->clearance, p, slot);
  const bool is_pair = lwi_clearance_is_listed(build, kept.to);
  if (is_changed(build, kept.to) || (is_pair && kept.to < p)) return true;
  const uint32_t index = (uint32_t)build->portals.count;
  lwi_clear_portal *added = add_portals(build, is_pair ? 2 : 1);
  if (!added) return false;
  added[0] = kept;
  if (!is_pair) return true;
  added[1] = stored_portal(build->clearance, kept.to, kept.outside);
  added[0].back = index + 1;
  added[1].back = index;
  return true;
}

static bool keep_portals(lwi_clearance_build *build, uint32_t p) {
  const lwi_clearance *clearance = build->clearance;
  if (is_changed(build, p)) return true;
  for (uint32_t region = p; region != LWI_NONE; region = clearance->next[region])
    for (uint32_t k = clearance->first_portal[region]; k < clearance->end_portal[region]; k++)
      if (!keep_portal(build, p, k)) return false;
  return true;
}

static bool find_all_clear_portals(lwi_clearance_build *build) {
  build->portals.count = 0;
  for (int i = 0; i < build->list.count; i++) {
    const uint32_t p = build->list.items[i];
    if (!lwi_passes(build->mesh, build->filter, p)) continue;
    if (!find_new_portals(build, p) || !keep_portals(build, p)) return false;
  }
  return true;
}

/* Where three polygons share an edge, clear portals may begin at one place. */
static bool comes_before(const lw_navmesh *mesh, const lwi_clear_portal *a, const lwi_clear_portal *b) {
  if (a->edge != b->edge) return a->edge < b->edge;
  if (a->t0 < b->t0 || a->t0 > b->t0) return a->t0 < b->t0;
  return comes_first(mesh, a->to, b->to);
}

/* Sort clear portals `first` to before `end`, which are few. */
static void sort_polygon(lwi_clearance_build *build, uint32_t first, uint32_t end) {
  const lwi_clear_portal *portals = build->portals.items;
  uint32_t *order = build->order.items;
  for (uint32_t i = first + 1; i < end; i++) {
    const uint32_t moved = order[i];
    uint32_t at = i;
    for (; at > first && comes_before(build->mesh, &portals[moved], &portals[order[at - 1]]); at--)
      order[at] = order[at - 1];
    order[at] = moved;
  }
}

static bool sort_clear_portals(lwi_clearance_build *build) {
  const int polygons = build->list.count, count = build->portals.count;
  if (!lwi_reserve(build->memory, &build->first.items, &build->first.capacity, polygons + 1,
                   sizeof(uint32_t)) ||
      !lwi_reserve(build->memory, &build->order.items, &build->order.capacity, count, sizeof(uint32_t)))
    return false;
  uint32_t *first = build->first.items;
  for (int i = 0; i <= polygons; i++) first[i] = 0;
  for (int i = 0; i < count; i++) first[build->place[build->portals.items[i].polygon]] += 1;
  for (int i = 1; i <= polygons; i++) first[i] += first[i - 1];
  for (int i = count; i-- > 0;)
    build->order.items[--first[build->place[build->portals.items[i].polygon]]] = (uint32_t)i;
  for (int i = 0; i < polygons; i++) sort_polygon(build, first[i], first[i + 1]);
  return true;
}

/* --- regions ---------------------------------------------------------------------------------------------- */

static void publish(lwi_clearance *clearance) {
  lwi_graph *graph = &clearance->graph;
  graph->first_portal = clearance->first_portal;
  graph->end_portal = clearance->end_portal;
  graph->next = clearance->next;
  graph->polygons = clearance->extra;
  graph->portals = clearance->clear_portals;
  graph->intervals = clearance->intervals;
  graph->link_regions = clearance->link_regions;
}

static bool reserve_regions(lwi_clearance *clearance, uint32_t count) {
  lwi_memory *memory = clearance->memory;
  const int extra = (int)(count - clearance->polygon_space), needed = (int)count;
  const bool done =
      lwi_reserve(memory, &clearance->first_portal, &clearance->capacities[0], needed, sizeof(uint32_t)) &&
      lwi_reserve(memory, &clearance->end_portal, &clearance->capacities[1], needed, sizeof(uint32_t)) &&
      lwi_reserve(memory, &clearance->next, &clearance->capacities[2], needed, sizeof(uint32_t)) &&
      lwi_reserve(memory, &clearance->runs, &clearance->capacities[3], needed, sizeof *clearance->runs) &&
      lwi_reserve(memory, &clearance->extra, &clearance->capacities[4], extra, sizeof(uint32_t)) &&
      lwi_reserve(memory, &clearance->free_extra.items, &clearance->free_extra.capacity, extra,
                  sizeof(uint32_t));
  publish(clearance); /* some may have moved */
  if (!done) return false;
  for (uint32_t i = clearance->graph.region_count; i < count; i++) {
    clearance->first_portal[i] = clearance->end_portal[i] = 0;
    clearance->next[i] = LWI_NONE;
    clearance->runs[i] = (lwi_slot_run){0, 0};
  }
  clearance->graph.region_count = count;
  return true;
}

static void drop_regions(lwi_clearance *clearance, uint32_t p) {
  for (uint32_t region = p, next; region != LWI_NONE; region = next) {
    next = clearance->next[region];
    lwi_runs_give_back(&clearance->slot_runs, &clearance->runs[region]);
    clearance->first_portal[region] = clearance->end_portal[region] = 0;
    clearance->next[region] = LWI_NONE;
    if (region >= clearance->polygon_space) clearance->free_extra.items[clearance->free_extra.count++] = region;
  }
}

/* A further region of a polygon, after its last one. */
static bool add_region(lwi_clearance *clearance, uint32_t polygon, uint32_t last, uint32_t *region) {
  if (clearance->free_extra.count > 0) {
    *region = clearance->free_extra.items[--clearance->free_extra.count];
  } else {
    *region = clearance->graph.region_count;
    if (!reserve_regions(clearance, *region + 1)) return false;
  }
  clearance->extra[*region - clearance->polygon_space] = polygon;
  clearance->next[last] = *region;
  clearance->next[*region] = LWI_NONE;
  return true;
}

static bool read_corners(lwi_clearance_build *build, const lwi_polygon *polygon) {
  if (!lwi_reserve(build->memory, &build->corners, &build->corner_capacity, (int)polygon->count,
                   sizeof *build->corners))
    return false;
  for (uint32_t i = 0; i < polygon->count; i++) build->corners[i] = lwi_point2_of(lwi_corner(polygon, i));
  return true;
}

/* The free intervals of the polygon's outline. Where three polygons share an edge, clear portals overlap: they
   are one interval. `region` of each clear portal is set to its interval for now. @return How many intervals.
   */
static uint32_t gather_free_intervals(lwi_clearance_build *build, uint32_t first, uint32_t end) {
  uint32_t count = 0;
  for (uint32_t i = first; i < end; i++) {
    lwi_clear_portal *part = &build->portals.items[build->order.items[i]];
    lwi_edge_interval *last = count > 0 ? &build->free_intervals[count - 1] : NULL;
    if (last && last->edge == part->edge && (double)part->t0 < last->t1 - 1e-6) {
      last->t1 = lwi_larger(last->t1, (double)part->t1);
    } else {
      build->free_intervals[count++] = (lwi_edge_interval){part->edge, (double)part->t0, (double)part->t1};
    }
    part->region = count - 1;
  }
  return count;
}

/* Turn labels of intervals into regions; the first region has the polygon's index. */
static bool number_regions(lwi_clearance_build *build, uint32_t polygon, uint32_t count) {
  uint32_t found = 0, last = polygon;
  for (uint32_t i = 0; i < count; i++) {
    if (build->labels[i] != i) {
      build->labels[count + i] = build->labels[count + build->labels[i]];
      continue;
    }
    if (found++ > 0 && !add_region(build->clearance, polygon, last, &last)) return false;
    build->labels[count + i] = last;
  }
  return true;
}

static bool find_regions(lwi_clearance_build *build, int listed) {
  const uint32_t p = build->list.items[listed];
  const uint32_t first = build->first.items[listed], end = build->first.items[listed + 1];
  lwi_barriers barriers = lwi_clearance_walls_near(build->clearance, p);
  lwi_polygon polygon = lwi_polygon_get(build->mesh, p);
  drop_regions(build->clearance, p);
  if (barriers.count == 0 || end - first < 2) {
    for (uint32_t i = first; i < end; i++) build->portals.items[build->order.items[i]].region = p;
    return true;
  }
  int limit = (int)(end - first);
  if (!lwi_reserve(build->memory, &build->free_intervals, &build->free_interval_capacity, limit,
                   sizeof *build->free_intervals) ||
      !lwi_reserve(build->memory, &build->labels, &build->label_capacity, 2 * limit, sizeof *build->labels) ||
      !read_corners(build, &polygon))
    return false;
  uint32_t count = gather_free_intervals(build, first, end);
  const lwi_free_outline outline = {build->corners, polygon.count, build->free_intervals, count};
  if (!lwi_region_join(&build->region, &barriers, &outline, build->labels) || !number_regions(build, p, count))
    return false;
  for (uint32_t i = first; i < end; i++) {
    lwi_clear_portal *part = &build->portals.items[build->order.items[i]];
    part->region = build->labels[count + part->region];
  }
  return true;
}

/* --- storing ---------------------------------------------------------------------------------------------- */

static bool take_slots(lwi_clearance *clearance, uint32_t region, uint32_t count) {
  lwi_memory *memory = clearance->memory;
  if (!lwi_clearance_take(memory, &clearance->slot_runs, &clearance->runs[region], count)) return false;
  const int needed = (int)clearance->slot_runs.end;
  const bool done = lwi_reserve(memory, &clearance->clear_portals, &clearance->capacities[5], needed,
                                sizeof *clearance->clear_portals) &&
                    lwi_reserve(memory, &clearance->intervals, &clearance->capacities[6], needed + 1,
                                sizeof *clearance->intervals) &&
                    lwi_reserve(memory, &clearance->twins, &clearance->capacities[7], needed, sizeof(uint32_t));
  publish(clearance);
  clearance->first_portal[region] = clearance->end_portal[region] = clearance->runs[region].first;
  clearance->graph.portal_count = clearance->slot_runs.end;
  return done;
}

/* Store the clear portals of a region of a polygon in their order. */
static bool store_region(lwi_clearance_build *build, int listed, uint32_t region) {
  lwi_clearance *clearance = build->clearance;
  uint32_t count = 0;
  for (uint32_t i = build->first.items[listed]; i < build->first.items[listed + 1]; i++)
    count += build->portals.items[build->order.items[i]].region == region;
  if (!take_slots(clearance, region, count)) return false;
  for (uint32_t i = build->first.items[listed]; i < build->first.items[listed + 1]; i++) {
    lwi_clear_portal *part = &build->portals.items[build->order.items[i]];
    if (part->region != region) continue;
    part->slot = clearance->end_portal[region]++;
    clearance->intervals[part->slot + 1] = (lwi_portal_interval){part->t0, part->t1};
    clearance->clear_portals[part->slot] =
        (lwi_portal){0, part->edge & 0xff, (part->slot + 1) & LWI_MAX_INTERVALS};
  }
  return true;
}

/* Lead each clear portal into the region of the same one seen from the other polygon. */
static void connect(lwi_clearance_build *build) {
  lwi_clearance *clearance = build->clearance;
  for (int i = 0; i < build->portals.count; i++) {
    const lwi_clear_portal *part = &build->portals.items[i];
    const lwi_clear_portal *back = part->back == LWI_NONE ? NULL : &build->portals.items[part->back];
    const uint32_t twin = back ? back->slot : part->outside;
    clearance->clear_portals[part->slot].to = back ? back->region : part->to_region;
    clearance->twins[part->slot] = twin;
    if (back) continue;
    clearance->clear_portals[twin].to = part->region;
    clearance->twins[twin] = part->slot;
  }
}

static bool store_all(lwi_clearance_build *build) {
  for (int i = 0; i < build->list.count; i++)
    for (uint32_t region = build->list.items[i]; region != LWI_NONE; region = build->clearance->next[region])
      if (!store_region(build, i, region)) return false;
  connect(build);
  return true;
}

/* An agent can take a link only when it can stand at both ends. @param[out] changed  Of some that are kept. */
static bool find_link_regions(lwi_clearance_build *build, bool *changed) {
  lwi_clearance *clearance = build->clearance;
  const lw_navmesh *mesh = build->mesh;
  const uint32_t count = mesh->links.count;
  *changed = false;
  if (count == 0) return true;
  if (!lwi_reserve(build->memory, &clearance->link_regions, &clearance->link_capacity, (int)count,
                   sizeof *clearance->link_regions))
    return false;
  publish(clearance);
  for (uint32_t i = 0; i < count; i++) {
    const lwi_link *link = &mesh->links.items[i];
    lwi_link_regions *regions = &clearance->link_regions[i];
    const bool is_known = i < (uint32_t)clearance->link_count;
    if (is_known && !lwi_clearance_is_listed(build, link->from) && !lwi_clearance_is_listed(build, link->to))
      continue;
    *changed = true;
    if (!lwi_clearance_region(clearance, &build->region, link->from, link->start, &regions->from) ||
        !lwi_clearance_region(clearance, &build->region, link->to, link->end, &regions->to))
      return false;
  }
  clearance->link_count = (int)count;
  return true;
}

bool lwi_clearance_compute(lwi_clearance_build *build, bool *has_links) {
  if (!list_beside(build)) return false;
  for (int i = 0; i < build->changed; i++)
    if (!lwi_clearance_find_near(build, build->list.items[i])) return false;
  if (!find_all_clear_portals(build) || !sort_clear_portals(build)) return false;
  for (int i = 0; i < build->list.count; i++)
    if (!find_regions(build, i)) return false;
  return store_all(build) && find_link_regions(build, has_links);
}

/* --- creating --------------------------------------------------------------------------------------------- */

static bool list_all(lwi_clearance_build *build) {
  bool differ;
  for (uint32_t p = 0; p < build->mesh->polygons.count; p++)
    if (lwi_is_there(build->mesh, p) &&
        (!lwi_clearance_list(build, p) || !lwi_clearance_find_barriers(build, p, &differ)))
      return false;
  return true;
}

/* For a live navmesh there is space for some more polygons. */
static bool create(lwi_clearance *clearance, const lw_navmesh *mesh) {
  lwi_memory *memory = clearance->memory;
  lwi_clearance_build *build = lwi_alloc_zero(memory, sizeof *build);
  if (!build) return false;
  const uint32_t count = mesh->polygons.count, space = mesh->live.base ? count + count / 4 + 64 : count;
  clearance->build = build;
  *build = (lwi_clearance_build){
      .memory = memory, .clearance = clearance, .mesh = mesh, .region = {.memory = memory}};
  clearance->graph = (lwi_graph){.mesh = mesh, .first_extra = space};
  clearance->polygon_space = space;
  clearance->polygons = lwi_alloc_zero(memory, space * sizeof *clearance->polygons);
  build->place = lwi_alloc_zero(memory, space * sizeof *build->place);
  build->seen = lwi_alloc_zero(memory, space * sizeof *build->seen);
  if (space > 0 && (!clearance->polygons || !build->place || !build->seen)) return false;
  if (!lwi_reserve(memory, &clearance->intervals, &clearance->capacities[6], 1, sizeof *clearance->intervals))
    return false;
  clearance->intervals[0] = (lwi_portal_interval){0, 1};
  return reserve_regions(clearance, space);
}

lwi_clearance *lwi_clearance_create(lwi_memory *memory, const lw_navmesh *mesh, const lw_filter *filter) {
  lwi_clearance *clearance = lwi_alloc_zero(memory, sizeof *clearance);
  if (!clearance) return NULL;
  clearance->memory = memory;
  const double place_keep = (double)(lwi_clearance_extra(mesh, filter) - KEEP_SLACK);
  clearance->keep = place_keep - fmin(LWI_PATH_SLACK, place_keep / 2);
  bool has_links, done = create(clearance, mesh);
  if (done) clearance->build->filter = filter;
  done = done && list_all(clearance->build) && lwi_clearance_compute(clearance->build, &has_links);
  if (done) return clearance;
  lwi_clearance_destroy(clearance);
  return NULL;
}
