# bash completion for loci; made by 'loci completion bash'
_loci_values() {
  mapfile -t COMPREPLY < <(loci ${vault:+--vault "$vault"} __complete "$1" "$word" 2>/dev/null)
  if ((${#COMPREPLY[@]} == 1)); then COMPREPLY=("${COMPREPLY[0]%%$'\t'*}"); fi
  COMPREPLY=("${COMPREPLY[@]/$'\t'/  }")
}

_loci_takes_value() {
  case "$1" in 'add --tag'|'add --project'|'add --task'|'add --category'|'add --confidence'|'add --session'|'add --turn'|'add --kind'|'search --layer'|'search --tag'|'search --project'|'search --source'|'search --kind'|'search --since'|'search --until'|'search --session'|'search --task'|'search --limit'|'search --asked-in'|'context --query'|'context --session'|'context --turn'|'context --budget'|'context --recent'|'context --project'|'context --task'|'context --since'|'context --until'|'used --session'|'used --turn'|'used --limit'|'used --before'|'count --encoding'|'recent --layer'|'recent --tag'|'recent --project'|'recent --source'|'recent --kind'|'recent --since'|'recent --until'|'recent --session'|'recent --task'|'recent --limit'|'recent --before'|'sessions --limit'|'turn --session'|'turn --turn'|'turn --message-id'|'turn --task'|'digest --since'|'digest --until'|'digest --session'|'list --layer'|'list --tag'|'list --project'|'list --source'|'list --kind'|'list --since'|'list --until'|'list --session'|'list --task'|'list --file'|'list --limit'|'list --after'|'edit --text'|'edit --tag'|'log --limit'|'reindex --file'|'resolve --text'|'export --format'|'export --to'|'import --from'|'daemon --log'|'service --credential'|'connect --plugin'|'pause --for'|'sync --timeout'|*' --vault') return 0 ;; esac
  return 1
}

_loci() {
  local word="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}" command= vault= at=1 i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "${COMP_WORDS[i]}" in
      --vault) vault="${COMP_WORDS[++i]}" ;;
      -*) ;;
      *) command="${COMP_WORDS[i]}"; break ;;
    esac
  done
  for ((i++; i < COMP_CWORD; i++)); do
    if _loci_takes_value "$command ${COMP_WORDS[i]}"; then ((i++)); elif [[ ${COMP_WORDS[i]} != -* ]]; then ((at++)); fi
  done
  case "$command $previous" in
    *' --vault') COMPREPLY=($(compgen -d -- "$word")); return ;;
    'add --tag') _loci_values tags; return ;;
    'add --project') _loci_values projects; return ;;
    'add --task') _loci_values tasks; return ;;
    'add --category') COMPREPLY=(); return ;;
    'add --confidence') COMPREPLY=(); return ;;
    'add --session') _loci_values sessions; return ;;
    'add --turn') COMPREPLY=(); return ;;
    'add --kind') COMPREPLY=($(compgen -W 'fact turn session-summary task-summary' -- "$word")); return ;;
    'search --layer') COMPREPLY=($(compgen -W 'L0 L1 L2' -- "$word")); return ;;
    'search --tag') _loci_values tags; return ;;
    'search --project') _loci_values projects; return ;;
    'search --source') COMPREPLY=($(compgen -W 'correction user agent system' -- "$word")); return ;;
    'search --kind') COMPREPLY=($(compgen -W 'fact turn session-summary task-summary' -- "$word")); return ;;
    'search --since') COMPREPLY=(); return ;;
    'search --until') COMPREPLY=(); return ;;
    'search --session') _loci_values sessions; return ;;
    'search --task') _loci_values tasks; return ;;
    'search --limit') COMPREPLY=(); return ;;
    'search --asked-in') _loci_values sessions; return ;;
    'context --query') COMPREPLY=(); return ;;
    'context --session') _loci_values sessions; return ;;
    'context --turn') COMPREPLY=(); return ;;
    'context --budget') COMPREPLY=(); return ;;
    'context --recent') COMPREPLY=($(compgen -f -- "$word")); return ;;
    'context --project') _loci_values projects; return ;;
    'context --task') _loci_values tasks; return ;;
    'context --since') COMPREPLY=(); return ;;
    'context --until') COMPREPLY=(); return ;;
    'used --session') _loci_values sessions; return ;;
    'used --turn') COMPREPLY=(); return ;;
    'used --limit') COMPREPLY=(); return ;;
    'used --before') COMPREPLY=(); return ;;
    'count --encoding') COMPREPLY=($(compgen -W 'cl100k_base o200k_base' -- "$word")); return ;;
    'recent --layer') COMPREPLY=($(compgen -W 'L0 L1 L2' -- "$word")); return ;;
    'recent --tag') _loci_values tags; return ;;
    'recent --project') _loci_values projects; return ;;
    'recent --source') COMPREPLY=($(compgen -W 'correction user agent system' -- "$word")); return ;;
    'recent --kind') COMPREPLY=($(compgen -W 'fact turn session-summary task-summary' -- "$word")); return ;;
    'recent --since') COMPREPLY=(); return ;;
    'recent --until') COMPREPLY=(); return ;;
    'recent --session') _loci_values sessions; return ;;
    'recent --task') _loci_values tasks; return ;;
    'recent --limit') COMPREPLY=(); return ;;
    'recent --before') _loci_values ids; return ;;
    'sessions --limit') COMPREPLY=(); return ;;
    'turn --session') _loci_values sessions; return ;;
    'turn --turn') COMPREPLY=(); return ;;
    'turn --message-id') COMPREPLY=(); return ;;
    'turn --task') _loci_values tasks; return ;;
    'digest --since') COMPREPLY=(); return ;;
    'digest --until') COMPREPLY=(); return ;;
    'digest --session') _loci_values sessions; return ;;
    'list --layer') COMPREPLY=($(compgen -W 'L0 L1 L2' -- "$word")); return ;;
    'list --tag') _loci_values tags; return ;;
    'list --project') _loci_values projects; return ;;
    'list --source') COMPREPLY=($(compgen -W 'correction user agent system' -- "$word")); return ;;
    'list --kind') COMPREPLY=($(compgen -W 'fact turn session-summary task-summary' -- "$word")); return ;;
    'list --since') COMPREPLY=(); return ;;
    'list --until') COMPREPLY=(); return ;;
    'list --session') _loci_values sessions; return ;;
    'list --task') _loci_values tasks; return ;;
    'list --file') COMPREPLY=($(compgen -f -- "$word")); return ;;
    'list --limit') COMPREPLY=(); return ;;
    'list --after') _loci_values ids; return ;;
    'edit --text') COMPREPLY=(); return ;;
    'edit --tag') _loci_values tags; return ;;
    'log --limit') COMPREPLY=(); return ;;
    'reindex --file') COMPREPLY=($(compgen -f -- "$word")); return ;;
    'resolve --text') COMPREPLY=(); return ;;
    'export --format') COMPREPLY=($(compgen -W 'json md' -- "$word")); return ;;
    'export --to') COMPREPLY=($(compgen -W 'claude-code basic-memory mem0 json md' -- "$word")); return ;;
    'import --from') COMPREPLY=($(compgen -W 'loci claude-code claude-transcripts codex openclaw letta hermes basic-memory memsearch mem0 chatgpt claude-ai' -- "$word")); return ;;
    'daemon --log') COMPREPLY=($(compgen -W 'debug info notice warning error' -- "$word")); return ;;
    'service --credential') COMPREPLY=(); return ;;
    'connect --plugin') COMPREPLY=($(compgen -d -- "$word")); return ;;
    'pause --for') COMPREPLY=(); return ;;
    'sync --timeout') COMPREPLY=(); return ;;
  esac
  case "$command" in
    '') COMPREPLY=($(compgen -W 'init add search context used count recent sessions session turn task digest show list edit correct forget restore remember consolidate log undo reindex resolve status doctor export import config daemon mcp panel service connect hook pause resume sync merge-driver completion help --vault --json --help --version' -- "$word")) ;;
    init)
      if [[ $word == -* ]]; then COMPREPLY=($(compgen -W '--git --vault --json --help' -- "$word"))
      else case $at in 1) COMPREPLY=($(compgen -d -- "$word")) ;; esac; fi ;;
    add)
      if [[ $word == -* ]]; then COMPREPLY=($(compgen -W '--tag --project --task --category --confidence --session --turn --kind --jsonl --vault --json --help' -- "$word"))
      else case $at in *) COMPREPLY=() ;; esac; fi ;;
    search)
      if [[ $word == -* ]]; then COMPREPLY=($(compgen -W '--layer --tag --project --source --kind --since --until --session --task --limit --threads --history --precise --inactive --asked-in --explain --jsonl --vault --json --help' -- "$word"))
      else case $at in *) COMPREPLY=() ;; esac; fi ;;
    context)
      if [[ $word == -* ]]; then COMPREPLY=($(compgen -W '--query --session --turn --budget --recent --project --task --since --until --vault --json --help' -- "$word"))
      else COMPREPLY=(); fi ;;
    used)
      if [[ $word == -* ]]; then COMPREPLY=($(compgen -W '--session --turn --limit --before --vault --json --help' -- "$word"))
      else COMPREPLY=(); fi ;;
    count)
      if [[ $word == -* ]]; then COMPREPLY=($(compgen -W '--encoding --jsonl --vault --json --help' -- "$word"))
      else COMPREPLY=(); fi ;;
    recent)
      if [[ $word == -* ]]; then COMPREPLY=($(compgen -W '--layer --tag --project --source --kind --since --until --session --task --limit --before --jsonl --vault --json --help' -- "$word"))
      else COMPREPLY=(); fi ;;
    sessions)
      if [[ $word == -* ]]; then COMPREPLY=($(compgen -W '--limit --jsonl --vault --json --help' -- "$word"))
      else COMPREPLY=(); fi ;;
    session)
      if [[ $word == -* ]]; then COMPREPLY=($(compgen -W '--jsonl --vault --json --help' -- "$word"))
      else case $at in 1) _loci_values sessions ;; 2) _loci_values sessions ;; esac; fi ;;
    turn)
      if [[ $word == -* ]]; then COMPREPLY=($(compgen -W '--session --turn --message-id --task --vault --json --help' -- "$word"))
      else COMPREPLY=(); fi ;;
    task)
      if [[ $word == -* ]]; then COMPREPLY=($(compgen -W '--vault --json --help' -- "$word"))
      else case $at in 1) COMPREPLY=($(compgen -W 'start update complete list' -- "$word")) ;; 2) _loci_values tasks ;; esac; fi ;;
    digest)
      if [[ $word == -* ]]; then COMPREPLY=($(compgen -W '--since --until --session --timeline --vault --json --help' -- "$word"))
      else COMPREPLY=(); fi ;;
    show)
      if [[ $word == -* ]]; then COMPREPLY=($(compgen -W '--vault --json --help' -- "$word"))
      else case $at in 1) _loci_values ids ;; esac; fi ;;
    list)
      if [[ $word == -* ]]; then COMPREPLY=($(compgen -W '--layer --tag --project --source --kind --since --until --session --task --file --inactive --limit --after --jsonl --vault --json --help' -- "$word"))
      else COMPREPLY=(); fi ;;
    edit)
      if [[ $word == -* ]]; then COMPREPLY=($(compgen -W '--text --tag --vault --json --help' -- "$word"))
      else case $at in 1) _loci_values ids ;; esac; fi ;;
    correct)
      if [[ $word == -* ]]; then COMPREPLY=($(compgen -W '--vault --json --help' -- "$word"))
      else case $at in 1) _loci_values ids ;; *) COMPREPLY=() ;; esac; fi ;;
    forget)
      if [[ $word == -* ]]; then COMPREPLY=($(compgen -W '--everywhere --purge --yes --vault --json --help' -- "$word"))
      else case $at in *) _loci_values ids ;; esac; fi ;;
    restore)
      if [[ $word == -* ]]; then COMPREPLY=($(compgen -W '--vault --json --help' -- "$word"))
      else case $at in 1) _loci_values ended ;; esac; fi ;;
    remember)
      if [[ $word == -* ]]; then COMPREPLY=($(compgen -W '--vault --json --help' -- "$word"))
      else case $at in 1) COMPREPLY=() ;; esac; fi ;;
    consolidate)
      if [[ $word == -* ]]; then COMPREPLY=($(compgen -W '--force --dry-run --explain --rebuild --abandon --vault --json --help' -- "$word"))
      else COMPREPLY=(); fi ;;
    log)
      if [[ $word == -* ]]; then COMPREPLY=($(compgen -W '--limit --edits --vault --json --help' -- "$word"))
      else case $at in 1) _loci_values runs ;; esac; fi ;;
    undo)
      if [[ $word == -* ]]; then COMPREPLY=($(compgen -W '--vault --json --help' -- "$word"))
      else case $at in 1) _loci_values runs ;; esac; fi ;;
    reindex)
      if [[ $word == -* ]]; then COMPREPLY=($(compgen -W '--clear --file --vault --json --help' -- "$word"))
      else COMPREPLY=(); fi ;;
    resolve)
      if [[ $word == -* ]]; then COMPREPLY=($(compgen -W '--keep --restore --ours --theirs --both --text --vault --json --help' -- "$word"))
      else case $at in 1) COMPREPLY=($(compgen -f -- "$word")) ;; esac; fi ;;
    status)
      if [[ $word == -* ]]; then COMPREPLY=($(compgen -W '--wait --seen --vault --json --help' -- "$word"))
      else COMPREPLY=(); fi ;;
    doctor)
      if [[ $word == -* ]]; then COMPREPLY=($(compgen -W '--repair --vault --json --help' -- "$word"))
      else COMPREPLY=(); fi ;;
    export)
      if [[ $word == -* ]]; then COMPREPLY=($(compgen -W '--format --jsonl --to --private --vault --json --help' -- "$word"))
      else case $at in 1) COMPREPLY=($(compgen -f -- "$word")) ;; esac; fi ;;
    import)
      if [[ $word == -* ]]; then COMPREPLY=($(compgen -W '--from --dry-run --vault --json --help' -- "$word"))
      else case $at in 1) COMPREPLY=($(compgen -f -- "$word")) ;; esac; fi ;;
    config)
      if [[ $word == -* ]]; then COMPREPLY=($(compgen -W '--user --vault --json --help' -- "$word"))
      else case $at in 1) _loci_values settings ;; 2) COMPREPLY=() ;; esac; fi ;;
    daemon)
      if [[ $word == -* ]]; then COMPREPLY=($(compgen -W '--log --vault --json --help' -- "$word"))
      else COMPREPLY=(); fi ;;
    mcp)
      if [[ $word == -* ]]; then COMPREPLY=($(compgen -W '--vault --json --help' -- "$word"))
      else COMPREPLY=(); fi ;;
    panel)
      if [[ $word == -* ]]; then COMPREPLY=($(compgen -W '--print --vault --json --help' -- "$word"))
      else COMPREPLY=(); fi ;;
    service)
      if [[ $word == -* ]]; then COMPREPLY=($(compgen -W '--socket --credential --no-start --print --vault --json --help' -- "$word"))
      else case $at in 1) COMPREPLY=($(compgen -W 'install remove' -- "$word")) ;; esac; fi ;;
    connect)
      if [[ $word == -* ]]; then COMPREPLY=($(compgen -W '--project --dry-run --remove --plugin --vault --json --help' -- "$word"))
      else case $at in 1) COMPREPLY=($(compgen -W 'claude-code codex gemini opencode openclaw' -- "$word")) ;; esac; fi ;;
    hook)
      if [[ $word == -* ]]; then COMPREPLY=($(compgen -W '--vault --json --help' -- "$word"))
      else case $at in 1) COMPREPLY=($(compgen -W 'session-start user-prompt-submit stop session-end pre-compact post-compact' -- "$word")) ;; esac; fi ;;
    pause)
      if [[ $word == -* ]]; then COMPREPLY=($(compgen -W '--for --vault --json --help' -- "$word"))
      else case $at in 1) _loci_values sessions ;; esac; fi ;;
    resume)
      if [[ $word == -* ]]; then COMPREPLY=($(compgen -W '--vault --json --help' -- "$word"))
      else case $at in 1) _loci_values sessions ;; esac; fi ;;
    sync)
      if [[ $word == -* ]]; then COMPREPLY=($(compgen -W '--dry-run --setup --timeout --vault --json --help' -- "$word"))
      else case $at in 1) COMPREPLY=() ;; esac; fi ;;
    merge-driver)
      if [[ $word == -* ]]; then COMPREPLY=($(compgen -W '--vault --json --help' -- "$word"))
      else case $at in 1) COMPREPLY=($(compgen -f -- "$word")) ;; 2) COMPREPLY=($(compgen -f -- "$word")) ;; 3) COMPREPLY=($(compgen -f -- "$word")) ;; 4) COMPREPLY=($(compgen -f -- "$word")) ;; esac; fi ;;
    completion)
      if [[ $word == -* ]]; then COMPREPLY=($(compgen -W '--vault --json --help' -- "$word"))
      else case $at in 1) COMPREPLY=($(compgen -W 'bash zsh fish' -- "$word")) ;; esac; fi ;;
    help)
      if [[ $word == -* ]]; then COMPREPLY=($(compgen -W '--vault --json --help' -- "$word"))
      else case $at in *) COMPREPLY=($(compgen -W 'init add search context used count recent sessions session turn task digest show list edit correct forget restore remember consolidate log undo reindex resolve status doctor export import config daemon mcp panel service connect hook pause resume sync merge-driver completion help' -- "$word")) ;; esac; fi ;;
  esac
}
complete -F _loci loci
