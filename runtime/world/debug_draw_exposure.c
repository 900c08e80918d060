/* Debug drawing of threats, and of what they see: the mesh in cells, each in the colour of how much of one who stands
   in its middle is seen. */
#include "core/vec3.h"
#include "world/debug_draw_exposure.h"
#include "world/world.h"

#include <math.h>

#define CELL 0.5f   ///< Width, unless that makes very many. [m]
#define CELLS 40000 ///< Very many.
#define CORNERS 260 ///< Of a polygon cut to a cell, at most.
#define BODY 3      ///< Heights at which one is looked at.
#define SHADES 8    ///< Of each colour.
#define THREAT 0xff3b30ffu
#define CASING 0x0b0e12ffu
#define CONE 6.0f ///< Length of the lines that say where a threat looks. [m]

/* --- what is seen ------------------------------------------------------------------------------------------------- */

typedef struct onlookers {
  const lw_world *world;
  float heights[BODY]; ///< From low to high: the first two of one who crouches, the last two of one who stands.
} onlookers;

static bool in_view(const lw_threat *threat, lw_vec3 point) {
  lw_vec3 way = lwi_sub(point, threat->at);
  float distance = lwi_length(way);
  if (!(distance < threat->range)) return false;
  return !(threat->half_angle < 3.14159f) ||
         lwi_dot(threat->facing, way) >= cosf(threat->half_angle) * lwi_length(threat->facing) * distance;
}

/* What it weighs to be seen by that threat at a part of the body; 0: it is not seen. */
static float weigh(const lw_world *world, const lw_threat *threat, lw_vec3 part) {
  if (!in_view(threat, part) || !lw_sees(world, threat->at, part, false)) return 0;
  return threat->weight *
         (threat->range < INFINITY ? 1 - fminf(1, lwi_distance(threat->at, part) / threat->range) : 1);
}

/* What it weighs to stand there. @param[out] low  The same of one who crouches. */
static float look(const onlookers *by, lw_vec3 feet, float *low) {
  const lwi_threats *threats = &by->world->threats;
  float sum = 0;
  *low = 0;
  for (int i = 0; i < threats->count; i++) {
    float weight = 0;
    for (int k = 0; k < BODY && threats->slots[i].used && !(weight > 0); k++) {
      weight = weigh(by->world, &threats->slots[i].now, lwi_vec3(feet.x, feet.y + by->heights[k], feet.z));
      if (k < BODY - 1) *low += weight;
    }
    sum += weight;
  }
  return sum;
}

/* @return 0xRRGGBBAA; 0: nobody sees it. */
static uint32_t color_of(const onlookers *by, lw_vec3 feet) {
  float low, seen = look(by, feet, &low);
  if (!(seen > 0)) return 0;
  uint32_t shade = (uint32_t)(fminf(1, seen) * SHADES + 0.5f);
  return (uint32_t)(low > 0 ? LW_COLOR_SEEN_CROUCHING : LW_COLOR_SEEN_STANDING) << 8 |
         (0x28 + shade * 0x58 / SHADES);
}

/* --- cells -------------------------------------------------------------------------------------------------------- */

/* Cut away what of a convex polygon lies below `at` (or above, if not `keep_above`) along x or z. @return Corners left. */
static int cut(const lw_vec3 *in, int count, bool along_z, float at, bool keep_above, lw_vec3 *out) {
  int left = 0;
  for (int i = 0; i < count; i++) {
    lw_vec3 a = in[i], b = in[i + 1 < count ? i + 1 : 0];
    float da = (along_z ? a.z : a.x) - at, db = (along_z ? b.z : b.x) - at;
    if (!keep_above) da = -da, db = -db;
    if (da >= 0) out[left++] = a;
    if ((da < 0) != (db < 0) && left < CORNERS) out[left++] = lwi_lerp(a, b, da / (da - db));
    if (left >= CORNERS) break;
  }
  return left;
}

static int cut_between(const lw_vec3 *in, int count, bool along_z, float low, float high, lw_vec3 *out) {
  lw_vec3 half[CORNERS];
  return cut(half, cut(in, count, along_z, low, true, half), along_z, high, false, out);
}

static lw_vec3 middle_of(const lw_vec3 *corners, int count) {
  lw_vec3 sum = {0, 0, 0};
  for (int i = 0; i < count; i++) sum = lwi_add(sum, corners[i]);
  return lwi_scale(sum, 1 / (float)count);
}

static void fill(const lw_vec3 *corners, int count, uint32_t color, const lw_debug_draw *draw) {
  for (int i = 2; i < count; i++) draw->triangle(draw->user, corners[0], corners[i - 1], corners[i], color);
}

/* Cells of one row, those of one colour side by side in one piece. */
static void draw_row(const onlookers *by, const lw_navmesh *mesh, uint32_t index, const lw_vec3 *row, int count,
                     float cell, const lw_debug_draw *draw) {
  float low = INFINITY, high = -INFINITY;
  for (int i = 0; i < count; i++) low = fminf(low, row[i].x), high = fmaxf(high, row[i].x);
  float begin = floorf(low / cell) * cell, run_from = begin;
  uint32_t run = 0;
  lw_vec3 piece[CORNERS];
  for (int i = 0;; i++) {
    float from = begin + (float)i * cell;
    bool is_end = !(from < high);
    uint32_t color = run;
    int corners = is_end ? 0 : cut_between(row, count, false, from, from + cell, piece);
    if (corners >= 3) {
      lw_vec3 at = middle_of(piece, corners);
      at.y = lwi_polygon_height(mesh, index, at.x, at.z);
      color = color_of(by, at);
    }
    if (run && (is_end || color != run))
      fill(piece, cut_between(row, count, false, run_from, from, piece), run, draw);
    if (is_end) return;
    if (color != run) run_from = from;
    run = color;
  }
}

static void draw_polygon(const onlookers *by, const lw_navmesh *mesh, uint32_t index, float cell,
                         const lw_debug_draw *draw) {
  lwi_polygon polygon = lwi_polygon_get(mesh, index);
  lw_vec3 corners[CORNERS], row[CORNERS];
  float low = INFINITY, high = -INFINITY;
  int count = 0;
  for (uint32_t i = 0; i < polygon.count && count < CORNERS; i++) {
    corners[count++] = lwi_corner(&polygon, i);
    low = fminf(low, corners[i].z), high = fmaxf(high, corners[i].z);
  }
  float begin = floorf(low / cell) * cell;
  for (int i = 0; begin + (float)i * cell < high; i++) {
    float from = begin + (float)i * cell;
    int left = cut_between(corners, count, true, from, from + cell, row);
    if (left >= 3) draw_row(by, mesh, index, row, left, cell, draw);
  }
}

static void draw_mesh(const onlookers *by, const lw_navmesh *mesh, const lw_debug_draw *draw) {
  float cell = fmaxf(CELL, sqrtf((float)lw_navmesh_get_stats(mesh).area / CELLS));
  for (uint32_t i = 0; i < mesh->polygon_count; i++) draw_polygon(by, mesh, i, cell, draw);
}

void lwi_debug_draw_exposure(const lw_world *world, const lw_debug_draw *draw) {
  const float *stands = lw_profile_get_stance(NULL, LW_STAND)->body,
              *crouches = lw_profile_get_stance(NULL, LW_CROUCH)->body;
  const onlookers by = {world, {crouches[0], stands[0], stands[1]}};
  if (world->threats.used == 0) return;
  for (int i = 0; i < world->ground_count; i++) draw_mesh(&by, world->grounds[i].mesh, draw);
}

/* --- the threats themselves --------------------------------------------------------------------------------------- */

static void draw_ring(lw_vec3 at, float radius, const lw_debug_draw *draw) {
  const int sides = 96;
  for (int i = 0; i < sides; i += 2) { /* dashed */
    float a = 6.28318531f * (float)i / (float)sides, b = 6.28318531f * (float)(i + 1) / (float)sides;
    lw_vec3 from = lwi_add(at, lwi_vec3(radius * cosf(a), 0, radius * sinf(a)));
    lw_vec3 to = lwi_add(at, lwi_vec3(radius * cosf(b), 0, radius * sinf(b)));
    draw->line(draw->user, from, to, 1.2f, THREAT);
  }
}

static void draw_cone(const lw_threat *threat, const lw_debug_draw *draw) {
  float heading = atan2f(threat->facing.z, threat->facing.x), length = fminf(CONE, threat->range);
  for (int side = -1; side <= 1; side += 2) {
    float angle = heading + (float)side * threat->half_angle;
    lw_vec3 tip = lwi_add(threat->at, lwi_vec3(length * cosf(angle), 0, length * sinf(angle)));
    draw->line(draw->user, threat->at, tip, 1.6f, THREAT);
  }
}

static void draw_threat(const lw_threat *threat, const lw_debug_draw *draw) {
  float radius = fmaxf(0.35f, 6 * draw->pixel);
  if (draw->line && threat->range < INFINITY) draw_ring(threat->at, threat->range, draw);
  if (draw->line && threat->half_angle < 3.14159f) draw_cone(threat, draw);
  if (!draw->disc) return;
  draw->disc(draw->user, threat->at, radius * 1.3f, CASING);
  draw->disc(draw->user, threat->at, radius, 0xffffffffu);
  draw->disc(draw->user, threat->at, radius * 0.75f, THREAT);
  draw->disc(draw->user, threat->at, radius * 0.32f, CASING);
}

void lwi_debug_draw_threats(const lw_world *world, const lw_debug_draw *draw) {
  for (int i = 0; i < world->threats.count; i++)
    if (world->threats.slots[i].used) draw_threat(&world->threats.slots[i].now, draw);
}
