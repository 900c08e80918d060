#include "cover/facet_cut.h"

#include "core/vec3.h"

/* Pieces that there may be beyond a quarter more than triangles. */
#define MORE_PIECES 10000
/* How far about the place is kept at most, where something is left out. [m] */
#define MARGIN_MOST 4096.0f
/* What the tree counts from one end of the level to the other. [quanta] */
#define LEVEL_QUANTA (255.0 * LWI_MOST_QUANTA)

static float longest_side(lw_box box) {
  return fmaxf(box.max.x - box.min.x, fmaxf(box.max.y - box.min.y, box.max.z - box.min.z));
}

/* The longest edge that is longer than the limit along some axis, from its corner to the next. @return -1: none is. */
static int find_long_edge(const lw_vec3 corners[3], float limit) {
  int longest = -1;
  for (int i = 0; i < 3; i++) {
    const lw_vec3 way = lwi_sub(corners[(i + 1) % 3], corners[i]);
    const float side = fmaxf(fabsf(way.x), fmaxf(fabsf(way.y), fabsf(way.z)));
    if (!(side > limit)) continue;
    limit = side;
    longest = i;
  }
  return longest;
}

/* Both halves of a triangle, cut through the middle of an edge. */
static void halve(const lw_vec3 corners[3], int edge, lw_vec3 halves[2][3]) {
  const lw_vec3 middle = lwi_scale(lwi_add(corners[edge], corners[(edge + 1) % 3]), 0.5f);
  for (int i = 0; i < 3; i++) halves[0][i] = halves[1][i] = corners[i];
  halves[0][(edge + 1) % 3] = middle;
  halves[1][edge] = middle;
}

static bool is_far(const lwi_facet_cut *cut, const lw_vec3 corners[3]) {
  lw_box box = lwi_box_empty();
  for (int k = 0; k < 3; k++) box = lwi_box_add(box, corners[k]);
  return !lwi_box_overlaps(box, cut->region);
}

lwi_piece lwi_facet_cut_piece(const lwi_facet_cut *cut, const lw_vec3 corners[3], lw_vec3 halves[2][3]) {
  if (is_far(cut, corners)) return LWI_PIECE_FAR;
  const int edge = find_long_edge(corners, cut->limit);
  if (edge < 0) return LWI_PIECE_WHOLE;
  halve(corners, edge, halves);
  return LWI_PIECE_CUT;
}

/* @param[in,out] left  How many more there may be; below zero: too many, and there is no end to the counting. */
static void count_pieces(const lwi_facet_cut *cut, const lw_vec3 corners[3], int *left) {
  lw_vec3 halves[2][3];
  const lwi_piece piece = *left < 0 ? LWI_PIECE_FAR : lwi_facet_cut_piece(cut, corners, halves);
  if (piece == LWI_PIECE_WHOLE) *left -= 1;
  if (piece != LWI_PIECE_CUT) return;
  count_pieces(cut, halves[0], left);
  count_pieces(cut, halves[1], left);
}

/* @return Are there not many more than triangles? */
static bool has_few_pieces(const lwi_occluder_source *source, lwi_facet_cut *cut) {
  const int most = source->triangle_count + source->triangle_count / 4 + MORE_PIECES;
  int left = most;
  for (int i = 0; i < source->triangle_count && left >= 0; i++) {
    lw_vec3 corners[3];
    lwi_source_corners(source, i, corners);
    if (lwi_source_kind(source, i) != LW_COVER_NONE) count_pieces(cut, corners, &left);
  }
  cut->pieces = most - left;
  return left >= 0;
}

/* The lattice is fine, but so that the corners of a triangle's pieces are no more quanta apart than half of what 16 bits count,
   and those of the level no more than 255 steps of so many; merged facets are looked at as they are made.
   @param whole  About all triangles. */
static void set_margin(lwi_facet_cut *cut, const lwi_occluder_source *source, lw_box whole, float margin) {
  *cut = (lwi_facet_cut){.margin = margin, .region = whole};
  if (margin < INFINITY) cut->region = lwi_box_grow(*source->place, margin);
  /* Pieces reach out of the region by their length. */
  const float out = fmaxf(100, longest_side(cut->region) / 100);
  const lw_box kept = lwi_box_common(whole, lwi_box_grow(cut->region, out));
  double least = (double)LWI_CUT_QUANTUM_LEAST;
  if (source->triangle_count > 0) least = fmax(least, (double)longest_side(kept) / LEVEL_QUANTA);
  cut->origin = kept.min;
  cut->quantum = (float)least;
  cut->limit = (float)(least * (LWI_MOST_QUANTA / 2));
}

lwi_facet_cut lwi_facet_cut_choose(const lwi_occluder_source *source) {
  lwi_facet_cut cut;
  lw_box whole = lwi_box_empty();
  for (int i = 0; i < 3 * source->triangle_count; i++)
    whole = lwi_box_add(whole, source->vertices[source->indices[i]]);
  set_margin(&cut, source, whole, INFINITY);
  bool few = has_few_pieces(source, &cut);
  for (float margin = MARGIN_MOST; source->place && margin >= LWI_CUT_MARGIN_LEAST; margin /= 2) {
    if (few && cut.quantum <= LWI_CUT_QUANTUM_LEAST) return cut;
    set_margin(&cut, source, whole, margin);
    few = has_few_pieces(source, &cut);
  }
  while (!few) {
    cut.limit *= 2;
    cut.quantum = cut.limit / (LWI_MOST_QUANTA / 2);
    few = has_few_pieces(source, &cut);
  }
  return cut;
}
