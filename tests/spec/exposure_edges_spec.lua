-- Exposure of extreme inputs, in every accuracy, at the origin and 5 km from it: cover.h says what is
-- right.
local leeward = require "leeward"

local SETTINGS = { agent_radius = 0.4, cell_size = 0.2, cover_map = true }

--- A floor of 40 x 40 m around `middle`, and what `build` adds there.
local function bake(middle, build)
  local geometry = leeward.geometry()
  local function add(at, size, area)
    geometry:add_box { at = middle + leeward.vec3(at), size = size, area = area }
  end
  add({ 0, -1, 0 }, { 40, 1, 40 })
  build(function(at, size) add(at, size, false) end)
  return leeward.bake(geometry, SETTINGS)
end

-- "auto" before a threat is busy, and when it is.
local ACCURACIES = { "exact", "fast", "map", "auto", "busy" }

local PLACES = { origin = leeward.vec3(0, 0, 0), ["5 km out"] = leeward.vec3(5000, 0, -5000) }

for place, middle in pairs(PLACES) do
  describe("at the edges, " .. place, function()
    local walled, posts
    setup(function()
      -- A wall of 4 x 3 m across the middle, 0.2 m thick.
      walled = bake(middle, function(add) add({ 0, 0, 0 }, { 4, 3, 0.2 }) end)
      -- 181 posts of 5 cm in a row.
      posts = bake(middle, function(add)
        for i = -90, 90 do add({ 0.2 * i, 0, 0 }, { 0.05, 3, 0.05 }) end
      end)
    end)

    local function moved(at) return middle + leeward.vec3(at) end

    --- A busy threat is one that was asked about often, a step before.
    local function world_for(navmesh, accuracy, eyes)
      local world = leeward.world { navmesh = navmesh }
      if accuracy ~= "busy" then return world end
      for _, eye in ipairs(eyes) do
        for _ = 1, 420 do
          world:exposure { from = moved { -9, 0, 5 }, to = moved { 9, 0, 5 }, threats = { { at = moved(eye) } } }
        end
      end
      world:step(1 / 60)
      return world
    end

    --- Ask; the answer must make sense whatever it is.
    local function ask(world, accuracy, eye, from, to, heights)
      local metres, fraction, hidden, weighted = world:exposure {
        from = moved(from), to = moved(to or from), heights = heights or { 0.01 },
        accuracy = accuracy == "busy" and "auto" or accuracy, threats = { { at = moved(eye) } },
      }
      local length = moved(from):distance(moved(to or from))
      local last, sum = 0, 0
      for _, part in ipairs(hidden) do
        assert.is_true(part[1] >= last and part[2] >= part[1] and part[2] <= 1)
        last, sum = part[2], sum + part[2] - part[1]
      end
      assert.is_true(fraction >= 0 and fraction <= 1 and metres >= 0) -- false for NaN
      assert.is_near(length * fraction, metres, 1e-3)
      assert.is_near(metres, weighted, 1e-3)
      assert.is_near(1, fraction + sum, 1e-3)
      return fraction, hidden
    end

    for _, accuracy in ipairs(ACCURACIES) do
      -- A depth map knows no more than its texels, 0.7 degrees wide.
      local slack = (accuracy == "fast" or accuracy == "busy") and 0.02 or 0.003

      local function answers(name, expected, eye, from, to)
        it(("%s is %g, %s"):format(name, expected, accuracy), function()
          local world = world_for(walled, accuracy, { eye })
          assert.is_near(expected, ask(world, accuracy, eye, from, to), slack)
        end)
      end

      answers("from inside a wall, beyond its face", 0, { 0, 1, 0 }, { -1, 0, 5 }, { 1, 0, 5 })
      answers("from inside a wall, within it", 1, { 0, 1, 0 }, { -1, 1, 0 }, { 1, 1, 0 })
      if slack < 0.01 then -- along a ledge a depth map may be wrong throughout
        answers("from a wall's face, along it", 1, { 0, 1, -0.1 }, { -8, 1, -0.1 }, { 8, 1, -0.1 })
      end
      answers("from a wall's face, before it", 1, { 0, 1, -0.1 }, { -5, 1, -3 }, { 5, 1, -3 })
      answers("on the segment", 0.495, { 0, 1.01, -5 }, { 0, 1, -10 }, { 0, 1, 10 })
      answers("at the segment's end", 0.495, { 0, 1.01, -10 }, { 0, 1, -10 }, { 0, 1, 10 })
      answers("in line with the segment", 0.495, { 0, 1.01, -15 }, { 0, 1, -10 }, { 0, 1, 10 })
      answers("above the segment", 1, { 5, 9, 0 }, { 5, 0, -5 }, { 5, 0, 5 })
      answers("straight above a place", 1, { 5, 9, 5 }, { 5, 0, 5 })
      answers("above the wall, of what it stands on", 0, { 0, 9, 0 }, { -1.5, 0.5, 0 }, { 1.5, 0.5, 0 })
      answers("at the eye itself", 1, { 5, 0.01, 5 }, { 5, 0, 5 })
      answers("of a place without a length, behind the wall", 0, { 0, 1, -5 }, { 0, 1, 5 })
      answers("of a place without a length, beside it", 1, { 9, 1, -5 }, { 9, 1, 5 })
      answers("of what is far beyond the level", 1, { 9, 1, -5 }, { 900, 1, -5 }, { 901, 1, -5 })

      it("counts every shadow, however many there are, " .. accuracy, function()
        local eye = { 0, 1, -19 }
        local world = world_for(posts, accuracy, { eye })
        local exact, all = ask(world, "exact", eye, { -17, 0, 0.5 }, { 17, 0, 0.5 }, { 1 })
        local fraction, hidden = ask(world, accuracy, eye, { -17, 0, 0.5 }, { 17, 0, 0.5 }, { 1 })
        assert.is_true(#all >= 164 and #all <= 168, #all) -- posts up to 16.5 m to either side hide
        if accuracy == "exact" or accuracy == "auto" then
          assert.same(all, hidden)
        elseif accuracy == "map" then -- it names some of the posts, and loses the rest
          assert.is_true(fraction >= exact - 1e-4 and #hidden > 20 and #hidden <= #all, #hidden)
        else -- a post is narrower than a texel
          assert.is_near(exact, fraction, 0.15)
          assert.is_true(#hidden > 32, #hidden)
        end
      end)

      it("is the price of paths past threats that stand anywhere, " .. accuracy, function()
        local eyes = { { 0, 1, 0 }, { -6, 1.6, -6 }, { 6, 9, 6 }, { 6, 0, 6 }, { 0, 1.6, 5 }, { 0, -3, 0 } }
        local world = world_for(walled, accuracy, eyes)
        for _, eye in ipairs(eyes) do
          for _, goal in ipairs { { 6, 0, 6 }, { -6, 0, -6 } } do -- the second is where it begins
            local path = assert(world:find_path {
              from = moved { -6, 0, -6 }, to = moved(goal), profile = { extends = "human", cover_bias = 4 },
              accuracy = accuracy == "busy" and "auto" or accuracy, threats = { { at = moved(eye) } },
            })
            local length, exposed = path:length(), path:exposed()
            assert.is_true(length < 40 and exposed >= 0 and exposed <= length + 1e-3)
            assert.is_near(length + 3 * exposed, path:cost(), 0.01 * length + 1e-3)
          end
        end
      end)
    end
  end)
end

describe("cover from threats that stand anywhere", function()
  it("hides from them, or there is none", function()
    local world = leeward.world { navmesh = bake(PLACES.origin, function(add)
      add({ 0, 0, 0 }, { 4, 3, 0.2 })
      add({ 5, 0, 3 }, { 3, 1.2, 0.4 })
    end) }
    local found = 0
    local eyes = { { 0, 1, 0 }, { 0, 1, -0.1 }, { 0, 3, 0 }, { 0, 9, 0 }, { 0, -3, 0 }, { 0, 0, 0.5 }, { 0, 1.6, 0.6 } }
    for _, eye in ipairs(eyes) do
      local places = world:find_cover { around = { 0, 0, 1 }, radius = 9, threats = { { at = eye } }, watched = true }
      for _, cover in ipairs(places or {}) do
        found = found + 1
        assert.equal(0, (select(2, world:exposure { from = cover.point, to = cover.point, stance = cover.stance,
          threats = { { at = eye } }, accuracy = "exact" })))
      end
    end
    assert.is_true(found > 10, found)
  end)
end)

describe("exposure to several", function()
  it("is the same wherever the level lies", function()
    local near, far = {}, {}
    for _, answers in ipairs { near, far } do
      local middle = answers == near and PLACES.origin or PLACES["5 km out"]
      local world = leeward.world { navmesh = bake(middle, function(add)
        for i = 1, 12 do add({ -14 + 2.3 * i, 0, (i * 5) % 7 - 3 }, { 1.5, i % 3 + 0.5, 0.4 }) end
      end) }
      for i = 1, 60 do
        local one, other = leeward.vec3(-18 + i * 0.6, 1.6, -15), leeward.vec3(i % 9, 4, 12)
        answers[i] = select(2, world:exposure {
          from = middle + leeward.vec3(-15, 0, i % 13 - 6), to = middle + leeward.vec3(15, 0, i % 7 - 3),
          threats = { { at = middle + one }, { at = middle + other } }, accuracy = "exact",
        })
      end
    end
    for i = 1, #near do assert.is_near(near[i], far[i], 0.003) end -- floats out there are half a millimetre apart
  end)
end)
