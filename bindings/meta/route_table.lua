---@meta _
-- luacheck: ignore 241

---@class leeward.World
local World = {}

--- What it costs to go between chosen places, and where to walk first: computed once, asked in constant time.
---@class leeward.RouteTable
---@operator len: integer
local RouteTable = {}

---@class leeward.RouteQuery
---@field places table<string|integer, leeward.Point>  A list, or points by name. [1..2000, m]
---@field profile? string|leeward.Profile  Without: only length counts, and every area may be entered.
---@field snap? leeward.Point  Half sizes of the snap box. [m, > 0, default 2 4 2]
---@field navmesh? leeward.Navmesh|integer  Of this world, or its number. Default: for each place the one that fits.
---@field cost? leeward.Costs  Replaces the profile's numbers.
---@field avoid? string[]  Replaces the profile's list.
---@field can_take? leeward.LinkKinds  Replaces the profile's flags.
---@field visibility? number  Replaces the visibility of the world. [0..1]

--- What it costs to go from each of some places to each other one, by one distance field for each.
---@param query leeward.RouteQuery
---@return table<string|integer, table<string|integer, number|false>> costs  `costs[from][to]`, by the keys of `places`;
--- false: there is no route [metre-equivalents]
function World:path_costs(query) end

--- Compute a route table. It takes 16 bytes for each pair of places, and belongs to its world.
---@param query leeward.RouteQuery
---@return leeward.RouteTable
function World:route_table(query) end

--- Read a table that was saved, in a world with the same navmeshes, recognised by their content. It is stale if it was
--- saved in a world that had changed, or this world has. Names that are whole numbers come back as numbers.
---@param file string
---@return leeward.RouteTable?
---@return string? message
---@return leeward.Code? code  FILE, BAD_FILE; NOT_FOUND: it is of other navmeshes
function World:load_routes(file) end

---@param from string|integer  key in `places`
---@param to string|integer
---@return number|false  [metre-equivalents]; false: there is no route
function RouteTable:cost(from, to) end

---@param from string|integer  key in `places`
---@param to string|integer
---@return leeward.vec3|false  where to walk to first on the route; false: there is no route
function RouteTable:next(from, to) end

---@return boolean  navmeshes have changed since it was computed, or dangers and fire lanes came or went that cost its
--- agents something
function RouteTable:is_stale() end

--- Write it to a file, in one step. Raises once its world was destroyed; costs and points can still be asked then.
---@param file string
---@return true?
---@return string? message
---@return leeward.Code? code  FILE
function RouteTable:save(file) end

---@return integer  bytes held
function RouteTable:bytes() end
