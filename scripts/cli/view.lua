-- leeward view NAVMESH

local scene = require "scripts.cli.scene"
local terminal = require "scripts.cli.terminal"

local spec = {
  name = "view",
  summary = "show a navmesh in a window",
  positional = { { "NAVMESH", "a navmesh file, or anything that `leeward bake` reads" } },
  options = scene.with_options { scene.permutation_option },
  check = scene.check,
}

local function run(given)
  local loaded, sdl = pcall(require, "leeward_sdl")
  if not loaded then return nil, "no window, leeward_sdl cannot be loaded: " .. sdl end
  if sdl.is_headless() then
    return nil, "there is no display; `leeward run roam --level NAVMESH --picture FILE` writes a picture"
  end
  local level, message = scene.load(given.NAVMESH, given)
  if not level then return nil, message end
  terminal.print(scene.describe(level))
  local names
  names, message = scene.permutations(level)
  if not names then return nil, message end
  if not names[1] and not given.permutation then
    return sdl.view { navmesh = level.navmesh, geometry = level.geometry, title = level.name }
  end
  local world
  world, message = scene.new_world(level, given)
  if not world then return nil, message end
  return sdl.view { world = world, geometry = level.geometry, title = level.name }
end

return { spec = spec, run = run }
