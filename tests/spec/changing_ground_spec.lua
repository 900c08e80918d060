-- Ground that changes under agents, whatever changes it: obstacles, permutations, links, tiles.
local leeward = require "leeward"
local maps = require "support.maps"

local STEP = 1 / 60
local STATED = 2 -- seconds within which a way that became much better is taken

local function ground(width, depth)
  return leeward.navmesh { vertices = { { 0, 0, 0 }, { width, 0, 0 }, { width, 0, depth }, { 0, 0, depth } },
    polygons = { { 1, 2, 3, 4 } }, agent_radius = 0.4 }
end

describe("worlds that share a navmesh", function()
  it("change ground for themselves alone, and never the navmesh", function()
    local navmesh, file = maps.two_rooms(), os.tmpname()
    local through = { from = { 1, 0, 5 }, to = { 20, 0, 5 } }
    local world, other = leeward.world { navmesh = navmesh }, leeward.world { navmesh = navmesh }
    local function bytes()
      assert(navmesh:save(file))
      local stream = assert(io.open(file, "rb"))
      local all = stream:read "a"
      stream:close()
      return all
    end
    local before, way = bytes(), other:find_path(through):points()
    world:add_obstacle { at = { 10.5, 0, 5 }, size = { 1, 2, 2 } }
    world:step()
    other:step()
    assert.equal("NO_PATH", select(3, world:find_path(through)))
    assert.same(way, other:find_path(through):points())
    assert.is_true(before == bytes())
    os.remove(file)
  end)
end)

describe("a wall on the way of a thousand agents", function()
  it("sends all of them round it in the same step, and none walks into it", function()
    local world, agents, beside = leeward.world { navmesh = ground(40, 40) }, {}, 0
    for i = 1, 1000 do
      agents[i] = assert(world:spawn { profile = "human", at = { 1 + i % 50 / 5, 0, 10 + i // 50 } })
      assert(agents[i]:move_to { 39, 0, 10 + i * 7 % 20 })
    end
    world:run(0.5)
    world:add_obstacle { at = { 22, 0, 20 }, size = { 1, 2, 30 } }
    world:step()
    for _, agent in ipairs(agents) do assert.equal(1, agent:stats().replans) end
    for _ = 1, 8 * 60 do
      world:step()
      for _, agent in ipairs(agents) do
        local at = agent:position()
        local outside = math.max(math.abs(at.x - 22) - 0.9, math.abs(at.z - 20) - 15.4)
        assert.is_true(outside > -0.01, tostring(at))
        if outside < 0.1 then beside = beside + 1 end
      end
    end
    assert.is_true(beside > 1000)
  end)
end)

-- A wall of 40 m with a gap at one end; the ground is in the way of agents until `open` makes another gap.
local SETTINGS = { cell_size = 0.25, agent_radius = 0.4, tile_size = 8, threads = 1 }
local FROM, TO = { 2, 0, 4 }, { 38, 0, 4 }

local function yard(gap)
  local level = leeward.geometry()
  level:add_box { at = { 20, -1, 20 }, size = { 40, 1, 40 } }
  level:add_box { min = { 19.5, 0, 6 }, max = { 20.5, 2, 34 }, area = false }
  if not gap then level:add_box { min = { 19.5, 0, 0 }, max = { 20.5, 2, 6 }, area = false } end
  return leeward.bake(level, SETTINGS)
end

describe("a way that became much better", function()
  local walled, open
  setup(function()
    walled, open = yard(false), yard(true)
  end)

  local BOX = { box = { min = { 19, -1, -1 }, max = { 21, 2, 6 } } }
  --- Each makes a world, and what opens the gap in it.
  local WAYS = {
    ["as an obstacle goes"] = function()
      local world = leeward.world { navmesh = open }
      local crate = world:add_obstacle { at = { 20, 0, 2.5 }, size = { 2, 2, 7 } }
      return world, function() crate:remove() end
    end,
    ["as an obstacle that is too fast is taken out"] = function()
      local world = leeward.world { navmesh = open }
      local truck = world:add_obstacle { at = { 20, 0, 2.5 }, size = { 2, 2, 7 } }
      local x = 20
      return world, function()
        x = x + 8 * STEP
        truck:move({ x, 0, 2.5 }, 0, { 8, 0, 0 })
      end, true
    end,
    ["by a permutation that cuts"] = function()
      local world = leeward.world { navmesh = open }
      world:permutation("gate", { default = "shut", shut = { cut = { BOX } }, open = {} })
      return world, function() world:set_permutation("gate", "open") end
    end,
    ["by a permutation that marks"] = function()
      local world = leeward.world { navmesh = open }
      world:permutation("gate", { default = "mud", mud = { mark = { { box = BOX.box, cost = 100 } } }, dry = {} })
      return world, function() world:set_permutation("gate", "dry") end
    end,
    ["by a permutation that has tiles"] = function()
      local world = leeward.world { navmesh = walled }
      local tiles = walled:differing_tiles(open)
      tiles.source = open
      world:permutation("wall", { default = "whole", whole = {}, breached = { tiles = tiles } })
      return world, function() world:set_permutation("wall", "breached") end
    end,
    ["by another navmesh"] = function()
      local world = leeward.world { navmesh = walled }
      return world, function() world:set_navmesh(open) end
    end,
    ["by a link that comes"] = function()
      local world = leeward.world { navmesh = walled }
      return world, function()
        world:add_link { kind = "door", from = { 18, 0, 3 }, to = { 22, 0, 3 }, bidirectional = true }
      end
    end,
    ["by a link that is enabled"] = function()
      local world = leeward.world { navmesh = walled }
      local link = world:add_link { kind = "door", from = { 18, 0, 3 }, to = { 22, 0, 3 } }
      link:disable()
      return world, function() link:enable() end
    end,
    ["by a link that becomes cheap"] = function()
      local world = leeward.world { navmesh = walled }
      local link = world:add_link { kind = "door", from = { 18, 0, 3 }, to = { 22, 0, 3 } }
      link:set_cost(1000)
      return world, function() link:set_cost(0) end
    end,
  }
  for name, make in pairs(WAYS) do
    it("is taken within the stated time: " .. name, function()
      local world, open_gap, in_each_step = make()
      local agents = {}
      for i = 1, 200 do
        agents[i] = assert(world:spawn { profile = "human", at = { 2 + i % 10 / 10, 0, 4 + i // 10 / 10 } })
      end
      world:step()
      for _, agent in ipairs(agents) do assert(agent:move_to(TO)) end
      world:run(0.2)
      for _, agent in ipairs(agents) do assert.is_true(agent:remaining() > 60, agent:remaining()) end
      open_gap()
      for _ = 1, STATED / STEP + 1 do
        if in_each_step then open_gap() end
        world:step()
      end
      for _, agent in ipairs(agents) do assert.is_true(agent:remaining() < 45, agent:remaining()) end
      world:run(20)
      for _, agent in ipairs(agents) do
        assert.equal("arrived", (agent:move_state()))
        assert.equal(0, agent:stats().off_mesh)
      end
    end)
  end

  it("is none where it is hardly better", function()
    local world = leeward.world { navmesh = open }
    local crate = world:add_obstacle { at = { 10, 0, 4 }, size = { 1, 2, 1 } }
    world:step()
    local agent = assert(world:spawn { profile = "human", at = FROM })
    assert(agent:move_to(TO))
    world:step()
    crate:remove()
    world:run(STATED)
    assert.equal(0, agent:stats().replans)
  end)
end)

describe("an agent on ground that goes", function()
  local MIDDLE, REASON = { 20, 0, 20 }, "the ground under the agent was cut away, and there is none near by"
  local navmesh
  setup(function() navmesh = yard(true) end)

  local HOLE, ALL = { min = { 8, -1, 8 }, max = { 12, 2, 12 } }, { min = { -1, -1, -1 }, max = { 41, 2, 41 } }
  --- Each makes a world in which the ground of a box goes, or comes back, and takes effect with the next step.
  local WAYS = {
    ["by an obstacle"] = function(box)
      local world, obstacle = leeward.world { navmesh = navmesh }, nil
      local at, size = {}, {}
      for i = 1, 3 do at[i], size[i] = (box.min[i] + box.max[i]) / 2, box.max[i] - box.min[i] end
      at[2] = box.min[2]
      return world, function(goes)
        if goes then obstacle = world:add_obstacle { at = at, size = size } else obstacle:remove() end
      end
    end,
    ["by a permutation that cuts"] = function(box)
      local world = leeward.world { navmesh = navmesh }
      world:permutation("hole", { default = "none", none = {}, there = { cut = { { box = box } } } })
      return world, function(goes) world:set_permutation("hole", goes and "there" or "none") end
    end,
    ["by a permutation that marks what nobody may enter"] = function(box)
      local world = leeward.world { navmesh = navmesh }
      local mark = { mark = { { box = box, area = "deep_water" } } }
      world:permutation("flood", { default = "none", none = {}, there = mark })
      return world, function(goes) world:set_permutation("flood", goes and "there" or "none") end
    end,
  }
  for name, make in pairs(WAYS) do
    it("is moved to the nearest place that it may stand at: " .. name, function()
      local world, set = make(HOLE)
      local agent = assert(world:spawn { profile = "human", at = { 8.5, 0, 10 } })
      set(true)
      world:step()
      local at = agent:position()
      assert.is_true(at.x < 8.05 and at.x > 7.45 and math.abs(at.z - 10) < 0.05, tostring(at))
      assert.equal("idle", (agent:move_state()))
      assert(agent:move_to(MIDDLE))
    end)

    it("is trapped where there is none, with that reason, until it comes back: " .. name, function()
      local world, set = make(ALL)
      local idle = assert(world:spawn { profile = "human", at = { 10, 0, 10 } })
      local walker = assert(world:spawn { profile = "human", at = { 10, 0, 12 } })
      assert(walker:move_to { 10, 0, 38 })
      world:run(0.5)
      set(true)
      world:step()
      for _, agent in ipairs { idle, walker } do
        local state, message, code = agent:move_state()
        assert.same({ "failed", REASON, "TRAPPED" }, { state, message, code })
        assert.equal("TRAPPED", select(3, agent:move_to { 10, 0, 38 }))
        assert.matches("cut away", agent:why())
      end
      set(false)
      world:step()
      for _, agent in ipairs { idle, walker } do assert(agent:move_to { 10, 0, 30 }) end
      world:run(30)
      for _, agent in ipairs { idle, walker } do
        assert.equal("arrived", (agent:move_state()))
        assert.equal(0, agent:stats().off_mesh)
      end
    end)
  end
end)

describe("a strip that is too narrow", function()
  --- 20 x 2 m, and a box whose side, grown, runs that far from the border at z = 2.
  local function strip(width)
    local world = leeward.world { navmesh = ground(20, 2) }
    world:add_obstacle { at = { 10, 0, 2 - width - 0.4 - 1.5 }, size = { 4, 2, 3 } }
    world:apply_changes()
    return world
  end

  it("is none to walk on between an obstacle and the border, from 2.5 mm on it is one", function()
    for width, expected in pairs { [0] = false, [0.001] = false, [0.0023] = false, [0.0027] = true, [0.01] = true } do
      local found = strip(width):path_exists({ 1, 0, 1 }, { 19, 0, 1 })
      assert.equal(expected, found, width)
    end
  end)

  it("is not cut out along the border", function()
    for width, expected in pairs { [0.001] = true, [0.0023] = true, [0.0027] = false, [0.01] = false } do
      local world = leeward.world { navmesh = ground(20, 2) }
      world:add_obstacle { at = { 10, 0, 2 - width + 0.4 + 0.5 }, size = { 4, 2, 1 } }
      world:apply_changes()
      assert.equal(expected, (world:contains { 10, 0, 2 - width / 2 }), width)
    end
  end)
end)
