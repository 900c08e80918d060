/* Debug drawing of a world: exposure to threats, timed regions, agents with their paths. */
#include "draw/draw_mesh.h"

#include "core/text.h"
#include "core/vec3.h"
#include "leeward/debug_draw.h"
#include "search/timed_costs.h"
#include "search/path.h"
#include "search/trailer.h"
#include "world/world.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define TWO_PI 6.28318531f

/* --- exposure: the mesh in cells, coloured by what threats see of a body there ---------------------------- */

#define CELL 0.5f       ///< Width; more where a navmesh would have more than... [m]
#define CELLS_MAX 40000 ///< ...this many cells.
#define CORNERS 260     ///< Limit on the corners of a polygon cut to a cell.
#define BODY 3          ///< Heights of a body that are looked at.
#define SHADES 8        ///< Of each colour.
#define THREAT 0xff3b30ffu
#define CASING 0x0b0e12ffu ///< Around bright marks, so that they show on any ground.
#define CONE 6.0f          ///< Length of the lines that show where a threat looks. [m]

typedef struct exposure_view {
  const lw_world *world;
  const lw_debug_draw *draw;
  const lw_navmesh *mesh;
  float cell; ///< Width. [m]
  /// From low to high: the first two of a crouching human, the last two of a standing one.
  float heights[BODY];
} exposure_view;

static bool in_view(const lw_threat *threat, lw_vec3 point) {
  lw_vec3 to = lwi_sub(point, threat->at);
  float distance = lwi_length(to);
  if (!(distance < threat->range)) return false;
  return !(threat->half_angle < 3.14159f) ||
         lwi_dot(threat->facing, to) >= cosf(threat->half_angle) * lwi_length(threat->facing) * distance;
}

/* The weight of that threat on a part of the body; 0: it does not see it. */
static float weigh(const lw_world *world, const lw_threat *threat, lw_vec3 part) {
  if (!in_view(threat, part) || !lw_world_sees(world, threat->at, part, false)) return 0;
  const bool falls_off = threat->range < INFINITY;
  return threat->weight * (falls_off ? 1 - fminf(1, lwi_distance(threat->at, part) / threat->range) : 1);
}

/* The weight of all threats on a body that stands there. @param[out] low  On one that crouches there. */
static float weigh_all(const exposure_view *by, lw_vec3 feet, float *low) {
  const lwi_id_pool *threats = &by->world->threats.ids;
  float sum = 0;
  *low = 0;
  for (uint32_t i = threats->first; i != LWI_NO_SLOT; i = lwi_id_pool_next(threats, i)) {
    float weight = 0;
    for (int k = 0; k < BODY && !(weight > 0); k++) {
      weight = weigh(by->world, &lwi_threat_at(by->world, i)->now,
                     lwi_vec3(feet.x, feet.y + by->heights[k], feet.z));
      if (k < BODY - 1) *low += weight;
    }
    sum += weight;
  }
  return sum;
}

/* @return 0xRRGGBBAA; 0: no threat sees it. */
static uint32_t color_of(const exposure_view *by, lw_vec3 feet) {
  float low, seen = weigh_all(by, feet, &low);
  if (!(seen > 0)) return 0;
  uint32_t shade = (uint32_t)(fminf(1, seen) * SHADES + 0.5f);
  return (uint32_t)(low > 0 ? LW_COLOR_SEEN_CROUCHING : LW_COLOR_SEEN_STANDING) << 8 |
         (0x28 + shade * 0x58 / SHADES);
}

/* --- cells ------------------------------------------------------------------------------------------------ */

/* Clip a convex polygon at `at` along x or z (Sutherland and Hodgman 1974). @return Corners left. */
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

/* Draw the cells of one row, neighbours of one colour as one piece. */
static void draw_row(const exposure_view *by, uint32_t index, const lw_vec3 *row, int count) {
  const float cell = by->cell;
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
      at.y = lwi_polygon_height(by->mesh, index, at.x, at.z);
      color = color_of(by, at);
    }
    if (run && (is_end || color != run))
      fill(piece, cut_between(row, count, false, run_from, from, piece), run, by->draw);
    if (is_end) return;
    if (color != run) run_from = from;
    run = color;
  }
}

static void draw_polygon(const exposure_view *by, uint32_t index) {
  const float cell = by->cell;
  lwi_polygon polygon = lwi_polygon_get(by->mesh, index);
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
    if (left >= 3) draw_row(by, index, row, left);
  }
}

static void draw_exposure(const lw_world *world, const lw_debug_draw *draw) {
  const float *stands = lw_profile_get_stance(NULL, LW_STAND)->body,
              *crouches = lw_profile_get_stance(NULL, LW_CROUCH)->body;
  exposure_view by = {.world = world, .draw = draw, .heights = {crouches[0], stands[0], stands[1]}};
  if (world->threats.ids.count == 0) return;
  for (int i = 0; i < world->scene.nav_count; i++) {
    by.mesh = world->scene.navs[i].mesh;
    by.cell = fmaxf(CELL, sqrtf((float)lw_navmesh_get_stats(by.mesh).area / CELLS_MAX));
    for (uint32_t k = 0; k < by.mesh->polygons.count; k++)
      if (lwi_is_there(by.mesh, k)) draw_polygon(&by, k);
  }
}

/* --- threats ---------------------------------------------------------------------------------------------- */

static void draw_range(lw_vec3 at, float radius, const lw_debug_draw *draw) {
  const int sides = 96;
  for (int i = 0; i < sides; i += 2) { /* dashed */
    float a = TWO_PI * (float)i / (float)sides, b = TWO_PI * (float)(i + 1) / (float)sides;
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
  if (draw->line && threat->range < INFINITY) draw_range(threat->at, threat->range, draw);
  if (draw->line && threat->half_angle < 3.14159f) draw_cone(threat, draw);
  if (!draw->disc) return;
  draw->disc(draw->user, threat->at, radius * 1.3f, CASING);
  draw->disc(draw->user, threat->at, radius, 0xffffffffu);
  draw->disc(draw->user, threat->at, radius * 0.75f, THREAT);
  draw->disc(draw->user, threat->at, radius * 0.32f, CASING);
}

static void draw_threats(const lw_world *world, const lw_debug_draw *draw) {
  const lwi_id_pool *threats = &world->threats.ids;
  for (uint32_t i = threats->first; i != LWI_NO_SLOT; i = lwi_id_pool_next(threats, i))
    draw_threat(&lwi_threat_at(world, i)->now, draw);
}

/* --- dangers: discs that are hotter towards the middle; fire lanes ---------------------------------------- */

#define LAYERS 6
#define ALPHA 0x2au ///< Of one layer, at full heat.
#define SIDES 48
#define LANE_COLOR 0xff7a2ee0u

/// From yellow to red. @param heat  [0..1]
static uint32_t heat_color(float heat, uint32_t alpha) {
  uint32_t green = (uint32_t)(200 * (1 - heat)) + 30;
  return 0xffu << 24 | green << 16 | 0x1eu << 8 | alpha;
}

static void draw_rim(const lw_danger_state *state, uint32_t color, const lw_debug_draw *draw) {
  lw_vec3 from = lwi_add(state->def.at, lwi_vec3(state->def.radius, 0, 0));
  for (int i = 1; draw->line && i <= SIDES; i++) {
    float angle = TWO_PI * (float)i / SIDES;
    lw_vec3 to =
        lwi_add(state->def.at, lwi_vec3(state->def.radius * cosf(angle), 0, state->def.radius * sinf(angle)));
    draw->line(draw->user, from, to, 1.6f, color);
    from = to;
  }
}

static void draw_danger(const lw_danger_state *state, const lw_debug_draw *draw) {
  float heat = 1 - expf(-state->value); /* half at 0.7, nine tenths at 2.3 */
  uint32_t alpha = (uint32_t)(0x0a + (float)(ALPHA - 0x0a) * heat);
  for (int i = LAYERS; draw->disc && i > 0; i--)
    draw->disc(draw->user, state->def.at, state->def.radius * (float)i / LAYERS, heat_color(heat, alpha));
  draw_rim(state, heat_color(heat, 0xd0), draw);
}

/// Its outline at the height of its ends, and the line of fire.
static void draw_lane(const lw_fire_lane_def *def, const lw_debug_draw *draw) {
  const lwi_timed_shape lane = lwi_fire_lane_region(def);
  const lwi_timed_outline outline = lwi_timed_outline_make(LWI_FIRE_LANE, &lane);
  for (int i = 0; i < outline.count; i++) {
    lw_vec3 from = outline.corners[i], to = outline.corners[i + 1 < outline.count ? i + 1 : 0];
    draw->line(draw->user, from, to, 1.4f, LANE_COLOR);
  }
  for (int i = 0; i < SIDES; i += 2)
    draw->line(draw->user, lwi_lerp(def->from, def->to, (float)i / SIDES),
               lwi_lerp(def->from, def->to, (float)(i + 1) / SIDES), 2.2f, LANE_COLOR);
}

static void draw_lanes(const lw_world *world, const lw_debug_draw *draw) {
  lw_fire_lane_id id = lw_fire_lane_id_none();
  while (!lw_fire_lane_id_is_none(id = lw_fire_lane_next(world, id))) {
    lw_fire_lane_state state;
    if (lw_fire_lane_get_state(world, id, &state) == LW_OK) draw_lane(&state.def, draw);
  }
}

#define PLACE_COLOR 0x8fe0ffc0u ///< Places of a formation.

/* The frame of a group that travels, and lines from members to their places. */
static void draw_group(const lw_world *world, lw_group_id id, const lw_debug_draw *draw) {
  lw_group_state state;
  lw_agent_id members[LW_GROUP_MEMBERS_MAX];
  if (lw_group_get_state(world, id, &state) != LW_OK || state.move != LW_MOVE_WALKING) return;
  const int count = lw_group_members(world, id, members, LW_GROUP_MEMBERS_MAX);
  const lw_vec3 ahead = {1.5f * cosf(state.heading), 0, -1.5f * sinf(state.heading)};
  draw->line(draw->user, state.frame, lwi_add(state.frame, ahead), 3, PLACE_COLOR);
  for (int i = 0; i < count; i++) {
    lw_vec3 place;
    lw_agent_state member;
    if (lw_group_place(world, members[i], &place) != LW_OK ||
        lw_agent_get_state(world, members[i], &member) != LW_OK)
      continue;
    draw->line(draw->user, member.position, place, 1.4f, PLACE_COLOR);
    if (draw->disc) draw->disc(draw->user, place, 0.15f, PLACE_COLOR);
  }
}

static void draw_groups(const lw_world *world, const lw_debug_draw *draw) {
  lw_group_id id = lw_group_id_none();
  while (draw->line && !lw_group_id_is_none(id = lw_group_next(world, id))) draw_group(world, id, draw);
}

static void draw_timed_regions(const lw_world *world, const lw_debug_draw *draw) {
  lw_danger_id id = lw_danger_id_none();
  while (!lw_danger_id_is_none(id = lw_danger_next(world, id))) {
    lw_danger_state state;
    if (lw_danger_get_state(world, id, &state) == LW_OK) draw_danger(&state, draw);
  }
  if (draw->line) draw_lanes(world, draw);
}

/* --- agents, their paths and goals ------------------------------------------------------------------------ */

#define WHITE 0xffffffffu
#define FAILED 0xff3b30ffu

static uint32_t hue_channel(float hue, float offset) {
  float k = fmodf(offset + hue * 6, 6);
  float ramp = fmaxf(0, fminf(1, fminf(k, 4 - k)));
  return (uint32_t)(255 * (1 - 0.72f * ramp));
}

/// An agent without a colour gets one by its id; the golden angle makes those of neighbours unlike.
static uint32_t agent_color(lw_agent_id agent, const lw_agent_state *state) {
  if (state->color) return state->color << 8 | 0xff;
  float hue = fmodf((float)((agent.slot + agent.generation) & 0xffff) * 0.61803399f, 1);
  return hue_channel(hue, 5) << 24 | hue_channel(hue, 3) << 16 | hue_channel(hue, 1) << 8 | 0xff;
}

static float at_least(float metres, float pixels, const lw_debug_draw *draw) {
  return fmaxf(metres, pixels * draw->pixel);
}

#define DASHES 6 ///< Of the line along an off-mesh link.

static void draw_piece(lw_vec3 from, lw_vec3 to, bool is_link, float width, uint32_t color,
                       const lw_debug_draw *draw) {
  if (!is_link) {
    draw->line(draw->user, from, to, width, color);
    return;
  }
  for (int i = 0; i < DASHES; i++) {
    const float step = 1.0f / (2 * DASHES - 1);
    lw_vec3 begin = lwi_lerp(from, to, step * (float)(2 * i)),
            end = lwi_lerp(from, to, step * (float)(2 * i + 1));
    draw->line(draw->user, begin, end, width, color);
  }
}

uint32_t lw_cost_term_color(lw_cost_term term) {
  static const uint32_t colors[LW_COST_TERM_COUNT] = {
      [LW_TERM_LENGTH] = 0xffffff,     [LW_TERM_RESISTANCE] = 0xc08a4a, [LW_TERM_OPENNESS] = 0xffe08a,
      [LW_TERM_WATER] = 0x3fa7ff,      [LW_TERM_UNSAFE] = 0xb36bff,     [LW_TERM_AREA] = 0x8a9a3b,
      [LW_TERM_CROUCH] = 0x2fc6a0,     [LW_TERM_DANGER] = 0xff8a1f,     [LW_TERM_THREATS] = 0xff3b6b,
      [LW_TERM_FIRE_LANES] = 0xff6bd6, [LW_TERM_OBSTACLES] = 0xd8d24a,  [LW_TERM_LINKS] = 0x6bffb8,
  };
  return (unsigned)term < LW_COST_TERM_COUNT ? colors[term] : colors[LW_TERM_LENGTH];
}

/* A cost term shows when it is more than this part of the length of a piece. */
#define TERM_SHOWN 0.1f

/* The largest cost term of a piece; LW_TERM_LENGTH: none to show. @param run  As for
   lwi_path_cost_breakdown(). */
static lw_cost_term largest_term(const lw_path *path, int piece, int *run) {
  lwi_cost_breakdown breakdown = lwi_path_cost_breakdown(path, piece, run);
  int largest = LW_TERM_LENGTH;
  float cost = TERM_SHOWN * breakdown.length;
  for (int i = LW_TERM_LENGTH + 1; i < LW_COST_TERM_COUNT; i++) {
    if (breakdown.terms.of[i] <= cost) continue;
    cost = breakdown.terms.of[i];
    largest = i;
  }
  return (lw_cost_term)largest;
}

/* The rest of the path. @param color  0: by the largest cost term of each piece. */
static void draw_route(const lw_agent_state *state, const lw_path *path, float width, uint32_t color,
                       const lw_debug_draw *draw) {
  int count = 0, run = 0;
  const lw_vec3 *points = lw_path_points(path, &count);
  lw_vec3 from = state->position;
  for (int i = state->next_point; i < count; i++) {
    bool is_link =
        i == state->next_point ? state->link != LW_LINK_NONE : lw_path_link(path, i - 1) != LW_LINK_NONE;
    int piece = i > 0 ? i - 1 : 0;
    uint32_t shown = color ? color : lw_cost_term_color(largest_term(path, piece, &run)) << 8 | 0xff;
    draw_piece(from, points[i], is_link, width, shown, draw);
    from = points[i];
  }
}

static void draw_path(const lw_world *world, lw_agent_id agent, const lw_agent_state *state, bool selected,
                      const lw_debug_draw *draw) {
  const lw_path *path = lw_agent_path(world, agent);
  if (!path || state->move != LW_MOVE_WALKING) return;
  uint32_t color = agent_color(agent, state);
  float width = selected ? 4 : state->color ? 3.2f : 2.4f;
  if (draw->line) {
    draw_route(state, path, width + 2, (CASING & ~0xffu) | 0xb0, draw);
    draw_route(state, path, width, selected ? 0 : color, draw);
  }
  if (!draw->disc) return;
  draw->disc(draw->user, state->goal, at_least(0.30f, selected ? 7.5f : 5.5f, draw), CASING);
  draw->disc(draw->user, state->goal, at_least(0.24f, selected ? 6.2f : 4.4f, draw), color);
  draw->disc(draw->user, state->goal, at_least(0.13f, 2.4f, draw), CASING);
}

static void draw_halo(lw_vec3 at, float radius, const lw_debug_draw *draw) {
  const int sides = 40;
  for (int i = 0; draw->line && i < sides; i++) {
    float a = TWO_PI * (float)i / (float)sides, b = TWO_PI * (float)(i + 1) / (float)sides;
    lw_vec3 from = lwi_add(at, lwi_vec3(radius * cosf(a), 0, radius * sinf(a)));
    lw_vec3 to = lwi_add(at, lwi_vec3(radius * cosf(b), 0, radius * sinf(b)));
    draw->line(draw->user, from, to, 2.5f, WHITE);
  }
}

/* A rectangle about an axle. @param reach  Where it ends behind and before that. [m] */
static void draw_rectangle(lw_vec3 axle, float heading, const float reach[2], float width, uint32_t color,
                           const lw_debug_draw *draw) {
  const float c = cosf(heading), s = -sinf(heading), half = width / 2;
  const float ends[] = {reach[0], reach[0], reach[1], reach[1]};
  const float sides[] = {-half, half, half, -half};
  lw_vec3 corners[4];
  for (int i = 0; i < 4; i++)
    corners[i] = lwi_add(axle, lwi_vec3(c * ends[i] - s * sides[i], 0, s * ends[i] + c * sides[i]));
  const uint32_t fill = (color & 0xffffff00u) | 0x80;
  if (draw->triangle) draw->triangle(draw->user, corners[0], corners[1], corners[2], fill);
  if (draw->triangle) draw->triangle(draw->user, corners[0], corners[2], corners[3], fill);
  for (int i = 0; i < 4 && draw->line; i++) draw->line(draw->user, corners[i], corners[(i + 1) % 4], 2, color);
}

/* A vehicle, whose place is the middle of its rear axle, and its trailer with its drawbar. */
static void draw_vehicle(const lw_body *body, const lw_agent_state *state, uint32_t color,
                         const lw_debug_draw *draw) {
  const lw_vehicle *vehicle = &body->vehicle;
  const lw_trailer *trailer = &body->trailer;
  const float back = (vehicle->wheelbase - vehicle->length) / 2, reach[] = {back, back + vehicle->length};
  draw_rectangle(state->position, state->heading, reach, vehicle->width, color, draw);
  if (trailer->length <= 0) return;
  const lw_vec3 joint = lwi_trailer_joint_at(trailer, state->position, state->heading);
  const lw_vec3 axle = lwi_trailer_axle_at(trailer, joint, state->trailer_heading);
  const float ends[] = {lwi_trailer_back(trailer), lwi_trailer_front(trailer)};
  draw_rectangle(axle, state->trailer_heading, ends, trailer->width, color, draw);
  if (draw->line) draw->line(draw->user, axle, joint, 2, color);
}

static void draw_agent(lw_agent_id agent, const lw_agent_state *state, bool selected,
                       const lw_debug_draw *draw) {
  const lw_body *body = &lw_profile_get_def(state->profile)->body;
  if (body->vehicle.wheelbase > 0) draw_vehicle(body, state, agent_color(agent, state), draw);
  float radius = at_least(lw_profile_get_def(state->profile)->radius, 4, draw);
  float rim = fmaxf(0.12f * radius, 1.4f * draw->pixel);
  if (draw->disc) {
    draw->disc(draw->user, state->position, radius + rim, state->move == LW_MOVE_FAILED ? FAILED : CASING);
    draw->disc(draw->user, state->position, radius, agent_color(agent, state));
  }
  lw_vec3 ahead = {cosf(state->heading) * radius * 1.7f, 0, -sinf(state->heading) * radius * 1.7f};
  lw_vec3 tip = lwi_add(state->position, ahead);
  if (draw->line) draw->line(draw->user, state->position, tip, 3.6f, CASING);
  if (draw->line) draw->line(draw->user, state->position, tip, 2, WHITE);
  if (selected) draw_halo(state->position, radius * 2 + 2 * rim, draw);
}

#define SEEN 0xffb020c0u ///< A line to the enemy that counts most.

/* The enemy that it sees, or where it saw it last: then dashed. */
static void draw_enemy(const lw_world *world, lw_agent_id agent, const lw_agent_state *state, bool selected,
                       const lw_debug_draw *draw) {
  const lw_value at = lw_agent_get_value(world, agent, "sense.enemy_at");
  if (at.kind != LW_VALUE_VEC3 || !draw->line) return;
  const bool is_seen = lw_agent_get_value(world, agent, "sense.enemy_seen").kind == LW_VALUE_BOOLEAN;
  draw_piece(state->position, at.as.vec3, !is_seen, selected ? 2.4f : 1.2f, SEEN, draw);
}

/// "soldier: MoveTo": the profile, and the running node, which is the last name of the path that lw_agent_why()
/// begins with.
static void draw_label(const lw_world *world, lw_agent_id agent, const lw_agent_state *state,
                       const lw_debug_draw *draw) {
  char why[256], text[128], profile[64];
  lw_agent_why(world, agent, why, sizeof why);
  why[strcspn(why, "\n:;,")] = 0;
  const char *node = why;
  for (const char *next = node; (next = strstr(next, " > ")) != NULL;) node = next += 3;
  lwi_text_show(profile, sizeof profile, lw_profile_get_def(state->profile)->name);
  snprintf(text, sizeof text, lw_agent_tree(world, agent) ? "%s: %.48s" : "%s", profile, node);
  draw->text(draw->user, state->position, text, WHITE);
}

/* An agent where it is to be drawn. */
static bool get_shown(const lw_world *world, lw_agent_id agent, const lw_debug_draw *draw,
                      lw_agent_state *state) {
  lw_pose pose;
  if (lw_agent_get_state(world, agent, state) != LW_OK) return false;
  if (lw_agent_pose(world, agent, 1 - draw->behind, &pose) != LW_OK) return true;
  state->position = pose.position;
  state->heading = pose.heading;
  state->trailer_heading = pose.trailer_heading;
  return true;
}

void lw_world_debug_draw(const lw_world *world, uint32_t layers, lw_agent_id selected,
                         const lw_debug_draw *draw) {
  if (!world || !draw) return;
  for (int i = 0; i < lw_world_navmesh_count(world); i++)
    lw_navmesh_debug_draw(lw_world_navmesh_at(world, i), layers, draw);
  if (layers & LW_DRAW_REGIONS) lwi_debug_draw_regions(world, draw);
  if ((layers & LW_DRAW_LINKS) && draw->line) lwi_debug_draw_world_links(world, draw);
  if (layers & LW_DRAW_DANGERS) draw_timed_regions(world, draw);
  if ((layers & LW_DRAW_EXPOSURE) && draw->triangle) draw_exposure(world, draw);
  if (layers & LW_DRAW_OBSTACLES) lwi_debug_draw_obstacles(world, draw);
  if ((layers & LW_DRAW_COVER) && draw->line) lwi_debug_draw_obstacle_cover(world, draw);
  if (layers & LW_DRAW_COVER_MAP) lwi_debug_draw_cover_map(world, selected, draw);
  if (layers & LW_DRAW_PATHS) draw_groups(world, draw);
  /* layer by layer, so that no path hides an agent */
  for (uint32_t layer = LW_DRAW_PATHS; layer <= LW_DRAW_LABELS; layer <<= 1) {
    if (!(layers & layer) || (layer == LW_DRAW_LABELS && !draw->text)) continue;
    lw_agent_id agent = lw_agent_id_none();
    while (!lw_agent_id_is_none(agent = lw_agent_next(world, agent))) {
      lw_agent_state state;
      if (!get_shown(world, agent, draw, &state)) continue;
      if (layer == LW_DRAW_PATHS) draw_path(world, agent, &state, lw_agent_id_equal(agent, selected), draw);
      const bool whisks =
          layer == LW_DRAW_AGENTS && (layers & LW_DRAW_WHISKERS || lw_agent_id_equal(agent, selected));
      if (whisks) lwi_debug_draw_whiskers(world, agent, state.position, draw);
      if (layer == LW_DRAW_AGENTS) draw_enemy(world, agent, &state, lw_agent_id_equal(agent, selected), draw);
      if (layer == LW_DRAW_AGENTS) draw_agent(agent, &state, lw_agent_id_equal(agent, selected), draw);
      if (layer == LW_DRAW_LABELS) draw_label(world, agent, &state, draw);
    }
  }
  if (layers & LW_DRAW_THREATS) draw_threats(world, draw);
}
