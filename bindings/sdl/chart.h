/// The chart: one level with all that is on it, and what explains it. Window and picture are both painted here.
#ifndef LEEWARD_SDL_CHART_H
#define LEEWARD_SDL_CHART_H

#include "canvas.h"

#include "leeward/threat.h"

#define CHART_BACKGROUND 0x171b21ffu
#define CHART_TEXT 0xe8ebeeffu
#define CHART_DIM 0x98a2adffu
#define CHART_PANEL 0x0e1217d8u

#define CHART_UPPER (1u << 31)

typedef struct chart {
  const lw_navmesh *navmesh;   ///< Borrowed, like all below. The world's first.
  lw_world *world;             ///< NULL: no agents.
  const lw_geometry *geometry; ///< NULL: the mesh alone.
  const char *title;           ///< NULL: none.
  uint32_t layers;             ///< lw_draw_layer, or-ed.
  bool ground;                 ///< Whether the geometry is shown.
  lw_agent_id selected;
  lw_explanation *why; ///< Of the path that the selected agent walks, or NULL; owned.
  lw_agent_id why_of;  ///< Whose it is...
  int why_search;      ///< ...and after how many searches.
  bool why_in_legend;  ///< What it costs stands there.
  lw_box bounds;       ///< What fits into the frame at first.
  scene relief;        ///< The geometry.
  scene upper;         ///< The part of it that hangs over walkable ground, to be painted among the mesh.
  scene mesh, live;
  uint32_t recorded; ///< Layers that `mesh` holds, and CHART_UPPER.
  uint32_t threats;  ///< lw_threat_version() of what `mesh` holds.
  lw_area_id areas[LW_AREA_MAX];
  int area_count; ///< Areas that occur, the largest first.
} chart;

/// Measure and record what does not move. Zero the chart and set the borrowed members first.
void chart_open(chart *c);
void chart_close(chart *c);
/// Find `upper` in `relief`.
void chart_find_upper(chart *c);
/// The world's navmeshes, or the one shown without a world.
int chart_navmesh_count(const chart *c);
const lw_navmesh *chart_navmesh(const chart *c, int index);
bool chart_out_of_memory(const chart *c);

/// Has something changed that chart_paint_ground() paints?
bool chart_is_old(const chart *c);
/// Geometry and mesh.
void chart_paint_ground(chart *c, canvas *view);
/// Why the selected agent goes where it goes. @return NULL: it does not go anywhere, or no memory. Owned by the chart.
const lw_explanation *chart_why(chart *c);
/// What that path costs beyond its length, in the colours that its pieces have, in rows.
/// @param paint  false: only measure. @return Height.
float chart_paint_why(chart *c, painter *p, SDL_FPoint at, float width, bool paint);
/// Agents and paths.
void chart_paint_live(chart *c, canvas *view);

/// The title at the left and figures at the right. @return Its height.
float chart_header_height(const painter *p);
void chart_paint_header(chart *c, painter *p, SDL_FRect strip);
/// The areas, kinds of links, what agents look like, the axes and a scale bar.
float chart_footer_height(chart *c, painter *p, float width);
void chart_paint_footer(chart *c, canvas *view, SDL_FRect strip);

#endif
