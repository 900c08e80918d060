-- Senses as scripts use them: what agents see, remember and hear, and what their trees make of it.
local leeward = require "leeward"
local behaviors = require "behaviors"

--- A floor of 40 x 20 m with a wall across the middle that leaves a gap at one end.
local function open_world(options)
  local level = leeward.geometry()
  level:add_box { min = { 0, -1, 0 }, max = { 40, 0, 20 } }
  level:add_box { min = { 19.8, 0, 0 }, max = { 20.2, 3, 15 }, area = false }
  local definition = { navmesh = assert(leeward.bake(level)), seed = 3, log = function() end }
  for key, value in pairs(options or {}) do definition[key] = value end
  return leeward.world(definition)
end

local SENSES = { sight = { range = 30 }, hearing = { range = 60 }, memory = 2 }

describe("agent:senses", function()
  local world, guard, enemy

  before_each(function()
    world = open_world()
    guard = assert(world:spawn { profile = "soldier", at = { 3, 0, 5 }, team = "red" })
    enemy = assert(world:spawn { profile = "soldier", at = { 12, 0, 5 }, team = "blue" })
  end)

  it("are the profile's, until the agent has its own", function()
    leeward.profile("senses_spec", { extends = "soldier", senses = { sight = { range = 7 }, memory = 3 } })
    local agent = assert(world:spawn { profile = "senses_spec", at = { 3, 0, 9 } })
    assert.same({ sight = { range = 7, half_angle = 1.05, notice = 0.2, friends = false }, hearing = { range = 0 },
      memory = 3 }, agent:senses())
    agent:senses { sight = { half_angle = 2 } }
    assert.same({ 7, 2.0 }, { agent:senses().sight.range, agent:senses().sight.half_angle })
    agent:senses {}
    assert.equal(1.05, agent:senses().sight.half_angle)
    assert.equal(7, leeward.profile("senses_spec").senses.sight.range)
  end)

  it("let it notice, lose and forget others", function()
    guard:senses(SENSES)
    world:run(0.6)
    local known = guard:perceives(enemy)
    assert.is_true(known.seen and known.enemy and known.agent == enemy)
    assert.equal(enemy:position(), known.at)
    assert.is_nil(enemy:perceives(guard))
    assert.equal(1, #guard:threats())
    assert.is_true(guard:is_seen())
    enemy:move_to { 30, 0, 5 }
    local last
    repeat
      world:step()
      known = guard:perceives(enemy)
      last = known and known.at or last
    until not known or not known.seen
    assert.is_false(known.seen)
    assert.is_false(world:sees(guard, enemy))
    assert.is_true(last:distance(enemy:position()) < 3)
    world:run(3)
    assert.is_nil(guard:perceives(enemy))
    assert.same({}, guard:threats())
  end)

  it("are refused where they cannot be right", function()
    for _, case in ipairs {
      { { sight = { range = -1 } }, "senses: sight.range is -1, expected metres from 0 to 1000" },
      { { sight = { half_angle = 4 } }, "senses: sight.half_angle is 4, expected radians from 0 to 3.141593" },
      { { sight = 30 }, "senses: sight is 30, expected a table" },
      { { sight = { friends = 1 } }, "senses: sight.friends is 1, expected true or false" },
      { { hearing = { rnge = 1 } }, "senses: unknown key 'hearing.rnge'. Did you mean 'range'?" },
      { { memory = 0 / 0 }, "senses: memory is " },
      { { eyes = 2 }, "senses: unknown key 'eyes'." },
    } do
      local ok, message = pcall(guard.senses, guard, case[1])
      assert.is_false(ok)
      assert.is_truthy(message:find(case[2], 1, true), message)
    end
    assert.error_matches(function() leeward.profile("senses_wrong", { senses = { sight = { range = 2000 } } }) end,
      "profile 'senses_wrong': senses.sight.range is 2000, expected metres from 0 to 1000", 1, true)
    assert.error_matches(function() open_world { sight_budget = 0 } end, "world: sight_budget is 0", 1, true)
    assert.error_matches(function() guard:perceives(3) end, "perceives: other is 3, expected an agent", 1, true)
  end)

  it("are saved, with all that was noticed", function()
    guard:senses(SENSES)
    world:run(0.6)
    world:noise { at = { 5, 0, 5 }, loudness = 9 }
    local file = os.tmpname()
    assert(world:save(file))
    local loaded = open_world()
    assert(loaded:load(file))
    local again = loaded:agents()[1]
    assert.equal(30, again:senses().sight.range)
    assert.is_true(again:perceives(loaded:agents()[2]).seen)
    assert.equal(5, again:heard().at.x)
    for _ = 1, 120 do world:step() loaded:step() end
    assert.equal(world:hash(), loaded:hash())
    os.remove(file)
  end)
end)

describe("world:noise", function()
  it("goes round walls, not through them", function()
    local world = open_world()
    local near = assert(world:spawn { profile = "soldier", at = { 17, 0, 3 }, team = "red" })
    local behind = assert(world:spawn { profile = "soldier", at = { 23, 0, 3 } })
    for _, agent in ipairs { near, behind } do agent:senses(SENSES) end
    assert.equal(1, world:noise { at = { 15, 0, 3 }, loudness = 15 })
    assert.is_nil(behind:heard())
    assert.is_true(near:heard().distance < 2.1)
    local path = assert(world:find_path { from = { 15, 0, 3 }, to = { 23, 0, 3 }, profile = "soldier" })
    assert.equal(1, world:noise { at = { 15, 0, 3 }, loudness = path:length() + 0.5, team = "red" })
    assert.is_true(math.abs(behind:heard().distance - path:length()) < 0.4)
    local _, message, code = world:noise { at = { 0, 50, 0 } }
    assert.same({ "no navmesh within (2, 4, 2) m of (0, 50, 0)", "NO_START" }, { message, code })
  end)
end)

describe("trees", function()
  it("react to what is noticed, in the same step, without polling", function()
    local world, calls = open_world(), {}
    local function Note(name)
      return behaviors.leaf {
        name = name,
        start = function(agent) calls[#calls + 1] = { name, world:steps(), agent.blackboard["event.seen"] }
          return "running", math.huge
        end,
        tick = function() return "running", math.huge end,
      } ()
    end
    local guard = assert(world:spawn {
      profile = "soldier", at = { 3, 0, 5 }, team = "red",
      tree = behaviors.selector {
        behaviors.condition { event = "seen", abort = "lower", Note "fight" }, Note "rest",
      },
    })
    guard:senses(SENSES)
    world:run(1)
    local enemy = assert(world:spawn { profile = "soldier", at = { 12, 0, 5 }, team = "blue" })
    while not guard:perceives(enemy) do world:step() end
    assert.same({ "fight", world:steps() - 1 }, { calls[2][1], calls[2][2] })
    assert.equal(enemy, calls[2][3])
    assert.equal(enemy, guard.blackboard["sense.enemy"])
    assert.is_true(guard.blackboard["sense.enemy_seen"])
    assert.error_matches(function() guard.blackboard["sense.enemy"] = nil end,
      "cannot set 'sense.enemy', which the agent's senses do", 1, true)
  end)

  it("may not read what no sense writes", function()
    assert.error_matches(function()
      leeward.tree("senses_typo", behaviors.selector {
        behaviors.condition { key = "sense.enmy", behaviors.wait(1) }, behaviors.wait(1),
      })
    end, "which no sense writes. Did you mean 'sense.enemy'?", 1, true)
  end)
end)
