/// The chart: a level with its mesh and agents, title and legend. Window and picture both paint it.
#ifndef LEEWARD_SDL_CHART_H
#define LEEWARD_SDL_CHART_H

#include "canvas.h"

#include "leeward/explain.h"
#include "leeward/threat.h"

#define CHART_BACKGROUND 0x171b21ffu
#define CHART_TEXT 0xe8ebeeffu
#define CHART_DIM 0x98a2adffu
#define CHART_PANEL 0x0e1217d8u

#define CHART_UPPER (1u << 31)

/// What lines of links and of cover there are to explain: bits by lw_link_kind, and by the colours of cover.
typedef struct line_kinds {
  unsigned links, cover;
  uint32_t layers;  ///< The layers that were looked at,
  uint64_t version; ///< and 1 + chart_ground_version() + lw_threat_version() then. 0: none yet.
} line_kinds;

typedef struct chart {
  const lw_navmesh *navmesh;   ///< Borrowed, like the next three. The world's first navmesh.
  lw_world *world;             ///< NULL: no agents.
  const lw_geometry *geometry; ///< NULL: only the mesh.
  const char *title;           ///< NULL: none.
  uint32_t layers;             ///< Bits of lw_draw_layer.
  bool ground;                 ///< Show the geometry.
  lw_agent_id selected;        ///< 0: none.
  lw_explanation *why;         ///< Of the selected agent's path. Owned. NULL: none yet.
  lw_agent_id why_of;          ///< The agent that `why` is of,
  int why_search;              ///< and its count of searches then.
  bool why_in_legend;          ///< Show the path's costs in the legend.
  lw_box bounds;               ///< What the view shows at first.
  scene relief;                ///< The geometry.
  scene upper;                 ///< The part of it above walkable ground, painted among the mesh by height.
  scene mesh, live;
  uint32_t recorded;       ///< The layers in `mesh`, and CHART_UPPER.
  uint32_t threats;        ///< lw_threat_version() when `mesh` was recorded,
  uint64_t ground_version; ///< and the sum of lw_navmesh_version().
  lw_area_id areas[LW_AREA_MAX];
  int area_count; ///< Areas in use, the largest first.
  line_kinds kinds;
  float behind; ///< Of lw_debug_draw, for agents. [0..1]
} chart;

/// Measure and record the static parts. Zero the chart and set the borrowed members first.
void chart_open(chart *c);
void chart_close(chart *c);
/// Fill `upper` from `relief`.
void chart_find_upper(chart *c);
/// Count of the world's navmeshes; 1 without a world.
int chart_navmesh_count(const chart *c);
const lw_navmesh *chart_navmesh(const chart *c, int index);
/// The sum of lw_navmesh_version(), which only grow: another number after each change of the ground.
uint64_t chart_ground_version(const chart *c);
/// What the world's obstacles are: those that mark the ground by area, those that only have a cost, all others;
/// of each, how many are cut out or mark the ground now.
typedef struct obstacle_counts {
  int all, cut;
  int plain, plain_cut, priced, priced_cut;
  int areas[LW_AREA_MAX + 1], areas_cut[LW_AREA_MAX + 1];
} obstacle_counts;
void chart_count_obstacles(const chart *c, obstacle_counts *counts);
bool chart_out_of_memory(const chart *c);

/// @return Whether something that chart_paint_ground() paints has changed.
bool chart_is_old(const chart *c);
/// Paint geometry and mesh.
void chart_paint_ground(chart *c, canvas *view);
/// @return The explanation of the selected agent's path, owned by the chart. NULL: the agent does not walk, or
///   no memory.
const lw_explanation *chart_why(chart *c);
/// Paint rows of what that path costs beyond its length, in the colours of its pieces.
/// @param paint  false: only measure. @return Height of the rows.
float chart_paint_why(chart *c, painter *p, SDL_FPoint at, float width, bool paint);
/// Paint agents and paths.
void chart_paint_live(chart *c, canvas *view);

/// The header: title at the left, figures at the right.
float chart_header_height(const painter *p);
void chart_paint_header(chart *c, painter *p, SDL_FRect strip);
/// The footer: a legend of areas, links and agents, the axes and a scale bar.
float chart_footer_height(chart *c, painter *p, float width);
void chart_paint_footer(chart *c, canvas *view, SDL_FRect strip);

#endif
