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

--- What is left out is as in `stand`, and there 1.6, { 0.9, 1.6 } and 1; of `crouch` 0.9, { 0.5, 0.9 } and 0.5.
---@class leeward.Stance
---@field eye? number  Above the feet. [m, > 0]
---@field body? number[]  Lower and upper end of the part that is seen, above the feet. [m]
---@field speed? number  Factor. [> 0]

--- One agent kind's numbers. No factor above 1000000, no size above 1000 m, no speed above 1000 m/s.
---@class leeward.Profile: leeward.Costs
---@field extends? string  Tables merge key by key; lists (avoid, body) take each other's place as a whole.
---@field radius? number  Who is larger than a navmesh was made for keeps by so much more from its walls, and goes round
--- gaps that are too narrow. [m, >= 0, default 0.4]
---@field height? number  [m, >= 0, default 1.75]
---@field climb? number  [m, >= 0, default 0.4]
---@field speed? {calm: number?, normal: number?, fast: number?}  [m/s, > 0, default 1.4 3 5.5]
---@field speed_factor? table<string, number>  By area, times the area's own `speed`. [> 0, default 1]
---@field turn_radius? number  [m, >= 0, default 0]
---@field stances? table<string, leeward.Stance>  `stand` and `crouch` are always there; six more by any name.
---@field can_swim? boolean  [default false]
---@field can_open_doors? boolean  [default true]
---@field can_traverse? {triangular: boolean?, road: boolean?, waypoint: boolean?, volume: boolean?}
---@field can_take? leeward.LinkKinds  Off-mesh links that it takes. [default all]
---@field avoid? string[]  Areas that it never enters.

--- What a file or script states under a profile's name.
---@class leeward.NamedProfile: leeward.Profile
---@field patch? boolean  Only differences: to the files of that name in the roots behind this file's, or, from a
--- script, to all that was defined before. [default false: the whole profile]

--- The profile with all that it extends; with a table, defines it, or changes it (`patch = true`).
--- Looks for scripts/profiles/NAME.lua along the roots when the name is used first: the file in the first root counts,
--- and where it says `patch = true`, its values over those of the next. A broken file and a wrong table raise, naming
--- the file, line or profile, and the key, and change nothing. Agents that live keep the numbers they were spawned with
--- until a reload.
---@param name string  1..63 bytes
---@param values? leeward.NamedProfile
---@return leeward.Profile? resolved  a copy
---@return string? message
---@return leeward.Code? code  NOT_FOUND
function leeward.profile(name, values) end

---@return string[] names  sorted: defined, or found along the roots
function leeward.profiles() end

--- A value of a profile and who set it.
---@class leeward.ProfileValue
---@field key string  such as "speed.calm"
---@field value number|boolean|number[]|string[]
---@field unit? "m"|"m/s"
---@field profile? string  The one in the lineage that states it. nil: nobody does, it is the default.
---@field file? string  Of a profile's file or of the script.
---@field line? integer

--- What an area is for a profile.
---@class leeward.ProfileArea
---@field name string
---@field price? number  Of a metre, exposure and danger apart. [metre-equivalents, >= 1] nil: it may not go there.
---@field speed? {calm: number, normal: number, fast: number}  [m/s] nil: it may not go there.

---@class leeward.ProfileInfo
---@field name string
---@field lineage string[]  Its own name, what it extends, what that extends, ...
---@field values leeward.ProfileValue[]
---@field areas leeward.ProfileArea[]  in the order of leeward.areas()

--- Every value of a profile with its unit and who set it where, and what each area is for it.
---@param name string
---@return leeward.ProfileInfo?
---@return string? message
---@return leeward.Code? code  NOT_FOUND
function leeward.profile_info(name) end

--- Read scripts/areas.lua and the files of all profiles in use anew, if they were edited. All must be right, or
--- nothing changes and the answer is "no". Queries see the new numbers at once; agents get them when their world steps
--- next, as well as what scripts have defined anew, and those on the way search anew where that matters. What scripts
--- defined stays above what files say. An area that is no longer in its file stays as it was.
---@return string[]? files  that were different, or are gone; empty: none
---@return string? message  file, line, key, and what is wrong
---@return leeward.Code? code  BAD_FILE
function leeward.reload() end
