---@meta _
-- luacheck: ignore 241

---@class leeward.Path
local Path = {}

--- A piece of a path, from one point to the next, as it was when the path was found.
---@class leeward.PathPiece
---@field polygon? integer  The id of the polygon where it begins; nil: the agent was led to the path there, from
--- elsewhere.
---@field navmesh integer  The number, in the path's world, of the navmesh that it begins on.
---@field version integer  Of that navmesh: World:navmesh_version.
---@field price number  Of a metre on that polygon, for the query's profile; of a link, what was set on it
--- (Link:set_cost). [metre-equivalents]
---@field link? leeward.Link  The off-mesh link that it is; nil: it leads over ground, or the link was removed.
---@field name? string  The link's.

--- What the path was found on: readable when all of it has changed, or its world is gone.
---@return leeward.PathPiece[]  one for each point but the last
function Path:pieces() end

--- A change under a piece of a path. Each kind is listed once for a piece.
---@class leeward.PathChange
---@field kind "cut"|"replaced"|"priced"|"link_removed"|"link_disabled"|"link_priced"  The ground was cut, or
--- a part of it marked with an area or a cost, by an obstacle or a permutation, or no longer is (what a metre costs
--- there is not compared); its tiles are others; a metre costs the profile something else; the link was removed, is
--- disabled or has no ground at an end, or costs something else.
---@field point integer  Of the path's points: where the piece begins.
---@field polygon? integer  In Path:corridor: the first polygon of the piece that has changed so; nil: it is a link.
---@field count integer  How many of its polygons have.
---@field blocks boolean  The piece cannot be walked any more, even by an agent without width.
---@field before? number  The price of a metre, or what was set on the link, when the path was found.
--- [metre-equivalents]
---@field after? number  The same now; infinite: it may not be entered. [metre-equivalents]
---@field link? leeward.Link  nil: over ground, or the link was removed.
---@field name? string  The link's.

--- What has changed under the path since it was found, for its query's profile. Other ground that has become cheaper is
--- no change under it.
---@return leeward.PathChange[]?
---@return string? message
---@return leeward.Code? code  STALE: its world was destroyed
function Path:changes() end
