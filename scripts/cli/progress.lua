-- Progress on standard error: a bar on a terminal, elsewhere a line for each quarter.

local leeward = require "leeward"
local has_host, host = pcall(require, "leeward.host")

local WIDTH = 40

-- progress(label) --> function(done, total); the bar ends when done reaches total.
return function(label)
  label = leeward.shown(label)
  local on_terminal = has_host and host.is_terminal()
  local shown, printed = -1, 0
  return function(done, total)
    local part = total > 0 and math.min(done / total, 1) or 1
    if on_terminal then
      local percent = math.floor(part * 100)
      if percent == shown then return end
      shown = percent
      local filled = math.floor(part * WIDTH)
      io.stderr:write(("\r%s [%s%s] %3d %%"):format(label, ("#"):rep(filled), (" "):rep(WIDTH - filled), percent))
      if part == 1 then io.stderr:write("\n") end
    else
      local quarter = math.floor(part * 4)
      if quarter > printed then io.stderr:write(("%s: %d %%\n"):format(label, quarter * 25)) end
      printed = math.max(printed, quarter)
    end
  end
end
