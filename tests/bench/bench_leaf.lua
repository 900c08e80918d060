-- What calling a leaf costs, with a budget of instructions and without, and what calling the module does.
local leeward = require "leeward"

local AGENTS, STEPS, ROUNDS = 1000, 100, 7

local navmesh = leeward.navmesh {
  vertices = { { 0, 0, 0 }, { 20, 0, 0 }, { 20, 0, 20 }, { 0, 0, 20 } }, polygons = { { 1, 2, 3, 4 } },
}

--- Nanoseconds for each of `count`, the best round.
local function measure(count, f)
  local best = math.huge
  for _ = 1, ROUNDS do
    local begin = os.clock()
    f()
    best = math.min(best, os.clock() - begin)
  end
  return best / count * 1e9
end

local function new_world(limit, agents, tick)
  local world = leeward.world { navmesh = navmesh, leaf_instructions = limit }
  local tree = leeward.tree("bench_leaf", { kind = "leaf", tick = tick })
  for _ = 1, agents do assert(world:spawn { profile = "human", at = { 1, 0, 1 }, tree = tree }) end
  world:step()
  return world
end

local function leaf_call(limit)
  local world = new_world(limit, AGENTS, function() return "running" end)
  return measure(AGENTS * STEPS, function() for _ = 1, STEPS do world:step() end end)
end

local LOOPS = 1000000
local function instruction(limit)
  local world = new_world(limit, 1, function()
    local sum = 0
    for i = 1, LOOPS do sum = sum + i end
    return "running"
  end)
  return measure(2 * LOOPS, function() world:step() end) -- an addition and the loop
end

print(("a leaf call: %.0f ns without a budget, %.0f ns with one"):format(leaf_call(0), leaf_call(10000000)))
print(("an instruction of a leaf: %.1f ns without a budget, %.1f ns with one"):format(instruction(0),
  instruction(10000000)))

local CALLS = 1000000
local world = new_world(0, 1, function() return "running" end)
local agent = world:agents()[1]
print(("world:time(): %.0f ns, agent:position(): %.0f ns"):format(
  measure(CALLS, function() for _ = 1, CALLS do world:time() end end),
  measure(CALLS, function() for _ = 1, CALLS do agent:position() end end)))
