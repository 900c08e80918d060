-- Errors of arguments and options that no other spec makes: each is one line with what came and what is expected.
local leeward = require "leeward"

local FLOOR = { min = { 0, -1, 0 }, max = { 12, 0, 12 } }

describe("a wrong argument", function()
  local level, navmesh, world, agent

  setup(function()
    level = leeward.geometry()
    level:add_box(FLOOR)
    navmesh = assert(leeward.bake(level, { cell_size = 0.3, threads = 1 }))
    world = leeward.world { navmesh = navmesh, log = function() end }
    agent = assert(world:spawn { profile = "human", at = { 1, 0, 1 } })
  end)

  local function refuses(expected, call, ...)
    local arguments = table.pack(...)
    local good, message = pcall(function() return call(table.unpack(arguments, 1, arguments.n)) end)
    assert.is_false(good, "expected an error with: " .. expected)
    assert.truthy(tostring(message):find(expected, 1, true), tostring(message))
  end

  it("of an agent is named", function()
    refuses("expected a table", world.spawn, world, { profile = "human", at = { 1, 0, 1 }, blackboard = 5 })
    refuses("expected a table", function() agent.blackboard = 5 end)
  end)

  it("of a geometry or a bake is named", function()
    local own = leeward.geometry()
    refuses("on every axis", own.add_box, own, { min = { 5, 0, 0 }, max = { 1, 1, 1 } })
    refuses("expected one of them", own.add_box, own, { at = { 0, 0, 0 }, center = { 0, 0, 0 }, size = { 1, 1, 1 } })
    refuses("progress is 5, expected a function", leeward.bake, level, { progress = 5 })
    refuses("expected two points", leeward.bake, level, { bounds = 5 })
  end)

  it("that is too long a list is named", function()
    -- Powers of two alone, in the hash part: the length that Lua finds is the largest of them.
    local huge = {}
    for power = 30, 0, -1 do huge[power + 1] = ("[%d]=0"):format(1 << power) end
    huge = load("return {" .. table.concat(huge, ",") .. "}")()
    refuses("add_mesh: vertices is a list of 1073741824, expected at most 536870911", level.add_mesh, level,
      { vertices = huge, indices = { 1, 2, 3 } })
  end)

  it("of a cover, a cost or an interval is named", function()
    local own = leeward.geometry()
    own:add_box(FLOOR)
    own:add_box { min = { 5, 0, 5 }, max = { 7, 1, 7 } }
    local place = leeward.world { navmesh = assert(leeward.bake(own, { threads = 1 })) }
    local wanted = { around = { 1, 0, 1 }, radius = 20, threats = { { at = { 11, 1, 11 } } }, profile = "human" }
    local cover = assert(place:find_cover(wanted))[1]
    refuses("reserve: agent is 5, expected an agent", cover.reserve, cover, 5)
    refuses("release: agent is nil, expected an agent", cover.release, cover)
    wanted.weights = 5
    refuses("find_cover: weights is 5, expected a table", place.find_cover, place, wanted)
    refuses("find_path: cost is 5, expected a table", place.find_path, place,
      { from = { 1, 0, 1 }, to = { 3, 0, 3 }, profile = "human", cost = 5 })
    refuses("random: the interval is too large", place.random, place, 0, 1 << 47)
    refuses("import_navmesh: areas is 5, expected a table of names by Detour's area number", leeward.import_navmesh,
      "none.bin", { areas = 5 })
  end)

  it("of a tree is named", function()
    local row = { kind = "sequence" }
    for i = 1, 300 do row[i] = { kind = "wait", min = 1 } end
    local many = { kind = "sequence" }
    for i = 1, 300 do many[i] = row end
    refuses("tree 'many': the tree has 65537 nodes or more, expected at most 65536", leeward.tree, "many", many)
  end)

  it("of a world is named", function()
    refuses("on_step is 5, expected a function", world.run, world, 1, 5)
    local many = {}
    for i = 1, 65 do many[i] = navmesh end
    refuses("expected at most", leeward.world, { navmeshes = many })
    refuses("death_danger is 5, expected a table", leeward.world, { navmesh = navmesh, death_danger = 5 })
    refuses("agent is 5, expected a function", world.load, world, os.tmpname(), { agent = 5 })
    refuses("finite number", function() return leeward.vec3(1, 2, 3) * (0 / 0) end)
  end)

  it("of a tree is named", function()
    refuses("max is", leeward.tree, "wrong", { kind = "wait", min = 2, max = 1 })
    refuses("expected a function", leeward.tree, "wrong", { kind = "leaf", name = "L", start = 5 })
    refuses("expected a table", leeward.tree, "wrong", { kind = "leaf", name = "L", tick = print, options = 5 })
    refuses("file is nil, expected a file name", leeward.load_geometry)
    refuses("file is nil, expected a file name", leeward.load_navmesh)
    refuses("name is nil, expected 1 to 63 bytes", leeward.profile)
    refuses("expected a node", leeward.tree, "wrong", { kind = "sequence", 5 })
    refuses("expected a name, a tree or its description", world.spawn, world,
      { profile = "human", at = { 1, 0, 1 }, tree = 5 })
  end)
end)

describe("a world inside a leaf", function()
  it("is neither saved nor loaded", function()
    local level, messages = leeward.geometry(), {}
    level:add_box(FLOOR)
    local world = leeward.world { navmesh = assert(leeward.bake(level, { cell_size = 0.3, threads = 1 })),
      log = function() end }
    local function try()
      for _, name in ipairs { "save", "load" } do
        messages[#messages + 1] = tostring(select(2, pcall(world[name], world, os.tmpname())))
      end
      return "success"
    end
    assert(world:spawn { profile = "human", at = { 1, 0, 1 },
      tree = leeward.tree("saves", { kind = "leaf", name = "Save", start = try }) })
    world:step()
    assert.equal(2, #messages)
    for _, message in ipairs(messages) do
      assert.truthy(message:find("called from inside a step or a leaf", 1, true), message)
    end
  end)
end)
