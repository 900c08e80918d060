local leeward = require "leeward"
local message = require "support.message"

-- A floor of 20 x 20 m; what stands at z = 0 is between these two.
local NORTH, SOUTH = { 0, 1, -5 }, { 0, 1, 5 }

--- "hard", "soft" or "none": what a look and a shot from one to the other say.
local function kind_between(world, from, to)
  local seen, shot = world:sees(from, to), world:sees(from, to, { shots = true })
  assert(shot or not seen) -- what is seen can be shot
  return seen and "none" or shot and "soft" or "hard"
end

local function yard(build)
  local geometry = leeward.geometry()
  geometry:add_box { at = { 0, -1, 0 }, size = { 20, 1, 20 } }
  build(geometry)
  return leeward.world { navmesh = assert(leeward.bake(geometry, {})) }
end

local function kind_of_box(options)
  local world = yard(function(geometry)
    options.min, options.max = { -5, 0, -0.3 }, { 5, 2, 0.3 }
    geometry:add_box(options)
  end)
  local kind, segments = kind_between(world, NORTH, SOUTH), world:cover_segments { around = { 0, 0, 0 } }
  assert.equal(kind ~= "none", #segments > 0)
  for _, segment in ipairs(segments) do assert.equal(kind, segment.kind) end
  return kind, world
end

describe("What a surface is as cover", function()
  it("follows from its area: an area with concealment is soft", function()
    assert.equal("hard", kind_of_box { area = "ground" })
    assert.equal("hard", kind_of_box { area = false })
    assert.equal("hard", kind_of_box { area = "deep_water" }) -- a bank
    assert.equal("soft", kind_of_box { area = "undergrowth" })
    assert.equal("soft", kind_of_box { area = "grass" })
  end)

  it("is what the box says in the first place", function()
    assert.equal("hard", kind_of_box { area = "undergrowth", cover = "hard" })
    assert.equal("none", kind_of_box { area = "undergrowth", cover = "none" })
    assert.equal("soft", kind_of_box { area = "ground", cover = "soft" })
  end)

  it("leaves ground hard that grass grows on: no shot goes through a hill", function()
    -- An agent in a cellar, below a floor of grass; beside it a ramp of grass, up to the ground.
    local geometry = leeward.geometry()
    geometry:add_box { at = { 0, -4, 0 }, size = { 20, 1, 20 } }
    geometry:add_box { at = { 0, -0.2, 0 }, size = { 20, 0.2, 20 }, area = "grass" }
    geometry:add_ramp { from = { -4, -3, 15 }, to = { 4, 0, 15 }, width = 4, area = "grass" }
    local world = leeward.world { navmesh = leeward.bake(geometry, {}) }
    assert.equal("hard", kind_between(world, { 0, -1.5, 0 }, { 1, 1.6, 0 }))
    assert.equal("hard", kind_between(world, { 2, -2, 15 }, { -3, 3, 15 }))
  end)

  it("is for all of an area what leeward.area says", function()
    leeward.area("bramble", { concealment = 0.9 })
    assert.is_nil(leeward.area("bramble").cover)
    local kind, world = kind_of_box { area = "bramble" }
    assert.equal("soft", kind)
    assert.equal("hard", kind_between(world, { 0, 4, -0.2 }, { 0, 1, 0.1 })) -- its top may be ground
    assert.equal("soft", leeward.area("bramble", { cover = "soft" }).cover)
    kind, world = kind_of_box { area = "bramble" }
    assert.equal("soft", kind)
    assert.equal("soft", kind_between(world, { 0, 4, -0.2 }, { 0, 1, 0.1 }))
    leeward.area("bramble", { cover = "none" })
    assert.equal("none", (kind_of_box { area = "bramble" }))
    assert.equal("hard", (kind_of_box { area = "bramble", cover = "hard" }))
    assert.matches("cover is 'leafy', expected 'hard', 'soft' or 'none'",
      message(leeward.area, "bramble", { cover = "leafy" }), 1, true)
  end)

  it("is not changed by a mark", function()
    local world = yard(function(geometry)
      geometry:add_box { min = { -5, 0, -0.3 }, max = { 5, 2, 0.3 } }
      geometry:mark_area { area = "undergrowth", box = { min = { -9, -1, -9 }, max = { 9, 3, 9 } } }
    end)
    assert.equal("hard", kind_between(world, NORTH, SOUTH))
  end)

  it("may be given for each triangle of a mesh", function()
    local vertices = { { -5, 0, 0 }, { -5, 2, 0 }, { 0, 2, 0 }, { 0, 0, 0 }, { 5, 2, 0 }, { 5, 0, 0 } }
    local indices = { 1, 2, 3, 1, 3, 4, 4, 3, 5, 4, 5, 6 }
    local function kinds(mesh)
      local world = yard(function(geometry)
        mesh.vertices, mesh.indices = vertices, indices
        geometry:add_mesh(mesh)
      end)
      local function at(x, y) return kind_between(world, { x, y, -5 }, { x, y, 5 }) end
      return { at(-3, 1.5), at(-1.5, 0.4), at(1.5, 1.5), at(3, 0.4) } -- of the four triangles
    end
    assert.same({ "soft", "hard", "none", "soft" },
      kinds { area = false, covers = { "soft", "hard", "none", "soft" } })
    assert.same({ "hard", "soft", "hard", "none" },
      kinds { areas = { false, "undergrowth", "undergrowth", false }, covers = { false, false, "hard", "none" } })
    local geometry = leeward.geometry()
    local function refused(covers, cover)
      return message(geometry.add_mesh, geometry,
        { vertices = vertices, indices = indices, cover = cover, covers = covers })
    end
    assert.matches("covers is a list of 1, expected one for each of 4 triangles", refused { "soft" }, 1, true)
    assert.matches("covers[2] is 'sof', expected 'hard', 'soft', 'none' or false",
      refused { "soft", "sof", "soft", "soft" }, 1, true)
    assert.matches("cover and covers are given, expected one of them",
      refused({ "soft", "soft", "soft", "soft" }, "hard"), 1, true)
    assert.equal(0, geometry:stats().triangles)
  end)

  it("follows from the material of an imported file", function()
    local file = os.tmpname()
    local function kind_of(material)
      local handle = assert(io.open(file .. ".obj", "w"))
      handle:write([[
v -10 0 -10
v -10 0 10
v 10 0 10
v 10 0 -10
v -5 0 0
v -5 2 0
v 5 2 0
v 5 0 0
usemtl floor
f 1 2 3 4
usemtl ]], material, "\nf 5 6 7 8\n")
      handle:close()
      local geometry = assert(leeward.load_geometry(file .. ".obj"))
      return kind_between(leeward.world { navmesh = leeward.bake(geometry, {}) }, NORTH, SOUTH)
    end
    for kind, materials in pairs {
      hard = { "wall", "concrete", "tree", "road", "ivory", "curtain_wall", "ivy_wall", "sandbush_wall" },
      soft = { "hedge", "Hedge.001", "bush", "bush_01", "undergrowth", "thicket", "grass", "tall_grass", "shrub", "ivy",
        "fern", "foliage", "tree_leaves", "palm_leaf", "curtain" },
      none = { "glass", "glass_wall", "window", "clip", "clip_wall", "player_clip", "fence", "wire_mesh", "grate",
        "steel_grating", "grille", "railing" },
    } do
      for _, material in ipairs(materials) do assert.equal(kind, kind_of(material), material) end
    end
    os.remove(file)
    os.remove(file .. ".obj")
  end)
end)
