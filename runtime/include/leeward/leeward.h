/// @file leeward.h
/// All of the C API. Threads: each header says which of its calls may run together; workspace.h explains
/// queries.
#ifndef LEEWARD_LEEWARD_H
#define LEEWARD_LEEWARD_H

#include "leeward/base.h"
#include "leeward/id.h"
#include "leeward/area.h"
#include "leeward/link.h"
#include "leeward/geometry.h"
#include "leeward/history.h"
#include "leeward/navmesh.h"
#include "leeward/import.h"
#include "leeward/bake.h"
#include "leeward/cover.h"
#include "leeward/profile.h"
#include "leeward/danger.h"
#include "leeward/fire_lane.h"
#include "leeward/workspace.h"
#include "leeward/path.h"
#include "leeward/path_changes.h"
#include "leeward/drive.h"
#include "leeward/explain.h"
#include "leeward/query.h"
#include "leeward/distance_field.h"
#include "leeward/route_table.h"
#include "leeward/regions.h"
#include "leeward/room_graph.h"
#include "leeward/blackboard.h"
#include "leeward/tree.h"
#include "leeward/agent.h"
#include "leeward/senses.h"
#include "leeward/obstacle.h"
#include "leeward/permutation.h"
#include "leeward/planner.h"
#include "leeward/threat.h"
#include "leeward/cover_points.h"
#include "leeward/world.h"
#include "leeward/save.h"
#include "leeward/debug_draw.h"

#endif
