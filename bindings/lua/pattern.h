/// Patterns of material rules: those of Lua, matched in counted steps.
#ifndef LWL_PATTERN_H
#define LWL_PATTERN_H

#include "lwl.h"

/// Length of a pattern. [bytes] The set of places in it is small, and string.find never finds it too complex.
#define LWL_PATTERN_MAX 256
typedef struct lwl_pattern lwl_pattern;
/// Whether the class %a, %d, ... of Lua's patterns has the character. @param class  Its letter; any other is
/// itself.
bool lwl_pattern_class_has(int class, int c);
/// Push the pattern of a material rule. Raises unless it is a Lua pattern that a name in lower case can match,
/// without back references.
const lwl_pattern *lwl_push_pattern(lua_State *L, const lwl_at *at, const char *text);
/// Whether the pattern is found anywhere in the text.
/// @param rows  Scratch memory of lwl_match_rows_size(text) bytes.
/// @param[in,out] steps  Taken from, 1 for a character and a place in the pattern. None left: the answer is no.
bool lwl_match_pattern(const lwl_pattern *pattern, const char *text, uint64_t *rows, int64_t *steps);
size_t lwl_match_rows_size(const char *text);

#endif
