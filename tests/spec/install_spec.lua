-- What `make install` leaves works where there is nothing else: no build folder, no repository.
local shell = require "support.shell"

local BUILD = os.getenv("BUILD") or "build"
-- What a program needs to link a static library that is built with flags of its own, as `make coverage` builds it.
local LINK_FLAGS = os.getenv("LINK_FLAGS") or ""

local function output_of(command) return shell(command .. " 2>&1") end

local function exists(path)
  local handle = io.open(path, "rb")
  if handle then handle:close() end
  return handle ~= nil
end

local function write(path, text)
  local handle = assert(io.open(path, "wb"))
  handle:write(text)
  handle:close()
end

describe("the installation", function()
  local folder, prefix

  -- Runs a command in an empty folder, without what points into the repository.
  local function elsewhere(command)
    return output_of(("cd '%s/elsewhere' && env -u LEEWARD_PATH -u LUA_PATH -u LUA_CPATH -u BUILD %s"):format(folder,
      command))
  end

  setup(function()
    folder = output_of("mktemp -d"):gsub("\n$", "")
    prefix = folder .. "/prefix"
    assert(os.execute(("mkdir '%s/elsewhere'"):format(folder)))
    local text, status = output_of(("BUILD='%s' PREFIX='%s' DESTDIR= bindings/host/install"):format(BUILD, prefix))
    assert(status == 0, text)
  end)
  teardown(function() os.execute(("rm -rf '%s'"):format(folder)) end)

  it("bakes and runs the bundled level", function()
    local text, status = elsewhere(("'%s/bin/leeward' run courtyard --headless --seconds 1"):format(prefix))
    assert.equal(0, status, text)
    assert.truthy(text:find("goals reached %d+, off mesh 0, stuck 0\n$"))
  end)

  it("finds its scripts below the prefix alone", function()
    write(folder .. "/elsewhere/roots.lua", [[
      local leeward = require "leeward"
      print(table.concat(leeward.roots(), "\n"))
      print(package.searchpath("behaviors", package.path))
    ]])
    local share = prefix .. "/share/leeward"
    local text = elsewhere(("'%s/bin/leeward' lua roots.lua"):format(prefix))
    assert.equal(share .. "\n" .. share .. "/behaviors/init.lua\n", text)
  end)

  it("serves the plain interpreter", function()
    write(folder .. "/elsewhere/plain.lua", [[
      local leeward = require "leeward"
      local geometry = leeward.geometry()
      geometry:add_box { min = { 0, -1, 0 }, max = { 8, 0, 8 } }
      print(leeward.bake(geometry):stats().islands, leeward.profile("car").resistance_factor.triangular)
    ]])
    local preload = os.getenv("LD_PRELOAD") -- of the address sanitizer, which plain Lua lacks
    local text = elsewhere(("env %s LUA_CPATH='%s/lib/lua/5.4/?.so' lua5.4 plain.lua"):format(
      preload and "LD_PRELOAD='" .. preload .. "'" or "", prefix))
    assert.equal("1\t18", text:match("^%d+\t%d+"), text)
  end)

  it("is found by pkg-config", function()
    if os.getenv("SANITIZE") then pending("a sanitized library needs its own flags") return end
    write(folder .. "/elsewhere/use.c", [[
      #include <leeward/leeward.h>
      #include <stdio.h>
      int main(void) { return printf("%s\n", lw_status_text(LW_NO_PATH)) < 0; }
    ]])
    local pkg_config = ("PKG_CONFIG_PATH='%s/lib/pkgconfig' pkg-config leeward"):format(prefix)
    local text = elsewhere(("sh -c 'gcc -std=c17 use.c -o use $(%s --cflags --libs) && LD_LIBRARY_PATH=%s/lib ./use'")
      :format(pkg_config:gsub("'", ""), prefix))
    assert.equal("start and goal are not connected\n", text)
    assert.equal(require("leeward").version .. "\n", (output_of(pkg_config .. " --modversion")))
  end)

  it("reads levels in a process of its own", function()
    write(folder .. "/elsewhere/level.obj", "v 0 0 0\nv 0 0 9\nv 9 0 9\nf 1 2 3\n")
    write(folder .. "/elsewhere/load.lua", [[
      local geometry, message = require "leeward".load_geometry "level.obj"
      print(geometry and geometry:stats().triangles or message)
    ]])
    assert.equal("1\n", (elsewhere(("'%s/bin/leeward' lua load.lua"):format(prefix))))
    local helper = prefix .. "/lib/leeward/leeward_import"
    assert(os.rename(helper, helper .. ".away"))
    local text = elsewhere(("'%s/bin/leeward' lua load.lua"):format(prefix))
    assert(os.rename(helper .. ".away", helper))
    assert.equal(("leeward_import, the program that reads level files, is missing: it is neither in '%s/lib', beside "
      .. "libleeward_bake.so, nor in its folder 'leeward' (the setting `in_process` reads levels without it)\n"):format(
      prefix), text)
  end)

  it("reads levels for programs in C", function()
    if os.getenv("SANITIZE") then pending("a sanitized library needs its own flags") return end
    write(folder .. "/elsewhere/level.obj", "v 0 0 0\nv 0 0 9\nv 9 0 9\nf 1 2 3\n")
    write(folder .. "/elsewhere/load.c", [[
      #include <leeward/leeward.h>
      #include <stdio.h>
      int main(void) {
        lw_area_table *areas;
        lw_geometry *geometry;
        lw_error error = {.text = ""};
        lw_area_def ground = lw_area_def_default();
        ground.name = "ground";
        if (lw_area_table_create(NULL, &areas) || lw_area_table_set(areas, &ground, NULL, NULL)) return 1;
        if (lw_geometry_create(areas, NULL, &geometry)) return 1;
        lw_geometry_load(geometry, "level.obj", NULL, &error);
        printf("%d %s\n", lw_geometry_triangle_count(geometry), error.text);
        lw_geometry_destroy(geometry);
        lw_area_table_destroy(areas);
      }
    ]])
    local flags = ("PKG_CONFIG_PATH=%s/lib/pkgconfig pkg-config leeward --cflags --libs"):format(prefix)
    for _, kind in ipairs { "dynamic", "static" } do -- which libleeward it links
      local text = elsewhere(
        ("sh -c 'gcc -std=c17 load.c -o load -Wl,-B%s $(%s) -Wl,-Bdynamic -lm %s && LD_LIBRARY_PATH=%s/lib ./load'")
        :format(kind, flags, LINK_FLAGS, prefix))
      assert.equal("1 \n", text)
    end
  end)

  it("can be put aside for a package", function()
    local stage = folder .. "/stage"
    local text, status = output_of(("BUILD='%s' PREFIX=/usr DESTDIR='%s' bindings/host/install"):format(BUILD, stage))
    assert.equal(0, status, text)
    assert.is_true(exists(stage .. "/usr/bin/leeward"))
    local handle = assert(io.open(stage .. "/usr/lib/pkgconfig/leeward.pc"))
    assert.equal("prefix=/usr", handle:read("l")) -- where it will be, not where it was put
    handle:close()
  end)
end)
