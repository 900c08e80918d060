-- Mistakes in descriptions of trees: each is an error that names what is wrong and what would be right.
local leeward = require "leeward"
local behaviors = require "behaviors"

--- The call raises that, with this file and a line before it.
local function raises(message, call)
  local ok, got = pcall(call)
  assert.is_false(ok)
  local file, text = got:match "^([^:]+):%d+: (.*)$"
  assert.matches("tree_mistakes_spec%.lua$", file)
  assert.equal(message, text)
end

--- To compile the tree raises that, with this file and a line before it.
local function says(message, tree)
  local ok, got = pcall(leeward.tree, "spec_mistake", tree)
  assert.is_false(ok)
  local file, text = got:gsub("^[^:]+:%d+: tree", "tree"):match "^tree 'spec_mistake': ([^:]+):%d+: (.*)$"
  assert.matches("tree_mistakes_spec%.lua$", file)
  assert.equal(message, text)
end

local function done() return "success" end

describe("a condition", function()
  it("has a key or an event", function()
    raises("condition: key and event are given, expected one",
      function() behaviors.condition { key = "enemy", event = "shot" } end)
  end)

  it("that calls a test and aborts says what the test reads", function()
    raises("condition: reads is nil, expected the keys on whose change its test is called again: abort is 'self'",
      function() behaviors.condition { test = done, abort = "self", behaviors.wait(1) } end)
    local message = "condition: its test is called and it aborts, by itself or by the reactive node above it, expected"
      .. " 'reads', the keys on whose change it is tested again"
    for _, kind in ipairs { "sequence", "selector" } do
      says(("spec_mistake > %s > %s"):format(kind, message), behaviors[kind] {
        reactive = true, behaviors.condition { test = done }, behaviors.wait(1),
      })
    end
    leeward.tree("spec_mistake", behaviors.sequence { behaviors.condition { test = done }, behaviors.wait(1) })
    leeward.tree("spec_mistake", behaviors.sequence {
      reactive = true, behaviors.condition { reads = { "ammo" }, test = done }, behaviors.wait(1),
    })
  end)
end)

describe("a service", function()
  it("writes keys of known types", function()
    raises("every: writes.k is 'numbr', expected types out of number, string, boolean, vec3, agent, threat, cover,"
      .. " list, any, with | between them",
      function()
        behaviors.every { seconds = 1, update = done, writes = { k = "numbr" }, behaviors.wait(1) }
      end)
    raises("every: writes is 'k', expected a table of types by keys",
      function() behaviors.every { seconds = 1, update = done, writes = "k", behaviors.wait(1) } end)
  end)
end)

describe("children", function()
  it("go in a table", function()
    raises("sequence: options is a node, expected children in a table: sequence { child, ... }",
      function() behaviors.sequence(behaviors.wait(1), behaviors.wait(2)) end)
    raises("inverter: options is a node, expected children in a table: inverter { child, ... }",
      function() behaviors.inverter(behaviors.wait(1)) end)
  end)
end)

describe("a subtree", function()
  local Go = behaviors.leaf { name = "Go", required = { "to" }, ports = { to = "in vec3" }, start = done }
  local Draw = behaviors.leaf { name = "Draw", required = { "into" }, ports = { into = "out vec3" }, start = done }
  local Count = behaviors.leaf { name = "Count", required = { "into" }, ports = { into = "out number" }, start = done }

  local function patrol(ports)
    return behaviors.subtree {
      name = "patrol", ports = ports,
      tree = behaviors.tree {
        inputs = { gate = "vec3", post = "vec3" },
        behaviors.sequence { Go { to = "gate" }, Go { to = "post" }, Draw { into = "last" } },
      },
    }
  end

  it("that does not exist", function()
    raises("subtree: tree is 'wandr', expected the name of a tree in behaviors/trees. Did you mean 'wander'?",
      function() behaviors.subtree { tree = "wandr" } end)
    raises("subtree: tree is 'nonexist', expected the name of a tree in behaviors/trees",
      function() behaviors.subtree { tree = "nonexist" } end)
    leeward.tree("spec_named", behaviors.wait(1))
    raises("subtree: tree is 'spec_named', expected the name of a tree in behaviors/trees; a tree that leeward.tree has"
      .. " named is compiled: hand over its description", function() behaviors.subtree { tree = "spec_named" } end)
  end)

  it("has ports that are keys of its tree", function()
    says("spec_mistake > sequence > patrol: its tree has no port 'gaet'. Did you mean 'gate'?",
      behaviors.sequence { patrol { gaet = "a", post = "b" } })
    says("spec_mistake > sequence > patrol: its tree has no port 'xyzzy'. Its ports: gate, last, post",
      behaviors.sequence { patrol { gate = "a", post = "b", xyzzy = "c" } })
    leeward.tree("spec_mistake", behaviors.sequence { patrol { gate = "a", post = "b", last = "c" } })
  end)

  it("has ports that its tree reads or writes, also where that declares no inputs", function()
    local beat = { rout = "beat" }
    says("spec_mistake > patrol: its tree has no port 'rout'. Did you mean 'route'?",
      behaviors.subtree { tree = "patrol", ports = beat })
    says("spec_mistake > subtree > patrol: its tree has no port 'rout'. Did you mean 'route'?",
      behaviors.tree { inputs = { beat = "list" }, behaviors.subtree { tree = "patrol", ports = beat } })
    says("spec_mistake > sequence > rest: its tree has no port 'gate'. It has none",
      behaviors.sequence { behaviors.subtree { name = "rest", ports = { gate = "a" }, tree = behaviors.wait(1) } })
    leeward.tree("spec_mistake", behaviors.subtree { tree = "patrol", ports = { route = "beat", goal = "aim" } })
    leeward.tree("spec_mistake", behaviors.tree {
      inputs = { beat = "list" }, behaviors.subtree { tree = "patrol", ports = { route = "beat" } },
    })
  end)

  it("lacks a port in a tree that says its inputs", function()
    says("spec_mistake > subtree > patrol: its tree reads the key 'route', which nothing writes. Known keys: beat,"
      .. " goal, patrol_next",
      behaviors.tree { inputs = { beat = "list" }, behaviors.subtree { tree = "patrol" } })
    leeward.tree("spec_mistake", behaviors.tree { inputs = { route = "list?" }, behaviors.subtree { tree = "patrol" } })
  end)

  it("need not have a port for an optional input", function()
    local tree = behaviors.tree {
      inputs = { gate = "vec3", post = "vec3?" }, behaviors.sequence { Go { to = "gate" }, Go { to = "post" } },
    }
    local function with(ports)
      return behaviors.sequence { behaviors.subtree { name = "go", ports = ports, tree = tree } }
    end
    leeward.tree("spec_mistake", with { gate = "a" })
    says("spec_mistake > sequence > go: ports.gate is nil, expected the key that its tree reads as 'gate':"
      .. " nothing writes 'gate' here", with { post = "a" })
    says("spec_mistake > sequence > sequence > go: post reads the key 'a' as vec3, but Count writes it as number",
      behaviors.sequence { Count { into = "a" }, with { gate = "b", post = "a" } })
    raises("every: writes.k is 'vec3?', expected types out of number, string, boolean, vec3, agent, threat, cover,"
      .. " list, any, with | between them",
      function() behaviors.every { seconds = 1, update = done, writes = { k = "vec3?" }, behaviors.wait(1) } end)
  end)

  it("has a port for each input, unless the key is written", function()
    says("spec_mistake > sequence > patrol: ports.post is nil, expected the key that its tree reads as 'post':"
      .. " nothing writes 'post' here", behaviors.sequence { patrol { gate = "a" } })
    says("spec_mistake > subtree > patrol: ports.gate is nil, expected the key that its tree reads as 'gate':"
      .. " nothing writes 'gate' here", behaviors.tree { inputs = { post = "vec3" }, patrol() })
    leeward.tree("spec_mistake", behaviors.sequence { Draw { into = "post" }, patrol { gate = "a" } })
    leeward.tree("spec_mistake", behaviors.sequence { patrol() }) -- the script that spawns an agent may set both
    leeward.tree("spec_mistake", patrol { gate = "a", post = "b" })
  end)

  it("reads keys of the types that are written", function()
    says("spec_mistake > sequence > patrol: gate reads the key 'a' as vec3, but Count writes it as number",
      behaviors.sequence { Count { into = "a" }, patrol { gate = "a", post = "b" } })
    says("spec_mistake > sequence > patrol: gate reads the key 'goa', which nothing writes. Did you mean 'goal'?",
      behaviors.sequence { Draw { into = "goal" }, patrol { gate = "goa", post = "goal" } })
    leeward.tree("spec_mistake", behaviors.sequence { Draw { into = "a" }, patrol { gate = "a", post = "a" } })
  end)

  it("is checked within", function()
    says("spec_mistake > sequence > subtree > subtree > Go: to reads the key 'gaet', which nothing writes."
      .. " Did you mean 'gate'?", behaviors.sequence {
      behaviors.subtree { tree = behaviors.tree { inputs = { gate = "vec3" }, Go { to = "gaet" } } },
    })
  end)

  it("is found through ports of a tree around it", function()
    leeward.tree("spec_mistake", behaviors.sequence {
      Draw { into = "a" }, Draw { into = "b" },
      behaviors.subtree {
        ports = { gate = "a", there = "b" },
        tree = behaviors.sequence { patrol { post = "there" }, behaviors.condition { key = "gate" } },
      },
    })
  end)
end)

describe("a decorator", function()
  local MADE = { "force_success", "force_failure", "until_success", "until_failure", "repeated", "inverter" }

  it("has the name of what made it, in mistakes", function()
    for _, name in ipairs(MADE) do
      local make = behaviors[name]
      raises(name .. ": has 0 children, expected one", function() make {} end)
      raises(name .. ": child 1 is 5, expected a node", function() make { 5 } end)
      raises(name .. ": options is nil, expected a table", function() make() end)
      local wrong = make { behaviors.condition { key = "foe", abort = "both" } }
      local ok, message = pcall(leeward.tree, "spec_mistake", wrong)
      assert.is_false(ok)
      assert.matches((": spec_mistake > %s > condition: abort is 'both'"):format(name), message)
    end
    raises("tree: has 0 children, expected one", function() behaviors.tree { inputs = {} } end)
  end)

  it("has it in paths, unless it has one of its own", function()
    local world = leeward.world { navmesh = require("support.maps").floor(4, 4) }
    for _, name in ipairs(MADE) do
      for _, own in ipairs { "rest", false } do
        leeward.tree("spec_path", behaviors[name] { name = own or nil, behaviors.wait(60) })
        local agent = assert(world:spawn { at = { 1, 0, 1 }, profile = "human", tree = "spec_path" })
        world:step()
        assert.equal(("spec_path > %s > wait"):format(own or name), agent:why():match "^[^:]*")
      end
    end
    world:destroy()
  end)
end)

describe("an event", function()
  it("has a name", function()
    local world = leeward.world { navmesh = require("support.maps").floor(4, 4) }
    local agent = assert(world:spawn { at = { 1, 0, 1 }, profile = "human" })
    raises("send: name is nil, expected the name of an event", function() agent:send() end)
    raises("emit: name is 5, expected the name of an event", function() world:emit(5) end)
    raises("emit: name is '', expected the name of an event, 1 to 127 bytes", function() world:emit "" end)
    world:destroy()
  end)
end)

describe("a blackboard at spawn", function()
  local world
  setup(function() world = leeward.world { navmesh = require("support.maps").floor(4, 4) } end)
  teardown(function() world:destroy() end)

  local function spawn(inputs, blackboard)
    leeward.tree("spec_inputs", behaviors.tree { inputs = inputs, behaviors.wait(1) })
    local options = { at = { 1, 0, 1 }, profile = "human", tree = "spec_inputs", blackboard = blackboard }
    return (world:spawn(options)) -- no tail call, so that the message has the line
  end

  it("has declared inputs of their types", function()
    local count = #world:agents()
    for text, value in pairs { ["true"] = true, ["5"] = 5, ["'gate'"] = "gate", ["a table"] = { 1, 2 } } do
      raises(("spawn: blackboard.gate is %s, expected vec3, an input of the tree 'spec_inputs'"):format(text),
        function() assert(spawn({ gate = "vec3" }, { gate = value })) end)
    end
    raises("spawn: blackboard.foe is a userdata, expected agent|threat, an input of the tree 'spec_inputs'",
      function() assert(spawn({ gate = "vec3", foe = "agent|threat?" }, { foe = leeward.vec3(1, 2, 3) })) end)
    raises("spawn: blackboard.gate is true, expected vec3, an input of its tree", function()
      assert(world:spawn { at = { 1, 0, 1 }, profile = "human", blackboard = { gate = true },
        tree = behaviors.tree { inputs = { gate = "vec3" }, behaviors.wait(1) } })
    end)
    assert.equal(count, #world:agents())
  end)

  it("may have them later, and more than them", function()
    assert(spawn { gate = "vec3" })
    assert(spawn({ gate = "vec3", route = "list?" }, { gate = false, other = 5 }))
    local other = assert(spawn({ gate = "vec3" }, { gate = { 1, 2, 3 } }))
    assert(spawn({ gate = "vec3|agent", n = "number", route = "list?", x = "any" },
      { gate = other, n = 2, route = { { 1, 0, 1 } }, x = true }))
    assert(spawn({ gate = "vec3" }, { gate = leeward.vec3(1, 2, 3) }))
  end)
end)

describe("the place of a mistake", function()
  local folder

  setup(function()
    folder = os.tmpname()
    os.remove(folder)
    assert(os.execute("mkdir -p " .. folder .. "/behaviors/trees"))
    assert(leeward.add_root(folder))
  end)

  teardown(function() os.execute("rm -r " .. folder) end)

  --- The message about a tree file with these lines, after "FILE: " or "FILE:LINE: ", and the line.
  local function about(name, lines)
    local path = ("%s/behaviors/trees/%s.lua"):format(folder, name)
    local file = assert(io.open(path, "w"))
    file:write('local b = require "behaviors"\n', table.concat(lines, "\n"), "\n")
    file:close()
    local ok, message = pcall(leeward.tree, name)
    assert.is_false(ok)
    assert.equal(path, message:sub(1, #path)) -- whole, where Lua shortens it, and once
    assert.is_nil(message:find(".lua", #path + 1, true))
    local line, text = message:sub(#path + 1):match "^:?(%d*): (.*)$"
    return text, tonumber(line)
  end

  local GUARD <const> = 'b.condition { key = "foe", abort = "both" }'

  it("is the line of the node, in a file that ends in a tail call or not", function()
    local text, line = about("spec_nested", { "return b.sequence {", "  b.wait(1),", "  " .. GUARD .. ",", "}" })
    assert.matches("^spec_nested > sequence > condition: abort is 'both', expected it where", text)
    assert.equal(4, line)
    text, line = about("spec_root", { "", "return b.tree { inputs = {}, b.condition { key = 'foe' } }" })
    assert.matches("^spec_root > subtree > condition: key is 'foe', which nothing writes", text)
    assert.equal(3, line)
    text, line = about("spec_tail", { "", "", "return " .. GUARD })
    assert.matches("^spec_tail > condition: abort is 'both'", text)
    assert.equal(4, line)
    text, line = about("spec_part", { "local function part()", "  local c = " .. GUARD, "  return c", "end",
      "return b.sequence {", "  part() }" })
    assert.matches("^spec_part > sequence > condition: abort is 'both'", text)
    assert.equal(3, line)
  end)

  it("is that of the node around a plain table, or the file", function()
    local text, line = about("spec_raw", { "return b.selector {", "  b.sequence {", '    { kind = "leaf" } } }' })
    assert.equal("selector[1][1].tick is nil, expected a function: a leaf needs 'start' or 'tick'", text)
    assert.equal(3, line)
    text, line = about("spec_plain", { "return {", '  kind = "selector" }' })
    assert.equal("selector has no children, expected at least one", text)
    assert.is_nil(line)
  end)

  it("is the line that puts a tree into itself", function()
    local text, line = about("spec_itself", { "", "return b.subtree { tree = 'spec_itself' }" })
    assert.equal("subtree: a tree contains itself: spec_itself > spec_itself", text)
    assert.equal(3, line)
    local file = assert(io.open(folder .. "/behaviors/trees/spec_there.lua", "w"))
    file:write "return require('behaviors').subtree { tree = 'spec_here' }\n"
    file:close()
    file = assert(io.open(folder .. "/behaviors/trees/spec_here.lua", "w"))
    file:write "return require('behaviors').subtree { tree = 'spec_there' }\n"
    file:close()
    for _ = 1, 2 do
      local ok, message = pcall(leeward.tree, "spec_here")
      assert.is_false(ok)
      assert.equal("spec_here.lua:1: subtree: a tree contains itself: spec_there > spec_here > spec_there",
        message:match "[^/]*$")
    end
  end)

  it("is the file of a node that returns nothing", function()
    assert(os.execute("mkdir -p " .. folder .. "/behaviors/nodes"))
    local path = folder .. "/behaviors/nodes/spec_nothing.lua"
    local file = assert(io.open(path, "w"))
    file:write "local F = require('behaviors').leaf { name = 'F', tick = print }\n"
    file:close()
    local ok, message = pcall(require, "behaviors.nodes.spec_nothing")
    assert.is_false(ok)
    assert.equal(path .. ":1: the file of a node returns nothing, expected its constructor", message)
  end)

  it("is where a file returns what is no tree", function()
    local text, line = about("spec_five", { "b.wait(1)", "return 5" })
    assert.equal("result is 5, expected a tree", text)
    assert.equal(3, line)
  end)

  it("is in a file with a long name, and in a tree without one", function()
    local text, line = about(("spec_long"):rep(7), { "return b.sequence { b.wait(1), " .. GUARD .. " }" })
    assert.matches("> sequence > condition: abort is 'both'", text)
    assert.equal(2, line)
    local world = leeward.world { navmesh = require("support.maps").floor(4, 4) }
    local here = debug.getinfo(1, "l").currentline + 1
    local tree = behaviors.sequence { behaviors.wait(1), behaviors.condition { key = "foe", abort = "both" } }
    local ok, message = pcall(world.spawn, world, { at = { 1, 0, 1 }, profile = "human", tree = tree })
    world:destroy()
    assert.is_false(ok)
    assert.matches(("^spawn: tree: [^:]*tree_mistakes_spec%%.lua:%d: tree > sequence > condition: abort is 'both'")
      :format(here), message)
  end)

  it("is kept beside nodes, which stay plain tables", function()
    local node = behaviors.wait(1)
    assert.same({ kind = "wait", min = 1, max = 1 }, node)
    assert.matches("tree_mistakes_spec%.lua:%d+$", leeward.node_source(node))
    assert.is_nil(leeward.node_source {})
    local ok, message = pcall(leeward.node_source, node, 7)
    assert.is_false(ok)
    assert.matches("node_source: builders is 7, expected a set of chunks", message, 1, true)
  end)
end)

describe("a misspelt key", function()
  it("is named before what is missing for it", function()
    local wait = behaviors.wait(1)
    raises("timeout: unknown key 'secnds'. Did you mean 'seconds'?",
      function() behaviors.timeout { secnds = 1, wait } end)
    raises("cooldown: unknown key 'second'. Did you mean 'seconds'?",
      function() behaviors.cooldown { second = 1, wait } end)
    raises("every: unknown key 'second'. Did you mean 'seconds'?",
      function() behaviors.every { second = 1, update = print, wait } end)
    raises("limit: unknown key 'time'. Did you mean 'times'?", function() behaviors.limit { time = 1, wait } end)
    raises("delay: unknown key 'mim'. Did you mean 'min'?", function() behaviors.delay { mim = 1, wait } end)
    raises("tree: unknown key 'input'. Did you mean 'inputs'?", function() behaviors.tree { input = {}, wait } end)
  end)

  it("of the module is an error, too", function()
    raises("behaviors has no 'sequnce'. Did you mean 'sequence'?", function() behaviors.sequnce {} end)
  end)
end)
