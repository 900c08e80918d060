/* The funnel: the shortest string through a corridor of gates. Lee and Preparata 1984, in the restarting form of
   Mononen's "simple stupid funnel algorithm" (2010): constant memory, and after a corner it looks again at the gates
   behind it. */
#include "search/path.h"

typedef struct funnel_state {
  lw_vec3 apex, left, right;
  int apex_gate, left_gate, right_gate;
  double slack; /* a gate whose line passes the apex this near is seen end-on [m] */
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
  return (funnel_state){apex, apex, apex, gate, gate, gate, (double)lwi_rounding(apex)};
}

/* Is `point` strictly right of the ray from the apex through the funnel's left side? On the ray itself it counts when it
   is no further than that side: then nothing is there to turn around. */
static bool right_of_left(const funnel_state *f, lw_vec3 point) {
  double turn = lwi_turn(f->apex, f->left, point);
  return turn < 0 || (turn == 0 && lwi_distance_xz(f->apex, point) <= lwi_distance_xz(f->apex, f->left));
}
static bool left_of_right(const funnel_state *f, lw_vec3 point) {
  double turn = lwi_turn(f->apex, f->right, point);
  return turn > 0 || (turn == 0 && lwi_distance_xz(f->apex, point) <= lwi_distance_xz(f->apex, f->right));
}

/* Does the gate's line pass the apex? Then the apex stands on the gate or sees it end-on. Nearly always it does not. */
static bool is_in_line(const funnel_state *f, const lwi_gate *gate) {
  double dx = (double)gate->left.x - gate->right.x, dz = (double)gate->left.z - gate->right.z;
  double turn = lwi_turn(gate->left, gate->right, f->apex);
  return turn * turn <= f->slack * f->slack * (dx * dx + dz * dz);
}

/* Of a gate in line with the apex. Standing on it the apex has crossed it, and it constrains nothing. */
static bool stands_on(const funnel_state *f, const lwi_gate *gate) {
  float width = lwi_distance_xz(gate->left, gate->right), slack = (float)f->slack;
  return lwi_distance_xz(f->apex, gate->left) <= width + slack &&
         lwi_distance_xz(f->apex, gate->right) <= width + slack;
}

/* Of a gate seen end-on: the way runs along it, so its near end comes first, whatever follows; if it is in the funnel. */
static bool near_end_is_ahead(const funnel_state *f, const lwi_gate *gate, lw_vec3 *near_end) {
  bool left_first = lwi_distance_xz(f->apex, gate->left) < lwi_distance_xz(f->apex, gate->right);
  *near_end = left_first ? gate->left : gate->right;
  return (same_place(f->apex, f->left) || lwi_turn(f->apex, f->left, *near_end) <= 0) &&
         (same_place(f->apex, f->right) || lwi_turn(f->apex, f->right, *near_end) >= 0);
}

int lwi_funnel(lw_vec3 from, lw_vec3 to, const lwi_gate *gates, int gate_count, lwi_corner_point *corners) {
  int count = add_corner(corners, 0, from, -1);
  funnel_state f = restart(from, -1);
  for (int i = 0; i <= gate_count; i++) {
    lw_vec3 left = i < gate_count ? gates[i].left : to, right = i < gate_count ? gates[i].right : to, near_end;
    if (i < gate_count && is_in_line(&f, &gates[i])) {
      if (stands_on(&f, &gates[i])) {
        f = restart(f.apex, i);
        continue;
      }
      if (near_end_is_ahead(&f, &gates[i], &near_end)) {
        count = add_corner(corners, count, near_end, i);
        f = restart(near_end, i);
        continue;
      }
    }
    /* The right side tightens unless it crosses the left side, which then is a corner. */
    if (lwi_turn(f.apex, f.right, right) >= 0) {
      if (same_place(f.apex, f.right) || right_of_left(&f, right)) {
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
      if (same_place(f.apex, f.left) || left_of_right(&f, left)) {
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
