-- Writes the pages of the manual that Doxygen cannot make by itself: `lua5.4 bindings/docs/manual.lua PAGES`.
-- The stubs become the pages of the Lua API; the READMEs, pages whose links lead within the manual; and an index.
package.path = "bindings/docs/?.lua;" .. package.path
local stubs = require "stubs"

local PAGES = assert(arg[1], "usage: manual.lua PAGES")
local CHAPTERS = { "README.md", "bindings/README.md", "scripts/README.md", "behaviors/README.md",
  "behaviors/nodes/README.md", "runtime/README.md", "tests/README.md" }

local function read(file)
  local handle = assert(io.open(file))
  local text = handle:read("a")
  handle:close()
  return text
end

local function write(name, lines)
  local handle = assert(io.open(PAGES .. "/" .. name, "w"))
  handle:write(table.concat(lines, "\n"), "\n")
  handle:close()
end

-- --- READMEs ------------------------------------------------------------------------------------------------------

local function page_of(file) return (file:match "^(.*)/" or "overview"):gsub("/", "_") .. "_chapter" end

--- A heading's label in the whole manual. GitHub gives the same name within one file.
local function label_of(file, title)
  return page_of(file) .. "_" .. title:lower():gsub("[^%w%s_-]", ""):gsub("[%s-]", "_")
end

--- Where a link leads in the manual: to a page, a heading, or nowhere (a source file).
local function target_of(from, link)
  local path, anchor = link:match "^([^#]*)#?(.*)$"
  local file = path == "" and from or (from:match "^(.*/)" or "") .. path
  while file:find "[^/]+/%.%./" do file = file:gsub("[^/]+/%.%./", "", 1) end
  if not file:find "README%.md$" then return nil end
  return anchor == "" and page_of(file) or page_of(file) .. "_" .. anchor:gsub("-", "_")
end

local function convert_links(file, text)
  text = text:gsub("!%[([^%]]*)%]%([^)]-([^/)]+)%)", function(caption, image)
    return ("@image html %s \"%s\" width=100%%"):format(image, caption:gsub("%s+", " "))
  end)
  -- The words of a link have no brackets, so that one in code does not begin a link that ends in a later line.
  return (text:gsub("%[([^%[%]]*)%]%(([^)]*)%)", function(words, link)
    if link:find "^https?:" then return nil end
    local target = target_of(file, link)
    if not target then return words end
    -- On one line: from a list's item whose link text spans two, Doxygen shows the rest of the page as code.
    return ("[%s](@ref %s)"):format(words:gsub("`", ""):gsub("%s+", " "), target)
  end))
end

--- The parts of a page outside of code blocks are converted; headings get labels.
local function convert_readme(file)
  local page, plain, in_code, first = {}, {}, false, true
  local function flush()
    page[#page + 1] = convert_links(file, table.concat(plain, "\n"))
    plain = {}
  end
  for line in (read(file):gsub("\n$", "") .. "\n"):gmatch "(.-)\n" do
    local marks, title = line:match "^(#+) (.*)"
    if line:find "^%s*```" then
      flush()
      in_code = not in_code
      page[#page + 1] = line
    elseif in_code then
      page[#page + 1] = line
    elseif title then
      if file == "README.md" and first then title = "Overview" end
      plain[#plain + 1] = ("%s %s {#%s}"):format(marks, title, first and page_of(file) or label_of(file, title))
      if first then plain[#plain + 1] = "\n[TOC]\n" end
      first = false
    else
      plain[#plain + 1] = line
    end
  end
  flush()
  write(page_of(file) .. ".md", page)
end

-- --- Lua API ------------------------------------------------------------------------------------------------------

local known = {} -- labels by name of class or alias

local function lua_label(name) return "lua_" .. name:gsub("[^%w]", "_") end

--- "FireLane" --> "fire_lane": as a variable that holds one.
local function variable_of(class) return (class:gsub("(%l)(%u)", "%1_%2"):lower()) end

local function name_of(entry)
  if entry.holder == "sdl" then return "leeward_sdl." .. entry.name end
  if not entry.is_method then return entry.holder .. "." .. entry.name end
  return variable_of(entry.holder) .. ":" .. entry.name
end

--- A type in words, its classes linked: `leeward.Point[]`, string or nil
local function show_type(type_name)
  local parts = stubs.split(type_name)
  for index, part in ipairs(parts) do
    local bare, rest = part:match "^([%w_.]+)(.*)$"
    if bare and known[bare] then
      parts[index] = ("[%s](@ref %s)%s"):format(bare:gsub("^leeward%.", ""), known[bare],
        rest:gsub("%[%]", " list"):gsub("%?", " or nil"))
    else
      parts[index] = ("`%s`%s"):format(part:gsub("|", " or "):gsub("%?$", ""), part:find "%?$" and " or nil" or "")
    end
  end
  return table.concat(parts, " or ")
end

--- In a table's cell, and in running text: what Doxygen would take for its own is escaped.
local function escape(text) return (text:gsub("([@\\<>])", "\\%1"):gsub("|", "\\|")) end

local function sentence(lines) return escape(table.concat(lines, " "):gsub("%s+", " "):gsub("^ ", "")) end

--- A description as paragraphs and lists; lines that are indented stay code.
local function description(lines)
  local shown = {}
  for index, line in ipairs(lines) do shown[index] = line:find "^    " and line or escape(line) end
  return table.concat(shown, "\n")
end

local function show_class(entry)
  local out = { ("## %s {#%s}\n"):format(entry.name, known[entry.name]), description(entry.text) }
  if entry.parent then
    out[#out + 1] = ("\nHas all that %s has.\n"):format(show_type(entry.parent))
  end
  if #entry.fields > 0 then
    out[#out + 1] = "\n| field | type | meaning |\n|---|---|---|"
    for _, field in ipairs(entry.fields) do
      out[#out + 1] = ("| `%s`%s | %s | %s |"):format(field.name, field.optional and "" or " (required)",
        show_type(field.type), sentence(field.text))
    end
  end
  return table.concat(out, "\n") .. "\n"
end

local function show_alias(entry)
  local out = { ("## %s {#%s}\n"):format(entry.name, known[entry.name]), description(entry.text) }
  if entry.type then out[#out + 1] = "\n" .. show_type(entry.type) .. "\n" end
  for _, case in ipairs(entry.cases) do
    out[#out + 1] = ("- `%s`%s"):format(case.value, case.text ~= "" and ": " .. escape(case.text) or "")
  end
  return table.concat(out, "\n") .. "\n"
end

--- Parameters and what is returned, as a list; the usual `message` and `code` of an answer that is "no" go in a word.
local function show_values(title, values)
  local out = {}
  for _, value in ipairs(values) do
    local name = value.name and ("`%s`%s, "):format(value.name, value.optional and " (optional)" or "") or ""
    local text = sentence(value.text)
    out[#out + 1] = ("- %s%s%s"):format(name, show_type(value.type), text ~= "" and ": " .. text or "")
  end
  return #out > 0 and ("\n%s\n\n%s\n"):format(title, table.concat(out, "\n")) or ""
end

local function show_function(entry)
  local name = name_of(entry)
  return table.concat({ ("## %s(%s) {#%s}\n"):format(name, entry.arguments, lua_label(name)),
    description(entry.text), show_values("Takes", entry.params), show_values("Returns", entry.returns) }, "\n")
end

local SHOW = { class = show_class, alias = show_alias, ["function"] = show_function }

--- A class that is only named again, to add methods to it, says nothing.
local function is_worth_showing(entry)
  return entry.kind ~= "class" or #entry.fields > 0 or #entry.text > 0
end

--- The first sentence of what a function does, or else what it returns.
local function summary_of(entry)
  local first = entry.returns[1]
  local text = sentence(#entry.text > 0 and entry.text or first and first.text or {})
  return text:match "^(.-%.)%s" or text
end

--- Pages in order: { name, entries }.
local function read_api()
  local pages, names = {}, {}
  local list = assert(io.popen "ls bindings/meta/*.lua")
  for file in list:lines() do names[#names + 1] = file:match "([%w_]+)%.lua$" end
  list:close()
  for _, name in ipairs(names) do
    local entries = stubs.read(("bindings/meta/%s.lua"):format(name))
    if name == "behaviors" then
      for _, file in ipairs { "init", "leaf", "options" } do
        for _, entry in ipairs(stubs.read(("behaviors/%s.lua"):format(file))) do
          if entry.holder == "behaviors" then entries[#entries + 1] = entry end
        end
      end
    end
    local page = { name = name, entries = {} }
    for _, entry in ipairs(entries) do
      if is_worth_showing(entry) then
        page.entries[#page.entries + 1] = entry
        if entry.kind ~= "function" then known[entry.name] = known[entry.name] or lua_label("type_" .. entry.name) end
      end
    end
    pages[#pages + 1] = page
  end
  return pages
end

local function write_page(page)
  local out = { ("# %s {#lua_page_%s}\n\n[TOC]\n"):format(page.name, page.name) }
  for _, kind in ipairs { "function", "class", "alias" } do
    for _, entry in ipairs(page.entries) do
      if entry.kind == kind then out[#out + 1] = SHOW[kind](entry) end
    end
  end
  write("lua_" .. page.name .. ".md", out)
end

--- Every function by what it is called on, each with its first sentence.
local function write_overview(pages)
  local groups, order = {}, {}
  for _, page in ipairs(pages) do
    for _, entry in ipairs(page.entries) do
      if entry.kind == "function" then
        local name = name_of(entry)
        local group = name:match "^[%w_]+"
        if not groups[group] then
          groups[group] = {}
          order[#order + 1] = group
        end
        table.insert(groups[group], { name = name, entry = entry })
      end
    end
  end
  table.sort(order, function(a, b)
    if (a == "leeward") ~= (b == "leeward") then return a == "leeward" end
    return a < b
  end)
  local out = { "# Lua API {#lua_api}\n", "Each page is one concept, as each C header is:\n" }
  for index, page in ipairs(pages) do
    out[#out + 1] = ("@subpage lua_page_%s%s"):format(page.name, index < #pages and "," or "")
  end
  out[#out + 1] = "\nEvery function, by what it is called on:"
  for _, group in ipairs(order) do
    out[#out + 1] = ("\n| %s | |\n|---|---|"):format(group)
    for _, item in ipairs(groups[group]) do
      out[#out + 1] = ("| [%s](@ref %s) | %s |"):format(item.name, lua_label(item.name), summary_of(item.entry))
    end
  end
  write("lua_api.md", out)
end

--- The index: the chapters with what the first README says of them, and both references.
local function write_index()
  local readme = read "README.md"
  local out = { "# leeward {#mainpage}\n", readme:match "%*%*(.-)%*%*", "", "| chapter | |", "|---|---|" }
  for _, file in ipairs(CHAPTERS) do
    local words = readme:match("\n| %[" .. file:gsub("%p", "%%%0") .. "%]%b() | ([^\n]*) |")
    words = words or "what it is, a first example, figures, limits"
    out[#out + 1] = ("| @subpage %s | %s |"):format(page_of(file), words)
  end
  out[#out + 1] = [[
| @subpage lua_api | every function and field, from the stubs in `bindings/meta` |
| [C API](files.html) | one header a concept; [structures](annotated.html), [all names](globals.html) |]]
  write("index.md", out)
end

for _, file in ipairs(CHAPTERS) do convert_readme(file) end
local pages = read_api()
for _, page in ipairs(pages) do write_page(page) end
write_overview(pages)
write_index()
