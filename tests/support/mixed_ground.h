/// Real levels with ground of many prices: patches of grass, dirt, road, water ... strewn over them, and
/// profiles that price them.
#ifndef LW_TESTS_MIXED_GROUND_H
#define LW_TESTS_MIXED_GROUND_H

#include "dense_path.h"
#include "levels.h"
#include "peer_mesh.h"

#include "leeward/world.h"

/// How the patches come to be.
typedef enum mixed_kind {
  MIXED_POLYGONS, ///< Each polygon takes one area; few prices change where ground would.
  MIXED_MARKS,    ///< Marks on the geometry, and baked: the outlines are the patches' own.
  MIXED_KIND_COUNT
} mixed_kind;

/// Of the points that the dense search sets. [m]
#define MIXED_SPACING 0.1f
#define MIXED_PROFILES 6
/// Levels that are open, hilly, indoor, and with several floors.
#define MIXED_LEVELS 4
extern const char *const mixed_levels[MIXED_LEVELS];

typedef struct mixed_ground {
  lw_area_table *areas; ///< As scripts/areas.lua has them.
  lw_navmesh *mesh;
  lw_world *world;
  dense_graph *dense;
  peer *detour;
  /// Some as scripts/profiles has them, but for the radius: all fit the navmesh. The last is drawn.
  lw_profile *profiles[MIXED_PROFILES];
} mixed_ground;

/// @param seed  Of the patches and the drawn profile.
lw_status mixed_open(const char *level, mixed_kind kind, uint64_t seed, mixed_ground *ground, lw_error *error);
void mixed_close(mixed_ground *ground);

/// What one query came to: ours beside the best there is, and Detour's beside it.
typedef struct mixed_result {
  double ours, best, detour; ///< Costs of the path. [metre-equivalents]
  double along;              ///< Of our path, summed up from its points.
  double chords;             ///< mixed_chord_cost() of our path.
} mixed_result;
/// Draw two places. @return false: not connected for the profile, or nearer to one another than 5 m.
bool mixed_draw(mixed_ground *ground, const lw_profile *profile, lw_location *from, lw_location *to);
/// What a path costs where each polygon is crossed in a straight line, up or down, as the slow search crosses it: over
/// hills that is less than over the ground.
double mixed_chord_cost(const lw_path *path, const lw_profile *profile);
/// Let Detour search at the profile's prices.
void mixed_set_prices(mixed_ground *ground, const lw_profile *profile);
/// Draw a query and ask it. @return false: as mixed_draw(), or no path.
bool mixed_ask(mixed_ground *ground, const lw_profile *profile, mixed_result *result);

#endif
