/// @file route_table.h
/// Route tables: what it costs to go between chosen places (spawns, doors, flags), and where to walk first. A
/// table is computed once, by one distance field for each place (distance_field.h), and then asked in constant
/// time. It takes 16 bytes for each pair of places.
///
/// Costs are those of distance fields: without threats, on one navmesh, without links between navmeshes.
///
/// A table is of the world as it was. lw_route_table_is_stale() says whether navmeshes have changed since then,
/// or dangers and fire lanes that cost these agents something came or went; compute another one then.
///
/// LW_INVALID: an argument is NULL, or the workspace is of another world; the definition was not filled by
/// lw_route_table_def_default(); `place_count` is not 1..LW_ROUTE_PLACES_MAX; a place or `snap` is not finite,
/// or `snap` not above 0; a name is NULL, empty or too long; `visibility` is neither -1 nor 0..1; or the world
/// has no such navmesh.
///
/// Threads: tables are computed as queries are: on any number of threads between steps, each with its own
/// workspace. A table never changes; any number of threads may read it.
#ifndef LEEWARD_ROUTE_TABLE_H
#define LEEWARD_ROUTE_TABLE_H

#include "leeward/navmesh.h"
#include "leeward/profile.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The size of a place's name, with its zero.
#define LW_ROUTE_NAME_SIZE 64
/// The limit on the places of a table, which takes 64 MB then.
#define LW_ROUTE_PLACES_MAX 2000

/// What a table is of. Start from lw_route_table_def_default().
typedef struct lw_route_table_def {
  const lw_vec3 *places; ///< [place_count] Each is moved as lw_path_query.to. Borrowed for the call. [m]
  int place_count;       ///< [1..LW_ROUTE_PLACES_MAX]
  /// [place_count] Each of 1..63 bytes. Borrowed for the call. [default NULL: they have none]
  const char *const *names;
  lw_vec3 snap; ///< Half size of the snap box. [m, > 0, default 2 4 2]
  /// It must outlive the table. NULL: length only, all areas may be entered. [default NULL]
  const lw_profile *profile;
  int navmesh;      ///< Index in the world, or LW_NAVMESH_FITTING. [default LW_NAVMESH_FITTING]
  float visibility; ///< Replaces that of the world. [0..1, default -1: does not replace it]
  uint32_t cookie;  ///< Set by lw_route_table_def_default(). Do not set.
} lw_route_table_def;

/// @return The defaults of all fields.
LW_API lw_route_table_def lw_route_table_def_default(void);

/// Compute what it costs to go from each of some places to each other one.
/// @param world  Not NULL. @param workspace  NULL: the world's own. @param def  Borrowed for the call.
/// @param[out] costs  [place_count * place_count] From place i to place k at i * place_count + k; infinity
///   where there is no path. Undefined unless LW_OK. [metre-equivalents]
/// @return LW_OK; LW_INVALID; LW_OUT_OF_MEMORY.
LW_API lw_status lw_path_costs_find(const lw_world *world, lw_workspace *workspace,
                                    const lw_route_table_def *def, float *costs);

typedef struct lw_route_table lw_route_table;

/// Compute a table.
/// @param world  Not NULL. @param workspace  NULL: the world's own. @param def  Borrowed for the call.
/// @param[out] table  The caller frees it with lw_route_table_destroy(). NULL unless LW_OK.
/// @return LW_OK, also where places have no navmesh; LW_INVALID; LW_OUT_OF_MEMORY.
LW_API lw_status lw_route_table_create(const lw_world *world, lw_workspace *workspace,
                                       const lw_route_table_def *def, lw_route_table **table);
/// Free a table. @param table  NULL: nothing happens.
LW_API void lw_route_table_destroy(lw_route_table *table);

/// @return How many places it has. NULL: 0.
LW_API int lw_route_table_count(const lw_route_table *table);
/// @param from, to  Indices of places. @return What it costs to go there; infinity: there is no path, or no
///   such place. [metre-equivalents]
LW_API float lw_route_table_cost(const lw_route_table *table, int from, int to);
/// Read where to walk to first on the route between two places: as lw_field_route.next.
/// @param[out] point  All zero unless true. [m] @return false: there is no path, or no such place.
LW_API bool lw_route_table_next(const lw_route_table *table, int from, int to, lw_vec3 *point);

/// @return The place's name; "": it has none, or there is no such place. Borrowed from the table.
LW_API const char *lw_route_table_name(const lw_route_table *table, int place);
/// @return The name of the profile that it is for; "": none. Borrowed from the table.
LW_API const char *lw_route_table_profile(const lw_route_table *table);

/// Write a table to a file, in one step: readers see the old one or the new one. Not after its world was
/// destroyed, whose navmeshes it names.
/// @param error  May be NULL. @return LW_OK; LW_FILE; LW_INVALID; LW_OUT_OF_MEMORY.
LW_API lw_status lw_route_table_save(const lw_route_table *table, const char *file, lw_error *error);
/// Read a table that was saved, for a world with the same navmeshes, recognised by their content. It is stale
/// if it was saved in a world that had changed, or this world has. Dangers and lanes do not make it stale.
/// @param[out] table  The caller frees it with lw_route_table_destroy(). NULL unless LW_OK.
/// @param error  May be NULL. @return LW_OK; LW_FILE; LW_BAD_FILE: it is damaged, of another version, or no
///   such file; LW_NOT_FOUND: it is of other navmeshes; LW_INVALID; LW_OUT_OF_MEMORY.
LW_API lw_status lw_route_table_load(const lw_world *world, const char *file, lw_route_table **table,
                                     lw_error *error);

/// @param world  That it was computed in. @return Whether that has changed so that the table may be out of
///   date. false also for another world, or NULL.
LW_API bool lw_route_table_is_stale(const lw_route_table *table, const lw_world *world);
/// @return Bytes that the table holds. NULL: 0.
LW_API size_t lw_route_table_memory(const lw_route_table *table);

#ifdef __cplusplus
}
#endif
#endif
