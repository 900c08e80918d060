--- The READMEs as their spec sees them: sections, code blocks, links; and how their examples are run.
local readme = {}

--- Every README, from the root of the repository.
readme.FILES = {
  "README.md", "runtime/README.md", "bindings/README.md", "scripts/README.md", "behaviors/README.md",
  "behaviors/nodes/README.md", "tests/README.md",
}

function readme.text(file)
  local handle = assert(io.open(file))
  local text = handle:read("a")
  handle:close()
  return text
end

--- The anchor that GitHub gives a heading.
local function anchor_of(title)
  return (title:lower():gsub("[^%w%s_-]", ""):gsub("%s", "-"))
end

--- What fence a line begins or ends: its indentation and its language.
local function fence(line) return line:match "^(%s*)```%s*(%w*)" end

--- readme.read(file) --> { file, lines, anchors = set, sections = { { title, line, blocks = { block... } } } }
--- A block is { language, line = of its first line of code, lines = {...} }. Only `#` and `##` begin a section.
function readme.read(file)
  local found = { file = file, lines = {}, anchors = {}, sections = { { title = "", line = 1, blocks = {} } } }
  local block, indent
  for line in (readme.text(file):gsub("\n$", "") .. "\n"):gmatch "(.-)\n" do
    local number = #found.lines + 1
    found.lines[number] = line
    local section = found.sections[#found.sections]
    local spaces, language = fence(line)
    if block and spaces then
      block = nil
    elseif block then
      block.lines[#block.lines + 1] = line:sub(#indent + 1)
    elseif spaces then
      indent, block = spaces, { language = language, line = number + 1, lines = {} }
      section.blocks[#section.blocks + 1] = block
    else
      local marks, title = line:match "^(#+) (.*)"
      if title then found.anchors[anchor_of(title)] = true end
      if title and #marks <= 2 then
        found.sections[#found.sections + 1] = { title = title, line = number, blocks = {} }
      end
    end
  end
  assert(not block, file .. ": a code block has no end")
  return found
end

--- The file that a Lua block is to be written to, if its first line is a comment with nothing but a file's name.
function readme.file_of(block)
  return block.language == "lua" and block.lines[1] and block.lines[1]:match "^%-%- ([%w_/]+%.lua)$"
end

--- All blocks of one language in a section as one source, every line at its number in the README; nil: there are none.
function readme.source(section, language)
  local lines, last = {}, 0
  for _, block in ipairs(section.blocks) do
    if block.language == language and not readme.file_of(block) then
      for index, line in ipairs(block.lines) do
        last = block.line + index - 1
        lines[last] = line
      end
    end
  end
  if last == 0 then return nil end
  for number = 1, last do lines[number] = lines[number] or "" end
  return table.concat(lines, "\n") .. "\n"
end

--- What a source says that it prints: what stands behind each `-->`.
function readme.promises(source)
  local promised = {}
  for line in source:gmatch "[^\n]+" do
    local text = line:match "%-%->%s*(.-)%s*$"
    if text then promised[#promised + 1] = (text:gsub("%s*%*/$", "")) end
  end
  return promised
end

local function one_blank(text) return (text:gsub("%s+", " "):gsub("^ ", ""):gsub(" $", "")) end

--- Is the line as it was promised? `...` in it stands for any text, and any white space for one blank.
local function is_as_promised(promised, line)
  local pattern = one_blank(promised):gsub("%p", "%%%0"):gsub("%%%.%%%.%%%.", ".-")
  return one_blank(line):find("^" .. pattern .. "$") ~= nil
end

--- readme.compare(promised, printed) --> nil | what differs. Both are lists of lines; a promised line that is nothing
--- but `...` stands for any number of lines.
function readme.compare(promised, printed)
  local i, j, resume_i, resume_j = 1, 1, nil, nil
  while j <= #printed or promised[i] do
    if promised[i] == "..." then
      i, resume_i, resume_j = i + 1, i + 1, j
    elseif promised[i] and printed[j] and is_as_promised(promised[i], printed[j]) then
      i, j = i + 1, j + 1
    elseif resume_i and resume_j <= #printed then
      resume_j = resume_j + 1
      i, j = resume_i, resume_j
    else
      return ("promised: %s\nprinted:  %s\n\nall that was printed:\n%s"):format(promised[i] or "nothing more",
        printed[j] or "nothing more", table.concat(printed, "\n"))
    end
  end
end

function readme.lines_of(text)
  local lines = {}
  for line in (text:gsub("\n$", "") .. "\n"):gmatch "(.-)\n" do lines[#lines + 1] = line end
  return text == "" and {} or lines
end

return readme
