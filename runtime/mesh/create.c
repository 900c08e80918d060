/* lw_navmesh_create(): polygons from the caller are checked, wound counter-clockwise and welded. */
#include "core/status.h"
#include "geometry/geometry.h"
#include "mesh/build.h"
#include "mesh/depths.h"
#include "mesh/link_notes.h"
#include "mesh/outline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Corners may stray from a convex outline by this much. [m] */
#define CONCAVE_SLACK 1e-3
#define MAX_COORDINATE 1e6f
#define MAX_CORNERS 255

typedef struct polygon_input {
  const lw_navmesh_def *def;
  lwi_memory memory;
  int corner_total;
  int *weld;         /* [vertex_count] vertex to welded vertex */
  lw_vec3 *vertices; /* [vertex_count] welded ones first */
  int welded_count;
  int *first_corner;     /* [polygon_count + 1] */
  int *corners;          /* [corner_total] */
  lw_area_id *areas;     /* [polygon_count] */
  uint8_t *parts;        /* [5 * polygon_count] openness, then depths, headrooms, steps */
  lwi_request *requests; /* [link_count] */
  lwi_link_note *notes;  /* [link_count] */
  uint32_t note_count;
} polygon_input;

lw_navmesh_def lw_navmesh_def_default(void) {
  return (lw_navmesh_def){.climb = 0.4f, .agent_radius = 0.4f, .cookie = LWI_COOKIE};
}

static lw_status check_vertices(const lw_navmesh_def *def, lw_error *error) {
  for (int i = 0; i < def->vertex_count; i++) {
    lw_vec3 v = def->vertices[i];
    if (lwi_finite(v) && fabsf(v.x) <= MAX_COORDINATE && fabsf(v.y) <= MAX_COORDINATE &&
        fabsf(v.z) <= MAX_COORDINATE)
      continue;
    return lwi_fail(error, LW_INVALID,
                    "vertex %d of %d is (%g, %g, %g), expected finite numbers within +-1e+06 m", i + 1,
                    def->vertex_count, (double)v.x, (double)v.y, (double)v.z);
  }
  return LW_OK;
}

static lw_status check_polygons(polygon_input *input, lw_error *error) {
  const lw_navmesh_def *def = input->def;
  const int *corner = def->corners;
  for (int p = 0; p < def->polygon_count; p++) {
    int count = def->corner_counts[p];
    if (count < 3 || count > MAX_CORNERS)
      return lwi_fail(error, LW_INVALID, "polygon %d of %d: its number of corners is %d, expected 3 to %d",
                      p + 1, def->polygon_count, count, MAX_CORNERS);
    for (int i = 0; i < count; i++)
      if (corner[i] < 0 || corner[i] >= def->vertex_count)
        return lwi_fail(error, LW_INVALID, "polygon %d of %d: corner %d is vertex %lld, expected 1 to %d",
                        p + 1, def->polygon_count, i + 1, corner[i] + 1LL, def->vertex_count);
    if (def->poly_areas && !lw_area_table_get(def->areas, def->poly_areas[p]))
      return lwi_fail(error, LW_INVALID, "polygon %d of %d: area is %d, expected 1 to %d", p + 1,
                      def->polygon_count, def->poly_areas[p], lw_area_table_count(def->areas));
    corner += count;
    input->corner_total += count;
  }
  return LW_OK;
}

static lw_status check_parts(const lw_navmesh_def *def, const char *name, const float *parts, lw_error *error) {
  for (int p = 0; parts && p < def->polygon_count; p++)
    if (!(parts[p] >= 0 && parts[p] <= 1))
      return lwi_fail(error, LW_INVALID, "polygon %d of %d: %s is %g, expected 0 to 1", p + 1,
                      def->polygon_count, name, (double)parts[p]);
  return LW_OK;
}

static lw_status check_depths(const lw_navmesh_def *def, lw_error *error) {
  const float *depth = def->depths;
  for (int p = 0; depth && p < def->polygon_count; p++, depth += 2)
    if (!(depth[0] >= 0 && depth[1] >= depth[0] && isfinite(depth[1])))
      return lwi_fail(error, LW_INVALID,
                      "polygon %d of %d: depth is %g to %g, expected metres >= 0, the least depth first", p + 1,
                      def->polygon_count, (double)depth[0], (double)depth[1]);
  return LW_OK;
}

static lw_status check_headrooms(const lw_navmesh_def *def, lw_error *error) {
  for (int p = 0; def->headrooms && p < def->polygon_count; p++)
    if (!(def->headrooms[p] > 0))
      return lwi_fail(error, LW_INVALID, "polygon %d of %d: headroom is %g, expected metres > 0", p + 1,
                      def->polygon_count, (double)def->headrooms[p]);
  return LW_OK;
}

static lw_status check_steps(const lw_navmesh_def *def, lw_error *error) {
  for (int p = 0; def->steps && p < def->polygon_count; p++)
    if (!(def->steps[p] >= 0 && isfinite(def->steps[p])))
      return lwi_fail(error, LW_INVALID, "polygon %d of %d: step is %g, expected metres >= 0", p + 1,
                      def->polygon_count, (double)def->steps[p]);
  return LW_OK;
}

static lw_status check_links(const lw_navmesh_def *def, lw_error *error) {
  if (def->link_count < 0 || (def->link_count > 0 && !def->links))
    return lwi_fail(error, LW_INVALID, "link_count is %d, expected 0 or more, and that many links",
                    def->link_count);
  for (int i = 0; i < def->link_count; i++) {
    char name[48];
    snprintf(name, sizeof name, "link %d of %d", i + 1, def->link_count);
    lw_status status = lwi_link_check(&def->links[i], def->areas, name, error);
    if (status != LW_OK) return status;
  }
  return LW_OK;
}

static lw_status check_def(polygon_input *input, lw_error *error) {
  const lw_navmesh_def *def = input->def;
  lw_status status = lwi_check_cookie(def->cookie, "lw_navmesh_def", error);
  if (status != LW_OK) return status;
  if (!def->areas || lw_area_table_count(def->areas) == 0)
    return lwi_fail(error, LW_INVALID, "areas is %s, expected a table with at least one area",
                    def->areas ? "empty" : "NULL");
  if (!def->vertices) return lwi_fail_null(error, "vertices");
  if (!def->corners) return lwi_fail_null(error, "corners");
  if (!def->corner_counts) return lwi_fail_null(error, "corner_counts");
  if (def->vertex_count < 3)
    return lwi_fail(error, LW_INVALID, "vertex_count is %d, expected 3 or more", def->vertex_count);
  if (def->polygon_count < 1)
    return lwi_fail(error, LW_INVALID, "polygon_count is %d, expected 1 or more", def->polygon_count);
  if (!(def->climb >= 0 && isfinite(def->climb)))
    return lwi_fail(error, LW_INVALID, "climb is %g, expected metres >= 0", (double)def->climb);
  if (!(def->agent_radius >= 0 && isfinite(def->agent_radius)))
    return lwi_fail(error, LW_INVALID, "agent_radius is %g, expected metres >= 0", (double)def->agent_radius);
  status = check_vertices(def, error);
  if (status == LW_OK) status = check_polygons(input, error);
  if (status == LW_OK) status = check_parts(def, "openness", def->openness, error);
  if (status == LW_OK) status = check_depths(def, error);
  if (status == LW_OK) status = check_headrooms(def, error);
  if (status == LW_OK) status = check_steps(def, error);
  return status == LW_OK ? check_links(def, error) : status;
}

static lw_status check_outline(const polygon_input *input, int p, const int *corners, int count,
                               lw_error *error) {
  int corner;
  char text[160];
  lwi_outline outline = {input->vertices, corners, count};
  lwi_outline_fault fault = lwi_outline_check(&outline, CONCAVE_SLACK, &corner);
  if (fault == LWI_OUTLINE_CONVEX) return LW_OK;
  lwi_outline_describe(&outline, fault, corner, text, sizeof text);
  return lwi_fail(error, LW_INVALID, "polygon %d of %d %s", p + 1, input->def->polygon_count, text);
}

static lw_status wind(polygon_input *input, lw_error *error) {
  const int *from = input->def->corners;
  int *to = input->corners;
  for (int p = 0; p < input->def->polygon_count; p++) {
    int count = input->def->corner_counts[p];
    double area2 = 0;
    for (int i = 0; i < count; i++) to[i] = input->weld[from[i]];
    for (int i = 2; i < count; i++)
      area2 += lwi_turn(input->vertices[to[0]], input->vertices[to[i - 1]], input->vertices[to[i]]);
    for (int i = 0; area2 < 0 && i < count; i++) to[i] = input->weld[from[count - 1 - i]];
    lw_status status = check_outline(input, p, to, count, error);
    if (status != LW_OK) return status;
    input->first_corner[p] = (int)(to - input->corners);
    input->areas[p] = input->def->poly_areas ? input->def->poly_areas[p] : 1;
    from += count;
    to += count;
  }
  input->first_corner[input->def->polygon_count] = input->corner_total;
  return LW_OK;
}

static lw_status check_overlaps(polygon_input *input, lw_error *error) {
  lwi_overlap overlap;
  lwi_outlines outlines = {input->vertices, input->first_corner, input->corners, input->def->polygon_count};
  if (!lwi_overlap_find(&outlines, input->def->climb, &input->memory, &overlap))
    return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  if (!overlap.found) return LW_OK;
  return lwi_fail(error, LW_INVALID,
                  "polygons %d and %d of %d are both at (%g, %g, %g), expected no overlap: cut one of them",
                  overlap.first + 1, overlap.second + 1, input->def->polygon_count, (double)overlap.at.x,
                  (double)overlap.at.y, (double)overlap.at.z);
}

static void fill_parts(polygon_input *input) {
  const lw_navmesh_def *def = input->def;
  for (int p = 0; p < def->polygon_count; p++) {
    input->parts[4 * def->polygon_count + p] = def->steps ? lwi_step_byte((double)def->steps[p]) : 0;
    input->parts[3 * def->polygon_count + p] =
        def->headrooms ? lwi_headroom_byte((double)def->headrooms[p]) : LWI_HEADROOM_OPEN;
    input->parts[p] = def->openness ? lwi_part_byte(def->openness[p]) : 255;
    for (int end = 0; end < 2; end++)
      input->parts[def->polygon_count + 2 * p + end] =
          def->depths ? lwi_depth_byte((double)def->depths[2 * p + end], end == 1) : 0;
  }
}

static lw_status make(polygon_input *input, lw_navmesh **navmesh, lw_error *error) {
  int links = input->def->link_count;
  if (!input->weld || !input->vertices || !input->first_corner || !input->corners || !input->areas ||
      !input->parts || ((!input->requests || !input->notes) && links > 0) ||
      !lwi_weld(&input->memory, input->def->vertices, input->def->vertex_count, input->weld, input->vertices,
                &input->welded_count))
    return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  lw_status status = wind(input, error);
  if (status == LW_OK) status = check_overlaps(input, error);
  if (status != LW_OK) return status;
  fill_parts(input);
  lwi_tile_source tile = {
      .vertex_count = input->welded_count,
      .polygon_count = input->def->polygon_count,
      .vertices = input->vertices,
      .first_corner = input->first_corner,
      .corners = input->corners,
      .areas = input->areas,
      .openness = input->parts,
      .depths = input->parts + input->def->polygon_count,
      .headrooms = input->parts + 3 * input->def->polygon_count,
      .steps = input->parts + 4 * input->def->polygon_count,
      .bounds = lwi_box_empty(),
  };
  for (int i = 0; i < input->welded_count; i++) tile.bounds = lwi_box_add(tile.bounds, input->vertices[i]);
  for (int i = 0; i < links; i++) {
    const lw_link_def *link = &input->def->links[i];
    input->requests[i] = lwi_request_of(link);
    if (lwi_link_has_note(link, link->name))
      input->notes[input->note_count++] = lwi_link_note_of((uint32_t)i, link, link->name);
  }
  lwi_navmesh_source source = {
      .areas = input->def->areas,
      .allocator = input->def->allocator,
      .agent = {.radius = input->def->agent_radius, .climb = input->def->climb},
      .tile_count = 1,
      .tiles = &tile,
      .annotations = {.request_count = (uint32_t)links,
                      .requests = input->requests,
                      .notes = input->notes,
                      .note_count = input->note_count},
  };
  return lwi_navmesh_build(&source, navmesh, error);
}

lw_status lw_navmesh_create(const lw_navmesh_def *def, lw_navmesh **navmesh, lw_error *error) {
  if (!navmesh) return lwi_fail_null(error, "navmesh");
  *navmesh = NULL;
  if (!def) return lwi_fail_null(error, "def");
  polygon_input input = {.def = def, .memory = lwi_memory_make(def->allocator)};
  lw_status status = check_def(&input, error);
  if (status != LW_OK) return status;
  size_t vertices = (size_t)def->vertex_count, polygons = (size_t)def->polygon_count;
  size_t corners = (size_t)input.corner_total, links = (size_t)def->link_count;
  input.weld = lwi_alloc(&input.memory, vertices * sizeof *input.weld);
  input.vertices = lwi_alloc(&input.memory, vertices * sizeof *input.vertices);
  input.first_corner = lwi_alloc(&input.memory, (polygons + 1) * sizeof *input.first_corner);
  input.corners = lwi_alloc(&input.memory, corners * sizeof *input.corners);
  input.areas = lwi_alloc(&input.memory, polygons * sizeof *input.areas);
  input.parts = lwi_alloc(&input.memory, 5 * polygons);
  input.requests = lwi_alloc(&input.memory, links * sizeof *input.requests);
  input.notes = lwi_alloc(&input.memory, links * sizeof *input.notes);
  status = make(&input, navmesh, error);
  lwi_free(&input.memory, input.weld, vertices * sizeof *input.weld);
  lwi_free(&input.memory, input.vertices, vertices * sizeof *input.vertices);
  lwi_free(&input.memory, input.first_corner, (polygons + 1) * sizeof *input.first_corner);
  lwi_free(&input.memory, input.corners, corners * sizeof *input.corners);
  lwi_free(&input.memory, input.areas, polygons * sizeof *input.areas);
  lwi_free(&input.memory, input.parts, 5 * polygons);
  lwi_free(&input.memory, input.requests, links * sizeof *input.requests);
  lwi_free(&input.memory, input.notes, links * sizeof *input.notes);
  return status;
}
