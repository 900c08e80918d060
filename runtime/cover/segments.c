/* Cover that designers added (lw_geometry_add_cover()), and whether it was refused. */
#include "cover/segments.h"

#include "core/status.h"
#include "leeward/cover.h"

/* A request for both sides is stored as two segments, the second marked with LWI_ASKED_TOO. */
static bool is_first(const lwi_cover *cover, uint32_t i) {
  return !(cover->added[i].asked & LWI_ASKED_TOO);
}

int lw_navmesh_added_cover_count(const lw_navmesh *navmesh) {
  if (!navmesh) return 0;
  int count = 0;
  for (uint32_t i = 0; i < lwi_cover_of(navmesh)->added_count; i++) count += is_first(lwi_cover_of(navmesh), i);
  return count;
}

static void read_request(const lwi_cover_segment *one, bool both, lw_added_cover *added) {
  const bool left = one->asked & LWI_ASKED_LEFT;
  added->def = lw_cover_def_default();
  added->def.from = left ? one->b : one->a;
  added->def.to = left ? one->a : one->b;
  added->def.bottom = one->bottom - one->a.y;
  added->def.height = one->top - one->a.y;
  added->def.side = both ? LW_COVER_BOTH_SIDES : left ? LW_COVER_LEFT_SIDE : LW_COVER_RIGHT_SIDE;
  added->def.kind = (lw_cover_kind)one->kind;
}

lw_status lw_navmesh_get_added_cover(const lw_navmesh *navmesh, int index, lw_added_cover *added) {
  if (added) *added = (lw_added_cover){0};
  if (!navmesh || !added) return LW_INVALID;
  const lwi_cover *cover = lwi_cover_of(navmesh);
  uint32_t at = 0;
  int left = index;
  if (index < 0) return LW_NOT_FOUND;
  for (; at < cover->added_count; at++)
    if (is_first(cover, at) && left-- == 0) break;
  if (at == cover->added_count) return LW_NOT_FOUND;
  const bool both = at + 1 < cover->added_count && !is_first(cover, at + 1);
  read_request(&cover->added[at], both, added);
  added->refused = cover->added[at].asked & LWI_ASKED_NOWHERE;
  if (both) added->refused = added->refused && (cover->added[at + 1].asked & LWI_ASKED_NOWHERE);
  return LW_OK;
}
