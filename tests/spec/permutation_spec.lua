-- Permutations: parts of a level that have several states, such as a door. permutation_files_spec has those in files.
local leeward = require "leeward"
local behaviors = require "behaviors"
local door = require "support.door"
local maps = require "support.maps"

local SHUT, DOOR, THROUGH = door.SHUT, door.DOOR, door.THROUGH

local world, log
before_each(function() world, log = door.world() end)

local function code_of(query) return select(3, world:find_path(query or THROUGH)) end
local function is_open() return code_of() == nil end

--- The length of the path round whatever is there, on a field of 40 x 40 m: 38 m if nothing is.
local function length_with(state)
  local vertices = { { 0, 0, 0 }, { 40, 0, 0 }, { 40, 0, 40 }, { 0, 0, 40 } }
  local field <close> = leeward.world {
    navmesh = leeward.navmesh { vertices = vertices, polygons = { { 1, 2, 3, 4 } }, agent_radius = 0.4 },
  }
  field:permutation("field", { only = state })
  field:apply_changes()
  return assert(field:find_path { from = { 1, 0, 20 }, to = { 39, 0, 20 } }):length()
end

--- The length of that path round a rectangle about the middle.
local function round(half_x, half_z) return 2 * math.sqrt((19 - half_x) ^ 2 + half_z ^ 2) + 2 * half_x end

describe("a permutation", function()
  it("begins in its default state, when the next step begins", function()
    assert.is_true(world:permutation("door", { default = "shut", open = {}, shut = SHUT }))
    assert.same({ "shut", false }, { world:permutation_state "door" })
    assert.is_true(is_open())
    world:step()
    assert.same({ "shut", true }, { world:permutation_state "door" })
    assert.equal("NO_PATH", code_of())
  end)

  it("takes effect at once for those who do not step", function()
    world:permutation("door", DOOR)
    world:set_permutation("door", "shut")
    world:apply_changes()
    assert.is_false(is_open())
    assert.equal(0, world:steps())
  end)

  it("that is set back gives exactly the same path as before", function()
    world:permutation("door", DOOR)
    world:step()
    local before = assert(world:find_path(THROUGH))
    for _, state in ipairs { "shut", "open", "shut", "open" } do
      world:set_permutation("door", state)
      world:step()
      assert.equal(state == "open", is_open())
    end
    assert.same(before:points(), assert(world:find_path(THROUGH)):points())
  end)

  it("with a single state begins in it", function()
    world:permutation("wall", { built = SHUT })
    assert.equal("built", (world:permutation_state "wall"))
  end)

  it("does not disturb another one: ground is there if none cuts it", function()
    world:permutation("door", { default = "shut", open = {}, shut = SHUT })
    world:permutation("rubble", { default = "heap", heap = SHUT, cleared = {} })
    world:step()
    world:set_permutation("door", "open")
    world:step()
    assert.is_false(is_open())
    world:set_permutation("rubble", "cleared")
    world:step()
    assert.is_true(is_open())
  end)

  it("is listed in the order in which it was defined", function()
    assert.same({}, world:permutations())
    world:permutation("window", { open = {} })
    world:permutation("door", DOOR)
    world:permutation("window", DOOR)
    assert.same({ "window", "door" }, world:permutations())
  end)

  it("that nobody has defined has no state", function()
    assert.same({}, { world:permutation_state "door" })
  end)

  it("that is defined again keeps its state, with what that means now", function()
    world:permutation("door", DOOR)
    world:set_permutation("door", "shut")
    world:step()
    world:permutation("door", { default = "open", open = {}, shut = {} })
    assert.equal("shut", (world:permutation_state "door"))
    world:step()
    assert.is_true(is_open())
  end)

  it("that is defined again without its state gets its new default", function()
    world:permutation("door", { default = "shut", open = {}, shut = SHUT })
    world:permutation("door", { default = "ajar", ajar = {}, blocked = SHUT })
    assert.equal("ajar", (world:permutation_state "door"))
  end)

  it("has a key in blackboards that nobody else sets", function()
    local agent = assert(world:spawn { profile = "human", at = { 1, 0, 1 } })
    local function is_refused(board, key)
      local text = ("cannot set '%s', a permutation's state; world:set_permutation() does"):format(key)
      assert.matches(text, select(2, pcall(function() board[key] = "open" end)), 1, true)
    end
    is_refused(agent.blackboard, "world.permutation.door")
    is_refused(world:blackboard(), "permutation.door")
  end)

  it("is no obstacle that a script sees", function()
    world:permutation("door", { shut = SHUT })
    world:step()
    assert.same({}, world:obstacles())
  end)

  it("is part of what a world's hash is over", function()
    local other = leeward.world { navmesh = maps.two_rooms() }
    for _, each in ipairs { world, other } do each:permutation("door", DOOR) end
    assert.equal(other:hash(), world:hash())
    world:set_permutation("door", "shut")
    assert.not_equal(other:hash(), world:hash())
  end)
end)

describe("a state", function()
  it("cuts boxes, given by their middle or by two corners, grown by the radius of the navmesh", function()
    local box = { at = { 20, 0, 20 }, size = { 2, 1, 6 } }
    assert.is_near(round(1.4, 3.4), length_with { cut = { { box = box } } }, 1e-3)
    box.yaw = math.pi / 2
    assert.is_near(round(3.4, 1.4), length_with { cut = { { box = box } } }, 1e-3)
    box = { min = { 19, 0, 17 }, max = { 21, 1, 23 } }
    assert.is_near(round(1.4, 3.4), length_with { cut = { { box = box } } }, 1e-3)
  end)

  it("cuts convex polygons, at all heights unless it says which", function()
    local polygon = { { 19, 0, 17 }, { 19, 0, 23 }, { 21, 0, 23 }, { 21, 0, 17 } }
    local turned = { polygon[4], polygon[3], polygon[2], polygon[1] }
    assert.is_near(round(1.4, 3.4), length_with { cut = { { polygon = polygon } } }, 1e-3)
    assert.is_near(round(1.4, 3.4), length_with { cut = { { polygon = turned } } }, 1e-3)
    for _, heights in ipairs { { -1, 1 }, { nil, 1 }, { -1, nil } } do
      local volume = { polygon = polygon, bottom = heights[1], top = heights[2] }
      assert.is_near(round(1.4, 3.4), length_with { cut = { volume } }, 1e-3)
    end
    assert.is_near(38, length_with { cut = { { polygon = polygon, bottom = 10, top = 12 } } }, 1e-3)
    assert.is_near(38, length_with { cut = { { polygon = polygon, top = -1 } } }, 1e-3)
  end)

  it("marks ground, which is walked on at another price", function()
    world:permutation("floor", { default = "dry", dry = {},
      wet = { mark = { { box = { at = { 10.5, 0, 5 }, size = { 4, 1, 20 } }, area = "grass" },
        { polygon = { { 1, 0, 1 }, { 3, 0, 1 }, { 1, 0, 3 } }, area = "road" } } } })
    world:set_permutation("floor", "wet")
    world:step()
    local path = assert(world:find_path { from = THROUGH.from, to = THROUGH.to,
      profile = { extends = "human", area_factor = { grass = 5 } } })
    assert.is_near(19, path:length(), 1e-3)
    assert.is_near(19 + 5 * 4, path:cost(), 1e-2)
    assert.same({ "road" }, assert(world:find_path { from = { 1.2, 0, 1.2 }, to = { 2, 0, 1.2 } }):areas())
  end)

  it("puts down obstacles in the words of add_obstacle", function()
    assert.is_near(round(1.4, 1.4), length_with { obstacles = { { at = { 20, 0, 20 }, size = { 2, 1, 2 } } } }, 1e-3)
    local points = { { -1, 0, -3 }, { -1, 0, 3 }, { 1, 0, 3 }, { 1, 0, -3 } }
    assert.is_near(round(1.4, 3.4), length_with { obstacles = { { points = points, at = { 20, 0, 20 } } } }, 1e-3)
    local pillar = length_with { obstacles = { { radius = 1, height = 2, at = { 20, 0, 20 } } } }
    assert.is_true(pillar > 38 and pillar < round(1.4, 1.4))
    assert.is_near(38, length_with { obstacles = { { at = { 20, 0, 20 }, area = "grass" } } }, 1e-3)
  end)

  it("makes ground cost more", function()
    local FOG = { box = { at = { 10.5, 0, 5 }, size = { 4, 1, 20 } }, cost = 2 }
    local query = { from = { 1, 0, 5 }, to = { 20, 0, 5 }, profile = "human" }
    local before = assert(world:find_path(query)):cost()
    world:permutation("fog", { default = "thick", clear = {}, thick = { mark = { FOG } } })
    world:apply_changes()
    assert.is_near(before + 2 * 4, assert(world:find_path(query)):cost(), 1e-2)
    world:set_permutation("fog", "clear")
    world:apply_changes()
    assert.is_near(before, assert(world:find_path(query)):cost(), 1e-3)
  end)

  it("does all of that at once", function()
    local state = {
      cut = {
        { box = { at = { 20, 0, 18 }, size = { 2, 1, 2 } } },
        { box = { at = { 20, 0, 22 }, size = { 2, 1, 2 } } },
      },
      mark = { { box = { at = { 5, 0, 20 }, size = { 1, 1, 1 } }, area = "road" } },
      obstacles = { { at = { 20, 0, 20 }, size = { 2, 1, 2 } } },
    }
    assert.is_near(round(1.4, 3.4), length_with(state), 1e-3)
  end)

  it("is copied: what happens to its table later does not count", function()
    local state = { cut = { { box = { at = { 10.5, 0, 5 }, size = { 1, 2, 4 } } } } }
    world:permutation("door", { shut = state })
    state.cut[1].box.at[3], state.cut = 500, nil
    world:step()
    assert.is_false(is_open())
  end)
end)

describe("agents", function()
  local walker
  before_each(function()
    world:permutation("door", DOOR)
    walker = assert(world:spawn { profile = "human", at = THROUGH.from })
    assert(walker:move_to(THROUGH.to))
    world:run(1)
  end)

  it("fail when a permutation shuts the only path", function()
    world:set_permutation("door", "shut")
    world:run(1)
    local state, _, code = walker:move_state()
    assert.same({ "failed", "NO_PATH" }, { state, code })
  end)

  it("arrive when it is not the only one", function()
    world:set_permutation("door", "shut")
    world:set_permutation("door", "open") -- before the next step
    world:run(10)
    assert.same({ "arrived", 0 }, { (walker:move_state()), walker:stats().replans })
  end)
end)

describe("a permutation that cannot be", function()
  local BOX = { at = { 1, 0, 1 }, size = { 1, 1, 1 } }

  local function refused(message, definition)
    assert.error_matches(function() world:permutation("door", definition) end, "permutation 'door': " .. message, 1,
      true)
    assert.same({}, world:permutations())
  end

  --- With a state that has one element in a list.
  local function element_refused(message, list, element)
    refused(("shut.%s[1]"):format(list) .. message, { shut = { [list] = { element } } })
  end

  it("is refused for its name", function()
    for _, name in ipairs { "", ("x"):rep(64), "a\0" } do
      assert.error_matches(function() world:permutation(name, DOOR) end, "permutation: name is '", 1, true)
    end
    assert.error_matches(function() world:permutation(nil, DOOR) end,
      "permutation: name is nil, expected 1 to 63 bytes", 1, true)
    assert.error_matches(function() world:permutation("door", 3) end,
      "permutation: options is 3, expected a table", 1, true)
  end)

  it("is refused for its states", function()
    refused("there is no state, expected at least one", {})
    refused("default is nil, expected 'open' or 'shut'", { open = {}, shut = {} })
    refused("default is 'opne', expected 'open' or 'shut'. Did you mean 'open'?",
      { default = "opne", open = {}, shut = {} })
    refused("default is 3, expected 'open'", { default = 3, open = {} })
    refused("open is 3, expected a table, as it is a state", { open = 3 })
    refused("defualt is 'open', expected a table, as it is a state. Did you mean 'default'?",
      { defualt = "open", open = {}, shut = {} })
    refused("has the key 1, expected names of states, of 1 to 63 bytes", { {} })
    refused("has the key '', expected names of states", { [""] = {} })
    refused("has the key 'xx", { [("x"):rep(64)] = {} })
    refused("patch is true, expected nil: only files patch", { patch = true, open = {} })
    local crowd = {}
    for i = 1, 65 do crowd["s" .. i] = {} end
    refused("there are more than 64 states, expected at most that many", crowd)
  end)

  it("is refused for the lists of a state", function()
    refused("unknown key 'shut.ctu'. Did you mean 'cut'?", { shut = { ctu = {} } })
    refused("unknown key 'shut.volumes'. Known keys: cut, mark, obstacles, links, tiles", { shut = { volumes = {} } })
    refused("shut.links is 3, expected a table from names of links to true or false", { shut = { links = 3 } })
    refused("shut.links has the key 1, expected names of links", { shut = { links = { true } } })
    refused("shut.links.lift is 'up', expected true or false", { shut = { links = { lift = "up" } } })
    refused("shut.links is 'lift', expected the name of a link; the world has none that has a name",
      { shut = { links = { lift = false } } })
    refused("shut.tiles is 'winter', expected a name that world:name_tiles() has given",
      { shut = { tiles = "winter" } })
    refused("shut.cut is 3, expected a list", { shut = { cut = 3 } })
    refused("shut.cut is a table with the key 'box', expected a list; write { x } for one element x",
      { shut = { cut = { box = BOX } } })
    element_refused(" is 3, expected a table", "cut", 3)
    local many = {}
    for i = 1, 4097 do many[i] = { box = BOX } end
    refused("shut.cut is a list of 4097, expected at most 4096 volumes in a state", { shut = { cut = many } })
  end)

  it("is refused for a volume", function()
    local square = { { 0, 0, 0 }, { 4, 0, 0 }, { 4, 0, 4 }, { 0, 0, 4 } }
    element_refused(".box and shut.cut[1].polygon are nil, expected one of them", "cut", {})
    element_refused(".box and shut.cut[1].polygon are given, expected one of them", "cut",
      { box = BOX, polygon = square })
    element_refused(".box is 3, expected a table", "cut", { box = 3 })
    element_refused(".box.size is nil, expected a point", "cut", { box = { at = { 1, 0, 1 } } })
    element_refused(".box.min is (3, 0, 0), expected less than shut.cut[1].box.max, (1, 1, 1), on every axis", "cut",
      { box = { min = { 3, 0, 0 }, max = { 1, 1, 1 } } })
    element_refused(".box is (2000, 1, 1) m large, expected at most 1000 on every axis", "cut",
      { box = { min = { 0, 0, 0 }, max = { 2000, 1, 1 } } })
    element_refused(".top is 3, expected nil for a box: it belongs to a polygon", "cut", { box = BOX, top = 3 })
    element_refused(".polygon is a list of 2, expected at least 3", "cut", { polygon = { { 0, 0, 0 }, { 1, 0, 0 } } })
    element_refused(".polygon[2] is 'x', expected a point", "cut", { polygon = { { 0, 0, 0 }, "x", { 1, 0, 0 } } })
    element_refused(".polygon is too wide, expected corners within 1000 metres of each other", "cut",
      { polygon = { { 0, 0, 0 }, { 2000, 0, 0 }, { 0, 0, 9 } } })
    element_refused(".top is -1.0 m above bottom, expected metres > 0 and <= 1000", "cut",
      { polygon = square, bottom = 3, top = 2 })
    assert.error_matches(function()
      world:permutation("door", { shut = { cut = { { boks = BOX } } } })
    end, "unknown key 'shut.cut[1].boks'. Did you mean 'box'?", 1, true)
  end)

  it("is refused for a polygon that is not convex, or has too many corners", function()
    local why = ".polygon is not convex or has no area, expected convex parts, each a volume of its own"
    local star, circle = {}, {}
    for i = 0, 4 do star[i + 1] = { math.sin(i * 4 * math.pi / 5), 0, math.cos(i * 4 * math.pi / 5) } end
    for i = 0, 16 do circle[i + 1] = { math.sin(i * 2 * math.pi / 17), 0, math.cos(i * 2 * math.pi / 17) } end
    element_refused(why, "cut", { polygon = { { 0, 0, 0 }, { 4, 0, 0 }, { 1, 0, 1 }, { 0, 0, 4 } } })
    element_refused(why, "mark", { polygon = { { 0, 0, 0 }, { 1, 0, 0 }, { 2, 0, 0 } }, area = "road" })
    element_refused(why, "cut", { polygon = star })
    element_refused(".polygon is a list of 17, expected at most 16 corners", "cut", { polygon = circle })
  end)

  it("is refused for an area", function()
    element_refused(".area is nil, expected the name of an area", "mark", { box = BOX })
    element_refused(".area is nil, expected the name of an area, or a cost above 0", "mark", { box = BOX })
    element_refused(".area is false, expected the name of an area", "mark", { box = BOX, area = false })
    element_refused(".area is 'gras', expected the name of an area. Did you mean 'grass'?", "mark",
      { box = BOX, area = "gras" })
    refused("unknown key 'shut.cut[1].area'", { shut = { cut = { { box = BOX, area = "grass" } } } })
  end)

  it("is refused for an obstacle", function()
    element_refused(".at is nil, expected a point", "obstacles", {})
    element_refused(".radius is 2, expected nil for a box: it belongs to a cylinder", "obstacles",
      { shape = "box", radius = 2, at = { 1, 0, 1 } })
    element_refused(".points is not convex or has no area", "obstacles",
      { points = { { 0, 0, 0 }, { 4, 0, 0 }, { 1, 0, 1 }, { 0, 0, 4 } } })
    for _, key in ipairs { "carrier", "attached_to", "min_move", "max_speed" } do
      refused(("unknown key 'shut.obstacles[1].%s'"):format(key),
        { shut = { obstacles = { { at = { 1, 0, 1 }, [key] = 3 } } } })
    end
  end)

  it("is refused when it is one more than a world holds", function()
    for i = 1, 1024 do assert(world:permutation("p" .. i, { open = {} })) end
    assert.same({ nil, "there are 1024 permutations, expected at most that many", "LIMIT" },
      { world:permutation("door", DOOR) })
  end)
end)

describe("world:set_permutation", function()
  before_each(function() world:permutation("door", DOOR) end)

  local function fails(message, ...)
    local ok, text = pcall(world.set_permutation, world, ...)
    assert.same({ false, "set_permutation: " .. message }, { ok, text })
  end

  it("refuses what is unknown, with a suggestion", function()
    fails("name is 'dor', expected the name of a permutation. Did you mean 'door'?", "dor", "open")
    fails("name is 'bridge', expected the name of a permutation; the world has door", "bridge", "open")
    fails("state is 'opne', expected 'open' or 'shut'. Did you mean 'open'?", "door", "opne")
    fails("name is nil, expected the name of a permutation")
    fails("state is nil, expected the name of a state", "door")
    for i = 1, 20 do world:permutation("p" .. i, { open = {} }) end
    fails("name is 'bridge', expected the name of a permutation; the world has door, p1, p2, p3, p4, p5, p6, p7, p8, "
      .. "p9, p10, p11, p12, p13, p14, p15, ...", "bridge", "open")
  end)

  it("says that the world has none", function()
    world = leeward.world { navmesh = maps.two_rooms() }
    fails("name is 'door', expected the name of a permutation; the world has none", "door", "open")
  end)
end)

describe("a saved world", function()
  local FILE = os.tmpname()
  teardown(function() os.remove(FILE) end)

  local function fresh() return leeward.world { navmesh = maps.two_rooms(), log = function() end } end

  before_each(function()
    world:permutation("door", DOOR)
    world:set_permutation("door", "shut")
    world:step()
    assert(world:save(FILE))
  end)

  it("comes back with its states when its permutations are defined before", function()
    local other = fresh()
    other:permutation("door", DOOR)
    other:step()
    assert(other:load(FILE))
    assert.same({ "shut", true }, { other:permutation_state "door" })
    assert.equal(world:hash(), other:hash())
    assert.is_nil(other:find_path(THROUGH))
    other:set_permutation("door", "open")
    other:step()
    assert.truthy(other:find_path(THROUGH))
  end)

  it("comes back with its states when its permutations are defined afterwards", function()
    local other = fresh()
    assert(other:load(FILE))
    assert.same({ "door" }, other:permutations())
    assert.equal("shut", (other:permutation_state "door"))
    assert.error_matches(function() other:set_permutation("door", "open") end,
      "set_permutation: name is 'door', which a loaded file had, expected world:permutation('door') before", 1, true)
    other:permutation("door", DOOR)
    assert.equal("shut", (other:permutation_state "door"))
    other:step()
    assert.is_nil(other:find_path(THROUGH))
    world:step()
    assert.equal(world:hash(), other:hash())
  end)

  it("says that a permutation has no longer the state that it was saved in", function()
    local renamed = { default = "open", open = {}, closed = SHUT }
    for _, first in ipairs { true, false } do
      local lines = {}
      local other = leeward.world {
        navmesh = maps.two_rooms(),
        log = function(level, message) lines[#lines + 1] = level .. ": " .. message end,
      }
      if first then other:permutation("door", renamed) end
      assert(other:load(FILE))
      if not first then other:permutation("door", renamed) end
      assert.same({ "warning: permutation 'door' was saved in its state 'shut', which it no longer has; "
        .. "it is in 'open' now" }, lines)
      assert.equal("open", (other:permutation_state "door"))
    end
  end)

  it("comes back with a state that has not taken effect yet", function()
    world:set_permutation("door", "open")
    assert(world:save(FILE))
    local other, heard = fresh(), {}
    other:permutation("door", DOOR)
    other:on_permutation(function(name, state) heard[#heard + 1] = name .. " " .. state end)
    assert(other:load(FILE))
    assert.same({ "open", false }, { other:permutation_state "door" })
    other:step()
    assert.truthy(other:find_path(THROUGH))
    assert.same({ "door open" }, heard)
  end)
end)

describe("in a tree", function()
  local SetPermutation = require "behaviors.nodes.set_permutation"
  local WaitForPermutation = require "behaviors.nodes.wait_for_permutation"
  local MoveTo = require "behaviors.nodes.move_to"

  before_each(function()
    world:permutation("door", { default = "shut", open = {}, shut = SHUT })
    world:step()
  end)

  local function spawn(tree, at)
    return assert(world:spawn { profile = "human", at = at or { 1, 0, 5 }, tree = tree })
  end

  it("SetPermutation lets one agent open a door, and WaitForPermutation lets another wait for that", function()
    local waiting = spawn(behaviors.sequence {
      WaitForPermutation { name = "door", state = "open" }, MoveTo { to = THROUGH.to }, behaviors.wait(60),
    })
    world:run(1)
    assert.matches("WaitForPermutation", waiting:why())
    spawn(behaviors.sequence {
      MoveTo { to = { 15, 0, 5 } }, SetPermutation { name = "door", state = "open" }, behaviors.wait(60),
    }, { 19, 0, 5 })
    world:run(0.5)
    assert.equal("shut", (world:permutation_state "door"))
    world:run(12)
    assert.equal("open", (world:permutation_state "door"))
    assert.is_true(waiting:position():distance(THROUGH.to) < 0.5)
    assert.same({}, log)
  end)

  it("WaitForPermutation succeeds at once when the state has taken effect, and not before", function()
    local agent = spawn(behaviors.sequence {
      WaitForPermutation { name = "door", state = "open" }, behaviors.wait(1000),
    })
    local function waits() return agent:why():find("WaitForPermutation", 1, true) ~= nil end
    world:run(1)
    assert.is_true(waits())
    world:set_permutation("door", "open")
    assert.is_true(waits())
    world:step()
    assert.is_false(waits())
    agent:set_tree(behaviors.sequence { WaitForPermutation { name = "door", state = "open" }, behaviors.wait(1000) })
    world:step()
    assert.is_false(waits())
  end)

  it("WaitForPermutation fails when the world has no such permutation", function()
    local agent = spawn(WaitForPermutation { name = "bridge", state = "open" })
    world:step()
    assert.matches("WaitForPermutation: there is no permutation 'bridge'", agent:why(), 1, true)
  end)

  it("WaitForPermutation fails when the permutation has no such state", function()
    local agent = spawn(WaitForPermutation { name = "door", state = "opne" })
    world:step()
    local reason = "WaitForPermutation: the permutation 'door' has no state 'opne', expected '"
    assert.is_truthy(agent:why():find(reason, 1, true))
    assert.is_truthy(agent:why():find(". Did you mean 'open'?", 1, true))
  end)

  it("SetPermutation lets a MoveTo behind it find the way that it opens", function()
    local agent = spawn(behaviors.sequence {
      SetPermutation { name = "door", state = "open" }, MoveTo { to = THROUGH.to }, behaviors.wait(60),
    })
    world:run(15)
    assert.is_true(agent:position():distance(THROUGH.to) < 0.5)
    assert.same({}, log)
  end)

  it("SetPermutation fails where another agent sets another state before its own takes effect", function()
    world:set_permutation("door", "open")
    world:step()
    local agents = {}
    for i, state in ipairs { "shut", "open" } do
      agents[i] = spawn(behaviors.selector {
        behaviors.sequence { SetPermutation { name = "door", state = state }, behaviors.wait(60) }, behaviors.wait(60),
      })
    end
    world:run(0.2)
    assert.matches("SetPermutation: the permutation 'door' was set to 'open' meanwhile", agents[1]:why())
    assert.matches("sequence > wait: stands$", agents[2]:why())
    assert.same({ "open", true }, { world:permutation_state "door" })
  end)

  it("SetPermutation fails when the world has no such permutation or state", function()
    local function reason_of(name, state)
      local agent = spawn(behaviors.selector { SetPermutation { name = name, state = state }, behaviors.wait(60) })
      world:step()
      return agent:why():match "last failure: (.*)"
    end
    assert.equal("SetPermutation: there is no permutation 'dor'. Did you mean 'door'?", reason_of("dor", "open"))
    assert.matches("^SetPermutation: the permutation 'door' has no state 'opne', expected 'open' or 'shut'%. "
      .. "Did you mean 'open'%?$", reason_of("door", "opne"))
    assert.equal("shut", (world:permutation_state "door"))
    assert.same({}, log)
  end)

  it("SetPermutation fails while the permutation is known from a loaded file alone", function()
    local file = os.tmpname()
    assert(world:save(file))
    local loaded = leeward.world { navmesh = world:navmesh() }
    assert(loaded:load(file))
    os.remove(file)
    local agent = loaded:spawn { profile = "human", at = { 1, 0, 5 }, tree = behaviors.selector {
      SetPermutation { name = "door", state = "open" }, behaviors.wait(60),
    } }
    loaded:step()
    assert.matches("SetPermutation: the permutation 'door' is one of a loaded file, and not defined yet", agent:why())
  end)

  it("both refuse options that make no sense", function()
    for name, node in pairs { SetPermutation = SetPermutation, WaitForPermutation = WaitForPermutation } do
      local function refused(message, options)
        assert.error_matches(function() node(options) end, name .. ": " .. message, 1, true)
      end
      refused("name is nil, expected the name of a permutation", { state = "open" })
      refused("state is nil, expected the name of a state", { name = "door" })
      refused("name is 3, expected the name of a permutation", { name = 3, state = "open" })
      refused("state is '', expected the name of a state", { name = "door", state = "" })
      refused("unknown key 'sate'. Did you mean 'state'?", { name = "door", sate = "open" })
    end
  end)
end)
