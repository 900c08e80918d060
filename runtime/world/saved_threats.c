/* The threats in a world's file. */
#include "world/saved.h"

#include <math.h>

void lwi_saved_put_threat(lwi_bytes *to, const lw_threat *threat) {
  lwi_put_vec3(to, threat->at);
  lwi_put_vec3(to, threat->facing);
  lwi_put_float(to, threat->half_angle);
  lwi_put_float(to, threat->range);
  lwi_put_float(to, threat->weight);
}

lw_threat lwi_saved_get_threat(lwi_reader *from) {
  lw_threat threat = lw_threat_default();
  threat.at = lwi_get_vec3(from);
  threat.facing = lwi_get_vec3(from);
  threat.half_angle = lwi_get_float(from);
  threat.range = lwi_get_float(from);
  threat.weight = lwi_get_float(from);
  return threat;
}

/* From 1, in the order that they are saved in; 0: none. */
static uint32_t number_of(const lw_world *world, const lwi_agent *agent) {
  uint32_t number = 0;
  while (agent && world->agents[number++] != agent) continue;
  return number;
}

void lwi_saved_put_threats(lwi_bytes *to, const lw_world *world) {
  lwi_put_u32(to, world->threats.made);
  lwi_put_u32(to, (uint32_t)world->threats.count);
  for (int i = 0; i < world->threats.count; i++) {
    const lwi_threat *threat = &world->threats.slots[i];
    bool is_there = threat->used && !threat->awaits;
    lwi_put_u32(to, is_there);
    if (!is_there) continue;
    lwi_put_u32(to, threat->generation);
    lwi_put_u32(to, number_of(world, lwi_world_agent(world, threat->agent)));
    lwi_put_u32(to, threat->public);
    lwi_put_text(to, threat->team);
    lwi_put_float(to, threat->tolerance);
    lwi_saved_put_threat(to, &threat->now);
    lwi_saved_put_threat(to, &threat->told);
  }
}

static const char *read_threat(lw_saved *saved, lwi_reader *from, lwi_threat *threat) {
  char team[256];
  threat->used = true;
  threat->generation = lwi_get_u32(from);
  uint32_t agent = lwi_get_u32(from), public = lwi_get_u32(from);
  lwi_get_text(from, team);
  threat->tolerance = lwi_get_float(from);
  threat->now = lwi_saved_get_threat(from);
  threat->told = lwi_saved_get_threat(from);
  if (from->failed) return NULL;
  if (threat->generation < 1 || threat->generation > saved->threats_made ||
      agent > (uint32_t)saved->agent_count || public > 1 || strlen(team) >= sizeof threat->team ||
      !(threat->tolerance >= 0 && isfinite(threat->tolerance)) || !lwi_threat_check(&threat->now, false) ||
      !lwi_threat_check(&threat->told, false))
    return "one is none";
  threat->awaits = (int)agent;
  threat->public = public == 1;
  memcpy(threat->team, team, strlen(team) + 1);
  return NULL;
}

const char *lwi_saved_read_threats(lw_saved *saved, lwi_reader *from) {
  saved->threats_made = lwi_get_u32(from);
  uint32_t count = lwi_get_u32(from);
  const char *wrong = NULL;
  for (uint32_t i = 0; i < count && !from->failed && !wrong; i++) {
    lwi_threat threat = {0};
    uint32_t used = lwi_get_u32(from);
    if (used > 1) return "one is none";
    if (used) wrong = read_threat(saved, from, &threat);
    if (from->failed || wrong) break;
    if (!lwi_reserve(&saved->memory, &saved->threats, &saved->threat_capacity, saved->threat_count + 1,
                     sizeof threat))
      return "";
    saved->threats[saved->threat_count++] = threat;
  }
  return wrong;
}
