---@meta _
-- luacheck: ignore 241

--- A line of friendly fire. A metre in it costs `cover_bias` - 1 times its weight more, as a metre that a threat
--- sees. A place is in it if its distance in xz is at most `radius`, and the line passes no more than `radius` below
--- the feet or above the head (1.8 m). The same object wherever the world returns it.
---@class leeward.FireLane
local FireLane = {}

---@class leeward.FireLaneDefinition
---@field from leeward.Point  The muzzle.
---@field to leeward.Point  What is shot at.
---@field radius? number  [m, > 0, <= 1000, default 1]
---@field seconds? number  Simulation time until it ends. [s, > 0; default: it stays]
---@field weight? number  [> 0, <= 1e6, default 1]

---@class leeward.World
local World = {}

--- Agents with a `cover_bias` above 1 whose path enters it search again at the next step. Added inside a step, it
--- takes effect when the step ends.
---@param definition leeward.FireLaneDefinition
---@return leeward.FireLane
function World:add_fire_lane(definition) end

---@return leeward.FireLane[]  in the order in which they were added
function World:fire_lanes() end

--- The time until it ends.
---@return number  0: it was removed or has ended [s]
function FireLane:seconds() end

--- What is left of the fire lane: a definition for World:add_fire_lane with the time until it ends.
---@return leeward.FireLaneDefinition?  nil: it was removed or has ended
function FireLane:get() end

---@return boolean  false: it was removed or has ended, or its world was destroyed
function FireLane:exists() end

---@return integer  no other fire lane of the world ever has it
function FireLane:id() end

---@return leeward.World
function FireLane:world() end

--- Remove the fire lane. Inside a step, it is in effect until the step ends.
---@return boolean  false: it had ended before
function FireLane:remove() end
