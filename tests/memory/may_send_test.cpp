#include "memory/may_send.h"

#include <gmock/gmock.h>

#include "memory/correct.h"
#include "memory/forget.h"
#include "memory/remember.h"
#include "parser/writer.h"
#include "tests/memory/memory_fixture.h"

namespace loci {
namespace {

class MaySend : public MemoryTest {
 protected:
  void never_send(const std::string& rules) {
    folder.write("home/.config/loci/config.toml", "[privacy]\nnever_send = [" + rules + "]\n");
  }
  static bool may_send(Memory& memory, const std::string& id) {
    Sendable sendable(memory);
    const auto may = sendable.may_send(find_entry(memory, id, true).value());
    EXPECT_TRUE(may) << may.error().message;
    return may.value_or(true);
  }
  static std::string said(const std::string& id, int turn, const std::string& role, const std::string& text,
                          const std::string& more = "") {
    return "<!--m {\"id\":\"" + id + R"(","at":"2026-01-02T03:00:00Z","kind":"turn","session":"s","turn":)" + std::to_string(turn) +
           R"(,"role":")" + role + "\"" + more + "}-->\n" + text + "\n\n";
  }
};

TEST_F(MaySend, ATurnIsPrivateAsAWholeAndSoIsWhatWasMadeOfIt) {
  never_send("\"#secret\"");
  write("archive/sessions/2026-01-02-s.md",
        said("u0", 0, "user", "Good morning.") + said("a0", 0, "assistant", "Good morning.") +
            said("u1", 1, "user", "My pin, #secret") + said("a1", 1, "assistant", "Noted: 4711.") +
            said("u2", 2, "user", "Thanks.") +
            "<!--m {\"id\":\"s0\",\"kind\":\"session-summary\",\"session\":\"s\",\"turn\":0}-->\nThey greeted.\n\n"
            "<!--m {\"id\":\"s2\",\"kind\":\"session-summary\",\"session\":\"s\",\"turn\":2}-->\nA pin was noted: 4711.\n");
  write("archive/2026-01-02.md",
        "<!--m {\"id\":\"f1\",\"session\":\"s\",\"turn\":1}-->\nThe pin is 4711.\n\n"
        "<!--m {\"id\":\"f2\",\"session\":\"s\",\"turn\":2}-->\nThe user is thankful.\n\n"
        "<!--m {\"id\":\"f3\",\"corrects\":\"f1\"}-->\nThe pin is 4712.\n\n"
        "<!--m {\"id\":\"k1\",\"kind\":\"task-summary\",\"session\":\"s\",\"task\":\"t\"}-->\nPins.\n");
  write("consolidated/memory.md",
        "<!--m {\"id\":\"c1\",\"from\":[\"f2\",\"f3\"]}-->\nA pin, thanks.\n\n"
        "<!--m {\"id\":\"c2\",\"from\":[\"f2\"]}-->\nThanks.\n");
  Memory memory = open();
  ASSERT_TRUE(memory.bring_up_to_date());
  for (const char* id : {"u0", "a0", "u2", "s0", "f2", "c2"}) EXPECT_TRUE(may_send(memory, id)) << id;
  for (const char* id : {"u1", "a1", "s2", "f1", "f3", "k1", "c1"}) EXPECT_FALSE(may_send(memory, id)) << id;
}

// Git brings what another machine forgot before anybody here has taken the line out that shows it.
TEST_F(MaySend, ALineOfTheCoreWhoseEntryEndedIsPutBeforeNobody) {
  const std::string gone = "f1", standing = "f2";
  write("archive/2026-01-02.md",
        "<!--m {\"id\":\"f1\"}-->\nDeploys happen on Fridays.\n\n<!--m {\"id\":\"f2\"}-->\nTea is served at four.\n");
  Memory memory = open();
  ASSERT_TRUE(memory.bring_up_to_date());
  ASSERT_TRUE(forget(memory, {gone}, {}));
  const auto line = [](const std::string& ref, const std::string& text) {
    return "<!--m {\"ref\":\"" + ref + "\"}-->\n- " + text + "\n";
  };
  const std::string core = "<!-- loci:core begin -->\n" + line(gone, "Deploys happen on Fridays.") +
                           line(standing, "Tea is served at four.") + line("nobody-knows", "It rains.") +
                           "<!-- loci:core end -->\n";
  write("MEMORY.md", core);
  const auto part = Sendable(memory).sendable_part(core, "MEMORY.md");
  ASSERT_TRUE(part) << part.error().message;
  EXPECT_THAT(*part, testing::Not(testing::HasSubstr("Fridays")));
  EXPECT_THAT(*part, testing::AllOf(testing::HasSubstr("Tea is served at four."), testing::HasSubstr("It rains.")));
}

TEST_F(MaySend, ALineOfAPersonsOwnThatSaysWhatEndedIsPutBeforeNobodyAndStaysTheirs) {
  write("archive/2026-01-02.md",
        "<!--m {\"id\":\"f1\"}-->\nDeploys happen on Fridays.\n\n<!--m {\"id\":\"f2\"}-->\nTea is served at four.\n");
  const std::string core = "# Memory\n\n- Deploys happen on Fridays.\n- **Deploys happen on Fridays.**\n- Tea is served at four.\n";
  write("MEMORY.md", core);
  Memory memory = open();
  ASSERT_TRUE(memory.bring_up_to_date());
  EXPECT_EQ(Sendable(memory).sendable_part(core, "MEMORY.md").value(), core);
  ASSERT_TRUE(forget(memory, {"f1"}, {}));
  EXPECT_EQ(read("MEMORY.md"), core);
  const std::string part = Sendable(memory).sendable_part(core, "MEMORY.md").value();
  EXPECT_EQ(part, "# Memory\n\n- Tea is served at four.\n");
}

TEST_F(MaySend, WithoutRulesEverythingIsSent) {
  write("note.md", "Kept, #secret\n");
  Memory memory = open();
  const std::string id = id_of(memory, "Kept, #secret");
  EXPECT_TRUE(may_send(memory, id));
}

TEST_F(MaySend, WhatTookThePlaceOfSomethingPrivateIsPrivateThoughItIsGoneFromItsFile) {
  never_send("\"#secret\"");
  write("user.md", "My pin is 4711 #secret\n\nSails.\n");
  Memory memory = open();
  const auto changed = supersede(memory, id_of(memory, "My pin is 4711 #secret"), Edit{"My pin is 4712", {}}, Actor::agent);
  ASSERT_TRUE(changed) << changed.error().message;
  EXPECT_FALSE(may_send(memory, changed->id));
  EXPECT_TRUE(may_send(memory, id_of(memory, "Sails.")));
}

TEST_F(MaySend, AnAgentIsToldWhatFillsUserFileWithoutWhatIsPrivate) {
  never_send("\"#secret\"");
  write("user.md", "Sails.\n\n" + std::string(400, 'x') + " #secret\n\n" + std::string(500, 'y') + "\n");
  Memory memory = open();
  const std::string sails = id_of(memory, "Sails."), secret = id_of(memory, std::string(400, 'x') + " #secret");
  const std::string more(200, 'z');
  RememberRequest request;
  request.layer = Layer::L0;
  request.content = more;
  const auto added = remember(memory, request);
  request.action = RememberRequest::Action::update;
  request.target_id = sails;
  const auto changed = remember(memory, request);
  for (const auto& refused : {added, changed}) {
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::refused);
    EXPECT_THAT(refused.error().hint, testing::HasSubstr(sails + " (line 1, 6 characters)"));
    EXPECT_THAT(refused.error().hint, testing::Not(testing::HasSubstr(secret)));
  }
  EXPECT_THAT(correct(memory, sails, more).error().hint, testing::HasSubstr(secret)) << "a person may know";
}

TEST_F(MaySend, OfAFileThatIsPutBeforeAnAgentPrivateEntriesAreLeftOut) {
  never_send("\"#secret\", \"project:vault-x\"");
  write("consolidated/memory.md",
        "<!--m {\"id\":\"c1\",\"project\":\"vault-x\"}-->\nThe key is under the mat.\n\n"
        "<!--m {\"id\":\"c2\"}-->\nDeploys on Mondays.\n");
  const std::string core =
      "# Memory\n\nMine.\n\nAlso mine #secret\n\n<!-- loci:core begin -->\n<!--m {\"ref\":\"c1\"}-->\n- Key under the mat.\n"
      "<!--m {\"ref\":\"c2\"}-->\n- Deploys on Mondays.\n<!-- loci:core end -->\n";
  write("MEMORY.md", core);
  Memory memory = open();
  ASSERT_TRUE(memory.bring_up_to_date());
  Sendable sendable(memory);
  const std::string part = sendable.sendable_part(core, "MEMORY.md").value();
  EXPECT_FALSE(part.contains("mat")) << part;
  EXPECT_FALSE(part.contains("Also mine")) << part;
  EXPECT_TRUE(part.contains("\nMine.\n")) << part;
  EXPECT_TRUE(part.contains("- Deploys on Mondays.\n")) << part;
}

TEST_F(MaySend, WhatStandsBelowAPrivateHeadingIsPrivate) {
  never_send("\"#secret\"");
  const std::string text =
      "# Me\n\nSails.\n\n## Health #secret\n\n- Sees a doctor.\n\n### Pills\n\n- Takes two.\n\n## Work\n\nPaints.\n";
  write("user.md", text);
  Memory memory = open();
  for (const char* said : {"Sails.", "Paints."}) EXPECT_TRUE(may_send(memory, id_of(memory, said))) << said;
  for (const char* said : {"Sees a doctor.", "Takes two."}) EXPECT_FALSE(may_send(memory, id_of(memory, said))) << said;
  const std::string part = Sendable(memory).sendable_part(text, "user.md").value();
  for (const char* word : {"doctor", "two", "Health"}) EXPECT_FALSE(part.contains(word)) << part;
  for (const char* word : {"# Me", "Sails.", "## Work", "Paints."}) EXPECT_TRUE(part.contains(word)) << part;
}

TEST_F(MaySend, AHeadingIsPrivateHoweverMarkdownWritesIt) {
  never_send("\"#secret\"");
  const std::string text =
      "# Me\n\nSails.\n\n   ## Ward\u00A0＃se\u00ADcret ##\n\n- Sees somebody.\n\nClinic #secret\n------\n\n- Takes two.\n\n## "
      "Work\n\nPaints.\n";
  write("user.md", text);
  Memory memory = open();
  for (const char* said : {"Sails.", "Paints."}) EXPECT_TRUE(may_send(memory, id_of(memory, said))) << said;
  for (const char* said : {"Sees somebody.", "Takes two."}) EXPECT_FALSE(may_send(memory, id_of(memory, said))) << said;
  const std::string part = Sendable(memory).sendable_part(text, "user.md").value();
  for (const char* word : {"Ward", "somebody", "Clinic", "two", "---"}) EXPECT_FALSE(part.contains(word)) << part;
  for (const char* word : {"# Me", "Sails.", "## Work", "Paints."}) EXPECT_TRUE(part.contains(word)) << part;
}

TEST_F(MaySend, AMarkInATextOrAHeadingKeepsPrivateAlsoWhatHasNoSuchTag) {
  never_send("\"#secret\"");
  const std::string forms[] = {"(#secret)",          "**#secret**", "|#secret|",     "#a,#secret",
                               "\\#secret",          "&#35;secret", "x<br>#secret",  ">#secret",
                               "<div>#secret</div>", "    #secret", "\\`#secret\\`", "Pin 1 #[[secret]]"};
  std::string notes, headings, tags;
  for (const std::string& form : forms) notes += form + " in form " + std::to_string(notes.size()) + "\n\n";
  for (const char* form : {"(#secret)", "**#secret**", "\\#secret", "&#35;secret"})
    headings += "# Ward " + std::string(form) + "\n\nSees somebody.\n\n# Work\n\nPaints.\n\n";
  for (int tag = 0; tag < 1'000; ++tag) tags += " #t" + std::to_string(tag);
  write("notes.md", notes);
  write("headings.md", headings);
  write("many.md", "- Pin 2" + tags + " #secret\n- Pin 3" + tags + "\n");
  write("open.md", "Only code: `#secret`, C#secret and http://x/#secret\n\n```\n#secret\n```\n");
  Memory memory = open();
  ASSERT_TRUE(memory.bring_up_to_date());
  EntryFilter filter;
  size_t seen = 0;
  for (const char* file : {"notes.md", "headings.md", "many.md", "open.md"}) {
    filter.file = file;
    const auto entries = memory.reader().value()->list(filter, 100).value();
    for (const Entry& entry : entries) {
      ++seen;
      const bool is_open = entry.text == "Paints." || std::string(file) == "open.md";
      EXPECT_EQ(may_send(memory, entry.id), is_open) << entry.text.substr(0, 100);
    }
  }
  EXPECT_EQ(seen, std::size(forms) + 2 + 2 + 2);
  for (const std::string& text : {notes, headings}) {
    const std::string part = Sendable(memory).sendable_part("Mine.\n\n<!-- my (#secret) -->\n\n" + text, "user.md").value();
    EXPECT_FALSE(part.contains("secret")) << part;
    EXPECT_TRUE(part.starts_with("Mine.\n")) << part;
  }
}

// One tag as people and programs spell it: as a named tag, in a text, in a heading and in front matter.
TEST_F(MaySend, ATagThatAPersonSeesIsPrivateOnEveryRoad) {
  never_send("\"#secret\", \"project:vault\u00A0x\"");
  const std::string named[] = {"deploy #secret", "deploy secret",  "deploy;secret",  "deploy, secret",
                               "deploy\nsecret", "deploy，secret", "deploy、secret", "se\u200Bcret",
                               "\uFEFFsecret",   "＃ｓｅｃｒｅｔ", "\"secret\"",     "[secret]",
                               "(secret)",       "/secret",        "tag:secret",     "secret."};
  const std::string in_text[] = {"\u00A0#secret", "\u3000#secret", "\u202F#secret",  "\u2028#secret",
                                 "\u200B#secret", " ＃secret",     " #se\u00ADcret", " #\u2060secret"};
  std::vector<std::string> said;
  std::string archive, headings, notes;
  const auto text = [&](const std::string& more) {
    said.push_back("Kept back " + std::to_string(said.size()) + "." + more);
    return said.back();
  };
  for (const std::string& tag : named) {
    Metadata metadata;
    metadata.id = "n" + std::to_string(said.size());
    metadata.tags = {"work", tag};
    archive += write_entry(metadata, text("")).value() + "\n";
  }
  for (const char* project : {"vault x", "Vault\u00A0X", "vault  x", "vault\u200B x"}) {
    Metadata metadata;
    metadata.id = "p" + std::to_string(said.size());
    metadata.project = project;
    archive += write_entry(metadata, text("")).value() + "\n";
  }
  for (const std::string& tag : in_text) {
    notes += text(tag) + "\n\n";
    headings += "## Ward" + tag + "\n\n" + text("") + "\n\n";
  }
  write("archive/2026-01-02.md", archive);
  write("notes.md", notes);
  write("headings.md", headings);
  size_t files = 0;
  for (const char* tags :
       {"deploy, secret", "[deploy, \"＃secret\"]", "deploy、secret", "\"deploy\\u00A0secret\"", "\n  - deploy secret"})
    write("front" + std::to_string(files++) + ".md", "---\ntags: " + std::string(tags) + "\n---\n" + text("") + "\n");
  write("open.md", "Open to all, though #secretary and semi-secret things and C# are in it.\n");
  Memory memory = open();
  ASSERT_TRUE(memory.bring_up_to_date());
  for (const std::string& one : said) EXPECT_FALSE(may_send(memory, id_of(memory, one))) << one;
  EXPECT_TRUE(may_send(memory, id_of(memory, "Open to all, though #secretary and semi-secret things and C# are in it.")));
  EntryFilter filter;
  filter.tags = {"#Secret"};
  EXPECT_GE(memory.reader().value()->list(filter, 100).value().size(), std::size(named) - 1) << "and a filter finds it as well";
}

}  // namespace
}  // namespace loci
