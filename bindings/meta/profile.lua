---@meta _
-- luacheck: ignore 241
---@class leeward
local leeward = {}

--- The numbers that a request may replace by `cost`.
---@class leeward.Costs
---@field resistance_factor? {triangular: number?, road: number?, waypoint: number?, volume: number?}  [>= 0]
---@field swim_resistance_factor? number  [>= 0]
---@field exposure_factor? number  [>= 0]
---@field danger_cost? number  Metres of detour per unit of danger. [>= 0]
---@field cover_bias? number  Cost of an exposed metre. [>= 1]
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

--- Absent keys are as in `stand`. Defaults of `stand`: 1.6, { 0.9, 1.6 } and 1; of `crouch`: 0.9, { 0.5, 0.9 } and
--- 0.5.
---@class leeward.Stance
---@field eye? number  Above the feet. [m, > 0]
---@field body? number[]  Lower and upper end of the visible part, above the feet. [m]
---@field speed? number  Factor. [> 0]

--- Rays ahead of an agent that avoids others, on which it sees what its path cannot know, as that moves on: obstacles
--- that move, or are not cut out yet, vehicles, agents faster than 5 m/s and twice as fast as itself, and the ends of
--- links where others are about to arrive. It turns to the ray that is free for longest, further round where that does
--- not do, or waits. Walls are looked at where it may turn.
---@class leeward.Whiskers
---@field rays? integer  The middle one looks where the agent wants to go, the others to both sides. 0: none.
--- [0, 1, 3, 5 or 7, default 3]
---@field seconds? number  How long the agent would take to their ends. [s, 0..5, default 1.2]
---@field spread? number  From the middle ray to the outermost. [rad, 0..1.5, default 0.5]

--- A trailer behind a vehicle: a rectangle on one axle, which turns about a joint on the vehicle's middle line. It
--- follows where the vehicle tows or pushes it. Lengths are along the vehicle or the trailer.
---@class leeward.Trailer
---@field length? number  Of its body. 0: there is none. [m, >= 0, default 0]
---@field width? number  Above 0 beside a length. [m, >= 0, default 0]
---@field joint? number  From the vehicle's rear axle back to the joint; below 0: the joint is before the axle.
--- [m, -1000..1000, default 0]
---@field drawbar? number  From the joint back to the front of its body; below 0: the body begins before the joint.
--- [m, -1000..1000, default 0]
---@field wheelbase? number  From the joint back to its axle: above 0 beside a length, and beneath the body.
--- [m, >= 0, default 0]
---@field max_angle? number  It turns no further to each side of the vehicle's line. [rad, 0.1..1.5, default 1]

--- The numbers of one kind of agent. Factors are at most 1000000, sizes 1000 m, speeds 1000 m/s. A profile that is
--- given as a table is called "custom", unless it is `extends` alone: leeward.profile gives it a name, by which saved
--- games and messages know it.
---@class leeward.Profile: leeward.Costs
---@field extends? string  Tables merge key by key; lists (avoid, body) are replaced as a whole.
---@field radius? number  Agents larger than the navmesh was baked for keep the difference from its walls, and avoid
--- gaps that are too narrow. [m, >= 0, default 0.4]
---@field height? number  Headroom that it needs to stand. [m, >= 0, default 1.75]
---@field climb? number  Highest step up or down: what is higher is not crossed, and of a baked navmesh the strip beside
--- it not entered. [m, >= 0, default 0.4]
---@field speed? {calm: number?, normal: number?, fast: number?}  [m/s, > 0, default 1.4 3 5.5]
---@field speed_factor? table<string, number>  By area, times the area's own `speed`. [> 0, default 1]
---@field turn_radius? number  Of a vehicle: at least 0.1, of the middle of its rear axle. [m, >= 0, default 0]
---@field wheelbase? number  From axle to axle. Above 0: it is a vehicle, which cannot turn in place, takes no off-mesh
--- links and drives along a drive (`world:find_drive`). Its position is the middle of its rear axle. [m, >= 0,
--- default 0]
---@field length? number  Of a vehicle: at least its wheelbase. [m, >= 0, default 0]
---@field width? number  Of a vehicle: above 0, and mostly twice its radius. [m, >= 0, default 0]
---@field reverse_cost? number  Of a metre backwards, in metres forwards. [>= 1, default 3]
---@field trailer? leeward.Trailer  Of a vehicle: what it tows.
---@field acceleration? number  Forwards. 0: no limit. [m/s2, >= 0, default 0]
---@field deceleration? number  When it brakes. 0: no limit. [m/s2, >= 0, default 0]
---@field lateral_acceleration? number  In turns: limits the speed there. 0: no limit. [m/s2, >= 0, default 0]
---@field turn_rate? number  Of the heading. 0: no limit. [rad/s, >= 0, default 0]
---@field caution? number  How much it slows near walls and ledges and in turns. [0..1, default 0]
---@field priority? number  Of two that avoid each other, the one of lower priority yields. [0..1000, default 1]
---@field mass? number  Heavy agents push light ones aside. [kg, > 0, default 80]
---@field avoidance? "none"|"soft"|"full"  `none`: walks through others, and they through it; `soft`: avoids others
--- that do not say `none`, but may overlap them; `full`: does not overlap them either. [default none]
---@field whiskers? leeward.Whiskers  What it looks ahead with. A vehicle has no rays: with `rays` above 0 it brakes for
--- obstacles that are, or within `seconds` will be, before it.
---@field stances? table<string, leeward.Stance>  `stand` and `crouch` always exist; up to six more by any name.
---@field senses? leeward.Senses  What it notices by itself. Default: nothing.
---@field wade_depth? number  Water as deep as this is walked through; deeper water is swum, or, without `can_swim`, not
--- entered, whatever its area. [m, 0..2.5, default 0.9]
---@field can_swim? boolean  Whether it enters water deeper than `wade_depth`, and areas with `deep_water` where the
--- navmesh knows no depth. [default false]
---@field can_crouch? boolean  Whether it passes under ceilings lower than `height`, in a stance that is low enough, at
--- that stance's speed: one whose body ends as much lower than that of `stand`. [default true]
---@field can_open_doors? boolean  [default true]
---@field can_traverse? {triangular: boolean?, road: boolean?, waypoint: boolean?, volume: boolean?}  [default all
--- true but volume]
---@field can_take? leeward.LinkKinds  Off-mesh links that the agent may use. [default all]
---@field avoid? string[]  Areas that are impassable.

--- The definition of a profile in a file or by a script.
---@class leeward.NamedProfile: leeward.Profile
---@field patch? boolean  The definition changes the profile of that name: in a file, the one in the roots behind it;
--- from a script, everything defined before. [default false: the definition is the whole profile]

--- The values of a profile, including those that it extends. With a table: define the profile, or change it (`patch =
--- true`). On first use of a name, scripts/profiles/NAME.lua is searched along the roots: the file in the first root
--- counts; where it is a patch, it changes the next one. A wrong file or table raises, with the file or profile and
--- the key, and changes nothing. Agents keep the numbers from their spawn until a reload.
---@param name string  1..63 bytes, not "custom"
---@param values? leeward.NamedProfile
---@return leeward.Profile? resolved  a copy
---@return string? message
---@return leeward.Code? code  NOT_FOUND
function leeward.profile(name, values) end

--- The profile of a group that goes together: the limits of the most limited (the widest radius, the greatest height,
--- the lowest climb and speeds; it swims, opens and takes what all do, and avoids what any does), and the mean of the
--- factors of costs, of priority and mass. On each area it is as fast as the slowest member there, at the normal pace.
--- Of the senses it has the best: what one notices, the group knows. Of a stance that all have, both ends of the
--- bodies, the mean eye and the lowest speed. The table may be used wherever a profile is asked for; as any other, it
--- is called "custom" until leeward.profile names it.
---@param profiles (string|leeward.Profile)[]
---@return leeward.Profile
function leeward.combined_profile(profiles) end

---@return string[] names  sorted: of profiles defined by scripts or in files along the roots
function leeward.profiles() end

--- A value of a profile and where it is set.
---@class leeward.ProfileValue
---@field key string  such as "speed.calm"
---@field value number|boolean|number[]|string[]
---@field unit? "m"|"m/s"|"m/s2"|"rad/s"|"kg"
---@field profile? string  The profile in the lineage that sets it. nil: it is the default.
---@field file? string  The file of that profile, or the script.
---@field line? integer  In the script; nil for a profile's file.

--- Price and speed on an area for a profile.
---@class leeward.ProfileArea
---@field name string
---@field price? number  Of a metre, without exposure and danger. nil: impassable. [metre-equivalents, >= 1]
---@field speed? {calm: number, normal: number, fast: number}  nil: impassable. [m/s]

---@class leeward.ProfileInfo
---@field name string
---@field lineage string[]  Its name, the name of the profile that it extends, and so on.
---@field values leeward.ProfileValue[]
---@field areas leeward.ProfileArea[]  in the order of leeward.areas()

--- Every value of a profile with its unit and source, and price and speed on every area.
---@param name string
---@return leeward.ProfileInfo?
---@return string? message
---@return leeward.Code? code  NOT_FOUND
function leeward.profile_info(name) end

--- Read scripts/areas.lua and the files of all profiles and permutations in use again. If one of them is wrong, nothing
--- changes. Queries use the new numbers at once. Agents get them, and profiles that scripts have redefined, at the next
--- step of their world, and search again if that affects their path; a world also gets the permutations that it has
--- from files, and stays in their states. Definitions by scripts still take precedence over files. An area that was
--- removed from its file stays unchanged.
---
--- Files of trees and of modules of `behaviors` and `scripts` that were edited are run again, with all that needs them.
--- New spawns get the new trees at once, agents that run a tree by name at the next step of their world. There, nodes
--- keep their state (see `behaviors/README.md`); a tree whose running leaf is gone is aborted, and begins again. Leaves
--- that go on have their new functions and options; a coroutine has them when it begins again. What was built from
--- tables stays, and so do modules that scripts hold themselves. The file of a tree in use that was removed is an
--- error, and so is that of a module which another file still needs.
---@return string[]? files  that were changed or removed; empty: none
---@return string? message  the file, the key, and what is wrong
---@return leeward.Code? code  BAD_FILE
function leeward.reload() end
