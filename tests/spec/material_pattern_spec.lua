-- Patterns of material rules are matched without going back, and find what string.find finds.
local mods = require "support.mods"

local mod
before_each(function() mod = mods.new() end)
after_each(function() mod:remove() end)

--- An OBJ with a triangle of each material.
local function write_level(file, materials)
  local lines = { "v 0 0 0", "v 0 0 4", "v 4 0 4" }
  for _, name in ipairs(materials) do lines[#lines + 1] = ("usemtl %s\nf 1 2 3"):format(name) end
  mod:write(file, table.concat(lines, "\n") .. "\n")
end

describe("a material rule", function()
  local SEED, PATTERNS, NAMES = 20240611, 600, 40
  local random = math.random

  local PIECES = { "a", "b", "_", "1", ".", "%a", "%d", "%u", "%A", "%W", "%.", "[ab]", "[^a]", "[a-c_]", "[%d_]",
    "[]a]", "[^]%s]", "[a-]", "%f[%a]", "%f[%A]", "%f[^b]", "%f[%z]", "%bab", "%b11", "^", "$", "*", "-" }
  local REPEATS = { "", "", "", "*", "+", "-", "?" }

  local function random_pattern()
    local words, open = { random(4) == 1 and "^" or "" }, 0
    for _ = 1, random(7) do
      words[#words + 1] = PIECES[random(#PIECES)] .. REPEATS[random(#REPEATS)]
      if random(8) == 1 then words[#words + 1], open = "(", open + 1 end
      if open > 0 and random(3) == 1 then words[#words + 1], open = ")", open - 1 end
      if random(12) == 1 then words[#words + 1] = "()" end
    end
    return table.concat(words) .. (")"):rep(open) .. (random(4) == 1 and "$" or "")
  end

  local function random_name()
    local alphabet, letters = "aaabbbcAB_1.-^", {}
    for index = 1, random(12) do
      local at = random(#alphabet)
      letters[index] = alphabet:sub(at, at)
    end
    return table.concat(letters)
  end

  it(("takes what string.find finds, of %d patterns (seed %d)"):format(PATTERNS, SEED), function()
    math.randomseed(SEED)
    local names, seen = {}, {}
    while #names < NAMES do
      local name = random_name()
      if not seen[name] then names[#names + 1], seen[name] = name, true end
    end
    write_level("level.obj", names)
    -- One script reads all patterns in turn, since each takes a reload. The rule ignores what it matches.
    local script, patterns = { "local patterns, names = {}, {}" }, {}
    for index = 1, PATTERNS do patterns[index] = random_pattern() end
    for _, pattern in ipairs(patterns) do script[#script + 1] = ("patterns[#patterns + 1] = %q"):format(pattern) end
    for _, name in ipairs(names) do script[#script + 1] = ("names[#names + 1] = %q"):format(name) end
    script[#script + 1] = [=[
      local taken, found, wrong = 0, 0, 0
      for _, pattern in ipairs(patterns) do
        local rest = 0
        local ok = pcall(function()
          for _, name in ipairs(names) do rest = rest + (name:lower():find(pattern) and 0 or 1) end
        end)
        write("scripts/areas.lua", ("return { areas = { { name = 'ground' } }, materials = {"
          .. "{ pattern = 'no such', area = 'ground' }, { pattern = %q, ignored = true } } }"):format(pattern))
        local read, message = leeward.reload()
        if read then
          taken = taken + 1
          local level = leeward.load_geometry(MOD .. "/level.obj")
          local left = level and level:stats().triangles or 0
          found = found + #names - left
          if left ~= rest or not ok then
            wrong = wrong + 1
            print(("%q leaves %d, string.find %d"):format(pattern, left, rest))
          end
        elseif not message:find("lower case", 1, true) then
          print(pattern, message)
        end
      end
      print(taken > #patterns / 2, found > taken, wrong)
    ]=]
    assert.equal("true\ttrue\t0", mod:run(table.concat(script, "\n")))
  end)

  it("that takes too long is refused with its place", function()
    local patterns = { ("a*"):rep(40) .. "b", ("a-"):rep(60) .. "b", ("[^b]+"):rep(40) .. "b", (".-"):rep(100) .. "b",
      ("%bab"):rep(60), ("(a?)"):rep(32) .. ("a"):rep(32) .. "b" }
    local rules, names = {}, {}
    for _, pattern in ipairs(patterns) do
      for _ = 1, 20 do rules[#rules + 1] = ("{ pattern = %q, ignored = true }"):format(pattern) end
    end
    mod:write("scripts/areas.lua", ("return { patch = true, materials = { %s } }"):format(table.concat(rules, ", ")))
    for index = 1, 20 do names[index] = ("a"):rep(980) .. index end
    write_level("level.obj", names)
    local expected = ("MOD/scripts/areas.lua: materials%[(%d+)%].pattern: the level's materials take more than "
      .. "100000000 steps, for one this takes up to %d+\tLIMIT\ttrue$")
    local output = mod:run [[
      local begin = os.clock()
      local _, message, code = leeward.load_geometry(MOD .. "/level.obj")
      print(message, code, os.clock() - begin < 5)
    ]]
    local worst = ("%bab"):rep(60) -- looks for the end of each a, to the end of the name
    assert.equal(worst, patterns[(tonumber(output:match(expected)) - 1) // 20 + 1])
  end)

  it("with such a pattern may be used for the names of a level", function()
    mod:write("scripts/areas.lua", ("return { patch = true, materials = { { pattern = %q, ignored = true } } }")
      :format(("a*"):rep(40) .. "b"))
    write_level("level.obj", { ("a"):rep(500), ("a"):rep(500) .. "b", "c" })
    assert.equal("2", mod:run "print(leeward.load_geometry(MOD .. '/level.obj'):stats().triangles)")
  end)
end)
