-- The lift to the balcony of the yard in the level `courtyard`: an off-mesh link from the arcade straight up and
-- down, baked into the navmesh under the name `lift`.
--
--   stopped   who wants up takes the stairs
--   running   one at a time may take it

return {
  level = "courtyard",
  default = "stopped",

  stopped = { links = { lift = false } },

  running = { links = { lift = true } },
}
