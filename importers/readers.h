// One reader a format. Each is permissive about what it does not know, and says with `skip` what it left out. The formats are other
// programs' own and change without notice: what was seen of them stands at each reader.
#pragma once

#include "importers/record.h"

namespace loci::importers {

// conversations.cpp
Status read_chatgpt(const ImportSource& source, Records& records);  // the zip file of an export, its folder, or conversations.json
Status read_claude_ai(const ImportSource& source, Records& records);  // likewise
Status read_mem0(const ImportSource& source, Records& records);       // what get_all() gave, or an export: a JSON file

// transcripts.cpp
Status read_claude_transcripts(const ImportSource& source, Records& records);  // ~/.claude
Status read_codex(const ImportSource& source, Records& records);               // ~/.codex: sessions and memories

// memory_files.cpp
Status read_claude_code(const ImportSource& source, Records& records);  // ~/.claude: what it remembers of each project
Status read_codex_memories(const ImportSource& source, Records& records);
Status read_openclaw(const ImportSource& source, Records& records);   // ~/.openclaw/workspace
Status read_memsearch(const ImportSource& source, Records& records);  // a folder with .memsearch/
Status read_letta(const ImportSource& source, Records& records);      // ~/.letta
Status read_hermes(const ImportSource& source, Records& records);     // $HERMES_HOME

// basic_memory.cpp
Status read_basic_memory(const ImportSource& source, Records& records);  // a folder of notes

}  // namespace loci::importers
