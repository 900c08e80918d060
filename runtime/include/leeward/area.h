/// @file area.h
/// Areas: what a polygon is made of, by name.
#ifndef LEEWARD_AREA_H
#define LEEWARD_AREA_H

#include "leeward/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The kind of a link; each has a resistance factor of its own in a profile.
typedef enum lw_link_type {
  LW_TRIANGULAR, ///< An ordinary polygon.
  LW_ROAD,
  LW_WAYPOINT,
  LW_VOLUME, ///< Flight.
  LW_LINK_TYPE_COUNT
} lw_link_type;

/// @return "triangular", "road", "waypoint" or "volume". Static storage.
LW_API const char *lw_link_type_name(lw_link_type type);

/// What a surface does to a look, and to a shot.
typedef enum lw_cover_kind {
  LW_COVER_DEFAULT, ///< Where triangles are added: what their area says. Surfaces and cover segments are never that.
  LW_COVER_HARD, ///< Stops both.
  LW_COVER_SOFT, ///< Stops the look alone: vegetation, cloth.
  LW_COVER_NONE, ///< Stops neither: glass, gratings, railings.
  LW_COVER_KIND_COUNT
} lw_cover_kind;
/// @return "default", "hard", "soft" or "none". Static storage.
LW_API const char *lw_cover_kind_name(lw_cover_kind kind);

/// An area in an area table: 1..255. 0 is solid ground that nobody walks on.
typedef uint8_t lw_area_id;
#define LW_AREA_NONE ((lw_area_id)0)
#define LW_AREA_MAX 255

/// What an area is like. Start from lw_area_def_default().
typedef struct lw_area_def {
  const char *name;  ///< Not NULL, 1..63 bytes. Copied.
  lw_link_type type; ///< [default LW_TRIANGULAR]
  float resistance;  ///< How hard it is to cross, times the profile's factor. [>= 0, default 0.5]
  float exposure;    ///< How open it is, times computed exposure. [0..1, default 1]
  float concealment; ///< The part of an exposed length that it hides. [0..1, default 0]
  float deep_water;  ///< The part that must be swum. [0..1, default 0]
  float unsafe;      ///< Times the profile's safety_bias. [0..1, default 0]
  float speed;       ///< Factor on an agent's speed. [> 0, default 1]
  /// What its surfaces are, where nothing else is said as they are added to a geometry. LW_COVER_DEFAULT: of an area with
  /// `concealment` those that stand up, steeper than 60 degrees, are soft, as bushes are; all others, also the ground of such
  /// an area, are hard. [default LW_COVER_DEFAULT]
  lw_cover_kind cover;
  uint32_t color;  ///< 0xRRGGBB for debug drawing. [default 0x9aa58b]
  uint32_t cookie; ///< Set by lw_area_def_default(). Do not set.
} lw_area_def;

LW_API lw_area_def lw_area_def_default(void);

/// The areas of a world, by name. Append-only: an area's id stays as long as the table lives; its numbers may
/// change. Geometries, navmeshes, profiles and worlds that work together share one table.
typedef struct lw_area_table lw_area_table;

/// @param allocator  Copied. NULL: the C library's.
/// @param[out] table  The caller frees it with lw_area_table_destroy(), after all that uses it.
LW_API lw_status lw_area_table_create(const lw_allocator *allocator, lw_area_table **table);
LW_API void lw_area_table_destroy(lw_area_table *table);

/// Add an area, or change the numbers of the one that has this name.
/// @param[out] id  May be NULL.
/// @return LW_OK; LW_INVALID with the field named; LW_LIMIT: there are 255; LW_OUT_OF_MEMORY.
LW_API lw_status lw_area_table_set(lw_area_table *table, const lw_area_def *def, lw_area_id *id,
                                   lw_error *error);
/// @return The area of that name, or LW_AREA_NONE.
LW_API lw_area_id lw_area_table_find(const lw_area_table *table, const char *name);
/// @return The area's numbers, valid until the next lw_area_table_set(); NULL for an id that is not in the
/// table.
LW_API const lw_area_def *lw_area_table_get(const lw_area_table *table, lw_area_id id);
/// @return How many areas there are; their ids are 1..count.
LW_API int lw_area_table_count(const lw_area_table *table);
/// @return A number that grows with every lw_area_table_set().
LW_API uint32_t lw_area_table_version(const lw_area_table *table);

#ifdef __cplusplus
}
#endif
#endif
