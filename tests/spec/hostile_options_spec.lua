-- Numbers that no option takes, and names that do something to a terminal, as arguments of every command.
local mods = require "support.mods"

local COMMANDS = { "run", "bake", "merge", "import", "path", "exposure", "profile", "view", "test", "new" }
local NUMBERS = { "nan", "inf", "-inf", "-1", "0", "1e39", "1e300", "", "abc", "12abc", "0x", "1,2", "99999" }
local NAMES = { "a\n\27[31mred\a\r", "\255\254\192\175", "\194\155m", ("long"):rep(2500) }

-- What else a command needs.
local NEEDED = {
  run = { "courtyard", "--headless" }, bake = { "courtyard", "MOD/x.lwn", "--count-tiles" },
  path = { "courtyard", "0,0,0", "1,0,0" }, exposure = { "courtyard" }, import = { "x", "y" }, view = { "courtyard" },
}

-- Which of the numbers are right: then the option does what it says, which is not tested here.
local RIGHT = {
  ["--seconds"] = { ["99999"] = true }, ["--seed"] = { ["0"] = true, ["99999"] = true },
  ["--threads"] = { ["0"] = true }, ["--length"] = {}, ["--depths"] = { ["1,2"] = true },
  ["--heights"] = { ["1,2"] = true }, ["--climbs"] = { ["1,2"] = true },
}

local mod
setup(function() mod = mods.new() end)
teardown(function() mod:remove() end)

--- That all output is lines without control characters.
local function is_clean(text, what)
  for line in text:gmatch "[^\n]+" do
    local rest = line:gsub("^\t+", "")
    assert.is_truthy(utf8.len(rest), ("%s: %q"):format(what, line))
    assert.is_nil(rest:find "[\0-\31\127]" or rest:find "\194[\128-\159]", ("%s: %q"):format(what, line))
  end
end

--- The options of a command that take a number or a point, and those that take a name.
local function options_of(command)
  local numbers, names = {}, {}
  local loaded, spec = pcall(function() return require("scripts.cli." .. command).spec end)
  assert(loaded, spec)
  for _, option in ipairs(spec.options or {}) do
    if option.type then numbers[#numbers + 1] = option[1] elseif option[2] then names[#names + 1] = option[1] end
  end
  return numbers, names, spec
end

local function run(command, ...)
  local words = { command, table.unpack(NEEDED[command] or {}) }
  for _, word in ipairs { ... } do words[#words + 1] = word end
  return mod:program(table.unpack(words))
end

for _, command in ipairs(COMMANDS) do
  local numbers, names, spec = options_of(command)
  for _, option in ipairs(numbers) do
    describe(("leeward %s %s"):format(command, option), function()
      for _, number in ipairs(NUMBERS) do
        local is_checked_late = command == "bake" and option ~= "--bounds" and option ~= "--tiles"
        local is_right = RIGHT[option] and RIGHT[option][number]
          or is_checked_late and (number == "0" or number == "99999") and option ~= "--threads"
        if not is_right then
          it(("refuses '%s' in a line"):format(number), function()
            local status, output, errors = run(command, option, number)
            assert.equal("", output)
            assert.equal(("leeward %s: %s is '%s', expected "):format(command, option, number),
              errors:match "^[^\n]*, expected ")
            assert.matches("^[^\n]*\nusage: [^\n]*\n$", errors)
            assert.equal(2, status)
          end)
        end
      end
    end)
  end

  for index, name in ipairs(NAMES) do
    it(("leeward %s shows a hostile name as one line (%d)"):format(command, index), function()
      local words = {}
      for _, place in ipairs(spec.positional or {}) do
        words[#words + 1] = place.type == "point" and "0,0,0" or name
      end
      local status, output, errors = mod:program(command, table.unpack(words))
      assert.is_true(status ~= 0)
      assert.is_true(errors:find("leeward " .. command, 1, true) ~= nil)
      is_clean(output .. errors, command)
      assert.is_nil(errors:find "traceback")
      for _, option in ipairs(names) do
        -- A picture would be written.
        _, output, errors = run(command, option, option == "--picture" and "/nowhere/" .. name or name)
        is_clean(output .. errors, command .. " " .. option)
        assert.is_nil(errors:find "traceback")
      end
      status, output, errors = run(command, "--" .. name)
      is_clean(output .. errors, command .. " --name")
      assert.equal(2, status)
    end)
  end
end

describe("a point that no option takes", function()
  for _, point in ipairs { "1e39,0,0", "0,nan,0", "0,0,inf", "1e300,0,0", "0,0", "", "a,b,c", "1,2,3x",
    "1000001,0,0" } do
    it(("is told in a line: '%s'"):format(point), function()
      for _, words in ipairs { { point, "0,0,0" }, { "0,0,0", point } } do
        local status, output, errors = mod:program("path", "courtyard", table.unpack(words))
        assert.equal("", output)
        assert.matches(("^leeward path: %%u+ is '%s', expected a point x,y,z within %%+%%-1000000 metres\nusage: ")
          :format((point:gsub("%p", "%%%0"))), errors)
        assert.equal(2, status)
      end
    end)
  end
end)

describe("hostile names of files in a mod", function()
  it("are shown as one line by `leeward profile`", function()
    for index, name in ipairs(NAMES) do
      name = name:sub(1, 60):gsub("/", "")
      if index ~= 2 then mod:profile(name, "return { extends = 'human' }") end
      mod:profile("broken" .. index, ("return { extends = %q, [%q] = 1 }"):format(name, name))
    end
    local status, output, errors = mod:program "profile"
    assert.equal(0, status)
    is_clean(output .. errors, "profile")
    assert.matches("broken1.lua: unknown key 'a\\n\\x1B[31mred\\x07\\r'. ", output, 1, true)
    for _, name in ipairs(NAMES) do
      name = name:sub(1, 60)
      _, output, errors = mod:program("profile", name)
      is_clean(output .. errors, "profile NAME")
    end
  end)
end)

describe("an error of a script", function()
  it("is passed on without control characters", function()
    for _, text in ipairs { [[error "a\27[31mred\a"]], [[setmetatable({}, {}).x["a\27[31m"].y = 1]], "x = '\27[31m" } do
      mod:write("level.lua", text)
      local status, output, errors = mod:program("bake", "MOD/level.lua", "MOD/x.lwn")
      assert.equal(1, status)
      is_clean(output .. errors, text)
      mod:write("scenario.lua", ("return { level = 'courtyard', setup = function() %s end }"):format(text))
      status, output, errors = mod:program("run", "MOD/scenario.lua", "--headless")
      assert.equal(1, status)
      is_clean(output .. errors, text)
      mod:write("step.lua", ("return { level = 'courtyard', setup = function() end, step = function() %s end }")
        :format(text))
      status, output, errors = mod:program("run", "MOD/step.lua", "--headless", "--seconds", "1")
      assert.equal(1, status)
      is_clean(output .. errors, text)
    end
  end)
end)
