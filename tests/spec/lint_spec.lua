-- What `make lint` reads sources with: it must miss no long function, and see none in a comment.
package.path = "tests/support/?.lua;" .. package.path
local c = require "lint_c"
local source = require "lint_source"

local function one(text)
  local list = c.declarations(text)
  assert.equal(1, #list)
  return list[1]
end

describe("the lint's reader of C", function()
  it("counts a function's lines and parameters", function()
    local found = one("/* f(a, b) { */\nstatic bool find(const char *name,\n  void (*each)(int), int a[2][3]) {\n" ..
      "  g(1, 2);\n}\n")
    assert.same({ "function", "find", 2, 4, 3 }, { found.kind, found.name, found.line, found.lines, found.count })
  end)

  it("counts `void` and `...` as no parameters", function()
    assert.equal(0, one("int f(void);").count)
    assert.equal(1, one("int f(const char *format, ...);").count)
  end)

  it("knows the result of a prototype", function()
    assert.equal("LW_API const lw_vec3 *", one("LW_API const lw_vec3 *lw_f(int a);").result)
    assert.equal("prototype", one("LW_API lw_status lw_f(int a);").kind)
  end)

  it("counts members, and those of anonymous unions", function()
    assert.equal(4, one("typedef struct s {\n  int a, b[3]; // c, d;\n  union { float x; int y; };\n} s;").count)
    assert.equal(2, one("struct s { struct { int x, y; } at; void (*f)(int a, int b); };").count)
  end)

  it("reads what is in `extern \"C\"` as outermost", function()
    assert.equal("f", one('#ifdef X\nextern "C" {\n#endif\nint f(int a);\n#ifdef X\n}\n#endif\n').name)
  end)

  it("takes initialised arrays and enums for neither", function()
    assert.same({}, c.declarations("static const int a[] = {f(1), 2};\ntypedef enum e { A, B } e;\n"))
  end)
end)

describe("the lint's pieces of a source", function()
  local function pieces(text, language)
    local list = {}
    for i, piece in ipairs(source.pieces(text, language)) do list[i] = { piece.kind, piece.text, piece.line } end
    return list
  end

  it("are names, strings and comments", function()
    assert.same({ { "name", "f", 2 }, { "string", '"a \\" // b"', 2 }, { "comment", " c", 2 } },
      pieces('#include <string.h>\nf("a \\" // b"); // c\n', "c"))
    assert.same({ { "name", "f", 1 }, { "string", "[[a\n--b]]", 1 }, { "comment", " c", 2 } },
      pieces("f [[a\n--b]] -- c\n", "lua"))
  end)

  it("go on behind a division", function()
    assert.same({ { "name", "a", 1 }, { "name", "b", 1 }, { "name", "c", 2 } }, pieces("a / b // 2\nc", "lua"))
  end)

  it("joins comments of successive lines, and knows the line of each word", function()
    local piece = source.pieces("int a;\n/// one\n/// two\n\n/* three\n * four */\n", "c")
    assert.equal(" one\n two", piece[3].text)
    assert.equal(2, source.line_of(piece[3], piece[3].text:find("one")))
    assert.equal(3, source.line_of(piece[3], piece[3].text:find("two")))
    assert.equal(6, source.line_of(piece[4], piece[4].text:find("four")))
  end)
end)
