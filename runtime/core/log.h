/// Writing to an lw_logger.
#ifndef LW_CORE_LOG_H
#define LW_CORE_LOG_H

#include "leeward/base.h"

#include <stdarg.h>

void lwi_log(const lw_logger *logger, lw_log_level level, const char *format, va_list arguments);

#endif
