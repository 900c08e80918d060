-- Searches for agents that go on over several steps: what comes meanwhile, and what a saved game keeps of them.
local courtyard = require "scripts.levels.courtyard"
local leeward = require "leeward"

local WORK = 200 -- of a step: the search takes several
local SETTINGS = { cell_size = 0.4, agent_radius = 0.4, tile_size = 16 }

-- A comb of walls: all have to walk from end to end.
local function comb()
  local geometry = leeward.geometry()
  geometry:add_box { min = { -32, -1, -32 }, max = { 32, 0, 32 } }
  for x = -24, 24, 8 do
    local shift = x % 16 == 0 and 4 or -4
    geometry:add_box { min = { x, 0, -32 + shift }, max = { x + 0.5, 3, 32 + shift }, area = false }
  end
  return leeward.bake(geometry, SETTINGS)
end

local function field()
  local geometry = leeward.geometry()
  geometry:add_box { min = { -32, -1, -32 }, max = { 32, 0, 32 } }
  return leeward.bake(geometry, SETTINGS)
end

local navmesh, open

setup(function() navmesh, open = comb(), field() end)

local function start(work, ground)
  return leeward.world { navmesh = ground or navmesh, seed = 3, search_work = work, depth_maps = 0 }
end

describe("a danger that comes while a path is searched", function()
  it("is paid for once the path is found", function()
    local level = leeward.bake(courtyard.geometry(leeward), courtyard.bake)
    local world = leeward.world { navmesh = level, seed = 3, search_work = 30 }
    local from, to = { -20, 0, -12 }, { 20, 0, 12 }
    local points = assert(world:find_path { from = from, to = to, profile = "soldier" }):points()
    local agent = assert(world:spawn { profile = "soldier", at = from })
    assert(agent:move_to(to))
    world:step()
    assert.is_true(agent:waits_for_path())
    world:add_danger { at = points[#points // 2], radius = 3, value = 50, half_life = 1e6 }
    world:run(1)
    assert.is_false(agent:waits_for_path())
    local cheapest = assert(world:find_path { from = agent:position(), to = to, profile = "soldier" })
    assert.near(cheapest:length(), agent:remaining(), 0.1)
  end)
end)

describe("a saved game", function()
  local file
  before_each(function() file = os.tmpname() end)
  after_each(function() os.remove(file) end)

  local function load_into(world, work, ground)
    local other = start(work, ground)
    assert(world:save(file))
    assert(other:load(file))
    return other
  end

  local function assert_equal_runs(world, other, seconds)
    for _ = 1, seconds * 60 do
      world:step()
      other:step()
      assert.equal(world:hash(), other:hash())
    end
    assert.same(world:agents()[1]:route(), other:agents()[1]:route())
  end

  -- An agent whose path is being searched.
  local function searching(work)
    local world = start(work)
    world:add_threat { at = { -28, 1.6, 30 }, known_to = "red" }
    local agent = assert(world:spawn { profile = "soldier", at = { -30, 0, -30 }, team = "red" })
    assert(agent:move_to { 30, 0, 30 })
    world:step()
    world:step()
    assert.is_true(agent:waits_for_path())
    return world, agent
  end

  it("goes on searching with the threats that were known as the search began", function()
    local world, agent = searching(WORK)
    world:threats()[1]:remove()
    world:add_threat { at = { 0, 1.6, -30 }, known_to = "red" }
    world:step()
    assert.is_true(agent:waits_for_path())
    local other = load_into(world, WORK)
    assert_equal_runs(world, other, 12)
    assert.is_false(agent:waits_for_path())
  end)

  it("also has what was heard just before it was saved, or as it was loaded", function()
    local world = searching(WORK)
    local other = load_into(world, WORK)
    for _, one in ipairs { world, other } do one:add_threat { at = { 0, 1.6, -30 }, known_to = "red" } end
    assert_equal_runs(world, other, 12)
  end)

  it("may be saved again before it goes on", function()
    local world = searching(WORK)
    local other = load_into(load_into(world, WORK), WORK)
    assert_equal_runs(world, other, 12)
  end)

  it("sees that a drive is cut off in the step after it was loaded", function()
    leeward.profile("history van", {
      extends = "human", radius = 1, length = 4, width = 2, wheelbase = 2.4, turn_radius = 4, acceleration = 2,
      deceleration = 2, reverse_cost = 100,
    })
    local world = start(1000000, open)
    local agent = assert(world:spawn { profile = "history van", at = { -12, 0, 0 } })
    agent:set_heading(math.pi / 2) -- to -z: it drives a loop, while its path leads straight on
    assert(agent:move_to { -12, 0, 12 })
    world:run(0.5)
    local farthest = agent:position()
    for _, point in ipairs(agent:drive()) do
      if point.at.z < farthest.z then farthest = point.at end
    end
    assert.is_true(farthest.z < -3)
    local other = load_into(world, 1000000, open)
    for _, one in ipairs { world, other } do
      one:add_obstacle { at = farthest - { 0, 0, 0.5 }, size = { 1, 2, 1 } }
    end
    assert_equal_runs(world, other, 8)
    assert.equal(1, other:agents()[1]:stats().replans)
  end)

  it("keeps the priority of a journey for when its agent waits for a path again", function()
    leeward.profile("barred", { extends = "human", avoidance = "full", acceleration = 8, deceleration = 8 })
    leeward.profile("rock", { extends = "barred", mass = 1e6, priority = 100 })
    local gap = leeward.geometry()
    gap:add_box { min = { -32, -1, -32 }, max = { 32, 0, 32 } }
    for _, ends in ipairs { { -32, -0.8 }, { 0.8, 20 }, { 21.6, 32 } } do
      gap:add_box { min = { 0, 0, ends[1] }, max = { 1, 3, ends[2] }, area = false }
    end
    local ground = leeward.bake(gap, { cell_size = 0.2, agent_radius = 0.4, tile_size = 16 })
    local world = start(1, ground)
    local agent = assert(world:spawn { profile = "barred", at = { -4, 0, 0 } })
    assert(world:spawn { profile = "rock", at = { 0.5, 0, 0 } })
    assert(agent:move_to({ 30, 0, 1 }, { priority = 3 }))
    world:run(1)
    assert.is_false(agent:waits_for_path())
    local other = load_into(world, 1, ground)
    local waited = false
    for _ = 1, 300 do -- the other one stands in the way: a path past it is searched
      world:step()
      other:step()
      assert.equal(world:hash(), other:hash())
      waited = waited or agent:waits_for_path()
    end
    assert.is_true(waited)
  end)
end)
