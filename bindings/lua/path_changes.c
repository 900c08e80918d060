/*
** What a path was found on, and what of that has changed since.
*/
#include "path.h"

static void push_piece(lua_State *L, const lw_path_piece *piece) {
  lua_createtable(L, 0, 6);
  if (piece->polygon != 0) lwl_set_integer(L, "polygon", (lua_Integer)piece->polygon);
  lwl_set_integer(L, "navmesh", piece->navmesh + 1);
  lwl_set_integer(L, "version", (lua_Integer)piece->version);
  lwl_set_number(L, "price", (double)piece->price);
}

/*
** path:pieces() --> list of { polygon =, navmesh =, version =, price =, link =, name = }, one for each point but the last
*/
int lwl_path_pieces(lua_State *L) {
  const lwl_path *path = (lwl_path *)lwl_check_box(L, 1, LWL_PATH, "pieces");
  const lw_path *of = path->box.object;
  lua_settop(L, 1);
  lwl_push_path_world(L);
  lua_newtable(L);
  lw_path_piece piece;
  for (int i = 0; lw_path_get_piece(of, i, &piece) == LW_OK; ++i) {
    push_piece(L, &piece);
    if (!lua_isnil(L, 2) && !lw_link_id_is_none(piece.link)) lwl_set_link(L, 2, piece.link);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

static void push_change(lua_State *L, const lw_path_change *change) {
  lua_createtable(L, 0, 8);
  lwl_set_string(L, "kind", lw_path_change_name(change->kind));
  lwl_set_integer(L, "point", change->point + 1);
  lwl_set_integer(L, "count", change->count);
  lwl_set_bool(L, "blocks", change->blocks);
  if (change->polygon >= 0) lwl_set_integer(L, "polygon", change->polygon + 1);
  if (change->kind != LW_PATH_PRICED && change->kind != LW_PATH_LINK_PRICED) return;
  lwl_set_number(L, "before", (double)change->before);
  lwl_set_number(L, "after", (double)change->after);
}

/*
** path:changes()
**   --> list of { kind =, point =, polygon =, count =, blocks =, before =, after =, link =, name = }, in the path's order
**   | nil, message, code
*/
int lwl_path_changes(lua_State *L) {
  lwl_path *path = (lwl_path *)lwl_check_box(L, 1, LWL_PATH, "changes");
  lua_settop(L, 1);
  lw_path_query query = path->query;
  lwl_push_path_world(L);
  const lwl_box *world = lwl_test_box(L, 2, LWL_WORLD);
  lua_getiuservalue(L, 1, LWL_PATH_PROFILE);
  const lwl_box *profile = lwl_test_box(L, 3, LWL_PROFILE);
  if (!world || !world->object) return lwl_fail(L, LW_STALE, "the path's world was destroyed");
  const bool has_prices = !query.profile || (profile && profile->object);
  const lw_path_query *asked = has_prices ? &query : NULL;
  int count = 0;
  lw_status status = lw_path_changes(path->box.object, world->object, asked, NULL, 0, &count);
  lw_path_change *changes = lua_newuserdatauv(L, (size_t)(count + 1) * sizeof *changes, 0);
  const int capacity = count;
  if (world->object)
    status = lw_path_changes(path->box.object, world->object, asked, changes, capacity, &count);
  if (status != LW_OK || !world->object) return lwl_fail(L, LW_STALE, "the path's world was destroyed");
  if (count > capacity) count = capacity;
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; ++i) {
    push_change(L, &changes[i]);
    if (changes[i].polygon < 0) lwl_set_link(L, 2, changes[i].link);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}
