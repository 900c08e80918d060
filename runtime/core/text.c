#include "core/text.h"

#include <stdint.h>
#include <stdio.h>
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

/* --- showing ------------------------------------------------------------------------------------------------ */

/* A character as it is shown. */
typedef struct shown {
  char text[16];
  size_t length; /* of `text` */
  size_t taken;  /* bytes of the source */
} shown;

/* The bytes of the well-formed UTF-8 character at `text`; 0: there is none. */
static size_t read_character(const unsigned char *text, size_t left, uint32_t *character) {
  static const uint32_t min[] = {0, 0, 0x80, 0x800, 0x10000};
  const unsigned char first = text[0];
  const size_t length = first < 0x80   ? 1
                        : first < 0xc0 ? 0
                        : first < 0xe0 ? 2
                        : first < 0xf0 ? 3
                        : first < 0xf8 ? 4
                                       : 0;
  if (length == 0 || length > left) return 0;
  uint32_t value = length == 1 ? first : first & (0x7fu >> length);
  for (size_t i = 1; i < length; ++i) {
    if ((text[i] & 0xc0) != 0x80) return 0;
    value = value << 6 | (text[i] & 0x3f);
  }
  *character = value;
  return value >= min[length] && value <= 0x10ffff && (value < 0xd800 || value > 0xdfff) ? length : 0;
}

/* Control characters, line and paragraph separators, and those that change the direction of the text behind them. */
static bool is_control(uint32_t c) {
  return c < 0x20 || (c >= 0x7f && c < 0xa0) || (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

static void add_escape(shown *out, unsigned char byte) {
  out->length += (size_t)snprintf(out->text + out->length, sizeof out->text - out->length, "\\x%02X", byte);
}

static shown show_next(const unsigned char *text, size_t left) {
  shown out = {.taken = 1};
  uint32_t character = 0;
  const size_t length = read_character(text, left, &character);
  if (length > 0) out.taken = length;
  const char *known = memchr("\n\r\t", text[0], 3);
  if (length > 0 && !is_control(character)) {
    memcpy(out.text, text, out.length = length);
  } else if (known) {
    out.length = 2;
    out.text[0] = '\\';
    out.text[1] = *known == '\n' ? 'n' : *known == '\r' ? 'r' : 't';
  } else if (text[0] == 0) { /* a digit behind "\0" would belong to it */
    const bool is_followed = left > 1 && text[1] >= '0' && text[1] <= '9';
    out.length = is_followed ? 4 : 2;
    memcpy(out.text, "\\000", out.length);
  } else {
    for (size_t i = 0; i < out.taken; ++i) add_escape(&out, text[i]);
  }
  return out;
}

/* Show what fits into `space` bytes at to + *filled. @return The bytes of the source that it took. */
static size_t show_up_to(char *to, size_t *filled, size_t space, const unsigned char *text, size_t length) {
  size_t taken = 0;
  while (taken < length) {
    const shown next = show_next(text + taken, length - taken);
    if (next.length > space) break;
    memcpy(to + *filled, next.text, next.length);
    *filled += next.length;
    space -= next.length;
    taken += next.taken;
  }
  return taken;
}

size_t lwi_text_show_bytes(char *to, size_t size, const char *text, size_t length) {
  static const char gap[] = "...";
  const unsigned char *bytes = (const unsigned char *)text;
  size_t whole = 0, filled = 0;
  for (size_t i = 0; i < length;) {
    const shown next = show_next(bytes + i, length - i);
    whole += next.length;
    i += next.taken;
  }
  if (size == 0) return whole;
  if (whole < size) {
    show_up_to(to, &filled, whole, bytes, length);
  } else {
    const size_t space = size > sizeof gap ? size - sizeof gap : 0, tail = space / 2;
    size_t at = show_up_to(to, &filled, space - tail, bytes, length), left = whole - filled;
    for (; left > tail;) {
      const shown next = show_next(bytes + at, length - at);
      left -= next.length;
      at += next.taken;
    }
    if (space > 0) memcpy(to + filled, gap, sizeof gap - 1), filled += sizeof gap - 1;
    show_up_to(to, &filled, tail, bytes + at, length - at);
  }
  to[filled] = 0;
  return whole;
}

size_t lwi_text_show(char *to, size_t size, const char *text) {
  return lwi_text_show_bytes(to, size, text, strlen(text));
}

/* Copy a format, with at most a kilobyte for each plain %s. */
static void limit_strings(char *to, size_t size, const char *format) {
  static const char limited[] = "%.1000s";
  size_t filled = 0;
  while (*format && filled + sizeof limited < size) {
    const bool is_string = format[0] == '%' && format[1] == 's';
    const size_t taken = format[0] == '%' && format[1] ? 2 : 1;
    const size_t length = is_string ? sizeof limited - 1 : taken;
    memcpy(to + filled, is_string ? limited : format, length);
    filled += length;
    format += taken;
  }
  to[filled] = 0;
}

void lwi_text_message(char *to, size_t size, const char *format, va_list arguments) {
  char limited[1024], whole[4096];
  limit_strings(limited, sizeof limited, format);
  vsnprintf(whole, sizeof whole, limited, arguments);
  lwi_text_show(to, size, whole);
}
