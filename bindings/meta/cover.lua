---@meta _
-- luacheck: ignore 241

--- How exactly it is found what a threat sees. "exact": the level's occluders are clipped. "fast": from a depth map
--- around the threat, a third of the time per segment after some 0.4 ms to draw it; off by 0.0035 of a path in the mean
--- (0.01 on the worst of nine levels), by 0.006 of a single segment (0.013 on the worst level and in rooms full of
--- small things), more the further the threat is; 1 segment in 100 is off by 0.05 to 0.2, and one along a ledge may be
--- wrong throughout. `navmesh:survey_exposure` measures it on your level.
--- "map": from the navmesh's cover map alone; threats more than 3 m above the navmesh, or 0.8 m beside it, are answered
--- from all occluders that are kept. "auto": exactly, and from a depth map once a threat was asked about in 400
--- segments: from the next step on, so that all questions of one step are answered alike, and apart for questions from
--- inside and from outside of steps, so that looking at a world never changes its run. While the threat moves less than
--- 0.25 m and sees where the map was drawn, that map answers still; it is drawn again where the threat has stayed for
--- 10 steps, or after 60 all the same. "fast" draws one at the very place that is asked about, each time.
---@alias leeward.Accuracy "exact"|"fast"|"map"|"auto"

---@class leeward.ExposureQuery
---@field from leeward.Point  Of the feet. Neither end is moved. [m, within +-1e6]
---@field to leeward.Point  [m, within +-1e6]
---@field threats leeward.AnyThreat[]
---@field profile? string|leeward.Profile  Whose stances. [default human]
---@field stance? string  One of the profile's: exposed is where either end of its `body` is seen. [default "stand"]
---@field heights? number[]  Other heights, at most four. [m]
---@field shots? boolean  Soft cover does not count: who could be shot? [default false]
---@field accuracy? leeward.Accuracy  [default "auto"]

---@class leeward.World
local World = {}

--- How much of a straight segment the threats see. Shadows that overlap count once. A navmesh made from
--- polygons, or baked with `occluders = false`, hides nothing. A threat inside a wall sees what lies on its own side of
--- that wall's faces; one on the segment, above it or in line with it sees as far as the first occluder, both ways.
---@param query leeward.ExposureQuery
---@return number? metres  seen by any threat; nil, message, "NOT_FOUND": accuracy "map" without a cover map
---@return number fraction  the same of the segment; of one without a length, 1 or 0
---@return number[][] hidden  the parts that no threat sees: { { t0, t1 }, ... }, 0..1, in order
---@return number weighted  sum of weight x fall-off x exposed metres over the threats; the fall-off is measured at the
---mean of the heights
function World:exposure(query) end

---@class leeward.Visibility
---@field visibility number  [0..1, at first 1]
---@field team? string  Whose; none: the world's.

--- How well one is seen, by night or in fog. It scales what it costs to be seen, in the open (`exposure_factor`) and
--- by threats (`cover_bias`), for those who walk: a team's is how well its own agents are seen, and counts times the
--- world's. What threats see (`World:exposure`, `Path:exposed`) is told unscaled. Agents that care search anew where
--- theirs has changed by 0.1 or more.
---@param visibility number|leeward.Visibility
function World:set_visibility(visibility) end

---@param team? string
---@return number  the world's, for a team times its own [0..1]
function World:visibility(team) end

---@class leeward.SightOptions
---@field shots? boolean  Soft cover does not count. [default false]

--- Is there nothing between the two points?
---@param eye leeward.Point
---@param target leeward.Point
---@param options? leeward.SightOptions
---@return boolean
function World:sees(eye, target, options) end

---@class leeward.CoverQuery
---@field around leeward.Point  [m]
---@field radius? number  How far, in 3D, walls' feet may be. [m, >= 0, default 20]
---@field profile? string|leeward.Profile  Whose stances count, and whose navmeshes are asked: those that fit. [default:
--- "human"'s stances, the smallest agents' navmeshes]
---@field stance? string  Only what hides one in this stance of the profile. [default: all]
---@field navmesh? leeward.Navmesh|integer  Only that one's.

--- A stretch of wall that someone can stand at and have for cover. For one who stands there and faces it, `a` is on the
--- left. Where the ground beside it rises, so does the wall. Stretches of less than 0.25 m, the sides of a post, are
--- none.
---@class leeward.CoverSegment
---@field a leeward.vec3  On the wall's face, at the height of the ground beside it. [m]
---@field b leeward.vec3  [m]
---@field bottom number  Height of the wall's lower edge at `a`. [m]
---@field top number  Height of its upper edge at `a`: it rises `top - a.y` above the ground. Where the ground is not
--- level or the top not even, that is the least of all the segment, and `bottom` the highest; the ground strays from
--- the line by up to 0.15 m. [m]
---@field normal leeward.vec3  Level, of length 1, from the wall to where one stands.
---@field kind "hard"|"soft"  Soft cover hides, but stops no shot.
---@field low boolean  It hides the body of one who crouches (0.5 to 0.9 m above the ground if it is human).
---@field high boolean  The same of one who stands (0.9 to 1.6 m).
---@field navmesh integer  The navmesh's number in the world.

---@class leeward.RefusedCover
---@field index integer  As it was asked for, from 1.
---@field reason string  Why.
---@field from leeward.vec3  As it was asked for. [m]
---@field to leeward.vec3  [m]
---@field height number  [m]
---@field bottom number  [m]
---@field side "left"|"right"|"both"
---@field cover "hard"|"soft"

---@class leeward.Navmesh
local Navmesh = {}

--- What of geometry:add_cover was left out, for there is no ground beside it. Of a part of a bake, and of a navmesh
--- baked with `cover_segments = false`, that is not judged.
---@return leeward.RefusedCover[]
function Navmesh:refused_cover() end

--- Cover around a place, nearest first. A navmesh made from polygons, or baked with `cover_segments = false`, has none.
---@param query leeward.CoverQuery
---@return leeward.CoverSegment[]
function World:cover_segments(query) end
