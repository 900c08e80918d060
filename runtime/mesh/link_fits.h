/// Which agents may take an off-mesh link: by what their filter says, and by their size.
#ifndef LW_MESH_LINK_FITS_H
#define LW_MESH_LINK_FITS_H

#include "mesh/mesh.h"

/// How large a body fits through the air along each link. @param radius, height  [m]
typedef struct lwi_link_clearances {
  bool (*fits)(const struct lwi_link_clearances *clearances, lw_link_id link, float radius, float height);
} lwi_link_clearances;

/// Do agents fit along the world's link of that id, which begins on the navmesh?
static inline bool lwi_link_id_fits(const lw_navmesh *mesh, lw_link_id link, const lw_filter *filter) {
  const lwi_link_clearances *clearances = mesh->links.clearances;
  return !clearances || clearances->fits(clearances, link, filter->radius, filter->height);
}
/// Do agents fit along the link, which is one of the navmesh? Those of the bake do.
static inline bool lwi_link_fits(const lw_navmesh *mesh, const lwi_link *link, const lw_filter *filter) {
  if (filter->radius <= mesh->agent.radius && filter->height <= mesh->agent.height) return true;
  return !mesh->links.ids || lwi_link_id_fits(mesh, mesh->links.ids[link - mesh->links.items], filter);
}
/// May agents with this filter take the link and stand at its end? NULL: all may. Its beginning is not checked.
static inline bool lwi_link_passes(const lw_navmesh *mesh, const lwi_link *link, const lw_filter *filter) {
  if (!lwi_is_there(mesh, link->to)) return false; /* it ends where something was cut out */
  if (!filter) return true;
  return (filter->links >> link->kind & 1) &&
         (link->area == LW_AREA_NONE || lw_filter_passes(filter, link->area)) &&
         lwi_passes(mesh, filter, link->to) && lwi_link_fits(mesh, link, filter);
}

#endif
