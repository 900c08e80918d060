-- What commands write. Names of files, profiles or areas and errors of scripts may hold anything: control characters
-- are written as \n or \x1B, so that they do nothing to the terminal.

local leeward = require "leeward"

local terminal = {}

local LINE_MAX = 100000 -- bytes; of a longer line the middle is left out

-- terminal.line(text) --> the text as a single line
function terminal.line(text) return leeward.shown(tostring(text), LINE_MAX) end

-- terminal.lines(text) --> the text with its own lines and the tabs that begin them, such as a traceback has
function terminal.lines(text)
  return (tostring(text):gsub("[^\n]+", function(line)
    local tabs, rest = line:match "^(\t*)(.*)$"
    return tabs .. terminal.line(rest)
  end))
end

-- terminal.print(text): prints a line on standard output
function terminal.print(text) print(terminal.line(text)) end

-- terminal.warn(text): prints one line or more on standard error
function terminal.warn(text) io.stderr:write(terminal.lines(text), "\n") end

return terminal
