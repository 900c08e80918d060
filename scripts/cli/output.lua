-- The file that a command is to write, looked at before the work for it begins. A file of another kind that is there is
-- not replaced: most often it is the level itself, or a file that belongs to it.

local leeward = require "leeward"
local has_host, host = pcall(require, "leeward.host")

local output = {}

local KINDS = {
  navmesh = { begins = "LWNMESH\0", name = "a navmesh file" },
  routes = { begins = "LWROUTE\0", name = "a route table" },
  picture = { begins = "\x89PNG\r\n\x1A\n", name = "a PNG picture" },
}

-- output.check(file, what, kind) --> true | nil, why the file that `what` names cannot be written or is not replaced
function output.check(file, what, kind)
  if not has_host then return true end
  local reason = host.cannot_write(file)
  if reason then return nil, ("cannot write '%s': %s"):format(leeward.shown(file), reason) end
  local begins = host.read(file, #KINDS[kind].begins)
  if begins and begins ~= "" and begins ~= KINDS[kind].begins then
    return nil, ("%s is '%s', a file of another kind, expected a new file or %s to replace"):format(what,
      leeward.shown(file), KINDS[kind].name)
  end
  return true
end

return output
