-- Profiles from Lua: how long one takes to resolve and compile, and how long from an edited file until a thousand
-- walking agents use it.
local leeward = require "leeward"
local clock = require "scripts.cli.clock"
local scene = require "scripts.cli.scene"

local ROUNDS, AGENTS, GOAL = 11, 1000, 50

local function median(values)
  table.sort(values)
  return values[#values // 2 + 1]
end

local function write(file, text)
  local handle = assert(io.open(file, "w"))
  handle:write(text)
  handle:close()
end

-- Every call of leeward.profile makes all profiles stale, so that the next query compiles its own again.
local function print_compile(world)
  local at = assert(world:random_point {})
  local query = { from = at, to = at }
  for _, name in ipairs { "human", "soldier", "truck" } do
    query.profile = name
    local cold, warm = {}, {}
    for round = 1, 101 do
      leeward.profile("bench_any", { radius = 0.1 })
      local before = clock()
      world:find_path(query)
      local between = clock()
      world:find_path(query)
      cold[round], warm[round] = between - before, clock() - between
    end
    print(("  %-8s %6.1f us to resolve and compile"):format(name, (median(cold) - median(warm)) * 1e6))
  end
end

local function spawn(world, profile)
  for _ = 1, AGENTS do
    local agent
    repeat
      local at = assert(world:random_point { profile = profile })
      agent = assert(world:spawn { profile = profile, at = at })
      local goal = world:random_point { around = at, radius = 60, profile = profile }
    until goal and agent:move_to(goal, { within = 0 })
  end
end

local function replans(world)
  local sum = 0
  for _, agent in ipairs(world:agents()) do sum = sum + agent:stats().replans end
  return sum
end

-- Steps until no agent searches again.
local function settle(world)
  local steps, before = 1, replans(world)
  while true do
    world:step()
    local now = replans(world)
    if now == before then return steps end
    steps, before = steps + 1, now
  end
end

local function measure(file, level)
  local world = leeward.world { navmesh = level.navmesh, seed = 3, log = function() end }
  write(file, "return { extends = 'soldier' }")
  assert(leeward.reload())
  spawn(world, "bench_walker")
  world:step()
  local read, all, max_steps = {}, {}, 0
  for round = 1, ROUNDS do
    write(file, ("return { extends = 'soldier', area_factor = { ground = %d } }"):format(round % 2))
    local before = clock()
    assert(#assert(world:reload()) == 1)
    local between = clock()
    world:step()
    read[round], all[round] = between - before, clock() - before
    max_steps = math.max(max_steps, settle(world))
  end
  local ms = median(all) * 1e3
  local shape = "  %-16s %6.2f ms until the step after is done (%.2f reading), %s %d; steps until all have searched: %d"
  print(shape:format(level.name, ms, median(read) * 1e3, ms < GOAL and "below" or "ABOVE", GOAL, max_steps))
end

local file = os.getenv "BENCH_MOD" .. "/scripts/profiles/bench_walker.lua"
write(file, "return { extends = 'soldier' }")
leeward.profile("bench_walker")
local levels = {}
for index, name in ipairs { "courtyard", table.unpack(arg) } do levels[index] = assert(scene.load(name)) end
print("profiles from Lua, the merging of what they extend included")
print_compile(leeward.world { navmesh = levels[1].navmesh })
print(("an edited file, %d walking agents (median of %d)"):format(AGENTS, ROUNDS))
for _, level in ipairs(levels) do measure(file, level) end
