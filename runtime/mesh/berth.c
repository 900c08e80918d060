#include "mesh/berth.h"

#include "mesh/berth_place.h"
#include "mesh/berth_walls.h"

#include <stdlib.h>

/* A gap that is exactly wide enough is. [m] */
#define KEEP_SLACK 1e-3f

/* Part of a portal, as one of its two polygons has it. */
typedef struct passage {
  uint32_t polygon, edge;
  float t0, t1;
  uint32_t to, back; /* `back`: the same passage as the other polygon has it */
  uint32_t room;
} passage;

typedef struct berth_build {
  lwi_memory *memory;
  lwi_berth *berth;
  const lw_navmesh *mesh;
  const lw_filter *filter;
  lwi_region_room region;
  passage *passages;
  int passage_count, passage_capacity;
  uint32_t *first; /* [polygon_count + 1] of the passages, sorted */
  uint32_t *order; /* [passage_count] by polygon, edge and t0 */
  lwi_opening *openings;
  uint32_t *labels, *extra;
  lwi_spot *corners;
  int opening_capacity, label_capacity, extra_capacity, extra_count, corner_capacity;
} berth_build;

float lwi_berth_keep(const lw_navmesh *mesh, const lw_filter *filter) {
  float keep = filter->radius - mesh->agent.radius;
  return keep > 2 * KEEP_SLACK ? keep : 0;
}

static void edge_ends(const lw_navmesh *mesh, uint32_t polygon, uint32_t edge, lwi_spot ends[2]) {
  lwi_polygon outline = lwi_polygon_get(mesh, polygon);
  ends[0] = lwi_spot_of(lwi_corner(&outline, edge));
  ends[1] = lwi_spot_of(lwi_corner(&outline, lwi_next_corner(&outline, edge)));
}

/* --- passages -------------------------------------------------------------------------------------------------- */

/* Of the portals back from where portal k leads, the one over the same opening. */
static const lwi_portal *portal_back(const lw_navmesh *mesh, uint32_t polygon, const lwi_portal *portal) {
  const lwi_portal *best = NULL;
  float least = INFINITY;
  lw_vec3 left, right, back_left, back_right;
  lwi_portal_points(mesh, polygon, portal, &left, &right);
  for (uint32_t k = mesh->first_portal[portal->to]; k < mesh->first_portal[portal->to + 1]; k++) {
    if (mesh->portals[k].to != polygon) continue;
    lwi_portal_points(mesh, portal->to, &mesh->portals[k], &back_left, &back_right);
    float off = lwi_distance(left, back_right) + lwi_distance(right, back_left);
    if (off >= least) continue;
    least = off;
    best = &mesh->portals[k];
  }
  return best;
}

static double parameter_of(const lwi_spot line[2], lwi_spot point) {
  double dx = line[1].x - line[0].x, dz = line[1].z - line[0].z, length2 = dx * dx + dz * dz;
  double t = length2 > 0 ? ((point.x - line[0].x) * dx + (point.z - line[0].z) * dz) / length2 : 0;
  return fmin(1, fmax(0, t));
}

/* Both sides of one. */
static bool add_passage(berth_build *build, uint32_t polygon, const lwi_opening *part, const lwi_portal *portal,
                        const lwi_portal *back) {
  lwi_spot here[2], there[2];
  edge_ends(build->mesh, polygon, part->edge, here);
  edge_ends(build->mesh, portal->to, back->edge, there);
  float t0 = (float)parameter_of(there, lwi_spot_between(here[0], here[1], part->t1));
  float t1 = (float)parameter_of(there, lwi_spot_between(here[0], here[1], part->t0));
  if (!(t0 < t1) || !((float)part->t0 < (float)part->t1)) return true;
  if (!lwi_reserve(build->memory, &build->passages, &build->passage_capacity, build->passage_count + 2,
                   sizeof *build->passages))
    return false;
  uint32_t index = (uint32_t)build->passage_count;
  passage *pair = &build->passages[index];
  pair[0] = (passage){polygon, part->edge, (float)part->t0, (float)part->t1, portal->to, index + 1, 0};
  pair[1] = (passage){portal->to, back->edge, t0, t1, polygon, index, 0};
  build->passage_count += 2;
  return true;
}

/* What of a portal is clear of the walls that reach into either of its polygons. */
static bool find_passages(berth_build *build, uint32_t polygon, const lwi_portal *portal) {
  const lwi_portal *back = portal_back(build->mesh, polygon, portal);
  if (!back) return true;
  lwi_barriers here = lwi_berth_near(build->berth, polygon), there = lwi_berth_near(build->berth, portal->to);
  lwi_region_room *room = &build->region;
  lwi_spot line[2];
  lwi_stretch whole = lwi_portal_stretch(build->mesh, portal);
  edge_ends(build->mesh, polygon, portal->edge, line);
  room->opening_count = 0;
  if (!lwi_region_free(room, &here, line, portal->edge, (double)whole.t0, (double)whole.t1)) return false;
  int first = room->opening_count;
  for (int i = 0; i < first; i++) {
    lwi_opening part = room->openings[i];
    if (!lwi_region_free(room, &there, line, portal->edge, part.t0, part.t1)) return false;
  }
  for (int i = first; i < room->opening_count; i++) {
    lwi_opening part = room->openings[i];
    if (!add_passage(build, polygon, &part, portal, back)) return false;
  }
  return true;
}

static bool find_all_passages(berth_build *build) {
  const lw_navmesh *mesh = build->mesh;
  for (uint32_t p = 0; p < mesh->polygon_count; p++) {
    if (!lw_filter_passes(build->filter, mesh->poly_areas[p])) continue;
    for (uint32_t k = mesh->first_portal[p]; k < mesh->first_portal[p + 1]; k++) {
      const lwi_portal *portal = &mesh->portals[k];
      if (portal->to < p || !lw_filter_passes(build->filter, mesh->poly_areas[portal->to])) continue;
      if (!find_passages(build, p, portal)) return false;
    }
  }
  return true;
}

static bool comes_before(const passage *a, const passage *b) {
  return a->edge != b->edge ? a->edge < b->edge : a->t0 < b->t0;
}

static bool sort_passages(berth_build *build) {
  uint32_t polygons = build->mesh->polygon_count, count = (uint32_t)build->passage_count;
  build->first = lwi_alloc_zero(build->memory, (polygons + 1) * sizeof *build->first);
  build->order = lwi_alloc(build->memory, count * sizeof *build->order);
  if (!build->first || (!build->order && count > 0)) return false;
  for (uint32_t i = 0; i < count; i++) build->first[build->passages[i].polygon] += 1;
  for (uint32_t p = 1; p <= polygons; p++) build->first[p] += build->first[p - 1];
  for (uint32_t i = count; i-- > 0;) build->order[--build->first[build->passages[i].polygon]] = i;
  for (uint32_t p = 0; p < polygons; p++)
    for (uint32_t i = build->first[p] + 1; i < build->first[p + 1]; i++) {
      uint32_t moved = build->order[i], at = i;
      for (; at > build->first[p] &&
             comes_before(&build->passages[moved], &build->passages[build->order[at - 1]]);
           at--)
        build->order[at] = build->order[at - 1];
      build->order[at] = moved;
    }
  return true;
}

/* --- rooms ----------------------------------------------------------------------------------------------------- */

static bool read_corners(berth_build *build, const lwi_polygon *polygon) {
  if (!lwi_reserve(build->memory, &build->corners, &build->corner_capacity, (int)polygon->count,
                   sizeof *build->corners))
    return false;
  for (uint32_t i = 0; i < polygon->count; i++) build->corners[i] = lwi_spot_of(lwi_corner(polygon, i));
  return true;
}

/* The free parts of the polygon's outline. Portals of stacked soup lie over one another: those are one part.
   Until it is known better, `room` of a passage is the part that it belongs to. @return How many. */
static uint32_t gather_openings(berth_build *build, uint32_t first, uint32_t end) {
  uint32_t count = 0;
  for (uint32_t i = first; i < end; i++) {
    passage *part = &build->passages[build->order[i]];
    lwi_opening *last = count > 0 ? &build->openings[count - 1] : NULL;
    if (last && last->edge == part->edge && (double)part->t0 < last->t1 - 1e-6) {
      last->t1 = fmax(last->t1, (double)part->t1);
    } else {
      build->openings[count++] = (lwi_opening){part->edge, (double)part->t0, (double)part->t1};
    }
    part->room = count - 1;
  }
  return count;
}

static bool add_room(berth_build *build, uint32_t polygon, uint32_t *room) {
  if (!lwi_reserve(build->memory, &build->extra, &build->extra_capacity, build->extra_count + 1,
                   sizeof *build->extra))
    return false;
  *room = build->mesh->polygon_count + (uint32_t)build->extra_count;
  build->extra[build->extra_count++] = polygon;
  return true;
}

/* Labels of openings become rooms: the first one bears the polygon's index. */
static bool number_rooms(berth_build *build, uint32_t polygon, uint32_t count) {
  uint32_t found = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (build->labels[i] != i) {
      build->labels[count + i] = build->labels[count + build->labels[i]];
      continue;
    }
    build->labels[count + i] = polygon;
    if (found++ > 0 && !add_room(build, polygon, &build->labels[count + i])) return false;
  }
  return true;
}

static bool find_rooms(berth_build *build, uint32_t p) {
  uint32_t first = build->first[p], end = build->first[p + 1];
  lwi_barriers barriers = lwi_berth_near(build->berth, p);
  lwi_polygon polygon = lwi_polygon_get(build->mesh, p);
  if (barriers.count == 0 || end - first < 2) {
    for (uint32_t i = first; i < end; i++) build->passages[build->order[i]].room = p;
    return true;
  }
  int most = (int)(end - first);
  if (!lwi_reserve(build->memory, &build->openings, &build->opening_capacity, most, sizeof *build->openings) ||
      !lwi_reserve(build->memory, &build->labels, &build->label_capacity, 2 * most, sizeof *build->labels) ||
      !read_corners(build, &polygon))
    return false;
  uint32_t count = gather_openings(build, first, end);
  if (!lwi_region_join(&build->region, &barriers, build->corners, polygon.count, build->openings, count,
                       build->labels) ||
      !number_rooms(build, p, count))
    return false;
  for (uint32_t i = first; i < end; i++) {
    passage *part = &build->passages[build->order[i]];
    part->room = build->labels[count + part->room];
  }
  return true;
}

/* Passages by room, as a search reads them. */
static bool store_graph(berth_build *build) {
  lwi_berth *berth = build->berth;
  uint32_t rooms = build->mesh->polygon_count + (uint32_t)build->extra_count;
  uint32_t count = (uint32_t)build->passage_count;
  size_t extra_size = (size_t)build->extra_count * sizeof *berth->extra;
  berth->passage_count = count;
  berth->graph = (lwi_graph){.mesh = build->mesh, .room_count = rooms, .portal_count = count};
  berth->first_passage = lwi_alloc_zero(build->memory, ((size_t)rooms + 1) * sizeof *berth->first_passage);
  berth->passages = lwi_alloc(build->memory, count * sizeof *berth->passages);
  berth->stretches = lwi_alloc(build->memory, ((size_t)count + 1) * sizeof *berth->stretches);
  berth->extra = lwi_alloc(build->memory, extra_size);
  if (!berth->stretches || !berth->first_passage || (!berth->passages && count > 0) ||
      (!berth->extra && extra_size > 0))
    return false;
  for (int i = 0; i < build->extra_count; i++) berth->extra[i] = build->extra[i];
  uint32_t *first = berth->first_passage;
  for (uint32_t i = 0; i < count; i++) first[build->passages[i].room] += 1;
  for (uint32_t r = 1; r <= rooms; r++) first[r] += first[r - 1];
  for (uint32_t i = count; i-- > 0;) {
    const passage *part = &build->passages[build->order[i]];
    uint32_t at = --first[part->room];
    berth->stretches[at + 1] = (lwi_stretch){part->t0, part->t1};
    berth->passages[at] =
        (lwi_portal){build->passages[part->back].room, part->edge & 0xff, (at + 1) & LWI_MAX_STRETCHES};
  }
  berth->graph.first_portal = first;
  berth->graph.portals = berth->passages;
  berth->stretches[0] = (lwi_stretch){0, 1};
  berth->graph.stretches = berth->stretches;
  berth->graph.polygons = berth->extra;
  return true;
}

/* An off-mesh link is for those who can stand at both its ends. */
static bool find_link_rooms(berth_build *build) {
  lwi_berth *berth = build->berth;
  uint32_t count = build->mesh->link_count;
  if (count == 0) return true;
  berth->link_rooms = lwi_alloc(build->memory, count * sizeof *berth->link_rooms);
  if (!berth->link_rooms) return false;
  for (uint32_t i = 0; i < count; i++) {
    const lwi_link *link = &build->mesh->links[i];
    lwi_link_rooms *rooms = &berth->link_rooms[i];
    if (!lwi_berth_room(berth, &build->region, link->from, link->start, &rooms->from) ||
        !lwi_berth_room(berth, &build->region, link->to, link->end, &rooms->to))
      return false;
  }
  berth->graph.link_rooms = berth->link_rooms;
  return true;
}

static bool build_all(berth_build *build) {
  if (!lwi_berth_walls(build->berth, build->mesh, build->filter) || !find_all_passages(build) ||
      !sort_passages(build))
    return false;
  for (uint32_t p = 0; p < build->mesh->polygon_count; p++)
    if (!find_rooms(build, p)) return false;
  return store_graph(build) && find_link_rooms(build);
}

static void free_build(berth_build *build) {
  lwi_memory *memory = build->memory;
  lwi_region_room_free(&build->region);
  lwi_free(memory, build->passages, (size_t)build->passage_capacity * sizeof *build->passages);
  lwi_free(memory, build->first, ((size_t)build->mesh->polygon_count + 1) * sizeof *build->first);
  lwi_free(memory, build->order, (size_t)build->passage_count * sizeof *build->order);
  lwi_free(memory, build->openings, (size_t)build->opening_capacity * sizeof *build->openings);
  lwi_free(memory, build->labels, (size_t)build->label_capacity * sizeof *build->labels);
  lwi_free(memory, build->extra, (size_t)build->extra_capacity * sizeof *build->extra);
  lwi_free(memory, build->corners, (size_t)build->corner_capacity * sizeof *build->corners);
}

lwi_berth *lwi_berth_make(lwi_memory *memory, const lw_navmesh *mesh, const lw_filter *filter) {
  lwi_berth *berth = lwi_alloc_zero(memory, sizeof *berth);
  if (!berth) return NULL;
  berth->memory = memory;
  berth->keep = (double)(lwi_berth_keep(mesh, filter) - KEEP_SLACK);
  berth->graph.mesh = mesh;
  berth_build build = {
      .memory = memory, .berth = berth, .mesh = mesh, .filter = filter, .region = {.memory = memory}};
  bool done = build_all(&build);
  free_build(&build);
  if (done) return berth;
  lwi_berth_free(berth);
  return NULL;
}

void lwi_berth_free(lwi_berth *berth) {
  if (!berth) return;
  lwi_memory *memory = berth->memory;
  const lw_navmesh *mesh = berth->graph.mesh;
  size_t polygons = mesh->polygon_count, rooms = berth->graph.room_count;
  lwi_free(memory, berth->barriers, berth->barrier_count * sizeof *berth->barriers);
  lwi_free(memory, berth->first_barrier, (polygons + 1) * sizeof *berth->first_barrier);
  lwi_free(memory, berth->near, berth->near_count * sizeof *berth->near);
  lwi_free(memory, berth->first_near, (polygons + 1) * sizeof *berth->first_near);
  lwi_free(memory, berth->passages, berth->passage_count * sizeof *berth->passages);
  lwi_free(memory, berth->stretches, ((size_t)berth->passage_count + 1) * sizeof *berth->stretches);
  lwi_free(memory, berth->first_passage, (rooms + 1) * sizeof *berth->first_passage);
  lwi_free(memory, berth->extra, (rooms - polygons) * sizeof *berth->extra);
  lwi_free(memory, berth->link_rooms, mesh->link_count * sizeof *berth->link_rooms);
  lwi_free(memory, berth, sizeof *berth);
}
