// The one thing of C++ that reading level files needs. Part of libleeward_bake.so.
#include "geometry/plugin.h"

#include <new>

void lwi_import_on_out_of_memory(void (*handler)(void)) {
  std::set_new_handler(handler);
}
