---@meta _
-- luacheck: ignore 241
---@class leeward
local leeward = {}

--- A volume of a permutation, written as for Geometry:mark_area: one of `box` and `polygon`.
---@class leeward.Volume
---@field box? leeward.MarkBox  At most 1000 m on every axis.
---@field polygon? leeward.Point[]  Convex seen from above, in either winding; heights do not matter. [3..16, within
--- 1000 m of each other]
---@field bottom? number  Of a polygon: its lowest height. [m, default 1000 m below `top`]
---@field top? number  Of a polygon: its highest height. Without both it reaches from 500 m below its first corner to
--- 500 m above. [m, at most 1000 m above `bottom`]
---@field cover? "hard"|"soft"|"none"|false  What it blocks from bottom to top while the state is set, as
--- leeward.ObstacleDefinition's. [default: "hard" where it is cut out, "none" for a marked one and for a polygon
--- without `top`]

---@class leeward.MarkedVolume: leeward.Volume
---@field area? string  What the ground in it becomes.
---@field cost? number  What each metre in it costs more. One of both is needed. [metre-equivalents, 0..10000]

--- An obstacle of a permutation: as for World:add_obstacle, but it rests.
---@class leeward.RestingObstacle
---@field shape? leeward.ObstacleShape  Default: "polygon" with `points`, "cylinder" with `radius`, else "box".
---@field at? leeward.Point  The middle of its bottom, needed but for a polygon: what its points are added to. [m]
---@field yaw? number  About y, counter-clockwise seen from above. [rad, default 0]
---@field size? leeward.Point  Of a box: whole. [m, > 0, <= 1000, default 1 1 1]
---@field radius? number  Of a cylinder. [m, > 0, <= 1000, default 0.5]
---@field height? number  Of a cylinder or a polygon. [m, > 0, <= 1000, default 2]
---@field points? leeward.Point[]  Of a polygon: its corners, convex, either way round. [3..16]
---@field blocks? boolean  Is it cut out? [default true, with `area` or `cost` false]
---@field area? string  What the ground becomes instead.
---@field cost? number  What each metre through it costs more. [metre-equivalents, 0..10000, default 0]
---@field cover? "hard"|"soft"|"none"|false  What it blocks while the state is set. [default "hard", with `area`
--- "none"]

--- What a state does to the navmeshes while it is set. A state without lists leaves them as they were baked. At most
--- 4096 volumes and obstacles in all.
---@class leeward.PermutationState
---@field cut? leeward.Volume[]  No ground: cut out, each grown by the agent radius of the navmesh.
---@field mark? leeward.MarkedVolume[]  Ground that becomes another area, or costs more; not grown.
---@field obstacles? leeward.RestingObstacle[]  The same in the words of World:add_obstacle.
---@field links? table<string, boolean>  By the names of links that the world has, or had before their tiles were
--- removed: false bars all of that name, also those that are added later or come back with their tiles; true does not,
--- as if it were not named. A link is used if no permutation bars it and it is enabled. [at most 256]
---@field tiles? leeward.StateTiles|leeward.StateTiles[]|string  What takes the place of tiles of the navmeshes while
--- the state is set: of leeward.bake_permutations, or a name of World:name_tiles. A tile belongs to one permutation
--- at most. While one permutation alone has tiles, of navmeshes that differ in nothing else, a change costs a swap;
--- else the navmesh is put together in the step that needs it first, and kept. What else changes these tiles is not
--- seen while the state has them.

--- Tiles of another navmesh of the same grid, for a state: a list of places, or a box. Without `source` they are
--- removed.
---@class leeward.StateTiles
---@field source? leeward.Navmesh  The world holds it as long as it needs it.
---@field navmesh? leeward.Navmesh|integer  Which of the world's has them. [default: the only one]
---@field box? leeward.TileBox  All tiles that it touches.
---@field [integer] { x: integer, z: integer }|{ [1]: integer, [2]: integer }

--- A named part of the navmeshes that has several states, one of which is set. All keys but these two are states, at
--- most 64, with names of 1..63 bytes; `patch` cannot be the name of one.
---@class leeward.PermutationDefinition
---@field default? string  The state that it begins in; needed unless there is only one.
---@field level? string|string[]  In files: the levels that it belongs to, for leeward.permutations. Else ignored.
---@field [string] leeward.PermutationState

--- Bake a level in several states, and find the tiles that differ: each state of a permutation has these
--- (PermutationState.tiles). All are baked with the same settings, within bounds that hold all geometry. A geometry
--- that is given several times is baked once; a state that is baked already may be given as a navmesh. Each state keeps
--- its whole navmesh, which Navmesh:save writes as any other.
---@param geometry leeward.Geometry|leeward.Navmesh  What the world begins with.
---@param states table<string, leeward.Geometry|leeward.Navmesh>
---@param settings? leeward.BakeSettings
---@return leeward.Navmesh? navmesh  Of `geometry`.
---@return table<string, leeward.StateTiles>|string tiles  By state, all over the same places; on an error the message.
---@return leeward.BakeReport|leeward.Code|nil report  Of `geometry`; nil for a navmesh; on an error the code, as of
--- leeward.bake.
function leeward.bake_permutations(geometry, states, settings) end

---@class leeward.Navmesh
local Navmesh = {}

--- The tiles that two navmeshes of one grid do not have in common: polygons, areas, heights, openness or what blocks
--- sight over them differ, or only one has them. The same surface, cut into other polygons, does not differ. Raises for
--- other areas, sizes of agents or tiles, or another grid.
---@param other leeward.Navmesh
---@return { x: integer, z: integer }[]  by z, then x
function Navmesh:differing_tiles(other) end

--- The definitions in scripts/permutations/*.lua along the roots. A file with `patch = true` changes the one of that
--- name in the roots behind it: nested tables key by key, lists as a whole. A wrong file raises, with file and key.
--- Files are read on first use, and again by leeward.reload. `pairs` gives them in another order in each process: sort
--- the names to define them, for runs repeat where permutations are defined in the same order.
---@param level? string  Only those whose `level` is or has this one. [default: all]
---@return table<string, leeward.PermutationDefinition>  by name; each a copy
function leeward.permutations(level) end

---@class leeward.World
local World = {}

--- Define a permutation. If it is defined already it gets the new states, and stays in its state if that name is among
--- them. Raises if a state names a link that the world does not have. With a name alone: as the files
--- scripts/permutations/NAME.lua say; after a leeward.reload that changed one of them the world defines it again when
--- its next step begins. What a script defines replaces that.
---
--- A state takes effect as a whole when the next step begins, or in World:apply_changes, together with all obstacles;
--- so does the first one. Agents react as they do to obstacles (leeward.Obstacle). Several permutations do not disturb
--- each other: where they overlap, ground is there if none of them cuts it. What has `cover` blocks sight and offers
--- cover from the same step on, and no longer than its state is set.
---@param name string  1..63 bytes
---@param definition? leeward.PermutationDefinition
---@return true?
---@return string? message
---@return leeward.Code? code  NOT_FOUND: no file has that name; LIMIT: there are 1024
function World:permutation(name, definition) end

--- Name tiles, so that files may give them to states. Permutations that are defined already keep what they have.
---@param name string
---@param tiles leeward.StateTiles|leeward.StateTiles[]
function World:name_tiles(name, tiles) end

--- Set the state of a permutation. Raises for a name that is unknown, with a suggestion.
---@param name string
---@param state string
function World:set_permutation(name, state) end

---@param name string
---@return string? state  that was set last; nil: there is no such permutation
---@return boolean is_applied  whether it has taken effect
function World:permutation_state(name) end

---@return string[] names  in the order in which they were defined
function World:permutations() end

---@param name string
---@return string[]? states  in no particular order; nil: there is no such permutation
function World:permutation_states(name) end

--- Add a listener: called with the name and the state of a permutation when one has taken effect, inside the step or
--- World:apply_changes, that is another one than before, or is defined otherwise than before; after World:load for each
--- that is in another state than before. Setting a state again that has effect calls nobody, nor does setting another
--- one and that one again within a step. Like a leaf it may set permutations, spawn, or destroy the world; it has the
--- world's `leaf_instructions`, and its error goes to the world's log with file:line. Listeners are called in the order
--- in which they were added. They are not saved.
---@param f? fun(name: string, state: string)  nil: remove all listeners
function World:on_permutation(f) end
