/* Steps between polygons of a definition: random platforms of random heights, and boxes cut out of them, against flood
   fills over small cells and lines that are walked in small steps. */
#include "core/random.h"
#include "core/vec3.h"
#include "grid_mesh.h"
#include "leeward/leeward.h"
#include "mesh/mesh.h"
#include "random_world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SEED 20261126
#define LEVELS 45
#define SIDE 24    /* cells along x and along z */
#define CELL 0.5f  /* [m] */
#define CLIMB 0.5f /* of the definition: edges farther apart do not connect [m] */
#define PAIRS 50
#define RADIUS 0.3f /* of wide agents [m] */
#define BOXES 7
#define SLACK 1e-3f
#define PATH_SLACK 0.012f /* paths leave out points that are less than 1 cm beside the straight line [m] */

enum { HOLE = -1 };

typedef struct level {
  int number;
  lw_random random;
  float height[SIDE][SIDE];
  int platform[SIDE][SIDE]; /* HOLE: none */
  bool is_cut[SIDE][SIDE];
  int label[SIDE][SIDE]; /* by flood_fill(); HOLE: no ground */
  lw_navmesh *mesh;
  lw_world *world;
} level;

typedef struct cell {
  int x, z;
} cell;

static lw_area_table *areas;

static int setup(void **state) {
  (void)state;
  static const char *const names[] = {"ground", "dirt", "grass"};
  areas = support_areas(names, 3);
  return 0;
}

static int teardown(void **state) {
  (void)state;
  lw_area_table_destroy(areas);
  return 0;
}

/* --- the level ---------------------------------------------------------------------------------------------------- */

/* Rows of platforms of random widths, so that edges meet in part. */
static void draw_platforms(level *l) {
  static const float heights[] = {0, 0.1f, 0.2f, 0.35f, 0.4f, 0.6f, 0.008f};
  int count = 0;
  for (int z0 = 0, z1; z0 < SIDE; z0 = z1) {
    z1 = z0 + 2 + random_pick(&l->random, 4);
    if (z1 > SIDE - 2) z1 = SIDE;
    for (int x0 = 0, x1; x0 < SIDE; x0 = x1) {
      x1 = x0 + 1 + random_pick(&l->random, 6);
      if (x1 > SIDE) x1 = SIDE;
      const bool is_hole = random_pick(&l->random, 8) == 0 && count > 0;
      const float height = heights[random_pick(&l->random, 7)];
      for (int z = z0; z < z1; z++)
        for (int x = x0; x < x1; x++) {
          l->platform[z][x] = is_hole ? HOLE : count;
          l->height[z][x] = height;
        }
      count += !is_hole;
    }
  }
}

static void make_mesh(level *l) {
  static lw_vec3 vertices[4 * SIDE * SIDE];
  static int corners[4 * SIDE * SIDE], counts[SIDE * SIDE];
  static lw_area_id poly_areas[SIDE * SIDE];
  int count = 0;
  for (int z = 0; z < SIDE; z++)
    for (int x = 0; x < SIDE; x++) {
      if (l->platform[z][x] != count) continue; /* the first cell of each */
      int x1 = x, z1 = z;
      while (x1 < SIDE && l->platform[z][x1] == count) x1++;
      while (z1 < SIDE && l->platform[z1][x] == count) z1++;
      const float y = l->height[z][x], left = CELL * (float)x, right = CELL * (float)x1, top = CELL * (float)z,
                  bottom = CELL * (float)z1;
      const lw_vec3 outline[] = {{left, y, top}, {left, y, bottom}, {right, y, bottom}, {right, y, top}};
      memcpy(vertices + 4 * count, outline, sizeof outline);
      for (int i = 0; i < 4; i++) corners[4 * count + i] = 4 * count + i;
      poly_areas[count] = (lw_area_id)(1 + random_pick(&l->random, 3));
      counts[count++] = 4;
    }
  lw_navmesh_def def = lw_navmesh_def_default();
  lw_error error = {.text = ""};
  def.areas = areas;
  def.vertices = vertices;
  def.vertex_count = 4 * count;
  def.corners = corners;
  def.corner_counts = counts;
  def.polygon_count = count;
  def.poly_areas = poly_areas;
  def.climb = CLIMB;
  def.agent_radius = 0;
  if (lw_navmesh_create(&def, &l->mesh, &error) != LW_OK) fail_msg("level %d: %s", l->number, error.text);
}

static void save_and_load(level *l) {
  char name[] = "/tmp/leeward_steps_XXXXXX";
  lw_navmesh *loaded;
  const int file = mkstemp(name);
  assert_true(file >= 0);
  assert_int_equal(lw_navmesh_save(l->mesh, name, NULL), LW_OK);
  assert_int_equal(lw_navmesh_load(name, areas, NULL, &loaded, NULL), LW_OK);
  remove(name);
  lw_navmesh_destroy(l->mesh);
  l->mesh = loaded;
}

static void open_level(level *l, int number) {
  *l = (level){.number = number, .random = lwi_random_make(SEED, (uint64_t)number)};
  draw_platforms(l);
  make_mesh(l);
  if (number % 3 == 0) save_and_load(l);
  lw_error error = {.text = ""};
  if (lw_navmesh_validate(l->mesh, &error) != LW_OK) fail_msg("level %d: %s", number, error.text);
  lw_world_def def = lw_world_def_default();
  def.navmesh = l->mesh;
  assert_int_equal(lw_world_create(&def, &l->world, NULL), LW_OK);
}

static void close_level(level *l) {
  lw_world_destroy(l->world);
  lw_navmesh_destroy(l->mesh);
}

/* Boxes along the lines between cells, as high as all platforms. */
static void cut_boxes(level *l) {
  for (int i = 0; i < BOXES; i++) {
    const int x = random_pick(&l->random, SIDE - 6), z = random_pick(&l->random, SIDE - 6),
              width = 1 + random_pick(&l->random, 6), depth = 1 + random_pick(&l->random, 6);
    lw_obstacle_def def = lw_obstacle_def_default();
    lw_obstacle_id obstacle;
    def.at = (lw_vec3){CELL * ((float)x + 0.5f * (float)width), -1, CELL * ((float)z + 0.5f * (float)depth)};
    def.size = (lw_vec3){CELL * (float)width, 3, CELL * (float)depth};
    assert_int_equal(lw_obstacle_add(l->world, &def, &obstacle, NULL), LW_OK);
    for (int k = z; k < z + depth; k++)
      for (int j = x; j < x + width; j++) l->is_cut[k][j] = true;
  }
  assert_int_equal(lw_world_apply_changes(l->world), LW_OK);
  lw_error error = {.text = ""};
  if (lw_navmesh_validate(lw_world_navmesh(l->world), &error) != LW_OK)
    fail_msg("level %d with boxes: %s", l->number, error.text);
}

/* --- the oracle --------------------------------------------------------------------------------------------------- */

static bool is_ground(const level *l, cell at) {
  return at.x >= 0 && at.z >= 0 && at.x < SIDE && at.z < SIDE && l->platform[at.z][at.x] != HOLE &&
         !l->is_cut[at.z][at.x];
}

static float height_at(const level *l, cell at) {
  return l->height[at.z][at.x];
}

/* From a cell of ground to one beside it. Up to a centimetre is no step. */
static bool may_step(const level *l, float climb, cell from, cell to) {
  if (!is_ground(l, to)) return false;
  const float step = fabsf(height_at(l, from) - height_at(l, to));
  return step <= 0.01f || step <= fminf(climb, CLIMB) + SLACK;
}

static cell beside(cell at, int side) {
  static const int dx[] = {1, 0, -1, 0}, dz[] = {0, 1, 0, -1};
  return (cell){at.x + dx[side], at.z + dz[side]};
}

static void flood(level *l, float climb, cell seed, int label) {
  static cell stack[SIDE * SIDE];
  int depth = 0;
  stack[depth++] = seed;
  l->label[seed.z][seed.x] = label;
  while (depth > 0) {
    const cell at = stack[--depth];
    for (int side = 0; side < 4; side++) {
      const cell to = beside(at, side);
      if (!may_step(l, climb, at, to) || l->label[to.z][to.x] != HOLE) continue;
      l->label[to.z][to.x] = label;
      stack[depth++] = to;
    }
  }
}

static int flood_fill(level *l, float climb) {
  int count = 0;
  memset(l->label, 0xff, sizeof l->label);
  for (int z = 0; z < SIDE; z++)
    for (int x = 0; x < SIDE; x++)
      if (is_ground(l, (cell){x, z}) && l->label[z][x] == HOLE) flood(l, climb, (cell){x, z}, count++);
  return count;
}

static cell cell_at(lw_vec3 point) {
  return (cell){(int)floorf(point.x / CELL), (int)floorf(point.z / CELL)};
}

static int label_at(const level *l, lw_vec3 point) {
  const cell at = cell_at(point);
  return is_ground(l, at) ? l->label[at.z][at.x] : HOLE;
}

/* What walking along a line in small steps finds. */
typedef enum line_end { LINE_FREE, LINE_WALL, LINE_UNCLEAR } line_end;

/* How far a point of the cell beside another one is from it. */
static float depth_beyond(lw_vec3 point, cell from, cell to) {
  const float x = point.x - CELL * (float)(to.x > from.x ? to.x : from.x),
              z = point.z - CELL * (float)(to.z > from.z ? to.z : from.z);
  return fabsf(to.x != from.x ? x : z);
}

/* @param slack  The line may lie behind a wall by so much. [m] @param[out] t  Where the wall is. LINE_UNCLEAR: it passes so near to where four
   cells meet that it is not known. */
static line_end walk_line(const level *l, float climb, float slack, lw_vec3 from, lw_vec3 to, float *t) {
  const int looks = 2 + (int)(lwi_distance_xz(from, to) / 0.002f);
  cell at = cell_at(from);
  float first = -1;
  for (int i = 1; i <= looks; i++) {
    const float now = (float)i / (float)looks;
    const lw_vec3 here = lwi_lerp(from, to, now);
    const cell next = cell_at(here);
    if (next.x == at.x && next.z == at.z) first = -1;
    if (next.x == at.x && next.z == at.z) continue;
    const float off_x = fabsf(here.x / CELL - roundf(here.x / CELL)),
                off_z = fabsf(here.z / CELL - roundf(here.z / CELL));
    if ((next.x != at.x && next.z != at.z) || (off_x < 0.02f && off_z < 0.02f)) return LINE_UNCLEAR;
    if (first < 0) first = now;
    *t = first;
    if (may_step(l, climb, at, next))
      at = next;
    else if (depth_beyond(here, at, next) > slack)
      return LINE_WALL;
  }
  return LINE_FREE;
}

/* The distance to the nearest side of a cell that may not be crossed. */
static float nearest_wall(const level *l, float climb, lw_vec3 point) {
  float nearest = INFINITY;
  for (int z = 0; z < SIDE; z++)
    for (int x = 0; x < SIDE; x++)
      for (int side = 0; side < 4; side++) {
        const cell at = {x, z}, to = beside(at, side);
        if (!is_ground(l, at) || may_step(l, climb, at, to)) continue;
        const float x0 = CELL * (float)(x + (side == 0)), z0 = CELL * (float)(z + (side == 1));
        const float x1 = side % 2 == 0 ? x0 : x0 + CELL, z1 = side % 2 == 0 ? z0 + CELL : z0;
        const float dx = fmaxf(0, fmaxf(x0 - point.x, point.x - x1)),
                    dz = fmaxf(0, fmaxf(z0 - point.z, point.z - z1));
        nearest = fminf(nearest, sqrtf(dx * dx + dz * dz));
      }
  return nearest;
}

/* --- what agents do ----------------------------------------------------------------------------------------------- */

typedef enum agent_manner { PLAIN, PRICED, DANGEROUS, WIDE, MANNERS } agent_manner;

/* Who asks. */
typedef struct walker {
  lw_profile *profile;
  float climb;
  agent_manner manner;
} walker;

static walker make_walker(float climb, agent_manner manner) {
  lw_profile *profile;
  lw_profile_def def = lw_profile_def_default();
  def.radius = manner == WIDE ? RADIUS : 0;
  def.climb = climb;
  if (manner == PRICED) def.area_factor[2] = 3;
  if (manner == PRICED) def.area_factor[3] = 0.5f;
  if (manner == DANGEROUS) def.danger_cost = 20;
  assert_int_equal(lw_profile_create(&def, areas, &profile, NULL), LW_OK);
  return (walker){profile, climb, manner};
}

static lw_vec3 random_ground(level *l) {
  for (;;) {
    const cell at = {random_pick(&l->random, SIDE), random_pick(&l->random, SIDE)};
    if (!is_ground(l, at)) continue;
    return (lw_vec3){CELL * ((float)at.x + 0.1f + 0.8f * lwi_random_unit(&l->random)), height_at(l, at),
                     CELL * ((float)at.z + 0.1f + 0.8f * lwi_random_unit(&l->random))};
  }
}

#define SNAP ((lw_vec3){0.01f, 0.05f, 0.01f})

static void check_exists(const level *l, const walker *who, lw_vec3 from, lw_vec3 to) {
  lw_path_exists_query query = lw_path_exists_query_default();
  bool exists;
  query.from = from;
  query.to = to;
  query.snap = SNAP;
  query.profile = who->profile;
  assert_int_equal(lw_path_exists(l->world, NULL, &query, &exists), LW_OK);
  if (exists != (label_at(l, from) == label_at(l, to)))
    fail_msg("level %d, climb %g: a path from (%g, %g) to (%g, %g) %s", l->number, (double)who->climb,
             (double)from.x, (double)from.z, (double)to.x, (double)to.z,
             exists ? "is said to exist" : "is said not to exist");
}

/* Wide agents keep off steps as off walls. */
static void check_clear(const level *l, const walker *who, const lw_vec3 *points, int count) {
  for (int i = 1; i < count; i++)
    for (int k = 0; k <= 4; k++) {
      const lw_vec3 at = lwi_lerp(points[i - 1], points[i], 0.25f * (float)k);
      const float off = nearest_wall(l, who->climb, at);
      if (off < RADIUS - 2 * PATH_SLACK)
        fail_msg("level %d, climb %g: a wide agent comes as near as %g m to a wall at (%g, %g)", l->number,
                 (double)who->climb, (double)off, (double)at.x, (double)at.z);
    }
}

static void check_path(const level *l, const walker *who, lw_vec3 from, lw_vec3 to, lw_quality quality) {
  lw_path_query query = lw_path_query_default();
  lw_path *path;
  float t;
  query.from = from;
  query.to = to;
  query.snap = SNAP;
  query.profile = who->profile;
  query.quality = quality;
  const lw_status status = lw_path_find(l->world, NULL, &query, &path);
  const bool is_there = label_at(l, from) == label_at(l, to);
  if (who->manner != WIDE && (status == LW_OK) != is_there)
    fail_msg("level %d, climb %g, manner %d: from (%g, %g) to (%g, %g): %s", l->number, (double)who->climb,
             (int)who->manner, (double)from.x, (double)from.z, (double)to.x, (double)to.z,
             lw_status_name(status));
  if (status == LW_OK && !is_there)
    fail_msg("level %d, climb %g: a wide agent gets where none does", l->number, (double)who->climb);
  int count = 0;
  const lw_vec3 *points = path ? lw_path_points(path, &count) : NULL;
  for (int i = 1; i < count; i++)
    if (walk_line(l, who->climb, PATH_SLACK, points[i - 1], points[i], &t) == LINE_WALL)
      fail_msg("level %d, climb %g, manner %d: a path from (%g, %g) to (%g, %g) takes a step at (%g, %g)",
               l->number, (double)who->climb, (int)who->manner, (double)from.x, (double)from.z, (double)to.x,
               (double)to.z, (double)lwi_lerp(points[i - 1], points[i], t).x,
               (double)lwi_lerp(points[i - 1], points[i], t).z);
  if (who->manner == WIDE && status == LW_OK) check_clear(l, who, points, count);
  lw_path_destroy(path);
}

static void check_walks(const level *l, float climb, lw_vec3 from, lw_vec3 to) {
  const lw_navmesh *mesh = lw_world_navmesh(l->world);
  lw_filter filter = lw_filter_all();
  lw_location start, end;
  lw_raycast ray;
  lw_wall wall;
  float t;
  filter.climb = climb;
  assert_int_equal(lw_navmesh_nearest(mesh, from, SNAP, &filter, &start), LW_OK);
  assert_int_equal(lw_navmesh_raycast(mesh, start, to, &filter, &ray), LW_OK);
  const line_end expected = walk_line(l, climb, SLACK, from, to, &t);
  const bool is_as_far = fabsf(ray.t - (expected == LINE_WALL ? t : 1)) * lwi_distance_xz(from, to) < 0.01f;
  if (expected != LINE_UNCLEAR && (ray.hit != (expected == LINE_WALL) || !is_as_far))
    fail_msg("level %d, climb %g: a ray from (%g, %g) to (%g, %g) ends at %g instead of %g", l->number,
             (double)climb, (double)from.x, (double)from.z, (double)to.x, (double)to.z, (double)ray.t,
             expected == LINE_WALL ? (double)t : 1.0);
  assert_int_equal(lw_navmesh_move(mesh, start, to, &filter, &end), LW_OK);
  const lw_vec3 ended = {end.point.x, end.point.y, end.point.z};
  const float edge_x = fabsf(ended.x / CELL - roundf(ended.x / CELL)),
              edge_z = fabsf(ended.z / CELL - roundf(ended.z / CELL));
  if (edge_x > 0.01f && edge_z > 0.01f && label_at(l, ended) != label_at(l, from))
    fail_msg("level %d, climb %g: a slide from (%g, %g) to (%g, %g) takes a step", l->number, (double)climb,
             (double)from.x, (double)from.z, (double)to.x, (double)to.z);
  assert_int_equal(lw_navmesh_distance_to_wall(mesh, start, 30, &filter, &wall), LW_OK);
  const float nearest = nearest_wall(l, climb, from);
  if (fabsf(wall.distance - nearest) > SLACK)
    fail_msg("level %d, climb %g: the wall nearest to (%g, %g) is %g m away, expected %g", l->number,
             (double)climb, (double)from.x, (double)from.z, (double)wall.distance, (double)nearest);
}

/* What can be reached is what the flood fill reaches, with and without a limit; random points lie there. */
static void check_reach(level *l, const walker *who, lw_vec3 from) {
  const int label = label_at(l, from);
  int cells = 0;
  for (int z = 0; z < SIDE; z++)
    for (int x = 0; x < SIDE; x++) cells += l->label[z][x] == label;
  for (int limited = 0; limited < 2; limited++) {
    lw_reachable_area_query query = lw_reachable_area_query_default();
    lw_reachable_area found;
    query.from = from;
    query.snap = SNAP;
    query.profile = who->profile;
    if (limited) query.max_cost = 1e4f;
    assert_int_equal(lw_reachable_area_find(l->world, NULL, &query, &found), LW_OK);
    if (fabs(found.area - cells * (double)(CELL * CELL)) > 0.02)
      fail_msg("level %d, climb %g, limited %d: %g m2 reached from (%g, %g), expected %g", l->number,
               (double)who->climb, limited, found.area, (double)from.x, (double)from.z,
               cells * (double)(CELL * CELL));
  }
  lw_random_point_query draw = lw_random_point_query_default();
  lw_location point;
  draw.around = from;
  draw.radius = 4;
  draw.snap = SNAP;
  draw.profile = who->profile;
  draw.random = &l->random;
  assert_int_equal(lw_random_point_find(l->world, NULL, &draw, &point), LW_OK);
  if (label_at(l, point.point) != label)
    fail_msg("level %d, climb %g: (%g, %g) cannot be reached from (%g, %g)", l->number, (double)who->climb,
             (double)point.point.x, (double)point.point.z, (double)from.x, (double)from.z);
}

static int check_climb(level *l, float climb) {
  walker walkers[MANNERS];
  const int labels = flood_fill(l, climb);
  for (int i = 0; i < MANNERS; i++) walkers[i] = make_walker(climb, (agent_manner)i);
  for (int i = 0; i < PAIRS; i++) {
    const lw_vec3 from = random_ground(l), to = random_ground(l);
    check_exists(l, &walkers[PLAIN], from, to);
    check_walks(l, climb, from, to);
    check_path(l, &walkers[random_pick(&l->random, MANNERS)], from, to,
               random_pick(&l->random, 3) ? LW_QUALITY_GOOD : LW_QUALITY_FAST);
    if (i % 10 == 0) check_reach(l, &walkers[PLAIN], from);
  }
  for (int i = 0; i < MANNERS; i++) lw_profile_destroy(walkers[i].profile);
  return labels;
}

static void add_dangers(level *l) {
  for (int i = 0; i < 3; i++) {
    lw_danger_def def = lw_danger_def_default();
    lw_danger_id danger;
    def.at = random_ground(l);
    def.radius = 1.5f;
    assert_int_equal(lw_danger_add(l->world, &def, &danger, NULL), LW_OK);
  }
}

static void agents_take_no_step_above_their_climb(void **state) {
  (void)state;
  static const float climbs[] = {0, 0.1f, 0.19f, 0.2f, 0.3f, 0.4f, 2};
  static level l;
  int labels = 0, highest = 0;
  print_message("note: seed %d\n", SEED);
  for (int number = 0; number < LEVELS; number++) {
    open_level(&l, number);
    add_dangers(&l);
    for (int boxes = 0; boxes < 2; boxes++) {
      if (boxes) cut_boxes(&l);
      for (int i = 0; i < 7; i++) {
        const int found = check_climb(&l, climbs[i]);
        labels += found;
        if (i == 6) highest += found;
      }
    }
    close_level(&l);
  }
  assert_true(labels > 10 * highest); /* steps part what is one for those who climb */
}

/* Two polygons side by side over a line along z, whose edges drift apart in height. */
static lw_navmesh *make_pair(const float heights[4], float climb, float length) {
  const lw_vec3 vertices[] = {{0, 0, 0},          {0, 0, length},     {5, heights[1], length},
                              {5, heights[0], 0}, {5, heights[2], 0}, {5, heights[3], length},
                              {9, 0, length},     {9, 0, 0}};
  static const int corners[] = {0, 1, 2, 3, 4, 5, 6, 7}, counts[] = {4, 4};
  lw_navmesh_def def = lw_navmesh_def_default();
  lw_navmesh *mesh;
  lw_error error = {.text = ""};
  def.areas = areas;
  def.vertices = vertices;
  def.vertex_count = 8;
  def.corners = corners;
  def.corner_counts = counts;
  def.polygon_count = 2;
  def.climb = climb;
  if (lw_navmesh_create(&def, &mesh, &error) != LW_OK) fail_msg("%s", error.text);
  if (lw_navmesh_validate(mesh, &error) != LW_OK) fail_msg("%s", error.text);
  return mesh;
}

/* @param[out] apart  How far apart in height they are at the ends of the first polygon's portal, and of that back. */
static void check_part(const lw_navmesh *mesh, const lwi_portal *portal, float *apart, float ends[2]) {
  const lwi_portal *back = lwi_portal_back(mesh, 0, portal);
  lw_vec3 left, right, back_left, back_right;
  assert_non_null(back);
  lwi_portal_points(mesh, 0, portal, &left, &right);
  lwi_portal_points(mesh, 1, back, &back_left, &back_right);
  assert_true(lwi_distance_xz(left, back_right) < SLACK && lwi_distance_xz(right, back_left) < SLACK);
  assert_int_equal(mesh->graph.interval_steps[portal->interval], mesh->graph.interval_steps[back->interval]);
  *apart = fmaxf(fabsf(left.y - back_right.y), fabsf(right.y - back_left.y));
  ends[0] = fminf(left.z, right.z);
  ends[1] = fmaxf(left.z, right.z);
}

static void what_is_low_of_edges_that_drift_apart_is_crossed(void **state) {
  (void)state;
  lw_random random = lwi_random_make(SEED, 1);
  int divided = 0;
  for (int round = 0; round < 3000; round++) {
    const float climb = 0.1f + 0.9f * lwi_random_unit(&random), length = 0.1f + 20 * lwi_random_unit(&random);
    float heights[4], reached = length;
    for (int i = 0; i < 4; i++) heights[i] = (random_pick(&random, 3) ? 0.5f : 3) * lwi_random_unit(&random);
    if (fminf(fabsf(heights[0] - heights[2]), fabsf(heights[1] - heights[3])) > 0.99f * climb)
      heights[2] = heights[0];
    lw_navmesh *mesh = make_pair(heights, climb, length);
    const uint32_t end = mesh->graph.end_portal[0];
    divided += end > 2;
    assert_true(end > 0 && end <= 20);
    for (uint32_t k = 0; k < end; k++) {
      float apart, ends[2];
      check_part(mesh, &mesh->graph.portals[k], &apart, ends);
      const uint8_t step = mesh->graph.interval_steps[mesh->graph.portals[k].interval];
      const float known = (float)step / LWI_STEP_PARTS;
      if (step != LWI_STEP_WALL) assert_true(fabsf(known - apart) < 0.011f || (step == 0 && apart < 0.011f));
      /* Parts follow each other, and those that are low begin where they are. */
      assert_true(fabsf(ends[1] - reached) < SLACK);
      reached = ends[0];
      for (int i = 1; i < 8; i++) {
        const float z = ends[0] + (ends[1] - ends[0]) * (float)i / 8;
        const float here =
            fabsf(heights[2] - heights[0] + z / length * (heights[3] - heights[1] - heights[2] + heights[0]));
        const bool is_near_end = z - ends[0] < 0.06f || ends[1] - z < 0.06f; /* parts have a least length */
        if (here <= climb && !is_near_end) assert_true(known <= here + 3 * fmaxf(0.1f, climb / 8) + 0.02f);
      }
    }
    assert_true(fabsf(reached) < SLACK);
    lw_navmesh_destroy(mesh);
  }
  assert_true(divided > 500);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(agents_take_no_step_above_their_climb),
                                     cmocka_unit_test(what_is_low_of_edges_that_drift_apart_is_crossed)};
  return cmocka_run_group_tests_name("portal_steps", tests, setup, teardown);
}
