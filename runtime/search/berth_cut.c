#include "search/berth_cut.h"

/* Ends of chords that are nearer to one another are one place. [m] */
#define SAME_PLACE 2e-3

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

static lwi_spot chain_middle(const outline *line, chain part) {
  double length = 0;
  for (int pass = 0;; pass++) {
    double done = 0;
    for (double s = part.from; s < part.to;) {
      double end = fmin(part.to, floor(s) + 1);
      double piece = lwi_spot_distance(outline_spot(line, s), outline_spot(line, end));
      if (pass > 0 && piece > 0 && done + piece >= length / 2)
        return outline_spot(line, s + (end - s) * (length / 2 - done) / piece);
      done += piece;
      s = end;
    }
    if (pass > 0 || !(done > 0)) return outline_spot(line, part.from);
    length = done;
  }
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
  if (right.to - right.from + left.to - left.from > line->count) return true; /* no such piece: rounding */
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

lw_status lwi_berth_cut(const lwi_crossing *crossing, lwi_berth_room *room, lwi_spot about, lwi_chord *cut) {
  outline line;
  int count;
  if (!read_outline(crossing->berth, room, crossing->polygon, &line.count)) return LW_OUT_OF_MEMORY;
  line.corners = room->corners;
  cut->right = chain_middle(&line, chain_of(&line, crossing->entry.right, crossing->exit.right));
  cut->left = chain_middle(&line, chain_of(&line, crossing->exit.left, crossing->entry.left));
  if (!read_clear(crossing->berth, room, crossing->polygon, cut, &count)) return LW_OUT_OF_MEMORY;
  if (count > 1 && !strike_out(crossing, room, &line, cut, count)) return LW_OUT_OF_MEMORY;
  double nearest = INFINITY, length = lwi_spot_distance(cut->left, cut->right);
  double t = length > 0 ? ((about.x - cut->right.x) * (cut->left.x - cut->right.x) +
                           (about.z - cut->right.z) * (cut->left.z - cut->right.z)) /
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
