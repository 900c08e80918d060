-- What a navmesh saves.
return function(navmesh)
  local name = os.tmpname()
  assert(navmesh:save(name))
  local file = assert(io.open(name, "rb"))
  local text = file:read "a"
  file:close()
  os.remove(name)
  return text
end
