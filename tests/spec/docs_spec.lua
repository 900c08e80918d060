-- The pages of the manual that `make docs` hands to Doxygen: everything is in them, and no link leads nowhere.

describe("bindings/docs", function()
  local folder, text

  setup(function()
    local handle = assert(io.popen "mktemp -d")
    folder = handle:read("l")
    handle:close()
    assert(os.execute(("lua5.4 bindings/docs/manual.lua '%s'"):format(folder)))
    handle = assert(io.popen(("cat '%s'/*.md"):format(folder)))
    text = handle:read("a")
    handle:close()
  end)
  teardown(function() os.execute(("rm -rf '%s'"):format(folder)) end)

  it("links to labels that there are, each given once", function()
    local labels = {}
    for label in text:gmatch "{#([%w_]+)}" do
      assert.is_nil(labels[label], label)
      labels[label] = true
    end
    for kind, label in text:gmatch "@(%a+) ([%w_]+)" do
      if kind == "ref" or kind == "subpage" then assert.is_true(labels[label], label) end
    end
  end)

  it("has a page for every stub and every README", function()
    for _, page in ipairs { "overview", "bindings", "scripts", "behaviors", "behaviors_nodes", "runtime", "tests" } do
      assert.truthy(text:find(("@subpage %s_chapter"):format(page), 1, true), page)
    end
    local list = assert(io.popen "ls bindings/meta")
    for name in list:lines() do
      assert.truthy(text:find("@subpage lua_page_" .. name:match "^[^.]+", 1, true), name)
    end
    list:close()
  end)

  it("has no link whose text spans lines, which Doxygen does not follow in lists", function()
    assert.is_nil(text:find "%[[^%[%]\n]*\n[^%[%]]*%]%(@ref")
  end)

  it("leaves a bracket in code alone", function()
    assert.truthy(text:find("keys with `\\n`, `\\27[31m`, bytes that are not UTF-8", 1, true))
  end)

  it("is read by Doxygen: no command is left as text, and the functions of ids are there", function()
    if not os.execute "command -v doxygen >/dev/null" then pending "doxygen is not installed" return end
    local command = "mkdir '%s/html' && PAGES='%s' OUTPUT='%s/html' doxygen bindings/docs/Doxyfile 2>&1"
    local handle = assert(io.popen(command:format(folder, folder, folder)))
    local warnings = handle:read("a")
    assert(handle:close())
    assert.equal("", warnings)
    handle = assert(io.popen(("cd '%s/html' && grep -nE '@(ref|section|subpage)' *.html"):format(folder)))
    local found = handle:read("a")
    handle:close()
    assert.equal("", found)
    for _, kind in ipairs { "agent", "threat", "danger", "fire_lane", "obstacle", "link", "group" } do
      for _, name in ipairs { "none", "is_none", "equal" } do
        assert.equal(0, select(3, os.execute(("grep -q 'lw_%s_id_%s</a>' '%s/html/id_8h.html'"):format(kind, name,
          folder))), kind .. " " .. name)
      end
    end
  end)

  it("describes functions and fields", function()
    assert.truthy(text:find("## world:find_path(query) {#lua_world_find_path}", 1, true))
    assert.truthy(text:find("## behaviors.leaf(definition) {#lua_behaviors_leaf}", 1, true))
    assert.truthy(text:find("| `allow_partial` | `boolean` | Accept the reachable point nearest the goal.", 1, true))
  end)
end)
