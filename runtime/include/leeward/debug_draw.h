/// @file debug_draw.h
/// Debug drawing by callback: the runtime gives shapes, the caller paints them.
///
/// Threads: all functions of this header only read what they draw and may run on any number of threads between
/// steps. They call the functions of lw_debug_draw on the calling thread.
#ifndef LEEWARD_DEBUG_DRAW_H
#define LEEWARD_DEBUG_DRAW_H

#include "leeward/geometry.h"
#include "leeward/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Where drawing goes. Colours are 0xRRGGBBAA. Any function may be NULL.
typedef struct lw_debug_draw {
  /// A filled triangle.
  void (*triangle)(void *user, lw_vec3 a, lw_vec3 b, lw_vec3 c, uint32_t color);
  /// A line of `width` pixels.
  void (*line)(void *user, lw_vec3 a, lw_vec3 b, float width, uint32_t color);
  /// A level disc of `radius` metres.
  void (*disc)(void *user, lw_vec3 at, float radius, uint32_t color);
  /// A label; `text` is valid during the call.
  void (*text)(void *user, lw_vec3 at, const char *text, uint32_t color);
  void *user; ///< Handed to all functions.
  /// Agents are drawn as they were this part of a step ago: 1 - alpha of lw_agent_pose(). [0..1, 0: now]
  float behind;
  float pixel; ///< Width of a pixel: agents and marks are drawn at least 4 pixels large. 0: true to scale. [m]
} lw_debug_draw;

/// What to draw; combine with |.
typedef enum lw_draw_layer {
  LW_DRAW_AREAS = 1 << 0,   ///< Polygons, filled with their area's colour.
  LW_DRAW_EDGES = 1 << 1,   ///< Edges between polygons.
  LW_DRAW_BORDERS = 1 << 2, ///< Edges without a neighbour.
  LW_DRAW_TILES = 1 << 3,   ///< Bounds of tiles.
  LW_DRAW_PATHS = 1 << 4,   ///< The rest of each agent's path, and its goal; places in formations.
  /// Agents, each with a line to the enemy that it sees, dashed to where it saw it last (senses.h).
  LW_DRAW_AGENTS = 1 << 5,
  LW_DRAW_LABELS = 1 << 6,   ///< Each agent's profile and running node.
  LW_DRAW_LINKS = 1 << 7,    ///< Off-mesh links by kind; thin and pale if disabled or barred.
  LW_DRAW_COVER = 1 << 8,    ///< Cover segments, also at obstacles: high, low and soft ones have own colours.
  LW_DRAW_DANGERS = 1 << 9,  ///< Dangers, the more saturated the greater, and fire lanes.
  LW_DRAW_THREATS = 1 << 10, ///< The world's threats: where they are, where they look, and how far.
  /// What threats see, in cells of half a metre (more on large levels): LW_COLOR_SEEN_STANDING or
  /// LW_COLOR_SEEN_CROUCHING, the more opaque the more it weighs.
  LW_DRAW_EXPOSURE = 1 << 11,
  LW_DRAW_OPENNESS = 1 << 12, ///< Polygons, filled by lw_poly.openness instead of their area's colour.
  /// Outlines of obstacles where they are now: LW_COLOR_OBSTACLE_CUT, or LW_COLOR_OBSTACLE_UNCUT and dashed;
  /// those that mark the ground in their area's colour, or in that of LW_TERM_OBSTACLES, dashed while they do
  /// not.
  LW_DRAW_OBSTACLES = 1 << 13,
  /// What the cover map lists at the selected agent (lw_navmesh_cover_map()): where it is, and how high the
  /// nearest are above the ground.
  LW_DRAW_COVER_MAP = 1 << 14,
  /// Rooms (regions.h), each filled with a colour of its own, with its name or its number from 1, and doors.
  LW_DRAW_REGIONS = 1 << 15,
  /// Whiskers of all agents (lw_agent_whiskers()): LW_COLOR_WHISKER_FREE, LW_COLOR_WHISKER_WALL or
  /// LW_COLOR_WHISKER_HIT. With LW_DRAW_AGENTS; those of the selected agent are drawn in any case.
  LW_DRAW_WHISKERS = 1 << 16,
  LW_DRAW_ALL = (1 << 17) - 1 ///< All layers.
} lw_draw_layer;

/* Colours of layers, 0xRRGGBB. */
#define LW_COLOR_COVER_HIGH 0x36c5f0    ///< LW_DRAW_COVER: hides a standing agent.
#define LW_COLOR_COVER_LOW 0xf2c14e     ///< LW_DRAW_COVER: hides a crouching agent.
#define LW_COLOR_COVER_SOFT 0x8bd450    ///< LW_DRAW_COVER: hides, but stops no shots.
#define LW_COLOR_SEEN_STANDING 0xffb020 ///< LW_DRAW_EXPOSURE: a standing agent is seen, a crouching one is not.
#define LW_COLOR_SEEN_CROUCHING 0xf03030 ///< LW_DRAW_EXPOSURE: a crouching agent is seen, too.
#define LW_COLOR_COVER_MAP 0xff7ac8      ///< LW_DRAW_COVER_MAP.
#define LW_COLOR_DOOR 0xffe066           ///< LW_DRAW_REGIONS: doors.
#define LW_COLOR_OBSTACLE_CUT 0xc26bff   ///< LW_DRAW_OBSTACLES: it is cut out of the navmeshes.
#define LW_COLOR_OBSTACLE_UNCUT 0xe6dcf2 ///< LW_DRAW_OBSTACLES: it is not.
#define LW_COLOR_WHISKER_FREE 0x7dff9b   ///< LW_DRAW_WHISKERS: nothing is there.
#define LW_COLOR_WHISKER_WALL 0xa8b4c0   ///< LW_DRAW_WHISKERS: it ends at a wall.
#define LW_COLOR_WHISKER_HIT 0xff4fd8    ///< LW_DRAW_WHISKERS: it ends at what the agent evades.

/// Draw the level's triangles, shaded by slope and height, without those that face down.
LW_API void lw_geometry_debug_draw(const lw_geometry *geometry, const lw_debug_draw *draw);
/// @return The colour of links of a kind, 0xRRGGBB.
LW_API uint32_t lw_link_kind_color(lw_link_kind kind);
/// @param room  Its number. @return The colour of a room, 0xRRGGBB.
LW_API uint32_t lw_room_color(int room);
/// @param openness  [0..1]
/// @return The colour of ground of this openness: from dark green, hidden, to pale yellow, open; 0xRRGGBB.
LW_API uint32_t lw_openness_color(float openness);
/// @return The colour of pieces of the selected agent's path in whose cost this term is the greatest, 0xRRGGBB;
///   LW_TERM_LENGTH: of all others.
LW_API uint32_t lw_cost_term_color(lw_cost_term term);
/// Draw the layers of a navmesh.
/// @param layers  LW_DRAW_AREAS | ...; layers of a world are ignored.
LW_API void lw_navmesh_debug_draw(const lw_navmesh *navmesh, uint32_t layers, const lw_debug_draw *draw);
/// Draw the layers of a world and of its navmeshes.
/// @param layers  LW_DRAW_AREAS | ...
/// @param selected  Drawn with emphasis, its path by the greatest cost of each piece (lw_cost_term_color()).
///   All zero: no agent.
LW_API void lw_world_debug_draw(const lw_world *world, uint32_t layers, lw_agent_id selected,
                                const lw_debug_draw *draw);

#ifdef __cplusplus
}
#endif
#endif
