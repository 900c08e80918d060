local leeward = require "leeward"
local maps = require "support.maps"
local message = require "support.message"

describe("the areas that ship", function()
  it("are all there, ground first", function()
    local names = leeward.areas()
    assert.equal("ground", names[1])
    for _, name in ipairs { "road", "dirt", "shallow_water", "deep_water", "grass", "undergrowth", "unsafe", "door" } do
      assert.is_table(leeward.area(name))
    end
  end)

  it("have the resistances of the cost model", function()
    assert.equal(0.5, leeward.area("ground").resistance)
    assert.equal(0, leeward.area("road").resistance)
    assert.equal("road", leeward.area("road").type)
    assert.equal(1, leeward.area("deep_water").resistance)
  end)
end)

describe("leeward.area", function()
  it("defines, and changes only what is named", function()
    leeward.area("spec_mud", { resistance = 2, color = 0x102030 })
    leeward.area("spec_mud", { speed = 0.5 })
    local mud = leeward.area("spec_mud")
    assert.same({ 2, 0.5, 0x102030, "triangular" }, { mud.resistance, mud.speed, mud.color, mud.type })
    assert.equal("spec_mud", leeward.areas()[#leeward.areas()])
  end)

  it("knows nothing of other names", function()
    assert.is_nil(leeward.area("spec_no_such_area"))
  end)

  it("says what is wrong", function()
    assert.equal("area: exposure is 2, expected a number from 0 to 1",
      message(leeward.area, "spec_bad", { exposure = 2 }))
    assert.equal("area: type is 'raod', expected 'triangular', 'road', 'waypoint' or 'volume'. Did you mean 'road'?",
      message(leeward.area, "spec_bad", { type = "raod" }))
    assert.equal("area: unknown key 'resistence'. Did you mean 'resistance'?",
      message(leeward.area, "spec_bad", { resistence = 2 }))
    assert.is_nil(leeward.area("spec_bad"))
  end)
end)

describe("leeward.profile", function()
  it("finds the profiles that ship", function()
    local human = leeward.profile("human")
    assert.equal(1, human.cover_bias)
    assert.equal(0, human.resistance_factor.triangular)
    assert.equal("human", leeward.profile("soldier").extends)
  end)

  it("merges what it extends key by key", function()
    leeward.profile("spec_base", { extends = "human", speed = { calm = 1, fast = 9 }, avoid = { "door" }, radius = 0.7,
      stances = { stand = { eye = 1.7, body = { 1, 1.7 } } } })
    leeward.profile("spec_heir", { extends = "spec_base", speed = { fast = 8 }, avoid = { "road" } })
    local heir = leeward.profile("spec_heir")
    assert.equal(1, heir.speed.calm)
    assert.equal(8, heir.speed.fast)
    assert.equal(0.7, heir.radius)
    assert.same({ "road" }, heir.avoid) -- a list takes the place of the other
    assert.equal(1.7, heir.stances.stand.eye)
    assert.equal("spec_base", heir.extends)
  end)

  it("merges the links that it takes by kind", function()
    leeward.profile("spec_climber", { extends = "car", can_take = { ladder = true } })
    assert.same({ jump = false, drop = false, ladder = true, teleport = true, door = true, waypoint = true },
      leeward.profile("spec_climber").can_take)
  end)

  it("gives a copy: changing it changes nothing", function()
    leeward.profile("human").speed.calm = 77
    assert.not_equal(77, leeward.profile("human").speed.calm)
  end)

  it("answers an unknown name with where it looked", function()
    local profile, text, code = leeward.profile("spec_nobody")
    assert.is_nil(profile)
    assert.matches("scripts/profiles/spec_nobody.lua", text, 1, true)
    assert.equal("NOT_FOUND", code)
  end)

  it("lists the names in order", function()
    local names = leeward.profiles()
    local sorted = { table.unpack(names) }
    table.sort(sorted)
    assert.same(sorted, names)
    assert.matches("human", table.concat(names, " "))
  end)

  it("names the profile and the key that is wrong", function()
    local function define(values) return message(leeward.profile, "spec_bad", values) end
    assert.equal("profile 'spec_bad': cover_bias is 0.5, expected a number from 1 to 1000000",
      define { cover_bias = 0.5 })
    assert.equal("profile 'spec_bad': speed.fast is 0, expected metres per second > 0 and <= 1000",
      define { speed = { fast = 0 } })
    assert.equal("profile 'spec_bad': unknown key 'speed.quick'. Known keys: calm, normal, fast",
      define { speed = { quick = 3 } })
    assert.equal("profile 'spec_bad': unknown key 'raduis'. Did you mean 'radius'?", define { raduis = 1 })
    assert.equal("profile 'spec_bad': unknown key 'can_take.jmup'. Did you mean 'jump'?",
      define { can_take = { jmup = false } })
    assert.equal("profile 'spec_bad': can_take.ladder is 0, expected true or false",
      define { can_take = { ladder = 0 } })
    assert.equal("profile 'spec_bad': can_swim is 1, expected true or false", define { can_swim = 1 })
    assert.equal("profile 'spec_bad': danger_cost is nan, expected metres from 0 to 1000000",
      define { danger_cost = 0 / 0 })
    assert.equal("profile 'spec_bad': unknown key 'area_factor.durt'. Did you mean 'dirt'?",
      define { area_factor = { durt = 2 } })
    assert.equal("profile 'spec_bad': avoid is a table, expected a list of the names of areas",
      define { avoid = { road = true } })
    assert.equal("profile 'spec_bad': extends is 'humon', expected the name of a profile. Did you mean 'human'?",
      define { extends = "humon" })
    assert.equal("profile 'spec_bad': stances.crouch.body is {2, 1}, expected the lower height first",
      define { stances = { crouch = { body = { 2, 1 } } } })
    assert.is_nil((leeward.profile("spec_bad")))
  end)

  it("refuses to extend in a circle", function()
    leeward.profile("spec_a", {})
    leeward.profile("spec_b", { extends = "spec_a" })
    assert.equal("profile 'spec_b': extends is 'spec_a', expected no circle: spec_a > spec_b > spec_a",
      message(leeward.profile, "spec_a", { extends = "spec_b" }))
    assert.is_nil(leeward.profile("spec_a").extends)
  end)
end)

describe("a profile in use", function()
  local ACROSS = { from = { 1, 0, 1 }, to = { 39, 0, 1 } }
  local function cost(world, profile, more)
    local query = { from = ACROSS.from, to = ACROSS.to, profile = profile }
    for key, value in pairs(more or {}) do query[key] = value end
    local path = assert(world:find_path(query))
    return path:cost(), path:length(), path
  end

  local world
  before_each(function() world = leeward.world { navmesh = maps.field_and_road() } end)

  it("makes a car take the road and a soldier the field", function()
    local soldier_cost, soldier_length = cost(world, "soldier")
    assert.near(38, soldier_length, 1e-3)
    assert.near(38, soldier_cost, 1e-3)
    local _, car_length, path = cost(world, { extends = "car", radius = 0.4 })
    assert.is_true(car_length > 40)
    assert.matches("road", table.concat(path:areas(), " "))
  end)

  it("prices a metre of ground at ten with factor 18", function()
    local price = cost(world, { resistance_factor = { triangular = 18 }, avoid = { "road" } })
    assert.near(380, price, 0.01)
  end)

  it("is overridden by a request's own costs", function()
    local plain = cost(world, "soldier")
    local doubled = cost(world, "soldier", { cost = { area_factor = { ground = 1 } }, avoid = { "road" } })
    assert.near(2 * plain, doubled, 0.01)
    assert.near(plain, cost(world, "soldier"), 1e-6)
  end)

  it("follows a change of the areas", function()
    leeward.profile("spec_wader", { resistance_factor = { triangular = 2 }, avoid = { "road" } })
    local resistance = leeward.area("ground").resistance
    local before = cost(world, "spec_wader")
    leeward.area("ground", { resistance = resistance + 1 })
    local after = cost(world, "spec_wader")
    leeward.area("ground", { resistance = resistance })
    assert.near(38 * 2, after - before, 0.01)
    assert.near(before, cost(world, "spec_wader"), 0.01)
  end)

  it("follows a change of the profile that it extends", function()
    leeward.profile("spec_parent", { avoid = { "road" } })
    leeward.profile("spec_child", { extends = "spec_parent" })
    assert.near(38, (cost(world, "spec_child")), 0.01)
    leeward.profile("spec_parent", { avoid = { "road" }, area_factor = { ground = 3 } })
    assert.near(38 * 4, (cost(world, "spec_child")), 0.01)
  end)

  it("is named in what a request says about it", function()
    local function find(profile) return message(world.find_path, world,
      { from = ACROSS.from, to = ACROSS.to, profile = profile }) end
    assert.equal("find_path: profile is 'soldeir', expected the name of a profile. Did you mean 'soldier'?",
      find "soldeir")
    assert.equal("find_path: profile.radius is -1, expected metres from 0 to 1000", find { radius = -1 })
    assert.equal("find_path: profile is 7, expected the name of a profile or a table", find(7))
  end)
end)
