---@meta _
-- luacheck: ignore 241

--- Agents that travel in formation, on one path that all can take. Each has a place about the leader: the member that
--- was added first, of those that take part. Where the ground is too narrow they walk one behind the other, and form up
--- behind that. All wait for a member that is more than 3 m behind its place; one that lags is up to 1.15 times as
--- fast. A member that gets another order (Agent:move_to, Agent:stop, a leaf that moves it) or whose move fails takes
--- no part until the group's next order, or until it is added again. The same object wherever the world returns it.
---@class leeward.Group
local Group = {}

--- Side by side; one behind the other at the distance that it takes to brake; on both sides further back; one behind
--- the other.
---@alias leeward.FormationName "line"|"column"|"wedge"|"file"

--- A name, or up to 64 points: places from the leader on, x ahead of it and z to its right. Members beyond them walk in
--- a file behind.
---@alias leeward.Formation leeward.FormationName|leeward.Point[]

---@class leeward.GroupDefinition
---@field agents leeward.Agent[]  Up to 64 members. Each leaves the group that it was in.
---@field formation? leeward.Formation  [default "line"]
--- From centre to centre. At least 2.5 times the largest radius is kept. [m, >= 0, <= 1000, default 0: three times the
--- largest radius]
---@field spacing? number

---@class leeward.GroupMove
---@field within? number  Distance from its place at which a member has arrived. [m, > 0, default 0.3]
---@field pace? leeward.Pace  [default: each its own]
---@field quality? leeward.Quality  Of its paths. [default "good"]

---@class leeward.GroupState
---@field formation leeward.FormationName|"points"
---@field spacing number  That is kept. [m]
---@field members integer
---@field formed integer  Members that have a place in the formation now.
---@field move "idle"|"walking"|"arrived"|"failed"  What became of the last order.
---@field failure? string  The code of why it failed.
---@field is_file boolean  They walk one behind the other.
---@field goal leeward.vec3  Of the last order.
---@field at leeward.vec3  What the places are about, while they travel.
---@field heading number  Of that. [rad]
---@field remaining number  Length of the rest of its path. [m]

---@class leeward.World
local World = {}

--- Members go on with what they do until the group's first order.
---@param definition leeward.GroupDefinition
---@return leeward.Group
function World:group(definition) end

---@return leeward.Group[]  in the order in which they were created
function World:groups() end

---@class leeward.Agent
local Agent = {}

---@return leeward.Group?  nil: it is in none
function Agent:group() end

--- Search one path for all, and let all members set out, those too that took no part.
---@param goal leeward.Point
---@param options? leeward.GroupMove
---@return true?  nil, message, code if no path is found: then the group stands still
---@return string? message
---@return string? code
function Group:move_to(goal, options) end

--- Let all members stop that travel with the group.
function Group:stop() end

--- Set another formation. Members change their places on the way.
---@param formation leeward.Formation
---@param spacing? number  As in leeward.GroupDefinition.
function Group:set_formation(formation, spacing) end

--- Add an agent, which leaves the group that it was in, or call a member back that takes no part.
---@param agent leeward.Agent
---@return true?  nil, message, code if there are 64 members
---@return string? message
---@return string? code
function Group:add(agent) end

--- Let a member go. It stops if it walks in formation.
---@param agent leeward.Agent
---@return boolean  false: it is no member
function Group:dismiss(agent) end

---@return leeward.Agent[]  in the order in which they were added
function Group:members() end

---@return leeward.Agent?  nil: nobody travels with it
function Group:leader() end

--- Where a member's place in the formation is now.
---@param agent leeward.Agent
---@return leeward.vec3?  nil: it walks in a file, cannot see its place, or takes no part
function Group:place(agent) end

---@return leeward.GroupState?  nil: it was removed
function Group:get() end

---@return boolean  false: it was removed, or its world was destroyed
function Group:exists() end

---@return integer  no other group of the world ever has it
function Group:id() end

---@return leeward.World
function Group:world() end

--- Disband the group. Members that walk in formation stop.
---@return boolean  false: it was removed before
function Group:remove() end
