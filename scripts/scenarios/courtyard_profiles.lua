-- Courtyard profiles: one agent of each shipped profile, all from the same place to the same place, past a sniper on
-- the balcony. Each takes the path that suits it.

local FROM, TO = { -34, 0, 2 }, { 30, 0, 20 } -- over the canal: by the ford, the bridge, or the road round the east

local SNIPER = 0x1f8a3b -- the one on the balcony and the one on his way

local profiles = {
  { name = "human", color = 0xffffff }, { name = "civilian", color = 0xffe14d }, { name = "soldier", color = 0x7dff5a },
  { name = "sniper", color = SNIPER }, { name = "medic", color = 0xff5ac8 }, { name = "dog", color = 0xb5651d },
  { name = "diver", color = 0x35d0ff }, { name = "car", color = 0xff3b30 }, { name = "truck", color = 0xff9a2e },
  { name = "hovercraft", color = 0x9a7dff },
}

local function setup(world, _, level)
  if not (level.spawns and level.spawns.sniper) then
    return nil, ("level '%s' has no spawns.sniper; scenario 'roam' runs on any level"):format(level.name)
  end
  local sniper, message = world:spawn {
    profile = "sniper", at = level.spawns.sniper[1], team = "guards", color = SNIPER,
  }
  if not sniper then return nil, "sniper: " .. message end
  local threat = world:add_threat { agent = sniper, known_to = "walkers" }
  for _, profile in ipairs(profiles) do
    profile.agent, message = world:spawn { profile = profile.name, at = FROM, team = "walkers", color = profile.color }
    if not profile.agent then return nil, ("%s: %s"):format(profile.name, message) end
    local ok
    ok, message = profile.agent:move_to(TO)
    if not ok then return nil, ("%s: %s"):format(profile.name, message) end
    -- The agent gets its path from the planner, some steps later; it is this one.
    local path
    path, message = world:find_path { from = FROM, to = TO, profile = profile.name, threats = { threat } }
    if not path then return nil, ("%s: %s"):format(profile.name, message) end
    profile.why, profile.exposed = path:explain(), 0
    local points = path:points()
    for i = 2, #points do
      profile.exposed = profile.exposed + world:exposure {
        from = points[i - 1], to = points[i], threats = { threat }, profile = profile.name,
      }
    end
  end
  return true
end

-- What each path leads over, longest first.
local function ground_of(why)
  local metres, names = {}, {}
  for _, segment in ipairs(why.segments) do
    if segment.area then metres[segment.area] = (metres[segment.area] or 0) + segment.length end
  end
  for name in pairs(metres) do names[#names + 1] = name end
  table.sort(names, function(a, b) return metres[a] > metres[b] end)
  for i, name in ipairs(names) do names[i] = ("%s %.0f"):format(name, metres[name]) end
  return table.concat(names, ", ")
end

local function report()
  local rows = { { "profile", "metres", "cost", "exposed m", "over" } }
  for _, profile in ipairs(profiles) do
    local total = profile.why.total
    rows[#rows + 1] = {
      profile.name, ("%.1f"):format(total.length), ("%.1f"):format(total.cost), ("%.1f"):format(profile.exposed),
      ground_of(profile.why),
    }
  end
  return rows
end

return {
  level = "courtyard", seed = 7, seconds = 1, setup = setup, report = report,
  picture = {
    at = 0.1, -- the agents have just started
    title = "courtyard: what path suits which profile",
    -- Without "agents", who stand in one place and would cover each other and where the paths part.
    layers = { "areas", "edges", "borders", "links", "exposure", "paths", "threats" },
  },
}
