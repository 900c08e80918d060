/// A world on which everything changes at random: obstacles, links, permutations, tiles; and what is known of it without
/// asking it.
#ifndef LW_TESTS_CHANGING_WORLD_H
#define LW_TESTS_CHANGING_WORLD_H

#include "tiles_place.h"

#define CHANGING_OBSTACLES 40
#define CHANGING_POINTS 6
#define CHANGING_LINKS 16
#define CHANGING_PERMUTATIONS 4
#define CHANGING_SOURCES 4
#define CHANGING_PATCHES 4
#define CHANGING_PROFILES 4
#define CHANGING_COLUMNS 7 /* of tiles */
#define CHANGING_ROWS 4

typedef struct changing_obstacle {
  bool is_there;
  lw_obstacle_id id;
  lw_obstacle_def def; ///< Where it is now. Its points are `points`.
  lw_vec3 points[CHANGING_POINTS];
} changing_obstacle;

typedef struct changing_link {
  bool is_there, is_on;
  lw_link_id id;
  lw_link_def def;
  float cost;
} changing_link;

/// Where the tiles of a navmesh come from: sources by index; -1: there is none.
typedef struct changing_tiles {
  int from[CHANGING_ROWS][CHANGING_COLUMNS];
} changing_tiles;

typedef struct changing_world {
  uint64_t seed;
  lw_random random;
  lw_navmesh *sources[CHANGING_SOURCES];
  lw_navmesh *patches[CHANGING_PATCHES]; ///< Put together of tiles of sources. NULL: not used.
  changing_tiles own; ///< Of the navmesh that the world was given last, without those of permutations.
  const lw_profile *profiles[CHANGING_PROFILES]; ///< The first one is NULL.
  lw_world *world;
  changing_obstacle obstacles[CHANGING_OBSTACLES];
  changing_link links[CHANGING_LINKS]; ///< Added ones.
  bool lift_is_on;                     ///< The link that is baked in.
  float lift_cost;
  int states[CHANGING_PERMUTATIONS]; ///< As set last.
  int operations[4];                 ///< How many there were of obstacles, links, permutations, tiles.
} changing_world;

/// Begins without obstacles and added links, each permutation in its first state. Needs scene_open().
void changing_open(changing_world *it, uint64_t seed);
void changing_close(changing_world *it);
/// Do one thing at random. Nothing is applied.
void changing_change(changing_world *it);
/// Step until nothing moves any more.
void changing_settle(changing_world *it);
/// Take all back: what the world is then is what it was at the beginning. Nothing is applied.
void changing_undo(changing_world *it);
/// Another world, in which what there is now is made at once. The caller destroys it.
/// @param wider  By how much every obstacle is wider there, on each side. [m]
lw_world *changing_create_at_once(const changing_world *it, float wider);

/// A place on the floor, or under a wall.
lw_vec3 changing_place(lw_random *random);
/// What is known of a place without asking a world.
typedef struct changing_ground {
  bool is_sure;   ///< It is not within 2 cm of any border.
  bool is_ground; ///< One may stand there.
  bool is_marked; ///< That ground is road.
  bool is_cut;    ///< It would be ground without obstacles.
} changing_ground;
changing_ground changing_ground_at(const changing_world *it, lw_vec3 at);

#endif
