-- clock() --> seconds since some fixed moment, as the wall clock goes; processor time where there is no host.

local has_host, host = pcall(require, "leeward.host")

return has_host and host.clock or os.clock
