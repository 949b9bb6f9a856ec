;;; try-emacs.el --- uses the language server in Emacs  -*- lexical-binding: t; -*-

;; `try-editors.sh' starts this, with the lines of docs/editors.md as `init.el'. Written for eglot 1.9 in Emacs 28. It writes what is seen to a
;; file, and ends with an exit code of 1 at the first claim that fails.

(require 'package)
(require 'flymake)
(require 'subr-x)

(defconst patience 20 "Seconds; every wait ends much earlier unless something is broken.")
(defconst folder (file-name-as-directory (getenv "VOXLINT_FOLDER")))
(defconst output (getenv "VOXLINT_OUTPUT"))

(setq make-backup-files nil
      create-lockfiles nil
      auto-save-default nil)

(defun say (format &rest arguments)
  (write-region (concat (apply #'format format arguments) "\n") nil output 'append 'silent))

(defun fail (format &rest arguments)
  (say "failed: %s" (apply #'format format arguments))
  (kill-emacs 1))

(defun wait-for (what condition)
  "Wait until CONDITION gives something, and return it. WHAT names it."
  (let ((end (+ (float-time) patience)) result)
    (while (not (setq result (funcall condition)))
      (when (> (float-time) end) (fail "waited in vain for %s" what))
      (accept-process-output nil 0.02))
    result))

(defun open-text (path)
  "Open the file at PATH. The lines in `init.el' start the server."
  (let ((buffer (find-file (concat folder path))))
    ;; `eglot-ensure' waits for the end of a command, which there is not in this script.
    (run-hooks 'post-command-hook)
    (wait-for (format "eglot in %s" path) (lambda () (with-current-buffer buffer (eglot-managed-p))))
    buffer))

(defun shown-findings (buffer)
  "The rules and lines of the findings in BUFFER, in the order of the text."
  (with-current-buffer buffer
    (mapcar (lambda (found)
              (let ((data (cdr (assoc 'eglot-lsp-diag (flymake-diagnostic-data found)))))
                (cons (or (plist-get data :code) "no rule")
                      (format "%s:%d: %s" (buffer-name) (line-number-at-pos (flymake-diagnostic-beg found))
                              (car (split-string (flymake-diagnostic-text found) "\n"))))))
            (sort (flymake-diagnostics)
                  (lambda (a b) (< (flymake-diagnostic-beg a) (flymake-diagnostic-beg b)))))))

(defun expect-findings (buffer wanted)
  "Wait until exactly the rules WANTED are found in BUFFER, and show them."
  (let ((end (+ (float-time) patience)) is)
    (with-current-buffer buffer
      ;; These wait for an idle user, whom there is not in this script.
      (eglot--signal-textDocument/didChange)
      (while (progn (flymake-start)
                    (setq is (shown-findings buffer))
                    (and (not (equal (mapcar #'car is) wanted)) (< (float-time) end)))
        (accept-process-output nil 0.05)))
    (dolist (found is) (say "  %s" (cdr found)))
    (unless (equal (mapcar #'car is) wanted) (fail "expected %S" wanted))))

(defun go-to (buffer text)
  "Show BUFFER with the cursor on the first TEXT."
  (switch-to-buffer buffer)
  (goto-char (point-min))
  (unless (search-forward text nil t) (fail "the text is missing: %s" text))
  (goto-char (match-beginning 0)))

(defun this-line () (buffer-substring-no-properties (line-beginning-position) (line-end-position)))

(defun first-line (text) (car (split-string (string-trim text) "\n")))

(defun run ()
  (say "Emacs %s" emacs-version)
  (package-initialize)
  (load (expand-file-name "~/.emacs.d/init.el") nil t)
  (let ((document (open-text "agents/front-desk.json"))
        (prompt (open-text "agents/front-desk.prompt.hbs")))
    (say "diagnostics")
    (expect-findings document '("title-too-long-for-our-list" "greeting-without-clinic" "unknown-template-variable"))
    (expect-findings prompt '("template-syntax-error"))

    (say "hover")
    (pcase-dolist (`(,buffer ,text) `((,document "title") (,document "caler_name") (,prompt "wait_seconds")))
      (go-to buffer text)
      (let* ((hover (jsonrpc-request (eglot--current-server-or-lose) :textDocument/hover (eglot--TextDocumentPositionParams)))
             (shown (if hover (substring-no-properties (eglot--hover-info (plist-get hover :contents))) "")))
        (say "  %s" (first-line shown))
        (unless (string-match-p (regexp-quote text) shown) (fail "the hover does not name it: %S" hover))))

    (say "completion after `\"kb_m`")
    (go-to document "\"x_owner\"")
    (let ((start (point)))
      (insert "\"kb_m\n  ")
      (goto-char (+ start (length "\"kb_m")))
      (pcase-let* ((`(,from ,to ,table . ,more) (eglot-completion-at-point))
                   (offered (all-completions (buffer-substring-no-properties from to) table))
                   (chosen (seq-find (lambda (name) (string-match-p "kb_min_score" name)) offered)))
        (dolist (name (seq-take offered 3)) (say "  %s" (substring-no-properties name)))
        (unless chosen (fail "`kb_min_score' is not offered, only %S" offered))
        ;; As Emacs does with the chosen one.
        (delete-region from to)
        (goto-char from)
        (insert chosen)
        (funcall (plist-get more :exit-function) chosen 'finished))
      (goto-char start)
      (say "  the line is then: %s" (string-trim (this-line)))
      (unless (string-match-p "\\` *\"kb_min_score\": " (this-line)) (fail "the completion writes something else"))
      (delete-region start (progn (search-forward "\"x_owner\"") (match-beginning 0)))
      (eglot--signal-textDocument/didChange))

    (say "code actions at `{{doctor}`, of which the first is applied")
    (go-to prompt "{doctor}")
    (let ((last-nonmenu-event ?\r))
      (cl-letf (((symbol-function 'completing-read)
                 (lambda (_ items &rest _)
                   (dolist (item items) (say "  %s" (car item)))
                   (unless (string-match-p "{{doctor}}" (caar items)) (fail "the first action is another one"))
                   (caar items))))
        (eglot-code-actions (point) (+ (point) (length "{doctor}")) nil t)))
    (say "findings in the prompt, which can be read now")
    (expect-findings prompt '("unknown-template-variable"))

    (say "rename of `caler_name` to `caller_name` in the prompt")
    (go-to prompt "caler_name")
    (eglot-rename "caller_name")
    (dolist (buffer (list document prompt))
      (go-to buffer "{{caller_name}}")
      (say "  %s" (string-trim (this-line))))
    (say "findings")
    (expect-findings document '("title-too-long-for-our-list" "greeting-without-clinic"))
    (expect-findings prompt '("unknown-template-variable"))

    (say "definitions of `version_number`")
    (go-to document "8,")
    (let* ((found (xref-backend-definitions 'eglot (xref-backend-identifier-at-point 'eglot)))
           (paths (mapcar (lambda (item) (file-relative-name (xref-location-group (xref-item-location item)) folder)) found)))
      (dolist (path paths) (say "  %s" path))
      (unless (member "stored/front-desk.json" paths) (fail "the stored configuration is missing")))

    (say "`voxlint.predict`")
    (let* ((server (eglot--current-server-or-lose))
           (argument (list :uri (eglot--path-to-uri (buffer-file-name)) :show :json-false))
           (result (eglot-execute-command server "voxlint.predict" (vector argument))))
      (say "  %s" (first-line (plist-get result :text)))
      (dolist (buffer (list document prompt)) (with-current-buffer buffer (set-buffer-modified-p nil)))
      (eglot-shutdown server)
      (wait-for "the end of the server" (lambda () (not (jsonrpc-running-p server)))))))

(condition-case problem
    (run)
  ((debug error) (fail "%S" problem)))
(kill-emacs 0)

;;; try-emacs.el ends here
