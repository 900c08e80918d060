---@meta _
-- luacheck: ignore 241

---@class leeward.CostTerms  What a price is the sum of; all in metre-equivalents.
---@field length number  A metre costs a metre.
---@field resistance number
---@field exposure number  How open the ground is, whoever looks.
---@field water number  To be swum.
---@field unsafe number
---@field area_factor number
---@field danger number
---@field threats number  Seen by the query's threats.
---@field fire_lanes number

---@class leeward.PathCharge  What a path or a part of it was charged.
---@field length number  Over the surface; links count what they are said to. [m]
---@field cost number  The sum of the terms. [metre-equivalents]
---@field terms leeward.CostTerms
---@field water number  To be swum. [m]
---@field exposed number  Seen by any of the query's threats. [m]
---@field exposed_to number[]  Seen by each of them. [m]

---@class leeward.PathSegment: leeward.PathCharge  A stretch of one area on one navmesh, or one off-mesh link.
---@field first integer  Of the path's points.
---@field last integer
---@field area string
---@field type "triangular"|"road"|"waypoint"|"volume"
---@field link? leeward.LinkKind  By which it goes; none: over the surface.
---@field navmesh integer  Number of the navmesh that it begins on.

---@class leeward.Explanation  tostring() gives `text`.
---@field segments leeward.PathSegment[]  in order
---@field total leeward.PathCharge  its terms add up to the path's cost
---@field shortest? leeward.PathCharge  the shortest path for the same agent: what it may enter counts, prices do not
---@field longer? number  than the shortest [m]
---@field saves? number  what the shortest costs more [metre-equivalents]
---@field sentence string  "11.2 m longer, saves 38.0: 9.5 m of water, 4.0 exposed metres to threat 1"
---@field text string  an aligned table of everything, and the sentence

---@class leeward.Path
local Path = {}

---@class leeward.Agent
local Agent = {}

--- Why it goes where it goes. What it was charged was noted when it was found; the shortest path is searched now, in
--- the world as it is now, and left out when the world is gone (`sentence` says so).
---@return leeward.Explanation
function Path:explain() end

--- The same of the path that it walks.
---@return leeward.Explanation?
function Agent:explain() end
