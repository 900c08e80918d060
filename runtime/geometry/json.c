#include "geometry/json.h"

#include <string.h>

lwi_json lwi_json_make(const char *text, size_t size) {
  const char *zero = memchr(text, 0, size);
  return (lwi_json){.text = text, .at = text, .end = zero ? zero : text + size};
}

int lwi_json_line(const lwi_json *json) {
  int line = 1;
  for (const char *c = json->text; c < json->at; ++c) line += *c == '\n';
  return line;
}

static bool fail(lwi_json *json, const char *expected) {
  if (!json->wrong) json->wrong = expected;
  return false;
}

/* @return The next byte after white space; 0 at the end and after a fault. */
static char peek(lwi_json *json) {
  if (json->wrong) return 0;
  while (json->at < json->end && strchr(" \t\r\n", *json->at)) ++json->at;
  return json->at < json->end ? *json->at : 0;
}

static bool take(lwi_json *json, char wanted) {
  if (peek(json) != wanted) return false;
  ++json->at;
  return true;
}

bool lwi_json_enter(lwi_json *json, char open) {
  if (!take(json, open)) return false;
  if (++json->depth > LWI_JSON_DEPTH_MAX) return fail(json, "values nested at most 256 deep");
  return true;
}

static bool leave(lwi_json *json) {
  --json->depth;
  return false;
}

bool lwi_json_string(lwi_json *json, lwi_json_text *text) {
  if (!take(json, '"')) return false;
  const char *start = json->at;
  for (; json->at < json->end && *json->at != '"'; ++json->at)
    if (*json->at == '\\' && ++json->at == json->end) break;
  if (json->at == json->end) return fail(json, "the end of a string");
  *text = (lwi_json_text){start, (size_t)(json->at - start)};
  ++json->at;
  return true;
}

bool lwi_json_next_member(lwi_json *json, bool *first, lwi_json_text *key) {
  if (take(json, '}')) return leave(json);
  if (!*first && !take(json, ',')) return fail(json, "',' or '}'");
  *first = false;
  if (!lwi_json_string(json, key)) return fail(json, "a key in quotes");
  if (!take(json, ':')) return fail(json, "':'");
  peek(json);
  return true;
}

bool lwi_json_next_item(lwi_json *json, bool *first) {
  if (take(json, ']')) return leave(json);
  if (!*first && !take(json, ',')) return fail(json, "',' or ']'");
  *first = false;
  peek(json);
  return !json->wrong;
}

/* A number, true, false or null. Assimp checks that it is one of them. */
static bool skip_word(lwi_json *json) {
  const char *start = json->at;
  while (json->at < json->end &&
         (strchr("+-.", *json->at) || (*json->at >= '0' && *json->at <= '9') ||
          (*json->at >= 'A' && *json->at <= 'Z') || (*json->at >= 'a' && *json->at <= 'z')))
    ++json->at;
  return json->at > start || fail(json, "a value");
}

bool lwi_json_word(lwi_json *json, lwi_json_text *word) {
  const char next = peek(json), *start = json->at;
  if (json->wrong || !next || strchr("{[\"", next) || !skip_word(json)) return false;
  *word = (lwi_json_text){start, (size_t)(json->at - start)};
  return true;
}

/* Without recursion: the next byte decides, and a stack of bits says whether it is in an object. */
bool lwi_json_skip(lwi_json *json) {
  bool in_object[LWI_JSON_DEPTH_MAX + 1] = {false}, first = true;
  const int depth = json->depth;
  lwi_json_text text;
  for (;;) {
    const char next = peek(json);
    if (next == '{' || next == '[') {
      if (!lwi_json_enter(json, next)) return false;
      in_object[json->depth] = next == '{';
      first = true;
    } else if (next == '"' ? !lwi_json_string(json, &text) : !skip_word(json)) {
      return false;
    }
    for (bool more = false; !more; first = false) {
      if (json->depth == depth) return !json->wrong;
      more =
          in_object[json->depth] ? lwi_json_next_member(json, &first, &text) : lwi_json_next_item(json, &first);
      if (json->wrong) return false;
    }
  }
}

bool lwi_json_index(lwi_json *json, uint32_t *index) {
  peek(json);
  const char *start = json->at;
  if (!lwi_json_skip(json)) return false;
  uint64_t value = 0;
  for (const char *c = start; c < json->at; ++c) {
    if (*c < '0' || *c > '9' || value >= UINT32_MAX) return false;
    value = 10 * value + (uint64_t)(*c - '0');
  }
  *index = (uint32_t)value;
  return value < UINT32_MAX;
}

bool lwi_json_end(lwi_json *json) {
  return !json->wrong && (peek(json) == 0 || fail(json, "the end of the text"));
}

bool lwi_json_is(lwi_json_text text, const char *word) {
  return text.size == strlen(word) && memcmp(text.data, word, text.size) == 0;
}
