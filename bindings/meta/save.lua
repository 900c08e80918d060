---@meta _
-- luacheck: ignore 241

---@class leeward.World
local World = {}

--- Write the world's state, checksummed, in one rename: the clock, seed and random numbers; dangers, fire lanes,
--- threats and visibility; agents with profile and tree by name, team, pace, stance, where they are on which way, what
--- threats they know of and believe in, the cover that they have reserved, statistics. A run goes on from there as if
--- it had never been saved, bit for bit, as long as nobody has a tree: those begin at their roots. Not: blackboards,
--- and what leeward.world{...} was told. Raises from inside a step.
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
--- those of the file are spawned and go on as they were, but with their trees at the root. Who has other prices by now,
--- or is put elsewhere by the function `agent`, searches its way anew. Handles of dangers, fire lanes and threats that
--- this world had when it was saved are good again; after another world's file let go of them, for they may name what
--- that one had. Agents are new, in the order in which they were spawned.
---@param file string
---@param options? leeward.LoadOptions
---@return (leeward.Agent|false)[]? agents  in the order they were spawned; false: there is no ground for it any more
---@return string? message
---@return leeward.Code? code  FILE, BAD_FILE
function World:load(file, options) end
