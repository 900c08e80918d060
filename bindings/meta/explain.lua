---@meta _
-- luacheck: ignore 241

---@class leeward.CostTerms  The terms of a cost, all in metre-equivalents.
---@field length number  A metre costs a metre.
---@field resistance number
---@field openness number  For the openness of the ground, without threats.
---@field water number  For swimming.
---@field unsafe number
---@field area_factor number
---@field crouching number  For metres under low ceilings, which take longer.
---@field danger number
---@field threats number  For exposure to the query's threats.
---@field fire_lanes number
---@field obstacles number
---@field links number  What was set on its off-mesh links (Link:set_cost).

---@class leeward.PathCost  The cost of a path or of a part of it.
---@field length number  Over the surface; links count with their own `length`. [m]
---@field cost number  The sum of the terms. [metre-equivalents]
---@field terms leeward.CostTerms
---@field water number  Length of swimming. [m]
---@field low number  Length in a lower stance, under ceilings too low to stand. [m]
---@field exposed number  Seen by any of the query's threats. [m]
---@field exposed_to number[]  Seen by each of them. [m]

---@class leeward.PathSegment: leeward.PathCost  On one area of one navmesh, in one stance, or one off-mesh link.
---@field first integer  Index of its first point in the path.
---@field last integer  Index of its last point.
---@field area string
---@field type "triangular"|"road"|"waypoint"|"volume"
---@field link? leeward.LinkKind  The kind of the off-mesh link; nil: over the surface.
---@field name? string  The link's, of Path:explain, while the world has it.
---@field navmesh integer  Number of the navmesh that it begins on.

---@class leeward.Explanation  tostring() gives `text`.
---@field segments leeward.PathSegment[]  in order
---@field total leeward.PathCost  of the whole path
---@field shortest? leeward.PathCost  the shortest path for the same agent, which may enter the same areas
---@field longer? number  length beyond that of the shortest path; below 0 where the search for the shortest path,
--- which finds nearly the shortest, found a longer one [m]
---@field saves? number  cost of the shortest path beyond that of this one [metre-equivalents]
---@field profile? string  the name of the profile whose costs these are; nil: length alone
---@field sentence string  "11.2 m longer, saves 38.0: 9.5 m of water, 4.0 exposed metres to threat 1"
---@field text string  an aligned table of all of this, and the sentence

---@class leeward.Path
local Path = {}

---@class leeward.Agent
local Agent = {}

--- The cost of each part of the path, as recorded when it was found, compared with the shortest path, which is
--- searched now in the current world. Without the comparison if the world was destroyed; `sentence` says so.
---@return leeward.Explanation
function Path:explain() end

--- The explanation of the path that the agent follows; nil: it follows none.
---@return leeward.Explanation?
function Agent:explain() end
