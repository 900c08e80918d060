-- Agents that stand step aside for those that they keep from getting on, and who is hemmed in for good says by whom.
local crowd = require "support.crowd"
local vehicles = require "support.vehicles"

describe("an agent that is hemmed in", function()
  local WALKER, ROCK = "walker to step aside", "rock to step aside"
  local FIELD = { { -20, -20, 20, 20 } }

  setup(function() crowd.profiles(WALKER, ROCK) end)

  local function ring(world, count, radius, profile)
    local list = {}
    for i = 1, count do
      local angle = i * 2 * math.pi / count
      list[i] = assert(world:spawn {
        profile = profile, at = { radius * math.cos(angle), 0, radius * math.sin(angle) },
      })
    end
    return list
  end

  local function deepest(agents)
    local deep = 0
    for i, agent in ipairs(agents) do
      for k = 1, i - 1 do deep = math.max(deep, 0.8 - agent:position():distance(agents[k]:position())) end
    end
    return deep
  end

  -- @return How long it took.
  local function walk(world, agent, goal, others)
    assert(agent:move_to(goal))
    local seconds, deep = 0, 0
    local all = { agent, table.unpack(others) }
    crowd.run(world, 60, function()
      seconds = seconds + crowd.DT
      deep = math.max(deep, deepest(all))
      return agent:move_state() ~= "walking"
    end)
    assert.is_true(deep < 0.02, deep .. " m deep")
    return seconds
  end

  it("gets out of a ring of others", function()
    for _, radius in ipairs { 0.9, 1.1, 1.5, 2.2 } do
      local world = vehicles.world(FIELD)
      local others = ring(world, math.floor(2 * math.pi * radius / 0.82), radius, WALKER)
      local agent = assert(world:spawn { profile = WALKER, at = { 0, 0, 0 } })
      local seconds = walk(world, agent, { 10, 0, 3 }, others)
      assert.equal("arrived", agent:move_state(), agent:why())
      assert.is_true(seconds < (radius < 2 and 12 or 25), seconds .. " s")
    end
  end)

  it("gets out of two rings, and of a corner", function()
    local world = vehicles.world(FIELD)
    local others = ring(world, 7, 1, WALKER)
    for _, other in ipairs(ring(world, 14, 1.9, WALKER)) do others[#others + 1] = other end
    local agent = assert(world:spawn { profile = WALKER, at = { 0, 0, 0 } })
    assert.is_true(walk(world, agent, { 10, 0, 3 }, others) < 20)
    assert.equal("arrived", agent:move_state(), agent:why())

    world, others = vehicles.world(FIELD), {}
    for i, at in ipairs { { -18.4, -19.5 }, { -18.6, -18.6 }, { -19.5, -18.4 } } do
      others[i] = assert(world:spawn { profile = WALKER, at = { at[1], 0, at[2] } })
    end
    agent = assert(world:spawn { profile = WALKER, at = { -19.5, 0, -19.5 } })
    assert.is_true(walk(world, agent, { 10, 0, 3 }, others) < 25)
    assert.equal("arrived", agent:move_state(), agent:why())
  end)

  -- A corridor that ends at x = 10, and others that stand in it at these places.
  local function dead_end(wide, places, profile)
    local world = vehicles.world { { -20, -20, 0, 20 }, { -0.5, -wide / 2, 10, wide / 2 } }
    local others = {}
    for i, x in ipairs(places) do others[i] = assert(world:spawn { profile = profile, at = { x, 0, 0 } }) end
    local agent = assert(world:spawn { profile = WALKER, at = { 9, 0, 0 } })
    return agent, walk(world, agent, { -10, 0, 3 }, others)
  end

  it("gets out of a dead end: those in it walk out before it, and aside", function()
    for _, wide in ipairs { 1.2, 1.6, 2 } do
      for _, places in ipairs { { 0.6 }, { 5 }, { 0.85, 1.7, 2.55, 3.4 } } do
        local agent, seconds = dead_end(wide, places, WALKER)
        assert.equal("arrived", agent:move_state(), agent:why())
        assert.is_true(seconds < 27, seconds .. " s")
      end
    end
  end)

  it("fails where these do not move, and says who stands there", function()
    for _, place in ipairs { 0.6, 5 } do
      local agent, seconds = dead_end(1.2, { place }, ROCK)
      assert.equal("failed", agent:move_state())
      assert.matches("makes no progress, blocked by agent 1", agent:why())
      assert.is_true(seconds < 18, seconds .. " s") -- it walked for up to three of them
    end
    local world = vehicles.world(FIELD)
    local others = ring(world, 16, 2.2, ROCK)
    local agent = assert(world:spawn { profile = WALKER, at = { 0, 0, 0 } })
    assert.is_true(walk(world, agent, { 10, 0, 3 }, others) < 15) -- it tries the gaps between them
    assert.matches("makes no progress, blocked by agent %d+", agent:why())
  end)

  -- A room with a door at the east, in which others stand at random places, and mostly stay there.
  local function room(seed)
    math.randomseed(seed)
    local function draw(low, high) return low + (high - low) * math.random() end
    local wide, deep, door = draw(3, 8), draw(3, 8), draw(1.3, 2)
    local x = wide / 2
    local world = vehicles.world {
      { -x, -deep / 2, x, deep / 2 }, { x - 0.5, -door / 2, x + 4, door / 2 }, { x + 3, -4, x + 10, 4 },
    }
    local places = { { 0, 0 } }
    for _ = 1, math.random(2, 25) do
      local at, is_free = { draw(-1, 1) * (x - 0.5), draw(-1, 1) * (deep - 1) / 2 }, true
      for _, other in ipairs(places) do
        is_free = is_free and (at[1] - other[1]) ^ 2 + (at[2] - other[2]) ^ 2 > 0.82 ^ 2
      end
      if is_free then
        places[#places + 1] = at
        world:spawn { profile = math.random() < 0.7 and ROCK or WALKER, at = { at[1], 0, at[2] } }
      end
    end
    return world, assert(world:spawn { profile = WALKER, at = { 0, 0, 0 } }), { x + 8, 0, 2 }
  end

  it("gets out of any room, or fails before long, and says who stands there", function()
    local failed = 0
    for seed = 1, 150 do
      local world, agent, goal = room(seed)
      assert(agent:move_to(goal))
      assert.is_true(crowd.run(world, 45, function() return agent:move_state() ~= "walking" end),
        seed .. ": " .. agent:why())
      if agent:move_state() ~= "arrived" then
        failed = failed + 1
        assert.matches("makes no progress, blocked by agent %d+", agent:why(), 1, false, seed .. "")
      end
    end
    assert.is_true(failed > 20 and failed < 130, failed .. " failed")
  end)

  it("goes on from a saved game as if nothing had happened", function()
    local file = os.tmpname()
    local world = vehicles.world(FIELD)
    ring(world, 16, 2.2, WALKER)
    local agent = assert(world:spawn { profile = WALKER, at = { 0, 0, 0 } })
    assert(agent:move_to { 10, 0, 3 })
    for _ = 1, 12 do
      assert(world:save(file))
      local again = vehicles.world(FIELD)
      assert(again:load(file))
      crowd.run(world, 0.5)
      crowd.run(again, 0.5)
      assert.equal(world:hash(), again:hash())
    end
    os.remove(file)
  end)
end)
