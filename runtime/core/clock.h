/// Wall-clock time, for statistics only: nothing that a run depends on may read it.
#ifndef LW_CORE_CLOCK_H
#define LW_CORE_CLOCK_H

/// @return Seconds since some fixed moment.
double lwi_clock(void);

#endif
