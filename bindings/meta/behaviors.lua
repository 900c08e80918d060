---@meta
-- Types of tree descriptions and of leaves, for the Lua language server. The functions themselves are annotated in
-- behaviors/init.lua, leaf.lua and options.lua. Nothing here runs.

--- How a leaf's `start` or `tick` answers. "failure" is followed by the reason; "running" by seconds to sleep
--- (absent: until the next step; math.huge: until the agent is woken).
---@alias leeward.NodeStatus "success"|"failure"|"running"

--- The end of a leaf. "aborted": the tree was stopped, its agent despawned or its world destroyed.
---@alias leeward.LeafEnd "success"|"failure"|"aborted"

--- A node: the result of behaviors.sequence, selector or wait, or of a constructor from behaviors.leaf.
---@alias leeward.Node leeward.CompositeNode|leeward.WaitNode|leeward.LeafNode|leeward.OtherNode

---@class leeward.Composite
---@field name? string  shown in messages instead of "sequence" or "selector"
---@field reactive? boolean  conditions among the children react to changes [default false]
---@field [integer] leeward.Node  the children, in order

---@class leeward.CompositeNode: leeward.Composite
---@field kind "sequence"|"selector"

---@class leeward.Parallel
---@field name? string
---@field succeed? integer  children that must succeed [1..count, default all]
---@field fail? integer  children that must fail for it to fail [1..count, default 1]
---@field [integer] leeward.Node

---@class leeward.RandomChoice
---@field name? string
---@field weights? number[]  one a child [> 0, default all alike]
---@field [integer] leeward.Node  at most 64

---@class leeward.Utility
---@field name? string
---@field scores (string|fun(agent: leeward.Agent): number?)[]  one a child: a key of the blackboard or a function; nil:
---the child is left out
---@field every? number  scores are compared again after it [s, > 0, default: only when keys change]
---@field hysteresis? number  how much higher another child's score must be to take over [>= 0, default 0]
---@field reads? string[]  keys whose changes let functions score again
---@field [integer] leeward.Node  at most 64

---@class leeward.Decorator
---@field name? string
---@field [integer] leeward.Node  one child

---@class leeward.Counted: leeward.Decorator
---@field times? integer  [>= 0, 0: for ever, but for `limit`; default for ever]

---@class leeward.Timed: leeward.Decorator
---@field seconds number  world time [s, > 0; cooldown >= 0]

---@class leeward.Delayed: leeward.Decorator
---@field min number  world time [s, >= 0]
---@field max? number  [s, >= min, default min]

---@class leeward.ConditionDefinition
---@field name? string
---@field key? string  of the blackboard; without a comparison, true where it has a value other than false
---@field event? string  instead: the name of an event
---@field unset? boolean  true where it has no value, or false
---@field equals? any  a number, string, boolean, vec3 or agent
---@field differs? any
---@field below? number
---@field at_most? number
---@field above? number
---@field at_least? number
---@field reads? string[]  keys; of a `test`: all that it reads, needed where it aborts. When one changes,
---it is tested again.
---@field test? fun(agent: leeward.Agent): any  instead of a key
---@field abort? "none"|"self"|"lower"|"both"  what a change aborts: what it guards, later children of the selector
---above, both [default "none"; in a reactive selector "both", in a reactive sequence "self"]
---@field [integer] leeward.Node  at most one child

---@class leeward.EveryDefinition: leeward.Decorator
---@field seconds number  world time [s, > 0]
---@field update fun(agent: leeward.Agent)
---@field writes? table<string, string>  types of the keys that it writes

---@class leeward.SubtreeDefinition
---@field name? string
---@field tree string|leeward.Node  the name of a tree's file, not one of leeward.tree; or a description
---@field ports? table<string, string>  keys of the tree around it by keys of the subtree

---@class leeward.TreeDefinition: leeward.Decorator
---@field inputs table<string, string>  types by the keys from outside: "vec3" or "agent|threat"; "vec3?" may be absent

---@class leeward.OtherNode
---@field kind string

---@class leeward.WaitNode
---@field kind "wait"
---@field min number  [s, >= 0]
---@field max number  [s, >= min]

---@alias leeward.LeafTick fun(agent: leeward.Agent, options: table, state: table): leeward.NodeStatus, string|number?
---@alias leeward.LeafStart leeward.LeafTick
---@alias leeward.LeafStop fun(agent: leeward.Agent, options: table, state: table, how: leeward.LeafEnd)

---@alias leeward.LeafRun fun(agent: leeward.Agent, options: table): "success"|"failure"|nil, string?

--- What a saved world has of the state of a leaf: plain data. nil: the leaf starts again in a loaded world.
---@alias leeward.LeafSave fun(agent: leeward.Agent, options: table, state: table): any
--- Fills the new state from that. false: the leaf starts again.
---@alias leeward.LeafLoad fun(agent: leeward.Agent, options: table, state: table, saved: any): boolean?

---@class leeward.LeafNode
---@field kind "leaf"
---@field name string
---@field options table  shared by all agents that run the tree; read only, with the plain tables in it
---@field start? leeward.LeafStart
---@field tick? leeward.LeafTick
---@field stop? leeward.LeafStop
---@field run? leeward.LeafRun
---@field save? true|leeward.LeafSave
---@field load? leeward.LeafLoad
---@field ports? table

--- What behaviors.leaf takes. At least one of `start` and `tick`, or `run` alone.
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
---@field run? leeward.LeafRun  instead: a coroutine, in which agent:wait() and agent:move_to_and_wait() may be called
---@field save? true|leeward.LeafSave  true: all of its state; absent: the leaf starts again in a loaded world
---@field load? leeward.LeafLoad  absent: what was saved, a table, is the state
---@field ports? table<string, string>  options that are keys of the blackboard when they are strings: "in", "out" or
---"inout" and types out of number, string, boolean, vec3, agent, threat, cover, list and any, with | between them

---@class leeward.MoveToOptions
---@field to string|leeward.Point|leeward.Agent  a key of the blackboard, or a point
---@field within? number  arrived at this distance, in xz [m, >= 0, default 0.3]
---@field heading? number|string  of a vehicle at the goal [rad], or a key of the blackboard with it; default: any
---@field track? boolean  go where the key leads while the agent walks; an agent is always followed [default false]
---@field pace? "calm"|"normal"|"fast"  for this walk, as the next ones; default: the agent's own
---@field quality? "good"|"fast"|"exact"
---@field path_style? "taut"|"rounded"
---@field profile? string|leeward.Profile  its paths are searched for it
---@field cost? leeward.Costs
---@field avoid? string[]
---@field can_take? leeward.LinkKinds
---@field threats? string|leeward.AnyThreat|leeward.AnyThreat[]  a key of the blackboard, or the threats; default: those
---that the agent knows of

---@class leeward.FindRandomPointOnNavMeshOptions
---@field radius? number  of the circle, in xz [m, > 0, default 20]
---@field around? string|leeward.Point  a key of the blackboard, or a point; default: the agent's position
---@field connected_to? string|leeward.Point  only ground that can be reached from there; default: the agent's position
---@field only? string[]  areas: the point lies on these; default: all
---@field avoid? string[]  areas that may not be entered, beside those of the profile
---@field into? string  key of the blackboard to write [default "goal"]

---@class leeward.TakeCoverOptions
---@field radius? number  of the circle about the agent, in xz [m, > 0, default 20]
---@field from? string|leeward.AnyThreat|leeward.AnyThreat[]  a key of the blackboard, or the threats; default: all
---that the agent knows
---@field into? string  key of the blackboard to write the leeward.CoverPoint to [default "cover"]
---@field hard? boolean  only hard cover, which stops shots [default false]
---@field watched? boolean  let the exposure of the path there count; slower [default false]
---@field tries? number  how often it chooses another cover that no longer hides [>= 0, default 3]
---@field stay? boolean  stay there while it knows of a threat [default false]
---@field leash? number  distance from the point beyond which the agent releases it later [m, >= 0, default 3]
---@field pace? "calm"|"normal"|"fast"  of the run there [default "fast"]
---@field peek? number  only cover where standing up or stepping out this far shows one of the threats [m, >= 0,
---default: any cover]
---@field quality? "good"|"fast"|"exact"  for the run there, as the next ones; default: the agent's own
---@field path_style? "taut"|"rounded"
---@field profile? string|leeward.Profile  its paths are searched for it
---@field cost? leeward.Costs  for the choice, too, as the next ones
---@field avoid? string[]
---@field can_take? leeward.LinkKinds

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

---@class leeward.CanSeeOptions
---@field target string|leeward.AnyThreat|leeward.Point  a key of the blackboard, or what is looked for
---@field range? number  distance beyond which it sees nothing [m, > 0, default: any distance]
---@field into? string  key of the blackboard to write the position to

---@class leeward.MoveByRoomsOptions
---@field to string|leeward.Point  a key of the blackboard, or the point
---@field within? number  [m, >= 0, default 0.3]
---@field ahead? number  how many rooms it searches its path ahead [> 0, default 3]
---@field pace? "calm"|"normal"|"fast"  for this walk, as the next ones; default: the agent's own
---@field quality? "good"|"fast"|"exact"
---@field path_style? "taut"|"rounded"
---@field profile? string|leeward.Profile  its paths are searched for it
---@field cost? leeward.Costs
---@field avoid? string[]
---@field can_take? leeward.LinkKinds

---@class leeward.FollowOptions
---@field target string|leeward.Agent  a key of the blackboard, or the agent
---@field within? number  distance at which the agent stays, in xz [m, > 0, default 2]
---@field pace? "calm"|"normal"|"fast"  for its walks, as the next ones; default: the agent's own
---@field quality? "good"|"fast"|"exact"
---@field path_style? "taut"|"rounded"
---@field profile? string|leeward.Profile  its paths are searched for it
---@field cost? leeward.Costs
---@field avoid? string[]
---@field can_take? leeward.LinkKinds

---@class leeward.PatrolOptions
---@field points string|leeward.Point[]  a key of the blackboard, or the points
---@field wait? number  at each point [s, >= 0, default 0]
---@field next? string  key of the blackboard: the number of the point to go to [default "patrol_next"]
---@field pace? "calm"|"normal"|"fast"  [default: the agent's own]

---@class leeward.FleeOptions
---@field from? string|leeward.AnyThreat|leeward.Point  [default: all threats that the agent knows of]
---@field distance? number  how far away the places lie at most, in xz [m, > 0, default 20]
---@field pace? "calm"|"normal"|"fast"  [default "fast"]

---@class leeward.InvestigateOptions
---@field at? string|leeward.AnyThreat|leeward.Point  a key of the blackboard, or the place [default "sense.noise_at"]
---@field within? number  how near it goes, in xz [m, >= 0, default 1.5]
---@field seconds? number  how long it looks round [s, >= 0, default 4]
---@field pace? "calm"|"normal"|"fast"  [default: the agent's own]

---@class leeward.SearchOptions
---@field around? string|leeward.AnyThreat|leeward.Point  a key of the blackboard, or the place [default
--- "sense.enemy_at"]
---@field radius? number  of the circle about it, in xz [m, > 0, default 12]
---@field places? number  how many it looks at [> 0, default 4]
---@field pace? "calm"|"normal"|"fast"  [default: the agent's own]

---@class leeward.LookAtOptions
---@field at string|leeward.AnyThreat|leeward.Point  a key of the blackboard, or what it looks at
---@field seconds? number  how long it looks there [s, >= 0, default 0]
---@field rate? number  how fast it turns [rad/s, > 0, default 4]

---@class leeward.IsInDangerOptions
---@field seen? boolean  being seen by a threat that it knows of counts [default true]
---@field value? number  the value from which a danger counts [> 0, default 0.1]

---@class leeward.SayOptions
---@field name string  of the event
---@field value? string|leeward.Point|leeward.Agent  a key of the blackboard, or the value [default: true]
---@field radius? number  straight distance up to which others hear it [m, > 0, default 30]

---@class leeward.ReserveDefinition
---@field what string  a name
---@field scope? "team"|"world"  among the team or all [default "team"]
