-- Whiskers: what agents see ahead of them that their paths cannot know.
local leeward = require "leeward"
local maps = require "support.maps"

local DT = 1 / 60

local function walker_of(whiskers)
  return { extends = "human", avoidance = "full", acceleration = 8, deceleration = 10, whiskers = whiskers }
end

describe("whiskers", function()
  local world

  before_each(function() world = leeward.world { navmesh = maps.floor(40, 20), seed = 3 } end)
  after_each(function() world:destroy() end)

  local function spawn(whiskers)
    local agent = assert(world:spawn { profile = walker_of(whiskers), at = { 2, 0, 10 } })
    assert(agent:move_to { 38, 0, 10 })
    world:run(1)
    return agent
  end

  -- A cart that comes towards the agent, too fast to be cut out.
  local function add_cart(agent)
    local cart = { x = agent:position().x + 8 }
    cart.obstacle = world:add_obstacle { shape = "box", at = { cart.x, 0, 10 }, size = { 2, 2, 2 }, max_speed = 0.5 }
    return cart
  end

  local function push(cart)
    cart.x = cart.x - 2 * DT
    cart.obstacle:move({ cart.x, 0, 10 }, 0, { -2, 0, 0 })
    world:step(DT)
  end

  -- How near the agent comes to the cart's outline, and what it saw and said.
  local function meet(agent)
    local cart, nearest, hits, said = add_cart(agent), math.huge, {}, false
    for _ = 1, 240 do
      push(cart)
      local at = agent:position()
      local x, z = math.max(0, math.abs(at.x - cart.x) - 1), math.max(0, math.abs(at.z - 10) - 1)
      nearest = math.min(nearest, math.sqrt(x * x + z * z))
      for _, whisker in ipairs(agent:whiskers()) do hits[whisker.hit] = true end
      said = said or agent:why():find("evades an obstacle that moves", 1, true) ~= nil
    end
    return nearest, hits, said
  end

  it("leads an agent round an obstacle that moves", function()
    local nearest, hits, said = meet(spawn())
    assert.is_true(nearest > 0.35) -- its radius is 0.4
    assert.is_true(hits.obstacle)
    assert.is_true(said)
  end)

  it("is turned off by 0 rays", function()
    local agent = spawn { rays = 0 }
    assert.same({}, agent:whiskers())
    local nearest, hits, said = meet(agent)
    assert.equal(0, nearest) -- right through it
    assert.same({}, hits)
    assert.is_false(said)
  end)

  it("has as many rays as the profile says, from the right to the left", function()
    local agent = spawn { rays = 7, seconds = 2, spread = 1 }
    local rays, at = agent:whiskers(), agent:position()
    assert.equal(7, #rays)
    for number, ray in ipairs(rays) do
      local turn = (number - 4) / 3
      assert.is_true(at:distance(ray.from) < 1e-4)
      assert.is_true(math.abs(math.atan(-(ray.to.z - at.z), ray.to.x - at.x) - turn) < 1e-3)
      assert.equal("free", ray.hit)
      assert.is_true(math.abs(ray.seconds - 2) < 1e-3)
      assert.is_true(math.abs(ray.to:distance(at) - 6) < 0.02) -- at 3 m/s
    end
  end)

  it("shows walls", function()
    local agent = assert(world:spawn { profile = walker_of { spread = 1.5 }, at = { 2, 0, 19.5 } })
    assert(agent:move_to { 38, 0, 19.5 })
    world:run(1)
    local rays = agent:whiskers()
    assert.equal("wall", rays[1].hit)
    assert.is_true(math.abs(rays[1].to.z - 20) < 1e-3)
    assert.equal("free", rays[3].hit)
  end)

  it("is empty for agents that avoid nobody, stand, or are vehicles", function()
    local ghost = assert(world:spawn { profile = "human", at = { 5, 0, 5 } })
    assert(ghost:move_to { 30, 0, 5 })
    local standing = assert(world:spawn { profile = walker_of(), at = { 5, 0, 15 } })
    world:run(1)
    assert.same({}, ghost:whiskers())
    assert.same({}, standing:whiskers())
  end)

  it("is in the profile", function()
    local profile = leeward.profile("whiskers_seer", { extends = "human", whiskers = { spread = 0.25 } })
    assert.same({ rays = 3, seconds = 1.2, spread = 0.25 }, profile.whiskers)
    local units = {}
    for _, row in ipairs(leeward.profile_info("whiskers_seer").values) do units[row.key] = row.unit or "none" end
    assert.equal("none", units["whiskers.rays"])
    assert.equal("s", units["whiskers.seconds"])
    assert.equal("rad", units["whiskers.spread"])
    local combined = leeward.combined_profile { "whiskers_seer", { extends = "human", whiskers = { rays = 5 } } }
    assert.same({ rays = 5, seconds = 1.2, spread = 0.5 }, combined.whiskers)
  end)

  it("refuses what makes no sense", function()
    local function refused(message, whiskers)
      assert.error_matches(function() leeward.profile("whiskers_wrong", { whiskers = whiskers }) end, message, 1, true)
    end
    refused("whiskers.rays is 2, expected 0, 1, 3, 5 or 7", { rays = 2 })
    refused("whiskers.rays is 9, expected 0, 1, 3, 5 or 7", { rays = 9 })
    refused("whiskers.rays is 1.5, expected 0, 1, 3, 5 or 7", { rays = 1.5 })
    refused("whiskers.seconds is 6, expected seconds from 0 to 5", { seconds = 6 })
    refused("whiskers.spread is -1, expected radians from 0 to 1.5", { spread = -1 })
    refused("unknown key 'whiskers.ray'. Did you mean 'rays'?", { ray = 3 })
    refused("whiskers is 3, expected a table", 3)
  end)

  it("is drawn", function()
    local sdl = require "leeward_sdl"
    local agent = spawn()
    local function picture(layers, selected)
      local name = os.tmpname()
      assert(sdl.picture { file = name, world = world, width = 640, layers = layers, selected = selected })
      local file = assert(io.open(name, "rb"))
      local bytes = file:read "a"
      file:close()
      os.remove(name)
      return bytes
    end
    local without = picture { "areas", "agents" }
    assert.equal(without, picture { "areas", "agents" })
    assert.are_not.equal(without, picture { "areas", "agents", "whiskers" })
    local blind = assert(world:spawn { profile = "human", at = { 5, 0, 5 } })
    assert.are_not.equal(picture({ "areas", "agents" }, blind), picture({ "areas", "agents" }, agent))
  end)
end)
