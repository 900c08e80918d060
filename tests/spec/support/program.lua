-- program(word, ...) --> exit status, all that `leeward word ...` printed on its two outputs
local PROGRAM = (os.getenv "BUILD" or "build") .. "/leeward"

return function(...)
  local words = { PROGRAM, ... }
  for index, word in ipairs(words) do words[index] = "'" .. word .. "'" end
  local pipe = assert(io.popen(table.concat(words, " ") .. " 2>&1"))
  local output = pipe:read "a"
  local _, _, status = pipe:close()
  return status, output
end
