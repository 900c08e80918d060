---@meta _
-- luacheck: ignore 241

--- Along which one's own side shoots: a metre in it costs like one that a threat sees, `cover_bias` - 1 times its
--- weight, on top of what it costs anyway. One is in it whose feet are within `radius` of it in xz, where it passes no
--- more than `radius` below the feet or above the head (1.8 m).
---@class leeward.FireLane
local FireLane = {}

---@class leeward.FireLaneDefinition
---@field from leeward.Point  The muzzle.
---@field to leeward.Point  What is shot at.
---@field radius? number  [m, > 0, <= 1000, default 1]
---@field seconds? number  Until it ends, by the world's clock. [s, > 0; default: it stays]
---@field weight? number  [> 0, <= 1e6, default 1]

---@class leeward.World
local World = {}

--- Agents with a `cover_bias` above 1 that walk into it search anew at the next step. Inside a step it counts from the
--- step's end.
---@param definition leeward.FireLaneDefinition
---@return leeward.FireLane
function World:add_fire_lane(definition) end

---@return leeward.FireLane[]  in the order in which they were added
function World:fire_lanes() end

--- Until it ends.
---@return number  [s] 0: it was removed, or has ended
function FireLane:seconds() end

--- Inside a step it counts to the step's end.
---@return boolean  whether it was still there
function FireLane:remove() end
