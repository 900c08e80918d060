-- Finding cover, reserving it, and the nodes that use it.
local leeward = require "leeward"
local behaviors = require "behaviors"
local TakeCover = require "behaviors.nodes.take_cover"
local Peek = require "behaviors.nodes.peek"

-- 30 x 30 m. A high wall in the west, a low one in the east, a hedge between; the enemy is in the north.
local geometry = leeward.geometry()
geometry:add_box { at = { 0, -1, 0 }, size = { 30, 1, 30 } }
geometry:add_box { at = { -8, 0, 0 }, size = { 6, 2.5, 0.5 }, area = false }
geometry:add_box { at = { 8, 0, 0 }, size = { 6, 1.1, 0.5 }, area = false }
geometry:add_box { at = { 0, 0, 4 }, size = { 4, 2.5, 0.5 }, area = false, cover = "soft" }
local navmesh = leeward.bake(geometry, { agent_radius = 0.4, cell_size = 0.15 })

local ENEMY, SOUTH = { 0, 1.6, -13 }, { 0, 0, 8 }

local function says(text, call, ...)
  local ok, message = pcall(call, ...)
  assert.is_false(ok)
  assert.matches(text, message, 1, true)
end

describe("find_cover", function()
  local world
  before_each(function() world = leeward.world { navmesh = navmesh } end)

  local function find(query)
    query.around, query.profile = query.around or SOUTH, query.profile or "human"
    query.threats = query.threats or { { at = ENEMY } }
    return world:find_cover(query)
  end

  it("tells places that hide, best first", function()
    local places = assert(find { radius = 20, limit = 50 })
    assert.is_true(#places > 5)
    for number, cover in ipairs(places) do
      local _, share = world:exposure {
        from = cover.point, to = cover.point, threats = { { at = ENEMY } }, stance = cover.stance, accuracy = "exact",
      }
      assert.equal(0, share)
      assert.is_true(number == 1 or cover.score <= places[number - 1].score)
      assert.is_near(cover.cost, world:find_path { from = SOUTH, to = cover.point }:length(), 0.01)
      assert.is_true((cover.point - cover.segment.a).z * cover.segment.normal.z > 0) -- on the side where one stands
    end
  end)

  it("of an agent goes by its own costs, areas and links, as TakeCover does", function()
    local level = leeward.geometry()
    level:add_box { min = { 0, -1, 0 }, max = { 30, 0, 20 } }
    level:add_box { min = { 10, 0, 9 }, max = { 13, 2.5, 9.5 }, area = false } -- near, beyond the grass
    level:add_box { min = { 22, 0, 14 }, max = { 25, 2.5, 14.5 }, area = false } -- far
    level:mark_area { area = "grass", box = { min = { 8, -1, 6 }, max = { 16, 1, 14 } } }
    world = leeward.world { navmesh = assert(leeward.bake(level)) }
    local threats = { { at = { 15, 1.6, 1 } } }
    local function spawn(tree) return assert(world:spawn { profile = "human", at = { 11.5, 0, 18 }, tree = tree }) end
    local agent = spawn()
    local function where(options)
      options.threats, options.radius = threats, 25
      return assert(agent:find_cover(options))[1].point
    end
    assert.is_true(where({}).x < 16)
    assert.is_true(where({ avoid = { "grass" } }).x > 16)
    assert.is_true(where({ cost = { area_factor = { grass = 50 } } }).x > 16)
    agent:set_cost { area_factor = { grass = 50 } }
    assert.is_true(where({ avoid = {} }).x > 16)
    for _, options in ipairs { {}, { avoid = { "grass" } } } do
      options.radius, options.from = 25, threats
      local hides = spawn(behaviors.sequence { TakeCover(options), behaviors.wait(60) })
      world:run(10)
      assert.equal(options.avoid == nil, hides:position().x < 16)
      assert.is_table(hides.blackboard.cover)
      hides:despawn()
    end
    says("find_cover: unknown key 'profile'", agent.find_cover, agent, { profile = "car" })
    says("TakeCover: unknown key 'cost.cover_bais'. Did you mean 'cover_bias'?", TakeCover,
      { cost = { cover_bais = 3 } })
  end)

  it("prices paths by the visibility of the asking agent's team", function()
    leeward.profile("shy", { extends = "human", cover_bias = 8, exposure_factor = 3 })
    for number, share in ipairs { 1, 0.5, 0 } do
      world:set_visibility { team = "red", visibility = share }
      for _, watched in ipairs { false, true } do
        local agent = assert(world:spawn { profile = "shy", at = { 14, 0, -6 }, team = "red" })
        agent:set_threats(watched and { { at = ENEMY } } or {})
        local query = { around = agent:position(), profile = "shy", radius = 25, watched = watched, limit = 1 }
        local function ask(more)
          for key, value in pairs(more) do query[key] = value end
          return assert(find(query))[1].cost
        end
        local cover = assert(agent:find_cover { radius = 25, watched = watched, threats = { { at = ENEMY } } })[1]
        assert(agent:move_to(cover.point))
        assert.is_near(agent:explain().total.cost, cover.cost, 1e-3 * cover.cost)
        assert.is_true(number < 3 or cover.cost < 1.01 * agent:remaining())
        assert.equal(cover.cost, ask { team = "red" })
        assert.equal(cover.cost, ask { agent = agent })
        assert.equal(cover.cost, ask { visibility = share })
        assert.is_true(ask { visibility = 1 } >= cover.cost)
        agent:despawn()
      end
    end
    says("find_cover: visibility is 2, expected a number from 0 to 1", find, { visibility = 2 })
  end)

  it("says how low one must be", function()
    local high = assert(find { around = { -8, 0, 2 }, radius = 3 })[1]
    local low = assert(find { around = { 8, 0, 2 }, radius = 3 })[1]
    assert.same({ "stand", "crouch" }, { high.stance, low.stance })
    assert.equal("NO_POINT", select(3, find { around = { 8, 0, 2 }, radius = 3, stance = "stand" }))
    assert.equal("crouch", assert(find { around = { -8, 0, 2 }, radius = 3, stance = "crouch" })[1].stance)
    -- A dog need not crouch there.
    assert.equal("stand", assert(find { around = { 8, 0, 2 }, radius = 3, profile = "dog" })[1].stance)
  end)

  it("counts what only hides for less than what stops shots", function()
    local hedge = assert(find { around = { 0, 0, 6 }, radius = 2 })[1]
    assert.equal("soft", hedge.segment.kind)
    assert.is_near(0.5, hedge.protection, 1e-3)
    assert.is_nil((find { around = { 0, 0, 6 }, radius = 2, hard = true }))
    assert.equal("hard", assert(find { radius = 20, hard = true })[1].segment.kind)
  end)

  it("hides from all of several", function()
    local behind = { at = { -8, 1.6, 13 } }
    local places = find { around = { -8, 0, 0 }, radius = 5, threats = { { at = ENEMY }, behind } }
    for _, cover in ipairs(places or {}) do
      for _, threat in ipairs { { at = ENEMY }, behind } do
        assert.is_false(world:sees(threat.at, cover.point + leeward.vec3(0, 0.9, 0)))
      end
    end
    local one = assert(find { around = { -8, 0, 0 }, radius = 5 })
    assert.is_true(#one > #(places or {}))
  end)

  it("returns places behind the wall first, also for threats that look away or are out of range", function()
    local function best(threat)
      return assert(find { around = { -8, 0, -3 }, radius = 8, threats = { threat }, limit = 50 })
    end
    for _, threat in ipairs {
      { at = ENEMY, facing = { 0, 0, -1 }, half_angle = 0.5 }, -- looks away
      { at = ENEMY, range = 2 }, -- is far away
    } do
      local places = best(threat)
      assert.is_true(places[1].point.z > 0)
      assert.equal(1, places[1].protection)
      for _, cover in ipairs(places) do
        if cover.point.z < -0.3 and math.abs(cover.point.x + 8) < 2 then assert.equal(0, cover.protection) end
      end
    end
    -- A threat within range counts, one out of range does not.
    local other = { at = { -8, 1.6, 13 }, range = 2 }
    local places = assert(find { around = { -8, 0, 3 }, radius = 8, threats = { { at = ENEMY }, other } })
    assert.is_true(places[1].point.z > 0)
    assert.equal(1, places[1].protection)
  end)

  it("says what a navmesh lacks that no cover can be found on", function()
    local level = { agent_radius = 0.4, cell_size = 0.3 }
    local function reason(key)
      local settings = { [key] = false }
      for name, value in pairs(level) do settings[name] = value end
      local bare = leeward.world { navmesh = leeward.bake(geometry, settings) }
      return { bare:find_cover { around = SOUTH, profile = "human", threats = { { at = ENEMY } } } }
    end
    local none = "the navmesh has no cover segments: it was baked with cover_segments = false or built from polygons, "
      .. "or there are no walls"
    assert.same({ nil, none, "NO_POINT" }, reason "cover_segments")
    assert.same({ nil, "the navmesh has no occluders: it was baked with occluders = false, so nothing hides",
      "NO_POINT" }, reason "occluders")
    local polygons = leeward.world { navmesh = leeward.navmesh {
      vertices = { { 0, 0, 0 }, { 0, 0, 9 }, { 9, 0, 9 }, { 9, 0, 0 } }, polygons = { { 1, 2, 3, 4 } },
    } }
    assert.same({ nil, none, "NO_POINT" },
      { polygons:find_cover { around = { 4, 0, 4 }, profile = "human", threats = { { at = ENEMY } } } })
  end)

  it("weighs the cost of the path as `weights` says", function()
    local from = { 12, 0, 3 }
    local near = assert(find { radius = 25, from = from, weights = { cost = 5 } })[1]
    local safe = assert(find { radius = 25, from = from, weights = { cost = 0, flank = 2 } })[1]
    assert.is_true(near.cost < safe.cost and near.flank < safe.flank)
    assert.is_nil((find { radius = 25, from = { 0, 0, 14 }, max_cost = 2 }))
    for _, cover in ipairs(assert(find { radius = 25, from = { 0, 0, 8 }, max_cost = 6, limit = 50 })) do
      assert.is_true(cover.cost <= 6)
    end
  end)

  it("minds what is seen of the path, on request", function()
    local wary = { extends = "human", cover_bias = 10 }
    local query = { radius = 25, from = { 14, 0, -6 }, profile = wary }
    local blind = assert(find(query))
    query.watched = true
    local watched = assert(find(query))
    assert.equal(0, blind[1].exposed)
    assert.is_true(watched[1].exposed > 0 and watched[1].cost > watched[1].exposed * 9)
  end)

  it("gives the same places again", function()
    local a, b = assert(find { radius = 20 }), assert(find { radius = 20 })
    for number = 1, #a do assert.equal(a[number].point, b[number].point) end
  end)

  it("answers that there is none", function()
    local places, message, code = find { around = { 0, 0, -10 }, radius = 2 }
    assert.is_nil(places)
    assert.equal("no free cover there that can be reached", message)
    assert.equal("NO_POINT", code)
    assert.equal("NO_START", select(3, find { around = { 90, 0, 0 }, radius = 2 }))
  end)

  it("refuses what makes no sense", function()
    local function refuses(text, change)
      local query = { around = SOUTH, threats = { { at = ENEMY } } }
      for key, value in pairs(change) do query[key] = value end
      says("find_cover: " .. text, world.find_cover, world, query)
    end
    refuses("radius is -1, expected metres > 0", { radius = -1 })
    refuses("unknown key 'radios'. Did you mean 'radius'?", { radios = 1 })
    refuses("threats is an empty list, expected at least one threat", { threats = {} })
    refuses("stance is 'prone', expected 'stand' or 'crouch'", { stance = "prone" })
    refuses("limit is 1000, expected a whole number from 1 to 256", { limit = 1000 })
    refuses("limit is 0, expected a whole number from 1 to 256", { limit = 0 })
    refuses("unknown key 'weights.costs'. Did you mean 'cost'?", { weights = { costs = 1 } })
    refuses("weights.flank is nan, expected a number from 0 to 1000000", { weights = { flank = 0 / 0 } })
    refuses("agent is 7, expected an agent", { agent = 7 })
    local other = leeward.world { navmesh = navmesh }
    local stranger = assert(other:spawn { profile = "human", at = SOUTH })
    refuses("agent is in another world, expected an agent of this one", { agent = stranger })
    local dead = assert(world:spawn { profile = "human", at = SOUTH })
    dead:kill()
    refuses("agent is gone: it died or was despawned", { agent = dead })
    assert(world:spawn { profile = "human", at = SOUTH }) -- in its slot
    refuses("agent is gone: it died or was despawned", { agent = dead })
  end)
end)

describe("a place that is kept", function()
  local world, one, other
  before_each(function()
    world = leeward.world { navmesh = navmesh }
    world:add_threat { at = ENEMY, known_to = "red" }
    one = world:spawn { profile = "soldier", at = { -1, 0, 8 }, team = "red" }
    other = world:spawn { profile = "soldier", at = { 1, 0, 8 }, team = "red" }
  end)

  it("is not offered to others", function()
    local cover = assert(one:find_cover { radius = 20 })[1]
    assert.is_true(cover:reserve(one))
    assert.equal(cover.point, one:cover())
    for _, place in ipairs(assert(other:find_cover { radius = 20, limit = 50 })) do
      assert.is_true(place.point:distance(cover.point) >= 0.8 - 1e-4)
    end
    local ok, message, code = cover:reserve(other)
    assert.same({ nil, "another agent has that place", "TAKEN" }, { ok, message, code })
    assert.equal(cover.point, assert(one:find_cover { radius = 20 })[1].point) -- its own is free for it
  end)

  it("is free again when it is let go", function()
    local cover = assert(one:find_cover { radius = 20 })[1]
    cover:reserve(one)
    cover:release(other) -- not its own
    assert.is_nil((cover:reserve(other)))
    cover:release(one)
    assert.is_nil(one:cover())
    assert.is_true(cover:reserve(other))
    other:release_cover()
    assert.is_true(one:reserve_cover(cover.point))
  end)

  it("is free again when the agent goes", function()
    local cover = assert(one:find_cover { radius = 20 })[1]
    cover:reserve(one)
    one:despawn()
    assert.is_true(cover:reserve(other))
  end)

  it("is kept on the way there, and let go when the agent is sent elsewhere", function()
    local cover = assert(one:find_cover { radius = 20 })[1]
    cover:reserve(one)
    assert(one:move_to(cover.point))
    world:run(1)
    assert.equal(cover.point, one:cover())
    assert(one:move_to { 0, 0, 13 })
    assert.is_nil(one:cover())
  end)

  it("is kept while the agent steps out, and let go when it leaves", function()
    local cover = assert(one:find_cover { radius = 20 })[1]
    cover:reserve(one)
    assert(one:move_to(cover.point))
    world:run(10)
    assert(one:move_to(cover.point + leeward.vec3(0, 0, 2)))
    world:run(5)
    assert.equal(cover.point, one:cover())
    assert(one:move_to(cover.point + leeward.vec3(0, 0, 2.9)))
    world:run(2)
    assert(one:move_to(one:position() + leeward.vec3(0, 0, 3)))
    assert.is_nil(one:cover())
  end)

  it("is kept as far away as the leash says", function()
    local cover = assert(one:find_cover { radius = 20 })[1]
    local function goes_away(leash, metres)
      cover:reserve(one, { leash = leash })
      assert.equal(leash, (select(2, one:cover())))
      assert(one:move_to(cover.point, { within = 0.1 }))
      world:run(10)
      assert.equal(cover.point, (one:cover()))
      assert(one:move_to(cover.point + leeward.vec3(0, 0, metres)))
      return one:cover() ~= nil
    end
    assert.is_true(goes_away(6, 5))
    assert.is_false(goes_away(2, 3))
    assert.is_true(goes_away(math.huge, 5))
    assert.equal(3, (one:reserve_cover(cover.point)) and select(2, one:cover()))
    says("reserve: leash is -1, expected metres >= 0", cover.reserve, cover, one, { leash = -1 })
    local none, message, code = one:reserve_cover { 500, 90, 0 }
    assert.is_nil(none)
    assert.equal("point is (500, 90, 0), expected a navmesh within (2, 4, 2) m that 'soldier' may enter", message)
    assert.equal("NO_POINT", code)
    assert.equal(cover.point, (one:cover())) -- what it had it keeps
    says("reserve_cover: unknown key 'leesh'. Did you mean 'leash'?", one.reserve_cover, one, cover.point,
      { leesh = 1 })
  end)

  it("is a part of the world's state", function()
    local before = world:hash()
    one:reserve_cover { 0, 0, 0 }
    assert.not_equal(before, world:hash())
    one:release_cover()
    assert.equal(before, world:hash())
  end)

  describe("has a stance", function()
    local cover

    before_each(function()
      cover = assert(one:find_cover { radius = 20 })[1]
      assert.same({ nil, "the agent has reserved no cover", "EMPTY" }, { one:set_cover_stance "crouch" })
      cover:reserve(one)
      assert.is_true(one:set_cover_stance "crouch")
      assert.equal("crouch", one:stance())
    end)

    it("that the agent leaves when it lets go", function()
      assert.is_true(one:set_cover_stance "crouch") -- once more: it goes back to what was before the first
      cover:release(one)
      assert.equal("stand", one:stance())
    end)

    it("that the agent leaves when it is sent elsewhere", function()
      assert(one:move_to { 0, 0, 13 })
      assert.equal("stand", one:stance())
    end)

    it("that stays if it was set for other reasons, too", function()
      one:set_stance "stand"
      cover:release(one)
      assert.equal("stand", one:stance())
      one:set_stance "crouch"
      cover:reserve(one)
      one:set_cover_stance "crouch"
      cover:release(one)
      assert.equal("crouch", one:stance())
    end)

    it("that is left under another profile, too", function()
      local stances = { lie = { eye = 0.3, body = { 0, 0.4 }, speed = 0.2 } }
      one:set_profile { extends = "soldier", stances = stances }
      assert.equal("crouch", one:stance())
      cover:release(one)
      assert.equal("stand", one:stance())
    end)

    it("that is left after a load", function()
      local file = os.tmpname()
      assert(world:save(file))
      local loaded = leeward.world { navmesh = navmesh }
      local again = assert(loaded:load(file))[1]
      os.remove(file)
      assert.equal(world:hash(), loaded:hash())
      assert.equal("crouch", again:stance())
      again:release_cover()
      assert.equal("stand", again:stance())
    end)

    it("of the profile's", function()
      says("set_cover_stance: stance is 'sit', expected 'stand' or 'crouch'", one.set_cover_stance, one, "sit")
    end)
  end)

  it("needs a threat to hide from", function()
    local stranger = world:spawn { profile = "soldier", at = { 1, 0, 8 } }
    local places, message, code = stranger:find_cover {}
    assert.same({ nil, "the agent knows of no threat to take cover from", "NO_POINT" }, { places, message, code })
    assert.is_table(stranger:find_cover { threats = { { at = ENEMY } } })
  end)
end)

describe("TakeCover", function()
  local world, threat
  before_each(function()
    world = leeward.world { navmesh = navmesh }
    threat = world:add_threat { at = ENEMY, known_to = "red" }
  end)

  local function spawn(tree, at, more)
    local definition = { profile = "soldier", at = at or { 3, 0, -5 }, team = "red", tree = tree }
    for key, value in pairs(more or {}) do definition[key] = value end
    return assert(world:spawn(definition))
  end

  local function once(node) return behaviors.sequence { node, behaviors.wait(1000) } end

  it("brings an agent to where nobody sees it, as low as it must be", function()
    local agent = spawn(once(TakeCover { radius = 20 }))
    assert.is_true(agent:is_seen())
    world:run(12)
    local cover = agent.blackboard.cover
    assert.is_false(agent:is_seen())
    assert.is_true(agent:position():distance(cover.point) < 0.2)
    assert.equal(cover.stance, agent:stance())
    assert.equal(cover.point, agent:cover())
    assert.equal("normal", agent:pace())
  end)

  it("sends no two to one place", function()
    local agents = {}
    for number = 1, 8 do agents[number] = spawn(once(TakeCover {}), { number - 4, 0, 8 }) end
    world:run(12)
    for number, agent in ipairs(agents) do
      assert.is_false(agent:is_seen(), agent:why())
      for before = 1, number - 1 do
        assert.is_true(agents[before]:position():distance(agent:position()) > 0.5)
      end
    end
  end)

  it("hides from the given threats", function()
    local agent = spawn(once(TakeCover { from = "hunter" }), { -8, 0, -3 }, { team = "blue",
      blackboard = { hunter = { at = { -8, 1.6, 13 } } } })
    world:run(8)
    assert.is_false(agent:is_seen { agent.blackboard.hunter })
    assert.is_true(agent:position().z < 0) -- on the north side
  end)

  it("fails with the reason, and keeps nothing", function()
    local agent = spawn(behaviors.selector { TakeCover { radius = 1 }, behaviors.wait(1000) }, { 13, 0, -13 })
    world:run(1)
    assert.matches("no free cover there that can be reached", agent:why(), 1, true)
    assert.is_nil(agent:cover())
    agent = spawn(behaviors.selector { TakeCover { from = "nobody" }, behaviors.wait(1000) })
    world:run(1)
    assert.matches("the blackboard has no 'nobody'", agent:why(), 1, true)
  end)

  it("fails when the enemy has come round meanwhile, and finds another place then", function()
    local agent = spawn(behaviors.selector {
      behaviors.sequence { TakeCover { radius = 25 }, behaviors.wait(1000) }, behaviors.wait(0.1),
    }, { -8, 0, 10 })
    world:run(0.5)
    threat:move { -8, 1.6, 13 }
    world:run(15)
    assert.is_false(agent:is_seen(), agent:why())
  end)

  it("lets the agent stand up when it leaves", function()
    local Leave = behaviors.leaf { name = "Leave",
      start = function(agent) return agent:move_to(SOUTH) and "success" or "failure" end }
    local agent = spawn(behaviors.sequence { TakeCover { radius = 4 }, behaviors.wait(3), Leave(), behaviors.wait(99) },
      { 8, 0, 2 })
    world:run(3)
    assert.same({ "crouch", "arrived" }, { agent:stance(), (agent:move_state()) })
    world:run(3)
    assert.same({ "stand", "walking" }, { agent:stance(), (agent:move_state()) })
  end)

  it("lets go of its place when it is aborted", function()
    local agent = spawn(once(TakeCover {}))
    world:run(0.2)
    local at = agent:cover()
    assert.is_not_nil(at)
    agent:despawn()
    assert.is_true(spawn():reserve_cover(at))
  end)

  it("keeps its place as far away as `leash` says", function()
    local agent = spawn(once(TakeCover { leash = 7 }))
    world:run(10)
    local at, leash = agent:cover()
    assert.same({ agent.blackboard.cover.point, 7 }, { at, leash })
  end)

  it("minds what is seen of the path, on request", function()
    local seen = {}
    for _, watched in ipairs { false, true } do
      local agent = spawn(once(TakeCover { watched = watched, radius = 25 }), { 14, 0, -6 })
      seen[watched] = 0
      world:run(12, function() seen[watched] = seen[watched] + (agent:is_seen() and 1 or 0) end)
      assert.is_false(agent:is_seen())
      assert.equal(watched, agent.blackboard.cover.exposed > 0)
      agent:despawn()
    end
    assert.is_true(seen[true] <= seen[false])
  end)

  it("refuses what makes no sense", function()
    says("TakeCover: radius is -1, expected metres > 0", TakeCover, { radius = -1 })
    says("TakeCover: leash is -2, expected metres >= 0", TakeCover, { leash = -2 })
    says("TakeCover: pace is 'hasty', expected 'calm', 'normal' or 'fast'", TakeCover, { pace = "hasty" })
  end)
end)

describe("Peek", function()
  local world, threat
  before_each(function()
    world = leeward.world { navmesh = navmesh }
    threat = world:add_threat { at = ENEMY, known_to = "red" }
  end)

  --- An agent that took cover about there, and then peeks; how far it came out, and whether it was ever seen.
  local function peek(at, options)
    options.at = options.at or "enemy"
    local agent = assert(world:spawn {
      profile = "soldier", at = at, team = "red", blackboard = { enemy = threat },
      tree = behaviors.sequence { TakeCover { radius = 4 }, behaviors.wait(2), Peek(options), behaviors.wait(1000) },
    })
    world:run(1.5)
    local home, out, seen, tall = agent:position(), 0, false, false
    world:run(6, function()
      out = math.max(out, home:distance(agent:position()))
      seen = seen or agent:is_seen()
      tall = tall or agent:stance() == "stand"
    end)
    return agent, home, out, seen, tall
  end

  it("gets up behind a low wall", function()
    local agent, home, out, seen, tall = peek({ 8, 0, 3 }, {})
    assert.is_true(out < 0.1 and seen and tall)
    assert.equal(leeward.vec3(ENEMY), agent.blackboard.seen)
    assert.equal("crouch", agent:stance())
    assert.is_true(agent:position():distance(home) < 0.2)
    assert.is_false(agent:is_seen())
  end)

  it("steps out beside a high one, and goes back", function()
    local agent, home, out, seen = peek({ -5.6, 0, 1.5 }, { seconds = 0.5 })
    assert.is_true(out > 0.4 and out < 2.6, out .. " m out")
    assert.is_true(seen)
    assert.equal(leeward.vec3(ENEMY), agent.blackboard.seen)
    assert.is_true(agent:position():distance(home) < 0.3)
    assert.is_false(agent:is_seen())
    assert.is_not_nil(agent:cover())
  end)

  it("fails in the middle of a long wall", function()
    local agent = assert(world:spawn { profile = "soldier", at = { -8, 0, 0.8 }, team = "red" })
    local cover = assert(agent:find_cover { radius = 1 })[1]
    agent.blackboard.cover = cover
    local lonely = world:spawn {
      profile = "soldier", at = { -8, 0, 0.8 }, blackboard = { cover = cover },
      tree = behaviors.selector { Peek { at = { -8, 1.6, -3 }, reach = 2.5 }, behaviors.wait(1000) },
    }
    world:run(1)
    assert.matches("no position within 2.5 m sees it", lonely:why(), 1, true)
    assert.equal("stand", lonely:stance())
    says("Peek: reach is 0, expected metres > 0", Peek, { at = ENEMY, reach = 0 })
  end)

  it("steps out farther on request", function()
    local place = { -8, 1.6, -3 }
    local agent = assert(world:spawn { profile = "soldier", at = { -8, 0, 0.8 }, team = "red" })
    local cover = assert(agent:find_cover { radius = 1 })[1]
    agent:despawn()
    local bold = world:spawn {
      profile = "soldier", at = { -8, 0, 0.8 }, blackboard = { cover = cover },
      tree = behaviors.sequence { Peek { at = place, reach = 7.5 }, behaviors.wait(1000) },
    }
    cover:reserve(bold, { leash = 8 })
    world:run(12)
    assert.equal(leeward.vec3(place), leeward.vec3(bold.blackboard.seen), bold:why())
    assert.equal(cover.point, (bold:cover()))
    assert.is_true(bold:position():distance(cover.point) < 1)
  end)

  it("needs to be in cover", function()
    local agent = world:spawn { profile = "soldier", at = { 3, 0, -5 },
      tree = behaviors.selector { Peek { at = ENEMY }, behaviors.wait(1000) } }
    world:run(0.5)
    assert.matches("the blackboard has no 'cover'", agent:why(), 1, true)
    says("Peek: at is nil, expected a threat, an agent, a point or a key of the blackboard", Peek, {})
  end)
end)
