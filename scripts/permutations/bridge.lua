-- The bridge over the canal of the level `courtyard`, which is baked open: x -2.5 to 2.5, z 6 to 12, y 0.
--
--   rubble    a heap closes it from parapet to parapet, and hides: soldiers wade through the ford, cars take the
--             culvert
--   cleared   it is free
--   fallen    the deck is gone

return {
  level = "courtyard",
  default = "rubble",

  rubble = {
    cut = { { box = { min = { -2.2, -0.1, 7.1 }, max = { 2.2, 1.7, 10.9 } } } },
  },

  cleared = {},

  fallen = {
    cut = { { box = { min = { -2.5, -0.1, 6 }, max = { 2.5, 0.9, 12 } }, cover = "none" } },
  },
}
