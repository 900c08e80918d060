#include "bake/near_ground.h"

#include "bake/wall_ground.h"

/* A line that is over a polygon for no longer than this touches its border. [m] */
#define TOUCH 1e-3f
/* Along a polygon whose surface may rise or fall to a height that counts. [m] */
#define SLOPE_STEP 0.2f

bool lwi_ground_space_init(lwi_ground_space *space, const lw_navmesh *mesh, lwi_memory *memory) {
  const size_t size = mesh->polygons.count * sizeof *space->boxes;
  *space = (lwi_ground_space){.mesh = mesh, .boxes = lwi_alloc(memory, size)};
  if (!space->boxes && size > 0) return false;
  lwi_beside_boxes(mesh, space->boxes);
  return lwi_box_grid_make(&space->grid, space->boxes, (int)mesh->polygons.count, memory);
}

void lwi_ground_space_free(lwi_ground_space *space, lwi_memory *memory) {
  if (space->mesh) lwi_free(memory, space->boxes, space->mesh->polygons.count * sizeof *space->boxes);
  lwi_box_grid_free(&space->grid, memory);
  *space = (lwi_ground_space){0};
}

bool lwi_ground_space_near(const lwi_ground_space *space, lw_box box, lwi_box_list *list) {
  return lwi_box_grid_list(&space->grid, space->boxes, box, list);
}

static bool is_beside(const lw_box *box, lw_vec3 at) {
  return at.x < box->min.x || at.x > box->max.x || at.z < box->min.z || at.z > box->max.z;
}

bool lwi_ground_at(const lwi_ground_space *space, const lwi_box_list *list, const lwi_level_line *line,
                   float far, lwi_near_ground *ground) {
  const lw_vec3 at = lwi_level_line_at(line, far);
  bool found = false;
  for (int i = 0; i < list->count; i++) {
    const uint32_t polygon = (uint32_t)list->items[i];
    const lw_box *box = &space->boxes[polygon];
    if (is_beside(box, at) || box->max.y < line->low || box->min.y > line->high) continue;
    const lwi_polygon outline = lwi_polygon_get(space->mesh, polygon);
    if (!lwi_polygon_holds(&outline, at, 0)) continue;
    const float y = lwi_polygon_height(space->mesh, polygon, at.x, at.z);
    if (y < line->low || y > line->high || (found && y <= ground->point.y)) continue;
    *ground = (lwi_near_ground){polygon, {at.x, y, at.z}};
    found = true;
  }
  return found;
}

/* May the line pass over or under the box? */
static bool may_meet(const lw_box *box, const lwi_level_line *line) {
  const lw_vec3 a = line->from, b = lwi_level_line_at(line, line->length);
  return box->max.y >= line->low && box->min.y <= line->high && box->max.x >= lwi_min(a.x, b.x) &&
         box->min.x <= lwi_max(a.x, b.x) && box->max.z >= lwi_min(a.z, b.z) && box->min.z <= lwi_max(a.z, b.z);
}

/* The part of the line within a polygon's outline. @return false: none, or it touches the border. */
static bool cut(const lwi_polygon *polygon, const lwi_level_line *line, float part[2]) {
  const lw_vec3 from = line->from, to = lwi_level_line_at(line, line->length);
  double t0 = 0, t1 = 1;
  for (uint32_t i = 0; i < polygon->count; i++) {
    const lw_vec3 a = lwi_corner(polygon, i), b = lwi_corner(polygon, lwi_next_corner(polygon, i));
    const double begin = lwi_turn(a, b, from), end = lwi_turn(a, b, to);
    if (begin < 0 && end < 0) return false;
    if (begin < 0) t0 = fmax(t0, begin / (begin - end));
    if (end < 0) t1 = fmin(t1, begin / (begin - end));
  }
  part[0] = (float)t0 * line->length;
  part[1] = (float)t1 * line->length;
  return part[1] - part[0] > TOUCH;
}

bool lwi_ground_range(const lwi_ground_space *space, const lwi_box_list *list, const lwi_level_line *line,
                      float range[2]) {
  range[0] = INFINITY;
  range[1] = -INFINITY;
  for (int i = 0; i < list->count; i++) {
    float part[2];
    if (!may_meet(&space->boxes[list->items[i]], line)) continue;
    const lwi_polygon outline = lwi_polygon_get(space->mesh, (uint32_t)list->items[i]);
    if (!cut(&outline, line, part)) continue;
    range[0] = lwi_min(range[0], part[0]);
    range[1] = lwi_max(range[1], part[1]);
  }
  return range[0] <= range[1];
}

/* The first ground of a polygon within a part of the line at a height that counts, `behind` its beginning if the part
   reaches that far. @param[in,out] part  Then begins where that ground does. @return false: there is none. */
static bool ground_of(const lwi_ground_space *space, uint32_t polygon, const lwi_level_line *line,
                      float part[2], float behind, lwi_near_ground *ground) {
  for (; part[0] < part[1]; part[0] += SLOPE_STEP) {
    const lw_vec3 at = lwi_level_line_at(line, lwi_min(part[0] + behind, part[1]));
    *ground = (lwi_near_ground){polygon, {at.x, lwi_polygon_height(space->mesh, polygon, at.x, at.z), at.z}};
    if (ground->point.y >= line->low && ground->point.y <= line->high) return true;
  }
  return false;
}

float lwi_ground_enter(const lwi_ground_space *space, const lwi_box_list *list, const lwi_level_line *line,
                       float behind, lwi_near_ground *ground) {
  float nearest = INFINITY;
  for (int i = 0; i < list->count; i++) {
    const uint32_t polygon = (uint32_t)list->items[i];
    float part[2];
    lwi_near_ground there;
    if (!may_meet(&space->boxes[polygon], line)) continue;
    const lwi_polygon outline = lwi_polygon_get(space->mesh, polygon);
    if (!cut(&outline, line, part) || part[0] >= nearest) continue;
    if (!ground_of(space, polygon, line, part, behind, &there) || part[0] >= nearest) continue;
    *ground = there;
    nearest = part[0];
  }
  return nearest;
}
