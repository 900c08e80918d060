/// @file profile.h
/// Profiles: one agent kind's numbers.
#ifndef LEEWARD_PROFILE_H
#define LEEWARD_PROFILE_H

#include "leeward/navmesh.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum lw_pace { LW_CALM, LW_NORMAL, LW_FAST, LW_PACE_COUNT } lw_pace;

/// Bounds of what a profile may say, far beyond what makes sense: prices and speeds stay finite.
#define LW_PROFILE_SIZE_MAX 1000      ///< [m]
#define LW_PROFILE_SPEED_MAX 1000     ///< [m/s, or a factor]
#define LW_PROFILE_FACTOR_MAX 1000000 ///< Of a cost.

/// How one holds oneself: what others see of one, from where one looks, and how fast one is.
typedef struct lw_stance {
  char name[32];
  float eye;     ///< Above the feet. [m, > 0, <= LW_PROFILE_SIZE_MAX]
  float body[2]; ///< Lower and upper end of what is seen, above the feet. [m, 0..LW_PROFILE_SIZE_MAX, in order]
  float speed;   ///< Factor. [> 0, <= LW_PROFILE_SPEED_MAX]
} lw_stance;

/// Stances of a profile at most. The first two are always there: `stand` and `crouch`.
#define LW_STANCES_MAX 8
#define LW_STAND 0
#define LW_CROUCH 1

/// Start from lw_profile_def_default(), which is the profile `human`: every factor 0, cover_bias 1.
typedef struct lw_profile_def {
  const char *name; ///< Not NULL, 1..63 bytes. Copied.
  /// Who is larger than a navmesh was made for (lw_navmesh_get_agent()) keeps by so much more from its walls: see
  /// lw_path_find(). [m, 0..LW_PROFILE_SIZE_MAX, default 0.4]
  float radius;
  float height, climb;        ///< [m, 0..LW_PROFILE_SIZE_MAX, default 1.75 0.4]
  float speed[LW_PACE_COUNT]; ///< [m/s, > 0, <= LW_PROFILE_SPEED_MAX, default 1.4 3 5.5]
  /// By area id, times the area's own speed. [> 0, <= LW_PROFILE_SPEED_MAX, default 1]
  float speed_factor[LW_AREA_MAX + 1];
  float turn_radius; ///< [m, 0..LW_PROFILE_SIZE_MAX, default 0]
  /// `stand` and `crouch`, and others by any name. [stance_count, default eye 1.6, body 0.9 to 1.6, speed 1; eye 0.9,
  /// body 0.5 to 0.9, speed 0.5]
  lw_stance stances[LW_STANCES_MAX];
  int stance_count;                      ///< [2..LW_STANCES_MAX, default 2]
  bool can_swim;                         ///< [default false] An area with deep_water > 0 is impassable without.
  bool can_open_doors;                   ///< [default true]
  bool can_traverse[LW_LINK_TYPE_COUNT]; ///< [default true true true false]
  /// By lw_link_kind: off-mesh links that it takes. Waypoints need can_traverse[LW_WAYPOINT] as well, doors
  /// can_open_doors, the others can_traverse[LW_TRIANGULAR]. [default all true]
  bool can_take[LW_LINK_KIND_COUNT];
  /// What makes ways dearer; nothing makes them cheaper than their length. [all 0..LW_PROFILE_FACTOR_MAX]
  float resistance_factor[LW_LINK_TYPE_COUNT]; ///< [default 0]
  float swim_resistance_factor;                ///< [default 0]
  float exposure_factor;                       ///< [default 0]
  float danger_cost;                           ///< [m, default 0]
  float cover_bias;                            ///< [>= 1, default 1]
  float safety_bias;                           ///< [default 0]
  float area_factor[LW_AREA_MAX + 1];          ///< By area id. [default 0]
  bool avoid[LW_AREA_MAX + 1];                 ///< By area id: impassable. [default false]
  const lw_allocator *allocator;               ///< Copied. NULL: the C library's.
  uint32_t cookie;                             ///< Set by lw_profile_def_default(). Do not set.
} lw_profile_def;

/// Compiled against an area table: by area a price per metre, what comes on top where it lies open, and a passable bit.
typedef struct lw_profile lw_profile;

LW_API lw_profile_def lw_profile_def_default(void);
/// @param areas  Borrowed for the call. The profile keeps the areas' numbers as they are now: make it anew
/// when
///   lw_area_table_version() has grown.
/// @param[out] profile  The caller frees it with lw_profile_destroy(), after the worlds that use it.
/// @return LW_OK; LW_INVALID with the field named; LW_OUT_OF_MEMORY.
LW_API lw_status lw_profile_create(const lw_profile_def *def, const lw_area_table *areas, lw_profile **profile,
                                   lw_error *error);
LW_API void lw_profile_destroy(lw_profile *profile);
/// @return The numbers it was made from. Borrowed from the profile.
LW_API const lw_profile_def *lw_profile_get_def(const lw_profile *profile);
/// @return What a metre on this area costs where nothing sees it, in metre-equivalents, >= 1; infinity where it may not go.
LW_API float lw_profile_price(const lw_profile *profile, lw_area_id area);
/// @return What a metre on this polygon costs: as its area, exposure_factor x the area's exposure x lw_poly.exposure, and
///   where more of it is deep than the area says, swim_resistance_factor times that; infinity where it may not go, and for a
///   stale id. Full visibility, no threats, no danger. [metre-equivalents]
LW_API float lw_profile_price_on(const lw_profile *profile, const lw_navmesh *navmesh, lw_poly_id poly);
/// @return How fast it goes there. [m/s]
LW_API float lw_profile_speed(const lw_profile *profile, lw_area_id area, lw_pace pace);
/// @param profile  NULL: the profile `human`. @param name  Not NULL.
/// @return The index of the stance of that name, or -1.
LW_API int lw_profile_find_stance(const lw_profile *profile, const char *name);
/// @param profile  NULL: the profile `human`.
/// @return The stance, borrowed from the profile; `stand` for an index that is out of range.
LW_API const lw_stance *lw_profile_get_stance(const lw_profile *profile, int index);
/// @return The polygons it may enter and the links it may take.
LW_API lw_filter lw_profile_filter(const lw_profile *profile);

#ifdef __cplusplus
}
#endif
#endif
