-- Courtyard: soldiers on patrol, civilians, cars on the road, two dogs.

-- The agents: profile, the level's starting points, and pace.
local cast = {
  { profile = "soldier", spawn = "soldiers", team = "guards", pace = "normal" },
  { profile = "soldier", spawn = "balcony", team = "guards", pace = "calm" },
  { profile = "civilian", spawn = "civilians", pace = "calm" },
  { profile = "car", spawn = "cars", pace = "calm" },
  { profile = "truck", spawn = "trucks", pace = "calm" },
  { profile = "dog", spawn = "dogs", pace = "normal" },
}

local function setup(world, _, level)
  for _, role in ipairs(cast) do
    local places = level.spawns and level.spawns[role.spawn]
    if not places then
      return nil, ("level '%s' has no spawns.%s; scenario 'roam' runs on any level"):format(level.name, role.spawn)
    end
    for number, at in ipairs(places) do
      local agent, message = world:spawn {
        profile = role.profile, at = at, tree = "wander", team = role.team, pace = role.pace,
      }
      if not agent then return nil, ("spawns.%s[%d] (%s): %s"):format(role.spawn, number, role.profile, message) end
    end
  end
  return true
end

return { level = "courtyard", seed = 7, seconds = 60, setup = setup }
