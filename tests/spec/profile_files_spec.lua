-- Profiles and areas from files of mods, valid and invalid.
local leeward = require "leeward"
local mods = require "support.mods"

local mod
before_each(function() mod = mods.new() end)
after_each(function() mod:remove() end)

describe("a profile in a mod", function()
  it("extends what ships, and states only what is different", function()
    mod:profile("scout", [[return { extends = "soldier", speed = { fast = 7 } }]])
    mod:profile("ranger", [[return { extends = "scout", radius = 0.3 }]])
    assert.equal("7.0 1.5 0.3 1.8 scout", mod:run [[
      local ranger = leeward.profile("ranger")
      print(ranger.speed.fast, ranger.speed.calm, ranger.radius, ranger.height, ranger.extends)
    ]]:gsub("\t", " "))
  end)

  it("takes the place of one that ships, where it has its name", function()
    mod:profile("soldier", [[return { extends = "human", radius = 0.6 }]])
    assert.equal("0.6 1.75 0.6", mod:run [[
      print(leeward.profile("soldier").radius, leeward.profile("soldier").height, leeward.profile("medic").radius)
    ]]:gsub("\t", " "))
  end)
end)

describe("a patch", function()
  it("changes what it names in the profile behind it, and in all that extend that", function()
    mod:profile("soldier", [[return { patch = true, speed = { fast = 7 }, avoid = { "unsafe" } }]])
    assert.equal("7.0 3.2 1.8 human unsafe 7.0 nil", mod:run [[
      local soldier = leeward.profile("soldier")
      print(soldier.speed.fast, soldier.speed.normal, soldier.height, soldier.extends, soldier.avoid[1],
        leeward.profile("medic").speed.fast, soldier.patch)
    ]]:gsub("\t", " "))
  end)

  it("stands on other patches: the first mod has the last word", function()
    local first = mods.new(mod)
    first:profile("car", [[return { patch = true, turn_radius = 3 }]])
    mod:profile("car", [[return { patch = true, turn_radius = 9, climb = 0.5 }]])
    assert.equal("3.0 0.5 1.1", first:run [[
      local car = leeward.profile("car")
      print(car.turn_radius, car.climb, car.radius)
    ]]:gsub("\t", " "))
    first:remove()
  end)

  it("may come from a script, again and again", function()
    assert.equal("2.0 9.0 3.2", mod:run [[
      leeward.profile("soldier", { patch = true, speed = { calm = 1, fast = 9 } })
      leeward.profile("soldier", { patch = true, speed = { calm = 2 } })
      local speed = leeward.profile("soldier").speed
      print(speed.calm, speed.fast, speed.normal)
    ]]:gsub("\t", " "))
  end)

  it("may let a profile extend another", function()
    mod:profile("dog", [[return { patch = true, extends = "diver" }]])
    assert.equal("diver 9.0 2.4", mod:run [[
      local dog = leeward.profile("dog")
      print(dog.extends, dog.speed.fast, dog.speed_factor.deep_water)
    ]]:gsub("\t", " "))
  end)

  it("needs something to change", function()
    mod:profile("ogre", [[return { patch = true, radius = 1 }]])
    assert.equal([[
MOD/scripts/profiles/ogre.lua: patch is true, expected a scripts/profiles/ogre.lua in a root behind this one
MOD/test.lua:3: profile 'sodlier': patch is true, expected a profile 'sodlier' that it can change. ]]
      .. "Did you mean 'soldier'?",
      mod:run [[
      fails(leeward.profile, "ogre")
      fails(function() leeward.profile("sodlier", { patch = true, radius = 1 }) end)
    ]])
  end)
end)

describe("a profile without a name", function()
  it("is refused when too many profiles extend one another behind it", function()
    for i = 1, 32 do mod:profile("stair_" .. i, ("return { extends = 'stair_%d' }"):format(i + 1)) end
    assert.matches("MOD/scripts/profiles/stair_31.lua: extends is 'stair_32', expected at most 32 profiles that extend "
      .. "one another, from 'this' on", mod:run [[
      local level = leeward.geometry()
      level:add_box { min = { 0, -1, 0 }, max = { 4, 0, 4 } }
      local world = leeward.world { navmesh = assert(leeward.bake(level)) }
      fails(world.find_path, world, { from = { 1, 0, 1 }, to = { 3, 0, 3 }, profile = { extends = "stair_1" } })
    ]], 1, true)
  end)
end)

describe("leeward.profile_info", function()
  local function row_of(info, key)
    for _, row in ipairs(info.values) do
      if row.key == key then return row end
    end
  end

  it("says which file set a value, at which line, and in what unit", function()
    local info = leeward.profile_info("truck")
    assert.same({ "truck", "car", "human" }, info.lineage)
    local calm, swim = row_of(info, "speed.calm"), row_of(info, "can_swim")
    assert.same({ 3, "m/s", "truck" }, { calm.value, calm.unit, calm.profile })
    assert.matches("scripts/profiles/truck.lua$", calm.file)
    assert.same({ false, "human" }, { swim.value, swim.profile })
    assert.matches("scripts/profiles/human.lua$", swim.file)
    assert.is_nil(swim.unit)
    assert.same({ "door", "deep_water", "undergrowth", "shallow_water" }, row_of(info, "avoid").value)
  end)

  it("names the file of each value, without a line", function()
    mod:profile("odd", [==[
-- radius = 1
local stands = {
  stand = { eye = 1,
    body = { 0.5, 1 } } }
--[[ radius = 2
]]
return {
  extends = "human", ["radius"] = 3,
  stances = stands,
  speed = { calm = 1; -- fast = 9
    fast = 5 },
  avoid = { "road", 'door' }, height
    = 2,
}]==])
    assert.equal("radius 3.0, stances.stand.eye 1.0, speed.calm 1.0, speed.fast 5.0, height 2.0, human 0.4", mod:run [[
      local rows = {}
      for _, row in ipairs(leeward.profile_info("odd").values) do
        rows[row.key] = row
        assert(row.line == nil)
      end
      local words = {}
      for key in ("radius stances.stand.eye speed.calm speed.fast height"):gmatch("%S+") do
        assert(rows[key].file == MOD .. "/scripts/profiles/odd.lua" and rows[key].profile == "odd")
        words[#words + 1] = key .. " " .. rows[key].value
      end
      assert(rows.avoid.file == rows.radius.file and rows["stances.stand.body"].file == rows.radius.file)
      words[#words + 1] = rows.climb.profile .. " " .. rows.climb.value
      print(table.concat(words, ", "))
    ]])
  end)

  it("names the script that changed something", function()
    assert.equal([[
soldier MOD/test.lua 4
soldier MOD/test.lua 2
human nil]], mod:run [[leeward.profile("soldier", { patch = true, radius = 0.5, height = 2 })

leeward.profile("soldier", { patch = true, radius = 0.6 })
      for _, row in ipairs(leeward.profile_info("soldier").values) do
        if row.key == "radius" or row.key == "height" then print(row.profile, row.file, row.line) end
      end
      print("human", leeward.profile_info("human").lineage[2])
    ]]:gsub("\t", " "))
  end)

  it("gives the price and the speed of each area", function()
    local areas = {}
    for _, area in ipairs(leeward.profile_info("hovercraft").areas) do areas[area.name] = area end
    assert.same({ 1, 9 }, { areas.deep_water.price, areas.deep_water.speed.normal })
    assert.same({ 1, 9 }, { areas.road.price, areas.road.speed.normal })
    assert.is_nil(areas.door.price)
    assert.is_nil(areas.door.speed)
  end)

  it("answers an unknown name", function()
    local info, message, code = leeward.profile_info("spec_nobody")
    assert.is_nil(info)
    assert.matches("there is no profile 'spec_nobody'", message, 1, true)
    assert.equal("NOT_FOUND", code)
  end)
end)

describe("the profiles that ship", function()
  it("are ten, are right, and never make a metre cheaper than a metre", function()
    local names = { "car", "civilian", "diver", "dog", "hovercraft", "human", "medic", "sniper", "soldier", "truck" }
    assert.same(names, leeward.profiles())
    for _, name in ipairs(names) do
      for _, area in ipairs(leeward.profile_info(name).areas) do
        assert.is_true(area.price == nil or area.price >= 1, name .. " on " .. area.name)
        local speed = area.speed
        if speed then assert.is_true(speed.calm < speed.normal and speed.normal < speed.fast) end
      end
    end
  end)

  it("go where they should", function()
    local function price(name, area)
      for _, entry in ipairs(leeward.profile_info(name).areas) do
        if entry.name == area then return entry.price end
      end
    end
    assert.same({ 10, 1 }, { price("car", "ground"), price("car", "road") })
    assert.same({ 1, 1, 1 },
      { price("hovercraft", "deep_water"), price("hovercraft", "ground"), price("hovercraft", "road") })
    assert.is_nil(price("soldier", "deep_water"))
    assert.is_nil(price("dog", "door"))
    assert.equal(4, price("dog", "deep_water"))
    assert.same({ 1, 3 }, { price("diver", "deep_water"), price("diver", "road") })
    assert.equal(3, price("sniper", "road"))
    assert.equal(15, price("medic", "unsafe") - price("medic", "ground"))
    for _, name in ipairs { "human", "soldier", "dog", "car", "hovercraft" } do
      assert.equal(10, price(name, "unsafe") - price(name, "ground"), name)
    end
  end)
end)

-- name, text of the file, what is said
local WRONG = {
  { "negative", "return {\n  speed = {\n    calm = -1 } }",
    ": speed.calm is -1, expected metres per second > 0 and <= 1000" },
  { "tiny", "return { speed = { calm = 1e-60 } }",
    ": speed.calm is 1e-60, expected metres per second > 0 and <= 1000" },
  { "nan", "return { radius = 0 / 0 }", ": radius is nan, expected metres from 0 to 1000" },
  { "infinite", "return { height = 1 / 0 }", ": height is inf, expected metres from 0 to 1000" },
  { "huge", "return { danger_cost = 1e7 }",
    ": danger_cost is 10000000.0, expected metres from 0 to 1000000" },
  { "below_one", "return {\n\n  cover_bias = 0.5 }", ": cover_bias is 0.5, expected a number from 1 to 1000000" },
  { "text", "return { radius = '0.4' }", ": radius is '0.4', expected metres from 0 to 1000" },
  { "number", "return { can_swim = 1 }", ": can_swim is 1, expected true or false" },
  { "no_table", "return { speed = 3 }", ": speed is 3, expected a table" },
  { "one_height", "return { stances = { stand = { body = { 1 } } } }",
    ": stances.stand.body is {1}, expected two heights in metres" },
  { "key", "return {\n  raduis = 1 }", ": unknown key 'raduis'. Did you mean 'radius'?" },
  { "inner_key", "return { can_take = {\n  jmup = true } }", ": unknown key 'can_take.jmup'. Did you mean 'jump'?" },
  { "area", "return { speed_factor = {\n  durt = 0.7 } }", ": unknown key 'speed_factor.durt'. Did you mean 'dirt'?" },
  { "slow_area", "return { speed_factor = {\n  dirt = 0 } }",
    ": speed_factor.dirt is 0, expected a number > 0 and <= 1000" },
  { "avoided", "return { avoid = {\n  'road',\n  'rver',\n} }",
    ": avoid[2] is 'rver', expected the name of an area; known are ground, road, dirt, shallow_water, " },
  { "base", "return {\n  extends = 'humon' }",
    ": extends is 'humon', expected the name of a profile. Did you mean 'human'?" },
  { "ring_a", "return { extends = 'ring_b' }",
    "extends is 'ring_a', expected no circle: ring_a > ring_b > ring_c > ring_a" },
  { "ring_b", "return { extends = 'ring_c' }",
    "extends is 'ring_b', expected no circle: ring_b > ring_c > ring_a > ring_b" },
  { "ring_c", "return {\n  extends = 'ring_a' }",
    "extends is 'ring_c', expected no circle: ring_c > ring_a > ring_b > ring_c" },
  { "self", "return { extends = 'self' }", ": extends is 'self', expected no circle: self > self" },
  { "crowd", "return { stances = { a = {}, b = {}, c = {}, d = {}, e = {}, f = {}, g = {} } }",
    "/crowd.lua: stances is a set of 9, those that it extends included, expected at most 8" },
  { "nothing", "", ": result is nothing, expected a table" },
  { "syntax", "return {\n  radius = ,\n}", ":2: unexpected symbol near ','" },
  { "library", "return { radius = math.pi }",
    ":1: unknown name 'math': data files have no variables and functions; a text needs quotes: 'math'" },
  { "unquoted_base", "return { extends = soldier }", ":1: unknown name 'soldier': data files have no variables" },
  { "unquoted", "return {\n  extends = 'soldier',\n  avoid = { unsafe, 'road' },\n}",
    ":3: unknown name 'unsafe': data files have no variables and functions; a text needs quotes: 'unsafe'" },
  { "sum", "return {\n  radius = x + 1 }", ":2: unknown name 'x': data files have no variables" },
  { "odd_name", "return { radius = _ENV[{}] }", ":1: unknown name 'table': data files have no variables" },
  { "method", "return { extends = ('x'):rep(1e9) }", ":1: attempt to index a string value" },
  { "calls", "local function f() return f() end\nreturn f()", ":1: takes more than 100000 steps" },
  { "forever", "local n = 0\nwhile true do\n  n = n + 1\nend", ": takes more than 100000 steps" },
  { "hungry", "local s = 'x'\nwhile true do s = s .. s end",
    ":2: makes a string of more than 1024 bytes, expected shorter ones" },
  { "strings", "local s = 'x' for _ = 1, 9 do s = s .. s end\nwhile true do local t = s .. s end",
    ":2: takes more than 16 MiB of memory in all: data files only state values" },
  { "tables", "local t = {}\nwhile true do t = { t, {}, {}, {} } end", ":2: takes more than " },
  { "garbage", "local t for i = 1, 1e9 do t = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 } end",
    ":1: takes more than " },
  { "deep", "local function f() return 1 + f() end\nreturn f()", ":1: takes more than " },
  { "slow", "local s = 'x' for _ = 1, 9 do s = s .. s end\nlocal a, b = s .. 'a', s .. 'b' while a < b do end",
    ":2: takes more than 100000 steps" },
  { "long_text", "return { extends = '" .. ("x"):rep(2000) .. "' }", ": makes a string of more than 1024 bytes" },
  { "ring", "local t = {} t.speed = t return t", "is a table within 16 tables or more, expected fewer" },
  { "wide", "local t = {} for i = 1, 6000 do t[i] = i end t.avoid = { t[1], {} } return { t, t }",
    "is one of more than 10000 values, expected fewer" },
  { "shared", "local t = {}\nfor _ = 1, 12 do t = { t, t, t, t, t, t, t, t, t, t } end return { avoid = t }",
    "is one of more than 10000 values, expected fewer" },
  { "colliding", "local t = {} for i = 1, 9000 do t[i * 65535] = 1 end return t",
    ": unknown key '[" },
  { "metatable", "return setmetatable({}, { __index = function() return 1 end })",
    ":1: unknown name 'setmetatable': data files have no variables" },
  { "nested", "return\n" .. ("{"):rep(60000), ":2: nests tables or expressions about 200 deep, expected fewer" },
  { "not", "return {\n\nradius = " .. ("not "):rep(300) .. "1 }", ":3: nests tables or expressions about 200 deep" },
  { "functions", "return {\n" .. ("f(function() "):rep(300), ":2: nests tables or expressions about 200 deep" },
  { "long", "return { --" .. (" "):rep(2 ^ 16) .. "\n}", ": is larger than 64 KiB" },
  { "and", "local x = 1 return x" .. (" and x"):rep(10000), ": result is a number, expected a table" },
  { "tower_1", "return { extends = 'tower_2' }",
    "/tower_32.lua: extends is 'tower_33', expected at most 32 profiles that extend one another, from 'tower_1' on" },
  { "code", "return { radius = 1, speed = function() end }",
    ": speed is a function, expected a boolean, number, string or table" },
  { "binary", "\27Lua", ": is compiled Lua code, expected its text" },
}

describe("a wrong file", function()
  it("is refused with file and key, changes nothing, and is read again when it is asked for again", function()
    local script = {}
    for level = 2, 100 do mod:profile("tower_" .. level, ("return { extends = 'tower_%d' }"):format(level + 1)) end
    for _, case in ipairs(WRONG) do
      mod:profile(case[1], case[2])
      script[#script + 1] = ("fails(leeward.profile, '%s')"):format(case[1])
    end
    script[#script + 1] = "print(#leeward.areas(), leeward.profile('soldier').radius)"
    script[#script + 1] = "write('scripts/profiles/negative.lua', 'return { radius = 2 }')"
    script[#script + 1] = "print(leeward.profile('negative').radius)"
    local lines = {}
    for line in mod:run(table.concat(script, "\n")):gmatch("[^\n]+") do lines[#lines + 1] = line end
    for index, case in ipairs(WRONG) do
      assert.matches("^MOD/scripts/profiles/%w+.*%.lua:", lines[index], 1, false, case[1])
      assert.matches(case[3], lines[index], 1, true, case[1])
    end
    assert.equal(10 .. "\t" .. 0.4, lines[#WRONG + 1])
    assert.equal("2.0", lines[#WRONG + 2])
  end)
end)

describe("a file of areas", function()
  it("needs quotes, too", function()
    mod:write("scripts/areas.lua", "return {\n  areas = { { name = lava } } }")
    assert.matches("MOD/scripts/areas.lua:2: unknown name 'lava'", mod:run "", 1, true)
  end)

  it("may have variables of its own", function()
    mod:profile("own", "wide = 0.75\nlocal factor = 2\nreturn { radius = wide * factor }")
    assert.equal("1.5", mod:run "print(leeward.profile('own').radius)")
  end)
end)

describe("a damaged file", function()
  local SEED, COUNT = 20240607, 400

  -- Bytes that mean something to Lua, more often than others.
  local BYTES = "{}[]()=,;'\"\\\n-.#0e_a \0\255"

  local function damage(text, random)
    for _ = 1, random(3) do
      local at, what = random(#text), random(4)
      local byte = random(2) == 1 and string.char(random(0, 255)) or BYTES:sub(random(#BYTES)):sub(1, 1)
      if what == 1 then text = text:sub(1, at - 1) .. byte .. text:sub(at + 1) end
      if what == 2 then text = text:sub(1, at - 1) .. text:sub(at + random(20)) end
      if what == 3 then text = text:sub(1, at) .. byte:rep(random(40)) .. text:sub(at + 1) end
      if what == 4 then text = text .. text:sub(1, at) end
    end
    return text
  end

  it(("is taken or refused by its name, %d times (seed %d)"):format(COUNT, SEED), function()
    local state = SEED
    local function random(low, high)
      if not high then low, high = 1, low end
      state = (state * 1103515245 + 12345) % 0x80000000
      return low + (state >> 8) % (high - low + 1)
    end
    local texts = {}
    for _, name in ipairs { "human", "car", "sniper" } do
      local handle = assert(io.open(leeward.find(("scripts/profiles/%s.lua"):format(name)), "rb"))
      texts[#texts + 1] = handle:read("a")
      handle:close()
    end
    for index = 1, COUNT do mod:profile("d" .. index, damage(texts[index % #texts + 1], random)) end
    local output = mod:run(([[
      local good, bad = 0, 0
      for index = 1, %d do
        local name = "d" .. index
        local file = MOD .. "/scripts/profiles/" .. name .. ".lua:"
        local fine, message = pcall(leeward.profile, name)
        if fine then good = good + 1 leeward.profile_info(name) else bad = bad + 1 end
        if not fine and message:sub(1, #file) ~= file then print(message) end
      end
      print(good > 0 and bad > 0)
    ]]):format(COUNT))
    assert.equal("true", output)
  end)
end)

describe("scripts/areas.lua in a mod", function()
  it("may add areas and change numbers, where it is a patch", function()
    mod:write("scripts/areas.lua", [[return { patch = true,
      areas = { { name = "ground", speed = 0.9 }, { name = "lava", unsafe = 1 } },
      materials = { { pattern = "magma", area = "lava" } },
    }]])
    mod:profile("imp", [[return { extends = "human", speed_factor = { lava = 2 }, area_factor = { ground = 5 } }]])
    assert.equal("11 0.9 0.5 1 ground 6.0", mod:run [[
      local areas = leeward.areas()
      local ground = leeward.area("ground")
      print(#areas, ground.speed, ground.resistance, leeward.area("lava").unsafe, areas[1],
        leeward.profile_info("imp").areas[11].speed.normal)
    ]]:gsub("\t", " "):gsub("0.8999%d+", "0.9"):gsub("1%.0 ground", "1 ground"))
  end)

  it("is refused with the key", function()
    mod:write("scripts/areas.lua", "return { patch = true,\n  areas = {\n    { name = 'x',\n speed = 0 } } }")
    assert.matches("MOD/scripts/areas.lua: areas[1].speed is 0, expected a number > 0 and <= 1000", mod:run "", 1, true)
    mod:write("scripts/areas.lua", "return { patch = true,\n  areas = { { name = 'x' },\n { name = 'x' } } }")
    assert.matches("MOD/scripts/areas.lua: areas[2].name is 'x', expected a name that no other area has", mod:run "",
      1, true)
    mod:write("scripts/areas.lua", "return { patch = true,\n  areas = {\n { speed = 1 } } }")
    assert.matches("MOD/scripts/areas.lua: areas[1].name is nil, expected 1 to 63 bytes", mod:run "", 1,
      true)
  end)

  it("is refused when a rule has a wrong value, or lacks one", function()
    local crowd = {}
    for i = 1, 256 do crowd[i] = ("{ name = 'crowd_%d' }"):format(i) end
    for _, case in ipairs {
      { "areas = { 5 }", "areas[1] is 5, expected a table" },
      { "areas = { { name = '' } }", "areas[1].name is '', expected 1 to 63 bytes" },
      { "areas = { { name = '" .. ("x"):rep(64) .. "' } }", "xxx', expected 1 to 63 bytes" },
      { "areas = { " .. table.concat(crowd, ", ") .. " }", ": the table is full, expected at most 255 areas" },
      { "materials = { { area = 'road' } }", "materials[1].pattern is nil, expected a string" },
      { "materials = { { pattern = 'x' } }", "materials[1].area is nil, expected the name of an area or false" },
      { "codes = { { water = true } }", "codes[1].code is nil, expected a whole number from 0 to 63" },
      { "codes = { { code = 1, area = 'road', water = true } }",
        "codes[1].water is true, expected it or 'area', not both" },
    } do
      mod:write("scripts/areas.lua", ("return { patch = true, %s }"):format(case[1]))
      assert.matches(case[2] .. "\n", mod:run "":match "MOD/scripts/areas%.lua: (.*)" or "read", 1, true)
    end
  end)

  --- What the file is refused with, whose only material rule has this text. nil: it is read.
  local function refusal(rule)
    mod:write("scripts/areas.lua", ("return { patch = true, materials = { { %s } } }"):format(rule))
    return mod:run "":match "MOD/scripts/areas%.lua: ([^\n]*)"
  end

  it("is refused when a material's pattern is none, also behind what the shortest name matches", function()
    for pattern, reason in pairs {
      ["x["] = "malformed pattern (missing ']')", ["road[^]"] = "malformed pattern (missing ']')",
      ["x%%"] = "malformed pattern (ends with '%')", ["x%f"] = "missing '[' after '%f' in pattern",
      ["a?x%b"] = "malformed pattern (missing arguments to '%b')",
      ["x%b("] = "malformed pattern (missing arguments to '%b')",
      ["(x"] = "unfinished capture", ["x)"] = "invalid pattern capture", [")"] = "invalid pattern capture",
      [("()"):rep(33)] = "too many captures",
    } do
      pattern = pattern:gsub("%%%%", "%%")
      local expected = ("materials[1].pattern is '%s', expected a Lua pattern: %s")
        :format(leeward.shown(pattern), reason)
      assert.matches(expected, refusal(("pattern = %q, area = 'road'"):format(pattern)) or "read", 1, true)
    end
  end)

  it("is refused when no name in lower case can match a material's pattern", function()
    for _, pattern in ipairs { "X", "roaD", "[A-Z]x", "%u", "x+Y+", "%f[%u]", "%bxY", "(R)oad", "%f[%s%S]" } do
      assert.equal(("materials[1].pattern is '%s', expected a pattern that a name in lower case can match")
        :format(pattern), refusal(("pattern = '%s', area = 'road'"):format(pattern)))
    end
    for _, pattern in ipairs {
      "", "^road$", "Q*road", "Q?x", "[Rr]oad", "%f[%A]", "%f[^%l]", "%bxy+", "()x(%d+)y", "%U", "[]x]", "[%]x]",
      "[^]A]", "%[", "x^$y", "%f[%z]", ("x?"):rep(128), ("x"):rep(256), ("a*"):rep(40) .. "b",
    } do
      assert.is_nil(refusal(("pattern = '%s', area = 'road'"):format(pattern)), pattern)
    end
  end)

  it("is refused when a material's pattern is too long to be matched in time, or has back references", function()
    assert.equal(("materials[1].pattern is '%s', expected a pattern of at most 256 bytes")
      :format(leeward.shown(("x"):rep(257))), refusal(("pattern = %q, area = 'road'"):format(("x"):rep(257))))
    for _, pattern in ipairs { "x%1", "(x%1)", "(x)%1", "()x(%d+)%2", "%0" } do
      assert.equal(("materials[1].pattern is '%s', expected a Lua pattern without back references such as %%1")
        :format(pattern), refusal(("pattern = '%s', area = 'road'"):format(pattern)))
    end
  end)

  it("is refused when a material is an area and ignored", function()
    assert.equal("materials[1].area and materials[1].ignored are given, expected one of them",
      refusal "pattern = 'x', area = 'road', ignored = true")
    assert.is_nil(refusal "pattern = 'x', area = false, ignored = false")
    assert.is_nil(refusal "pattern = 'x', ignored = true")
  end)

  it("may not run for long", function()
    mod:write("scripts/areas.lua", "while true do end")
    assert.matches("MOD/scripts/areas.lua:1: takes more than 100000 steps", mod:run "", 1, true)
  end)
end)
