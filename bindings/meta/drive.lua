---@meta _
-- luacheck: ignore 241

---@class leeward.World
local World = {}

---@class leeward.Agent
local Agent = {}

--- A path that a vehicle can drive: arcs of the profile's `turn_radius` and straight lines of the middle of its rear
--- axle, over one navmesh. It leads backwards only where no route forwards is found, or only a route that is more than
--- three times as long.
---@class leeward.Drive
---@operator len: integer  How many points it has.
local Drive = {}

---@class leeward.DriveQuery
---@field from leeward.Point  Middle of the rear axle; moved onto the navmesh within `snap`. [m]
---@field from_heading? number  Counter-clockwise from +x as seen from above. [rad, -1000..1000, default 0]
---@field trailer_angle? number  Of its trailer (leeward.Trailer) at `from`: how far that is turned out of the vehicle's
--- line; above 0 its front points to the left. At most the profile's `max_angle` counts. [rad, -1000..1000, default 0]
---@field to leeward.Point  Moved the same route. [m]
---@field heading? number  At the goal. Default: any. [rad, -1000..1000]
---@field within? number  Without `heading` it may end so far from `to`. [m, >= 0, default 0.3]
---@field profile string|leeward.Profile  Of a vehicle: one with a `wheelbase`.
---@field snap? leeward.Point  Half sizes of the snap box. [m, > 0, default 2 4 2]
---@field navmesh? leeward.Navmesh|integer  Of this world, or its number. Default: the one that fits at `from`.
---@field max_nodes? integer  Poses to go on from before giving up. [>= 1, default 20000]
---@field cost? leeward.Costs  Replaces the profile's numbers for this drive.
---@field avoid? string[]  Replaces the profile's list for this drive.

---@class leeward.DrivePoint
---@field at leeward.vec3  On the surface. [m]
---@field heading number  Of the vehicle. [rad]
---@field curvature number  Of the piece that begins here; above 0 it steers to the left. [1/m]
---@field along number  Length from the start, in either direction. [m]
---@field gear integer  Of the piece that begins here: 1 forwards, -1 backwards.
---@field trailer_heading number  Of its trailer; without one, as `heading`. [rad]

--- Find a drive from one pose to another, or to a place.
---@param query leeward.DriveQuery
---@return leeward.Drive?
---@return string? message
---@return leeward.Code? code  NO_START, NO_GOAL: no place near by, or no space for the vehicle with that heading;
--- NO_PATH; OUT_OF_NODES
function World:find_drive(query) end

--- The drive that the agent follows, as the points of one.
---@return leeward.DrivePoint[]?  nil: it has none
function Agent:drive() end

---@return leeward.DrivePoint[]  in order, a metre apart or less
function Drive:points() end

---@return number  in both directions [m]
function Drive:length() end

---@return number  how much of it leads backwards [m]
function Drive:reversed() end

---@return integer  how often the direction changes
function Drive:cusps() end

---@return number  with what backing costs [metre-equivalents]
function Drive:cost() end

---@return integer  poses that the search went on from
function Drive:nodes() end
