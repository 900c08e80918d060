/// Sorting of what is mostly short.
#ifndef LW_CORE_SORT_H
#define LW_CORE_SORT_H

#include <stddef.h>

/// Items of at most this many bytes are sorted in place while they are few.
#define LWI_SORT_ITEM_MAX 64

/// As qsort(), which takes longer for a few items.
void lwi_sort(void *items, size_t count, size_t size, int (*compare)(const void *, const void *));

#endif
