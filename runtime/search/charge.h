/// What a straight piece of a way costs within one polygon. The search, the pull towards cover and the path's account all
/// ask here, so a new term of the price is added in this one place.
#ifndef LW_SEARCH_CHARGE_H
#define LW_SEARCH_CHARGE_H

#include "cost/profile.h"
#include "search/rings.h"
#include "search/watch.h"

/// What is charged for. Borrowed.
typedef struct lwi_charges {
  const lw_navmesh *mesh;
  const lwi_prices *prices;
  const lwi_watch *watch;     ///< Who sees the way; NULL: nobody.
  const lwi_dangers *dangers; ///< NULL: none.
  const lwi_lanes *lanes;     ///< NULL: none.
  float *exposed_to;          ///< Room for what each who sees it does of a piece. [m] NULL: not wanted.
  bool rough;                 ///< What is seen is measured by depth maps.
} lwi_charges;

/// The price of a piece by its terms.
typedef struct lwi_bill {
  float length;  ///< [m]
  float exposed; ///< Seen by any. [m]
  float ground;  ///< Length times the polygon's price. [metre-equivalents]
  float seen;    ///< For being seen. [metre-equivalents]
  float danger;  ///< For the dangers that it enters. [metre-equivalents]
  float lanes;   ///< For the fire lanes that it leads through. [metre-equivalents]
} lwi_bill;
static inline float lwi_bill_sum(const lwi_bill *bill) {
  return bill->ground + bill->seen + bill->danger + bill->lanes;
}

/// @return false: no memory.
bool lwi_charge(const lwi_charges *charges, uint32_t polygon, lw_vec3 from, lw_vec3 to, lwi_bill *bill);

/// Does the price depend on where in a polygon a way runs, and not on its length there alone?
static inline bool lwi_charges_by_place(const lwi_charges *charges) {
  return (charges->watch && charges->watch->factor > 0) || charges->dangers || charges->lanes;
}
/// The same of one polygon.
static inline bool lwi_charges_by_place_in(const lwi_charges *charges, uint32_t polygon) {
  return (charges->watch && charges->watch->factor > 0) ||
         lwi_rings_first(charges->dangers, polygon) != LWI_NONE ||
         lwi_lanes_first(charges->lanes, polygon) != LWI_NONE;
}
/// Can a search guess what is seen from places on the way?
static inline bool lwi_charges_by_guess(const lwi_charges *charges) {
  return charges->watch && charges->watch->factor > 0 && charges->watch->outlook;
}
/// A guess of what a piece costs, for lwi_charges_by_guess().
static inline float lwi_charge_guess(const lwi_charges *charges, uint32_t polygon, lw_vec3 from, lw_vec3 to) {
  lwi_charges others = *charges;
  others.watch = NULL;
  lwi_bill bill;
  lwi_charge(&others, polygon, from, to, &bill);
  return lwi_bill_sum(&bill) + lwi_watch_guess(charges->watch, polygon, from, to);
}
/// What a piece costs. @return Negative: no memory. [metre-equivalents]
static inline float lwi_charge_sum(const lwi_charges *charges, uint32_t polygon, lw_vec3 from, lw_vec3 to) {
  if (!lwi_charges_by_place_in(charges, polygon))
    return lwi_distance(from, to) * lwi_price_on(charges->prices, charges->mesh, polygon);
  lwi_bill bill;
  return lwi_charge(charges, polygon, from, to, &bill) ? lwi_bill_sum(&bill) : -1;
}
/// What a link costs.
static inline float lwi_charge_link(const lwi_charges *charges, const lwi_link *link) {
  return link->length * lwi_link_price(charges->mesh, link, charges->prices) +
         lwi_dangers_landed(charges->dangers, link->to, link->start, link->end);
}
/// No straight piece of that length costs less, and none costs more. [metre-equivalents]
static inline float lwi_charge_least(const lwi_charges *charges, uint32_t polygon, float length) {
  return length * lwi_price_on(charges->prices, charges->mesh, polygon);
}
static inline float lwi_charge_most(const lwi_charges *charges, uint32_t polygon, float length) {
  float worst = charges->watch ? charges->watch->worst : 0;
  float most = length * (lwi_price_on(charges->prices, charges->mesh, polygon) + worst);
  if (charges->lanes) most += length * lwi_lanes_worst(charges->lanes, polygon);
  return charges->dangers ? most + lwi_dangers_worst(charges->dangers, polygon) : most;
}

#endif
