/// @file debug_draw.h
/// Debug drawing by callback: the runtime says what there is, the caller paints it.
#ifndef LEEWARD_DEBUG_DRAW_H
#define LEEWARD_DEBUG_DRAW_H

#include "leeward/explain.h"
#include "leeward/geometry.h"
#include "leeward/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Where drawing goes. Colours are 0xRRGGBBAA. Any function may be NULL.
typedef struct lw_debug_draw {
  void (*triangle)(void *user, lw_vec3 a, lw_vec3 b, lw_vec3 c, uint32_t color);
  void (*line)(void *user, lw_vec3 a, lw_vec3 b, float width, uint32_t color); ///< `width` in pixels.
  void (*disc)(void *user, lw_vec3 at, float radius, uint32_t color);          ///< Level, `radius` in metres.
  void (*text)(void *user, lw_vec3 at, const char *text, uint32_t color);      ///< Valid during the call.
  void *user;                                                                  ///< Handed to all.
  float pixel; ///< Width of a pixel; agents and marks are drawn at least 4 pixels large. 0: true to scale. [m]
} lw_debug_draw;

/// What to draw, or-ed together.
typedef enum lw_draw_layer {
  LW_DRAW_AREAS = 1 << 0,   ///< Polygons, filled with their area's colour.
  LW_DRAW_EDGES = 1 << 1,   ///< Edges between polygons.
  LW_DRAW_BORDERS = 1 << 2, ///< Edges that lead nowhere.
  LW_DRAW_TILES = 1 << 3,   ///< Tiles' bounds.
  LW_DRAW_PATHS = 1 << 4,   ///< What agents still have to walk, and their goals.
  LW_DRAW_AGENTS = 1 << 5,
  LW_DRAW_LABELS = 1 << 6,   ///< Each agent's profile and running node.
  LW_DRAW_LINKS = 1 << 7,    ///< Off-mesh links that have joined, by kind.
  LW_DRAW_COVER = 1 << 8,    ///< Walls to take cover at: high, low and soft ones in colours of their own.
  LW_DRAW_DANGERS = 1 << 9,  ///< Where a world remembers danger, the hotter the more, and fire lanes.
  LW_DRAW_THREATS = 1 << 10, ///< The world's threats: where they are, look, and how far.
  /// What they see, in cells of half a metre (more on large levels): amber where one who stands is seen, red where one
  /// who crouches is, too; the stronger, the more it weighs.
  LW_DRAW_EXPOSURE = 1 << 11,
  LW_DRAW_OPENNESS =
      1 << 12, ///< Polygons, filled by how open they lie (lw_poly.exposure) in place of their area's colour.
  LW_DRAW_ALL = (1 << 13) - 1
} lw_draw_layer;

#define LW_COLOR_COVER_HIGH                                                                                    \
  0x36c5f0                          ///< 0xRRGGBB, as all of these: of LW_DRAW_COVER, what hides one who stands,
#define LW_COLOR_COVER_LOW 0xf2c14e ///< who crouches,
#define LW_COLOR_COVER_SOFT 0x8bd450     ///< and what only hides.
#define LW_COLOR_SEEN_STANDING 0xffb020  ///< Of LW_DRAW_EXPOSURE: seen, but not of one who crouches;
#define LW_COLOR_SEEN_CROUCHING 0xf03030 ///< seen, whether one crouches or not.

/// Draw the level's triangles, shaded by slope and height; those that face down are left out.
LW_API void lw_geometry_debug_draw(const lw_geometry *geometry, const lw_debug_draw *draw);
/// @return The colour that links of a kind are drawn in, 0xRRGGBB.
LW_API uint32_t lw_link_kind_color(lw_link_kind kind);
/// @return The colour of ground that lies so open: from dark green, nothing sees it, to pale yellow. @param exposure  [0..1]
LW_API uint32_t lw_openness_color(float exposure);
/// @return The colour of pieces of the selected agent's path that this term makes dear, 0xRRGGBB; LW_TERM_LENGTH: of all
///   others.
LW_API uint32_t lw_cost_term_color(lw_cost_term term);
LW_API void lw_navmesh_debug_draw(const lw_navmesh *navmesh, uint32_t layers, const lw_debug_draw *draw);
/// The navmeshes' layers with the links between them, the dangers and the agents'.
/// @param selected  Drawn with emphasis, its path by what is dear about each piece (lw_cost_term_color()); 0: none.
LW_API void lw_world_debug_draw(const lw_world *world, uint32_t layers, lw_agent_id selected,
                                const lw_debug_draw *draw);

#ifdef __cplusplus
}
#endif
#endif
