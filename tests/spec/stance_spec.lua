-- How an agent holds itself: what is seen of it, where it looks from, how fast it is.
local leeward = require "leeward"
local maps = require "support.maps"

-- A floor of 40 x 40 m, and walls { z, height } across all of it.
local function behind(walls)
  local geometry = leeward.geometry()
  geometry:add_box { at = { 0, -1, 0 }, size = { 40, 1, 40 } }
  for _, wall in ipairs(walls) do
    geometry:add_box { at = { 0, 0, wall[1] }, size = { 40, wall[2], 0.2 }, area = false }
  end
  return leeward.world { navmesh = leeward.bake(geometry, { agent_radius = 0.4, cell_size = 0.2 }) }
end

local function seen(world, query)
  query.from, query.to = query.from or { -5, 0, 10 }, query.to or { 5, 0, 10 }
  query.threats = { { at = { 0, 1.2, -10 } } }
  return (world:exposure(query))
end

describe("a stance", function()
  it("says what of an agent is seen over a wall", function()
    local world = behind { { 9, 1.2 } } -- the line of sight over it goes at 1.2 m
    assert.equal(10, seen(world, { stance = "stand" }))
    assert.equal(0, seen(world, { stance = "crouch" }))
    assert.equal(0, seen(world, { profile = "dog" }))
    assert.equal(10, seen(world, { profile = "soldier" }))
    assert.equal(10, seen(world, { profile = { extends = "dog", stances = { stand = { body = { 0.3, 1.3 } } } } }))
  end)

  it("may have any name", function()
    local world = behind { { 9, 0.4 } } -- the line of sight over it goes 0.36 m high where one lies
    assert.equal(10, seen(world, { profile = "sniper", stance = "crouch" }))
    assert.equal(0, seen(world, { profile = "sniper", stance = "prone" }))
  end)

  it("is as stand where it says nothing", function()
    local profile = { extends = "human", stances = { kneel = { eye = 1.2 }, stand = { body = { 0.2, 1.5 } } } }
    local world = behind { { 9, 1.0 } }
    assert.equal(10, seen(world, { profile = profile, stance = "kneel" }))
    profile.stances.kneel.body = { 0.2, 0.8 }
    assert.equal(0, seen(world, { profile = profile, stance = "kneel" }))
  end)

  it("counts for a path", function()
    local world = behind { { -6, 1.25 } }
    local query = { from = { -15, 0, 0 }, to = { 15, 0, 0 }, threats = { { at = { 0, 1.6, -15 } } },
                    profile = { extends = "human", cover_bias = 3 } }
    assert.is_near(30, assert(world:find_path(query)):exposed(), 0.01)
    query.stance = "crouch"
    assert.is_near(0, assert(world:find_path(query)):exposed(), 0.01)
    query.stance, query.profile = nil, { extends = "dog", cover_bias = 3 } -- no taller than a crouching man
    assert.is_near(0, assert(world:find_path(query)):exposed(), 0.01)
  end)
end)

describe("an agent's stance", function()
  local world, agent
  before_each(function()
    world = leeward.world { navmesh = maps.floor(40, 10) }
    agent = assert(world:spawn { profile = "sniper", at = { 5, 0, 5 }, pace = "fast" }) -- 5 m/s
  end)

  it("is stand at first", function()
    assert.equal("stand", agent:stance())
    assert.equal(leeward.vec3(5, 1.6, 5), agent:eye())
  end)

  it("changes its eye", function()
    agent:set_stance "prone"
    assert.equal("prone", agent:stance())
    assert.is_near(0.3, agent:eye().y, 1e-6)
  end)

  it("changes its speed", function()
    for stance, speed in pairs { stand = 5, crouch = 2.5, prone = 0.75 } do
      agent:set_stance(stance)
      assert(agent:move_to { 35, 0, 5 })
      world:step()
      assert.is_near(speed, agent:velocity():length(), 1e-3)
    end
  end)

  it("may be given at the spawn", function()
    assert.equal("crouch", world:spawn { profile = "human", at = { 1, 0, 1 }, stance = "crouch" }:stance())
  end)

  it("is in the answer of why", function()
    assert.is_nil(agent:why():find("prone", 1, true))
    agent:set_stance "prone"
    assert.matches("stands, prone", agent:why(), 1, true)
  end)

  it("is a part of the world's state", function()
    local before = world:hash()
    agent:set_stance "crouch"
    assert.not_equal(before, world:hash())
    agent:set_stance "stand"
    assert.equal(before, world:hash())
  end)

  it("must be one of its profile's", function()
    local function says(text, call, ...)
      local ok, message = pcall(call, ...)
      assert.is_false(ok)
      assert.matches(text, message, 1, true)
    end
    says("set_stance: stance is 'flying', expected 'stand', 'crouch' or 'prone'", agent.set_stance, agent, "flying")
    says("set_stance: stance is nil, expected the name of a stance", agent.set_stance, agent)
    says("spawn: stance is 'prone', expected 'stand' or 'crouch'", world.spawn, world,
      { profile = "human", at = { 1, 0, 1 }, stance = "prone" })
    says("find_path: stance is 7, expected 'stand' or 'crouch'", world.find_path, world,
      { from = { 1, 0, 1 }, to = { 2, 0, 2 }, stance = 7 })
    says("find_path: stance and heights are given, expected one of them", world.find_path, world,
      { from = { 1, 0, 1 }, to = { 2, 0, 2 }, stance = "crouch", heights = { 1 } })
  end)

  it("is kept by name when the profile changes, and is stand where that has none", function()
    leeward.profile("spec_lurker", { extends = "human", stances = { duck = { speed = 0.4 }, kneel = {} } })
    agent = world:spawn { profile = "spec_lurker", at = { 5, 0, 5 }, stance = "kneel" }
    leeward.profile("spec_lurker", { extends = "human", stances = { kneel = { eye = 1.1 } } })
    assert(world:reload())
    world:step()
    assert.equal("kneel", agent:stance())
    assert.is_near(1.1, agent:eye().y, 1e-6)
    leeward.profile("spec_lurker", { extends = "human" })
    assert(world:reload())
    world:step()
    assert.equal("stand", agent:stance())
  end)
end)

describe("a profile's stances", function()
  it("are two at least and eight at most", function()
    local stances = {}
    for number = 1, 6 do stances["stance " .. number] = { eye = number } end
    leeward.profile("spec_acrobat", { extends = "human", stances = stances })
    local world = leeward.world { navmesh = maps.floor(9, 9) }
    local agent = world:spawn { profile = "spec_acrobat", at = { 5, 0, 5 }, stance = "stance 6" }
    assert.is_near(6, agent:eye().y, 1e-6)
    local too_many = { extends = "spec_acrobat", stances = { ["stance 7"] = {} } }
    local expected = "stances is a set of 9, those that it extends included, expected at most 8"
    assert.has_error(function() leeward.profile("spec_contortionist", too_many) end,
      "profile 'spec_contortionist': " .. expected)
    assert.has_error(function() world:spawn { profile = too_many, at = { 5, 0, 5 } } end, "spawn: " .. expected)
  end)

  it("are checked like every other key", function()
    local function message(stances)
      return select(2, pcall(leeward.profile, "spec_bad", { stances = stances }))
    end
    assert.matches("unknown key 'stances.stand.eyes'. Did you mean 'eye'?", message { stand = { eyes = 1 } }, 1, true)
    assert.matches("stances.stand.eye is 0, expected metres > 0 and <= 1000",
      message { stand = { eye = 0 } }, 1, true)
    assert.matches("stances has the key '" .. ("x"):rep(32) .. "', expected 1 to 31 bytes",
      message { [("x"):rep(32)] = {} }, 1, true)
    assert.matches("stances.crouch.body[2] is nan, expected metres from 0 to 1000",
      message { crouch = { body = { 0, 0 / 0 } } }, 1, true)
  end)

  it("are in profile_info, with the file that set them", function()
    local rows = {}
    for _, row in ipairs(leeward.profile_info("sniper").values) do rows[row.key] = row end
    assert.same({ 0.15, "sniper" }, { rows["stances.prone.speed"].value, rows["stances.prone.speed"].profile })
    assert.same({ 0.9, 1.6 }, rows["stances.stand.body"].value)
    assert.equal("human", rows["stances.stand.body"].profile)
  end)
end)
