-- Looks whether files of profiles and areas were edited while a world runs, and reloads them.

local leeward = require "leeward"
local clock = require "scripts.cli.clock"

local SECONDS = 0.5 -- between looks

-- edits() --> { step = function() --> what to show, or nil }; call step after every step of the world.
return function()
  local self = {}
  local next_look, told = clock() + SECONDS, nil

  local function say(text) io.stderr:write(text, "\n") end

  function self.step()
    local now = clock()
    if now < next_look then return told end
    next_look = now + SECONDS
    local files, message = leeward.reload()
    if not files then
      message = "not reloaded, what was loaded before stays: " .. message
      if message ~= told then say(message) end
      told = message
    elseif #files > 0 then
      for _, file in ipairs(files) do say("reloaded " .. file) end
      told = "reloaded " .. table.concat(files, ", ")
    elseif told and told:match("^not reloaded") then
      say("the files are as they were when they were loaded")
      told = nil
    end
    return told
  end

  return self
end
