--- A call of every public function that allocates in Lua or in the runtime, for tests that let something go wrong
--- inside it.
local leeward = require "leeward"

local api_calls = {}

local count = 0
--- A string that nothing else holds.
local function word(text)
  count = count + 1
  return text .. count
end

--- A small vehicle.
--- New each time: attacks empty the tables that a call has.
local function cart()
  return { extends = "soldier", radius = 0.2, wheelbase = 0.3, length = 0.5, width = 0.3, turn_radius = 0.5 }
end

local level, navmesh, rebuilt
--- A floor of 12 x 12 m with a wall to hide behind.
local function bake()
  level = leeward.geometry()
  level:add_box { min = { 0, -1, 0 }, max = { 12, 0, 12 } }
  level:add_box { min = { 5, 0, 4 }, max = { 6, 2, 8 }, area = false }
  level:add_link { kind = "jump", from = { 1, 0, 1 }, to = { 3, 0, 1 } }
  level:add_link { kind = "jump", from = { 1, 5, 1 }, to = { 3, 9, 1 } }
  level:add_cover { from = { 50, 0, 1 }, to = { 52, 0, 1 } }
  navmesh = assert(leeward.bake(level, { cell_size = 0.3, agent_radius = 0.4, threads = 1 }))
  rebuilt = assert(leeward.bake(level, { cell_size = 0.3, agent_radius = 0.4, threads = 1 }))
end

local function leaf(name)
  return { kind = "leaf", name = name, start = function() return "running" end,
    tick = function() return "running" end, stop = function() end }
end

--- A world with something of each kind in it, one step old.
function api_calls.scene()
  if not navmesh then bake() end
  local s = { navmesh = navmesh, rebuilt = rebuilt, geometry = leeward.geometry() }
  local world = leeward.world { navmesh = navmesh, log = function() end,
    links = { { kind = "jump", from = { 2, 0, 2 }, to = { 4, 0, 2 } } } }
  s.world = world
  s.tree = leeward.tree("api_calls", { kind = "sequence", leaf "Idle" })
  s.team = word "red"
  s.agent = assert(world:spawn { profile = { extends = "soldier", radius = 0.3 }, at = { 1, 0, 6 }, team = s.team,
    tree = s.tree, stance = "crouch" })
  s.other = assert(world:spawn { profile = "human", at = { 10, 0, 6 }, tree = s.tree })
  s.threat = world:add_threat { at = { 10, 1.6, 6 }, known_to = s.team }
  s.eye = world:add_threat { agent = s.other, known_to = true }
  s.danger = world:add_danger { at = { 3, 0, 3 }, radius = 2 }
  s.group = world:group { agents = { s.other } }
  s.lane = world:add_fire_lane { from = { 0, 1, 2 }, to = { 12, 1, 2 } }
  s.obstacle = world:add_obstacle { at = { 9, 0, 2 }, size = { 0.5, 1, 0.5 } }
  s.polygon = world:add_obstacle { points = { { 0, 0, 0 }, { 0.5, 0, 0 }, { 0, 0, 0.5 } }, at = { 10, 0, 2 },
    area = "road", attached_to = s.obstacle }
  s.carried = world:add_obstacle { radius = 0.5, carrier = s.other }
  s.lift = word "lift"
  s.link = world:add_link { kind = "ladder", name = s.lift, from = { 2, 0, 10 }, to = { 4, 0, 10 },
    bidirectional = true }
  world:on_link(function() end)
  s.door = word "door"
  world:permutation(s.door, { default = "open", open = {}, shut = { cut = {
    { box = { at = { 2, 0, 9 }, size = { 1, 2, 1 } } } }, links = { [s.lift] = false } } })
  world:on_permutation(function() end)
  s.agent:learn_threat(s.threat)
  s.agent:move_to { 11, 0, 11 }
  world:step()
  s.path = assert(world:find_path { from = { 1, 0, 1 }, to = { 11, 0, 11 }, threats = { s.threat } })
  s.field = assert(world:distance_field { to = { { 11, 0, 11 }, { 1, 0, 1 } }, profile = "soldier" })
  s.drive = assert(world:find_drive { from = { 1, 0, 1 }, to = { 3, 0, 1 }, profile = cart() })
  s.gate = word "gate"
  s.routes = world:route_table { places = { [s.gate] = { 11, 0, 11 }, { 1, 0, 1 } } }
  s.hall = word "hall"
  s.regions = leeward.regions(navmesh, { names = { [s.hall] = { 1, 0, 1 } } })
  world:set_regions(s.regions)
  s.cover = (s.agent:find_cover { radius = 10 } or {})[1]
  return s
end

--- To rebuild the scene's navmesh in the background, of a geometry that nothing else uses.
local function again()
  local geometry = leeward.geometry()
  geometry:add_box { min = { 0, -1, 0 }, max = { 12, 0, 12 } }
  return { geometry = geometry, box = { { 5, 0, 4 }, { 6, 2, 8 } }, cell_size = 0.3, agent_radius = 0.4, threads = 1 }
end

local function across() return { from = { 1, 0, 1 }, to = { 11, 0, 11 }, profile = "soldier" } end

local function threats() return { { at = { 10, 1.6, 6 } } } end
local A, B = { 1, 0, 1 }, { 11, 0, 11 }
local function ground() return { profile = "soldier", snap = { 2, 4, 2 } } end
local FILE = os.tmpname()

--- Name -> the arguments, the object first if it is a method. The tables are the call's own.
api_calls.arguments = {
  ["Agent:cover"] = function(s) s.agent:reserve_cover { 3, 0, 6 } return { s.agent } end,
  ["Agent:eye"] = function(s) return { s.agent, "crouch" } end,
  ["Agent:find_cover"] = function(s)
    return { s.agent, { radius = 10, stance = "crouch", weights = { flank = 1 } } }
  end,
  ["Agent:goal"] = function(s) return { s.agent } end,
  ["Agent:is_seen"] = function(s) return { s.agent, { s.threat, s.other, { at = { 10, 1.6, 6 } } } } end,
  ["Agent:senses"] = function(s)
    return { s.agent, { sight = { range = 20 }, hearing = { range = 9 }, memory = 3 } }
  end,
  ["Agent:perceived"] = function(s) return { s.agent } end,
  ["Agent:perceives"] = function(s) return { s.agent, s.other } end,
  ["Agent:forget"] = function(s) return { s.agent, s.other } end,
  ["Agent:heard"] = function(s) return { s.agent } end,
  ["Agent:whiskers"] = function(s) return { s.agent } end,
  ["Agent:pose"] = function(s) return { s.agent, 0.5 } end,
  ["Agent:blocked_by"] = function(s) return { s.agent } end,
  ["Agent:desired_velocity"] = function(s) return { s.agent } end,
  ["Agent:set_external"] = function(s)
    local walker = assert(s.world:spawn { profile = { extends = "human", avoidance = "full" }, at = { 5, 0, 6 } })
    return { walker, { 1, 0, 1 }, { 1, 0, 0 } }
  end,
  ["Agent:set_heading"] = function(s) return { s.agent, 1 } end,
  ["World:noise"] = function(s) return { s.world, { at = { 1, 0, 6 }, loudness = 9, team = word "team" } } end,
  ["Agent:kill"] = function(s) return { s.other } end,
  ["Agent:despawn"] = function(s) return { s.agent } end,
  ["Agent:explain"] = function(s) return { s.agent } end,
  ["Agent:learn_threat"] = function(s) return { s.other, s.threat } end,
  ["Agent:move_state"] = function(s) s.agent:move_to { 500, 0, 1 } return { s.agent } end,
  ["Agent:move_to"] = function(s)
    return { s.agent, { 11, 0, 1 }, { within = 0.5, pace = "fast", quality = "fast", cost = { cover_bias = 3 },
      avoid = { "road" }, can_take = { jump = false }, threats = { { at = { 5, 2, 5 } } } } }
  end,
  ["Agent:navmesh"] = function(s) return { s.agent } end,
  ["Agent:pace"] = function(s) return { s.agent } end,
  ["Agent:position"] = function(s) return { s.agent } end,
  ["Agent:profile"] = function(s) return { s.agent } end,
  ["Agent:random_point"] = function(s) return { s.agent, { radius = 5 } } end,
  ["Agent:raycast"] = function(s) return { s.agent, { 1, 0, 1 }, { 11, 0, 1 } } end,
  ["Agent:set_cover_stance"] = function(s)
    s.agent:reserve_cover { 3, 0, 6 }
    return { s.agent, "crouch" }
  end,
  ["Agent:reserve_cover"] = function(s) return { s.agent, { 3, 0, 6 }, { leash = 2 } } end,
  ["Agent:route"] = function(s) return { s.agent } end,
  ["Agent:set_threats"] = function(s) return { s.agent, { s.threat, s.other, { at = { 10, 1.6, 6 } } } } end,
  ["Agent:set_stance"] = function(s) return { s.agent, "crouch" } end,
  ["Agent:stance"] = function(s) return { s.agent } end,
  ["Agent:stats"] = function(s) return { s.agent } end,
  ["Agent:team"] = function(s) return { s.agent } end,
  ["Agent:threats"] = function(s) return { s.agent } end,
  ["Agent:velocity"] = function(s) return { s.agent } end,
  ["Agent:why"] = function(s) return { s.agent } end,
  ["CoverPoint:reserve"] = function(s) return { s.cover, s.agent, { leash = 1 } } end,
  ["CoverPoint:release"] = function(s) return { s.cover, s.agent } end,
  ["Danger:at"] = function(s) return { s.danger } end,
  ["Danger:get"] = function(s) return { s.danger } end,
  ["FireLane:get"] = function(s) return { s.lane } end,
  ["Geometry:add_box"] = function(s) return { s.geometry, { at = { 0, 0, 0 }, size = { 1, 1, 1 }, area = "road" } } end,
  ["Geometry:add_cover"] = function(s) return { s.geometry, { from = { 1, 0, 1 }, to = { 2, 0, 1 } } } end,
  ["Geometry:add_link"] = function(s)
    return { s.geometry, { kind = "jump", from = { 1, 0, 1 }, to = { 3, 0, 1 }, area = "road" } }
  end,
  ["Geometry:add_mesh"] = function(s)
    return { s.geometry, { vertices = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 0, 1 } }, indices = { 1, 3, 2 },
      areas = { "road" }, covers = { "soft" } } }
  end,
  ["Geometry:add_ramp"] = function(s) return { s.geometry, { from = { 0, 0, 0 }, to = { 3, 1, 0 }, width = 2 } } end,
  ["Geometry:add_water"] = function(s)
    return { s.geometry, { polygon = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 0, 1 } }, level = 1, deep = "deep_water" } }
  end,
  ["Geometry:bounds"] = function(s) s.geometry:add_box { at = A, size = { 1, 1, 1 } } return { s.geometry } end,
  ["Geometry:mark_detail"] = function(s)
    return { s.geometry, { box = { min = { 0, 0, 0 }, max = { 1, 1, 1 } }, max_edge = 0.5 } }
  end,
  ["Geometry:forbid_cover"] = function(s) return { s.geometry, { box = { min = { 0, 0, 0 }, max = { 1, 1, 1 } } } } end,
  ["Geometry:add_seed"] = function(s) return { s.geometry, { 1, 0, 1 } } end,
  ["Geometry:mark_area"] = function(s)
    return { s.geometry, { area = "road", path = { { 0, 0, 0 }, { 9, 0, 0 } }, width = 2 } }
  end,
  ["Geometry:stats"] = function(s) return { s.geometry } end,
  ["Navmesh:agent"] = function(s) return { s.navmesh } end,
  ["Navmesh:bounds"] = function(s) return { s.navmesh } end,
  ["Navmesh:links"] = function(s) return { s.navmesh } end,
  ["Navmesh:polygons"] = function(s) return { s.navmesh } end,
  ["Navmesh:refused_cover"] = function(s) return { s.navmesh } end,
  ["Navmesh:cover_map"] = function(s) return { s.navmesh, { 5, 0, 6 } } end,
  ["Navmesh:refused_links"] = function(s) return { s.navmesh } end,
  ["Navmesh:save"] = function(s) return { s.navmesh, FILE } end,
  ["Navmesh:tiles"] = function(s) return { s.navmesh } end,
  ["RebuildJob:apply"] = function(s) return { s.world:rebuild(again()) } end,
  ["RebuildJob:cancel"] = function(s) return { s.world:rebuild(again()) } end,
  ["RebuildJob:is_done"] = function(s) return { s.world:rebuild(again()) } end,
  ["RebuildJob:progress"] = function(s) return { s.world:rebuild(again()) } end,
  ["Search:step"] = function(s) return { s.world:search(across()), 5 } end,
  ["Search:finish"] = function(s) return { s.world:search(across()) } end,
  ["Search:work"] = function(s) return { s.world:search(across()) } end,
  ["Search:cancel"] = function(s) return { s.world:search(across()) } end,
  ["PathRequest:path"] = function(s) return { s.world:request_path(across()) } end,
  ["PathRequest:is_done"] = function(s) return { s.world:request_path(across()) } end,
  ["PathRequest:cancel"] = function(s) return { s.world:request_path(across()) } end,
  ["World:search"] = function(s) return { s.world, across() } end,
  ["World:request_path"] = function(s) return { s.world, across() } end,
  ["World:set_search_work"] = function(s) return { s.world, 20000 } end,
  ["World:stats"] = function(s) return { s.world } end,
  ["Agent:waits_for_path"] = function(s) return { s.agent } end,
  ["RebuildJob:wait"] = function(s) return { s.world:rebuild(again()) } end,
  ["leeward.merge_changes"] = function(s) return { s.navmesh, s.navmesh, s.rebuilt } end,
  ["leeward.replace_tiles"] = function(s) return { s.navmesh, s.rebuilt, { { x = 0, z = 0 } } } end,
  ["Navmesh:stats"] = function(s) return { s.navmesh } end,
  ["Link:ends"] = function(s) return { s.link } end,
  ["Link:get"] = function(s) return { s.link } end,
  ["Link:fits"] = function(s) return { s.link, "soldier" } end,
  ["Link:is_blocked"] = function(s) return { s.link } end,
  ["Link:set_cost"] = function(s) return { s.link, 3 } end,
  ["Link:set_capacity"] = function(s) return { s.link, 2 } end,
  ["Obstacle:get"] = function(s) return { s.polygon } end,
  ["Obstacle:move"] = function(s) return { s.obstacle, { 9, 0, 3 }, 1, { 1, 0, 0 } } end,
  ["Obstacle:outline"] = function(s) return { s.polygon } end,
  ["Obstacle:position"] = function(s) return { s.carried } end,
  ["Obstacle:velocity"] = function(s) return { s.obstacle } end,
  ["Path:arcs"] = function(s) return { s.path } end,
  ["Path:changes"] = function(s) return { s.path } end,
  ["Path:pieces"] = function(s) return { s.path } end,
  ["Path:areas"] = function(s) return { s.path } end,
  ["Path:corridor"] = function(s) return { s.path } end,
  ["Path:explain"] = function(s) return { s.path } end,
  ["Path:links"] = function(s) return { s.path } end,
  ["Path:points"] = function(s) return { s.path } end,
  ["Path:stances"] = function(s) return { s.path } end,
  ["Threat:get"] = function(s) return { s.eye } end,
  ["Threat:move"] = function(s) return { s.threat, { 9, 1.6, 6 }, { 1, 0, 0 } } end,
  ["Threat:set"] = function(s) return { s.threat, s.threat:get() } end,
  ["World:add_danger"] = function(s) return { s.world, { at = { 3, 0, 3 }, radius = 2 } } end,
  ["World:add_fire_lane"] = function(s) return { s.world, { from = { 0, 1, 2 }, to = { 12, 1, 2 } } } end,
  ["World:add_link"] = function(s)
    return { s.world, { kind = "jump", name = word "jump", from = { 2, 0, 11 }, to = { 6, 0, 11 }, area = "road",
      cost = 2 } }
  end,
  ["World:all_links"] = function(s) return { s.world, s.lift } end,
  ["World:link"] = function(s) return { s.world, s.lift } end,
  ["World:on_link"] = function(s) return { s.world, function() end } end,
  ["World:add_obstacle"] = function(s)
    return { s.world, { points = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 0, 1 } }, at = { 8, 0, 9 }, height = 1,
      area = "grass", cover = "soft", attached_to = s.obstacle } }
  end,
  ["World:add_threat"] = function(s) return { s.world, { at = { 3, 1.6, 3 }, known_to = word "team" } } end,
  ["World:agents"] = function(s) return { s.world } end,
  ["World:set_navmesh"] = function(s) return { s.world, s.rebuilt } end,
  ["Navmesh:differing_tiles"] = function(s) return { s.navmesh, s.rebuilt } end,
  ["leeward.bake_permutations"] = function(s) return { s.navmesh, { a = s.rebuilt, b = s.navmesh } } end,
  ["World:name_tiles"] = function(s) return { s.world, word "tiles", { source = s.rebuilt, { 0, 0 } } } end,
  ["World:set_tiles"] = function(s) return { s.world, s.rebuilt, { { 0, 0 } } } end,
  ["World:rebuild"] = function(s) return { s.world, again() } end,
  ["World:apply_changes"] = function(s) s.obstacle:move { 9, 0, 4 } return { s.world } end,
  ["World:contains"] = function(s) return { s.world, { 1, 0, 1 }, { profile = "soldier" } } end,
  ["World:cover_segments"] = function(s) return { s.world, { around = { 5, 0, 6 }, radius = 9, stance = "crouch",
    profile = "soldier" } } end,
  ["World:dangers"] = function(s) return { s.world } end,
  ["World:distance_to_wall"] = function(s) return { s.world, { 1, 0, 1 }, ground() } end,
  ["World:exposure"] = function(s)
    return { s.world, { from = A, to = B, threats = { s.threat, s.other }, profile = "soldier", stance = "crouch" } }
  end,
  ["World:find_cover"] = function(s)
    return { s.world, { around = { 3, 0, 6 }, radius = 9, threats = threats(), profile = "soldier", agent = s.agent,
      team = word "team", cost = { cover_bias = 4 } } }
  end,
  ["World:find_path"] = function(s)
    return { s.world, { from = { 1, 0, 1 }, to = { 11, 0, 11 }, threats = { s.threat, { at = { 10, 1.6, 6 } } },
      profile = { extends = "soldier", speed = { calm = 1 } }, team = word "team",
      cost = { area_factor = { road = 2 } }, avoid = { "grass" } } }
  end,
  ["World:find_drive"] = function(s)
    return { s.world, { from = { 1, 0, 1 }, to = { 3, 0, 1 }, heading = 0, profile = cart(),
      cost = { area_factor = { road = 2 } }, avoid = { "grass" } } }
  end,
  ["Agent:drive"] = function(s)
    local driver = assert(s.world:spawn { profile = cart(), at = { 1, 0, 1 } })
    assert(driver:move_to { 4, 0, 1 })
    s.world:step()
    return { driver }
  end,
  ["Drive:points"] = function(s) return { s.drive } end,
  ["Drive:length"] = function(s) return { s.drive } end,
  ["Drive:reversed"] = function(s) return { s.drive } end,
  ["Drive:cusps"] = function(s) return { s.drive } end,
  ["Drive:cost"] = function(s) return { s.drive } end,
  ["Drive:nodes"] = function(s) return { s.drive } end,
  ["World:distance_field"] = function(s)
    return { s.world, { to = { { 11, 0, 11 }, { 1, 0, 1 } }, profile = { extends = "soldier", speed = { calm = 1 } },
      cost = { area_factor = { road = 2 } }, avoid = { "grass" } } }
  end,
  ["World:route_table"] = function(s)
    return { s.world, { places = { [word "gate"] = { 11, 0, 11 }, { 1, 0, 1 } }, profile = "soldier" } }
  end,
  ["World:load_routes"] = function(s)
    assert(s.routes:save(FILE))
    return { s.world, FILE }
  end,
  ["RouteTable:save"] = function(s) return { s.routes, FILE } end,
  ["World:path_costs"] = function(s)
    return { s.world, { places = { [word "gate"] = { 11, 0, 11 }, { 1, 0, 1 } }, profile = "soldier" } }
  end,
  ["DistanceField:cost"] = function(s) return { s.field, { 1, 0, 6 } } end,
  ["DistanceField:goal"] = function(s) return { s.field, { 1, 0, 6 } } end,
  ["DistanceField:next"] = function(s) return { s.field, { 1, 0, 6 } } end,
  ["DistanceField:path"] = function(s) return { s.field, { 1, 0, 6 } } end,
  ["DistanceField:refresh"] = function(s) return { s.field } end,
  ["RouteTable:cost"] = function(s) return { s.routes, 1, s.gate } end,
  ["leeward.regions"] = function(s)
    return { s.navmesh, { names = { [word "hall"] = { 1, 0, 1 } }, districts = { [word "west"] = { { 1, 0, 1 } } } } }
  end,
  ["Regions:rooms"] = function(s) return { s.regions } end,
  ["Regions:room"] = function(s) return { s.regions, s.hall } end,
  ["Regions:at"] = function(s) return { s.regions, { 1, 0, 1 } } end,
  ["Regions:districts"] = function(s) return { s.regions } end,
  ["Regions:name"] = function(s)
    return { s.regions, word "room", { box = { at = { 1, -1, 1 }, size = { 12, 2, 12 } } } }
  end,
  ["Regions:merge"] = function(s) return { s.regions, { s.hall, { 11, 0, 11 } }, s.hall } end,
  ["Regions:district"] = function(s) return { s.regions, word "west", { s.hall } } end,
  ["World:set_regions"] = function(s) return { s.world, s.regions } end,
  ["World:regions"] = function(s) return { s.world, { profile = "soldier" } } end,
  ["World:region_at"] = function(s) return { s.world, { 1, 0, 1 }, { profile = "soldier" } } end,
  ["World:plan_regions"] = function(s)
    return { s.world, { from = { 1, 0, 1 }, to = { 11, 0, 11 }, profile = "soldier", avoid = { s.hall } } }
  end,
  ["Path:regions"] = function(s) return { s.path } end,
  ["RouteTable:next"] = function(s) return { s.routes, 1, s.gate } end,
  ["World:group"] = function(s)
    return { s.world, { agents = { s.agent, s.other }, formation = { { 0, 0, 0 }, { -1, 0, 1 } }, spacing = 1 } }
  end,
  ["World:groups"] = function(s) return { s.world } end,
  ["Agent:group"] = function(s) return { s.other } end,
  ["Group:move_to"] = function(s) return { s.group, { 1, 0, 11 }, { pace = "fast" } } end,
  ["Group:set_formation"] = function(s) return { s.group, { { 0, 0, 0 } }, 2 } end,
  ["Group:add"] = function(s) return { s.group, s.agent } end,
  ["Group:members"] = function(s) return { s.group } end,
  ["Group:get"] = function(s) return { s.group } end,
  ["World:fire_lanes"] = function(s) return { s.world } end,
  ["World:hash"] = function(s) return { s.world } end,
  ["World:height_at"] = function(s) return { s.world, { 1, 0, 1 }, { profile = "soldier" } } end,
  ["World:links"] = function(s) return { s.world } end,
  ["World:load"] = function(s)
    assert(s.world:save(FILE))
    return { s.world, FILE, { agent = function(options)
      options.profile, options.tree = "soldier", s.tree
      return options
    end } }
  end,
  ["World:move_along"] = function(s) return { s.world, { 1, 0, 1 }, { 3, 0, 1 }, ground() } end,
  ["World:navmesh"] = function(s) return { s.world } end,
  ["World:navmesh_version"] = function(s) return { s.world } end,
  ["World:navmeshes"] = function(s) return { s.world } end,
  ["World:nearest_point"] = function(s) return { s.world, { 1, 0, 1 }, ground() } end,
  ["World:obstacles"] = function(s) return { s.world } end,
  ["World:on_permutation"] = function(s) return { s.world, function() end } end,
  ["World:path_exists"] = function(s) return { s.world, { 1, 0, 1 }, { 11, 0, 11 }, ground() } end,
  ["World:permutation"] = function(s)
    return { s.world, word "gap", { default = "road", road = {
      mark = { { polygon = { { 8, 0, 9 }, { 9, 0, 9 }, { 8, 0, 10 } }, area = "road" } },
      obstacles = { { points = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 0, 1 } }, at = { 8, 0, 9 }, height = 1 } } },
      cut = { cut = { { box = { min = { 8, 0, 8 }, max = { 9, 1, 9 } } } } },
      old = { tiles = { source = s.rebuilt, box = { { 0, 0, 0 }, { 1, 1, 1 } } } } } }
  end,
  ["World:permutation_state"] = function(s) return { s.world, s.door } end,
  ["World:permutations"] = function(s) return { s.world } end,
  ["World:permutation_states"] = function(s) return { s.world, "door" } end,
  ["World:polygons_around"] = function(s) return { s.world, { 1, 0, 1 }, 5, ground() } end,
  ["World:random_point"] = function(s)
    return { s.world, { around = { 1, 0, 1 }, radius = 5, profile = "soldier" } }
  end,
  ["World:raycast"] = function(s) return { s.world, { 1, 0, 1 }, { 11, 0, 1 }, ground() } end,
  ["World:reachable_area"] = function(s)
    return { s.world, { from = { 1, 0, 1 }, polygons = true, profile = "soldier" } }
  end,
  ["World:reload"] = function(s) return { s.world } end,
  ["World:run"] = function(s) return { s.world, 0.05, function(world) return world:time() end } end,
  ["World:save"] = function(s) return { s.world, FILE } end,
  ["World:agents_around"] = function(s)
    return { s.world, { at = { 1, 0, 6 }, radius = 30, team = s.team, profile = "soldier", except = s.other } }
  end,
  ["World:blackboard"] = function(s) return { s.world } end,
  ["World:emit"] = function(s) return { s.world, word "event", { 1 } } end,
  ["Agent:send"] = function(s) return { s.agent, word "event", { 1 } } end,
  ["Agent:set_cost"] = function(s) return { s.agent, { cover_bias = 4, area_factor = { road = 2 } } } end,
  ["Agent:set_profile"] = function(s) return { s.agent, { extends = "soldier", radius = 0.35 } } end,
  ["Agent:set_tree"] = function(s)
    return { s.agent, { kind = "selector", name = word "root",
      { kind = "condition", reads = { word "key" }, test = "set", abort = "both", leaf(word "one") },
      leaf(word "two") } }
  end,
  ["World:sees"] = function(s) return { s.world, { 1, 1.6, 1 }, { 11, 1.6, 1 }, { shots = true } } end,
  ["World:set_permutation"] = function(s) return { s.world, s.door, "shut" } end,
  ["World:set_visibility"] = function(s) return { s.world, { visibility = 0.5, team = word "team" } } end,
  ["World:spawn"] = function(s)
    return { s.world, { profile = "soldier", at = { 2, 0, 2 }, team = word "team", stance = "crouch", pace = "fast",
      tree = { kind = "sequence", name = word "root", leaf(word "one"), { kind = "selector", leaf(word "two") } },
      cost = { cover_bias = 3 }, avoid = { "grass" } } }
  end,
  ["World:step"] = function(s) return { s.world } end,
  ["World:threats"] = function(s) return { s.world } end,
  ["leeward.area"] = function() return { "api_calls", { resistance = 1, cover = "soft" } } end,
  ["leeward.areas"] = function() return {} end,
  ["leeward.bake"] = function()
    return { level, { cell_size = 0.4, threads = 1, auto_links = { drop = 3, jump = 2 },
      progress = function() return true end } }
  end,
  ["leeward.count_tiles"] = function() return { level, { cell_size = 0.4 } } end,
  ["leeward.add_root"] = function() return { word "." } end,
  ["leeward.find"] = function() return { "scripts/areas.lua" } end,
  ["leeward.geometry"] = function() return {} end,
  ["leeward.is_file"] = function() return { word "Makefile" } end,
  ["leeward.load_navmesh"] = function(s) assert(s.navmesh:save(FILE)) return { FILE } end,
  ["leeward.merge_navmeshes"] = function(s)
    assert(s.navmesh:save(FILE))
    return { { leeward.load_navmesh(FILE) } }
  end,
  ["leeward.names"] = function() return { "behaviors/trees" } end,
  ["leeward.navmesh"] = function()
    return { { vertices = { { 0, 0, 0 }, { 5, 0, 0 }, { 5, 0, 5 }, { 0, 0, 5 } },
      polygons = { { 1, 2, 3 }, { 1, 3, 4 } }, areas = { "road", "ground" }, openness = { 0.5, 1 }, depth = 0,
      links = { { kind = "jump", from = { 1, 0, 1 }, to = { 3, 0, 1 } } } } }
  end,
  ["leeward.permutations"] = function() return {} end,
  ["leeward.profile"] = function() return { "api_calls", { extends = "soldier", area_factor = { road = 2 } } } end,
  ["leeward.check_move"] = function()
    return { { pace = "fast", avoid = { "road" }, threats = { { at = { 1, 2, 3 } } } }, word "name" }
  end,
  ["leeward.combined_profile"] = function() return { { "soldier", { extends = "human", avoid = { "road" } } } } end,
  ["leeward.profile_info"] = function() return { "soldier" } end,
  ["leeward.profiles"] = function() return {} end,
  ["leeward.rebuild"] = function(s)
    return { s.navmesh, level, { box = { min = { 0, -1, 0 }, max = { 2, 2, 2 } }, cell_size = 0.3, agent_radius = 0.4,
      auto_links = { drop = 2 }, threads = 1 } }
  end,
  ["leeward.reload"] = function() return {} end,
  ["leeward.roots"] = function() return {} end,
  ["leeward.shown"] = function() return { word "a\n\27", 20 } end,
  ["leeward.sandbox"] = function() return { { memory = 1 << 20, globals = { word = word "x" } } } end,
  ["Sandbox:run"] = function()
    return { leeward.sandbox(), "return { function() return ('x'):rep(9) end }", word "s" }
  end,
  ["Sandbox:memory"] = function() return { leeward.sandbox() } end,
  ["leeward.node_source"] = function() return { { kind = "wait", min = 1, max = 1 }, { ["=stdin"] = true } } end,
  ["leeward.suggest"] = function() return { "gras", { "ground", "grass" } } end,
  ["leeward.tree"] = function()
    local description = { kind = "sequence", name = word "root", leaf(word "one"), { kind = "wait", min = 1 } }
    return { "api_calls_other", description }
  end,
  ["leeward.vec3"] = function() return { 1, 2, 3 } end,
  ["leeward.world"] = function(s)
    return { { navmeshes = { s.navmesh }, links = { { kind = "jump", from = { 2, 0, 2 }, to = { 4, 0, 2 } } },
      death_danger = { value = 2 }, log = function() end } }
  end,
  ["World:destroy"] = function(s) return { s.world } end,
}

local has_sdl, sdl = pcall(require, "leeward_sdl")
if has_sdl then
  api_calls.arguments["sdl.picture"] = function(s)
    return { { file = FILE, world = s.world, selected = s.agent, width = 64, height = 64, title = word "title",
      layers = { "areas", "agents", "paths" } } }
  end
end

--- Functions of the stubs without an entry: they read or set a few numbers and hold nothing meanwhile, or load
--- files that other tests have.
api_calls.left_out = {}
for name in ([[Agent:finish_link Agent:forget_threat Agent:heading Agent:id Agent:is_alive Agent:is_external
  Agent:is_on_link Agent:knows_threat Agent:lost_cover Agent:random Agent:release_cover Agent:remaining Agent:set_pace
  Agent:stop Agent:move_to_and_wait Agent:wait Agent:wake leeward.loading Agent:waits_for_link Agent:world
  Danger:exists DistanceField:is_stale DistanceField:memory RouteTable:bytes RouteTable:is_stale Regions:bytes
  Danger:id Danger:radius Danger:remove Danger:value Danger:world FireLane:exists FireLane:id FireLane:remove
  FireLane:seconds FireLane:world Geometry:load_gset Link:disable Link:enable Link:exists Link:id Link:is_added
  Link:is_enabled Link:is_used Link:kind Link:name Link:remove Link:users Link:world Navmesh:validate
  Navmesh:water_depth Obstacle:exists Obstacle:id Obstacle:is_cut Obstacle:remove Obstacle:world Obstacle:yaw
  Path:cost Path:danger Path:exposed Path:goal Path:is_partial Path:is_reduced Path:length Path:navmesh Path:nodes
  Threat:exists Threat:id Threat:remove Threat:world Tree:name World:memory World:random World:steps World:time
  World:visibility leeward.import_navmesh leeward.load_geometry vec3:distance vec3:length vec3:unpack Group:dismiss
  Group:exists Group:id Group:leader Group:place Group:remove Group:stop Group:world]]):gmatch "%S+" do
  api_calls.left_out[name] = true
end

--- The names, sorted.
function api_calls.names()
  local names = {}
  for name in pairs(api_calls.arguments) do names[#names + 1] = name end
  table.sort(names)
  return names
end

--- The function of that name, for its arguments.
function api_calls.find(name, arguments)
  local method = name:match ":(.+)"
  if method then return arguments[1][method] end
  local module, member = name:match "(.+)%.(.+)"
  return (module == "sdl" and sdl or leeward)[member]
end

--- Forget what scenes share, so that a state can be closed or built again.
function api_calls.reset()
  level, navmesh = nil, nil
  os.remove(FILE)
end

return api_calls
