---@meta _
-- luacheck: ignore 241

--- A dangerous place that a world remembers: a horizontal disc, `radius` about `at` in xz, and `height` up and down.
--- A path pays `value` x the profile's `danger_cost` each time it enters the disc, independent of the polygons
--- there. Several dangers add up. A start inside costs nothing; an off-mesh link enters what its line leads through.
--- Where very many dangers overlap, a search tries fewer routes round them: the path may cost more than the cheapest
--- one, though never more than the fast or the shortest one, and always what its cost says.
--- The same object wherever the world returns it.
---@class leeward.Danger
local Danger = {}

---@class leeward.DangerDefinition
---@field at leeward.Point  Need not be on a navmesh.
---@field radius? number  [m, > 0, <= 1000, default 3]
---@field height? number  Up and down, so that other floors stay safe. [m, > 0, may be math.huge, default 2]
---@field value? number  [0.01..1e6, default 1]
---@field half_life? number  Time in which the value halves; below 0.01 the danger ends. [s, > 0; default: it stays]

---@class leeward.DeathDanger
---@field radius? number  [m, > 0, <= 1000, default 3]
---@field height? number  [m, > 0, may be math.huge, default 2]
---@field value? number  [0.01..1e6, default 1]
---@field half_life? number  [s, > 0; default: it stays]

---@class leeward.World
local World = {}

--- Agents whose path enters it search again at the next step. Added inside a step, it takes effect when the step
--- ends.
---@param definition leeward.DangerDefinition
---@return leeward.Danger
function World:add_danger(definition) end

---@return leeward.Danger[]  in the order in which they were added
function World:dangers() end

--- The current value.
---@return number  0: the danger was removed or has ended
function Danger:value() end

---@return leeward.vec3?  nil: the danger was removed or has ended
function Danger:at() end

---@return number?  [m] nil: the danger was removed or has ended
function Danger:radius() end

--- What is left of the danger: a definition for World:add_danger with its current value.
---@return leeward.DangerDefinition?  nil: the danger was removed or has ended
function Danger:get() end

---@return boolean  false: it was removed or has ended, or its world was destroyed
function Danger:exists() end

---@return integer  no other danger of the world ever has it
function Danger:id() end

---@return leeward.World
function Danger:world() end

--- Remove the danger. Agents for which a path through it could be cheaper search again. Inside a step, it is in
--- effect until the step ends.
---@return boolean  false: it had ended before
function Danger:remove() end
