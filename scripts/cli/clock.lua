-- clock() --> seconds since some fixed moment: wall-clock time, or processor time outside of the leeward program.

local has_host, host = pcall(require, "leeward.host")

return has_host and host.clock or os.clock
