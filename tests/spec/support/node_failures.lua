--- Scenes in which the leaves of behaviors/nodes/ fail: by node and message, `...` for what varies, a function that
--- plays one and returns the agent, or a list of such functions.
local leeward = require "leeward"
local behaviors = require "behaviors"
local sim = require "leeward.testing"

local failures = {}

local FIELD = [[
..............................
.A...........................G
..............................
]]
-- T does not see what is behind the wall.
local WALLS = [[
..............................
.T..A..............#..........
...................#.......G..
...................#..........
..............................
]]
-- G cannot be reached.
local ISLANDS = [[
..........     ....
.A..B.....     .G..
..........     ....
]]
-- Much road: about (3, 0, 3) there is no other ground near by.
local ROAD = [[
=======...
=======.A.
=======...
]]
local ON_ROAD = { 3, 0, 3 }

local NO_GOAL = "goal is (...), expected a navmesh within (...) m that '...' may enter"
local NO_PATH = "start and goal are not connected for '...'"
local NO_START = "no navmesh near the start that the agent may enter"
local STUCK = "the agent makes no progress"
local TRAPPED = "the ground under the agent was cut away, and there is none near by"
local STOPPED = "the agent was stopped"
local SENT = "the agent was sent somewhere else"

leeward.profile("snail", { extends = "soldier", speed = { calm = 0.001, normal = 0.001, fast = 0.001 } })
leeward.profile("walker", { extends = "soldier", avoid = { "road" } })

local function node(file) return require("behaviors.nodes." .. file) end

--- An agent that runs nodes in order and then rests without end, as it does when one of them fails.
local function spawn(place, blackboard, ...)
  local nodes = { ... }
  nodes[#nodes + 1] = behaviors.wait(1000)
  return sim.spawn(place, {
    profile = "soldier", team = "red", blackboard = blackboard,
    tree = behaviors.selector { behaviors.sequence(nodes), behaviors.wait(1000) },
  })
end

--- The same at the place A of a map.
local function play(map, blackboard, ...)
  sim.map(map)
  return spawn("A", blackboard, ...)
end

local function run(agent, seconds)
  sim.run(seconds or 0.1)
  return agent
end

-- --- What options name ------------------------------------------------------------------------------------------

-- Options that the leaf needs beside the one at hand.
local BESIDE = { MoveTo = { to = { 9, 0, 3 } }, Peek = { at = { 3, 1.6, 3 } }, Say = { name = "contact" } }

local CONSTRUCTORS -- of all nodes by name

--- A leaf that has a key in that option, played in WALLS; Peek in cover.
local function with_key(name, option, value)
  local options = { [option] = "thing" }
  for key, other in pairs(BESIDE[name] or {}) do
    if key ~= option then options[key] = other end
  end
  local nodes = { CONSTRUCTORS[name](options) }
  if name == "Peek" then table.insert(nodes, 1, node "take_cover" { from = sim.threat "T", radius = 50 }) end
  local agent = spawn("A", { thing = value }, table.unpack(nodes))
  return run(agent, name == "Peek" and 12 or 0.1)
end

local VALUES = {
  ["the blackboard has no '...'"] = function(name, option) return with_key(name, option, nil) end,
  ["the blackboard has false for '...'"] = function(name, option) return with_key(name, option, false) end,
  ["agent ... is gone"] = function(name, option)
    local other = sim.spawn("G", { team = "red" })
    other:despawn()
    return with_key(name, option, name == "TakeCover" and { other } or other)
  end,
  ["threat ... is gone"] = function(name, option)
    local threat = sim.threat("G", { known_to = false })
    threat:remove()
    return with_key(name, option, threat)
  end,
}

--- failures.of_value(message, name, option) --> the agent, whose leaf of that name does not get what the option names
function failures.of_value(message, name, option)
  sim.map(WALLS)
  return VALUES[message](name, option)
end

-- --- Walks --------------------------------------------------------------------------------------------------------

local function block(at, x, z)
  sim.world():add_obstacle { at = at, size = { x, 3, z }, cover = false }
end

--- Remove the tiles that an agent is on.
local function remove_ground(agent)
  local at, about = agent:position(), leeward.vec3(6, 6, 6)
  sim.world():set_tiles(nil, { box = { at - about, at + about } })
end

--- What ends the walk of an agent that has just set out.
local ENDS = {
  [NO_GOAL] = function(agent) block(agent:goal(), 4.4, 4.4) end,
  [NO_PATH] = function(agent)
    local to = agent:goal() - agent:position()
    local is_along_z = math.abs(to.z) > math.abs(to.x)
    block(agent:position() + to / 2, is_along_z and 100 or 0.3, is_along_z and 0.3 or 100)
  end,
  [NO_START] = function(agent)
    agent:set_profile { extends = "soldier", avoid = { "ground" } }
  end,
  [STUCK] = function(agent) agent:set_profile "snail" end,
  [TRAPPED] = remove_ground,
  [STOPPED] = function(agent)
    agent:stop()
    agent:wake()
  end,
  [SENT] = function(agent) agent:move_to(agent:position()) end,
}

--- Leaves that have just begun to walk far.
local WALKS = {
  MoveTo = function() return play(FIELD, nil, node "move_to" { to = { 55, 0, 3 }, within = 0.5 }) end,
  MoveByRooms = function() return play(FIELD, nil, node "move_by_rooms" { to = { 55, 0, 3 }, within = 0.5 }) end,
  Patrol = function() return play(FIELD, nil, node "patrol" { points = { { 55, 0, 3 } } }) end,
  Investigate = function() return play(FIELD, nil, node "investigate" { at = { 55, 0, 3 }, within = 0 }) end,
  Flee = function() return play(FIELD, nil, node "flee" { from = { 2, 1.6, 3 }, distance = 50 }) end,
  Peek = function()
    sim.map(WALLS)
    local threat = sim.threat "T"
    local hides, peeks = node "take_cover" { from = threat, radius = 50 }, node "peek" { at = threat, reach = 8 }
    local agent = spawn("A", nil, hides, peeks)
    assert(sim.run_until(function() return agent:why():find("Peek: walks", 1, true) end))
    return agent
  end,
}

--- failures.of_walk(message, name) --> the agent, whose walk in the leaf of that name has ended so
function failures.of_walk(message, name)
  local agent = WALKS[name]()
  sim.run(0.1)
  ENDS[message](agent)
  return run(agent, 20)
end

--- How the leaf that make(place) gives begins with a walk that fails at once.
local AT_ONCE = {
  [NO_GOAL] = function(make)
    sim.map(ROAD)
    local agent = spawn("A", nil, behaviors.wait(0.1), make(ON_ROAD))
    agent:set_profile "walker"
    return run(agent, 2)
  end,
  [NO_PATH] = function(make)
    sim.map(ISLANDS)
    return run(spawn("A", nil, make(sim.place "G")), 2)
  end,
  [NO_START] = function(make)
    sim.map(ROAD)
    local agent = spawn(ON_ROAD, nil, behaviors.wait(0.1), make(sim.place "A"))
    agent:set_profile "walker"
    return run(agent, 2)
  end,
  [TRAPPED] = function(make)
    sim.map(FIELD)
    local agent = spawn("A", nil, behaviors.wait(0.1), make(sim.place "G"))
    remove_ground(agent)
    return run(agent, 2)
  end,
}

local function at_once(message, make)
  return function() return AT_ONCE[message](make) end
end

local function follow(place) return node "follow" { target = sim.spawn(place, { name = "leader" }) } end
local function take_cover(place)
  sim.threat(leeward.vec3(place) + leeward.vec3(0, 1.6, 0))
  return node "take_cover" {}
end
local function search(place) return node "search" { around = place } end

-- --- All others ---------------------------------------------------------------------------------------------------

--- An agent that takes cover from a threat in the west; what happens a moment later.
local function hide(map, options, happens)
  sim.map(map)
  local threat = sim.threat { 3, 1.6, 3 }
  local agent = spawn("A", nil, node "take_cover" (options))
  sim.run(0.2)
  if happens then happens(agent, threat) end
  return run(agent, 12)
end

local function in_cover(...)
  sim.map(WALLS)
  return spawn("A", nil, node "take_cover" { from = sim.threat "T", radius = 50 }, ...)
end

local GATE = { min = { 20, 0, 0 }, max = { 21, 2, 6 } }
local PERMUTATION = { default = "open", open = {}, shut = { cut = { { box = GATE } } } }

local function with_gate(leaf)
  sim.map(FIELD):permutation("gate", PERMUTATION)
  return spawn("A", nil, behaviors.wait(0.1), leaf)
end

failures.SCENES = {
  CanSee = {
    ["it is too far"] = function()
      return run(play(FIELD, nil, node "can_see" { target = { 55, 1, 3 }, range = 20 }))
    end,
    ["it is hidden"] = function() return run(play(WALLS, nil, node "can_see" { target = { 47, 1, 5 } })) end,
  },

  FindRandomPointOnNavMesh = {
    ["around is (...), expected a navmesh within (...) m that '...' may enter"] = function()
      sim.map(ROAD)
      local agent = spawn(ON_ROAD, nil, behaviors.wait(0.1), node "find_random_point_on_navmesh" {})
      agent:set_profile "walker"
      return run(agent, 1)
    end,
    ["connected_to is (...), expected a navmesh within (...) m that '...' may enter"] = function()
      return run(play(FIELD, nil, node "find_random_point_on_navmesh" { connected_to = { 900, 0, 0 } }))
    end,
    ["no ground ... that '...' may enter..."] = {
      function() return run(play(ROAD, nil, node "find_random_point_on_navmesh" { only = { "grass" } })) end,
      function()
        return run(play(ISLANDS, nil, node "find_random_point_on_navmesh" { around = { 33, 0, 3 }, radius = 2 }))
      end,
    },
  },

  Flee = {
    ["there is no threat to flee from"] = function() return run(play(FIELD, nil, node "flee" {})) end,
    ["no place near by is safer"] = function()
      sim.map "...."
      return run(spawn({ 7.6, 0, 0.4 }, nil, node "flee" { from = { -900, 1.6, 1 } })) -- in the far corner
    end,
  },

  Follow = {
    ["the blackboard has ... for '...', expected an agent"] = function()
      return run(play(FIELD, { leader = leeward.vec3(1, 2, 3) }, node "follow" { target = "leader" }))
    end,
    [NO_GOAL] = at_once(NO_GOAL, follow),
    [NO_PATH] = at_once(NO_PATH, follow),
    [NO_START] = at_once(NO_START, follow),
    [TRAPPED] = at_once(TRAPPED, follow),
  },
  Investigate = { [NO_PATH] = at_once(NO_PATH, function(place) return node "investigate" { at = place } end) },

  IsInDanger = {
    ["nothing endangers it"] = function() return run(play(FIELD, nil, node "is_in_danger" {})) end,
  },

  LookAt = {
    [SENT] = function()
      local agent = play(FIELD, nil, node "look_at" { at = { 9, 0, 3 }, seconds = 9 })
      sim.run(0.3)
      agent:move_to { 9, 0, 3 }
      return run(agent)
    end,
  },

  MoveTo = {
    [NO_PATH] = {
      at_once(NO_PATH, function(place) return node "move_to" { to = place } end),
      function()
        local agent = play(ISLANDS, { goal = { 19, 0, 3 } }, node "move_to" { to = "goal", track = true })
        sim.run(0.5)
        agent.blackboard.goal = sim.place "G"
        return run(agent, 1)
      end,
    },
  },

  MoveByRooms = {
    [NO_PATH] = at_once(NO_PATH, function(place) return node "move_by_rooms" { to = place } end),
  },

  Patrol = {
    ["there are no points to patrol between"] = function()
      return run(play(FIELD, nil, node "patrol" { points = {} }))
    end,
  },

  Peek = {
    ["the agent is on its way somewhere"] = function()
      local agent = in_cover(behaviors.wait(0.2), node "peek" { at = { 3, 1.6, 3 } })
      assert(sim.run_until(function() return agent:why():find("wait: arrived", 1, true) end))
      agent:move_to { 20, 0, 5 }
      return run(agent, 0.5)
    end,
    ["the agent is not in its cover"] = function()
      return run(in_cover(node "move_to" { to = { 50, 0, 5 } }, node "peek" { at = { 3, 1.6, 3 } }), 30)
    end,
    ["no position within ... m sees it"] = function()
      return run(in_cover(node "peek" { at = { 3, -5, 3 } }), 30)
    end,
  },

  Reserve = {
    ["... has it"] = function()
      sim.map(ISLANDS)
      spawn("B", nil, node "reserve" { what = "bench", behaviors.wait(9) })
      return run(spawn("A", nil, node "reserve" { what = "bench", behaviors.wait(9) }))
    end,
  },

  Say = {},

  Search = {
    ["it has looked at ... and seen nobody"] = function()
      return run(play(WALLS, nil, node "search" { around = { 45, 0, 5 }, radius = 4 }), 60)
    end,
    ["there is no place there to look at"] = function()
      return run(play(FIELD, nil, node "search" { around = { 900, 0, 0 } }), 2)
    end,
    [NO_GOAL] = at_once(NO_GOAL, search),
    [NO_PATH] = at_once(NO_PATH, search),
    [NO_START] = at_once(NO_START, search),
    [TRAPPED] = at_once(TRAPPED, search),
  },

  SetPermutation = {
    ["there is no permutation '...'"] = function()
      return run(with_gate(node "set_permutation" { name = "gat", state = "shut" }), 1)
    end,
    ["the permutation '...' has no state '...', expected '...'"] = function()
      return run(with_gate(node "set_permutation" { name = "gate", state = "ajar" }), 1)
    end,
    ["the permutation '...' was set to '...' meanwhile"] = function()
      sim.map(FIELD):permutation("gate", PERMUTATION)
      local agent = spawn("A", nil, node "set_permutation" { name = "gate", state = "shut" })
      spawn("A", nil, node "set_permutation" { name = "gate", state = "open" })
      return run(agent)
    end,
    ["the permutation '...' is one of a loaded file, and not defined yet"] = function()
      local file = os.tmpname()
      sim.map(FIELD):permutation("gate", PERMUTATION)
      sim.run(0.1)
      assert(sim.world():save(file))
      sim.map(FIELD)
      assert(sim.world():load(file))
      os.remove(file)
      return run(spawn("A", nil, node "set_permutation" { name = "gate", state = "shut" }))
    end,
  },

  TakeCover = {
    ["the agent knows of no threat to take cover from"] = function()
      return run(play(WALLS, nil, node "take_cover" {}))
    end,
    ["there is no threat to take cover from"] = {
      function() return run(play(WALLS, { enemies = {} }, node "take_cover" { from = "enemies" })) end,
      function() return hide(WALLS, { radius = 50 }, function(_, threat) threat:remove() end) end,
    },
    ["no free cover there that can be reached"] = {
      function() return hide(WALLS, { radius = 2 }) end,
      function()
        return hide(WALLS, { radius = 50 }, function()
          for x = 29, 59, 2 do sim.threat { x, 20, 5 } end
        end)
      end,
    },
    ["no free cover there to look out from"] = function()
      return hide(WALLS, { radius = 50, peek = 0 })
    end,
    ["the navmesh has no cover segments: it was baked with cover_segments = false or built from polygons, or there are "
      .. "no walls"] = function() return hide(FIELD, {}) end,
    ["the navmesh has no occluders: it was baked with occluders = false, so nothing hides"] = function()
      sim.map(WALLS, { bake = { occluders = false } })
      sim.threat { 3, 1.6, 3 }
      return run(spawn("A", nil, node "take_cover" { radius = 50 }))
    end,
    ["the cover is gone: what offered it moved or was removed, or something stands there"] = function()
      return hide(WALLS, { radius = 50 }, function(agent) block(agent:goal(), 2, 2) end)
    end,
    ["the agent has released its cover"] = function()
      return hide(WALLS, { radius = 50 }, function(agent) agent.blackboard.cover:release(agent) end)
    end,
    [SENT] = function()
      return hide(WALLS, { radius = 50 }, function(agent) agent:move_to(agent:goal() + leeward.vec3(1, 0, 0)) end)
    end,
    [STOPPED] = function() return hide(WALLS, { radius = 50 }, ENDS[STOPPED]) end,
    [NO_PATH] = function() return hide(WALLS, { radius = 50 }, ENDS[NO_PATH]) end,
    [NO_START] = {
      function() return hide(WALLS, { radius = 50 }, ENDS[NO_START]) end,
      at_once(NO_START, take_cover), at_once(TRAPPED, take_cover),
    },
    [STUCK] = function() return hide(WALLS, { radius = 50 }, ENDS[STUCK]) end,
    [TRAPPED] = function() return hide(WALLS, { radius = 50 }, ENDS[TRAPPED]) end,
    ["the cover no longer hides"] = function()
      return hide(WALLS, { radius = 50, tries = 0 }, function(_, threat) threat:move { 55, 1.6, 5 } end)
    end,
  },

  WaitForPermutation = {
    ["there is no permutation '...'"] = function()
      return run(with_gate(node "wait_for_permutation" { name = "bridge", state = "shut" }), 1)
    end,
    ["the permutation '...' has no state '...', expected '...'"] = function()
      return run(with_gate(node "wait_for_permutation" { name = "gate", state = "opn" }), 1)
    end,
  },
}

--- failures.open(constructors by the name of the node): before any other
function failures.open(constructors) CONSTRUCTORS = constructors end
return failures
