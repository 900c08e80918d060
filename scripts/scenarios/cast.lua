-- Cast: agents that run the bundled trees, on any level: two teams of guards and patrols, and hunters after both.
-- `--cast guard=4,hunter` says how many run which tree.

local DEFAULT = {
  { tree = "guard", count = 4 }, { tree = "patrol", count = 3 }, { tree = "hunter", count = 2 },
  { tree = "civilian", count = 5 }, { tree = "driver", count = 2 }, { tree = "medic", count = 2 },
}

local SENSES = { sight = { range = 25 }, hearing = { range = 30 }, memory = 8 }

-- Who runs a tree: any other one is run by soldiers without a team.
local ROLES = {
  guard = { profile = "soldier", teams = { "red", "blue" }, senses = SENSES, has_route = true },
  patrol = { profile = "soldier", teams = { "red", "blue" }, senses = SENSES, has_route = true },
  hunter = { profile = "soldier", teams = { "hunters" }, senses = SENSES },
  civilian = { profile = "civilian", senses = SENSES },
  driver = { profile = "car", has_route = true },
  medic = { profile = "medic", teams = { "red", "blue" }, senses = SENSES },
}

local ROUTE_POINTS, ROUTE_RADIUS = 3, 25

local function draw_route(world, profile, at)
  local route = { at }
  for _ = 2, ROUTE_POINTS do
    route[#route + 1] = world:random_point { profile = profile, around = at, radius = ROUTE_RADIUS }
  end
  return route
end

local function spawn(world, tree, number)
  local role = ROLES[tree] or { profile = "soldier", senses = SENSES }
  local at, message = world:random_point { profile = role.profile }
  if not at then return nil, ("no place for a %s: %s"):format(role.profile, message) end
  local agent
  agent, message = world:spawn {
    profile = role.profile, at = at, tree = tree, team = role.teams and role.teams[(number - 1) % #role.teams + 1],
    blackboard = role.has_route and { route = draw_route(world, role.profile, at) } or nil,
  }
  if not agent then return nil, ("cannot spawn a %s at %s: %s"):format(role.profile, at, message) end
  if role.senses then agent:senses(role.senses) end
  return agent
end

local function setup(world, _, _, cast)
  for _, part in ipairs(cast or DEFAULT) do
    for number = 1, part.count do
      local agent, message = spawn(world, part.tree, number)
      if not agent then return nil, message end
    end
  end
  return true
end

-- What each tree's agents do at the end.
local function report(world)
  local rows = { { "team", "what it does" } }
  for _, agent in ipairs(world:agents()) do rows[#rows + 1] = { agent:team() or "", agent:why():sub(1, 90) } end
  return rows
end

return { level = "courtyard", seed = 7, seconds = 60, setup = setup, report = report }
