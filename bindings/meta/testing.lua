---@meta leeward.testing
-- luacheck: ignore 241

--- Tests of behaviours under busted: worlds in a line, and assertions that say what happened. The functions are about
--- the world that `sim.map` or `sim.level` created last: in the test, or in `before_each` or `setup` around it. A world
--- that another test has created is not used. What they do is remembered, so that a run can be repeated.
--- Where a place is asked for, that is the name of one, a point, an agent or a threat.
---
---     local sim = require "leeward.testing"
---@class leeward.testing
local sim = {}

---@alias leeward.testing.Place string|leeward.Point|leeward.Agent|leeward.Threat

---@class leeward.testing.Options
---@field seed? integer  of the world [default 1]
---@field places? table<string, leeward.Point>  names of more places
---@field world? table  more of leeward.WorldDefinition, but the navmesh
---@field errors? string  a pattern of Lua: errors in the log that have it in them are expected. Others fail the test
--- at the end of sim.run, sim.run_until, an assertion that lets time pass, or a scene of sim.seeds [default: none is]

---@class leeward.testing.MapOptions: leeward.testing.Options
---@field square? number  side of a square of the drawing [m, > 0, default 2]
---@field areas? table<string, string>  more letters, and the areas that they are
---@field bake? table  settings of the bake, over cells of 0.2 x 0.1 m and agents of 0.4 x 1.8 m that climb 0.4 m

--- A world from a drawing, seen from above: x grows to the right and z downwards, from (0, 0, 0). `#` is a wall of 2.5
--- m,
--- `+` one of 1 m, `.` ground, `=` road, `~` shallow water, `,` grass, `"` undergrowth, a blank nothing at all; a
--- letter or digit is ground, and the name of the place in its middle. A navmesh is baked once for each drawing.
---@param drawing string
---@param options? leeward.testing.MapOptions
---@return leeward.World
function sim.map(drawing, options) end

---@class leeward.testing.LevelOptions: leeward.testing.Options
---@field permutations? table<string, string>  states of the level's permutations, by their names, from the start
---  [default: their first states]

--- A world of a level, by the name or file that `leeward run LEVEL` takes, with the level's permutations and regions.
--- Its places are its spawns.
---@param name string
---@param options? leeward.testing.LevelOptions
---@return leeward.World
function sim.level(name, options) end

--- The world that `sim.map` or `sim.level` created last; in a replay, that of the replay.
---@return leeward.World
function sim.world() end

--- The first place of that name.
---@param name string
---@return leeward.vec3
function sim.place(name) end

--- All places of that name: row by row in a drawing.
---@param name string
---@return leeward.vec3[]
function sim.places(name) end

---@class leeward.testing.SpawnOptions: leeward.AgentDefinition
---@field name? string  for `sim.agent` and messages [default: the name of the place]
---@field profile? string|leeward.Profile  [default "human"]

--- Spawn an agent at a place. Where mocks stand for leaves of its tree, that is a copy, which a reload does not reach.
---@param place leeward.testing.Place
---@param options? leeward.testing.SpawnOptions  those of World:spawn but `at`
---@return leeward.Agent
function sim.spawn(place, options) end

--- The agent that was spawned under that name last.
---@param name string
---@return leeward.Agent
function sim.agent(name) end

--- Add a threat: with the name of a place, an eye 1.6 m above it; with a point, there; with an agent, its eye.
---@param place leeward.testing.Place
---@param options? leeward.ThreatDefinition  over those of World:add_threat; `known_to` is true by default
---@return leeward.Threat
function sim.threat(place, options) end

---@class leeward.testing.Mock
---@field name string
---@field replaced integer  leaves of spawned trees that it stands for
---@field calls {event: string, agent: leeward.Agent, options: table}[]  "start", "tick" and "run", in order

--- Put functions in the place of all leaves of that name, in trees that sim.spawn spawns later on this world: a
--- function as `tick`, or a table with `start`, `tick` and `stop`, or `run`. Trees that scripts have defined by name
--- keep theirs. sim.run and what else lets time pass raises at its end where agents have trees, and it stands for no
--- leaf of them.
---@param name string  of leaves, such as "MoveTo"
---@param instead function|table
---@return leeward.testing.Mock
function sim.mock(name, instead) end

--- Call a function after that much simulated time, before that step; in replays, too. There, `sim.agent` finds the
--- agents of the replay. What the world has from the start, such as permutations and obstacles, is added so at 0.
---@param seconds number  [s, >= 0]
---@param f fun(world: leeward.World)
function sim.at(seconds, f) end

--- Run steps of 1/60 s. Raises at its end where an error was logged that the option `errors` of the world does not
--- expect.
---@param seconds number  [s, >= 0]
---@param on_step? fun(world: leeward.World)  after each step
function sim.run(seconds, on_step) end

--- Run until the function returns true, which it is asked before the first step and after each one.
---@param predicate fun(world: leeward.World): boolean
---@param seconds? number  [s, default 60]
---@return number? seconds  that passed [s]
---@return string? message  it has not become true in that time, and what the agents do
--- Raises as sim.run does.
function sim.run_until(predicate, seconds) end

--- Does the leaf or the named node run now, for predicates and counts? `assert.enters` says what happens instead.
--- Raises where the agent's tree has no node of that name, and is not called so itself.
---@param agent leeward.Agent
---@param node string
---@return boolean
function sim.runs(agent, node) end

--- The lines that the world has logged, as "error: text" or "warning: text". They go nowhere else, unless
--- `world = { log = f }` says so.
---@return string[]
function sim.log() end

--- Play a scene under the seeds 1 to `count`, each on a new world of the same level and options, in copies of this
--- process on all processors. The first seed that fails ends it: that is the lowest one, and its failure is the test's,
--- with the fewest steps that show it. With the environment variable LEEWARD_SIM_SEED, that seed alone is played, in
--- this process. The scene runs the world by `sim.run` and assertions, so that the run can be cut.
---@param count integer  [>= 1]
---@param scene fun(world: leeward.World, seed: integer)
function sim.seeds(count, scene) end

--- What `require "leeward.testing"` adds to luassert. A failure says what the agents do, what happened to them last,
--- and which picture it has written of the moment: to the folder LEEWARD_PICTURES, else to that of temporary files.
---@class luassert
local assert = {}

--- The agent comes near the place, in xz.
---@param agent leeward.Agent
---@param place leeward.testing.Place
---@param within? number  [s, default 60]
---@param distance? number  how near [m, > 0, default 1]
function assert.reaches(agent, place, within, distance) end

--- The leaf or the named node runs, or begins in that time, be it for less than a step. A named node with others below
--- has not begun where a condition was false, or where all leaves that were tried have failed at once. Raises where the
--- agent's tree has no node of that name after that time, and is not called so itself, where the world keeps no
--- history, and for an agent of another world; so does `assert.is_not.enters`.
---@param agent leeward.Agent
---@param node string
---@param within? number  [s, default 60]
function assert.enters(agent, node, within) end

--- The path does not touch the area: an area's name (of a path of World:find_path), a letter of the drawing, a circle
--- `{ at =, radius = }` in xz or a box `{ min =, max = }`.
---@param path leeward.Path|leeward.Agent|leeward.Point[]  of an agent: the rest of what it walks
---@param area string|table
function assert.avoids(path, area) end

--- Less than that part of the path is seen by any of the threats.
---@param path leeward.Path|leeward.Agent|leeward.Point[]
---@param threats leeward.AnyThreat|string|(leeward.AnyThreat|string)[]  a place's name: an eye 1.6 m above it
---@param fraction number  [0..1]
function assert.exposed_below(path, threats, fraction) end

--- The run of the world is the same again, bit for bit: all that functions of `sim` did to it is done again. With a
--- function, which makes a world and runs it, two runs of that are compared.
---@param world leeward.World|fun()
function assert.replays_identically(world) end

--- Two places, or two numbers, differ by at most that.
---@param a leeward.testing.Place|number
---@param b leeward.testing.Place|number
---@param tolerance? number  [m, default 0.01]
function assert.near(a, b, tolerance) end

--- A line of the world's log, such as "error: text", has that pattern of Lua in it.
---@param pattern string
function assert.logs(pattern) end

return sim
