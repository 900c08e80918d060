/// Filling lw_error.
#ifndef LW_CORE_STATUS_H
#define LW_CORE_STATUS_H

#include "leeward/base.h"

/// Fill `error` (may be NULL) and return `status`, so that callers can `return lwi_fail(...)`.
lw_status lwi_fail(lw_error *error, lw_status status, const char *format, ...) LW_PRINTF(3, 4);
/// The same with the status's own text.
lw_status lwi_fail_status(lw_error *error, lw_status status);
/// Every public `x_def` begins its life in x_def_default(), which sets this.
#define LWI_COOKIE 0x1ee3a12du
lw_status lwi_check_cookie(uint32_t cookie, const char *type, lw_error *error);

#endif
