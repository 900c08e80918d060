---@meta _
-- luacheck: ignore 241

--- A found path. It outlives the world that found it.
---@class leeward.Path
---@operator len: integer
local Path = {}

---@class leeward.World
local World = {}

---@class leeward.PathQuery
---@field from leeward.Point  Moved onto the navmesh within `snap`, to where there is room for the profile's radius. [m]
---@field to leeward.Point  [m]
---@field profile? string|leeward.Profile  None: length only, everything may be entered.
---@field snap? leeward.Point  Half sizes of the snap box. [m, > 0, default 2 4 2]
---@field navmesh? leeward.Navmesh|integer  Of this world, or its number, for all of the path. Default: that which fits
---at `from`, see World:navmesh; at `to` too where links lead from navmesh to navmesh (World:links).
---@field allow_partial? boolean  Accept the reachable point nearest the goal. [default false]
---@field quality? "good"|"fast"  How closely to look where metres have different prices: "good" comes near the best
---way, "fast" takes not much longer than where all cost the same. [default "good"]
---@field max_nodes? integer  Search budget. [>= 1]
---@field cost? leeward.Costs  Over the profile's, for this request.
---@field avoid? string[]  Instead of the profile's, for this request.
---@field can_take? leeward.LinkKinds  Over the profile's, for this request.
---@field threats? leeward.AnyThreat[]  Who may see: a piece costs (cover_bias - 1) x its weighted exposure more. The
--- search looks by the 64 that weigh most; what it finds is charged for all.
---@field stance? string  One of the profile's: how one walks where threats see. [default "stand"]
---@field accuracy? leeward.Accuracy  Of what the threats see, in the search and in what the path says. [default "auto"]
---@field heights? number[]  Other heights to be seen at, at most four. [m]
---@field team? string  Of who walks: its visibility counts, see World:set_visibility.
---@field visibility? number  In place of the world's and the team's. [0..1]

--- The cheapest path; the same build, world and query give the same path.
---@param query leeward.PathQuery
---@return leeward.Path?
---@return string? message
---@return leeward.Code? code  NO_START, NO_GOAL, NO_PATH, OUT_OF_NODES; NOT_FOUND: "map" without a cover map
function World:find_path(query) end

---@return leeward.vec3[]  corners, where the ground or the area changes between them, and both ends of off-mesh links
function Path:points() end

---@class leeward.PathLink
---@field index integer  Of the point that it begins at; it ends at the next.
---@field kind leeward.LinkKind
---@field from leeward.vec3
---@field to leeward.vec3
---@field navmesh? integer  Number of the navmesh that it leads to, if that is another.

---@return leeward.PathLink[]  the off-mesh links on the way, in order
function Path:links() end

---@return number  over the surface; links count what they are said to [m]
function Path:length() end

---@return number  for the profile that it was searched for [metre-equivalents]
function Path:cost() end

---@return number  metres that a threat of the query sees; 0 without threats [m]
function Path:exposed() end

---@return number  what of its cost is for the dangers that it enters [metre-equivalents]
function Path:danger() end

---@return boolean
function Path:is_partial() end

---@param index? integer  of a point [default 1]
---@return integer?  number, in its world, of the navmesh that the point lies on; nil: no such point
function Path:navmesh(index) end

---@return integer  search nodes expanded to find it
function Path:nodes() end

---@return string[]  the area of the piece that begins at each point but the last
function Path:areas() end

---@return integer[] ids  of the polygons in order
---@return integer[] navmeshes  the numbers of those that they are of
function Path:corridor() end
