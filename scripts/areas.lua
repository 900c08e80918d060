-- What polygons are made of, and which material of an imported file is which area.
--
-- This file is data. Change a number and every agent's paths change with it; add an area and the bake, profiles
-- (`area_factor`, `avoid`) and the picture know it. A mod does the same with leeward.area(name, {...}), or with a
-- scripts/areas.lua of its own that returns `patch = true` and what is new or different.
--
--   type         triangular (ordinary ground), road, waypoint or volume: which of a profile's four factors counts
--   resistance   how hard a metre is to cross, times the profile's resistance_factor for the type
--   exposure     0..1, how open it is; times how open the bake found the place, times the profile's exposure_factor
--   concealment  0..1, the part of an exposed length that it hides
--   deep_water   0..1, the part that must be swum; who cannot swim does not enter. Where the bake finds more of a
--                polygon under deep water, that part counts instead; who may enter, the area alone says
--   unsafe       0..1, times the profile's safety_bias
--   speed        factor on an agent's speed
--   cover        what its surfaces are where nothing else is said: "hard", "soft" (hides, but stops no shot: a bush) or
--                "none" (neither: a grate). Without it they are hard, but those of an area with concealment that stand
--                up, steeper than 60 degrees, are soft; its ground is hard, for shots do not go through hills
--   color        0xRRGGBB, for the window and the picture
--
-- The first area is what everything without a known material becomes.

local areas = {
  -- The measure for all others: 0.5 lets a road be twice as easy and a swamp twice as hard without negative prices.
  { name = "ground", type = "triangular", resistance = 0.5, exposure = 1, concealment = 0, deep_water = 0, unsafe = 0,
    speed = 1, color = 0xb7b3a4 },
  -- Resistance 0: with factors 18 (triangular) and 0 (road) a car pays ten times as much beside it. As open as ground.
  { name = "road", type = "road", resistance = 0, exposure = 1, concealment = 0, deep_water = 0, unsafe = 0,
    speed = 1, color = 0x6f7480 },
  -- A trodden track costs what ground costs (a profile that minds says so with area_factor), but is a little slower.
  { name = "dirt", type = "triangular", resistance = 0.5, exposure = 1, concealment = 0, deep_water = 0, unsafe = 0,
    speed = 0.95, color = 0xa98d63 },
  -- To the knee: nobody swims (deep_water 0), everybody wades at two thirds of the speed; open as only water is.
  { name = "shallow_water", type = "triangular", resistance = 0.5, exposure = 1, concealment = 0, deep_water = 0,
    unsafe = 0, speed = 0.65, color = 0x7fb6cf },
  -- Swum all the way. Resistance 1: twice the ground's. Half the speed; only a head shows, so half as exposed. What
  -- stands up under water is a bank.
  { name = "deep_water", type = "triangular", resistance = 1, exposure = 0.5, concealment = 0.5, deep_water = 1,
    unsafe = 0, speed = 0.5, cover = "hard", color = 0x3c78a8 },
  -- High grass: less open, hides every second metre (a crouching man), hardly slows.
  { name = "grass", type = "triangular", resistance = 0.5, exposure = 0.7, concealment = 0.5, deep_water = 0,
    unsafe = 0, speed = 0.9, color = 0x8db56a },
  -- Bushes: hide four metres in five and take nearly half the speed.
  { name = "undergrowth", type = "triangular", resistance = 0.5, exposure = 0.3, concealment = 0.8, deep_water = 0,
    unsafe = 0, speed = 0.6, color = 0x4f7f48 },
  -- Harmful ground (mines, acid, fire): as easy as any other; only a safety_bias keeps an agent away from it.
  { name = "unsafe", type = "triangular", resistance = 0.5, exposure = 1, concealment = 0, deep_water = 0, unsafe = 1,
    speed = 1, color = 0xc96a52 },
  -- A doorway: its frame hides half, opening it takes a moment. Who cannot open doors does not enter.
  { name = "door", type = "triangular", resistance = 0.5, exposure = 0.5, concealment = 0, deep_water = 0, unsafe = 0,
    speed = 0.8, color = 0xd9a441 },
  -- An edge of a hand-laid graph (`kind = "waypoint"`): somewhat harder than ground, so that agents prefer the navmesh.
  -- An edge with an area of its own is priced by that one's resistance instead.
  { name = "waypoint", type = "waypoint", resistance = 0.6, exposure = 1, concealment = 0, deep_water = 0, unsafe = 0,
    speed = 1, color = 0xd5dbe2 },
}

-- A material that is named exactly like an area (also one that a mod added) is that area. For all others the first
-- rule that matches decides. Patterns are Lua patterns and are matched against the name in LOWER CASE, wherever it
-- stands in the name unless `^` or `$` anchors it (`%f[%a]road` is "road" at the beginning of a word: terrain_road,
-- Road.001, but not broadleaf). No match: the first area.
--
--   area = "name"    walkable, as that area
--   area = false     solid, but nobody ever stands on it
--   ignored = true   left out altogether: neither floor nor obstacle
--   cover = "none"   one sees and shoots through it; "soft": it hides, but stops no shot (default: as the area says)
local materials = {
  -- Liquid surfaces are no floors; what stands in them stands on the bed below, if the level has one.
  { pattern = "^liquid", ignored = true },
  { pattern = "water_?surface", ignored = true },
  -- Warzone 2100 draws its lakes as flat tiles at water level without a bed below: a surface, so no floor.
  { pattern = "^terrain_water", ignored = true },

  -- Seen through, also where the name says wall: glass_wall, clip_wall.
  { pattern = "^clip", area = "ground", cover = "none" }, -- Quake's invisible solids, floors too
  { pattern = "player_?clip", area = "ground", cover = "none" },
  { pattern = "monster_?clip", area = "ground", cover = "none" },
  { pattern = "^solid_trans", area = "ground", cover = "none" }, -- grates and glass that one may stand on
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

  -- Seen and shot through; grates are floors, too.
  { pattern = "window", area = false, cover = "none" },
  { pattern = "%f[%a]fence", area = false, cover = "none" },
  { pattern = "%f[%a]railing", area = false, cover = "none" },
  { pattern = "%f[%a]wire", area = false, cover = "none" },
  { pattern = "chain_?link", area = false, cover = "none" },
  { pattern = "%f[%a]grat[ei]", area = "ground", cover = "none" },
  { pattern = "%f[%a]grill", area = "ground", cover = "none" },

  -- Hides, but stops no shot. Grass and undergrowth are areas that conceal: soft where they stand up.
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

  -- Floors of Doom and Quake levels, by what the floor does.
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

-- What the area codes (0..63) of a gset file mean, RecastDemo's format for links and volumes beside a level.
--
--   area = "name"    ground in a volume becomes that area, and a link is priced as it
--   area = false     nobody walks in the volume
--   water = true     the volume is a body of water, which stands up to its top: shallow or deep by its depth
--   link = "kind"    what links of this code are (default: jump)
--
-- A code without `area` and `water` leaves the ground as it is, and its links cost what the ground at their ends costs.
local codes = {
  { code = 0, area = "ground" },
  { code = 1, water = true },
  { code = 2, area = "road" },
  { code = 3, area = "door", link = "door" },
  { code = 4, area = "grass" },
  { code = 5, link = "jump" }, -- jump pads and teleporters; the file does not tell which
  { code = 6, area = "unsafe" }, -- harmful floors
  { code = 7, area = false }, -- what kills
  { code = 8, link = "ladder" }, -- lifts
}

return { areas = areas, materials = materials, codes = codes }
