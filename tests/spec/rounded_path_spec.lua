local leeward = require "leeward"

-- Two halls of 20 x 20 m, one behind the other, and a wall between them that leaves 6 m open at one end.
local function halls(more)
  local geometry = leeward.geometry()
  geometry:add_box { at = { 20, -1, 10 }, size = { 40, 1, 20 } }
  geometry:add_box { at = { 20, 0, 7 }, size = { 1, 3, 14 }, area = false }
  if more then more(geometry) end
  return leeward.bake(geometry, { agent_radius = 0.4, cell_size = 0.2 })
end

local ROUND = { from = { 5, 0, 5 }, to = { 35, 0, 5 } }

local function query_of(turn_radius, more)
  local query = { from = ROUND.from, to = ROUND.to, path_style = "rounded" }
  if turn_radius then query.profile = leeward.profile("driver", { turn_radius = turn_radius }) end
  for key, value in pairs(more or {}) do query[key] = value end
  return query
end

local function heading(a, b) return math.atan(-(b.z - a.z), b.x - a.x) end

describe("find_path's path_style", function()
  local world
  before_each(function() world = leeward.world { navmesh = halls(), seed = 1 } end)
  after_each(function() world:destroy() end)

  it("is taut without it", function()
    assert.is_true(#assert(world:find_path(query_of(2))):arcs() > 0)
    local query = query_of(2)
    query.path_style = nil
    local taut = assert(world:find_path(query))
    query.path_style = "taut"
    assert.same(taut:points(), assert(world:find_path(query)):points())
    assert.same({}, taut:arcs())
  end)

  it("may end where it begins", function()
    local path = assert(world:find_path(query_of(2, { to = ROUND.from })))
    assert.near(0, path:length(), 1e-3)
  end)

  it("turns round all corners of the wall's end on one circle of the profile", function()
    local path = assert(world:find_path(query_of(6)))
    local arcs, points = path:arcs(), path:points()
    assert.equal(1, #arcs)
    local arc = arcs[1]
    assert.equal(6, arc.radius)
    assert.is_false(arc.is_reduced)
    assert.is_true(arc.to > arc.from) -- a left turn, round the wall's end at (20, 0, 14)
    for index = arc.first, arc.last do
      local out = (points[index] - arc.centre):length() - arc.radius
      assert.is_true(out > -1e-3 and out < 0.021)
    end
    assert.near(arc.from, heading(arc.centre, points[arc.first]), 1e-3)
    -- The line before it is a tangent.
    local before = heading(points[arc.first - 1], points[arc.first])
    assert.near(math.pi / 2, arc.from - before + math.pi, 1e-2)
  end)

  it("is longer than the taut path, and costs what its points are long", function()
    local query = query_of(4)
    local path = assert(world:find_path(query))
    query.path_style = "taut"
    local taut = assert(world:find_path(query))
    assert.is_true(path:length() > taut:length() and path:length() < 1.2 * taut:length())
    local points, length = path:points(), 0
    for index = 2, #points do length = length + points[index]:distance(points[index - 1]) end
    assert.near(length, path:length(), 1e-3)
    assert.near(path:length(), path:cost(), 1e-3)
    assert.near(path:cost(), path:explain().total.cost, 1e-3)
  end)

  it("takes a smaller circle where there is no space", function()
    local path = assert(world:find_path(query_of(30)))
    local arc = path:arcs()[1]
    assert.is_true(arc.is_reduced and arc.radius < 30)
    for _, point in ipairs(path:points()) do assert.is_true(point.z < 20 - 0.35) end
  end)

  it("has no arcs for who turns on the spot", function()
    assert.same({}, assert(world:find_path(query_of(0))):arcs())
    assert.same({}, assert(world:find_path(query_of(nil))):arcs())
  end)

  it("keeps off-mesh links and both their ends", function()
    local other = leeward.world { navmesh = halls(function(geometry)
      geometry:add_link { kind = "jump", from = { 19, 0, 5 }, to = { 21, 0, 5 } }
    end), seed = 1 }
    local query = query_of(3, { from = { 15, 0, 2 }, to = { 25, 0, 2 } })
    local path = assert(other:find_path(query))
    query.path_style = "taut"
    local taut = assert(other:find_path(query))
    assert.equal(1, #path:links())
    assert.same({ taut:links()[1].from, taut:links()[1].to }, { path:links()[1].from, path:links()[1].to })
    other:destroy()
  end)

  it("is one of two", function()
    assert.has_error(function() world:find_path { from = { 1, 0, 1 }, to = { 2, 0, 2 }, path_style = "round" } end,
      "find_path: path_style is 'round', expected 'taut' or 'rounded'")
  end)

  describe("of a journey", function()
    local function passes(path_style)
      local agent = world:spawn { profile = leeward.profile("driver", { turn_radius = 6 }), at = ROUND.from }
      assert(agent:move_to(ROUND.to, { path_style = path_style }))
      local places = {}
      while agent:move_state() == "walking" do
        world:step(1 / 30)
        places[#places + 1] = agent:position()
      end
      assert.equal("arrived", agent:move_state())
      agent:despawn()
      return places
    end

    it("is what the agent walks along", function()
      local function outside(places) -- where it passes x = 17, before the wall's end
        for _, place in ipairs(places) do
          if place.x >= 17 then return place.z end
        end
      end
      local taut, rounded = outside(passes "taut"), outside(passes "rounded")
      assert.is_true(rounded > taut + 0.1)
      assert.equal(taut, outside(passes(nil)))
    end)

    it("is kept in a saved world", function()
      leeward.profile("driver", { turn_radius = 3 })
      local agent = world:spawn { profile = "driver", at = ROUND.from }
      assert(agent:move_to(ROUND.to, { path_style = "rounded" }))
      world:run(1)
      local hash = world:hash()
      local file = os.tmpname()
      assert(world:save(file))
      local loaded = leeward.world { navmesh = halls(), seed = 1 }
      assert.equal(1, #assert(loaded:load(file)))
      assert.equal(hash, loaded:hash())
      for _ = 1, 600 do
        world:step(1 / 30)
        loaded:step(1 / 30)
      end
      assert.equal(world:hash(), loaded:hash())
      loaded:destroy()
      os.remove(file)
    end)
  end)
end)

describe("an agent on a rounded path", function()
  it("brakes for the arc that it comes to, and stays on it", function()
    local geometry = leeward.geometry()
    geometry:add_box { min = { -30, -1, -6 }, max = { 30, 0, 6 } }
    geometry:add_box { min = { 18, -1, -6 }, max = { 30, 0, 50 } }
    leeward.profile("courier", { extends = "human", turn_radius = 4, speed = { normal = 8 }, lateral_acceleration = 4,
      acceleration = 3, deceleration = 4 })
    local world = leeward.world { navmesh = leeward.bake(geometry, { agent_radius = 0.4 }) }
    local agent = world:spawn { profile = "courier", at = { -25, 0, 0 } }
    assert(agent:move_to({ 24, 0, 45 }, { path_style = "rounded" }))
    local query = { from = { -25, 0, 0 }, to = { 24, 0, 45 }, profile = "courier", path_style = "rounded" }
    local arc = world:find_path(query):arcs()[1]
    local fastest, farthest = 0, 0
    world:run(20, function()
      local at = agent:position()
      local from_centre = leeward.vec3(at.x - arc.centre.x, 0, at.z - arc.centre.z):length()
      if math.abs(at.x - arc.centre.x) > 4 or math.abs(at.z - arc.centre.z) > 4 then return end
      fastest = math.max(fastest, agent:velocity():length())
      farthest = math.max(farthest, math.abs(from_centre - arc.radius))
    end)
    assert.equal("arrived", agent:move_state())
    assert.is_true(farthest < 0.5, ("%.2f m from the arc"):format(farthest))
    assert.is_true(fastest > 2 and fastest < 6, ("%.1f m/s about the arc"):format(fastest))
  end)
end)
