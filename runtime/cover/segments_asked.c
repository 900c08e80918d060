/* What designers asked for as cover, and what became of it. */
#include "core/status.h"
#include "cover/segments.h"
#include "leeward/cover.h"

/* The side of a request is told by one segment or by two, the second marked as LWI_ASKED_TOO. */
static bool is_first(const lwi_cover *cover, uint32_t i) {
  return !(cover->added[i].asked & LWI_ASKED_TOO);
}

int lw_navmesh_added_cover_count(const lw_navmesh *navmesh) {
  int count = 0;
  for (uint32_t i = 0; i < navmesh->cover.added_count; i++) count += is_first(&navmesh->cover, i);
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
  const lwi_cover *cover = &navmesh->cover;
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
