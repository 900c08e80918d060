#include "search/rings.h"

#include <string.h>

#define TWO_PI 6.283185307179586
/* The ring keeps so far from the disc that rounding never leads a way along it inside. [m, and a part of the radius] */
#define CLEAR 0.002f
#define CLEAR_PART 5e-4f
/* Heights between a polygon's corners may go beyond them. [m] */
#define BULGE 1.0f

/* --- geometry -------------------------------------------------------------------------------------------------- */

lwi_outline lwi_disc_outline(const lwi_disc *disc) {
  lwi_outline outline = {.count = LWI_RING_CORNERS};
  float inner = disc->radius * (1 + CLEAR_PART) + CLEAR;
  float reach = inner / cosf((float)(TWO_PI / 2 / LWI_RING_CORNERS));
  for (int i = 0; i < LWI_RING_CORNERS; i++) {
    float angle = (float)(TWO_PI * i / LWI_RING_CORNERS);
    outline.corners[i] = lwi_add(disc->at, lwi_vec3(reach * cosf(angle), 0, reach * sinf(angle)));
  }
  lw_vec3 half = {reach, disc->height, reach};
  outline.box = (lw_box){lwi_sub(disc->at, half), lwi_add(disc->at, half)};
  return outline;
}

/* Along one side from the lane's beginning to its end, round that end, back along the other side, and round the first. */
lwi_outline lwi_lane_outline(const lwi_lane *lane) {
  lwi_outline outline = {.box = lwi_box_add(lwi_box_add(lwi_box_empty(), lane->from), lane->to)};
  float x = lane->to.x - lane->from.x, z = lane->to.z - lane->from.z, length = sqrtf(x * x + z * z);
  float reach = lane->radius * (1 + CLEAR_PART) + CLEAR, wide = reach / cosf((float)(TWO_PI / 16));
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
  return outline;
}

typedef struct ring_build {
  lwi_rings *rings;
  const lwi_outline *outline;
  uint32_t danger;
} ring_build;

static bool reaches(const ring_build *build, uint32_t index) {
  lwi_polygon polygon = lwi_polygon_get(build->rings->mesh, index);
  const lw_box *about = &build->outline->box;
  lw_box box = lwi_box_empty();
  for (uint32_t i = 0; i < polygon.count; i++) box = lwi_box_add(box, lwi_corner(&polygon, i));
  return box.min.x <= about->max.x && box.max.x >= about->min.x && box.min.z <= about->max.z &&
         box.max.z >= about->min.z && box.min.y - BULGE < about->max.y && box.max.y + BULGE > about->min.y;
}

/* Where the segment from a to b crosses the one from c to d, in parts of the first; negative: it does not. */
static float meet(lw_vec3 a, lw_vec3 b, lw_vec3 c, lw_vec3 d) {
  double ca = lwi_turn(c, d, a), cb = lwi_turn(c, d, b);
  if ((ca > 0) == (cb > 0)) return -1;
  if ((lwi_turn(a, b, c) > 0) == (lwi_turn(a, b, d) > 0)) return -1;
  return (float)(ca / (ca - cb));
}

static bool add_place(ring_build *build, uint32_t polygon, uint32_t portal, lw_vec3 point) {
  lwi_rings *rings = build->rings;
  if (!lwi_reserve(rings->memory, &rings->places, &rings->place_capacity, rings->place_count + 1,
                   sizeof *rings->places))
    return false;
  rings->places[rings->place_count++] = (lwi_ring_place){point, polygon, portal, build->danger};
  rings->rings[rings->ring_count - 1].place_count += 1;
  return true;
}

static bool add_crossings(ring_build *build, uint32_t index) {
  const lw_navmesh *mesh = build->rings->mesh;
  for (uint32_t k = mesh->first_portal[index]; k < mesh->first_portal[index + 1]; k++) {
    lw_vec3 left, right;
    lwi_portal_points(mesh, index, &mesh->portals[k], &left, &right);
    for (int i = 0; i < build->outline->count; i++) {
      int next = i + 1 < build->outline->count ? i + 1 : 0;
      float t = meet(left, right, build->outline->corners[i], build->outline->corners[next]);
      if (t >= 0 && !add_place(build, index, k, lwi_lerp(left, right, t))) return false;
    }
  }
  return true;
}

static bool add_corners(ring_build *build, uint32_t index) {
  const lw_navmesh *mesh = build->rings->mesh;
  lwi_polygon polygon = lwi_polygon_get(mesh, index);
  for (int i = 0; i < build->outline->count; i++) {
    lw_vec3 corner = build->outline->corners[i];
    if (!lwi_polygon_holds(&polygon, corner, 0)) continue;
    corner.y = lwi_polygon_height(mesh, index, corner.x, corner.z);
    if (!add_place(build, index, LWI_NONE, corner)) return false;
  }
  return true;
}

static bool add_ring(ring_build *build, uint32_t polygon) {
  lwi_rings *rings = build->rings;
  uint32_t head = rings->heads[polygon];
  if (head != LWI_NONE && rings->rings[head].danger == build->danger) return true; /* seen in another cell */
  if (!reaches(build, polygon)) return true;
  if (!lwi_reserve(rings->memory, &rings->rings, &rings->ring_capacity, rings->ring_count + 1,
                   sizeof *rings->rings))
    return false;
  rings->rings[rings->ring_count] = (lwi_ring){build->danger, polygon, head, (uint32_t)rings->place_count, 0};
  rings->heads[polygon] = (uint32_t)rings->ring_count++;
  return add_corners(build, polygon) && add_crossings(build, polygon);
}

/* --- the list -------------------------------------------------------------------------------------------------- */

static bool make_heads(lwi_rings *rings) {
  if (rings->heads) return true;
  size_t size = rings->mesh->polygon_count * sizeof *rings->heads;
  rings->heads = lwi_alloc(rings->memory, size);
  if (rings->heads) memset(rings->heads, 0xff, size);
  return rings->heads != NULL;
}

/* Take back what comes last. */
static void cut_back(lwi_rings *rings, int ring_count) {
  while (rings->ring_count > ring_count) {
    const lwi_ring *ring = &rings->rings[--rings->ring_count];
    rings->heads[ring->polygon] = ring->next;
    rings->place_count = (int)ring->first_place;
  }
}

bool lwi_rings_add(lwi_rings *rings, uint32_t danger, const lwi_outline *outline) {
  if (!make_heads(rings)) return false;
  ring_build build = {rings, outline, danger};
  const lwi_grid *grid = &rings->mesh->grid;
  const lw_box *box = &outline->box;
  lwi_cells cells;
  int before = rings->ring_count;
  if (!lwi_grid_cells(grid, box->min.x, box->min.z, box->max.x, box->max.z, &cells)) return true;
  for (int z = cells.z0; z <= cells.z1; z++) {
    for (int x = cells.x0; x <= cells.x1; x++) {
      size_t cell = (size_t)z * (size_t)grid->width + (size_t)x;
      for (uint32_t i = grid->first[cell]; i < grid->first[cell + 1]; i++) {
        if (add_ring(&build, grid->references[i].polygon)) continue;
        cut_back(rings, before);
        return false;
      }
    }
  }
  return true;
}

void lwi_rings_remove(lwi_rings *rings, uint32_t danger) {
  int count = rings->ring_count, place_count = 0;
  for (int i = 0; i < count; i++) rings->heads[rings->rings[i].polygon] = LWI_NONE;
  rings->ring_count = 0;
  for (int i = 0; i < count; i++) {
    lwi_ring ring = rings->rings[i];
    if (ring.danger == danger) continue;
    ring.danger -= ring.danger > danger;
    memmove(rings->places + place_count, rings->places + ring.first_place,
            ring.place_count * sizeof *rings->places);
    ring.first_place = (uint32_t)place_count;
    for (uint32_t k = 0; k < ring.place_count; k++) rings->places[place_count++].danger = ring.danger;
    ring.next = rings->heads[ring.polygon];
    rings->heads[ring.polygon] = (uint32_t)rings->ring_count;
    rings->rings[rings->ring_count++] = ring;
  }
  rings->place_count = place_count;
}

void lwi_rings_free(lwi_rings *rings) {
  if (!rings->memory) return;
  lwi_free(rings->memory, rings->heads, rings->mesh->polygon_count * sizeof *rings->heads);
  lwi_free(rings->memory, rings->rings, (size_t)rings->ring_capacity * sizeof *rings->rings);
  lwi_free(rings->memory, rings->places, (size_t)rings->place_capacity * sizeof *rings->places);
  *rings = (lwi_rings){0};
}

float lwi_dangers_entered(const lwi_dangers *dangers, uint32_t polygon, lw_vec3 from, lw_vec3 to) {
  float sum = 0;
  for (uint32_t i = lwi_rings_first(dangers, polygon); i != LWI_NONE; i = dangers->rings->rings[i].next) {
    uint32_t danger = dangers->rings->rings[i].danger;
    if (lwi_disc_enters(&dangers->discs[danger], from, to)) sum += lwi_danger_price(dangers, danger);
  }
  return sum;
}

float lwi_dangers_worst(const lwi_dangers *dangers, uint32_t polygon) {
  float sum = 0;
  for (uint32_t i = lwi_rings_first(dangers, polygon); i != LWI_NONE; i = dangers->rings->rings[i].next)
    sum += lwi_danger_price(dangers, dangers->rings->rings[i].danger);
  return sum;
}

float lwi_dangers_landed(const lwi_dangers *dangers, uint32_t polygon, lw_vec3 start, lw_vec3 end) {
  float sum = 0;
  for (uint32_t i = lwi_rings_first(dangers, polygon); i != LWI_NONE; i = dangers->rings->rings[i].next) {
    uint32_t danger = dangers->rings->rings[i].danger;
    const lwi_disc *disc = &dangers->discs[danger];
    if (lwi_disc_holds(disc, end) && !lwi_disc_holds(disc, start)) sum += lwi_danger_price(dangers, danger);
  }
  return sum;
}

/* --- ways past ------------------------------------------------------------------------------------------------- */

/* The disc on the way that begins nearest. */
static const lwi_disc *first_on_way(const lwi_dangers *dangers, lw_vec3 from, lw_vec3 to) {
  const lwi_disc *first = NULL;
  float nearest = INFINITY;
  for (int i = 0; i < dangers->count; i++) {
    const lwi_disc *disc = &dangers->discs[i];
    if (!(disc->value > 0) || !lwi_disc_enters(disc, from, to)) continue;
    float distance = lwi_distance_xz(from, disc->at) - disc->radius;
    if (distance >= nearest) continue;
    nearest = distance;
    first = disc;
  }
  return first;
}

bool lwi_dangers_pass(const lwi_dangers *dangers, lw_vec3 from, lw_vec3 to, lw_vec3 past[2]) {
  const lwi_disc *disc = first_on_way(dangers, from, to);
  if (!disc) return false;
  float x = disc->at.x - from.x, z = disc->at.z - from.z, away2 = x * x + z * z,
        radius = disc->radius * (1 + CLEAR_PART) + CLEAR;
  float tangent2 = away2 - radius * radius;
  if (!(tangent2 > 0)) return false; /* between disc and ring */
  float along = tangent2 / away2, aside = radius * sqrtf(tangent2) / away2;
  float y = from.y + (to.y - from.y) * 0.5f;
  past[0] = (lw_vec3){from.x + along * x - aside * z, y, from.z + along * z + aside * x};
  past[1] = (lw_vec3){from.x + along * x + aside * z, y, from.z + along * z - aside * x};
  return true;
}

void lwi_ring_turns(const lwi_dangers *dangers, uint32_t index, lw_vec3 from, uint32_t turns[2]) {
  const lwi_rings *rings = dangers->rings;
  const lwi_ring *ring = &rings->rings[index];
  const lwi_disc *disc = &dangers->discs[ring->danger];
  turns[0] = turns[1] = LWI_NONE;
  for (uint32_t i = ring->first_place; i < ring->first_place + ring->place_count; i++) {
    lw_vec3 at = rings->places[i].point;
    if (lwi_distance_xz(at, from) <= CLEAR || lwi_disc_enters(disc, from, at)) continue;
    if (turns[0] == LWI_NONE || lwi_turn(from, rings->places[turns[0]].point, at) > 0) turns[0] = i;
    if (turns[1] == LWI_NONE || lwi_turn(from, rings->places[turns[1]].point, at) < 0) turns[1] = i;
  }
}

/* --- lanes ----------------------------------------------------------------------------------------------------- */

static float weighted_metres(const lwi_lane *lane, lw_vec3 from, lw_vec3 to) {
  return lane->weight > 0 ? lane->weight * lwi_lane_metres(lane, from, to) : 0;
}

float lwi_lanes_price(const lwi_lanes *lanes, uint32_t polygon, lw_vec3 from, lw_vec3 to) {
  float sum = 0;
  if (!lanes) return 0;
  if (lanes->only) {
    for (int i = 0; i < lanes->only_count; i++) sum += weighted_metres(&lanes->lanes[lanes->only[i]], from, to);
    return sum * lanes->factor;
  }
  for (uint32_t i = lwi_lanes_first(lanes, polygon); i != LWI_NONE; i = lanes->rings->rings[i].next)
    sum += weighted_metres(&lanes->lanes[lanes->rings->rings[i].danger], from, to);
  return sum * lanes->factor;
}

float lwi_lanes_worst(const lwi_lanes *lanes, uint32_t polygon) {
  float sum = 0;
  for (uint32_t i = lwi_lanes_first(lanes, polygon); i != LWI_NONE; i = lanes->rings->rings[i].next)
    sum += lanes->lanes[lanes->rings->rings[i].danger].weight;
  return lanes ? sum * lanes->factor : 0;
}
