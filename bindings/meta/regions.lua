---@meta _
-- luacheck: ignore 241
---@class leeward
local leeward = {}

---@class leeward.World
local World = {}

---@class leeward.Path
local Path = {}

--- A navmesh divided into rooms, and rooms grouped into districts. Rooms have numbers from 1, and names where they were
--- given some.
---@class leeward.Regions
---@operator len: integer
local Regions = {}

--- How a navmesh is divided.
---@class leeward.RegionsDefinition
---@field door_width? number  What is narrower, from wall to wall, separates rooms. [m, > 0, default 4]
---@field min_area? number  Smaller rooms join a neighbour, if they have any. [m2, >= 0, default 6]
---@field max_area? number  Larger rooms are cut where they are narrowest. [m2, > min_area, default 2500]
---@field district_area? number  Rooms are grouped up to about this size. [m2, > 0, default 10000]
---@field names? table<string, leeward.Point|leeward.RegionVolume>  What Regions:name is called with, by the order
--- of the names.
---@field districts? table<string, (string|integer|leeward.Point)[]>  What Regions:district is called with, afterwards.

--- A volume: a box as in Geometry:mark_area, or a polygon between two heights.
---@class leeward.RegionVolume
---@field box? table
---@field polygon? leeward.Point[]
---@field bottom? number  Of a polygon. [m, default no limit]
---@field top? number  Of a polygon. [m, default no limit]

--- A room.
---@class leeward.Room
---@field number integer
---@field name? string
---@field district string|integer  The name of its district, or its number.
---@field area number  Measured in xz. [m2]
---@field middle leeward.vec3  On its ground, near the middle of that.
---@field min leeward.vec3  With `max` the box around its ground.
---@field max leeward.vec3
---@field polygons integer  How many it has.
---@field doors leeward.RoomDoor[]  Where it is left.

--- A door, as seen from one of its rooms; in a world also an off-mesh link that leads out of the room.
---@class leeward.RoomDoor
---@field to integer  Number of the room that it leads to.
---@field name? string  The name of that room.
---@field at leeward.vec3  Its middle, on the ground; where a link begins.
---@field width? number  Of all its portals together; nil: a link. [m]
---@field portals? leeward.vec3[][]  Both ends of each of its portals; nil: a link.
---@field is_open? boolean  In a world: agents can walk through it now.
---@field kind? leeward.LinkKind  nil: no link.
---@field arrives? leeward.vec3  Where a link ends.
---@field link? leeward.Link

--- A district.
---@class leeward.District
---@field number integer
---@field name? string
---@field area number  [m2]
---@field rooms integer[]  Numbers of its rooms.

--- Divide a navmesh into rooms, and group these into districts. The same navmesh and numbers give the same.
---@param navmesh leeward.Navmesh
---@param definition? leeward.RegionsDefinition
---@return leeward.Regions
function leeward.regions(navmesh, definition) end

---@return leeward.Room[]  by their numbers
function Regions:rooms() end

---@param room string|integer|leeward.Point  its name, its number, or a point in it
---@return leeward.Room
function Regions:room(room) end

--- The room that a point lies in.
---@param point leeward.Point
---@param snap? leeward.Point  half sizes of the box in which ground is looked for, as in World:find_path [m, > 0]
---@return integer? number  nil: no ground is near
---@return string? name  nil: it has no name
function Regions:at(point, snap) end

---@return leeward.District[]  by their numbers
function Regions:districts() end

--- Name a room. In a volume the polygons whose middles lie there become a room of that name; what is left of other
--- rooms may fall apart, and rooms have other numbers then.
---@param name string  of 1 to 63 bytes, and of no other room
---@param room string|integer|leeward.Point|leeward.RegionVolume
---@return integer number  of the room
function Regions:name(name, room) end

--- Merge rooms into one. Rooms have other numbers then.
---@param rooms (string|integer|leeward.Point)[]
---@param name? string  default: that of the first of them that has one
---@return integer number  of the room
function Regions:merge(rooms, name) end

--- Put rooms into a district, which is created if there is none of that name.
---@param name string  of 1 to 63 bytes
---@param rooms (string|integer|leeward.Point)[]
function Regions:district(name, rooms) end

---@return integer  bytes held
function Regions:bytes() end

--- Let the world have regions for one of its navmeshes, which it keeps when that navmesh is replaced. They are not
--- saved: set them again in a new world.
---@param regions leeward.Regions
---@param navmesh? integer  its number [default 1]
function World:set_regions(regions, navmesh) end

---@class leeward.RoomGraphQuery
---@field profile? string|leeward.Profile  What it may enter, its radius and its links count. Without: any ground.
---@field navmesh? leeward.Navmesh|integer  Of this world, or its number; without, the first.
---@field cost? leeward.Costs  Replaces the profile's numbers.
---@field avoid? string[]  Replaces the profile's list.
---@field can_take? leeward.LinkKinds  Replaces the profile's flags.

--- The room graph as it is now: obstacles, permutations and links count. A world without regions gets those that
--- `leeward.regions(navmesh)` gives.
---@param query? leeward.RoomGraphQuery
---@return leeward.Room[] rooms  by their numbers
---@return leeward.Regions regions
function World:regions(query) end

--- Which rooms to go through.
---@class leeward.RegionPlanQuery
---@field agent? leeward.Agent  Whose place and profile count where `from` and `profile` are not given.
---@field from? leeward.Point  Needed without `agent`.
---@field to leeward.Point
---@field profile? string|leeward.Profile  Without, and without `agent`: only length counts, and all may be entered.
---@field avoid? (string|integer|leeward.Point)[]  Rooms not to go through; the plan may begin and end there.
---@field snap? leeward.Point  Half sizes of the snap box. [m, > 0, default 2 4 2]
---@field navmesh? leeward.Navmesh|integer  Of this world, or its number; without, the first.

--- A room of a plan.
---@class leeward.RegionStep
---@field room integer  Its number.
---@field name? string
---@field at leeward.vec3  Where it is entered, about.
---@field cost number  Up to there, about. [metre-equivalents]
---@field link? leeward.Link  By which it is entered; nil: by a door, or the plan begins there.

--- Plan which rooms to go through: the cheapest route over doors that are open and links that can be used. Costs within
--- rooms are computed once for a profile, and again where the world has changed; threats, dangers and fire lanes do not
--- count. Where obstacles cut a room into parts, a plan may lead through the smaller ones, too, by doors whose
--- `is_open` is false, and come to one room several times.
---@param query leeward.RegionPlanQuery
---@return leeward.RegionStep[]?  from the room of `from` to that of `to`
---@return number|string cost_or_message  [metre-equivalents]
---@return leeward.Code? code  NO_START, NO_GOAL; NO_PATH: no open door leads there
function World:plan_regions(query) end

---@class leeward.RegionAtQuery
---@field profile? string|leeward.Profile
---@field snap? leeward.Point  Half sizes of the box in which ground is looked for. [m, > 0, default 2 4 2]
---@field cost? leeward.Costs  Replaces the profile's numbers.
---@field avoid? string[]  Replaces the profile's list.
---@field can_take? leeward.LinkKinds  Replaces the profile's flags.

--- The room that a point lies in.
---@param point leeward.Point
---@param query? leeward.RegionAtQuery
---@return integer? number
---@return string|false name_or_message  false: it has no name
---@return integer|leeward.Code navmesh_or_code  the navmesh's number; NO_START: no ground is near
function World:region_at(point, query) end

---@class leeward.RoomVisit
---@field room integer  Its number.
---@field name? string
---@field navmesh integer  The number of its navmesh.
---@field at leeward.vec3  Where the path enters it: its first point, or on the border.

--- The rooms that the path leads through, in order; a room that is entered again is listed again.
---@return leeward.RoomVisit[]?
---@return string? message
---@return leeward.Code? code  STALE: its world was destroyed
function Path:regions() end
