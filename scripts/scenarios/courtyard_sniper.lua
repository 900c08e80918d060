-- Courtyard sniper: a sniper on the balcony, and three squads with the same goal, which know of the sniper. They differ
-- only in their cover_bias: the cost of a metre in the sniper's sight.

-- A higher cover_bias gives a longer path with less exposure.
local squads = {
  { cover_bias = 1, color = 0xffffff },
  { cover_bias = 3, color = 0xc3ff4d },
  { cover_bias = 10, color = 0xff9dfb },
}

local function name_of(squad) return ("cover_bias %g"):format(squad.cover_bias) end

-- At the fast pace, the longest path takes half a minute.
local function spawn_squad(world, leeward, squad, level)
  leeward.profile(name_of(squad), { extends = "soldier", cover_bias = squad.cover_bias })
  squad.soldiers = {}
  for place, at in ipairs(level.spawns["squad " .. squad.number]) do
    local soldier, message = world:spawn {
      profile = name_of(squad), at = at, team = "squads", pace = "fast", color = squad.color,
    }
    if not soldier then return nil, ("squad %d, soldier %d: %s"):format(squad.number, place, message) end
    local ok
    ok, message = soldier:move_to(level.spawns["rally " .. squad.number][place])
    if not ok then return nil, ("squad %d, soldier %d: %s"):format(squad.number, place, message) end
    squad.soldiers[place] = { agent = soldier, at = soldier:position(), metres = 0, exposed = 0 }
  end
  return true
end

local threat

local function setup(world, leeward, level)
  if not (level.spawns and level.spawns.sniper) then
    return nil, ("level '%s' has no spawns.sniper; scenario 'roam' runs on any level"):format(level.name)
  end
  local sniper, message = world:spawn {
    profile = "sniper", at = level.spawns.sniper[1], team = "guards", color = 0xff3b30,
  }
  if not sniper then return nil, "sniper: " .. message end
  threat = world:add_threat { agent = sniper, known_to = "squads", weight = 1.5 } -- above that of an ordinary threat
  for number, squad in ipairs(squads) do
    squad.number = number
    local ok
    ok, message = spawn_squad(world, leeward, squad, level)
    if not ok then return nil, message end
  end
  return true
end

-- Add up each soldier's distance, and the part of it that the sniper sees.
local function step(world)
  for _, squad in ipairs(squads) do
    for _, soldier in ipairs(squad.soldiers) do
      local at = soldier.agent:position()
      if at ~= soldier.at then
        soldier.metres = soldier.metres + at:distance(soldier.at)
        soldier.exposed = soldier.exposed + world:exposure {
          from = soldier.at, to = at, threats = { threat }, profile = soldier.agent:profile(), accuracy = "exact",
        }
        soldier.at = at
      end
    end
  end
end

-- Means over each squad, as rows of a table.
local function report()
  local rows = { { "squad", "metres", "exposed m", "share" } }
  for number, squad in ipairs(squads) do
    local metres, exposed = 0, 0
    for _, soldier in ipairs(squad.soldiers) do
      metres, exposed = metres + soldier.metres, exposed + soldier.exposed
    end
    local count = #squad.soldiers
    rows[number + 1] = {
      name_of(squad), ("%.1f"):format(metres / count), ("%.1f"):format(exposed / count),
      ("%.0f %%"):format(metres > 0 and 100 * exposed / metres or 0),
    }
  end
  return rows
end

return {
  level = "courtyard", seed = 7, seconds = 45, setup = setup, step = step, report = report,
  picture = {
    at = 0.4, -- the agents have just started
    title = "courtyard: paths by the cost of a metre in the sniper's sight",
    layers = {
      "areas", "edges", "borders", "links", "exposure", "cover", "paths", "agents", "threats",
    },
  },
}
