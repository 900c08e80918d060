-- Pictures and the debug window, without a display.
local found, sdl = pcall(require, "leeward_sdl")
local ok, leeward = pcall(require, "leeward")

-- Raised errors carry the caller's file and line; what follows is compared.
local function message_of(f, ...)
  local passed, message = pcall(f, ...)
  assert.is_false(passed)
  return (tostring(message):gsub("^[^:]+:%d+: ", ""))
end

-- Width and height stand in the header of a PNG, big-endian, behind 16 bytes.
local function png_size(file)
  local stream = assert(io.open(file, "rb"))
  local head = stream:read(24)
  stream:close()
  assert.equal("\137PNG\r\n\26\n", head:sub(1, 8))
  local width, height = string.unpack(">I4I4", head, 17)
  return width, height
end

local function exists(file)
  local stream = io.open(file, "rb")
  if stream then stream:close() end
  return stream ~= nil
end

local function channels(color)
  return color >> 16, color >> 8 & 0xff, color & 0xff
end

describe("leeward_sdl", function()
  if not found or not ok then
    pending("leeward_sdl is not built: " .. tostring(not found and sdl or leeward))
    return
  end

  local file, navmesh

  setup(function()
    leeward.area("picture_red", { color = 0xff0000 })
    leeward.area("picture_blue", { color = 0x0000ff })
    -- Red from x 0 to 10, blue from 10 to 20: the picture's left and right half.
    navmesh = leeward.navmesh {
      vertices = { { 0, 0, 0 }, { 10, 0, 0 }, { 20, 0, 0 }, { 20, 0, 10 }, { 10, 0, 10 }, { 0, 0, 10 } },
      polygons = { { 1, 2, 5, 6 }, { 2, 3, 4, 5 } },
      areas = { "picture_red", "picture_blue" },
    }
  end)

  before_each(function()
    file = os.tmpname()
    os.remove(file)
  end)
  after_each(function() os.remove(file) end)

  describe("picture", function()
    it("is a PNG of the size that was asked for", function()
      assert.is_true(sdl.picture { file = file, navmesh = navmesh, width = 320, height = 200 })
      assert.same({ 320, 200 }, { png_size(file) })
    end)

    it("takes its height from the level's shape", function()
      assert.is_true(sdl.picture { file = file, navmesh = navmesh, width = 640 })
      local width, height = png_size(file)
      assert.equal(640, width)
      -- 20 x 10 m: half as high as wide, plus title and legend.
      assert.is_true(height >= 320 and height <= 320 + 120, height)
    end)

    it("turns a level that is higher than wide", function()
      local tall = leeward.navmesh {
        vertices = { { 0, 0, 0 }, { 10, 0, 0 }, { 10, 0, 40 }, { 0, 0, 40 } }, polygons = { { 1, 2, 3, 4 } },
      }
      assert.is_true(sdl.picture { file = file, navmesh = tall, width = 640 })
      local width, height = png_size(file)
      assert.is_true(width > 2 * height)
    end)

    it("has an area's colour where its polygons are", function()
      assert.is_true(sdl.picture { file = file, navmesh = navmesh, width = 640, height = 400, layers = { "areas" } })
      local r, g, b = channels(sdl.read_pixel { file = file, x = 160, y = 200 })
      assert.is_true(r > 150 and g < 40 and b < 40)
      r, g, b = channels(sdl.read_pixel { file = file, x = 480, y = 200 })
      assert.is_true(r < 40 and g < 40 and b > 150)
    end)

    it("shows only the layers that were asked for", function()
      assert.is_true(sdl.picture { file = file, navmesh = navmesh, width = 640, height = 400, layers = {} })
      local r = channels(sdl.read_pixel { file = file, x = 160, y = 200 })
      assert.is_true(r < 40)
    end)

    it("shows the level below the mesh", function()
      local geometry = leeward.geometry()
      geometry:add_box { min = { 0, -1, 0 }, max = { 20, 0, 10 } }
      local options = { file = file, navmesh = navmesh, width = 640, height = 400, layers = {} }
      assert.is_true(sdl.picture(options))
      local before = sdl.read_pixel { file = file, x = 160, y = 200 }
      options.geometry = geometry
      assert.is_true(sdl.picture(options))
      assert.is_true(sdl.read_pixel { file = file, x = 160, y = 200 } ~= before)
    end)

    it("shows agents where they stand", function()
      local world = leeward.world { navmesh = navmesh }
      assert(world:spawn { at = { 5, 0, 5 }, profile = "human" })
      local options = { file = file, navmesh = navmesh, width = 640, height = 400, layers = { "agents" } }
      assert.is_true(sdl.picture(options))
      local before = sdl.read_pixel { file = file, x = 163, y = 200 }
      options.navmesh, options.world = nil, world
      assert.is_true(sdl.picture(options))
      local changed = false
      for x = 155, 168 do changed = changed or sdl.read_pixel { file = file, x = x, y = 200 } ~= before end
      assert.is_true(changed)
    end)

    it("shows how open ground lies, in place of its area", function()
      local navmesh_of = function(openness)
        return leeward.navmesh { vertices = { { 0, 0, 0 }, { 20, 0, 0 }, { 20, 0, 10 }, { 0, 0, 10 } },
          polygons = { { 1, 2, 3, 4 } }, openness = openness }
      end
      local function middle(openness, layers)
        local options = { file = file, navmesh = navmesh_of(openness), width = 640, height = 400, layers = layers }
        assert.is_true(sdl.picture(options))
        return sdl.read_pixel { file = file, x = 320, y = 200 }
      end
      local hidden, half, open = middle(0, { "openness" }), middle(0.5, { "openness" }), middle(1, { "openness" })
      local dark, between, bright = channels(hidden), channels(half), channels(open)
      assert.is_true(dark < between and between < bright)
      assert.equal(middle(0, { "areas" }), middle(1, { "areas" }))
      assert.equal(middle(0), middle(1)) -- not unless it is asked for
    end)

    it("shows what threats see, and where they are", function()
      local geometry = leeward.geometry()
      geometry:add_box { min = { 0, -1, 0 }, max = { 20, 0, 10 } }
      geometry:add_box { min = { 12, 0, 0 }, max = { 12.4, 2, 10 }, area = false }
      geometry:add_box { min = { 8, 0, 0 }, max = { 8.4, 1, 10 }, area = false }
      local world = leeward.world { navmesh = leeward.bake(geometry, { cell_size = 0.2 }) }
      local options = { file = file, world = world, width = 640, height = 400, layers = { "exposure", "threats" } }
      local function row()
        assert.is_true(sdl.picture(options))
        local pixels = {}
        for x = 1, 5 do pixels[x] = sdl.read_pixel { file = file, x = ({ 80, 176, 296, 340, 520 })[x], y = 130 } end
        return pixels
      end
      local nobody = row()
      world:add_threat { at = { 2.5, 1.2, 5 } }
      local somebody = row()
      local r, g = channels(somebody[2]) -- before the low wall
      assert.is_true(r > 2 * g, "red")
      r, g = channels(somebody[4]) -- behind it
      assert.is_true(r > g and g > r / 2, "amber")
      assert.equal(nobody[5], somebody[5]) -- behind the high one
      options.layers = { "threats" }
      assert.equal(nobody[2], row()[2])
    end)

    describe("of a world with obstacles", function()
      local CUT, UNCUT, RED = { 0xc2, 0x6b, 0xff }, { 0xe6, 0xdc, 0xf2 }, { 0xff, 0, 0 }
      local JUMP, HIGH, PRICED = { 0xe2, 0x74, 0xff }, { 0x36, 0xc5, 0xf0 }, { 0xd8, 0xd2, 0x4a }
      local ONLY = { "obstacles" }
      local world, crate

      before_each(function()
        world = leeward.world { navmesh = navmesh }
        crate = world:add_obstacle { at = { 5, 0, 5 }, size = { 4, 2, 4 } }
      end)

      local function draw(layers)
        assert.is_true(sdl.picture { file = file, world = world, width = 640, height = 400, layers = layers })
      end

      -- Is there the colour within 3 pixels to both sides?
      local function has(color, x, y)
        for near = x - 3, x + 3 do
          local r, g, b = channels(sdl.read_pixel { file = file, x = near, y = y })
          if math.abs(r - color[1]) + math.abs(g - color[2]) + math.abs(b - color[3]) < 12 then return true end
        end
        return false
      end

      -- The level's middle (10, 0, 5) is at 320, 198, and a metre is 29.4 pixels. The first dash ends at a corner.
      local function has_side(color, x, z)
        return has(color, math.floor(320 + (x - 10) * 29.4), math.floor(198 + (z - 5) * 29.4))
      end

      -- The left side of the legend's first sample, near its upper end.
      local function is_named(color) return has(color, 16, 366) end

      it("shows outlines, and names them in the legend", function()
        world:step()
        draw(ONLY)
        assert.is_true(has_side(CUT, 3, 5) and has_side(CUT, 7, 5))
        assert.is_true(is_named(CUT))
      end)

      it("shows those that are not cut out otherwise", function()
        draw(ONLY)
        assert.is_true(has_side(UNCUT, 3, 3.2) and has_side(UNCUT, 7, 3.2))
        assert.is_false(has_side(UNCUT, 7, 5)) -- between two dashes
        assert.is_true(is_named(UNCUT))
      end)

      it("shows the hole in the ground", function()
        local function red() return channels(sdl.read_pixel { file = file, x = 160, y = 200 }) end
        draw { "areas" }
        assert.is_true(red() > 150)
        world:step()
        draw { "areas" }
        assert.is_true(red() < 40)
      end)

      it("shows one where it is, not where it was cut out", function()
        world:step()
        crate:move({ 5.7, 0, 5 }, 0, { 0.5, 0, 0 }) -- not as far as its min_move
        world:step()
        assert.is_true(crate:is_cut())
        draw(ONLY)
        assert.is_false(has_side(CUT, 7, 5))
        assert.is_true(has_side(CUT, 7.7, 5))
      end)

      it("shows those that do not block in the colour of their area", function()
        crate:remove()
        world:add_obstacle { at = { 15, 0, 5 }, size = { 4, 2, 4 }, area = "picture_red" }
        world:step()
        draw(ONLY)
        assert.is_true(has_side(RED, 17, 5))
        assert.is_false(is_named(CUT) or is_named(UNCUT))
      end)

      it("names their areas and that they have a cost in the legend", function()
        crate:remove()
        local mud = world:add_obstacle { at = { 15, 0, 5 }, size = { 4, 2, 4 }, area = "picture_red" }
        world:step()
        draw(ONLY)
        assert.is_true(is_named(RED))
        mud:remove()
        world:add_obstacle { at = { 15, 0, 5 }, size = { 4, 2, 4 }, cost = 5, blocks = false }
        world:step()
        draw(ONLY)
        assert.is_true(is_named(PRICED) and has_side(PRICED, 17, 5))
      end)

      it("shows those that only hide as not cut", function()
        crate:remove()
        world:add_obstacle { at = { 5, 0, 5 }, size = { 4, 2, 4 }, blocks = false, cover = "soft" }
        world:step()
        draw(ONLY)
        assert.is_true(has_side(UNCUT, 3, 3.2) and is_named(UNCUT))
      end)

      -- In the middle of the legend's first sample.
      local function is_line(color) return has(color, 18, 370) end

      it("names the links and the cover that came with the world's changes in the legend", function()
        draw { "links" }
        assert.is_false(is_line(JUMP))
        world:add_link { kind = "jump", from = { 2, 0, 2 }, to = { 2, 0, 8 } }
        world:step()
        draw { "links" }
        assert.is_true(is_line(JUMP))
        draw { "cover" }
        assert.is_true(is_line(HIGH))
        crate:remove()
        local volume = { box = { min = { 4, -0.1, 4 }, max = { 6, 2, 6 } } }
        world:permutation("gate", { default = "shut", shut = { cut = { volume } } })
        world:step()
        draw { "cover" }
        assert.is_true(is_line(HIGH))
        world:permutation("gate", { default = "shut", shut = {} })
        world:step()
        draw { "cover" }
        assert.is_false(is_line(HIGH))
      end)

      it("shows them unless only other layers are asked for", function()
        crate:remove()
        world:add_obstacle { at = { 5, 0, 5 }, size = { 4, 2, 4 }, cover = false } -- else the legend has a row more
        world:step()
        draw()
        assert.is_true(has_side(CUT, 7, 5))
        draw { "areas", "edges", "borders" }
        assert.is_false(has_side(CUT, 7, 5))
      end)
    end)

    it("names each colour of agents in the legend, of paths without agents, too", function()
      local colors = { 0xffffff, 0xffe14d, 0x7dff5a, 0x1f8a3b, 0xff5ac8, 0xb5651d, 0x35d0ff, 0xff3b30, 0xff9a2e,
        0x9a7dff, 0x3040ff, 0x008080 }
      local world = leeward.world { navmesh = navmesh }
      for i, color in ipairs(colors) do
        local agent = assert(world:spawn { profile = "dog", at = { 1 + i / 2, 0, 5 }, color = color })
        assert(agent:move_to { 18, 0, 5 })
      end
      for _, layer in ipairs { "agents", "paths" } do
        assert.is_true(sdl.picture { file = file, world = world, width = 1300, height = 400, layers = { layer } })
        local named = {}
        for x = 14, 1040, 5 do -- through the legend's only row, above the middle: that has headings
          local r, g, b = channels(sdl.read_pixel { file = file, x = x, y = 367 })
          for i, color in ipairs(colors) do
            local red, green, blue = channels(color)
            if math.abs(r - red) + math.abs(g - green) + math.abs(b - blue) < 12 then named[i] = true end
          end
        end
        for i = 1, #colors do assert.is_true(named[i], layer .. " " .. i) end
      end
    end)

    it("names the state of each permutation that has taken effect", function()
      local other = os.tmpname()
      local function draw(name, state)
        local world = leeward.world { navmesh = navmesh }
        world:permutation("door", { default = "open", open = {}, shut = {} })
        if state then
          world:set_permutation("door", state)
          world:apply_changes()
        end
        assert.is_true(sdl.picture { file = name, world = world, width = 640, height = 400, layers = { "obstacles" } })
        return assert(io.open(name, "rb")):read "a"
      end
      local none, open, shut = draw(file), draw(file, "open"), draw(other, "shut")
      os.remove(other)
      assert.are_not.equal(none, open)
      assert.are_not.equal(open, shut)
      -- Without a sample: nothing of it is drawn in a colour.
      for x = 14, 30 do
        local r, g, b = channels(sdl.read_pixel { file = file, x = x, y = 366 })
        assert.is_true(math.abs(r - g) < 24 and math.abs(g - b) < 24)
      end
    end)

    it("shows what the selected agent's path costs", function()
      leeward.area("picture_deep", { color = 0x000000, deep_water = 1 })
      local river = leeward.navmesh {
        vertices = { { 0, 0, 0 }, { 10, 0, 0 }, { 20, 0, 0 }, { 20, 0, 10 }, { 10, 0, 10 }, { 0, 0, 10 } },
        polygons = { { 1, 2, 5, 6 }, { 2, 3, 4, 5 } }, areas = { "ground", "picture_deep" },
      }
      local world = leeward.world { navmesh = river }
      local agent = assert(world:spawn { at = { 2, 0, 5 }, profile = { extends = "human", can_swim = true,
        swim_resistance_factor = 2 } })
      assert(agent:move_to { 18, 0, 5 })
      local function blue_at(x, selected)
        assert.is_true(sdl.picture { file = file, world = world, width = 640, height = 400, layers = { "paths" },
          selected = selected })
        for y = 150, 250 do
          local r, g, b = channels(sdl.read_pixel { file = file, x = x, y = y })
          if math.abs(r - 0x3f) + math.abs(g - 0xa7) + math.abs(b - 0xff) < 12 then return true end
        end
        return false
      end
      assert.is_true(blue_at(420, agent))
      assert.is_false(blue_at(220, agent)) -- on land
      assert.is_false(blue_at(420, nil))
    end)

    it("selects none but an agent of its world", function()
      local world, other = leeward.world { navmesh = navmesh }, leeward.world { navmesh = navmesh }
      local agent = assert(other:spawn { at = { 5, 0, 5 }, profile = "human" })
      assert.equal("picture: selected is a leeward.agent, expected an agent that lives in 'world'",
        message_of(sdl.picture, { file = file, world = world, selected = agent }))
      assert.equal("picture: selected is a leeward.agent, expected an agent that lives in 'world'",
        message_of(sdl.picture, { file = file, navmesh = navmesh, selected = agent }))
      agent:despawn()
      assert.equal("picture: selected is a leeward.agent, expected an agent that lives in 'world'",
        message_of(sdl.picture, { file = file, world = other, selected = agent }))
      assert.matches("^picture: selected is .*, expected an agent$",
        message_of(sdl.picture, { file = file, world = world, selected = 1 }))
    end)

    it("is the same to the last byte when drawn twice", function()
      local function draw()
        assert.is_true(sdl.picture { file = file, navmesh = navmesh, width = 320, title = "twice" })
        local stream = assert(io.open(file, "rb"))
        local bytes = stream:read("a")
        stream:close()
        return bytes
      end
      assert.is_true(draw() == draw())
    end)

    it("answers why a file cannot be written, and leaves nothing behind", function()
      local answer, message, code = sdl.picture { file = "/no/such/folder/x.png", navmesh = navmesh, width = 64 }
      assert.is_nil(answer)
      assert.equal("cannot write '/no/such/folder/x.png': its folder does not exist", message)
      assert.equal("FILE", code)
    end)

    it("leaves no half file where a folder has its name", function()
      local answer, _, code = sdl.picture { file = "/tmp", navmesh = navmesh, width = 64 }
      assert.is_nil(answer)
      assert.equal("FILE", code)
      local listing <close> = assert(io.popen("ls -d /tmp.* 2>&1"))
      assert.matches("No such file", listing:read("a"))
    end)

    -- In a process of its own, as the environment decides where fonts are.
    it("draws without text where there is no font, and says so once", function()
      local script = ([[
        local leeward, sdl = require "leeward", require "leeward_sdl"
        local navmesh = leeward.navmesh { vertices = { {0,0,0}, {9,0,0}, {9,0,9} }, polygons = { {1,2,3} } }
        for _ = 1, 2 do assert(sdl.picture { file = %q, navmesh = navmesh, width = 320, title = "x" }) end
      ]]):format(file)
      local source = os.tmpname()
      local stream = assert(io.open(source, "w"))
      stream:write("package.cpath = ", ("%q"):format(package.cpath), "\n", script)
      stream:close()
      local pipe = assert(io.popen("LEEWARD_FONT=/no/font.ttf lua5.4 " .. source .. " 2>&1"))
      local said = pipe:read("a")
      pipe:close()
      os.remove(source)
      local _, times = said:gsub("cannot open the font /no/font.ttf; drawing without text", "")
      assert.equal(1, times, said)
      assert.equal(320, (png_size(file)))
    end)

    it("refuses what is wrong and says what would be right", function()
      local picture = sdl.picture
      assert.equal("picture: unknown key 'widht'. Did you mean 'width'?",
        message_of(picture, { file = file, navmesh = navmesh, widht = 9 }))
      assert.equal("picture: layers[1] is 'area', expected 'areas', 'edges', 'borders', 'tiles', 'paths', "
        .. "'agents', 'labels', 'links', "
        .. "'cover', 'dangers', 'threats', 'exposure', 'openness', 'obstacles', 'cover_map', "
        .. "'regions' or 'whiskers'. Did you mean 'areas'?",
        message_of(picture, { file = file, navmesh = navmesh, layers = { "area" } }))
      assert.equal("picture: file is nil, expected a file name", message_of(picture, { navmesh = navmesh }))
      assert.equal("picture: width is 0, expected whole pixels from 64 to 16384",
        message_of(picture, { file = file, navmesh = navmesh, width = 0 }))
      assert.equal("picture: navmesh is a table, expected a navmesh",
        message_of(picture, { file = file, navmesh = {} }))
      assert.equal("picture: world is nil, expected a world, or 'navmesh'", message_of(picture, { file = file }))
      assert.equal("picture: options is nil, expected a table", message_of(picture, nil))
      assert.is_false(exists(file))
    end)

    it("raises for a world that was destroyed", function()
      local world = leeward.world { navmesh = navmesh }
      world:destroy()
      assert.equal("picture: world is a destroyed world",
        message_of(sdl.picture, { file = file, world = world }))
    end)
  end)

  describe("read_pixel", function()
    it("answers that a file is missing or a pixel is outside", function()
      assert.equal("FILE", select(3, sdl.read_pixel { file = file, x = 0, y = 0 }))
      assert.is_true(sdl.picture { file = file, navmesh = navmesh, width = 64, height = 64 })
      assert.equal("INVALID", select(3, sdl.read_pixel { file = file, x = 64, y = 0 }))
    end)
  end)

  -- These would open a real window where there is a display.
  describe("view", function()
    local function skip_with_display()
      if not sdl.is_headless() then pending("there is a display: SDL_VIDEODRIVER=dummy runs this") end
      if os.getenv("SDL_VIDEODRIVER") ~= "dummy" then pending("SDL_VIDEODRIVER is not dummy") end
    end

    it("steps the world until `seconds` have passed", function()
      skip_with_display()
      local world, steps = leeward.world { navmesh = navmesh }, 0
      assert.is_true(sdl.view { world = world, seconds = 0.25, on_step = function() steps = steps + 1 end })
      assert.equal(15, steps)
      assert.is_near(0.25, world:time(), 1e-6)
    end)

    it("shows what on_step returns, where it is text", function()
      skip_with_display()
      local world, said = leeward.world { navmesh = navmesh }, { "reloaded", ("long "):rep(500), "", 7, {}, false }
      local function on_step() return said[world:steps() % #said + 1] end
      assert.is_true(sdl.view { world = world, seconds = 0.25, on_step = on_step })
    end)

    it("shows ground that obstacles change", function()
      skip_with_display()
      local world = leeward.world { navmesh = navmesh }
      local crate = world:add_obstacle { at = { 5, 0, 5 } }
      local function on_step() crate:move({ 5 + world:time() * 4, 0, 5 }, 0) end
      assert.is_true(sdl.view { world = world, seconds = 0.5, on_step = on_step })
      assert.is_true(crate:is_cut())
    end)

    it("closes and raises what a script raises", function()
      skip_with_display()
      local world = leeward.world { navmesh = navmesh }
      assert.equal("halt", message_of(sdl.view, { world = world, seconds = 1, on_step = function() error("halt") end }))
    end)

    it("closes when a script destroys the world", function()
      skip_with_display()
      local world = leeward.world { navmesh = navmesh }
      assert.is_true(sdl.view { world = world, seconds = 1, on_step = function(w) w:destroy() end })
    end)

    it("refuses what is wrong and says what would be right", function()
      assert.equal("view: unknown key 'second'. Did you mean 'seconds'?",
        message_of(sdl.view, { navmesh = navmesh, second = 1 }))
      assert.equal("view: on_step is 1, expected a function",
        message_of(sdl.view, { navmesh = navmesh, on_step = 1 }))
    end)
  end)
end)
