#include "cover/cover_run.h"

/* How much the wall's height over the ground may vary within a segment, and how far the ground may stray
   from a straight line. [m] */
#define HEIGHT_SLACK 0.2f
#define GROUND_STRAY 0.15
/* How far the ground may step between columns [m], and how steeply it may rise besides. */
#define STEP 0.15
#define STEEP 1.2
/* Ground that rises by no more from end to end is level. [m] */
#define LEVEL 0.1
/* Heights above max(TALL_MIN, TALL * the agents' height) are treated as equal. */
#define TALL 1.5f
#define TALL_MIN 2.6f

float lwi_cover_tall(float height) {
  return fmaxf(TALL_MIN, TALL * height);
}

static void widen(lwi_cover_run *r, const lwi_cover_column *column, float tall) {
  const float over = column->high - column->ground, top = over < tall ? over : tall,
              bottom = fmaxf(0, column->low - column->ground);
  r->low_top = fminf(r->low_top, top);
  r->high_top = fmaxf(r->high_top, top);
  r->min_top = fminf(r->min_top, over);
  r->low_bottom = fminf(r->low_bottom, bottom);
  r->high_bottom = fmaxf(r->high_bottom, bottom);
  r->top = fminf(r->top, column->high);
  r->bottom = fmaxf(r->bottom, column->low);
  r->last_ground = column->ground;
}

lwi_cover_run lwi_cover_run_begin(const lwi_cover_column *column, float tall) {
  lwi_cover_run run = {.column = column->number,
                       .begin = column->begin,
                       .end = column->end,
                       .first = column->middle,
                       .last = column->middle,
                       .first_ground = column->ground,
                       .min_rise = -INFINITY,
                       .max_rise = INFINITY,
                       .low_top = INFINITY,
                       .min_top = INFINITY,
                       .high_top = -INFINITY,
                       .low_bottom = INFINITY,
                       .high_bottom = -INFINITY,
                       .top = INFINITY,
                       .bottom = -INFINITY};
  widen(&run, column, tall);
  return run;
}

bool lwi_cover_run_extend(lwi_cover_run *r, const lwi_cover_column *column, float tall) {
  const double at = column->middle, off = at - r->first;
  const double low = ((double)column->ground - r->first_ground - GROUND_STRAY) / off;
  const double high = ((double)column->ground - r->first_ground + GROUND_STRAY) / off;
  if (fabs((double)column->ground - r->last_ground) > STEP + STEEP * (at - r->last)) return false;
  if (r->column != column->number - 1 || low > r->max_rise || high < r->min_rise) return false;
  lwi_cover_run wider = *r;
  widen(&wider, column, tall);
  if (wider.low_top - wider.high_bottom < LWI_COVER_SOLID_MIN) return false;
  if (wider.high_top - wider.low_top > HEIGHT_SLACK || wider.high_bottom - wider.low_bottom > HEIGHT_SLACK)
    return false;
  *r = wider;
  r->min_rise = fmax(r->min_rise, low);
  r->max_rise = fmin(r->max_rise, high);
  r->column = column->number;
  r->end = column->end;
  r->last = at;
  return true;
}

lwi_cover_ground lwi_cover_run_ground(const lwi_cover_run *r) {
  double rise = r->last > r->first ? ((double)r->last_ground - r->first_ground) / (r->last - r->first) : 0;
  /* Within the bounds, so the ground strays no further than GROUND_STRAY. */
  rise = fmax(r->min_rise, fmin(r->max_rise, rise));
  lwi_cover_ground ground = {.begin = (double)r->first_ground + rise * (r->begin - r->first),
                             .end = (double)r->first_ground + rise * (r->end - r->first),
                             .is_level = fabs(rise * (r->end - r->begin)) <= LEVEL};
  if (ground.is_level) ground.begin = ground.end = ((double)r->first_ground + (double)r->last_ground) / 2;
  return ground;
}

void lwi_cover_run_heights(const lwi_cover_run *r, const lwi_cover_ground *ground, lwi_cover_segment *segment) {
  if (ground->is_level) {
    segment->top = r->top;
    segment->bottom = fmaxf(r->bottom, segment->a.y);
  } else {
    segment->top = segment->a.y + r->min_top;
    segment->bottom = segment->a.y + r->high_bottom;
  }
}
