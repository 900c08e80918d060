-- Does every file of the runtime include only what is of its own layer or above (tests/layers.txt)? Prints the layers.
local source = require "lint_source"
local report = require "lint_report"("layers")

local layers, rank, owner = {}, {}, {} -- names in order; by name: number; by public header: name
for line in source.read("tests/layers.txt"):gmatch("[^\n]+") do
  local name, headers = line:match("^([%w_]+):(.*)")
  if name then
    layers[#layers + 1] = { name = name, headers = headers:match("^%s*(.-)%s*$"), files = 0, lines = 0, uses = {} }
    rank[name] = #layers
    for header in headers:gmatch("%S+") do owner[header] = name end
  end
end

-- The layer of a path below runtime/, or of what an include names.
local function layer_of(path)
  local header = path:match("^include/leeward/(.+)$") or path:match("^leeward/(.+)$")
  if header then return owner[header] end
  local folder = path:match("^([^/]+)/")
  return rank[folder] and folder or nil
end

for _, path in ipairs(source.list { "runtime" }) do
  local own = layer_of(path:match("^runtime/(.+)$"))
  if source.language(path) == "c" and not own then
    report(path, 1, "has no layer in tests/layers.txt")
  elseif source.language(path) == "c" then
    local layer, number = layers[rank[own]], 0
    layer.files = layer.files + 1
    for line in source.read(path):gmatch("([^\n]*)\n") do
      number = number + 1
      local included = line:match('^%s*#%s*include%s+"([^"]+/[^"]+)"')
      local other = included and layer_of(included)
      if included and not other then
        report(path, number, ("%s has no layer in tests/layers.txt"):format(included))
      elseif other and rank[other] > rank[own] then
        report(path, number, ("%s is of layer %s, which is not above %s"):format(included, other, own))
      elseif other and other ~= own then
        layer.uses[other] = true
      end
    end
    layer.lines = layer.lines + number
  end
end

print("layers of the runtime: each uses only those above it")
for i, layer in ipairs(layers) do
  local uses = {}
  for k = 1, i - 1 do
    if layer.uses[layers[k].name] then uses[#uses + 1] = layers[k].name end
  end
  print(("  %-9s %3d files %6d lines  uses %s%s"):format(layer.name, layer.files, layer.lines,
    #uses > 0 and table.concat(uses, " ") or "nothing", layer.headers ~= "" and "; public: " .. layer.headers or ""))
end
report.finish()
