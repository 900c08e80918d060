#include "changing_world.h"

#include "level_test.h"

#include <math.h>
#include <string.h>

#define WALLS 7
#define STATES 3
#define VOLUMES_MAX 3
#define TILES_MAX (CHANGING_ROWS * 2)
#define BORDER 0.02 /* m */
#define AGENT_RADIUS 0.25
#define REST_STEPS 20
#define DT (1.0f / 30)

static float number(lw_random *random, float low, float high) {
  return low + (high - low) * lwi_random_unit(random);
}

static int below(lw_random *random, int count) {
  return (int)(lwi_random_unit(random) * (float)count);
}

lw_vec3 changing_place(lw_random *random) {
  const float x = number(random, 0.5f, WIDTH - 0.5f);
  return (lw_vec3){x, 0, number(random, 0.5f, DEPTH - 0.5f)};
}

/* --- permutations ------------------------------------------------------------------------------------------------- */

/* What a state has; tiles by columns, a whole one from each source: -1 removes it. */
typedef struct model_state {
  const char *name;
  lw_obstacle_def volumes[VOLUMES_MAX];
  int volume_count;
  bool bars_lift;
  int column, source; /* column 0: no tiles */
} model_state;

typedef struct model_permutation {
  const char *name;
  model_state states[STATES];
} model_permutation;

static lw_obstacle_def box(float x, float z, float size_x, float size_z, float yaw) {
  lw_obstacle_def def = lw_obstacle_def_default();
  def.at = (lw_vec3){x, 0, z};
  def.size = (lw_vec3){size_x, 2, size_z};
  def.yaw = yaw;
  return def;
}

static lw_obstacle_def marked(lw_obstacle_def def, lw_area_id area, float cost) {
  def.blocks = false;
  def.area = area;
  def.cost = cost;
  return def;
}

static lw_obstacle_def round_one(float x, float z, float radius) {
  lw_obstacle_def def = box(x, z, 1, 1, 0);
  def.shape = LW_OBSTACLE_CYLINDER;
  def.radius = radius;
  return def;
}

static lw_obstacle_def wedge(float x, float z) {
  static const lw_vec3 points[] = {{-1, 0, -9}, {3, 0, 0}, {-1, 0, 11}};
  lw_obstacle_def def = box(x, z, 1, 1, 0.2f);
  def.shape = LW_OBSTACLE_POLYGON;
  def.points = points;
  def.point_count = 3;
  return def;
}

static model_permutation model_of(int permutation) {
  switch (permutation) {
  case 0:
    return (model_permutation){
        "gate",
        {{.name = "open"},
         {.name = "shut", .volumes = {box(16, 12, 1, 26, 0), round_one(20, 12, 2)}, .volume_count = 2},
         {.name = "road",
          .volumes = {marked(box(16, 12, 4, 26, 0), SCENE_ROAD, 0), marked(box(19, 9, 6, 10, 0.4f), 0, 2)},
          .volume_count = 2}}};
  case 1:
    return (model_permutation){
        "lift",
        {{.name = "up"},
         {.name = "down", .volumes = {box(5, 20, 3, 2, 0.7f)}, .volume_count = 1, .bars_lift = true},
         {.name = "fenced", .volumes = {box(9, 12, 0.4f, 26, 0)}, .volume_count = 1}}};
  case 2:
    return (model_permutation){"wall",
                               {{.name = "none"},
                                {.name = "tiles", .column = 4, .source = 1},
                                {.name = "gap", .column = 4, .source = -1}}};
  default:
    return (model_permutation){
        "storm",
        {{.name = "calm"},
         {.name = "storm",
          .volumes = {wedge(33, 11), marked(box(26, 12, 3, 30, 0.1f), SCENE_ROAD, 1), box(24, 5, 5, 1, 1)},
          .volume_count = 3,
          .bars_lift = true,
          .column = 5,
          .source = 2},
         {.name = "flood",
          .volumes = {marked(box(34, 12, 11, 30, 0), SCENE_ROAD, 4)},
          .volume_count = 1,
          .column = 5,
          .source = 3}}};
  }
}

/* How far the nearest side of a polygon is from where its points start. [m] */
static float half_width(const lw_obstacle_def *def) {
  float min = INFINITY;
  for (int i = 0; i < def->point_count; i++) {
    const lw_vec3 a = def->points[i], b = def->points[(i + 1) % def->point_count];
    min = fminf(min, fabsf(a.x * b.z - a.z * b.x) / lwi_distance_xz(a, b));
  }
  return min;
}

/* Move all sides outwards, those of a polygon at least that far. @param points  [CHANGING_POINTS] That it may use. */
static lw_obstacle_def widened(lw_obstacle_def def, float by, lw_vec3 *points) {
  def.size.x += 2 * by;
  def.size.z += 2 * by;
  def.radius += by;
  if (def.shape != LW_OBSTACLE_POLYGON || by == 0) return def;
  const float factor = 1 + by / half_width(&def);
  for (int i = 0; i < def.point_count; i++) points[i] = lwi_scale(def.points[i], factor);
  def.points = points;
  return def;
}

static void define(const changing_world *it, lw_world *world, int permutation, int initial, float wider) {
  static lw_vec3 points[STATES][VOLUMES_MAX][CHANGING_POINTS];
  model_permutation model = model_of(permutation);
  const lw_permutation_link barred = {"lift", false};
  lw_permutation_tile tiles[STATES][CHANGING_ROWS];
  lw_permutation_state_def states[STATES] = {{.name = NULL}};
  lw_permutation_def def = lw_permutation_def_default();
  lw_error error = {.text = ""};
  for (int i = 0; i < STATES; i++) {
    model_state *state = &model.states[i];
    for (int k = 0; k < state->volume_count; k++)
      state->volumes[k] = widened(state->volumes[k], wider, points[i][k]);
    states[i] = (lw_permutation_state_def){.name = state->name,
                                           .volumes = state->volumes,
                                           .volume_count = state->volume_count,
                                           .links = &barred,
                                           .link_count = state->bars_lift,
                                           .tiles = tiles[i],
                                           .tile_count = state->column > 0 ? CHANGING_ROWS : 0};
    const lw_navmesh *from = state->source >= 0 ? it->sources[state->source] : NULL;
    for (int z = 0; z < CHANGING_ROWS; z++) tiles[i][z] = (lw_permutation_tile){0, {state->column, z, from}};
  }
  def.name = model.name;
  def.states = states;
  def.state_count = STATES;
  def.initial = initial;
  if (lw_permutation_define(world, &def, &error) != LW_OK) fail_msg("%s", error.text);
}

static void change_permutation(changing_world *it) {
  const int which = below(&it->random, CHANGING_PERMUTATIONS);
  const model_permutation model = model_of(which);
  it->states[which] = below(&it->random, STATES);
  assert_int_equal(lw_permutation_set(it->world, model.name, model.states[it->states[which]].name, NULL),
                   LW_OK);
}

/* --- obstacles ---------------------------------------------------------------------------------------------------- */

static void draw_points(lw_random *random, changing_obstacle *obstacle) {
  lw_obstacle_def *def = &obstacle->def;
  const float wide = number(random, 0.5f, 3), deep = number(random, 0.5f, 3);
  def->point_count = 3 + below(random, CHANGING_POINTS - 2);
  def->points = obstacle->points;
  for (int i = 0; i < def->point_count; i++) {
    const float angle = ((float)i + number(random, 0, 0.4f)) * 6.2831853f / (float)def->point_count;
    obstacle->points[i] = (lw_vec3){wide * cosf(angle), 0, deep * sinf(angle)};
  }
}

/* On the floor, or well below or above all agents. */
static float draw_height(lw_random *random) {
  static const float heights[] = {0, 0, 0, 0, 1, -6, 5};
  return heights[below(random, 7)];
}

static void add_obstacle(changing_world *it, changing_obstacle *obstacle) {
  lw_random *random = &it->random;
  lw_obstacle_def *def = &obstacle->def;
  *def = lw_obstacle_def_default();
  def->shape = (lw_obstacle_shape)below(random, LW_OBSTACLE_SHAPE_COUNT);
  def->at = changing_place(random);
  def->at.y = draw_height(random);
  def->yaw = number(random, -3, 3);
  def->size = (lw_vec3){number(random, 0.3f, 4), number(random, 0.5f, 2.5f),
                        number(random, 0.3f, below(random, 4) ? 4 : 16)};
  def->radius = number(random, 0.2f, 2);
  if (def->shape == LW_OBSTACLE_POLYGON) draw_points(random, obstacle);
  def->min_move = number(random, 0, 1);
  const int kind = below(random, 10);
  if (kind < 3) *def = marked(*def, kind > 0 ? SCENE_ROAD : LW_AREA_NONE, kind < 2 ? 2 : 0);
  if (kind == 9) def->cover = LW_COVER_SOFT;
  lw_error error = {.text = ""};
  if (lw_obstacle_add(it->world, def, &obstacle->id, &error) != LW_OK) fail_msg("%s", error.text);
  obstacle->is_there = true;
}

/* Far at once, or a little further at a speed. */
static void move_obstacle(changing_world *it, changing_obstacle *obstacle) {
  lw_random *random = &it->random;
  lw_obstacle_def *def = &obstacle->def;
  const lw_vec3 velocity = {number(random, 0, 8), 0, 0};
  if (below(random, 3) == 0) {
    def->at = changing_place(random);
    def->at.y = draw_height(random);
  } else {
    def->at.x += number(random, -0.7f, 0.7f);
    def->at.z += number(random, -0.7f, 0.7f);
    def->yaw += number(random, -0.2f, 0.2f);
  }
  assert_int_equal(
      lw_obstacle_move(it->world, obstacle->id, def->at, def->yaw, below(random, 2) ? &velocity : NULL), LW_OK);
}

static void change_obstacle(changing_world *it) {
  changing_obstacle *obstacle = &it->obstacles[below(&it->random, CHANGING_OBSTACLES)];
  if (!obstacle->is_there) {
    add_obstacle(it, obstacle);
  } else if (below(&it->random, 4) > 0) {
    move_obstacle(it, obstacle);
  } else {
    assert_int_equal(lw_obstacle_remove(it->world, obstacle->id), LW_OK);
    obstacle->is_there = false;
  }
}

/* --- links -------------------------------------------------------------------------------------------------------- */

static void add_link(changing_world *it, changing_link *link) {
  lw_random *random = &it->random;
  link->def = lw_link_def_default();
  link->def.kind = (lw_link_kind)below(random, LW_LINK_WAYPOINT);
  link->def.from = changing_place(random);
  link->def.to = changing_place(random);
  link->def.bidirectional = below(random, 2) == 0;
  link->def.name = below(random, 4) == 0 ? "lift" : NULL;
  if (below(random, 4) == 0) link->def.length = number(random, 0, 15);
  const lw_status status = lw_link_add(it->world, &link->def, &link->id, NULL);
  if (status == LW_NO_POINT || status == LW_INVALID) return; /* under a wall, or both ends at one place */
  assert_int_equal(status, LW_OK);
  link->is_there = link->is_on = true;
  link->cost = 0;
}

static lw_link_id lift_of(const lw_world *world) {
  lw_link_id id = lw_link_id_none();
  lw_link_info info;
  do {
    id = lw_link_find(world, "lift", id);
    assert_int_equal(lw_link_get(world, id, &info), LW_OK);
  } while (info.is_added);
  return id;
}

/* One that may be there, and that is not removed. */
static void change_some_link(lw_random *random, lw_world *world, lw_link_id id, bool *is_on, float *cost) {
  if (below(random, 2) == 0) {
    *is_on = !*is_on;
    assert_int_equal(lw_link_enable(world, id, *is_on), LW_OK);
  } else {
    *cost = below(random, 2) == 0 ? 0 : number(random, 0, 40);
    assert_int_equal(lw_link_set_cost(world, id, *cost), LW_OK);
  }
}

static void change_link(changing_world *it) {
  const int which = below(&it->random, CHANGING_LINKS + 1);
  if (which == CHANGING_LINKS) {
    change_some_link(&it->random, it->world, lift_of(it->world), &it->lift_is_on, &it->lift_cost);
    return;
  }
  changing_link *link = &it->links[which];
  if (!link->is_there) {
    add_link(it, link);
  } else if (below(&it->random, 4) > 0) {
    change_some_link(&it->random, it->world, link->id, &link->is_on, &link->cost);
  } else {
    assert_int_equal(lw_link_remove(it->world, link->id), LW_OK);
    link->is_there = false;
  }
}

/* --- tiles -------------------------------------------------------------------------------------------------------- */

static changing_tiles tiles_from(int source) {
  changing_tiles tiles;
  for (int z = 0; z < CHANGING_ROWS; z++)
    for (int x = 0; x < CHANGING_COLUMNS; x++) tiles.from[z][x] = source;
  return tiles;
}

static void set_navmesh(changing_world *it, const lw_navmesh *mesh) {
  lw_error error = {.text = ""};
  if (lw_world_set_navmesh(it->world, 0, mesh, &error) != LW_OK) fail_msg("%s", error.text);
}

static void swap_all(changing_world *it, int source) {
  set_navmesh(it, it->sources[source]);
  it->own = tiles_from(source);
}

/* @return NULL: all are used. */
static lw_navmesh **free_patch(changing_world *it) {
  lw_navmesh **found = NULL;
  for (int i = 0; i < CHANGING_PATCHES; i++) {
    lw_navmesh **patch = &it->patches[i];
    if (*patch && lw_world_uses_navmesh(it->world, *patch)) continue;
    lw_navmesh_destroy(*patch);
    *patch = NULL;
    found = patch;
  }
  return found;
}

/* Is there ground on that tile? Walls may cover all of one. */
static bool has_tile(const lw_navmesh *mesh, int x, int z) {
  for (uint32_t i = 0; i < mesh->tiles.count; i++)
    if (mesh->tiles.items[i].x == x && mesh->tiles.items[i].z == z) return true;
  return false;
}

/* Some tiles of a whole source come from others, or are removed; not those where the lift is. */
static void swap_some(changing_world *it) {
  lw_tile_change changes[CHANGING_ROWS * CHANGING_COLUMNS];
  lw_navmesh **patch = free_patch(it);
  lw_error error = {.text = ""};
  int count = 0;
  if (!patch) return;
  const int source = below(&it->random, CHANGING_SOURCES);
  it->own = tiles_from(source);
  for (int z = 0; z < CHANGING_ROWS; z++)
    for (int x = 1; x < CHANGING_COLUMNS; x++) {
      if (below(&it->random, 5) > 0) continue;
      const int from = below(&it->random, CHANGING_SOURCES + 1) - 1;
      const lw_navmesh *other = from >= 0 ? it->sources[from] : NULL;
      if (!has_tile(it->sources[source], x, z) && !(other && has_tile(other, x, z))) continue;
      changes[count++] = (lw_tile_change){x, z, other};
      it->own.from[z][x] = from;
    }
  if (lw_navmesh_replace_tiles(it->sources[source], changes, count, NULL, patch, &error) != LW_OK)
    fail_msg("%s", error.text);
  set_navmesh(it, *patch);
}

/* With those of permutations. @return Index of a source; -1: there is none. */
static int source_at(const changing_world *it, int x, int z) {
  for (int i = 0; i < CHANGING_PERMUTATIONS; i++) {
    const model_permutation model = model_of(i);
    const model_state *state = &model.states[it->states[i]];
    if (state->column > 0 && state->column == x) return state->source;
  }
  return it->own.from[z][x];
}

/* --- changes ------------------------------------------------------------------------------------------------------ */

void changing_change(changing_world *it) {
  const int kind = below(&it->random, 20);
  if (kind < 9)
    change_obstacle(it);
  else if (kind < 14)
    change_link(it);
  else if (kind < 18)
    change_permutation(it);
  else if (kind < 19)
    swap_all(it, below(&it->random, CHANGING_SOURCES));
  else
    swap_some(it);
  it->operations[kind < 9 ? 0 : kind < 14 ? 1 : kind < 18 ? 2 : 3] += 1;
}

void changing_settle(changing_world *it) {
  for (int i = 0; i < REST_STEPS; i++) assert_int_equal(lw_world_step(it->world, DT), LW_OK);
}

void changing_undo(changing_world *it) {
  for (int i = 0; i < CHANGING_OBSTACLES; i++) {
    if (it->obstacles[i].is_there) assert_int_equal(lw_obstacle_remove(it->world, it->obstacles[i].id), LW_OK);
    it->obstacles[i].is_there = false;
  }
  for (int i = 0; i < CHANGING_LINKS; i++) {
    if (it->links[i].is_there) assert_int_equal(lw_link_remove(it->world, it->links[i].id), LW_OK);
    it->links[i].is_there = false;
  }
  it->lift_is_on = true;
  it->lift_cost = 0;
  assert_int_equal(lw_link_enable(it->world, lift_of(it->world), true), LW_OK);
  assert_int_equal(lw_link_set_cost(it->world, lift_of(it->world), 0), LW_OK);
  for (int i = 0; i < CHANGING_PERMUTATIONS; i++) {
    const model_permutation model = model_of(i);
    it->states[i] = 0;
    assert_int_equal(lw_permutation_set(it->world, model.name, model.states[0].name, NULL), LW_OK);
  }
  swap_all(it, 0);
}

lw_world *changing_create_at_once(const changing_world *it, float wider) {
  lw_world *world = tiles_make_world(lw_world_base_navmesh(it->world, 0));
  lw_error error = {.text = ""};
  for (int i = 0; i < CHANGING_PERMUTATIONS; i++) define(it, world, i, it->states[i], wider);
  assert_int_equal(lw_world_apply_changes(world), LW_OK);
  for (int i = 0; i < CHANGING_LINKS; i++) {
    const changing_link *link = &it->links[i];
    lw_link_id id;
    if (!link->is_there || lw_link_add(world, &link->def, &id, NULL) != LW_OK) continue;
    assert_int_equal(lw_link_enable(world, id, link->is_on), LW_OK);
    assert_int_equal(lw_link_set_cost(world, id, link->cost), LW_OK);
  }
  assert_int_equal(lw_link_enable(world, lift_of(world), it->lift_is_on), LW_OK);
  assert_int_equal(lw_link_set_cost(world, lift_of(world), it->lift_cost), LW_OK);
  for (int i = 0; i < CHANGING_OBSTACLES; i++) {
    lw_vec3 points[CHANGING_POINTS];
    lw_obstacle_id id;
    if (!it->obstacles[i].is_there) continue;
    const lw_obstacle_def def = widened(it->obstacles[i].def, wider, points);
    if (lw_obstacle_add(world, &def, &id, &error) != LW_OK) fail_msg("%s", error.text);
  }
  assert_int_equal(lw_world_apply_changes(world), LW_OK);
  return world;
}

/* --- what is known ------------------------------------------------------------------------------------------------ */

typedef struct point {
  double x, z;
} point;

/* About y, counter-clockwise seen from above: x towards -z. */
static point corner_at(const lw_obstacle_def *def, double x, double z) {
  const double c = cos((double)def->yaw), s = sin((double)def->yaw);
  return (point){(double)def->at.x + x * c + z * s, (double)def->at.z - x * s + z * c};
}

static int corners_of(const lw_obstacle_def *def, point *corners) {
  static const double signs[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  if (def->shape == LW_OBSTACLE_BOX) {
    for (int i = 0; i < 4; i++)
      corners[i] = corner_at(def, signs[i][0] * (double)def->size.x / 2, signs[i][1] * (double)def->size.z / 2);
    return 4;
  }
  for (int i = 0; i < def->point_count; i++)
    corners[i] = corner_at(def, (double)def->points[i].x, (double)def->points[i].z);
  return def->point_count;
}

/* How far outside of the line through two corners, moved outwards by `grow`. */
static point outwards(const point *corners, int count, int i) {
  const point a = corners[i], b = corners[(i + 1) % count], c = corners[(i + 2) % count];
  const double length = hypot(b.x - a.x, b.z - a.z);
  point normal = {(b.z - a.z) / length, (a.x - b.x) / length};
  if (normal.x * (c.x - a.x) + normal.z * (c.z - a.z) > 0) normal = (point){-normal.x, -normal.z};
  return normal;
}

/* Of an outline with mitres, cut off square where sides turn by more than a right angle. [m, < 0: inside] */
static double outside_of_corners(const point *corners, int count, point at, double grow) {
  double outside = -INFINITY;
  for (int i = 0; i < count; i++) {
    const point corner = corners[(i + 1) % count];
    const point in = outwards(corners, count, i), out = outwards(corners, count, (i + 1) % count);
    const point from = {at.x - corner.x, at.z - corner.z};
    outside = fmax(outside, in.x * from.x + in.z * from.z - grow);
    if (in.x * out.x + in.z * out.z > -1e-6) continue; /* a right angle, but for rounding */
    const double length = hypot(in.x + out.x, in.z + out.z);
    outside = fmax(outside, ((in.x + out.x) * from.x + (in.z + out.z) * from.z) / length - grow);
  }
  return outside;
}

/* @param[out] is_sure  false: it is too near to a border to say. */
static bool is_inside(const lw_obstacle_def *def, lw_vec3 at, bool *is_sure) {
  const double grow = def->blocks ? AGENT_RADIUS : 0;
  if (def->at.y > 3 || def->at.y < -3) return false;
  if (def->shape == LW_OBSTACLE_CYLINDER) { /* twelve sides about it */
    const double distance = hypot((double)(at.x - def->at.x), (double)(at.z - def->at.z));
    const double min = (double)def->radius + grow, max = min / cos(3.14159265358979 / 12);
    *is_sure &= distance < min - BORDER || distance > max + BORDER;
    return distance < min;
  }
  point corners[CHANGING_POINTS];
  const int count = corners_of(def, corners);
  const double outside = outside_of_corners(corners, count, (point){(double)at.x, (double)at.z}, grow);
  *is_sure &= fabs(outside) > BORDER;
  return outside < 0;
}

static void note_volume(changing_ground *ground, const lw_obstacle_def *def, lw_vec3 at) {
  if (!is_inside(def, at, &ground->is_sure)) return;
  if (def->blocks)
    ground->is_cut = true;
  else if (def->area == SCENE_ROAD)
    ground->is_marked = true;
}

/* Is it ground as it was baked? */
static bool is_baked(const changing_world *it, lw_vec3 at, bool *is_sure) {
  const double x = ((double)at.x + 1) / 8, z = ((double)at.z + 1) / 8; /* in tiles */
  *is_sure &= fabs(x - round(x)) * 8 > BORDER && fabs(z - round(z)) * 8 > BORDER;
  const int source = source_at(it, (int)x, (int)z);
  if (source < 0) return false;
  const lw_navmesh *mesh = it->sources[source];
  double nearest = INFINITY;
  for (uint32_t i = 0; i < mesh->polygons.count; i++)
    nearest = fmin(nearest, level_outside(mesh, i, (double)at.x, (double)at.z));
  *is_sure &= nearest == 0 || nearest > BORDER;
  return nearest == 0;
}

changing_ground changing_ground_at(const changing_world *it, lw_vec3 at) {
  changing_ground ground = {.is_sure = true};
  const bool baked = is_baked(it, at, &ground.is_sure);
  for (int i = 0; i < CHANGING_OBSTACLES; i++)
    if (it->obstacles[i].is_there) note_volume(&ground, &it->obstacles[i].def, at);
  for (int i = 0; i < CHANGING_PERMUTATIONS; i++) {
    const model_permutation model = model_of(i);
    const model_state *state = &model.states[it->states[i]];
    for (int k = 0; k < state->volume_count; k++) note_volume(&ground, &state->volumes[k], at);
  }
  ground.is_ground = baked && !ground.is_cut;
  ground.is_cut = baked && ground.is_cut;
  return ground;
}

/* --- opening ------------------------------------------------------------------------------------------------------ */

static const lw_profile *make_profile(float radius, bool avoids_road) {
  lw_profile_def def = lw_profile_def_default();
  lw_profile *profile;
  def.radius = radius;
  def.avoid[SCENE_ROAD] = avoids_road;
  assert_int_equal(lw_profile_create(&def, scene_table, &profile, NULL), LW_OK);
  return profile;
}

/* Walls at random, but not where the lift is. */
static lw_navmesh *bake_source(lw_random *random) {
  lw_geometry_box walls[WALLS];
  for (int i = 0; i < WALLS; i++) {
    const float x = number(random, 12, WIDTH - 4), z = number(random, 0, DEPTH);
    walls[i] = tiles_wall_at(x, z, number(random, 1, 5), number(random, 1, 14));
  }
  return tiles_bake_walls(walls, WALLS);
}

void changing_open(changing_world *it, uint64_t seed) {
  *it = (changing_world){.seed = seed, .random = lwi_random_make(seed, 0), .lift_is_on = true};
  for (int i = 0; i < CHANGING_SOURCES; i++) it->sources[i] = bake_source(&it->random);
  it->own = tiles_from(0);
  it->profiles[1] = make_profile((float)AGENT_RADIUS, false);
  it->profiles[2] = make_profile((float)AGENT_RADIUS, true);
  it->profiles[3] = make_profile(0.6f, false);
  it->world = tiles_make_world(it->sources[0]);
  for (int i = 0; i < CHANGING_PERMUTATIONS; i++) define(it, it->world, i, 0, 0);
  assert_int_equal(lw_world_apply_changes(it->world), LW_OK);
}

void changing_close(changing_world *it) {
  lw_world_destroy(it->world);
  for (int i = 0; i < CHANGING_PATCHES; i++) lw_navmesh_destroy(it->patches[i]);
  for (int i = 0; i < CHANGING_SOURCES; i++) lw_navmesh_destroy(it->sources[i]);
  for (int i = 1; i < CHANGING_PROFILES; i++) lw_profile_destroy((lw_profile *)it->profiles[i]);
}
