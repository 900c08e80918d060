/// @file area.h
/// Areas: what a polygon is made of, by name.
///
/// Threads: lw_area_table_set() needs the table alone, also from all geometries, navmeshes, profiles and worlds
/// that use it. The other functions may run together.
#ifndef LEEWARD_AREA_H
#define LEEWARD_AREA_H

#include "leeward/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The type of a polygon or link, after Lumberyard's node types. A profile has a resistance factor for each.
typedef enum lw_link_type {
  LW_TRIANGULAR, ///< An ordinary polygon.
  LW_ROAD,       ///< A road.
  LW_WAYPOINT,   ///< A waypoint link.
  LW_VOLUME,     ///< Flight.
  LW_LINK_TYPE_COUNT
} lw_link_type;

/// @return "triangular", "road", "waypoint" or "volume". Static storage.
LW_API const char *lw_link_type_name(lw_link_type type);

/// Whether a surface blocks sight and shots.
typedef enum lw_cover_kind {
  /// For triangles that are added: as their area says. No built surface or cover segment has it.
  LW_COVER_DEFAULT,
  LW_COVER_HARD, ///< Blocks sight and shots.
  LW_COVER_SOFT, ///< Blocks sight but no shots: vegetation, cloth.
  LW_COVER_NONE, ///< Blocks neither: glass, gratings, railings.
  LW_COVER_KIND_COUNT
} lw_cover_kind;
/// @return "default", "hard", "soft" or "none". Static storage.
LW_API const char *lw_cover_kind_name(lw_cover_kind kind);

/// An area in an area table: 1..255; 0 is solid ground that no agent may enter.
typedef uint8_t lw_area_id;
#define LW_AREA_NONE ((lw_area_id)0) ///< Solid, never walkable.
#define LW_AREA_MAX 255              ///< The highest area id.

/// The numbers of an area. Start from lw_area_def_default().
typedef struct lw_area_def {
  const char *name;  ///< Not NULL. Copied. [1..63 bytes]
  lw_link_type type; ///< Selects the profile's resistance factor. [default LW_TRIANGULAR]
  float resistance;  ///< How hard it is to cross, multiplied by the profile's factor. [>= 0, default 0.5]
  float exposure;    ///< Multiplies the openness of the place where exposure_factor counts. [0..1, default 1]
  float concealment; ///< The part of an exposed length that it hides. [0..1, default 0]
  float deep_water;  ///< The part to swim where the navmesh knows no depth (lw_poly.depth). [0..1, default 0]
  float unsafe;      ///< Multiplied by the profile's safety_bias. [0..1, default 0]
  float speed;       ///< Factor on an agent's speed. [> 0, default 1]
  /// What its surfaces block where the geometry does not say. LW_COVER_DEFAULT: surfaces steeper than 60
  /// degrees of an area with `concealment` are soft, like bushes; all other surfaces are hard. [default
  /// LW_COVER_DEFAULT]
  lw_cover_kind cover;
  uint32_t color;  ///< For debug drawing. [0xRRGGBB, default 0x9aa58b]
  uint32_t cookie; ///< Set by lw_area_def_default(). Do not set.
} lw_area_def;

/// @return The defaults of all fields; `name` is NULL.
LW_API lw_area_def lw_area_def_default(void);

/// The areas of a world, by name. An area keeps its id as long as the table lives; its numbers may change.
/// Geometries, navmeshes, profiles and worlds that work together share one table.
typedef struct lw_area_table lw_area_table;

/// Create an empty table.
/// @param allocator  Copied. NULL: the C library's.
/// @param[out] table  The caller frees it with lw_area_table_destroy(), after all that uses it. NULL on an
///   error.
/// @return LW_OK; LW_OUT_OF_MEMORY.
LW_API lw_status lw_area_table_create(const lw_allocator *allocator, lw_area_table **table);
/// Free a table, once, after all that was created with it; else the behaviour is undefined.
/// @param table  NULL: nothing happens.
LW_API void lw_area_table_destroy(lw_area_table *table);

/// Add an area, or change the numbers of the area with this name.
/// @param[out] id  LW_AREA_NONE on an error. May be NULL.
/// @return LW_OK; LW_INVALID: a field is out of range, named in `error`; LW_LIMIT: there are 255 areas;
///   LW_OUT_OF_MEMORY.
LW_API lw_status lw_area_table_set(lw_area_table *table, const lw_area_def *def, lw_area_id *id,
                                   lw_error *error);
/// @return The area of that name, or LW_AREA_NONE.
LW_API lw_area_id lw_area_table_find(const lw_area_table *table, const char *name);
/// @return The numbers of an area. Borrowed from the table until the next lw_area_table_set(). NULL: no such
///   id.
LW_API const lw_area_def *lw_area_table_get(const lw_area_table *table, lw_area_id id);
/// @return How many areas there are; their ids are 1..count.
LW_API int lw_area_table_count(const lw_area_table *table);
/// @return A number that grows with every lw_area_table_set().
LW_API uint32_t lw_area_table_version(const lw_area_table *table);

#ifdef __cplusplus
}
#endif
#endif
