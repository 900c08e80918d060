-- What agents know of threats, and what they do about it.
local leeward = require "leeward"

-- Open ground 60 x 40 m; a wall of 40 m runs along it, its north side out of the sight of a threat in the south.
local geometry = leeward.geometry()
geometry:add_box { at = { 0, -1, 0 }, size = { 60, 1, 40 } }
geometry:add_box { at = { 0, 0, 4 }, size = { 40, 3, 0.4 }, area = false }
local navmesh = leeward.bake(geometry, { agent_radius = 0.4, cell_size = 0.2 })

local SNIPER, WEST, EAST = { 0, 1.6, -15 }, { -25, 0, 0 }, { 25, 0, 0 }
local wary = { extends = "human", cover_bias = 10 }

describe("an agent", function()
  local world, agent
  before_each(function()
    world = leeward.world { navmesh = navmesh }
    agent = assert(world:spawn { profile = wary, at = WEST, team = "red" })
  end)

  local function northmost()
    local z = 0
    for _, point in ipairs(agent:route()) do z = math.max(z, point.z) end
    return z
  end
  local function hides() return northmost() > 4 end
  local function go() assert(agent:move_to(EAST)) end
  local function replans() return agent:stats().replans end

  it("walks in the open while it knows of nobody", function()
    world:add_threat { at = SNIPER }
    world:add_threat { at = SNIPER, known_to = "blue" }
    go()
    assert.is_false(hides())
    assert.same({}, agent:threats())
  end)

  it("hides from a threat that its team knows of, on the path that find_path finds", function()
    world:add_threat { at = SNIPER, known_to = "red" }
    go()
    assert.is_true(hides())
    local path = world:find_path { from = WEST, to = EAST, profile = wary, threats = { { at = SNIPER } } }
    assert.same(path:points(), agent:route())
  end)

  it("hides from a threat that all know of", function()
    world:add_threat { at = SNIPER, known_to = true }
    go()
    assert.is_true(hides())
  end)

  it("hides from a threat that it has learned of, until it forgets it", function()
    local threat = world:add_threat { at = SNIPER }
    agent:learn_threat(threat)
    assert.is_true(agent:knows_threat(threat))
    go()
    assert.is_true(hides())
    agent:forget_threat(threat)
    assert.is_false(agent:knows_threat(threat))
    world:step()
    assert.is_false(hides())
  end)

  it("believes what it believes, true or not", function()
    local threat = world:add_threat { at = { 0, 1.6, 15 } }
    agent:set_threats { { at = SNIPER }, threat }
    threat:remove()
    assert.equal(2, #agent:threats())
    assert.equal(leeward.vec3(0, 1.6, 15), agent:threats()[2].at)
    agent:set_threats { { at = SNIPER } }
    go()
    assert.is_true(hides())
    agent:set_threats {}
    world:step()
    assert.is_false(hides())
  end)

  it("does not care with a cover_bias of 1", function()
    agent = world:spawn { profile = "human", at = WEST, team = "red" }
    go()
    world:add_threat { at = SNIPER, known_to = true }
    world:run(0.5)
    assert.is_false(hides())
    assert.equal(0, replans())
    assert.equal(1, #agent:threats())
  end)

  it("turns aside when a threat appears, and back when it goes", function()
    go()
    world:run(0.5)
    assert.is_false(hides())
    local threat = world:add_threat { at = SNIPER, known_to = "red" }
    world:step()
    assert.is_true(hides())
    assert.equal(1, replans())
    threat:remove()
    world:step()
    assert.is_false(hides())
    assert.equal(2, replans())
    world:run(60)
    assert.equal("arrived", agent:move_state())
  end)

  it("searches again when a threat has moved by more than its tolerance", function()
    local threat = world:add_threat { at = SNIPER, known_to = "red", tolerance = 2 }
    go()
    for _ = 1, 3 do
      threat:move(threat:get().at + leeward.vec3(0.6, 0, 0))
      world:step()
      assert.equal(0, replans())
    end
    threat:move(threat:get().at + leeward.vec3(0.6, 0, 0)) -- 2.4 m in all
    world:step()
    assert.equal(1, replans())
    threat:move(threat:get().at + leeward.vec3(1.9, 0, 0)) -- since then
    world:step()
    assert.equal(1, replans())
  end)

  it("searches again when a threat turns, sees farther, or matters more", function()
    local threat = world:add_threat { at = SNIPER, facing = { 0, 0, 1 }, half_angle = 0.5, known_to = "red" }
    go()
    local expected = 0
    local function after(change, count)
      change()
      world:step()
      expected = expected + count
      assert.equal(expected, replans())
    end
    after(function() threat:move(SNIPER, { math.sin(0.1), 0, math.cos(0.1) }) end, 0)
    after(function() threat:move(SNIPER, { math.sin(0.2), 0, math.cos(0.2) }) end, 1)
    after(function() threat:set { range = 90 } end, 1)
    after(function() threat:set { weight = 2 } end, 1)
    after(function() threat:set { half_angle = 0.7 } end, 1)
    after(function() threat:set { weight = 2 } end, 0)
    assert.same({ 90, 2 }, { threat:get().range, threat:get().weight })
  end)

  it("searches again when a believed threat has turned since the last search, however slowly", function()
    local function turned_to(degrees)
      local x = math.rad(degrees)
      agent:set_threats { { at = SNIPER, facing = { math.sin(x), 0, math.cos(x) }, half_angle = 0.5 } }
    end
    turned_to(0)
    go()
    local file = os.tmpname()
    for number = 1, 30 do
      turned_to(6 * number)
      if number == 7 then -- 6 degrees since, and saved like that
        world:save(file)
        local hash = world:hash()
        agent = assert(world:load(file, { agent = function(options)
          options.profile = wary
          return options
        end }))[1]
        assert.equal(hash, world:hash())
      end
      world:step()
      assert.equal(number // 2, replans()) -- after 12 degrees each time
    end
    os.remove(file)
    turned_to(185)
    world:step()
    turned_to(180)
    world:step()
    assert.equal(15, replans()) -- nor when it shakes its head
  end)

  it("searches again in another stance, of which others see less", function()
    world:add_threat { at = SNIPER, known_to = "red" }
    go()
    agent:set_stance "crouch"
    world:step()
    assert.equal(1, replans())
    agent:set_stance "crouch"
    world:step()
    assert.equal(1, replans())
  end)

  it("says what it knows of", function()
    assert.is_nil(agent:why():find("threat"))
    world:add_threat { at = SNIPER, known_to = "red" }
    assert.matches("knows of 1 threat$", agent:why())
    agent:set_threats { { at = { 0, 1, 0 } } }
    assert.matches("knows of 2 threats$", agent:why())
  end)
end)

describe("agents watched by many threats that move all the time", function()
  -- A field with boxes; six agents go over it, many threats step aside and back in every step.
  local field = leeward.geometry()
  field:add_box { at = { 0, -1, 0 }, size = { 40, 1, 40 } }
  for i = 0, 15 do
    field:add_box { at = { -15 + i % 4 * 10, 0, -15 + i // 4 * 10 }, size = { 4, 3, 1.5 }, yaw = i * 0.7, area = false }
  end
  -- Of few polygons, so that a search under one threat is short.
  local ground = leeward.bake(field, { agent_radius = 0.4, cell_size = 0.2, max_edge_error = 0.4 })

  local function make(threat_count, far)
    local world, agents, threats = leeward.world { navmesh = ground }, {}, {}
    for number = 1, threat_count do
      local angle = number * 2 * math.pi / threat_count
      threats[number] = world:add_threat { at = { 18 * math.cos(angle), 4, 18 * math.sin(angle) }, known_to = "red" }
    end
    for number = 1, 6 do
      agents[number] = world:spawn { profile = wary, at = { -19, 0, 6 * number - 21 }, team = "red", pace = "calm" }
      assert(agents[number]:move_to(far and { 19, 0, 21 - 6 * number } or { -13, 0, 6 * number - 21 }))
    end
    return world, agents, threats
  end

  local function run(world, agents, threats, steps)
    local counts = {}
    for step = 1, steps do
      local aside = leeward.vec3(step % 2 == 0 and 1.2 or -1.2, 0, 0)
      for _, threat in ipairs(threats) do threat:move(threat:get().at + aside) end
      world:step(1 / 60)
      counts[step] = 0
      for _, agent in ipairs(agents) do counts[step] = counts[step] + agent:stats().replans end
    end
    return counts
  end

  it("search one after the other, and steps pay back what a search took", function()
    local world, agents, threats = make(60, true)
    local counts, max = run(world, agents, threats, 150), 0
    for step = 2, #counts do max = math.max(max, counts[step] - counts[step - 1]) end
    assert.equal(1, max)
    assert.is_true(counts[150] < 60, counts[150] .. " searches in 150 steps")
    for _, agent in ipairs(agents) do assert.is_true(agent:stats().replans > 0) end -- but everyone's turn comes
  end)

  it("search at once, several in a step, where that is quickly done", function()
    local world, agents, threats = make(1)
    local done = run(world, agents, threats, 30)[30]
    assert.is_true(done > 36, done .. " searches in 30 steps")
  end)

  it("go on alike when they are saved meanwhile", function()
    local world, agents, threats = make(20, true)
    run(world, agents, threats, 40)
    local file, other = os.tmpname(), leeward.world { navmesh = ground }
    world:save(file)
    local again = assert(other:load(file, { agent = function(options)
      options.profile = wary
      return options
    end }))
    os.remove(file)
    assert.equal(world:hash(), other:hash())
    assert.same(run(world, agents, threats, 60), run(other, again, other:threats(), 60))
    assert.equal(world:hash(), other:hash())
  end)
end)

describe("a threat that is an agent's eye", function()
  local world, enemy, threat
  before_each(function()
    world = leeward.world { navmesh = navmesh }
    enemy = assert(world:spawn { profile = "human", at = { 0, 0, -15 }, team = "blue" })
    threat = world:add_threat { agent = enemy, half_angle = 1, range = 50, known_to = true }
  end)

  it("is where that agent looks from", function()
    assert.equal(enemy:eye(), threat:get().at)
    assert.equal(enemy, threat:get().agent)
    enemy:set_stance "crouch"
    assert(enemy:move_to { -20, 0, -15 })
    world:run(1)
    world:step()
    local state = threat:get()
    assert.is_near(0.9, state.at.y, 0.1)
    assert.is_true(state.at:distance(enemy:eye()) < 0.1) -- as the last step began
    assert.is_near(-1, state.facing.x, 1e-3)
  end)

  it("is nothing to fear for that agent", function()
    assert.same({}, enemy:threats())
  end)

  it("makes others search again as it walks, once a metre and not once a step", function()
    local agent = world:spawn { profile = wary, at = WEST }
    assert(agent:move_to(EAST))
    assert(enemy:move_to { -20, 0, -15 })
    world:run(5) -- at 3 m/s
    local replans = agent:stats().replans
    assert.is_true(replans >= 13 and replans <= 16, replans .. " replans")
  end)

  it("goes with the agent", function()
    local agent = world:spawn { profile = wary, at = WEST }
    assert(agent:move_to(EAST))
    enemy:despawn()
    assert.is_false(threat:exists())
    assert.same({}, world:threats())
    world:step()
    assert.equal(1, agent:stats().replans)
  end)
end)

describe("very many agents", function()
  it("search again in turn, some in each step, and none is left out", function()
    local world = leeward.world { navmesh = navmesh }
    local agents = {}
    for number = 1, 400 do
      agents[number] = world:spawn { profile = wary, at = { -25, 0, -15 + number % 30 }, team = "red" }
      assert(agents[number]:move_to { 25, 0, -15 + number * 7 % 30 })
    end
    local function searched()
      local sum, min = 0, math.huge
      for _, agent in ipairs(agents) do
        local count = agent:stats().replans
        sum, min = sum + count, math.min(min, count)
      end
      return sum, min
    end
    local threat = world:add_threat { at = SNIPER, known_to = "red" }
    world:step()
    local first = searched()
    assert.is_true(first >= 1 and first < 400, first .. " in one step")
    -- It moves on all the time, so that they are never done.
    local steps, before, max = 0, first, 0
    repeat
      steps = steps + 1
      threat:move { 10 * math.sin(steps / 5), 1.6, -15 }
      world:step()
      local sum, min = searched()
      max, before = math.max(max, sum - before), sum
    until min >= 1 or steps == 400
    local _, min = searched()
    assert.is_true(min >= 1)
    assert.is_true(max < 400)
  end)

  it("run the same way twice", function()
    local function run()
      local world = leeward.world { navmesh = navmesh, seed = 3 }
      local enemy = world:spawn { profile = "human", at = { 0, 0, -15 }, tree = "wander" }
      world:add_threat { agent = enemy, known_to = true }
      for number = 1, 40 do
        world:spawn { profile = wary, at = { -25, 0, -15 + number % 30 }, tree = "wander" }
      end
      world:run(3)
      return world:hash()
    end
    assert.equal(run(), run())
  end)
end)

describe("the world's threats", function()
  local world
  before_each(function() world = leeward.world { navmesh = navmesh } end)

  it("are listed, and equal themselves", function()
    local a, b = world:add_threat { at = SNIPER }, world:add_threat { at = WEST }
    assert.same({ a, b }, world:threats())
    assert.not_equal(a, b)
    a:remove()
    assert.same({ b }, world:threats())
    assert.is_false(a:exists())
    assert.not_equal(a, world:add_threat { at = EAST }) -- it has the same place, but is another
    assert.is_false(a:exists())
  end)

  it("may stand in any query, as agents may", function()
    local threat = world:add_threat { at = SNIPER }
    local enemy = world:spawn { profile = "human", at = { 0, 0, -15 } }
    local function path(one) return world:find_path { from = WEST, to = EAST, profile = wary, threats = { one } } end
    assert.equal(path({ at = SNIPER }):cost(), path(threat):cost())
    assert.is_near(path({ at = SNIPER }):cost(), path(enemy):cost(), 0.01)
    local query = { from = WEST, to = EAST, threats = { { at = SNIPER } } }
    local metres = world:exposure(query)
    query.threats = { threat }
    assert.equal(metres, (world:exposure(query)))
  end)

  it("are a part of the world's state", function()
    local before = world:hash()
    local threat = world:add_threat { at = SNIPER }
    local with = world:hash()
    assert.not_equal(before, with)
    threat:move { 0, 1.7, -15 }
    assert.not_equal(with, world:hash())
    threat:move(SNIPER)
    assert.equal(with, world:hash())
    threat:remove()
    assert.equal(before, world:hash())
  end)

  it("are taken back as they are returned", function()
    local agent = assert(world:spawn { profile = wary, at = WEST })
    local threat = world:add_threat { at = SNIPER, known_to = true }
    agent:set_threats(agent:threats())
    threat:set { half_angle = threat:get().half_angle }
    assert.truthy(world:find_path { from = WEST, to = EAST, threats = agent:threats() })
    local ok, message = pcall(threat.set, threat, { half_angle = 3.1416 })
    assert.is_false(ok)
    assert.matches("half_angle is 3.1416, expected radians from 0 to 3.141593", message, 1, true)
  end)

  it("take back what they tell, and tell what adds another one like them", function()
    local enemy = world:spawn { profile = "human", at = { 0, 0, -15 } }
    enemy:move_to(EAST)
    for _, definition in ipairs {
      { at = SNIPER },
      { at = SNIPER, facing = { 0, 0, 1 }, half_angle = 0.5, range = 90, weight = 2, known_to = "red", tolerance = 3 },
      { at = SNIPER, known_to = true },
      { agent = enemy },
      { agent = enemy, half_angle = 1, known_to = "blue", tolerance = 0.1 },
    } do
      local threat = world:add_threat(definition)
      local state = threat:get()
      threat:set(state)
      assert.same(state, threat:get())
      assert.same(state, world:add_threat(state):get())
      state.weight = 5
      world:run(0.5) -- an eye moves on meanwhile
      threat:set(state)
      assert.equal(5, threat:get().weight)
      local eye = definition.agent and enemy:eye() or leeward.vec3(SNIPER)
      for _, each in ipairs { threat, world:add_threat(state) } do
        assert.is_true(each:get().at:distance(eye) < 1e-5)
        assert.same({ state.agent, state.known_to, state.tolerance },
          { each:get().agent, each:get().known_to, each:get().tolerance })
      end
    end
  end)

  it("refuse what makes no sense, at the caller's line", function()
    local enemy = world:spawn { profile = "human", at = { 0, 0, -15 } }
    local threat, eye = world:add_threat { at = SNIPER }, world:add_threat { agent = enemy }
    local other = leeward.world { navmesh = navmesh }
    local stranger = other:spawn { profile = "human", at = WEST }
    local function refuses(text, call, ...)
      local ok, message = pcall(call, ...)
      assert.is_false(ok)
      assert.matches(text, message, 1, true)
    end
    local add = world.add_threat
    refuses("add_threat: at and agent are nil, expected one of them", add, world, {})
    refuses("add_threat: at is {0, 1e+20, 0}, expected coordinates within +-1000000 metres", add, world,
      { at = { 0, 1e20, 0 } })
    refuses("move: at is {-2000000.0, 0, 0}, expected coordinates within +-1000000 metres", threat.move, threat,
      { -2e6, 0, 0 })
    refuses("set: weight is 1e+38, expected a number from 0 to 1000000", threat.set, threat, { weight = 1e38 })
    refuses("set_threats: threats[1].at is {0, 0, 3e+38}, expected coordinates within +-1000000 metres",
      enemy.set_threats, enemy, { { at = { 0, 0, 3e38 } } })
    refuses("find_path: threats[1].at is {1e+20, 0, 0}, expected coordinates within +-1000000 metres",
      world.find_path, world, { from = WEST, to = EAST, threats = { { at = { 1e20, 0, 0 } } } })
    refuses("add_threat: unknown key 'knwon_to'. Did you mean 'known_to'?", add, world, { at = WEST, knwon_to = "red" })
    refuses("add_threat: known_to is 7, expected a team's name, or true for all", add, world,
      { at = WEST, known_to = 7 })
    refuses("add_threat: half_angle is 1.0, expected pi without 'facing'", add, world, { at = WEST, half_angle = 1 })
    refuses("add_threat: facing is (0, 0, 0), expected a direction", add, world, { at = WEST, facing = { 0, 0, 0 } })
    for _, length in ipairs { 1e-30, 2e19 } do -- as long as one likes
      add(world, { at = WEST, facing = { length, 0, 0 }, half_angle = 1 }):remove()
    end
    refuses("add_threat: range is nan, expected metres > 0", add, world, { at = WEST, range = 0 / 0 })
    refuses("add_threat: tolerance is -1, expected metres >= 0", add, world,
      { at = WEST, tolerance = -1 })
    for _, key in ipairs { "at", "facing" } do
      refuses(("add_threat: agent and %s are given, expected one of them, or at and facing as threat:get() has them")
        :format(key), add, world, { [key] = WEST, agent = enemy })
    end
    refuses("set: the threat is the eye of agent 1, and moves with it", eye.set, eye, { at = WEST })
    refuses("set: agent and at are given, expected one of them", eye.set, eye, { at = WEST, agent = enemy })
    refuses("set: agent is agent 1, expected nil: it cannot change", threat.set, threat, { agent = enemy })
    refuses("set: known_to is 'red', expected nil: it cannot change", threat.set, threat, { known_to = "red" })
    refuses("set: tolerance is 2.0, expected 1.0: it cannot change", threat.set, threat, { tolerance = 2 })
    refuses("add_threat: agent is in another world, expected an agent of this one", add, world, { agent = stranger })
    refuses("add_threat: known_to", add, world, { at = WEST, known_to = ("x"):rep(32) })
    refuses("move: the threat is the eye of agent 1, and moves with it", eye.move, eye, WEST)
    refuses("move: facing is (0, 0, 0), expected a direction", threat.move, threat, WEST, { 0, 0, 0 })
    refuses("set: weight is inf, expected a number from 0 to 1000000", threat.set, threat, { weight = math.huge })
    refuses("learn_threat: threat is in another world, expected a threat of the agent's world",
      stranger.learn_threat, stranger, threat)
    refuses("learn_threat: threat is a table, expected a threat of the world", enemy.learn_threat, enemy, {})
    refuses("set_threats: threats[1] is 7, expected a table with 'at'", enemy.set_threats, enemy, { 7 })
    refuses("set_threats: threats[1].at is nil, expected a point", enemy.set_threats, enemy, { {} })
    threat:remove()
    refuses("move: threat 1 is gone: it was removed", threat.move, threat, WEST)
    refuses("find_path: threat 1 is gone: it was removed", world.find_path, world,
      { from = WEST, to = EAST, threats = { threat } })
    enemy:despawn()
    refuses("get: threat 2 is gone: it was removed", eye.get, eye)
    refuses("add_threat: agent is gone: it died or was despawned", add, world, { agent = enemy })
  end)
end)
