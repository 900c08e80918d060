/* Every invariant of a navmesh, checked the slow and obvious way. */
#include "core/status.h"
#include "mesh/berth.h"
#include "mesh/sections.h"

/* Baked corners are rounded to the voxel grid and then to floats. [m] */
#define CONVEX_SLACK 0.01
#define MEET_SLACK 0.01

static lw_status check_polygon(const lw_navmesh *mesh, uint32_t index, lw_error *error) {
  lwi_polygon polygon = lwi_polygon_get(mesh, index);
  if (!(lwi_polygon_area2(&polygon) > 0))
    return lwi_fail(error, LW_INVALID, "polygon %u has no area or is wound clockwise", (unsigned)index);
  for (uint32_t i = 0; i < polygon.count; i++) {
    uint32_t next = lwi_next_corner(&polygon, i);
    lw_vec3 a = lwi_corner(&polygon, i), b = lwi_corner(&polygon, next);
    lw_vec3 c = lwi_corner(&polygon, lwi_next_corner(&polygon, next));
    if (lwi_turn(a, b, c) < -CONVEX_SLACK * (double)lwi_distance_xz(a, b))
      return lwi_fail(error, LW_INVALID, "polygon %u is concave at its corner %u", (unsigned)index,
                      (unsigned)next);
  }
  if (lwi_poly_index(mesh, lwi_poly_id(mesh, index)) != index)
    return lwi_fail(error, LW_INVALID, "polygon %u's id does not lead back to it", (unsigned)index);
  return LW_OK;
}

static bool meets(lw_vec3 a, lw_vec3 b) {
  return (double)lwi_distance_xz(a, b) <= MEET_SLACK;
}

/* Somewhere behind the portal there is a portal back over the same stretch. */
static bool is_mutual(const lw_navmesh *mesh, uint32_t from, const lwi_portal *portal) {
  lw_vec3 left, right, back_left, back_right;
  lwi_portal_points(mesh, from, portal, &left, &right);
  for (uint32_t k = mesh->first_portal[portal->to]; k < mesh->first_portal[portal->to + 1]; k++) {
    if (mesh->portals[k].to != from) continue;
    lwi_portal_points(mesh, portal->to, &mesh->portals[k], &back_left, &back_right);
    if (meets(left, back_right) && meets(right, back_left)) return true;
  }
  return false;
}

static lw_status check_portals(const lw_navmesh *mesh, uint32_t index, lw_error *error) {
  uint32_t corners = lwi_polygon_get(mesh, index).count;
  for (uint32_t k = mesh->first_portal[index]; k < mesh->first_portal[index + 1]; k++) {
    const lwi_portal *portal = &mesh->portals[k];
    if (portal->to >= mesh->polygon_count || portal->to == index || portal->edge >= corners)
      return lwi_fail(error, LW_INVALID, "portal %u of polygon %u leads nowhere", (unsigned)k, (unsigned)index);
    lwi_stretch stretch = lwi_portal_stretch(mesh, portal);
    if (!(stretch.t0 >= 0 && stretch.t0 < stretch.t1 && stretch.t1 <= 1))
      return lwi_fail(error, LW_INVALID, "portal %u of polygon %u lies off its edge", (unsigned)k,
                      (unsigned)index);
    if (!is_mutual(mesh, index, portal))
      return lwi_fail(error, LW_INVALID, "polygon %u has a portal to %u, but not the other way round",
                      (unsigned)index, (unsigned)portal->to);
    if (mesh->islands[index] != mesh->islands[portal->to])
      return lwi_fail(error, LW_INVALID, "polygons %u and %u meet but are on different islands",
                      (unsigned)index, (unsigned)portal->to);
  }
  return LW_OK;
}

/* The grid must list the polygon in the cell of its every corner. */
static lw_status check_grid(const lw_navmesh *mesh, uint32_t index, lw_error *error) {
  lwi_polygon polygon = lwi_polygon_get(mesh, index);
  for (uint32_t i = 0; i < polygon.count; i++) {
    lw_vec3 corner = lwi_corner(&polygon, i);
    lwi_column column;
    bool found = false;
    if (lwi_grid_column(&mesh->grid, corner.x, corner.z, &column))
      for (uint32_t k = column.first; k < column.end; k++)
        found = found || (mesh->grid.references[k].polygon == index &&
                          lwi_column_meets(&column, &mesh->grid.references[k]));
    if (!found)
      return lwi_fail(error, LW_INVALID, "the grid does not find polygon %u at its corner %u", (unsigned)index,
                      (unsigned)i);
  }
  return LW_OK;
}

/* The byte of each edge names the first of its portals. */
static lw_status check_edges(const lw_navmesh *mesh, uint32_t index, lw_error *error) {
  lwi_polygon polygon = lwi_polygon_get(mesh, index);
  uint32_t k = mesh->first_portal[index], end = mesh->first_portal[index + 1];
  for (uint32_t i = 0; i < polygon.count; i++) {
    uint32_t place = k - mesh->first_portal[index];
    uint32_t expected = k == end || mesh->portals[k].edge != i ? LWI_EDGE_WALL
                        : place < LWI_EDGE_FAR                 ? place
                                                               : LWI_EDGE_FAR;
    if ((mesh->edges[mesh->ranges[index].first_corner + i] & LWI_EDGE_PORTAL) != expected)
      return lwi_fail(error, LW_INVALID, "edge %u of polygon %u does not lead to its portal", (unsigned)i,
                      (unsigned)index);
    while (k < end && mesh->portals[k].edge == i) k++;
  }
  if (k == end) return LW_OK;
  return lwi_fail(error, LW_INVALID, "portals of polygon %u are out of order", (unsigned)index);
}

/* What is passable for agents by so much larger than the mesh was made for. [m] */
#define LARGER 0.5f

static lw_status check_clearances(const lw_navmesh *mesh, lw_error *error) {
  lwi_memory memory = lwi_memory_make(NULL); /* not the mesh's, which may count what it gives */
  lw_filter filter = lw_filter_all();
  filter.radius = mesh->agent.radius + LARGER;
  lwi_berth *berth = lwi_berth_make(&memory, mesh, &filter);
  if (!berth) return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  lw_status status = lwi_berth_check(berth, error);
  lwi_berth_free(berth);
  return status;
}

lw_status lw_navmesh_validate(const lw_navmesh *mesh, lw_error *error) {
  int section;
  const char *wrong = lwi_sections_check(mesh, &section);
  if (wrong) return lwi_fail(error, LW_INVALID, "%s: %s", lwi_sections[section].name, wrong);
  for (uint32_t i = 0; i < mesh->polygon_count; i++) {
    lw_status status = check_polygon(mesh, i, error);
    if (status == LW_OK) status = check_portals(mesh, i, error);
    if (status == LW_OK) status = check_edges(mesh, i, error);
    if (status == LW_OK) status = check_grid(mesh, i, error);
    if (status != LW_OK) return status;
  }
  lw_status status = check_clearances(mesh, error);
  return status == LW_OK ? lwi_graph_check_joins(mesh, error) : status;
}
