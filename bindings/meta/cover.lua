---@meta _
-- luacheck: ignore 241

--- The accuracy of what a threat sees.
--- - "exact": the level's occluders are clipped.
--- - "fast": a depth map drawn at the threat. Faster for many segments; less exact with distance, and wrong for some
---   segments along ledges. `leeward exposure LEVEL` measures time and error on a level.
--- - "map": the navmesh's cover map. Threats more than 3 m above the navmesh, or 0.8 m beside it, are answered from
---   all occluders that are kept.
--- - "auto": exact, and from a depth map once a threat was queried for 400 segments: from the next step on, so that
---   all queries of one step have the same accuracy, and apart for queries from inside and from outside of steps, so
---   that observing a world does not change its run. The map stays in use while the threat moves less than 0.25 m and
---   sees the position where it was drawn. It is drawn again once the threat has rested for 10 steps, at the latest
---   after 60.
---@alias leeward.Accuracy "exact"|"fast"|"map"|"auto"

---@class leeward.ExposureQuery
---@field from leeward.Point  Start of the segment, at the feet. Used as given, without a snap. [m, within +-1e6]
---@field to leeward.Point  End of the segment. [m, within +-1e6]
---@field threats leeward.AnyThreat[]
---@field profile? string|leeward.Profile  The profile with the stances. [default human]
---@field stance? string  Of the profile: a place is exposed if either end of the stance's `body` is seen. [default
--- "stand"]
---@field heights? number[]  Heights instead of a stance, at most four. [m]
---@field shots? boolean  Ignore soft cover, which stops no shots. [default false]
---@field accuracy? leeward.Accuracy  [default "auto"]

---@class leeward.World
local World = {}

--- How much of a straight segment the threats see. Overlapping shadows count once. Obstacles with `cover` hide, too,
--- exactly at any accuracy. A navmesh built from polygons, or
--- baked with `occluders = false`, hides nothing. A threat inside a wall sees what lies on its side of the wall's
--- faces; a threat on the segment, above it or in line with it sees up to the first occluder in both directions.
---@param query leeward.ExposureQuery
---@return number? metres  seen by any threat; nil, message, "NOT_FOUND": accuracy "map" without a cover map
---@return number fraction  exposed part of the segment; 1 or 0 for a segment of length 0 [0..1]
---@return number[][] hidden  the intervals that no threat sees: { { t0, t1 }, ... }, 0..1, in order
---@return number weighted  sum of weight x fall-off x exposed metres over the threats; the fall-off is measured at
--- the mean height
function World:exposure(query) end

---@class leeward.Visibility
---@field visibility number  [0..1, initially 1]
---@field team? string  The team; without: the world.

--- Set how well agents are seen, such as by night or in fog. It scales the costs of being seen, in the open
--- (`exposure_factor`) and by threats (`cover_bias`). A team's visibility is multiplied by the world's. It does not
--- scale `World:exposure` and `Path:exposed`. Agents whose path depends on it search again after a change of 0.1 or
--- more.
---@param visibility number|leeward.Visibility
function World:set_visibility(visibility) end

---@param team? string
---@return number  the world's, multiplied by the team's if one is given [0..1]
function World:visibility(team) end

---@class leeward.SightOptions
---@field shots? boolean  Ignore soft cover, which stops no shots. [default false]

--- Whether nothing blocks sight between the two points. An agent as `eye` looks from its eye; of one as `target` any
--- part of the body counts, in its stance, and an obstacle that it carries does not hide it. No obstacle hides anything
--- from an eye inside of it.
---@param eye leeward.Point|leeward.Agent
---@param target leeward.Point|leeward.Agent
---@param options? leeward.SightOptions
---@return boolean
function World:sees(eye, target, options) end

---@class leeward.CoverSegmentQuery
---@field around leeward.Point  [m]
---@field radius? number  Largest distance of a segment in 3D. [m, >= 0, default 20]
---@field profile? string|leeward.Profile  Selects the stances, and the navmeshes that fit its size. [default:
--- stances of "human", the navmeshes for the smallest agents]
---@field stance? string  Only segments that hide this stance of the profile. [default: all]
---@field navmesh? leeward.Navmesh|integer  Only segments of this navmesh.

--- A part of a wall, at least 0.25 m long, with ground beside it, at which an agent can take cover. Seen from there,
--- `a` is on the left.
---@class leeward.CoverSegment
---@field a leeward.vec3  On the wall's face, at the height of the ground beside it. [m]
---@field b leeward.vec3  [m]
---@field bottom number  Height of the wall's lower edge at `a`. [m]
---@field top number  Height of its upper edge at `a`. On sloping ground or with an irregular edge, `top - a.y` is the
--- smallest height above the ground along the segment, and `bottom - a.y` the largest; the ground deviates from the
--- line a to b by up to 0.15 m. [m]
---@field normal leeward.vec3  Horizontal unit vector from the wall to the agent's side.
---@field kind "hard"|"soft"  Soft cover hides, but stops no shot.
---@field low boolean  It hides the body of a crouching agent (human: 0.5 to 0.9 m above the ground).
---@field high boolean  It hides the body of a standing agent (human: 0.9 to 1.6 m above the ground).
---@field navmesh integer  The navmesh's number in the world.
---@field obstacle? leeward.Obstacle  Whose side it is; nil: the level's, or a volume's of a permutation.

---@class leeward.RefusedCover
---@field index integer  Number of the geometry:add_cover call, from 1.
---@field reason string
---@field from leeward.vec3  As given to geometry:add_cover. [m]
---@field to leeward.vec3  [m]
---@field height number  [m]
---@field bottom number  [m]
---@field side "left"|"right"|"both"
---@field cover "hard"|"soft"

---@class leeward.Navmesh
local Navmesh = {}

--- The cover of geometry:add_cover that was left out because no ground lies beside it. Empty for a part of a bake
--- and for a navmesh baked with `cover_segments = false`.
---@return leeward.RefusedCover[]
function Navmesh:refused_cover() end

--- An occluder that a cover map lists, seen from a point: a side of something, or the top of it, which hides what is
--- behind and below. What lies flat has its `bottom` at its `height`: the nearest wall is the first one with a lower
--- bottom.
---@class leeward.CoverMapSegment
---@field bearing number  Where its nearest point is, seen from above: 0 along +x, pi/2 along -z, like Agent:heading. 0
--- above or below it. [rad, -pi..pi]
---@field distance number  How far that is, seen from above. [m]
---@field height number  Its highest corner, above the ground at the point. [m]
---@field bottom number  Its lowest corner, above the ground at the point. [m]
---@field a leeward.vec3  Its left end, seen from the point, at its lower edge. [m]
---@field b leeward.vec3  Its right end. [m]
---@field kind "hard"|"soft"  Soft cover hides, but stops no shot.

--- What the cover map lists for the polygon at a point: the occluders that hide most of what is hidden from there,
--- nearest first. The point is moved to the ground up to 0.3 m above it and 3 m below it, or 0.8 m beside it.
---@param point leeward.Point
---@return leeward.CoverMapSegment[]?
---@return string? message
---@return leeward.Code? code  NOT_FOUND: baked without `cover_map`, or no ground
function Navmesh:cover_map(point) end

--- The cover segments around a point, nearest first: those of the navmeshes, and those along the sides of obstacles
--- and volumes with `cover` that rest. A navmesh built from polygons, or baked with `cover_segments = false`, has none
--- of its own.
---@param query leeward.CoverSegmentQuery
---@return leeward.CoverSegment[]
function World:cover_segments(query) end
