---@meta _
-- luacheck: ignore 241

---@class leeward.World
local World = {}

---@class leeward.Agent
local Agent = {}

--- A path search that goes on in slices. Sliced and whole searches find the same path. Where the ground or a link
--- changes between two slices it begins again. Work is counted in search nodes; a search that dangers, fire lanes or
--- several navmeshes or goals concern is not interrupted.
---@class leeward.Search
local Search = {}

--- Begin to search for a path, as World:find_path does at once.
---@param query leeward.PathQuery
---@return leeward.Search?
---@return string? message
---@return leeward.Code? code  NOT_FOUND: "map" without a cover map
function World:search(query) end

--- Search on. Once it has ended, this gives the same again.
---@param work? integer  At most, but for a node. [1..2147483647, default 1000]
---@return leeward.Path?
---@return string? message
---@return leeward.Code? code  UNFINISHED: call it again; CANCELLED; else as World:find_path
function Search:step(work) end

--- Search to the end.
---@return leeward.Path?
---@return string? message
---@return leeward.Code? code  CANCELLED; else as World:find_path
function Search:finish() end

---@return integer  what it took so far
function Search:work() end

--- Give it up. Leaving a variable `local search <close>` does so, too.
function Search:cancel() end

---@class leeward.PathRequestQuery : leeward.PathQuery
---@field priority? integer  Higher ones are first; a request that has waited for 60 steps counts as one higher.
--- [-100..100, default 0]
---@field on_done? fun(path: leeward.Path?, message: string?, code: leeward.Code?)  Called with what PathRequest:path
--- gives, as the step ends in which there is an answer. It may change the world, as a leaf may. An error in it is
--- logged.

--- A path that the planner of the world is asked for. It is not part of a saved game.
---@class leeward.PathRequest
local PathRequest = {}

--- Ask for a path. All that is asked for shares the world's `search_work` in each step with the agents that are sent;
--- equal requests that wait are answered by one search, and many with one goal share a distance field.
---@param query leeward.PathRequestQuery
---@return leeward.PathRequest?
---@return string? message
---@return leeward.Code? code  NOT_FOUND: "map" without a cover map
function World:request_path(query) end

---@return leeward.Path?
---@return string? message
---@return leeward.Code? code  UNFINISHED: there is no answer yet; CANCELLED; else as World:find_path
function PathRequest:path() end

---@return boolean  PathRequest:path has an answer, whether a path or why there is none
function PathRequest:is_done() end

--- Forget it.
function PathRequest:cancel() end

---@param work integer  for paths in a step, from the next one on [1..2147483647]
function World:set_search_work(work) end

---@class leeward.PlannerStats
---@field budget integer  The work that a step has for paths.
---@field used integer  Of it since the last step began.
---@field used_max integer  In any step.
---@field threads integer  That search in a step.
---@field waiting_agents integer  Now.
---@field waiting_requests integer  Now.
---@field at_once integer  Paths of agents that were searched when they were sent.
---@field answered integer  Paths for those that waited.
---@field shared integer  Requests that got the answer of an equal one.
---@field waited integer  Steps that those waited, in sum.
---@field waited_max integer  Steps.
---@field fields integer  Distance fields that are kept for crowds now.
---@field fields_opened integer  Those that were begun.
---@field field_paths integer  Paths that were led along one.

---@class leeward.CrowdStats
---@field waiting integer  Agents that wait behind others now, for a second or more: Agent:blocked_by.
---@field backing_off integer  Agents that back off now.
---@field stuck integer  How often all agents that live have been stuck.
---@field remedies leeward.Remedies  What all agents that live have tried.

---@class leeward.WorldStats
---@field agents integer
---@field steps integer
---@field bytes integer  of memory in C
---@field planner leeward.PlannerStats
---@field crowd leeward.CrowdStats

---@return leeward.WorldStats
function World:stats() end

---@return boolean  it was sent and its path is not searched yet: it stands, or goes on along an earlier one
function Agent:waits_for_path() end
