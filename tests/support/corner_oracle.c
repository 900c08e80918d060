#include "corner_oracle.h"

#include "mesh/link_fits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Ends of portals this near to each other are one corner. [m] */
#define SAME_IN_PLAN 2e-3
#define SAME_IN_HEIGHT 0.6
/* A line that passes a corner by less does not pass it: it leads over that corner. [m] */
#define GRAZE 1e-6
#define POLYGONS_MAX 48 /* round a corner */

/* A corner, an end of a link, the start or the goal. */
typedef struct corner {
  double x, y, z;
  uint32_t polygons[POLYGONS_MAX]; /* that it lies in, or on the rim of */
  int polygon_count;
} corner;

struct corner_oracle {
  const lw_navmesh *mesh;
  const lw_filter *filter;
  bool flat;       /* of the question that is asked */
  corner *corners; /* [count] Then the start and the goal. */
  int count, capacity;
  bool *seen;       /* [count * count] Do they see each other? */
  int first_link;   /* Ends of link i are corners from first_link + 2i on. */
  double *distance; /* [count + 2] */
  bool *is_done;    /* [count + 2] */
};

static bool is_in(const corner *at, uint32_t polygon) {
  for (int i = 0; i < at->polygon_count; i++)
    if (at->polygons[i] == polygon) return true;
  return false;
}

static void put_in(corner *at, uint32_t polygon) {
  if (is_in(at, polygon)) return;
  if (at->polygon_count == POLYGONS_MAX) abort();
  at->polygons[at->polygon_count++] = polygon;
}

static corner corner_at(lw_vec3 at, uint32_t polygon) {
  corner built = {.x = (double)at.x, .y = (double)at.y, .z = (double)at.z};
  put_in(&built, polygon);
  return built;
}

static corner *add(corner_oracle *oracle, corner built) {
  if (oracle->count == oracle->capacity) {
    oracle->capacity = 2 * oracle->capacity + 64;
    oracle->corners = realloc(oracle->corners, ((size_t)oracle->capacity + 2) * sizeof *oracle->corners);
    if (!oracle->corners) abort();
  }
  oracle->corners[oracle->count] = built;
  return &oracle->corners[oracle->count++];
}

/* Is it a corner of that place, and of a polygon that a portal with an end there joins? Where polygons touch in a point
   alone no path leads from one to the other. */
static bool is_end(const corner *of, lw_vec3 at, uint32_t from, uint32_t to) {
  return hypot(of->x - (double)at.x, of->z - (double)at.z) <= SAME_IN_PLAN &&
         fabs(of->y - (double)at.y) <= SAME_IN_HEIGHT && (is_in(of, from) || is_in(of, to));
}

static void add_end(corner_oracle *oracle, lw_vec3 at, uint32_t from, uint32_t to) {
  int found = -1;
  for (int i = 0; i < oracle->count; i++) {
    if (!is_end(&oracle->corners[i], at, from, to)) continue;
    if (found < 0) {
      found = i;
      continue;
    }
    const corner *other = &oracle->corners[i];
    for (int k = 0; k < other->polygon_count; k++) put_in(&oracle->corners[found], other->polygons[k]);
    oracle->corners[i--] = oracle->corners[--oracle->count];
  }
  corner *end = found >= 0 ? &oracle->corners[found] : add(oracle, corner_at(at, from));
  put_in(end, from);
  put_in(end, to);
}

static double between(const corner_oracle *oracle, const corner *a, const corner *b) {
  const double x = b->x - a->x, y = oracle->flat ? 0 : b->y - a->y, z = b->z - a->z;
  return sqrt(x * x + y * y + z * z);
}

/* > 0: `at` is left of the line, by that distance. [m] */
static double left_of(const corner *from, const corner *to, lw_vec3 at) {
  const double dx = to->x - from->x, dz = to->z - from->z;
  return (dz * ((double)at.x - from->x) - dx * ((double)at.z - from->z)) / hypot(dx, dz);
}

/* The portal that a line from corner to corner leaves a polygon by. @return LWI_NONE: it ends there, or leads over a corner. */
static uint32_t exit_of(const corner_oracle *oracle, uint32_t polygon, const corner *from, const corner *to) {
  const lw_navmesh *mesh = oracle->mesh;
  for (uint32_t k = mesh->graph.first_portal[polygon]; k < mesh->graph.end_portal[polygon]; k++) {
    lw_vec3 left, right;
    if (!lwi_crosses(mesh, oracle->filter, &mesh->graph.portals[k])) continue;
    lwi_portal_points(mesh, polygon, &mesh->graph.portals[k], &left, &right);
    if (left_of(from, to, left) > GRAZE && left_of(from, to, right) < -GRAZE) return k;
  }
  return LWI_NONE;
}

static bool sees(const corner_oracle *oracle, const corner *from, const corner *to) {
  for (int i = 0; i < from->polygon_count; i++)
    if (is_in(to, from->polygons[i])) return true;
  if (hypot(to->x - from->x, to->z - from->z) < 1e-9) return false;
  for (int i = 0; i < from->polygon_count; i++) {
    uint32_t at = from->polygons[i];
    for (uint32_t steps = 0; steps <= oracle->mesh->polygons.count; steps++) {
      const uint32_t k = exit_of(oracle, at, from, to);
      if (k == LWI_NONE) break;
      at = oracle->mesh->graph.portals[k].to;
      if (is_in(to, at)) return true;
    }
  }
  return false;
}

static bool is_there(const corner_oracle *oracle, uint32_t polygon) {
  return lwi_is_there(oracle->mesh, polygon) && lwi_passes(oracle->mesh, oracle->filter, polygon);
}

static void list_corners(corner_oracle *oracle) {
  const lw_navmesh *mesh = oracle->mesh;
  for (uint32_t p = 0; p < mesh->polygons.count; p++) {
    if (!is_there(oracle, p)) continue;
    for (uint32_t k = mesh->graph.first_portal[p]; k < mesh->graph.end_portal[p]; k++) {
      lw_vec3 left, right;
      if (!lwi_crosses(mesh, oracle->filter, &mesh->graph.portals[k])) continue;
      lwi_portal_points(mesh, p, &mesh->graph.portals[k], &left, &right);
      add_end(oracle, left, p, mesh->graph.portals[k].to);
      add_end(oracle, right, p, mesh->graph.portals[k].to);
    }
  }
}

corner_oracle *corner_oracle_create(const lw_navmesh *mesh, const lw_filter *filter) {
  corner_oracle *oracle = calloc(1, sizeof *oracle);
  if (!oracle) abort();
  *oracle = (corner_oracle){.mesh = mesh, .filter = filter};
  list_corners(oracle);
  oracle->first_link = oracle->count;
  for (uint32_t i = 0; i < mesh->links.count; i++) {
    add(oracle, corner_at(mesh->links.items[i].start, mesh->links.items[i].from));
    add(oracle, corner_at(mesh->links.items[i].end, mesh->links.items[i].to));
  }
  const size_t count = (size_t)oracle->count;
  oracle->seen = malloc((count * count + 1) * sizeof *oracle->seen);
  oracle->distance = malloc((count + 2) * sizeof *oracle->distance);
  oracle->is_done = malloc((count + 2) * sizeof *oracle->is_done);
  oracle->corners = realloc(oracle->corners, (count + 2) * sizeof *oracle->corners);
  if (!oracle->seen || !oracle->distance || !oracle->is_done || !oracle->corners) abort();
  for (size_t a = 0; a < count; a++)
    for (size_t b = a; b < count; b++) {
      const corner *from = &oracle->corners[a], *to = &oracle->corners[b];
      oracle->seen[a * count + b] = oracle->seen[b * count + a] =
          sees(oracle, from, to) || sees(oracle, to, from);
    }
  return oracle;
}

void corner_oracle_destroy(corner_oracle *oracle) {
  free(oracle->corners);
  free(oracle->seen);
  free(oracle->distance);
  free(oracle->is_done);
  free(oracle);
}

/* The least of those that are not done. -1: none can be reached. */
static int nearest(const corner_oracle *oracle) {
  int found = -1;
  for (int i = 0; i < oracle->count + 2; i++)
    if (!oracle->is_done[i] && oracle->distance[i] < INFINITY &&
        (found < 0 || oracle->distance[i] < oracle->distance[found]))
      found = i;
  return found;
}

/* Length of the link from corner to corner; INFINITY: there is none that may be taken. */
static double over_link(const corner_oracle *oracle, int a, int b) {
  const lwi_mesh_links *links = &oracle->mesh->links;
  if (a < oracle->first_link || b != a + 1 || (a - oracle->first_link) % 2 != 0) return INFINITY;
  const lwi_link *link = &links->items[(a - oracle->first_link) / 2];
  return lwi_link_passes(oracle->mesh, link, oracle->filter) ? (double)link->length : INFINITY;
}

static double step(const corner_oracle *oracle, int a, int b) {
  const corner *from = &oracle->corners[a], *to = &oracle->corners[b];
  if (a >= oracle->count || b >= oracle->count)
    return sees(oracle, from, to) || sees(oracle, to, from) ? between(oracle, from, to) : INFINITY;
  const bool seen = oracle->seen[(size_t)a * (size_t)oracle->count + (size_t)b];
  return fmin(over_link(oracle, a, b), seen ? between(oracle, from, to) : INFINITY);
}

double corner_oracle_length(corner_oracle *oracle, lw_location from, lw_location to, bool flat) {
  oracle->flat = flat;
  const int start = oracle->count, goal = oracle->count + 1;
  oracle->corners[start] = corner_at(from.point, lwi_poly_index(oracle->mesh, from.poly));
  oracle->corners[goal] = corner_at(to.point, lwi_poly_index(oracle->mesh, to.poly));
  for (int i = 0; i < oracle->count + 2; i++) {
    oracle->distance[i] = INFINITY;
    oracle->is_done[i] = false;
  }
  oracle->distance[start] = 0;
  for (int at = nearest(oracle); at >= 0 && at != goal; at = nearest(oracle)) {
    oracle->is_done[at] = true;
    for (int i = 0; i < oracle->count + 2; i++) {
      const double length =
          oracle->is_done[i] || i == start ? INFINITY : oracle->distance[at] + step(oracle, at, i);
      if (length < oracle->distance[i]) oracle->distance[i] = length;
    }
  }
  return oracle->distance[goal];
}
