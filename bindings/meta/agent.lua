---@meta _
-- luacheck: ignore 241
---@class leeward.World
local World = {}

--- An agent: stands on the navmesh, follows paths and runs a tree. Once it is removed, every method except is_alive
--- and id raises.
---@class leeward.Agent
---@field blackboard leeward.Blackboard  The scripts' data about the agent.
local Agent = {}

---@alias leeward.Pace "calm"|"normal"|"fast"

---@class leeward.AgentDefinition
---@field profile string|leeward.Profile
---@field at leeward.Point  Moved onto the navmesh within `snap`. [m]
---@field snap? leeward.Point  Half sizes of the snap box. [m, > 0, default 2 4 2]
---@field navmesh? leeward.Navmesh|integer  Of this world, or its number. Default: see World:navmesh.
--- Without: the agent stands until move_to is called. A description is compiled for this agent alone: for many agents,
--- compile it once with `leeward.tree`, or name its file.
---@field tree? string|leeward.Tree|leeward.Node
---@field team? string  up to 31 bytes
---@field pace? leeward.Pace  [default "normal"]
---@field stance? string  One of the profile's. [default "stand"]
---@field blackboard? table  its values are copied [default {}]
---@field color? integer  For drawing. [0x000000..0xffffff, default: by the agent's number]
---@field cost? leeward.Costs  Replaces the profile's numbers.
---@field avoid? string[]  Replaces the profile's list.
---@field can_take? leeward.LinkKinds  Replaces the profile's flags.

---@param definition leeward.AgentDefinition
---@return leeward.Agent?
---@return string? message
---@return leeward.Code? code  NO_START
function World:spawn(definition) end

---@return leeward.Agent[]  in the order they were spawned
function World:agents() end

--- Abort the agent's tree and remove the agent. Inside a step, the agent is removed when the step ends.
function Agent:despawn() end

--- Despawn the agent and add the world's `death_danger` where it stands.
function Agent:kill() end

---@return boolean
function Agent:is_alive() end

---@return integer  no other agent of the world ever has it
function Agent:id() end

---@return leeward.World
function Agent:world() end

---@return leeward.vec3  [m]
function Agent:position() end

---@return leeward.Navmesh  the one that the agent stands on; links may lead to another (World:links)
---@return integer number  in the world
function Agent:navmesh() end

---@return leeward.vec3  [m/s]
function Agent:velocity() end

---@return number  0: towards +x; pi/2: towards -z [rad]
function Agent:heading() end

---@return string  the profile's name; "custom": it was given as a table that differs from what it extends
function Agent:profile() end

---@return string?
function Agent:team() end

---@return leeward.Pace
function Agent:pace() end

--- Set the pace, also for the rest of a journey that has one of its own.
---@param pace leeward.Pace
function Agent:set_pace(pace) end

---@return string  "stand", "crouch", or another stance of the profile
function Agent:stance() end

--- Set the stance, which determines the visible body, the eye and the speed.
---@param stance string  of the agent's profile
function Agent:set_stance(stance) end

---@param stance? string  of the agent's profile [default: its current one]
---@return leeward.vec3  the agent's eye in that stance [m]
function Agent:eye(stance) end

--- What holds for one journey: for its path and all that are searched again on the way, until the agent arrives,
--- fails, is stopped or gets another move_to.
---@class leeward.MoveOptions
---@field within? number  Arrived at this distance from the goal in xz. The path may end so far
--- beyond the snap box about the goal. Where another agent stands on the goal and is not pushed aside, one with a body
--- settles for a place beside that after 3 s. [m, >= 0, default 0.3]
---@field heading? number  Of a vehicle at the goal; others ignore it. Default: any. [rad, -1000..1000]
---@field pace? leeward.Pace  Ends early by Agent:set_pace. [default: the agent's own]
---@field quality? "good"|"fast"|"exact"  Of its paths. [default "good"]
---@field path_style? "taut"|"rounded"  Of its paths, see World:find_path. [default "taut"]
---@field threats? leeward.AnyThreat[]  In place of those that the agent knows of, as they are now.
---@field profile? string|leeward.Profile  Its paths are searched for it; the body moves as its own says, and enters,
--- takes and fits through nothing that its own does not. [default: its own, with what was set by spawn and, also on the
--- way, by Agent:set_profile and Agent:set_cost]
---@field cost? leeward.Costs  Replaces numbers of that profile.
---@field avoid? string[]  Replaces that profile's list; what the agent's own profile avoids stays impassable. An agent
--- that stands in such an area leaves it first, if other ground is within 2 m (4 m up or down); else NO_START.
---@field can_take? leeward.LinkKinds  Replaces that profile's flags.
---@field priority? integer  Of its path, where it waits for that: see World:request_path. [-100..100, default 0]

--- Search a path and start walking. The agent wakes its tree when it arrives or fails. Where the work of the step is
--- used up, it waits for its path (Agent:waits_for_path); that no path leads to the goal is known at once.
---@param goal leeward.Point
---@param options? leeward.MoveOptions
---@return true?
---@return string? message
---@return leeward.Code? code  NO_START, NO_GOAL, NO_PATH, TRAPPED
function Agent:move_to(goal, options) end

--- Stop walking. Wakes the tree, unless a leaf of the agent itself calls this: a leaf that walks, as MoveTo, fails.
--- A TRAPPED agent stays so.
function Agent:stop() end

---@return "idle"|"walking"|"arrived"|"failed"
---@return string? message  when it failed
---@return leeward.Code? code
function Agent:move_state() end

---@return leeward.vec3?  of the last move; nil while idle
function Agent:goal() end

---@return number  length of the rest of the path; 0 unless walking; the straight distance while it waits for one [m]
function Agent:remaining() end

--- Whether the agent is on an off-mesh link, such as in a jump or on a ladder. It always traverses a link to its
--- end, also after Agent:stop or another move_to.
---@return boolean
---@return leeward.LinkKind? kind
---@return number? progress  0..1
---@return leeward.Link? link  nil also: it was removed meanwhile
function Agent:is_on_link() end

---@return leeward.vec3[]?  the points of the path that the agent follows; nil: none
function Agent:route() end

--- As math.random, from the agent's own stream.
---@param m? integer
---@param n? integer
---@return number
function Agent:random(m, n) end

--- As World:random_point, around the agent's position (on a link: around the link's end), for its profile, from its
--- own stream. Without `around` and `radius`: anywhere on its navmesh that it can get to from there.
---@param query? leeward.RandomPointQuery
---@return leeward.vec3?
---@return string? message
---@return leeward.Code? code
function Agent:random_point(query) end

--- As World:raycast, for the agent's profile, on the navmesh that it stands on.
---@param a leeward.Point  moved onto the navmesh
---@param b leeward.Point
---@return boolean? hit  nil: no navmesh at `a`
---@return leeward.vec3|string point  the end of the ray, or the message
---@return leeward.vec3|leeward.Code normal  of the edge at the hit; (0, 0, 0) without a hit
---@return number t  0..1 along the segment in xz; 1 without a hit
function Agent:raycast(a, b) end

---@class leeward.AgentStats
---@field walked number  Distance, links included, teleports excluded. [m]
---@field goals_reached integer
---@field replans integer
---@field searches integer
---@field stuck integer  Times without progress for the world's stuck_seconds.
---@field off_mesh integer  Steps after which the agent was neither on the navmesh nor on a link.
---@field search_seconds number  Wall-clock time of all searches. [s]
---@field search_worst number  Time of the slowest search. [s]
---@field remedies leeward.Remedies

--- How often an agent with a body has tried what, in this order, when others kept it from getting on.
---@class leeward.Remedies
---@field sidesteps integer  It passed on a side those that had blocked it for half a second.
---@field pushes integer  Those before it pushed and yielded as it would.
---@field detours integer  Its path was searched where it pays for each agent that stands in the way.
---@field back_offs integer  It walked back up to 4 m, and stood there, 4 s in all.
---@field settled integer  It has arrived beside those that stood at its goal.

---@return leeward.AgentStats
function Agent:stats() end

--- Say where an agent is whose body the game moves, as engines with physics do. From then on steps do not move it: the
--- game moves it by Agent:desired_velocity, and says before each step what came of that. Others do not push it. On a
--- link it moves as any agent, unless the game holds that (World:on_link). Raises for vehicles, and where the agent's
--- profile has no body: any with `avoidance` or `acceleration` has.
---@param position leeward.Point|nil  it is put along the ground as far in that direction as it gets; where that is not
--- there, as after a fall, on the nearest ground within its radius and 0.5 m, and 2 m up or down; nil: steps move it
--- again [m]
---@param velocity? leeward.Point  of the body, with each position: others avoid it accordingly [m/s]
---@return true?
---@return string? message
---@return leeward.Code? code  NOT_FOUND: no ground is there; it is as near as it gets
function Agent:set_external(position, velocity) end

---@return boolean  whether the game moves its body
function Agent:is_external() end

--- The velocity that an agent with a body has chosen in the last step, along its path and past others; 0 on a
--- link.
---@return leeward.vec3  [m/s]
function Agent:desired_velocity() end

--- The agent that blocks one with a body. It waits as long as those before it get on. Where they end at one that stands
--- and is not pushed aside, its path is searched past those that stand there after 2 s, and it backs off after 4 s; it
--- counts as stuck after 10 s, or 3 s after it has backed off, and its move fails; in a circle after 60 s.
---@return leeward.Agent?  the nearest that is before it, or the one that goes first where two cannot pass, or, after a
--- move that failed with STUCK, the one that blocked it; nil after such a move and a load
---@return number? seconds  for how long, by now; 0 when it has failed, and for vehicles [s]
function Agent:blocked_by() end

--- How an agent looks at a moment between the last two steps: what drawing and animation need.
---@class leeward.Pose
---@field position leeward.vec3  on the straight line between where it was and where it is [m]
---@field heading number  turned by the smaller angle [rad]
---@field speed number  along its path; does not dip where a step goes round a corner [m/s]
---@field turn_rate number  of the heading, counter-clockwise [rad/s]
---@field trailer_heading? number  of the trailer, of a vehicle that has one [rad]
---@field stance string
---@field pace leeward.Pace
---@field link? leeward.LinkKind  the off-mesh link that it is on
---@field link_progress? number  the part of the link that it has done, as of the last step [0..1]

--- Interpolate an agent's pose, for games that draw more often than they step, or in between. Where the agent was put
--- elsewhere in the last step, as by a teleport, it is there at once.
---@param alpha? number  0: before the last step; 1: after it [0..1, default 1]
---@return leeward.Pose
function Agent:pose(alpha) end

--- A ray ahead of an agent.
---@class leeward.Whisker
---@field from leeward.vec3  where the agent is [m]
---@field to leeward.vec3  where the ray ends [m]
---@field seconds number  when the agent would be there [s]
---@field hit "free"|"wall"|"obstacle"|"agent"|"link"  what it ends at; `link`: another agent is about to come off one

--- What the whiskers of an agent (leeward.Whiskers) saw in the last step, from the right to the left. Others than walls
--- count there only for an agent that evades something; walls are looked at here for all others.
---@return leeward.Whisker[]  empty: it does not walk over ground, or has none
function Agent:whiskers() end

--- Which agents to find.
---@class leeward.AgentsQuery
---@field at leeward.Point  the centre
---@field radius? number  straight distance to an agent's position [m, >= 0, default 20]
---@field team? string  only of this team; "": of none
---@field profile? string  only with the profile of this name
---@field except? leeward.Agent  all but this one

--- The agents near a point, in the order in which they were spawned.
---@param query leeward.AgentsQuery
---@return leeward.Agent[]
function World:agents_around(query) end
