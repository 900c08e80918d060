-- `leeward profile`, what `make run` shows of profiles, and `leeward run --watch`.
local mods = require "support.mods"

local mod
before_each(function() mod = mods.new() end)
after_each(function() mod:remove() end)

--- Exit status, standard output, standard error; MOD stands for the mod's folder.
local function leeward(...) return mod:program(...) end

describe("leeward profile", function()
  it("prints each value, its unit, and the file that sets it", function()
    mod:profile("soldier", "return { patch = true,\n  speed = { fast = 7.25 },\n  avoid = { 'unsafe', 'door' } }")
    local status, output, errors = leeward("profile", "medic")
    assert.equal(0, status, errors)
    assert.matches("^medic extends soldier extends human\n", output)
    assert.matches("\nspeed%.fast +7%.25 +m/s +soldier +MOD/scripts/profiles/soldier%.lua\n", output)
    assert.matches("\nspeed%.calm +1%.5 +m/s +soldier +%S*scripts/profiles/soldier%.lua\n", output)
    assert.matches("\navoid +unsafe, door +soldier +MOD/scripts/profiles/soldier%.lua\n", output)
    assert.matches("\ncan_swim +false +human +%S*scripts/profiles/human%.lua\n", output)
    assert.matches("\ncan_take%.jump +false +medic +%S*scripts/profiles/medic%.lua\n", output)
  end)

  it("prints what each area is for it", function()
    local _, output = leeward("profile", "car")
    assert.matches("\narea +price a metre without exposure +calm +normal +fast %(m/s%)\n", output)
    assert.matches("\nroad +1 +4 +8 +14\n", output)
    assert.matches("\nground +10 +4 +8 +14\n", output)
    assert.matches("\ndeep_water +never enters\n", output)
  end)

  it("lists all, and says which is wrong", function()
    mod:profile("goblin", "return { extends = 'human', raduis = 1 }")
    local status, output = leeward("profile")
    assert.equal(0, status)
    assert.matches("\ntruck +extends car > human\n", output)
    assert.matches("\nhuman\n", output)
    assert.matches("\ngoblin +is wrong: MOD/scripts/profiles/goblin.lua: unknown key 'raduis'", output)
  end)

  it("says what is wrong with a name or a file", function()
    mod:profile("goblin", "return {\n  radius = -1 }")
    local status, output, errors = leeward("profile", "goblin")
    assert.same({ 1, "" }, { status, output })
    assert.equal("leeward profile: MOD/scripts/profiles/goblin.lua: radius is -1, expected metres from 0 to 1000\n",
      errors)
    status, output, errors = leeward("profile", "sodlier")
    assert.same({ 1, "" }, { status, output })
    assert.matches("there is no profile 'sodlier'; looked for .*%. Did you mean 'soldier'%?\n$", errors)
  end)
end)

describe("leeward run --watch", function()
  -- An agent whose first leaf edits the profile, and then takes its time.
  local SCENARIO = [[
return {
  level = "courtyard", seconds = 0.2,
  setup = function(world, leeward)
    local agent = assert(world:spawn { profile = "walker", at = { 0, 0, 20 }, tree = { kind = "leaf", name = "Edit",
      start = function()
        if leeward.edited then return "success" end
        leeward.edited = true
        local handle = assert(io.open("%s/scripts/profiles/walker.lua", "w"))
        handle:write("return { extends = 'human', %s }")
        handle:close()
        os.execute("sleep 0.6")
        return "success"
      end } })
    agent:move_to { 10, 0, 20 }
    return true
  end,
}
]]

  local function run(values, ...)
    mod:profile("walker", "return { extends = 'human' }")
    mod:write("edit.lua", SCENARIO:format(mod.folder, values))
    return leeward("run", mod.folder .. "/edit.lua", "--headless", ...)
  end

  it("reloads what was edited", function()
    local status, output, errors = run("speed = { normal = 30 }", "--watch")
    assert.equal(0, status, errors)
    assert.matches("\nreloaded MOD/scripts/profiles/walker.lua\n", errors)
    assert.is_true(tonumber(output:match("walker +([%d.]+)")) > 4) -- 0.2 s at 3 m/s would be 0.6 m
  end)

  it("says what is wrong, and goes on with the old numbers", function()
    local status, output, errors = run("speed = { normal = -30 }", "--watch")
    assert.equal(0, status, errors)
    assert.matches("\nnot reloaded, the previous data stay in use: MOD/scripts/profiles/walker.lua: speed.normal is "
      .. "-30, expected metres per second > 0 and <= 1000\n", errors, 1, true)
    assert.is_true(tonumber(output:match("walker +([%d.]+)")) < 1)
  end)

  it("does nothing where it is not asked for", function()
    local _, output, errors = run("speed = { normal = 30 }")
    assert.falsy(errors:find("reloaded", 1, true))
    assert.is_true(tonumber(output:match("walker +([%d.]+)")) < 1)
  end)
end)

describe("leeward run courtyard_profiles", function()
  it("shows the path of each profile", function()
    local status, output, errors = leeward("run", "courtyard_profiles", "--headless")
    assert.equal(0, status, errors)
    local metres, over = {}, {}
    for name, length, ground in output:gmatch("\n(%l+) +([%d.]+) +[%d.]+ +[%d.]+ +(%l[^\n]+)") do
      metres[name], over[name] = tonumber(length), ground
    end
    for _, name in ipairs { "human", "civilian", "soldier", "sniper", "medic", "dog", "diver", "hovercraft" } do
      assert.is_true((metres[name] or 0) > 60, output)
    end
    assert.matches("^road ", over.truck, output)
  end)
end)
