--- Trees of agents in tests: a copy whose leaves note when they are called, and may be mocks.

local leeward = require "leeward"

local trees = {}

local DEPTH_MAX = 64 -- of nodes within each other; what is deeper is refused when the tree is compiled

--- enter(agent, name): the leaf was called in this step.
local function watch(leaf, stage)
  local name = leaf.name or "leaf"
  for _, key in ipairs { "start", "tick", "run" } do
    local f = leaf[key]
    leaf[key] = f and function(agent, options, state)
      stage:enter(agent, name)
      return f(agent, options, state)
    end
  end
  return leaf
end

--- Put a mock in the place of what the leaf does.
local function mock(leaf, instead)
  leaf.start, leaf.tick, leaf.stop, leaf.run = instead.start, instead.tick, instead.stop, instead.run
  instead.replaced = instead.replaced + 1
  return leaf
end

local function copy(node, stage, depth)
  if type(node) ~= "table" or depth > DEPTH_MAX then return node end
  local copied = {}
  for key, value in pairs(node) do
    copied[key] = math.type(key) == "integer" and copy(value, stage, depth + 1) or value
  end
  if node.kind ~= "leaf" then return copied end
  if node.name then stage.leaves[node.name] = true end
  if stage.mocks[node.name] then copied = mock(copied, stage.mocks[node.name]) end
  return watch(copied, stage)
end

--- The description of a tree by name; nil: scripts have defined it, and there is none.
local function description_of(name)
  if not leeward.find(("behaviors/trees/%s.lua"):format(name)) then return nil end
  return require("behaviors.trees." .. name)
end

--- trees.watched(tree, stage) --> what spawn takes in its place
function trees.watched(tree, stage)
  if tree ~= nil then
    for _, instead in pairs(stage.mocks) do instead.has_trees = true end
  end
  if type(tree) == "table" then return copy(tree, stage, 1) end
  if type(tree) ~= "string" then return tree end
  local compiled = leeward.tree(tree) -- raises where the file is wrong
  local description = compiled and description_of(tree)
  if not description then return tree end
  local watched = leeward.tree(tree, copy(description, stage, 1))
  leeward.tree(tree, compiled) -- spawns that are not of the test get it as it was
  return watched
end

--- Raise where a mock stands for no leaf, though trees were spawned after it.
function trees.check_mocks(stage)
  for name, instead in pairs(stage.mocks) do
    if instead.has_trees and instead.replaced == 0 then
      instead.has_trees = false -- once
      local names = {}
      for leaf in pairs(stage.leaves) do names[#names + 1] = leaf end
      table.sort(names)
      local guess = leeward.suggest(name, names)
      error(("mock: no tree that was spawned after it has a leaf '%s'%s"):format(leeward.shown(name),
        guess and guess ~= name and (". Did you mean '%s'?"):format(guess) or ""), 0)
    end
  end
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
      return f(agent, options, state)
    end
  end
  if not (found.start or found.tick or found.run) then
    error(("mock: '%s' has no start, tick or run"):format(name), 0)
  end
  return found
end

return trees
