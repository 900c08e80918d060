-- Route tables of `leeward bake --routes FILE`: what FILE says, and the table beside the navmesh.

local leeward = require "leeward"
local fields = require "scripts.cli.fields"
local output = require "scripts.cli.output"

local routes = {}

local function is_profile(value) return type(value) == "string" or type(value) == "table" end

local FIELDS = {
  { "places", "a table of points", fields.is "table", required = true },
  { "profile", "a profile's name or a table", is_profile },
  { "snap", "a point", fields.is "table" },
  { "cost", "a table", fields.is "table" },
  { "avoid", "a list of areas", function(value) return fields.is_list(value, fields.is "string") end },
  { "can_take", "a table", fields.is "table" },
}

-- routes.load(file, out) --> the query that a Lua file returns, and the file to write for the navmesh `out`
--                          | nil, message
function routes.load(file, out)
  local query, message = fields.load_values(file, FIELDS)
  if not query then return nil, message end
  local written = out:gsub("%.lwn$", "") .. ".lwr"
  local ok
  ok, message = output.check(written, "the route table", "routes")
  if not ok then return nil, message end
  return query, written
end

-- routes.save(navmesh, query, file, written) --> a line that says what was written | nil, message
-- `file` is the one that the query is from.
function routes.save(navmesh, query, file, written)
  local world = leeward.world { navmesh = navmesh }
  local ok, found = pcall(world.route_table, world, query)
  if not ok then return nil, ("%s: %s"):format(leeward.shown(file), (tostring(found):gsub("^route_table: ", ""))) end
  local saved, message = found:save(written)
  if not saved then return nil, message end
  return ("routes between %d places, %d bytes; wrote %s"):format(#found, found:bytes(), leeward.shown(written))
end

return routes
