/* The one function that libleeward_bake.so exports. */
#include "geometry/plugin.h"

__attribute__((visibility("default"))) const lwi_plugin *lwi_plugin_get(void) {
  static const lwi_plugin plugin = {
      .version = LWI_PLUGIN_VERSION,
      .build_tile = lwi_build_tile,
      .read_scene = lwi_read_scene,
      .free_scene = lwi_free_scene,
  };
  return &plugin;
}
