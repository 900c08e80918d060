-- Agents whose bodies the game moves, as an engine with physics does.
local leeward = require "leeward"
local maps = require "support.maps"

local DT = 1 / 30

describe("agent:set_external", function()
  local world
  leeward.profile("external_walker", { extends = "human", avoidance = "full", radius = 0.4, acceleration = 8 })
  before_each(function() world = leeward.world { navmesh = maps.floor(40, 40), seed = 3 } end)

  local function spawn(x, z, profile)
    return assert(world:spawn { profile = profile or "external_walker", at = { x, 0, z } })
  end

  --- A body that physics move: as the agent desires, but for what `limit` makes of its place.
  local function body_of(agent, limit)
    local at = agent:position()
    assert(agent:set_external(at, { 0, 0, 0 }))
    return function()
      local before = at
      at = at + agent:desired_velocity() * DT
      if limit then at = limit(at) end
      assert(agent:set_external(at, (at - before) * (1 / DT)))
      return at
    end
  end

  it("leaves the agent where the game says, and says where it would go", function()
    local agent = spawn(5, 5)
    assert(agent:move_to { 30, 0, 5 })
    assert(agent:set_external({ 5, 0, 5 }, { 0, 0, 0 }))
    world:run(0.5)
    assert.is_true(agent:is_external())
    assert.equal(0, agent:position():distance(leeward.vec3(5, 0, 5)))
    assert.is_true(agent:desired_velocity().x > 0.1)
    assert(agent:set_external({ 6, 0.2, 5.5 }, { 3, 0, 0 }))
    assert.is_near(0, agent:position():distance(leeward.vec3(6, 0, 5.5)), 1e-5)
    assert.equal(3, agent:velocity().x)
  end)

  it("brings the agent to its goal by the velocity that it desires, no slower than by itself", function()
    local own, moved = spawn(5, 5), spawn(5, 30)
    local move = body_of(moved)
    assert(own:move_to { 30, 0, 8 })
    assert(moved:move_to { 30, 0, 33 })
    local arrived = {}
    for step = 1, 600 do
      move()
      world:step(DT)
      for name, agent in pairs { own = own, moved = moved } do
        if agent:move_state() == "arrived" then arrived[name] = arrived[name] or step end
      end
    end
    assert.is_near(arrived.own, arrived.moved, 3)
    assert.is_near(own:stats().walked, moved:stats().walked, 0.3)
  end)

  it("keeps others off: they go round the body, which nobody pushes", function()
    local agent = spawn(20, 20)
    assert(agent:set_external({ 20, 0, 20 }, { 0, 0, 0 }))
    local walkers = {}
    for i = 1, 6 do
      walkers[i] = spawn(8, 19 + i / 3)
      assert(walkers[i]:move_to { 32, 0, 21 - i / 3 })
    end
    local nearest = math.huge
    for _ = 1, 600 do
      world:step(DT)
      for _, walker in ipairs(walkers) do
        nearest = math.min(nearest, walker:position():distance(agent:position()))
      end
    end
    for _, walker in ipairs(walkers) do assert.equal("arrived", walker:move_state()) end
    assert.is_true(nearest > 0.75 and nearest < 1.5)
    assert.equal(0, agent:position():distance(leeward.vec3(20, 0, 20)))
  end)

  it("goes round others by the velocity that it desires", function()
    local agent, stands = spawn(5, 20), spawn(18, 20)
    local move, nearest = body_of(agent), math.huge
    assert(agent:move_to { 32, 0, 20 })
    for _ = 1, 600 do
      nearest = math.min(nearest, move():distance(stands:position()))
      world:step(DT)
    end
    assert.equal("arrived", agent:move_state())
    assert.is_true(nearest > 0.7)
  end)

  it("is stuck where something that the navmesh does not know holds the body, and says so", function()
    local agent = spawn(5, 5)
    local move = body_of(agent, function(at) return leeward.vec3(math.min(at.x, 12), at.y, at.z) end)
    assert(agent:move_to { 30, 0, 5 })
    for _ = 1, 900 do
      move()
      world:step(DT)
    end
    local state, _, code = agent:move_state()
    assert.same({ "failed", "STUCK" }, { state, code })
  end)

  it("takes a link as any agent does, and the game goes on behind it", function()
    local agent = spawn(5, 5)
    world:add_link { from = { 10, 0, 5 }, to = { 30, 0, 30 }, kind = "jump", length = 1, radius = 2 }
    world:step(DT)
    local at = agent:position()
    assert(agent:set_external(at, { 0, 0, 0 }))
    assert(agent:move_to { 35, 0, 30 })
    local was_on_link = false
    for _ = 1, 900 do
      if agent:is_on_link() then
        was_on_link, at = true, agent:position()
      else
        if was_on_link and at:distance(agent:position()) > 2 then at = agent:position() end
        at = at + agent:desired_velocity() * DT
      end
      assert(agent:set_external(at, agent:desired_velocity()))
      world:step(DT)
    end
    assert.is_true(was_on_link)
    assert.equal("arrived", agent:move_state())
  end)

  it("is put on the nearest ground, or stays as near as it gets where there is none", function()
    local agent = spawn(5, 5)
    assert(agent:set_external({ 5, 1.5, 7 }, { 0, 0, 0 }))
    assert.is_near(0, agent:position():distance(leeward.vec3(5, 0, 7)), 1e-5)
    local done, message, code = agent:set_external({ 5, 0, 60 }, { 0, 0, 0 })
    assert.same({ "set_external: no ground near the position", "NOT_FOUND" }, { message, code })
    assert.is_nil(done)
    assert.is_true(agent:position().z > 38)
    assert(agent:set_external(nil))
    assert.is_false(agent:is_external())
    assert(agent:move_to { 5, 0, 30 })
    world:run(10)
    assert.equal("arrived", agent:move_state())
  end)

  it("stays so in a saved game", function()
    local file = os.tmpname()
    local agent = spawn(5, 5)
    assert(agent:set_external({ 5, 0, 5 }, { 0, 0, 0 }))
    local hash = world:hash()
    assert(world:save(file))
    assert(agent:set_external(nil))
    assert.not_equal(hash, world:hash())
    assert(world:load(file))
    assert.is_true(world:agents()[1]:is_external())
    assert.equal(hash, world:hash())
    os.remove(file)
  end)

  it("goes on after a load by the velocity that it desired", function()
    local file = os.tmpname()
    local function go_on(agent, at, steps)
      for _ = 1, steps do
        at = at + agent:desired_velocity() * DT
        assert(agent:set_external(at, agent:desired_velocity()))
        world:step(DT)
      end
      return at
    end
    local agent = spawn(5, 5)
    assert(agent:set_external({ 5, 0, 5 }, { 0, 0, 0 }))
    assert(agent:move_to { 30, 0, 20 })
    local at = go_on(agent, agent:position(), 60)
    assert(world:save(file))
    go_on(agent, at, 60)
    local hash = world:hash()
    assert(world:load(file))
    go_on(world:agents()[1], at, 60)
    assert.equal(hash, world:hash())
    os.remove(file)
  end)

  it("is drawn between the places that the game said", function()
    local agent = spawn(5, 5)
    assert(agent:set_external({ 5, 0, 5 }, { 0, 0, 0 }))
    world:step(DT)
    assert(agent:set_external({ 5.2, 0, 5 }, { 6, 0, 0 }))
    world:step(DT)
    assert.is_near(0, agent:pose(0.5).position:distance(leeward.vec3(5.1, 0, 5)), 1e-5)
    assert.is_near(6, agent:pose().speed, 1e-5)
  end)

  it("has limits, within which a saved game can be loaded", function()
    local agent, file = spawn(5, 5), os.tmpname()
    assert.error_matches(function() agent:set_external({ 1e30, 0, 0 }, { 0, 0, 0 }) end,
      "set_external: position is {1e+30, 0, 0}, expected coordinates within +-1000000 metres", 1, true)
    assert.error_matches(function() agent:set_external({ 5, 0, 5 }, { 1e9, 0, 0 }) end,
      "set_external: velocity is {1000000000.0, 0, 0}, expected at most 1000 m/s", 1, true)
    agent:set_external({ 90000, 0, 0 }, { 999, 0, 0 })
    world:step(DT)
    assert.is_true(agent:position().x < 40.01)
    assert(world:save(file))
    assert(world:load(file))
    os.remove(file)
  end)

  it("says that an agent is trapped", function()
    local agent = spawn(5, 5)
    assert(agent:set_external({ 5, 0, 5 }, { 0, 0, 0 }))
    world:add_obstacle { shape = "box", at = { 5, 0, 5 }, size = { 200, 2, 200 } }
    world:step(DT)
    local done, _, code = agent:set_external({ 30, 0, 30 }, { 0, 0, 0 })
    assert.same({ nil, "NOT_FOUND" }, { done, code })
  end)

  it("is not for vehicles", function()
    local van = { extends = "car", radius = 0.4, wheelbase = 2.4, length = 4, width = 1.6, turn_radius = 5 }
    local agent = spawn(15, 15, van)
    assert.error_matches(function() agent:set_external({ 15, 0, 15 }, { 0, 0, 0 }) end,
      "has a wheelbase: vehicles drive by themselves", 1, true)
    agent = spawn(9, 9)
    assert(agent:set_external({ 9, 0, 9 }, { 0, 0, 0 }))
    agent:set_profile(van)
    assert.is_false(agent:is_external())
    assert(agent:move_to { 30, 0, 30 })
    world:run(20)
    assert.equal("arrived", (agent:move_state()))
  end)

  it("refuses agents without a body, and what is no place", function()
    local agent = spawn(5, 5, "human")
    assert.error_matches(function() agent:set_external({ 5, 0, 5 }, { 0, 0, 0 }) end,
      "set_external: the profile 'human' has no body, expected one with avoidance or acceleration", 1, true)
    agent = spawn(9, 9)
    assert.error_matches(function() agent:set_external({ 5, 0, 5 }) end, "set_external: velocity is nil", 1, true)
    assert.error_matches(function() agent:set_external(nil, { 1, 0, 0 }) end, "set_external: position is nil", 1, true)
    assert.is_false(agent:is_external())
  end)
end)
