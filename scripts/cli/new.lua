-- leeward new mod NAME: makes a mod folder with a profile, a node, a tree and a spec that passes.

local leeward = require "leeward"
local terminal = require "scripts.cli.terminal"
local has_host, host = pcall(require, "leeward.host")

local KINDS = { "mod" }

local spec = {
  name = "new",
  summary = "make a mod with a profile, a node, a tree and their spec",
  positional = {
    { "KIND", "what to make: mod" },
    { "NAME", "of the mod, or where to make it: its last part is the mod's name" },
  },
}

local FOLDERS = { "", "/scripts", "/scripts/profiles", "/behaviors", "/behaviors/nodes", "/behaviors/trees", "/spec" }

-- By file; NAME is the mod's name, and Name the same in capitals as nodes have them.
local FILES = {
  ["scripts/profiles/NAME.lua"] = [[
-- NAME: a soldier that takes its time. `leeward profile NAME` prints every value and where it comes from.
return {
  extends = "soldier",
  speed = { normal = 2 }, -- m/s
  cover_bias = 3,         -- a metre in sight of a threat costs three
}
]],
  ["behaviors/nodes/NAME_look.lua"] = [[
--- Stands and looks round for some time, and counts on the blackboard how often it has.
--
--     NameLook { seconds = 2, into = "looks" }

local behaviors = require "behaviors"

local NameLook = behaviors.leaf {
  name = "NameLook",

  options = {
    seconds = 2,    -- how long [s, > 0]
    into = "looks", -- the key of the blackboard to count in
  },

  ports = { into = "inout number" },

  check = function(options) return behaviors.check(options, { { "seconds", "> 0", "seconds" } }) end,

  start = function(agent, options)
    agent:stop()
    return "running", options.seconds
  end,

  tick = function(agent, options)
    agent.blackboard[options.into] = (agent.blackboard[options.into] or 0) + 1
    return "success"
  end,
}

return NameLook
]],
  ["behaviors/trees/NAME.lua"] = [[
--- NAME: walks to its post, looks round, and comes home; where it cannot, it waits.

local behaviors = require "behaviors"
local MoveTo = require "behaviors.nodes.move_to"
local NameLook = require "behaviors.nodes.NAME_look"

return behaviors.selector {
  behaviors.sequence {
    name = "round",
    MoveTo { to = "post" },
    NameLook { seconds = 2 },
    MoveTo { to = "home" },
  },
  behaviors.wait(1, 2),
}
]],
  ["spec/NAME_spec.lua"] = [[
-- `leeward test` in the mod's folder runs this.
local sim = require "leeward.testing"

describe("NAME", function()
  local world, agent

  before_each(function()
    world = sim.map [=[
      H.....#.....
      ......#.....
      ......#...P.
      ............
    ]=]
    agent = sim.spawn("H", {
      profile = "NAME", tree = "NAME", blackboard = { home = sim.place "H", post = sim.place "P" },
    })
  end)

  it("walks to its post, looks round there, and comes home", function()
    assert.reaches(agent, "P", 30)
    assert.enters(agent, "NameLook", 5)
    assert.reaches(agent, "H", 30)
    assert.equal(1, agent.blackboard.looks)
  end)

  it("runs the same again", function()
    sim.run(20)
    assert.replays_identically(world)
  end)
end)
]],
}

-- For the Lua language server: where the stubs of the API and the nodes are.
local LUARC = [[
{
  "runtime.version": "Lua 5.4",
  "workspace.library": [%s],
  "diagnostics.globals": ["describe", "it", "before_each", "after_each", "setup", "teardown", "pending"]
}
]]

local function quoted(text)
  return '"' .. text:gsub('[%c"\\]', function(letter) return ("\\u%04x"):format(letter:byte()) end) .. '"'
end

local function luarc()
  local folders = {}
  local shipped = leeward.find "scripts/cli/main.lua"
  local root = shipped and shipped:gsub("/scripts/cli/main%.lua$", "")
  for _, folder in ipairs { "bindings/meta", "meta", "behaviors" } do
    local there = root and io.open(root .. "/" .. folder, "rb")
    if there then
      there:close()
      folders[#folders + 1] = quoted(root .. "/" .. folder)
    end
  end
  return LUARC:format(table.concat(folders, ", "))
end

local function write(file, text)
  local handle, message = io.open(file, "wb")
  if not handle then return nil, ("cannot write %s"):format(message) end
  handle:write(text)
  local ok
  ok, message = handle:close()
  return ok, message
end

-- What the mod would stand in front of: a profile that extends itself, or another tree under a name in use.
local function in_use(name, files)
  local list = {}
  for file in pairs(files) do
    if leeward.find(file) then list[#list + 1] = file end
  end
  table.sort(list)
  if not list[1] then return nil end
  return ("NAME is '%s', expected a name that is not in use: there is %s"):format(name, table.concat(list, ", "))
end

local function run(given)
  if given.KIND ~= "mod" then
    local guess = leeward.suggest(given.KIND, KINDS)
    return nil, ("KIND is '%s', expected mod%s"):format(leeward.shown(given.KIND),
      guess and (". Did you mean '%s'?"):format(guess) or ""), "usage"
  end
  local folder = given.NAME:gsub("(.)[/\\]+$", "%1")
  local name = folder:match "[^/\\]*$"
  if not name:match "^%l[%l%d_]*$" then
    return nil, ("NAME is '%s', expected lower-case letters, digits and _ in its last part"):format(
      leeward.shown(given.NAME)), "usage"
  end
  local files, node_name = {}, name:gsub("_?(%l)([%l%d]*)", function(first, rest) return first:upper() .. rest end)
  for file, text in pairs(FILES) do files[file:gsub("NAME", name)] = text:gsub("NAME", name):gsub("Name", node_name) end
  local problem = in_use(name, files)
  if problem then return nil, problem, "usage" end
  files[".luarc.json"] = luarc()
  if not has_host then return nil, "folders can be made by the leeward program alone" end
  local there = io.open(folder, "rb")
  if there then
    there:close()
    return nil, ("'%s' is there already, expected a new folder"):format(leeward.shown(folder))
  end
  for _, part in ipairs(FOLDERS) do
    local reason = host.create_folder(folder .. part)
    if reason then return nil, ("cannot make '%s': %s"):format(leeward.shown(folder .. part), reason) end
  end
  local list = {}
  for file in pairs(files) do list[#list + 1] = file end
  table.sort(list)
  for _, file in ipairs(list) do
    local ok, message = write(folder .. "/" .. file, files[file])
    if not ok then return nil, message end
    terminal.print(folder .. "/" .. file)
  end
  terminal.print(("test it: leeward test %s"):format(folder))
  return true
end

return { spec = spec, run = run }
