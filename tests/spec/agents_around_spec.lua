-- Agents near a point, and agents that see each other.
local leeward = require "leeward"
local maps = require "support.maps"

describe("world:agents_around", function()
  local world
  before_each(function() world = leeward.world { navmesh = maps.floor(120, 120), seed = 3 } end)

  local function spawn(x, z, options)
    options = options or {}
    options.profile, options.at = options.profile or "human", { x, 0, z }
    return assert(world:spawn(options))
  end

  --- The same by a look at all of them.
  local function near(query)
    local found = {}
    for _, agent in ipairs(world:agents()) do
      local is_near = agent:position():distance(leeward.vec3(query.at)) <= (query.radius or 20)
      local fits = (not query.team or (agent:team() or "") == query.team) and agent ~= query.except
      if is_near and fits and (not query.profile or agent:profile() == query.profile) then found[#found + 1] = agent end
    end
    return found
  end

  it("finds those within the radius, in the order they were spawned, wherever they have walked", function()
    for i = 1, 80 do
      spawn(world:random() * 118 + 1, world:random() * 118 + 1, {
        tree = "wander", team = i % 3 > 0 and ("team" .. i % 3) or nil, profile = i % 5 == 0 and "soldier" or "human",
      })
    end
    local sizes = 0
    for _ = 1, 20 do
      for _ = 1, 20 do
        local query = { at = { world:random() * 120, 0, world:random() * 120 }, radius = world:random() * 40 }
        if world:random() < 0.3 then query.team = "team1" elseif world:random() < 0.3 then query.team = "" end
        if world:random() < 0.3 then query.profile = "soldier" end
        if world:random() < 0.3 then query.except = world:agents()[1] end
        local expected, found = near(query), world:agents_around(query)
        sizes = sizes + #found
        assert.equal(#expected, #found)
        for i = 1, #found do assert.equal(expected[i], found[i]) end
      end
      world:run(1)
      world:agents()[1]:despawn()
    end
    assert.is_true(sizes > 400)
  end)

  it("looks 20 m far by default, also where there are few agents", function()
    local a = spawn(1, 1)
    spawn(30, 1)
    assert.same({ a }, world:agents_around { at = { 2, 0, 2 } })
    assert.equal(2, #world:agents_around { at = { 2, 0, 2 }, radius = 1e9 })
  end)

  it("names what is wrong", function()
    assert.error_matches(function() world:agents_around { at = { 1, 0, 1 }, raduis = 3 } end,
      "agents_around: unknown key 'raduis'. Did you mean 'radius'?", 1, true)
    assert.error_matches(function() world:agents_around { at = { 1, 0, 1 }, radius = -1 } end,
      "agents_around: radius is -1, expected metres >= 0", 1, true)
  end)
end)

describe("world:sees", function()
  it("takes agents: the eye of one, any part of the body of the other", function()
    local level = leeward.geometry()
    level:add_box { min = { 0, -1, 0 }, max = { 20, 0, 10 } }
    level:add_box { min = { 9.8, 0, 0 }, max = { 10.2, 1.2, 10 }, area = false } -- a low wall
    local world = leeward.world { navmesh = assert(leeward.bake(level)) }
    local a = assert(world:spawn { profile = "soldier", at = { 5, 0, 5 } })
    local b = assert(world:spawn { profile = "soldier", at = { 12, 0, 5 } })
    assert.is_true(world:sees(a, b))
    assert.is_true(world:sees(a:eye(), b))
    b:set_stance "crouch"
    assert.is_false(world:sees(a, b))
    assert.is_false(world:sees(b, a:position()))
    b:despawn()
    assert.error_matches(function() world:sees(a, b) end, "sees: target is gone", 1, true)
  end)
end)
