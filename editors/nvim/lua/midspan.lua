--- Midspan in Neovim 0.12 or newer, on top of the built-in `vim.lsp.inline_completion`.
---
--- Neovim shows and takes a text without help. This adds what it does not do yet: a text that no
--- longer fits what was typed is hidden and not taken, one that was typed along is taken without its
--- beginning twice, and a word or a line of it can be taken alone.
---
---   require('midspan').setup()
---
--- `setup` takes `cmd`, `filetypes`, `root_markers` and `settings` as `vim.lsp.config` does, and
--- `keys = { accept = '<Tab>', word = '<M-Right>', line = '<M-Down>', dismiss = '<C-e>' }`; `false`
--- leaves a key alone.

local M = {}

local method = 'textDocument/inlineCompletion'
local namespace = vim.api.nvim_create_namespace('nvim.lsp.inline_completion')

--- By buffer: where the cursor stood when the texts on screen were asked for, and the texts after it.
local answered = {}

local function place(bufnr)
  local win = vim.fn.bufwinid(bufnr)
  if win < 0 then
    return nil
  end
  local row, col = unpack(vim.api.nvim_win_get_cursor(win))
  local line = vim.api.nvim_buf_get_lines(bufnr, row - 1, row, true)[1]
  return { row = row - 1, before = line:sub(1, col), after = line:sub(col + 1) }
end

--- What was typed since the text was asked for; `nil` when something else changed on the line.
local function typed_since(bufnr)
  local old, now = answered[bufnr], place(bufnr)
  if not old or not now or old.row ~= now.row or old.after ~= now.after then
    return nil
  end
  if not vim.startswith(now.before, old.before) then
    return nil
  end
  return now.before:sub(#old.before + 1)
end

--- The item with its range moved along with what was typed; `nil` when it no longer fits.
local function fit(bufnr, item)
  local typed = typed_since(bufnr)
  if not typed or type(item.insert_text) ~= 'string' or not item.range then
    return nil
  end
  local row, col, end_row, end_col = item.range:to_extmark()
  local lead = answered[bufnr].before:sub(col + 1)
  if typed ~= '' and not vim.startswith(item.insert_text, lead .. typed) then
    return nil
  end
  local range = vim.range.extmark(bufnr, row, col, end_row, end_col + #typed)
  return vim.tbl_extend('force', item, { range = range }), #lead + #typed
end

--- Calls the built-in `get` and hands the fitting item, and how much of it stands there, to `take`.
local function get(take)
  local bufnr = vim.api.nvim_get_current_buf()
  if not typed_since(bufnr) then
    return false
  end
  return vim.lsp.inline_completion.get({
    on_accept = function(item)
      local fitting, present = fit(bufnr, item)
      if fitting then
        return take(fitting, present)
      end
    end,
  })
end

--- Takes the text on screen. False when there is none that fits, so that a key can do its own work.
function M.accept()
  return get(function(item)
    return item
  end)
end

local function accept_piece(find_end)
  return get(function(item, present)
    local text = item.insert_text
    local stop = find_end(text:sub(present + 1))
    if not stop or present + stop >= #text then
      return item
    end
    local piece = text:sub(1, present + stop)
    local client = vim.lsp.get_client_by_id(item.client_id)
    if client then
      client:notify('textDocument/didPartiallyAcceptCompletion', {
        item = { command = item.command },
        acceptedLength = vim.str_utfindex(piece, 'utf-16'),
      })
    end
    -- What is replaced after the cursor goes with the whole text only.
    local row, col, end_row, end_col = item.range:to_extmark()
    local cursor = vim.api.nvim_win_get_cursor(0)[2]
    local range = vim.range.extmark(0, row, col, end_row, math.min(end_col, cursor))
    local taken = vim.tbl_extend('force', item, { insert_text = piece, range = range })
    taken.command = nil
    return taken
  end)
end

--- Takes the next word, or the signs before it.
function M.accept_word()
  return accept_piece(function(rest)
    local _, stop = rest:find('^%s*[%w_\128-\255]+')
    if not stop then
      _, stop = rest:find('^%s*[^%w%s_\128-\255]+')
    end
    return stop
  end)
end

--- Takes the rest of the line.
function M.accept_line()
  return accept_piece(function(rest)
    local stop = rest:find('\n', 2, true)
    return stop and stop - 1
  end)
end

--- Hides the text and tells the server that it was refused. False when none is on screen.
function M.dismiss()
  local bufnr = vim.api.nvim_get_current_buf()
  return vim.lsp.inline_completion.get({
    on_accept = function(item)
      local client = vim.lsp.get_client_by_id(item.client_id)
      if client and item.command then
        client:notify('midspan/didRejectCompletion', { item = { command = item.command } })
      end
      answered[bufnr] = nil
    end,
  })
end

--- Takes off the screen what no longer fits.
local function hide_stale(bufnr)
  local typed = typed_since(bufnr)
  for _, text in ipairs(typed and answered[bufnr].texts or {}) do
    if vim.startswith(text, typed) then
      return
    end
  end
  vim.api.nvim_buf_clear_namespace(bufnr, namespace, 0, -1)
  answered[bufnr] = nil
end

--- What each item adds after the cursor, in bytes of Neovim's own lines.
local function texts_of(result, known, encoding)
  local texts = {}
  for _, item in ipairs(result and (result.items or result) or {}) do
    local start = item.range and item.range.start.character
    local line = known.before .. known.after
    local lead = start and known.before:sub(vim.str_byteindex(line, encoding, start, false) + 1) or ''
    texts[#texts + 1] = item.insertText:sub(#lead + 1)
  end
  return texts
end

--- Remembers with each answer what it was about. The built-in module keeps that to itself.
local function watch(client)
  local request = client.request
  client.request = function(self, name, params, handler, bufnr)
    local known = name == method and handler and place(vim._resolve_bufnr(bufnr))
    if not known then
      return request(self, name, params, handler, bufnr)
    end
    return request(self, name, params, function(err, result, context)
      handler(err, result, context)
      if not err and result then
        known.texts = texts_of(result, known, client.offset_encoding)
        answered[context.bufnr] = #known.texts > 0 and known or nil
      end
    end, bufnr)
  end
end

local is_reviving = false

--- Starts the server again when it died by itself; a few times, ever more slowly.
local function revive(attempt)
  is_reviving = attempt <= 5
  if not is_reviving then
    return
  end
  vim.defer_fn(function()
    local client = vim.lsp.get_clients({ name = 'midspan' })[1]
    if not vim.lsp.is_enabled('midspan') or (client and client.initialized) then
      is_reviving = false
      return
    end
    if not client then
      vim.lsp.enable('midspan')
    end
    revive(attempt + 1)
  end, 100 * 2 ^ attempt)
end

--- Neovim tells a crash in a line that is wider than many windows, and the prompt after it would
--- swallow the next key of somebody who is typing.
local function without_prompt()
  local quiet = 'wait:0,history:500'
  local chosen = vim.o.messagesopt
  -- Several servers that die at once share the first one's memory of what was chosen.
  if chosen == quiet then
    return
  end
  vim.o.messagesopt = quiet
  vim.defer_fn(function()
    vim.o.messagesopt = chosen
  end, 100)
end

local function map(key, run)
  if not key then
    return
  end
  vim.keymap.set('i', key, function()
    return run() and '' or key
  end, { expr = true, replace_keycodes = true, desc = 'Midspan' })
end

function M.setup(options)
  options = options or {}
  local keys = vim.tbl_extend('force', {
    accept = '<Tab>',
    word = '<M-Right>',
    line = '<M-Down>',
    dismiss = '<C-e>',
  }, options.keys or {})
  vim.lsp.config('midspan', {
    cmd = options.cmd or { 'midspan', 'lsp' },
    filetypes = options.filetypes,
    root_markers = options.root_markers or { '.git' },
    settings = { midspan = options.settings },
    on_init = watch,
    on_exit = vim.schedule_wrap(function(code, signal)
      if vim.v.exiting ~= vim.NIL then
        return
      end
      if code ~= 0 or (signal ~= 0 and signal ~= 15) then
        without_prompt()
      end
      if not is_reviving then
        revive(1)
      end
    end),
  })
  local group = vim.api.nvim_create_augroup('midspan', { clear = true })
  vim.api.nvim_create_autocmd({ 'TextChangedI', 'CursorMovedI' }, {
    group = group,
    callback = function(event)
      -- After the built-in one, which draws the old text again.
      vim.schedule(function()
        if vim.api.nvim_buf_is_valid(event.buf) then
          hide_stale(event.buf)
        end
      end)
    end,
  })
  map(keys.accept, M.accept)
  map(keys.word, M.accept_word)
  map(keys.line, M.accept_line)
  map(keys.dismiss, M.dismiss)
  vim.lsp.enable('midspan')
  vim.lsp.inline_completion.enable()
end

return M
