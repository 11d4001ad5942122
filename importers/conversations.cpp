// Exports that are one JSON array, of conversations or of memories.
#include <algorithm>
#include <array>
#include <set>

#include "importers/claude_ai.h"
#include "importers/members.h"
#include "importers/notes.h"
#include "importers/readers.h"
#include "importers/times.h"

namespace loci::importers {
namespace {

bool is_conversations_file(std::string_view name) {
  const std::string_view base = name.substr(name.rfind('/') == std::string_view::npos ? 0 : name.rfind('/') + 1);
  return base.starts_with("conversations") && base.ends_with(".json");
}

Status read_array(Member& member, Records& records, std::span<const std::string_view> keys,
                  const std::function<Status(const Json&)>& take) {
  auto read = for_each_element(
      member.read, keys, {take, [&](const std::string& reason) { records.skip("cannot be read", member.name + ": " + reason); }});
  if (!read && read.error().code == ErrorCode::usage) read.error().message = member.name + ": " + read.error().message;
  return read;
}

Status read_members(const ImportSource& source, const std::function<bool(std::string_view)>& is_wanted,
                    const std::function<Status(Member&)>& read) {
  bool found = false;
  TRY(for_each_member(source, is_wanted, [&](Member& member) {
    found = true;
    return read(member);
  }));
  if (!found)
    return fail(ErrorCode::usage, source.root.string() + " has no conversations.json",
                "give the zip file of the export, its folder, or that file");
  return {};
}

// --- ChatGPT: {title, create_time, update_time, current_node, mapping {id: {message, parent, children}}} ---

// {author {role}, create_time, content {content_type, parts}, recipient, metadata}
class ChatGptConversation {
 public:
  ChatGptConversation(const Json& json, Records& records) : json_(json), records_(records) {}

  Status read() {
    std::string id = json_.text_at("conversation_id");
    if (id.empty()) id = json_.text_at("id");
    Conversation conversation(records_, "chatgpt-" + id);
    conversation.set_title(json_.text_at("title"));
    const auto nodes = way_to_current_node();
    if (nodes.empty()) {
      records_.skip("a conversation without messages", json_.text_at("title"));
      return {};
    }
    std::vector<std::optional<Instant>> times;
    for (const Json* node : nodes) {
      const Json* message = node->find("message");
      times.push_back(message ? time_at(*message, "create_time", records_) : std::nullopt);
    }
    auto at = begun(times);
    for (size_t i = 0; i < nodes.size(); ++i) {
      const Json* message = nodes[i]->find("message");
      if (!message || !message->as_object()) continue;
      if (times[i]) at = times[i];
      TRY(take(conversation, *message, at));
    }
    return conversation.end();
  }

 private:
  // What was said, without the branches that were given up: from the newest message back to the root.
  std::vector<const Json*> way_to_current_node() const {
    std::vector<const Json*> way;
    std::set<std::string> seen;
    const Json* mapping = json_.find("mapping");
    if (!mapping) return way;
    for (std::string id = json_.text_at("current_node"); !id.empty() && seen.insert(id).second;) {
      const Json* node = mapping->find(id);
      if (!node) break;
      way.push_back(node);
      id = node->text_at("parent");
    }
    std::ranges::reverse(way);
    return way;
  }

  std::optional<Instant> begun(const std::vector<std::optional<Instant>>& times) const {
    if (const auto created = time_at(json_, "create_time", records_)) return created;
    const auto first = std::ranges::find_if(times, [](const auto& time) { return time.has_value(); });
    return first == times.end() ? time_at(json_, "update_time", records_) : *first;
  }

  static bool is_transcript(const Json& part) { return part.text_at("content_type") == "audio_transcription"; }

  // What was spoken comes as its words beside the sound. Of a picture there is only that it was there.
  static std::string text_of_part(const Json& part, bool is_spoken) {
    if (const std::string* words = part.as_string()) return *words;
    if (!part.as_object() || is_transcript(part)) return part.text_at("text");
    const std::string type = part.text_at("content_type");
    return is_spoken && type.contains("audio") ? std::string() : "[" + type + "]";
  }

  static std::string text_of(const Json& content) {
    const std::string type = content.text_at("content_type");
    if (type == "code") return "```\n" + content.text_at("text") + "\n```";
    const auto& parts = content.array_at("parts");
    const bool is_spoken = std::ranges::any_of(parts, is_transcript);
    std::string text;
    for (const Json& part : parts) {
      const std::string piece = text_of_part(part, is_spoken);
      if (piece.empty()) continue;
      if (!text.empty()) text += '\n';
      text += piece;
    }
    return text;
  }

  Status take(Conversation& conversation, const Json& message, std::optional<Instant> at) {
    const Json* author = message.find("author");
    const Json* content = message.find("content");
    const Json* metadata = message.find("metadata");
    const std::string role = author ? author->text_at("role") : "";
    const Json* hidden = metadata ? metadata->find("is_visually_hidden_from_conversation") : nullptr;
    const std::string recipient = message.text_at("recipient");
    if (!content || (hidden && hidden->as_bool() && *hidden->as_bool()) || (!recipient.empty() && recipient != "all")) return {};
    if (role != "user" && role != "assistant") return {};
    const std::string text = text_of(*content);
    if (text.empty()) return {};
    return role == "user" ? conversation.user(text, at, message.text_at("id"))
                          : conversation.assistant(text, at, message.text_at("id"));
  }

  const Json& json_;
  Records& records_;
};

// --- Claude.ai: {uuid, name, chat_messages [{uuid, sender, text, content [{type, text}], created_at, attachments}]} ---

std::string text_of_claude_ai(const Json& message) {
  std::string text;
  const auto append = [&](const std::string& more) {
    if (more.empty()) return;
    if (!text.empty()) text += "\n\n";
    text += more;
  };
  for (const Json& block : message.array_at("content"))
    if (block.text_at("type") == "text") append(block.text_at("text"));
  if (text.empty()) append(message.text_at("text"));
  for (const Json& attachment : message.array_at("attachments"))
    if (const std::string words = attachment.text_at("extracted_content"); !words.empty())
      append("Attached " + attachment.text_at("file_name") + ":\n\n" + words);
  return text;
}

Status read_claude_ai_conversation(const Json& json, Records& records) {
  Conversation conversation(records, "claude-ai-" + json.text_at("uuid"));
  conversation.set_title(json.text_at("name"));
  const auto begun = time_at(json, "created_at", records);
  for (const Json& message : json.array_at("chat_messages")) {
    const std::string text = text_of_claude_ai(message), sender = message.text_at("sender"), key = message.text_at("uuid");
    if (text.empty()) continue;
    auto at = time_at(message, "created_at", records);
    if (!at) at = begun;
    if (sender == "human") TRY(conversation.user(text, at, key));
    if (sender == "assistant") TRY(conversation.assistant(text, at, key));
  }
  return conversation.end();
}

// --- mem0: {id, memory, metadata {category, tags}, categories, created_at, updated_at, user_id} ---

void add_texts(std::vector<std::string>& tags, const Json& value) {
  if (const std::string* text = value.as_string()) add_listed_words(tags, *text);
  if (const auto* items = value.as_array())
    for (const Json& item : *items) add_texts(tags, item);
  if (const auto* members = value.as_object())
    for (const auto& [name, more] : *members) {
      add_listed_words(tags, name);  // {"private":true}
      add_texts(tags, more);
    }
}

// What a person or a program filed it under, however deep: an export has the shape that its user gave it.
void add_labels(std::vector<std::string>& tags, const Json& json) {
  if (const auto* items = json.as_array())
    for (const Json& item : *items) add_labels(tags, item);
  const auto* members = json.as_object();
  if (!members) return;
  for (const auto& [key, value] : *members) {
    if (names_tags(key) || key == "category" || key == "categories") add_texts(tags, value);
    add_labels(tags, value);
  }
}

Status read_mem0_memory(const Json& json, Records& records) {
  Record record;
  record.text = json.text_at("memory");
  if (record.text.empty()) record.text = json.text_at("text");
  if (record.text.empty()) {
    records.skip("a record without a text", json.text_at("id"));
    return {};
  }
  record.key = json.text_at("id");
  record.at = time_at(json, "updated_at", records);
  if (!record.at) record.at = time_at(json, "created_at", records);
  if (const Json* metadata = json.find("metadata")) record.project = metadata->text_at("project");
  add_labels(record.tags, json);
  return records.take(std::move(record));
}

}  // namespace

Status read_chatgpt(const ImportSource& source, Records& records) {
  return read_members(source, is_conversations_file, [&](Member& member) {
    return read_array(member, records, {}, [&](const Json& json) { return ChatGptConversation(json, records).read(); });
  });
}

Status read_claude_ai(const ImportSource& source, Records& records) {
  const ProjectNames projects = claude_ai_projects(source);
  const auto written_at = time_of_file(source.root);
  const auto is_wanted = [](std::string_view name) { return is_conversations_file(name) || is_claude_ai_memory(name); };
  return read_members(source, is_wanted, [&](Member& member) {
    if (is_claude_ai_memory(member.name)) return read_claude_ai_memory(member, projects, written_at, records);
    return read_array(member, records, {}, [&](const Json& json) { return read_claude_ai_conversation(json, records); });
  });
}

Status read_mem0(const ImportSource& source, Records& records) {
  constexpr std::array<std::string_view, 2> keys{"results", "memories"};
  const auto is_wanted = [](std::string_view name) { return name.ends_with(".json"); };
  return read_members(source, is_wanted, [&](Member& member) {
    return read_array(member, records, keys, [&](const Json& json) { return read_mem0_memory(json, records); });
  });
}

}  // namespace loci::importers
