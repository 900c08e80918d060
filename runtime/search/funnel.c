/* The funnel: the shortest string through a corridor of gates. Lee and Preparata 1984, in the restarting form of
   Mononen's "simple stupid funnel algorithm" (2010): constant memory, and after a corner it looks again at the gates
   behind it. */
#include "search/path.h"

/* A gate whose line passes the apex this near is seen end-on. [m] */
#define END_ON_SLACK 1e-4f

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

/* The apex stands on the gate: it is crossed there and constrains nothing. */
static bool stands_on(const funnel_state *f, const lwi_gate *gate) {
  float dx = gate->left.x - gate->right.x, dz = gate->left.z - gate->right.z, length2 = dx * dx + dz * dz;
  float ax = f->apex.x - gate->right.x, az = f->apex.z - gate->right.z;
  float t = length2 > 0 ? fminf(1, fmaxf(0, (ax * dx + az * dz) / length2)) : 0;
  float ex = ax - t * dx, ez = az - t * dz;
  return ex * ex + ez * ez <= END_ON_SLACK * END_ON_SLACK;
}

/* A gate that the apex sees end-on, so that the way runs along it: its near end comes first, whatever follows. Found only
   where that end lies within the funnel. */
static bool is_end_on(const funnel_state *f, const lwi_gate *gate, lw_vec3 *near_end) {
  float to_left = lwi_distance_xz(f->apex, gate->left), to_right = lwi_distance_xz(f->apex, gate->right);
  float width = lwi_distance_xz(gate->left, gate->right);
  *near_end = to_left < to_right ? gate->left : gate->right;
  if (fminf(to_left, to_right) < END_ON_SLACK || fmaxf(to_left, to_right) < width)
    return false; /* it stands on it */
  if (fabs(lwi_turn(gate->left, gate->right, f->apex)) > (double)(END_ON_SLACK * width)) return false;
  return (same_place(f->apex, f->left) || lwi_turn(f->apex, f->left, *near_end) <= 0) &&
         (same_place(f->apex, f->right) || lwi_turn(f->apex, f->right, *near_end) >= 0);
}

int lwi_funnel(lw_vec3 from, lw_vec3 to, const lwi_gate *gates, int gate_count, lwi_corner_point *corners) {
  int count = add_corner(corners, 0, from, -1);
  funnel_state f = restart(from, -1);
  for (int i = 0; i <= gate_count; i++) {
    lw_vec3 left = i < gate_count ? gates[i].left : to, right = i < gate_count ? gates[i].right : to, near_end;
    if (i < gate_count && stands_on(&f, &gates[i])) {
      f = restart(f.apex, i);
      continue;
    }
    if (i < gate_count && is_end_on(&f, &gates[i], &near_end)) {
      count = add_corner(corners, count, near_end, i);
      f = restart(near_end, i);
      continue;
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
