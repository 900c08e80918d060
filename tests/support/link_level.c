#include "link_level.h"

#include "core/vec3.h"
#include "grid_mesh.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define DT (1.0f / 60)

static bool listen(void *user, lw_world *world, lw_agent_id agent, const lw_link_step *step) {
  link_level *l = user;
  link_told *t = &l->told;
  if (t->count < 64) {
    t->steps[t->count] = *step;
    t->agents[t->count++] = agent;
  }
  lw_agent_state state;
  assert_int_equal(lw_agent_get_state(world, agent, &state), LW_OK);
  assert_true((state.link != LW_LINK_NONE) == (step->event == LW_LINK_BEGIN));
  if (t->redirects && step->event == LW_LINK_BEGIN)
    assert_int_equal(lw_agent_move_to(world, agent, t->redirect, 0.1f), LW_OK);
  if (t->despawns) assert_int_equal(lw_agent_despawn(world, agent), LW_OK);
  return step->event == LW_LINK_BEGIN && t->holds;
}

/* Two islands of 8 x 4 m with 4 m between them, and three links: a jump and a ladder to the east, a teleport back. */
static const char *const islands[] = {"....##....", "....##...."};

lw_link_def link_level_link(lw_link_kind kind, const char *name, float x0, float x1, float z) {
  lw_link_def def = lw_link_def_default();
  def.kind = kind;
  def.name = name;
  def.from = lwi_vec3(x0, 0, z);
  def.to = lwi_vec3(x1, 0, z);
  return def;
}

static lw_navmesh *make_mesh(const lw_area_table *areas, const lw_link_def *links, int count) {
  static lw_vec3 vertices[33];
  static int corners[4 * 16], counts[16];
  int squares = 0;
  for (int i = 0; i < 33; i++) vertices[i] = lwi_vec3((float)(i % 11) * 2, 0, (float)(i / 11) * 2);
  for (int i = 0; i < 20; i++) {
    if (islands[i / 10][i % 10] == '#') continue;
    const int first = i / 10 * 11 + i % 10, around[] = {first, first + 11, first + 12, first + 1};
    memcpy(corners + 4 * squares, around, sizeof around);
    counts[squares++] = 4;
  }
  lw_navmesh_def def = lw_navmesh_def_default();
  def.areas = areas;
  def.vertices = vertices;
  def.vertex_count = 33;
  def.corners = corners;
  def.corner_counts = counts;
  def.polygon_count = squares;
  def.links = links;
  def.link_count = count;
  lw_navmesh *mesh;
  assert_int_equal(lw_navmesh_create(&def, &mesh, NULL), LW_OK);
  return mesh;
}

lw_world *link_level_world(link_level *l) {
  lw_world_def def = lw_world_def_default();
  lw_world *world;
  def.navmesh = l->mesh;
  def.linked = listen;
  def.user = l;
  assert_int_equal(lw_world_create(&def, &world, NULL), LW_OK);
  return world;
}

int link_level_open(void **state) {
  static link_level it;
  static const char *const names[] = {"ground"};
  it = (link_level){.areas = support_areas(names, 1)};
  const lw_link_def links[] = {link_level_link(LW_LINK_JUMP, "jump", 7, 13, 1),
                               link_level_link(LW_LINK_LADDER, "ladder", 7, 13, 3),
                               link_level_link(LW_LINK_TELEPORT, "back", 19, 1, 1)};
  it.mesh = make_mesh(it.areas, links, 3);
  lw_profile_def profile = lw_profile_def_default();
  assert_int_equal(lw_profile_create(&profile, it.areas, &it.profile, NULL), LW_OK);
  it.world = link_level_world(&it);
  *state = &it;
  return 0;
}

int link_level_close(void **state) {
  link_level *l = *state;
  lw_world_destroy(l->world);
  lw_profile_destroy(l->profile);
  lw_navmesh_destroy(l->mesh);
  lw_area_table_destroy(l->areas);
  return 0;
}

lw_link_id link_level_find(const link_level *l, const char *name) {
  return lw_link_find(l->world, name, lw_link_id_none());
}

lw_link_info link_level_info(const link_level *l, lw_link_id id) {
  lw_link_info info;
  assert_int_equal(lw_link_get(l->world, id, &info), LW_OK);
  return info;
}

void link_level_apply(const link_level *l) {
  assert_int_equal(lw_world_apply_changes(l->world), LW_OK);
}

void link_level_near(float value, float expected) {
  if (!(fabsf(value - expected) <= 0.01f)) fail_msg("%g, expected %g", (double)value, (double)expected);
}

lw_agent_id link_level_spawn(const link_level *l, float x, float z) {
  lw_agent_def def = lw_agent_def_default();
  lw_agent_id agent;
  def.profile = l->profile;
  def.at = lwi_vec3(x, 0, z);
  assert_int_equal(lw_agent_spawn(l->world, &def, &agent, NULL), LW_OK);
  return agent;
}

lw_agent_id link_level_send(const link_level *l, float x, float z, float to) {
  const lw_agent_id agent = link_level_spawn(l, x, z);
  assert_int_equal(lw_agent_move_to(l->world, agent, lwi_vec3(to, 0, z), 0.1f), LW_OK);
  return agent;
}

lw_agent_state link_level_agent(const link_level *l, lw_agent_id agent) {
  lw_agent_state state;
  assert_int_equal(lw_agent_get_state(l->world, agent, &state), LW_OK);
  return state;
}

void link_level_step(const link_level *l, int count) {
  while (count-- > 0) assert_int_equal(lw_world_step(l->world, DT), LW_OK);
}
