-- The nodes CanSee and Follow.
local leeward = require "leeward"
local behaviors = require "behaviors"
local maps = require "support.maps"
local CanSee = require "behaviors.nodes.can_see"
local Follow = require "behaviors.nodes.follow"

describe("CanSee", function()
  it("succeeds where the target is seen, and says why it is not", function()
    local level = leeward.geometry()
    level:add_box { min = { 0, -1, 0 }, max = { 20, 0, 10 } }
    level:add_box { min = { 9.8, 0, 0 }, max = { 10.2, 3, 6 }, area = false }
    local world = leeward.world { navmesh = assert(leeward.bake(level)) }
    local other = assert(world:spawn { profile = "human", at = { 15, 0, 3 } })
    local agent = assert(world:spawn {
      profile = "human", at = { 5, 0, 3 }, blackboard = { enemy = other },
      tree = behaviors.selector { CanSee { target = "enemy", range = 12, into = "seen" }, behaviors.wait(0.1) },
    })
    world:step()
    assert.matches("CanSee: it is hidden", agent:why())
    assert(other:move_to { 15, 0, 9 })
    world:run(10)
    assert.matches("CanSee: it is hidden", agent:why())
    assert(agent:move_to { 9, 0, 9 })
    world:run(10)
    assert.is_true(agent.blackboard.seen:distance(other:position()) < 0.01)
    other:despawn()
    world:run(1)
    assert.matches("CanSee: agent %S+ is gone", agent:why())
    assert.error_matches(function() CanSee { target = 3 } end, "target is 3, expected a threat, an agent")
  end)

  it("sees an agent in the vehicle that it carries, and the threat that is its eye", function()
    local level = leeward.geometry()
    level:add_box { min = { -20, -1, -20 }, max = { 20, 0, 20 } }
    local world = leeward.world { navmesh = assert(leeward.bake(level)) }
    local car = assert(world:spawn { profile = "car", at = { 8, 0, 0 } })
    world:add_obstacle { carrier = car, size = { 4, 2, 2 } }
    local targets = { car, world:add_threat { agent = car }, car:eye() }
    local seen = {}
    for i, target in ipairs(targets) do
      local guard = assert(world:spawn {
        profile = "soldier", at = { -8, 0, 0 }, blackboard = { target = target },
        tree = behaviors.sequence { CanSee { target = "target" }, behaviors.wait(10) },
      })
      world:step()
      seen[i] = not guard:why():match "it is hidden"
    end
    assert.same({ true, true, false }, seen) -- a point in the car is hidden
  end)
end)

describe("Follow", function()
  it("takes what holds for its walks, and refuses what agent:move_to would", function()
    local world = leeward.world { navmesh = maps.rectangles {
      { -1, -1, 1, 2, "road" }, { 0, -1, 10, 2, "grass" }, { 10, -1, 1, 2, "road" },
      { -1, 1, 1, 5, "road" }, { 10, 1, 1, 5, "road" }, { -1, 6, 12, 1, "road" },
    } }
    local profile = { extends = "human", radius = 0 }
    local leader = assert(world:spawn { profile = profile, at = { 10.5, 0, 0 } })
    local function follow(options)
      options.target = leader
      local agent = assert(world:spawn { profile = profile, at = { -0.5, 0, 0 }, tree = Follow(options) })
      world:run(0.5)
      local straight = true
      for _, point in ipairs(agent:route()) do straight = straight and point.z < 2 end
      return straight, agent:pace()
    end
    assert.same({ true, "normal" }, { follow {} })
    assert.same({ false, "fast" }, { follow { avoid = { "grass" }, pace = "fast" } })
    assert.is_false(follow { cost = { area_factor = { grass = 9 } } })
    assert.is_false(follow { profile = { extends = "human", radius = 0, avoid = { "grass" } } })
    for message, options in pairs {
      ["pace is 'run', expected 'calm', 'normal' or 'fast'"] = { pace = "run" },
      ["avoid[1] is 'gras', expected the name of an area. Did you mean 'grass'?"] = { avoid = { "gras" } },
      ["quality is 'bad', expected 'good', 'fast' or 'exact'"] = { quality = "bad" },
    } do
      options.target = "leader"
      local ok, text = pcall(Follow, options)
      assert.is_false(ok)
      assert.matches("Follow: " .. message, text, 1, true)
    end
  end)

  it("stays near a target that walks, and fails when it is gone", function()
    local world = leeward.world { navmesh = maps.floor(60, 60), seed = 5 }
    local leader = assert(world:spawn { profile = "human", at = { 5, 0, 5 }, pace = "calm" })
    local agent = assert(world:spawn {
      profile = "human", at = { 9, 0, 9 }, pace = "fast", blackboard = { leader = leader },
      tree = behaviors.selector { Follow { target = "leader", within = 3 }, behaviors.wait(60) },
    })
    for _, goal in ipairs { { 50, 0, 50 }, { 5, 0, 50 } } do
      assert(leader:move_to(goal))
      world:run(10)
      local farthest = 0
      while leader:move_state() == "walking" do
        world:run(0.5)
        farthest = math.max(farthest, agent:position():distance(leader:position()))
      end
      assert.is_true(farthest < 5, farthest)
    end
    world:run(3)
    assert.is_true(agent:position():distance(leader:position()) <= 3.1)
    leader:despawn()
    world:run(1)
    assert.matches("Follow: agent %S+ is gone", agent:why())
    assert.equal("idle", agent:move_state())
  end)

  it("wants an agent", function()
    local world = leeward.world { navmesh = maps.floor(9, 9) }
    local agent = assert(world:spawn {
      profile = "human", at = { 1, 0, 1 }, blackboard = { leader = 3 },
      tree = behaviors.selector { Follow { target = "leader" }, behaviors.wait(9) },
    })
    world:step()
    assert.matches("Follow: .*follow.lua:%d+: the blackboard has 3 for 'leader', expected an agent", agent:why())
  end)
end)
