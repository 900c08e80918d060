-- What the READMEs show is so. Each fenced block says by its language how it is checked:
--
--   lua      The blocks below one `##` heading are one script. It runs, and prints what stands behind each `-->`.
--            A block whose first line is a comment with a file's name is that file instead: later blocks may use it.
--   c        The blocks below one `##` heading are one program. It compiles without a warning, and prints the same.
--   console  Lines that begin with `$` are commands; they run, and print the lines that follow.
--   sh       Commands for the reader: their targets, commands and options exist. They are not run.
--   text     Not checked.
--
-- In what is printed, `...` stands for any text, and as a line of its own for any number of lines.
-- All examples of one README run in one folder, which has nothing in it but `build`. LEEWARD_PATH is the mod that they
-- have written there: `mods/mine`, else the folder itself.
local leeward = require "leeward"
local readme = require "support.readme"
local output_of = require "support.shell"
local stubs = require "support.stubs"
local args = require "scripts.cli.args"

local BUILD = os.getenv("BUILD") or "build"
local SANITIZE = os.getenv("SANITIZE")
local LANGUAGES = { lua = true, c = true, console = true, sh = true, text = true }

local HERE = output_of("pwd"):gsub("\n$", "")
local ABSOLUTE_BUILD = BUILD:sub(1, 1) == "/" and BUILD or HERE .. "/" .. BUILD

local folder -- of the README at hand

local function write(file, text)
  assert(os.execute(("mkdir -p '%s/%s'"):format(folder, file:match "^(.*)/" or ".")))
  local handle = assert(io.open(folder .. "/" .. file, "w"))
  handle:write(text)
  handle:close()
end

--- The mod that the examples have written. Nothing: none has.
local function mod_of_examples()
  local found = output_of(("cd '%s' && ls -d mods/mine/scripts mods/mine/behaviors scripts behaviors 2>/dev/null")
    :format(folder))
  local first = found:match "^[^\n]*"
  return first == "" and "" or folder .. "/" .. first:gsub("/?[^/]*$", "")
end

--- Runs a command line in the README's folder --> what it prints, its status, what it complains. A command that starts
--- the plain interpreter has to set LEEWARD_PATH itself.
local function run(command)
  local path = command:find("lua5.4 ", 1, true) and "" or mod_of_examples()
  local line = "cd '%s' && PATH='%s':\"$PATH\" LEEWARD_PATH='%s' env -u LUA_PATH -u LUA_CPATH sh -c '%s' 2>.errors"
  local text, status = output_of(line:format(folder, ABSOLUTE_BUILD, path, command:gsub("'", "'\\''")))
  local handle = assert(io.open(folder .. "/.errors"))
  local errors = handle:read("a")
  handle:close()
  return text, status, errors
end

local function check_output(promised, text)
  local difference = readme.compare(promised, readme.lines_of(text))
  assert(not difference, difference)
end

-- --- Commands -----------------------------------------------------------------------------------------------------

local function make_targets()
  local targets = {}
  for target in ("\n" .. readme.text "Makefile"):gmatch "\n([%a-]+):[^=]" do targets[target] = true end
  return targets
end

local TARGETS = make_targets()
local MAKEFILE = readme.text "Makefile"

--- make [TARGET | NAME=VALUE]...
local function check_make(words)
  for _, word in ipairs(words) do
    local variable = word:match "^(%u[%u_]*)="
    if variable then
      assert(MAKEFILE:find("%f[%w_]" .. variable .. "%f[^%w_]"), "the Makefile has no " .. variable)
    elseif not word:find("^%$?[%w_{}()]*/") then
      assert(TARGETS[word], "the Makefile has no target " .. word)
    end
  end
end

--- leeward COMMAND [arguments]
local function check_leeward(words)
  local command = table.remove(words, 1)
  if command == "--help" or command == "--version" then return end
  local found, module = pcall(require, "scripts.cli." .. tostring(command))
  assert(found and module.spec, "there is no command " .. tostring(command))
  local given, message = args.parse(module.spec, words)
  assert(given, message)
end

local CHECKS = { make = check_make, leeward = check_leeward }

--- The words of a command, up to where it ends; quoted ones are one word.
local function words_of(text)
  local words = {}
  local command = text:gsub("%s#.*", ""):gsub("%s%d?>.*", ""):match "^[^|;&]*"
  for word in command:gmatch "%S+" do words[#words + 1] = word end
  return words
end

--- Every `make ...` and `leeward ...` in a piece of shell script, also within quotes and $(...).
local function check_commands(script)
  local pieces = script:gsub("\\\n%s*", " "):gsub("%$%(%([^\n]-%)%)", "8"):gsub("{}", "1") -- as `parallel` puts it in
  for line in pieces:gmatch "[^\n]+" do
    for piece in (line:gsub("%$%(", "\n"):gsub("['\")]", "\n") .. "\n"):gmatch "(.-)\n" do
      local name, rest = piece:match "^%s*[%w/]-([%a]+)%s+(.*)$"
      if name and CHECKS[name] and not piece:find "^%s*#" then CHECKS[name](words_of(rest)) end
    end
  end
end

--- A block of commands and what they print --> { { command, promised = { line... } } ... }
local function read_console(block)
  local commands = {}
  for _, line in ipairs(block.lines) do
    local command = line:match "^%$ (.*)"
    if command then
      commands[#commands + 1] = { command = command, promised = {} }
    else
      local last = assert(commands[#commands], "a console block begins with a command: $ ...")
      last.promised[#last.promised + 1] = line
    end
  end
  return commands
end

-- --- Kinds of blocks ----------------------------------------------------------------------------------------------

local function check_lua(source)
  write("README.lua", source)
  local text, status, errors = run "leeward lua README.lua"
  assert(status == 0, errors)
  check_output(readme.promises(source), text)
end

local function check_c(source)
  write("README.c", source)
  local flags = SANITIZE and "-fsanitize=address,undefined -fno-sanitize-recover=all" or ""
  local compiler = ("LD_PRELOAD= gcc -std=c17 -Wall -Wextra -Wpedantic -Wshadow -Werror %s -I'%s/runtime/include' "
    .. "README.c -L'%s' -lleeward -lm -Wl,-rpath,'%s' -o README"):format(flags, HERE, ABSOLUTE_BUILD, ABSOLUTE_BUILD)
  local _, status, errors = run(compiler)
  assert(status == 0, errors)
  local text
  text, status, errors = run "LD_PRELOAD= ASAN_OPTIONS= ./README"
  assert(status == 0, errors)
  check_output(readme.promises(source), text)
end

local function check_console(block)
  for _, step in ipairs(read_console(block)) do
    check_commands(step.command)
    local text, _, errors = run(step.command)
    local difference = readme.compare(step.promised, readme.lines_of(text))
    assert(not difference, ("$ %s\n%s\n%s"):format(step.command, difference, errors))
  end
end

local function write_files(section)
  for _, block in ipairs(section.blocks) do
    local file = readme.file_of(block)
    if file then
      local source = table.concat(block.lines, "\n") .. "\n"
      assert(load(source, "@" .. file))
      write(file, source)
    end
  end
end

--- Everything in a section that runs.
local function check_section(section)
  write_files(section)
  local lua, c = readme.source(section, "lua"), readme.source(section, "c")
  if lua then check_lua(lua) end
  if c then check_c(c) end
  for _, block in ipairs(section.blocks) do
    if block.language == "console" then check_console(block) end
    if block.language == "sh" then check_commands(table.concat(block.lines, "\n")) end
  end
end

-- --- Specs --------------------------------------------------------------------------------------------------------

local function link_exists(from, target)
  local path, anchor = target:match "^([^#]*)#?(.*)$"
  local file = path == "" and from or ((from:match "^(.*/)" or "") .. path):gsub("[^/]+/%.%./", "")
  local handle = io.open(file)
  if not handle then return false end
  handle:close()
  return anchor == "" or not file:find "%.md$" or readme.read(file).anchors[anchor] == true
end

for _, file in ipairs(readme.FILES) do
  describe(file, function()
    local contents = readme.read(file)

    setup(function()
      folder = output_of("mktemp -d"):gsub("\n$", "")
      assert(os.execute(("ln -s '%s' '%s/build'"):format(ABSOLUTE_BUILD, folder)))
    end)
    teardown(function() os.execute(("rm -rf '%s'"):format(folder)) end)

    for _, section in ipairs(contents.sections) do
      if #section.blocks > 0 then
        it(("line %d, '%s': its examples do what they say"):format(section.line, section.title), function()
          for _, block in ipairs(section.blocks) do
            assert(LANGUAGES[block.language], ("line %d: no such language '%s'"):format(block.line, block.language))
          end
          check_section(section)
        end)
      end
    end

    it("links to what there is", function()
      for number, line in ipairs(contents.lines) do
        for target in line:gmatch "%]%(([^)]+)%)" do
          if not target:find "^https?:" then
            assert(link_exists(file, target), ("line %d: there is no %s"):format(number, target))
          end
        end
      end
    end)
  end)
end

describe("README.md", function()
  local contents = readme.read "README.md"

  it("is read in two minutes", function()
    assert.is_true(#contents.lines <= 150, #contents.lines .. " lines")
    for _, section in ipairs(contents.sections) do
      for _, block in ipairs(section.blocks) do
        local count = 0
        for _, line in ipairs(block.lines) do count = count + (line:find "%S" and 1 or 0) end
        assert.is_true(count <= 15, ("line %d: %d lines of code"):format(block.line, count))
      end
    end
  end)

  it("leads to every other README", function()
    local text = readme.text "README.md"
    for _, file in ipairs(readme.FILES) do
      assert.truthy(file == "README.md" or text:find("](" .. file, 1, true), file)
    end
  end)
end)

describe("behaviors/README.md", function()
  local contents = readme.read "behaviors/README.md"

  --- The block that is the file.
  local function block_of(file)
    for _, section in ipairs(contents.sections) do
      for _, block in ipairs(section.blocks) do
        if readme.file_of(block) == file then return block, section end
      end
    end
    error("no block is " .. file)
  end

  it("shows a guard in at most 40 lines, and its spec, which runs, in at most 20", function()
    local tree, tree_section = block_of "behaviors/trees/sentry.lua"
    local spec, section = block_of "spec/sentry_spec.lua"
    assert.is_true(#tree.lines <= 40, #tree.lines .. " lines")
    assert.is_true(#spec.lines <= 20, #spec.lines .. " lines")
    for _, node in ipairs { "Patrol", "TakeCover", "Peek", "sense.enemy" } do
      assert.is_truthy(table.concat(tree.lines, "\n"):find(node, 1, true), node)
    end
    assert.equal(tree_section, section)
    local command = "$ leeward test spec/sentry_spec.lua"
    local runs = false
    for _, block in ipairs(section.blocks) do
      runs = runs or block.language == "console" and block.lines[1] == command
    end
    assert.is_true(runs)
  end)
end)

describe("the chapters", function()
  local function names(file, word) return readme.text(file):find("`" .. word .. "`", 1, true) ~= nil end

  it("name every command of the program", function()
    for name in pairs(leeward.names "scripts/cli") do
      local source = readme.text(("scripts/cli/%s.lua"):format(name))
      if source:find(("name = %q"):format(name), 1, true) then
        assert(readme.text("bindings/README.md"):find("| `leeward " .. name, 1, true), name)
      end
    end
  end)

  it("name every profile, area, level, scenario, and key of a profile", function()
    for _, kind in ipairs { "profiles", "levels", "scenarios" } do
      for name in pairs(leeward.names("scripts/" .. kind)) do assert(names("scripts/README.md", name), name) end
    end
    for _, area in ipairs(leeward.areas()) do assert(names("scripts/README.md", area), area) end
    local classes = stubs.read().classes
    for _, class in ipairs { "leeward.Profile", "leeward.Costs", "leeward.NamedProfile" } do
      for _, field in ipairs(classes[class].fields) do assert(names("scripts/README.md", field.name), field.name) end
    end
  end)
end)

describe("runtime/README.md", function()
  it("draws calls through functions that there are", function()
    local count = 0
    for number, line in ipairs(readme.read("runtime/README.md").lines) do
      local path = line:match "^ *([%l_]+/[%w_/]+%.%l+) +[%w_]+%(%)"
      if path then
        local handle = io.open("runtime/" .. path) or io.open(path)
        assert(handle, ("line %d: there is no %s"):format(number, path))
        local source = handle:read("a")
        handle:close()
        for name in line:gmatch "([%w_]+)%(%)" do
          local is_defined = ("\n" .. source):find("\n%a[^\n]-%f[%w_]" .. name .. "%(")
          assert(is_defined, ("line %d: %s has no %s"):format(number, path, name))
          count = count + 1
        end
      end
    end
    assert.is_true(count > 30, count .. " functions")
  end)
end)
