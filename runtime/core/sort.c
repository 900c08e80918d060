#include "core/sort.h"

#include <stdlib.h>
#include <string.h>

#define FEW 24

static void insert_each(char *items, size_t count, size_t size, int (*compare)(const void *, const void *)) {
  char item[LWI_SORT_ITEM_MAX];
  for (size_t i = 1; i < count; ++i) {
    size_t at = i;
    while (at > 0 && compare(items + (at - 1) * size, items + i * size) > 0) --at;
    if (at == i) continue;
    memcpy(item, items + i * size, size);
    memmove(items + (at + 1) * size, items + at * size, (i - at) * size);
    memcpy(items + at * size, item, size);
  }
}

void lwi_sort(void *items, size_t count, size_t size, int (*compare)(const void *, const void *)) {
  if (count < 2) return;
  if (count <= FEW && size <= LWI_SORT_ITEM_MAX)
    insert_each(items, count, size, compare);
  else
    qsort(items, count, size, compare);
}
