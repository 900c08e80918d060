---@meta
-- Types of tree descriptions and of leaves, for the Lua language server. The functions themselves are annotated in
-- behaviors/init.lua. Nothing here runs.

--- How a leaf's `start` or `tick` answers. "failure" is followed by the reason; "running" by seconds to sleep
--- (none: until the next step; math.huge: until the agent is woken).
---@alias leeward.NodeStatus "success"|"failure"|"running"

--- How a leaf ended. "aborted": the tree was stopped, its agent despawned or its world destroyed.
---@alias leeward.LeafEnd "success"|"failure"|"aborted"

--- Made by behaviors.sequence, selector, wait, or by what behaviors.leaf returns.
---@alias leeward.Node leeward.CompositeNode|leeward.WaitNode|leeward.LeafNode

---@class leeward.Composite
---@field name? string  shown in messages instead of "sequence" or "selector"
---@field [integer] leeward.Node  the children, in order

---@class leeward.CompositeNode: leeward.Composite
---@field kind "sequence"|"selector"

---@class leeward.WaitNode
---@field kind "wait"
---@field min number  [s, >= 0]
---@field max number  [s, >= min]

---@alias leeward.LeafTick fun(agent: leeward.Agent, options: table, state: table): leeward.NodeStatus, string|number?
---@alias leeward.LeafStart leeward.LeafTick
---@alias leeward.LeafStop fun(agent: leeward.Agent, options: table, state: table, how: leeward.LeafEnd)

---@class leeward.LeafNode
---@field kind "leaf"
---@field name string
---@field options table  shared by all agents that run the tree: do not write to it
---@field start? leeward.LeafStart
---@field tick? leeward.LeafTick
---@field stop? leeward.LeafStop

--- What behaviors.leaf takes. At least one of `start` and `tick`.
---@class leeward.LeafDefinition
---@field name string  shown in messages and tree paths
---@field options? table<string, any>  options with their defaults; a default also says of what type an option is
---@field required? string[]  options without a default that must be given
---@field optional? string[]  options without a default that need not be given
---@field check? fun(options: table): string?  a message if the options make no sense; raised where the node is made
---@field start? leeward.LeafStart  once, when the leaf is entered
---@field tick? leeward.LeafTick  until it no longer returns "running"; without `start` also the first time
---@field stop? leeward.LeafStop  once for every start, after the last tick, whatever the end

---@class leeward.MoveToOptions
---@field to string|leeward.Point  a key of the blackboard, or the point
---@field pace? "calm"|"normal"|"fast"  for this walk; default: the agent's own
---@field within? number  near enough, in the plane [m, >= 0, default 0.3]

---@class leeward.FindRandomPointOnNavMeshOptions
---@field radius? number  how far away at most, in the plane [m, > 0, default 20]
---@field around? string|leeward.Point  a key of the blackboard, or the point; default: where the agent stands
---@field into? string  the blackboard's key to write [default "goal"]

---@class leeward.TakeCoverOptions
---@field radius? number  how far away at most, in the plane [m, > 0, default 20]
---@field from? string|leeward.AnyThreat|leeward.AnyThreat[]  a key of the blackboard, or from whom; default: all that
---the agent knows of
---@field into? string  the blackboard's key to write the leeward.Cover to [default "cover"]
---@field hard? boolean  only what stops shots, too [default false]
---@field watched? boolean  mind what the threats see of the way there; slower [default false]
---@field leash? number  how far it may go from the place later and still keep it [m, >= 0, default 3]
---@field pace? "calm"|"normal"|"fast"  of the way there [default "fast"]
---@field peek? number  only where it can see one of those from whom it hides by getting up or stepping out so far at
---most [m, >= 0, default: anywhere]

---@class leeward.PeekOptions
---@field at string|leeward.AnyThreat|leeward.Point  a key of the blackboard, or what to look at
---@field seconds? number  how long it looks [s, >= 0, default 1]
---@field reach? number  how far it steps out at most; it keeps its cover meanwhile [m, > 0, default 4]
---@field cover? string  the blackboard's key of the leeward.Cover that it is in [default "cover"]
---@field into? string  the blackboard's key to write: the place that it saw, or false [default "seen"]
