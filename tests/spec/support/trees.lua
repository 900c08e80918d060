-- Worlds for specs of behaviour trees, and leaves that note how they are called.
local leeward = require "leeward"
local behaviors = require "behaviors"
local maps = require "support.maps"

local trees = {}

--- A world of 20 x 20 m.
---@return leeward.World world
---@return string[] log  its lines, as they come
---@return string[] calls  for trees.note
function trees.open()
  local log = {}
  local world = leeward.world {
    navmesh = maps.floor(20, 20), log = function(level, text) log[#log + 1] = level .. ": " .. text end,
  }
  return world, log, {}
end

--- An agent with a tree.
---@param options? table  of World:spawn
function trees.spawn(world, tree, options)
  options = options or {}
  options.profile, options.at, options.tree = "human", options.at or { 1, 0, 1 }, tree
  return assert(world:spawn(options))
end

--- A leaf that notes its calls, and runs until the blackboard says how it ends.
function trees.note(calls, name)
  return behaviors.leaf {
    name = name,
    start = function() calls[#calls + 1] = name .. " starts" return "running", math.huge end,
    tick = function(agent) return agent.blackboard[name] or "running", math.huge end,
    stop = function(_, _, _, how) calls[#calls + 1] = name .. " " .. how end,
  } ()
end

--- What was noted since it was last asked.
function trees.trace(calls)
  local text = table.concat(calls, ", ")
  for i = #calls, 1, -1 do calls[i] = nil end
  return text
end

return trees
