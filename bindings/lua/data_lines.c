/*
** Which line of a data file sets which key: reads the table constructors in its text, and skips all else.
*/
#include "data.h"

#include <string.h>

typedef enum token_kind { END, NAME, STRING, NUMBER, SYMBOL } token_kind;

typedef struct token {
  token_kind kind;
  char symbol; ///< 0: one of several characters.
  const char *text;
  size_t length; ///< Of a name, a number, or a string without its quotes.
  int line;
} token;

typedef struct reader {
  lua_State *L;
  int lines,
      locals; ///< Stack indices of the lines of the table that is read, and of the tables in local variables.
  const char *at, *end;
  int line, depth, count;
  token now;
} reader;

/// Deeper or longer than this is no data that anyone would read; the text may be wrong, so it has to end somewhere.
enum { DEPTH_MAX = 64, LINES_MAX = 100000 };

// --- tokens -----------------------------------------------------------------------------------------------------

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static char peek(const reader *r, size_t ahead) {
  return (size_t)(r->end - r->at) > ahead ? r->at[ahead] : '\0';
}

static void next_char(reader *r) {
  if (*r->at == '\n') ++r->line;
  ++r->at;
}

/// Level of the long bracket that begins here ([[ is 0), or -1.
static int long_bracket(const reader *r) {
  if (peek(r, 0) != '[') return -1;
  size_t level = 0;
  while (peek(r, 1 + level) == '=') ++level;
  return peek(r, 1 + level) == '[' ? (int)level : -1;
}

static void skip_long(reader *r, int level, token *word) {
  r->at += level + 2;
  word->text = r->at;
  for (; r->at < r->end; next_char(r)) {
    if (*r->at != ']') continue;
    size_t same = 0;
    while (peek(r, 1 + same) == '=') ++same;
    if (same != (size_t)level || peek(r, 1 + same) != ']') continue;
    word->length = (size_t)(r->at - word->text);
    r->at += level + 2;
    return;
  }
}

/// Past blanks and comments.
static void skip_blanks(reader *r) {
  while (r->at < r->end) {
    if (strchr(" \t\r\n\f\v", *r->at)) {
      next_char(r);
    } else if (peek(r, 0) == '-' && peek(r, 1) == '-') {
      r->at += 2;
      token ignored = {0};
      const int level = long_bracket(r);
      if (level >= 0)
        skip_long(r, level, &ignored);
      else
        while (r->at < r->end && *r->at != '\n') ++r->at;
    } else {
      break;
    }
  }
}

static void read_quoted(reader *r, token *word) {
  const char quote = *r->at++;
  word->text = r->at;
  while (r->at < r->end && *r->at != quote) {
    if (*r->at == '\\' && r->end - r->at > 1) next_char(r);
    next_char(r);
  }
  word->length = (size_t)(r->at - word->text);
  if (r->at < r->end) ++r->at;
}

static void read_word(reader *r, token *word) {
  word->text = r->at;
  const bool number = word->kind == NUMBER;
  while (r->at < r->end) {
    const char c = *r->at;
    const bool sign = number && (c == '+' || c == '-') && strchr("eEpP", r->at[-1]);
    if (!is_letter(c) && !is_digit(c) && !(number && c == '.') && !sign) break;
    ++r->at;
  }
  word->length = (size_t)(r->at - word->text);
}

static void advance(reader *r) {
  skip_blanks(r);
  token word = {END, 0, r->at, 0, r->line};
  if (r->at < r->end) {
    const char c = *r->at;
    const int level = long_bracket(r);
    if (is_letter(c)) {
      word.kind = NAME;
      read_word(r, &word);
    } else if (is_digit(c) || (c == '.' && is_digit(peek(r, 1)))) {
      word.kind = NUMBER;
      read_word(r, &word);
    } else if (c == '"' || c == '\'') {
      word.kind = STRING;
      read_quoted(r, &word);
    } else if (level >= 0) {
      word.kind = STRING;
      skip_long(r, level, &word);
    } else {
      word.kind = SYMBOL;
      const bool comparison = strchr("=<>~", c) && peek(r, 1) == '=';
      word.symbol = comparison ? '\0' : c;
      r->at += comparison ? 2 : 1;
    }
  }
  r->now = word;
}

static bool is_symbol(const reader *r, char symbol) {
  return r->now.kind == SYMBOL && r->now.symbol == symbol;
}

static bool is_word(const reader *r, const char *word) {
  return r->now.kind == NAME && r->now.length == strlen(word) && memcmp(r->now.text, word, r->now.length) == 0;
}

// --- tables -----------------------------------------------------------------------------------------------------

/// Push path .. open .. the token's text .. close.
static const char *push_path(reader *r, const char *path, const char *open, const token *key,
                             const char *close) {
  lua_pushfstring(r->L, "%s%s", path, open);
  lua_pushlstring(r->L, key->text, key->length);
  lua_pushstring(r->L, close);
  lua_concat(r->L, 3);
  return lua_tostring(r->L, -1);
}

static void note_line(reader *r, const char *path, int line) {
  if (++r->count > LINES_MAX) return;
  lua_pushinteger(r->L, line);
  lua_setfield(r->L, r->lines, path);
}

/// Take over the lines of a local variable's table, as part of `path`.
static void graft(reader *r, const char *path, const token *name) {
  lua_State *L = r->L;
  lua_pushlstring(L, name->text, name->length);
  if (lua_rawget(L, r->locals) == LUA_TTABLE) {
    const int table = lua_gettop(L);
    lua_pushnil(L);
    while (lua_next(L, table)) {
      lua_pushfstring(L, "%s%s", path, lua_tostring(L, -2));
      lua_insert(L, -2);
      lua_rawset(L, r->lines);
    }
  }
  lua_pop(L, 1);
}

/// To the end of the value: a comma, or what closes the table.
static void skip_value(reader *r) {
  int depth = 0;
  for (; r->now.kind != END; advance(r)) {
    if (r->now.kind != SYMBOL || r->now.symbol == '\0') continue;
    if (depth == 0 && strchr(",;}", r->now.symbol)) return;
    if (strchr("{[(", r->now.symbol)) ++depth;
    if (strchr("}])", r->now.symbol)) --depth;
  }
}

static void read_table(reader *r, const char *path);

static void read_value(reader *r, const char *path) {
  if (is_symbol(r, '{') && r->depth < DEPTH_MAX) {
    ++r->depth;
    read_table(r, path);
    --r->depth;
  } else if (r->now.kind == NAME) {
    const token name = r->now;
    advance(r);
    if (is_symbol(r, ',') || is_symbol(r, ';') || is_symbol(r, '}') || r->now.kind == END)
      graft(r, path, &name);
  }
  skip_value(r);
}

/// name = value, ["name"] = value. @return false: neither is here
static bool read_named(reader *r, const char *path) {
  const reader before = *r;
  const bool bracket = is_symbol(r, '[');
  if (bracket) advance(r);
  const token key = r->now;
  advance(r);
  if (bracket && is_symbol(r, ']')) advance(r);
  const bool plain = bracket ? key.kind == STRING || key.kind == NUMBER : key.kind == NAME;
  if (plain && is_symbol(r, '=')) {
    advance(r);
    const bool item = key.kind == NUMBER;
    const char *inside = push_path(r, path, item ? "[" : ".", &key, item ? "]" : "");
    note_line(r, inside, key.line);
    read_value(r, inside);
    lua_pop(r->L, 1);
    return true;
  }
  *r = before;
  return false;
}

/// The table whose `{` is the token now.
static void read_table(reader *r, const char *path) {
  luaL_checkstack(r->L, LUA_MINSTACK, NULL);
  advance(r);
  for (int item = 1; r->now.kind != END && !is_symbol(r, '}');) {
    if (!read_named(r, path)) {
      const char *inside = lua_pushfstring(r->L, "%s[%d]", path, item++);
      note_line(r, inside, r->now.line);
      read_value(r, inside);
      lua_pop(r->L, 1);
    }
    if (is_symbol(r, ',') || is_symbol(r, ';')) advance(r);
  }
  advance(r);
}

/// local name = { ... }
static void read_local(reader *r) {
  advance(r);
  const token name = r->now;
  advance(r);
  if (name.kind != NAME || !is_symbol(r, '=')) return;
  advance(r);
  if (!is_symbol(r, '{')) return;
  lua_pushlstring(r->L, name.text, name.length);
  lua_newtable(r->L);
  const int lines = r->lines;
  r->lines = lua_gettop(r->L);
  read_table(r, "");
  r->lines = lines;
  lua_rawset(r->L, r->locals);
}

void lwl_push_data_lines(lua_State *L, const char *text, size_t length) {
  lua_newtable(L); /* what is returned: ".key" -> line */
  lua_newtable(L);
  reader r = {
      .L = L, .lines = lua_gettop(L) - 1, .locals = lua_gettop(L), .at = text, .end = text + length, .line = 1};
  advance(&r);
  while (r.now.kind != END) {
    if (is_word(&r, "local")) {
      read_local(&r);
    } else if (is_word(&r, "return")) {
      advance(&r);
      if (r.now.kind != END) read_value(&r, "");
    } else {
      advance(&r);
    }
  }
  lua_newtable(L); /* without the leading point */
  const int clean = lua_gettop(L);
  lua_pushnil(L);
  while (lua_next(L, r.lines)) {
    const char *path = lua_tostring(L, -2);
    lua_setfield(L, clean, *path == '.' ? path + 1 : path);
  }
  lua_replace(L, r.lines);
  lua_settop(L, r.lines);
}
