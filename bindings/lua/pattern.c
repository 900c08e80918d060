/*
** Patterns: those of Lua, for the rules that say which material is which area. They come from mods, and the names from
** levels, so matching must not go back as string.find does: it keeps the set of all places in the pattern that the
** text so far leads to (Thompson 1968). The time is at most proportional to both lengths, but for %b, and counted.
**
** It says whether the pattern is found anywhere in the text, as string.find does for all patterns that are accepted.
** Back references (%1) are refused: no such set can follow them.
*/
#include "pattern.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>

enum {
  CAPTURES_MAX = 32,                    ///< LUA_MAXCAPTURES of lstrlib.c.
  WORDS = LWL_PATTERN_MAX / 64 + 1,     ///< Of a set of places: one before each item, and the end.
  SET_WORDS = (UCHAR_MAX + 1 + 63) / 64 ///< Of a set of characters.
};

typedef enum item_kind { CHARACTER, FRONTIER, BALANCE } item_kind;

/// A character of a set with its repetition; %f[set]; %bxy.
typedef struct item {
  uint64_t set[SET_WORDS];
  item_kind kind;
  char repeat; ///< Of a CHARACTER: '*', '+', '-', '?' or 0.
  unsigned char open, close;
} item;

struct lwl_pattern {
  bool at_start, at_end; ///< ^ and $
  int count;
  item items[LWL_PATTERN_MAX]; ///< [count] allocated.
};

static void add(uint64_t *set, unsigned bit) {
  set[bit / 64] |= UINT64_C(1) << bit % 64;
}

static bool has(const uint64_t *set, unsigned bit) {
  return set[bit / 64] >> bit % 64 & 1;
}

// --- reading -------------------------------------------------------------------------------------------------

/// A pattern that is being read.
typedef struct reader {
  lua_State *L;
  const lwl_at *at;
  const char *next;
  int given;          ///< Stack index of the whole pattern.
  int captures, open; ///< So far, and without their end.
  struct lwl_pattern *pattern;
} reader;

static _Noreturn void refuse(const reader *from, const char *expected) {
  lua_State *L = from->L;
  const char *got = lwl_describe(L, from->given);
  lwl_raise_at(L, from->at, "pattern", "is %s, expected %s", got, expected);
}

static _Noreturn void refuse_malformed(const reader *from, const char *why) {
  refuse(from, lua_pushfstring(from->L, "a Lua pattern: %s", why));
}

/// As match_class() of lstrlib.c.
bool lwl_pattern_class_has(int class, int c) {
  bool is_in;
  switch (tolower(class)) {
  case 'a': is_in = isalpha(c); break;
  case 'c': is_in = iscntrl(c); break;
  case 'd': is_in = isdigit(c); break;
  case 'g': is_in = isgraph(c); break;
  case 'l': is_in = islower(c); break;
  case 'p': is_in = ispunct(c); break;
  case 's': is_in = isspace(c); break;
  case 'u': is_in = isupper(c); break;
  case 'w': is_in = isalnum(c); break;
  case 'x': is_in = isxdigit(c); break;
  case 'z': is_in = c == 0; break;
  default: return class == c;
  }
  return isupper(class) ? !is_in : is_in;
}

static void add_class(uint64_t *set, unsigned char class) {
  if (!isalpha(class)) {
    add(set, class);
    return;
  }
  for (int c = 0; c <= UCHAR_MAX; ++c)
    if (lwl_pattern_class_has(class, c)) add(set, (unsigned)c);
}

/// The closing bracket of the set whose first character, behind [ and ^, is at `first`.
static const char *end_of_set(const reader *from, const char *first) {
  const char *p = first;
  do {
    if (*p == '\0') refuse_malformed(from, "malformed pattern (missing ']')");
    if (*p++ == '%' && *p != '\0') ++p;
  } while (*p != ']');
  return p;
}

/// Read [set].
static void read_set(reader *from, uint64_t *set) {
  const bool is_complement = from->next[1] == '^';
  const char *p = from->next + 1 + is_complement, *end = end_of_set(from, p);
  for (; p < end; ++p) {
    if (*p == '%') {
      add_class(set, (unsigned char)*++p);
    } else if (p[1] == '-' && p + 2 < end) {
      for (int c = (unsigned char)p[0]; c <= (unsigned char)p[2]; ++c) add(set, (unsigned)c);
      p += 2;
    } else {
      add(set, (unsigned char)*p);
    }
  }
  for (int i = 0; i < SET_WORDS; ++i) set[i] = is_complement ? ~set[i] : set[i];
  from->next = end + 1;
}

/// Read ( or ). Captures do not change whether a pattern is found; they only have to be right.
static void read_parenthesis(reader *from) {
  if (*from->next++ == ')') {
    if (from->open-- == 0) refuse_malformed(from, "invalid pattern capture");
    return;
  }
  if (++from->captures > CAPTURES_MAX) refuse_malformed(from, "too many captures");
  if (*from->next == ')')
    ++from->next; /* the position */
  else
    ++from->open;
}

/// Read %f[set] or %bxy. @return Whether there is one.
static bool read_special(reader *from, item *to) {
  if (from->next[0] != '%') return false;
  if (from->next[1] == 'f') {
    to->kind = FRONTIER;
    from->next += 2;
    if (*from->next != '[') refuse_malformed(from, "missing '[' after '%f' in pattern");
    read_set(from, to->set);
    return true;
  }
  if (from->next[1] != 'b') return false;
  to->kind = BALANCE;
  if (from->next[2] == '\0' || from->next[3] == '\0')
    refuse_malformed(from, "malformed pattern (missing arguments to '%b')");
  to->open = (unsigned char)from->next[2];
  to->close = (unsigned char)from->next[3];
  from->next += 4;
  return true;
}

/// Read a character, a class or a set, and its repetition.
static void read_character(reader *from, item *to) {
  const char *p = from->next;
  if (*p == '[') {
    read_set(from, to->set);
  } else if (*p == '%') {
    if (p[1] == '\0') refuse_malformed(from, "malformed pattern (ends with '%')");
    if (isdigit((unsigned char)p[1])) refuse(from, "a Lua pattern without back references such as %1");
    add_class(to->set, (unsigned char)p[1]);
    from->next += 2;
  } else if (*p == '.') {
    memset(to->set, 0xff, sizeof to->set);
    ++from->next;
  } else {
    add(to->set, (unsigned char)*p);
    ++from->next;
  }
  if (*from->next != '\0' && strchr("*+-?", *from->next)) to->repeat = *from->next++;
}

/// Whether a character of a name in lower case, or the zero before and behind it, is in the set.
static bool is_some_in(const uint64_t *set, bool with_zero, bool in) {
  for (int c = with_zero ? 0 : 1; c <= UCHAR_MAX; ++c)
    if (!isupper(c) && has(set, (unsigned)c) == in) return true;
  return false;
}

/// Raise unless some name in lower case can have what the item asks for.
static void check_possible(const reader *from, const item *of) {
  bool is_possible = false;
  switch (of->kind) {
  case CHARACTER: is_possible = (of->repeat && of->repeat != '+') || is_some_in(of->set, false, true); break;
  case FRONTIER: is_possible = is_some_in(of->set, true, true) && is_some_in(of->set, true, false); break;
  case BALANCE: is_possible = !isupper(of->open) && !isupper(of->close); break;
  }
  if (!is_possible) refuse(from, "a pattern that a name in lower case can match");
}

static void read_items(reader *from) {
  struct lwl_pattern *pattern = from->pattern;
  while (*from->next != '\0') {
    if (*from->next == '(' || *from->next == ')') {
      read_parenthesis(from);
      continue;
    }
    if (strcmp(from->next, "$") == 0) {
      pattern->at_end = true;
      break;
    }
    item *to = &pattern->items[pattern->count];
    memset(to, 0, sizeof *to);
    if (!read_special(from, to)) read_character(from, to);
    check_possible(from, to);
    ++pattern->count;
  }
  if (from->open > 0) refuse_malformed(from, "unfinished capture");
}

const lwl_pattern *lwl_push_pattern(lua_State *L, const lwl_at *at, const char *text) {
  luaL_checkstack(L, LUA_MINSTACK, NULL);
  const int top = lua_gettop(L);
  const size_t length = strlen(text);
  const size_t size = offsetof(struct lwl_pattern, items) + (length + 1) * sizeof(item);
  reader from = {.L = L, .at = at, .next = text, .given = top + 2};
  from.pattern = lua_newuserdatauv(L, size, 0);
  lua_pushstring(L, text);
  if (length > LWL_PATTERN_MAX)
    refuse(&from, lua_pushfstring(L, "a pattern of at most %d bytes", LWL_PATTERN_MAX));
  from.pattern->at_start = *text == '^';
  from.pattern->at_end = false;
  from.pattern->count = 0;
  from.next += from.pattern->at_start;
  read_items(&from);
  lua_settop(L, top + 1);
  return from.pattern;
}

// --- matching ------------------------------------------------------------------------------------------------

/// A match in progress. The sets of places stand in rows of WORDS, one for each position in the text.
typedef struct matching {
  const lwl_pattern *pattern;
  const unsigned char *text;
  size_t length;
  uint64_t *rows; ///< [length + 1][WORDS]
  int64_t *steps;
} matching;

/// The position behind what %bxy takes from `from`; 0: nothing.
static size_t end_of_balance(const matching *m, const item *of, size_t from) {
  if (from >= m->length || m->text[from] != of->open) return 0;
  int depth = 1;
  for (size_t i = from + 1; i < m->length; ++i) {
    --*m->steps;
    if (m->text[i] == of->close) {
      if (--depth == 0) return i + 1;
    } else if (m->text[i] == of->open) {
      ++depth;
    }
  }
  return 0;
}

/// Go on from place `i` of the pattern at a position in the text.
static void advance(const matching *m, unsigned i, size_t position) {
  const item *of = &m->pattern->items[i];
  uint64_t *row = m->rows + position * WORDS;
  const unsigned char c = position < m->length ? m->text[position] : 0;
  switch (of->kind) {
  case CHARACTER:
    if (of->repeat && of->repeat != '+') add(row, i + 1);
    if (position == m->length || !has(of->set, c)) break;
    if (of->repeat && of->repeat != '?') add(row + WORDS, i);
    add(row + WORDS, i + 1);
    break;
  case FRONTIER:
    if (has(of->set, c) && !has(of->set, position > 0 ? m->text[position - 1] : 0)) add(row, i + 1);
    break;
  case BALANCE: {
    const size_t end = end_of_balance(m, of, position);
    if (end > 0) add(m->rows + end * WORDS, i + 1);
    break;
  }
  }
}

/// Go on from all places at a position. Each leads only to later ones there, which are met in turn.
static void advance_all(const matching *m, size_t position) {
  const uint64_t *row = m->rows + position * WORDS;
  const unsigned count = (unsigned)m->pattern->count;
  for (unsigned i = 0; i < count; ++i) {
    const uint64_t left = row[i / 64] >> i % 64;
    if (left == 0) {
      i |= 63;
      continue;
    }
    i += (unsigned)__builtin_ctzll(left);
    if (i >= count) break;
    --*m->steps;
    advance(m, i, position);
  }
}

bool lwl_match_pattern(const lwl_pattern *pattern, const char *text, uint64_t *rows, int64_t *steps) {
  const matching m = {pattern, (const unsigned char *)text, strlen(text), rows, steps};
  const unsigned end = (unsigned)pattern->count;
  memset(rows, 0, (m.length + 1) * WORDS * sizeof *rows);
  for (size_t position = 0; position <= m.length && *steps > 0; ++position) {
    --*steps;
    if (position == 0 || !pattern->at_start) add(rows + position * WORDS, 0);
    advance_all(&m, position);
    if (has(rows + position * WORDS, end) && (!pattern->at_end || position == m.length)) return true;
  }
  return false;
}

size_t lwl_match_rows_size(const char *text) {
  return (strlen(text) + 1) * WORDS * sizeof(uint64_t);
}
