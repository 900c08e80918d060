--- behaviors/nodes/README.md as its spec sees it: a section for each node, with its text, its tree, its tables.
local readme = require "support.readme"

local nodes_readme = {}

nodes_readme.FILE = "behaviors/nodes/README.md"

--- The cells of a row of a table; nil: the line is no row, or the one between head and rows.
local function cells_of(line)
  local row = line:match "^| (.*) |$"
  if not row then return nil end
  local cells = {}
  for cell in (row .. " | "):gmatch "(.-) | " do cells[#cells + 1] = cell end
  return cells
end

--- What a cell quotes: `"goal"` -> "goal"; nil: it is free text.
local function unquoted(cell) return cell:match "^`(.*)`$" end

--- The row of an option, or of a failure.
local function read_row(section, head, cells)
  if head == "name" then
    section.options[#section.options + 1] = {
      name = assert(unquoted(cells[1]), cells[1]), kind = cells[2], type = cells[3], default = cells[4],
      meaning = cells[5],
    }
  elseif cells[1]:find("(#values)", 1, true) then
    for option in cells[1]:gmatch "`([%w_]+)`" do section.values[#section.values + 1] = option end
  elseif cells[1]:find("(#walks)", 1, true) then
    section.walks = true
  elseif unquoted(cells[1]) then
    section.failures[#section.failures + 1] = unquoted(cells[1])
  else
    assert(cells[1] == "the child's reason", cells[1])
    section.fails_as_child = true
  end
end

--- nodes_readme.read() --> { [title] = section ... }, titles
--- Of a section, `text` is the prose, `tree` the source of the example, `options` and `failures` are the rows of the
--- tables; `values` are the options without a value of which it fails, `walks` is true where all failures of a walk are
--- its own, `fails_as_child` where it has a child and fails with that.
function nodes_readme.read()
  local contents = readme.read(nodes_readme.FILE)
  local sections, titles = {}, {}
  for index, found in ipairs(contents.sections) do
    local section = { title = found.title, text = "", options = {}, failures = {}, values = {}, walks = false,
      fails_as_child = false }
    local block = found.blocks[1]
    assert(#found.blocks <= 1, found.title)
    section.tree = block and table.concat(block.lines, "\n") .. "\n"
    local last = (contents.sections[index + 1] or { line = #contents.lines + 1 }).line - 1
    local head
    for number = found.line + 1, last do
      local line = contents.lines[number]
      local cells = cells_of(line)
      local is_code = block and number >= block.line - 1 and number <= block.line + #block.lines
      if cells and head then
        read_row(section, head, cells)
      elseif cells then
        head = cells[1]
      elseif line == "" then
        head = nil
      elseif not is_code and not line:find "^|%-" then
        section.text = section.text .. line .. " "
      end
    end
    sections[found.title] = section
    titles[#titles + 1] = found.title
  end
  return sections, titles
end

--- Is the message one of those of the list, in which `...` stands for any text? @return which one
function nodes_readme.find(failures, message)
  local plain = message:gsub("%. Did you mean '[^']*'%?$", "")
  for _, failure in ipairs(failures) do
    local pattern = failure:gsub("%p", "%%%0"):gsub("%%%.%%%.%%%.", ".-")
    if plain:find("^" .. pattern .. "$") then return failure end
  end
end

return nodes_readme
