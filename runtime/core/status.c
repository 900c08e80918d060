#include "core/status.h"

#include "core/text.h"
#include "core/vec3.h"

#include <stdio.h>
#include <string.h>

static const char *const status_names[] = {
#define X(name, text) #name,
    LW_STATUS_LIST(X)
#undef X
};

static const char *const status_texts[] = {
#define X(name, text) text,
    LW_STATUS_LIST(X)
#undef X
};

const char *lw_status_name(lw_status status) {
  return (unsigned)status < LW_STATUS_COUNT ? status_names[status] : "UNKNOWN";
}

const char *lw_status_text(lw_status status) {
  return (unsigned)status < LW_STATUS_COUNT ? status_texts[status] : "unknown status";
}

lw_status lwi_fail(lw_error *error, lw_status status, const char *format, ...) {
  if (!error) return status;
  error->status = status;
  va_list arguments;
  va_start(arguments, format);
  lwi_text_message(error->text, sizeof error->text, format, arguments);
  va_end(arguments);
  return status;
}

lw_status lwi_fail_status(lw_error *error, lw_status status) {
  return lwi_fail(error, status, "%s", lw_status_text(status));
}

lw_status lwi_fail_null(lw_error *error, const char *name) {
  return lwi_fail(error, LW_INVALID, "%s is NULL, expected a valid pointer", name);
}

lw_status lwi_check_cookie(uint32_t cookie, const char *type, lw_error *error) {
  if (cookie == LWI_COOKIE) return LW_OK;
  return lwi_fail(error, LW_INVALID, "%s is not filled, expected %s_default() first", type, type);
}

lw_status lwi_check_name(const lwi_name_place *place, const char *name, lw_error *error) {
  const bool fits = name && memchr(name, 0, (size_t)place->max + 1);
  if (fits && name[0]) return LW_OK;
  if (!name)
    return lwi_fail(error, LW_INVALID, "%s%s is NULL, expected 1 to %d bytes", place->where, place->field,
                    place->max);
  return lwi_fail(error, LW_INVALID, "%s%s is '%.20s%s', expected 1 to %d bytes", place->where, place->field,
                  name, fits ? "" : "...", place->max);
}

lw_status lwi_check_team(const char *field, const char *team, lw_error *error) {
  if (!team || strlen(team) <= LW_TEAM_NAME_MAX) return LW_OK;
  return lwi_fail(error, LW_INVALID, "%s is '%s', expected at most %d bytes", field, team, LW_TEAM_NAME_MAX);
}

lw_status lwi_check_place(const char *field, lw_vec3 at, lw_error *error) {
  if (lwi_is_place(at)) return LW_OK;
  return lwi_fail(error, LW_INVALID, "%s is (%g, %g, %g), expected finite numbers within +-%g m", field,
                  (double)at.x, (double)at.y, (double)at.z, (double)LW_COORDINATE_MAX);
}

void lwi_log(const lw_logger *logger, lw_log_level level, const char *format, va_list arguments) {
  static const char *const names[] = {"debug", "info", "warning", "error"};
  if (!logger->write && level < LW_LOG_WARNING) return;
  char message[1024];
  lwi_text_message(message, sizeof message, format, arguments);
  if (logger->write)
    logger->write(logger->user, level, message);
  else
    fprintf(stderr, "leeward: %s: %s\n", (unsigned)level <= LW_LOG_ERROR ? names[level] : "?", message);
}
