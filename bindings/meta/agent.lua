---@meta _
-- luacheck: ignore 241
---@class leeward.World
local World = {}

--- Stands on the navmesh, follows paths and runs a tree. Using one that is gone raises, but for is_alive and id.
---@class leeward.Agent
---@field blackboard table  What scripts remember about it.
local Agent = {}

---@alias leeward.Pace "calm"|"normal"|"fast"

---@class leeward.AgentDefinition
---@field profile string|leeward.Profile
---@field at leeward.Point  Moved onto the navmesh within `snap`. [m]
---@field snap? leeward.Point  Half sizes of the snap box. [m, > 0, default 2 4 2]
---@field navmesh? leeward.Navmesh|integer  Of this world, or its number. Default: the one that fits, see World:navmesh.
---@field tree? string|leeward.Tree|leeward.Node  None: it stands until told to move.
---@field team? string  up to 31 bytes
---@field pace? leeward.Pace  [default "normal"]
---@field stance? string  One of the profile's. [default "stand"]
---@field blackboard? table  [default {}]
---@field color? integer  That it is drawn in. [0x000000..0xffffff, default: one of its own]
---@field cost? leeward.Costs  Over the profile's.
---@field avoid? string[]  Instead of the profile's.
---@field can_take? leeward.LinkKinds  Over the profile's.

---@param definition leeward.AgentDefinition
---@return leeward.Agent?
---@return string? message
---@return leeward.Code? code  NO_START
function World:spawn(definition) end

---@return leeward.Agent[]  in the order they were spawned
function World:agents() end

--- Its tree is aborted first. Inside a step it is gone at the step's end.
function Agent:despawn() end

--- Despawn it as one that died: the world's `death_danger` is added where it stands.
function Agent:kill() end

---@return boolean
function Agent:is_alive() end

---@return integer
function Agent:id() end

---@return leeward.World
function Agent:world() end

---@return leeward.vec3  [m]
function Agent:position() end

---@return leeward.Navmesh  the one that it walks on; links may lead to another (World:links)
---@return integer number  in the world
function Agent:navmesh() end

---@return leeward.vec3  [m/s]
function Agent:velocity() end

---@return number  0 looks along +x, pi/2 along -z [rad]
function Agent:heading() end

---@return string  the profile's name
function Agent:profile() end

---@return string?
function Agent:team() end

---@return leeward.Pace
function Agent:pace() end

---@param pace leeward.Pace
function Agent:set_pace(pace) end

---@return string  "stand", "crouch", or another of the profile's
function Agent:stance() end

--- Changes what is seen of it, its eye, and its speed.
---@param stance string  one of its profile's
function Agent:set_stance(stance) end

---@param stance? string  one of its profile's [default: the one that it is in]
---@return leeward.vec3  where it looks from, in that stance [m]
function Agent:eye(stance) end

--- Search a path and start walking it. The tree is woken when the agent arrives or fails.
---@param goal leeward.Point
---@param options? {within: number?}  arrived when the goal is this near in xz [m, >= 0, default 0.3]
---@return true?
---@return string? message
---@return leeward.Code? code  NO_GOAL, NO_PATH
function Agent:move_to(goal, options) end

--- Stand still.
function Agent:stop() end

---@return "idle"|"walking"|"arrived"|"failed"
---@return string? message  when it failed
---@return leeward.Code? code
function Agent:move_state() end

---@return leeward.vec3?  of the last move; nil while idle
function Agent:goal() end

---@return number  of the path, 0 unless walking [m]
function Agent:remaining() end

--- A link is taken to its end, also when the agent is told to stop or to go elsewhere.
---@return boolean  Is it on an off-mesh link: in mid-air, on a ladder?
---@return leeward.LinkKind? kind
---@return number? progress  0..1
function Agent:is_on_link() end

---@return leeward.vec3[]?  the points of the path that it walks
function Agent:route() end

--- As math.random, from the agent's own stream.
---@param m? integer
---@param n? integer
---@return number
function Agent:random(m, n) end

--- As World:random_point, around its own position (on a link, around its end) for its own profile, from its own stream.
---@param query leeward.RandomPointQuery  `radius` is needed
---@return leeward.vec3?
---@return string? message
---@return leeward.Code? code
function Agent:random_point(query) end

--- As World:raycast, for its own profile, on the navmesh that it walks on.
---@param a leeward.Point  moved onto the navmesh
---@param b leeward.Point
---@return boolean? hit  nil: no navmesh at `a`
---@return leeward.vec3|string point  where it ended, or the message
---@return leeward.vec3|leeward.Code normal  of the edge that it hit; (0, 0, 0) without a hit
---@return number t  0..1 along the segment in xz; 1 without a hit
function Agent:raycast(a, b) end

---@class leeward.AgentStats
---@field walked number  Links included, but for teleports. [m]
---@field goals_reached integer
---@field replans integer
---@field searches integer
---@field stuck integer  Times that it made no progress.
---@field off_mesh integer  Steps after which it stood neither on the navmesh nor on a link.
---@field search_seconds number  Wall-clock time of all searches. [s]
---@field search_worst number  Of the slowest. [s]

---@return leeward.AgentStats
function Agent:stats() end

--- The running node, what the agent is doing, and the last failure with its reason.
---@return string
function Agent:why() end
