#include "agent/flow.h"

#include "core/vec3.h"

#include <math.h>
#include <string.h>

#define CELL 1.5f  /* [m] */
#define LAYER 2.0f /* [m] */
/* Samples along each heading, and how far apart. [m] */
#define SAMPLES 12
#define SPACING 1.6f
/* The weights of a turn (by its square) and of others in the same direction, beside those that come the other way, and what
   any turn to the left costs: all take their right side. */
#define WEIGHT_TURN 1.2f
#define WEIGHT_SAME 0.3f
#define WEIGHT_LEFT 0.8f

static const float turns[] = {0, -0.2f, 0.2f, -0.45f, 0.45f, -0.75f, 0.75f};
#define TURNS ((int)(sizeof turns / sizeof *turns))

bool lwi_flow_reserve(lwi_flow *flow, lwi_memory *memory, int count) {
  int capacity = flow->capacity ? flow->capacity : 64;
  while (capacity < 4 * count) capacity *= 2; /* each agent is in two layers */
  if (capacity == flow->capacity) return true;
  lwi_flow_cell *cells = lwi_alloc_zero(memory, (size_t)capacity * sizeof *cells);
  if (!cells) return false;
  lwi_flow_free(flow, memory);
  *flow = (lwi_flow){.cells = cells, .capacity = capacity, .round = 1};
  return true;
}

void lwi_flow_clear(lwi_flow *flow) {
  flow->round += 1;
  if (flow->round != 0) return;
  memset(flow->cells, 0, (size_t)flow->capacity * sizeof *flow->cells);
  flow->round = 1;
}

void lwi_flow_free(lwi_flow *flow, lwi_memory *memory) {
  lwi_free(memory, flow->cells, (size_t)flow->capacity * sizeof *flow->cells);
}

static lwi_flow_cell *find_cell(const lwi_flow *flow, int32_t x, int32_t z, int32_t layer) {
  const uint32_t mask = (uint32_t)flow->capacity - 1;
  uint32_t slot = ((uint32_t)x * 73856093u ^ (uint32_t)z * 19349663u ^ (uint32_t)layer * 83492791u) & mask;
  for (;; slot = (slot + 1) & mask) {
    lwi_flow_cell *cell = &flow->cells[slot];
    if (cell->round != flow->round || (cell->x == x && cell->z == z && cell->layer == layer)) return cell;
  }
}

static int quadrant_of(lwi_vec2 direction) {
  return (direction.x < 0) + 2 * (direction.z < 0);
}

void lwi_flow_add(lwi_flow *flow, lw_vec3 at, lwi_vec2 direction) {
  const int32_t x = (int32_t)floorf(at.x / CELL), z = (int32_t)floorf(at.z / CELL);
  const int32_t below = (int32_t)floorf(at.y / LAYER);
  for (int32_t layer = below; layer <= below + 1; layer++) {
    lwi_flow_cell *cell = find_cell(flow, x, z, layer);
    if (cell->round != flow->round)
      *cell = (lwi_flow_cell){.x = x, .z = z, .layer = layer, .round = flow->round};
    lwi_vec2 *sum = &cell->sums[quadrant_of(direction)];
    *sum = lwi_add2(*sum, direction);
  }
}

/* The cell of a place, in the layer that holds all within half a layer of its height. NULL: nobody is there. */
static const lwi_flow_cell *cell_of(const lwi_flow *flow, float x, float y, float z) {
  const lwi_flow_cell *cell =
      find_cell(flow, (int32_t)floorf(x / CELL), (int32_t)floorf(z / CELL), (int32_t)floorf(y / LAYER + 0.5f));
  return cell->round == flow->round ? cell : NULL;
}

float lwi_flow_against(const lwi_flow *flow, lw_vec3 at, lwi_vec2 direction) {
  const lwi_flow_cell *cell = cell_of(flow, at.x, at.y, at.z);
  float against = 0;
  for (int i = 0; cell && i < 4; i++) against += fmaxf(0, -lwi_dot2(cell->sums[i], direction));
  return against;
}

typedef struct look {
  const lwi_flow *flow;
  lw_vec3 at;
  lwi_vec2 own; /* unit: its direction in the flow */
  int32_t own_x, own_z;
  float distance;
} look;

/* What it costs to meet those in a cell. */
static float price_in(const look *run, const lwi_flow_cell *cell, lwi_vec2 direction) {
  const bool is_own = cell->x == run->own_x && cell->z == run->own_z;
  float price = 0;
  for (int i = 0; i < 4; i++) {
    lwi_vec2 sum = cell->sums[i];
    if (is_own && i == quadrant_of(run->own)) sum = lwi_sub2(sum, run->own);
    const float along = lwi_dot2(sum, direction);
    price += along < 0 ? -along : -WEIGHT_SAME * along;
  }
  return price;
}

/* What it costs to go in that direction. */
static float price_of(const look *run, lwi_vec2 direction) {
  float price = 0;
  for (int i = 0; i <= SAMPLES; i++) {
    const float ahead = i == 0 ? SPACING / 2 : SPACING * (float)i; /* the first beside the agent itself */
    if (ahead - SPACING >= run->distance) break;
    const float x = run->at.x + direction.x * ahead, z = run->at.z + direction.z * ahead;
    const lwi_flow_cell *cell = cell_of(run->flow, x, run->at.y, z);
    if (cell) price += price_in(run, cell, direction);
  }
  return price;
}

float lwi_flow_choose(const lwi_flow *flow, lw_vec3 at, lwi_vec2 own, lwi_vec2 wish, float distance) {
  const look run = {.flow = flow,
                    .at = at,
                    .own = own,
                    .own_x = (int32_t)floorf(at.x / CELL),
                    .own_z = (int32_t)floorf(at.z / CELL),
                    .distance = distance};
  const float straight = price_of(&run, wish);
  float best = straight, chosen = 0;
  if (!(straight > 0)) return 0; /* nobody comes towards it */
  for (int i = 1; i < TURNS; i++) {
    const float turn = turns[i];
    const lwi_vec2 direction = lwi_turn2(wish, turn);
    float price = WEIGHT_TURN * turn * turn + (turn > 0 ? WEIGHT_LEFT : 0);
    price += price_of(&run, direction); /* may be below 0 */
    if (price >= best) continue;
    best = price;
    chosen = turn;
  }
  return chosen;
}
