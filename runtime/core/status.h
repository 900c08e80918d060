/// Filling lw_error.
#ifndef LW_CORE_STATUS_H
#define LW_CORE_STATUS_H

#include "leeward/base.h"

/// Fill `error` (may be NULL) and return `status`, so that callers can `return lwi_fail(...)`.
lw_status lwi_fail(lw_error *error, lw_status status, const char *format, ...) LW_PRINTF(3, 4);
/// The same with the status's own text.
lw_status lwi_fail_status(lw_error *error, lw_status status);
/// LW_INVALID where geometry may not lie either, with the field's name, what it is and the limit.
lw_status lwi_check_place(const char *field, lw_vec3 at, lw_error *error);
/// Every public `x_def` begins its life in x_def_default(), which sets this.
#define LWI_COOKIE 0x1ee3a12du
lw_status lwi_check_cookie(uint32_t cookie, const char *type, lw_error *error);

#endif
