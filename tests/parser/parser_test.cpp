// What is an entry, where it stands, and what its text is: the vault format page as tests.
#include "parser/parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parser/entry_text.h"
#include "parser/tag_marks.h"
#include "parser/tag_names.h"
#include "parser/text_hash.h"

namespace loci {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> texts(const ParsedFile& file) {
  std::vector<std::string> all;
  for (const ParsedEntry& entry : file.entries) all.push_back(entry.text);
  return all;
}
std::vector<std::string> texts_of(std::string_view markdown) { return texts(parse(markdown)); }

std::vector<std::string> ids_of(std::string_view markdown) {
  std::vector<std::string> all;
  for (const ParsedEntry& entry : parse(markdown).entries) all.push_back(entry.metadata ? entry.metadata->id : "none");
  return all;
}

std::vector<std::string> problems_of(std::string_view markdown) {
  std::vector<std::string> all;
  for (const ParseProblem& problem : parse(markdown).problems) all.push_back(std::to_string(problem.line) + " " + problem.code);
  return all;
}

// --- text without metadata ---

TEST(Parser, EveryTopLevelBlockButAHeadingIsAnEntry) {
  EXPECT_THAT(texts_of("# Title\n\npara\ngraph\n\n- one\n- two\n\n> quote\n\n```sh\nls\n```\n\n    "
                       "indented\n\n<div>\nhtml\n</div>\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"),
              ElementsAre("para\ngraph", "one", "two", "> quote", "```sh\nls\n```", "    indented", "<div>\nhtml\n</div>",
                          "| a | b |\n|---|---|\n| 1 | 2 |"));
}

TEST(Parser, NothingComesFromNothing) {
  for (const char* markdown : {"", "\n", "\n\n  \n", "\xEF\xBB\xBF", "# Only\n\n## headings\n", "---\n\n***\n",
                               "<!-- a comment -->\n", "- \n-\n", "```\n```\n", "> \n", "---\ntags: a\n---\n", "   \f\n"})
    EXPECT_THAT(texts_of(markdown), IsEmpty()) << markdown;
}

TEST(Parser, AListItemKeepsWhatIsNestedInIt) {
  EXPECT_THAT(texts_of("- one\n  - below\n    deeper\n\n  para\n- two\n"), ElementsAre("one\n- below\n  deeper\n\npara", "two"));
}

TEST(Parser, AListItemIsReadWithoutItsMark) {
  EXPECT_THAT(texts_of("- dash\n+ plus\n* star\n\n1. first\n2) second\n10. tenth\n    more\n"),
              ElementsAre("dash", "plus", "star", "first", "second", "tenth\nmore"));
  EXPECT_THAT(texts_of("  - indented\n    more\n-\ttab\n\tmore\n-\n  later\n-     code\n"),
              ElementsAre("indented\nmore", "tab\nmore", "later", "    code"));
  EXPECT_THAT(texts_of("- lazy\ncontinuation\n"), ElementsAre("lazy\ncontinuation"));
}

TEST(Parser, ACheckboxIsPartOfTheText) { EXPECT_THAT(texts_of("- [ ] open\n- [x] done\n"), ElementsAre("[ ] open", "[x] done")); }

TEST(Parser, ACalloutIsAQuote) { EXPECT_THAT(texts_of("> [!note] Title\n> body\n"), ElementsAre("> [!note] Title\n> body")); }

TEST(Parser, LinkDefinitionsAreNotLost) {
  EXPECT_THAT(texts_of("[a]: /one\n[b]: /two\n\ntext\n\n[c]: /three\n# H\n[d]: /four"),
              ElementsAre("[a]: /one\n[b]: /two", "text", "[c]: /three", "[d]: /four"));
}

TEST(Parser, CommentsOfAPersonAreNoEntries) {
  EXPECT_THAT(
      texts_of("<!-- loci:core begin -->\n<!-- loci:core end -->\n<!--\nseveral\n\nlines\n-->\ntext\n<!-- a --><!-- b -->\n"),
      ElementsAre("text"));
}

TEST(Parser, TextBehindACommentIsNotLost) {
  EXPECT_THAT(texts_of("<!-- a --> text\n"), ElementsAre("<!-- a --> text"));
  EXPECT_THAT(texts_of("<!-->text\n"), ElementsAre("<!-->text"));
}

// --- metadata ---

TEST(Parser, AMetadataCommentBelongsToTheNextBlockAlone) {
  const ParsedFile file = parse("<!--m {\"id\":\"a\",\"source\":\"agent\"}-->\nAgent's.\n\nA person's.\n");
  ASSERT_EQ(file.entries.size(), 2U);
  EXPECT_EQ(file.entries[0].id, "a");
  EXPECT_EQ(file.entries[0].metadata->source, Source::agent);
  EXPECT_EQ(file.entries[0].text, "Agent's.");
  EXPECT_FALSE(file.entries[1].metadata);
  EXPECT_EQ(file.entries[1].id, id_from_hash(text_hash("A person's.")));
  EXPECT_THAT(file.problems, IsEmpty());
}

TEST(Parser, BlankLinesMayStandBetweenMetadataAndText) {
  EXPECT_THAT(ids_of("<!--m {\"id\":\"a\"}-->\n\n\ntext\n"), ElementsAre("a"));
}

TEST(Parser, MetadataInterruptsAParagraphAListAndAQuote) {
  EXPECT_THAT(ids_of("para\n<!--m {\"id\":\"a\"}-->\na\n\n- item\n<!--m {\"id\":\"b\"}-->\nb\n\n> q\n<!--m {\"id\":\"c\"}-->\nc\n"),
              ElementsAre("none", "a", "none", "b", "none", "c"));
}

TEST(Parser, OfAListTheFirstItemTakesTheMetadata) {
  const ParsedFile file = parse("<!--m {\"id\":\"a\"}-->\n- one\n  - below\n- two\n");
  ASSERT_EQ(file.entries.size(), 2U);
  EXPECT_EQ(file.entries[0].id, "a");
  EXPECT_EQ(file.entries[0].text, "- one\n  - below");
  EXPECT_FALSE(file.entries[1].metadata);
  EXPECT_EQ(file.entries[1].text, "two");
}

TEST(Parser, MetadataInsideCodeQuotesAndListsIsText) {
  const std::string comment = "<!--m {\"id\":\"a\"}-->";
  for (const std::string& markdown :
       {"```\n" + comment + "\ntext\n```\n", "> " + comment + "\n> text\n", "- item\n\n  " + comment + "\n\n  text\n",
        "    " + comment + "\n    text\n", "- " + comment + "\n  text\n", " " + comment + "\n\ntext\n", "text " + comment + "\n",
        "<div>\n" + comment + "\ntext\n</div>\n"})
    for (const std::string& id : ids_of(markdown)) EXPECT_EQ(id, "none") << markdown;
}

TEST(Parser, AnEntryWithAnEndRunsToItsMarker) {
  const std::string markdown = "<!--m {\"id\":\"a\",\"end\":1}-->\n# Heading\n\n- one\n- two\n\n<!--/m-->\nperson\n";
  const ParsedFile file = parse(markdown);
  EXPECT_THAT(texts(file), ElementsAre("# Heading\n\n- one\n- two", "person"));
  EXPECT_EQ(markdown.substr(file.entries[0].begin, file.entries[0].end - file.entries[0].begin),
            "<!--m {\"id\":\"a\",\"end\":1}-->\n# Heading\n\n- one\n- two\n\n<!--/m-->\n");
  EXPECT_EQ(file.entries[0].line, 2);
  EXPECT_EQ(file.entries[0].line_end, 5);
  EXPECT_THAT(file.entries[1].section, IsEmpty()) << "a heading inside an entry is no section";
}

TEST(Parser, AnEntryWithoutItsEndMarkerStopsAtTheNextMetadata) {
  const char* markdown = "<!--m {\"id\":\"a\",\"end\":1}-->\none\n\ntwo\n\n<!--m {\"id\":\"b\"}-->\nthree\n";
  EXPECT_THAT(texts_of(markdown), ElementsAre("one\n\ntwo", "three"));
  EXPECT_THAT(problems_of(markdown), ElementsAre("1 unclosed-entry"));
  EXPECT_EQ(parse(markdown).open_end, OpenEnd::none);
}

TEST(Parser, EscapesComeOffOnlyWhereThereIsMetadata) {
  EXPECT_THAT(texts_of("<!--m {\"id\":\"a\"}-->\n\\<!-- text\n\n\\<!-- text\n"), ElementsAre("<!-- text", "\\<!-- text"));
  EXPECT_THAT(texts_of("<!--m {\"id\":\"a\"}-->\n```\n\\<!-- text\n```\n"), ElementsAre("```\n\\<!-- text\n```"));
}

TEST(Parser, BrokenMetadataNeverCostsText) {
  for (const char* comment :
       {"<!--m {\"id\":}-->", "<!--m {\"id\":\"a\",\"id\":\"b\"}-->", "<!--m {\"id\":7}-->", "<!--m {\"id\":\"a b\"}-->",
        "<!--m {\"id\":\"a\"", "<!--m {\"tags\":\"x\"}-->", "<!--m {\"source\":\"god\"}-->"}) {
    const std::string markdown = std::string("above\n") + comment + "\ntext\n\nmore\n";
    EXPECT_THAT(texts_of(markdown), ElementsAre("above", "text", "more")) << comment;
    EXPECT_THAT(ids_of(markdown), ElementsAre("none", "none", "none")) << comment;
    EXPECT_THAT(problems_of(markdown), ElementsAre("2 bad-metadata")) << comment;
  }
}

// As [privacy] never_send asks: by its tags, or by what may be one in its text.
bool is_private(const ParsedEntry& entry) {
  const auto is_meant = [](std::string_view tag) {
    const auto readings = tag_readings(tag);
    return std::ranges::find(readings, "private") != readings.end();
  };
  return std::ranges::any_of(entry.tags, is_meant) || has_mark(entry.text, MarksIn::prose, is_meant);
}

TEST(Parser, TagsOfAMetadataCommentWithAFaultCountForItsText) {
  for (const char* comment : {R"(<!--m {"id":"a","tags":["private"],}-->)",
                              R"(<!--m {"id":"a","tags":"private"}-->)",
                              R"(<!--m {"id":"a","tags":[["private"]]}-->)",
                              R"(<!--m {"id":"a","Tags":["private"]}-->)",
                              R"(<!--m {"id":"a","TAGS":"work, private"}-->)",
                              R"(<!--m {"id":"a","tag":"private"}-->)",
                              R"(<!--m {"id":"a","meta":{"tags":["private"]}}-->)",
                              R"(<!--m {"id":"a","tags":{"private":true}}-->)",
                              R"(<!--m {"id":"a","tags":["private"]-->)",
                              R"(<!--m {"id":"a","tags":["private"])",
                              R"(<!--m {"id":"a",tags:[private]}-->)",
                              R"(<!--m {'id':'a','tags':['private']}-->)",
                              R"(<!--m {"id":"a" "tags":["private"]}-->)",
                              R"(<!--m {"id":"a","tags":["private"],"tags":["work"]}-->)",
                              R"(<!--m {"id":"a","tags":["pri\u0076ate"],}-->)",
                              R"(<!--m{"id":"a","tags":["private"],}-->)",
                              R"(<!--M {"id":"a","tags":["private"]}-->)",
                              R"(<!--M{"tags":["private"]}-->)",
                              R"(<!-- m {"id":"a","tags":["private"]}-->)",
                              R"( <!--m {"id":"a","tags":["private"]}-->)",
                              R"(   <!--m {"id":"a","tags":"private"}-->)",
                              "<!--m {\n  \"id\":\"a\",\n  \"tags\":[\"private\"]\n}-->",
                              "<!--m {\"id\":\"a\",\n\"tags\":[\n\"private\"]}\n-->",
                              "<!--m\n{\"tags\":[\"private\"]}-->",
                              "<!--\nm {\"tags\":[\"private\"]}\n-->",
                              "<!-- tags: private -->",
                              "<!-- Tags：private -->",
                              "<!-- #private -->",
                              "<!--#work,#private-->",
                              "<!--m tags=private-->",
                              "<!--m {\u00A0\"tags\":[\"private\"]}-->",
                              "<!--m\u00A0{\"tags\":[\"private\"]}-->",
                              R"(    <!--m {"id":"a","tags":["private"]}-->)",
                              "\t<!-- tags: private -->",
                              "    <!--\ntags: private\n-->",
                              "\u00A0\u3000<!-- tags: private -->",
                              "\u200B<!--m {\"id\":\"a\",\"tags\":[\"private\"]}-->",
                              "> <!-- tags: private -->",
                              "- [ ] <!-- tags: private -->",
                              "1. > <!-- #private -->",
                              "<!--- #private --->",
                              "<!---> #private -->",
                              "<!-- see #private -->",
                              "<!-- `#private` -->",
                              "<!--m {\"id\":\"a\",“tags”:[“private”]}-->",
                              R"(<!--m {"id":"a","x":"of #private"}-->)",
                              R"(<!--m {"id":"a","x":"} -->","tags":["private"]}-->)",
                              R"(<!--m {"id":"a","tags":["private"]}-->
# A heading)",
                              "<!-- #private -->\n<!--m {\"id\":\"a\"}-->",
                              R"(<!--m {"id":"a","tags":["private"]}--> Beside.)",
                              R"(<!--m {"tags":["private"]}-->
<!-- a comment -->)"})
    for (const char* between : {"\n", "\n\n", "\r\n"}) {
      const ParsedFile file = parse("Above.\n\n" + std::string(comment) + between + "A secret.\n\nBelow.\n");
      const auto secret = std::ranges::find_if(file.entries, [](const auto& entry) { return entry.text.ends_with("A secret."); });
      ASSERT_NE(secret, file.entries.end()) << comment;
      EXPECT_TRUE(is_private(*secret)) << comment;
      EXPECT_THAT(file.entries.front().tags, IsEmpty()) << comment;
      EXPECT_THAT(file.entries.back().tags, IsEmpty()) << comment;
    }
}

TEST(Parser, TagsOfACommentWithNothingBelowItAreOfWhatStandsAbove) {
  const auto tags_of_secret = [](const std::string& file) { return parse(file).entries.at(1).tags; };
  for (const char* comment :
       {"<!-- #private -->", "<!-- tags: private -->", "  <!-- #private -->", "<!-- a -->\n<!-- #private -->"}) {
    for (const std::string& file :
         {"A secret.\n" + std::string(comment), "A secret.\n\n" + std::string(comment) + "\n\n",
          "A secret.\n" + std::string(comment) + "\n\nBelow.", "- A secret.\n\n- " + std::string(comment)})
      EXPECT_THAT(tags_of_secret("Above.\n\n" + file), ElementsAre("private")) << file;
    for (const std::string& file :
         {"Text.\n\n" + std::string(comment) + "\n\nBelow.", "Text.\n" + std::string(comment) + "\nBelow.",
          "Text.\n\n# Heading\n\n" + std::string(comment), "Text.\n\n" + std::string(comment) + "\n# Heading\n\nBelow."})
      EXPECT_THAT(tags_of_secret("Above.\n\n" + file), IsEmpty()) << file;
  }
}

TEST(Parser, CommentsThatNameNoTagsGiveNone) {
  for (const char* comment :
       {"<!-- a comment about private things -->", "<!-- stages: private -->", R"(<!--m {"id":"a","x":"tags"}-->)",
        "<!-- see http://x/#private, #12 -->", "```\n<!-- #private -->\n```", "`<!-- #private -->`\n",
        R"(<!--m {"id":"a","later":{"stage":"private"}}-->)"}) {
    const ParsedFile file = parse(std::string(comment) + "\nText.\n");
    EXPECT_THAT(file.entries.back().tags, IsEmpty()) << comment;
  }
}

TEST(Parser, TextOnTheLineOfAMetadataCommentIsAnEntryWithoutIt) {
  const char* markdown = "<!--m {\"id\":\"a\"}-->  same line \nnext line\n";
  EXPECT_THAT(texts_of(markdown), ElementsAre("same line", "next line"));
  EXPECT_THAT(ids_of(markdown), ElementsAre("none", "none"));
  EXPECT_THAT(problems_of(markdown), ElementsAre("1 bad-metadata"));
  EXPECT_THAT(ids_of("<!--m {\"id\":\"a\"}--> \t\nnext line\n"), ElementsAre("a")) << "blanks may follow";
}

TEST(Parser, MetadataWithoutTextIsAProblemAndTakesNothingElse) {
  for (const char* behind : {"", "# Heading\n", "---\n", "<!-- loci:core end -->\n", "<!-- a comment -->\n"})
    EXPECT_THAT(problems_of(std::string("<!--m {\"id\":\"a\"}-->\n") + behind), ElementsAre("1 metadata-without-text")) << behind;
  for (const char* between : {"# Heading\n", "---\n", "<!-- loci:core end -->\n", "<!-- a comment -->\n"})
    EXPECT_THAT(ids_of(std::string("<!--m {\"id\":\"a\"}-->\n") + between + "text\n"), ElementsAre("none")) << between;
}

TEST(Parser, OfTwoMetadataCommentsTheSecondCounts) {
  const char* markdown = "<!--m {\"id\":\"a\"}-->\n<!--m {\"id\":\"b\"}-->\ntext\n";
  EXPECT_THAT(ids_of(markdown), ElementsAre("b"));
  EXPECT_THAT(problems_of(markdown), ElementsAre("1 metadata-without-text"));
}

TEST(Parser, TheFirstOfTwoEntriesKeepsTheirId) {
  const char* markdown = "<!--m {\"id\":\"a\"}-->\none\n\n<!--m {\"id\":\"a\"}-->\n\\<!-- two\n";
  EXPECT_THAT(ids_of(markdown), ElementsAre("a", "none"));
  EXPECT_THAT(texts_of(markdown), ElementsAre("one", "<!-- two"));
  EXPECT_THAT(problems_of(markdown), ElementsAre("4 duplicate-id"));
}

TEST(Parser, AnEntryWithoutAnIdIsNamedAfterItsText) {
  const ParsedFile file =
      parse("<!-- loci:core begin -->\n<!--m {\"ref\":\"01jd8x2k9c4q\"}-->\n- Deploys on Fridays.\n<!-- loci:core end -->\n");
  ASSERT_EQ(file.entries.size(), 1U);
  EXPECT_EQ(file.entries[0].metadata->ref, "01jd8x2k9c4q");
  EXPECT_EQ(file.entries[0].id, id_from_hash(text_hash("Deploys on Fridays.")));
}

// --- places ---

TEST(Parser, LinesAndBytesAreThoseOfTheFile) {
  const std::string markdown =
      "\xEF\xBB\xBF---\ndate: 2026-11-21\n---\n\n# H\r\n\r\npara\r\ngraph\r\n\r\n<!--m {\"id\":\"a\"}-->\r\n\r\n- one\r\n  "
      "more\r\n\r\n\r\n- two";
  const ParsedFile file = parse(markdown);
  ASSERT_THAT(texts(file), ElementsAre("para\ngraph", "- one\n  more", "two"));
  const auto bytes = [&](size_t i) { return markdown.substr(file.entries[i].begin, file.entries[i].end - file.entries[i].begin); };
  EXPECT_EQ(bytes(0), "para\r\ngraph\r\n");
  EXPECT_EQ(bytes(1), "<!--m {\"id\":\"a\"}-->\r\n\r\n- one\r\n  more\r\n");
  EXPECT_EQ(bytes(2), "- two");
  EXPECT_EQ(file.entries[0].line, 7);
  EXPECT_EQ(file.entries[0].line_end, 8);
  EXPECT_EQ(file.entries[1].line, 12);
  EXPECT_EQ(file.entries[1].line_end, 13);
  EXPECT_EQ(file.entries[2].line, 16);
  EXPECT_EQ(file.entries[2].line_end, 16);
}

TEST(Parser, ALoneCarriageReturnEndsALine) {
  const ParsedFile file = parse("# H\rone\r\rtwo\r\n");
  EXPECT_THAT(texts(file), ElementsAre("one", "two"));
  EXPECT_EQ(file.entries[1].line, 4);
}

TEST(Parser, AByteOrderMarkHidesNothing) { EXPECT_THAT(ids_of("\xEF\xBB\xBF<!--m {\"id\":\"a\"}-->\ntext\n"), ElementsAre("a")); }

TEST(Parser, BytesThatAreNotUtf8AreReplacedAndReported) {
  const char* markdown = "fine\n\nbad \xff\xc3\n\n<!--m {\"id\":\"a\"}-->\nalso \x80 bad\n";
  EXPECT_THAT(texts_of(markdown), ElementsAre("fine", "bad \uFFFD\uFFFD", "also \uFFFD bad"));
  EXPECT_THAT(problems_of(markdown), ElementsAre("3 invalid-utf8"));
  EXPECT_THAT(texts_of(std::string_view("a\0b\n", 4)), ElementsAre("a\uFFFDb"));
}

TEST(Parser, FormFeedsAreText) { EXPECT_THAT(texts_of("one\f\n\f\ntwo\n\nthree"), ElementsAre("one\f\n\f\ntwo", "three")); }

TEST(Parser, HeadingsAboveAreTheSection) {
  const ParsedFile file = parse("top\n\n# One #\n\na\n\n### Three\n\nb\n\nTwo\nlines\n---\n\nc\n\n#\n\nd\n\n#hashtag is text\n");
  ASSERT_EQ(file.entries.size(), 6U);
  EXPECT_THAT(file.entries[0].section, IsEmpty());
  EXPECT_THAT(file.entries[1].section, ElementsAre("One"));
  EXPECT_THAT(file.entries[2].section, ElementsAre("One", "Three"));
  EXPECT_THAT(file.entries[3].section, ElementsAre("One", "Two lines"));
  EXPECT_THAT(file.entries[4].section, IsEmpty());
}

TEST(Parser, AHeadingMayBeginWithATag) {
  const auto section_below = [](const std::string& heading) { return parse(heading + "\n\ntext\n").entries[0].section; };
  EXPECT_THAT(section_below("# #private"), ElementsAre("#private"));
  EXPECT_THAT(section_below("  ##\t#private diary ##"), ElementsAre("#private diary"));
  EXPECT_THAT(section_below("# #"), IsEmpty());
}

TEST(Parser, HeadingsInListsAndQuotesAreNoSections) {
  const ParsedFile file = parse("- # in a list\n- b\n\n> # in a quote\n\ntext\n");
  for (const ParsedEntry& entry : file.entries) EXPECT_THAT(entry.section, IsEmpty());
}

TEST(Parser, TheTagsOfALongHeadingAreNotCutOff) {
  const std::string words(190, 'w');
  const auto section_below = [&](const std::string& heading) { return parse("# " + heading + "\n\ntext\n").entries[0].section[0]; };
  EXPECT_EQ(section_below("a #first " + words + " more words #private and #more"), "a #first " + words + " #private #more");
  EXPECT_EQ(section_below(words + " `in code #none` #private"), words + " `in code #private");
  EXPECT_EQ(section_below(words + " #private/diary"), words + " #private/ #private/diary");
  std::string many;
  for (int i = 0; i < 1'000; ++i) many += " #t" + std::to_string(i);
  EXPECT_EQ(section_below(words + many).size() / 1'000, 2u);
  EXPECT_TRUE(section_below(words + many).ends_with(more_tags)) << "so that nobody takes it for all of them";
  EXPECT_EQ(section_below(words + " more words (#private)"), words + " more word #private");
}

TEST(Parser, AHeadingIsCutAtAWholeCharacter) {
  std::string title;
  for (int i = 0; i < 150; ++i) title += "é";
  const ParsedFile file = parse("# a" + title + "\n\ntext\n");
  EXPECT_EQ(file.entries[0].section[0].size(), 199U);
  EXPECT_TRUE(file.entries[0].section[0].ends_with("é"));
}

// --- tags ---

TEST(Parser, TagsAreThoseOfMetadataFrontMatterAndText) {
  const ParsedFile file = parse(
      "---\ntags: [front, both]\n---\n<!--m {\"id\":\"a\",\"tags\":[\"#meta\",\"both\"]}-->\ntext #inline "
      "#meta\n\n```\n#code\n```\n");
  EXPECT_THAT(file.entries[0].tags, ElementsAre("meta", "both", "front", "inline"));
  EXPECT_THAT(file.entries[1].tags, ElementsAre("front", "both"));
}

// --- the end of the file ---

TEST(Parser, SaysWhatAnAppendWouldRunInto) {
  const std::pair<const char*, OpenEnd> cases[] = {
      {"text", OpenEnd::none},
      {"```\ncode", OpenEnd::fence},
      {"~~~~\ncode\n~~~\n", OpenEnd::fence},
      {"```\ncode\n```\n", OpenEnd::none},
      {"- ```\n  code\n", OpenEnd::none},
      {"> ```\n> code\n", OpenEnd::none},
      {"<!-- never closed\n\n", OpenEnd::comment},
      {"<!-- closed -->\n", OpenEnd::none},
      {"<!--m {\"id\":\"torn", OpenEnd::none},
      {"<script>\n\n", OpenEnd::html},
      {"<pre>\nx</pre>\n", OpenEnd::none},
      {"<?php\n", OpenEnd::html},
      {"<!DOCTYPE\n", OpenEnd::html},
      {"<![CDATA[\n", OpenEnd::html},
      {"<div>\ntext\n", OpenEnd::none},
      {"<a href=\"x\">\n", OpenEnd::none},
      {"<!--m {\"id\":\"a\",\"end\":1}-->\ntext\n", OpenEnd::entry},
      {"<!--m {\"id\":\"a\",\"end\":1}-->\n```\n", OpenEnd::fence},
      {"<!--m {\"id\":\"a\",\"end\":1}-->\ntext\n\n<!--/m-->\n", OpenEnd::none},
      {"---\ntags: a\n", OpenEnd::none},
      {"    code", OpenEnd::none},
  };
  for (const auto& [markdown, open_end] : cases) EXPECT_EQ(parse(markdown).open_end, open_end) << markdown;
}

TEST(Parser, ACommentThatIsNeverClosedIsReported) {
  EXPECT_THAT(problems_of("text\n\n<!-- oh\n\nlost\n"), ElementsAre("3 unclosed-comment"));
}

// --- conflicts ---

TEST(Parser, BothSidesOfAConflictAreEntriesAndTheFileIsHeld) {
  const char* markdown =
      "before\n\n<<<<<<< HEAD\n<!--m {\"id\":\"a\"}-->\nours\n=======\n<!--m {\"id\":\"b\"}-->\ntheirs\n>>>>>>> branch\n\nafter\n";
  const ParsedFile file = parse(markdown);
  EXPECT_THAT(texts(file), ElementsAre("before", "ours", "theirs", "after"));
  EXPECT_TRUE(file.held);
  EXPECT_THAT(problems_of(markdown), ElementsAre("3 conflict-markers"));
}

TEST(Parser, AConflictInsideAnEntryLeavesNoMarkerInItsText) {
  const ParsedFile file =
      parse("<!--m {\"id\":\"a\",\"end\":1}-->\none\n<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> branch\ntwo\n\n<!--/m-->\n");
  EXPECT_THAT(texts(file), ElementsAre("one\nours\ntheirs\ntwo"));
}

TEST(Parser, TheCommonBaseOfAConflictIsNoEntry) {
  EXPECT_THAT(texts_of("<<<<<<< HEAD\nours\n||||||| base\nold\n=======\ntheirs\n>>>>>>> branch\n"), ElementsAre("ours", "theirs"));
}

TEST(Parser, WhatOnlyLooksLikeAConflictIsText) {
  for (const char* markdown :
       {"<<<<<<< HEAD\ntext\n", "<<<<<<<no blank\n=======\n>>>>>>> b\n", "```\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> c\n```\n",
        "Title\n=======\n\ntext\n", "> <<<<<<< HEAD\n> =======\n> >>>>>>> b\n", "<<<<<<< a\n>>>>>>> b\n"}) {
    EXPECT_FALSE(parse(markdown).held) << markdown;
    EXPECT_THAT(texts_of(markdown), testing::Not(IsEmpty())) << markdown;
  }
}

TEST(Parser, AnIdOnBothSidesOfAConflictStaysWithTheFirst) {
  EXPECT_THAT(ids_of("<<<<<<< a\n<!--m {\"id\":\"x\"}-->\nours\n=======\n<!--m {\"id\":\"x\"}-->\ntheirs\n>>>>>>> b\n"),
              ElementsAre("x", "none"));
}

}  // namespace
}  // namespace loci
