---@meta _
-- luacheck: ignore 241
---@class leeward
local leeward = {}

---@class leeward.ImportSettings
---@field areas? table<integer, string>  Names for Detour's areas (0..63), such as `{ [0] = "ground", [2] = "road" }`.
--- Default for 0 and 63: the first area ("ground"). A polygon with any other area needs a name.

--- Import a navmesh of another program. The contents of the file determine its format:
--- - Polyanya's `.mesh`, version 2: x and y become x and z, y is 0; all polygons are of the first area ("ground").
--- - Detour's tile sets as RecastDemo saves them ('MSET' version 1, tiles of version 7, 32-bit references). Off-mesh
---   connections become jumps.
---
--- The neighbours in the file must match its geometry. Messages count polygons, vertices and tiles from 1.
---@param file string
---@param settings? leeward.ImportSettings
---@return leeward.Navmesh?
---@return string? message
---@return leeward.Code? code  FILE, BAD_FILE (foreign, of another version, truncated, wrong), EMPTY or NOT_FOUND (an
--- area without a name)
function leeward.import_navmesh(file, settings) end
