#include "search/clearance_cut.h"

#include <string.h>

/* Points nearer to one another are the same. [m] */
#define SAME_PLACE 2e-3
/* On either side at nearest this part of the outline lies before a cut, and behind it. */
#define END_PART 0.15

void lwi_cut_scratch_free(lwi_cut_scratch *scratch) {
  lwi_memory *memory = scratch->memory;
  if (!memory) return;
  lwi_free(memory, scratch->corners, (size_t)scratch->corner_capacity * sizeof *scratch->corners);
  lwi_free(memory, scratch->slab, (size_t)scratch->slab_capacity * sizeof *scratch->slab);
  lwi_free(memory, scratch->labels, (size_t)scratch->label_capacity * sizeof *scratch->labels);
  lwi_free(memory, scratch->intervals, (size_t)scratch->interval_capacity * sizeof *scratch->intervals);
  lwi_free(memory, scratch->clear, (size_t)scratch->clear_capacity * sizeof *scratch->clear);
  lwi_region_scratch_free(&scratch->region);
  *scratch = (lwi_cut_scratch){.memory = memory};
}

/* --- a line through a point ------------------------------------------------------------------------------- */

static bool read_outline(const lwi_clearance *clearance, lwi_cut_scratch *scratch, uint32_t polygon,
                         uint32_t *count) {
  lwi_polygon outline = lwi_polygon_get(clearance->graph.mesh, polygon);
  *count = outline.count;
  if (!lwi_reserve(scratch->memory, &scratch->corners, &scratch->corner_capacity, (int)outline.count,
                   sizeof *scratch->corners))
    return false;
  for (uint32_t i = 0; i < outline.count; i++) scratch->corners[i] = lwi_point2_of(lwi_corner(&outline, i));
  return true;
}

/* The clear parts of a line, in scratch->clear. */
static bool read_clear(const lwi_clearance *clearance, lwi_cut_scratch *scratch, uint32_t polygon,
                       const lwi_cut *cut_line, int *count) {
  lwi_barriers near = lwi_clearance_walls_near(clearance, polygon);
  lwi_point2 line[2] = {cut_line->right, cut_line->left};
  scratch->region.free_interval_count = 0;
  if (!lwi_region_free(&scratch->region, &near, line, 0, 0, 1)) return false;
  *count = scratch->region.free_interval_count;
  if (!lwi_reserve(scratch->memory, &scratch->clear, &scratch->clear_capacity, *count, sizeof *scratch->clear))
    return false;
  for (int i = 0; i < *count; i++) scratch->clear[i] = scratch->region.free_intervals[i];
  return true;
}

lw_status lwi_cut_line(const lwi_clearance *clearance, lwi_cut_scratch *scratch, uint32_t polygon,
                       lwi_point2 point, lwi_point2 across, lwi_cut *cut_line) {
  uint32_t corners;
  int count;
  lwi_point2 back = {-across.x, -across.z};
  if (!read_outline(clearance, scratch, polygon, &corners)) return LW_OUT_OF_MEMORY;
  *cut_line = (lwi_cut){point, point, 0, 1};
  lwi_outline_exit(scratch->corners, corners, point, across, &cut_line->left);
  lwi_outline_exit(scratch->corners, corners, point, back, &cut_line->right);
  if (!read_clear(clearance, scratch, polygon, cut_line, &count)) return LW_OUT_OF_MEMORY;
  double length = lwi_point2_distance(cut_line->left, cut_line->right), nearest = INFINITY;
  double t = length > 0 ? lwi_point2_distance(cut_line->right, point) / length : 0;
  for (int i = 0; i < count; i++) {
    double off = fmax(0, fmax(scratch->clear[i].t0 - t, t - scratch->clear[i].t1));
    if (off >= nearest) continue;
    nearest = off;
    cut_line->clear0 = scratch->clear[i].t0;
    cut_line->clear1 = scratch->clear[i].t1;
  }
  return nearest < INFINITY ? LW_OK : LW_NO_POINT;
}

/* --- the outline, counter-clockwise ----------------------------------------------------------------------- */

/* A place on the outline is a number: edge + part of the edge. */

typedef struct outline {
  const lwi_point2 *corners;
  uint32_t count;
} outline;

static lwi_point2 outline_corner(const outline *line, uint32_t i) {
  return line->corners[i % line->count];
}

static lwi_point2 outline_point(const outline *line, double s) {
  uint32_t edge = (uint32_t)floor(s);
  return lwi_point2_lerp(outline_corner(line, edge), outline_corner(line, edge + 1), s - edge);
}

/* The place on the outline nearest to a point. */
static double outline_place(const outline *line, lwi_point2 point) {
  double best = 0, nearest = INFINITY;
  for (uint32_t i = 0; i < line->count; i++) {
    lwi_point2 a = line->corners[i], b = outline_corner(line, i + 1);
    double dx = b.x - a.x, dz = b.z - a.z, length2 = dx * dx + dz * dz;
    double t = length2 > 0 ? ((point.x - a.x) * dx + (point.z - a.z) * dz) / length2 : 0;
    t = fmin(1, fmax(0, t));
    double distance = lwi_point2_distance(point, lwi_point2_lerp(a, b, t));
    if (distance >= nearest) continue;
    nearest = distance;
    best = i + t;
  }
  return best;
}

/* A part of the outline, from one place on it to another. */
typedef struct chain {
  double from, to; /* to >= from, counted on past the last corner */
} chain;

static chain chain_of(const outline *line, lwi_point2 from, lwi_point2 to) {
  double a = outline_place(line, from), b = outline_place(line, to);
  if (lwi_point2_distance(from, to) < SAME_PLACE) return (chain){a, a};
  return (chain){a, b < a ? b + line->count : b};
}

/* A straight piece of a chain. */
typedef struct chain_piece {
  lwi_point2 from, to;
  double before, length; /* of the chain before it; its own */
  double next;           /* where the next begins */
} chain_piece;

/* @return false: there are no more. */
static bool next_piece(const outline *line, chain part, chain_piece *piece) {
  if (!(piece->next < part.to)) return false;
  double begin = piece->next, end = fmin(part.to, floor(begin) + 1);
  piece->before += piece->length;
  piece->from = outline_point(line, begin);
  piece->to = outline_point(line, end);
  piece->length = lwi_point2_distance(piece->from, piece->to);
  piece->next = end;
  return true;
}

static chain_piece first_piece(chain part) {
  return (chain_piece){.next = part.from};
}

static double chain_length(const outline *line, chain part) {
  chain_piece piece = first_piece(part);
  while (next_piece(line, part, &piece)) continue;
  return piece.before + piece.length;
}

/* The point a number of metres along a chain. */
static lwi_point2 chain_point(const outline *line, chain part, double along) {
  chain_piece piece = first_piece(part);
  while (next_piece(line, part, &piece))
    if (along <= piece.before + piece.length && piece.length > 0)
      return lwi_point2_lerp(piece.from, piece.to, fmax(0, along - piece.before) / piece.length);
  return outline_point(line, part.to > part.from ? part.to : part.from);
}

/* How far along a chain it comes nearest to a point. [m] */
static double chain_nearest(const outline *line, chain part, lwi_point2 point) {
  chain_piece piece = first_piece(part);
  double nearest = INFINITY, best = 0;
  while (next_piece(line, part, &piece)) {
    double dx = piece.to.x - piece.from.x, dz = piece.to.z - piece.from.z, length2 = dx * dx + dz * dz;
    double t = length2 > 0 ? ((point.x - piece.from.x) * dx + (point.z - piece.from.z) * dz) / length2 : 0;
    t = fmin(1, fmax(0, t));
    double distance = lwi_point2_distance(point, lwi_point2_lerp(piece.from, piece.to, t));
    if (distance >= nearest) continue;
    nearest = distance;
    best = piece.before + t * piece.length;
  }
  return best;
}

/* How far along a chain it passes from the right of a line to its left. [m] */
static double chain_meets(const outline *line, chain part, lwi_point2 a, lwi_point2 b) {
  chain_piece piece = first_piece(part);
  while (next_piece(line, part, &piece)) {
    double side_from = lwi_point2_turn(a, b, piece.from), side_to = lwi_point2_turn(a, b, piece.to);
    if (side_from >= 0) return piece.before;
    if (side_to > 0) return piece.before + piece.length * side_from / (side_from - side_to);
  }
  return piece.before + piece.length;
}

/* Keep away from the ends of a chain, where a cut would change next to nothing. */
static double keep_off_ends(double along, double length) {
  return fmin(length * (1 - END_PART), fmax(length * END_PART, along));
}

/* The chain on the right runs from entry to exit, the one on the left from exit to entry. The cut begins where
   the chain on the wall's side is nearest to the wall, and runs through `at`. */
static void place_cut(const lwi_crossing *crossing, const outline *line, lwi_cut *cut) {
  chain right = chain_of(line, crossing->entry.right, crossing->exit.right);
  chain left = chain_of(line, crossing->exit.left, crossing->entry.left);
  double right_length = chain_length(line, right), left_length = chain_length(line, left);
  bool wall_is_left = lwi_point2_turn(crossing->from, crossing->to, crossing->wall) > 0;
  chain near = wall_is_left ? left : right, far = wall_is_left ? right : left;
  double near_length = wall_is_left ? left_length : right_length;
  double far_length = wall_is_left ? right_length : left_length;
  lwi_point2 begin =
      chain_point(line, near, keep_off_ends(chain_nearest(line, near, crossing->wall), near_length));
  /* Seen along the cut, the chain ahead runs from right to left, whichever side it is on. */
  lwi_point2 end =
      chain_point(line, far, keep_off_ends(chain_meets(line, far, begin, crossing->at), far_length));
  cut->left = wall_is_left ? begin : end;
  cut->right = wall_is_left ? end : begin;
}

static void add_chain(lwi_cut_scratch *scratch, const outline *line, chain part, uint32_t *count) {
  for (double s = floor(part.from) + 1; s < part.to; s++)
    scratch->slab[(*count)++] = outline_corner(line, (uint32_t)s);
}

/* --- which clear part of the cut -------------------------------------------------------------------------- */

/* One end of a slab: a cut and its clear parts. */
typedef struct slab_end {
  const lwi_cut *cut;
  const lwi_edge_interval *parts; /* [count] */
  int count;
} slab_end;

/* Label the clear parts at both ends of the slab of the polygon between two cuts: first those of the far end,
   from right to left, then those of the near one, from left to right. Equal labels can be reached from each
   other. */
static bool join_slab(const lwi_crossing *crossing, lwi_cut_scratch *scratch, const outline *line,
                      slab_end near_end, slab_end far_end) {
  const lwi_cut *near = near_end.cut, *far = far_end.cut;
  const int near_count = near_end.count, far_count = far_end.count;
  uint32_t corners = 0, free_intervals = 0;
  if (!lwi_reserve(scratch->memory, &scratch->slab, &scratch->slab_capacity, (int)line->count + 4,
                   sizeof *scratch->slab) ||
      !lwi_reserve(scratch->memory, &scratch->intervals, &scratch->interval_capacity, near_count + far_count,
                   sizeof *scratch->intervals) ||
      !lwi_reserve(scratch->memory, &scratch->labels, &scratch->label_capacity, near_count + far_count,
                   sizeof *scratch->labels))
    return false;
  chain right = chain_of(line, near->right, far->right), left = chain_of(line, far->left, near->left);
  if (right.to - right.from + left.to - left.from > line->count) { /* by rounding there is no slab */
    memset(scratch->labels, 0, (size_t)(near_count + far_count) * sizeof *scratch->labels);
    return true;
  }
  scratch->slab[corners++] = near->right;
  add_chain(scratch, line, right, &corners);
  uint32_t far_edge = corners;
  scratch->slab[corners++] = far->right;
  scratch->slab[corners++] = far->left;
  add_chain(scratch, line, left, &corners);
  scratch->slab[corners++] = near->left;
  for (int i = 0; i < far_count; i++)
    scratch->intervals[free_intervals++] =
        (lwi_edge_interval){far_edge, far_end.parts[i].t0, far_end.parts[i].t1};
  for (int i = near_count; i-- > 0;)
    scratch->intervals[free_intervals++] =
        (lwi_edge_interval){corners - 1, 1 - near_end.parts[i].t1, 1 - near_end.parts[i].t0};
  lwi_barriers barriers = lwi_clearance_walls_near(crossing->clearance, crossing->polygon);
  const lwi_free_outline slab = {scratch->slab, corners, scratch->intervals, free_intervals};
  return lwi_region_join(&scratch->region, &barriers, &slab, scratch->labels);
}

/* Discard the clear parts of the cut that cannot be reached from both entry and exit. */
static bool discard_unreachable(const lwi_crossing *crossing, lwi_cut_scratch *scratch, const outline *line,
                                const lwi_cut *cut, int count) {
  lwi_edge_interval entry = {0, crossing->entry.clear0, crossing->entry.clear1};
  lwi_edge_interval exit = {0, crossing->exit.clear0, crossing->exit.clear1};
  const slab_end at_entry = {&crossing->entry, &entry, 1}, at_exit = {&crossing->exit, &exit, 1},
                 at_cut = {cut, scratch->clear, count};
  if (!join_slab(crossing, scratch, line, at_entry, at_cut)) return false;
  for (int i = 0; i < count; i++)
    if (scratch->labels[i] != scratch->labels[count]) scratch->clear[i].edge = LWI_NONE;
  if (!join_slab(crossing, scratch, line, at_cut, at_exit)) return false;
  for (int i = 0; i < count; i++)
    if (scratch->labels[count - i] != scratch->labels[0]) scratch->clear[i].edge = LWI_NONE;
  return true;
}

lw_status lwi_cut_polygon(const lwi_crossing *crossing, lwi_cut_scratch *scratch, lwi_cut *cut) {
  outline line;
  int count;
  if (!read_outline(crossing->clearance, scratch, crossing->polygon, &line.count)) return LW_OUT_OF_MEMORY;
  line.corners = scratch->corners;
  place_cut(crossing, &line, cut);
  if (!read_clear(crossing->clearance, scratch, crossing->polygon, cut, &count)) return LW_OUT_OF_MEMORY;
  if (count > 1 && !discard_unreachable(crossing, scratch, &line, cut, count)) return LW_OUT_OF_MEMORY;
  double nearest = INFINITY, length = lwi_point2_distance(cut->left, cut->right);
  double t = length > 0 ? ((crossing->at.x - cut->right.x) * (cut->left.x - cut->right.x) +
                           (crossing->at.z - cut->right.z) * (cut->left.z - cut->right.z)) /
                              (length * length)
                        : 0;
  for (int i = 0; i < count; i++) {
    if (scratch->clear[i].edge == LWI_NONE) continue;
    double off = fmax(0, fmax(scratch->clear[i].t0 - t, t - scratch->clear[i].t1));
    if (off >= nearest) continue;
    nearest = off;
    cut->clear0 = scratch->clear[i].t0;
    cut->clear1 = scratch->clear[i].t1;
  }
  return nearest < INFINITY ? LW_OK : LW_NO_PATH;
}
