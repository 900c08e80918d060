-- Level files that read other files or take all memory or time: each gets one message.
local leeward = require "leeward"
local shell = require "support.shell"

-- A triangle, and a glTF file of it. `nodes` is a list in JSON, `uri` names the triangle's buffer.
local TRIANGLE = string.pack("<fffffffff", 0, 0, 0, 1, 0, 1, 1, 0, 0)
local function gltf(nodes, uri)
  return ([[{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":%s,
    "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"buffers":[{"byteLength":36,"uri":"%s"}],
    "bufferViews":[{"buffer":0,"byteLength":36}],"accessors":[{"bufferView":0,"componentType":5126,"count":3,
    "type":"VEC3","min":[0,0,0],"max":[1,0,1]}]}]]):format(nodes, uri)
end
local ONE_NODE = '[{"mesh":0}]'

-- A list of `count` nodes above one with the triangle. `children` is a format.
local function nodes(count, children)
  local list = {}
  for i = 1, count do list[i] = ('{"children":[%s]}'):format((children:gsub("N", tostring(i)))) end
  list[count + 1] = '{"mesh":0}'
  return "[" .. table.concat(list, ",") .. "]"
end

describe("a hostile level", function()
  local folder

  setup(function()
    folder = shell("mktemp -d"):gsub("\n$", "")
    shell(("mkdir '%s/level' '%s/shared' && mkfifo '%s/level/fifo'"):format(folder, folder, folder))
  end)
  teardown(function() shell(("rm -rf '%s'"):format(folder)) end)

  local function write(name, text)
    local handle = assert(io.open(folder .. "/" .. name, "wb"))
    handle:write(text)
    handle:close()
    return folder .. "/" .. name
  end

  -- The message without "cannot read 'FILE': ", and the code.
  local function refused(name, text, options)
    local file = write("level/" .. name, text)
    local geometry, message, code = leeward.load_geometry(file, options)
    assert.is_nil(geometry)
    local prefix = ("cannot read '%s': "):format(file)
    assert.equal(prefix, message:sub(1, #prefix))
    return message:sub(#prefix + 1), code
  end

  it("with 20,000 nested nodes is refused", function()
    local message, code = refused("level.gltf", gltf(nodes(20000, "N"), "x"))
    assert.equal("its nodes are nested more than 1000 deep, or in a circle, at node 1000", message)
    assert.equal("BAD_FILE", code)
  end)

  it("with 24 nodes that double is refused", function()
    assert.equal("node 1 is a child of node 0 and again of node 0, expected nodes with one parent",
      (refused("level.gltf", gltf(nodes(24, "N,N"), "x"))))
  end)

  it("of 22 bytes that states 4 GB is refused", function()
    assert.equal("its header states 4294967280 bytes, expected 22, the size of the file",
      (refused("level.glb", "glTF" .. string.pack("<I4I4I4", 2, 0xfffffff0, 2) .. "JSON{}")))
    assert.equal("its chunk at byte 12 states 4294967040 bytes, expected at most 2",
      (refused("level.glb", "glTF" .. string.pack("<I4I4I4", 2, 22, 0xffffff00) .. "JSON{}")))
  end)

  it("with a face of 400,000 corners is refused", function()
    local lines, corners = {}, {}
    for i = 1, 400000 do
      lines[i] = ("v %d 0 %d\n"):format(i % 1000, i // 1000)
      corners[i] = i
    end
    assert.equal("its faces have too many corners, one of them 400000, expected faces of few corners",
      (refused("level.obj", table.concat(lines) .. "f " .. table.concat(corners, " ") .. "\n")))
  end)

  it("that names other files as its materials opens none", function()
    local file = write("level/level.obj", "mtllib ../../../../etc/passwd\nmtllib fifo\nmtllib /dev/zero\n"
      .. "v 0 0 0\nv 1 0 1\nv 1 0 0\nf 1 2 3\n")
    assert.equal(1, assert(leeward.load_geometry(file)):stats().triangles)
  end)

  it("reads nothing outside its folder", function()
    local elsewhere = "', which is not in the level's folder, nor in `allowed`"
    local function refers(uri) return (refused("level.gltf", gltf(ONE_NODE, uri))) end
    assert.equal("it refers to '../../../etc/passwd" .. elsewhere, refers("../../../etc/passwd"))
    assert.equal("it refers to '%2e%2e%2f../../etc/passwd" .. elsewhere, refers("%2e%2e%2f../../etc/passwd"))
    assert.equal("it refers to '../../../dev/zero" .. elsewhere, refers("../../../dev/zero"))
    assert.equal("it refers to 'fifo', which cannot be read: it is not an ordinary file", refers("fifo"))
  end)

  it("with a pipe for its links does not wait for it", function()
    write("level/piped.obj", "v 0 0 0\nv 0 0 9\nv 9 0 9\nf 1 2 3\n")
    shell(("mkfifo '%s/level/piped.gset'"):format(folder))
    local program = (os.getenv("BUILD") or "build") .. "/leeward"
    local text, status = shell(("timeout 60 '%s' bake '%s/level/piped.obj' '%s/piped.lwn' 2>&1"):format(program, folder,
      folder))
    assert.equal(0, status, text)
    text, status = shell(("timeout 60 '%s' bake '%s/level/fifo' '%s/piped.lwn' 2>&1"):format(program, folder, folder))
    assert.equal(1, status)
    assert.matches(("cannot read '%s/level/fifo': it is not an ordinary file"):format(folder), text, 1, true)
  end)

  it("may refer to what the caller allows", function()
    write("shared/triangle.bin", TRIANGLE)
    local file = write("level/level.gltf", gltf(ONE_NODE, "../shared/triangle.bin"))
    assert.is_nil(leeward.load_geometry(file))
    local geometry, message, code = leeward.load_geometry(file, { allowed = { folder .. "/share" } })
    assert.is_nil(geometry)
    assert.equal("INVALID", code)
    assert.equal(("import: allowed holds '%s/share', expected a file or folder that exists"):format(folder), message)
    for _, allowed in ipairs { folder .. "/shared", folder .. "/shared/triangle.bin" } do
      local options = { allowed = { folder .. "/level", allowed } }
      assert.equal(1, assert(leeward.load_geometry(file, options)):stats().triangles)
    end
  end)

  it("with fewer faces than it states is refused", function()
    assert.equal("its header states 5 faces, expected at most 1, what the rest of the file holds, each on a line of " ..
      "its own", (refused("level.off", "OFF\n3 5 0\n0 0 0\n1 0 1\n1 0 0\n3 0 1 2\n")))
  end)

  it("may refer to names with spaces, and from the root on", function()
    write("level/my triangle.bin", TRIANGLE)
    for _, uri in ipairs { "my%20triangle.bin", "my triangle.bin", folder .. "/level/my%20triangle.bin" } do
      local file = write("level/level.gltf", gltf(ONE_NODE, uri))
      assert.equal(1, assert(leeward.load_geometry(file)):stats().triangles)
    end
  end)

  it("that ends its reader ends nothing else", function()
    local message, code = refused("level.fbx", ("A: {\n"):rep(100000) .. ("}\n"):rep(100000))
    assert.equal("its reader crashed (segmentation fault, signal 11): it is damaged, nested too deeply, or needs more "
      .. "than 900 MB, the import's `memory`", message)
    assert.equal("BAD_FILE", code)
  end)

  it("is read by the program within the limits of its options, which its messages name", function()
    write("shared/triangle.bin", TRIANGLE)
    write("level/level.gltf", gltf(ONE_NODE, "../shared/triangle.bin"))
    local function bake(name, options)
      local program = (os.getenv("BUILD") or "build") .. "/leeward"
      return shell(("'%s' bake '%s/level/%s' --count-tiles %s 2>&1"):format(program, folder, name, options))
    end
    local text, status = bake("level.gltf", "")
    assert.matches("which is not in the level's folder, nor in --import-allowed\n", text, 1, true)
    assert.equal(1, status)
    assert.equal("1\n", (bake("level.gltf", ("--import-allowed '%s/level' --import-allowed '%s/shared'"):format(folder,
      folder))))
    assert.equal("leeward bake: --import-allowed holds '/no/such', expected a file or folder that exists\n",
      (bake("level.gltf", "--import-allowed /no/such")))
    write("level/deep.fbx", ("A: {\n"):rep(100000))
    assert.matches("nested too deeply, or needs more than 500 MB, --import-memory\n",
      (bake("deep.fbx", "--import-memory 500e6")), 1, true)
    text, status = bake("level.gltf", "--import-seconds 0")
    assert.matches("^leeward bake: %-%-import%-seconds is '0', expected a whole number from 1 to 86400\n", text)
    assert.equal(2, status)
    write("level/level.obj", "v 0 0 0\nv 0 0 9\nv 9 0 9\nf 1 2 3\n")
    assert.equal("1\n", (bake("level.obj", "--import-seconds 5 --import-memory=1e8 --import-in-process")))
  end)

  it("of a format that is not for levels is refused", function()
    assert.equal("its name does not end in that of a format that is read: .obj, .gltf, .glb, .fbx, .dae, .ply, .stl, "
      .. ".off or .3ds", (refused("level.blend", "BLENDER-v300")))
  end)

  it("gives the name of the setting that it exceeds", function()
    if os.getenv("SANITIZE") then pending("the address sanitizer has limits of its own") return end
    local doubled = {} -- each node holds the next one twice
    for i = 1, 24 do
      local child = ("<instance_node url='#n%d'/>"):format(i + 1)
      doubled[i] = ("<node id='n%d'>%s%s</node>"):format(i, child, child)
    end
    local message, code = refused("level.dae", ("<?xml version='1.0'?><COLLADA version='1.4.1'><library_nodes>%s"
      .. "<node id='n25'/></library_nodes><library_visual_scenes><visual_scene id='s'><node><instance_node url='#n1'/>"
      .. "</node></visual_scene></library_visual_scenes><scene><instance_visual_scene url='#s'/></scene></COLLADA>")
      :format(table.concat(doubled)), { memory = 128e6 })
    assert.equal("it needs more memory than 128 MB, the import's `memory`", message)
    assert.equal("LIMIT", code)
  end)
end)

describe("the options of leeward.load_geometry", function()
  local function message(options)
    local ok, text = pcall(leeward.load_geometry, "level.obj", options)
    assert.is_false(ok)
    return text
  end

  it("are checked", function()
    assert.equal("load_geometry: unknown key 'memry'. Did you mean 'memory'?", message { memry = 1 })
    assert.equal("load_geometry: memory is 1000, expected bytes from 6.4e+07 to 1e+12",
      message { memory = 1000 })
    assert.equal("load_geometry: seconds is 0, expected a whole number from 1 to 86400", message { seconds = 0 })
    assert.equal("load_geometry: in_process is 1, expected true or false", message { in_process = 1 })
    assert.equal("load_geometry: allowed is 'parts', expected a list", message { allowed = "parts" })
    assert.equal("load_geometry: allowed is a table with the key 'a', expected a list; write { x } for one element x",
      message { allowed = { a = "parts" } })
    assert.equal("load_geometry: allowed[2] is 3, expected the name of a file or folder",
      message { allowed = { "parts", 3 } })
    local many = {}
    for i = 1, 257 do many[i] = "parts" end
    assert.equal("load_geometry: allowed has 257 elements, expected at most 256", message { allowed = many })
  end)

  it("read a level in this process, too", function()
    local file = os.tmpname()
    local handle = assert(io.open(file .. ".obj", "w"))
    handle:write("v 0 0 0\nv 1 0 1\nv 1 0 0\nf 1 2 3\n")
    handle:close()
    local geometry, text = leeward.load_geometry(file .. ".obj", { in_process = true, memory = 1e8, seconds = 5 })
    os.remove(file)
    os.remove(file .. ".obj")
    assert.equal(1, assert(geometry, text):stats().triangles)
  end)
end)
