local leeward = require "leeward"
local behaviors = require "behaviors"

--- A level navmesh of rectangles { x0, z0, x1, z1, height = 0 }.
local function rectangles(list, links)
  local vertices, polygons = {}, {}
  for _, r in ipairs(list) do
    local y, n = r.height or 0, #vertices
    for _, corner in ipairs { { r[1], r[2] }, { r[3], r[2] }, { r[3], r[4] }, { r[1], r[4] } } do
      vertices[#vertices + 1] = { corner[1], y, corner[2] }
    end
    polygons[#polygons + 1] = { n + 1, n + 2, n + 3, n + 4 }
  end
  return leeward.navmesh { vertices = vertices, polygons = polygons, links = links }
end

--- From the inner corner (1, 1) to (19, 1): 18 m straight through a corridor, or round through another one, which is
--- longer by `detour`. The straight one is cut into `pieces` polygons.
local function loop(detour, pieces)
  local far, list = 2 + detour / 2, {}
  for i = 0, pieces - 1 do list[#list + 1] = { 1 + 18 * i / pieces, 0, 1 + 18 * (i + 1) / pieces, 1 } end
  list[#list + 1] = { 0, 0, 1, far }
  list[#list + 1] = { 19, 0, 20, far }
  list[#list + 1] = { 1, far - 1, 19, far }
  return leeward.world { navmesh = rectangles(list) }
end

local function go(world, danger_cost)
  return assert(world:find_path { from = { 1, 0, 1 }, to = { 19, 0, 1 },
                                  profile = { extends = "human", danger_cost = danger_cost } })
end

local function field(side)
  return leeward.world { navmesh = rectangles { { 0, 0, side, side } } }
end

local function cross(world, from, to, danger_cost)
  local profile = { extends = "human", danger_cost = danger_cost or 100 }
  return assert(world:find_path { from = from, to = to, profile = profile })
end

describe("a danger", function()
  describe("that fills a corridor", function()
    for _, pieces in ipairs { 1, 7, 60 } do
      it("buys a detour of 99.9 m for a danger_cost of 100 and refuses 100.1 m, in polygons: " .. pieces, function()
        local shorter, longer = loop(99.9, pieces), loop(100.1, pieces)
        for _, world in ipairs { shorter, longer } do world:add_danger { at = { 10, 0, 0.5 }, radius = 3 } end
        local round = go(shorter, 100)
        assert.is_near(18 + 99.9, round:length(), 1e-3)
        assert.is_near(18 + 99.9, round:cost(), 1e-3)
        assert.equal(0, round:danger())
        local through = go(longer, 100)
        assert.is_near(18, through:length(), 1e-3)
        assert.is_near(18 + 100, through:cost(), 1e-3)
        assert.is_near(100, through:danger(), 1e-3)
      end)
    end

    it("counts once however finely the navmesh is cut there, and in proportion to value and danger_cost", function()
      for _, pieces in ipairs { 1, 2, 5, 60, 200 } do
        local world = loop(500, pieces)
        world:add_danger { at = { 10, 0, 0.5 }, radius = 3, value = 2.5 }
        assert.is_near(2.5 * 40, go(world, 40):danger(), 1e-3)
        assert.equal(0, go(world, 0):danger())
      end
    end)

    it("adds to others", function()
      local world = loop(500, 5)
      world:add_danger { at = { 8, 0, 0.5 }, radius = 3, value = 1 }
      world:add_danger { at = { 11, 0, 0.5 }, radius = 3, value = 0.5 }
      assert.is_near(18 + 150, go(world, 100):cost(), 1e-3)
    end)

    it("costs nothing to paths that begin inside, but counts when they leave and come back", function()
      local world = leeward.world { navmesh = rectangles {
        { 0, 0, 1, 20 }, { 1, 19, 2, 20 }, { 2, 0, 3, 20 }, { 3, 0, 4, 1 }, { 4, 0, 5, 20 } } } -- up, down and up again
      world:add_danger { at = { 0.5, 0, 5 }, radius = 3.2 } -- reaches over all but the last part
      local profile = { extends = "human", danger_cost = 10 }
      local out = assert(world:find_path { from = { 0.5, 0, 5 }, to = { 0.5, 0, 15 }, profile = profile })
      assert.equal(0, out:danger())
      local back = assert(world:find_path { from = { 0.5, 0, 5 }, to = { 2.5, 0, 1 }, profile = profile })
      assert.is_near(10, back:danger(), 1e-4)
      local twice = assert(world:find_path { from = { 0.5, 0, 0.5 }, to = { 2.5, 0, 1 }, profile = profile })
      assert.is_near(20, twice:danger(), 1e-4)
    end)
  end)

  describe("on open ground", function()
    it("is gone round, inside one polygon too, and no wider than it must", function()
      local world = field(60)
      world:add_danger { at = { 30, 0, 30 }, radius = 5 }
      local path = cross(world, { 10, 0, 30 }, { 50, 0, 30 })
      local tangents = 2 * math.sqrt(20 ^ 2 - 5 ^ 2) + 5 * 2 * math.asin(5 / 20)
      assert.equal(0, path:danger())
      assert.is_true(path:length() >= tangents)
      assert.is_near(tangents, path:length(), 0.01 * tangents)
    end)

    it("is walked through where that is cheaper", function()
      local world = field(60)
      world:add_danger { at = { 30, 0, 30 }, radius = 5, value = 0.01 }
      local path = cross(world, { 10, 0, 30 }, { 50, 0, 30 })
      assert.is_near(40, path:length(), 1e-3)
      assert.is_near(1, path:danger(), 1e-3)
    end)

    it("is passed on the side where nothing else lies", function()
      local world = field(60)
      world:add_danger { at = { 30, 0, 31 }, radius = 5 }
      world:add_danger { at = { 30, 0, 20 }, radius = 7 }
      for _, point in ipairs(cross(world, { 10, 0, 30 }, { 50, 0, 30 }):points()) do assert.is_true(point.z >= 30) end
    end)

    it("is entered by those whose goal lies in it, and once", function()
      local world = field(60)
      world:add_danger { at = { 30, 0, 30 }, radius = 5 }
      assert.is_near(100, cross(world, { 10, 0, 30 }, { 30, 0, 30 }):danger(), 1e-3)
      assert.equal(0, cross(world, { 30, 0, 30 }, { 10, 0, 30 }):danger())
      assert.equal(0, cross(world, { 28, 0, 30 }, { 32, 0, 30 }):danger())
    end)
  end)

  it("leaves the floors above and below alone", function()
    local world = leeward.world { navmesh = rectangles { { 0, 0, 40, 4 }, { 0, 0, 40, 4, height = 4 } } }
    local danger = world:add_danger { at = { 20, 4, 2 }, radius = 6 }
    assert.equal(0, cross(world, { 1, 0, 2 }, { 39, 0, 2 }):danger())
    assert.is_near(100, cross(world, { 1, 4, 2 }, { 39, 4, 2 }):danger(), 1e-3)
    danger:remove()
    world:add_danger { at = { 20, 4, 2 }, radius = 6, height = math.huge }
    assert.is_near(100, cross(world, { 1, 0, 2 }, { 39, 0, 2 }):danger(), 1e-3)
  end)

  it("is entered by an off-mesh link that leads through it or ends in it, and does not begin in it", function()
    local world = leeward.world { navmesh = rectangles(
      { { 0, 0, 4, 4 }, { 8, 0, 12, 4 } },
      { { kind = "jump", from = { 3, 0, 2 }, to = { 9, 0, 2 }, bidirectional = false } }) }
    local danger = world:add_danger { at = { 6, 0, 2 }, radius = 1 } -- under the arc, which rises 1 m
    assert.is_near(100, cross(world, { 1, 0, 2 }, { 11, 0, 2 }):danger(), 1e-3)
    danger:remove()
    danger = world:add_danger { at = { 6, -1.5, 2 }, radius = 0.5 } -- jumped over: 2 m high, 2.5 m below the arc
    assert.equal(0, cross(world, { 1, 0, 2 }, { 11, 0, 2 }):danger())
    danger:remove()
    world:add_danger { at = { 9, 0, 2 }, radius = 1 }
    assert.is_near(100, cross(world, { 1, 0, 2 }, { 11, 0, 2 }):danger(), 1e-3)
    world:add_danger { at = { 6, 0, 2 }, radius = 4 } -- both ends lie in it: it is entered on the way there
    assert.is_near(200, cross(world, { 1, 0, 2 }, { 11, 0, 2 }):danger(), 1e-3)
  end)

  describe("as time goes by", function()
    it("halves in each half_life, and is forgotten below 0.01", function()
      local world = field(20)
      local danger = world:add_danger { at = { 10, 0, 10 }, value = 0.5, half_life = 2 }
      assert.equal(0.5, danger:value())
      world:run(2)
      assert.is_near(0.25, danger:value(), 1e-4)
      world:run(2)
      assert.is_near(0.125, danger:value(), 1e-4)
      assert.is_near(12.5, cross(world, { 10, 0, 1 }, { 10, 0, 10 }):danger(), 1e-2)
      world:run(7.2) -- 5.6 half-lives: 0.0103
      assert.equal(1, #world:dangers())
      world:run(0.2)
      assert.equal(0, danger:value())
      assert.same({}, world:dangers())
      assert.is_nil(danger:at())
      assert.is_false(danger:remove())
      assert.equal(0, cross(world, { 10, 0, 1 }, { 10, 0, 10 }):danger())
    end)

    it("stays without one", function()
      local world = field(20)
      local danger = world:add_danger { at = { 10, 0, 10 } }
      world:run(100)
      assert.equal(1, danger:value())
      assert.equal(3, danger:radius())
      assert.same({ 10, 0, 10 }, { danger:at():unpack() })
      assert.same({ danger }, world:dangers())
      assert.is_true(danger:remove())
      assert.equal(0, danger:value())
    end)
  end)

  describe("to agents", function()
    local function walker(world)
      local agent = assert(world:spawn { profile = { extends = "human", danger_cost = 100 }, at = { 1, 0, 30 } })
      assert(agent:move_to { 59, 0, 30 })
      return agent
    end

    local function farthest_off(agent)
      local off = 0
      for _, point in ipairs(agent:route()) do off = math.max(off, math.abs(point.z - 30)) end
      return off
    end

    it("that appears ahead makes them search again, once", function()
      local world = field(60)
      local agent = walker(world)
      world:run(1)
      assert.equal(0, farthest_off(agent))
      world:add_danger { at = { 30, 0, 30 }, radius = 5 }
      world:run(1)
      assert.is_true(farthest_off(agent) > 5)
      assert.equal(1, agent:stats().replans)
      world:run(30)
      assert.equal("arrived", (agent:move_state()))
      assert.equal(1, agent:stats().replans)
    end)

    it("makes none search when it lies behind or beside their paths, or at danger_cost 0", function()
      local world = field(60)
      local agent, brave = walker(world), assert(world:spawn { profile = "human", at = { 1, 0, 31 } })
      assert(brave:move_to { 59, 0, 31 })
      world:run(5) -- some 15 m
      world:add_danger { at = { 5, 0, 30 }, radius = 4 }
      world:add_danger { at = { 40, 0, 50 }, radius = 15 }
      world:add_danger { at = { 40, 0, 34.5 }, radius = 4 } -- on the way of the brave
      world:run(1)
      assert.equal(0, agent:stats().replans)
      assert.equal(0, brave:stats().replans)
    end)

    it("that is removed lets them take the shorter path again", function()
      local world = field(60)
      local danger = world:add_danger { at = { 30, 0, 30 }, radius = 5 }
      local agent = walker(world)
      assert.is_true(farthest_off(agent) > 5)
      danger:remove()
      world:step()
      assert.is_true(farthest_off(agent) < 0.01)
    end)

    it("is left behind by an agent that dies, if the world says so", function()
      local world = leeward.world { navmesh = rectangles { { 0, 0, 60, 60 } },
                                    death_danger = { radius = 4, value = 2, half_life = 60 } }
      local agent, other = walker(world), walker(world)
      world:run(2)
      local at = agent:position()
      agent:kill()
      assert.is_false(agent:is_alive())
      local danger = world:dangers()[1]
      assert.same({ 4, 2, at }, { danger:radius(), danger:value(), danger:at() })
      other:despawn()
      assert.equal(1, #world:dangers())
      local quiet = field(20)
      local one = assert(quiet:spawn { profile = "human", at = { 1, 0, 1 } })
      one:kill()
      assert.same({}, quiet:dangers())
    end)

    it("comes and goes at the end of a step in which a leaf says so", function()
      local world, seen = field(60), {}
      local first = world:add_danger { at = { 30, 0, 30 }, radius = 5 }
      local Change = behaviors.leaf { name = "Change", start = function(agent)
        first:remove()
        agent:world():add_danger { at = { 30, 0, 10 }, radius = 5, value = 3 }
        seen.dangers = #agent:world():dangers()
        seen.old = cross(agent:world(), { 30, 0, 50 }, { 30, 0, 30 }):danger()
        seen.new = cross(agent:world(), { 30, 0, 50 }, { 30, 0, 10 }):danger()
        return "success"
      end }
      assert(world:spawn { profile = "human", at = { 1, 0, 1 }, tree = Change() })
      world:step()
      assert.same({ dangers = 1, old = 100, new = 0 }, seen)
      assert.equal(0, cross(world, { 30, 0, 50 }, { 30, 0, 30 }):danger())
      assert.equal(300, cross(world, { 30, 0, 50 }, { 30, 0, 10 }):danger())
    end)
  end)

  it("is part of what a world's hash is over", function()
    local one, other = field(20), field(20)
    one:add_danger { at = { 1, 0, 1 } }
    assert.not_equal(one:hash(), other:hash())
    other:add_danger { at = { 1, 0, 1 } }
    assert.equal(one:hash(), other:hash())
  end)

  it("is one of too many to look at closely only where the path says so", function()
    local world = field(60)
    local function path() return cross(world, { 1, 0, 30 }, { 59, 0, 30 }, 10) end
    for i = 1, 5 do world:add_danger { at = { 10 * i, 0, 30 }, radius = 2 } end
    assert.is_false(path():is_reduced())
    for i = 0, 1999 do world:add_danger { at = { 2 + i % 50, 0, 1.4 * (i // 50) }, radius = 3 } end
    local among = path()
    assert.is_true(among:is_reduced())
    assert.matches("; the number of dangers and fire lanes limited the search, there may be a cheaper path$",
      among:explain().sentence)
  end)

  it("is one of many that never make a path dearer than the fast or the shortest one", function()
    local level = leeward.geometry()
    level:add_box { at = { 0, -1, 0 }, size = { 200, 1, 200 } }
    for i = 1, 40 do
      level:add_box { at = { (i * 37) % 180 - 90, 0, (i * 53) % 180 - 90 }, size = { 4, 3, 4 }, area = false }
    end
    local navmesh, dearer, reduced = assert(leeward.bake(level, { agent_radius = 0.6 })), {}, 0
    for _, case in ipairs { { 500, 3 }, { 1000, 20 } } do
      local world = leeward.world { navmesh = navmesh, seed = 3 }
      for _ = 1, case[1] do
        local x, z = world:random() * 180 - 90, world:random() * 180 - 90
        world:add_danger { at = { x, 0, z }, radius = case[2], value = 1 }
      end
      for z = -82, 70, 32 do
        local query = { from = { -95, 0, z }, to = { 95, 0, -z }, profile = "soldier" }
        local path = assert(world:find_path(query))
        query.quality = "fast"
        local cost = math.min(assert(world:find_path(query)):cost(), path:explain().shortest.cost)
        reduced = reduced + (path:is_reduced() and 1 or 0)
        if path:cost() > cost * 1.0001 then dearer[#dearer + 1] = { radius = case[2], z = z } end
      end
    end
    assert.is_true(reduced > 0)
    assert.same({}, dearer)
  end)

  it("does not make a path dearer than the fast one where there are few", function()
    local level = dofile "scripts/levels/courtyard.lua"
    local world = leeward.world { navmesh = assert(leeward.bake(level.geometry(leeward), level.bake)), seed = 1 }
    world:add_danger { at = { -25.24291, 0, 17.2483 }, radius = 4.89534, value = 1.126513 }
    local query = { from = { 6.13732, 0, -3.878718 }, to = { 5.241166, 0, 20.79081 }, profile = "soldier" }
    local good = assert(world:find_path(query)):cost()
    query.quality = "fast"
    assert.is_true(good <= assert(world:find_path(query)):cost() * 1.0001)
  end)

  it("has an identity of its own", function()
    local world = field(20)
    local a, b = world:add_danger { at = { 1, 0, 1 } }, world:add_danger { at = { 1, 0, 1 } }
    assert.equal("danger 1", tostring(a))
    assert.is_true(a ~= b and a == world:dangers()[1])
    world:destroy()
    assert.error_matches(function() a:value() end, "value: the world was destroyed")
  end)

  it("is refused with a reason", function()
    local world = field(20)
    local function refused(message, options)
      options.at = options.at or { 1, 0, 1 }
      assert.error_matches(function() world:add_danger(options) end, message, 1, true)
    end
    refused("add_danger: unknown key 'raduis'. Did you mean 'radius'?", { raduis = 3 })
    refused("add_danger: radius is 0, expected metres > 0 and <= 1000", { radius = 0 })
    refused("add_danger: value is 0.001, expected a number from 0.01 to 1000000", { value = 0.001 })
    refused("add_danger: value is nan, expected a number from 0.01 to 1000000", { value = 0 / 0 })
    refused("add_danger: half_life is -1, expected seconds > 0", { half_life = -1 })
    refused("add_danger: height is 0, expected metres > 0", { height = 0 })
    refused("add_danger: at is {1, ", { at = { 1, 0 / 0, 1 } })
    assert.error_matches(function() world:add_danger {} end, "add_danger: at is nil, expected a point", 1, true)
    assert.error_matches(function()
      leeward.world { navmesh = world:navmesh(), death_danger = { radius = -1 } }
    end, "world: death_danger.radius is -1, expected metres > 0 and <= 1000", 1, true)
    assert.same({}, world:dangers())
  end)
end)
