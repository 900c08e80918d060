#include "cover/outlook.h"

#include "core/vec3.h"

#include <string.h>

static bool is_same_threat(const lw_threat *a, const lw_threat *b) {
  return lwi_equal(a->at, b->at) && lwi_equal(a->facing, b->facing) && a->half_angle == b->half_angle &&
         a->range == b->range && a->weight == b->weight;
}

static bool is_same(const lwi_outlook *outlook, const lw_exposure_query *query) {
  if (outlook->query.threat_count != query->threat_count || outlook->query.height_count != query->height_count)
    return false;
  for (int i = 0; i < query->height_count; i++)
    if (outlook->query.heights[i] != query->heights[i]) return false;
  for (int i = 0; i < query->threat_count; i++)
    if (!is_same_threat(&outlook->threats[i], &query->threats[i])) return false;
  return true;
}

/* What was looked up counts no more. */
static void forget(lwi_outlook *outlook) {
  outlook->stamp += 1;
  if (outlook->stamp > 0) return;
  memset(outlook->items, 0, outlook->spots->count * sizeof *outlook->items);
  outlook->stamp = 1;
}

bool lwi_outlook_turn(lwi_outlook *outlook, const lwi_spots *spots, const lwi_sight *sight,
                      const lw_exposure_query *query) {
  if (!outlook->items) {
    lwi_outlook_spot *items = lwi_alloc_zero(spots->memory, spots->count * sizeof *items);
    if (!items) return false;
    *outlook = (lwi_outlook){.spots = spots, .items = items};
  }
  bool same = outlook->stamp > 0 && is_same(outlook, query);
  outlook->query = *query;
  outlook->query.threats = outlook->threats;
  outlook->sight = *sight;
  outlook->sight.maps = outlook->maps;
  memcpy(outlook->maps, sight->maps, (size_t)query->threat_count * sizeof *sight->maps);
  if (sight->over) {
    memcpy(outlook->over, sight->over, (size_t)query->threat_count * sizeof *sight->over);
    outlook->sight.over = outlook->over;
  }
  if (same) return true;
  memcpy(outlook->threats, query->threats, (size_t)query->threat_count * sizeof *query->threats);
  forget(outlook);
  return true;
}

void lwi_outlook_free(lwi_outlook *outlook) {
  if (outlook->items)
    lwi_free(outlook->spots->memory, outlook->items, outlook->spots->count * sizeof *outlook->items);
  *outlook = (lwi_outlook){0};
}

/* Where one looks about a spot: ways that keep to the very edge of a shadow are seen after all. [m] */
#define LOOKS 5
static const lw_vec3 ASIDE[LOOKS] = {
    {0, 0, 0}, {0.35f, 0, 0.15f}, {-0.15f, 0, 0.35f}, {-0.35f, 0, -0.15f}, {0.15f, 0, -0.35f}};

float lwi_outlook_look(lwi_outlook *outlook, uint32_t polygon, uint32_t spot) {
  lwi_outlook_spot *item = &outlook->items[spot];
  item->seen = lwi_exposure_about(&outlook->sight, &outlook->query,
                                  lwi_spots_place(outlook->spots, polygon, spot), ASIDE, LOOKS);
  item->stamp = outlook->stamp;
  return item->seen;
}
