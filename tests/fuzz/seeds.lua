--- Navmesh files to begin with, into FOLDER/navmesh_load: `leeward lua tests/fuzz/seeds.lua FOLDER`.
local leeward = require "leeward"

local folder = assert(arg[1], "usage: leeward lua tests/fuzz/seeds.lua FOLDER")

local function save(name, navmesh)
  assert(navmesh:save(("%s/navmesh_load/%s.lwn"):format(folder, name)))
end

save("square", leeward.navmesh {
  vertices = { { 0, 0, 0 }, { 4, 0, 0 }, { 4, 0, 4 }, { 0, 0, 4 } },
  polygons = { { 1, 2, 3, 4 } },
})
-- A tall edge that meets two short ones: parts of edges.
save("parts", leeward.navmesh {
  vertices = { { 0, 0, 0 }, { 4, 0, 0 }, { 4, 0, 8 }, { 0, 0, 8 }, { 8, 0, 0 }, { 8, 0, 3 }, { 4, 0, 3 }, { 4, 0, 5 },
    { 8, 0, 5 }, { 8, 0, 8 } },
  polygons = { { 1, 2, 3, 4 }, { 2, 5, 6, 7 }, { 8, 9, 10, 3 } },
  areas = { "ground", "road", "grass" },
})

local function hills()
  local vertices, indices = {}, {}
  for z = 0, 8 do
    for x = 0, 8 do vertices[#vertices + 1] = { x * 1.5, math.sin(x) * math.cos(z * 0.7), z * 1.5 } end
  end
  for z = 0, 7 do
    for x = 1, 8 do
      local a = z * 9 + x
      for _, i in ipairs { a, a + 9, a + 1, a + 1, a + 9, a + 10 } do indices[#indices + 1] = i end
    end
  end
  return vertices, indices
end

local level = leeward.geometry()
local vertices, indices = hills()
level:add_mesh { vertices = vertices, indices = indices }
level:add_box { at = { 20, 1, 6 }, size = { 10, 1, 10 } }
level:add_box { at = { 20, 4, 6 }, size = { 6, 1, 6 }, area = "road" }
level:mark_area { area = "dirt", box = { min = { 16, 0, 4 }, max = { 19, 3, 8 } } }
level:add_link { kind = "jump", from = { 9, 0.5, 6 }, to = { 17, 2, 6 }, radius = 3 }
level:add_link { kind = "ladder", from = { 24, 2, 6 }, to = { 21, 5, 6 }, radius = 2, bidirectional = true }
level:add_link { kind = "drop", from = { 90, 0, 0 }, to = { 95, 0, 0 } } -- refused
level:add_water { polygon = { { 0, 0, 0 }, { 6, 0, 0 }, { 6, 0, 6 }, { 0, 0, 6 } }, level = 0.3 }
local settings = { cell_size = 0.3, agent_radius = 0.3, tile_size = 8, min_region_area = 0.5,
  visibility_table_range = 20 }
save("level", leeward.bake(level, settings))
