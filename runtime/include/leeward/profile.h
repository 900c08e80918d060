/// @file profile.h
/// Profiles: one agent kind's numbers, and the terms of the cost model that they weigh.
///
/// The cost of a metre within a polygon, in metre-equivalents, every extra >= 0 (Lumberyard's formula with
/// Brewer's terms):
///
/// 1 + resistance_factor[type] * resistance + exposure_factor * exposure * openness + swim_resistance_factor *
/// deep + safety_bias * unsafe + area_factor[area] + crouching
///
/// where crouching is, under a ceiling that is too low to stand, what a metre takes longer in the fastest
/// stance that is low enough (speed of `stand` / its speed - 1), and `deep` is the part of the polygon under
/// water deeper than wade_depth, or its area's deep_water where the navmesh knows no depth (lw_poly.depth).
///
/// On top of that come danger_cost for each danger that a path enters and cover_bias - 1 for each metre that a
/// threat sees or that lies in a fire lane.
///
/// Threads: a profile never changes, so any number of worlds and threads may use it at once.
/// lw_profile_create() reads the area table, which must not change meanwhile. The other functions may run on
/// any thread.
#ifndef LEEWARD_PROFILE_H
#define LEEWARD_PROFILE_H

#include "leeward/navmesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The terms of a cost, each with its name: X(name, text). LW_TERM_LENGTH is 0.
#define LW_COST_TERM_LIST(X)                                                                                   \
  X(LENGTH, "length")         /* a metre costs a metre */                                                      \
  X(RESISTANCE, "resistance") /* of the ground: resistance_factor */                                           \
  X(OPENNESS, "openness")     /* how open the ground lies, without any threat: exposure_factor */              \
  X(WATER, "water")           /* to be swum: swim_resistance_factor */                                         \
  X(UNSAFE, "unsafe")         /* safety_bias */                                                                \
  X(AREA, "area_factor")      /* area_factor */                                                                \
  X(CROUCH, "crouching")      /* under low ceilings, where it goes slower: can_crouch */                       \
  X(DANGER, "danger")         /* dangers entered: danger_cost */                                               \
  X(THREATS, "threats")       /* seen by the query's threats: cover_bias */                                    \
  X(FIRE_LANES, "fire_lanes") /* within a fire lane: cover_bias */                                             \
  X(OBSTACLES, "obstacles")   /* through obstacles that do not block: lw_obstacle_def.cost */                  \
  X(LINKS, "links")           /* the prices of off-mesh links: lw_link_set_cost() */

/// A term of a cost.
typedef enum lw_cost_term {
#define X(name, text) LW_TERM_##name,
  LW_COST_TERM_LIST(X)
#undef X
      LW_COST_TERM_COUNT
} lw_cost_term;

/// @return "length", "resistance", ...; "?" for any other value. Static storage.
LW_API const char *lw_cost_term_name(lw_cost_term term);

/// How fast an agent walks.
typedef enum lw_pace { LW_CALM, LW_NORMAL, LW_FAST, LW_PACE_COUNT } lw_pace;
/// @return "calm", "normal" or "fast"; "unknown" for any other value. Static storage.
LW_API const char *lw_pace_name(lw_pace pace);

/* --- ranges of fields --- */

/// Which numbers a field takes.
typedef struct lw_range {
  double min;       ///< The least value.
  double max;       ///< The greatest value.
  const char *unit; ///< "m", "m2", "m/s", "m/s2", "s", "rad", "rad/s", "kg", or a word. NULL: no unit.
  bool above;       ///< `min` itself is out of range.
} lw_range;

/// @return Whether the value is in range. false for NaN.
LW_API bool lw_range_holds(const lw_range *range, double value);
/// Write what the range expects, such as "metres > 0" or "a number from 0 to 1", for messages.
/// @param[out] text  [size] Zero-terminated and cut to fit.
/// @return The length of the whole text, as snprintf() counts.
LW_API int lw_range_text(const lw_range *range, char *text, size_t size);

/* Bounds of the numbers of a profile, far beyond what makes sense: costs and speeds stay finite. */
#define LW_PROFILE_SIZE_MAX 1000      ///< [m]
#define LW_PROFILE_SPEED_MAX 1000     ///< [m/s, or a factor]
#define LW_PROFILE_FACTOR_MAX 1000000 ///< Of a cost, or of seconds.

/* --- the numbers --- */

/// How an agent holds itself: which heights of it are seen, the height of its eye, and its speed.
typedef struct lw_stance {
  char name[32]; ///< Zero-terminated.
  float eye;     ///< Above the feet. [m, > 0, <= LW_PROFILE_SIZE_MAX]
  /// Lower and upper end of the body that is seen, above the feet. [m, 0..LW_PROFILE_SIZE_MAX, in order]
  float body[2];
  float speed; ///< Factor. [> 0, <= LW_PROFILE_SPEED_MAX]
} lw_stance;

#define LW_STANCES_MAX 8 ///< Stances of a profile at most.
#define LW_STAND 0       ///< Index of the stance `stand`, which every profile has.
#define LW_CROUCH 1      ///< Index of the stance `crouch`, which every profile has.

/// Whether agents keep clear of each other. Those that do keep to the right half of the ground between walls,
/// up to 12 m apart, and beside corners of their paths, where others come from opposite, and take turns where
/// it is too narrow for two.
typedef enum lw_avoidance {
  LW_AVOID_NONE, ///< It neither avoids others nor is avoided: they walk through each other.
  LW_AVOID_SOFT, ///< It avoids others and is avoided, but may overlap: nobody pushes it, and it pushes nobody.
  LW_AVOID_FULL, ///< It avoids others, is avoided, and no two such agents overlap.
  LW_AVOIDANCE_COUNT
} lw_avoidance;
/// @return "none", "soft" or "full"; "unknown" for any other value. Static storage.
LW_API const char *lw_avoidance_name(lw_avoidance avoidance);

/// A vehicle's body: a rectangle on two axles of which the front one steers. Its agent's position is the middle
/// of its rear axle, and the axles lie as far from the body's ends. It cannot turn in place, and takes no off-
/// mesh links: its agents drive along a drive (drive.h).
typedef struct lw_vehicle {
  float wheelbase; ///< From axle to axle. 0: it is no vehicle. [m, 0..LW_PROFILE_SIZE_MAX, default 0]
  float length;    ///< Of a vehicle: at least its wheelbase. [m, 0..LW_PROFILE_SIZE_MAX, default 0]
  float width; ///< Of a vehicle: above 0, and mostly twice its radius. [m, 0..LW_PROFILE_SIZE_MAX, default 0]
  float reverse_cost; ///< Of a metre backwards, in metres forwards. [1..LW_PROFILE_FACTOR_MAX, default 3]
} lw_vehicle;

/// A trailer behind a vehicle: a rectangle on one axle, which turns about a joint on the vehicle's middle line.
/// It follows where the vehicle tows or pushes it. Lengths are along the vehicle or the trailer.
typedef struct lw_trailer {
  float length; ///< Of its body. 0: there is none. [m, 0..LW_PROFILE_SIZE_MAX, default 0]
  float width;  ///< Beside a length above 0. [m, 0..LW_PROFILE_SIZE_MAX, default 0]
  /// From the vehicle's rear axle back to the joint; < 0: the joint is before the axle.
  float joint; ///< [m, -LW_PROFILE_SIZE_MAX..LW_PROFILE_SIZE_MAX, default 0]
  /// From the joint back to the front of its body; < 0: the body begins before the joint.
  float drawbar; ///< [m, -LW_PROFILE_SIZE_MAX..LW_PROFILE_SIZE_MAX, default 0]
  /// From the joint back to its axle: above 0 beside a length, and the axle lies beneath the body.
  float wheelbase; ///< [m, 0..LW_PROFILE_SIZE_MAX, default 0]
  /// It turns no further to each side, out of the line of the vehicle. [rad, 0.1..1.5, default 1]
  float max_angle;
} lw_trailer;

#define LW_WHISKERS_MAX 7 ///< Rays at most.
/// Rays ahead of an agent that avoids others, on which it sees what its path cannot know (lw_whisker_hit), as
/// that moves on. It turns to the ray that is free for longest, further round where that does not do, or waits.
typedef struct lw_whiskers {
  /// The middle one looks where the agent wants to go, the others to both sides. 0: none. [0, 1, 3, 5 or
  /// LW_WHISKERS_MAX, default 3]
  int rays;
  float seconds; ///< How long the agent would take to their ends. [s, 0..5, default 1.2]
  float spread;  ///< From the middle ray to the outermost. [rad, 0..1.5, default 0.5]
} lw_whiskers;

/// How an agent's body moves: by default without limits, and through others. Numbers are those of LW_NORMAL:
/// a calm agent accelerates at 0.6 of them, a hurried one at 1.3. Of agents that ask for anything here, a calm
/// one is more cautious and keeps 0.15 m more distance, and a hurried one yields less.
typedef struct lw_body {
  float acceleration; ///< Forwards. 0: no limit. [m/s2, 0..LW_PROFILE_SPEED_MAX, default 0]
  float deceleration; ///< When it brakes. 0: no limit. [m/s2, 0..LW_PROFILE_SPEED_MAX, default 0]
  /// In turns: limits the speed there. 0: no limit. [m/s2, 0..LW_PROFILE_SPEED_MAX, default 0]
  float lateral_acceleration;
  float turn_rate; ///< Of the heading. 0: no limit. [rad/s, 0..LW_PROFILE_SPEED_MAX, default 0]
  /// Of a vehicle: at least 0.1, of the middle of its rear axle. [m, 0..LW_PROFILE_SIZE_MAX, default 0]
  float turn_radius;
  lw_vehicle vehicle; ///< [default: no vehicle]
  lw_trailer trailer; ///< Of a vehicle. [default: none]
  float caution;      ///< How much it slows near walls and ledges and in turns. [0..1, default 0]
  /// Of two that avoid each other, the one of lower priority yields. [0..LW_PROFILE_SIZE_MAX, default 1]
  float priority;
  float mass; ///< Heavy agents push light ones aside. [kg, > 0, <= LW_PROFILE_FACTOR_MAX, default 80]
  lw_avoidance avoidance; ///< [default LW_AVOID_NONE]
  /// What it looks ahead with. A vehicle has no rays: with `rays` above 0 it brakes for obstacles that are, or
  /// within `seconds` will be, before it.
  lw_whiskers whiskers;
  /// It passes under ceilings lower than lw_profile_def.height, in a stance that is no higher
  /// (lw_profile_stance_height()), at that stance's speed. Agents take it there by themselves, and stand up
  /// again after. [default true]
  bool can_crouch;
} lw_body;

/// What an agent sees (senses.h).
typedef struct lw_sight {
  float range; ///< Straight distance. 0: it sees nobody. [m, 0..LW_PROFILE_SIZE_MAX, default 0]
  /// To each side of its heading, whatever the heights. [rad, 0..LW_HALF_ANGLE_MAX, default 1.05]
  float half_angle;
  /// How long another agent is in sight until it is noticed. [s, 0..LW_PROFILE_SIZE_MAX, default 0.2]
  float notice;
  bool friends; ///< It looks at agents of its own team, too. [default false]
} lw_sight;
/// What an agent hears (lw_world_noise()).
typedef struct lw_hearing {
  /// Length of a walk to the noise. 0: it hears nothing. [m, 0..LW_PROFILE_SIZE_MAX, default 0]
  float range;
} lw_hearing;
/// What an agent notices by itself. Start from lw_senses_default().
typedef struct lw_senses {
  lw_sight sight;
  lw_hearing hearing;
  /// How long it knows what it no longer sees or hears. [s, 0..LW_PROFILE_FACTOR_MAX, default 10]
  float memory;
} lw_senses;
/// @return The defaults of all fields: it neither sees nor hears.
LW_API lw_senses lw_senses_default(void);
/// Check senses, as lw_profile_create() and lw_agent_set_senses() do.
/// @return LW_OK; LW_INVALID: a field is out of range, named in `error`, or `senses` is NULL.
LW_API lw_status lw_senses_check(const lw_senses *senses, lw_error *error);

/// The numbers of a profile. Start from lw_profile_def_default(), which is the profile `human`: every factor 0,
/// cover_bias 1.
typedef struct lw_profile_def {
  /// For messages and saved games, which know a profile by it; several may have one name. Not NULL. Copied.
  /// [1..63 bytes, default "human"]
  const char *name;
  /// Agents larger than a navmesh was baked for keep the difference from its walls (lw_path_find()). [m,
  /// 0..LW_PROFILE_SIZE_MAX, default 0.4]
  float radius;
  /// Headroom that it needs to stand: ground with less is passed in a lower stance, or not entered
  /// (lw_body.can_crouch). [m, 0..LW_PROFILE_SIZE_MAX, default 1.75]
  float height;
  /// Highest step, up or down: polygons with a higher one (lw_poly.step) are not entered, and edges that differ
  /// more in height (lw_navmesh_def.climb) are not crossed. [m, 0..LW_PROFILE_SIZE_MAX, default 0.4]
  float climb;
  float speed[LW_PACE_COUNT]; ///< [m/s, > 0, <= LW_PROFILE_SPEED_MAX, default 1.4 3 5.5]
  /// By area id; multiplied by the area's own speed. [> 0, <= LW_PROFILE_SPEED_MAX, default 1]
  float speed_factor[LW_AREA_MAX + 1];
  lw_body body;     ///< How it moves, and avoids others.
  lw_senses senses; ///< What it notices by itself. [default lw_senses_default()]
  /// `stand`, `crouch`, and others by any name. [stance_count, default stand: eye 1.6, body 0.9 to 1.6, speed
  /// 1; crouch: eye 0.9, body 0.5 to 0.9, speed 0.5]
  lw_stance stances[LW_STANCES_MAX];
  int stance_count; ///< [2..LW_STANCES_MAX, default 2]
  /// How deep it wades: deeper water is swum, or, without can_swim, not entered. [m, 0..LW_WADE_DEPTH_MAX,
  /// default LW_WADE_DEPTH]
  float wade_depth;
  /// Whether water deeper than wade_depth is passable, and areas with deep_water > 0 where the navmesh knows no
  /// depth. [default false]
  bool can_swim;
  bool can_open_doors;                   ///< Whether doors are passable. [default true]
  bool can_traverse[LW_LINK_TYPE_COUNT]; ///< [default true true true false]
  /// By lw_link_kind: off-mesh links that it takes. Waypoints also need can_traverse[LW_WAYPOINT], doors
  /// can_open_doors, the others can_traverse[LW_TRIANGULAR]. [default all true]
  bool can_take[LW_LINK_KIND_COUNT];
  float resistance_factor[LW_LINK_TYPE_COUNT]; ///< By type of area. [0..LW_PROFILE_FACTOR_MAX, default 0]
  float swim_resistance_factor;                ///< For deep water. [0..LW_PROFILE_FACTOR_MAX, default 0]
  float exposure_factor;                       ///< For open ground. [0..LW_PROFILE_FACTOR_MAX, default 0]
  /// For a unit of danger. [m, 0..LW_PROFILE_FACTOR_MAX, default 0]
  float danger_cost;
  float cover_bias;                   ///< For being seen. [1..LW_PROFILE_FACTOR_MAX, default 1]
  float safety_bias;                  ///< For unsafe areas. [0..LW_PROFILE_FACTOR_MAX, default 0]
  float area_factor[LW_AREA_MAX + 1]; ///< By area id. [0..LW_PROFILE_FACTOR_MAX, default 0]
  bool avoid[LW_AREA_MAX + 1];        ///< By area id: impassable. [default false]
  /// For one request or a few: worlds do not compute for it, at its first path where metres cost differently,
  /// what makes later ones faster (lw_path_find()). [default false]
  bool is_brief;
  const lw_allocator *allocator; ///< Copied. NULL: the C library's. [default NULL]
  uint32_t cookie;               ///< Set by lw_profile_def_default(). Do not set.
} lw_profile_def;

/// @return The defaults of all fields.
LW_API lw_profile_def lw_profile_def_default(void);
/// Look up the range of a field.
/// @param field  A field of numbers in lw_profile_def, such as "radius" or "speed", in a stance, such as
///   "stances.eye", or in the senses, such as "senses.sight.range".
/// @return What lw_profile_create() accepts there. Static storage. NULL: no such field.
LW_API const lw_range *lw_profile_range(const char *field);

/* --- profiles --- */

/// Compile a profile: a price per metre and a passable bit for each area.
/// @param areas  Borrowed for the call. The profile keeps the areas' numbers as they are now: create it again
///   when lw_area_table_version() has grown.
/// @param[out] profile  The caller frees it with lw_profile_destroy(), after the worlds that use it. NULL on an
///   error.
/// @return LW_OK; LW_INVALID: a field is out of range, named in `error`; LW_OUT_OF_MEMORY.
LW_API lw_status lw_profile_create(const lw_profile_def *def, const lw_area_table *areas, lw_profile **profile,
                                   lw_error *error);
/// Combine profiles into that of a group: the limits of the most limited, on each area the speed of the
/// slowest there at LW_NORMAL, the best of the senses, and the mean of the factors of costs, of priority, mass
/// and eyes. It does and enters what all do. Of a stance that all have, both ends of their bodies.
/// @param profiles  [count] Borrowed for the call. @param count  [>= 1]
/// @param[out] def  For lw_profile_create(), named "custom". The defaults on an error.
/// @return LW_OK; LW_INVALID: no profiles, or one is NULL.
LW_API lw_status lw_profile_combine(const lw_profile *const *profiles, int count, lw_profile_def *def,
                                    lw_error *error);
/// Free a profile, once, after the worlds that use it; else the behaviour is undefined.
/// @param profile  NULL: nothing happens.
LW_API void lw_profile_destroy(lw_profile *profile);
/// @return The numbers that it was created from. Borrowed from the profile.
LW_API const lw_profile_def *lw_profile_get_def(const lw_profile *profile);
/// @return The cost of a metre on an area where openness is 0; infinity: impassable. [metre-equivalents, >= 1]
LW_API float lw_profile_price(const lw_profile *profile, lw_area_id area);
/// Compute the cost of a metre on a polygon, with its openness and deep water, for an agent that is fully
/// visible, without threats, dangers and fire lanes.
/// @return Infinity: impassable, or a stale id. [metre-equivalents, >= 1]
LW_API float lw_profile_price_on(const lw_profile *profile, const lw_navmesh *navmesh, lw_poly_id poly);
/// @return Its speed on an area. [m/s]
LW_API float lw_profile_speed(const lw_profile *profile, lw_area_id area, lw_pace pace);
/// @param profile  NULL: the profile `human`.
/// @param name  Not NULL.
/// @return The index of the stance of that name, or -1.
LW_API int lw_profile_find_stance(const lw_profile *profile, const char *name);
/// @param profile  NULL: the profile `human`.
/// @return The stance; `stand` if the index is out of range. Borrowed from the profile.
LW_API const lw_stance *lw_profile_get_stance(const lw_profile *profile, int index);
/// How much headroom the agent needs in a stance: as much less than lw_profile_def.height as its body's upper
/// end lies below that of `stand`.
/// @param profile  NULL: the profile `human`. @return That of `stand` if the index is out of range. [m, >= 0]
LW_API float lw_profile_stance_height(const lw_profile *profile, int index);
/// @return The polygons that it may enter and the links that it may take.
LW_API lw_filter lw_profile_filter(const lw_profile *profile);

#ifdef __cplusplus
}
#endif
#endif
