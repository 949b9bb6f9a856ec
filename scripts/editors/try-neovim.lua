-- Uses the language server in Neovim as its users do. `try-editors.sh` starts it, with the lines of docs/editors.md as `init.lua`. Written for
-- the client of Neovim 0.7. It writes what is seen to a file, and ends with an exit code of 1 at the first claim that fails.
local folder = vim.env.VOXLINT_FOLDER
local output = assert(io.open(vim.env.VOXLINT_OUTPUT, "w"))
local PATIENCE = 20000 -- milliseconds; every wait ends much earlier unless something is broken

local function say(...)
  output:write(table.concat({ ... }, " "), "\n")
  output:flush()
end

local function fail(...)
  say("failed:", ...)
  vim.cmd("cquit 1")
end

local function wait_for(what, condition)
  if not vim.wait(PATIENCE, condition, 20) then
    fail("waited in vain for " .. what)
  end
end

local function first_line(text)
  return (vim.split(vim.trim(text), "\n")[1]:gsub("%s+$", ""))
end

local function text_of(buffer)
  return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), "\n")
end

-- Opens a file of the folder. The lines in `init.lua` start the server.
local function open(path)
  vim.cmd("edit " .. vim.fn.fnameescape(folder .. "/" .. path))
  local buffer = vim.api.nvim_get_current_buf()
  wait_for("the server in " .. path, function()
    return next(vim.lsp.buf_get_clients(buffer)) ~= nil
  end)
  return buffer
end

local function client_of(buffer)
  local _, client = next(vim.lsp.buf_get_clients(buffer))
  return client
end

local SEVERITIES = { "error", "warning", "info", "hint" }

-- The findings as lines, in the order of the text.
local function findings(buffer)
  local name = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(buffer), ":t")
  local all = vim.diagnostic.get(buffer)
  table.sort(all, function(a, b)
    return a.lnum < b.lnum or (a.lnum == b.lnum and a.col < b.col)
  end)
  return vim.tbl_map(function(found)
    local code = found.user_data and found.user_data.lsp and found.user_data.lsp.code or found.code
    local place = string.format("%s:%d:%d", name, found.lnum + 1, found.col + 1)
    local label = SEVERITIES[found.severity] .. "[" .. (code or "") .. "]"
    return { rule = code or "no rule", line = place .. ": " .. label .. ": " .. first_line(found.message) }
  end, all)
end

-- Waits until exactly these rules are found, and shows them.
local function expect_findings(buffer, wanted)
  local is
  local done = vim.wait(PATIENCE, function()
    is = findings(buffer)
    local rules = vim.tbl_map(function(found)
      return found.rule
    end, is)
    return vim.deep_equal(rules, wanted)
  end, 20)
  for _, found in ipairs(is) do
    say("  " .. found.line)
  end
  if not done then
    fail("expected " .. vim.inspect(wanted))
  end
end

-- Puts the cursor on the first place of a text.
local function go_to(buffer, text)
  vim.api.nvim_set_current_buf(buffer)
  for row, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, -1, false)) do
    local column = line:find(text, 1, true)
    if column then
      vim.api.nvim_win_set_cursor(0, { row, column - 1 })
      return row
    end
  end
  fail("the text is missing: " .. text)
end

local function here(buffer)
  return vim.lsp.util.make_position_params(0, client_of(buffer).offset_encoding)
end

local function ask(buffer, method, parameters)
  local client = client_of(buffer)
  local answers, problem = vim.lsp.buf_request_sync(buffer, method, parameters, PATIENCE)
  local answer = answers and answers[client.id]
  if not answer or answer.error then
    fail(method, tostring(problem), vim.inspect(answer))
  end
  return answer.result
end

local function run()
  local document = open("agents/front-desk.json")
  local prompt = open("agents/front-desk.prompt.hbs")
  if client_of(document).id ~= client_of(prompt).id then
    fail("one folder has two servers")
  end

  say("diagnostics")
  expect_findings(document, { "title-too-long-for-our-list", "greeting-without-clinic", "unknown-template-variable" })
  expect_findings(prompt, { "template-syntax-error" })

  say("hover")
  for _, place in ipairs({ { document, "title" }, { document, "caler_name" }, { prompt, "wait_seconds" } }) do
    go_to(place[1], place[2])
    local hover = ask(place[1], "textDocument/hover", here(place[1]))
    local lines = hover and vim.lsp.util.convert_input_to_markdown_lines(hover.contents) or {}
    local text = table.concat(lines, "\n")
    for line in vim.gsplit(vim.trim(text), "\n") do
      say((("  | " .. line):gsub("%s+$", "")))
    end
    if not text:find(place[2], 1, true) then
      fail("the hover does not name it: " .. vim.inspect(hover))
    end
  end

  say("completion after `\"kb_m`")
  local row = go_to(document, '"x_owner"')
  vim.api.nvim_buf_set_lines(document, row - 1, row - 1, false, { '  "kb_m' })
  local position = here(document)
  position.position = { line = row - 1, character = #'  "kb_m' }
  local list = ask(document, "textDocument/completion", position)
  local chosen
  for _, item in ipairs(list and (list.items or list) or {}) do
    if vim.startswith(item.label, "kb_m") then
      say("  " .. item.label .. "  " .. (item.detail or ""))
    end
    chosen = chosen or (item.label == "kb_min_score" and item)
  end
  if not chosen then
    fail("`kb_min_score` is not offered")
  end
  vim.lsp.util.apply_text_edits({ chosen.textEdit }, document, client_of(document).offset_encoding)
  local line = vim.trim(vim.api.nvim_buf_get_lines(document, row - 1, row, false)[1])
  say("  the line is then: " .. line)
  if not line:find('^"kb_min_score": ') then
    fail("the completion writes something else")
  end
  vim.api.nvim_buf_set_lines(document, row - 1, row, false, {})

  say("code actions at the next finding, of which the first is applied")
  vim.api.nvim_set_current_buf(prompt)
  vim.diagnostic.goto_next({ float = false })
  local is_applied = false
  vim.ui.select = function(all, _, choose)
    for _, item in ipairs(all) do
      say("  " .. item[2].title)
    end
    if not all[1][2].title:find("{{doctor}}", 1, true) then
      fail("the first action is another one")
    end
    is_applied = true
    choose(all[1])
  end
  vim.lsp.buf.code_action()
  wait_for("code actions", function()
    return is_applied
  end)
  wait_for("the fix", function()
    return text_of(prompt):find("{{doctor}}", 1, true)
  end)

  say("findings in the prompt, which can be read now")
  expect_findings(prompt, { "unknown-template-variable" })

  say("rename of `caler_name` to `caller_name` in the prompt")
  go_to(prompt, "caler_name")
  vim.lsp.buf.rename("caller_name")
  for _, buffer in ipairs({ document, prompt }) do
    wait_for("the rename", function()
      return text_of(buffer):find("{{caller_name}}", 1, true)
    end)
    local changed = go_to(buffer, "{{caller_name}}")
    say("  " .. vim.trim(vim.api.nvim_buf_get_lines(buffer, changed - 1, changed, false)[1]))
  end
  say("findings")
  expect_findings(document, { "title-too-long-for-our-list", "greeting-without-clinic" })
  expect_findings(prompt, { "unknown-template-variable" })

  say("definitions of `version_number`")
  go_to(document, "8,")
  local targets = {}
  for _, target in ipairs(ask(document, "textDocument/definition", here(document)) or {}) do
    local path = vim.uri_to_fname(target.uri or target.targetUri):sub(#folder + 2)
    table.insert(targets, path)
    say("  " .. path)
  end
  if not vim.tbl_contains(targets, "stored/front-desk.json") then
    fail("the stored configuration is missing")
  end

  say("outline")
  local symbols = ask(document, "textDocument/documentSymbol", { textDocument = vim.lsp.util.make_text_document_params(document) })
  say("  " .. table.concat(vim.tbl_map(function(symbol)
    return symbol.name
  end, symbols), ", "))

  say("`voxlint.predict`")
  local argument = { uri = vim.uri_from_bufnr(document), show = false }
  local result = ask(document, "workspace/executeCommand", { command = "voxlint.predict", arguments = { argument } })
  for line in vim.gsplit(vim.trim(result.text), "\n") do
    if line == "" then
      break
    end
    say("  " .. line:gsub(vim.pesc(folder .. "/"), ""))
  end

  say("functions in `desk.md`, whose document is `desk.yaml`")
  local markdown = open("desk/desk.md")
  go_to(markdown, "book_slot")
  for _, line in ipairs(vim.lsp.util.convert_input_to_markdown_lines(ask(markdown, "textDocument/hover", here(markdown)).contents)) do
    say((("  | " .. line):gsub("%s+$", "")))
  end
  vim.lsp.buf.definition()
  wait_for("the definition", function()
    return vim.api.nvim_buf_get_name(0):match("desk%.yaml$")
  end)
  local yaml = vim.api.nvim_get_current_buf()
  say("  definition: " .. vim.trim(vim.api.nvim_get_current_line()))
  local lines = {}
  for _, place in ipairs(ask(yaml, "textDocument/references", vim.tbl_extend("error", here(yaml), { context = { includeDeclaration = true } }))) do
    table.insert(lines, string.format("%s:%d", vim.fn.fnamemodify(vim.uri_to_fname(place.uri), ":t"), place.range.start.line + 1))
  end
  say("  references: " .. table.concat(lines, ", "))
  if not vim.deep_equal(lines, { "desk.yaml:4", "desk.md:3", "desk.md:4" }) then
    fail("other places are expected")
  end
  vim.api.nvim_buf_set_lines(markdown, -1, -1, false, { "Then `bo`." })
  vim.api.nvim_set_current_buf(markdown)
  vim.api.nvim_win_set_cursor(0, { vim.api.nvim_buf_line_count(markdown), 0 })
  position = here(markdown)
  position.position.character = #"Then `bo"
  list = ask(markdown, "textDocument/completion", position)
  vim.lsp.util.apply_text_edits({ list.items[1].textEdit }, markdown, client_of(markdown).offset_encoding)
  say("  completion after \"Then `bo\": " .. vim.api.nvim_get_current_line())
  go_to(markdown, "book_slot")
  vim.lsp.buf.rename("reserve_slot")
  for _, buffer in ipairs({ yaml, markdown }) do
    wait_for("the rename", function()
      return text_of(buffer):find("reserve_slot", 1, true)
    end)
  end
  say("  after a rename to `reserve_slot`:")
  for _, line in ipairs(vim.api.nvim_buf_get_lines(markdown, 2, -1, false)) do
    say("  | " .. line)
  end
  if not text_of(yaml):find("displayName: reserve_slot", 1, true) or text_of(markdown):find("`book_slot`", 1, true) then
    fail("the rename left something else")
  end
  vim.lsp.stop_client(client_of(markdown).id)

  -- Not for the page: the editor shows what `voxlint check` finds in the saved files.
  vim.cmd("silent wall")
  local report = vim.fn.json_decode(vim.fn.system({ "voxlint", "check", "--quiet", "--format", "json", folder .. "/agents" }))
  local checked = {}
  for _, file in ipairs(report.files) do
    for _, found in ipairs(file.diagnostics) do
      table.insert(checked, found.rule)
    end
  end
  table.sort(checked)
  local shown
  local agrees = vim.wait(PATIENCE, function()
    shown = vim.list_extend(findings(document), findings(prompt))
    local rules = vim.tbl_map(function(found)
      return found.rule
    end, shown)
    table.sort(rules)
    return vim.deep_equal(checked, rules)
  end, 20)
  if not agrees then
    fail("`voxlint check` finds " .. vim.inspect(checked) .. ", and the editor shows " .. vim.inspect(shown))
  end

  local id = client_of(document).id
  vim.lsp.stop_client(id)
  wait_for("the end of the server", function()
    return vim.lsp.client_is_stopped(id)
  end)
end

local is_fine, problem = xpcall(run, debug.traceback)
if not is_fine then
  fail(problem)
end
vim.cmd("qall!")
