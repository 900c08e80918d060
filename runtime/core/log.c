#include "core/log.h"

#include <stdio.h>

void lwi_log(const lw_logger *logger, lw_log_level level, const char *format, va_list arguments) {
  static const char *const names[] = {"debug", "info", "warning", "error"};
  if (!logger->write && level < LW_LOG_WARNING) return;
  char message[1024];
  vsnprintf(message, sizeof message, format, arguments);
  if (logger->write)
    logger->write(logger->user, level, message);
  else
    fprintf(stderr, "leeward: %s: %s\n", names[level], message);
}
