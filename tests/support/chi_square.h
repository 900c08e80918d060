/// Pearson's chi-square test.
#ifndef LW_TESTS_CHI_SQUARE_H
#define LW_TESTS_CHI_SQUARE_H

/// Bins that expect less than 10 are put together.
/// @param observed  [count] How many fell into each bin.  @param expected  [count] Parts, whatever their sum.
/// @param[out] degrees  Degrees of freedom; 0: nothing to test.  @param[out] chi2  The sum.
/// @return The chance of a sum as high; 0 when a bin that expects nothing was hit.
double chi_square_test(const int *observed, const double *expected, int count, int *degrees, double *chi2);
/// @return The chance that a chi-square of that many degrees of freedom is `chi2` or more.
double chi_square_chance(double chi2, int degrees);

#endif
