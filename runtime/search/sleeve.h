/// A second, closer look at a found way: A* over points set along every portal of the rooms that it leads through and of
/// those about them. The first search sees a portal at few points, which it chooses by where the goal is; where prices
/// differ, the cheapest way may lead anywhere.
#ifndef LW_SEARCH_SLEEVE_H
#define LW_SEARCH_SLEEVE_H

#include "search/inside.h"
#include "search/search.h"

/// A portal in both directions, or a link, or the places inside a room: then both rooms are that one, and both nodes LWI_SPOT.
typedef struct lwi_passage {
  uint32_t rooms[2];     ///< Of a link: that it leaves, that it enters.
  uint32_t nodes[2];     ///< Of the search: from rooms[0] into rooms[1], and back. LWI_NONE: not that way.
  uint32_t first, count; ///< Of its points.
} lwi_passage;

/// The places inside a room.
typedef struct lwi_inside_room {
  lwi_inside inside;
  uint32_t first; ///< Its first place's point; those outside the room are closed.
} lwi_inside_room;

typedef struct lwi_sleeve_point {
  lw_vec3 at;
  float g;          ///< Price so far. [metre-equivalents]
  uint32_t parent;  ///< Point before it; LWI_NONE: the start.
  uint32_t passage; ///< That it lies on.
  bool from_second; ///< It was come to through rooms[1], and leads on into rooms[0].
  bool closed;
} lwi_sleeve_point;

/// Room to work in, kept from search to search: no allocation once warm. Begin with zeros and `memory`.
typedef struct lwi_sleeve {
  lwi_memory *memory;
  uint32_t stamp; ///< Of this search; smaller stamps are old.
  uint32_t room_count, door_count;
  uint32_t *rings;      ///< [room_count] Stamp and how far the room is from the way; old: not in the sleeve.
  uint32_t *known;      ///< [door_count] By portal, then by link: the stamp, once it has a passage.
  uint32_t *passage_of; ///< [door_count] Which.
  uint32_t *looked_in;  ///< [room_count] The stamp, once it is known whether the room has places inside.
  uint32_t *inside_of;  ///< [room_count] Its part of `insides`; LWI_NONE: it has none.
  lwi_inside_room *insides; ///< [inside_count]
  int inside_count, inside_capacity;
  uint32_t *queue; ///< Rooms in the order in which they were added.
  int queue_capacity;
  lwi_passage *passages; ///< [passage_count]
  int passage_count, passage_capacity;
  lwi_sleeve_point *points; ///< [point_count] The first is the goal.
  int point_count, point_capacity;
  lwi_heap open;
} lwi_sleeve;

void lwi_sleeve_free(lwi_sleeve *sleeve);

/// Look for a cheaper way near the one in search->corridor, and put it there.
/// @param most  What that one costs. @return LW_OK; LW_NO_PATH: none is cheaper; LW_OUT_OF_MEMORY.
lw_status lwi_sleeve_search(lwi_sleeve *sleeve, lwi_search *search, const lwi_search_query *query, float most);

#endif
