/// The groups of arrays that sight keeps in a navmesh: occluders, cover map, visibility table.
#ifndef LW_SIGHT_SIGHT_SECTIONS_H
#define LW_SIGHT_SIGHT_SECTIONS_H

#include "mesh/sections.h"

extern const lwi_section_group lwi_occluder_sections, lwi_cover_map_sections, lwi_visibility_sections;

#endif
