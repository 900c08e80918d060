#include "search/timed_lists.h"

#include "core/simd.h"
#include "search/timed_costs.h"

#include <stdlib.h>
#include <string.h>

/* What a piece is asked for before exactly: a disc that is larger, or smaller, by this much [m] and by this part. It
   is far more than rounding, and than a piece may stand out of its polygon. */
#define SLACK 0.05f
#define SLACK_PART 1e-4f
/* Heights within a polygon may go beyond those of its corners. [m] */
#define BULGE 1.0f
/* The work for a piece, by a list or by the tree, and for a region that is asked exactly, in regions of a list. */
#define LOOKS_A_PIECE 24
#define LOOKS_A_WALK 64
static const int looks_met[] = {[LWI_DANGER] = 8, [LWI_FIRE_LANE] = 40};

/* --- memory ------------------------------------------------------------------------------------------------- */

static void free_numbers(lwi_timed_scratch *scratch) {
  const size_t size = (size_t)scratch->capacity * sizeof(float);
  for (int i = 0; i < 5; i++) lwi_free(scratch->memory, scratch->numbers[i], size);
  lwi_free(scratch->memory, scratch->parts, (size_t)scratch->capacity * sizeof *scratch->parts);
}

void lwi_timed_scratch_free(lwi_timed_scratch *scratch) {
  if (!scratch->memory) return;
  free_numbers(scratch);
  lwi_free(scratch->memory, scratch->lists, scratch->polygon_count * sizeof *scratch->lists);
  lwi_free(scratch->memory, scratch->worst, scratch->polygon_count * sizeof *scratch->worst);
  lwi_free(scratch->memory, scratch->met, (size_t)scratch->met_capacity * sizeof *scratch->met);
  lwi_free(scratch->memory, scratch->noted, (size_t)scratch->noted_capacity * sizeof *scratch->noted);
  *scratch = (lwi_timed_scratch){.memory = scratch->memory};
}

static bool reserve_polygons(lwi_timed_scratch *scratch, uint32_t count) {
  if (scratch->polygon_count >= count) return true;
  lwi_timed_list *lists = lwi_alloc_zero(scratch->memory, count * sizeof *lists);
  lwi_timed_worst *worst = lwi_alloc_zero(scratch->memory, count * sizeof *worst);
  if (lists && worst) {
    lwi_free(scratch->memory, scratch->lists, scratch->polygon_count * sizeof *lists);
    lwi_free(scratch->memory, scratch->worst, scratch->polygon_count * sizeof *worst);
    scratch->lists = lists; /* filled again for the version that there is now */
    scratch->worst = worst;
    scratch->polygon_count = count;
    return true;
  }
  lwi_free(scratch->memory, lists, count * sizeof *lists);
  lwi_free(scratch->memory, worst, count * sizeof *worst);
  return false;
}

/* All arrays grow alike. */
static bool reserve_numbers(lwi_timed_scratch *scratch, int needed) {
  lwi_memory *memory = scratch->memory;
  if (needed <= scratch->capacity) return true;
  const int capacity = needed + needed / 2 + 64;
  const size_t old_size = (size_t)scratch->capacity * sizeof(float), size = (size_t)capacity * sizeof(float);
  void *grown[6] = {NULL};
  for (int i = 0; i < 6; i++) {
    grown[i] = lwi_alloc(memory, size);
    if (grown[i]) continue;
    while (i-- > 0) lwi_free(memory, grown[i], size);
    return false;
  }
  for (int i = 0; i < 6; i++) {
    const void *old = i < 5 ? (const void *)scratch->numbers[i] : scratch->parts;
    if (old_size > 0) memcpy(grown[i], old, old_size);
  }
  free_numbers(scratch);
  for (int i = 0; i < 5; i++) scratch->numbers[i] = grown[i];
  scratch->parts = grown[5];
  scratch->capacity = capacity;
  return true;
}

static bool reserve_met(lwi_timed_scratch *scratch, int count) {
  return lwi_reserve(scratch->memory, &scratch->met, &scratch->met_capacity, count, sizeof *scratch->met);
}

void lwi_timed_scratch_begin(lwi_timed_scratch *scratch, const lwi_outline_index *outlines) {
  scratch->query += 1;
  if (scratch->version == outlines->version) return;
  scratch->version = outlines->version;
  scratch->count = 0;
}

/* --- lists -------------------------------------------------------------------------------------------------- */

/* Whether the whole polygon lies in the disc, so that no piece within it enters the disc. */
static bool covers(const lwi_timed_shape *disc, const lwi_polygon *polygon) {
  const float reach = disc->radius * (1 - SLACK_PART) - SLACK, high = disc->height * (1 - SLACK_PART) - BULGE;
  if (!(reach > 0 && high > 0)) return false;
  for (uint32_t i = 0; i < polygon->count; i++) {
    const lw_vec3 off = lwi_sub(lwi_corner(polygon, i), disc->from);
    if (!(off.x * off.x + off.z * off.z < reach * reach && fabsf(off.y) < high)) return false;
  }
  return true;
}

static void put(lwi_timed_scratch *scratch, lwi_timed_kind kind, const lwi_timed_shape *region, uint32_t part) {
  const int at = scratch->count++;
  scratch->parts[at] = part;
  if (kind == LWI_DANGER) {
    scratch->numbers[0][at] = region->from.x;
    scratch->numbers[1][at] = region->from.z;
    scratch->numbers[2][at] = region->from.y;
    scratch->numbers[3][at] = region->height * (1 - SLACK_PART) - SLACK;
    scratch->numbers[4][at] = region->radius;
    return;
  }
  const lwi_rectangle box = lwi_timed_rectangle(region);
  scratch->numbers[0][at] = box.min_x;
  scratch->numbers[1][at] = box.min_z;
  scratch->numbers[2][at] = box.max_x;
  scratch->numbers[3][at] = box.max_z;
  scratch->numbers[4][at] = 0;
}

/* Numbers that no piece meets, up to the next multiple of four. */
static void fill_up(lwi_timed_scratch *scratch) {
  while (scratch->count % 4 != 0) {
    for (int i = 0; i < 5; i++) scratch->numbers[i][scratch->count] = i < 2 ? 1e30f : i == 4 ? 0 : -1e30f;
    scratch->parts[scratch->count++] = LWI_NONE;
  }
}

/* @return false: no memory. */
static bool make_list(const lwi_timed_costs *costs, uint32_t polygon_index) {
  lwi_timed_scratch *scratch = costs->scratch;
  if (!reserve_polygons(scratch, costs->outlines->mesh->polygons.count)) return false;
  lwi_timed_list *list = &scratch->lists[polygon_index];
  if (list->version == scratch->version) return true;
  const lwi_polygon polygon = lwi_polygon_get(costs->outlines->mesh, polygon_index);
  int count = 0;
  for (uint32_t i = lwi_timed_first(costs, polygon_index); i != LWI_NONE && count <= LWI_TIMED_LIST_MAX;
       i = lwi_timed_next(costs, i))
    count += 1;
  scratch->steps += (uint64_t)count;
  *list = (lwi_timed_list){.version = scratch->version, .first = (uint32_t)scratch->count, .count = -1};
  if (count > LWI_TIMED_LIST_MAX) return true;
  if (!reserve_numbers(scratch, scratch->count + count + 3)) {
    list->version = 0;
    return false;
  }
  for (uint32_t i = lwi_timed_first(costs, polygon_index); i != LWI_NONE; i = lwi_timed_next(costs, i)) {
    const lwi_timed_shape *region = lwi_timed_of(costs, i);
    if (costs->kind != LWI_DANGER || !covers(region, &polygon)) put(scratch, costs->kind, region, i);
  }
  list->count = scratch->count - (int)list->first;
  fill_up(scratch);
  return true;
}

/* --- pieces ------------------------------------------------------------------------------------------------- */

typedef struct piece {
  lwi_float4 x, y, z, dx, dz; /* where it begins, and from there to its end */
  lwi_float4 end_y;
  lwi_float4 by_length2; /* 1 / (dx * dx + dz * dz) */
  lwi_float4 min_x, min_z, max_x, max_z;
} piece;

static piece make_piece(lw_vec3 from, lw_vec3 to) {
  const float dx = to.x - from.x, dz = to.z - from.z, length2 = dx * dx + dz * dz;
  return (piece){.x = lwi_splat4(from.x),
                 .y = lwi_splat4(from.y),
                 .z = lwi_splat4(from.z),
                 .end_y = lwi_splat4(to.y),
                 .dx = lwi_splat4(dx),
                 .dz = lwi_splat4(dz),
                 .by_length2 = lwi_splat4(length2 > 0 ? 1 / length2 : 0),
                 .min_x = lwi_splat4(from.x < to.x ? from.x : to.x),
                 .min_z = lwi_splat4(from.z < to.z ? from.z : to.z),
                 .max_x = lwi_splat4(from.x > to.x ? from.x : to.x),
                 .max_z = lwi_splat4(from.z > to.z ? from.z : to.z)};
}

/* Of four discs those that the piece comes near to, but for those that it surely begins in.
   @param[out] surely  Those that it enters by more than rounding. */
static unsigned near_discs(const piece *of, float *const numbers[5], int i, unsigned *surely) {
  const lwi_float4 zero = lwi_splat4(0), one = lwi_splat4(1), slack = lwi_splat4(SLACK);
  const lwi_float4 radius = lwi_load4(numbers[4] + i);
  const lwi_float4 wide = lwi_mul_add4(radius, lwi_splat4(1 + SLACK_PART), slack);
  const lwi_float4 narrow = lwi_max4(zero, lwi_sub4(lwi_mul4(radius, lwi_splat4(1 - SLACK_PART)), slack));
  const lwi_float4 x = lwi_sub4(of->x, lwi_load4(numbers[0] + i)),
                   z = lwi_sub4(of->z, lwi_load4(numbers[1] + i)),
                   y = lwi_abs4(lwi_sub4(of->y, lwi_load4(numbers[2] + i)));
  const lwi_float4 along = lwi_mul_add4(x, of->dx, lwi_mul4(z, of->dz));
  const lwi_float4 t = lwi_min4(one, lwi_max4(zero, lwi_neg4(lwi_mul4(along, of->by_length2))));
  const lwi_float4 near_x = lwi_mul_add4(t, of->dx, x), near_z = lwi_mul_add4(t, of->dz, z);
  const lwi_float4 near2 = lwi_mul_add4(near_x, near_x, lwi_mul4(near_z, near_z)),
                   away2 = lwi_mul_add4(x, x, lwi_mul4(z, z)), wide2 = lwi_mul4(wide, wide),
                   narrow2 = lwi_mul4(narrow, narrow), high = lwi_load4(numbers[3] + i);
  const unsigned meets = lwi_mask_bits4(lwi_less_equal4(near2, wide2));
  const unsigned inside = lwi_mask_bits4(lwi_mask_and4(lwi_less4(away2, narrow2), lwi_less4(y, high)));
  if ((meets & ~inside) == 0) return 0;
  const lwi_float4 end_y = lwi_abs4(lwi_sub4(of->end_y, lwi_load4(numbers[2] + i)));
  const lwi_mask4 level = lwi_mask_and4(lwi_less4(y, high), lwi_less4(end_y, high));
  const lwi_mask4 crosses = lwi_mask_and4(lwi_less4(near2, narrow2), lwi_less4(wide2, away2));
  *surely = lwi_mask_bits4(lwi_mask_and4(level, crosses));
  return meets & ~inside;
}

/* Of four lanes those whose boxes the piece's box meets. */
static unsigned near_lanes(const piece *of, float *const numbers[5], int i) {
  const lwi_mask4 x = lwi_mask_and4(lwi_less_equal4(lwi_load4(numbers[0] + i), of->max_x),
                                    lwi_less_equal4(of->min_x, lwi_load4(numbers[2] + i)));
  const lwi_mask4 z = lwi_mask_and4(lwi_less_equal4(lwi_load4(numbers[1] + i), of->max_z),
                                    lwi_less_equal4(of->min_z, lwi_load4(numbers[3] + i)));
  return lwi_mask_bits4(lwi_mask_and4(x, z));
}

/* The parts in a polygon, by its list, that a piece may meet. @return Negative: no memory. */
static int meet_list(const lwi_timed_costs *costs, uint32_t polygon, lw_vec3 from, lw_vec3 to) {
  lwi_timed_scratch *scratch = costs->scratch;
  const lwi_timed_list *list = &scratch->lists[polygon];
  const lwi_timed_kind kind = costs->kind;
  if (!reserve_met(scratch, list->count + 1)) return -1;
  const piece of = make_piece(from, to);
  const int end = (int)list->first + list->count;
  int count = 0;
  for (int i = (int)list->first; i < end; i += 4) {
    unsigned surely = 0;
    unsigned bits = kind == LWI_DANGER ? near_discs(&of, scratch->numbers, i, &surely)
                                       : near_lanes(&of, scratch->numbers, i);
    for (int k = 0; bits != 0; k++, bits >>= 1, surely >>= 1)
      if (bits & 1 && i + k < end)
        scratch->met[count++] = scratch->parts[i + k] | (surely & 1 ? LWI_TIMED_SURELY : 0);
  }
  const uint64_t looks = (uint64_t)(LOOKS_A_PIECE + list->count + looks_met[kind] * count);
  scratch->pieces += 1;
  scratch->looks += looks;
  scratch->steps += looks;
  return count;
}

uint32_t lwi_timed_part_of(const lwi_outline_index *outlines, uint32_t region, uint32_t polygon) {
  const lwi_outline_range range = outlines->ranges[region];
  for (uint32_t i = range.first; i < range.first + range.count; i++)
    if (outlines->parts[i].polygon == polygon) return i;
  return LWI_NONE;
}

/* Newer regions first (Shell 1959): parts are not in that order where some were renewed. */
static void sort_parts(const lwi_outline_index *outlines, uint32_t *parts, int count) {
  int gap = 1;
  while (gap < count / 3) gap = 3 * gap + 1;
  for (; gap > 0; gap /= 3)
    for (int i = gap; i < count; i++) {
      const uint32_t part = parts[i];
      const uint64_t serial = lwi_outline_serial(outlines, part);
      int at = i;
      for (; at >= gap && lwi_outline_serial(outlines, parts[at - gap]) < serial; at -= gap)
        parts[at] = parts[at - gap];
      parts[at] = part;
    }
}

/* The parts in a polygon of the regions of a walk, but for dangers that the piece does not enter.
   @param to  NULL: dangers that hold `from`. @return Negative: no memory. */
static int meet_tree(const lwi_timed_costs *costs, uint32_t polygon, lwi_rectangle_walk *walk, lw_vec3 from,
                     const lw_vec3 *to) {
  lwi_timed_scratch *scratch = costs->scratch;
  int count = 0;
  for (uint32_t region; (region = lwi_rectangle_walk_next(walk)) != LWI_NONE;) {
    const lwi_timed_shape *shape = &costs->regions[region];
    if (costs->kind == LWI_DANGER && !(to ? lwi_disc_enters(shape, from, *to) : lwi_disc_holds(shape, from)))
      continue;
    const uint32_t part = lwi_timed_part_of(costs->outlines, region, polygon);
    if (part == LWI_NONE) continue;
    if (!reserve_met(scratch, count + 1)) return -1;
    scratch->met[count++] = part;
  }
  scratch->pieces += 1;
  scratch->looks += (uint64_t)(LOOKS_A_WALK + looks_met[costs->kind] * count);
  scratch->steps += (uint64_t)(walk->nodes + looks_met[costs->kind] * count);
  sort_parts(costs->outlines, scratch->met, count);
  return count;
}

static lwi_timed_met met_of(const lwi_timed_costs *costs, uint32_t polygon, int count) {
  lwi_timed_met met = {.outlines = costs->outlines, .next = lwi_timed_first(costs, polygon)};
  if (count < 0) return met;
  met.parts = costs->scratch->met;
  met.count = count;
  return met;
}

lwi_timed_met lwi_timed_meet(const lwi_timed_costs *costs, uint32_t polygon, lw_vec3 from, lw_vec3 to) {
  if (lwi_timed_first(costs, polygon) == LWI_NONE || !make_list(costs, polygon))
    return met_of(costs, polygon, -1);
  if (costs->scratch->lists[polygon].count >= 0)
    return met_of(costs, polygon, meet_list(costs, polygon, from, to));
  lwi_rectangle_walk walk = lwi_rectangle_walk_line(costs->tree, from, to);
  return met_of(costs, polygon, meet_tree(costs, polygon, &walk, from, &to));
}

lwi_timed_met lwi_timed_meet_at(const lwi_timed_costs *costs, uint32_t polygon, lw_vec3 at) {
  lwi_rectangle_walk walk = lwi_rectangle_walk_box(costs->tree, (lwi_rectangle){at.x, at.z, at.x, at.z});
  return met_of(costs, polygon, meet_tree(costs, polygon, &walk, at, NULL));
}

lwi_timed_met lwi_timed_meet_box(const lwi_timed_costs *costs, uint32_t polygon, const lw_box *box) {
  if (!make_list(costs, polygon)) return met_of(costs, polygon, -1);
  if (costs->scratch->lists[polygon].count >= 0)
    return met_of(costs, polygon, meet_list(costs, polygon, box->min, box->max));
  lwi_rectangle_walk walk =
      lwi_rectangle_walk_box(costs->tree, (lwi_rectangle){box->min.x, box->min.z, box->max.x, box->max.z});
  return met_of(costs, polygon, meet_tree(costs, polygon, &walk, box->min, &box->max));
}

bool lwi_timed_is_long(const lwi_timed_costs *costs, uint32_t polygon) {
  return make_list(costs, polygon) && costs->scratch->lists[polygon].count < 0;
}

float lwi_timed_worst_of(const lwi_timed_costs *costs, uint32_t polygon) {
  lwi_timed_scratch *scratch = costs->scratch;
  if (!make_list(costs, polygon) || scratch->lists[polygon].count < 0) return INFINITY;
  lwi_timed_worst *worst = &scratch->worst[polygon];
  if (worst->query == scratch->query) return worst->price;
  const lwi_timed_list *list = &scratch->lists[polygon];
  float sum = 0;
  for (int i = 0; i < list->count; i++)
    sum += costs->factor * lwi_timed_of(costs, scratch->parts[list->first + (uint32_t)i])->strength;
  scratch->looks += (uint64_t)list->count;
  scratch->steps += (uint64_t)list->count;
  *worst = (lwi_timed_worst){scratch->query, sum};
  return sum;
}

/* --- a set of regions ---------------------------------------------------------------------------------------- */

bool lwi_timed_scratch_note(lwi_timed_scratch *scratch, int at, uint32_t region) {
  if (!lwi_reserve(scratch->memory, &scratch->noted, &scratch->noted_capacity, at + 1, sizeof *scratch->noted))
    return false;
  scratch->noted[at] = region;
  return true;
}

static int largest_first(const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x < y) - (x > y);
}

bool lwi_timed_scratch_sort(lwi_timed_scratch *scratch, int count) {
  if (count > 1) qsort(scratch->noted, (size_t)count, sizeof *scratch->noted, largest_first);
  for (int i = 1; i < count; i++)
    if (scratch->noted[i] == scratch->noted[i - 1]) return false;
  return true;
}

bool lwi_timed_scratch_has(const lwi_timed_scratch *scratch, int count, uint32_t region) {
  int low = 0, high = count;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (scratch->noted[middle] > region)
      low = middle + 1;
    else
      high = middle;
  }
  return low < count && scratch->noted[low] == region;
}
