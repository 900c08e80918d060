---@meta _
-- luacheck: ignore 241
---@class leeward
local leeward = {}

---@class leeward.Navmesh
local Navmesh = {}

---@class leeward.World
local World = {}

---@class leeward.Tile
---@field x integer  Place in the grid of tiles.
---@field z integer
---@field polygons integer
---@field bounds leeward.vec3[]  Two points.

--- Where to change tiles: a list of places in the grid, or a box: all tiles that it touches.
---@alias leeward.TileBox leeward.Point[]|{min: leeward.Point, max: leeward.Point}
---@alias leeward.TileParts { [1]: integer, [2]: integer }[]|{ box: leeward.TileBox }

--- The tiles of a navmesh that have polygons, by z, then x.
---@return leeward.Tile[]
function Navmesh:tiles() end

--- A navmesh with some tiles taken from another one of the same grid: added, replaced, or removed without `source`.
--- Nothing is baked: openness, links that begin there and water come with the tiles, occluders are cut along their
--- borders, and cover is found again. Raises for other areas, sizes of agents or tiles, another grid, a tile given
--- twice, or cover that was baked without occluders.
---@param navmesh leeward.Navmesh
---@param source leeward.Navmesh?
---@param parts leeward.TileParts
---@return leeward.Navmesh? changed
---@return string? message
---@return leeward.Code? code  EMPTY, LIMIT
function leeward.replace_tiles(navmesh, source, parts) end

--- Put what changed from one navmesh to another onto a third: a leeward.rebuild() onto what a world has by then.
--- Polygons, what blocks sight, and links and water of a tile are those of `changed` where they differ from those of
--- `before`, else those of `now`. Where both differ, what blocks sight, links and water are of the navmesh that changed
--- the polygons, and if neither did of `now`; openness has both differences. World:rebuild does this by itself. Raises
--- as leeward.replace_tiles().
---@param before leeward.Navmesh  What `changed` was built from.
---@param changed leeward.Navmesh
---@param now leeward.Navmesh
---@return leeward.Navmesh? merged
---@return string? message
---@return leeward.Code? code  STALE: both have changed the polygons of a tile, which the message names; EMPTY, LIMIT
function leeward.merge_changes(before, changed, now) end

--- Put another navmesh in the place of one of the world's when the next step begins, or in World:apply_changes(): of
--- leeward.rebuild(), or baked from a changed level. What is on tiles of equal content stays: agents and their paths,
--- polygon ids where the tile keeps its place in the list, obstacles, permutations, dangers. An agent whose ground is
--- gone is put aside, falls or is trapped as by an obstacle (leeward.Obstacle); a path that leads over such tiles is
--- searched again. Links with the same kind, ends, direction and name keep their handles and what was set; those of
--- World:add_link are placed
--- again, or wait for ground. Cover that vanished is nobody's. Raises for a navmesh with other areas, or for other
--- sizes of agents or tiles.
---@param navmesh leeward.Navmesh
---@param old? leeward.Navmesh|integer  The navmesh that it replaces, or its number. [default: the only one; then the
--- report of a bake may stand here]
function World:set_navmesh(navmesh, old) end

--- Take tiles from another navmesh of the same grid, or remove them: leeward.replace_tiles() of the world's navmesh,
--- which then takes its place as by World:set_navmesh(). Several calls before a step add up. Each copies the navmesh,
--- and finds cover again near the tiles, before it returns. Raises for a tile that neither navmesh has.
---@param source leeward.Navmesh?
---@param parts leeward.TileParts
---@param old? leeward.Navmesh|integer  The navmesh to change, or its number. [default: the only one]
---@return leeward.Navmesh? changed
---@return string? message
---@return leeward.Code? code  EMPTY, LIMIT
function World:set_tiles(source, parts, old) end

--- As leeward.BakeSettings, without `progress`, `tiles` and `links`.
---@class leeward.RebuildOptions: leeward.BakeSettings
---@field geometry leeward.Geometry  As it is now, also on tiles beside those that `box` meets, which may be baked
--- again, too: what it lacks there is gone. It cannot be changed until the rebuild is done.
---@field box leeward.Point[]|{min: leeward.Point, max: leeward.Point}  Holds all that has changed.
---@field navmesh? leeward.Navmesh|integer  Which to rebuild. [default: the only one]
---@field at? integer  World:steps() at which it takes effect; that step waits for it, so that runs repeat. Raises for a
--- step that is over. [default: when RebuildJob:apply is called]
---@field threads? integer  [default 1]

---@class leeward.RebuildJob
local RebuildJob = {}

--- Rebuild one of the world's navmeshes in the background, as leeward.rebuild(), while the world steps and answers.
--- It begins from the navmesh that the world has, or that waits to take its place. If the world has another one when it
--- takes effect, what it changed is put onto that (leeward.merge_changes): so several may run at once, beside
--- World:set_tiles, and only two that change the polygons of one tile, and not to the same ones, exclude each other. An
--- error at the step `at` is logged; RebuildJob:wait tells a STALE one, too. A rebuild is not saved, and is cancelled
--- by World:load and World:destroy, and when Lua closes. Settings that do not fit raise here, before anything is baked.
---@param options leeward.RebuildOptions
---@return leeward.RebuildJob? job
---@return string? message
---@return leeward.Code? code  EMPTY or LIMIT: what the settings leave of the geometry
function World:rebuild(options) end

---@return boolean
function RebuildJob:is_done() end

---@return integer done  tiles
---@return integer total  0: it has not begun
function RebuildJob:progress() end

--- Wait for its end.
---@return true?
---@return string? message
---@return leeward.Code? code  CANCELLED; STALE: its step had come, and it was refused as by RebuildJob:apply; else as
--- leeward.rebuild.
function RebuildJob:wait() end

--- Wait for its end, and let the navmesh take the place of the one that was rebuilt when the next step begins, with
--- what else has changed meanwhile.
---@return leeward.Navmesh?
---@return string? message
---@return leeward.Code? code  STALE: another change has replaced the polygons of one of its tiles meanwhile, which the
--- message names, or the world has a navmesh of another grid, or it was applied or cancelled, or the world is gone.
function RebuildJob:apply() end

--- It is not applied, and ends soon. Does not wait.
function RebuildJob:cancel() end
