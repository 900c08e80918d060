#include "search/berth_cut.h"

#include <string.h>

/* Ends of chords that are nearer to one another are one place. [m] */
#define SAME_PLACE 2e-3
/* At least this part of the outline on either side is before a cut, and behind it. */
#define END_PART 0.15

static bool read_outline(const lwi_berth *berth, lwi_berth_room *room, uint32_t polygon, uint32_t *count) {
  lwi_polygon outline = lwi_polygon_get(berth->graph.mesh, polygon);
  *count = outline.count;
  if (!lwi_reserve(room->memory, &room->corners, &room->corner_capacity, (int)outline.count,
                   sizeof *room->corners))
    return false;
  for (uint32_t i = 0; i < outline.count; i++) room->corners[i] = lwi_spot_of(lwi_corner(&outline, i));
  return true;
}

/* The clear parts of a chord, in room->cut. */
static bool read_clear(const lwi_berth *berth, lwi_berth_room *room, uint32_t polygon, const lwi_chord *chord,
                       int *count) {
  lwi_barriers near = lwi_berth_near(berth, polygon);
  lwi_spot line[2] = {chord->right, chord->left};
  room->region.opening_count = 0;
  if (!lwi_region_free(&room->region, &near, line, 0, 0, 1)) return false;
  *count = room->region.opening_count;
  if (!lwi_reserve(room->memory, &room->cut, &room->cut_capacity, *count, sizeof *room->cut)) return false;
  for (int i = 0; i < *count; i++) room->cut[i] = room->region.openings[i];
  return true;
}

lw_status lwi_berth_line(const lwi_berth *berth, lwi_berth_room *room, uint32_t polygon, lwi_spot point,
                         lwi_spot across, lwi_chord *chord) {
  uint32_t corners;
  int count;
  lwi_spot back = {-across.x, -across.z};
  if (!read_outline(berth, room, polygon, &corners)) return LW_OUT_OF_MEMORY;
  *chord = (lwi_chord){point, point, 0, 1};
  lwi_outline_exit(room->corners, corners, point, across, &chord->left);
  lwi_outline_exit(room->corners, corners, point, back, &chord->right);
  if (!read_clear(berth, room, polygon, chord, &count)) return LW_OUT_OF_MEMORY;
  double length = lwi_spot_distance(chord->left, chord->right), nearest = INFINITY;
  double t = length > 0 ? lwi_spot_distance(chord->right, point) / length : 0;
  for (int i = 0; i < count; i++) {
    double off = fmax(0, fmax(room->cut[i].t0 - t, t - room->cut[i].t1));
    if (off >= nearest) continue;
    nearest = off;
    chord->clear0 = room->cut[i].t0;
    chord->clear1 = room->cut[i].t1;
  }
  return nearest < INFINITY ? LW_OK : LW_NO_POINT;
}

/* --- the outline, counter-clockwise, as edge + part of the edge --------------------------------------------------- */

typedef struct outline {
  const lwi_spot *corners;
  uint32_t count;
} outline;

static lwi_spot outline_corner(const outline *line, uint32_t i) {
  return line->corners[i % line->count];
}

static lwi_spot outline_spot(const outline *line, double s) {
  uint32_t edge = (uint32_t)floor(s);
  return lwi_spot_between(outline_corner(line, edge), outline_corner(line, edge + 1), s - edge);
}

/* Where a spot of the outline is. */
static double outline_place(const outline *line, lwi_spot spot) {
  double best = 0, least = INFINITY;
  for (uint32_t i = 0; i < line->count; i++) {
    lwi_spot a = line->corners[i], b = outline_corner(line, i + 1);
    double dx = b.x - a.x, dz = b.z - a.z, length2 = dx * dx + dz * dz;
    double t = length2 > 0 ? ((spot.x - a.x) * dx + (spot.z - a.z) * dz) / length2 : 0;
    t = fmin(1, fmax(0, t));
    double distance = lwi_spot_distance(spot, lwi_spot_between(a, b, t));
    if (distance >= least) continue;
    least = distance;
    best = i + t;
  }
  return best;
}

/* A part of the outline, from one place on it to another. */
typedef struct chain {
  double from, to; /* to >= from, going on past the last corner */
} chain;

static chain chain_of(const outline *line, lwi_spot from, lwi_spot to) {
  double a = outline_place(line, from), b = outline_place(line, to);
  if (lwi_spot_distance(from, to) < SAME_PLACE) return (chain){a, a};
  return (chain){a, b < a ? b + line->count : b};
}

/* The pieces of a chain one after the other. @return false: that was the last. */
typedef struct chain_piece {
  lwi_spot from, to;
  double before, length; /* of the chain before it; its own */
  double next;           /* where the next begins */
} chain_piece;

static bool next_piece(const outline *line, chain part, chain_piece *piece) {
  if (!(piece->next < part.to)) return false;
  double begin = piece->next, end = fmin(part.to, floor(begin) + 1);
  piece->before += piece->length;
  piece->from = outline_spot(line, begin);
  piece->to = outline_spot(line, end);
  piece->length = lwi_spot_distance(piece->from, piece->to);
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

/* The spot so many metres along a chain. */
static lwi_spot chain_spot(const outline *line, chain part, double along) {
  chain_piece piece = first_piece(part);
  while (next_piece(line, part, &piece))
    if (along <= piece.before + piece.length && piece.length > 0)
      return lwi_spot_between(piece.from, piece.to, fmax(0, along - piece.before) / piece.length);
  return outline_spot(line, part.to > part.from ? part.to : part.from);
}

/* How far along a chain it comes nearest to a spot. */
static double chain_nearest(const outline *line, chain part, lwi_spot spot) {
  chain_piece piece = first_piece(part);
  double least = INFINITY, best = 0;
  while (next_piece(line, part, &piece)) {
    double dx = piece.to.x - piece.from.x, dz = piece.to.z - piece.from.z, length2 = dx * dx + dz * dz;
    double t = length2 > 0 ? ((spot.x - piece.from.x) * dx + (spot.z - piece.from.z) * dz) / length2 : 0;
    t = fmin(1, fmax(0, t));
    double distance = lwi_spot_distance(spot, lwi_spot_between(piece.from, piece.to, t));
    if (distance >= least) continue;
    least = distance;
    best = piece.before + t * piece.length;
  }
  return best;
}

/* How far along a chain it passes from the right of a line to its left. */
static double chain_meets(const outline *line, chain part, lwi_spot a, lwi_spot b) {
  chain_piece piece = first_piece(part);
  while (next_piece(line, part, &piece)) {
    double side_from = lwi_spot_turn(a, b, piece.from), side_to = lwi_spot_turn(a, b, piece.to);
    if (side_from >= 0) return piece.before;
    if (side_to > 0) return piece.before + piece.length * side_from / (side_from - side_to);
  }
  return piece.before + piece.length;
}

/* Not so near to the end of a chain that a cut there would change next to nothing. */
static double keep_off_ends(double along, double length) {
  return fmin(length * (1 - END_PART), fmax(length * END_PART, along));
}

/* The chain on the right runs from entry to exit, the one on the left from exit to entry. The cut begins where the chain on
   the wall's side is nearest to the wall, and runs on through `at`. */
static void place_cut(const lwi_crossing *crossing, const outline *line, lwi_chord *cut) {
  chain right = chain_of(line, crossing->entry.right, crossing->exit.right);
  chain left = chain_of(line, crossing->exit.left, crossing->entry.left);
  double right_length = chain_length(line, right), left_length = chain_length(line, left);
  bool wall_is_left = lwi_spot_turn(crossing->from, crossing->to, crossing->wall) > 0;
  chain near = wall_is_left ? left : right, far = wall_is_left ? right : left;
  double near_length = wall_is_left ? left_length : right_length;
  double far_length = wall_is_left ? right_length : left_length;
  lwi_spot begin =
      chain_spot(line, near, keep_off_ends(chain_nearest(line, near, crossing->wall), near_length));
  /* Seen along the cut, the chain ahead runs from right to left on either side. */
  lwi_spot end = chain_spot(line, far, keep_off_ends(chain_meets(line, far, begin, crossing->at), far_length));
  cut->left = wall_is_left ? begin : end;
  cut->right = wall_is_left ? end : begin;
}

static void add_chain(lwi_berth_room *room, const outline *line, chain part, uint32_t *count) {
  for (double s = floor(part.from) + 1; s < part.to; s++)
    room->slab[(*count)++] = outline_corner(line, (uint32_t)s);
}

/* --- which clear part of the cut ---------------------------------------------------------------------------------- */

/* Labels of the clear parts of the chords at both ends of what of the polygon lies between them: first those of the far
   chord, from right to left, then those of the near one, from left to right. */
static bool join_slab(const lwi_crossing *crossing, lwi_berth_room *room, const outline *line,
                      const lwi_chord *near, const lwi_opening *near_parts, int near_count,
                      const lwi_chord *far, const lwi_opening *far_parts, int far_count) {
  uint32_t corners = 0, openings = 0;
  if (!lwi_reserve(room->memory, &room->slab, &room->slab_capacity, (int)line->count + 4, sizeof *room->slab) ||
      !lwi_reserve(room->memory, &room->openings, &room->opening_capacity, near_count + far_count,
                   sizeof *room->openings) ||
      !lwi_reserve(room->memory, &room->labels, &room->label_capacity, near_count + far_count,
                   sizeof *room->labels))
    return false;
  chain right = chain_of(line, near->right, far->right), left = chain_of(line, far->left, near->left);
  if (right.to - right.from + left.to - left.from > line->count) { /* no such piece: rounding */
    memset(room->labels, 0, (size_t)(near_count + far_count) * sizeof *room->labels);
    return true;
  }
  room->slab[corners++] = near->right;
  add_chain(room, line, right, &corners);
  uint32_t far_edge = corners;
  room->slab[corners++] = far->right;
  room->slab[corners++] = far->left;
  add_chain(room, line, left, &corners);
  room->slab[corners++] = near->left;
  for (int i = 0; i < far_count; i++)
    room->openings[openings++] = (lwi_opening){far_edge, far_parts[i].t0, far_parts[i].t1};
  for (int i = near_count; i-- > 0;)
    room->openings[openings++] = (lwi_opening){corners - 1, 1 - near_parts[i].t1, 1 - near_parts[i].t0};
  lwi_barriers barriers = lwi_berth_near(crossing->berth, crossing->polygon);
  return lwi_region_join(&room->region, &barriers, room->slab, corners, room->openings, openings, room->labels);
}

/* Strikes out the clear parts of the cut that cannot be reached from entry and exit. */
static bool strike_out(const lwi_crossing *crossing, lwi_berth_room *room, const outline *line,
                       const lwi_chord *cut, int count) {
  lwi_opening entry = {0, crossing->entry.clear0, crossing->entry.clear1};
  lwi_opening exit = {0, crossing->exit.clear0, crossing->exit.clear1};
  if (!join_slab(crossing, room, line, &crossing->entry, &entry, 1, cut, room->cut, count)) return false;
  for (int i = 0; i < count; i++)
    if (room->labels[i] != room->labels[count]) room->cut[i].edge = LWI_NONE;
  if (!join_slab(crossing, room, line, cut, room->cut, count, &crossing->exit, &exit, 1)) return false;
  for (int i = 0; i < count; i++)
    if (room->labels[count - i] != room->labels[0]) room->cut[i].edge = LWI_NONE;
  return true;
}

lw_status lwi_berth_cut(const lwi_crossing *crossing, lwi_berth_room *room, lwi_chord *cut) {
  outline line;
  int count;
  if (!read_outline(crossing->berth, room, crossing->polygon, &line.count)) return LW_OUT_OF_MEMORY;
  line.corners = room->corners;
  place_cut(crossing, &line, cut);
  if (!read_clear(crossing->berth, room, crossing->polygon, cut, &count)) return LW_OUT_OF_MEMORY;
  if (count > 1 && !strike_out(crossing, room, &line, cut, count)) return LW_OUT_OF_MEMORY;
  double nearest = INFINITY, length = lwi_spot_distance(cut->left, cut->right);
  double t = length > 0 ? ((crossing->at.x - cut->right.x) * (cut->left.x - cut->right.x) +
                           (crossing->at.z - cut->right.z) * (cut->left.z - cut->right.z)) /
                              (length * length)
                        : 0;
  for (int i = 0; i < count; i++) {
    if (room->cut[i].edge == LWI_NONE) continue;
    double off = fmax(0, fmax(room->cut[i].t0 - t, t - room->cut[i].t1));
    if (off >= nearest) continue;
    nearest = off;
    cut->clear0 = room->cut[i].t0;
    cut->clear1 = room->cut[i].t1;
  }
  return nearest < INFINITY ? LW_OK : LW_NO_PATH;
}
