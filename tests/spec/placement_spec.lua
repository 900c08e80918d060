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
