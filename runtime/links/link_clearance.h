/// How large a body passes along the arc of a link: a list of steps, each of which says from which radius on a
/// body may be no higher than that.
#ifndef LW_LINKS_LINK_CLEARANCE_H
#define LW_LINKS_LINK_CLEARANCE_H

#include "links/link_arc.h"

/// Steps of a clearance at most. Where there are more, two of them are joined, so that fewer bodies fit.
#define LWI_LINK_CLEARANCE_STEPS 12
/// Bodies may be larger by this, in radius and height. [m]
#define LWI_LINK_CLEARANCE_SLACK 0.01f

/// A body that is wider than `radius` and higher than `height` does not fit.
typedef struct lwi_clearance_step {
  float radius, height; ///< [m]
} lwi_clearance_step;
typedef struct lwi_link_clearance {
  int count;
  lwi_clearance_step steps[LWI_LINK_CLEARANCE_STEPS]; ///< [count] Ever wider and lower.
} lwi_link_clearance;

bool lwi_link_clearance_fits(const lwi_link_clearance *clearance, float radius, float height);

/// What is measured, and how far. A clearance is the same for all bodies up to these sizes.
typedef struct lwi_clearance_measure {
  lwi_link_arc arc;
  lwi_arc_body smallest; ///< No agent that takes the link is smaller. It steps over that.
  float radius;          ///< The widest bodies. [m]
  float height;          ///< The highest. [m]
} lwi_clearance_measure;
/// Whatever lies outside of this box makes no difference. [m]
lw_box lwi_clearance_measure_box(const lwi_clearance_measure *measure);

/// Let an obstacle stand there. @param footprint  Not grown.
void lwi_link_clearance_add_footprint(lwi_link_clearance *clearance, const lwi_clearance_measure *measure,
                                      const lwi_footprint *footprint);
/// Corners of a facet at most.
#define LWI_LINK_CLEARANCE_CORNERS 8
/// Let a part of the level be there. What the smallest body touches belongs to the link, such as the wall of a
/// ladder, and makes no difference. @param corners  [count] Convex. [m]
void lwi_link_clearance_add_facet(lwi_link_clearance *clearance, const lwi_clearance_measure *measure,
                                  const lw_vec3 *corners, int count);

#endif
