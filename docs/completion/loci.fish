# fish completion for loci; made by 'loci completion fish'
function __loci_takes_value
  switch "$argv"
    case 'add --tag' 'add --project' 'add --task' 'add --category' 'add --confidence' 'add --session' 'add --turn' 'add --kind' 'search --layer' 'search --tag' 'search --project' 'search --source' 'search --kind' 'search --since' 'search --until' 'search --session' 'search --task' 'search --limit' 'search --asked-in' 'context --query' 'context --session' 'context --turn' 'context --budget' 'context --recent' 'context --project' 'context --task' 'context --since' 'context --until' 'used --session' 'used --turn' 'used --limit' 'used --before' 'count --encoding' 'recent --layer' 'recent --tag' 'recent --project' 'recent --source' 'recent --kind' 'recent --since' 'recent --until' 'recent --session' 'recent --task' 'recent --limit' 'recent --before' 'sessions --limit' 'turn --session' 'turn --turn' 'turn --message-id' 'turn --task' 'digest --since' 'digest --until' 'digest --session' 'list --layer' 'list --tag' 'list --project' 'list --source' 'list --kind' 'list --since' 'list --until' 'list --session' 'list --task' 'list --file' 'list --limit' 'list --after' 'edit --text' 'edit --tag' 'log --limit' 'reindex --file' 'resolve --text' 'export --format' 'export --to' 'import --from' 'daemon --log' 'service --credential' 'connect --plugin' 'pause --for' 'sync --timeout' '* --vault'
      return 0
  end
  return 1
end
function __loci_at -a wanted number on
  set -l command ''
  set -l at 1
  set -l is_value 0
  for word in (commandline -opc)[2..-1]
    if test $is_value = 1
      set is_value 0
    else if __loci_takes_value "$command $word"
      set is_value 1
    else if string match -q -- '-*' $word
      continue
    else if test -z "$command"
      set command $word
    else
      set at (math $at + 1)
    end
  end
  test "$command" = $wanted; or return 1
  test $at -eq $number; or test -n "$on" -a $at -gt $number
end
complete -c loci -f
complete -c loci -l vault -d 'the vault to use (else $LOCI_VAULT, else the nearest parent folder with .loci/)' -x -a '(__fish_complete_directories)'
complete -c loci -l json -d 'print one JSON value'
complete -c loci -l help -d 'say what a command does and takes'
complete -c loci -n __fish_use_subcommand -l version -d 'print the version'
complete -c loci -n __fish_use_subcommand -a init -d 'Make a folder a vault'
complete -c loci -n '__fish_seen_subcommand_from init' -l git -d 'also make it a git repository'
complete -c loci -n '__loci_at init 1' -x -a '(__fish_complete_directories)'
complete -c loci -n __fish_use_subcommand -a add -d 'Store an entry in today\'s archive'
complete -c loci -n '__fish_seen_subcommand_from add' -l tag -d 'give it this tag' -x -a '(loci __complete tags (commandline -ct) 2>/dev/null)'
complete -c loci -n '__fish_seen_subcommand_from add' -l project -d 'the project it belongs to' -x -a '(loci __complete projects (commandline -ct) 2>/dev/null)'
complete -c loci -n '__fish_seen_subcommand_from add' -l task -d 'the task it belongs to' -x -a '(loci __complete tasks (commandline -ct) 2>/dev/null)'
complete -c loci -n '__fish_seen_subcommand_from add' -l category -d 'preference, decision, or whatever you like' -x
complete -c loci -n '__fish_seen_subcommand_from add' -l confidence -d 'how sure it is, from 0 to 1' -x
complete -c loci -n '__fish_seen_subcommand_from add' -l session -d 'the conversation in which it was said' -x -a '(loci __complete sessions (commandline -ct) 2>/dev/null)'
complete -c loci -n '__fish_seen_subcommand_from add' -l turn -d 'and the turn of it' -x
complete -c loci -n '__fish_seen_subcommand_from add' -l kind -d 'what it is (else a fact)' -x -a 'fact turn session-summary task-summary'
complete -c loci -n '__fish_seen_subcommand_from add' -l jsonl -d 'read many from standard input, one JSON object a line'
complete -c loci -n __fish_use_subcommand -a search -d 'Find entries, best first'
complete -c loci -n '__fish_seen_subcommand_from search' -l layer -d 'only this layer' -x -a 'L0 L1 L2'
complete -c loci -n '__fish_seen_subcommand_from search' -l tag -d 'only with this tag' -x -a '(loci __complete tags (commandline -ct) 2>/dev/null)'
complete -c loci -n '__fish_seen_subcommand_from search' -l project -d 'only of this project' -x -a '(loci __complete projects (commandline -ct) 2>/dev/null)'
complete -c loci -n '__fish_seen_subcommand_from search' -l source -d 'only said by' -x -a 'correction user agent system'
complete -c loci -n '__fish_seen_subcommand_from search' -l kind -d 'only this kind' -x -a 'fact turn session-summary task-summary'
complete -c loci -n '__fish_seen_subcommand_from search' -l since -d 'from this date on' -x
complete -c loci -n '__fish_seen_subcommand_from search' -l until -d 'up to and with this date' -x
complete -c loci -n '__fish_seen_subcommand_from search' -l session -d 'only of this session' -x -a '(loci __complete sessions (commandline -ct) 2>/dev/null)'
complete -c loci -n '__fish_seen_subcommand_from search' -l task -d 'only of this task' -x -a '(loci __complete tasks (commandline -ct) 2>/dev/null)'
complete -c loci -n '__fish_seen_subcommand_from search' -l limit -d 'at most so many (else recall.limit, 8)' -x
complete -c loci -n '__fish_seen_subcommand_from search' -l threads -d 'rank sessions as well'
complete -c loci -n '__fish_seen_subcommand_from search' -l history -d 'search the whole archive too (layer L2)'
complete -c loci -n '__fish_seen_subcommand_from search' -l precise -d 'only what answers, or nothing'
complete -c loci -n '__fish_seen_subcommand_from search' -l inactive -d 'also what was forgotten or corrected'
complete -c loci -n '__fish_seen_subcommand_from search' -l asked-in -d 'the conversation that asks, for the record of what it was given' -x -a '(loci __complete sessions (commandline -ct) 2>/dev/null)'
complete -c loci -n '__fish_seen_subcommand_from search' -l explain -d 'show what each score is made of'
complete -c loci -n '__fish_seen_subcommand_from search' -l jsonl -d 'print one JSON hit a line'
complete -c loci -n __fish_use_subcommand -a context -d 'Show what an agent gets before it answers'
complete -c loci -n '__fish_seen_subcommand_from context' -l query -d 'the user\'s message' -x
complete -c loci -n '__fish_seen_subcommand_from context' -l session -d 'the conversation that it is for' -x -a '(loci __complete sessions (commandline -ct) 2>/dev/null)'
complete -c loci -n '__fish_seen_subcommand_from context' -l turn -d 'the number of the message in it' -x
complete -c loci -n '__fish_seen_subcommand_from context' -l budget -d 'at most so many tokens (else recall.max_injection_tokens, 2000)' -x
complete -c loci -n '__fish_seen_subcommand_from context' -l recent -d 'what was said before, as JSON: [{"role","text"}], oldest first' -r -F
complete -c loci -n '__fish_seen_subcommand_from context' -l project -d 'the project that is worked on' -x -a '(loci __complete projects (commandline -ct) 2>/dev/null)'
complete -c loci -n '__fish_seen_subcommand_from context' -l task -d 'the task that is worked on, for its state in the first block' -x -a '(loci __complete tasks (commandline -ct) 2>/dev/null)'
complete -c loci -n '__fish_seen_subcommand_from context' -l since -d 'with the conversations from this date on' -x
complete -c loci -n '__fish_seen_subcommand_from context' -l until -d 'up to and with this date' -x
complete -c loci -n __fish_use_subcommand -a used -d 'Show which memories an answer was given'
complete -c loci -n '__fish_seen_subcommand_from used' -l session -d 'the conversation (else the only one of the last hour)' -x -a '(loci __complete sessions (commandline -ct) 2>/dev/null)'
complete -c loci -n '__fish_seen_subcommand_from used' -l turn -d 'only this message of it' -x
complete -c loci -n '__fish_seen_subcommand_from used' -l limit -d 'the latest so many messages (else 100)' -x
complete -c loci -n '__fish_seen_subcommand_from used' -l before -d 'those before: the `next` of the page after them' -x
complete -c loci -n __fish_use_subcommand -a count -d 'Count the tokens of a text on standard input'
complete -c loci -n '__fish_seen_subcommand_from count' -l encoding -d 'whose tokens (else cl100k_base)' -x -a 'cl100k_base o200k_base'
complete -c loci -n '__fish_seen_subcommand_from count' -l jsonl -d 'read {"text"} a line, print {"tokens","exact"} a line'
complete -c loci -n __fish_use_subcommand -a recent -d 'Show the newest entries, newest first'
complete -c loci -n '__fish_seen_subcommand_from recent' -l layer -d 'only this layer' -x -a 'L0 L1 L2'
complete -c loci -n '__fish_seen_subcommand_from recent' -l tag -d 'only with this tag' -x -a '(loci __complete tags (commandline -ct) 2>/dev/null)'
complete -c loci -n '__fish_seen_subcommand_from recent' -l project -d 'only of this project' -x -a '(loci __complete projects (commandline -ct) 2>/dev/null)'
complete -c loci -n '__fish_seen_subcommand_from recent' -l source -d 'only said by' -x -a 'correction user agent system'
complete -c loci -n '__fish_seen_subcommand_from recent' -l kind -d 'only this kind' -x -a 'fact turn session-summary task-summary'
complete -c loci -n '__fish_seen_subcommand_from recent' -l since -d 'from this date on' -x
complete -c loci -n '__fish_seen_subcommand_from recent' -l until -d 'up to and with this date' -x
complete -c loci -n '__fish_seen_subcommand_from recent' -l session -d 'only of this session' -x -a '(loci __complete sessions (commandline -ct) 2>/dev/null)'
complete -c loci -n '__fish_seen_subcommand_from recent' -l task -d 'only of this task' -x -a '(loci __complete tasks (commandline -ct) 2>/dev/null)'
complete -c loci -n '__fish_seen_subcommand_from recent' -l limit -d 'at most so many (else 20)' -x
complete -c loci -n '__fish_seen_subcommand_from recent' -l before -d 'go on behind this entry' -x -a '(loci __complete ids (commandline -ct) 2>/dev/null)'
complete -c loci -n '__fish_seen_subcommand_from recent' -l jsonl -d 'print one JSON value a line'
complete -c loci -n __fish_use_subcommand -a sessions -d 'List the conversations, latest first'
complete -c loci -n '__fish_seen_subcommand_from sessions' -l limit -d 'at most so many (else 20)' -x
complete -c loci -n '__fish_seen_subcommand_from sessions' -l jsonl -d 'print one JSON value a line'
complete -c loci -n __fish_use_subcommand -a session -d 'Show one conversation whole, or end it'
complete -c loci -n '__fish_seen_subcommand_from session' -l jsonl -d 'print one JSON entry a line'
complete -c loci -n '__loci_at session 1' -x -a '(loci __complete sessions (commandline -ct) 2>/dev/null)'
complete -c loci -n '__loci_at session 2' -x -a '(loci __complete sessions (commandline -ct) 2>/dev/null)'
complete -c loci -n __fish_use_subcommand -a turn -d 'Store one turn of a conversation: JSON on standard input'
complete -c loci -n '__fish_seen_subcommand_from turn' -l session -d 'the conversation; any text is an id' -x -a '(loci __complete sessions (commandline -ct) 2>/dev/null)'
complete -c loci -n '__fish_seen_subcommand_from turn' -l turn -d 'its number, from 0 (else the next one)' -x
complete -c loci -n '__fish_seen_subcommand_from turn' -l message-id -d 'the agent\'s own id of the message' -x
complete -c loci -n '__fish_seen_subcommand_from turn' -l task -d 'the task that it belongs to' -x -a '(loci __complete tasks (commandline -ct) 2>/dev/null)'
complete -c loci -n __fish_use_subcommand -a task -d 'Keep what work in several conversations is about: start, update, complete, list'
complete -c loci -n '__loci_at task 1' -x -a 'start update complete list'
complete -c loci -n '__loci_at task 2' -x -a '(loci __complete tasks (commandline -ct) 2>/dev/null)'
complete -c loci -n __fish_use_subcommand -a digest -d 'Say what happened in a period, or in one conversation'
complete -c loci -n '__fish_seen_subcommand_from digest' -l since -d 'from this date on (else the last seven days)' -x
complete -c loci -n '__fish_seen_subcommand_from digest' -l until -d 'up to and with this date (else now)' -x
complete -c loci -n '__fish_seen_subcommand_from digest' -l session -d 'this conversation, without ending it' -x -a '(loci __complete sessions (commandline -ct) 2>/dev/null)'
complete -c loci -n '__fish_seen_subcommand_from digest' -l timeline -d 'the timeline, also if a model is configured'
complete -c loci -n __fish_use_subcommand -a show -d 'Show an entry whole, with its history and what supersedes it'
complete -c loci -n '__loci_at show 1' -x -a '(loci __complete ids (commandline -ct) 2>/dev/null)'
complete -c loci -n __fish_use_subcommand -a list -d 'List entries by file and line'
complete -c loci -n '__fish_seen_subcommand_from list' -l layer -d 'only this layer' -x -a 'L0 L1 L2'
complete -c loci -n '__fish_seen_subcommand_from list' -l tag -d 'only with this tag' -x -a '(loci __complete tags (commandline -ct) 2>/dev/null)'
complete -c loci -n '__fish_seen_subcommand_from list' -l project -d 'only of this project' -x -a '(loci __complete projects (commandline -ct) 2>/dev/null)'
complete -c loci -n '__fish_seen_subcommand_from list' -l source -d 'only said by' -x -a 'correction user agent system'
complete -c loci -n '__fish_seen_subcommand_from list' -l kind -d 'only this kind' -x -a 'fact turn session-summary task-summary'
complete -c loci -n '__fish_seen_subcommand_from list' -l since -d 'from this date on' -x
complete -c loci -n '__fish_seen_subcommand_from list' -l until -d 'up to and with this date' -x
complete -c loci -n '__fish_seen_subcommand_from list' -l session -d 'only of this session' -x -a '(loci __complete sessions (commandline -ct) 2>/dev/null)'
complete -c loci -n '__fish_seen_subcommand_from list' -l task -d 'only of this task' -x -a '(loci __complete tasks (commandline -ct) 2>/dev/null)'
complete -c loci -n '__fish_seen_subcommand_from list' -l file -d 'only of this file of the vault' -r -F
complete -c loci -n '__fish_seen_subcommand_from list' -l inactive -d 'also what was forgotten or corrected'
complete -c loci -n '__fish_seen_subcommand_from list' -l limit -d 'at most so many' -x
complete -c loci -n '__fish_seen_subcommand_from list' -l after -d 'go on behind this entry' -x -a '(loci __complete ids (commandline -ct) 2>/dev/null)'
complete -c loci -n '__fish_seen_subcommand_from list' -l jsonl -d 'print one JSON entry a line'
complete -c loci -n __fish_use_subcommand -a edit -d 'Change an entry\'s text or tags, or open it in your editor'
complete -c loci -n '__fish_seen_subcommand_from edit' -l text -d 'the new text; - reads it from standard input' -x
complete -c loci -n '__fish_seen_subcommand_from edit' -l tag -d 'the new tags, in place of the old ones; \'\' takes all off' -x -a '(loci __complete tags (commandline -ct) 2>/dev/null)'
complete -c loci -n '__loci_at edit 1' -x -a '(loci __complete ids (commandline -ct) 2>/dev/null)'
complete -c loci -n __fish_use_subcommand -a correct -d 'Replace a wrong entry by the right text'
complete -c loci -n '__loci_at correct 1' -x -a '(loci __complete ids (commandline -ct) 2>/dev/null)'
complete -c loci -n __fish_use_subcommand -a forget -d 'Forget entries'
complete -c loci -n '__fish_seen_subcommand_from forget' -l everywhere -d 'forget as well what else says nearly the same'
complete -c loci -n '__fish_seen_subcommand_from forget' -l purge -d 'blank the text in every file, the archive\'s too: for secrets'
complete -c loci -n '__fish_seen_subcommand_from forget' -l yes -d 'purge without asking'
complete -c loci -n '__loci_at forget 1 on' -x -a '(loci __complete ids (commandline -ct) 2>/dev/null)'
complete -c loci -n __fish_use_subcommand -a restore -d 'Take back a forget or a correction'
complete -c loci -n '__loci_at restore 1' -x -a '(loci __complete ended (commandline -ct) 2>/dev/null)'
complete -c loci -n __fish_use_subcommand -a remember -d 'The agent\'s way to write: JSON on standard input'
complete -c loci -n __fish_use_subcommand -a consolidate -d 'Fold pending facts into durable ones, when it is time'
complete -c loci -n '__fish_seen_subcommand_from consolidate' -l force -d 'do not wait for the time, the number of facts, or facts that failed before'
complete -c loci -n '__fish_seen_subcommand_from consolidate' -l dry-run -d 'say how many calls and tokens it would take; change nothing'
complete -c loci -n '__fish_seen_subcommand_from consolidate' -l explain -d 'with --dry-run: the clusters, and what would be asked'
complete -c loci -n '__fish_seen_subcommand_from consolidate' -l rebuild -d 'settle every fact anew, from the archive; entries that rest on facts are replaced'
complete -c loci -n '__fish_seen_subcommand_from consolidate' -l abandon -d 'with --rebuild: give up one that was stopped'
complete -c loci -n __fish_use_subcommand -a log -d 'Show what consolidation did: the runs, or one of them whole'
complete -c loci -n '__fish_seen_subcommand_from log' -l limit -d 'at most so many runs, or edits (else 20)' -x
complete -c loci -n '__fish_seen_subcommand_from log' -l edits -d 'what you did to loci\'s files by hand, what it was made from, and what became of it'
complete -c loci -n '__loci_at log 1' -x -a '(loci __complete runs (commandline -ct) 2>/dev/null)'
complete -c loci -n __fish_use_subcommand -a undo -d 'Take one run of consolidation back'
complete -c loci -n '__loci_at undo 1' -x -a '(loci __complete runs (commandline -ct) 2>/dev/null)'
complete -c loci -n __fish_use_subcommand -a reindex -d 'Bring the search index up to date with the files'
complete -c loci -n '__fish_seen_subcommand_from reindex' -l clear -d 'throw the index away and build it anew'
complete -c loci -n '__fish_seen_subcommand_from reindex' -l file -d 'look at this file of the vault alone' -r -F
complete -c loci -n __fish_use_subcommand -a resolve -d 'Say what you meant by an edit that changed much at once, or put git\'s conflicts together'
complete -c loci -n '__fish_seen_subcommand_from resolve' -l keep -d 'the file as it is now is what you mean: what is gone is deleted, what is changed is yours'
complete -c loci -n '__fish_seen_subcommand_from resolve' -l restore -d 'put the entries back as they were; what was added since stays'
complete -c loci -n '__fish_seen_subcommand_from resolve' -l ours -d 'of a conflict: where the two sides differ in one thing, take what this machine had said'
complete -c loci -n '__fish_seen_subcommand_from resolve' -l theirs -d 'of a conflict: take what the other side said'
complete -c loci -n '__fish_seen_subcommand_from resolve' -l both -d 'of a conflict: one entry with both texts, words without an id one behind the other'
complete -c loci -n '__fish_seen_subcommand_from resolve' -l text -d 'of one conflict: that entry, or those words, say this from now on' -x
complete -c loci -n '__loci_at resolve 1' -r -F
complete -c loci -n __fish_use_subcommand -a status -d 'Say how the memory is: numbers, freshness, problems'
complete -c loci -n '__fish_seen_subcommand_from status' -l wait -d 'return when everything that was saved before is searchable'
complete -c loci -n '__fish_seen_subcommand_from status' -l seen -d 'list what agents changed of yours no more: you have looked at it'
complete -c loci -n __fish_use_subcommand -a doctor -d 'Compare the index with a fresh scan and list every problem'
complete -c loci -n '__fish_seen_subcommand_from doctor' -l repair -d 'mend what is derived: the index, permissions of the state folder, our own leftovers'
complete -c loci -n __fish_use_subcommand -a export -d 'Write everything that counts, as JSON or as markdown'
complete -c loci -n '__fish_seen_subcommand_from export' -l format -d 'what to write (else json)' -x -a 'json md'
complete -c loci -n '__fish_seen_subcommand_from export' -l jsonl -d 'print one JSON entry a line'
complete -c loci -n '__fish_seen_subcommand_from export' -l to -d 'write PATH for another program' -x -a 'claude-code basic-memory mem0 json md'
complete -c loci -n '__fish_seen_subcommand_from export' -l private -d 'with --to: also what [privacy] never_send names'
complete -c loci -n '__loci_at export 1' -r -F
complete -c loci -n __fish_use_subcommand -a import -d 'Take in another memory'
complete -c loci -n '__fish_seen_subcommand_from import' -l from -d 'what it comes from (else loci, if there is a PATH)' -x -a 'loci claude-code claude-transcripts codex openclaw letta hermes basic-memory memsearch mem0 chatgpt claude-ai'
complete -c loci -n '__fish_seen_subcommand_from import' -l dry-run -d 'say what would be added, and add nothing'
complete -c loci -n '__loci_at import 1' -r -F
complete -c loci -n __fish_use_subcommand -a config -d 'Show or set settings, and where each comes from'
complete -c loci -n '__fish_seen_subcommand_from config' -l user -d 'set it in your own configuration, for all vaults'
complete -c loci -n '__loci_at config 1' -x -a '(loci __complete settings (commandline -ct) 2>/dev/null)'
complete -c loci -n __fish_use_subcommand -a daemon -d 'Keep the index right while files change, and answer on a socket'
complete -c loci -n '__fish_seen_subcommand_from daemon' -l log -d 'how much to say on stderr (info if not given)' -x -a 'debug info notice warning error'
complete -c loci -n __fish_use_subcommand -a mcp -d 'Serve an agent by the Model Context Protocol, on standard input and output'
complete -c loci -n __fish_use_subcommand -a panel -d 'Open the memory in your browser'
complete -c loci -n '__fish_seen_subcommand_from panel' -l print -d 'print the address instead of opening a browser; it is good for 5 minutes then, else for 60 s'
complete -c loci -n __fish_use_subcommand -a service -d 'Let systemd keep a daemon running for this vault'
complete -c loci -n '__fish_seen_subcommand_from service' -l socket -d 'install: let systemd open the socket, and start the daemon when it is first used'
complete -c loci -n '__fish_seen_subcommand_from service' -l credential -d 'install: hand a key\'s file to the daemon (LoadCredential=)' -x
complete -c loci -n '__fish_seen_subcommand_from service' -l no-start -d 'install: only write the units'
complete -c loci -n '__fish_seen_subcommand_from service' -l print -d 'install: print the units and write nothing'
complete -c loci -n '__loci_at service 1' -x -a 'install remove'
complete -c loci -n __fish_use_subcommand -a connect -d 'Give an agent this memory: its hooks and its MCP server'
complete -c loci -n '__fish_seen_subcommand_from connect' -l project -d 'for this folder only (else for you, everywhere)'
complete -c loci -n '__fish_seen_subcommand_from connect' -l dry-run -d 'show what would change, and change nothing'
complete -c loci -n '__fish_seen_subcommand_from connect' -l remove -d 'disconnect it: its files become what they were'
complete -c loci -n '__fish_seen_subcommand_from connect' -l plugin -d 'make a plugin of Claude Code in this folder, and connect nothing' -x -a '(__fish_complete_directories)'
complete -c loci -n '__loci_at connect 1' -x -a 'claude-code codex gemini opencode openclaw'
complete -c loci -n __fish_use_subcommand -a hook -d 'What an agent calls at its events: JSON on standard input'
complete -c loci -n '__loci_at hook 1' -x -a 'session-start user-prompt-submit stop session-end pre-compact post-compact'
complete -c loci -n __fish_use_subcommand -a pause -d 'Remember nothing for a while'
complete -c loci -n '__fish_seen_subcommand_from pause' -l for -d 'for so long: 90s, 30m, 2h, 1d (else until \'loci resume\')' -x
complete -c loci -n '__loci_at pause 1' -x -a '(loci __complete sessions (commandline -ct) 2>/dev/null)'
complete -c loci -n __fish_use_subcommand -a resume -d 'End a pause, of one conversation or of all'
complete -c loci -n '__loci_at resume 1' -x -a '(loci __complete sessions (commandline -ct) 2>/dev/null)'
complete -c loci -n __fish_use_subcommand -a sync -d 'Exchange the vault with a git repository that other machines use, too'
complete -c loci -n '__fish_seen_subcommand_from sync' -l dry-run -d 'fetch and say what would be exchanged, and change nothing'
complete -c loci -n '__fish_seen_subcommand_from sync' -l setup -d 'have git merge by loci here; with URL: exchange with that repository from now on'
complete -c loci -n '__fish_seen_subcommand_from sync' -l timeout -d 'how long the remote may take for an answer (5m)' -x
complete -c loci -n __fish_use_subcommand -a merge-driver -d 'Merge three versions of a file of entries, for git'
complete -c loci -n '__loci_at merge-driver 1' -r -F
complete -c loci -n '__loci_at merge-driver 2' -r -F
complete -c loci -n '__loci_at merge-driver 3' -r -F
complete -c loci -n '__loci_at merge-driver 4' -r -F
complete -c loci -n __fish_use_subcommand -a completion -d 'Print the completion script of a shell'
complete -c loci -n '__loci_at completion 1' -x -a 'bash zsh fish'
complete -c loci -n __fish_use_subcommand -a help -d 'Say what a command does and takes'
complete -c loci -n '__loci_at help 1 on' -x -a 'init add search context used count recent sessions session turn task digest show list edit correct forget restore remember consolidate log undo reindex resolve status doctor export import config daemon mcp panel service connect hook pause resume sync merge-driver completion help'
