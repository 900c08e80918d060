---@meta _
-- luacheck: ignore 241

--- score = weights.protection x protection + weights.flank x flank / (pi / 2) - weights.cost x cost / radius
---@class leeward.CoverWeights
---@field protection? number  [>= 0, default 1]
---@field flank? number  [>= 0, default 0.5]
---@field cost? number  [>= 0, default 0.5]

---@class leeward.CoverOptions
---@field radius? number  Of the circle about `around`, in xz. [m, > 0, default 20]
---@field stance? string  Of the profile: only points that hide this stance. Default: the tallest stance that there is
--- headroom for and is hidden.
---@field hard? boolean  Only hard cover, which stops shots. [default false]
---@field watched? boolean  The path there costs as with find_path{threats=} for a standing agent. Slower, most of all
--- where the threats see much of the ground. [default false]
---@field visibility? number  Replaces the visibility of the world and the team. [0..1]
---@field max_cost? number  Largest cost of the path there. [metre-equivalents, >= 0]
---@field weights? leeward.CoverWeights
---@field limit? integer  Largest count of results. [1..256, default 8]
---@field snap? leeward.Point  Half sizes of the snap box. [m, > 0, default 2 4 2]
---@field navmesh? leeward.Navmesh|integer  Of this world, or its number. Default: see World:navmesh.

---@class leeward.CoverQuery: leeward.CoverOptions
---@field around leeward.Point  Centre of the circle. [m]
---@field from? leeward.Point  Start of the path there. [default `around`]
---@field profile? string|leeward.Profile  Of the agent that needs cover. [default "human"]
---@field threats leeward.AnyThreat[]  The cover hides from all of them.
---@field agent? leeward.Agent  The cover that this agent has reserved counts as free.
---@field team? string  Whose visibility counts, see World:set_visibility. [default: the agent's]
---@field cost? leeward.Costs  Replaces the profile's numbers for this request.
---@field avoid? string[]  Replaces the profile's list for this request.
---@field can_take? leeward.LinkKinds  Replaces the profile's flags for this request.

---@class leeward.AgentCoverQuery: leeward.CoverOptions
---@field around? leeward.Point  [default: the agent's position]
---@field threats? leeward.AnyThreat[]  [default: those that the agent knows]
---@field cost? leeward.Costs  Replaces numbers of its profile, over what was set by spawn and Agent:set_cost.
---@field avoid? string[]  Replaces its list.
---@field can_take? leeward.LinkKinds  Replaces its flags.

--- A cover point: a place to stand behind cover.
---@class leeward.CoverPoint
---@field point leeward.vec3  [m]
---@field segment leeward.CoverSegment  The cover in front of the point.
---@field stance string  In this stance no threat sees the agent's body.
---@field protection number  Mean of two parts of the ground under the agent's disc: the part out of sight in that
--- stance, and the part out of fire, which soft cover does not stop. Threats count as if they looked in all
--- directions, and if all are out of their range, as if that had no end. [0..1]
---@field flank number  Smallest angle by which a threat would have to move round the point to look past an end of the
--- wall. [rad, 0..pi/2]
---@field cost number  Of the path there. [metre-equivalents]
---@field exposed number  Metres of that path that the threats see of a standing agent; 0 unless the query was
--- `watched`. [m]
---@field score number
local CoverPoint = {}

---@class leeward.World
local World = {}
---@class leeward.Agent
local Agent = {}

--- The best cover points, best first. Each one is reachable, has space for the agent, is neither reserved by another
--- agent nor nearer than a body's width to a reserved point, and is hidden from every threat in its stance. Points
--- are at least a metre apart.
---@param query leeward.CoverQuery
---@return leeward.CoverPoint[]?
---@return string? message
---@return leeward.Code? code  NO_START, NO_POINT
function World:find_cover(query) end

--- As World:find_cover, for the agent's profile and from its position. The cover that it has reserved counts as free.
---@param query leeward.AgentCoverQuery
---@return leeward.CoverPoint[]?
---@return string? message
---@return leeward.Code? code  NO_START, NO_POINT (also when the agent knows of no threat)
function Agent:find_cover(query) end

---@class leeward.ReserveOptions
---@field leash? number  Distance from the point beyond which it is released; math.huge: never. [m, >= 0, default 3:
--- enough to step out and look]

--- Reserve a point in place of the agent's earlier one: find_cover gives it to no other agent. It is released when
--- the agent is removed, when the agent has been there and moves farther away than the leash, when its goal is
--- farther away, and when the obstacle whose side it is at moves away or is removed, when something is put on it, or
--- when tiles change so that the cover is gone (Agent:lost_cover).
---@param point leeward.Point
---@param options? leeward.ReserveOptions
---@return true?
---@return string? message
---@return leeward.Code? code  TAKEN: another agent has it, or a point nearer than a body's width; NO_POINT: it is off
--- the navmesh
function Agent:reserve_cover(point, options) end

--- Release the agent's reserved point, if it has one.
function Agent:release_cover() end

--- Set a stance for as long as the agent keeps its reserved point: whenever that is released, it takes the
--- stance again that it had, unless another one was set meanwhile.
---@param stance string  of the agent's profile
---@return true?
---@return string? message
---@return leeward.Code? code  EMPTY: it has reserved no point
function Agent:set_cover_stance(stance) end

---@return leeward.vec3?  the agent's reserved point; nil: none
---@return number? leash  [m]
function Agent:cover() end

--- Whether the agent lost the point that it reserved last because the obstacle whose side was the cover moved away or
--- was removed, something was put there, or the cover went with a tile. The agent's tree is woken then. Holds until
--- it reserves or releases a point.
---@return boolean
function Agent:lost_cover() end

--- As agent:reserve_cover(cover.point, options).
---@param agent leeward.Agent
---@param options? leeward.ReserveOptions
---@return true?
---@return string? message
---@return leeward.Code? code  TAKEN, NO_POINT
function CoverPoint:reserve(agent, options) end

--- Release this point, if the agent has reserved it.
---@param agent leeward.Agent
function CoverPoint:release(agent) end
