---@meta _
-- luacheck: ignore 241

---@class leeward.World
local World = {}

--- The cost to the nearest of some goals from everywhere on one navmesh, computed once for any number of agents. It
--- belongs to its world.
---@class leeward.DistanceField
local DistanceField = {}

---@class leeward.FieldQuery
---@field to leeward.Point|leeward.Point[]  Where paths lead. Goals without a place are passed over, also those where
--- an agent larger than the navmesh was baked for is shut in between the walls of one polygon. [m]
---@field profile? string|leeward.Profile  Without: only length counts, and every area may be entered.
---@field snap? leeward.Point  Half sizes of the snap box, of goals and of places asked about. [m, > 0, default 2 4 2]
---@field navmesh? leeward.Navmesh|integer  Of this world, or its number. Default: that of the first goal with a place.
---@field max_cost? number  Places from where it costs more have no answer. [metre-equivalents, >= 0, default: no limit]
---@field cost? leeward.Costs  Replaces the profile's numbers for this field.
---@field avoid? string[]  Replaces the profile's list for this field.
---@field can_take? leeward.LinkKinds  Replaces the profile's flags for this field.
---@field visibility? number  Replaces the visibility of the world. [0..1]

--- Compute a field: a search backwards from the goals, which takes off-mesh links one way as agents do. It knows no
--- threats; dangers and fire lanes count where routes cross them.
---@param query leeward.FieldQuery
---@return leeward.DistanceField?
---@return string? message
---@return leeward.Code? code  NO_GOAL
function World:distance_field(query) end

--- What the route from a place costs.
---@param at leeward.Point  moved onto the navmesh within `snap`
---@return number?  [metre-equivalents]
---@return string? message
---@return leeward.Code? code  NO_START; NO_PATH: none, or one that costs more than max_cost
function DistanceField:cost(at) end

--- Where to walk to next, straight in xz; at the start of a link, its end.
---@param at leeward.Point
---@return leeward.vec3?
---@return number|string cost  of the whole route, or the message
---@return leeward.Code? code  as DistanceField:cost
function DistanceField:next(at) end

--- The whole route: the place, where it turns, both ends of links, the goal.
---@param at leeward.Point
---@return leeward.vec3[]?
---@return string? message
---@return leeward.Code? code  as DistanceField:cost
function DistanceField:path(at) end

--- Which of the goals the route leads to.
---@param at leeward.Point
---@return integer?  from 1 on
---@return string? message
---@return leeward.Code? code  as DistanceField:cost
function DistanceField:goal(at) end

---@return boolean  obstacles, permutations, links, tiles, visibility, or dangers and fire lanes that came or went have
--- changed since it was computed
function DistanceField:is_stale() end

--- Compute it again if it is stale.
---@return true?
---@return string? message
---@return leeward.Code? code  NO_GOAL: no goal has a place any more
function DistanceField:refresh() end

---@return integer  bytes held
function DistanceField:memory() end
