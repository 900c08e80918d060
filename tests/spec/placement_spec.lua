-- Where agents larger than those whom the navmesh was baked for have space, and from where their paths leave.
local leeward = require "leeward"

local SIDE, FAR = 70, { 33, 0, 33 }
local BOXES, PLACES, BESIDE = 40, 1500, 0.05

local function floor(add)
  local level = leeward.geometry()
  level:add_box { at = { 0, -1, 0 }, size = { SIDE, 1, SIDE } }
  if add then add(level) end
  return assert(leeward.bake(level, { cell_size = 0.2, agent_radius = 0.4 }))
end

local function wide(radius) return { extends = "human", radius = radius } end

--- Numbers from 0 to 1, the same on each machine.
local function randoms(seed)
  local state = seed
  return function()
    state = (state * 1103515245 + 12345) % 2147483648
    return state / 2147483648
  end
end

local function random_box(random)
  return { at = { random() * 44 - 22, 0, random() * 44 - 22 }, size = { 1 + random() * 4, 1.5, 1 + random() * 2 },
    yaw = random() * 6 }
end

local function random_place(random) return { random() * 46 - 23, 0, random() * 46 - 23 } end

--- Does a path lead to the far corner from a place beside `at`?
local function any_beside(world, at, profile)
  for i = 0, 7 do
    local angle = i * math.pi / 4
    local beside = { at.x + BESIDE * math.cos(angle), at.y, at.z + BESIDE * math.sin(angle) }
    if world:path_exists(beside, FAR, { profile = profile }) then return true end
  end
  return false
end

--- How far is the nearest place where it has space? Where it is far, two may lie on two sides of a gap that is too
--- narrow, and a step decides which of them is nearer.
local function space_at(world, at, profile)
  local path = world:find_path { from = at, to = at, profile = profile }
  return path and path:points()[1]:distance(at) or math.huge
end

--- The places of agents that cannot leave where one beside them could, as text.
local function stuck_at(world, agents, profile)
  local stuck = {}
  for _, agent in ipairs(agents) do
    local at = agent:position()
    local _, _, code = agent:move_to(FAR)
    if code == "NO_PATH" and space_at(world, at, profile) < 0.5 and any_beside(world, at, profile) then
      stuck[#stuck + 1] = tostring(at)
    end
  end
  return stuck
end

describe("a wide agent that an obstacle has put aside", function()
  it("can leave from a corner that rounding could close", function()
    local world = leeward.world { navmesh = floor() }
    local car = world:spawn { profile = "car", at = { 0, 0, 0 } }
    world:add_obstacle { at = { 3.1045489491455358, 0, 0.09163558799607488 }, size = { 4, 1.5, 2 },
      yaw = 5.7895862940811291 }
    world:step()
    assert.is_true(car:position():length() > 0.1) -- it was put aside
    assert.is_true(car:move_to { -25, 0, -20 })
    assert.is_true(world:path_exists(car:position(), { -25, 0, -20 }, "car"))
  end)

  it("can leave wherever an agent 5 cm beside it can", function()
    local navmesh, random = floor(), randoms(11)
    for _, radius in ipairs { 0.75, 1.1, 1.6 } do
      local profile = wide(radius)
      for _ = 1, 6 do
        local world = leeward.world { navmesh = navmesh, seed = 3 }
        local agents = {}
        for i = 1, 250 do agents[i] = world:spawn { profile = profile, at = random_place(random) } end
        for _ = 1, BOXES do world:add_obstacle(random_box(random)) end
        world:step()
        assert.same({}, stuck_at(world, agents, profile))
      end
    end
  end)
end)

describe("a wide agent that is spawned anywhere", function()
  local function check(world, random)
    for _, radius in ipairs { 0.75, 1.1, 1.3, 1.6 } do
      local profile = wide(radius)
      local agents = {}
      for i = 1, PLACES do agents[i] = world:spawn { profile = profile, at = random_place(random) } end
      assert.same({}, stuck_at(world, agents, profile))
      for _, agent in ipairs(agents) do agent:despawn() end
    end
  end

  it("can leave among obstacles wherever an agent 5 cm beside it can", function()
    local random = randoms(9)
    local world = leeward.world { navmesh = floor() }
    for _ = 1, BOXES do world:add_obstacle(random_box(random)) end
    world:apply_changes()
    check(world, random)
  end)

  it("can leave among walls wherever an agent 5 cm beside it can", function()
    local random = randoms(5)
    local navmesh = floor(function(level)
      for _ = 1, BOXES do
        local box = random_box(random)
        box.area = false
        level:add_box(box)
      end
    end)
    check(leeward.world { navmesh = navmesh }, random)
  end)
end)

describe("a wide agent whose ground goes", function()
  --- A place near by that keeps well clear of walls; nil: none was drawn.
  local function place_near(world, random, at)
    for _ = 1, 800 do
      local angle, reach = random() * 2 * math.pi, random() * 3.6
      local place = { at.x + reach * math.cos(angle), 0, at.z + reach * math.sin(angle) }
      local to_wall = world:contains(place) and (world:distance_to_wall(place) or math.huge)
      if to_wall and to_wall > 0.8 then return place end
    end
  end

  it("is moved off what was put on it, at most 4 m where it stands, and else is trapped", function()
    local navmesh, moved, trapped = floor(), 0, 0
    for seed = 1, 60 do
      local random, world = randoms(seed), leeward.world { navmesh = navmesh }
      local agent = world:spawn { profile = wide(1.1), at = { random() * 40 - 20, 0, random() * 40 - 20 } }
      local before = agent:position()
      --- Of random size, at random within a square about the agent.
      local function add_box(width, smallest, range)
        world:add_obstacle {
          at = { before.x + (random() - 0.5) * width, 0, before.z + (random() - 0.5) * width },
          size = { smallest + random() * range, 2, smallest + random() * range },
          yaw = random() * 6,
        }
      end
      for _ = 1, 6 do add_box(12, 0.3, 1.7) end
      add_box(2, 2, 6)
      world:step()
      local distance, is_squeezed = before:distance(agent:position()), world:contains(before)
      assert.is_true(distance < (is_squeezed and 4 or 12), ("seed %d: moved %.2f m"):format(seed, distance))
      if distance > 0.001 then
        moved = moved + 1
      elseif agent:move_state() == "failed" then
        trapped = trapped + 1
        assert.is_true(is_squeezed, "seed " .. seed)
        assert.is_nil(place_near(world, random, before), "seed " .. seed)
      end
    end
    assert.is_true(moved > 40, moved .. " moved, " .. trapped .. " trapped")
  end)
end)

describe("an agent whose ground goes", function()
  local DECK = 3

  --- A floor of 40 x 20 m; over its middle a deck of 20 x 6 m with a ramp up at its end, unless it is taken away.
  local function level(has_deck)
    local geometry = leeward.geometry()
    geometry:add_box { at = { 0, -1, 0 }, size = { 40, 1, 20 } }
    if has_deck then
      geometry:add_box { min = { -10, DECK - 0.2, -3 }, max = { 10, DECK, 3 } }
      geometry:add_ramp { from = { 17, 0, 0 }, to = { 10, DECK, 0 }, width = 4 }
    end
    return assert(leeward.bake(geometry, { cell_size = 0.2, agent_radius = 0.4, tile_size = 8 }))
  end

  local navmesh = level(true)
  local AROUND = { min = { -11, DECK - 0.3, -4 }, max = { 11, DECK + 0.5, 4 } }

  local function world_with(at, profile)
    local world = leeward.world { navmesh = navmesh, seed = 3 }
    return world, world:spawn { profile = profile or "soldier", at = at }
  end

  --- All three take the deck away; the first two also a little of the ramp.
  local CHANGES = {
    obstacle = function(world)
      world:add_obstacle { at = { 0, AROUND.min[2], 0 }, size = { 22, AROUND.max[2] - AROUND.min[2], 8 } }
    end,
    permutation = function(world)
      world:permutation("deck", { default = "up", up = {}, down = { cut = { { box = AROUND, cover = "none" } } } })
      world:set_permutation("deck", "down")
    end,
    ["navmesh without it"] = function(world) world:set_navmesh(level(false)) end,
  }

  for name, change in pairs(CHANGES) do
    it("falls onto what is below, by " .. name, function()
      local world, agent = world_with { 1, DECK, 1 }
      change(world)
      world:step()
      local at = agent:position()
      assert.is_true(at.y < 0.1 and at:distance { 1, 0, 1 } < 0.2, tostring(at))
      assert.equal("idle", agent:move_state())
    end)
  end

  it("falls to where it has space, if it is wide", function()
    local world, agent = world_with({ 1, DECK, 1 }, wide(1.2))
    world:add_obstacle { at = { 0, 0, 1.5 }, size = { 4, 1, 2 } } -- on the floor, under it
    CHANGES.obstacle(world)
    world:step()
    local at = agent:position()
    assert.is_true(at.y < 0.1, tostring(at))
    assert.is_true(math.abs(at.x) > 3.1 or at.z < -0.6, tostring(at)) -- not on the floor's obstacle, nor too near
    assert.is_true(agent:move_to { -18, 0, 8 })
  end)

  it("stays up where the nearest ground is up", function()
    local world, agent = world_with { 1, DECK, 1 }
    world:add_obstacle { at = { 1, DECK - 0.3, 1 }, size = { 2, 1, 2 } }
    world:step()
    local at = agent:position()
    assert.is_true(at.y > DECK - 0.3 and at:distance { 1, DECK, 1 } < 2, tostring(at))
  end)

  it("is not lifted onto what is above, and goes on when its ground is back", function()
    local world, agent = world_with { 1, 0, 1 }
    local crate = world:add_obstacle { at = { 1, -0.5, 1 }, size = { 60, 1, 60 } } -- all there is below the deck
    world:step()
    assert.same({ "failed", "TRAPPED" }, { agent:move_state(), (select(3, agent:move_state())) })
    assert.is_true(agent:position().y < 0.1)
    crate:remove()
    world:step()
    assert.equal("idle", agent:move_state())
  end)

  it("does not come through a wall to ground at its height", function()
    local geometry = leeward.geometry()
    geometry:add_box { at = { 0, -1, 0 }, size = { 20, 1, 20 } }
    geometry:add_box { at = { 0, 0, 0 }, size = { 0.2, 3, 20 }, area = false }
    local world = leeward.world { navmesh = assert(leeward.bake(geometry, { cell_size = 0.2, agent_radius = 0.4 })) }
    local agent = world:spawn { profile = "soldier", at = { 1, 0, 0 } }
    world:add_obstacle { at = { 2.2, 0, 0 }, size = { 4, 1, 3 } } -- 0.2 m from the wall: nothing is left between
    world:step()
    local at = agent:position()
    assert.is_true(at.x > 0 and math.abs(at.z) > 1.5, tostring(at))
  end)
end)

describe("an agent under something wide", function()
  local SETTINGS = { cell_size = 0.2, agent_radius = 0.4, tile_size = 8 }

  local function bake(fill)
    local geometry = leeward.geometry()
    fill(geometry)
    return assert(leeward.bake(geometry, SETTINGS))
  end
  local function world_on(navmesh) return leeward.world { navmesh = navmesh, seed = 3 } end

  for _, width in ipairs { 9, 20, 50 } do
    it("is moved to its side, however wide it is: " .. width .. " m", function()
      local world, reach = world_on(bake(function(level)
        level:add_box { at = { 0, -1, 0 }, size = { 60, 1, 60 } }
      end)), width / 2 + 0.4
      local agents, random = {}, randoms(width)
      for i = 1, 60 do
        agents[i] = world:spawn { profile = "soldier",
          at = { (random() - 0.5) * width, 0, (random() - 0.5) * width } }
        agents[i + 60] = agents[i]:position()
      end
      world:add_obstacle { at = { 0, 0, 0 }, size = { width, 2, width } }
      world:step()
      for i = 1, 60 do
        local before, after = agents[i + 60], agents[i]:position()
        local nearest = reach - math.max(math.abs(before.x), math.abs(before.z))
        assert.is_true(math.abs(before:distance(after) - nearest) < 0.05, ("%s to %s"):format(before, after))
        assert.is_true(world:contains(after))
        assert.equal("idle", agents[i]:move_state())
      end
    end)
  end

  it("stays on its side of a wall", function()
    local world = world_on(bake(function(level) -- two halls, and 60 m to walk from one to the other
      level:add_box { at = { 0, -1, 0 }, size = { 60, 1, 60 } }
      level:add_box { min = { -0.1, 0, -30 }, max = { 0.1, 3, 27 }, area = false }
    end))
    local agent = world:spawn { profile = "soldier", at = { 1, 0, -10 } }
    world:add_obstacle { at = { 10.2, 0, -10 }, size = { 20, 2, 20 } } -- the wall's other side is 1.5 m away
    world:step()
    assert.is_true(agent:position().x > 0, tostring(agent:position()))
    assert.is_true(math.abs(agent:position().z + 10) > 10)
    assert.equal("idle", agent:move_state())
  end)

  it("is moved up the slopes of a valley", function()
    local world = world_on(bake(function(level)
      level:add_ramp { from = { 0, 0, 0 }, to = { 20, 6, 0 }, width = 30 }
      level:add_ramp { from = { 0, 0, 0 }, to = { -20, 6, 0 }, width = 30 }
    end))
    local agent = world:spawn { profile = "soldier", at = { 1, 0.3, 0 } }
    world:add_obstacle { at = { 0, -1, 0 }, size = { 24, 10, 40 } }
    world:step()
    local at = agent:position()
    assert.is_true(at.x > 12 and at.x < 13 and at.y > 3, tostring(at))
    assert.equal("idle", agent:move_state())
  end)

  it("is trapped where all is gone that it could walk to, until some is back", function()
    local world = world_on(bake(function(level)
      level:add_box { at = { 0, -1, 0 }, size = { 20, 1, 20 } }
      level:add_box { at = { 24, -1, 0 }, size = { 20, 1, 20 } } -- behind 4 m of nothing
    end))
    local agents = {}
    for i = 1, 20 do agents[i] = world:spawn { profile = "soldier", at = { 9, 0, i - 10 } } end
    local roof = world:add_obstacle { at = { 0, 0, 0 }, size = { 22, 2, 22 } }
    local crate = world:add_obstacle { at = { 24, 0, 0 }, size = { 2, 2, 2 } }
    for i = 1, 5 do
      crate:move({ 24, 0, i }, 0)
      world:step()
      for _, agent in ipairs(agents) do assert.equal("TRAPPED", (select(3, agent:move_state()))) end
    end
    roof:move({ 6, 0, 0 }, 0)
    world:run(1)
    for _, agent in ipairs(agents) do
      assert.equal("idle", agent:move_state())
      assert.is_true(agent:position().x < -5)
    end
  end)

  it("stays trapped through a load where it stands on ground, but has no space", function()
    local navmesh = bake(function(level) level:add_box { at = { 0, -1, 0 }, size = { 6, 1, 6 } } end)
    local world, name = world_on(navmesh), os.tmpname()
    local agent = world:spawn { profile = "truck", at = { 0, 0, 0 } }
    for _, x in ipairs { -1.2, 1.2 } do world:add_obstacle { at = { x, 0, 0 }, size = { 0.4, 2, 6 } } end
    world:step()
    assert.equal("TRAPPED", select(3, agent:move_state()))
    assert(world:save(name))
    local other = world_on(navmesh)
    local loaded = assert(other:load(name))[1]
    os.remove(name)
    assert.equal(agent:why(), loaded:why())
    assert.equal(world:hash(), other:hash())
    for _, on in ipairs { world, other } do
      on:obstacles()[1]:remove()
      on:run(1)
    end
    assert.equal("idle", (loaded:move_state()))
    assert.equal(world:hash(), other:hash())
  end)
end)
