#include "chi_square.h"

#include <math.h>

#define EXPECTED_MIN 10
#define TINY 1e-300

/* The upper incomplete gamma function over the gamma function, Q(a, x): the series below a + 1, Lentz's
   continued fraction above (Abramowitz and Stegun 6.5.29 and 6.5.31). */
static double upper_gamma(double a, double x) {
  double scale = exp(-x + a * log(x) - lgamma(a));
  if (x < a + 1) {
    double term = 1 / a, sum = term;
    for (int n = 1; n < 10000 && term > sum * 1e-15; n++) sum += term *= x / (a + n);
    return 1 - sum * scale;
  }
  double b = x + 1 - a, c = 1 / TINY, d = 1 / b, h = d;
  for (int n = 1; n < 10000; n++) {
    double factor = -n * (n - a);
    b += 2;
    d = 1 / (fabs(factor * d + b) < TINY ? TINY : factor * d + b);
    c = b + factor / c;
    h *= d * c;
    if (fabs(d * c - 1) < 1e-15) break;
  }
  return scale * h;
}

double chi_square_chance(double chi2, int degrees) {
  return degrees < 1 || chi2 <= 0 ? 1 : upper_gamma(degrees / 2.0, chi2 / 2);
}

static double square(double seen, double awaited) {
  return (seen - awaited) * (seen - awaited) / awaited;
}

double chi_square_test(const int *observed, const double *expected, int count, int *degrees, double *chi2) {
  double total = 0, parts = 0, seen = 0, awaited = 0; /* the last two: of the bin that is being put together */
  int bins = 0;
  for (int i = 0; i < count; i++) {
    total += observed[i];
    parts += expected[i];
  }
  *chi2 = 0;
  *degrees = 0;
  for (int i = 0; i < count; i++) {
    if (observed[i] > 0 && expected[i] <= parts * 1e-9) return 0;
    seen += observed[i];
    awaited += expected[i] / parts * total;
    if (awaited < EXPECTED_MIN) continue;
    *chi2 += square(seen, awaited);
    bins++;
    seen = awaited = 0;
  }
  /* What is left over is less than a bin should expect: coarse, but it counts. */
  if (awaited > 2) {
    *chi2 += square(seen, awaited);
    bins++;
  }
  *degrees = bins > 1 ? bins - 1 : 0;
  return chi_square_chance(*chi2, *degrees);
}
