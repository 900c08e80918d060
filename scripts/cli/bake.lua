-- leeward bake IN OUT

local scene = require "scripts.cli.scene"

local spec = {
  name = "bake",
  summary = "turn a level into a navmesh file",
  positional = {
    { "IN", "a bundled level, a level in Lua, or an OBJ, glTF or other file that Assimp reads" },
    { "OUT", "the navmesh file to write (.lwn)" },
  },
  options = scene.bake_options,
}

local function run(given)
  local level, message = scene.level(given.IN)
  if not level then return nil, message end
  if not level.geometry then return nil, ("'%s' is baked already"):format(given.IN) end
  local settings = {}
  for key, value in pairs(given) do
    if key ~= "IN" and key ~= "OUT" then settings[key] = value end
  end
  local ok
  ok, message = scene.bake(level, settings)
  if not ok then return nil, message end
  ok, message = level.navmesh:save(given.OUT)
  if not ok then return nil, message end
  local low, high = level.navmesh:bounds()
  local triangles = level.geometry:stats().triangles
  print(scene.describe(level))
  print(("%d triangles; bounds %s to %s; wrote %s"):format(triangles, low, high, given.OUT))
  return true
end

return { spec = spec, run = run }
