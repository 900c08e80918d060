---@meta _
-- luacheck: ignore 241

---@class leeward.World
local World = {}

--- Write the world's state to a file with a checksum, by way of a temporary file: the clock, seed and random numbers;
--- dangers, fire lanes, threats and visibility; obstacles, and the states of permutations; links that were added,
--- disabled, priced or given a capacity; agents with profile and tree by name, team, pace, stance, position, path and
--- link, known and own threats, reserved cover, statistics; where their trees are, and of leaves that run what their
--- `save` says; events; blackboards of agents, teams and the world. A loaded run continues bit for bit like the saved
--- one where all leaves that run have `save` and no path is requested; where obstacles changed what threats see during
--- a search that goes on, accuracy "auto" may take to a depth map some queries later. Not saved: requests for paths; of
--- blackboards what is not plain data (numbers, strings, booleans, points, agents, threats and other objects of the
--- world, covers, and tables of these without metatables), which the log names; profiles, trees and costs that were
--- tables, and `avoid` and `can_take`, of agents, which the option `agent` of World:load gives again; definitions of
--- the world and of permutations; listeners; rebuilds. Symbolic links, devices and failures are treated as by
--- `navmesh:save()`. Not while a navmesh or the tiles of a permutation wait to take effect: World:apply_changes first.
--- Raises from inside a step or a leaf.
---@param file string
---@return true?
---@return string? message
---@return leeward.Code? code  FILE, PENDING
function World:save(file) end

--- Called for each agent, before anything changes, with the options to spawn it; a table that it returns replaces
--- them, for example to set a profile, a tree or costs that were tables. The keys of a `blackboard` count over those of
--- the file.
---@alias leeward.LoadAgent fun(options: leeward.AgentDefinition): leeward.AgentDefinition?

---@class leeward.LoadOptions
---@field agent? leeward.LoadAgent

--- Restore the state from a file that was saved over the same navmeshes, or over others whose tiles under its agents
--- hold the same. Baked links are known by their ends, kinds and names: an agent on a link that is gone takes it to
--- its end, others search again. Rebuilds and navmeshes that wait to take
--- effect in this world are dropped. The world's agents are despawned, and blackboards of teams and the world cleared;
--- the agents of the file are spawned and continue. A leaf without `save` starts again; a tree that has changed since
--- goes on where what runs is the same in both, else it begins at its root, which the log tells. Agents whose prices
--- have changed, or whose position the function `agent` changes, search again. Dangers, fire lanes, threats and
--- obstacles of this world at the time of saving are valid again; after loading another world's file, drop them, since
--- they may name that world's. Permutations are defined before or after loading, those with tiles before, and come back
--- in the states that the file has; where one has no state of that name any more, a warning in the log says so. An
--- agent whose profile or tree is not there under the file's name, whose tree has no name, or whose profile was a table
--- ("custom"), has to be replaced by the function `agent`; else nothing is loaded. Raises for what World:spawn raises
--- for, and from inside a step or a leaf.
---@param file string
---@param options? leeward.LoadOptions
---@return (leeward.Agent|false)[]? agents  in the order they were spawned; false: where the
--- function `agent` put it there is no navmesh for its profile within 2 m
---@return string? message
---@return leeward.Code? code  FILE, BAD_FILE, NOT_FOUND (a profile or a tree)
function World:load(file, options) end
