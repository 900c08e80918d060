-- Roam: twenty agents at random points of any level.

local COUNT = 20
local PROFILES = { "human", "soldier", "civilian", "dog" }

local function setup(world)
  for number = 1, COUNT do
    local profile = PROFILES[(number - 1) % #PROFILES + 1]
    local at, message = world:random_point { profile = profile }
    if not at then return nil, ("no place for a %s: %s"):format(profile, message) end
    local agent
    agent, message = world:spawn { profile = profile, at = at, tree = "wander" }
    if not agent then return nil, ("cannot spawn a %s at %s: %s"):format(profile, at, message) end
  end
  return true
end

return { level = "courtyard", seed = 7, seconds = 60, setup = setup }
