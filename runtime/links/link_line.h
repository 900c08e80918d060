/// The line that feet follow over an off-mesh link, in straight pieces.
#ifndef LW_LINKS_LINK_LINE_H
#define LW_LINKS_LINK_LINE_H

#include "leeward/link.h"
#include "links/jump_arc.h"

#define LWI_LINK_PIECES 8 ///< Of the arc of a jump.

typedef struct lwi_link_line {
  lw_vec3 points[LWI_LINK_PIECES + 1]; ///< [pieces + 1]
  int pieces;                          ///< 0: a teleport, which leads over nothing.
  lw_vec3 start, end;
  float length; ///< Of the pieces. [m]
} lwi_link_line;

static inline lwi_link_line lwi_link_line_of(lw_link_kind kind, lw_vec3 start, lw_vec3 end) {
  lwi_link_line line = {.points = {start}, .start = start, .end = end};
  if (kind == LW_LINK_TELEPORT) return line;
  line.pieces = kind == LW_LINK_JUMP ? LWI_LINK_PIECES : 1;
  const float rise = kind == LW_LINK_JUMP ? lwi_jump_rise(start, end) : 0;
  for (int i = 1; i <= line.pieces; i++) {
    line.points[i] = i == line.pieces ? end : lwi_jump_point(start, end, rise, (float)i / (float)line.pieces);
    line.length += lwi_distance(line.points[i - 1], line.points[i]);
  }
  return line;
}

#endif
