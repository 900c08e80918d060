#include "geometry/lines.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define WHOLE_DIGITS_MAX 19

bool lwi_next_line(lwi_lines *lines, lwi_word *line) {
  const unsigned char *to = lines->at;
  if (to == lines->end) return false;
  while (to < lines->end && *to != '\n' && *to != '\r') ++to;
  *line = (lwi_word){(const char *)lines->at, (size_t)(to - lines->at)};
  lines->ended = to < lines->end;
  if (lines->ended) to += *to == '\r' && to + 1 < lines->end && to[1] == '\n' ? 2 : 1;
  lines->at = to;
  lines->line += 1;
  return true;
}

bool lwi_is_blank(char c) {
  return c == ' ' || c == '\t';
}

lwi_word lwi_next_word(lwi_word *rest) {
  while (rest->length > 0 && lwi_is_blank(rest->text[0])) ++rest->text, --rest->length;
  lwi_word first = {rest->text, 0};
  while (rest->length > 0 && !lwi_is_blank(rest->text[0])) ++rest->text, --rest->length, ++first.length;
  return first;
}

bool lwi_word_is(lwi_word word, const char *text) {
  return word.length == strlen(text) && memcmp(word.text, text, word.length) == 0;
}

bool lwi_word_begins(lwi_word word, const char *text) {
  const size_t length = strlen(text);
  return word.length >= length && memcmp(word.text, text, length) == 0;
}

bool lwi_word_is_alike(lwi_word word, const char *lower_case) {
  for (size_t i = 0; i < word.length; ++i)
    if ((word.text[i] | 32) != lower_case[i]) return false; /* also at the end of `lower_case` */
  return !lower_case[word.length];
}

bool lwi_word_is_text(lwi_word word) {
  return word.length == 0 || (!memchr(word.text, 0, word.length) && !memchr(word.text, '\f', word.length));
}

int lwi_word_shown(lwi_word word) {
  return word.length > 40 ? 40 : (int)word.length;
}

bool lwi_word_count(lwi_word word, uint32_t *count) {
  uint64_t value = 0;
  for (size_t i = 0; i < word.length; ++i) {
    if (word.text[i] < '0' || word.text[i] > '9') return false;
    value = 10 * value + (uint64_t)(word.text[i] - '0');
    if (value > UINT32_MAX) return false;
  }
  *count = (uint32_t)value;
  return word.length > 0;
}

/* @return How many there are. */
static int take_digits(lwi_word *rest, double *value) {
  int count = 0;
  for (; rest->length > 0 && rest->text[0] >= '0' && rest->text[0] <= '9'; ++count) {
    *value = 10 * *value + (rest->text[0] - '0');
    ++rest->text, --rest->length;
  }
  return count;
}

static char take_any(lwi_word *rest, const char *wanted) {
  if (rest->length == 0 || !rest->text[0] || !strchr(wanted, rest->text[0])) return 0;
  --rest->length;
  return *rest->text++;
}

bool lwi_word_is_finite(lwi_word word) {
  double value = 0, exponent = 0;
  take_any(&word, "+-");
  const int whole = take_digits(&word, &value),
            decimals = take_any(&word, ".") ? take_digits(&word, &value) : 0;
  if (whole + decimals == 0 || whole > WHOLE_DIGITS_MAX) return false;
  if (take_any(&word, "eE")) {
    const bool negative = take_any(&word, "+-") == '-';
    if (take_digits(&word, &exponent) == 0) return false;
    if (negative) exponent = -exponent;
  }
  if (word.length > 0) return false;
  return value <= 0 || log10(value) + exponent - decimals < log10((double)FLT_MAX);
}
