---@meta _
-- luacheck: ignore 241
---@class leeward
local leeward = {}

--- What a polygon consists of.
---@class leeward.Area
---@field name? string  read only
---@field type? "triangular"|"road"|"waypoint"|"volume"  selects the profile's resistance_factor. Default triangular.
---@field resistance? number  Extra cost of a metre, times the profile's resistance_factor. [>= 0, default 0.5]
---@field exposure? number  Times the openness of the place and the profile's exposure_factor. [0..1, default 1]
---@field concealment? number  Hidden part of an exposed length. [0..1, default 0]
---@field deep_water? number  Part that the agent must swim. [0..1, default 0]
---@field unsafe? number  Times the profile's safety_bias. [0..1, default 0]
---@field speed? number  Factor on an agent's speed. [> 0, default 1]
---@field cover? "hard"|"soft"|"none"  Kind of cover of its surfaces, unless the box, mesh or material rule sets one:
--- "hard" blocks sight and shots, "soft" only sight, "none" neither. Applied when triangles are added. Default: hard;
--- in an area with concealment, surfaces steeper than 60 degrees are soft.
---@field color? integer  0xRRGGBB for drawing. [default 0x9aa58b]

--- The definition of an area. With a table: define the area, or change the numbers that the table names. Paths
--- searched afterwards use the new numbers.
---@param name string  1..63 bytes
---@param values? leeward.Area  Unknown keys and numbers out of range raise.
---@return leeward.Area?  nil: there is no such area
function leeward.area(name, values) end

---@return string[] names  in the order of definition; "ground" is first
function leeward.areas() end
