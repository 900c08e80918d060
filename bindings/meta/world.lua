---@meta _
-- luacheck: ignore 241
---@class leeward
local leeward = {}

--- Navmeshes, the agents on them, and time. `local world <close> = leeward.world{...}` destroys it at the block's end.
---@class leeward.World
local World = {}

---@class leeward.WorldDefinition
---@field navmesh? leeward.Navmesh  Either this or `navmeshes`.
---@field navmeshes? leeward.Navmesh[]  Several, each with its own bounds and agent size. [1..64]
---@field links? leeward.Link[]  From one of the navmeshes to another: each end is moved to the nearest place.
---@field seed? integer  Same seed, same run. [default 1]
---@field depth_maps? integer  For threats that are asked about often (see leeward.Accuracy): so many for questions from
---inside steps and as many for those from outside, and to look for watched paths by, of which there are more while a
---path has more threats, up to 64, until none had for 600 steps. 192 KB each, made when first needed. [0..32, 0:
---exposure is always exact, default 16]
---@field stuck_seconds? number  An agent without progress for so long searches anew, then fails. [s, > 0, default 2]
---@field death_danger? leeward.DeathDanger  What an agent that dies (agent:kill()) leaves behind. Default: nothing.
---@field log? fun(level: "debug"|"info"|"warning"|"error", message: string)  Default: standard error.

---@param definition leeward.WorldDefinition
---@return leeward.World
function leeward.world(definition) end

--- Abort every tree and free everything; whatever is asked of it or its agents afterwards raises. Twice is fine.
function World:destroy() end

--- Advance everything. Raises from inside a step.
---@param dt? number  [s, > 0, <= 1, default 1/60]
function World:step(dt) end

--- Steps of 1/60 s, the last one never shortened.
---@param seconds number  [s, >= 0]
---@param on_step? fun(world: leeward.World)  after each step
function World:run(seconds, on_step) end

---@return number  simulation time [s]
function World:time() end

---@return integer  since the beginning
function World:steps() end

--- A number over all that the next steps depend on.
---@return string  16 hexadecimal digits
function World:hash() end

---@return integer  bytes that the world holds
function World:memory() end

--- Which navmesh a query takes that names none (`navmesh = a`, or its number): of those whose bounds hold the point (or
--- if none does, come within `snap` of it), the one that lacks the least of the profile's height, then of its radius,
--- then has the least radius to spare, then the least height; of several of that size, the one with the nearest place.
---@param number? integer  [default 1]
---@return leeward.Navmesh?  nil: there are not so many
function World:navmesh(number) end

---@return leeward.Navmesh[]  in the order in which they were given
function World:navmeshes() end

---@class leeward.WorldLink
---@field index integer
---@field kind leeward.LinkKind
---@field state "joined"|"refused"
---@field reason? string  Why it was refused.
---@field from leeward.vec3  On `from_navmesh`; of a refused one, as it was asked for.
---@field to leeward.vec3
---@field from_navmesh? integer  Number of the navmesh nearest to that end.
---@field to_navmesh? integer
---@field asked? integer  The navmesh that was asked for it, and that has only one of its ends. None: the world was.
---@field bidirectional boolean
---@field radius number
---@field length? number  What it counts for in a path, if it has joined. [m]
---@field area? string

--- The links between its navmeshes: those that `leeward.world` was given, refused ones too, then those that a navmesh
--- had refused because one end found none of it, but whose other end lies on another navmesh of the world.
---@return leeward.WorldLink[]
function World:links() end

--- leeward.reload(), of which the world's log tells too: which files (info), or what is wrong (error).
---@return string[]? files  that were different, or are gone; empty: none
---@return string? message
---@return leeward.Code? code  BAD_FILE
function World:reload() end

--- As math.random, from the world's own stream.
---@param m? integer
---@param n? integer
---@return number
function World:random(m, n) end
