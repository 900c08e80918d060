/*
** string.find, match, gmatch and gsub for scripts in a sandbox: Lua's patterns, whose matching goes back and may take a
** time that is exponential in the pattern. Each step counts as an instruction, so that the script's budget ends it.
*/
#include "pattern.h"
#include "sandbox.h"

#include <ctype.h>
#include <string.h>

enum {
  CAPTURES_MAX = 32,  ///< As in Lua.
  DEPTH_MAX = 200,    ///< Of recursion; as in Lua.
  STEPS_AT_ONCE = 64, ///< Steps that are counted together.
  BYTES_A_STEP = 16,  ///< Of plain text.
  SET_BYTES = 4,      ///< Of a set that count as a step.
  ESCAPE = '%'
};

typedef enum capture_state { CLOSED, OPEN, PLACE } capture_state;

typedef struct capture {
  const char *begin, *end;
  capture_state state;
} capture;

typedef struct matcher {
  lua_State *L;
  const lwl_calls *calls;
  const char *text, *text_end, *pattern_end;
  ptrdiff_t steps;
  int depth, count;
  capture captures[CAPTURES_MAX];
} matcher;

static void take_steps(matcher *m, ptrdiff_t count) {
  m->steps += count;
  if (m->steps < STEPS_AT_ONCE) return;
  const ptrdiff_t steps = m->steps;
  m->steps = 0;
  lwl_count_work(m->L, m->calls, steps);
}

static void step(matcher *m) {
  take_steps(m, 1);
}

// --- single characters -----------------------------------------------------------------------------------------

/// The end of the item at p: a character, an escaped one or a set.
static const char *item_end(matcher *m, const char *p) {
  const char *const begin = p;
  const char first = *p++;
  if (first == ESCAPE) {
    if (p == m->pattern_end) luaL_error(m->L, "malformed pattern (ends with '%%')");
    return p + 1;
  }
  if (first != '[') return p;
  if (p < m->pattern_end && *p == '^') ++p;
  do { /* a ']' that comes first is one of the set */
    if (p == m->pattern_end) luaL_error(m->L, "malformed pattern (missing ']')");
    if (*p++ == ESCAPE && p < m->pattern_end) ++p;
  } while (p == m->pattern_end || *p != ']');
  take_steps(m, (p - begin) / SET_BYTES);
  return p + 1;
}

/// Whether the set from `p`, its '[', to `end`, its ']', has the character.
static bool is_in_set(matcher *m, int c, const char *p, const char *end) {
  bool answer = true;
  take_steps(m, (end - p) / SET_BYTES);
  if (*++p == '^') {
    answer = false;
    ++p;
  }
  while (p < end) {
    const int from = (unsigned char)*p;
    if (from == ESCAPE) {
      if (lwl_pattern_class_has((unsigned char)p[1], c)) return answer;
      p += 2;
    } else if (p[1] == '-' && p + 2 < end) {
      if (from <= c && c <= (unsigned char)p[2]) return answer;
      p += 3;
    } else {
      if (from == c) return answer;
      ++p;
    }
  }
  return !answer;
}

static bool is_match(matcher *m, const char *s, const char *p, const char *end) {
  step(m);
  if (s >= m->text_end) return false;
  const int c = (unsigned char)*s;
  switch (*p) {
  case '.': return true;
  case ESCAPE: return lwl_pattern_class_has((unsigned char)p[1], c);
  case '[': return is_in_set(m, c, p, end - 1);
  default: return (unsigned char)*p == c;
  }
}

// --- matching ------------------------------------------------------------------------------------------------

/// Match the pattern from p on at s. @return Where the match ends; NULL: there is none.
static const char *match_at(matcher *m, const char *s, const char *p);

static const char *match_balance(matcher *m, const char *s, const char *p) {
  if (m->pattern_end - p < 2) luaL_error(m->L, "malformed pattern (missing arguments to '%%b')");
  if (s == m->text_end || *s != p[0]) return NULL;
  int open = 1;
  for (++s; s < m->text_end; ++s) {
    step(m);
    if (*s == p[1]) {
      if (--open == 0) return match_at(m, s + 1, p + 2);
    } else if (*s == p[0]) {
      ++open;
    }
  }
  return NULL;
}

static const char *match_frontier(matcher *m, const char *s, const char *p) {
  if (p == m->pattern_end || *p != '[') luaL_error(m->L, "missing '[' after '%%f' in pattern");
  const char *end = item_end(m, p);
  const int before = s == m->text ? 0 : (unsigned char)s[-1], here = s == m->text_end ? 0 : (unsigned char)*s;
  step(m);
  return !is_in_set(m, before, p, end - 1) && is_in_set(m, here, p, end - 1) ? match_at(m, s, end) : NULL;
}

static const char *match_reference(matcher *m, const char *s, const char *p) {
  const int number = *p - '1';
  if (number < 0 || number >= m->count || m->captures[number].state == OPEN)
    luaL_error(m->L, "invalid capture index %%%d", number + 1);
  const capture *of = &m->captures[number];
  if (of->state == PLACE) return NULL; /* as in Lua */
  const size_t length = (size_t)(of->end - of->begin);
  lwl_count_work(m->L, m->calls, (int64_t)(length / BYTES_A_STEP));
  if ((size_t)(m->text_end - s) < length || memcmp(of->begin, s, length) != 0) return NULL;
  return match_at(m, s + length, p + 1);
}

static const char *open_capture(matcher *m, const char *s, const char *p) {
  if (m->count >= CAPTURES_MAX) luaL_error(m->L, "too many captures");
  const bool is_place = p < m->pattern_end && *p == ')';
  m->captures[m->count++] = (capture){s, s, is_place ? PLACE : OPEN};
  const char *end = match_at(m, s, is_place ? p + 1 : p);
  if (!end) --m->count;
  return end;
}

static const char *close_capture(matcher *m, const char *s, const char *p) {
  int i = m->count - 1;
  while (i >= 0 && m->captures[i].state != OPEN) --i;
  if (i < 0) luaL_error(m->L, "invalid pattern capture");
  m->captures[i].state = CLOSED;
  m->captures[i].end = s;
  const char *end = match_at(m, s, p);
  if (!end) m->captures[i].state = OPEN;
  return end;
}

/// As many as there are, then fewer.
static const char *match_greedy(matcher *m, const char *s, const char *p, const char *end, ptrdiff_t min) {
  ptrdiff_t count = 0;
  while (is_match(m, s + count, p, end)) ++count;
  for (; count >= min; --count) {
    const char *found = match_at(m, s + count, end + 1);
    if (found) return found;
  }
  return NULL;
}

/// As few as will do.
static const char *match_lazy(matcher *m, const char *s, const char *p, const char *end) {
  for (;; ++s) {
    const char *found = match_at(m, s, end + 1);
    if (found || !is_match(m, s, p, end)) return found;
  }
}

/// The item at p, with what repeats it.
static const char *match_item(matcher *m, const char *s, const char *p, bool *goes_on, const char **next) {
  const char *end = item_end(m, p);
  const char repeat = end < m->pattern_end ? *end : 0;
  *goes_on = false;
  switch (repeat) {
  case '*': return match_greedy(m, s, p, end, 0);
  case '+': return match_greedy(m, s, p, end, 1);
  case '-': return match_lazy(m, s, p, end);
  case '?': {
    const char *found = is_match(m, s, p, end) ? match_at(m, s + 1, end + 1) : NULL;
    if (found) return found;
    *goes_on = true;
    *next = end + 1;
    return s;
  }
  default:
    if (!is_match(m, s, p, end)) return NULL;
    *goes_on = true;
    *next = end;
    return s + 1;
  }
}

static const char *match_special(matcher *m, const char *s, const char *p, bool *is_special) {
  *is_special = true;
  if (*p == '(') return open_capture(m, s, p + 1);
  if (*p == ')') return close_capture(m, s, p + 1);
  if (*p == '$' && p + 1 == m->pattern_end) return s == m->text_end ? s : NULL;
  if (*p == ESCAPE && p + 1 < m->pattern_end) {
    if (p[1] == 'b') return match_balance(m, s, p + 2);
    if (p[1] == 'f') return match_frontier(m, s, p + 2);
    if (isdigit((unsigned char)p[1])) return match_reference(m, s, p + 1);
  }
  *is_special = false;
  return NULL;
}

static const char *match_at(matcher *m, const char *s, const char *p) {
  if (++m->depth > DEPTH_MAX) luaL_error(m->L, "pattern too complex");
  const char *found = s;
  while (found && p < m->pattern_end) {
    bool is_special, goes_on = false;
    const char *next = p, *after = match_special(m, found, p, &is_special);
    if (!is_special) after = match_item(m, found, p, &goes_on, &next);
    found = after;
    p = next;
    if (!goes_on) break;
  }
  --m->depth;
  return found;
}

// --- captures ------------------------------------------------------------------------------------------------

/// Push a capture, or for the first of none the whole match.
static void push_capture(const matcher *m, int i, const char *begin, const char *end) {
  if (i >= m->count) {
    if (i > 0) luaL_error(m->L, "invalid capture index %%%d", i + 1);
    lua_pushlstring(m->L, begin, (size_t)(end - begin));
    return;
  }
  const capture *of = &m->captures[i];
  if (of->state == OPEN) luaL_error(m->L, "unfinished capture");
  if (of->state == PLACE)
    lua_pushinteger(m->L, of->begin - m->text + 1);
  else
    lua_pushlstring(m->L, of->begin, (size_t)(of->end - of->begin));
}

/// @param whole  Push the whole match if there are no captures.
static int push_captures(const matcher *m, const char *begin, const char *end, bool whole) {
  const int count = m->count == 0 && whole ? 1 : m->count;
  luaL_checkstack(m->L, count, "too many captures");
  for (int i = 0; i < count; ++i) push_capture(m, i, begin, end);
  return count;
}

static matcher make_matcher(lua_State *L, const char *text, size_t length, const char *pattern_end) {
  const lwl_calls *calls = lua_touserdata(L, lua_upvalueindex(1));
  return (matcher){.L = L, .calls = calls, .text = text, .text_end = text + length, .pattern_end = pattern_end};
}

static const char *begin_match(matcher *m, const char *s, const char *p) {
  m->count = m->depth = 0;
  step(m);
  return match_at(m, s, p);
}

// --- find and match --------------------------------------------------------------------------------------------

/// Where the text from s on has the other one. NULL: nowhere.
static const char *find_plain(matcher *m, const char *s, const char *other, size_t length) {
  while ((size_t)(m->text_end - s) >= length) {
    if (length == 0) return s;
    const size_t places = (size_t)(m->text_end - s) - length + 1;
    const char *first = memchr(s, *other, places);
    lwl_count_work(m->L, m->calls,
                   1 + (int64_t)((first ? (size_t)(first - s) : places) + length) / BYTES_A_STEP);
    if (!first || memcmp(first, other, length) == 0) return first;
    s = first + 1;
  }
  return NULL;
}

/// The index from 0 that a position from 1, or from the end if below 0, means.
static size_t start_of(lua_Integer position, size_t length) {
  if (position > 0) return (size_t)position - 1;
  if (position == 0 || position < -(lua_Integer)length) return 0;
  return length - (size_t)-position;
}

static bool has_specials(const char *pattern, size_t length) {
  for (size_t i = 0; i < length; ++i)
    if (pattern[i] && strchr("^$*+?.([%-", pattern[i])) return true;
  return false;
}

static int find_or_match(lua_State *L, bool finds) {
  size_t length, pattern_length;
  const char *text = luaL_checklstring(L, 1, &length), *pattern = luaL_checklstring(L, 2, &pattern_length);
  const size_t start = start_of(luaL_optinteger(L, 3, 1), length);
  if (start > length) return lua_pushnil(L), 1;
  matcher m = make_matcher(L, text, length, pattern + pattern_length);
  if (finds && (lua_toboolean(L, 4) || !has_specials(pattern, pattern_length))) {
    const char *found = find_plain(&m, text + start, pattern, pattern_length);
    if (!found) return lua_pushnil(L), 1;
    lua_pushinteger(L, found - text + 1);
    lua_pushinteger(L, found - text + (lua_Integer)pattern_length);
    return 2;
  }
  const bool is_anchored = pattern_length > 0 && *pattern == '^';
  const char *s = text + start;
  do {
    const char *end = begin_match(&m, s, pattern + is_anchored);
    if (!end) continue;
    if (!finds) return push_captures(&m, s, end, true);
    lua_pushinteger(L, s - text + 1);
    lua_pushinteger(L, end - text);
    return push_captures(&m, s, end, false) + 2;
  } while (s++ < m.text_end && !is_anchored);
  return lua_pushnil(L), 1;
}

static int find(lua_State *L) {
  return find_or_match(L, true);
}

static int match(lua_State *L) {
  return find_or_match(L, false);
}

// --- gmatch --------------------------------------------------------------------------------------------------

/// Upvalues of what gmatch() returns: the calls, text, pattern, where to go on, where the last match ended (-1: nowhere).
enum { GMATCH_TEXT = 2, GMATCH_PATTERN, GMATCH_NEXT, GMATCH_LAST };

static int next_match(lua_State *L) {
  size_t length, pattern_length;
  const char *text = lua_tolstring(L, lua_upvalueindex(GMATCH_TEXT), &length);
  const char *pattern = lua_tolstring(L, lua_upvalueindex(GMATCH_PATTERN), &pattern_length);
  const lua_Integer last = lua_tointeger(L, lua_upvalueindex(GMATCH_LAST));
  matcher m = make_matcher(L, text, length, pattern + pattern_length);
  for (const char *s = text + lua_tointeger(L, lua_upvalueindex(GMATCH_NEXT)); s <= m.text_end; ++s) {
    const char *end = begin_match(&m, s, pattern);
    if (!end || end - text == last) continue;
    lua_pushinteger(L, end - text);
    lua_copy(L, -1, lua_upvalueindex(GMATCH_NEXT));
    lua_replace(L, lua_upvalueindex(GMATCH_LAST));
    return push_captures(&m, s, end, true);
  }
  return 0;
}

static int gmatch(lua_State *L) {
  size_t length;
  luaL_checklstring(L, 1, &length);
  luaL_checkstring(L, 2);
  size_t start = start_of(luaL_optinteger(L, 3, 1), length);
  if (start > length) start = length + 1;
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_pushvalue(L, 1);
  lua_pushvalue(L, 2);
  lua_pushinteger(L, (lua_Integer)start);
  lua_pushinteger(L, -1);
  lua_pushcclosure(L, next_match, GMATCH_LAST);
  return 1;
}

// --- gsub ----------------------------------------------------------------------------------------------------

/// Add the replacement text with what its %0 to %9 stand for.
static void add_text(const matcher *m, luaL_Buffer *to, const char *begin, const char *end) {
  size_t length;
  const char *text = lua_tolstring(m->L, 3, &length), *text_end = text + length;
  while (text < text_end) {
    const char c = *text++;
    if (c != ESCAPE) {
      luaL_addchar(to, c);
      continue;
    }
    const char what = text < text_end ? *text++ : 0;
    if (what == ESCAPE) {
      luaL_addchar(to, ESCAPE);
    } else if (what == '0') {
      luaL_addlstring(to, begin, (size_t)(end - begin));
    } else if (isdigit((unsigned char)what)) {
      push_capture(m, what - '1', begin, end);
      luaL_tolstring(m->L, -1, NULL);
      lua_remove(m->L, -2);
      luaL_addvalue(to);
    } else {
      luaL_error(m->L, "invalid use of '%%' in replacement string");
    }
  }
}

/// Add what replaces the match. @return Whether it is replaced.
/// @param work  Instructions that it counts as.
static bool add_replacement(const matcher *m, luaL_Buffer *to, const char *begin, const char *end, int type,
                            int64_t work) {
  lua_State *L = m->L;
  lwl_count_work(L, m->calls, work);
  if (type == LUA_TSTRING || type == LUA_TNUMBER) return add_text(m, to, begin, end), true;
  if (type == LUA_TTABLE) {
    push_capture(m, 0, begin, end);
    lua_gettable(L, 3);
  } else {
    lua_pushvalue(L, 3);
    lua_call(L, push_captures(m, begin, end, true), 1);
  }
  if (!lua_toboolean(L, -1)) {
    lua_pop(L, 1);
    luaL_addlstring(to, begin, (size_t)(end - begin));
    return false;
  }
  if (!lua_isstring(L, -1)) luaL_error(L, "invalid replacement value (a %s)", luaL_typename(L, -1));
  luaL_addvalue(to);
  return true;
}

static int gsub(lua_State *L) {
  size_t length, pattern_length;
  const char *text = luaL_checklstring(L, 1, &length), *pattern = luaL_checklstring(L, 2, &pattern_length);
  const int type = lua_type(L, 3);
  luaL_argexpected(L, type == LUA_TNUMBER || type == LUA_TSTRING || type == LUA_TFUNCTION || type == LUA_TTABLE,
                   3, "string/function/table");
  const lua_Integer max = luaL_optinteger(L, 4, (lua_Integer)length + 1);
  const bool is_anchored = pattern_length > 0 && *pattern == '^';
  matcher m = make_matcher(L, text, length, pattern + pattern_length);
  const int64_t work = type == LUA_TTABLE ? lwl_depth_of_fields(L, 3) : 1;
  luaL_Buffer result;
  luaL_buffinit(L, &result);
  const char *s = text, *last = NULL;
  lua_Integer count = 0;
  while (count < max) {
    const char *end = begin_match(&m, s, pattern + is_anchored);
    if (end && end != last) {
      ++count;
      add_replacement(&m, &result, s, end, type, work);
      s = last = end;
    } else if (s < m.text_end) {
      luaL_addchar(&result, *s++);
    } else {
      break;
    }
    if (is_anchored) break;
  }
  if (s < m.text_end) luaL_addlstring(&result, s, (size_t)(m.text_end - s));
  luaL_pushresult(&result);
  lua_pushinteger(L, count);
  return 2;
}

void lwl_add_pattern_functions(lua_State *L, lwl_calls *calls) {
  static const luaL_Reg functions[] = {
      {"find", find}, {"match", match}, {"gmatch", gmatch}, {"gsub", gsub}, {NULL, NULL}};
  lua_pushlightuserdata(L, calls);
  luaL_setfuncs(L, functions, 1);
}
