/* The funnel: the shortest string through a corridor of gates. Lee and Preparata 1984, in the restarting form of
   Mononen's "simple stupid funnel algorithm" (2010): constant memory, and after a corner it looks again at the gates
   behind it. */
#include "search/path.h"

typedef struct funnel_state {
  lw_vec3 apex, left, right;
  int apex_gate, left_gate, right_gate;
} funnel_state;

static bool same_place(lw_vec3 a, lw_vec3 b) {
  float dx = b.x - a.x, dz = b.z - a.z;
  return dx * dx + dz * dz < 1e-10f;
}

static int add_corner(lwi_corner_point *corners, int count, lw_vec3 point, int portal) {
  if (count > 0 && same_place(corners[count - 1].point, point)) {
    corners[count - 1].portal = portal;
    return count;
  }
  corners[count] = (lwi_corner_point){point, portal};
  return count + 1;
}

static funnel_state restart(lw_vec3 apex, int gate) {
  return (funnel_state){apex, apex, apex, gate, gate, gate};
}

int lwi_funnel(lw_vec3 from, lw_vec3 to, const lwi_gate *gates, int gate_count, lwi_corner_point *corners) {
  int count = add_corner(corners, 0, from, -1);
  funnel_state f = restart(from, -1);
  for (int i = 0; i <= gate_count; i++) {
    lw_vec3 left = i < gate_count ? gates[i].left : to, right = i < gate_count ? gates[i].right : to;
    /* The right side tightens unless it crosses the left side, which then is a corner. */
    if (lwi_turn(f.apex, f.right, right) >= 0) {
      if (same_place(f.apex, f.right) || lwi_turn(f.apex, f.left, right) < 0) {
        f.right = right;
        f.right_gate = i;
      } else {
        count = add_corner(corners, count, f.left, f.left_gate);
        i = f.left_gate;
        f = restart(f.left, f.left_gate);
        continue;
      }
    }
    if (lwi_turn(f.apex, f.left, left) <= 0) {
      if (same_place(f.apex, f.left) || lwi_turn(f.apex, f.right, left) > 0) {
        f.left = left;
        f.left_gate = i;
      } else {
        count = add_corner(corners, count, f.right, f.right_gate);
        i = f.right_gate;
        f = restart(f.right, f.right_gate);
        continue;
      }
    }
  }
  return add_corner(corners, count, to, gate_count);
}
