-- What a sandbox costs that contains scripts which behave: the same trees in one and without.
--
-- Without arguments it prints ratios of times, taken in turns, and where there is valgrind, of instructions, which
-- depend on nothing else that runs. `bench_sandbox.lua TREE free|boxed STEPS` runs one of them, for callgrind.
local leeward = require "leeward"

local AGENTS, STEPS, ROUNDS = 100, 600, 7

local function read_tree(name)
  local file = assert(io.open("behaviors/trees/" .. name .. ".lua"))
  local text = file:read "a"
  file:close()
  return text
end

local function leaf(body)
  return [[
    local behaviors = require "behaviors"
    local Think = behaviors.leaf { name = "Think", tick = function(agent, options, state) ]] .. body .. [[ end }
    return behaviors.selector { Think {}, behaviors.wait(1) }]]
end

--- What is measured; for each, what a game does that ticks it.
local TREES = {
  wander = read_tree "wander",
  patrol = read_tree "patrol",
  ["a leaf that does nothing, each step"] = leaf "return 'running'",
  ["a leaf that thinks, each step"] = leaf [[
    local at = agent:position()
    state.places = state.places or {}
    local best, least = 1, math.huge
    for i = 1, 10 do
      local distance = math.abs(at.x - (state.places[i] or i))
      if distance < least then best, least = i, distance end
    end
    state.places[#state.places % 10 + 1] = best
    agent.blackboard.best = best
    state.text = ("%d %s"):format(best, least)
    return "running"]],
}
local NAMES = { "wander", "patrol", "a leaf that thinks, each step", "a leaf that does nothing, each step" }
local COUNTED = { wander = 1500, patrol = 1500 } -- steps whose instructions are counted: leaves run in few of them

--- A floor of squares of 4 m, some of which are missing.
local function make_navmesh()
  local SIDE = 24
  local vertices, polygons = {}, {}
  for z = 0, SIDE do
    for x = 0, SIDE do vertices[#vertices + 1] = { 4 * x, 0, 4 * z } end
  end
  for z = 0, SIDE - 1 do
    for x = 0, SIDE - 1 do
      local first = z * (SIDE + 1) + x + 1
      if x % 5 ~= 3 or z % 4 ~= 2 then
        polygons[#polygons + 1] = { first, first + 1, first + SIDE + 2, first + SIDE + 1 }
      end
    end
  end
  return leeward.navmesh { vertices = vertices, polygons = polygons }
end

local navmesh = make_navmesh()

local function new_world(name, is_boxed)
  local tree
  if is_boxed then
    tree = select(2, assert(leeward.sandbox { memory = 64 << 20 }:run(TREES[name], name)))
  else
    tree = assert(load(TREES[name], "@" .. name))()
  end
  local world = leeward.world { navmesh = navmesh, seed = 1, history = 0 }
  for i = 1, AGENTS do
    local at = { 2 + 4 * (i % 10), 0, 2 + 8 * (i // 10) }
    local route = { { 2, 0, 2 }, { 90, 0, 2 }, { 90, 0, 90 } }
    assert(world:spawn { profile = "human", at = at, tree = tree, blackboard = { route = route, post = at } })
  end
  return world
end

local function run(world, steps) for _ = 1, steps do world:step(1 / 60) end end

if arg[1] then
  run(new_world(arg[1], arg[2] == "boxed"), tonumber(arg[3]))
  return
end

--- Seconds of the best round of each, in turns.
local function measure_both(name)
  local best, hashes = { math.huge, math.huge }, {}
  for _ = 1, ROUNDS do
    for kind = 1, 2 do
      local world = new_world(name, kind == 2)
      run(world, 10)
      collectgarbage()
      local began = os.clock()
      run(world, STEPS)
      best[kind] = math.min(best[kind], os.clock() - began)
      hashes[kind] = world:hash()
      world:destroy()
    end
  end
  assert(hashes[1] == hashes[2], "a sandbox has changed what agents do")
  return best[1], best[2]
end

--- Instructions of the processor that a step takes, of a run less those of a shorter one; nil: there is no valgrind.
local function count_instructions(name, kind)
  local SHORT, LONG = 20, 20 + (COUNTED[name] or 100)
  local program = os.getenv "PROGRAM" or "build/leeward"
  local counted = {}
  for i, steps in ipairs { SHORT, LONG } do
    local pipe = io.popen(("valgrind --tool=callgrind --callgrind-out-file=/dev/null %s lua %s '%s' %s %d 2>&1")
      :format(program, arg[0], name, kind, steps))
    counted[i] = tonumber(pipe:read("a"):match "Collected : (%d+)")
    pipe:close()
    if not counted[i] then return nil end
  end
  return (counted[2] - counted[1]) / (LONG - SHORT)
end

for _, name in ipairs(NAMES) do
  local free, boxed = measure_both(name)
  print(("sandbox, %s: %.3f ms a step of %d agents without, %+.1f %% in a sandbox"):format(name, free / STEPS * 1e3,
    AGENTS, (boxed / free - 1) * 100))
  local without = count_instructions(name, "free")
  local with = without and count_instructions(name, "boxed")
  if with then
    print(("sandbox, %s: %.0f instructions a step without, %+.1f %% in a sandbox"):format(name, without,
      (with / without - 1) * 100))
  end
end
