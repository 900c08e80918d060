/// How much of a body at each sample of a navmesh one set of threats sees, found once while the threats stay.
/// Searches estimate by that.
#ifndef LW_SIGHT_VISIBILITY_SAMPLES_H
#define LW_SIGHT_VISIBILITY_SAMPLES_H

#include "sight/threat_views.h"

/// The most threats that one search estimates by.
#define LWI_ESTIMATE_THREATS_MAX 64

typedef struct lwi_visibility_sample {
  uint32_t stamp; ///< The set of threats that it was found for; any other value: not found yet.
  float seen;     ///< Sum of weight x fall-off x the part seen, over the threats.
} lwi_visibility_sample;

/// Begin with zeros and `memory`.
typedef struct lwi_visibility_samples {
  lwi_memory *memory;
  lwi_view_finder finder;
  const lwi_screens *screens; ///< NULL: none.
  uint32_t spared;            ///< As lwi_sight has it.
  lw_exposure_query query;    ///< With `threats`.
  lw_threat threats[LWI_ESTIMATE_THREATS_MAX];
  uint32_t over[LWI_SIGHT_OVER]; ///< Polygons that the threats are over, as lwi_sight_over() has them.
  bool has_over;
  lwi_threat_views *from; ///< That the views were acquired from.
  lwi_threat_view *views[LWI_ESTIMATE_THREATS_MAX];
  int view_count;
  uint32_t stamp;
  uint64_t version;             ///< The lwi_screens.version that the samples were found with.
  bool failed;                  ///< Out of memory: samples are guesses.
  lwi_visibility_sample *items; ///< [samples->count]
} lwi_visibility_samples;

/// Set the threats. Samples stay if threats, heights and screens are the same as before.
/// @param query  Its threats [0..LWI_ESTIMATE_THREATS_MAX] and heights.
/// @param finder  Its sight: with screens, and with `over` for these threats. @return false: out of memory.
bool lwi_visibility_samples_turn(lwi_visibility_samples *visibility, lwi_threat_views *views,
                                 const lwi_view_finder *finder, const lw_exposure_query *query);
/// Its views are released.
void lwi_visibility_samples_free(lwi_visibility_samples *visibility);
/// Find a sample that has not been found yet.
float lwi_visibility_samples_look(lwi_visibility_samples *visibility, uint32_t polygon, uint32_t sample);
static inline float lwi_visibility_sample_at(lwi_visibility_samples *visibility, uint32_t polygon,
                                             uint32_t sample) {
  const lwi_visibility_sample *item = &visibility->items[sample];
  return item->stamp == visibility->stamp ? item->seen
                                          : lwi_visibility_samples_look(visibility, polygon, sample);
}
/// How much of a body at about that point the threats see: between two lines of samples, in proportion.
static inline float lwi_visibility_samples_at(lwi_visibility_samples *visibility, uint32_t polygon,
                                              lw_vec3 at) {
  const lwi_sample_grid *grid = &visibility->finder.samples->grids[polygon];
  const bool along_x = grid->columns >= grid->rows;
  const int axis = along_x ? 1 : 0, lines = along_x ? grid->rows : grid->columns,
            cells = along_x ? grid->columns : grid->rows;
  const int cell = along_x ? lwi_sample_step(at.x - grid->x, grid->per_metre[0], cells)
                           : lwi_sample_step(at.z - grid->z, grid->per_metre[1], cells);
  float across = (along_x ? at.z - grid->z : at.x - grid->x) * grid->per_metre[axis] - 0.5f;
  across = across < 0 ? 0 : across > (float)(lines - 1) ? (float)(lines - 1) : across;
  const int line = (int)across, step = along_x ? grid->columns : 1;
  const uint32_t sample = grid->first + (uint32_t)(line * step + cell * (along_x ? 1 : grid->columns));
  const float part = across - (float)line, here = lwi_visibility_sample_at(visibility, polygon, sample);
  if (part <= 0) return here;
  return here + part * (lwi_visibility_sample_at(visibility, polygon, sample + (uint32_t)step) - here);
}

#endif
