#include "bake/bake_tile.h"

#include "bake/bake_ground.h"
#include "bake/bake_marks.h"
#include "bake/bake_outline.h"
#include "core/status.h"
#include "core/vec3.h"

#include <string.h>

#define AREAS_MAX (LWI_AREA_BLOCKED - 1)
#define BEND_ERROR 0.9f /* of borders where a bent path is marked [cells] */
#define SPANS_MAX 8191  /* Recast's 13 bits */

/* A tile in work. Its frame has a whole-metre origin near the tile, so that levels far from 0 lose nothing. */
typedef struct work {
  const lwi_bake_plan *plan;
  const lw_geometry *geometry;
  lwi_memory *memory;
  lw_error *error;
  int x, z;
  const int *triangles;
  int triangle_count;

  double origin[3];
  lwi_tile_job job;
  lwi_bake_marks marks;
  float *vertices;                     /* [9 * triangle_count] the job's */
  int *indices;                        /* [3 * triangle_count] */
  uint8_t *areas;                      /* [triangle_count] */
  lw_area_id global[LWI_AREA_BLOCKED]; /* by the job's area */
  uint8_t local[LW_AREA_MAX + 1];      /* and the other way round */
} work;

static lw_vec3 corner(const work *w, int triangle, int k) {
  const int *indices = lw_geometry_indices(w->geometry);
  return lw_geometry_vertices(w->geometry)[indices[3 * w->triangles[triangle] + k]];
}

/* Level enough to stand on, seen from above. */
static bool is_level(const work *w, int triangle) {
  lw_vec3 a = corner(w, triangle, 0), b = corner(w, triangle, 1), c = corner(w, triangle, 2);
  double abx = (double)b.x - a.x, aby = (double)b.y - a.y, abz = (double)b.z - a.z;
  double acx = (double)c.x - a.x, acy = (double)c.y - a.y, acz = (double)c.z - a.z;
  double nx = aby * acz - abz * acy, ny = abz * acx - abx * acz, nz = abx * acy - aby * acx;
  return ny > 0 && ny >= (w->plan->slope_cosine - 1e-6) * sqrt(nx * nx + ny * ny + nz * nz);
}

/* Recast has 62 areas to give: those that this tile needs, in the order of their ids, so that what wins where two
   share a voxel is the same in every tile. */
static lw_status map_areas(work *w, bool *walkable) {
  const lw_area_id *areas = lw_geometry_areas(w->geometry);
  bool used[LW_AREA_MAX + 1] = {false};
  for (int i = 0; i < w->triangle_count; ++i)
    if (is_level(w, i)) used[areas[w->triangles[i]]] = true;
  *walkable = memchr(used + 1, true, LW_AREA_MAX) != NULL;
  for (int i = 0; i < w->marks.count; ++i) {
    const lwi_mark *mark = w->marks.from[i];
    used[mark->area] = true;
    if (mark->is_water) used[mark->deep_area] = true;
  }
  int count = 0;
  for (int area = 1; area <= LW_AREA_MAX; ++area) {
    if (!used[area]) continue;
    if (count == AREAS_MAX)
      return lwi_fail(w->error, LW_LIMIT,
                      "tile (%d, %d) has more than %d areas, the most that Recast can tell apart: "
                      "lower tile_size",
                      w->x, w->z, AREAS_MAX);
    w->local[area] = (uint8_t)++count;
    w->global[count] = (lw_area_id)area;
  }
  w->local[LW_AREA_NONE] = LWI_AREA_BLOCKED;
  for (int i = 0; i < w->triangle_count; ++i)
    w->areas[i] = is_level(w, i) ? w->local[areas[w->triangles[i]]] : 0;
  return LW_OK;
}

/* Planes between voxels lie a quarter cell off the multiples of the cell height, so that floors at round heights are
   never torn between two voxels by the last bit. */
static double snap_down(double y, double cell_height) {
  return (floor(y / cell_height + 0.25) - 0.25) * cell_height;
}

/* The voxels' range in height: the tile's own triangles, but no further beyond the bounds than matters there. */
static lw_status lay_heights(work *w) {
  const lwi_bake_plan *plan = w->plan;
  double low = INFINITY, high = -INFINITY;
  for (int i = 0; i < 3 * w->triangle_count; ++i) {
    lw_vec3 v = corner(w, i / 3, i % 3);
    low = fmin(low, v.y);
    high = fmax(high, v.y);
  }
  double reach =
      (plan->height + plan->climb) * plan->cell_height + 2 * LWI_TILE_BORDER(plan->radius) * plan->cell;
  low = fmax(low, plan->bounds.min.y - reach);
  high = fmax(fmin(high, plan->bounds.max.y + reach), low);
  low = snap_down(low, plan->cell_height);
  double spans = ceil((high - low) / plan->cell_height) + 2;
  if (spans > SPANS_MAX)
    return lwi_fail(w->error, LW_LIMIT,
                    "tile (%d, %d): %g m of height are %.0f cells of cell_height %g m, the most is %d: "
                    "raise cell_height to %.3g m or narrow bounds",
                    w->x, w->z, high - low, spans, plan->cell_height, SPANS_MAX,
                    (high - low) / (SPANS_MAX - 3) + 0.0005);
  w->origin[1] = floor(low);
  w->job.min[1] = (float)(low - w->origin[1]);
  w->job.max[1] = (float)(low + spans * plan->cell_height - w->origin[1]);
  w->job.walk_min = (float)(plan->bounds.min.y - w->origin[1]);
  w->job.walk_max = (float)(plan->bounds.max.y - w->origin[1]);
  return LW_OK;
}

static int cells_here(int index, int tile_cells, int all) {
  int left = all - index * tile_cells;
  return left < tile_cells ? left : tile_cells;
}

static void lay_plane(work *w) {
  const lwi_bake_plan *plan = w->plan;
  double min_x = plan->corner_x + (double)w->x * plan->tile_cells * plan->cell;
  double min_z = plan->corner_z + (double)w->z * plan->tile_cells * plan->cell;
  w->origin[0] = floor(min_x);
  w->origin[2] = floor(min_z);
  w->job.min[0] = (float)(min_x - w->origin[0]);
  w->job.min[2] = (float)(min_z - w->origin[2]);
  w->job.max[0] = w->job.min[0] + (float)(cells_here(w->x, plan->tile_cells, plan->cells_x) * plan->cell);
  w->job.max[2] = w->job.min[2] + (float)(cells_here(w->z, plan->tile_cells, plan->cells_z) * plan->cell);
}

/* Where marks matter: the tile and its border. */
static lw_box reach_of(const work *w) {
  const lwi_bake_plan *plan = w->plan;
  double border = (LWI_TILE_BORDER(plan->radius) + 1) * plan->cell, side = plan->tile_cells * plan->cell;
  double x = plan->corner_x + w->x * side, z = plan->corner_z + w->z * side;
  return (lw_box){{(float)(x - border), 0, (float)(z - border)},
                  {(float)(x + side + border), 0, (float)(z + side + border)}};
}

/* Chords of a bend stray by as much again as its border's voxels do. */
static bool has_bend(const work *w) {
  for (int i = 0; i < w->marks.count; ++i)
    if (w->marks.from[i]->is_path && w->marks.from[i]->point_count > 2) return true;
  return false;
}

/* Recast would drop small islands at once; where links end, it is judged later whether one is needed. */
static bool has_link_end(const work *w) {
  const lwi_links *links = lwi_geometry_links(w->geometry);
  lw_box box = reach_of(w);
  for (int i = 0; i < links->count; ++i) {
    const lw_link_def *link = &links->items[i];
    const lw_vec3 ends[2] = {link->from, link->to};
    for (int k = 0; k < 2; ++k)
      if (ends[k].x >= box.min.x - link->radius && ends[k].x <= box.max.x + link->radius &&
          ends[k].z >= box.min.z - link->radius && ends[k].z <= box.max.z + link->radius)
        return true;
  }
  return false;
}

static void fill_job(work *w) {
  const lwi_bake_plan *plan = w->plan;
  for (int i = 0; i < 3 * w->triangle_count; ++i) {
    lw_vec3 v = corner(w, i / 3, i % 3);
    w->vertices[3 * i + 0] = (float)(v.x - w->origin[0]);
    w->vertices[3 * i + 1] = (float)(v.y - w->origin[1]);
    w->vertices[3 * i + 2] = (float)(v.z - w->origin[2]);
    w->indices[i] = i;
  }
  lwi_tile_job *job = &w->job;
  job->vertices = w->vertices;
  job->vertex_count = 3 * w->triangle_count;
  job->triangles = w->indices;
  job->areas = w->areas;
  job->triangle_count = w->triangle_count;
  lwi_bake_marks_place(&w->marks, w->geometry, w->origin, w->local);
  job->marks = w->marks.marks;
  job->mark_count = w->marks.count;
  job->cell_size = (float)plan->cell;
  job->cell_height = (float)plan->cell_height;
  job->walkable_height = plan->height;
  job->walkable_climb = plan->climb;
  job->walkable_radius = plan->radius;
  job->min_region = has_link_end(w) ? 0 : plan->min_region;
  job->merge_region = plan->merge_region;
  job->max_edge_error = has_bend(w) ? fminf(plan->max_edge_error, BEND_ERROR) : plan->max_edge_error;
  job->max_edge_length = plan->max_edge_length;
  job->detail_distance = plan->detail_distance;
  job->detail_error = plan->detail_error;
}

/* A vertex on the real ground. Recast's guess is the highest of the voxels that touch it. Where no triangle is, as
   over the edge of a step, the middle of the topmost voxel is the best that is known. */
static float settle(const work *w, const lwi_ground *ground, const float *v) {
  float cell = w->job.cell_size, high = w->job.cell_height, height;
  float down = 2 * high * (float)(w->plan->climb + 1) + 2 * cell, up = 3 * high;
  if (lwi_ground_height(ground, v[0], v[2], v[1], down, up, &height)) return height;
  return v[1] - 0.5f * high;
}

/* Back to the level's frame. Counted in cells from the corner of the whole grid, so that two tiles say the same of a
   vertex on the border that they share, to the last bit. */
static float place(double corner, int first_cell, double cell, float local, float local_min) {
  double cells = ((double)local - local_min) / cell, whole = round(cells);
  if (fabs(cells - whole) < 1e-3) cells = whole;
  return (float)(corner + (first_cell + cells) * cell);
}

static void place_all(const work *w, const lwi_ground *ground, const float *from, int count, lw_vec3 *to,
                      lw_box *bounds) {
  const lwi_bake_plan *plan = w->plan;
  for (int i = 0; i < count; ++i, from += 3) {
    to[i].x = place(plan->corner_x, w->x * plan->tile_cells, plan->cell, from[0], w->job.min[0]);
    to[i].y = (float)(settle(w, ground, from) + w->origin[1]);
    to[i].z = place(plan->corner_z, w->z * plan->tile_cells, plan->cell, from[2], w->job.min[2]);
    *bounds = lwi_box_add(*bounds, to[i]);
  }
}

static lw_status finish(const work *w, const lwi_ground *ground, lwi_baked_tile *tile) {
  lwi_tile_result *result = &tile->result;
  int vertices = result->vertex_count, details = result->detail_vertex_count;
  tile->vertex_room = vertices;
  tile->detail_room = details;
  tile->vertices = lwi_alloc(w->memory, (size_t)vertices * sizeof(lw_vec3));
  tile->detail = lwi_alloc(w->memory, (size_t)details * sizeof(lw_vec3));
  if (!tile->vertices || (!tile->detail && details > 0)) return lwi_fail_status(w->error, LW_OUT_OF_MEMORY);
  tile->bounds = lwi_box_empty();
  place_all(w, ground, result->vertices, vertices, tile->vertices, &tile->bounds);
  place_all(w, ground, result->detail_vertices, details, tile->detail, &tile->bounds);
  for (int i = 0; i < result->polygon_count; ++i) result->areas[i] = w->global[result->areas[i]];

  const lwi_bake_plan *plan = w->plan;
  lw_box *box = &tile->bounds;
  int first_x = w->x * plan->tile_cells, first_z = w->z * plan->tile_cells;
  int last_x = first_x + cells_here(w->x, plan->tile_cells, plan->cells_x);
  int last_z = first_z + cells_here(w->z, plan->tile_cells, plan->cells_z);
  box->min.x = (float)(plan->corner_x + first_x * plan->cell);
  box->max.x = (float)(plan->corner_x + last_x * plan->cell);
  box->min.z = (float)(plan->corner_z + first_z * plan->cell);
  box->max.z = (float)(plan->corner_z + last_z * plan->cell);
  return LW_OK;
}

static lw_status run_recast(const work *w, const lwi_plugin *plugin, lwi_baked_tile *tile) {
  switch (plugin->build_tile(&w->job, &tile->result)) {
  case LWI_PLUGIN_OK: break;
  case LWI_PLUGIN_OUT_OF_MEMORY: return lwi_fail_status(w->error, LW_OUT_OF_MEMORY);
  default:
    return lwi_fail(w->error, LW_BAKE_FAILED, "tile (%d, %d): Recast: %s", w->x, w->z, tile->result.message);
  }
  if (tile->result.polygon_count == 0) return LW_OK;
  if (!lwi_bake_outline(&w->job, &tile->result, w->memory)) return lwi_fail_status(w->error, LW_OUT_OF_MEMORY);
  lwi_ground ground;
  bool made =
      lwi_ground_make(&ground, w->vertices, w->areas, w->triangle_count, w->job.min, w->job.max, w->memory);
  lw_status status = made ? finish(w, &ground, tile) : lwi_fail_status(w->error, LW_OUT_OF_MEMORY);
  lwi_ground_free(&ground, w->memory);
  return status;
}

static lw_status bake(work *w, const lwi_plugin *plugin, lwi_baked_tile *tile) {
  bool walkable = false;
  lw_box reach = reach_of(w);
  if (!lwi_bake_marks_find(&w->marks, w->geometry, &reach, w->memory))
    return lwi_fail_status(w->error, LW_OUT_OF_MEMORY);
  lw_status status = map_areas(w, &walkable);
  if (status || !walkable) return status;
  if ((status = lay_heights(w))) return status;
  lay_plane(w);
  fill_job(w);
  return run_recast(w, plugin, tile);
}

lw_status lwi_bake_tile(const lwi_bake_plan *plan, const lw_geometry *geometry, const lwi_plugin *plugin, int x,
                        int z, const int *triangles, int triangle_count, lwi_memory *memory,
                        lwi_baked_tile *tile, lw_error *error) {
  *tile = (lwi_baked_tile){.x = x, .z = z};
  if (triangle_count == 0) return LW_OK;
  work w = {.plan = plan,
            .geometry = geometry,
            .memory = memory,
            .error = error,
            .x = x,
            .z = z,
            .triangles = triangles,
            .triangle_count = triangle_count};
  size_t count = (size_t)triangle_count;
  w.vertices = lwi_alloc(memory, 9 * count * sizeof(float));
  w.indices = lwi_alloc(memory, 3 * count * sizeof(int));
  w.areas = lwi_alloc(memory, count);
  lw_status status =
      w.vertices && w.indices && w.areas ? bake(&w, plugin, tile) : lwi_fail_status(error, LW_OUT_OF_MEMORY);
  lwi_free(memory, w.vertices, 9 * count * sizeof(float));
  lwi_free(memory, w.indices, 3 * count * sizeof(int));
  lwi_free(memory, w.areas, count);
  lwi_bake_marks_free(&w.marks, memory);
  if (status) lwi_baked_tile_free(plugin, tile, memory);
  return status;
}

void lwi_baked_tile_free(const lwi_plugin *plugin, lwi_baked_tile *tile, lwi_memory *memory) {
  lwi_free(memory, tile->vertices, (size_t)tile->vertex_room * sizeof(lw_vec3));
  lwi_free(memory, tile->detail, (size_t)tile->detail_room * sizeof(lw_vec3));
  tile->vertices = tile->detail = NULL;
  plugin->free_tile(&tile->result);
}
