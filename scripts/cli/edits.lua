-- Reloads the files of profiles, areas, permutations, trees and modules that are edited while a world runs.

local leeward = require "leeward"
local clock = require "scripts.cli.clock"
local terminal = require "scripts.cli.terminal"

local SECONDS = 0.5 -- between checks

-- edits() --> { step = function() --> a notice to show, or nil }; call step after every step of the world.
return function()
  local self = {}
  local next_check, notice = clock() + SECONDS, nil

  function self.step()
    local now = clock()
    if now < next_check then return notice end
    next_check = now + SECONDS
    local files, message = leeward.reload()
    if not files then
      message = "not reloaded, the previous data stay in use: " .. message
      if message ~= notice then terminal.warn(message) end
      notice = message
    elseif #files > 0 then
      for _, file in ipairs(files) do terminal.warn("reloaded " .. file) end
      notice = "reloaded " .. table.concat(files, ", ")
    elseif notice and notice:match("^not reloaded") then
      terminal.warn("the files are again as they were loaded")
      notice = nil
    end
    return notice
  end

  return self
end
