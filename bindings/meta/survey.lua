---@meta _
-- luacheck: ignore 241

---@class leeward.SurveyOptions
---@field eyes? integer  Threats, anywhere on the navmesh, uniform by area. [1..10000, default 20]
---@field segments? integer  Seen from each: straight ways over the surface. [1..10000, default 200]
---@field length? number  Of a segment, unless it ends at a wall before. [m, 0.01..1000, default 12]
---@field eye? number  Height of the threats' eyes over the surface. [m, default 1.6]
---@field spacing? number  Of the lines of sight to compare with. [m, 0.01..1000, default 0.25]
---@field rounds? integer  Times are medians of so many. [1..99, default 5]
---@field seed? integer  The same seed asks the same. [default 1]
---@field stance? "stand"|"crouch"  [default "stand"]
---@field heights? number[]  Other heights to be seen at, at most four. [m]

--- One way to find exposure. What it is off by is meant of the exposed fraction of a segment, against "exact".
---@class leeward.SurveyFigures
---@field seconds number  a segment, one eye, once all is warm [s]
---@field set_up number  before the first segment of an eye [s]
---@field bytes integer  held for an eye, besides the occluders
---@field mean number  off by [0..1]
---@field p99 number  off by, but for one of a hundred [0..1]
---@field worst number  off by at most [0..1]

---@class leeward.Survey
---@field segments integer  asked about, over all eyes
---@field length number  of one in the mean [m]
---@field exposed number  part of all their length that is seen [0..1]
---@field occluders integer  convex polygons
---@field occluder_bytes integer  in memory
---@field sure_hidden number  part of the places on them that the table of pairs (`pair_range` of the bake) knows to
--- be hidden from the eye [0..1]
---@field sure_visible number  and to be visible [0..1]
---@field auto_from integer  so many segments must have been asked about before "auto" answers by depth map
---@field exact leeward.SurveyFigures
---@field fast leeward.SurveyFigures
---@field map? leeward.SurveyFigures  where there is a cover map
---@field rays leeward.SurveyFigures  lines of sight every `spacing` metres through the same occluders

---@class leeward.Navmesh
local Navmesh = {}

--- What each accuracy of exposure (leeward.Accuracy) costs and loses here. `leeward exposure LEVEL` prints it.
---@param options? leeward.SurveyOptions
---@return leeward.Survey?
---@return string? message
---@return leeward.Code? code  EMPTY: no occluders, or nothing to walk on
function Navmesh:survey_exposure(options) end
