/* The graph of polygons: portals over edges that two polygons share, or that meet in part; and islands. */
#include "mesh/build.h"
#include "mesh/sections.h"

#include <stdlib.h>

/* Edges of baked tiles meet by Detour's rule: over at least 2 cm, and where they cross in height or one end's
   heights differ by at most twice the climb (each tile rasterises the floor itself, and may be off by a step).
   [m] */
#define BORDER_OVERLAP 0.02
#define FREE_OVERLAP 0.001
/* Where edges drift apart in height, a portal is divided where they are this much further apart, or by more so that there are
   few parts; none is shorter than PART_MIN. [m] */
#define PART_RISE 0.1
#define PARTS 8
#define PART_MIN 0.05
/* Edges no further apart than this lie on one line. [m] */
#define LINE_SLACK 0.002

typedef struct polygon_edge {
  uint32_t polygon, edge;
  uint32_t low, high; /* vertex numbers of its ends, the lower first */
  bool forward;       /* from low to high */
  bool matched;
} polygon_edge;

typedef struct graph_work {
  lw_navmesh *mesh;
  const uint32_t *vertices; /* by corner */
  polygon_edge *edges;
  uint32_t edge_count;
  lwi_found_portal_list entries;
  /* Loose edges by cell of a grid. */
  uint32_t *first, *members;
  float min_x, min_z, cell;
  int width, height;
} graph_work;

static bool add_portal(lwi_found_portal_list *list, lwi_found_portal entry) {
  if (!lwi_reserve(list->memory, &list->items, &list->capacity, list->count + 1, sizeof *list->items))
    return false;
  list->items[list->count++] = entry;
  return true;
}

static int compare_edges(const void *left, const void *right) {
  const polygon_edge *a = left, *b = right;
  if (a->low != b->low) return a->low < b->low ? -1 : 1;
  if (a->high != b->high) return a->high < b->high ? -1 : 1;
  if (a->polygon != b->polygon) return a->polygon < b->polygon ? -1 : 1;
  return a->edge < b->edge ? -1 : 1;
}

static void collect_edges(graph_work *work) {
  const lw_navmesh *mesh = work->mesh;
  polygon_edge *out = work->edges;
  for (uint32_t t = 0; t < mesh->tiles.count; t++) {
    const lwi_tile *tile = &mesh->tiles.items[t];
    polygon_edge *begin = out;
    for (uint32_t p = tile->first_polygon; p < tile->first_polygon + tile->polygon_count; p++) {
      lwi_polygon polygon = lwi_polygon_get(mesh, p);
      const uint32_t *vertices = work->vertices + mesh->polygons.ranges[p].first_corner;
      for (uint32_t i = 0; i < polygon.count; i++) {
        uint32_t a = vertices[i], b = vertices[lwi_next_corner(&polygon, i)];
        *out++ = (polygon_edge){p, i, a < b ? a : b, a < b ? b : a, a < b, false};
      }
    }
    qsort(begin, (size_t)(out - begin), sizeof *begin, compare_edges);
  }
}

/* Equal edges in opposite directions. Where three polygons meet at one edge, all pairs are linked. */
static bool match_shared(graph_work *work) {
  const lwi_portal_interval whole = {0, 1};
  for (uint32_t i = 0; i < work->edge_count; i++) {
    polygon_edge *a = &work->edges[i];
    uint32_t tile = work->mesh->polygons.ranges[a->polygon].tile;
    for (uint32_t j = i + 1; j < work->edge_count; j++) {
      polygon_edge *b = &work->edges[j];
      if (b->low != a->low || b->high != a->high || work->mesh->polygons.ranges[b->polygon].tile != tile) break;
      if (a->forward == b->forward) continue;
      if (!add_portal(&work->entries, (lwi_found_portal){a->polygon, b->polygon, a->edge, whole, 0}) ||
          !add_portal(&work->entries, (lwi_found_portal){b->polygon, a->polygon, b->edge, whole, 0}))
        return false;
      a->matched = b->matched = true;
    }
  }
  return true;
}

static void edge_ends(const lw_navmesh *mesh, lwi_edge_place at, lw_vec3 ends[2]) {
  lwi_polygon polygon = lwi_polygon_get(mesh, at.polygon);
  ends[0] = lwi_corner(&polygon, at.edge);
  ends[1] = lwi_corner(&polygon, lwi_next_corner(&polygon, at.edge));
}

static uint8_t edge_border(const lw_navmesh *mesh, lwi_edge_place at) {
  return lwi_edge_border(mesh->polygons.edges[mesh->polygons.ranges[at.polygon].first_corner + at.edge]);
}

static bool may_meet(const lw_navmesh *mesh, lwi_edge_place a, lwi_edge_place b) {
  if (a.polygon == b.polygon) return false;
  if (edge_border(mesh, a) == LWI_BORDER_ANY && edge_border(mesh, b) == LWI_BORDER_ANY) return true;
  return mesh->polygons.ranges[a.polygon].tile != mesh->polygons.ranges[b.polygon].tile;
}

static lwi_edge_place place_of(const polygon_edge *edge) {
  return (lwi_edge_place){edge->polygon, edge->edge};
}

/* The part of edge ab that edge cd runs along in the opposite direction. @param[out] t  Its parameters on ab.
   @param[out] height  How much higher cd is at each. [m] */
static bool overlap(const lw_vec3 ab[2], const lw_vec3 cd[2], double min_length, double climb, double t[2],
                    double height[2]) {
  const lw_vec3 a = ab[0], b = ab[1], c = cd[0], d = cd[1];
  double ux = (double)b.x - a.x, uz = (double)b.z - a.z, length2 = ux * ux + uz * uz;
  double vx = (double)d.x - c.x, vz = (double)d.z - c.z;
  if (length2 == 0 || ux * vx + uz * vz >= 0) return false;
  double length = sqrt(length2);
  double tc = (((double)c.x - a.x) * ux + ((double)c.z - a.z) * uz) / length2;
  double td = (((double)d.x - a.x) * ux + ((double)d.z - a.z) * uz) / length2;
  t[0] = fmax(0, td);
  t[1] = fmin(1, tc);
  if ((t[1] - t[0]) * length < min_length) return false;
  double side_c = lwi_turn(a, b, c) / length, side_d = lwi_turn(a, b, d) / length;
  for (int i = 0; i < 2; i++) {
    double s = (tc - t[i]) / (tc - td); /* parameter on cd */
    if (fabs(side_c + (side_d - side_c) * s) > LINE_SLACK) return false;
    height[i] = (c.y + ((double)d.y - c.y) * s) - (a.y + ((double)b.y - a.y) * t[i]);
  }
  /* Parameters next to a corner become the corner, so that portals of one edge leave no gap. */
  if (t[0] * length < FREE_OVERLAP / 2) t[0] = 0;
  if ((1 - t[1]) * length < FREE_OVERLAP / 2) t[1] = 1;
  return height[0] * height[1] < 0 || fmin(fabs(height[0]), fabs(height[1])) <= climb;
}

/* Two edges that meet: their parts, and how much higher the second one is at the ends of the first one's. */
typedef struct meeting {
  lwi_edge_place e, f;
  double t[2], s[2], height[2];
  double length; /* [m] */
} meeting;

/* Add the portals there and back over a part of it, from 0 to 1. @return false: no memory. */
static bool add_part(lwi_found_portal_list *list, const meeting *at, double from, double to, bool baked) {
  const double t = at->t[1] - at->t[0], s = at->s[1] - at->s[0], h = at->height[1] - at->height[0];
  const double rise = fmax(fabs(at->height[0] + from * h), fabs(at->height[0] + to * h));
  const uint8_t step = baked || rise <= LWI_STEP_ROUNDING ? 0 : lwi_step_byte(rise);
  const lwi_portal_interval here = {(float)(at->t[0] + from * t),
                                    (float)(to < 1 ? at->t[0] + to * t : at->t[1])};
  const lwi_portal_interval there = {(float)(to < 1 ? at->s[1] - to * s : at->s[0]),
                                     (float)(at->s[1] - from * s)};
  return add_portal(list, (lwi_found_portal){at->e.polygon, at->f.polygon, at->e.edge, here, step}) &&
         add_portal(list, (lwi_found_portal){at->f.polygon, at->e.polygon, at->f.edge, there, step});
}

/* Where edges drift apart in height, the portal is divided, so that what is low of it can be crossed.
   @param unit  How much the difference may grow over a part. [m] */
static bool add_parts(lwi_found_portal_list *list, const meeting *at, double unit, double climb) {
  const double first = at->height[0], grown = at->height[1] - first;
  const int direction = grown < 0 ? -1 : 1, limit = (int)ceil(climb / unit - 1e-3);
  int level = (int)(direction > 0 ? floor(first / unit) + 1 : ceil(first / unit) - 1);
  if (level * direction < -limit) level = -limit * direction;
  double from = 0;
  for (; fabs(grown) > unit / 4 && level * direction <= limit; level += direction) {
    const double to = (level * unit - first) / grown;
    if ((1 - to) * at->length < PART_MIN) break;
    if (level == 0 || (to - from) * at->length < PART_MIN) continue;
    if (!add_part(list, at, from, to, false)) return false;
    from = to;
  }
  return add_part(list, at, from, 1, false);
}

bool lwi_portal_entries_match(lwi_found_portal_list *list, const lw_navmesh *mesh, lwi_edge_place e,
                              lwi_edge_place f) {
  if (!may_meet(mesh, e, f)) return true;
  bool baked = edge_border(mesh, e) != LWI_BORDER_ANY;
  double min_length = baked ? BORDER_OVERLAP : FREE_OVERLAP;
  double climb = (double)mesh->agent.climb * (baked ? 2 : 1) + 1e-4;
  lw_vec3 ends[2], other[2];
  meeting at = {.e = e, .f = f};
  double back[2];
  edge_ends(mesh, e, ends);
  edge_ends(mesh, f, other);
  if (!overlap(ends, other, min_length, climb, at.t, at.height) ||
      !overlap(other, ends, min_length, climb, at.s, back))
    return true;
  at.length = (at.t[1] - at.t[0]) * (double)lwi_distance_xz(ends[0], ends[1]);
  return baked ? add_part(list, &at, 0, 1, true) : add_parts(list, &at, fmax(PART_RISE, climb / PARTS), climb);
}

static lwi_cells edge_cells(const graph_work *work, const polygon_edge *edge) {
  lw_vec3 ends[2];
  const float pad = (float)LINE_SLACK;
  edge_ends(work->mesh, place_of(edge), ends);
  const lw_vec3 a = ends[0], b = ends[1];
  return (lwi_cells){
      lwi_cell_of(fminf(a.x, b.x) - pad, work->min_x, work->cell, work->width),
      lwi_cell_of(fminf(a.z, b.z) - pad, work->min_z, work->cell, work->height),
      lwi_cell_of(fmaxf(a.x, b.x) + pad, work->min_x, work->cell, work->width),
      lwi_cell_of(fmaxf(a.z, b.z) + pad, work->min_z, work->cell, work->height),
  };
}

static bool is_loose(const graph_work *work, const polygon_edge *edge) {
  return !edge->matched && edge_border(work->mesh, place_of(edge)) != 0;
}

/* Sort the loose edges by cell, by counting. */
static bool fill_cells(graph_work *work) {
  lwi_memory *memory = &work->mesh->memory;
  size_t count = (size_t)work->width * (size_t)work->height;
  work->first = lwi_alloc_zero(memory, (count + 1) * sizeof *work->first);
  if (!work->first) return false;
  for (int pass = 0; pass < 2; pass++) {
    for (uint32_t i = 0; i < work->edge_count; i++) {
      if (!is_loose(work, &work->edges[i])) continue;
      lwi_cells range = edge_cells(work, &work->edges[i]);
      for (int z = range.z0; z <= range.z1; z++)
        for (int x = range.x0; x <= range.x1; x++) {
          uint32_t *slot = &work->first[(size_t)z * (size_t)work->width + (size_t)x];
          if (pass == 0)
            *slot += 1;
          else
            work->members[--*slot] = i;
        }
    }
    if (pass == 1) break;
    for (size_t c = 1; c <= count; c++) work->first[c] += work->first[c - 1];
    work->members = lwi_alloc(memory, work->first[count] * sizeof *work->members);
    if (!work->members && work->first[count] > 0) return false;
  }
  return true;
}

static bool match_cells(graph_work *work) {
  for (int z = 0; z < work->height; z++)
    for (int x = 0; x < work->width; x++) {
      size_t c = (size_t)z * (size_t)work->width + (size_t)x;
      for (uint32_t i = work->first[c]; i < work->first[c + 1]; i++)
        for (uint32_t j = i + 1; j < work->first[c + 1]; j++) {
          const polygon_edge *e = &work->edges[work->members[i]], *f = &work->edges[work->members[j]];
          if (!lwi_cells_first_shared(edge_cells(work, e), edge_cells(work, f), x, z)) continue;
          if (!lwi_portal_entries_match(&work->entries, work->mesh, place_of(e), place_of(f))) return false;
        }
    }
  return true;
}

static bool match_loose(graph_work *work) {
  const lw_navmesh *mesh = work->mesh;
  uint32_t loose = 0;
  for (uint32_t i = 0; i < work->edge_count; i++) loose += is_loose(work, &work->edges[i]);
  if (loose < 2) return true;
  float size_x = mesh->bounds.max.x - mesh->bounds.min.x, size_z = mesh->bounds.max.z - mesh->bounds.min.z;
  work->cell = fmaxf(0.5f, sqrtf(size_x * size_z / (float)loose));
  work->cell = fmaxf(work->cell, fmaxf(size_x, size_z) / 2048);
  work->min_x = mesh->bounds.min.x;
  work->min_z = mesh->bounds.min.z;
  work->width = (int)(size_x / work->cell) + 1;
  work->height = (int)(size_z / work->cell) + 1;
  return fill_cells(work) && match_cells(work);
}

static int compare_entries(const void *left, const void *right) {
  const lwi_found_portal *a = left, *b = right;
  if (a->from != b->from) return a->from < b->from ? -1 : 1;
  if (a->edge != b->edge) return a->edge < b->edge ? -1 : 1;
  if (a->interval.t0 != b->interval.t0) return a->interval.t0 < b->interval.t0 ? -1 : 1;
  return (a->to > b->to) - (a->to < b->to);
}

void lwi_portal_entries_sort(lwi_found_portal_list *list) {
  if (list->count > 1) qsort(list->items, (size_t)list->count, sizeof *list->items, compare_entries);
}

void lwi_portal_entries_free(lwi_found_portal_list *list) {
  lwi_free(list->memory, list->items, (size_t)list->capacity * sizeof *list->items);
}

/* Else it has an interval of its own. */
static bool is_plain(const lwi_found_portal *entry) {
  return entry->interval.t0 == 0 && entry->interval.t1 == 1 && entry->step == 0;
}

/* The edge's byte says where its first portal is. */
void lwi_graph_mark_edge(lw_navmesh *mesh, uint32_t polygon, uint32_t edge, uint32_t portal) {
  uint8_t *byte = &mesh->polygons.edges[mesh->polygons.ranges[polygon].first_corner + edge];
  uint32_t place = portal - mesh->graph.first_portal[polygon];
  if ((*byte & LWI_EDGE_PORTAL) != LWI_EDGE_WALL) return;
  *byte =
      (uint8_t)(((uint32_t)*byte & ~(uint32_t)LWI_EDGE_PORTAL) | (place < LWI_EDGE_FAR ? place : LWI_EDGE_FAR));
}

static void store_portals(graph_work *work) {
  lw_navmesh *mesh = work->mesh;
  uint32_t interval = 1;
  for (uint32_t i = 0; i < mesh->graph.portal_count; i++)
    mesh->graph.first_portal[work->entries.items[i].from + 1] += 1;
  for (uint32_t p = 0; p < mesh->polygons.count; p++)
    mesh->graph.first_portal[p + 1] += mesh->graph.first_portal[p];
  for (uint32_t i = 0; i < mesh->graph.portal_count; i++) {
    const lwi_found_portal *entry = &work->entries.items[i];
    lwi_portal portal = {.to = entry->to, .edge = entry->edge & 0xff};
    if (!is_plain(entry)) {
      portal.interval = interval & LWI_MAX_INTERVALS;
      mesh->graph.interval_steps[interval] = entry->step;
      mesh->graph.intervals[interval++] = entry->interval;
    }
    mesh->graph.portals[i] = portal;
    lwi_graph_mark_edge(mesh, entry->from, entry->edge, i);
  }
}

/* The caller refuses more intervals than a portal can number. */
static bool store_graph(graph_work *work) {
  lw_navmesh *mesh = work->mesh;
  uint32_t count = (uint32_t)work->entries.count;
  mesh->graph.interval_count = 1;
  for (uint32_t i = 0; i < count; i++) mesh->graph.interval_count += !is_plain(&work->entries.items[i]);
  mesh->graph.first_portal =
      lwi_alloc_zero(&mesh->memory, (mesh->polygons.count + 1) * sizeof *mesh->graph.first_portal);
  mesh->graph.portals = lwi_alloc(&mesh->memory, count * sizeof *mesh->graph.portals);
  mesh->graph.intervals = lwi_alloc(&mesh->memory, mesh->graph.interval_count * sizeof *mesh->graph.intervals);
  mesh->graph.interval_steps = lwi_alloc_zero(&mesh->memory, mesh->graph.interval_count);
  mesh->graph.portal_count = count;
  if (!mesh->graph.first_portal || !mesh->graph.intervals || !mesh->graph.interval_steps ||
      (!mesh->graph.portals && count > 0))
    return false;
  mesh->graph.intervals[0] = (lwi_portal_interval){0, 1};
  lwi_portal_entries_sort(&work->entries);
  store_portals(work);
  lwi_sections_derive(mesh);
  return true;
}

bool lwi_graph_link(lw_navmesh *mesh, const uint32_t *vertices) {
  graph_work work = {.mesh = mesh,
                     .vertices = vertices,
                     .edge_count = mesh->polygons.corner_count,
                     .entries = {.memory = &mesh->memory}};
  work.edges = lwi_alloc(&mesh->memory, work.edge_count * sizeof *work.edges);
  bool done = work.edges || work.edge_count == 0;
  if (done) {
    collect_edges(&work);
    done = match_shared(&work) && match_loose(&work) && store_graph(&work);
  }
  size_t cells_size = ((size_t)work.width * (size_t)work.height + 1) * sizeof *work.first;
  if (work.members)
    lwi_free(&mesh->memory, work.members,
             work.first[cells_size / sizeof *work.first - 1] * sizeof *work.members);
  lwi_free(&mesh->memory, work.first, cells_size);
  lwi_portal_entries_free(&work.entries);
  lwi_free(&mesh->memory, work.edges, work.edge_count * sizeof *work.edges);
  return done;
}

void lwi_graph_measure_steps(lw_navmesh *mesh) {
  mesh->graph.highest_step = 0;
  for (uint32_t i = 0; i < mesh->graph.interval_count; i++)
    if (mesh->graph.interval_steps[i] > mesh->graph.highest_step)
      mesh->graph.highest_step = mesh->graph.interval_steps[i];
}

/* --- islands ---------------------------------------------------------------------------------------------- */

static bool is_open(const lwi_graph *graph, const lw_filter *filter, uint32_t region) {
  const uint32_t polygon = lwi_region_polygon(graph, region);
  return polygon < graph->mesh->polygons.count && lwi_is_there(graph->mesh, polygon) &&
         lwi_passes(graph->mesh, filter, polygon);
}

uint32_t lwi_label_components(const lwi_graph *graph, const lw_filter *filter, uint32_t *labels,
                              uint32_t *stack) {
  uint32_t label = 0;
  for (uint32_t i = 0; i < graph->region_count; i++) labels[i] = LWI_NONE;
  for (uint32_t seed = 0; seed < graph->region_count; seed++) {
    if (labels[seed] != LWI_NONE || !is_open(graph, filter, seed)) continue;
    uint32_t depth = 0;
    stack[depth++] = seed;
    labels[seed] = label;
    while (depth > 0) {
      uint32_t at = stack[--depth];
      for (uint32_t k = graph->first_portal[at]; k < graph->end_portal[at]; k++) {
        uint32_t to = graph->portals[k].to;
        if (labels[to] != LWI_NONE || !lwi_graph_crosses(graph, filter, &graph->portals[k])) continue;
        labels[to] = label;
        stack[depth++] = to;
      }
    }
    label += 1;
  }
  return label;
}

bool lwi_graph_islands(lw_navmesh *mesh) {
  size_t size = mesh->polygons.count * sizeof(uint32_t);
  mesh->graph.islands = lwi_alloc(&mesh->memory, size);
  uint32_t *stack = lwi_alloc(&mesh->memory, size);
  bool done = size == 0 || (mesh->graph.islands && stack);
  lwi_graph graph = lwi_graph_of(mesh);
  if (done) lwi_label_components(&graph, NULL, mesh->graph.islands, stack);
  lwi_free(&mesh->memory, stack, size);
  mesh->graph.island_count = 0;
  for (uint32_t i = 0; done && i < mesh->polygons.count; i++)
    if (mesh->graph.islands[i] >= mesh->graph.island_count)
      mesh->graph.island_count = mesh->graph.islands[i] + 1;
  return done;
}
