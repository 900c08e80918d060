-- Soldier: takes the shortest way and does not care what is underfoot, road or field.
return {
  extends = "human",
  height = 1.8,
  speed = { calm = 1.5, normal = 3.2, fast = 5.8 }, -- m/s, in training
}
