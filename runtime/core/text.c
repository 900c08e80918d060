#include "core/text.h"

#include <string.h>

#define WORD_MAX 64 /* bytes */

static int min_int(int a, int b) {
  return a < b ? a : b;
}

int lwi_text_distance(const char *a, const char *b) {
  int rows[3][WORD_MAX + 1];
  const size_t a_size = strlen(a), b_size = strlen(b);
  if (a_size > WORD_MAX || b_size > WORD_MAX) return WORD_MAX;
  const int a_length = (int)a_size, b_length = (int)b_size;
  for (int j = 0; j <= b_length; ++j) rows[0][j] = j;
  for (int i = 1; i <= a_length; ++i) {
    int *row = rows[i % 3];
    const int *above = rows[(i + 2) % 3], *second_above = rows[(i + 1) % 3];
    row[0] = i;
    for (int j = 1; j <= b_length; ++j) {
      const int change = above[j - 1] + (a[i - 1] != b[j - 1]);
      row[j] = min_int(change, min_int(above[j], row[j - 1]) + 1);
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = min_int(row[j], second_above[j - 2] + 1);
    }
  }
  return rows[a_length % 3][b_length];
}

/* Not tolower(): its answer depends on the locale. */
static char lower(char c) {
  return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool lwi_text_ends_in(const char *text, const char *ending) {
  const size_t length = strlen(text), size = strlen(ending);
  if (length < size) return false;
  text += length - size;
  while (*ending && lower(*text) == lower(*ending)) ++text, ++ending;
  return *ending == 0;
}
