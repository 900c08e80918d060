#include "calls.h"

#include <float.h>
#include <math.h>
#include <string.h>

uint8_t calls_byte(calls *c) {
  return c->at < c->end ? *c->at++ : 0;
}

uint32_t calls_below(calls *c, uint32_t count) {
  return calls_byte(c) % count;
}

bool calls_flag(calls *c) {
  return calls_byte(c) % 2 == 1;
}

#define ODD 12

float calls_number(calls *c, float most) {
  const float odd[ODD] = {NAN,      INFINITY, -INFINITY, -1,     0,           FLT_MAX,
                          -FLT_MAX, 1e6f,     -1e6f,     1e-30f, FLT_MIN / 2, 1e3f};
  const uint8_t byte = calls_byte(c);
  return byte >= 256 - ODD ? odd[byte - (256 - ODD)] : most * (float)byte / (255 - ODD);
}

lw_vec3 calls_place(calls *c) {
  const float x = calls_number(c, LEVEL_WIDTH + 2), z = calls_number(c, LEVEL_DEPTH + 2);
  const float y = calls_number(c, 2);
  return (lw_vec3){x - 1, y, z - 1};
}

int calls_index(calls *c, int count) {
  static const int odd[] = {INT32_MAX, INT32_MIN, -2, 1 << 30};
  const uint8_t byte = calls_byte(c);
  return byte >= 252 ? odd[byte - 252] : (int)(byte % (uint32_t)(count + 2)) - 1;
}

const lw_profile *calls_profile(calls *c) {
  const uint32_t which = calls_below(c, LEVEL_PROFILES + 1);
  return which < LEVEL_PROFILES ? fuzz_level_get()->profiles[which] : NULL;
}

const char *calls_name(calls *c) {
  static const char *const names[] = {
      NULL, "", "red", "blue", "stand", "crouch", "a name that has more than 31 bytes"};
  return names[calls_below(c, sizeof names / sizeof *names)];
}

lw_threat calls_threat(calls *c) {
  lw_threat threat = lw_threat_default();
  threat.at = calls_place(c);
  if (calls_flag(c)) {
    threat.facing = calls_place(c);
    threat.half_angle = calls_number(c, 3.2f);
    threat.range = calls_number(c, 30);
    threat.weight = calls_number(c, 3);
  }
  return threat;
}

lw_workspace *calls_workspace(calls *c, const lw_world *world) {
  const uint32_t which = calls_below(c, 8);
  if (which == 7) return c->workspaces[calls_below(c, CALLS_WORLDS)];
  if (which < 4) return NULL;
  for (int i = 0; i < CALLS_WORLDS; i++)
    if (c->worlds[i] == world) return c->workspaces[i];
  return NULL;
}

lw_agent_id calls_agent(calls *c) {
  return c->agents[calls_below(c, CALLS_KEPT)];
}

void calls_check(const char *function, lw_status status, const void *result, size_t size) {
  if ((int)status < 0 || status >= LW_STATUS_COUNT) fuzz_fail("%s returned %d", function, (int)status);
  if (!result || status == LW_OK || status == LW_PARTIAL) return;
  const uint8_t *bytes = result;
  for (size_t i = 0; i < size; i++)
    if (bytes[i] != 0)
      fuzz_fail("%s: byte %d of the result is %d after %s", function, (int)i, bytes[i], lw_status_name(status));
}
