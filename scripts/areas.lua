-- The areas of polygons, and the area of each material in an imported file.
--
-- This file is data. A changed number changes the paths of all agents; a new area is known to the bake, to profiles
-- (`area_factor`, `avoid`) and to the picture. A mod does the same with leeward.area(name, {...}), or with its own
-- scripts/areas.lua that returns `patch = true` and the differences.
--
--   type         triangular (ordinary ground), road, waypoint or volume: selects one of the profile's resistance_factor
--   resistance   extra cost of a metre, times the profile's resistance_factor for the type
--   exposure     0..1, times the openness of the place from the bake, times the profile's exposure_factor
--   concealment  0..1, the hidden part of an exposed length
--   deep_water   0..1, the part to swim; impassable for profiles without can_swim. Under water that was added with
--                geometry:add_water, its depth and the profile's wade_depth decide instead, whatever the area
--   unsafe       0..1, times the profile's safety_bias
--   speed        factor on an agent's speed
--   cover        default kind of cover of its surfaces: "hard", "soft" (blocks sight, but no shots: a bush) or "none"
--                (blocks neither: a grate). Without it, surfaces are hard, except for those steeper than 60 degrees in
--                an area with concealment, which are soft; its ground is hard, since hills stop shots
--   color        0xRRGGBB, for the window and the picture
--
-- Ground without a known material gets the first area.

local areas = {
  -- The reference: with 0.5, other areas may be easier (road) or harder (swamp) without negative prices.
  { name = "ground", type = "triangular", resistance = 0.5, exposure = 1, concealment = 0, deep_water = 0, unsafe = 0,
    speed = 1, color = 0xb7b3a4 },
  -- Resistance 0: with factors 18 (triangular) and 0 (road) a car pays ten times as much off the road.
  { name = "road", type = "road", resistance = 0, exposure = 1, concealment = 0, deep_water = 0, unsafe = 0,
    speed = 1, color = 0x6f7480 },
  -- A track: between road and ground, and slightly slower. With factor 18 a car pays half as much on it as beside it.
  { name = "dirt", type = "triangular", resistance = 0.2, exposure = 1, concealment = 0, deep_water = 0, unsafe = 0,
    speed = 0.95, color = 0xa98d63 },
  -- Knee-deep: agents wade (deep_water 0) at two thirds of the speed, fully exposed.
  { name = "shallow_water", type = "triangular", resistance = 0.5, exposure = 1, concealment = 0, deep_water = 0,
    unsafe = 0, speed = 0.65, color = 0x7fb6cf },
  -- For swimming only. Resistance 1: twice the ground's. Half the speed; only the head is visible, so half the
  -- exposure. Its steep surfaces are banks, hence hard cover.
  { name = "deep_water", type = "triangular", resistance = 1, exposure = 0.5, concealment = 0.5, deep_water = 1,
    unsafe = 0, speed = 0.5, cover = "hard", color = 0x3c78a8 },
  -- High grass: less exposed, hides every second metre of a path in every stance, and hardly slows.
  { name = "grass", type = "triangular", resistance = 0.5, exposure = 0.7, concealment = 0.5, deep_water = 0,
    unsafe = 0, speed = 0.9, color = 0x8db56a },
  -- Bushes: hide four metres in five and reduce the speed by nearly half.
  { name = "undergrowth", type = "triangular", resistance = 0.5, exposure = 0.3, concealment = 0.8, deep_water = 0,
    unsafe = 0, speed = 0.6, color = 0x4f7f48 },
  -- Harmful ground (mines, acid, fire): as easy as ground; only a safety_bias keeps an agent away from it.
  { name = "unsafe", type = "triangular", resistance = 0.5, exposure = 1, concealment = 0, deep_water = 0, unsafe = 1,
    speed = 1, color = 0xc96a52 },
  -- A doorway: its frame hides half, and opening it takes time. Impassable for profiles without can_open_doors.
  { name = "door", type = "triangular", resistance = 0.5, exposure = 0.5, concealment = 0, deep_water = 0, unsafe = 0,
    speed = 0.8, color = 0xd9a441 },
  -- A waypoint link (`kind = "waypoint"`): a fifth harder than ground, so that profiles with a resistance_factor for
  -- waypoints as high as for triangular prefer the navmesh; without both, as for a human, it costs as much. The link
  -- has this resistance in place of that of its ends, beside what else these cost; one with an area that area's price.
  { name = "waypoint", type = "waypoint", resistance = 0.6, exposure = 1, concealment = 0, deep_water = 0, unsafe = 0,
    speed = 1, color = 0xd5dbe2 },
}

-- A material with exactly the name of an area (areas of mods included) gets that area. Every other material follows the
-- first rule that matches. Patterns are Lua patterns, matched anywhere in the name in LOWER CASE, unless `^` or `$`
-- anchors them (`%f[%a]road` is "road" at the beginning of a word: terrain_road,
-- Road.001, but not broadleaf). No match: the first area.
--
--   area = "name"    walkable, as that area
--   area = false     solid, never walkable
--   ignored = true   left out: neither floor nor obstacle
--   cover = "none"   blocks neither sight nor shots; "soft": blocks sight, but no shots (default: the area's)
local materials = {
  -- Liquid surfaces are not floors: agents stand on the bed below, if the level has one.
  { pattern = "^liquid", ignored = true },
  { pattern = "water_?surface", ignored = true },
  -- Warzone 2100 draws its lakes as flat tiles at water level without a bed below.
  { pattern = "^terrain_water", ignored = true },

  -- Transparent, also with "wall" in the name: glass_wall, clip_wall.
  { pattern = "^clip", area = "ground", cover = "none" }, -- Quake's invisible solids, floors too
  { pattern = "player_?clip", area = "ground", cover = "none" },
  { pattern = "monster_?clip", area = "ground", cover = "none" },
  { pattern = "^solid_trans", area = "ground", cover = "none" }, -- walkable grates and glass
  { pattern = "%f[%a]glass", area = false, cover = "none" },

  -- Solid, never walkable.
  { pattern = "ceiling", area = false },
  { pattern = "%f[%a]sky", area = false },
  { pattern = "%f[%a]wall", area = false },
  { pattern = "%f[%a]roof", area = false },
  { pattern = "block_line", area = false, cover = "none" }, -- Doom's invisible walls
  { pattern = "solid_inclip", area = false },
  { pattern = "cliff", area = false },
  { pattern = "^no_?walk", area = false },

  -- Block neither sight nor shots; grates are floors, too.
  { pattern = "window", area = false, cover = "none" },
  { pattern = "%f[%a]fence", area = false, cover = "none" },
  { pattern = "%f[%a]railing", area = false, cover = "none" },
  { pattern = "%f[%a]wire", area = false, cover = "none" },
  { pattern = "chain_?link", area = false, cover = "none" },
  { pattern = "%f[%a]grat[ei]", area = "ground", cover = "none" },
  { pattern = "%f[%a]grill", area = "ground", cover = "none" },

  -- Block sight, but no shots. Steep surfaces of grass and undergrowth are soft by their areas' concealment.
  { pattern = "foliage", area = false, cover = "soft" },
  { pattern = "%f[%a]leaf", area = false, cover = "soft" },
  { pattern = "%f[%a]leaves", area = false, cover = "soft" },
  { pattern = "%f[%a]hedge", area = false, cover = "soft" },
  { pattern = "%f[%a]ivy%f[%A]", area = false, cover = "soft" },
  { pattern = "%f[%a]bush", area = "undergrowth", cover = "soft" },
  { pattern = "%f[%a]shrub", area = "undergrowth", cover = "soft" },
  { pattern = "%f[%a]fern", area = "undergrowth", cover = "soft" },
  { pattern = "%f[%a]reeds", area = "undergrowth", cover = "soft" },
  { pattern = "thicket", area = "undergrowth", cover = "soft" },
  { pattern = "%f[%a]curtain", area = false, cover = "soft" },
  { pattern = "%f[%a]drape", area = false, cover = "soft" },
  { pattern = "%f[%a]tarp", area = false, cover = "soft" },

  -- Floors of Doom and Quake levels, by their effect.
  { pattern = "^floor_water", area = "shallow_water" }, -- the bed; Doom's waters are knee-deep
  { pattern = "^floor_door", area = "door" },
  { pattern = "nukage", area = "unsafe" },
  { pattern = "%f[%a]lava%f[%A]", area = "unsafe" },
  { pattern = "slime", area = "unsafe" },
  { pattern = "acid", area = "unsafe" },
  { pattern = "^floor_blood", area = "unsafe" },
  { pattern = "damage", area = "unsafe" },
  { pattern = "hazard", area = "unsafe" },
  { pattern = "^unsafe", area = "unsafe" },

  -- Names that modellers and other exporters use.
  { pattern = "deep_?water", area = "deep_water" },
  { pattern = "^canal", area = "deep_water" },
  { pattern = "^river", area = "deep_water" },
  { pattern = "water", area = "shallow_water" },
  { pattern = "^ford", area = "shallow_water" },
  { pattern = "puddle", area = "shallow_water" },
  { pattern = "^door", area = "door" },
  { pattern = "_door", area = "door" },
  { pattern = "^gate", area = "door" },
  { pattern = "%f[%a]road", area = "road" },
  { pattern = "asphalt", area = "road" },
  { pattern = "tarmac", area = "road" },
  { pattern = "%f[%a]street", area = "road" },
  { pattern = "undergrowth", area = "undergrowth" },
  { pattern = "grass", area = "grass" },
  { pattern = "meadow", area = "grass" },
  { pattern = "%f[%a]dirt", area = "dirt" },
  { pattern = "%f[%a]mud", area = "dirt" },
  { pattern = "gravel", area = "dirt" },
  { pattern = "%f[%a]sand", area = "dirt" },
}

-- The meaning of the area codes (0..63) in gset files, RecastDemo's format for links and volumes beside a level.
--
--   area = "name"    ground in a volume, and links, get that area
--   area = false     the volume is not walkable
--   water = true     the volume is a body of water up to its top: shallow or deep by its depth
--   link = "kind"    kind of the links with this code (default: jump)
--
-- A code without `area` and `water` does not change the ground; its links have the prices of the ground at their ends.
local codes = {
  { code = 0, area = "ground" },
  { code = 1, water = true },
  { code = 2, area = "road" },
  { code = 3, area = "door", link = "door" },
  { code = 4, area = "grass" },
  { code = 5, link = "jump" }, -- jump pads and teleporters, which the file does not distinguish
  { code = 6, area = "unsafe" }, -- harmful floors
  { code = 7, area = false }, -- deadly volumes
  { code = 8, link = "ladder" }, -- lifts
}

return { areas = areas, materials = materials, codes = codes }
