---@meta _
-- luacheck: ignore 241 631
---@class leeward.World
local World = {}
---@class leeward.Agent
local Agent = {}

---@alias leeward.HistoryKind
---| "started" # A leaf, a wait, or another node with a name of its own began and runs on.
---| "succeeded"
---| "failed" # `reason` says why.
---| "aborted" # `by` says what aborted it.
---| "path_found" # A path to `at`, of `length`.
---| "move_failed" # It cannot get to `at`, for `code`.
---| "arrived" # At `at`.
---| "seen" # It noticed `other` at `at`.
---| "lost" # It lost sight of `other`, last seen at `at`.
---| "heard" # A noise at `at`.
---| "cover_taken" # It reserved the cover at `at`.
---| "cover_left" # It let go of it.

--- Something that happened to an agent.
---@class leeward.HistoryEntry
---@field number integer  Grows from entry to entry of a world.
---@field time number  World time. [s]
---@field agent? leeward.Agent  The agent that it happened to. nil: it is gone
---@field kind leeward.HistoryKind
---@field text string  It as a line: "MoveTo is aborted by fight (sense.enemy)".
---@field node? string  Name of the node, its first 27 bytes.
---@field reason? string  Why the leaf failed.
---@field by? string  What aborted the node; of a condition, with the first key that it reads. nil: the agent got
--- another tree, or was despawned.
---@field at? leeward.vec3
---@field length? number  Of the path. [m]
---@field code? leeward.Code
---@field other? leeward.Agent  nil: it is gone

--- Which entries to read.
---@class leeward.HistoryQuery
---@field seconds? number  up to so long ago [s, >= 0, default all that are kept]
---@field count? integer  the newest ones, at most that many [>= 0, default all]

--- What happened to the agent, the oldest first. It keeps as many entries as its world's `history` says. Those of the
--- last 16 agents that are gone are kept, too. A leaf that ends at once has no `started`, and one entry a second while it ends alike. History is for
--- people: nothing that agents do depends on it, World:hash() and saved games are without it.
---@param query? leeward.HistoryQuery
---@return leeward.HistoryEntry[]
function Agent:history(query) end

--- What happened to all agents, in the order in which it happened. Raises in a world whose `history` is 0.
---@param query? leeward.HistoryQuery
---@return leeward.HistoryEntry[]
function World:history(query) end

--- Let all agents keep `count` entries from now on; if that changes, they forget those that they have. Not inside a step.
---@param count integer  0: none, which takes no time [0..4096]
function World:set_history(count) end

--- A node of an agent's tree.
---@class leeward.NodeState
---@field name string
---@field kind string  "sequence", "condition", ...
---@field parent? integer  Its number in the list. nil: it is the root.
---@field key? string  The first key that a condition reads.
---@field outcome "idle"|"running"|"succeeded"|"failed"|"aborted"  What it does, or did last.
---@field since? number  World time when that began. nil: not known, or idle [s]

--- The nodes of the tree that it runs, parents before their children: to draw it. Without a history, those that run are
--- "running" and all others "idle".
---@return leeward.NodeState[]
function Agent:nodes() end

---@class leeward.WhyOptions
---@field details? boolean  Then several lines: below the first one the nodes that run and their children, with what
--- each did last and how long ago; the last failures; and what the blackboards hold. [default false]

--- The running node, the state of the move, what it senses, and the last failure: which leaf, and the reason.
---@param options? leeward.WhyOptions
---@return string
function Agent:why(options) end
