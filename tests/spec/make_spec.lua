-- What the Makefile does with the packages that it needs, on a machine that this spec makes up.
local shell = require "support.shell"

local function output_of(command) return shell(command .. " 2>&1") end

describe("make", function()
  local folder

  --- A program of the machine, a shell script. In it, STATE is the folder for what it remembers.
  local function program(name, text)
    local path = ("%s/bin/%s"):format(folder, name)
    local handle = assert(io.open(path, "w"))
    handle:write("#!/bin/sh\n", (text:gsub("STATE", folder)), "\n")
    handle:close()
    assert(os.execute(("chmod +x '%s'"):format(path)))
  end

  --- What make prints with these programs before those of `path`, and its status.
  local function make(path, arguments)
    local command = "env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u DEPS PATH='%s/bin%s' make BUILD='%s/build' %s"
    return output_of(command:format(folder, path, folder, arguments))
  end

  before_each(function()
    folder = output_of("mktemp -d"):gsub("\n$", "")
    assert(os.execute(("mkdir '%s/bin'"):format(folder)))
  end)
  after_each(function() os.execute(("rm -rf '%s'"):format(folder)) end)

  it("says which package `make docs` lacks", function()
    for _, name in ipairs { "sh", "make", "nproc", "mkdir", "rm", "env" } do
      assert(os.execute(("ln -s $(command -v %s) '%s/bin'"):format(name, folder)))
    end
    program("lua5.4", "exit 0")
    local text, status = make("", "docs DEPS=no")
    assert.matches("leeward: make docs needs doxygen: install the Debian package doxygen, or leave DEPS=no out\n", text,
      1, true)
    assert.is_nil(text:find("not found", 1, true))
    assert.not_equal(0, status)
  end)

  it("installs for several targets at a time, one after another", function()
    program("dpkg-query", "[ -e STATE/installed ] && echo install ok installed")
    program("sudo", 'exec "$@"')
    program("apt-get", [[
      echo "$@" >>STATE/calls
      mkdir STATE/lock || { echo "E: Could not get lock"; exit 100; }
      sleep 0.2
      rmdir STATE/lock
      case "$*" in *install*) touch STATE/installed ;; esac]])
    local text, status = make(":" .. os.getenv("PATH"), "-j2 deps-test deps-lint")
    assert.equal(0, status, text)
    assert.is_nil(text:find("lock", 1, true))
    local calls = output_of(("cat '%s/calls'"):format(folder))
    assert.matches("^%-qq %-o DPkg::Lock::Timeout=300 update\n%-qq %-o DPkg::Lock::Timeout=300 install %-y .*\n", calls)
    assert.equal(2, select(2, calls:gsub("\n", "")))
  end)
end)
