local leeward = require "leeward"
local maps = require "support.maps"
local program = require "support.program"

-- A field of ground, 40 x 24 m; a river of 6 m crosses it, with a bridge of road at its far end.
local function river()
  return leeward.world { navmesh = maps.rectangles {
    { 0, 0, 16, 24 },
    { 16, 0, 6, 20, "deep_water" },
    { 16, 20, 6, 4, "road" },
    { 22, 0, 18, 24 },
  } }
end

local ACROSS = { from = { 12, 0, 6 }, to = { 26, 0, 6 } }
local SWIMMER = { extends = "human", radius = 0, can_swim = true, swim_resistance_factor = 3 }

local function across(world, more)
  local query = { from = ACROSS.from, to = ACROSS.to, profile = SWIMMER }
  for key, value in pairs(more or {}) do query[key] = value end
  return assert(world:find_path(query))
end

local function sum(terms)
  local all = 0
  for _, price in pairs(terms) do all = all + price end
  return all
end

describe("path:explain", function()
  it("lists each part of the path: its area, its length and its cost", function()
    local why = across(river()):explain()
    assert.equal(3, #why.segments)
    local water = why.segments[2]
    assert.equal("deep_water", water.area)
    assert.equal("triangular", water.type)
    assert.is_nil(water.link)
    assert.same({ 2, 3 }, { water.first, water.last })
    assert.near(6, water.length, 1e-4)
    assert.near(6, water.water, 1e-4)
    assert.near(6 * 3, water.terms.water, 1e-3) -- swim_resistance_factor 3
    assert.near(6 * 4, water.cost, 1e-3)
    assert.equal("the shortest path, costs 18.0 more than its length: 6.0 m of water", why.sentence)
  end)

  it("has every term of the cost model, and nothing else", function()
    local terms = across(river()):explain().total.terms
    local names = {}
    for name in pairs(terms) do names[#names + 1] = name end
    table.sort(names)
    assert.same({ "area_factor", "crouching", "danger", "fire_lanes", "length", "links", "obstacles", "openness",
      "resistance", "threats", "unsafe", "water" }, names)
  end)

  it("adds up to the path's cost", function()
    local path = across(river(), {
      profile = { extends = "human", can_swim = true, cover_bias = 3, swim_resistance_factor = 2, safety_bias = 1,
        resistance_factor = { triangular = 1.5, road = 4 }, area_factor = { road = 0.25 } },
      threats = { { at = { 30, 1.6, 20 }, range = 30 } },
    })
    local why, cost = path:explain(), 0
    for _, segment in ipairs(why.segments) do
      assert.near(segment.cost, sum(segment.terms), 1e-3)
      cost = cost + segment.cost
    end
    assert.near(path:cost(), cost, 1e-3 * cost)
    assert.near(path:cost(), sum(why.total.terms), 1e-3 * cost)
    assert.near(path:length(), why.total.length, 1e-3)
    assert.near(path:exposed(), why.total.exposed, 1e-3)
    assert.is_true(why.total.terms.threats > 1)
  end)

  it("says how much longer than the shortest it is, and what that saves", function()
    local path = across(river(), { profile = { extends = "human", radius = 0, can_swim = true,
      swim_resistance_factor = 10 } })
    local why = path:explain()
    assert.near(14, why.shortest.length, 1e-3)
    assert.near(14 + 60, why.shortest.cost, 1e-3)
    assert.near(path:length() - 14, why.longer, 1e-3)
    assert.near(74 - path:cost(), why.saves, 1e-3)
    assert.equal(("%.1f m longer, saves %.1f: 6.0 m of water"):format(why.longer, why.saves), why.sentence)
    assert.equal("road", why.segments[2].area)
    assert.equal("road", why.segments[2].type)
  end)

  it("compares with paths that the agent may take: one that cannot swim has no shorter path", function()
    local why = across(river(), { profile = { extends = "human", radius = 0 } }):explain()
    assert.equal("the shortest path", why.sentence)
  end)

  it("tells threats apart", function()
    local geometry = leeward.geometry()
    geometry:add_box { at = { 0, -1, 0 }, size = { 60, 1, 40 } }
    geometry:add_box { at = { 0, 0, 4 }, size = { 40, 3, 0.4 }, area = false }
    local world = leeward.world { navmesh = leeward.bake(geometry, { agent_radius = 0.4, cell_size = 0.2 }) }
    local threats = { { at = { 0, 1.6, -15 } }, { at = { 0, 1.6, 15 }, range = 12 } }
    local why = assert(world:find_path { from = { -25, 0, 0 }, to = { 25, 0, 0 }, threats = threats,
      profile = { extends = "human", cover_bias = 10 } }):explain()
    assert.equal(2, #why.total.exposed_to)
    for i, threat in ipairs(threats) do
      local alone = 0
      -- The shortest path is straight, from one end to the other.
      alone = alone + world:exposure { from = { -25, 0, 0 }, to = { 25, 0, 0 }, threats = { threat } }
      assert.near(alone, why.shortest.exposed_to[i], 0.1)
    end
    assert.near(50, why.shortest.exposed_to[1], 0.1)
    assert.matches("^%d+%.%d m longer, saves %d+%.%d: %d+%.%d exposed metres to threat 1", why.sentence)
  end)

  it("has a segment of its own for every link", function()
    local navmesh = leeward.navmesh {
      vertices = { { 0, 0, 0 }, { 9, 0, 0 }, { 9, 0, 9 }, { 0, 0, 9 },
        { 12, 0, 0 }, { 20, 0, 0 }, { 20, 0, 9 }, { 12, 0, 9 } },
      polygons = { { 1, 2, 3, 4 }, { 5, 6, 7, 8 } },
      links = { { kind = "jump", from = { 9, 0, 4 }, to = { 12, 0, 4 }, length = 7 } },
    }
    local world = leeward.world { navmesh = navmesh }
    local path = assert(world:find_path { from = { 5, 0, 4 }, to = { 16, 0, 4 } })
    local why = path:explain()
    assert.equal(3, #why.segments)
    assert.equal("jump", why.segments[2].link)
    assert.near(7, why.segments[2].length, 1e-4)
    assert.near(path:cost(), why.total.cost, 1e-3)
  end)

  it("crosses from navmesh to navmesh", function()
    local low = maps.rectangles { { 0, 0, 10, 10 } }
    local high = maps.rectangles { { 0, 0, 10, 10, "dirt", 5 } }
    local world = leeward.world { navmeshes = { low, high }, links = {
      { kind = "ladder", from = { 9, 0, 5 }, to = { 9, 5, 5 } } } }
    local path = assert(world:find_path { from = { 1, 0, 5 }, to = { 1, 5, 5 }, profile = { extends = "human",
      radius = 0, area_factor = { dirt = 1 } } })
    local why = path:explain()
    assert.equal(3, #why.segments)
    assert.equal("ladder", why.segments[2].link)
    assert.equal(1, why.segments[2].navmesh)
    assert.equal(2, why.segments[3].navmesh)
    assert.near(2.5, why.segments[2].terms.area_factor, 1e-4) -- half of the ladder's 5 m count as dirt
    assert.near(path:cost(), why.total.cost, 1e-3)
    assert.equal("the shortest path, costs 10.5 more than its length: 8.0 m of dirt, 5.0 m by ladder", why.sentence)
  end)

  it("is a table that can be read", function()
    local why = across(river(), { profile = { extends = "human", radius = 0, can_swim = true,
      swim_resistance_factor = 10 } }):explain()
    assert.equal(why.text, tostring(why))
    local widths = {}
    for line in why.text:gmatch "[^\n]+" do widths[#widths + 1] = #line end
    assert.equal(7, #widths) -- titles, three parts, all, the shortest, the sentence
    for i = 2, 6 do assert.equal(widths[1], widths[i]) end
    assert.equal(why.sentence, why.text:match "[^\n]*$")
  end)

  it("still knows the costs when the world is gone, and says that it compares with nothing", function()
    local world = river()
    local path = across(world)
    local before = path:explain()
    world:destroy()
    local why = path:explain()
    assert.same(before.segments, why.segments)
    assert.same(before.total, why.total)
    assert.is_nil(why.shortest)
    assert.equal("costs 18.0 more than its length: 6.0 m of water; "
      .. "not compared with the shortest path: the world is gone", why.sentence)
    assert.truthy(tostring(why):find("the world is gone", 1, true))
  end)

  it("does not keep the world alive", function()
    local weak = setmetatable({ river() }, { __mode = "v" })
    local path = across(weak[1])
    collectgarbage()
    collectgarbage()
    assert.is_nil(weak[1])
    assert.is_nil(path:explain().shortest)
  end)

  it("is the same when the profile was changed since", function()
    leeward.profile("spec_explained", { extends = "human", radius = 0, can_swim = true, swim_resistance_factor = 3 })
    local world = river()
    local path = across(world, { profile = "spec_explained" })
    local before = path:explain().text
    leeward.profile("spec_explained", { swim_resistance_factor = 9, can_swim = true })
    collectgarbage()
    assert.equal(before, path:explain().text)
    assert.not_equal(before, across(world, { profile = "spec_explained" }):explain().text)
  end)

  it("is empty where there is nowhere to go", function()
    local why = assert(river():find_path { from = { 5, 0, 5 }, to = { 5, 0, 5 } }):explain()
    assert.same({}, why.segments)
    assert.equal(0, why.total.cost)
    assert.equal("the shortest path", why.sentence)
  end)

  it("tells how far the goal is that cannot be reached", function()
    local world = leeward.world { navmesh = maps.two_rooms { door = false } }
    local path = assert(world:find_path { from = { 1, 0, 1 }, to = { 20, 0, 1 }, allow_partial = true })
    assert.equal("the shortest path", path:explain().sentence)
  end)

  it("raises for anything but a path", function()
    assert.is_false(pcall(across(river()).explain))
    assert.is_false(pcall(across(river()).explain, {}))
  end)
end)

describe("agent:explain", function()
  it("explains the path that the agent walks", function()
    local world = river()
    local agent = world:spawn { profile = SWIMMER, at = ACROSS.from }
    assert.is_nil(agent:explain())
    assert(agent:move_to(ACROSS.to))
    world:step()
    assert.equal("the shortest path, costs 18.0 more than its length: 6.0 m of water", agent:explain().sentence)
    assert.matches("walks to .* m left; the path costs 18.0 more than its length: 6.0 m of water", agent:why())
  end)

  it("counts the first steps of an agent that starts too near to a wall", function()
    local world = river()
    local agent = world:spawn { profile = { extends = "human", radius = 0.5 }, at = { 0, 0, 6 } }
    assert(agent:move_to { 10, 0, 6 })
    local why = agent:explain()
    assert.near(10, why.total.length, 0.1)
    assert.near(10, why.shortest.length, 0.1)
    assert.equal("the shortest path", why.sentence)
  end)

  it("does not change the run", function()
    local function run(ask)
      local world = river()
      local agent = world:spawn { profile = SWIMMER, at = ACROSS.from, tree = "wander" }
      world:run(5, function() if ask then agent:explain() agent:why() end end)
      return world:hash()
    end
    assert.equal(run(false), run(true))
  end)
end)

describe("leeward path --explain", function()
  it("prints the table and the sentence", function()
    local temporary = os.tmpname()
    local file = temporary .. ".lwn"
    river():navmesh():save(file)
    local status, output = program("path", file, "12,0,6", "26,0,6", "--profile", "diver", "--explain",
      "--threat", "30,1.6,6", "--threat=5,1.6,20")
    os.remove(file)
    os.remove(temporary)
    assert.equal(0, status, output)
    assert.matches("\nexposed %d+%.%d%d m\n\npoints +area +link +length", output)
    assert.matches("\n2%-3 +deep_water +triangular +6%.0", output)
    assert.matches("\nthe shortest path[^\n]*\n$", output)
  end)

  it("refuses a threat that is no point", function()
    local status, output = program("path", "x.lwn", "1,0,1", "2,0,2", "--threat", "nowhere")
    assert.equal(2, status)
    assert.matches("--threat is 'nowhere', expected a point x,y,z", output, 1, true)
  end)
end)
