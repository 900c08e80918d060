-- Agents that others keep from getting on: they wait while those before them get on, and else are stuck.
local leeward = require "leeward"
local crowd = require "support.crowd"
local maps = require "support.maps"

local DT = crowd.DT

describe("agent:blocked_by", function()
  crowd.profiles("blocked_walker", "blocked_rock")
  local world

  --- A floor with a corridor of one metre in the middle.
  before_each(function()
    world = leeward.world { navmesh = maps.floor(30, 30), seed = 3 }
    world:add_obstacle { shape = "box", at = { 15, 0, 6 }, size = { 6, 2, 15 } }
    world:add_obstacle { shape = "box", at = { 15, 0, 23.4 }, size = { 6, 2, 17 } }
    world:step(DT)
  end)

  local function spawn(x, z, profile)
    return assert(world:spawn { profile = profile or "blocked_walker", at = { x, 0, z } })
  end

  local function run(seconds, each) return crowd.run(world, seconds, each) end

  it("says who stands in the way, and then the move fails, naming it", function()
    local rock, walker = spawn(15, 14.2, "blocked_rock"), spawn(8, 14.2)
    assert(walker:move_to { 25, 0, 14 })
    local _, waited
    assert.is_true(run(6, function()
      _, waited = walker:blocked_by()
      return waited and waited > 2
    end))
    assert.equal(rock, (walker:blocked_by()))
    assert.matches("waits behind agent 1 for 2 s", walker:why(), 1, true)
    assert.is_true(run(15, function() return walker:move_state() == "failed" end))
    local _, _, code = walker:move_state()
    assert.equal("STUCK", code)
    assert.matches("blocked by agent 1", walker:why(), 1, true)
    assert.equal(rock, (walker:blocked_by()))
    assert(walker:move_to { 5, 0, 14 })
    assert.is_nil((walker:blocked_by()))
  end)

  it("tells all in a queue that ends at one that stands", function()
    local rock = spawn(15, 14.2, "blocked_rock")
    local walkers = {}
    for i = 1, 4 do
      walkers[i] = spawn(9 - i, 14.2)
      assert(walkers[i]:move_to { 25, 0, 14 })
    end
    run(40)
    for i, walker in ipairs(walkers) do
      assert.equal("failed", (walker:move_state()), i)
      assert.is_true(walker:blocked_by() == rock or walkers[i - 1] ~= nil)
    end
  end)

  it("lets a queue wait, however long, as long as the first one gets on", function()
    local first = spawn(12.5, 14.2)
    local at = first:position()
    assert(first:set_external(at, { 0, 0, 0 }))
    assert(first:move_to { 25, 0, 14 })
    local walkers = {}
    for i = 1, 4 do
      walkers[i] = spawn(11.5 - i, 14.2)
      assert(walkers[i]:move_to { 26, 0, 12 + i })
    end
    local longest = 0
    run(70, function() -- it crawls
      at = at + leeward.vec3(0.15 * DT, 0, 0)
      if first:position().x < 19 then assert(first:set_external(at, { 0.15, 0, 0 })) end
      if first:position().x >= 19 and first:is_external() then first:set_external(nil) end
      local _, waited = walkers[1]:blocked_by()
      longest = math.max(longest, waited or 0)
    end)
    assert.is_true(longest > 12)
    for i, walker in ipairs(walkers) do
      assert.equal("arrived", (walker:move_state()), i)
      assert.equal(0, walker:stats().stuck)
    end
  end)

  describe("with a heavy agent behind a light one", function()
    leeward.profile("blocked_heavy", { extends = "blocked_walker", mass = 1600 })
    leeward.profile("blocked_post", { extends = "blocked_walker", mass = 400 }) -- the light one does not push it

    local function queue()
      local post, light = spawn(15, 14.2, "blocked_post"), spawn(8, 14.2)
      local heavy = spawn(6, 14.2, "blocked_heavy")
      assert(heavy:move_to { 27, 0, 14 })
      assert(light:move_to { 27, 0, 17 })
      return post, light, heavy
    end

    it("lets the light one push for it, and tells so", function()
      local post, light, heavy = queue()
      local said = false
      assert.is_true(run(90, function()
        said = said or light:why():find("pushes for agent 3 behind it", 1, true) ~= nil
        assert.not_equal("failed", (light:move_state()))
        return light:move_state() == "arrived" and heavy:move_state() == "arrived"
      end))
      assert.is_true(said)
      assert.is_true(post:position().x > 17.5) -- it was pushed out of the corridor
      assert.is_nil(light:why():find("pushes", 1, true))
    end)

    it("gives the light one its own weight again where nobody is behind it", function()
      local _, light, heavy = queue()
      assert.is_true(run(8, function() return light:why():find("pushes for", 1, true) end))
      heavy:despawn()
      world:step(DT)
      assert.is_nil(light:why():find("pushes for", 1, true))
      assert.is_true(run(30, function() return light:move_state() == "failed" end))
    end)

    it("goes on the same after a load", function()
      queue()
      run(6)
      local file = os.tmpname()
      assert(world:save(file))
      local other = leeward.world { navmesh = maps.floor(30, 30), seed = 3 }
      assert.same({}, { select(2, other:load(file)) })
      os.remove(file)
      for _ = 1, 90 do
        world:step(DT)
        other:step(DT)
      end
      assert.equal(world:hash(), other:hash())
      other:destroy()
    end)
  end)

  describe("with somebody standing at the goal", function()
    it("settles for a place beside that one, and tells how far off", function()
      local rock, walker = spawn(27, 5, "blocked_rock"), spawn(20, 5)
      assert(walker:move_to { 27, 0, 5 })
      assert.is_true(run(12, function() return walker:move_state() == "arrived" end))
      local away = walker:position():distance(rock:position())
      assert.is_true(away > 0.75 and away < 1, away)
      assert.matches("arrived 0.8 m from (27.0, 0.0, 5.0)", walker:why(), 1, true)
      assert.equal(1, walker:stats().goals_reached)
    end)

    it("is stuck further away", function()
      for z = -1, 1 do world:add_obstacle { shape = "box", at = { 27, 0, 5 + 2 * z }, size = { 6, 2, 0.9 } } end
      world:step(DT)
      local rock = spawn(24.5, 6, "blocked_rock")
      local walker = spawn(22, 6)
      assert(walker:move_to { 29.3, 0, 6 })
      assert.is_true(run(60, function() return walker:move_state() ~= "walking" end))
      assert.equal("failed", (walker:move_state()))
      assert.equal(rock, (walker:blocked_by()))
    end)
  end)

  it("is nobody where nothing is in the way, and for agents without bodies", function()
    local walker, ghost = spawn(5, 14.2), spawn(5, 16, "human")
    assert(walker:move_to { 25, 0, 14 })
    assert(ghost:move_to { 25, 0, 14 })
    run(12, function()
      assert.is_nil((walker:blocked_by()))
      assert.is_nil((ghost:blocked_by()))
    end)
    assert.equal("arrived", (walker:move_state()))
  end)
end)
