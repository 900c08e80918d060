/// A live navmesh: one world's version of a baked one, from which footprints of obstacles are cut.
///
/// The baked navmesh, the base, is never written. The live one is an lw_navmesh of its own, so that all that
/// asks a navmesh asks it, too: what cuts leave alone it shares with the base, and of what they change it has a
/// copy with space behind it, from the first cut on. A polygon of the base that footprints meet is cut: no
/// longer there, with pieces in its place that have numbers behind those of the base's polygons. Its neighbours
/// get portals of their own to these pieces. Each cut begins with the whole polygon, and takes out its
/// footprints by their numbers: so what is there depends on the footprints that there are, and without any it
/// is the base again, bit for bit.
///
/// Footprints come and go with lwi_live_set(), any number of them at a time; lwi_live_apply() then cuts what
/// they touch, and nothing else.
#ifndef LW_MESH_LIVE_H
#define LW_MESH_LIVE_H

#include "core/runs.h"
#include "mesh/footprint.h"
#include "mesh/mesh.h"

typedef struct lwi_live lwi_live;

/// @return NULL: no memory. The base must outlive it.
lwi_live *lwi_live_create(lwi_memory *memory, const lw_navmesh *base);
void lwi_live_destroy(lwi_live *live);
/// What queries ask. Its arrays move with lwi_live_apply().
const lw_navmesh *lwi_live_mesh(const lwi_live *live);

/// Put a footprint in the place of the one with that number. @param number  Small: they are kept in an array.
/// @param footprint  NULL: none. @return false: no memory; then none has that number.
bool lwi_live_set(lwi_live *live, uint32_t number, const lwi_footprint *footprint);
/// Cut what has changed. @return false: no memory; then nothing is cut, and the next call tries all again.
bool lwi_live_apply(lwi_live *live);

/// The base's polygons whose parts or portals the last lwi_live_apply() changed. Valid until the next one.
const uint32_t *lwi_live_changed(const lwi_live *live, int *count);

typedef struct lwi_live_counts {
  int cut_polygons, pieces;
} lwi_live_counts;
/// What is cut now. Takes as long as there are polygons with portals of their own.
lwi_live_counts lwi_live_count(const lwi_live *live);

/// Check corners, portals and edges of all pieces and whole polygons.
/// @return LW_OK, or LW_INVALID with what is wrong.
lw_status lwi_live_check(const lwi_live *live, lw_error *error);

#endif
