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
