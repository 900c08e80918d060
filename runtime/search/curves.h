/// The shortest curves from one pose to another for a vehicle that cannot turn more sharply than along a
/// circle: forwards alone (Dubins 1957), or forwards and backwards (Reeds and Shepp 1990). They consist of arcs
/// of that circle and straight lines.
#ifndef LW_SEARCH_CURVES_H
#define LW_SEARCH_CURVES_H

#include <stdbool.h>

/// A place and a direction as seen from above: z points down, so that angles are counter-clockwise from +x.
typedef struct lwi_curve_pose {
  double x, z;    ///< [m]
  double heading; ///< [rad]
} lwi_curve_pose;

/// A whole turn. [rad]
#define LWI_TURN 6.28318530717958647692
#define LWI_CURVE_PIECES 5

/// A curve: its pieces in order.
typedef struct lwi_curve {
  int count;                        ///< Of pieces.
  int turns[LWI_CURVE_PIECES];      ///< 1: left, -1: right, 0: straight.
  double lengths[LWI_CURVE_PIECES]; ///< < 0: backwards. [m]
  double length;                    ///< [m]
  double cost;                      ///< By what metres backwards and changes of direction cost. [m]
} lwi_curve;

/// What backing costs.
typedef struct lwi_curve_prices {
  double backwards; ///< Of a metre. [>= 1]
  double cusp;      ///< Of a change of direction within the curve. [m]
  int cusps;        ///< That it may have at most.
} lwi_curve_prices;

/// The pose behind that length of a piece.
lwi_curve_pose lwi_curve_move(lwi_curve_pose from, double radius, int turn, double length);
/// The shortest curve forwards. It always exists.
void lwi_curve_forwards(lwi_curve_pose from, lwi_curve_pose to, double radius, lwi_curve *curve);
/// The cheapest curve forwards and backwards. @return false: there is none with so few changes of direction.
bool lwi_curve_any(lwi_curve_pose from, lwi_curve_pose to, double radius, const lwi_curve_prices *prices,
                   lwi_curve *curve);
/// An arc and a straight line that end at the place of `to`, whatever the heading there.
/// @param turn  1: the arc turns left; -1: right. @param gear  1: forwards; -1: backwards.
/// @return false: the place lies within that circle.
bool lwi_curve_to_place(lwi_curve_pose from, lwi_curve_pose to, double radius, int turn, int gear,
                        lwi_curve *curve);

#endif
