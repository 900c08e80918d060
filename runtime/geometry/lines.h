/// Lines and words of a text in memory, as level files hold them.
#ifndef LW_GEOMETRY_LINES_H
#define LW_GEOMETRY_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// What is left of a text.
typedef struct lwi_lines {
  const unsigned char *at, *end;
  int line;   ///< Number of the line read last, from 1.
  bool ended; ///< Whether that line had its end, not the text.
} lwi_lines;

/// Part of a text, which is borrowed.
typedef struct lwi_word {
  const char *text;
  size_t length;
} lwi_word;

/// Take the next line without its end, which is \n, \r\n or \r. @return false: nothing is left.
bool lwi_next_line(lwi_lines *lines, lwi_word *line);
/// A space or a tab.
bool lwi_is_blank(char c);
/// Take the first word of what is left of a line. @return Its length is 0 at the end.
lwi_word lwi_next_word(lwi_word *rest);
bool lwi_word_is(lwi_word word, const char *text);
bool lwi_word_begins(lwi_word word, const char *text);
/// Is it the same but for letters of either case?
bool lwi_word_is_alike(lwi_word word, const char *lower_case);
/// Does it hold none of the other bytes at which Assimp ends lines?
bool lwi_word_is_text(lwi_word word);
/// @return How much of a word a message shows, for `%.*s`.
int lwi_word_shown(lwi_word word);
/// Read digits alone. @return false: something else, or more than UINT32_MAX.
bool lwi_word_count(lwi_word word, uint32_t *count);
/// A decimal number that a float can hold, whatever the locale. Before its point it has at most 19 digits, for
/// Assimp reads more than 64 bits as 0.
bool lwi_word_is_finite(lwi_word word);

#endif
