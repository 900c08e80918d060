/// The group of arrays that cover keeps in a navmesh.
#ifndef LW_COVER_COVER_SECTIONS_H
#define LW_COVER_COVER_SECTIONS_H

#include "mesh/sections.h"

extern const lwi_section_group lwi_cover_sections;

#endif
