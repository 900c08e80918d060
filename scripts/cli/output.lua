-- The file that a command is to write, looked at before the work for it begins.

local leeward = require "leeward"
local has_host, host = pcall(require, "leeward.host")

local output = {}

-- output.check(file, source) --> true | nil, why `file` cannot be written, or must not be since it is the source
function output.check(file, source)
  if file == source or has_host and host.is_same_file(file, source) then
    return nil, ("OUT is '%s', expected another file than IN"):format(leeward.shown(file))
  end
  local reason = has_host and host.cannot_write(file)
  if reason then return nil, ("cannot write '%s': %s"):format(leeward.shown(file), reason) end
  return true
end

return output
