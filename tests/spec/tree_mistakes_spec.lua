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

--- To compile the tree raises that.
local function says(message, tree)
  local ok, got = pcall(leeward.tree, "spec_mistake", tree)
  assert.is_false(ok)
  assert.equal("tree 'spec_mistake': " .. message, (got:gsub("^[^:]+:%d+: ", "")))
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
    local message = "tree 'spec_mistake', node 1 'condition': its test is called and it aborts, by itself or by the"
      .. " reactive node above it, expected 'reads', the keys on whose change it is tested again"
    for _, kind in ipairs { "sequence", "selector" } do
      says(message, behaviors[kind] {
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
  end)

  it("has ports that are keys of its tree", function()
    says("subtree 'patrol': ports.gaet is no key of its tree. Did you mean 'gate'?",
      behaviors.sequence { patrol { gaet = "a", post = "b" } })
    says("subtree 'patrol': ports.xyzzy is no key of its tree. Its inputs: gate, post",
      behaviors.sequence { patrol { gate = "a", post = "b", xyzzy = "c" } })
    leeward.tree("spec_mistake", behaviors.sequence { patrol { gate = "a", post = "b", last = "c" } })
  end)

  it("has a port for each input, unless the key is written", function()
    says("subtree 'patrol': ports.post is nil, expected the key that its tree reads as 'post': nothing writes 'post'"
      .. " here", behaviors.sequence { patrol { gate = "a" } })
    says("subtree 'patrol': ports.gate is nil, expected the key that its tree reads as 'gate': nothing writes 'gate'"
      .. " here", behaviors.tree { inputs = { post = "vec3" }, patrol() })
    leeward.tree("spec_mistake", behaviors.sequence { Draw { into = "post" }, patrol { gate = "a" } })
    leeward.tree("spec_mistake", behaviors.sequence { patrol() }) -- the script that spawns an agent may set both
    leeward.tree("spec_mistake", patrol { gate = "a", post = "b" })
  end)

  it("reads keys of the types that are written", function()
    says("patrol: gate reads the key 'a' as vec3, but Count writes it as number",
      behaviors.sequence { Count { into = "a" }, patrol { gate = "a", post = "b" } })
    says("patrol: gate reads the key 'goa', which nothing writes. Did you mean 'goal'?",
      behaviors.sequence { Draw { into = "goal" }, patrol { gate = "goa", post = "goal" } })
    leeward.tree("spec_mistake", behaviors.sequence { Draw { into = "a" }, patrol { gate = "a", post = "a" } })
  end)

  it("is checked within", function()
    says("Go: to reads the key 'gaet', which nothing writes. Did you mean 'gate'?", behaviors.sequence {
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
