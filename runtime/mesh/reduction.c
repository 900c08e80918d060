/* Dead ends and corners of walls. A dead end is what is left when polygons with one neighbour are taken away one after
   another: paths between other places never lead through it. Polygons with ends of links are kept. */
#include "mesh/reduction.h"

#include "mesh/landmarks.h"

/* Portals whose ends are this near to each other meet there. Of others the end counts as a corner, which costs time
   alone. [m] */
#define SAME_PLACE 1e-3f
/* Polygons round a corner that are looked at. With more, it counts as a corner of a wall. */
#define MAX_ROUND 32

/* --- dead ends -------------------------------------------------------------------------------------------- */

typedef struct peeling {
  lw_navmesh *mesh;
  uint32_t *parents; /* of polygons that were taken away */
  uint8_t *is_kept;  /* a link begins or ends there */
} peeling;

/* The only neighbour of a polygon that has not been taken away. @return LWI_NONE: there are several, or none. */
static uint32_t only_neighbour(const peeling *peel, uint32_t polygon) {
  const lwi_mesh_graph *graph = &peel->mesh->graph;
  uint32_t only = LWI_NONE;
  for (uint32_t k = graph->first_portal[polygon]; k < graph->end_portal[polygon]; k++) {
    const uint32_t to = graph->portals[k].to;
    if (peel->parents[to] != LWI_NONE || to == polygon) continue;
    if (only != LWI_NONE && only != to) return LWI_NONE;
    only = to;
  }
  return only;
}

/* Take polygons away from `polygon` on, as long as each has one neighbour. */
static void peel_from(peeling *peel, uint32_t polygon) {
  while (polygon != LWI_NONE && peel->parents[polygon] == LWI_NONE && !peel->is_kept[polygon]) {
    const uint32_t next = only_neighbour(peel, polygon);
    if (next == LWI_NONE) return;
    peel->parents[polygon] = next;
    polygon = next;
  }
}

static bool find_dead_ends(lw_navmesh *mesh, uint32_t *parents) {
  const size_t count = mesh->polygons.count;
  peeling peel = {.mesh = mesh, .parents = parents};
  peel.is_kept = lwi_alloc_zero(&mesh->memory, count);
  if (!peel.is_kept) return false;
  for (uint32_t i = 0; i < mesh->links.count; i++)
    peel.is_kept[mesh->links.items[i].from] = peel.is_kept[mesh->links.items[i].to] = 1;
  for (size_t i = 0; i < count; i++) peel.parents[i] = LWI_NONE;
  for (uint32_t i = 0; i < count; i++) peel_from(&peel, i);
  lwi_free(&mesh->memory, peel.is_kept, count);
  return true;
}

/* --- corners of walls ------------------------------------------------------------------------------------- */

static bool is_at(lw_vec3 a, lw_vec3 b) {
  return lwi_distance_xz(a, b) <= SAME_PLACE;
}

/* A place that a walk leads round, and where it may lead. */
typedef struct round_walk {
  const lw_navmesh *mesh;
  const lw_filter *filter; /* NULL: everywhere */
  lw_vec3 place;
} round_walk;

/* The portal of a polygon with an end at the place, but for those back to `from`. @return LWI_NONE: none, or several. */
static uint32_t next_round(const round_walk *walk, uint32_t polygon, uint32_t from) {
  const lw_navmesh *mesh = walk->mesh;
  const lw_vec3 place = walk->place;
  uint32_t found = LWI_NONE;
  for (uint32_t k = mesh->graph.first_portal[polygon]; k < mesh->graph.end_portal[polygon]; k++) {
    lw_vec3 left, right;
    if (mesh->graph.portals[k].to == from || !lwi_crosses(mesh, walk->filter, &mesh->graph.portals[k]))
      continue;
    lwi_portal_ends_xz(mesh, polygon, &mesh->graph.portals[k], &left, &right);
    if (!is_at(left, place) && !is_at(right, place)) continue;
    if (found != LWI_NONE) return LWI_NONE;
    found = k;
  }
  return found;
}

/* Whether portals lead all the way round the end of one. */
static bool is_open_round(const round_walk *walk, uint32_t polygon, uint32_t portal) {
  uint32_t from = polygon, at = walk->mesh->graph.portals[portal].to;
  for (int i = 0; i < MAX_ROUND; i++) {
    const uint32_t next = next_round(walk, at, from);
    if (next == LWI_NONE) return false;
    from = at;
    at = walk->mesh->graph.portals[next].to;
    if (at == polygon) return next_round(walk, polygon, from) == portal;
  }
  return false;
}

bool lwi_reduction_is_corner(const lw_navmesh *mesh, const lw_filter *filter, uint32_t polygon, uint32_t portal,
                             bool is_left) {
  lw_vec3 left, right;
  lwi_portal_ends_xz(mesh, polygon, &mesh->graph.portals[portal], &left, &right);
  const round_walk walk = {mesh, filter, is_left ? left : right};
  return !is_open_round(&walk, polygon, portal);
}

/* Which portal is the only one that leads on from a polygon that was entered from another one. */
static unsigned find_only_exit(const lw_navmesh *mesh, const uint32_t *parents, uint32_t from,
                               uint32_t polygon) {
  const lwi_mesh_graph *graph = &mesh->graph;
  unsigned only = 0;
  for (uint32_t k = graph->first_portal[polygon]; k < graph->end_portal[polygon]; k++) {
    const uint32_t to = graph->portals[k].to;
    if (to == from || parents[to] == polygon) continue;
    if (only > 0) return 0;
    only = k - graph->first_portal[polygon] + 1;
  }
  return only <= LWI_MAX_ONLY_EXIT ? only : 0;
}

void lwi_reduction_mark_dead_ends(const lw_navmesh *mesh, uint32_t polygon, uint8_t *turns) {
  const uint32_t *parents = lwi_reduction_of(mesh)->parents;
  for (uint32_t k = mesh->graph.first_portal[polygon]; k < mesh->graph.end_portal[polygon]; k++) {
    const uint32_t to = mesh->graph.portals[k].to;
    const unsigned corners = turns[k] & (LWI_TURNS_LEFT | LWI_TURNS_RIGHT);
    const unsigned dead_end = parents[to] == polygon ? LWI_INTO_DEAD_END : 0;
    const unsigned exit = find_only_exit(mesh, parents, polygon, to) << LWI_ONLY_EXIT_SHIFT;
    turns[k] = (uint8_t)(corners | dead_end | exit);
  }
}

void lwi_reduction_mark_all(lw_navmesh *mesh) {
  const lwi_reduction *reduction = lwi_reduction_of(mesh);
  for (uint32_t i = 0; reduction->is_built && i < mesh->polygons.count; i++)
    lwi_reduction_mark_dead_ends(mesh, i, reduction->turns);
}

void lwi_reduction_find_turns(const lw_navmesh *mesh, uint32_t polygon, uint8_t *to) {
  for (uint32_t k = mesh->graph.first_portal[polygon]; k < mesh->graph.end_portal[polygon]; k++) {
    unsigned turns = 0;
    if (lwi_reduction_is_corner(mesh, NULL, polygon, k, true)) turns |= LWI_TURNS_LEFT;
    if (lwi_reduction_is_corner(mesh, NULL, polygon, k, false)) turns |= LWI_TURNS_RIGHT;
    to[k] = (uint8_t)turns;
  }
  lwi_reduction_mark_dead_ends(mesh, polygon, to);
}

/* --- the whole -------------------------------------------------------------------------------------------- */

static void forget(lw_navmesh *mesh) {
  lwi_attachment_clear(mesh, LWI_REDUCTION_SLOT);
  lwi_attachment_clear(mesh, LWI_LANDMARKS_SLOT);
}

bool lwi_reduction_begin(lw_navmesh *mesh) {
  const size_t polygons = mesh->polygons.count, portals = mesh->graph.portal_count;
  lwi_reduction *reduction = mesh->attachments.slots[LWI_REDUCTION_SLOT];
  forget(mesh);
  reduction->is_built = 1;
  reduction->parents = lwi_alloc(&mesh->memory, polygons * sizeof *reduction->parents);
  reduction->turns = lwi_alloc(&mesh->memory, portals * sizeof *reduction->turns);
  if ((!reduction->parents && polygons > 0) || (!reduction->turns && portals > 0)) return false;
  return polygons == 0 || find_dead_ends(mesh, reduction->parents);
}

bool lwi_reduction_make(lw_navmesh *mesh) {
  lwi_reduction *reduction = mesh->attachments.slots[LWI_REDUCTION_SLOT];
  if (mesh->part.total > 0) { /* it is built when the parts are joined */
    forget(mesh);
    return true;
  }
  if (!lwi_reduction_begin(mesh)) return false;
  for (uint32_t i = 0; i < mesh->polygons.count; i++) lwi_reduction_find_turns(mesh, i, reduction->turns);
  return lwi_landmarks_make(mesh);
}

/* --- sections --------------------------------------------------------------------------------------------- */

/* Landmarks of old files. */
#define MAX_OLD_LANDMARKS 8

enum { PARENTS, TURNS, OLD_DISTANCES, REDUCTION_SECTIONS };

static const lwi_section arrays[REDUCTION_SECTIONS] = {
    [PARENTS] = LWI_SECTION("dead ends", lwi_reduction, parents),
    [TURNS] = LWI_SECTION("corners of walls", lwi_reduction, turns),
    [OLD_DISTANCES] = LWI_SECTION("old distances from landmarks", lwi_reduction, old_distances),
};

static uint64_t count(const lw_navmesh *mesh, const void *group, int section) {
  const lwi_reduction *of = group;
  if (!of->is_built) return 0;
  if (section == TURNS) return mesh->graph.portal_count;
  return section == PARENTS ? mesh->polygons.count : (uint64_t)mesh->polygons.count * of->old_landmark_count;
}

static const char *check_head(const void *group) {
  const lwi_reduction *of = group;
  return of->is_built > 1 || of->old_landmark_count > MAX_OLD_LANDMARKS || of->reserved != 0
             ? "a count is out of range"
             : NULL;
}

static const char *check(const lw_navmesh *mesh, const void *group, int section) {
  const lwi_reduction *of = group;
  bool fine = true;
  for (uint32_t i = 0; section == PARENTS && i < mesh->polygons.count; i++)
    fine &= (of->parents[i] == LWI_NONE) | (of->parents[i] < mesh->polygons.count);
  return fine ? NULL : "a number is out of range";
}

_Static_assert(offsetof(lwi_reduction, parents) == 16, "the numbers of lwi_reduction have no gaps");
const lwi_section_group lwi_reduction_sections = {.name = "reduction",
                                                  .sections = arrays,
                                                  .section_count = REDUCTION_SECTIONS,
                                                  .size = sizeof(lwi_reduction),
                                                  .head_size = offsetof(lwi_reduction, parents),
                                                  .count = count,
                                                  .check_head = check_head,
                                                  .check = check};
