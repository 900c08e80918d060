---@meta _
-- luacheck: ignore 241
--- Values by key. An agent's own is `agent.blackboard`; there, "team.KEY" is a key of its team and "world.KEY" one of
--- the world, and "event.NAME" is what an event brought, in the step of the event alone. `pairs` goes over the own
--- keys. Conditions of trees react to keys that are set, not to changes inside a table that is a value.
---@class leeward.Blackboard
---@field [any] any

---@class leeward.Agent
local Agent = {}

---@class leeward.World
local World = {}

--- The world's blackboard: what agents read as "world.KEY".
---@return leeward.Blackboard
function World:blackboard() end

--- Send an event to all agents: their trees read it as "event.NAME" through the whole of this step, or of the next one
--- if none runs. Where a leaf sends it in or after an agent's turn, conditions of that agent that abort react in this
--- step; if none of them reads it, it has its value through the next step, too, for what the tree enters then. Agents
--- that were spawned in this step hear what is sent in the next one. Of several of one name in a step the last one
--- counts.
---@param name string  1..127 bytes
---@param value? any  [default true]
function World:emit(name, value) end

--- Send the agent an event, as World:emit; it may have been spawned just now.
---@param name string  1..127 bytes
---@param value? any  [default true]
function Agent:send(name, value) end

--- Let the leaf that the agent runs be ticked, in this step if it was not yet, else in the next one.
function Agent:wake() end

--- In the `run` of a leaf: wait so long, or without a time until the agent is woken.
---@param seconds? number  world time [s, >= 0]
function Agent:wait(seconds) end

--- In the `run` of a leaf: walk there, and wait until the agent has arrived or cannot.
---@param goal leeward.Point
---@param options? leeward.MoveOptions
---@return true?
---@return string? message
---@return leeward.Code? code
function Agent:move_to_and_wait(goal, options) end

--- Set the tree that the agent runs. The earlier one is aborted, at once or when the leaf of this agent returns that
--- calls this; the new one begins at the agent's next turn. The blackboard stays.
---@param tree? string|leeward.Tree|leeward.Node  nil: none
function Agent:set_tree(tree) end

--- Set the profile: at once, or when the step ends inside of which it is called. What `spawn` was given beside it, such
--- as `cost`, stays, as does what set_cost() set; a journey goes on by it, but for what its options say. If the agent
--- may not stand where it is, it moves to the nearest ground within 2 m (4 m up or down); without such, its moves fail
--- with NO_START.
---@param profile string|table  a name, or the table of a profile
function Agent:set_profile(profile) end

--- Replace costs of the profile, over those that `spawn` was given: at once, or when the step ends inside of which it
--- is called; the agent searches again if that affects its path. The journey that it is on goes on by them, unless that
--- has a `profile`, but for what its own `cost` says. A later call replaces all that an earlier one set;
--- saved games do not keep it.
---@param costs? leeward.Costs  nil: take back what was set
function Agent:set_cost(costs) end
