#include "bake/bake_tile.h"

#include "bake/bake_marks.h"
#include "core/status.h"
#include "core/vec3.h"

#include "geometry/plugin.h"
#include <limits.h>
#include <math.h>
#include <string.h>

#define AREAS_MAX (LWI_AREA_BLOCKED - 1)
#define BEND_ERROR 0.9f /* largest edge error where a path with corners is marked [cells] */
#define SPANS_MAX 8191  /* Recast stores them in 13 bits */

/* A tile being baked. Its frame's origin is on whole metres near the tile, so levels far from 0 lose no
   precision. */
typedef struct work {
  const lwi_bake_tile_def *def;
  const lwi_bake_plan *plan;
  lw_error *error;
  double origin[3];
  lwi_tile_job job;
  lwi_bake_marks marks;
  lwi_tile_solid *solids; /* [solid_count] */
  int solid_count;
  float *vertices;                     /* [9 * triangle_count] in the tile's frame */
  int *indices;                        /* [3 * triangle_count] */
  uint8_t *areas;                      /* [triangle_count] */
  lw_area_id global[LWI_AREA_BLOCKED]; /* the geometry's area by the job's */
  uint8_t local[LW_AREA_MAX + 1];      /* the job's area by the geometry's */
} work;

/* --- ground ----------------------------------------------------------------------------------------------- */

typedef struct ground_bins {
  const float *vertices; ///< [9 * triangle_count] Three corners a triangle. Borrowed.
  float min_x, min_z, bin_size;
  int bins_x, bins_z;
  int *first; ///< [bins_x * bins_z + 1]
  int *items; ///< Triangles by bin.
  int item_count;
} ground_bins;

#define BINS 48         /* along the longer side of a tile */
#define FLATNESS 0.05   /* the least y of a unit normal that counts as ground */
#define EDGE_SLACK 1e-4 /* so that no point falls between two triangles [m] */

static int bin_along(float value, float min, float size, int bins) {
  int bin = (int)floorf((value - min) / size);
  return bin < 0 ? 0 : bin >= bins ? bins - 1 : bin;
}

static bool faces_up(const float *t) {
  double ax = (double)t[3] - t[0], ay = (double)t[4] - t[1], az = (double)t[5] - t[2];
  double bx = (double)t[6] - t[0], by = (double)t[7] - t[1], bz = (double)t[8] - t[2];
  double nx = ay * bz - az * by, ny = az * bx - ax * bz, nz = ax * by - ay * bx;
  return ny > FLATNESS * sqrt(nx * nx + ny * ny + nz * nz);
}

/* Count the triangles of each bin, or put them into `items`. */
static long long spread(ground_bins *ground, const uint8_t *areas, int triangle_count, bool put) {
  long long total = 0;
  for (int i = 0; i < triangle_count; ++i) {
    const float *t = ground->vertices + 9 * (size_t)i;
    if (areas[i] == LWI_AREA_BLOCKED || !faces_up(t)) continue;
    int x0 = bin_along(fminf(fminf(t[0], t[3]), t[6]), ground->min_x, ground->bin_size, ground->bins_x);
    int x1 = bin_along(fmaxf(fmaxf(t[0], t[3]), t[6]), ground->min_x, ground->bin_size, ground->bins_x);
    int z0 = bin_along(fminf(fminf(t[2], t[5]), t[8]), ground->min_z, ground->bin_size, ground->bins_z);
    int z1 = bin_along(fmaxf(fmaxf(t[2], t[5]), t[8]), ground->min_z, ground->bin_size, ground->bins_z);
    for (int z = z0; z <= z1; ++z)
      for (int x = x0; x <= x1; ++x, ++total) {
        int *slot = &ground->first[z * ground->bins_x + x];
        if (put)
          ground->items[--*slot] = i;
        else
          ++*slot;
      }
  }
  return total;
}

static bool ground_make(ground_bins *ground, const work *w) {
  const float *min = w->job.min, *max = w->job.max;
  lwi_memory *memory = w->def->memory;
  float width = max[0] - min[0], depth = max[2] - min[2];
  *ground = (ground_bins){.vertices = w->vertices, .min_x = min[0], .min_z = min[2]};
  ground->bin_size = fmaxf(width, depth) / BINS;
  ground->bins_x = (int)ceilf(width / ground->bin_size);
  ground->bins_z = (int)ceilf(depth / ground->bin_size);
  int bins = ground->bins_x * ground->bins_z;
  ground->first = lwi_alloc_zero(memory, ((size_t)bins + 1) * sizeof(int));
  if (!ground->first) return false;
  long long total = spread(ground, w->areas, w->def->triangle_count, false);
  if (total > INT_MAX) return false;
  ground->item_count = (int)total;
  for (int i = 1; i <= bins; ++i) ground->first[i] += ground->first[i - 1];
  if (total == 0) return true;
  ground->items = lwi_alloc(memory, (size_t)total * sizeof(int));
  if (!ground->items) return false;
  spread(ground, w->areas, w->def->triangle_count, true); /* ends become beginnings */
  return true;
}

static void ground_free(ground_bins *ground, lwi_memory *memory) {
  size_t bins = (size_t)ground->bins_x * (size_t)ground->bins_z;
  lwi_free(memory, ground->first, (bins + 1) * sizeof(int));
  lwi_free(memory, ground->items, (size_t)ground->item_count * sizeof(int));
  *ground = (ground_bins){0};
}

/* The height of the triangle's plane at (x, z), if that lies inside the triangle in xz. */
static bool height_in(const float *t, double x, double z, double *height) {
  double ax = (double)t[3] - t[0], az = (double)t[5] - t[2];
  double bx = (double)t[6] - t[0], bz = (double)t[8] - t[2];
  double px = x - t[0], pz = z - t[2];
  double area = az * bx - ax * bz;
  double u = pz * bx - px * bz, v = az * px - ax * pz;
  double slack = EDGE_SLACK * (fabs(ax) + fabs(az) + fabs(bx) + fabs(bz));
  if (area <= 0 || u < -slack || v < -slack || u + v > area + slack) return false;
  *height = t[1] + (u * ((double)t[4] - t[1]) + v * ((double)t[7] - t[1])) / area;
  return true;
}

/* The height of the ground at (at[0], at[2]) nearest to at[1], within at[1] - down .. at[1] + up. Recast's
   heights are tops of voxels: too high by up to a cell height, on slopes by more. @return false: no ground. */
static bool ground_height(const ground_bins *ground, const float at[3], float down, float up, float *height) {
  const float x = at[0], guess = at[1], z = at[2];
  int bin = bin_along(z, ground->min_z, ground->bin_size, ground->bins_z) * ground->bins_x +
            bin_along(x, ground->min_x, ground->bin_size, ground->bins_x);
  double best = INFINITY;
  for (int i = ground->first[bin]; i < ground->first[bin + 1]; ++i) {
    double here;
    if (!height_in(ground->vertices + 9 * (size_t)ground->items[i], x, z, &here)) continue;
    if (here < guess - down || here > guess + up || fabs(here - guess) >= best) continue;
    best = fabs(here - guess);
    *height = (float)here;
  }
  return best < INFINITY;
}

/* --- a tile ----------------------------------------------------------------------------------------------- */

static lw_vec3 corner(const work *w, int triangle, int k) {
  const int *indices = lw_geometry_indices(w->def->geometry);
  return lw_geometry_vertices(w->def->geometry)[indices[3 * w->def->triangles[triangle] + k]];
}

/* Is the triangle level enough to stand on, and does it face up? */
static bool is_level(const work *w, int triangle) {
  lw_vec3 a = corner(w, triangle, 0), b = corner(w, triangle, 1), c = corner(w, triangle, 2);
  double abx = (double)b.x - a.x, aby = (double)b.y - a.y, abz = (double)b.z - a.z;
  double acx = (double)c.x - a.x, acy = (double)c.y - a.y, acz = (double)c.z - a.z;
  double nx = aby * acz - abz * acy, ny = abz * acx - abx * acz, nz = abx * acy - aby * acx;
  return ny > 0 && ny >= (w->plan->slope_cosine - 1e-6) * sqrt(nx * nx + ny * ny + nz * nz);
}

/* Recast has 62 areas: give them to the areas that this tile needs, in the order of their ids, so that the
   same area wins in every tile where two share a voxel. */
static lw_status map_areas(work *w, bool *walkable) {
  const lw_area_id *areas = lw_geometry_areas(w->def->geometry);
  bool used[LW_AREA_MAX + 1] = {false};
  for (int i = 0; i < w->def->triangle_count; ++i)
    if (is_level(w, i)) used[areas[w->def->triangles[i]]] = true;
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
                      w->def->x, w->def->z, AREAS_MAX);
    w->local[area] = (uint8_t)++count;
    w->global[count] = (lw_area_id)area;
  }
  w->local[LW_AREA_NONE] = LWI_AREA_BLOCKED;
  for (int i = 0; i < w->def->triangle_count; ++i)
    w->areas[i] = is_level(w, i) ? w->local[areas[w->def->triangles[i]]] : 0;
  return LW_OK;
}

/* Planes between voxels lie a quarter cell off the multiples of the cell height, so that floors at round
   heights are not split between two voxels by rounding. */
static double snap_down(double y, double cell_height) {
  return (floor(y / cell_height + 0.25) - 0.25) * cell_height;
}

/* The voxels' range in height: that of the tile's triangles, but no further beyond the bounds than matters
   there. */
static lw_status lay_heights(work *w) {
  const lwi_bake_plan *plan = w->plan;
  double low = INFINITY, high = -INFINITY;
  for (int i = 0; i < 3 * w->def->triangle_count; ++i) {
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
                    w->def->x, w->def->z, high - low, spans, plan->cell_height, SPANS_MAX,
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
  double min_x = plan->corner_x + (double)w->def->x * plan->tile_cells * plan->cell;
  double min_z = plan->corner_z + (double)w->def->z * plan->tile_cells * plan->cell;
  w->origin[0] = floor(min_x);
  w->origin[2] = floor(min_z);
  w->job.min[0] = (float)(min_x - w->origin[0]);
  w->job.min[2] = (float)(min_z - w->origin[2]);
  w->job.max[0] = w->job.min[0] + (float)(cells_here(w->def->x, plan->tile_cells, plan->cells_x) * plan->cell);
  w->job.max[2] = w->job.min[2] + (float)(cells_here(w->def->z, plan->tile_cells, plan->cells_z) * plan->cell);
}

/* The area in which marks matter: the tile and its border. */
static lw_box reach_of(const work *w) {
  const lwi_bake_plan *plan = w->plan;
  double border = (LWI_TILE_BORDER(plan->radius) + 1) * plan->cell, side = plan->tile_cells * plan->cell;
  double x = plan->corner_x + w->def->x * side, z = plan->corner_z + w->def->z * side;
  return (lw_box){{(float)(x - border), 0, (float)(z - border)},
                  {(float)(x + side + border), 0, (float)(z + side + border)}};
}

/* Where a path turns, its border's edges stray as much again as its voxels do. */
static bool has_bend(const work *w) {
  for (int i = 0; i < w->marks.count; ++i)
    if (w->marks.from[i]->is_path && w->marks.from[i]->point_count > 2) return true;
  return false;
}

/* Does a link end near the tile? Then Recast must not drop small islands: links may need them, which is
   judged later. */
static bool has_link_end(const work *w) {
  const lwi_links *links = lwi_geometry_links(w->def->geometry);
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

/* The next solid of the tile: `*at` goes on to the triangle behind those of it. @return NULL: no more. */
static const lwi_solid *next_solid(const work *w, int *at) {
  const lwi_bake_tile_def *def = w->def;
  while (*at < def->triangle_count) {
    const lwi_solid *solid = lwi_geometry_solid_of(def->geometry, def->triangles[(*at)++]);
    if (!solid) continue;
    while (*at < def->triangle_count && def->triangles[*at] < solid->end_triangle) ++*at;
    return solid;
  }
  return NULL;
}

/* Find the solids whose triangles the tile has, and move them into its frame. */
static bool find_solids(work *w) {
  int at = 0;
  while (next_solid(w, &at)) ++w->solid_count;
  if (w->solid_count == 0) return true;
  w->solids = lwi_alloc(w->def->memory, (size_t)w->solid_count * sizeof *w->solids);
  if (!w->solids) return false;
  at = 0;
  for (int i = 0; i < w->solid_count; ++i) {
    const lwi_solid *from = next_solid(w, &at);
    lwi_tile_solid *to = &w->solids[i];
    for (int k = 0; k < 3; ++k) {
      to->top[k][0] = (float)(from->top[k].x - w->origin[0]);
      to->top[k][1] = (float)(from->top[k].y - w->origin[1]);
      to->top[k][2] = (float)(from->top[k].z - w->origin[2]);
      to->bottom[k] = (float)(from->bottom[k] - w->origin[1]);
    }
  }
  return true;
}

static void fill_job(work *w) {
  const lwi_bake_plan *plan = w->plan;
  for (int i = 0; i < 3 * w->def->triangle_count; ++i) {
    lw_vec3 v = corner(w, i / 3, i % 3);
    w->vertices[3 * i + 0] = (float)(v.x - w->origin[0]);
    w->vertices[3 * i + 1] = (float)(v.y - w->origin[1]);
    w->vertices[3 * i + 2] = (float)(v.z - w->origin[2]);
    w->indices[i] = i;
  }
  lwi_tile_job *job = &w->job;
  job->vertices = w->vertices;
  job->vertex_count = 3 * w->def->triangle_count;
  job->triangles = w->indices;
  job->areas = w->areas;
  job->triangle_count = w->def->triangle_count;
  lwi_bake_marks_place(&w->marks, w->def->geometry, w->origin, w->local);
  job->solids = w->solids;
  job->solid_count = w->solid_count;
  job->marks = w->marks.marks;
  job->mark_count = w->marks.count;
  job->cell_size = (float)plan->cell;
  job->cell_height = (float)plan->cell_height;
  job->walkable_height = plan->low;
  job->walkable_climb = plan->climb;
  job->walkable_radius = plan->radius;
  job->min_region = has_link_end(w) ? 0 : plan->min_region;
  job->merge_region = plan->merge_region;
  job->max_edge_error = has_bend(w) ? fminf(plan->max_edge_error, BEND_ERROR) : plan->max_edge_error;
  job->max_edge_length = plan->max_edge_length;
  job->detail_distance = plan->detail_distance;
  job->detail_error = plan->detail_error;
  job->limits.depths = plan->limits.depths.items;
  job->limits.depth_count = plan->limits.depths.count;
  job->limits.heights = plan->heights;
  job->limits.height_count = plan->height_count;
  job->limits.steps = plan->limits.climbs.items;
  job->limits.step_count = plan->limits.climbs.count;
  job->limits.min_island = plan->min_region;
  job->limits.climb = (float)(plan->climb * plan->cell_height);
}

/* A vertex's height on the real ground. Recast's is the highest of the voxels that touch it. Where no
   triangle is, as over the edge of a step, the middle of the topmost voxel is the best estimate. */
static float settle(const work *w, const ground_bins *ground, const float *v) {
  float cell = w->job.cell_size, high = w->job.cell_height, height = v[1];
  float down = 2 * high * (float)(w->plan->climb + 1) + 2 * cell, up = 3 * high;
  if (ground_height(ground, v, down, up, &height)) return height;
  return v[1] - 0.5f * high;
}

/* A coordinate in the level's frame, counted in cells from the corner of the whole grid, so that two tiles
   compute equal bits for a vertex on their common border. */
static float place(double corner, int first_cell, double cell, float local, float local_min) {
  double cells = ((double)local - local_min) / cell, whole = round(cells);
  if (fabs(cells - whole) < 1e-3) cells = whole;
  return (float)(corner + (first_cell + cells) * cell);
}

static void place_all(const work *w, const ground_bins *ground, const float *from, int count, lw_vec3 *to,
                      lw_box *bounds) {
  const lwi_bake_plan *plan = w->plan;
  for (int i = 0; i < count; ++i, from += 3) {
    to[i].x = place(plan->corner_x, w->def->x * plan->tile_cells, plan->cell, from[0], w->job.min[0]);
    to[i].y = (float)(settle(w, ground, from) + w->origin[1]);
    to[i].z = place(plan->corner_z, w->def->z * plan->tile_cells, plan->cell, from[2], w->job.min[2]);
    *bounds = lwi_box_add(*bounds, to[i]);
  }
}

static lw_status finish(const work *w, const ground_bins *ground, lwi_baked_tile *tile) {
  lwi_tile_result *result = &tile->result;
  int vertices = result->vertex_count, details = result->detail_vertex_count;
  tile->vertex_scratch = vertices;
  tile->detail_scratch = details;
  tile->vertices = lwi_alloc(w->def->memory, (size_t)vertices * sizeof(lw_vec3));
  tile->detail = lwi_alloc(w->def->memory, (size_t)details * sizeof(lw_vec3));
  if (!tile->vertices || (!tile->detail && details > 0)) return lwi_fail_status(w->error, LW_OUT_OF_MEMORY);
  tile->bounds = lwi_box_empty();
  place_all(w, ground, result->vertices, vertices, tile->vertices, &tile->bounds);
  place_all(w, ground, result->detail_vertices, details, tile->detail, &tile->bounds);
  for (int i = 0; i < result->polygon_count; ++i) result->areas[i] = w->global[result->areas[i]];

  const lwi_bake_plan *plan = w->plan;
  lw_box *box = &tile->bounds;
  int first_x = w->def->x * plan->tile_cells, first_z = w->def->z * plan->tile_cells;
  int last_x = first_x + cells_here(w->def->x, plan->tile_cells, plan->cells_x);
  int last_z = first_z + cells_here(w->def->z, plan->tile_cells, plan->cells_z);
  box->min.x = (float)(plan->corner_x + first_x * plan->cell);
  box->max.x = (float)(plan->corner_x + last_x * plan->cell);
  box->min.z = (float)(plan->corner_z + first_z * plan->cell);
  box->max.z = (float)(plan->corner_z + last_z * plan->cell);
  return LW_OK;
}

lwi_tile_source lwi_baked_tile_source(const lwi_baked_tile *tile) {
  const lwi_tile_result *result = &tile->result;
  if (tile->fine.is_cut) return tile->fine.source;
  return (lwi_tile_source){.x = tile->x,
                           .z = tile->z,
                           .bounds = tile->bounds,
                           .vertex_count = result->vertex_count,
                           .polygon_count = result->polygon_count,
                           .vertices = tile->vertices,
                           .first_corner = result->first_corner,
                           .corners = result->corners,
                           .border = result->border,
                           .areas = result->areas,
                           .headrooms = result->headrooms,
                           .steps = result->steps,
                           .first_detail_vertex = result->first_detail_vertex,
                           .detail_vertices = tile->detail,
                           .first_detail_triangle = result->first_detail_triangle,
                           .detail_triangles = result->detail_triangles};
}

static lw_status cut(const work *w, lwi_baked_tile *tile) {
  const lwi_tile_source source = lwi_baked_tile_source(tile);
  if (lwi_detail_split(&source, w->def->rules, w->def->memory, &tile->fine)) return LW_OK;
  return lwi_fail_status(w->error, LW_OUT_OF_MEMORY);
}

static lw_status run_recast(const work *w, lwi_baked_tile *tile) {
  switch (w->def->plugin->build_tile(&w->job, w->def->memory, &tile->result)) {
  case LWI_PLUGIN_OK: break;
  case LWI_PLUGIN_OUT_OF_MEMORY: return lwi_fail_status(w->error, LW_OUT_OF_MEMORY);
  default:
    return lwi_fail(w->error, LW_BAKE_FAILED, "tile (%d, %d): Recast: %s", w->def->x, w->def->z,
                    tile->result.message);
  }
  if (tile->result.polygon_count == 0) return LW_OK;
  if (!lwi_bake_outline(&w->job, &tile->result, w->def->memory))
    return lwi_fail_status(w->error, LW_OUT_OF_MEMORY);
  ground_bins ground;
  bool built = ground_make(&ground, w);
  lw_status status = built ? finish(w, &ground, tile) : lwi_fail_status(w->error, LW_OUT_OF_MEMORY);
  ground_free(&ground, w->def->memory);
  return status == LW_OK ? cut(w, tile) : status;
}

static lw_status bake(work *w, lwi_baked_tile *tile) {
  bool walkable = false;
  lw_box reach = reach_of(w);
  if (!lwi_bake_marks_find(&w->marks, w->def->geometry, &reach, w->def->memory))
    return lwi_fail_status(w->error, LW_OUT_OF_MEMORY);
  lw_status status = map_areas(w, &walkable);
  if (status || !walkable) return status;
  if ((status = lay_heights(w))) return status;
  lay_plane(w);
  if (!find_solids(w)) return lwi_fail_status(w->error, LW_OUT_OF_MEMORY);
  fill_job(w);
  return run_recast(w, tile);
}

lw_status lwi_bake_tile(const lwi_bake_tile_def *def, lwi_baked_tile *tile, lw_error *error) {
  *tile = (lwi_baked_tile){.x = def->x, .z = def->z};
  if (def->triangle_count == 0) return LW_OK;
  work w = {.def = def, .plan = def->plan, .error = error};
  const size_t count = (size_t)def->triangle_count;
  w.vertices = lwi_alloc(def->memory, 9 * count * sizeof(float));
  w.indices = lwi_alloc(def->memory, 3 * count * sizeof(int));
  w.areas = lwi_alloc(def->memory, count);
  const bool allocated = w.vertices && w.indices && w.areas;
  lw_status status = allocated ? bake(&w, tile) : lwi_fail_status(error, LW_OUT_OF_MEMORY);
  lwi_free(def->memory, w.vertices, 9 * count * sizeof(float));
  lwi_free(def->memory, w.indices, 3 * count * sizeof(int));
  lwi_free(def->memory, w.areas, count);
  lwi_free(def->memory, w.solids, (size_t)w.solid_count * sizeof *w.solids);
  lwi_bake_marks_free(&w.marks, def->memory);
  if (status) lwi_baked_tile_free(tile, def->memory);
  return status;
}

void lwi_baked_tile_free(lwi_baked_tile *tile, lwi_memory *memory) {
  tile->fine.memory = memory;
  lwi_detail_tile_free(&tile->fine);
  lwi_free(memory, tile->vertices, (size_t)tile->vertex_scratch * sizeof(lw_vec3));
  lwi_free(memory, tile->detail, (size_t)tile->detail_scratch * sizeof(lw_vec3));
  lwi_free(memory, tile->result.block, tile->result.block_size);
  *tile = (lwi_baked_tile){.x = tile->x, .z = tile->z};
}
