/// The chart: the level, its mesh and its agents on a canvas.
#include "chart.h"

#include <math.h>
#include <stdlib.h>

#define GROUND_LAYERS                                                                                          \
  (LW_DRAW_AREAS | LW_DRAW_EDGES | LW_DRAW_BORDERS | LW_DRAW_TILES | LW_DRAW_LINKS | LW_DRAW_COVER |           \
   LW_DRAW_EXPOSURE | LW_DRAW_OPENNESS)

static lw_box grown(lw_box box, float by) {
  box.min.x -= by, box.min.z -= by;
  box.max.x += by, box.max.z += by;
  return box;
}

int chart_navmesh_count(const chart *c) {
  return c->world ? lw_world_navmesh_count(c->world) : 1;
}

const lw_navmesh *chart_navmesh(const chart *c, int index) {
  return c->world ? lw_world_navmesh_at(c->world, index) : c->navmesh;
}

static lw_box navmesh_bounds(const chart *c) {
  lw_box all = lw_navmesh_bounds(c->navmesh);
  for (int i = 1; i < chart_navmesh_count(c); i++) {
    lw_box box = lw_navmesh_bounds(chart_navmesh(c, i));
    all.min = (lw_vec3){fminf(all.min.x, box.min.x), fminf(all.min.y, box.min.y), fminf(all.min.z, box.min.z)};
    all.max = (lw_vec3){fmaxf(all.max.x, box.max.x), fmaxf(all.max.y, box.max.y), fmaxf(all.max.z, box.max.z)};
  }
  return all;
}

/// The box to show: the geometry, limited to a margin around the mesh, since a sky box would make the level
/// tiny.
static lw_box measure(const chart *c) {
  lw_box mesh = navmesh_bounds(c);
  float size = fmaxf(mesh.max.x - mesh.min.x, mesh.max.z - mesh.min.z);
  if (!c->geometry || !lw_geometry_triangle_count(c->geometry)) return grown(mesh, 0.01f * size);
  lw_box all = lw_geometry_bounds(c->geometry), limit = grown(mesh, fmaxf(2, 0.06f * size));
  all.min.x = fmaxf(fminf(all.min.x, mesh.min.x), limit.min.x);
  all.min.z = fmaxf(fminf(all.min.z, mesh.min.z), limit.min.z);
  all.max.x = fminf(fmaxf(all.max.x, mesh.max.x), limit.max.x);
  all.max.z = fminf(fmaxf(all.max.z, mesh.max.z), limit.max.z);
  return all;
}

typedef struct area_size {
  lw_area_id area;
  double size;
} area_size;

static int larger_first(const void *left, const void *right) {
  const area_size *a = left, *b = right;
  if (a->size != b->size) return a->size > b->size ? -1 : 1;
  return a->area - b->area;
}

static void add_areas(const lw_navmesh *navmesh, area_size *sizes) {
  lw_poly poly;
  for (lw_poly_id id = lw_navmesh_next_poly(navmesh, 0); id; id = lw_navmesh_next_poly(navmesh, id)) {
    if (lw_navmesh_get_poly(navmesh, id, &poly) != LW_OK) continue;
    sizes[poly.area].size = fmax(sizes[poly.area].size, 0) + (double)poly.area_m2;
  }
}

static void find_areas(chart *c) {
  area_size sizes[LW_AREA_MAX + 1];
  for (int i = 0; i <= LW_AREA_MAX; i++) sizes[i] = (area_size){(lw_area_id)i, -1};
  for (int i = 0; i < chart_navmesh_count(c); i++) add_areas(chart_navmesh(c, i), sizes);
  qsort(sizes, LW_AREA_MAX + 1, sizeof *sizes, larger_first);
  c->area_count = 0;
  for (int i = 0; i < LW_AREA_MAX && sizes[i].size >= 0; i++) c->areas[c->area_count++] = sizes[i].area;
}

void chart_count_obstacles(const chart *c, obstacle_counts *counts) {
  lw_obstacle_id id = lw_obstacle_id_none();
  lw_obstacle_state state;
  *counts = (obstacle_counts){.all = 0};
  while (!lw_obstacle_id_is_none(id = lw_obstacle_next(c->world, id))) {
    if (lw_obstacle_get_state(c->world, id, &state) != LW_OK) continue;
    const bool marks = !state.def.blocks && state.def.area != LW_AREA_NONE;
    const bool is_priced = !state.def.blocks && !marks && state.def.cost > 0;
    int *kind = marks ? &counts->areas[state.def.area] : is_priced ? &counts->priced : &counts->plain;
    int *kind_cut = marks       ? &counts->areas_cut[state.def.area]
                    : is_priced ? &counts->priced_cut
                                : &counts->plain_cut;
    counts->all += 1;
    counts->cut += state.is_cut;
    *kind += 1;
    *kind_cut += state.is_cut;
  }
}

void chart_open(chart *c) {
  c->bounds = measure(c);
  find_areas(c);
  if (!c->geometry) return;
  lw_debug_draw draw = scene_recorder(&c->relief, 0);
  lw_geometry_debug_draw(c->geometry, &draw);
  chart_find_upper(c);
  scene_sort(&c->relief);
}

void chart_close(chart *c) {
  lw_explanation_destroy(c->why);
  c->why = NULL;
  scene_free(&c->relief);
  scene_free(&c->upper);
  scene_free(&c->mesh);
  scene_free(&c->live);
}

bool chart_out_of_memory(const chart *c) {
  return c->relief.out_of_memory || c->upper.out_of_memory || c->mesh.out_of_memory || c->live.out_of_memory;
}

uint64_t chart_ground_version(const chart *c) {
  uint64_t sum = 0;
  for (int i = 0; i < chart_navmesh_count(c); i++) sum += lw_navmesh_version(chart_navmesh(c, i));
  return sum;
}

static bool has_changed_ground(const chart *c) {
  return c->ground_version != chart_ground_version(c);
}

bool chart_is_old(const chart *c) {
  return has_changed_ground(c) || (c->world && (c->layers & (LW_DRAW_EXPOSURE | LW_DRAW_COVER)) &&
                                   c->threats != lw_threat_version(c->world));
}

void chart_paint_ground(chart *c, canvas *view) {
  uint32_t wanted = (c->layers & GROUND_LAYERS) | (c->ground ? CHART_UPPER : 0);
  if (wanted != c->recorded || chart_is_old(c)) {
    if (has_changed_ground(c)) find_areas(c);
    scene_clear(&c->mesh);
    lw_debug_draw draw = scene_recorder(&c->mesh, 0);
    if (c->world)
      lw_world_debug_draw(c->world, wanted & GROUND_LAYERS, lw_agent_id_none(), &draw);
    else
      lw_navmesh_debug_draw(c->navmesh, wanted & GROUND_LAYERS, &draw);
    for (int i = 0; c->ground && i < c->upper.count; i++) scene_add(&c->mesh, &c->upper.shapes[i]);
    scene_sort(&c->mesh);
    c->recorded = wanted;
    c->ground_version = chart_ground_version(c);
    if (c->world) c->threats = lw_threat_version(c->world);
  }
  if (c->ground) canvas_paint(view, &c->relief);
  canvas_paint(view, &c->mesh);
}

const lw_explanation *chart_why(chart *c) {
  lw_agent_stats stats = {0};
  lw_agent_state state = {0};
  if (!c->world || lw_agent_get_stats(c->world, c->selected, &stats) != LW_OK) return NULL;
  if (lw_agent_get_state(c->world, c->selected, &state) != LW_OK || state.move != LW_MOVE_WALKING) return NULL;
  if (c->why && lw_agent_id_equal(c->why_of, c->selected) && c->why_search == stats.searches) return c->why;
  lw_explanation_destroy(c->why);
  c->why_of = c->selected;
  c->why_search = stats.searches;
  return lw_agent_explain(c->world, NULL, c->selected, &c->why) == LW_OK ? c->why : NULL;
}

void chart_paint_live(chart *c, canvas *view) {
  if (!c->world) return;
  scene_clear(&c->live);
  lw_debug_draw draw = scene_recorder(&c->live, canvas_pixel(view));
  draw.behind = c->behind;
  lw_world_debug_draw(c->world, c->layers & ~(uint32_t)GROUND_LAYERS, c->selected, &draw);
  canvas_paint(view, &c->live);
}
