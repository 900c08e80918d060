-- The north gate of the yard in the level `courtyard`, where the road comes in: an opening of 5 m in the wall at
-- z -20.
--
--   open    as it was baked
--   shut    from post to post: who wants in takes the west door or the south gate

return {
  level = "courtyard",
  default = "open",

  open = {},

  shut = {
    cut = { { box = { min = { -2.5, -0.1, -20.2 }, max = { 2.5, 3, -19.8 } } } },
  },
}
