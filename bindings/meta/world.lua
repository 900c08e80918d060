---@meta _
-- luacheck: ignore 241
---@class leeward
local leeward = {}

--- A world: navmeshes, the agents on them, and time. `local world <close> = leeward.world{...}` destroys it at the
--- end of the block.
---@class leeward.World
local World = {}

---@class leeward.WorldDefinition
---@field navmesh? leeward.Navmesh  This or `navmeshes`.
---@field navmeshes? leeward.Navmesh[]  Several, each with its own bounds and agent size. [1..64]
---@field links? leeward.LinkDefinition[]  Between the navmeshes: each end is moved to the nearest point.
---@field seed? integer  Same seed, same run. [default 1]
---@field depth_maps? integer  Depth maps for threats with many queries (see leeward.Accuracy): this count for
--- queries from inside steps, and the same count for those from outside. 192 KB each, allocated on first use. [0..32,
--- 0: exposure is always exact, also in path searches, default 16]
---@field sight_budget? integer  Lines of sight that agents look along in a step by their senses, besides those of the
--- last one that looks and of those that are about to be noticed. [>= 1, default 4000]
---@field search_work? integer  Work for paths in a step, in search nodes: see World:request_path. [1..2147483647,
--- default 10000]
---@field walk_ahead? boolean  Agents whose search takes several steps walk meanwhile towards their goal, as far as it
--- has come. [default true]
---@field threads? integer  Threads that search in a step, with the one that steps. They change no result, only how long
--- it takes; each has memory to search in. [1..64, default 1]
---@field stuck_seconds? number  An agent without progress for this time searches again, then fails. [s, > 0, default
--- 2]
---@field death_danger? leeward.DeathDanger  The danger that agent:kill() adds. Default: none.
---@field leaf_instructions? integer  Lua instructions that one call of a leaf's `start`, `tick` or `stop`, or of a
--- listener to permutations, may run. Then it fails, and the log says where it was, at the same place in each run; what
--- `pcall` catches of that is raised again. Counted: the function and what it calls in Lua, with coroutines that leaves
--- created. Not counted: coroutines created elsewhere; finalisers and message handlers of `xpcall`; time in functions
--- of C, such as a string pattern that backtracks or `("x"):rep(1e9)`; leaves while a debugger's hook is set, and what
--- a leaf runs after its own call of `debug.sethook`. Callbacks such as `on_step` have no such limit. A world that a
--- leaf steps has its own. [0..2147483647, 0: no limit and no cost, default 10000000]
---@field leaf_seconds? number  Processor time that such a call may take, a last resort: one instruction may take long,
--- as a comparison of long strings does. It is looked at now and then, in what runs instructions of Lua, and only where
--- `leaf_instructions` is not 0. 10 million ordinary instructions take 40 ms: leave it so high that what behaves never
--- comes to it, for what ends by it does not repeat. [s, >= 0, 0: any, default 2]
---@field history? integer  Entries that each agent keeps of what happened to it: see World:history(). [0..4096, default
--- 32]
---@field log? fun(level: "debug"|"info"|"warning"|"error", message: string)  Default: standard error.

---@param definition leeward.WorldDefinition
---@return leeward.World
function leeward.world(definition) end

--- Abort every tree and free the world. Every later method of it or its agents raises, except destroy. May be called
--- anywhere: inside a call of the module (in a leaf, a callback, a finaliser) the world is gone for scripts at once, no
--- other leaf is ticked, and it is freed when the outermost call returns. Then running leaves are stopped; their `stop`
--- may still ask it.
function World:destroy() end

--- Advance the simulation. Raises from inside a step or a leaf.
---@param dt? number  [s, > 0, <= 1, default 1/60]
function World:step(dt) end

--- Run steps of 1/60 s until at least that time has passed, or the world is destroyed.
---@param seconds number  [s, >= 0]
---@param on_step? fun(world: leeward.World)  after each step
function World:run(seconds, on_step) end

--- Cut obstacles and permutations out of the navmeshes, or put ground back, as the next step would do when it begins:
--- to ask or draw without a step. Raises from inside a step or a leaf.
function World:apply_changes() end

---@return number  world time [s]
function World:time() end

---@return integer  count of steps since the world was created
function World:steps() end

--- A hash of all state that the next steps depend on, but for what is the caller's: navmeshes as they are baked and
--- rebuilds of them, profiles and trees. Blackboards count: by value where that is a number, boolean, string, vec3
--- or agent. Of a function, a table or another object of Lua it counts which one it is, and not what is in it: setting
--- a field changes nothing. A world that holds such values has another hash after a load.
---@return string  16 hexadecimal digits
function World:hash() end

---@return integer  held by the world [bytes]
function World:memory() end

--- A navmesh of the world by number. A query without `navmesh` (a navmesh or its number) uses, of those whose bounds
--- contain the point (else: are within `snap` of it), the one whose agent size fits the profile best: smallest lack
--- of height, then of radius, then smallest excess of radius, then of height; of several of one size, the one with
--- the nearest point.
---@param number? integer  [default 1]
---@return leeward.Navmesh?  nil: the number is beyond the last
function World:navmesh(number) end

--- A number that grows with each change of the world's version of a navmesh, by obstacles, permutations, links or
--- tiles: a program sees by it that what it has computed is outdated. 0: nothing has changed it. See Path:pieces.
---@param number? integer  [default 1]
---@return integer?  nil: the number is beyond the last
function World:navmesh_version(number) end

---@return leeward.Navmesh[]  in the order in which they were given
function World:navmeshes() end

---@class leeward.WorldLink
---@field index integer
---@field kind leeward.LinkKind
---@field state "joined"|"refused"
---@field reason? string  Why it was refused.
---@field from leeward.vec3  On `from_navmesh`; of a refused link, as given.
---@field to leeward.vec3
---@field from_navmesh? integer  Number of the navmesh nearest to that end.
---@field to_navmesh? integer
---@field requested_by? integer  Number of the navmesh that defines it, and has only one of its ends. nil: the world
--- defines it.
---@field bidirectional boolean
---@field radius number
---@field length? number  Of a joined link, for the cost of a path. [m]
---@field area? string
---@field name? string
---@field capacity? integer  If one was given.

--- The links between the world's navmeshes, refused ones included: those in its definition, then those of a navmesh
--- that has only one of their ends, if another navmesh of the world has the other. World:all_links has all links that
--- joined, and what can be changed about them.
---@return leeward.WorldLink[]
function World:links() end

--- Call leeward.reload(), and log the files (info) or the error.
---@return string[]? files  that were changed or removed; empty: none
---@return string? message
---@return leeward.Code? code  BAD_FILE
function World:reload() end

--- As math.random, from the world's own stream.
---@param m? integer
---@param n? integer
---@return number
function World:random(m, n) end
