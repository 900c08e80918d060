--- Trees of agents in tests: a copy in which mocks stand for leaves.

local leeward = require "leeward"
local checks = require "behaviors.checks"

local trees = {}

local DEPTH_MAX = 64 -- of nodes within each other; what is deeper is refused when the tree is compiled

--- Put a mock in the place of what the leaf does.
local function mock(leaf, instead)
  local copied = {}
  for key, value in pairs(leaf) do copied[key] = value end
  copied.start, copied.tick, copied.stop, copied.run = instead.start, instead.tick, instead.stop, instead.run
  copied.save, copied.load = nil, nil
  instead.replaced = instead.replaced + 1
  return copied
end

--- The node with mocks; itself, where it has none, so that its place in a file is known.
local function with_mocks(node, stage, depth)
  if type(node) ~= "table" or depth > DEPTH_MAX then return node end
  if node.kind == "leaf" then
    if node.name then stage.leaves[node.name] = true end
    local instead = stage.mocks[node.name]
    return instead and mock(node, instead) or node
  end
  local copied
  for key, value in pairs(node) do
    local child = math.type(key) == "integer" and with_mocks(value, stage, depth + 1) or value
    if child ~= value then
      copied = copied or table.move(node, 1, #node, 1, {})
      copied[key] = child
    end
  end
  if not copied then return node end
  for key, value in pairs(node) do
    if copied[key] == nil then copied[key] = value end
  end
  return copied
end

--- The description of a tree by name; nil: scripts have defined it, and there is none.
local function description_of(name)
  if not leeward.find(("behaviors/trees/%s.lua"):format(name)) then return nil end
  return require("behaviors.trees." .. name)
end

--- trees.with_mocks(tree, stage) --> what spawn takes in its place
function trees.with_mocks(tree, stage)
  if tree == nil or next(stage.mocks) == nil then return tree end
  for _, instead in pairs(stage.mocks) do instead.has_trees = true end
  if type(tree) == "table" then return with_mocks(tree, stage, 1) end
  if type(tree) ~= "string" then return tree end
  local compiled = leeward.tree(tree) -- raises where the file is wrong
  local description = compiled and description_of(tree)
  local mocked = description and with_mocks(description, stage, 1)
  if mocked == description then return tree end
  local named = leeward.tree(tree, mocked)
  leeward.tree(tree, compiled) -- spawns that are not of the test get it as it was
  return named
end

local function has_tree(stage)
  for _, agent in ipairs(stage.world:agents()) do
    if agent:nodes()[1] then return true end
  end
  return false
end

--- Raise where a mock stands for no leaf, though agents have trees.
function trees.check_mocks(stage)
  for name, instead in pairs(stage.mocks) do
    if instead.replaced == 0 and not instead.was_checked and (instead.has_trees or has_tree(stage)) then
      instead.was_checked = true
      if not instead.has_trees then
        error(("mock: '%s' stands for no leaf: it counts for agents of sim.spawn that are spawned after it"):format(
          leeward.shown(name)), 0)
      end
      local guess = leeward.suggest(name, checks.names_of(stage.leaves))
      error(("mock: no tree that was spawned after it has a leaf '%s'%s"):format(leeward.shown(name),
        guess and guess ~= name and (". Did you mean '%s'?"):format(guess) or ""), 0)
    end
  end
end

local ANSWERS = { success = true, failure = true, running = true }

--- What the function of a mock has answered. Raises at its place where that is no answer of a leaf.
local function answer_of(name, f, is_run, answer, ...)
  if ANSWERS[answer] or is_run and answer == nil then return answer, ... end
  local info = debug.getinfo(f, "S")
  error(("%s:%d: the mock of '%s' returned %s, expected 'success', 'failure' or 'running'"):format(info.short_src,
    info.linedefined, leeward.shown(name), leeward.shown(tostring(answer))), 0)
end

--- The mock for sim.mock: a function that is called in place of the leaf, or a table with start, tick, stop or run.
function trees.new_mock(name, instead)
  if type(name) ~= "string" or name == "" then
    error(("mock: name is %s, expected the name of a leaf"):format(tostring(name)), 0)
  end
  local functions = type(instead) == "function" and { tick = instead } or instead
  if type(functions) ~= "table" then
    error(("mock: '%s' is %s, expected a function or a table with start, tick, stop or run"):format(name,
      type(instead)), 0)
  end
  local found = { name = name, calls = {}, replaced = 0, stop = functions.stop }
  for _, key in ipairs { "start", "tick", "run" } do
    local f = functions[key]
    found[key] = f and function(agent, options, state)
      table.insert(found.calls, { event = key, agent = agent, options = options })
      return answer_of(name, f, key == "run", f(agent, options, state))
    end
  end
  if not (found.start or found.tick or found.run) then
    error(("mock: '%s' has no start, tick or run"):format(name), 0)
  end
  return found
end

return trees
