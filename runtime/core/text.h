/// Texts: how alike two names are, how one ends, and how strangers' text is shown.
#ifndef LW_CORE_TEXT_H
#define LW_CORE_TEXT_H

#include "leeward/base.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/// Insertions, deletions, changes and swaps of neighbours that turn one word into the other (optimal string
/// alignment, Damerau 1964). Of words above 64 bytes it is 64.
int lwi_text_distance(const char *a, const char *b);
/// Does `text` end in `ending`? ASCII letters of either case are alike.
bool lwi_text_ends_in(const char *text, const char *ending);

/// Write text from outside as one line that is safe on a terminal: control characters and what reorders a line
/// as \n, \r, \t, \0 or \xNN, bytes that are not UTF-8 as \xNN. Text that does not fit is cut in its middle,
/// where "..." stands then. Shown text is shown as it is.
/// @param size  Of `to`. [bytes]
/// @return The length that the whole text needs, without the zero at its end; as of snprintf().
size_t lwi_text_show_bytes(char *to, size_t size, const char *text, size_t length);
/// The same for a text that ends in a zero.
size_t lwi_text_show(char *to, size_t size, const char *text);
/// vsnprintf() for messages: the result is shown as by lwi_text_show(). Of what a `%s` gives, the first
/// kilobyte counts, so that what follows a long name is still there.
void lwi_text_message(char *to, size_t size, const char *format, va_list arguments) LW_PRINTF(3, 0);

#endif
