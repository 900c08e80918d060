---@meta _
-- luacheck: ignore 241

--- A place that a world remembers as dangerous: a level disc, `radius` about `at` in xz, and `height` up and down.
--- A path pays `value` x the profile's `danger_cost` each time that it enters it, however finely the navmesh is cut
--- there. Several add. One that begins inside is not charged for that; an off-mesh link enters where it ends inside.
---@class leeward.Danger
local Danger = {}

---@class leeward.DangerDefinition
---@field at leeward.Point  Need not be on a navmesh.
---@field radius? number  [m, > 0, <= 1000, default 3]
---@field height? number  Up and down, so that other floors stay safe. [m, > 0, may be math.huge, default 2]
---@field value? number  [0.01..1e6, default 1]
---@field half_life? number  It halves in that time; below 0.01 it is forgotten. [s, > 0; default: it stays]

---@class leeward.DeathDanger
---@field radius? number  [m, > 0, <= 1000, default 3]
---@field height? number  [m, > 0, may be math.huge, default 2]
---@field value? number  [0.01..1e6, default 1]
---@field half_life? number  [s, > 0; default: it stays]

---@class leeward.World
local World = {}

--- Agents that walk into it search anew at the next step. Inside a step it counts from the step's end.
---@param definition leeward.DangerDefinition
---@return leeward.Danger
function World:add_danger(definition) end

---@return leeward.Danger[]  in the order in which they were added
function World:dangers() end

--- What is left of it.
---@return number  0: it was removed, or is forgotten
function Danger:value() end

---@return leeward.vec3?  nil: it is gone
function Danger:at() end

---@return number?  [m] nil: it is gone
function Danger:radius() end

--- Agents search anew for which a way over it could be cheaper. Inside a step it counts to the step's end.
---@return boolean  whether it was still there
function Danger:remove() end
