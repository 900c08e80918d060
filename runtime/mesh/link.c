/* Portals: edges that two polygons share exactly, and edges that meet only in part. */
#include "mesh/mesh.h"

#include <stdlib.h>

/* Edges of baked tiles meet as Detour has them meet: over at least 2 cm, crossing in height or no further apart than
   twice the climb at one end (the same floor, rasterised twice, may differ by a step on either side). */
#define BORDER_OVERLAP 0.02
#define FREE_OVERLAP 0.001
/* Edges lie on one line when they are no further apart than this. [m] */
#define LINE_SLACK 0.002

typedef struct link_edge {
  uint32_t polygon, edge;
  uint32_t low, high; /* vertices, the smaller index first */
  bool forward;       /* from low to high */
  bool matched;
} link_edge;

typedef struct link_entry {
  uint32_t from, to, edge;
  lwi_stretch stretch;
} link_entry;

typedef struct link_work {
  lw_navmesh *mesh;
  const uint32_t *vertices; /* by corner */
  link_edge *edges;
  uint32_t edge_count;
  link_entry *links;
  int link_count, link_capacity;
  /* Unmatched edges by cell of a grid. */
  uint32_t *first, *members;
  float min_x, min_z, cell;
  int width, height;
} link_work;

static bool add_link(link_work *linker, link_entry entry) {
  if (!lwi_reserve(&linker->mesh->memory, &linker->links, &linker->link_capacity, linker->link_count + 1,
                   sizeof *linker->links))
    return false;
  linker->links[linker->link_count++] = entry;
  return true;
}

static int compare_edges(const void *left, const void *right) {
  const link_edge *a = left, *b = right;
  if (a->low != b->low) return a->low < b->low ? -1 : 1;
  if (a->high != b->high) return a->high < b->high ? -1 : 1;
  if (a->polygon != b->polygon) return a->polygon < b->polygon ? -1 : 1;
  return a->edge < b->edge ? -1 : 1;
}

static void collect_edges(link_work *linker) {
  const lw_navmesh *mesh = linker->mesh;
  link_edge *out = linker->edges;
  for (uint32_t t = 0; t < mesh->tile_count; t++) {
    const lwi_tile *tile = &mesh->tiles[t];
    link_edge *begin = out;
    for (uint32_t p = tile->first_polygon; p < tile->first_polygon + tile->polygon_count; p++) {
      lwi_polygon polygon = lwi_polygon_get(mesh, p);
      const uint32_t *vertices = linker->vertices + mesh->ranges[p].first_corner;
      for (uint32_t i = 0; i < polygon.count; i++) {
        uint32_t a = vertices[i], b = vertices[lwi_next_corner(&polygon, i)];
        *out++ = (link_edge){p, i, a < b ? a : b, a < b ? b : a, a < b, false};
      }
    }
    qsort(begin, (size_t)(out - begin), sizeof *begin, compare_edges);
  }
}

/* Pairs of equal edges in opposite directions. Three polygons at one edge (stacked soup) all join. */
static bool link_shared(link_work *linker) {
  const lwi_stretch whole = {0, 1};
  for (uint32_t i = 0; i < linker->edge_count; i++) {
    link_edge *a = &linker->edges[i];
    uint32_t tile = linker->mesh->ranges[a->polygon].tile;
    for (uint32_t j = i + 1; j < linker->edge_count; j++) {
      link_edge *b = &linker->edges[j];
      if (b->low != a->low || b->high != a->high || linker->mesh->ranges[b->polygon].tile != tile) break;
      if (a->forward == b->forward) continue;
      if (!add_link(linker, (link_entry){a->polygon, b->polygon, a->edge, whole}) ||
          !add_link(linker, (link_entry){b->polygon, a->polygon, b->edge, whole}))
        return false;
      a->matched = b->matched = true;
    }
  }
  return true;
}

static void edge_ends(const lw_navmesh *mesh, const link_edge *edge, lw_vec3 *a, lw_vec3 *b) {
  lwi_polygon polygon = lwi_polygon_get(mesh, edge->polygon);
  *a = lwi_corner(&polygon, edge->edge);
  *b = lwi_corner(&polygon, lwi_next_corner(&polygon, edge->edge));
}

static uint8_t edge_border(const lw_navmesh *mesh, const link_edge *edge) {
  return lwi_edge_border(mesh->edges[mesh->ranges[edge->polygon].first_corner + edge->edge]);
}

static bool may_meet(const lw_navmesh *mesh, const link_edge *a, const link_edge *b) {
  if (a->polygon == b->polygon) return false;
  if (edge_border(mesh, a) == LWI_BORDER_ANY && edge_border(mesh, b) == LWI_BORDER_ANY) return true;
  return mesh->ranges[a->polygon].tile != mesh->ranges[b->polygon].tile;
}

/* The part of edge ab that runs along edge cd, as parameters of ab. */
static bool overlap(lw_vec3 a, lw_vec3 b, lw_vec3 c, lw_vec3 d, double min_length, double climb, double t[2]) {
  double ux = (double)b.x - a.x, uz = (double)b.z - a.z, length2 = ux * ux + uz * uz;
  double vx = (double)d.x - c.x, vz = (double)d.z - c.z;
  if (length2 == 0 || ux * vx + uz * vz >= 0) return false; /* they must run against each other */
  double length = sqrt(length2);
  double tc = (((double)c.x - a.x) * ux + ((double)c.z - a.z) * uz) / length2;
  double td = (((double)d.x - a.x) * ux + ((double)d.z - a.z) * uz) / length2;
  t[0] = fmax(0, td);
  t[1] = fmin(1, tc);
  if ((t[1] - t[0]) * length < min_length) return false;
  double side_c = lwi_turn(a, b, c) / length, side_d = lwi_turn(a, b, d) / length;
  double height[2];
  for (int i = 0; i < 2; i++) {
    double s = (tc - t[i]) / (tc - td); /* parameter of cd */
    if (fabs(side_c + (side_d - side_c) * s) > LINE_SLACK) return false;
    height[i] = (c.y + ((double)d.y - c.y) * s) - (a.y + ((double)b.y - a.y) * t[i]);
  }
  /* Ends that all but meet are the corner itself, so that portals of one edge leave no gap. */
  if (t[0] * length < FREE_OVERLAP / 2) t[0] = 0;
  if ((1 - t[1]) * length < FREE_OVERLAP / 2) t[1] = 1;
  return height[0] * height[1] < 0 || fmin(fabs(height[0]), fabs(height[1])) <= climb;
}

static bool link_pair(link_work *linker, const link_edge *e, const link_edge *f) {
  const lw_navmesh *mesh = linker->mesh;
  if (!may_meet(mesh, e, f)) return true;
  bool baked = edge_border(mesh, e) != LWI_BORDER_ANY;
  double min_length = baked ? BORDER_OVERLAP : FREE_OVERLAP;
  double climb = (double)mesh->agent.climb * (baked ? 2 : 1) + 1e-4;
  lw_vec3 a, b, c, d;
  double t[2], s[2];
  edge_ends(mesh, e, &a, &b);
  edge_ends(mesh, f, &c, &d);
  if (!overlap(a, b, c, d, min_length, climb, t) || !overlap(c, d, a, b, min_length, climb, s)) return true;
  link_entry there = {e->polygon, f->polygon, e->edge, {(float)t[0], (float)t[1]}};
  link_entry back = {f->polygon, e->polygon, f->edge, {(float)s[0], (float)s[1]}};
  return add_link(linker, there) && add_link(linker, back);
}

typedef struct edge_range {
  int x0, z0, x1, z1;
} edge_range;

static int cell_of(float value, float origin, float cell, int count) {
  int i = (int)floorf((value - origin) / cell);
  return i < 0 ? 0 : i >= count ? count - 1 : i;
}

static edge_range edge_cells(const link_work *linker, const link_edge *edge) {
  lw_vec3 a, b;
  const float pad = (float)LINE_SLACK;
  edge_ends(linker->mesh, edge, &a, &b);
  return (edge_range){
      cell_of(fminf(a.x, b.x) - pad, linker->min_x, linker->cell, linker->width),
      cell_of(fminf(a.z, b.z) - pad, linker->min_z, linker->cell, linker->height),
      cell_of(fmaxf(a.x, b.x) + pad, linker->min_x, linker->cell, linker->width),
      cell_of(fmaxf(a.z, b.z) + pad, linker->min_z, linker->cell, linker->height),
  };
}

static bool is_loose(const link_work *linker, const link_edge *edge) {
  return !edge->matched && edge_border(linker->mesh, edge) != 0;
}

/* A counting sort of the loose edges by cell. */
static bool fill_cells(link_work *linker) {
  lwi_memory *memory = &linker->mesh->memory;
  size_t count = (size_t)linker->width * (size_t)linker->height;
  linker->first = lwi_alloc_zero(memory, (count + 1) * sizeof *linker->first);
  if (!linker->first) return false;
  for (int pass = 0; pass < 2; pass++) {
    for (uint32_t i = 0; i < linker->edge_count; i++) {
      if (!is_loose(linker, &linker->edges[i])) continue;
      edge_range range = edge_cells(linker, &linker->edges[i]);
      for (int z = range.z0; z <= range.z1; z++)
        for (int x = range.x0; x <= range.x1; x++) {
          uint32_t *slot = &linker->first[(size_t)z * (size_t)linker->width + (size_t)x];
          if (pass == 0)
            *slot += 1;
          else
            linker->members[--*slot] = i;
        }
    }
    if (pass == 1) break;
    for (size_t c = 1; c <= count; c++) linker->first[c] += linker->first[c - 1];
    linker->members = lwi_alloc(memory, linker->first[count] * sizeof *linker->members);
    if (!linker->members && linker->first[count] > 0) return false;
  }
  return true;
}

/* Two edges may share several cells: the pair belongs to the first that both have. */
static bool is_first_shared(const link_work *linker, const link_edge *e, const link_edge *f, int x, int z) {
  edge_range a = edge_cells(linker, e), b = edge_cells(linker, f);
  return x == (a.x0 > b.x0 ? a.x0 : b.x0) && z == (a.z0 > b.z0 ? a.z0 : b.z0);
}

static bool link_partial(link_work *linker) {
  for (int z = 0; z < linker->height; z++)
    for (int x = 0; x < linker->width; x++) {
      size_t c = (size_t)z * (size_t)linker->width + (size_t)x;
      for (uint32_t i = linker->first[c]; i < linker->first[c + 1]; i++)
        for (uint32_t j = i + 1; j < linker->first[c + 1]; j++) {
          const link_edge *e = &linker->edges[linker->members[i]], *f = &linker->edges[linker->members[j]];
          if (is_first_shared(linker, e, f, x, z) && !link_pair(linker, e, f)) return false;
        }
    }
  return true;
}

static bool link_loose(link_work *linker) {
  const lw_navmesh *mesh = linker->mesh;
  uint32_t loose = 0;
  for (uint32_t i = 0; i < linker->edge_count; i++) loose += is_loose(linker, &linker->edges[i]);
  if (loose < 2) return true;
  float size_x = mesh->bounds.max.x - mesh->bounds.min.x, size_z = mesh->bounds.max.z - mesh->bounds.min.z;
  linker->cell = fmaxf(0.5f, sqrtf(size_x * size_z / (float)loose));
  linker->cell = fmaxf(linker->cell, fmaxf(size_x, size_z) / 2048);
  linker->min_x = mesh->bounds.min.x;
  linker->min_z = mesh->bounds.min.z;
  linker->width = (int)(size_x / linker->cell) + 1;
  linker->height = (int)(size_z / linker->cell) + 1;
  return fill_cells(linker) && link_partial(linker);
}

static int compare_links(const void *left, const void *right) {
  const link_entry *a = left, *b = right;
  if (a->from != b->from) return a->from < b->from ? -1 : 1;
  if (a->edge != b->edge) return a->edge < b->edge ? -1 : 1;
  if (a->stretch.t0 != b->stretch.t0) return a->stretch.t0 < b->stretch.t0 ? -1 : 1;
  return (a->to > b->to) - (a->to < b->to);
}

static bool is_whole(const link_entry *entry) {
  return entry->stretch.t0 == 0 && entry->stretch.t1 == 1;
}

/* The edge's byte says where its first portal is. */
static void mark_edge(lw_navmesh *mesh, const link_entry *entry, uint32_t portal) {
  uint8_t *edge = &mesh->edges[mesh->ranges[entry->from].first_corner + entry->edge];
  uint32_t place = portal - mesh->first_portal[entry->from];
  if ((*edge & LWI_EDGE_PORTAL) != LWI_EDGE_WALL) return;
  *edge =
      (uint8_t)(((uint32_t)*edge & ~(uint32_t)LWI_EDGE_PORTAL) | (place < LWI_EDGE_FAR ? place : LWI_EDGE_FAR));
}

static void store_portals(link_work *linker) {
  lw_navmesh *mesh = linker->mesh;
  uint32_t stretch = 1;
  for (uint32_t i = 0; i < mesh->portal_count; i++) mesh->first_portal[linker->links[i].from + 1] += 1;
  for (uint32_t p = 0; p < mesh->polygon_count; p++) mesh->first_portal[p + 1] += mesh->first_portal[p];
  for (uint32_t i = 0; i < mesh->portal_count; i++) {
    const link_entry *entry = &linker->links[i];
    lwi_portal portal = {.to = entry->to, .edge = entry->edge & 0xff};
    if (!is_whole(entry)) {
      portal.stretch = stretch & LWI_MAX_STRETCHES;
      mesh->stretches[stretch++] = entry->stretch;
    }
    mesh->portals[i] = portal;
    mark_edge(mesh, entry, i);
  }
}

/* More stretches than can be numbered are for the caller to refuse. */
static bool store_links(link_work *linker) {
  lw_navmesh *mesh = linker->mesh;
  uint32_t count = (uint32_t)linker->link_count;
  mesh->stretch_count = 1;
  for (uint32_t i = 0; i < count; i++) mesh->stretch_count += !is_whole(&linker->links[i]);
  mesh->first_portal = lwi_alloc_zero(&mesh->memory, (mesh->polygon_count + 1) * sizeof *mesh->first_portal);
  mesh->portals = lwi_alloc(&mesh->memory, count * sizeof *mesh->portals);
  mesh->stretches = lwi_alloc(&mesh->memory, mesh->stretch_count * sizeof *mesh->stretches);
  mesh->portal_count = count;
  if (!mesh->first_portal || !mesh->stretches || (!mesh->portals && count > 0)) return false;
  mesh->stretches[0] = (lwi_stretch){0, 1};
  if (count > 0) qsort(linker->links, count, sizeof *linker->links, compare_links);
  store_portals(linker);
  return true;
}

bool lwi_graph_link(lw_navmesh *mesh, const uint32_t *vertices) {
  link_work linker = {.mesh = mesh, .vertices = vertices, .edge_count = mesh->corner_count};
  linker.edges = lwi_alloc(&mesh->memory, linker.edge_count * sizeof *linker.edges);
  bool done = linker.edges || linker.edge_count == 0;
  if (done) {
    collect_edges(&linker);
    done = link_shared(&linker) && link_loose(&linker) && store_links(&linker);
  }
  size_t cells_size = ((size_t)linker.width * (size_t)linker.height + 1) * sizeof *linker.first;
  if (linker.members)
    lwi_free(&mesh->memory, linker.members,
             linker.first[cells_size / sizeof *linker.first - 1] * sizeof *linker.members);
  lwi_free(&mesh->memory, linker.first, cells_size);
  lwi_free(&mesh->memory, linker.links, (size_t)linker.link_capacity * sizeof *linker.links);
  lwi_free(&mesh->memory, linker.edges, linker.edge_count * sizeof *linker.edges);
  return done;
}
