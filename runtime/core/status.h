/// Reporting: filling lw_error, the checks that every public function shares, and the log.
#ifndef LW_CORE_STATUS_H
#define LW_CORE_STATUS_H

#include "leeward/base.h"

#include <stdarg.h>

/// Fill `error` (may be NULL) with one line without control characters, see lwi_text_message().
/// @return `status`, so that callers can `return lwi_fail(...)`.
lw_status lwi_fail(lw_error *error, lw_status status, const char *format, ...) LW_PRINTF(3, 4);
/// The same with lw_status_text().
lw_status lwi_fail_status(lw_error *error, lw_status status);

/// Refuse an argument that is NULL. @param name  Of the parameter, as its header has it. @return LW_INVALID.
lw_status lwi_fail_null(lw_error *error, const char *name);

/// The name of something that is checked, for messages.
typedef struct lwi_name_place {
  const char *where; ///< Before the field: "" or "WHERE: ".
  const char *field; ///< Such as "name".
  int max;           ///< Bytes without the zero at its end.
} lwi_name_place;
/// Refuse a name that is NULL, empty or too long. @param name  Need not end in a zero within `max` bytes.
lw_status lwi_check_name(const lwi_name_place *place, const char *name, lw_error *error);

/// Refuse the name of a team that is too long. @param team  NULL and "" are allowed.
lw_status lwi_check_team(const char *field, const char *team, lw_error *error);

/// @param field  Its name, for the message. @return LW_OK; LW_INVALID: not finite or beyond LW_COORDINATE_MAX.
lw_status lwi_check_place(const char *field, lw_vec3 at, lw_error *error);

/// What every lw_X_default() writes into the struct's `cookie`.
#define LWI_COOKIE 0x1ee3a12du
/// @param type  The struct's name, for the message. @return LW_OK; LW_INVALID: not filled by its
///   lw_X_default().
lw_status lwi_check_cookie(uint32_t cookie, const char *type, lw_error *error);

/// Format a message, one line without control characters, and give it to the logger; one without a function
/// writes warnings and errors to standard error.
void lwi_log(const lw_logger *logger, lw_log_level level, const char *format, va_list arguments);

#endif
