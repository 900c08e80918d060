/// The arrays of a navmesh's table of pairs of polygons. cover/pairs.h says what it is for, and reads it.
#ifndef LW_MESH_PAIRS_H
#define LW_MESH_PAIRS_H

#include "core/memory.h"

/// Where eyes and bodies over a polygon are: over it, between two planes that are as steep as it is.
typedef struct lwi_prism {
  float slope_x, slope_z; ///< How far both rise along x and along z. [m/m]
  float low, high;        ///< Of the planes at the polygon's first corner. [m]
} lwi_prism;

/// Pairs with one polygon are sixteen to a word, two bits each; sixteen words make a group. Of words whose pairs are all alike
/// only that is kept.
#define LWI_PAIR_WORD 16u
#define LWI_PAIR_GROUP 256u
/// A word in a group's `kinds` whose pairs are not all alike; less: what they all are.
#define LWI_PAIR_UNLIKE 3u

typedef struct lwi_pair_group {
  uint32_t kinds; ///< Two bits for each of the group's words.
  uint32_t first; ///< Of those that are unlike, where in the table's words they begin.
} lwi_pair_group;

/// A polygon's row has the pairs with those numbered as itself or higher, by groups from the one that itself is in.
typedef struct lwi_pairs {
  uint32_t has; ///< 1: there is a table.
  uint32_t group_count, word_count;
  float range;            ///< Of pairs that are further apart nothing is known. [m]
  float hidden, visible;  ///< Of two places within range: how likely their polygons are so. [0..1]
  lwi_prism *prisms;      ///< [polygon_count]
  uint32_t *rows;         ///< [polygon_count + 1] Where each row's groups begin.
  lwi_pair_group *groups; ///< [group_count]
  uint32_t *words;        ///< [word_count]
} lwi_pairs;

/// In every second bit, whether a word of that kind is unlike the others.
static inline uint32_t lwi_pair_unlike(uint32_t kinds) {
  return kinds & kinds >> 1 & 0x55555555u;
}

#endif
