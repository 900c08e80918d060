-- shell(command) --> what the command printed on standard output, exit status
return function(command)
  local pipe = assert(io.popen(command))
  local text = pipe:read("a")
  local _, _, status = pipe:close()
  return text, status
end
