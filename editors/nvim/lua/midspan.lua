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

--- Where the cursor stood when a text was asked for, by buffer; `answered` is what is on screen.
local asked, answered = {}, {}

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

--- The first line of the text on screen; `nil` when there is none.
local function drawn(bufnr)
  local marks = vim.api.nvim_buf_get_extmarks(bufnr, namespace, 0, -1, { details = true })
  local chunks = marks[1] and marks[1][4].virt_text
  return chunks and chunks[1] and chunks[1][1]
end

--- Takes off the screen what no longer fits.
local function hide_stale(bufnr)
  if not answered[bufnr] then
    return
  end
  local typed = typed_since(bufnr)
  if not typed or not vim.startswith(answered[bufnr].shown, typed) then
    vim.api.nvim_buf_clear_namespace(bufnr, namespace, 0, -1)
    answered[bufnr] = nil
  end
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
  })
  local group = vim.api.nvim_create_augroup('midspan', { clear = true })
  vim.api.nvim_create_autocmd('LspRequest', {
    group = group,
    callback = function(event)
      local request, id = event.data.request, event.data.request_id
      if request.method ~= method then
        return
      end
      if request.type == 'pending' then
        asked[id] = place(request.bufnr)
      else
        local known = asked[id]
        asked[id] = nil
        -- The answer is drawn when this event is over.
        vim.schedule(function()
          if request.type ~= 'complete' or not vim.api.nvim_buf_is_valid(request.bufnr) then
            return
          end
          local shown = drawn(request.bufnr)
          answered[request.bufnr] = shown and known and vim.tbl_extend('error', known, { shown = shown })
        end)
      end
    end,
  })
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
