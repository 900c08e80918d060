-- Calls of everything that the stubs document, with what they document, and with everything else: whatever a script
-- passes, it gets an answer or an error that says what is wrong, and the game goes on.
local leeward = require "leeward"
local maps = require "support.maps"
local stubs = require "support.stubs"

local CALLS = tonumber(os.getenv "MONKEY_CALLS") or 20000
local SEED = tonumber(os.getenv "MONKEY_SEED") or 1

-- Not called: they take as long, or write where, the arguments say.
local SKIP = { ["World:run"] = true, ["World:save"] = true, ["Navmesh:save"] = true,
  ["World:destroy"] = true, ["leeward.area"] = true }

-- Called less often than the others: they take long.
local SELDOM = { ["leeward.bake"] = true, ["leeward.rebuild"] = true }

local NASTY = {
  function() return nil end, function() return 0 / 0 end, function() return math.huge end,
  function() return -math.huge end, function() return -1 end, function() return 1e300 end,
  function() return math.mininteger end, function() return 2 ^ 53 end, function() return "" end,
  function() return "profle" end, function() return ("x"):rep(70000) end, function() return "a\0b" end,
  function() return {} end, function() return { {} } end, function() return { 1, 2, 0 / 0 } end,
  function() return print end, function() return true end, function() return io.stdout end,
  function() return coroutine.create(print) end,
  function() local t = {} t.t, t[1] = t, t return t end,
  function()
    return setmetatable({}, { __index = function() error "no" end, __len = function() return 1 << 40 end })
  end,
}

local WORDS = { "soldier", "truck", "ground", "road", "deep_water", "stand", "calm", "wander", "jump", "x" }

local found = stubs.read()

local Monkey = {}
Monkey.__index = Monkey

local function pick(list) return list[math.random(#list)] end

function Monkey:table_of(class)
  local values = {}
  while class do
    for _, field in ipairs(class.fields) do
      if math.random() < (field.optional and 0.2 or 0.97) then values[field.name] = self:value(field.type) end
    end
    class = found.classes[class.parent]
  end
  return values
end

function Monkey:list_of(type)
  local values = {}
  for i = 1, math.random(0, 4) do values[i] = self:value(type) end
  return values
end

--- "{x: number, y: number}"
function Monkey:record(type)
  local values = {}
  for name, of in type:sub(2, -2):gmatch "([%w_]+)%??: ([%w_.%[%]]+)" do values[name] = self:value(of) end
  return values
end

local PLAIN = {
  number = function() return pick { 0, 1, 0.5, 2, 3.25, 10, 45, math.random() * 20 } end,
  integer = function() return math.random(0, 4) end,
  boolean = function() return math.random(2) == 1 end,
  string = function() return pick(WORDS) end,
  table = function() return {} end,
  ["true"] = function() return true end,
  ["false"] = function() return false end,
  ["leeward.Box"] = function(self) -- the stub cannot say which keys exclude which
    return { at = self:value "leeward.Point", size = self:value "leeward.Point", yaw = self:value "number",
      area = self:value "string|false", cover = self:value '"hard"|"soft"|"none"' }
  end,
  ["leeward.Point"] = function() return { math.random() * 24 - 1, pick { 0, 0, 0.5, 3 }, math.random() * 12 - 1 } end,
}

--- A value of a type that a stub names.
function Monkey:value(type)
  if math.random() < 0.03 then return pick(NASTY)() end
  type = pick(stubs.split(type))
  local word = type:match '^"(.*)"$'
  if word then return word end
  if PLAIN[type] then return PLAIN[type](self) end
  if self.objects[type] then return pick(self.objects[type]) end
  if type:match "%[%]$" then return self:list_of(type:sub(1, -3)) end
  if found.aliases[type] then return self:value(found.aliases[type]) end
  if found.classes[type] then return self:table_of(found.classes[type]) end
  if type:match "^fun" then return function() end end
  if type:match "^{" then return self:record(type) end
  local of = type:match "^table<string, (.*)>$"
  return { [pick(WORDS)] = of and self:value(of) }
end

function Monkey.new()
  local navmesh = maps.two_rooms()
  local world = leeward.world { navmesh = navmesh, seed = SEED, log = function() end }
  local states = { default = "x" }
  for i, word in ipairs(WORDS) do states[word] = { cut = { { box = { at = { i, 0, 2 }, size = { 1, 1, 1 } } } } } end
  for _, word in ipairs(WORDS) do world:permutation(word, states) end
  local self = setmetatable({ world = world, navmesh = navmesh }, Monkey)
  self.objects = {
    ["leeward.World"] = { world },
    ["leeward.Navmesh"] = { navmesh, maps.floor(20, 10) },
    ["leeward.Geometry"] = { leeward.geometry() },
    ["leeward.Path"] = { assert(world:find_path { from = { 1, 0, 1 }, to = { 20, 0, 9 } }) },
    ["leeward.Tree"] = { leeward.tree "wander" },
    ["leeward.Agent"] = { world:spawn { profile = "soldier", at = { 1, 0, 1 } } },
    ["leeward.Danger"] = { world:add_danger { at = { 5, 0, 5 } } },
    ["leeward.Threat"] = { world:add_threat { at = { 1, 0, 1 } } },
    ["leeward.Obstacle"] = { world:add_obstacle { at = { 5, 0, 8 } } },
    ["leeward.Link"] = { world:add_link { kind = "ladder", name = "door", from = { 2, 0, 2 }, to = { 5, 0, 2 } } },
    ["leeward.Group"] = { world:group { agents = { world:spawn { profile = "soldier", at = { 3, 0, 3 } } } } },
    ["leeward.FireLane"] = { world:add_fire_lane { from = { 1, 1, 1 }, to = { 9, 1, 1 } } },
    ["leeward.vec3"] = { leeward.vec3(1, 0, 1), leeward.vec3(20, 0, 9) },
    ["leeward.Profile"] = { leeward.profile "soldier" },
  }
  return self
end

--- Keep what came back, so that it is asked in its turn.
function Monkey:keep(result)
  local kind = type(result) == "userdata" and getmetatable(result)
  for name, list in pairs(self.objects) do
    if kind == name:lower() then list[1 + math.random(6)] = result end
  end
end

local function compact(list)
  local kept = {}
  for i = 1, 7 do kept[#kept + 1] = list[i] end
  return kept
end

--- @return ok, result or error
function Monkey:call(of)
  local arguments, count = {}, #of.params
  for i, param in ipairs(of.params) do
    if not (param.optional and math.random() < 0.3) then arguments[i] = self:value(param.type) end
  end
  if math.random() < 0.02 then
    count = count + 1
    arguments[count] = pick(NASTY)()
  end
  if not of.is_method then return pcall(leeward[of.name], table.unpack(arguments, 1, count)) end
  local object = pick(self.objects["leeward." .. of.holder])
  return pcall(object[of.name], object, table.unpack(arguments, 1, count))
end

local function name_of(of) return of.holder .. (of.is_method and ":" or ".") .. of.name end

describe("a script that passes anything to anything", function()
  it("gets answers, or errors that say what is wrong", function()
    local monkey, calls, raised, answered = Monkey.new(), {}, 0, {}
    math.randomseed(SEED)
    for _, of in ipairs(found.functions) do
      local known = not of.is_method or monkey.objects["leeward." .. of.holder]
      if known and not SKIP[name_of(of)] then calls[#calls + 1] = of end
    end
    for _ = 1, CALLS do
      local of = pick(calls)
      if SELDOM[name_of(of)] and math.random() < 0.9 then of = pick(calls) end
      local ok, result = monkey:call(of)
      if ok then
        answered[name_of(of)] = true
        monkey:keep(result)
      else
        raised = raised + 1
        assert.equal("string", type(result), name_of(of))
        for _, slip in ipairs { "attempt to", "stack overflow", "not enough memory" } do
          assert.is_nil(result:find(slip, 1, true), ("%s: %s"):format(name_of(of), result))
        end
      end
      for kind, list in pairs(monkey.objects) do monkey.objects[kind] = compact(list) end
      if #monkey.objects["leeward.World"][1]:agents() > 200 then monkey = Monkey.new() end
    end
    local silent = {}
    for _, of in ipairs(calls) do if not answered[name_of(of)] then silent[#silent + 1] = name_of(of) end end
    print(("note: %d calls of %d functions, seed %d: %d were misuse; never answered: %s"):format(CALLS, #calls, SEED,
      raised, #silent > 0 and table.concat(silent, " ") or "none"))
    assert.is_true(raised < CALLS * 0.8 and raised > CALLS * 0.05)
  end)
end)
