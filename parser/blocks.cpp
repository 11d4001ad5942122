#include "parser/blocks.h"

// cmark_parser's root and current block are reached through its installed internal header.
extern "C" {
#include <cmark-gfm/node.h>
#include <cmark-gfm/parser.h>
}

#include <memory>
#include <string>

#include "parser/comments.h"

namespace loci {
namespace {

constexpr int depth_limit = 64;
constexpr size_t bytes_of_definition = 160;  // `[a]: b`, which cmark keeps to the end

struct ParserDeleter {
  void operator()(cmark_parser* parser) const { cmark_parser_free(parser); }
};

BlockType type_of(const cmark_node& node) {
  switch (node.type) {
    case CMARK_NODE_HEADING:
      return BlockType::heading;
    case CMARK_NODE_THEMATIC_BREAK:
      return BlockType::rule;
    case CMARK_NODE_BLOCK_QUOTE:
      return BlockType::quote;
    case CMARK_NODE_CODE_BLOCK:
      return node.as.code.fenced ? BlockType::fenced_code : BlockType::indented_code;
    case CMARK_NODE_HTML_BLOCK:
      return BlockType::html;
    default:
      return BlockType::paragraph;
  }
}

// Feeds cmark line by line and notes each top-level block when it appears.
class BlockScanner {
 public:
  explicit BlockScanner(std::vector<Block>& blocks) : blocks_(blocks) { restart(0); }

  // False if the line nests too deep; all open blocks end with it then.
  bool feed(size_t line, std::string_view bytes) {
    cmark_parser_feed(parser_.get(), bytes.data(), bytes.size());
    const cmark_node* top = parser_->root->last_child;
    if (!top) return true;
    if (top->type == CMARK_NODE_LIST)
      note_list(*top);
    else
      note_block(*top);
    definitions_ += bytes.find("]:") != std::string_view::npos ? 1 : 0;
    if (!is_too_deep(*top)) return free_finished(), true;
    restart(line + 1);
    return false;
  }

  // Bytes that cmark holds, about: the text of the open block, and what it remembers of link definitions.
  size_t memory() const { return definitions_ * bytes_of_definition; }

  // The block that the last line's text went into.
  const cmark_node& leaf() const { return *parser_->current; }

  OpenBlock open() const {
    const cmark_node* current = parser_->current;
    if (current->parent != parser_->root) return OpenBlock::none;
    if (current->type == CMARK_NODE_CODE_BLOCK) return current->as.code.fenced ? OpenBlock::fence : OpenBlock::none;
    // HTML blocks of kinds 6 and 7 end at a blank line; the others need their own end.
    if (current->type != CMARK_NODE_HTML_BLOCK || current->as.html_block_type >= 6) return OpenBlock::none;
    return current->as.html_block_type == 2 ? OpenBlock::comment : OpenBlock::raw_html;
  }

 private:
  // What stands before the last child of an open block is finished: nothing that comes changes it, and nothing here looks at it
  // again.
  void free_finished() {
    for (cmark_node* open = parser_->root; open; open = open->last_child)
      while (open->first_child != open->last_child) cmark_node_free(open->first_child);
  }

  void restart(size_t line) {
    definitions_ = 0;
    parser_.reset(cmark_parser_new(CMARK_OPT_DEFAULT));
    // cmark takes a byte order mark off its first line. Here that line may stand anywhere, so it is an empty one.
    cmark_parser_feed(parser_.get(), "\n", 1);
    first_line_ = line;
    known_items_ = 0;
    last_top_line_ = 0;
  }

  std::uint32_t line_of(const cmark_node& node) const {
    return static_cast<std::uint32_t>(first_line_ + static_cast<size_t>(node.start_line) - 2);
  }

  void note_block(const cmark_node& node) {
    // A smaller line: the paragraph behind it held only link definitions and has left the tree. It keeps its place here.
    if (node.start_line < last_top_line_) return;
    if (node.start_line > last_top_line_) {
      last_top_line_ = node.start_line;
      blocks_.push_back({.line = line_of(node)});
    }
    blocks_.back().type = type_of(node);  // a paragraph becomes a heading when its underline comes
    blocks_.back().heading_level = static_cast<std::uint8_t>(node.type == CMARK_NODE_HEADING ? node.as.heading.level : 0);
  }

  void note_list(const cmark_node& list) {
    if (list.start_line < last_top_line_) return;
    if (list.start_line > last_top_line_) {
      last_top_line_ = list.start_line;
      known_items_ = 0;
    }
    const cmark_node* item = list.last_child;
    if (!item || item->start_line <= known_items_) return;
    blocks_.push_back({.line = line_of(*item), .type = BlockType::list_item, .starts_list = known_items_ == 0});
    known_items_ = item->start_line;
  }

  static bool is_too_deep(const cmark_node& top) {
    int depth = 0;
    for (const cmark_node* node = &top; node; node = node->last_child)
      if (++depth > depth_limit) return true;
    return false;
  }

  std::vector<Block>& blocks_;
  std::unique_ptr<cmark_parser, ParserDeleter> parser_;
  size_t first_line_ = 0;   // that cmark counts as line 2
  int last_top_line_ = 0;   // cmark's line of the newest top-level node
  int known_items_ = 0;     // cmark's line of the newest item of the newest list; 0: none yet
  size_t definitions_ = 0;  // lines that may be one
};

// What cmark is to see of a line. `buffer` holds it if it differs from the line.
std::string_view prepared(const Lines& lines, size_t line, OpenBlock open, std::string& buffer) {
  const std::string_view bytes = lines.with_end(line);
  const std::string_view text = lines[line];
  // A torn or unclosed metadata comment ends with its line: it must not swallow the text behind it.
  const bool unclosed = open == OpenBlock::none && opens_metadata(text) && text.find("-->") == std::string_view::npos;
  // A lone CR at the end would make cmark skip an LF at the start of the next line.
  if (bytes.ends_with('\n') && !unclosed) return bytes;
  buffer = text;
  if (unclosed) buffer += "-->";
  buffer += '\n';
  return buffer;
}

Outline scan(const Lines& lines, ConflictMarkers markers, size_t most_memory) {
  Outline outline;
  BlockScanner scanner(outline.blocks);
  std::string buffer;
  for (size_t line = 0; line < lines.count(); ++line) {
    const OpenBlock open = scanner.open();
    if (markers.drops(line, lines[line], open == OpenBlock::fence)) {
      outline.dropped.push_back(line);
      scanner.feed(line, "\n");
    } else if (!scanner.feed(line, prepared(lines, line, open, buffer))) {
      outline.deep_lines.push_back(line);
    }
    if (memory_of(outline) + scanner.memory() <= most_memory) continue;
    outline.complete = false;
    break;
  }
  outline.open = scanner.open();
  outline.conflicts = markers.complete();
  outline.open_conflict = markers.incomplete();
  return outline;
}

bool is_fence_alone(std::string_view line) {
  const size_t begin = std::min(line.find_first_not_of(" \t>"), line.size());
  const std::string_view marks = line.substr(begin, line.find_last_not_of(" \t") + 1 - begin);
  return marks.size() >= 3 && (marks[0] == '`' || marks[0] == '~') && marks.find_first_not_of(marks[0]) == std::string_view::npos;
}

// Gives the lines numbers, and makes code of a fence once it is closed.
class LeafReader {
 public:
  explicit LeafReader(const Lines& lines) : lines_(lines), leaves_(lines.count()) {}

  std::vector<Leaf> run() {
    std::vector<Block> blocks;
    BlockScanner scanner(blocks);
    std::string line_with_end;
    for (size_t line = 0; line < lines_.count(); ++line) {
      line_with_end = lines_[line];
      line_with_end += '\n';
      const bool is_known = scanner.feed(line, line_with_end);
      take(line, is_known ? &scanner.leaf() : nullptr);
    }
    return std::move(leaves_);
  }

 private:
  void take(size_t line, const cmark_node* leaf) {
    const bool is_fence = leaf && leaf->type == CMARK_NODE_CODE_BLOCK && leaf->as.code.fenced;
    if (fence_ && !(is_fence && is_last(*leaf))) {
      if (!is_fence && is_fence_alone(lines_[line])) close_fence(line);
      fence_.reset();
    }
    if (leaf && !is_last(*leaf)) {
      ++block_;
      last_ = leaf;
      last_line_ = leaf->start_line;
      if (is_fence) fence_ = line;
    }
    const bool is_text = leaf && (leaf->type == CMARK_NODE_PARAGRAPH || leaf->type == CMARK_NODE_HEADING);
    leaves_[line] = {is_text ? Leaf::Kind::text : Leaf::Kind::none, block_};
  }

  bool is_last(const cmark_node& leaf) const { return &leaf == last_ && leaf.start_line == last_line_; }

  void close_fence(size_t line) {
    for (size_t code = *fence_ + 1; code < line; ++code) leaves_[code].kind = Leaf::Kind::fenced_code;
  }

  const Lines& lines_;
  std::vector<Leaf> leaves_;
  std::optional<size_t> fence_;  // the line of the one that is open
  const cmark_node* last_ = nullptr;
  int last_line_ = 0;
  std::uint32_t block_ = 0;
};

}  // namespace

std::vector<Leaf> leaves_of(const Lines& lines) { return LeafReader(lines).run(); }

size_t memory_of(const Outline& outline) {
  return outline.blocks.capacity() * sizeof(Block) + outline.dropped.capacity() * sizeof(size_t) +
         outline.deep_lines.capacity() * sizeof(size_t) + outline.conflicts.capacity() * sizeof(ConflictRegion);
}

Outline outline_of(const Lines& lines, size_t most_memory) {
  Outline outline = scan(lines, ConflictMarkers(), most_memory);
  if (!outline.open_conflict || !outline.complete) return outline;
  // What looked like the start of a conflict was none: once more, with the lines from there on as plain text.
  const size_t stray = *outline.open_conflict;
  outline = scan(lines, ConflictMarkers(stray), most_memory);
  outline.open_conflict = stray;
  return outline;
}

}  // namespace loci
