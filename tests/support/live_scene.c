#include "live_scene.h"

#include "mesh/live_parts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

lwi_footprint live_footprint(const live_box *box) {
  const lw_vec3 size = {2 * box->half_x, box->height, 2 * box->half_z};
  return lwi_footprint_of_box(box->at, size, box->yaw, 0);
}

/* Of a link of the base: is it one of those that leave the part where it begins, and ends where it should? */
static bool has_link(const lw_navmesh *mesh, const lwi_link *link) {
  const uint32_t from = lwi_part_at(mesh, link->from, link->start, 0.01),
                 to = lwi_part_at(mesh, link->to, link->end, 0.01);
  if (from == LWI_NONE) return true;
  for (uint32_t i = mesh->links.first[from]; i < mesh->links.end[from]; i++) {
    const lwi_link *found = &mesh->links.items[i];
    if (!lwi_equal(found->start, link->start) || !lwi_equal(found->end, link->end)) continue;
    return found->from == from && (to == LWI_NONE ? !lwi_link_passes(mesh, found, NULL) : found->to == to);
  }
  return false;
}

void live_assert_links(const lwi_live *live) {
  for (uint32_t i = 0; i < live->base->links.count; i++)
    if (!has_link(lwi_live_mesh(live), &live->base->links.items[i])) fail_msg("link %u is lost", i);
}

/* What is read of a base without anything cut out of it. */
void live_assert_is_base(const lwi_live *live) {
  const lw_navmesh *mesh = lwi_live_mesh(live), *base = live->base;
  const uint32_t polygons = base->polygons.count, corners = base->polygons.corner_count;
  assert_memory_equal(mesh->polygons.ranges, base->polygons.ranges, (polygons + 1) * sizeof(lwi_ranges));
  assert_memory_equal(mesh->polygons.corners, base->polygons.corners, 3 * (size_t)corners * sizeof(float));
  assert_memory_equal(mesh->polygons.edges, base->polygons.edges, corners);
  assert_memory_equal(mesh->polygons.areas, base->polygons.areas, polygons);
  assert_memory_equal(mesh->polygons.openness, base->polygons.openness, polygons);
  assert_memory_equal(mesh->polygons.depths, base->polygons.depths, 2 * (size_t)polygons);
  assert_memory_equal(mesh->graph.islands, base->graph.islands, polygons * sizeof(uint32_t));
  assert_memory_equal(mesh->graph.first_portal, base->graph.first_portal, polygons * sizeof(uint32_t));
  assert_memory_equal(mesh->graph.end_portal, base->graph.end_portal, polygons * sizeof(uint32_t));
  assert_memory_equal(mesh->graph.portals, base->graph.portals, base->graph.portal_count * sizeof(lwi_portal));
  assert_memory_equal(mesh->graph.intervals, base->graph.intervals,
                      base->graph.interval_count * sizeof(lwi_portal_interval));
  for (uint32_t i = 0; i < mesh->polygons.count; i++) assert_true(lwi_is_there(mesh, i) == (i < polygons));
  assert_memory_equal(mesh->polygons.headrooms, base->polygons.headrooms, polygons);
  assert_false(lwi_is_lowered(mesh->live.lowered, 0, LWI_HEADROOM_OPEN));

  if (base->links.count > 0)
    assert_memory_equal(mesh->links.items, base->links.items, base->links.count * sizeof(lwi_link));
}
