-- Obstacles that hang over the ground: who fits below passes, standing or in a lower stance, and nobody else.
local leeward = require "leeward"

local STEP = 1 / 30
local PROFILES = { "car", "civilian", "diver", "dog", "hovercraft", "human", "medic", "sniper", "soldier", "truck" }

--- A floor of 40 x 10 m, with more geometry; and its navmesh.
local function floor(add, settings)
  local level = leeward.geometry()
  level:add_box { at = { 0, -1, 0 }, size = { 40, 1, 10 } }
  if add then add(level) end
  local with = { agent_radius = 0.4, agent_height = 1.8, cell_size = 0.2, openness_range = 0 }
  for key, value in pairs(settings or {}) do with[key] = value end
  return assert(leeward.bake(level, with))
end

--- A world in which a beam of 2 x 12 m hangs across the floor at a height.
local function below_beam(height, settings)
  local world = leeward.world { navmesh = floor(nil, settings), seed = 7 }
  local beam = world:add_obstacle { at = { 0, height, 0 }, size = { 2, 0.5, 12 } }
  world:apply_changes()
  return world, beam
end

local function across(world, profile)
  return world:find_path { from = { -10, 0, 0 }, to = { 10, 0, 0 }, profile = profile }
end
--- A profile whose costs are those of length alone.
local function plain(name, more)
  local profile = { extends = name, radius = 0.4, resistance_factor = { triangular = 0 }, exposure_factor = 0,
    cover_bias = 1 }
  for key, value in pairs(more or {}) do profile[key] = value end
  return profile
end

--- How high a profile is in a stance: as much lower as the top of its body.
local function height_of(profile, stance)
  return profile.height - (profile.stances.stand.body[2] - profile.stances[stance].body[2])
end

describe("an obstacle that hangs over the ground", function()
  it("bars those who do not fit below it, and nobody else", function()
    local stands = function(height) return plain("human", { height = height, can_crouch = false }) end
    for _, height in ipairs { 0.45, 0.7, 1.2, 1.5, 1.75, 1.8, 2.4, 3 } do
      local world = below_beam(height)
      assert.is_truthy(across(world, stands(height)), "as high as the gap: " .. height)
      assert.equal("NO_PATH", select(3, across(world, stands(height + 0.05))), height)
      assert.is_true((world:path_exists({ -10, 0, 0 }, { 10, 0, 0 }, { profile = stands(height) })))
      assert.is_false((world:path_exists({ -10, 0, 0 }, { 10, 0, 0 }, { profile = stands(height + 0.05) })))
    end
    -- Where less than 0.4 m is left nobody passes.
    local world = below_beam(0.35)
    assert.equal("NO_PATH", select(3, across(world, stands(0.1))))
    assert.equal("NO_PATH", select(3, across(world)))
  end)

  it("is passed in a lower stance, at its price, and told along the path", function()
    local world, beam = below_beam(1.2)
    local path = across(world, plain "human")
    assert.same({ "stand", "crouch", "stand" }, path:stances())
    assert.near(20, path:length(), 0.05)
    assert.near(20 + 2.8, path:cost(), 0.1) -- 2 m, and the radius on both sides, cost twice as much
    assert.equal("NO_PATH", select(3, across(world, plain("human", { can_crouch = false }))))
    assert.is_true(beam:is_cut())
    assert.is_true(across(world, "dog"):cost() < 20.1)
    assert.near(20, across(world):length(), 0.05, "without a profile everything is entered")
    beam:move { 0, 1.95, 0 }
    world:run(1)
    assert.near(20, across(world, plain "human"):cost(), 0.05)
    assert.is_false(beam:is_cut())
    beam:remove()
    world:step()
    assert.near(20, across(world, plain "truck"):cost(), 0.05)
  end)

  it("costs paths that pass elsewhere nothing, and is gone round where that is cheaper", function()
    math.randomseed(20261128)
    local function walls(level)
      for i = 1, 12 do
        level:add_box { at = { 3 * i - 20, 0, 6 * math.random() - 3 }, size = { 0.6, 3, 3 }, area = false }
      end
    end
    local world = leeward.world { navmesh = floor(walls), seed = 7 }
    local profile = plain "human"
    local pairs_of, before = {}, {}
    for i = 1, 40 do
      pairs_of[i] = { from = world:random_point { profile = profile }, to = world:random_point { profile = profile },
        profile = profile }
      before[i] = world:find_path(pairs_of[i])
    end
    for _, beam_def in ipairs { { size = { 1.5, 0.5, 1.5 } }, { size = { 1.5, 1, 1.5 }, blocks = false, cost = 3 } } do
      local equal, dearer = 0, 0
      for k = 1, 12 do
        beam_def.at = { 3 * k - 19, beam_def.cost and 0 or 1.2, 4 * math.random() - 2 }
        local beam = world:add_obstacle(beam_def)
        world:apply_changes()
        for i, ends in ipairs(pairs_of) do
          local path = world:find_path(ends)
          assert.is_true(path:cost() > before[i]:cost() - 0.03 * before[i]:cost(), "cheaper than without the beam")
          if path:cost() < before[i]:cost() + 0.01 then
            if path:nodes() < 1.5 * before[i]:nodes() + 5 then equal = equal + 1 end
          else
            dearer = dearer + 1
            -- Straight through would cost what the metres below it do.
            assert.is_true(path:cost() <= before[i]:cost() + 4 * math.sqrt(2) * 2.4 + 0.01)
          end
        end
        beam:remove()
        world:apply_changes()
      end
      assert.is_true(equal > 300, "paths that pass elsewhere were searched for longer: " .. equal)
      assert.is_true(dearer > 10, dearer)
    end
  end)

  it("counts in every query", function()
    local world = below_beam(1.5)
    local human, dog = plain("human", { can_crouch = false }), plain "dog"
    for _ = 1, 300 do
      local at = world:random_point { profile = human }
      assert.is_true(math.abs(at.x) >= 1.39)
    end
    local below = 0
    for _ = 1, 300 do below = below + (math.abs(world:random_point { profile = dog }.x) < 1.4 and 1 or 0) end
    assert.is_true(below > 5)
    assert.near(1.4, world:nearest_point({ 0.5, 0, 0 }, { profile = human }).x, 0.01)
    assert.near(0.5, world:nearest_point({ 0.5, 0, 0 }, { profile = dog }).x, 0.01)
    local start = world:nearest_point { -5, 0, 0 }
    local hit, at = world:raycast(start, { 5, 0, 0 }, { profile = human })
    assert.is_true(hit)
    assert.near(-1.4, at.x, 0.01)
    assert.is_false((world:raycast(start, { 5, 0, 0 }, { profile = dog })))
  end)

  it("moves aside who does not fit below it where it comes down, and turns back who walks there", function()
    local world = leeward.world { navmesh = floor(), seed = 7 }
    local man = world:spawn { profile = plain("human", { can_crouch = false }), at = { 0.5, 0, 0 } }
    local dog = world:spawn { profile = "dog", at = { -0.5, 0, 1 } }
    local croucher = world:spawn { profile = plain "human", at = { -0.5, 0, 2 } }
    local walker = world:spawn { profile = plain("human", { can_crouch = false }), at = { -10, 0, 0 } }
    local low = world:spawn { profile = "dog", at = { -10, 0, 1 } }
    walker:move_to { 10, 0, 0 }
    low:move_to { 10, 0, 1 }
    world:step()
    local searches = low:stats().searches
    local beam = world:add_obstacle { at = { 0, 1.5, 0 }, size = { 2, 0.5, 12 } }
    world:step()
    assert.near(1.4, man:position().x, 0.05)
    assert.near(-0.5, dog:position().x, 0.01)
    assert.near(-0.5, croucher:position().x, 0.01)
    assert.equal("crouch", croucher:stance())
    assert.equal("failed", walker:move_state())
    assert.equal(searches, low:stats().searches)
    world:run(10)
    assert.equal("arrived", low:move_state())
    beam:remove()
    world:step()
    walker:move_to { 10, 0, 0 }
    world:run(10)
    assert.equal("arrived", walker:move_state())
    assert.equal("stand", croucher:stance())
  end)

  it("holds as one that was baked: the same can be reached", function()
    math.randomseed(20261127)
    for _ = 1, 12 do
      local beams = {}
      for i = 1, 5 do
        beams[i] = { at = { -16 + 8 * (i - 1), 0.45 + 0.05 * math.random(0, 40), 0 }, size = { 1.2, 0.4, 12 } }
      end
      local baked = leeward.world { navmesh = floor(function(level)
        for _, beam in ipairs(beams) do level:add_box { at = beam.at, size = beam.size, area = false } end
      end, { crouch_height = 0.4, heights = { 0.7, 1.1, 1.6, 1.75, 1.8, 3 }, cell_size = 0.1, cell_height = 0.05 }),
        seed = 7 }
      local live = leeward.world { navmesh = floor(nil, { crouch_height = 0.4, cell_height = 0.05 }), seed = 7 }
      for _, beam in ipairs(beams) do live:add_obstacle(beam) end
      live:apply_changes()
      local passed, barred = 0, 0
      for i = 1, 5 do
        local x = beams[i].at[1]
        local from, to = { x - 2.5, 0, 0 }, { x + 2.5, 0, 0 }
        if i == 1 then from = { x - 1.8, 0, 0 } end
        if i == 5 then to = { x + 1.8, 0, 0 } end
        for _, name in ipairs(PROFILES) do
          local profile = plain(name)
          -- What voxels of 5 cm round may decide is left out.
          local shown, near = leeward.profile(name), false
          for stance in pairs(shown.stances) do
            near = near or math.abs(height_of(shown, stance) - beams[i].at[2]) < 0.11
          end
          if not near then
            local one = (baked:path_exists(from, to, { profile = profile }))
            assert.equal(one, (live:path_exists(from, to, { profile = profile })),
              name .. " below " .. beams[i].at[2])
            passed, barred = passed + (one and 1 or 0), barred + (one and 0 or 1)
          end
        end
      end
      assert.is_true(passed > 0 and barred > 0)
    end
  end)

  it("is saved, and comes to the same again", function()
    local function run(from_file)
      local world = leeward.world { navmesh = floor(), seed = 7 }
      world:add_obstacle { at = { 0, 1.2, 0 }, size = { 2, 0.5, 12 } }
      local agent = world:spawn { profile = "human", at = { -10, 0, 0 } }
      agent:move_to { 10, 0, 0 }
      world:run(2)
      if from_file then
        local name = os.tmpname()
        assert(world:save(name))
        local loaded = leeward.world { navmesh = world:navmesh(), seed = 1 }
        assert(loaded:load(name))
        os.remove(name)
        world = loaded
      end
      world:run(4)
      return world:hash()
    end
    assert.equal(run(false), run(false))
    assert.equal(run(false), run(true))
  end)

  it("is a volume of a permutation, too", function()
    local world = leeward.world { navmesh = floor(), seed = 7 }
    world:permutation("door", { default = "open", open = {},
      half = { cut = { { box = { at = { 0, 1.2, 0 }, size = { 2, 0.5, 12 } } } } } })
    world:step()
    assert.near(20, across(world, plain "human"):cost(), 0.05)
    world:set_permutation("door", "half")
    world:step()
    assert.near(22.8, across(world, plain "human"):cost(), 0.1)
    assert.equal("NO_PATH", select(3, across(world, plain "truck")))
  end)
end)

describe("agents of all profiles that ship", function()
  local shown = {}
  for _, name in ipairs(PROFILES) do shown[name] = leeward.profile(name) end

  --- Hanging boxes that move and turn over ground with a height, and how far the lowest is above a place.
  local function boxes_over(world, height_at)
    local made = { items = {} }
    local function place()
      local at = world:random_point {}
      return { at.x, height_at(at.x, at.z) + 0.3 + 3 * math.random(), at.z }, 3 * math.random()
    end
    for i = 1, 24 do
      local at, yaw = place()
      local size = { 1 + 6 * math.random(), 0.5, 1 + 6 * math.random() }
      made.items[i] = { obstacle = world:add_obstacle { at = at, yaw = yaw, size = size }, at = at, yaw = yaw,
        size = size }
    end
    function made:move(i)
      local item = self.items[i]
      item.at, item.yaw = place()
      item.obstacle:move(item.at, item.yaw, { 0, 0, 0 })
    end
    --- Below what it is for certain, whatever radius it was grown by.
    function made:headroom_at(at, floor_y)
      local headroom = math.huge
      for _, item in ipairs(self.items) do
        local dx, dz = at.x - item.at[1], at.z - item.at[3]
        local c, s = math.cos(item.yaw), math.sin(item.yaw)
        local inside = math.min(item.size[1] / 2 - math.abs(dx * c - dz * s),
          item.size[3] / 2 - math.abs(dx * s + dz * c))
        if inside > 0.01 and item.at[2] + 0.5 > floor_y then headroom = math.min(headroom, item.at[2] - floor_y) end
      end
      return headroom
    end
    return made
  end

  local function hills(x, z) return 1.1 * math.sin(x / 7) * math.cos(z / 9) end
  local LEVELS = { flat = function() return 0 end, hills = hills,
    ramp = function(x) return 0.25 * math.max(0, math.min(20, x - 15)) end }

  for name, height_at in pairs(LEVELS) do
    it("never stand below an obstacle that is too low for their stance: " .. name, function()
      local level, vertices, indices = leeward.geometry(), {}, {}
      for i = 0, 50 do
        for k = 0, 50 do vertices[#vertices + 1] = { i, height_at(i, k), k } end
      end
      for i = 0, 49 do
        for k = 1, 50 do
          local a = 51 * i + k
          for _, n in ipairs { a, a + 1, a + 51, a + 51, a + 1, a + 52 } do indices[#indices + 1] = n end
        end
      end
      level:add_mesh { vertices = vertices, indices = indices }
      local navmesh = assert(leeward.bake(level, { agent_radius = 0.4, agent_height = 1.8, cell_size = 0.2,
        cover_segments = false, occluders = false, openness_range = 0, detail_error = 0.05 }))
      local world = leeward.world { navmesh = navmesh, seed = 7 }
      math.randomseed(20261127)
      local boxes = boxes_over(world, height_at)
      world:apply_changes()
      local agents, checks, low, crouched = {}, 0, 0, 0
      for i = 1, 40 do
        local profile = PROFILES[(i - 1) % #PROFILES + 1]
        local at = assert(world:random_point { profile = profile })
        agents[i] = { name = profile, body = assert(world:spawn { profile = profile, at = at }) }
      end
      for step = 1, 20 / STEP do
        for k, agent in ipairs(agents) do
          if (step + k) % 120 == 1 then
            agent.body:move_to(world:random_point { profile = step % 2 == 1 and agent.name or nil })
          end
        end
        if step % 20 == 0 then boxes:move(math.random(#boxes.items)) end
        world:step(STEP)
        for k, agent in ipairs(agents) do
          if (step + k) % 3 == 0 then
            local at, stance = agent.body:position(), agent.body:stance()
            local headroom, height = boxes:headroom_at(at, at.y), height_of(shown[agent.name], stance)
            checks = checks + 1
            low = low + (headroom < 3 and 1 or 0)
            crouched = crouched + (stance ~= "stand" and 1 or 0)
            if headroom < height - 0.1 then
              error(("%s in the stance %s is %g m high under %g m at (%g, %g, %g)"):format(agent.name, stance,
                height, headroom, at.x, at.y, at.z))
            end
          end
        end
      end
      assert.is_true(checks > 1000)
      assert.is_true(low > checks / 50, "too few were under obstacles")
      assert.is_true(crouched > checks / 200, "too few crouched")
    end)
  end
end)
