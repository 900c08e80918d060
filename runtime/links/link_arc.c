#include "links/link_arc.h"

lwi_link_arc lwi_link_arc_of(lw_link_kind kind, lw_vec3 from, lw_vec3 to) {
  lwi_link_arc arc = {.points = {from}, .box = lwi_box_add(lwi_box_empty(), from)};
  const float rise = kind == LW_LINK_JUMP ? lwi_jump_rise(from, to) : 0;
  if (kind == LW_LINK_DROP) {
    arc.parts = 2;
    arc.points[1] = lwi_vec3(to.x, from.y, to.z);
    arc.points[2] = to;
  } else if (kind == LW_LINK_JUMP || kind == LW_LINK_LADDER) {
    arc.parts = LWI_JUMP_PARTS;
    for (int i = 1; i <= arc.parts; i++)
      arc.points[i] = lwi_jump_point(from, to, rise, (float)i / (float)arc.parts);
  }
  for (int i = 1; i <= arc.parts; i++) arc.box = lwi_box_add(arc.box, arc.points[i]);
  return arc;
}

bool lwi_link_arc_meets(const lwi_link_arc *arc, const lwi_arc_body *body, const lwi_footprint *footprint) {
  const lwi_cut_shape shape = lwi_footprint_shape(footprint);
  double t0, t1;
  for (int i = 0; i < arc->parts; i++) {
    const lw_vec3 a = arc->points[i], b = arc->points[i + 1];
    const float low = fminf(a.y, b.y) + body->step, high = fmaxf(a.y, b.y) + body->height;
    if (low < footprint->high && high > footprint->low &&
        lwi_shape_crosses(&shape, lwi_point2_of(a), lwi_point2_of(b), &t0, &t1))
      return true;
  }
  return false;
}
