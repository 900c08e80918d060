/* What is sure of two regions: see surface.h. */
#include "cover/surface.h"

#include "core/vec3.h"
#include "cover/leaf.h"

/* What is this near to a region, or to a line between two, counts as touching: more than what makes up for rounding, for
   facets that are not quite flat, and for who stands a little beside a region. [m] */
#define MARGIN 0.07
/* A line that passes an edge as near as that may pass on either side. [m] */
#define NEAR 1e-4
#define PIERCED_MOST 64
#define STACK 128

bool lwi_surface_room_make(lwi_surface_room *room, const lwi_surface *surface, lwi_memory *memory) {
  *room = (lwi_surface_room){0};
  if (surface->count == 0) return true;
  room->seen = lwi_alloc_zero(memory, surface->count * sizeof *room->seen);
  room->queue = lwi_alloc(memory, LWI_SURFACE_MOST * sizeof *room->queue);
  return room->seen && room->queue;
}

void lwi_surface_room_free(lwi_surface_room *room, const lwi_surface *surface, lwi_memory *memory) {
  lwi_free(memory, room->seen, surface->count * sizeof *room->seen);
  lwi_free(memory, room->queue, LWI_SURFACE_MOST * sizeof *room->queue);
}

/* Two regions, a line between their middles, and all lines. */
typedef struct viewing {
  const lwi_surface *surface;
  const lwi_region *regions[2];
  lwi_shaft about[2], between;
  lwi_dvec3 from, to;
  lwi_surface_room *room;
  uint32_t before; /* tries */
} viewing;

/* --- one line ------------------------------------------------------------------------------------------------------ */

/* Are both ends on different sides of the facet's plane? @return 1, 0; -1: one is too near to it. */
static int is_between(const lwi_surface_facet *facet, lwi_dvec3 from, lwi_dvec3 to) {
  const lwi_dvec3 normal = lwi_surface_normal(facet);
  double slack = NEAR * lwi_dvec3_length(normal),
         a = lwi_dvec3_dot(normal, lwi_dvec3_sub(from, facet->corners[0])),
         b = lwi_dvec3_dot(normal, lwi_dvec3_sub(to, facet->corners[0]));
  if (!(fabs(a) > slack && fabs(b) > slack)) return -1;
  return (a > 0) != (b > 0);
}

/* Does the line pass through the facet? @return 1, 0; -1: it passes too near to an edge to tell. */
static int passes(const lwi_surface_facet *facet, lwi_dvec3 from, lwi_dvec3 to) {
  lwi_dvec3 way = lwi_dvec3_sub(to, from);
  const double length = lwi_dvec3_length(way);
  bool left = false, right = false, unsure = false;
  for (int i = 0; i < facet->count; i++) {
    lwi_dvec3 a = lwi_dvec3_sub(facet->corners[i], from),
              b = lwi_dvec3_sub(facet->corners[i + 1 < facet->count ? i + 1 : 0], from);
    double side = lwi_dvec3_dot(way, lwi_dvec3_cross(a, b));
    if (fabs(side) <= NEAR * length * lwi_dvec3_length(lwi_dvec3_sub(b, a)))
      unsure = true;
    else if (side > 0)
      left = true;
    else
      right = true;
  }
  if (left && right) return 0;
  return unsure ? -1 : is_between(facet, from, to);
}

/* --- surfaces ------------------------------------------------------------------------------------------------------ */

/* Is all of a region well over a plane, or well under it? @return 1, -1; 0: neither. */
static int side_of(const lwi_region *region, lwi_dvec3 normal, lwi_dvec3 at) {
  const double slack = MARGIN * lwi_dvec3_length(normal);
  bool over = false, under = false;
  for (int k = 0; k < 2 * region->count; k++) {
    double side = lwi_dvec3_dot(normal, lwi_dvec3_sub(lwi_region_corner(region, k / 2, k % 2 != 0), at));
    over |= side >= -slack;
    under |= side <= slack;
  }
  return over == under ? 0 : over ? 1 : -1;
}

/* Is the region on one side of the facet by each three of its corners? Then it looks convex from all over the region: a
   line from there passes through it or not, and a plane through there cuts two of its edges or none. */
static bool looks_convex(const lwi_surface_facet *facet, const lwi_region *region) {
  int side = 0;
  for (int i = 0; i < facet->count; i++) {
    int here = side_of(region, lwi_surface_normal_at(facet, i), facet->corners[i]);
    if (here == 0 || (side != 0 && here != side)) return false;
    side = here;
  }
  return true;
}

/* A line has two ends: that it looks convex from one of them is enough, if the other is not in its plane. */
static bool looks_like_one(const lwi_surface_facet *facet, const lwi_region *const regions[2]) {
  const lwi_dvec3 normal = lwi_surface_normal(facet);
  for (int i = 0; i < 2; i++)
    if (side_of(regions[1 - i], normal, facet->corners[0]) != 0 && looks_convex(facet, regions[i])) return true;
  return false;
}

/* May the facet be part of a proof? */
static bool is_clear(const viewing *of, const lwi_surface_facet *facet) {
  if (facet->bent && !looks_like_one(facet, of->regions)) return false;
  return !lwi_shaft_meets_facet(&of->about[0], facet->corners, facet->count) &&
         !lwi_shaft_meets_facet(&of->about[1], facet->corners, facet->count);
}

/* The facet in which the surface goes on over an edge. @return UINT32_MAX: it ends there. */
static uint32_t find_next(const lwi_surface *surface, const lwi_surface_edge *edge, uint32_t facet) {
  const uint32_t *beside = surface->beside + edge->first;
  uint32_t i = 0;
  while (beside[i] != facet) i++;
  return (i ^ 1) < edge->count ? beside[i ^ 1] : UINT32_MAX;
}

/* Put the facets beyond its edges into the queue. @return How many there are in it; -1: the surface ends in the shaft. */
static int queue_beside(const viewing *of, uint32_t number, int count) {
  const lwi_surface *surface = of->surface;
  const lwi_surface_facet *facet = &surface->facets[number];
  lwi_surface_room *room = of->room;
  for (uint32_t i = 0; i < facet->edge_count; i++) {
    const lwi_surface_edge *edge = &surface->edges[surface->edges_of[facet->first_edge + i]];
    uint32_t next = find_next(surface, edge, number);
    if (next != UINT32_MAX && room->seen[next] == room->tries) continue;
    if (!lwi_shaft_meets_line(&of->between, edge->a, edge->b)) continue;
    if (next == UINT32_MAX) return -1;
    if (room->seen[next] > of->before || count == LWI_SURFACE_MOST) return -1; /* in one that was given up */
    room->seen[next] = room->tries;
    room->queue[count++] = next;
  }
  return count;
}

/* Does the surface that goes on from a facet, as far as lines between the regions touch it, hide one from the other? */
static bool hides(const viewing *of, uint32_t first) {
  const lwi_surface *surface = of->surface;
  bool odd = false;
  int count = 1;
  of->room->queue[0] = first;
  of->room->seen[first] = ++of->room->tries;
  for (int i = 0; i < count; i++) {
    const lwi_surface_facet *facet = &surface->facets[of->room->queue[i]];
    int through = passes(facet, of->from, of->to);
    if (through < 0 || !is_clear(of, facet)) return false;
    odd ^= through > 0;
    count = queue_beside(of, of->room->queue[i], count);
    if (count < 0) return false;
  }
  return odd;
}

static bool is_hidden(viewing *of, const uint32_t *leaves, int count) {
  const lwi_surface *surface = of->surface;
  for (int i = 0; i < 2; i++) lwi_shaft_about(&of->about[i], of->regions[i], MARGIN);
  lwi_shaft_between(&of->between, of->regions[0], of->regions[1], MARGIN);
  of->before = of->room->tries;
  for (int i = 0; i < count; i++)
    for (uint32_t f = surface->first_facet[leaves[i]]; f < surface->first_facet[leaves[i] + 1]; f++) {
      const lwi_surface_facet *facet = &surface->facets[f];
      if (facet->kind != LW_COVER_HARD || of->room->seen[f] > of->before) continue;
      if (passes(facet, of->from, of->to) == 1 && hides(of, f)) return true;
    }
  return false;
}

lwi_sure lwi_surface_view(const lwi_surface *surface, const lwi_region *a, const lwi_region *b,
                          lwi_surface_room *room) {
  viewing of = {.surface = surface, .regions = {a, b}, .room = room};
  uint32_t leaves[PIERCED_MOST];
  lw_vec3 from = lwi_region_middle(a), to = lwi_region_middle(b);
  int count = lwi_lines_pierce(surface->lines, from, to, false, leaves, PIERCED_MOST);
  if (count == 0) return LWI_SURE_SEEN;
  of.from = lwi_dvec3_of(from);
  of.to = lwi_dvec3_of(to);
  return is_hidden(&of, leaves, count) ? LWI_SURE_HIDDEN : LWI_SURE_UNSURE;
}

/* --- touching ------------------------------------------------------------------------------------------------------ */

static bool touches_leaf(const lwi_surface *surface, const lwi_shaft *shaft, uint32_t leaf) {
  for (uint32_t f = surface->first_facet[leaf]; f < surface->first_facet[leaf + 1]; f++)
    if (lwi_shaft_meets_facet(shaft, surface->facets[f].corners, surface->facets[f].count)) return true;
  return false;
}

/* Boxes are in floats, relative to the origin. */
static bool touches_child(const lwi_shaft *shaft, const lw_vec3 *origin, const lwi_lane_vec3 *low,
                          const lwi_lane_vec3 *high, int i) {
  lwi_dvec3 min = {(double)low->x[i] + origin->x - MARGIN, (double)low->y[i] + origin->y - MARGIN,
                   (double)low->z[i] + origin->z - MARGIN},
            max = {(double)high->x[i] + origin->x + MARGIN, (double)high->y[i] + origin->y + MARGIN,
                   (double)high->z[i] + origin->z + MARGIN};
  return lwi_shaft_meets_box(shaft, min, max);
}

static bool touches_tree(const lwi_surface *surface, const lwi_shaft *shaft) {
  const lwi_occluders *of = surface->occluders;
  uint32_t stack[STACK] = {0};
  int depth = of->node_count > 0;
  while (depth > 0) {
    const lwi_occluder_node *node = &of->nodes[stack[--depth]];
    lwi_lane_vec3 low, high;
    lwi_node_boxes(of, node, lwi_vec3(0, 0, 0), &low, &high);
    for (int i = 0; i < 4; i++) {
      uint32_t child = node->children[i];
      if (child == LWI_OCCLUDER_NONE || !touches_child(shaft, &of->origin, &low, &high, i)) continue;
      if (child & LWI_OCCLUDER_LEAF) {
        if (touches_leaf(surface, shaft, child & ~LWI_OCCLUDER_LEAF)) return true;
      } else if (depth == STACK) {
        return true;
      } else {
        stack[depth++] = child;
      }
    }
  }
  return false;
}

bool lwi_surface_touches(const lwi_surface *surface, const lwi_region *a, const lwi_region *b) {
  lwi_shaft shaft;
  lwi_shaft_between(&shaft, a, b, MARGIN);
  return touches_tree(surface, &shaft);
}
