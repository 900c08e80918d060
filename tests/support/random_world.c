#include "random_world.h"

#include "core/vec3.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define SIDE 5      /* squares */
#define SQUARE 2.0f /* [m] */
#define ASIDE 14.0f /* from one navmesh to the next [m] */
#define HIGHER 1.5f /* [m] */

int random_pick(lw_random *random, int count) {
  return (int)((float)count * lwi_random_unit(random));
}

/* One number a statement, here and below: in which order arguments are evaluated, each compiler says for itself. */
lw_vec3 random_place(lw_random *random, int navmesh) {
  float z = SIDE * SQUARE * lwi_random_unit(random);
  float x = ASIDE * (float)navmesh + SIDE * SQUARE * lwi_random_unit(random);
  return lwi_vec3(x, HIGHER * (float)navmesh, z);
}

static lw_link_def random_link(lw_random *random, int from, int to) {
  static const lw_link_kind kinds[] = {LW_LINK_JUMP, LW_LINK_LADDER, LW_LINK_TELEPORT};
  lw_link_def def = lw_link_def_default();
  lw_vec3 ends[2];
  ends[1] = random_place(random, to);
  ends[0] = random_place(random, from);
  def.kind = kinds[random_pick(random, 3)];
  def.from = ends[0];
  def.to = ends[1];
  def.radius = 3;
  def.bidirectional = random_pick(random, 2) == 0;
  if (random_pick(random, 2) == 0) def.length = 10 * lwi_random_unit(random);
  if (random_pick(random, 3) == 0) def.area = (lw_area_id)(1 + random_pick(random, 3));
  return def;
}

lw_navmesh *random_mesh(lw_random *random, const lw_area_table *areas, int number) {
  lw_vec3 vertices[(SIDE + 1) * (SIDE + 1)];
  int corners[4 * SIDE * SIDE], counts[SIDE * SIDE], count = 0;
  lw_area_id poly_areas[SIDE * SIDE];
  for (int z = 0; z <= SIDE; z++)
    for (int x = 0; x <= SIDE; x++)
      vertices[z * (SIDE + 1) + x] =
          lwi_vec3(ASIDE * (float)number + SQUARE * (float)x, HIGHER * (float)number, SQUARE * (float)z);
  for (int i = 0; i < SIDE * SIDE; i++) {
    if (random_pick(random, 4) == 0 && i > 0) continue;
    int first = i / SIDE * (SIDE + 1) + i % SIDE, below = first + SIDE + 1;
    const int around[] = {first, below, below + 1, first + 1};
    memcpy(corners + 4 * count, around, sizeof around);
    poly_areas[count] = (lw_area_id)(1 + random_pick(random, 8) / 3);
    counts[count++] = 4;
  }
  lw_link_def links[2];
  for (int i = 0; i < 2; i++) links[i] = random_link(random, number, number);
  lw_navmesh_def def = lw_navmesh_def_default();
  def.areas = areas;
  def.vertices = vertices;
  def.vertex_count = (SIDE + 1) * (SIDE + 1);
  def.corners = corners;
  def.corner_counts = counts;
  def.polygon_count = count;
  def.poly_areas = poly_areas;
  def.links = links;
  def.link_count = random_pick(random, 3);
  lw_navmesh *mesh;
  lw_error error = {0};
  if (lw_navmesh_create(&def, &mesh, &error) != LW_OK) fail_msg("%s", error.text);
  return mesh;
}

lw_world *random_world(lw_random *random, const lw_navmesh *const *meshes, int count) {
  lw_link_def links[6];
  for (int i = 0; i < 6; i++) {
    int from = random_pick(random, count),
        to = (from + 1 + random_pick(random, count - (i < 4 ? 1 : 0))) % count;
    links[i] = random_link(random, from, to);
  }
  lw_world_def def = lw_world_def_default();
  def.navmeshes = meshes;
  def.navmesh_count = count;
  def.links = links;
  def.link_count = 2 + random_pick(random, 5);
  lw_world *world;
  lw_error error = {0};
  if (lw_world_create(&def, &world, &error) != LW_OK) fail_msg("%s", error.text);
  assert_true(lw_world_link_count(world) >= def.link_count);
  return world;
}
