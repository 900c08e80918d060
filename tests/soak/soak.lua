--- Two equal worlds of agents live for a long time, with spawns, deaths, threats, dangers, fire lanes, queries and
-- reloads at random. One of them is saved and loaded again and again, the other never: they must stay equal, bit for
-- bit. No agent may leave the navmesh or stand still without saying so, and memory must stay what it was.
--
--   leeward lua tests/soak/soak.lua SECONDS [SEED [LEVEL ...]]
--
-- SECONDS are simulated, for each level; the levels are the courtyard and, where the shared levels are, wz_highground.
-- Prints the figures after warming up (a quarter of the time, at least WARM) and at the end; fails if memory has grown.
local leeward = require "leeward"
local scene = require "scripts.cli.scene"

local SECONDS = assert(tonumber(arg[1]), "usage: leeward lua tests/soak/soak.lua SECONDS [SEED [LEVEL ...]]")
local SEED = math.tointeger(tonumber(arg[2] or os.time()))
local LEVELS = { table.unpack(arg, 3) }
if not LEVELS[1] then
  LEVELS[1] = "courtyard"
  local shared = (os.getenv "LEEWARD_SHARED" or "../shared") .. "/levels/wz_highground.obj"
  local file = io.open(shared)
  if file then
    file:close()
    LEVELS[2] = shared
  end
end

local DT = 1 / 20
local STEPS_A_TURN = 10 -- steps between actions
local PHASE = 30 -- seconds; every second phase agents run trees
local WARM = 450 -- seconds after which what is kept for later has its size; memory of a shorter run is not compared
local DEPTH_MAPS = 1 -- of queries, and of agents: each adds 192 kB at its first use, which for agents may come late
local WARM_STEPS = 200 -- in which every threat that is asked about has got a depth map
local STILL_MAX = 15 -- seconds without a move in which a walking agent must say that it is stuck
local MOST = { agents = 16, threats = 4, dangers = 12, lanes = 6, obstacles = 20, links = 12 }
local LIFT = "soak lift" -- the name of a link that is never removed
local VEHICLES = {
  ["soak van"] = { radius = 1, length = 4, width = 2, wheelbase = 2.4, turn_radius = 4, reverse_cost = 2 },
  ["soak truck"] = { radius = 1, length = 4, width = 2, wheelbase = 2.4, turn_radius = 4, avoidance = "full",
    trailer = { length = 3, width = 2, joint = 1, drawbar = 0.6, wheelbase = 2.2 } },
}
local PROFILES = { "human", "soldier", "civilian", "dog", "diver", "human", "soldier", "soak van", "soak truck" }
local TEAMS = { "red", "blue" }
local TREES = { "wander", "wander", "civilian", "guard", "hunter", "medic" }
local SAVED = os.tmpname()

--- SplitMix64 of the script's own, so that nothing else draws from it.
local state = SEED
local function draw(count)
  state = state + 0x9e3779b97f4a7c15
  local z = state
  z = (z ~ (z >> 30)) * 0xbf58476d1ce4e5b9
  z = (z ~ (z >> 27)) * 0x94d049bb133111eb
  z = z ~ (z >> 31)
  return math.ult(z, 0) and 0 or ((z >> 1) % count) + 1
end
local function pick(list) return list[draw(#list)] end

local counts
local function count(what) counts[what] = (counts[what] or 0) + 1 end

local function fail(format, ...) error(("seed %d: " .. format):format(SEED, ...), 0) end

-- --- actions: each is done to both worlds ---------------------------------------------------------------------------

local worlds -- of one level: the one that is loaded again and again, and the one that never is

--- Call f on each world. @return what it gives for the first one.
local function both(f)
  local result = f(worlds[1])
  f(worlds[2])
  return result
end

--- The same place in both, from the worlds' own streams.
local function place(profile)
  local at
  for i, world in ipairs(worlds) do
    local point = world:random_point { profile = profile }
    if i == 1 then
      at = point
    elseif point ~= at then
      fail("random points differ: %s and %s", at, point)
    end
  end
  return at
end

local function spawn(trees)
  local definition = { profile = pick(PROFILES), team = pick(TEAMS), tree = trees and pick(TREES) or nil }
  definition.at = place(definition.profile)
  if definition.at and #worlds[1]:agents() < MOST.agents then
    both(function(world) return world:spawn(definition) end)
    count(VEHICLES[definition.profile] and "vehicles" or "spawned")
  end
end

--- Call f on the same agent of both worlds.
local function one_agent(f)
  local number = #worlds[1]:agents()
  if number == 0 then return end
  local which = draw(number)
  both(function(world) f(world:agents()[which]) end)
end

local function move()
  local goal, heading = place "human", draw(3) == 1 and draw(6) or nil
  if goal then one_agent(function(agent) agent:move_to(goal, { heading = heading }) end) end
  count "moved"
end

local function kill()
  one_agent(function(agent) agent:kill() end)
  count "killed"
end

local function change()
  local pace, stance = pick { "calm", "normal", "fast" }, pick { "stand", "crouch" }
  one_agent(function(agent)
    agent:set_pace(pace)
    agent:set_stance(stance)
  end)
end

local function one_of(list, f)
  local number = #list(worlds[1])
  if number == 0 then return end
  local which = draw(number)
  both(function(world) f(list(world)[which]) end)
end

local function threats(world) return world:threats() end
local function dangers(world) return world:dangers() end
local function lanes(world) return world:fire_lanes() end
local function obstacles(world) return world:obstacles() end

local function links(world) return world:all_links() end

local function add_threat()
  local at = place "human"
  if not at or #worlds[1]:threats() >= MOST.threats then return end
  local definition = { at = at + leeward.vec3(0, 1.6, 0), range = 10 * draw(6), known_to = pick(TEAMS) }
  both(function(world) world:add_threat(definition) end)
  count "threats"
end

local function move_threat()
  local at = place "human"
  if at then one_of(threats, function(threat) threat:move(at) end) end
end

local function add_danger()
  local at = place "human"
  if not at or #worlds[1]:dangers() >= MOST.dangers then return end
  local definition = { at = at, radius = draw(5), half_life = draw(10) }
  both(function(world) world:add_danger(definition) end)
  count "dangers"
end

local function add_lane()
  local from, to = place "human", place "human"
  if not from or not to or #worlds[1]:fire_lanes() >= MOST.lanes then return end
  both(function(world) world:add_fire_lane { from = from, to = to, seconds = 5 } end)
  count "fire lanes"
end

local function add_obstacle()
  local at = place "human"
  if not at or #worlds[1]:obstacles() >= MOST.obstacles then return end
  local definition = { at = at, yaw = draw(6), min_move = draw(4) / 4 }
  if draw(3) == 1 then
    definition.radius = draw(4) / 2
  else
    definition.size = leeward.vec3(draw(8) / 2, 1 + draw(3) / 2, draw(8) / 2)
  end
  local tie, which = draw(6), draw(MOST.obstacles)
  definition.cover = ({ "soft", "none" })[draw(4)]
  both(function(world)
    definition.carrier = tie == 1 and world:agents()[which] or nil
    definition.attached_to = tie == 2 and world:obstacles()[which] or nil
    if tie == 3 then definition.area = "grass" end
    pcall(world.add_obstacle, world, definition) -- what it is attached to may be attached itself
  end)
  count "obstacles"
end

local function move_obstacle()
  local by, turn, speed = leeward.vec3(draw(9) / 5 - 1, 0, draw(9) / 5 - 1), draw(5) / 20, draw(3) == 1 and draw(8)
  one_of(obstacles, function(obstacle)
    local velocity = speed and { speed, 0, 0 } or nil
    pcall(obstacle.move, obstacle, obstacle:position() + by, obstacle:yaw() + turn, velocity) -- not if it is carried
  end)
end

local function add_link()
  local from, to = place "human", place "human"
  if not from or not to or #worlds[1]:all_links() >= MOST.links then return end
  local definition = { kind = pick { "jump", "ladder", "teleport" }, from = from, to = to, length = draw(20),
    bidirectional = draw(2) == 1, capacity = draw(3) - 1 }
  both(function(world) pcall(world.add_link, world, definition) end) -- both ends may be at one place
  count "links"
end

local function change_link()
  local what, cost = draw(4), draw(20)
  one_of(links, function(link)
    if what == 1 and link:is_added() and link:name() ~= LIFT then
      link:remove()
    elseif what == 2 then
      link:set_cost(cost)
    elseif link:is_enabled() then
      link:disable()
    else
      link:enable()
    end
  end)
end

local places -- of permutations
--- What each permutation of the world may be, in the order in which they are defined.
local STATES = { { "gate", "open", "shut" }, { "flood", "dry", "wet", "deep" }, { "walls", "none", "walled", "gone" } }

--- Of a permutation that has tiles of another navmesh, in a box about a place.
local function walls_at(at, navmesh)
  local reach = leeward.vec3(12, 20, 12)
  local box = { at - reach, at + reach }
  return { default = "none", none = {},
    walled = { tiles = { source = navmesh, box = box }, cut = { { box = { at = at, size = { 2, 3, 2 } } } } },
    gone = { tiles = { box = { at, at + leeward.vec3(0.1, 1, 0.1) } } } }
end

--- Cuts, marks, links, obstacles and, where there is another navmesh to take them from, tiles.
local function define_permutations(world, navmesh)
  world:add_link { kind = "teleport", name = LIFT, from = places[2], to = places[3], bidirectional = true }
  world:permutation("gate", { default = "open", open = {}, shut = {
    cut = { { box = { at = places[1], size = { 4, 3, 4 } } } },
    obstacles = { { at = places[2], radius = 1.5 }, { at = places[3], size = { 2, 1, 5 }, yaw = 0.5, cover = "soft" } },
  } })
  world:permutation("flood", { default = "dry", dry = { links = { [LIFT] = true } },
    wet = { mark = { { box = { at = places[1], size = { 12, 4, 9 } }, area = "grass" },
      { box = { at = places[3], size = { 20, 6, 20 } }, cost = 2 } }, links = { [LIFT] = false } },
    deep = { mark = { { box = { at = places[1], size = { 20, 4, 20 } }, area = "deep_water" } },
      cut = { { box = { at = places[3], size = { 3, 3, 3 } } } },
      obstacles = { { at = places[1], size = { 6, 1, 2 }, area = "grass", cost = 1 } } } })
  if navmesh then world:permutation("walls", walls_at(places[2], navmesh)) end
end

local function permute()
  local permutation = STATES[draw(#worlds[1]:permutations())]
  local wanted = permutation[1 + draw(#permutation - 1)]
  both(function(world) world:set_permutation(permutation[1], wanted) end)
  count(wanted)
end

local variants -- of the level: as it is, and with other walls
local geometries -- of these
local settings -- that they are baked with; nil: the level is a navmesh
local jobs -- rebuilds that have begun and have not taken effect, one of each world; nil: there are none

--- Another navmesh in the place of the one that the worlds have, or a part of it.
local function swap()
  local navmesh = pick(variants)
  if draw(3) > 1 then
    both(function(world) world:set_navmesh(navmesh) end)
    count "swaps"
    return
  end
  local at = place "human"
  if not at then return end
  local reach = leeward.vec3(20, 20, 20)
  local changed = both(function(world) return world:set_tiles(navmesh, { box = { at - reach, at + reach } }) end)
  count(changed and "tile swaps" or "refused tile swaps")
end

--- Bake some of the level again in the background. It takes effect at a step that is chosen now, unless the worlds have
--- another navmesh by then.
local function rebuild()
  local at, after = place "human", 5 + draw(40)
  if jobs or not settings or not at then return end
  both(function(world) world:apply_changes() end) -- no navmesh may be waiting
  local reach = leeward.vec3(4 + draw(8), 20, 4 + draw(8))
  local options = { geometry = pick(geometries), box = { at - reach, at + reach }, at = worlds[1]:steps() + after }
  for key, value in pairs(settings) do options[key] = value end
  jobs = { at = options.at }
  for i, world in ipairs(worlds) do jobs[i] = world:rebuild(options) end
end

--- What became of the rebuild, once its step has come.
local function settle_rebuild()
  if not jobs or worlds[1]:steps() <= jobs.at then return end
  local ok, message, code = jobs[1]:wait()
  local other, why = jobs[2]:wait()
  if ok ~= other or message ~= why then fail("rebuilds differ: %s and %s", message, why) end
  if not ok and code ~= "STALE" then fail("a rebuild failed: %s", message) end
  count(ok and "rebuilds" or "rebuilds that came too late")
  jobs = nil
end

local function remove()
  local list = pick { threats, dangers, lanes, obstacles, obstacles }
  one_of(list, function(item) item:remove() end)
end

local function ask()
  local from, to = place "human", place "human"
  if not from or not to then return end
  local seen = { { at = to + leeward.vec3(0, 1.6, 0) } }
  both(function(world)
    local path = world:find_path { from = from, to = to, profile = "soldier", threats = seen }
    if path then path:explain() end
    world:exposure { from = from, to = from + leeward.vec3(1, 0, 1), threats = seen }
    world:find_cover { around = from, radius = 10, threats = seen }
  end)
  count "queries"
end

local function see()
  local visibility = { team = pick(TEAMS), visibility = draw(10) / 10 }
  both(function(world) world:set_visibility(visibility) end)
end

local function reload()
  leeward.profile("soldier", { patch = true, cover_bias = 1 + draw(4) })
  both(function(world) world:reload() end)
  count "reloads"
end

--- The first world alone; in both what was set before takes effect. A rebuild is not saved: loading cancels it.
local function save_and_load()
  if jobs and draw(2) == 1 then return end
  if jobs then
    jobs[2]:cancel()
    jobs = nil
    count "cancelled rebuilds"
  end
  both(function(world) world:apply_changes() end)
  local world = worlds[1]
  assert(world:save(SAVED))
  assert(world:load(SAVED))
  count "loads"
end

local ACTIONS = { move, move, move, move, move, change, kill, add_threat, move_threat, move_threat, add_danger,
  add_lane, remove, ask, ask, see, add_obstacle, add_obstacle, move_obstacle, move_obstacle, move_obstacle, permute,
  permute, add_link, change_link, change_link, swap, rebuild }

-- --- checks --------------------------------------------------------------------------------------------------------

local last -- by the agent's number among those of a world: where it was, and since when

local function check_agents(world)
  for i, agent in ipairs(world:agents()) do
    local stats, at = agent:stats(), agent:position()
    if stats.off_mesh > 0 then fail("at %.1f s agent %d is off the navmesh at %s", world:time(), i, at) end
    local before = last[i]
    local walks = agent:move_state() == "walking" and not agent:is_on_link() and not agent:waits_for_link()
    if not before or before.id ~= agent:id() or not walks or before.stuck ~= stats.stuck or
      at:distance(before.at) > 0.1 then
      last[i] = { id = agent:id(), at = at, since = world:time(), stuck = stats.stuck }
    elseif world:time() - before.since > STILL_MAX then
      fail("at %.1f s agent %d stands at %s since %.1f s, but says that it walks: %s", world:time(), i, at,
        before.since, agent:why())
    end
  end
end

local function check_equal(when)
  local a, b = worlds[1]:hash(), worlds[2]:hash()
  if a ~= b then fail("at %.1f s the worlds differ %s", worlds[1]:time(), when) end
end

local function resident()
  local file = io.open "/proc/self/statm"
  if not file then return 0 end
  local pages = tonumber(file:read "a":match "^%d+ (%d+)")
  file:close()
  return pages * 4096
end

--- Let both worlds hold what they held at first: navmeshes that permutations put together, and results that are kept
--- until a world is loaded, depend on what was changed last.
local function begin_again()
  for _, job in ipairs(jobs or {}) do job:cancel() end
  jobs = nil
  both(function(world)
    for _, permutation in ipairs(STATES) do
      if world:permutation_state(permutation[1]) then world:set_permutation(permutation[1], permutation[2]) end
    end
    world:set_navmesh(variants[1])
    world:apply_changes()
    if variants[2] then world:permutation("walls", walls_at(places[2], variants[2])) end
    world:apply_changes()
    assert(world:save(SAVED))
    assert(world:load(SAVED))
  end)
end

--- What is held when nobody lives there.
local function memory()
  begin_again()
  collectgarbage()
  collectgarbage()
  return { world = worlds[1]:memory(), lua = collectgarbage "count" * 1024, process = resident() }
end

local function empty()
  both(function(world)
    for _, agent in ipairs(world:agents()) do agent:despawn() end
    for _, list in ipairs { threats, dangers, lanes, obstacles } do
      for _, item in ipairs(list(world)) do item:remove() end -- attached ones go with others
    end
    world:step(DT)
  end)
end

-- --- runs -----------------------------------------------------------------------------------------------------------

local function phase(number, steps)
  local trees = number % 2 == 0
  last = {}
  if number % 4 == 1 then reload() end
  for _ = 1, MOST.agents // 2 do spawn(trees) end
  for step = 1, steps do
    both(function(world) world:step(DT) end)
    settle_rebuild()
    if step % STEPS_A_TURN == 0 then
      pick(ACTIONS)()
      if draw(3) == 1 then spawn(trees) end
      if draw(8) == 1 then save_and_load() end
      check_agents(worlds[2])
      check_equal(trees and "with trees" or "without trees")
    end
  end
  empty()
end

--- What may be held more at the end than after warming up: arrays that grew, above all those of searches for drives,
--- which keep memory for the poses of the longest one, and what the C library keeps of rebuilds.
local SLACK = { world = { 1.1, 0x400000 }, lua = { 1.1, 0x10000 }, process = { 1.1, 0x2000000 } }

local function show(what, held)
  print(("  %-10s world %7.0f kB   Lua %6.0f kB   process %7.0f kB"):format(what, held.world / 1024, held.lua / 1024,
    held.process / 1024))
end

--- Ask about as many threats as have depth maps, so that all those for queries are in use.
local function warm_depth_maps()
  local seen = {}
  for i = 1, DEPTH_MAPS do seen[i] = { at = place "human" + leeward.vec3(0, 1.6, 0) } end
  for _ = 1, WARM_STEPS do
    local from, to = place "human", place "human"
    both(function(world)
      world:find_path { from = from, to = to, profile = "soldier", threats = seen }
      world:step(DT)
    end)
  end
end

--- The level with walls at random. --> navmesh, geometry
local function bake_variant(name)
  local level = assert(scene.level(name, {}))
  for _ = 1, 8 do
    local at = place "human"
    if at then level.geometry:add_box { at = at, size = { 1 + draw(4), 2, 1 + draw(4) }, area = false } end
  end
  return assert(leeward.bake(level.geometry, settings)), level.geometry
end

--- Bake what the worlds may have instead, and how all of it is baked.
local function make_variants(name, level, navmesh, report)
  variants, geometries, settings, jobs = { navmesh }, { level.geometry }, nil, nil
  if not report then return end
  settings = { bounds = report.used.bounds }
  for key, value in pairs(level.settings or {}) do settings[key] = value end
  for i = 2, 3 do variants[i], geometries[i] = bake_variant(name) end
end

local function soak(name, seconds)
  local level = assert(scene.level(name, {}))
  local navmesh, report = level.navmesh, nil
  if not navmesh then
    navmesh, report = leeward.bake(level.geometry, level.settings)
    assert(navmesh, report)
  end
  local definition = { navmesh = navmesh, seed = SEED, death_danger = { value = 1, half_life = 10 },
    depth_maps = DEPTH_MAPS }
  function definition.log() end
  local alone = leeward.world(definition)
  definition.threads = 4 -- the same run, however many search
  worlds = { leeward.world(definition), alone }
  counts = {}
  make_variants(name, level, navmesh, report)
  places = { place "human", place "human", place "human" }
  both(function(world) define_permutations(world, variants[2]) end)
  warm_depth_maps()
  local phases = math.max(4, seconds // PHASE)
  local steps = math.max(1, math.floor(seconds / phases / DT))
  local warm = math.min(phases - 1, math.max(WARM // PHASE, phases // 4))
  local began
  print(("%s: %d seconds, seed %d"):format(name:match "[^/]*$", seconds, SEED))
  for number = 1, phases do
    phase(number, steps)
    if number == warm then
      began = memory()
      show(("at %.0f s"):format(worlds[1]:time()), began)
    end
  end
  local ended = memory()
  show(("at %.0f s"):format(worlds[1]:time()), ended)
  local done = {}
  for what, times in pairs(counts) do done[#done + 1] = ("%d %s"):format(times, what) end
  table.sort(done, function(a, b) return a:match "%a.*" < b:match "%a.*" end)
  print("  " .. table.concat(done, ", "))
  for what, slack in pairs(SLACK) do
    if seconds >= 2 * WARM and ended[what] > began[what] * slack[1] + slack[2] then
      fail("%s: memory (%s) grew from %d to %d bytes", name, what, began[what], ended[what])
    end
  end
  print(("  hash %s of both"):format(worlds[1]:hash()))
  both(function(world) world:destroy() end)
end

for name, profile in pairs(VEHICLES) do
  profile.extends = "human"
  leeward.profile(name, profile)
end
local ok, message = pcall(function()
  for _, name in ipairs(LEVELS) do soak(name, SECONDS) end
end)
os.remove(SAVED)
if not ok then
  io.stderr:write("soak: ", tostring(message), "\n")
  os.exit(1)
end
