-- The bundled scenarios of crowds: everybody gets where they are to go, and nobody walks through another one.
local leeward = require "leeward"
local scene = require "scripts.cli.scene"

local PASSED_THROUGH = 0.05 -- metres

-- Run a scenario as `leeward run` does. --> scenario, world
local function run(name, seconds, each)
  local scenario = dofile(assert(leeward.find(("scripts/scenarios/%s.lua"):format(name))))
  local level = assert(scene.level(scenario.level))
  level.navmesh = assert(leeward.bake(level.geometry, level.settings))
  local world = leeward.world { navmesh = level.navmesh, seed = scenario.seed, log = function() end }
  assert(scenario.setup(world, leeward, level))
  for step = 1, math.floor(seconds * 60) do
    world:step()
    scenario.step(world)
    if each and step % 15 == 0 then each(world) end
  end
  return scenario, world
end

-- How deep any two agents of 0.4 m overlap.
local function deepest(world)
  local places, worst = {}, -math.huge
  for i, agent in ipairs(world:agents()) do
    local at = agent:position()
    for k = 1, i - 1 do
      local dx, dz = at.x - places[k].x, at.z - places[k].z
      worst = math.max(worst, 0.8 - math.sqrt(dx * dx + dz * dz))
    end
    places[i] = at
  end
  return worst
end

-- How deep an agent of 0.4 m is in the box of a world that has one obstacle.
local function deepest_in_box(world)
  local box, worst = world:obstacles()[1], -math.huge
  local state = box:get()
  local c, s = math.cos(state.yaw), math.sin(state.yaw)
  for _, agent in ipairs(world:agents()) do
    local off = agent:position() - state.at
    local along, aside = math.abs(off.x * c - off.z * s), math.abs(off.x * s + off.z * c)
    local x, z = math.max(0, along - state.size.x / 2), math.max(0, aside - state.size.z / 2)
    worst = math.max(worst, 0.4 - math.sqrt(x * x + z * z))
  end
  return worst
end

-- A function that counts the times that one of a world's agents has stood for more than two seconds, on its way, and
-- cannot say for whom it waits. --> count(world) --> number
local function standing()
  local since, sum = {}, 0
  return function(world)
    for i, agent in ipairs(world:agents()) do
      local stands = agent:move_state() == "walking" and agent:velocity():length() < 0.05
      since[i] = stands and (since[i] or world:time()) or nil
      if stands and world:time() - since[i] > 2 and not agent:blocked_by() then sum = sum + 1 end
    end
    return sum
  end
end

describe("the scenario", function()
  it("'doorway' lets both groups through one door within a minute", function()
    local worst, count, unexplained = -math.huge, standing(), 0
    local scenario, world = run("doorway", 60, function(where)
      worst, unexplained = math.max(worst, deepest(where)), count(where)
    end)
    assert.is_true(worst < PASSED_THROUGH, worst)
    assert.equal(0, unexplained)
    local rows = scenario.report(world)
    assert.same({ "west", "east" }, { rows[2][1], rows[3][1] })
    for row = 2, 3 do
      assert.equal("25 of 25", rows[row][2])
      assert.is_true(tonumber(rows[row][3]) < tonumber(rows[row][4]))
    end
    world:destroy()
  end)

  it("'crossing' brings four groups to the sides opposite, and a cart runs over nobody", function()
    local worst, hit = -math.huge, -math.huge
    local scenario, world = run("crossing", 40, function(where)
      worst, hit = math.max(worst, deepest(where)), math.max(hit, deepest_in_box(where))
    end)
    assert.is_true(worst < PASSED_THROUGH, worst)
    assert.is_true(hit < PASSED_THROUGH, hit)
    local rows = scenario.report(world)
    assert.equal(5, #rows)
    for row = 2, 5 do
      assert.equal("20 of 20", rows[row][2])
      assert.is_true(tonumber(rows[row][5]) < 60, rows[row][5]) -- straight on it is 50 m
    end
    world:destroy()
  end)

  it("'evacuation' lets people out by both exits, and draws the throughput", function()
    local scenario, world = run("evacuation", 40)
    local rows = scenario.report(world)
    local west, east, inside = tonumber(rows[2][2]), tonumber(rows[3][2]), tonumber(rows[4][2])
    assert.equal(500, west + east + inside)
    assert.equal(inside, #world:agents())
    assert.is_true(west > 70 and east > 40, ("%d and %d"):format(west, east))
    local graph = scenario.picture.graph(world)
    assert.equal(("evacuation: %d of 500 are out after 40 s"):format(west + east), graph.title)
    local counted = 0
    for _, point in ipairs(graph.series[3].points) do counted = counted + 5 * point[2] end -- each of 5 s
    assert.is_true(math.abs(counted - west - east) < 1e-6)
    graph.file = os.tmpname()
    assert.is_true(require "leeward_sdl".graph(graph))
    os.remove(graph.file)
    world:destroy()
  end)

  it("'delivery' brings a truck and its trailer to its ramps, and hits nobody", function()
    local nearest = math.huge
    local scenario, world = run("delivery", 110, function(where)
      local agents = where:agents()
      local pose = agents[1]:pose()
      local c, s = math.cos(pose.trailer_heading), -math.sin(pose.trailer_heading)
      local joint = pose.position - leeward.vec3(math.cos(pose.heading), 0, -math.sin(pose.heading)) * 1.2
      for number = 2, #agents do
        local off = agents[number]:position() - joint
        local along, aside = -(off.x * c + off.z * s), math.abs(off.z * c - off.x * s)
        if math.abs(off.y) < 2 and along > 0.7 and along < 3.9 then nearest = math.min(nearest, aside - 1) end
      end
    end)
    local rows = scenario.report(world)
    assert.is_true(#rows >= 4, #rows)
    for row = 2, #rows do
      assert.is_true(tonumber(rows[row][3]) < 0.1 and tonumber(rows[row][4]) < 0.05, table.concat(rows[row], " "))
    end
    assert.is_true(nearest > 0.2, nearest)
  end)

  it("needs a level with its places", function()
    for _, name in ipairs { "doorway", "evacuation", "delivery" } do
      local scenario = dofile(assert(leeward.find(("scripts/scenarios/%s.lua"):format(name))))
      local world <close> = leeward.world { navmesh = require "support.maps".floor(5, 5) }
      local ok, message = scenario.setup(world, leeward, { name = "elsewhere" })
      assert.is_nil(ok)
      assert.matches("level 'elsewhere' has no spawns.", message, 1, true)
    end
  end)
end)
