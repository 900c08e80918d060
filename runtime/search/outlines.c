#include "search/outlines.h"

#include <string.h>

#define TWO_PI 6.283185307179586
/* Heights between a polygon's corners may go beyond them. [m] */
#define BULGE 1.0f

/* --- geometry --------------------------------------------------------------------------------------------- */

static lwi_timed_outline disc_outline(const lwi_timed_shape *disc) {
  lwi_timed_outline outline = {.count = LWI_DISC_CORNERS};
  float inner = lwi_outline_reach(disc), reach = inner / cosf((float)(TWO_PI / 2 / LWI_DISC_CORNERS));
  for (int i = 0; i < LWI_DISC_CORNERS; i++) {
    float angle = (float)(TWO_PI * i / LWI_DISC_CORNERS);
    outline.corners[i] = lwi_add(disc->from, lwi_vec3(reach * cosf(angle), 0, reach * sinf(angle)));
  }
  lw_vec3 half = {reach, disc->height, reach};
  outline.box = (lw_box){lwi_sub(disc->from, half), lwi_add(disc->from, half)};
  return outline;
}

static double across(const lwi_timed_outline *outline, lw_vec3 at) {
  return (double)at.x * outline->across_x + (double)at.z * outline->across_z;
}

/* The strip along a lane. */
static void set_strip(lwi_timed_outline *outline, float along_x, float along_z) {
  outline->across_x = -(double)along_z;
  outline->across_z = (double)along_x;
  outline->low = INFINITY;
  outline->high = -INFINITY;
  for (int i = 0; i < outline->count; i++) {
    outline->low = fmin(outline->low, across(outline, outline->corners[i]));
    outline->high = fmax(outline->high, across(outline, outline->corners[i]));
  }
}

/* Along one side from the lane's beginning to its end, round that end, back along the other side, and round the
   first. */
static lwi_timed_outline lane_outline(const lwi_timed_shape *lane) {
  lwi_timed_outline outline = {.box = lwi_box_add(lwi_box_add(lwi_box_empty(), lane->from), lane->to)};
  float x = lane->to.x - lane->from.x, z = lane->to.z - lane->from.z, length = sqrtf(x * x + z * z);
  float reach = lwi_outline_reach(lane), wide = reach / cosf((float)(TWO_PI / 16));
  x = length > 0 ? x / length : 1;
  z = length > 0 ? z / length : 0;
  for (int side = 1; side >= -1; side -= 2) {
    lw_vec3 begin = side > 0 ? lane->from : lane->to, end = side > 0 ? lane->to : lane->from;
    float aside = (float)side * reach;
    for (int i = 0; i < LWI_LANE_SIDE; i++) {
      lw_vec3 at = lwi_lerp(begin, end, (float)i / (LWI_LANE_SIDE - 1));
      outline.corners[outline.count++] = lwi_add(at, lwi_vec3(-z * aside, 0, x * aside));
    }
    for (int i = 1; i < 4; i++) {
      float angle = (float)(TWO_PI / 4 - TWO_PI / 8 * i), along = (float)side * wide * cosf(angle);
      aside = (float)side * wide * sinf(angle);
      outline.corners[outline.count++] =
          lwi_add(end, lwi_vec3(x * along - z * aside, 0, z * along + x * aside));
    }
  }
  lw_vec3 low = {wide, lane->radius + LW_FIRE_LANE_BODY, wide}, high = {wide, lane->radius, wide};
  outline.box = (lw_box){lwi_sub(outline.box.min, low), lwi_add(outline.box.max, high)};
  set_strip(&outline, x, z);
  return outline;
}

lwi_timed_outline lwi_timed_outline_make(lwi_timed_kind kind, const lwi_timed_shape *region) {
  return kind == LWI_DANGER ? disc_outline(region) : lane_outline(region);
}

/* --- adding ----------------------------------------------------------------------------------------------- */

/* A region that is being added. */
typedef struct addition {
  lwi_outline_index *index;
  const lwi_timed_outline *outline;
  uint32_t region;
} addition;

static bool meets_strip(const lwi_timed_outline *outline, const lwi_polygon *polygon) {
  double low = INFINITY, high = -INFINITY;
  for (uint32_t i = 0; i < polygon->count; i++) {
    const double at = across(outline, lwi_corner(polygon, i));
    low = fmin(low, at);
    high = fmax(high, at);
  }
  return low <= outline->high && high >= outline->low;
}

static bool reaches(const addition *add, uint32_t polygon_index) {
  lwi_polygon polygon = lwi_polygon_get(add->index->mesh, polygon_index);
  const lw_box *about = &add->outline->box;
  lw_box box = lwi_box_empty();
  for (uint32_t i = 0; i < polygon.count; i++) box = lwi_box_add(box, lwi_corner(&polygon, i));
  return box.min.x <= about->max.x && box.max.x >= about->min.x && box.min.z <= about->max.z &&
         box.max.z >= about->min.z && box.min.y - BULGE < about->max.y && box.max.y + BULGE > about->min.y &&
         meets_strip(add->outline, &polygon);
}

/* Where the segment from a to b crosses the one from c to d, as a part of the first; negative: nowhere. */
static float crossing_of(lw_vec3 a, lw_vec3 b, lw_vec3 c, lw_vec3 d) {
  double ca = lwi_turn(c, d, a), cb = lwi_turn(c, d, b);
  if ((ca > 0) == (cb > 0)) return -1;
  if ((lwi_turn(a, b, c) > 0) == (lwi_turn(a, b, d) > 0)) return -1;
  return (float)(ca / (ca - cb));
}

static bool add_place(addition *add, uint32_t polygon, uint32_t portal, lw_vec3 point) {
  lwi_outline_index *index = add->index;
  if (!lwi_reserve(index->memory, &index->places, &index->place_capacity, index->place_count + 1,
                   sizeof *index->places))
    return false;
  index->places[index->place_count++] = (lwi_outline_point){point, polygon, portal, add->region};
  index->parts[index->part_count - 1].place_count += 1;
  return true;
}

static bool add_crossings(addition *add, uint32_t polygon) {
  const lw_navmesh *mesh = add->index->mesh;
  const lwi_timed_outline *outline = add->outline;
  for (uint32_t k = mesh->graph.first_portal[polygon]; k < mesh->graph.end_portal[polygon]; k++) {
    lw_vec3 left, right;
    lwi_portal_points(mesh, polygon, &mesh->graph.portals[k], &left, &right);
    for (int i = 0; i < outline->count; i++) {
      int next = i + 1 < outline->count ? i + 1 : 0;
      float t = crossing_of(left, right, outline->corners[i], outline->corners[next]);
      if (t >= 0 && !add_place(add, polygon, k, lwi_lerp(left, right, t))) return false;
    }
  }
  return true;
}

static bool add_corners(addition *add, uint32_t index) {
  const lw_navmesh *mesh = add->index->mesh;
  lwi_polygon polygon = lwi_polygon_get(mesh, index);
  for (int i = 0; i < add->outline->count; i++) {
    lw_vec3 corner = add->outline->corners[i];
    if (!lwi_polygon_holds(&polygon, corner, 0)) continue;
    corner.y = lwi_polygon_height(mesh, index, corner.x, corner.z);
    if (!add_place(add, index, LWI_NONE, corner)) return false;
  }
  return true;
}

/* Newer regions come first, also where a part of an older one is renewed. */
static void link_part(lwi_outline_index *index, uint32_t number) {
  lwi_outline_part *part = &index->parts[number];
  const uint64_t serial = lwi_outline_serial(index, number);
  uint32_t before = LWI_NONE, next = index->heads[part->base];
  for (; next != LWI_NONE && lwi_outline_serial(index, next) > serial; next = index->parts[next].next)
    before = next;
  part->previous = before;
  part->next = next;
  if (next != LWI_NONE) index->parts[next].previous = number;
  if (before != LWI_NONE)
    index->parts[before].next = number;
  else
    index->heads[part->base] = number;
}

static void unlink_part(lwi_outline_index *index, const lwi_outline_part *part) {
  if (part->next != LWI_NONE) index->parts[part->next].previous = part->previous;
  if (part->previous != LWI_NONE)
    index->parts[part->previous].next = part->next;
  else
    index->heads[part->base] = part->next;
}

/* Another cell may have it, too. */
static bool has_parts(const addition *add, uint32_t base) {
  const lwi_outline_index *index = add->index;
  const uint64_t serial = index->ranges[add->region].serial;
  uint32_t part = index->heads[base];
  while (part != LWI_NONE && lwi_outline_serial(index, part) > serial) part = index->parts[part].next;
  return part != LWI_NONE && index->parts[part].region == add->region;
}

static bool add_part(addition *add, uint32_t base, uint32_t polygon) {
  lwi_outline_index *index = add->index;
  if (!reaches(add, polygon)) return true;
  if (!lwi_reserve(index->memory, &index->parts, &index->part_capacity, index->part_count + 1,
                   sizeof *index->parts))
    return false;
  index->parts[index->part_count++] = (lwi_outline_part){
      .region = add->region, .base = base, .polygon = polygon, .first_place = (uint32_t)index->place_count};
  link_part(index, (uint32_t)index->part_count - 1);
  return add_corners(add, polygon) && add_crossings(add, polygon);
}

static bool add_polygon(addition *add, uint32_t base) {
  if (has_parts(add, base)) return true;
  lwi_part_walk walk = lwi_parts_of(add->index->mesh, base);
  for (uint32_t i; lwi_next_part(&walk, &i);)
    if (!add_part(add, base, i)) return false;
  return true;
}

static bool reserve(lwi_outline_index *index, uint32_t region) {
  if (!lwi_reserve(index->memory, &index->ranges, &index->range_capacity, (int)region + 1,
                   sizeof *index->ranges))
    return false;
  if (index->heads) return true;
  const size_t size = lwi_base_count(index->mesh) * sizeof *index->heads;
  index->heads = lwi_alloc(index->memory, size);
  if (index->heads) memset(index->heads, 0xff, size);
  return index->heads != NULL;
}

/* Take back the newest parts. */
static void cut_back(lwi_outline_index *index, int part_count) {
  while (index->part_count > part_count) {
    const lwi_outline_part *part = &index->parts[--index->part_count];
    unlink_part(index, part);
    index->place_count = (int)part->first_place;
  }
}

/* Of a row of cells those that the strip meets, and one more on either side for rounding: the box of a slanting lane
   holds far more cells than the lane crosses. */
static void narrow_row(const lwi_grid *grid, const lwi_timed_outline *outline, int z, int *x0, int *x1) {
  if (fabs(outline->across_x) < 1e-6) return; /* the strip leads along the row, or this is a disc */
  const double cell = (double)grid->cell, a = outline->across_z * ((double)grid->min_z + z * cell),
               b = outline->across_z * ((double)grid->min_z + (z + 1) * cell);
  const double low = (outline->low - fmax(a, b)) / outline->across_x,
               high = (outline->high - fmin(a, b)) / outline->across_x;
  const double first = floor((fmin(low, high) - (double)grid->min_x) / cell) - 1,
               last = floor((fmax(low, high) - (double)grid->min_x) / cell) + 1;
  *x0 = (int)fmin(fmax(*x0, first), (double)*x1 + 1);
  *x1 = (int)fmax(fmin(*x1, last), (double)*x0 - 1);
}

static bool add_row(addition *add, int z, int x0, int x1) {
  const lwi_grid *grid = &add->index->mesh->grid;
  narrow_row(grid, add->outline, z, &x0, &x1);
  for (int x = x0; x <= x1; x++) {
    size_t cell = (size_t)z * (size_t)grid->width + (size_t)x;
    for (uint32_t i = grid->first[cell]; i < grid->first[cell + 1]; i++)
      if (!add_polygon(add, grid->references[i].polygon)) return false;
  }
  return true;
}

static bool add_region(lwi_outline_index *index, uint32_t region, uint64_t serial,
                       const lwi_timed_outline *outline) {
  if (!reserve(index, region)) return false;
  addition add = {index, outline, region};
  const lw_box *box = &outline->box;
  lwi_cells cells;
  int before = index->part_count;
  index->version += 1;
  index->ranges[region] = (lwi_outline_range){(uint32_t)before, 0, serial};
  if (!lwi_grid_cells(&index->mesh->grid, box->min.x, box->min.z, box->max.x, box->max.z, &cells)) return true;
  for (int z = cells.z0; z <= cells.z1; z++) {
    if (add_row(&add, z, cells.x0, cells.x1)) continue;
    cut_back(index, before);
    return false;
  }
  index->ranges[region].count = (uint32_t)(index->part_count - before);
  return true;
}

bool lwi_outline_index_add(lwi_outline_index *index, uint32_t region, const lwi_timed_outline *outline) {
  if (!add_region(index, region, index->created + 1, outline)) return false;
  index->created += 1;
  return true;
}

bool lwi_outline_index_renew(lwi_outline_index *index, uint32_t region, const lwi_timed_outline *outline) {
  const uint64_t serial = index->ranges[region].serial;
  lwi_outline_index_remove(index, region);
  return add_region(index, region, serial, outline);
}

/* --- removing --------------------------------------------------------------------------------------------- */

/* Close all gaps; what is left keeps its order, and so do the lists of the polygons. */
static void compact(lwi_outline_index *index) {
  int part_count = index->part_count, place_count = 0;
  for (int i = 0; i < part_count; i++) index->heads[index->parts[i].base] = LWI_NONE;
  index->part_count = 0;
  for (int i = 0; i < part_count; i++) {
    lwi_outline_part part = index->parts[i];
    if (part.region == LWI_NONE) continue;
    lwi_outline_range *range = &index->ranges[part.region];
    if (range->first == (uint32_t)i) range->first = (uint32_t)index->part_count;
    if (part.place_count > 0)
      memmove(index->places + place_count, index->places + part.first_place,
              part.place_count * sizeof *index->places);
    part.first_place = (uint32_t)place_count;
    place_count += (int)part.place_count;
    index->parts[index->part_count] = part;
    link_part(index, (uint32_t)index->part_count++);
  }
  index->place_count = place_count;
  index->gaps = 0;
}

void lwi_outline_index_remove(lwi_outline_index *index, uint32_t region) {
  const lwi_outline_range range = index->ranges[region];
  index->version += 1;
  for (uint32_t i = range.first; i < range.first + range.count; i++) {
    lwi_outline_part *part = &index->parts[i];
    unlink_part(index, part);
    part->region = LWI_NONE;
    index->gaps += 1 + (int)part->place_count;
  }
  if (2 * (int64_t)index->gaps > (int64_t)index->part_count + index->place_count) compact(index);
}

void lwi_outline_index_free(lwi_outline_index *index) {
  if (!index->memory) return;
  lwi_free(index->memory, index->heads, lwi_base_count(index->mesh) * sizeof *index->heads);
  lwi_free(index->memory, index->parts, (size_t)index->part_capacity * sizeof *index->parts);
  lwi_free(index->memory, index->places, (size_t)index->place_capacity * sizeof *index->places);
  lwi_free(index->memory, index->ranges, (size_t)index->range_capacity * sizeof *index->ranges);
  *index = (lwi_outline_index){0};
}
