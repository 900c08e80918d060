#include "bake/bake_islands.h"

#include "bake/auto_links.h"
#include "bake/bake_plan.h"
#include "mesh/islands_drop.h"

static void note_seeds(const lw_navmesh *mesh, const lwi_seeds *seeds, lw_bake_report *report) {
  uint32_t polygon;
  for (int i = 0; i < seeds->count; i++) {
    const lw_vec3 at = seeds->items[i];
    if (!lwi_seed_polygon(mesh, at, &polygon))
      lwi_bake_note(report, "seed %d at (%g, %g, %g) does not count: no ground is within %g m of it", i + 1,
                    (double)at.x, (double)at.y, (double)at.z, (double)LW_SEED_DISTANCE);
  }
}

lw_status lwi_bake_islands(lw_navmesh **mesh, const lw_geometry *geometry, const lwi_memory *memory,
                           lw_bake_report *report, lw_error *error) {
  const lwi_seeds *seeds = lwi_geometry_seeds(geometry);
  lw_status status = lwi_islands_drop(mesh, report->used.min_region_area, &report->islands_dropped, error);
  if (status != LW_OK) return status;
  const uint32_t found = (*mesh)->annotations.request_count;
  status = lwi_bake_auto_links(*mesh, geometry, memory, report, error);
  if (status != LW_OK) {
    lw_navmesh_destroy(*mesh);
    *mesh = NULL;
    return status;
  }
  note_seeds(*mesh, seeds, report);
  return lwi_unreachable_drop(mesh, seeds, found, &report->islands_unreachable, error);
}
