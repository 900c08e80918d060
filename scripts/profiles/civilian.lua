-- Civilian: in no hurry, keeps to paved ways where it costs little, and goes round what is harmful.
return {
  extends = "human",
  speed = { calm = 1.2, normal = 1.8, fast = 4.5 }, -- m/s
  resistance_factor = { triangular = 1 },           -- open ground is half again as dear as a road
  area_factor = { shallow_water = 2, undergrowth = 1, grass = 0.3 }, -- keeps the feet dry and the trousers clean
  safety_bias = 20, -- a harmful metre costs twenty more
  danger_cost = 100, -- metres of detour round a place where someone died
}
