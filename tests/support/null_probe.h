/* Probes with NULL for each pointer of the public functions: records which there were, and compares them with the headers. */
#ifndef LEEWARD_TESTS_NULL_PROBE_H
#define LEEWARD_TESTS_NULL_PROBE_H

#include "leeward/leeward.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>

/// Where a probe gets its error; a probe of REFUSES sets it to NULL for the second call.
extern lw_error probe_failure, *probe_error;

/// Record a probe. @param call  Its text. @param name  The parameter that is NULL.
void probe_record(const char *call, const char *name);
/// Record a probe whose status must be LW_INVALID and whose error, if the call takes `probe_error`, must name the parameter.
void probe_refused(const char *call, const char *name, lw_status status);
/// Fail for each pointer of a public function without a probe. @param test  The test that probes: "navmesh", "world" ...
void probe_check_headers(const char *test);

/* The call has NULL for the parameter, and `probe_error` last if it takes an lw_error: it is made with one and with NULL. */
#define REFUSES(name, call)                                                                                    \
  do {                                                                                                         \
    probe_failure = (lw_error){0};                                                                             \
    probe_error = &probe_failure;                                                                              \
    probe_refused(#call, #name, call);                                                                         \
    probe_error = NULL;                                                                                        \
    probe_refused(#call, #name, call);                                                                         \
  } while (0)

/* The parameter may be NULL, or the function has no status: what it returns is compared. */
#define GIVES(name, call, expected)                                                                            \
  do {                                                                                                         \
    probe_record(#call, #name);                                                                                \
    if (!((call)expected)) fail_msg("expected %s %s", #call, #expected);                                       \
  } while (0)

/* A function without a result. */
#define IGNORES(name, call)                                                                                    \
  do {                                                                                                         \
    probe_record(#call, #name);                                                                                \
    call;                                                                                                      \
  } while (0)

#endif
