/// Eyes that were asked about, and depth maps for those that are asked about often.
#ifndef LW_COVER_EYES_H
#define LW_COVER_EYES_H

#include "cover/depth_map.h"

/// A map answers for an eye too that has moved less than this from where it was drawn, and sees that place. [m]
#define LWI_EYE_REACH 0.25f
/// An eye that was at one place for so many steps has come to rest: it gets a map of its own there. [steps]
#define LWI_EYE_STILL 10
/// From so many questions about segments on an eye is worth a depth map.
#define LWI_EYE_BREAK_EVEN LW_BUSY_SEGMENTS
/// One that moves for so long without leaving a map's reach gets a map of its own as well; and a map that was asked in the last
/// so many steps stays with its eye. [steps]
#define LWI_EYE_REST 60
#define LWI_EYES_MAX 64
#define LWI_EYE_MAPS_MAX 32 ///< Fewer: there is always an eye without a map to make room.

/// No two are at one place.
typedef struct lwi_eye {
  lw_vec3 at; ///< Where its map was made; without one, where it was when last asked about.
  bool soft;
  int map;           ///< -1: none.
  bool fresh;        ///< The map was made since the last step began: "auto" does not take it yet.
  uint32_t asked;    ///< Segments, while it had no map.
  uint64_t last_ask; ///< By the number of questions; also when its map answered for another eye.
  uint64_t last_step;
  uint64_t began; ///< The step since which it has no map.
  uint64_t since; ///< The step in which it came here.
  uint64_t there; ///< The last step in which it was asked about here, and not another near it.
  /* Whose map answers for it while it has none, and of which state of the maps that is so; follow from the others. */
  int near; ///< -1: none.
  uint64_t near_state;
} lwi_eye;

/// All that has to be kept to go on as before, and the maps, which can be drawn again. Begin with lwi_eyes_init().
typedef struct lwi_eyes {
  lwi_memory *memory;
  lwi_depth_scene scene; ///< The room is made with the first map.
  uint64_t asks, steps;
  uint64_t state; ///< Of the maps: 1 more whenever one is made, moves, or may be taken.
  int recent;     ///< Who was asked about last.
  int count;
  lwi_eye items[LWI_EYES_MAX];
  int map_limit, map_count;
  lwi_depth_map **maps; ///< [map_count], room for map_limit
} lwi_eyes;

/// @param map_limit  How many depth maps. [0..LWI_EYE_MAPS_MAX; 0: all answers are exact]
/// @param sets  Borrowed; must outlive the eyes.
void lwi_eyes_init(lwi_eyes *eyes, int map_limit, const lwi_occluders *const *sets, int count,
                   lwi_memory *memory);
/// Also forgets whom it was asked about: it may be asked again.
void lwi_eyes_free(lwi_eyes *eyes);

/// With what to answer a question about one segment. "auto" counts it, and takes the map that there was when the step began: the
/// eye's own, or the nearest within reach that was drawn where the eye sees. "fast" makes a map at the very place if there
/// is none, in place of the one that was not asked for longest.
/// @param[out] map  NULL: exactly. @return false: no memory.
bool lwi_eyes_ask(lwi_eyes *eyes, lw_vec3 at, bool soft, lw_accuracy accuracy, lwi_depth_map **map);

/// Between steps: eyes that were asked about often enough get a map, and those that another place's map answers for once they
/// have come to rest, or for long. It is that place's, if nobody is there any more; else a new one. Where there are as many as there may
/// be, a map moves from an eye that has not been asked about for a while; if there is none, those who come later stay without.
/// @return false: no memory.
bool lwi_eyes_settle(lwi_eyes *eyes);

/// Go on as other eyes were left: `from` has their asks, steps, count, items and map_count; their maps are drawn anew as they
/// are asked. Where there may not be so many maps, begin anew.
/// @return false: no memory.
bool lwi_eyes_put_back(lwi_eyes *eyes, const lwi_eyes *from);

/// A number over all that later answers depend on.
uint64_t lwi_eyes_hash(const lwi_eyes *eyes, uint64_t hash);

#endif
