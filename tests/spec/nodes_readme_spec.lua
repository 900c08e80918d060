-- behaviors/nodes/README.md is true: it has each node, with the options and ports that the node declares, an example
-- that runs, and all failures. Each of these is provoked in a scene, and no scene fails otherwise.
local behaviors = require "behaviors"
local sim = require "leeward.testing"
local node_failures = require "support.node_failures"
local node_files = require "support.node_files"
local nodes_readme = require "support.nodes_readme"
local ports = require "behaviors.ports"
local stubs = dofile "bindings/docs/stubs.lua"

local sections, titles = nodes_readme.read()
local nodes = node_files.read()

local VALUES, WALKS = sections.Values.failures, sections.Walks.failures

-- What stands beside the constructors in `behaviors`: helpers for leaves.
local HELPERS = require "behaviors.options"

local constructors = {}
for name, value in pairs(behaviors) do
  if HELPERS[name] == nil then constructors[name] = value end
end

local function sorted(set)
  local names = {}
  for name in pairs(set) do names[#names + 1] = name end
  table.sort(names)
  return names
end

local function set_of(list)
  local set = {}
  for word in list:gmatch "[%w_]+" do set[word] = true end
  return set
end

-- --- Stubs --------------------------------------------------------------------------------------------------------

local classes = {}
for _, file in ipairs { "behaviors", "agent" } do
  for _, entry in ipairs(stubs.read(("bindings/meta/%s.lua"):format(file))) do
    if entry.kind == "class" and entry.fields[1] then classes[entry.name:gsub("^leeward%.", "")] = entry end
  end
end

--- The fields of a class and of those that it extends, by name: { type, optional }.
local function fields_of(class)
  local entry = assert(classes[class], class)
  local parent = entry.parent and entry.parent:gsub("^leeward%.", "")
  local fields = parent and fields_of(parent) or {}
  for _, field in ipairs(entry.fields) do fields[field.name] = field end
  return fields
end

-- The class of what a constructor takes, where it has not the name of the node.
local CLASSES = {
  sequence = "Composite", selector = "Composite", parallel = "Parallel", random = "RandomChoice", utility = "Utility",
  inverter = "Decorator", force_success = "Decorator", force_failure = "Decorator", until_success = "Decorator",
  until_failure = "Decorator", repeated = "Counted", retry = "Counted", limit = "Counted", timeout = "Timed",
  cooldown = "Timed", delay = "Delayed", condition = "ConditionDefinition", every = "EveryDefinition",
  subtree = "SubtreeDefinition", tree = "TreeDefinition", leaf = "LeafDefinition", RunSubtree = "SubtreeDefinition",
  Reserve = "ReserveDefinition",
}

--- What the text of a field says behind `default`, without quotes; nil: nothing.
local function default_of(field)
  local said = table.concat(field.text, " "):match "[%[,;] ?default ([^,;%]]+)"
  return said and said:gsub('"', "")
end

-- What `wait` takes, one after the other.
local WAIT = { min = { type = "number", text = {} }, max = { type = "number", optional = true, text = {} } }

-- The word of the tables for a type of the stubs.
local WORDS = {
  string = "string", number = "number", integer = "integer", boolean = "boolean", any = "any", ["true"] = "true",
  ["leeward.Point"] = "vec3", ["leeward.Agent"] = "agent", ["leeward.AnyThreat"] = "agent, threat",
  ["leeward.Node"] = "node", ["leeward.Profile"] = "table", ["leeward.Costs"] = "table",
  ["leeward.LinkKinds"] = "table",
}

local function word_of(type)
  if type:find "%[%]$" then return "list" end
  if type:find "^fun" or type:find "^leeward%.Leaf" then return "function" end
  if type:find "^table" then return "table" end
  if type:find '^"' then return "string" end
  return assert(WORDS[type], type)
end

--- The set of words for a type: "string|leeward.Profile" -> { string, table }.
local function words_of(type)
  local depth, words, one = 0, {}, ""
  for letter in (type .. "|"):gmatch "." do
    if letter:find "[(<]" then depth = depth + 1 elseif letter:find "[)>]" then depth = depth - 1 end
    if letter == "|" and depth == 0 then
      for word in word_of(one):gmatch "[%w]+" do words[word] = true end
      one = ""
    else
      one = one .. letter
    end
  end
  return words
end

-- --- Sections -----------------------------------------------------------------------------------------------------

describe("behaviors/nodes/README.md", function()
  it("has a section for each node, and none for anything else", function()
    local expected = { Nodes = true, Values = true, Walks = true }
    for name in pairs(constructors) do expected[name] = true end
    for name in pairs(nodes) do expected[name] = true end
    expected[""] = true -- before the first heading
    assert.same(sorted(expected), sorted(sections))
  end)

  it("links to each section at its beginning, and behaviors/README.md does in its table", function()
    local overview = require("support.readme").text "behaviors/README.md"
    for _, title in ipairs(titles) do
      if constructors[title] or nodes[title] then
        local link = ("[%s](#%s)"):format(title, title:lower())
        assert.truthy(sections.Nodes.text:find(link, 1, true), link)
        link = ("[`%s`](nodes/README.md#%s)"):format(title, title:lower())
        assert.truthy(overview:find(link, 1, true), link)
      end
    end
  end)

  it("leaves helpers of leaves to behaviors/README.md, which has each", function()
    local overview = require("support.readme").text "behaviors/README.md"
    for name in pairs(HELPERS) do
      assert.truthy(overview:find(("| `behaviors.%s("):format(name), 1, true), name)
    end
  end)

  it("says of each when it succeeds, and of composites and decorators when they fail", function()
    for title, section in pairs(sections) do
      local text = section.text
      if constructors[title] then assert.truthy(text:find "%f[%w]Fails " or text:find "Never fails", title) end
      if constructors[title] or nodes[title] then assert.truthy(text:lower():find "succeeds", title) end
    end
  end)
end)

-- --- Examples -----------------------------------------------------------------------------------------------------

--- Is there a node of that kind or name in the tree?
local function has_node(tree, title)
  if tree.kind == title or tree.name == title then return true end
  for _, child in ipairs(tree) do
    if has_node(child, title) then return true end
  end
  return false
end

-- What the nodes that a constructor makes are called.
local KINDS = {
  repeated = "repeat", until_success = "until", until_failure = "until", force_success = "force",
  force_failure = "force", tree = "subtree", leaf = "leaf", RunSubtree = "subtree",
}

local MEADOW = [[
,,,,,,,,,,,,,,,
,A....#.......,
,.....#..B....,
,,,,,,,,,,,,,,,
]]

describe("the example of", function()
  for _, title in ipairs(titles) do
    local source = sections[title].tree
    if source then
      it(title .. " is a tree with such a node, which runs", function()
        local tree = assert(load(source, "@" .. title))()
        assert.is_true(has_node(tree, KINDS[title] or title))
        sim.map(MEADOW):permutation("gate", { default = "shut", shut = {}, open = {} })
        local enemy = sim.spawn("B", { team = "blue" })
        local place = sim.place "B"
        local agent = sim.spawn("A", {
          profile = "soldier", team = "red", tree = tree,
          blackboard = {
            enemy = enemy, enemies = { enemy }, leader = enemy, captain = enemy, gate = place, tower = place,
            goal = place, well = place, home = place, bench = place, lever = place, yard = place, last_seen = place,
            route = { place }, beat = { place }, health = 20, fear = 0.5, ammo = 3,
          },
        })
        agent:senses { sight = { range = 30, half_angle = 3.14 }, hearing = { range = 30 }, memory = 5 }
        sim.run(5)
        sim.world():noise { at = place, loudness = 30 }
        for _, event in ipairs { "shot", "alarm", "contact" } do agent:send(event, place) end
        sim.run(5)
        for _, line in ipairs(sim.log()) do assert.is_nil(line:find "^error", line) end
      end)
    elseif constructors[title] or nodes[title] then
      it(title .. " is there", function() error(title .. " has no example") end)
    end
  end
end)

-- --- Tables -------------------------------------------------------------------------------------------------------

--- A literal as the tables have it.
local function literal(value)
  return type(value) == "string" and ('`"%s"`'):format(value) or tostring(value)
end

--- Does the source use that value where the option is absent?
local function falls_back_on(text, option, value)
  local first, second = ("options.%s or %s"):format(option, value), ("local %s, reason = %s, nil"):format(option, value)
  return text:find(first, 1, true) ~= nil or text:find(second, 1, true) ~= nil
end

local function check_default(row, definition, text, is_required)
  local default = (definition.options or {})[row.name]
  if is_required then return assert.equal("required", row.default, row.name) end
  if default ~= nil then return assert.equal(literal(default), row.default, row.name) end
  assert.not_equal("required", row.default, row.name)
  local value = row.default:match "^`(.*)`$" or (row.default == "true" and "true") or tonumber(row.default)
  local passed_on = fields_of("MoveOptions")[row.name] -- to agent:move_to
  if passed_on and value then return assert.equal(('"%s"'):format(default_of(passed_on)), value, row.name) end
  if value then assert.is_true(falls_back_on(text, row.name, value), row.name) end
end

--- The kind and the types of a port.
local function check_port(row, text, field)
  local port = assert(ports.parse(text))
  assert.equal(port.mode, row.kind, row.name)
  assert.equal(port.text:gsub("|", ", "), row.type, row.name)
  local words = words_of(field.type)
  assert.is_true(words.string, row.name .. " is no key in the stub")
  if port.mode == "in" and not port.types.any and not port.types.cover then
    words.string = nil
    assert.same(port.types, words, row.name)
  end
end

local UNITS = {
  metres = "m, ", seconds = "s, ", ["radians per second"] = "rad/s, ", ["a number"] = "", ["a whole number"] = "",
}

--- What a constructor needs for a node that is right.
local function needs_of(title)
  local needs = {
    Reserve = { behaviors.wait(1) }, utility = { scores = { "score" }, behaviors.wait(1) },
    every = { seconds = 1, update = print, behaviors.wait(1) }, limit = { times = 1, behaviors.wait(1) },
    timeout = { seconds = 1, behaviors.wait(1) }, cooldown = { seconds = 1, behaviors.wait(1) },
    delay = { min = 1, behaviors.wait(1) }, tree = { inputs = {}, behaviors.wait(1) },
    condition = { key = "key", behaviors.wait(1) }, subtree = { tree = behaviors.wait(1) },
    leaf = { name = "Leaf", start = print },
  }
  local given = needs[title] or (constructors[title] and { behaviors.wait(1) }) or {}
  for _, row in ipairs(nodes[title] and sections[title].options or {}) do
    if row.default == "required" then given[row.name] = "wander" end
  end
  return given
end

--- The message of a constructor for an option; nil: it takes it.
local function complaint_of(title, option, value)
  local constructor, given = constructors[title] or nodes[title].constructor, needs_of(title)
  assert(title == "wait" or pcall(constructor, needs_of(title)))
  given[option] = value
  local ok, message
  if title == "wait" then
    ok, message = pcall(constructor, option == "min" and value or 0, option == "max" and value or nil)
  else
    ok, message = pcall(constructor, given)
  end
  return not ok and message or nil
end

--- The table has the range of a number, as the constructor itself gives it when the option is -1 or 0.
local function check_range(title, row)
  if row.meaning:find("[1 to the number of children]", 1, true) then
    return assert.truthy(complaint_of(title, row.name, 0):find "expected 1 to 1, the number of children")
  end
  if row.meaning:find("[s, >= `min`]", 1, true) then
    local less = title == "wait" and -1 or 0 -- than the `min` that is given
    return assert.truthy(complaint_of(title, row.name, less):find("expected seconds >= " .. less + 1, 1, true))
  end
  for _, value in ipairs { -1, 0 } do
    local message = complaint_of(title, row.name, value) or ""
    local unit, range = message:match(row.name .. " is [-%d]+, expected (.-) (>=? 0)$")
    local said = unit and ("[%s%s"):format(assert(UNITS[unit], unit), range)
    if said then return assert.truthy(row.meaning:find(said, 1, true), row.name .. ": " .. said) end
  end
  assert.is_nil(row.meaning:find "%[", row.name)
end

--- The rows are the keys that the constructor says it knows.
local function check_names(title)
  local seen = {}
  for _, row in ipairs(sections[title].options) do
    assert.is_nil(seen[row.name], row.name)
    seen[row.name] = true
  end
  if title == "wait" then return assert.same({ "max", "min" }, sorted(seen)) end
  local message = complaint_of(title, "zzzzzzzzzz", 1)
  assert.same(sorted(set_of(message:match "Known keys: (.*)$")), sorted(seen))
end

--- Is it an option that need not be given?
local function is_optional(title, row, field)
  return field.optional and not (title == "limit" and row.name == "times")
end

describe("the table of", function()
  for name, node in pairs(nodes) do
    it(name .. " has what the leaf declares", function()
      local definition = node.definition or { required = { tree = "a tree" } } -- RunSubtree is a subtree
      local fields, required = fields_of(CLASSES[name] or name .. "Options"), {}
      for key, value in pairs(definition.required or {}) do required[type(key) == "string" and key or value] = true end
      check_names(name)
      for _, row in ipairs(sections[name].options) do
        local field = assert(fields[row.name], row.name .. " is not in the stub")
        assert.equal(required[row.name] == true, not field.optional, row.name)
        check_default(row, definition, node.text, required[row.name])
        local port = (definition.ports or {})[row.name]
        if port then
          check_port(row, port, field)
        else
          assert.equal("option", row.kind, row.name)
          assert.same(words_of(field.type), set_of(row.type), row.name)
        end
        if row.type == "number" and row.kind == "option" then check_range(name, row) end
      end
    end)
  end

  -- What behaviors/ports.lua takes for keys that nodes read and write.
  local PORTS = { key = "in", reads = "in", scores = "in", writes = "out", inputs = "in" }

  for name in pairs(constructors) do
    it(name .. " has what the constructor takes", function()
      local fields = name == "wait" and WAIT or fields_of(CLASSES[name])
      check_names(name)
      for _, row in ipairs(sections[name].options) do
        local field = assert(fields[row.name], row.name .. " is not in the stub")
        assert.equal(PORTS[row.name] or "option", row.kind, row.name)
        assert.same(row.name == "key" and { any = true } or words_of(field.type), set_of(row.type), row.name)
        assert.equal(not is_optional(name, row, field), row.default == "required", row.name)
        local said = default_of(field)
        if said and row.default ~= "required" then
          assert.equal(said, (row.default:gsub('[`"]', ""):gsub("^as ", "")), row.name)
        elseif not said then
          assert.is_nil(tonumber(row.default) or row.default:match "^`", row.name .. " has no default")
        end
        if row.type == "number" or row.type == "integer" then check_range(name, row) end
      end
    end)
  end
end)

-- --- Failures of leaves ---------------------------------------------------------------------------------------------

-- What is gone and no failure: threats of a walk, and what an event has.
local MAY_BE_GONE = { ["MoveTo.threats"] = true, ["Say.value"] = true }

-- `return "failure"` that no scene reaches, and why not.
local UNREACHED = {
  ["behaviors/nodes/flee.lua"] = 'if not ok then return "failure", message end', -- places that are drawn are reachable
  ["behaviors/nodes/peek.lua"] = 'if not ok then return "failure", reason end', -- so is where a straight line leads
}

--- The reason of an agent's last failure, which is of that leaf; no leaf has raised an error.
local function reason_of(agent, name)
  for _, line in ipairs(sim.log()) do assert.is_nil(line:find "^error", line) end
  local why = agent:why()
  return assert(why:match("last failure: " .. name .. ": (.*)$"), why)
end

--- The failures of values that an option may have, by the types of its port.
local function failures_of_value(name, option, port)
  local types, found = assert(ports.parse(port)).types, {}
  for _, failure in ipairs(VALUES) do
    local kind = failure:match "^(%a+) %.%.%. is gone"
    if not kind or (types[kind] and not MAY_BE_GONE[name .. "." .. option]) then found[#found + 1] = failure end
  end
  return found
end

--- Play a scene, and expect the failure that it is about.
local function expect(provoked, listed, failure, name, play, ...)
  for _, scene in ipairs(type(play) == "table" and play or { play }) do
    local reason = reason_of(scene(...), name)
    local found = nodes_readme.find(listed, reason)
    assert.truthy(found, ("the README does not list of %s: %s"):format(name, reason))
    assert.equal(failure, found, reason)
    provoked[failure] = true
  end
end

describe("the failures of", function()
  setup(function()
    local by_name = {}
    for name, node in pairs(nodes) do by_name[name] = node.constructor end
    node_failures.open(by_name)
  end)

  for name, node in pairs(nodes) do
    local section, definition = sections[name], node.definition or {}
    local scenes = node_failures.SCENES[name] or {}

    it(name .. " are those that scenes provoke, by each line that fails", function()
      local listed, provoked = {}, {}
      table.move(section.failures, 1, #section.failures, 1, listed)
      if section.walks then table.move(WALKS, 1, #WALKS, #listed + 1, listed) end
      if section.values[1] then table.move(VALUES, 1, #VALUES, #listed + 1, listed) end

      for failure, play in pairs(scenes) do expect(provoked, listed, failure, name, play) end
      for _, failure in ipairs(section.walks and WALKS or {}) do
        expect(provoked, listed, failure, name, node_failures.of_walk, failure, name)
      end
      for _, option in ipairs(section.values) do
        for _, failure in ipairs(failures_of_value(name, option, definition.ports[option])) do
          expect(provoked, listed, failure, name, node_failures.of_value, failure, name, option)
        end
      end

      for _, failure in ipairs(section.failures) do assert.is_true(provoked[failure], "has no scene: " .. failure) end
      for line, text in pairs(node.returns) do
        local is_left = UNREACHED[node.file] == text
        assert.equal(not is_left, node.taken[line] == true, ("%s:%d: %s"):format(node.file, line, text))
      end
    end)

    it(name .. " are all that its file has", function()
      local listed = table.concat(section.failures, "\n") .. (section.walks and table.concat(WALKS, "\n") or "")
      for _, reason in ipairs(node_files.reasons_in(node.text)) do
        assert.truthy(listed:find(reason, 1, true), reason)
      end
      local from = {}
      for _, option in ipairs(section.values) do from[option] = true end
      for option, port in pairs(definition.ports or {}) do
        assert.equal(port:find "^in " ~= nil, from[option] == true, option)
      end
    end)
  end
end)

-- --- Failures of the others -----------------------------------------------------------------------------------------

local function leaf(name, status)
  local function answer() return status, math.huge end
  return behaviors.leaf { name = name, start = answer, tick = answer }
end
local Yes, No, On = leaf("Yes", "success"), leaf("No", "failure"), leaf("On", "running")

--- How a node ends within a second: "success", "failure" or "running".
local function end_of(node, blackboard)
  local ends = {}
  local function note(status)
    return behaviors.leaf {
      name = "Note", start = function() ends[#ends + 1] = status return "success" end,
    } ()
  end
  sim.map "A."
  sim.spawn("A", { blackboard = blackboard, tree = behaviors.selector {
    behaviors.sequence { node, note "success", behaviors.wait(9) },
    behaviors.sequence { note "failure", behaviors.wait(9) },
  } })
  sim.run(1)
  for _, line in ipairs(sim.log()) do assert.is_nil(line:find "^error", line) end
  return ends[1] or "running"
end

local b = behaviors

-- How each of them succeeds, and all ways in which it fails.
local ENDS = {
  sequence = { yes = { b.sequence { Yes(), Yes() } }, no = { b.sequence { Yes(), No(), On() } } },
  selector = { yes = { b.selector { No(), Yes(), On() } }, no = { b.selector { No(), No() } } },
  parallel = {
    yes = {
      b.parallel { succeed = 1, On(), Yes() }, b.parallel { Yes(), Yes() },
      b.parallel { fail = 2, succeed = 1, No(), Yes() },
    },
    no = { b.parallel { On(), No() }, b.parallel { succeed = 2, fail = 2, Yes(), No() } },
  },
  random = { yes = { b.random { No(), Yes(), No() } }, no = { b.random { No(), No() } } },
  utility = {
    yes = { b.utility { scores = { "one", "one" }, No(), Yes() } },
    no = { b.utility { scores = { "one", "one" }, No(), No() }, b.utility { scores = { "none" }, Yes() } },
  },
  wait = { yes = { b.wait(0.1), b.wait(0, 0.5) }, no = {} },
  condition = {
    yes = { b.condition { key = "one" }, b.condition { key = "one", at_least = 1, Yes() } },
    no = { b.condition { key = "none" }, b.condition { key = "one", No() } },
  },
  every = {
    yes = { b.every { seconds = 1, update = function() end, Yes() } },
    no = { b.every { seconds = 1, update = function() end, No() } },
  },
  inverter = { yes = { b.inverter { No() } }, no = { b.inverter { Yes() } } },
  force_success = { yes = { b.force_success { No() }, b.force_success { Yes() } }, no = {} },
  force_failure = { yes = {}, no = { b.force_failure { No() }, b.force_failure { Yes() } } },
  repeated = { yes = { b.repeated { times = 3, Yes() } }, no = { b.repeated { No() } } },
  retry = { yes = { b.retry { Yes() } }, no = { b.retry { times = 3, No() } } },
  until_success = { yes = { b.until_success { Yes() } }, no = {} },
  until_failure = { yes = { b.until_failure { No() } }, no = {} },
  timeout = {
    yes = { b.timeout { seconds = 0.5, Yes() } },
    no = { b.timeout { seconds = 0.5, On() }, b.timeout { seconds = 0.5, No() } },
  },
  cooldown = {
    yes = { b.cooldown { seconds = 0.5, Yes() } },
    no = { b.cooldown { seconds = 0.5, No() }, b.repeated { b.cooldown { seconds = 9, Yes() } } },
  },
  limit = {
    yes = { b.limit { times = 1, Yes() } },
    no = { b.limit { times = 1, No() }, b.limit { times = 0, Yes() }, b.repeated { b.limit { times = 2, Yes() } } },
  },
  delay = { yes = { b.delay { min = 0.1, Yes() } }, no = { b.delay { min = 0.1, No() } } },
  subtree = {
    yes = { b.subtree { tree = b.sequence { Yes() } } }, no = { b.subtree { tree = b.sequence { No() } } },
  },
  tree = { yes = { b.tree { inputs = {}, Yes() } }, no = { b.tree { inputs = {}, No() } } },
  leaf = { yes = { Yes() }, no = { No() } },
  Reserve = {
    yes = { nodes.Reserve.constructor { what = "post", Yes() } },
    no = { nodes.Reserve.constructor { what = "post", No() } },
  },
  RunSubtree = {
    yes = { nodes.RunSubtree.constructor { tree = b.sequence { Yes() } } },
    no = { nodes.RunSubtree.constructor { tree = b.sequence { No() } } },
  },
}

describe("the ends of", function()
  it("all composites and decorators are here", function()
    for name in pairs(constructors) do assert.truthy(ENDS[name], name) end
    for name in pairs(nodes) do assert.equal(sections[name].fails_as_child, ENDS[name] ~= nil, name) end
  end)

  for name, ends in pairs(ENDS) do
    it(name .. " are those that its section has", function()
      local text = sections[name].text
      for _, node in ipairs(ends.yes) do assert.equal("success", end_of(node, { one = 1 })) end
      for _, node in ipairs(ends.no) do assert.equal("failure", end_of(node, { one = 1 })) end
      assert.equal(ends.no[1] == nil, text:find "Never fails" ~= nil)
      assert.equal(ends.yes[1] == nil, text:find "Never succeeds" ~= nil)
    end)
  end
end)
