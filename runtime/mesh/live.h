/// A live navmesh: one world's version of a baked one, from which footprints of obstacles are cut, or which
/// they mark as of another area.
///
/// The baked navmesh, the base, is never written. The live one is an lw_navmesh of its own, so that all that
/// asks a navmesh asks it, too: what cuts leave alone it shares with the base, and of what they change it has a
/// copy with space behind it, from the first cut on. A polygon of the base that footprints meet is cut: no
/// longer there, with pieces in its place that have numbers behind those of the base's polygons. Its neighbours
/// get portals of their own to these pieces. Each cut begins with the whole polygon, and takes out its
/// footprints by their order: so what is there depends on the footprints that there are, and without any it
/// is the base again, bit for bit.
///
/// Footprints come and go with lwi_live_set(), any number of them at a time; lwi_live_apply() then cuts what
/// they touch, and nothing else.
#ifndef LW_MESH_LIVE_H
#define LW_MESH_LIVE_H

#include "core/runs.h"
#include "mesh/footprint.h"
#include "mesh/link_fits.h"
#include "mesh/tile_map.h"

typedef struct lwi_live lwi_live;

/// @return NULL: no memory. The base must outlive it.
lwi_live *lwi_live_create(lwi_memory *memory, const lw_navmesh *base);
void lwi_live_destroy(lwi_live *live);
/// Let a new live navmesh come after another one of the same world: ids of polygons in tiles that are not equal
/// become stale, and those of all pieces. @param map  From the base of that one to its own.
/// @return false: no memory.
bool lwi_live_follow(lwi_live *live, const lwi_live *before, const lwi_tile_map *map);
/// Exchange two live navmeshes in the same memory, bases and all. Pointers to their navmeshes stay.
void lwi_live_exchange(lwi_live *a, lwi_live *b);
/// What queries ask. Its arrays move with lwi_live_apply().
const lw_navmesh *lwi_live_mesh(const lwi_live *live);

/// Put a footprint in the place of the one with that number. @param number  Small: they are kept in an array.
/// @param footprint  NULL: none. @return false: no memory; then none has that number.
bool lwi_live_set(lwi_live *live, uint32_t number, const lwi_footprint *footprint);
/// Cut what has changed. @return false: no memory; then nothing is cut, and the next call tries all again.
bool lwi_live_apply(lwi_live *live);

/// Give the base's off-mesh links their ids, before anything else. Links have numbers: first those of the base,
/// then those that are added. What is changed takes effect with lwi_live_apply().
/// @param ids  [links of the base] Copied. @param clearances  Of these and of those that are added. Borrowed.
/// @return false: no memory.
bool lwi_live_name_links(lwi_live *live, const lw_link_id *ids, const lwi_link_clearances *clearances);
/// Add a link between polygons of the base. @param number  Small, and not used by another one.
/// @return false: no memory, and it is not added.
bool lwi_live_add_link(lwi_live *live, uint32_t number, const lwi_link *link, lw_link_id id);
/// Remove one that was added, whatever else was set. Nothing happens if there is none.
void lwi_live_remove_link(lwi_live *live, uint32_t number);
/// Turn a link off or on, and set what it costs beside its length. @return false: no memory, and it stays as it
/// is.
bool lwi_live_change_link(lwi_live *live, uint32_t number, bool is_off, float cost);

/// Other agents than before fit along a link. It takes effect as a change does. @return false: no memory.
bool lwi_live_touch_link(lwi_live *live, uint32_t number);

/// Iterate over the links that were added, whether they are on or not. @param[in, out] number  0: begin.
/// @return As it was added; NULL: there are no more.
const lwi_link *lwi_live_next_added(const lwi_live *live, uint32_t *number);

/// The base's polygons whose parts, portals or links the last lwi_live_apply() changed. Valid until the next
/// one.
const uint32_t *lwi_live_changed(const lwi_live *live, int *count);

/// Does the footprint of that number meet any polygon, or hang lower over it than agents of the bake are high?
bool lwi_live_meets_any(const lwi_live *live, uint32_t number);

/// A path over the ground.
typedef struct lwi_ground_path {
  lw_vec3 from;
  const lw_vec3 *points; ///< [count] To these, one after another.
  int count;
  bool all;     ///< All footprints count, not only those of the last change.
  float height; ///< Of the agent that goes there: footprints that hang higher do not count. [m]
} lwi_ground_path;
/// Does the path lead through a footprint that the last lwi_live_apply() has cut out of a polygon of the base,
/// or marked there? Along its sides, but for 5 mm, it does not.
bool lwi_live_crosses(const lwi_live *live, uint32_t polygon, const lwi_ground_path *line);

/// Does the path, or a place, which is one without points, come nearer than `keep` to the footprint of that
/// number that is cut out? Heights count to a metre: paths leave the surface between their points.
/// @param keep  [m, > 0]
bool lwi_live_comes_near(const lwi_live *live, uint32_t number, double keep, const lwi_ground_path *line);

/// Iterate over the footprints that are cut out of a polygon of the base at a place, or hang too low there.
/// @param height  For somebody that high. [m] @param[in, out] i  0: begin.
/// @return The number of the footprint; LWI_NONE: there are no more.
uint32_t lwi_live_next_cut_at(const lwi_live *live, uint32_t polygon, lw_vec3 at, float height, int *i);

typedef struct lwi_live_counts {
  int cut_polygons, pieces;
} lwi_live_counts;
/// What is cut now. Takes as long as there are polygons with portals of their own.
lwi_live_counts lwi_live_count(const lwi_live *live);

/// Check corners, portals and edges of all pieces and whole polygons.
/// @return LW_OK, or LW_INVALID with what is wrong.
lw_status lwi_live_check(const lwi_live *live, lw_error *error);

#endif
