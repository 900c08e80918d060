---@meta _
-- luacheck: ignore 241
---@class leeward
local leeward = {}

--- What a request may override by `cost`.
---@class leeward.Costs
---@field resistance_factor? {triangular: number?, road: number?, waypoint: number?, volume: number?}  [>= 0]
---@field swim_resistance_factor? number  [>= 0]
---@field exposure_factor? number  [>= 0]
---@field danger_cost? number  Metres of detour per unit of danger. [>= 0]
---@field cover_bias? number  What an exposed metre costs. [>= 1]
---@field safety_bias? number  [>= 0]
---@field area_factor? table<string, number>  By area. [>= 0]

---@alias leeward.LinkKind "jump"|"drop"|"ladder"|"teleport"|"door"|"waypoint"

--- By kind of off-mesh link. Waypoints need `can_traverse.waypoint` as well, doors `can_open_doors`, the others
--- `can_traverse.triangular`.
---@class leeward.LinkKinds
---@field jump? boolean
---@field drop? boolean
---@field ladder? boolean
---@field teleport? boolean
---@field door? boolean
---@field waypoint? boolean

---@class leeward.Stance
---@field eye? number  Height. [m, > 0]
---@field body? number[]  Lower and upper end of the part that is seen. [m]
---@field speed? number  Factor. [> 0]

--- One agent kind's numbers.
---@class leeward.Profile: leeward.Costs
---@field extends? string  Tables merge key by key; lists (avoid, body) take each other's place as a whole.
---@field radius? number  Who is larger than a navmesh was made for keeps by so much more from its walls, and goes round
--- gaps that are too narrow. [m, >= 0, default 0.4]
---@field height? number  [m, >= 0, default 1.75]
---@field climb? number  [m, >= 0, default 0.4]
---@field speed? {calm: number?, normal: number?, fast: number?}  [m/s, > 0, default 1.4 3 5.5]
---@field turn_radius? number  [m, >= 0, default 0]
---@field stances? table<string, leeward.Stance>
---@field can_swim? boolean  [default false]
---@field can_open_doors? boolean  [default true]
---@field can_traverse? {triangular: boolean?, road: boolean?, waypoint: boolean?, volume: boolean?}
---@field can_take? leeward.LinkKinds  Off-mesh links that it takes. [default all]
---@field avoid? string[]  Areas that it never enters.

--- The profile with all that it extends; with a table, defines it. Looks for scripts/profiles/NAME.lua along the roots
--- when the name is used first. A broken file and a wrong table raise, naming the file or profile and the key.
---@param name string  1..63 bytes
---@param values? leeward.Profile
---@return leeward.Profile? resolved  a copy
---@return string? message
---@return leeward.Code? code  NOT_FOUND
function leeward.profile(name, values) end

---@return string[] names  sorted: defined, or found along the roots
function leeward.profiles() end
