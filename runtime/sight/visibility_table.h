/// The visibility table: pairs of polygons of which one is surely hidden from the other, or surely visible. A
/// question about such a pair needs no occluders.
///
/// An eye or a body counts as over a polygon if it is at most LWI_VISIBILITY_BESIDE outside the polygon's
/// prism, which spans the heights below over all of its surface. Surely hidden: hard cover blocks every line
/// from an eye in one prism to a body in the other. Surely visible: no occluder, hard or soft, lies between or
/// in the two. All other pairs are mixed, also those that the table does not hold.
#ifndef LW_SIGHT_VISIBILITY_TABLE_H
#define LW_SIGHT_VISIBILITY_TABLE_H

#include "mesh/mesh.h"

/// The space of eyes and bodies over a polygon: between two planes parallel to it.
typedef struct lwi_prism {
  float slope_x, slope_z; ///< Rise of both planes along x and z. [m/m]
  float low, high;        ///< Heights of the planes at the polygon's first corner. [m]
} lwi_prism;

/// The visibility of one polygon from the others is kept in words of sixteen entries of two bits; sixteen words
/// make a group. Words whose entries are all equal are not stored.
#define LWI_VISIBILITY_WORD 16u
#define LWI_VISIBILITY_GROUP 256u
/// In a group's `kinds`: the word is stored. Any lower value: all entries of the word have it.
#define LWI_VISIBILITY_UNLIKE 3u

typedef struct lwi_visibility_group {
  uint32_t kinds; ///< Two bits for each of the group's words.
  uint32_t first; ///< Index of the group's first stored word.
} lwi_visibility_group;

/// The row of a polygon holds its visibility from polygons of the same or a higher index, from its own group
/// on.
typedef struct lwi_visibility_table {
  uint32_t has; ///< 1: there is a table.
  uint32_t group_count, word_count;
  float range;           ///< Polygons further apart are not in the table. [m]
  float hidden, visible; ///< Probability that two places within range are surely hidden, or visible. [0..1]
  lwi_prism *prisms;     ///< [polygons]
  uint32_t *rows;        ///< [polygons + 1] Each row's first group.
  lwi_visibility_group *groups; ///< [group_count]
  uint32_t *words;              ///< [word_count]
} lwi_visibility_table;

/// @return Bit 2 i: word i of a group with these `kinds` is stored.
static inline uint32_t lwi_visibility_unlike(uint32_t kinds) {
  return kinds & kinds >> 1 & 0x55555555u;
}

/// The navmesh's visibility table; sight_sections.c describes its sections.
#define LWI_VISIBILITY_SLOT 2
static inline const lwi_visibility_table *lwi_visibility_of(const lw_navmesh *mesh) {
  return mesh->attachments.slots[LWI_VISIBILITY_SLOT];
}
static inline lwi_visibility_table *lwi_visibility_edit(lw_navmesh *mesh) {
  return mesh->attachments.slots[LWI_VISIBILITY_SLOT];
}

/// The heights above the surface that a prism spans: bodies of standing and crouching agents, and eyes. [m]
#define LWI_VISIBILITY_LOW 0.5f
#define LWI_VISIBILITY_HIGH 1.7f
/// Their middle: the height at which to look up the polygon that an agent is over. [m]
#define LWI_VISIBILITY_MIDDLE ((LWI_VISIBILITY_LOW + LWI_VISIBILITY_HIGH) / 2)
/// How far outside the prism, in xz and in height, still counts as inside. [m]
#define LWI_VISIBILITY_BESIDE 0.03f

typedef enum lwi_pair_visibility {
  LWI_VISIBILITY_MIXED,
  LWI_VISIBILITY_HIDDEN,
  LWI_VISIBILITY_VISIBLE
} lwi_pair_visibility;

/// O(1). @param a, b  LWI_NONE: no polygon, mixed. @return Mixed without a table.
lwi_pair_visibility lwi_visibility_table_get(const lw_navmesh *mesh, uint32_t a, uint32_t b);
/// Is enough decided that looking up polygons saves time? Measured by bench_visibility_table.
static inline bool lwi_visibility_table_pay(const lw_navmesh *mesh) {
  return lwi_visibility_of(mesh)->hidden + lwi_visibility_of(mesh)->visible >= 0.2f;
}
/// The polygon whose prism holds the eye; of several, the lowest. @return LWI_NONE: no prism, or no table.
uint32_t lwi_visibility_table_over(const lw_navmesh *mesh, lw_vec3 eye);
/// Does a body that moves straight from `from` to `to` stay inside the polygon's prism? @param low, high  Of
/// the body, above both ends.
bool lwi_visibility_table_hold(const lw_navmesh *mesh, uint32_t polygon, lw_vec3 from, lw_vec3 to, float low,
                               float high);

/// The prism over a polygon.
lwi_prism lwi_prism_of(const lw_navmesh *mesh, uint32_t polygon);

#endif
