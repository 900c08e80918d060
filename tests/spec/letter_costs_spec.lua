-- Prices to the letter, row 1: what holds for one journey, until it is taken back, and for groups. See letter_spec.
local leeward = require "leeward"
local maps = require "support.maps"

--- Two routes from the left to the right: 10 m straight over grass, or 20 m round by a road.
local function two_routes()
  return leeward.world { navmesh = maps.rectangles {
    { -1, -1, 1, 2, "road" }, { 0, -1, 10, 2, "grass" }, { 10, -1, 1, 2, "road" },
    { -1, 1, 1, 5, "road" }, { 10, 1, 1, 5, "road" }, { -1, 6, 12, 1, "road" },
  } }
end
local LEFT, RIGHT = { -0.5, 0, 0 }, { 10.5, 0, 0 }

local function spawn(world, more)
  local definition = { profile = { extends = "human", radius = 0 }, at = LEFT }
  for key, value in pairs(more or {}) do definition[key] = value end
  return assert(world:spawn(definition))
end

local function goes_straight(agent)
  for _, point in ipairs(assert(agent:route())) do if point.z > 2 then return false end end
  return true
end

describe("1. live costs:", function()
  local NO_GRASS = { area_factor = { grass = 9 } }

  describe("agent:move_to", function()
    it("takes costs, areas to avoid and links that hold for that journey", function()
      local world = two_routes()
      local agent = spawn(world)
      assert(agent:move_to(RIGHT))
      assert.is_true(goes_straight(agent))
      assert(agent:move_to(RIGHT, { cost = NO_GRASS }))
      assert.is_false(goes_straight(agent))
      assert.matches("on this journey by", agent:why())
      world:run(12)
      assert.equal("arrived", agent:move_state())
      assert(agent:move_to(LEFT))
      assert.is_true(goes_straight(agent))
      assert(agent:move_to(LEFT, { avoid = { "grass" } }))
      assert.is_false(goes_straight(agent))
    end)

    it("leaves an area that it avoids where other ground is within 2 m, else there is no start", function()
      for x, far in pairs { [1.5] = false, [5] = true } do
        local agent = spawn(two_routes(), { at = { x, 0, 0 } })
        local ok, message, code = agent:move_to(RIGHT, { avoid = { "grass" } })
        if far then
          assert.same({ nil, "no navmesh near the start that the agent may enter", "NO_START" }, { ok, message, code })
        else
          assert.is_true(ok)
          assert.is_false(goes_straight(agent))
        end
      end
    end)

    it("takes a profile, and says so", function()
      local world = two_routes()
      local agent = spawn(world)
      assert(agent:move_to(RIGHT, { profile = { extends = "human", radius = 0, area_factor = { grass = 9 } } }))
      assert.is_false(goes_straight(agent))
      assert.equal("custom", agent:explain().profile)
    end)

    it("takes threats in place of those that the agent knows of", function()
      local world = leeward.world { navmesh = maps.rectangles { { 0, 0, 20, 2 } } }
      local agent = spawn(world, { at = { 5, 0, 1 }, cost = { cover_bias = 5 } })
      local function cost() return agent:explain().total.cost end
      assert(agent:move_to({ 15, 0, 1 }, { threats = { { at = { 10, 20, 1 } } } }))
      assert.near(5 * 10, cost(), 1e-3)
      assert(agent:move_to { 15, 0, 1 })
      assert.near(10, cost(), 1e-3)
      agent:set_threats { { at = { 10, 20, 1 } } }
      assert(agent:move_to({ 15, 0, 1 }, { threats = {} }))
      assert.near(10, cost(), 1e-3)
    end)

    it("takes a pace, which ends with it", function()
      local world = two_routes()
      local agent = spawn(world)
      assert(agent:move_to(RIGHT, { pace = "fast", quality = "fast" }))
      world:step(1 / 60)
      assert.equal("fast", agent:pace())
      assert.near(5.5 * 0.9, agent:velocity():length(), 1) -- over grass, perhaps
      world:run(5)
      assert.equal("normal", agent:pace())
    end)

    it("refuses what makes no sense, by name", function()
      local agent = spawn(two_routes())
      for message, options in pairs {
        ["move_to: unknown key 'cots'. Did you mean 'cost'?"] = { cots = {} },
        ["move_to: cost.cover_bias is 0, expected a number from 1 to 1000000"] = { cost = { cover_bias = 0 } },
        ["move_to: pace is 'run', expected 'calm', 'normal' or 'fast'"] = { pace = "run" },
        ["move_to: quality is 'best', expected 'good', 'fast' or 'exact'"] = { quality = "best" },
        ["move_to: cost is 3, expected a table"] = { cost = 3 },
      } do
        local ok, got = pcall(agent.move_to, agent, RIGHT, options)
        assert.is_false(ok)
        assert.matches(message, got, 1, true)
      end
      assert.equal("idle", agent:move_state())
    end)

    it("keeps them for paths that are searched again", function()
      local world = two_routes()
      local agent = spawn(world)
      assert(agent:move_to(RIGHT, { cost = NO_GRASS }))
      world:run(1)
      world:add_obstacle { shape = "box", at = { 5, 0, 6 }, size = { 1, 2, 0.6 } }
      world:run(1)
      assert.equal(1, agent:stats().replans)
      assert.is_false(goes_straight(agent))
    end)
  end)

  it("MoveTo has the same options", function()
    local MoveTo = require "behaviors.nodes.move_to"
    local world = two_routes()
    local agent = spawn(world, { tree = MoveTo { to = RIGHT, cost = NO_GRASS, pace = "fast" } })
    world:step(1 / 60)
    assert.is_false(goes_straight(agent))
    assert.equal("fast", agent:pace())
    world:run(8)
    assert.equal("normal", agent:pace())
    assert.is_true(agent:position():distance(RIGHT) < 0.5)
  end)

  it("agent:set_cost holds until it is taken back", function()
    local world = two_routes()
    local agent = spawn(world, { cost = { area_factor = { road = 1 } } })
    assert(agent:move_to(RIGHT))
    agent:set_cost(NO_GRASS)
    world:step(1 / 60)
    assert.is_false(goes_straight(agent))
    assert.near(2, agent:explain().total.cost / agent:explain().total.length, 0.01) -- as spawned, beside it
    agent:set_cost { danger_cost = 3 } -- replaces the one before
    world:step(1 / 60)
    assert.is_true(goes_straight(agent))
    agent:set_cost(NO_GRASS)
    world:step(1 / 60)
    assert.is_false(goes_straight(agent))
    agent:set_cost(nil)
    world:step(1 / 60)
    assert.is_true(goes_straight(agent))
    assert.has_error(function() agent:set_cost { avoid = { "road" } } end)
    agent:set_cost(NO_GRASS)
    agent:set_profile { extends = "human", radius = 0, speed = { normal = 4 } }
    world:step(1 / 60)
    assert.is_false(goes_straight(agent)) -- stays
  end)

  it("set_profile and set_cost count on the way, also under options of the journey", function()
    for _, options in ipairs { { pace = "fast" }, { cost = { danger_cost = 3 } }, { avoid = {} },
      { can_take = { jump = false } } } do
      local world = two_routes()
      local agent = spawn(world)
      assert(agent:move_to(RIGHT, options))
      world:step(1 / 60)
      assert.is_true(goes_straight(agent))
      agent:set_cost(NO_GRASS)
      world:step(1 / 60)
      assert.is_false(goes_straight(agent))
      agent:set_cost(nil)
      world:step(1 / 60)
      assert.is_true(goes_straight(agent))
      agent:set_profile { extends = "soldier", radius = 0, area_factor = { grass = 9 } }
      world:step(1 / 60)
      assert.is_false(goes_straight(agent))
    end
  end)

  it("what the journey says stays over that, and a journey for another profile stays one", function()
    local world = two_routes()
    local agent = spawn(world)
    assert(agent:move_to(RIGHT, { cost = NO_GRASS }))
    agent:set_cost { area_factor = { grass = 0 } }
    agent:set_profile "soldier"
    world:step(1 / 60)
    assert.is_false(goes_straight(agent))
    assert.equal("soldier", agent:explain().profile)
    assert(agent:move_to(RIGHT, { profile = "human" }))
    agent:set_cost(NO_GRASS)
    world:step(1 / 60)
    assert.is_true(goes_straight(agent))
    assert.equal("human", agent:explain().profile)
    assert(agent:move_to(RIGHT))
    world:step(1 / 60)
    assert.is_false(goes_straight(agent))
  end)

  it("a journey for another profile has its new numbers after a reload", function()
    leeward.profile("rover", { extends = "human", radius = 0 })
    local world = two_routes()
    local agent = spawn(world)
    assert(agent:move_to(RIGHT, { profile = "rover" }))
    leeward.profile("rover", { extends = "human", radius = 0, area_factor = { grass = 9 } })
    world:step(1 / 60)
    assert.is_true(goes_straight(agent))
    assert(leeward.reload())
    world:step(1 / 60)
    assert.is_false(goes_straight(agent))
    assert.equal("rover", agent:explain().profile)
  end)

  it("an agent that is given costs in a leaf has them on its journey, and nobody else searches again", function()
    local behaviors = require "behaviors"
    local world = two_routes()
    local Mind = behaviors.leaf { name = "Mind", start = function(agent)
      assert(agent:move_to(RIGHT, { cost = { danger_cost = 3 } }))
      agent:set_cost(NO_GRASS)
      return "running", math.huge
    end, tick = function() return "running", math.huge end }
    local other = spawn(world)
    assert(other:move_to(RIGHT, { cost = { danger_cost = 3 } }))
    local agent = spawn(world, { tree = Mind() })
    world:run(0.1)
    assert.is_false(goes_straight(agent))
    assert.is_true(goes_straight(other))
    assert.same({ 1, 0 }, { agent:stats().replans, other:stats().replans })
  end)

  describe("leeward.combined_profile", function()
    it("has the limits of the most limited and the mean of the factors", function()
      local group = leeward.combined_profile { "car", "soldier", { extends = "dog", avoid = { "grass" } } }
      assert.equal(1.1, group.radius)
      assert.equal(1.8, group.height)
      assert.equal(0.25, group.climb)
      assert.same({ calm = 1.5, normal = 3.2, fast = 5.8 }, group.speed)
      assert.is_false(group.can_swim)
      assert.is_false(group.can_open_doors)
      assert.is_false(group.can_take.jump)
      assert.near((1 + 3 + 1) / 3, group.cover_bias, 1e-6)
      assert.near(18 / 3, group.resistance_factor.triangular, 1e-6)
      local avoided = {}
      for _, area in ipairs(group.avoid) do avoided[area] = true end
      assert.same({ door = true, deep_water = true, undergrowth = true, grass = true }, avoided)
    end)

    it("is a profile like any other", function()
      local group = leeward.combined_profile { "human", { extends = "human", area_factor = { grass = 9 } } }
      group.radius = 0
      local world = leeward.world { navmesh = maps.rectangles { { 0, 0, 10, 2, "grass" } } }
      local query = { from = { 1, 0, 1 }, to = { 9, 0, 1 }, profile = group }
      assert.near(8 * (1 + (0 + 9) / 2), assert(world:find_path(query)):cost(), 1e-3)
      leeward.profile("pair", group)
      query.profile = "pair"
      assert.near(8 * (1 + (0 + 9) / 2), assert(world:find_path(query)):cost(), 1e-3)
    end)

    it("is as fast on each area as who is slowest there", function()
      local function speed(profile, ground)
        local world = leeward.world { navmesh = maps.rectangles { { 0, 0, 40, 4, ground } } }
        local agent = assert(world:spawn { profile = profile, at = { 2, 0, 2 } })
        assert(agent:move_to { 38, 0, 2 })
        world:run(0.1)
        return agent:velocity():length()
      end
      local group = leeward.combined_profile { "soldier", "car" }
      for _, ground in ipairs { "ground", "road", "dirt", "grass", "shallow_water" } do
        assert.near(math.min(speed("soldier", ground), speed("car", ground)), speed(group, ground), 1e-3, ground)
      end
      assert.near(8 * 0.5 * 0.9, speed("car", "grass"), 1e-3)
      assert.near(3.2 * 0.9, speed(group, "grass"), 1e-3) -- the soldier's
    end)

    it("has the best senses, in any order, and the name of tables", function()
      local sees = { extends = "human", senses = { sight = { range = 40, notice = 1 }, memory = 4 } }
      local hears = { extends = "human", senses = { sight = { range = 20 }, hearing = { range = 9 } } }
      for _, members in ipairs { { sees, hears }, { hears, sees } } do
        local group = leeward.combined_profile(members)
        assert.equal(40, group.senses.sight.range)
        assert.equal(0.2, group.senses.sight.notice)
        assert.equal(9, group.senses.hearing.range)
        assert.equal(10, group.senses.memory)
        assert.equal("custom", spawn(two_routes(), { profile = group, at = { -0.5, 0, 3 } }):profile())
      end
    end)

    it("of one is that one, and of none an error", function()
      local sniper = leeward.profile "sniper"
      sniper.extends = nil
      assert.same(sniper, leeward.combined_profile { "sniper" })
      assert.has_error(function() leeward.combined_profile {} end)
      assert.has_error(function() leeward.combined_profile("soldier", "car") end,
        "combined_profile: profiles is 'soldier', expected a list of profiles")
      assert.has_error(function() leeward.combined_profile() end,
        "combined_profile: profiles is nil, expected a list of profiles")
      local ok, message = pcall(leeward.combined_profile, { "human", "hunam" })
      assert.is_false(ok)
      assert.matches("profiles[2]", message, 1, true)
      assert.matches("Did you mean 'human'", message, 1, true)
    end)
  end)

  it("a saved game keeps a journey for a named profile, and searches again for a table", function()
    leeward.profile("roadster", { extends = "human", radius = 0, area_factor = { grass = 9 } })
    leeward.profile("walker", { extends = "human", radius = 0 })
    local file = os.tmpname()
    for options, straight in pairs { [{ profile = "roadster", pace = "fast" }] = false,
      [{ cost = NO_GRASS, pace = "fast" }] = true } do
      local world = two_routes()
      local agent = spawn(world, { profile = "walker" })
      assert(agent:move_to(RIGHT, options))
      world:run(0.1)
      assert(world:save(file))
      local hash = world:hash()
      local again = two_routes()
      local loaded = assert(again:load(file))[1]
      assert.equal(straight, goes_straight(loaded))
      assert.equal("fast", loaded:pace())
      if not straight then assert.equal(hash, again:hash()) end
    end
    os.remove(file)
  end)
end)
