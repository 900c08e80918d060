---@meta _
-- luacheck: ignore 241

--- What counts: score = protection x its weight + flank / (pi / 2) x its weight - cost / radius x its weight.
---@class leeward.CoverWeights
---@field protection? number  [>= 0, default 1]
---@field flank? number  [>= 0, default 0.5]
---@field cost? number  [>= 0, default 0.5]

---@class leeward.CoverPointOptions
---@field radius? number  Of the circle about `around`, in xz. [m, > 0, default 20]
---@field stance? string  Only in this stance of the profile. Default: in the tallest that hides.
---@field hard? boolean  Only behind what stops shots, too. [default false]
---@field watched? boolean  The way there costs what find_path{threats=} says, to one who stands: slower, by up to some
---tens of milliseconds where all ways are seen, a tenth of a second from four threats. [default false]
---@field visibility? number  How well who walks there is seen, in place of the world's and the team's. [0..1]
---@field max_cost? number  What the way there may cost. [metre-equivalents, >= 0]
---@field weights? leeward.CoverWeights
---@field limit? integer  How many to tell at most. [1..256, default 8]
---@field snap? leeward.Point  Half sizes of the snap box. [m, > 0, default 2 4 2]
---@field navmesh? leeward.Navmesh|integer  Of this world, or its number. Default: the one that fits.

---@class leeward.CoverPointQuery: leeward.CoverPointOptions
---@field around leeward.Point  Where to look. [m]
---@field from? leeward.Point  From where one comes. [default `around`]
---@field profile? string|leeward.Profile  Who is to stand there.
---@field threats leeward.AnyThreat[]  From whom to hide: all of them.
---@field agent? leeward.Agent  What this one has reserved is free for it.
---@field team? string  Of who walks there: its visibility counts, see World:set_visibility. [default: the agent's]
---@field cost? leeward.Costs  Over the profile's, for this request.
---@field avoid? string[]  Instead of the profile's, for this request.
---@field can_take? leeward.LinkKinds  Over the profile's, for this request.

---@class leeward.AgentCoverQuery: leeward.CoverPointOptions
---@field around? leeward.Point  [default: where it is]
---@field threats? leeward.AnyThreat[]  [default: those that it knows of]

--- A place to stand at, behind cover.
---@class leeward.Cover
---@field point leeward.vec3  [m]
---@field segment leeward.CoverSegment  What one stands behind.
---@field stance string  In this stance nothing of one's body is seen there by any of the threats.
---@field protection number  How much of the ground that one's disc covers is out of sight in that stance, too, in half,
---and out of fire in the other half: what is soft stops no shot. Threats count as if they looked all round, for they
---may turn; where all are out of their range, as if they had none: so the places behind a wall are better than those
---before it. [0..1]
---@field flank number  How far the threat nearest to it would have to go round one until it looks past an end of the
---wall. [rad, 0..pi/2]
---@field cost number  Of the way there. [metre-equivalents]
---@field exposed number  How much of that way the threats see, standing; 0 unless the query was `watched`. [m]
---@field score number
local Cover = {}

---@class leeward.World
local World = {}
---@class leeward.Agent
local Agent = {}

--- The best places behind cover, best first. Every one can be reached, has room for the agent, is neither reserved
--- by another nor nearer than a body's width to a place that is, and is hidden from every threat in its stance. Of
--- places less than a metre apart only the best is told.
---@param query leeward.CoverPointQuery
---@return leeward.Cover[]?
---@return string? message
---@return leeward.Code? code  NO_START, NO_POINT
function World:find_cover(query) end

--- As World:find_cover, for its profile, from where it is; what it has reserved itself is free.
---@param query leeward.AgentCoverQuery
---@return leeward.Cover[]?
---@return string? message
---@return leeward.Code? code  NO_START, NO_POINT (also when it knows of no threat)
function Agent:find_cover(query) end

---@class leeward.ReserveOptions
---@field leash? number  How far the agent may go from the place and still keep it; math.huge: until it lets go of it.
---[m, >= 0, default 3: enough to step out and look]

--- Keep a place, instead of one that it had: others are not told of it. It is let go when the agent goes, when it has
--- been there and gets farther away than the leash, and when it is sent to a goal farther from it than that.
---@param point leeward.Point
---@param options? leeward.ReserveOptions
---@return true?
---@return string? message
---@return leeward.Code? code  TAKEN: another agent has it, or one nearer than a body's width; NO_POINT: it is off the
---navmesh
function Agent:reserve_cover(point, options) end

--- Let it go, if there is any.
function Agent:release_cover() end

---@return leeward.vec3?  the place that it has reserved
---@return number? leash  [m]
function Agent:cover() end

--- The same as agent:reserve_cover(cover.point, options).
---@param agent leeward.Agent
---@param options? leeward.ReserveOptions
---@return true?
---@return string? message
---@return leeward.Code? code  TAKEN, NO_POINT
function Cover:reserve(agent, options) end

--- Let it go, if it is this place that the agent has reserved.
---@param agent leeward.Agent
function Cover:release(agent) end
