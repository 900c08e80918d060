-- Obstacles and agents larger than those whom the navmesh was baked for.
local leeward = require "leeward"

local LARGE = { extends = "human", radius = 1.5 }
local MIDDLE = { 30, 0, 20 }

--- 60 x 40 m of ground without walls, baked for a radius of 0.4 m.
local function field()
  local navmesh = leeward.navmesh { vertices = { { 0, 0, 0 }, { 60, 0, 0 }, { 60, 0, 40 }, { 0, 0, 40 } },
    polygons = { { 1, 2, 3, 4 } }, agent_radius = 0.4 }
  return leeward.world { navmesh = navmesh, seed = 7 }
end

--- Distance in xz from a point to a box that is not turned.
local function distance_to(box, x, z)
  local dx = math.max(0, math.abs(x - box.at[1]) - box.size[1] / 2)
  local dz = math.max(0, math.abs(z - box.at[3]) - box.size[3] / 2)
  return math.sqrt(dx * dx + dz * dz)
end

--- The points that an agent still has to walk to.
local function rest_of_route(agent)
  local route, left, rest = agent:route(), agent:remaining(), {}
  for i = #route, 1, -1 do
    table.insert(rest, 1, route[i])
    if math.abs(agent:position():distance(route[i]) - left) < 1e-3 then break end
    left = left - (i > 1 and route[i]:distance(route[i - 1]) or 0)
  end
  return rest
end

--- The min distance from what is left of an agent's route to a box, looked at every 20 cm: at most 4 mm too great.
local function route_distance(agent, box)
  local min = math.huge
  local from = agent:position()
  for _, to in ipairs(rest_of_route(agent)) do
    local steps = math.max(1, math.ceil(from:distance(to) / 0.2))
    for i = 0, steps do
      local p = from + (to - from) * (i / steps)
      min = math.min(min, distance_to(box, p.x, p.z))
    end
    from = to
  end
  return min
end

local function replans_in_a_step(world, agent)
  local before = agent:stats().replans
  world:step()
  return agent:stats().replans - before
end

describe("an obstacle beside a large agent's way", function()
  local world
  before_each(function() world = field() end)

  local function walker(profile)
    local agent = world:spawn { profile = profile, at = { 2, 0, 20 } }
    agent:move_to { 58, 0, 20 }
    world:step()
    return agent
  end

  it("that is nearer than its radius is gone round from the same step on", function()
    local agent = walker(LARGE)
    local box = { at = { 30, 0, 21.5 }, size = { 2, 2, 1.6 } } -- 0.7 m beside the way
    world:add_obstacle(box)
    assert.equal(1, replans_in_a_step(world, agent))
    assert.is_true(route_distance(agent, box) > 1.45)
  end)

  it("is no reason to search again for one who is small enough", function()
    local agent = walker "human"
    world:add_obstacle { at = { 30, 0, 21.5 }, size = { 2, 2, 1.6 } }
    assert.equal(0, replans_in_a_step(world, agent))
  end)

  it("that is further away than its radius is no reason to search again", function()
    local agent = walker(LARGE)
    world:add_obstacle { at = { 30, 0, 22.5 }, size = { 2, 2, 1.6 } } -- 1.7 m beside the way
    assert.equal(0, replans_in_a_step(world, agent))
  end)

  it("on another floor is no reason to search again", function()
    local agent = walker(LARGE)
    world:add_obstacle { at = { 30, 8, 21.5 }, size = { 2, 2, 1.6 } }
    assert.equal(0, replans_in_a_step(world, agent))
  end)

  it("that makes the only way too narrow is why it fails, at once", function()
    world:add_obstacle { at = { 30, 0, 9 }, size = { 1, 2, 18 } }
    world:add_obstacle { at = { 30, 0, 31 }, size = { 1, 2, 18 } } -- a gap of 4 m between them
    world:step()
    local small, large = walker "human", walker(LARGE)
    assert.equal("walking", large:move_state())
    world:add_obstacle { at = { 30, 0, 21 }, size = { 1, 2, 2 } } -- of 2 m now
    world:step()
    assert.equal("walking", small:move_state())
    assert.equal("failed", large:move_state())
    world:run(60)
    assert.equal("arrived", small:move_state())
  end)

  it("never comes nearer to a truck that walks than its radius, wherever obstacles appear and move", function()
    local seed = tonumber(os.getenv "LEEWARD_SEED") or 20261125
    math.randomseed(seed)
    print(("note: seed %d"):format(seed))
    local agents, boxes = {}, {}
    for i = 1, 6 do
      agents[i] = world:spawn { profile = LARGE, at = { 2, 0, 6 * i } }
      agents[i]:move_to { 58, 0, 42 - 6 * i }
    end
    world:step()
    local checked = 0
    for step = 1, 80 do
      local at, size = { math.random() * 40 + 10, 0, math.random() * 40 }, { 1 + math.random(), 2, 1 + math.random() }
      local box = { at = at, size = size }
      boxes[#boxes + 1] = { box = box, id = world:add_obstacle(box) }
      if #boxes > 12 then table.remove(boxes, math.random(#boxes)).id:remove() end
      world:run(0.1)
      for _, agent in ipairs(agents) do
        local here = agent:position()
        for k = math.max(1, #boxes - 3), #boxes do
          local other = boxes[k]
          -- One that was in the way of its body has moved it out; beside several of them there may be no room.
          local apart = distance_to(other.box, here.x, here.z)
          if agent:move_state() == "walking" and apart > 1.5 then
            checked = checked + 1
            local min = route_distance(agent, other.box)
            assert.is_true(min > 1.45, ("step %d: %.3f m"):format(step, min))
          end
        end
      end
      for i, agent in ipairs(agents) do
        if agent:move_state() ~= "walking" then
          agent:move_to { i % 2 == step % 2 and 58 or 2, 0, math.random() * 36 + 2 }
        end
      end
    end
    assert.is_true(checked > 500, checked)
  end)
end)

describe("an obstacle that appears beside a large agent that stands", function()
  local world
  before_each(function() world = field() end)

  it("moves it out of the way of its body", function()
    local small = world:spawn { profile = "human", at = MIDDLE }
    local large = world:spawn { profile = LARGE, at = MIDDLE }
    local box = { at = { 31.5, 0, 20 }, size = { 1.6, 2, 4 } } -- 0.7 m away
    world:add_obstacle(box)
    world:step()
    assert.equal(leeward.vec3(30, 0, 20), small:position())
    local at = large:position()
    assert.is_near(1.5, distance_to(box, at.x, at.z), 0.01)
  end)

  it("traps it where there is no room for it, until it goes", function()
    world:add_obstacle { at = { 30, 0, 10 }, size = { 60, 2, 16.6 } }
    world:add_obstacle { at = { 30, 0, 30 }, size = { 60, 2, 16.6 } } -- 3.4 m are left between them
    world:step()
    local large = world:spawn { profile = LARGE, at = MIDDLE }
    world:step()
    local wall = world:add_obstacle { at = { 30, 0, 19 }, size = { 60, 2, 1 } }
    world:step()
    local moved, message, code = large:move_to { 40, 0, 20 }
    assert.is_nil(moved)
    assert.equal("TRAPPED", code)
    assert.truthy(message)
    world:step()
    wall:remove()
    world:run(0.2)
    assert.is_true(large:move_to { 40, 0, 20 })
    world:run(20)
    assert.equal("arrived", large:move_state())
  end)

  it("and that it carries is not in its own way", function()
    local truck = world:spawn { profile = LARGE, at = MIDDLE }
    world:add_obstacle { at = MIDDLE, size = { 2, 2, 2 }, carrier = truck }
    world:run(1)
    assert.equal(leeward.vec3(30, 0, 20), truck:position())
  end)
end)

describe("ground that gets another price", function()
  local DRIVER = { extends = "human", resistance_factor = { triangular = 18, road = 0 } }
  local world, agent
  before_each(function()
    world = field()
    agent = world:spawn { profile = DRIVER, at = { 2, 0, 20 } }
    agent:move_to { 58, 0, 20 }
    world:step()
  end)

  it("is taken where that is much cheaper, some two seconds after the way was found", function()
    local replans = agent:stats().replans
    world:add_obstacle { at = { 30, 0, 26 }, size = { 52, 2, 4 }, area = "road" }
    world:run(2.5)
    assert.equal(replans + 1, agent:stats().replans)
    local highest = -math.huge
    for _, point in ipairs(rest_of_route(agent)) do highest = math.max(highest, point.z) end
    assert.is_true(highest > 23.9, highest) -- on the road
  end)

  it("is left where it costs more again", function()
    local road = world:add_obstacle { at = { 30, 0, 26 }, size = { 52, 2, 4 }, area = "road" }
    world:add_obstacle { at = { 30, 0, 12 }, size = { 52, 2, 4 }, area = "road" } -- further off
    world:run(2.5)
    local replans = agent:stats().replans
    road:remove()
    world:run(2.5)
    assert.equal(replans + 1, agent:stats().replans)
    local lowest = math.huge
    for _, point in ipairs(rest_of_route(agent)) do lowest = math.min(lowest, point.z) end
    assert.is_true(lowest < 16, lowest) -- over the other road now
  end)
end)
