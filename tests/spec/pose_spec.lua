-- How agents look between two steps.
local leeward = require "leeward"
local maps = require "support.maps"

local DT = 1 / 10

describe("agent:pose", function()
  local world
  before_each(function() world = leeward.world { navmesh = maps.floor(40, 40), seed = 3 } end)

  local function walker(options)
    options = options or {}
    options.profile, options.at = options.profile or "human", { 2, 0, 2 }
    local agent = assert(world:spawn(options))
    assert(agent:move_to { 30, 0, 30 })
    return agent
  end

  it("lies between the last two steps, and is where the agent is after the last one", function()
    local agent = walker()
    world:step(DT)
    local before = agent:position()
    world:step(DT)
    local now = agent:position()
    assert.is_true(before:distance(now) > 0.05)
    assert.equal(0, agent:pose(0).position:distance(before))
    assert.is_near(0, agent:pose(0.25).position:distance(before + (now - before) * 0.25), 1e-5)
    assert.equal(0, agent:pose(1).position:distance(now))
    assert.equal(0, agent:pose().position:distance(now))
  end)

  it("turns the shorter way", function()
    local agent = assert(world:spawn { profile = "human", at = { 20, 0, 20 } })
    assert(agent:move_to { 2, 0, 21 }) -- a little beyond pi
    world:step(DT)
    world:step(DT)
    assert(agent:move_to { 2, 0, 19 })
    world:step(DT)
    local from, to = agent:pose(0).heading, agent:pose(1).heading
    assert.is_true(from * to < 0)
    assert.is_true(math.abs(agent:pose(0.5).heading) > 3)
    assert.is_true(math.abs(agent:pose(1).turn_rate) < 0.2 / DT)
  end)

  it("has one speed all the way along a path with corners, where the distance per step is less in some", function()
    local mesh = maps.floor(40, 40)
    world = leeward.world { navmesh = mesh, seed = 3 }
    world:add_obstacle { shape = "box", at = { 15, 0, 15 }, size = { 14, 2, 14 } }
    world:step(DT)
    local agent = walker()
    local least, most, shortest = math.huge, 0, math.huge
    local at = agent:position()
    for _ = 1, 120 do
      world:step(DT)
      if agent:move_state() ~= "walking" then break end
      local pose, now = agent:pose(), agent:position()
      least, most = math.min(least, pose.speed), math.max(most, pose.speed)
      shortest = math.min(shortest, at:distance(now) / DT)
      at = now
    end
    assert.is_true(shortest < 0.99 * most)
    assert.is_near(most, least, 1e-3)
  end)

  it("says stance, pace and link", function()
    local agent = walker { stance = "crouch", pace = "fast" }
    world:step(DT)
    local pose = agent:pose(0.5)
    assert.same({ "crouch", "fast" }, { pose.stance, pose.pace })
    assert.is_nil(pose.link)
    assert.is_nil(pose.link_progress)
    world:add_link { from = { 35, 0, 2 }, to = { 35, 0, 12 }, kind = "jump", length = 1 }
    world:step(DT)
    local jumper = assert(world:spawn { profile = "human", at = { 34.5, 0, 2 } })
    assert(jumper:move_to { 35, 0, 13 })
    for _ = 1, 40 do
      world:step(DT)
      pose = jumper:pose(0.5)
      if pose.link then break end
    end
    assert.equal("jump", pose.link)
    assert.is_true(pose.link_progress > 0 and pose.link_progress < 1)
  end)

  it("is at once where a teleport leads", function()
    world:add_link { from = { 4, 0, 2 }, to = { 38, 0, 38 }, kind = "teleport", length = 1 }
    world:step(DT)
    local agent = assert(world:spawn { profile = "human", at = { 2, 0, 2 } })
    assert(agent:move_to { 38, 0, 36 })
    local jumped
    for _ = 1, 60 do
      local at = agent:position()
      world:step(DT)
      if at:distance(agent:position()) > 5 then
        jumped = true
        assert.equal(0, agent:pose(0).position:distance(agent:position()))
      end
      assert.is_true(agent:pose(1).speed < 5)
    end
    assert.is_true(jumped)
  end)

  it("stands where the agent is before the first step, and after a load", function()
    local agent = walker()
    assert.same({ 0, 0 }, { agent:pose(0).position:distance(agent:position()), agent:pose().speed })
    world:run(1)
    local file = os.tmpname()
    assert(world:save(file))
    world:run(1)
    assert(world:load(file))
    agent = world:agents()[1]
    assert.equal(0, agent:pose(0).position:distance(agent:position()))
    assert.is_near(agent:velocity():length(), agent:pose(0).speed, 1e-5)
    os.remove(file)
  end)

  it("refuses what is no part of a step", function()
    local agent = walker()
    assert.error_matches(function() agent:pose(1.5) end, "pose: alpha is 1.5, expected", 1, true)
    assert.error_matches(function() agent:pose("now") end, "pose: alpha", 1, true)
    agent:despawn()
    assert.has_error(function() agent:pose() end)
  end)
end)
