---@meta
-- Types of tree descriptions and of leaves, for the Lua language server. The functions themselves are annotated in
-- behaviors/init.lua. Nothing here runs.

--- How a leaf's `start` or `tick` answers. "failure" is followed by the reason; "running" by seconds to sleep
--- (absent: until the next step; math.huge: until the agent is woken).
---@alias leeward.NodeStatus "success"|"failure"|"running"

--- The end of a leaf. "aborted": the tree was stopped, its agent despawned or its world destroyed.
---@alias leeward.LeafEnd "success"|"failure"|"aborted"

--- A node: the result of behaviors.sequence, selector or wait, or of a constructor from behaviors.leaf.
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
---@field options table  shared by all agents that run the tree; read only
---@field start? leeward.LeafStart
---@field tick? leeward.LeafTick
---@field stop? leeward.LeafStop

--- What behaviors.leaf takes. At least one of `start` and `tick`.
---@class leeward.LeafDefinition
---@field name string  shown in messages and tree paths
---@field options? table<string, any>  the defaults of options, which determine their types
---@field required? string[]|table<string, string>  options without a default that must be given; by key: what each is,
--- for the message
---@field optional? string[]  options without a default that may be absent
---@field check? fun(options: table): string?  a message if the options are wrong, raised at the line that builds the
--- node
---@field start? leeward.LeafStart  once, when the leaf is entered
---@field tick? leeward.LeafTick  while it returns "running"; without `start`, also when the leaf is entered
---@field stop? leeward.LeafStop  once for every start, after the last tick, for every end

---@class leeward.MoveToOptions
---@field to string|leeward.Point  a key of the blackboard, or a point
---@field pace? "calm"|"normal"|"fast"  for this walk; default: the agent's own
---@field within? number  arrived at this distance, in xz [m, >= 0, default 0.3]

---@class leeward.FindRandomPointOnNavMeshOptions
---@field radius? number  of the circle, in xz [m, > 0, default 20]
---@field around? string|leeward.Point  a key of the blackboard, or a point; default: the agent's position
---@field into? string  key of the blackboard to write [default "goal"]

---@class leeward.TakeCoverOptions
---@field radius? number  of the circle about the agent, in xz [m, > 0, default 20]
---@field from? string|leeward.AnyThreat|leeward.AnyThreat[]  a key of the blackboard, or the threats; default: all
---that the agent knows
---@field into? string  key of the blackboard to write the leeward.CoverPoint to [default "cover"]
---@field hard? boolean  only hard cover, which stops shots [default false]
---@field watched? boolean  let the exposure of the path there count; slower [default false]
---@field leash? number  distance from the point beyond which the agent releases it later [m, >= 0, default 3]
---@field pace? "calm"|"normal"|"fast"  of the run there [default "fast"]
---@field peek? number  only cover where standing up or stepping out this far shows one of the threats [m, >= 0,
---default: any cover]

---@class leeward.PeekOptions
---@field at string|leeward.AnyThreat|leeward.Point  a key of the blackboard, or the target
---@field seconds? number  time to look [s, >= 0, default 1]
---@field reach? number  largest distance to step out; the agent keeps its cover meanwhile [m, > 0, default 4]
---@field cover? string  key of the blackboard: the leeward.CoverPoint that the agent is in [default "cover"]
---@field into? string  key of the blackboard to write: the position seen, or false [default "seen"]

---@class leeward.SetPermutationOptions
---@field name string  of a permutation
---@field state string  one of its states

---@class leeward.WaitForPermutationOptions
---@field name string  of a permutation
---@field state string  one of its states
