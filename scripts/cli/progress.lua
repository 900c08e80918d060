-- A progress bar on standard error where that is a terminal; elsewhere a line at each quarter.

local has_host, host = pcall(require, "leeward.host")

local WIDTH = 40

-- progress(label) --> function(done, total); the bar ends when done reaches total.
return function(label)
  local on_terminal = has_host and host.is_terminal()
  local shown, told = -1, 0
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
      if quarter > told then io.stderr:write(("%s: %d %%\n"):format(label, quarter * 25)) end
      told = math.max(told, quarter)
    end
  end
end
