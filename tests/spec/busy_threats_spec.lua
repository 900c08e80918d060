-- Threats that are asked about often: exposure from depth maps, and runs that repeat all the same.
local leeward = require "leeward"
local behaviors = require "behaviors"

local navmesh = (function()
  local geometry = leeward.geometry()
  geometry:add_box { at = { 0, -1, 0 }, size = { 40, 1, 40 } }
  for i = -2, 2 do
    geometry:add_box { at = { 6 * i, 0, 1.3 * i }, size = { 1.7, 3, 0.4 }, yaw = 0.37 * i, area = false }
  end
  return leeward.bake(geometry, { agent_radius = 0.4, cell_size = 0.2 })
end)()

local sniper = { at = { 0.3, 1.6, -11.7 } }
local OFTEN = 400

local function ask(world, accuracy, x)
  return select(2, assert(world:exposure { from = { -15, 0, 8 }, to = { 15 + (x or 0), 0, 9 }, threats = { sniper },
    accuracy = accuracy }))
end

describe("exposure to a busy threat", function()
  it("is exact, until the step after it was asked about often", function()
    local world = leeward.world { navmesh = navmesh }
    local exact, fast = ask(world, "exact"), ask(leeward.world { navmesh = navmesh }, "fast")
    assert.is_near(exact, fast, 0.02)
    assert.not_equal(exact, fast)
    for _ = 1, 2 * OFTEN do assert.equal(exact, ask(world, "auto")) end
    world:step()
    assert.equal(fast, ask(world, "auto"))
    assert.equal(fast, ask(world)) -- auto is the default
    assert.equal(exact, ask(world, "exact"))
  end)

  it("stays exact where there are no depth maps to be", function()
    local world = leeward.world { navmesh = navmesh, depth_maps = 0 }
    for _ = 1, OFTEN do ask(world) end
    world:step()
    assert.equal(ask(world, "exact"), ask(world))
    assert.equal(ask(world, "exact"), ask(world, "fast"))
    assert.has_error(function() leeward.world { navmesh = navmesh, depth_maps = 33 } end,
      "world: depth_maps is 33, expected a whole number from 0 to 32")
  end)

  it("takes no more memory than the world says", function()
    local world = leeward.world { navmesh = navmesh, depth_maps = 2 }
    local before = world:memory()
    for i = 1, 20 do
      assert(world:exposure { from = { -15, 0, 8 }, to = { 15, 0, 9 }, threats = { { at = { i, 1.6, -9 } } },
        accuracy = "fast" })
    end
    assert.is_true(world:memory() > before)
    assert.is_true(world:memory() - before < 3 * 200 * 1000)
  end)

  it("stays hidden by a wall that is a bit higher than both eyes, however far", function()
    local geometry = leeward.geometry()
    geometry:add_box { at = { 0, -1, 0 }, size = { 120, 1, 120 } }
    geometry:add_box { at = { 0, 0, 0 }, size = { 24, 1.75, 0.2 }, area = false }
    local level = leeward.bake(geometry, { agent_radius = 0.4, cell_size = 0.5 })
    for away = 8, 56, 4 do
      local world = leeward.world { navmesh = level }
      local function seen()
        return (world:exposure { from = { -8, 0, 1 }, to = { 8, 0, 1 }, threats = { { at = { 0, 1.6, -away } } } })
      end
      for _ = 1, OFTEN do assert.equal(0, seen()) end
      world:step()
      assert.equal(0, seen())
    end
  end)

  it("from a cover map is refused where there is none", function()
    local world = leeward.world { navmesh = navmesh }
    local reason = "accuracy is 'map', and no navmesh of this world has a cover map"
    local query = { from = { -5, 0, 8 }, to = { 5, 0, 9 }, threats = { sniper }, accuracy = "map" }
    assert.same({ nil, reason, "NOT_FOUND", n = 3 }, table.pack(world:exposure(query)))
    assert.same({ nil, reason, "NOT_FOUND", n = 3 }, table.pack(world:find_path(query)))
  end)

  it("guides paths as exact exposure does", function()
    local world = leeward.world { navmesh = navmesh }
    local function cross(accuracy)
      return assert(world:find_path { from = { -18, 0, -2 }, to = { 18, 0, -2 }, threats = { sniper },
        profile = { extends = "human", cover_bias = 8 }, accuracy = accuracy })
    end
    local exact, fast = cross("exact"), cross("fast")
    assert.is_near(exact:cost(), fast:cost(), 0.03 * exact:cost())
    assert.is_near(exact:exposed(), fast:exposed(), 0.05 * exact:length())
  end)
end)

describe("a run with busy threats", function()
  local answers -- of the leaf, in order

  local Peer = behaviors.leaf {
    name = "Peer",
    start = function() return "running" end,
    tick = function(agent)
      local world = agent:world()
      for i = 1, 70 do ask(world, "auto", i % 7) end
      answers[#answers + 1] = ask(world)
      return "running"
    end,
  }
  leeward.tree("peer", Peer {})

  --- Half a second; `look` is called between steps. Returns the leaf's answers and the world's hash.
  local function run(look)
    answers = {}
    local world = leeward.world { navmesh = navmesh, seed = 5 }
    assert(world:spawn { profile = "soldier", at = { 5, 0, 5 }, tree = "peer" })
    world:run(0.5, look)
    return answers, world:hash(), world
  end

  it("takes depth maps for them, and is the same the next time", function()
    local first, hash, world = run()
    assert.equal(ask(world, "exact"), first[1])
    assert.equal(ask(world, "fast"), first[#first])
    assert.not_equal(first[1], first[#first])
    local second, again = run()
    assert.same(first, second)
    assert.equal(hash, again)
  end)

  it("continues from a file alike in a world with maps and in one without", function()
    local _, _, busy = run()
    local file = os.tmpname()
    assert(busy:save(file))
    local function go_on(world)
      assert(world:load(file))
      answers = {}
      world:run(0.5)
      return answers
    end
    local first, second = go_on(busy), go_on(leeward.world { navmesh = navmesh })
    os.remove(file)
    assert.is_true(#first > 20)
    assert.same(first, second)
  end)

  it("is no other for being looked at", function()
    local first, hash = run()
    local looked, again = run(function(world)
      for i = 1, 50 do ask(world, "auto", i) end
      ask(world, "fast")
    end)
    assert.same(first, looked)
    assert.equal(hash, again)
  end)
end)
