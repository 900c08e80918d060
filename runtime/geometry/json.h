/// Reading JSON text value by value, without a copy of it in memory. Nesting is limited, so that no text
/// exhausts the stack here, and what passes does not in a recursive reader later.
#ifndef LW_GEOMETRY_JSON_H
#define LW_GEOMETRY_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LWI_JSON_DEPTH_MAX 256

/// A position in a text. Once `wrong` is set, every call fails.
typedef struct lwi_json {
  const char *text, *at, *end;
  int depth;         ///< Of objects and arrays around `at`.
  const char *wrong; ///< What was expected at `at`, static. NULL: nothing is wrong.
} lwi_json;

/// A string as it is written, without its quotes.
typedef struct lwi_json_text {
  const char *data;
  size_t size;
} lwi_json_text;

/// @param text  Borrowed. It ends at its first zero byte, if it has one.
lwi_json lwi_json_make(const char *text, size_t size);
/// @return The line of `at`, from 1.
int lwi_json_line(const lwi_json *json);

/// Enter the object or array that comes next. @param open  '{' or '['.
/// @return false: something else comes next, which is still there.
bool lwi_json_enter(lwi_json *json, char open);
/// Go to the next member of an object: to its value. @param[in,out] first  Set before the first call.
/// @param[out] key  As it is written. @return false: the end, which has been read, or a fault.
bool lwi_json_next_member(lwi_json *json, bool *first, lwi_json_text *key);
/// The same for the next value of an array.
bool lwi_json_next_item(lwi_json *json, bool *first);
/// Read a value of any kind.
bool lwi_json_skip(lwi_json *json);
/// Read a value. @return false: it is no string, which is still there, or a fault.
bool lwi_json_string(lwi_json *json, lwi_json_text *text);
/// Read a number, true, false or null. @return false: it is something else, which is still there, or a fault.
bool lwi_json_word(lwi_json *json, lwi_json_text *word);
/// Read a value, of any kind. @return false: it is no whole number from 0 to UINT32_MAX - 1.
bool lwi_json_index(lwi_json *json, uint32_t *index);
/// After the outermost value: is there nothing more?
bool lwi_json_end(lwi_json *json);
/// Is the text, as it is written, this word? A text with escape sequences is not.
bool lwi_json_is(lwi_json_text text, const char *word);

#endif
