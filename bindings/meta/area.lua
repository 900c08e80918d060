---@meta _
-- luacheck: ignore 241
---@class leeward
local leeward = {}

--- What a polygon is made of.
---@class leeward.Area
---@field name? string  read only
---@field type? "triangular"|"road"|"waypoint"|"volume"  which of a profile's factors counts. Default triangular.
---@field resistance? number  How hard it is to cross, times the profile's factor. [>= 0, default 0.5]
---@field exposure? number  How open it is. [0..1, default 1]
---@field concealment? number  The part of an exposed length that it hides. [0..1, default 0]
---@field deep_water? number  The part that must be swum. [0..1, default 0]
---@field unsafe? number  Times the profile's safety_bias. [0..1, default 0]
---@field speed? number  Factor on an agent's speed. [> 0, default 1]
---@field cover? "hard"|"soft"|"none"  What its surfaces are to a look and a shot where the box, mesh or material rule
--- does not say: "soft" hides but stops no shot, "none" neither. It counts when triangles are added. Default: hard, but
--- those that stand up (steeper than 60 degrees) of an area with concealment are soft: its ground stays hard.
---@field color? integer  0xRRGGBB for drawing. [default 0x9aa58b]

--- What an area is like; with a table, defines it or changes the numbers that the table names.
--- Profiles follow: paths that are searched afterwards see the new numbers.
---@param name string  1..63 bytes
---@param values? leeward.Area  Unknown keys and numbers out of range raise.
---@return leeward.Area?  nil: there is no such area
function leeward.area(name, values) end

---@return string[] names  in the order of definition; "ground" is first
function leeward.areas() end
