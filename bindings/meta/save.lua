---@meta _
-- luacheck: ignore 241

---@class leeward.World
local World = {}

--- Write the world's state, checksummed, in one rename: the clock and random numbers; dangers and fire lanes; agents
--- with profile and tree by name, team, pace, stance, place, heading and where they were going. Not: blackboards,
--- threats, reserved cover, statistics. Raises from inside a step.
---@param file string
---@return true?
---@return string? message
---@return leeward.Code? code  FILE
function World:save(file) end

--- Called for each agent before anything changes, with what it is to be spawned with; what it returns is taken instead.
--- An agent that was spawned with a profile or costs of its own gets them back here, a blackboard too.
---@alias leeward.LoadAgent fun(options: leeward.AgentDefinition): leeward.AgentDefinition?

---@class leeward.LoadOptions
---@field agent? leeward.LoadAgent

--- Give the world the state of a file that was saved over the same navmeshes. The agents that it has are despawned;
--- those of the file are spawned, walk on by paths that are searched anew, and their trees begin at the root.
---@param file string
---@param options? leeward.LoadOptions
---@return (leeward.Agent|false)[]? agents  in the order they were spawned; false: there is no ground for it any more
---@return string? message
---@return leeward.Code? code  FILE, BAD_FILE
function World:load(file, options) end
