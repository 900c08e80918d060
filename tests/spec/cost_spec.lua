-- What a path costs: the worked examples of the cost model, on meshes whose lengths are exact.
local leeward = require "leeward"
local maps = require "support.maps"

--- A strip along x, 2 m wide, of pieces { length, area }; what else leeward.navmesh takes may follow.
local function strip(pieces, more)
  local vertices, polygons, areas, x = { { 0, 0, 0 }, { 0, 0, 2 } }, {}, {}, 0
  for i, piece in ipairs(pieces) do
    x = x + piece[1]
    vertices[#vertices + 1], vertices[#vertices + 2] = { x, 0, 0 }, { x, 0, 2 }
    polygons[i] = { 2 * i - 1, 2 * i + 1, 2 * i + 2, 2 * i }
    areas[i] = piece[2] or "ground"
  end
  local definition = { vertices = vertices, polygons = polygons, areas = areas }
  for key, value in pairs(more or {}) do definition[key] = value end
  return leeward.navmesh(definition), x
end

--- A world of a strip, and the query from its one end to the other.
local function walk(pieces, more)
  local navmesh, length = strip(pieces, more)
  return leeward.world { navmesh = navmesh }, function(query)
    query.from, query.to = { 0, 0, 1 }, { length, 0, 1 }
    return query
  end
end

local function cost(world, query) return assert(world:find_path(query)):cost() end

local SWIMS = { extends = "human", can_swim = true, swim_resistance_factor = 3 }

describe("the cost of", function()
  describe("a road", function()
    -- From A to B 10 m of ground, or round by a road that runs `rise` up, 10 m over and down again.
    --     +--------------------+
    --     |  +--------------+  |
    --     |  |              |  |
    --     +--A--------------B--+
    --     +--+----ground----+--+
    local function detour(length)
      local rise = (length - 10) / 2
      return leeward.world { navmesh = maps.rectangles {
        { -1, -1, 1, 1, "road" }, { 0, -1, 10, 1, "ground" }, { 10, -1, 1, 1, "road" },
        { -1, 0, 1, rise, "road" }, { 10, 0, 1, rise, "road" },
        { -1, rise, 12, 1, "road" },
      } }
    end
    local CAR = { from = { 0, 0, 0 }, to = { 10, 0, 0 },
      profile = { extends = "human", resistance_factor = { triangular = 18, road = 0 } } }

    it("is a tenth of ground's with factors 18 and 0: taken up to just under ten times the length", function()
      local path = assert(detour(99.9):find_path(CAR))
      assert.near(99.9, path:length(), 1e-3)
      assert.near(99.9, path:cost(), 1e-3)
    end)

    it("and not above", function()
      local path = assert(detour(100.1):find_path(CAR))
      assert.near(10, path:length(), 1e-3)
      assert.near(100, path:cost(), 1e-3)
    end)

    it("is the same as ground's without the profile's factor", function()
      assert.near(10, assert(detour(99.9):find_path { from = CAR.from, to = CAR.to, profile = "human" }):cost(), 1e-3)
    end)
  end)

  describe("water", function()
    local world, across
    before_each(function() world, across = walk { { 4 }, { 6, "deep_water" }, { 5 } } end)

    it("is four a metre for a swimmer with a factor of 3", function()
      assert.near(4 + 4 * 6 + 5, cost(world, across { profile = SWIMS }), 1e-3)
      assert.near(4 + 4 * 6 + 5, cost(world, across { profile = "dog" }), 1e-3)
    end)

    it("is that of land to a hovercraft", function()
      local lake = leeward.world { navmesh = maps.rectangles {
        { 0, 0, 8, 20 }, { 8, 0, 20, 20, "deep_water" }, { 28, 0, 8, 20 } } }
      local query = { from = { 4, 0, 10 }, to = { 32, 0, 10 }, profile = "hovercraft" }
      assert.near(28, cost(lake, query), 1e-3)
      query.profile = SWIMS
      assert.near(8 + 4 * 20, cost(lake, query), 1e-3)
    end)

    it("is infinite for a profile that cannot swim: no path enters it", function()
      local path, message, code = world:find_path(across { profile = "human" })
      assert.is_nil(path)
      assert.equal("NO_PATH", code)
      assert.is_string(message)
      -- However far it is to go round.
      local round = leeward.world { navmesh = maps.rectangles {
        { 0, 0, 4, 2 }, { 4, 0, 6, 2, "deep_water" }, { 10, 0, 4, 2 },
        { 0, 2, 2, 500 }, { 12, 2, 2, 500 }, { 0, 502, 14, 2 },
      } }
      local query = { from = { 1, 0, 1 }, to = { 13, 0, 1 }, profile = "human" }
      for _, area in ipairs(assert(round:find_path(query)):areas()) do assert.equal("ground", area) end
      query.profile = SWIMS
      assert.near(6 + 24, cost(round, query), 1e-3)
    end)

    it("counts by the part that is deeper than the profile wades, whatever the area says", function()
      -- Of 0.7 to 1.2 m, 0.3 of 0.5 are deeper than 0.9 m.
      local wet, over = walk({ { 10, "shallow_water" }, { 10, "deep_water" } }, { depth = { { 0.7, 1.2 }, 0.5 } })
      assert.near(10 * (1 + 3 * 0.6) + 10, cost(wet, over { profile = SWIMS }), 1e-3)
      assert.near(20, cost(wet, over { profile = { extends = "human", can_swim = true } }), 1e-3)
    end)
  end)

  it("is impassable for a profile that avoids it", function()
    leeward.area("river", { resistance = 0.5 })
    local world = leeward.world { navmesh = maps.rectangles {
      { 0, 0, 4, 2 }, { 4, 0, 6, 2, "river" }, { 10, 0, 4, 2 },
      { 0, 2, 2, 20 }, { 12, 2, 2, 20 }, { 0, 22, 14, 2 },
    } }
    local query = { from = { 1, 0, 1 }, to = { 13, 0, 1 }, profile = "human" }
    assert.near(12, cost(world, query), 1e-3)
    query.avoid = { "river" }
    local dry = assert(world:find_path(query))
    assert.is_true(dry:length() > 45)
    for _, area in ipairs(dry:areas()) do assert.equal("ground", area) end
    query.avoid, query.profile = nil, { extends = "human", avoid = { "river" } }
    assert.equal(dry:cost(), cost(world, query))
  end)

  it("unsafe ground is safety_bias more, and an area's factor is its own", function()
    local world, over = walk { { 5 }, { 10, "unsafe" }, { 10, "dirt" } }
    assert.near(5 + 10 * (1 + 10) + 10, cost(world, over { profile = "human" }), 1e-3)
    assert.near(5 + 10 * (1 + 7) + 10, cost(world, over { profile = { extends = "human", safety_bias = 7 } }), 1e-3)
    assert.near(5 + 10 + 10 * (1 + 2),
      cost(world, over { profile = { extends = "human", safety_bias = 0, area_factor = { dirt = 2 } } }), 1e-3)
    assert.near(5 + 10 * (1 + 7) + 10 * (1 + 2),
      cost(world, over { profile = "human", cost = { safety_bias = 7, area_factor = { dirt = 2 } } }), 1e-3)
  end)

  describe("being seen", function()
    local OPEN = { extends = "human", exposure_factor = 4 }
    local SHY = { extends = "human", cover_bias = 5 }
    local threats = { { at = { 10, 20, 1 } } }

    it("in the open is exposure_factor times the polygon's exposure times its area's", function()
      -- 0.2 is 51 of 255, 0.6 is 153; grass has an exposure of 0.7.
      local world, over = walk({ { 5 }, { 5 }, { 10, "grass" } }, { openness = { 0.2, 0.6, 0.6 } })
      assert.near(5 * (1 + 4 * 0.2) + 5 * (1 + 4 * 0.6) + 10 * (1 + 4 * 0.6 * 0.7),
        cost(world, over { profile = OPEN }), 1e-3)
      assert.near(20, cost(world, over { profile = "human" }), 1e-3)
    end)

    it("in the open is full where nobody has looked", function()
      local world, over = walk { { 10 } }
      assert.near(10 * (1 + 4), cost(world, over { profile = OPEN }), 1e-3)
    end)

    it("sends profiles with a cover_bias through hidden ground", function()
      -- 10 m straight over open ground, or through a trench beside it, 2 m off.
      local world = leeward.world { navmesh = leeward.navmesh {
        vertices = { { 0, 0, 0 }, { 10, 0, 0 }, { 10, 0, 2 }, { 0, 0, 2 }, { 10, 0, 4 }, { 0, 0, 4 } },
        polygons = { { 1, 2, 3, 4 }, { 4, 3, 5, 6 } },
        openness = { 1, 0 },
      } }
      local query = { from = { 0, 0, 0 }, to = { 10, 0, 0 }, profile = "human" }
      assert.near(10, assert(world:find_path(query)):length(), 1e-3)
      query.profile = OPEN
      -- Into the trench at the angle whose sine is 1 / 5, along it and out again.
      local slope = math.tan(math.asin(1 / 5))
      local cheapest = 2 * 5 * 2 / math.cos(math.asin(1 / 5)) + (10 - 2 * 2 * slope)
      local path = assert(world:find_path(query))
      assert.near(cheapest, path:cost(), 0.01)
      assert.is_true(path:length() > 12)
    end)

    it("by threats is (cover_bias - 1) a metre, less the area's concealment", function()
      -- High grass hides half of a crouching man; threats see all else.
      local world, over = walk { { 8 }, { 12, "grass" } }
      local path = assert(world:find_path(over { profile = SHY, threats = threats, stance = "crouch" }))
      assert.near(20 + 4 * (8 + 12 * (1 - 0.5)), path:cost(), 1e-3)
      assert.near(20, path:exposed(), 1e-3)
    end)

    describe("by night", function()
      local world, over
      before_each(function()
        world, over = walk({ { 10 }, { 10, "grass" } }, { openness = 0.6 })
      end)
      local BOTH = { extends = "human", exposure_factor = 4, cover_bias = 5 }
      -- In the open, and by the threat.
      local extra = 4 * 0.6 * (10 + 10 * 0.7) + 4 * (10 + 10 * 0.5)

      local function seen(query)
        query.profile, query.threats = BOTH, threats
        return cost(world, over(query)) - 20
      end

      it("is what visibility leaves of it", function()
        assert.near(extra, seen {}, 1e-3)
        world:set_visibility(0.5)
        assert.near(extra / 2, seen {}, 1e-3)
        world:set_visibility(0)
        assert.near(0, seen {}, 1e-3)
        world:set_visibility(1)
        assert.near(extra, seen {}, 1e-3)
      end)

      it("is less for a team that is hard to see, times the night", function()
        world:set_visibility { team = "red", visibility = 0.25 }
        assert.near(extra, seen {}, 1e-3)
        assert.near(extra, seen { team = "blue" }, 1e-3)
        assert.near(extra / 4, seen { team = "red" }, 1e-3)
        world:set_visibility(0.5)
        assert.near(extra / 2, seen { team = "blue" }, 1e-3)
        assert.near(extra / 8, seen { team = "red" }, 1e-3)
        assert.equal(0.5, world:visibility())
        assert.equal(0.125, world:visibility "red")
      end)

      it("is what a request says it is", function()
        world:set_visibility { team = "red", visibility = 0.25 }
        assert.near(extra * 0.75, seen { team = "red", visibility = 0.75 }, 1e-3)
      end)

      it("is reported unscaled, in metres", function()
        world:set_visibility(0)
        assert.near(20, assert(world:find_path(over { profile = BOTH, threats = threats })):exposed(), 1e-3)
      end)

      it("is part of the world's state", function()
        local day = world:hash()
        world:set_visibility(0.5)
        local night = world:hash()
        assert.not_equal(day, night)
        world:set_visibility { team = "red", visibility = 0.5 }
        assert.not_equal(night, world:hash())
        world:set_visibility { team = "red", visibility = 1 }
        world:set_visibility(1)
        assert.equal(day, world:hash())
      end)
    end)

    it("changes the path of walking agents when night falls", function()
      local world = leeward.world { navmesh = leeward.navmesh {
        vertices = { { 0, 0, 0 }, { 40, 0, 0 }, { 40, 0, 2 }, { 0, 0, 2 }, { 40, 0, 6 }, { 0, 0, 6 } },
        polygons = { { 1, 2, 3, 4 }, { 4, 3, 5, 6 } },
        openness = { 1, 0 },
      } }
      local function start(profile, team)
        local agent = world:spawn { profile = profile, at = { 0.5, 0, 0.5 }, team = team }
        assert(agent:move_to { 39, 0, 0.5 })
        return agent
      end
      local red, blue, careless = start(OPEN, "red"), start(OPEN, "blue"), start("human", "red")
      world:run(0.5)
      -- All the way there is hidden ground, 2 m off.
      assert.is_true(red:position().z > 0.6 and blue:position().z > 0.6)
      assert.near(0.5, careless:position().z, 1e-3)
      world:set_visibility { team = "red", visibility = 0.95 } -- hardly
      world:run(0.1)
      assert.equal(0, red:stats().replans)
      world:set_visibility { team = "red", visibility = 0 }
      world:run(0.1)
      assert.equal(1, red:stats().replans)
      assert.equal(0, blue:stats().replans)
      assert.equal(0, careless:stats().replans)
      world:run(3)
      assert.is_true(red:position().z < 1.9 and blue:position().z >= 2)
    end)
  end)

  describe("a link", function()
    -- Two strips with 10 m between them, from (8, 1) to (18, 1).
    local function gap(links, areas, more)
      local definition = {
        vertices = { { 0, 0, 0 }, { 8, 0, 0 }, { 8, 0, 2 }, { 0, 0, 2 },
          { 18, 0, 0 }, { 26, 0, 0 }, { 26, 0, 2 }, { 18, 0, 2 } },
        polygons = { { 1, 2, 3, 4 }, { 5, 6, 7, 8 } }, areas = areas,
        links = links,
      }
      for key, value in pairs(more or {}) do definition[key] = value end
      for _, link in ipairs(links) do link.from, link.to = { 8, 0, 1 }, { 18, 0, 1 } end
      return leeward.world { navmesh = leeward.navmesh(definition) }
    end
    local ENDS = { from = { 8, 0, 1 }, to = { 18, 0, 1 } }
    local function over(profile) return { from = ENDS.from, to = ENDS.to, profile = profile } end
    local CAR = { extends = "human", resistance_factor = { triangular = 18, road = 0, waypoint = 5 } }

    it("between unlike ends is their average", function()
      local world = gap({ { kind = "jump" } }, { "ground", "road" })
      assert.near(10 * (10 + 1) / 2, cost(world, over(CAR)), 1e-3)
      world = gap({ { kind = "jump" } }, { "ground", "grass" },
        { openness = { 0.2, 0.6 }, depth = { { 0.7, 1.2 }, 0 } })
      local profile = { extends = "human", exposure_factor = 4, can_swim = true, swim_resistance_factor = 3 }
      assert.near(10 * (1 + 4 * (0.2 + 0.6 * 0.7) / 2 + 3 * 0.6 / 2), cost(world, over(profile)), 1e-3)
    end)

    it("with an area of its own is that area's, as open as its ends are", function()
      local world = gap({ { kind = "jump", area = "grass" } }, { "ground", "road" }, { openness = { 0.2, 0.6 } })
      assert.near(10 * (1 + 18 * 0.5), cost(world, over(CAR)), 1e-3)
      assert.near(10 * (1 + 4 * 0.4 * 0.7), cost(world, over { extends = "human", exposure_factor = 4 }), 1e-3)
    end)

    describe("that is a waypoint edge", function()
      it("has its own factor and resistance, whatever its ends are of", function()
        assert.near(10 * (1 + 5 * 0.6), cost(gap({ { kind = "waypoint" } }, { "ground", "road" }), over(CAR)), 1e-3)
        -- What else its ends cost still counts.
        local world = gap({ { kind = "waypoint" } }, { "unsafe", "ground" }, { openness = { 0.2, 0.6 } })
        assert.near(10 * (1 + 5 * 0.6 + 4 * 0.4 + 3 / 2), cost(world, over { extends = "human", safety_bias = 3,
          exposure_factor = 4, resistance_factor = { triangular = 18, waypoint = 5 } }), 1e-3)
      end)

      it("has the resistance of an area of its own", function()
        local world = gap({ { kind = "waypoint", area = "road" } }, { "ground", "ground" })
        assert.near(10, cost(world, over(CAR)), 1e-3)
        world = gap({ { kind = "waypoint", area = "grass" } }, { "ground", "ground" })
        assert.near(10 * (1 + 5 * 0.5), cost(world, over(CAR)), 1e-3)
      end)

      it("is closed to profiles that cannot traverse waypoints", function()
        local world = gap({ { kind = "waypoint" } }, { "ground", "ground" })
        assert.near(10, cost(world, over "human"), 1e-3)
        for _, profile in ipairs { { extends = "human", can_traverse = { waypoint = false } },
          { extends = "human", avoid = { "waypoint" } }, "car" } do
          assert.equal("NO_PATH", select(3, world:find_path(over(profile))))
        end
      end)

      it("is left where the ground between is cheaper", function()
        local function both(factor)
          local link = { kind = "waypoint", from = { 0, 0, 1 }, to = { 10, 0, 1 } }
          local navmesh = strip({ { 10 } }, { links = { link } })
          local path = assert(leeward.world { navmesh = navmesh }:find_path { from = { 0, 0, 1 }, to = { 10, 0, 1 },
            profile = { extends = "human", resistance_factor = { triangular = factor, waypoint = 5 } } })
          return path:cost(), #path:links()
        end
        local price, links = both(5) -- 1 + 5 * 0.5 against 1 + 5 * 0.6
        assert.near(35, price, 1e-3)
        assert.equal(0, links)
        price, links = both(7) -- 1 + 7 * 0.5
        assert.near(40, price, 1e-3)
        assert.equal(1, links)
      end)
    end)
  end)

  it("is explained term by term", function()
    local strips = { { 10, "grass" }, { 10, "deep_water" } }
    local world, over = walk(strips, { openness = { 0.6, 0 }, depth = { { 0.7, 1.2 }, 2 },
      links = { { kind = "waypoint", from = { 12, 0, 1 }, to = { 20, 0, 1 }, area = "road" } } })
    world:set_visibility(0.5)
    local path = assert(world:find_path(over { profile = { extends = "human", can_swim = true,
      swim_resistance_factor = 3, exposure_factor = 4, resistance_factor = { triangular = 2, waypoint = 5 } } }))
    local why = path:explain()
    local grass, wet, edge = table.unpack(why.segments)
    assert.near(10 * 4 * 0.6 * 0.7 / 2, grass.terms.openness, 1e-3)
    assert.near(10 * 3 * 0.6, grass.terms.water, 1e-3)
    assert.near(10 * 2 * 0.5, grass.terms.resistance, 1e-3)
    assert.near(2 * 3, wet.terms.water, 1e-3)
    assert.equal("waypoint", edge.type)
    assert.near(8, edge.terms.length, 1e-3)
    assert.near(0, edge.terms.resistance, 1e-3)
    assert.near(8 * 3, edge.terms.water, 1e-3)
    assert.near(path:cost(), why.total.cost, 1e-3)
  end)

  it("a waypoint edge is explained by its own resistance", function()
    local world = leeward.world { navmesh = leeward.navmesh {
      vertices = { { 0, 0, 0 }, { 8, 0, 0 }, { 8, 0, 2 }, { 0, 0, 2 },
        { 18, 0, 0 }, { 26, 0, 0 }, { 26, 0, 2 }, { 18, 0, 2 } },
      polygons = { { 1, 2, 3, 4 }, { 5, 6, 7, 8 } }, areas = { "unsafe", "road" }, openness = { 0.2, 0.6 },
      links = { { kind = "waypoint", from = { 8, 0, 1 }, to = { 18, 0, 1 } } },
    } }
    local path = assert(world:find_path { from = { 8, 0, 1 }, to = { 18, 0, 1 }, profile = { extends = "human",
      safety_bias = 3, exposure_factor = 4, resistance_factor = { triangular = 18, waypoint = 5 },
      area_factor = { waypoint = 7 } } })
    local why = path:explain()
    assert.equal(1, #why.segments)
    local terms = why.segments[1].terms
    assert.near(10, terms.length, 1e-3)
    assert.near(10 * 5 * 0.6, terms.resistance, 1e-3)
    assert.near(10 * 4 * 0.4, terms.openness, 1e-3)
    assert.near(10 * 3 / 2, terms.unsafe, 1e-3)
    assert.near(10 * 7, terms.area_factor, 1e-3)
    assert.near(path:cost(), why.total.cost, 1e-3)
  end)

  it("a door costs as its area says, and is closed to profiles that cannot open it", function()
    local world = leeward.world { navmesh = maps.two_rooms { area = "door" } }
    local query = { from = { 9, 0, 5 }, to = { 12, 0, 5 } }
    query.profile = { extends = "human", area_factor = { door = 6 }, exposure_factor = 4 }
    assert.near(2 * (1 + 4) + 1 * (1 + 6 + 4 * 0.5), cost(world, query), 1e-3)
    query.profile = "dog"
    assert.equal("NO_PATH", select(3, world:find_path(query)))
  end)
end)

describe("leeward.navmesh", function()
  local definition
  before_each(function()
    definition = { vertices = { { 0, 0, 0 }, { 9, 0, 0 }, { 9, 0, 3 }, { 0, 0, 3 }, { 9, 0, 9 }, { 0, 0, 9 } },
      polygons = { { 1, 2, 3, 4 }, { 4, 3, 5, 6 } } }
  end)

  it("tells how open and how deep its polygons are", function()
    definition.openness, definition.depth = { 0.2, 0.8 }, { 0, { 0.7, 1.2 } }
    local navmesh = leeward.navmesh(definition)
    local polygons, stats = navmesh:polygons(), navmesh:stats()
    assert.near(0.2, polygons[1].openness, 1e-6)
    assert.near(0.8, polygons[2].openness, 1e-6)
    assert.same({ 0, 0 }, polygons[1].depth)
    assert.near(0.7, polygons[2].depth[1], 1e-6)
    assert.near(1.2, polygons[2].depth[2], 1e-6)
    assert.near((0.2 + 2 * 0.8) / 3, stats.openness, 1e-6)
    assert.near(2 * 0.6 / 3, stats.deep_water, 1e-6)
    local file = os.tmpname()
    assert(navmesh:save(file))
    assert.same(polygons, assert(leeward.load_navmesh(file)):polygons())
    os.remove(file)
  end)

  it("lies open and dry unless it is said otherwise", function()
    local stats = leeward.navmesh(definition):stats()
    assert.equal(1, stats.openness)
    assert.equal(0, stats.deep_water)
  end)

  it("refuses what is no part", function()
    local function refuses(key, value, message)
      definition[key] = value
      assert.has_error(function() leeward.navmesh(definition) end, message)
      definition[key] = nil
    end
    refuses("openness", { 0.5 }, "navmesh: openness is a list of 1, expected one for each of 2 polygons")
    refuses("openness", { 0.5, 1.5 }, "navmesh: openness[2] is 1.5, expected a number from 0 to 1")
    refuses("depth", { 0 / 0, 0 }, "navmesh: depth[1] is nan, expected metres >= 0")
    refuses("depth", -1, "navmesh: depth is -1, expected metres >= 0")
    refuses("depth", { 1 }, "navmesh: depth is a list of 1, expected one for each of 2 polygons")
    refuses("depth", { 1, { 2 } }, "navmesh: depth[2] is {2}, expected metres, or { least, most }")
    refuses("depth", { 1, { 2, 1 } },
      "navmesh: polygon 2 of 2: depth is 2 to 1, expected metres >= 0, the least depth first")
    refuses("depth", "deep",
      "navmesh: depth is 'deep', expected a depth in metres, or one or { least, most } for each polygon")
    refuses("openness", "open",
      "navmesh: openness is 'open', expected a number from 0 to 1, or one for each polygon")
  end)
end)

describe("world:set_visibility", function()
  it("says what is wrong", function()
    local world = leeward.world { navmesh = maps.floor(4, 4) }
    local function refuses(message, ...)
      local arguments = table.pack(...)
      assert.has_error(function() world:set_visibility(table.unpack(arguments, 1, arguments.n)) end, message)
    end
    refuses("set_visibility: visibility is 1.5, expected a number from 0 to 1", 1.5)
    refuses("set_visibility: visibility is nan, expected a number from 0 to 1", 0 / 0)
    refuses("set_visibility: visibility is nil, expected a number from 0 to 1")
    refuses("set_visibility: unknown key 'taem'. Did you mean 'team'?", { taem = "red", visibility = 1 })
    refuses("set_visibility: visibility is nil, expected a number from 0 to 1", { team = "red" })
    refuses("set_visibility: team is '" .. ("x"):rep(32) .. "', expected at most 31 bytes",
      { team = ("x"):rep(32), visibility = 1 })
    assert.equal(1, world:visibility())
    assert.has_error(function() world:find_path { from = { 1, 0, 1 }, to = { 2, 0, 2 }, visibility = 2 } end,
      "find_path: visibility is 2, expected a number from 0 to 1")
  end)
end)

describe("a profile for which metres cost differently", function()
  local SIDE = 20

  local function checkered()
    local squares = {}
    for i = 0, SIDE * SIDE - 1 do
      local x, z = i % SIDE, i // SIDE
      squares[i + 1] = { 2 * x, 2 * z, 2, 2, (x + z) % 2 == 0 and "road" or "ground" }
    end
    return leeward.world { navmesh = maps.rectangles(squares) }
  end

  it("is prepared for when its first agent is spawned, so that no step has to", function()
    local world = checkered()
    leeward.profile("prepared", { extends = "human", area_factor = { ground = 3 } })
    local function growth(what)
      local before = world:memory()
      what()
      return world:memory() - before
    end
    local function spawn(profile) return assert(world:spawn { profile = profile, at = { 1, 0, 1 } }) end
    local human = growth(function() spawn "human" end)
    local agent
    local first = growth(function() agent = spawn "prepared" end)
    local second = growth(function() spawn "prepared" end)
    assert.is_true(first - second > SIDE * SIDE * 16, first - second)
    assert.is_true(human < first / 2, human)
    agent:move_to { 39, 0, 39 }
    world:run(1)
    assert.equal("walking", (agent:move_state()))
    world = checkered()
    local later = spawn "human"
    local changed = growth(function() later:set_profile "prepared" end)
    assert.is_true(changed > SIDE * SIDE * 16, changed)
  end)
end)
