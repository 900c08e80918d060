/// Names: how alike two are, and how one ends.
#ifndef LW_CORE_TEXT_H
#define LW_CORE_TEXT_H

#include <stdbool.h>

/// Insertions, deletions, changes and swaps of neighbours that turn one word into the other (optimal string
/// alignment, Damerau 1964). Of words above 64 bytes it is 64.
int lwi_text_distance(const char *a, const char *b);
/// Does `text` end in `ending`? ASCII letters of either case are alike.
bool lwi_text_ends_in(const char *text, const char *ending);

#endif
