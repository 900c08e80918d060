/* Calls about groups of agents. */
#include "calls.h"

#include <math.h>
#include <string.h>

static lw_group_def group_def(calls *c, lw_agent_id *agents, lw_vec3 *points) {
  lw_group_def def = lw_group_def_default();
  def.agents = agents;
  def.agent_count = calls_index(c, 4);
  for (int i = 0; i < 4; i++) agents[i] = calls_agent(c);
  if (def.agent_count > 4) def.agent_count = 4;
  if (calls_flag(c)) return def;
  def.formation = (lw_formation)calls_index(c, LW_FORMATION_COUNT);
  def.spacing = calls_number(c, 3);
  for (int i = 0; i < 2; i++) points[i] = calls_place(c);
  if (def.formation == LW_FORMATION_POINTS || calls_flag(c)) def.points = points;
  def.point_count = def.points ? 2 : 0;
  return def;
}

void calls_change_group(calls *c, lw_world *world) {
  lw_group_id group;
  lw_agent_id agents[4];
  lw_vec3 points[2];
  memset(&group, 0xAA, sizeof group);
  const uint32_t kept = calls_below(c, CALLS_KEPT), what = calls_below(c, 8);
  const lw_group_def def = group_def(c, agents, points);
  if (what < 2) {
    const lw_status status = lw_group_create(world, &def, &group, NULL);
    calls_check("lw_group_create", status, &group, sizeof group);
    if (status == LW_OK) c->groups[kept] = group;
    return;
  }
  group = c->groups[kept];
  lw_group_move move = lw_group_move_default();
  if (calls_flag(c)) move.within = calls_number(c, 2);
  if (calls_flag(c)) move.pace = (lw_pace)calls_index(c, LW_PACE_COUNT);
  lw_status status = LW_OK;
  switch (what) {
  case 2: status = lw_group_remove(world, group); break;
  case 3: status = lw_group_add_agent(world, group, agents[0]); break;
  case 4: status = lw_group_dismiss(world, group, agents[0]); break;
  case 5: status = lw_group_stop(world, group); break;
  case 6:
    status = lw_group_set_formation(world, group, def.formation, def.spacing, def.points, def.point_count);
    break;
  default: status = lw_group_move_to(world, group, calls_place(c), &move); break;
  }
  calls_check("a change of a group", status, NULL, 0);
}

void calls_read_group(calls *c, lw_world *world) {
  const lw_group_id group = c->groups[calls_below(c, CALLS_KEPT)];
  lw_agent_id members[LW_GROUP_MEMBERS_MAX];
  lw_group_state state;
  lw_vec3 at;
  memset(&state, 0xAA, sizeof state);
  const lw_status status = lw_group_get_state(world, group, &state);
  if (status == LW_STALE || status == LW_INVALID) return;
  const int count = lw_group_members(world, group, members, LW_GROUP_MEMBERS_MAX);
  if (count != state.agent_count) fuzz_fail("a group has %d members and lists %d", state.agent_count, count);
  for (int i = 0; i < count; i++) {
    if (!lw_group_id_equal(lw_group_of(world, members[i]), group)) fuzz_fail("a member is in another group");
    if (lw_group_place(world, members[i], &at) == LW_OK && !isfinite(at.x + at.y + at.z))
      fuzz_fail("a place is nowhere");
  }
  if (state.formed_count > count) fuzz_fail("more are formed than there are members");
  if (lw_group_id_is_none(lw_group_next(world, group))) return;
  if (lw_group_count(world) < 2) fuzz_fail("counts differ from lists");
}
