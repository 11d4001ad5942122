#include "vault/layout/config_schema.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/edit_distance.h"
#include "vault/layout/host.h"
#include "vault/layout/ignore.h"
#include "vault/layout/never_send.h"

namespace loci {
namespace {

using Text = std::string_view;
using Model = const std::string&;

constexpr double unbounded = 1e15;  // exact as a double, and no count or size of ours comes near
constexpr std::array turns_choices{Text("full"), Text("summary"), Text("off")};
constexpr std::array extract_choices{Text("auto"), Text("turn"), Text("end"), Text("off")};
constexpr std::array encoding_choices{Text("cl100k_base"), Text("o200k_base")};
constexpr std::array provider_choices{Text("openai"), Text("anthropic"), Text("ollama")};
constexpr std::array agents_vault_choices{Text("off")};
constexpr std::array watch_choices{Text("auto"), Text("inotify"), Text("polling")};

// clang-format off: one row a line
const std::array keys{
    ConfigKey{"default_vault", [](Config& c, Model) { return &c.default_vault; }, 0, 0, {}, true, true},
    ConfigKey{"vault.max_file_bytes", [](Config& c, Model) { return &c.max_file_bytes; }, 1, 1 << 30},
    ConfigKey{"vault.ignore", [](Config& c, Model) { return &c.ignore; }},
    ConfigKey{"vault.untrusted", [](Config& c, Model) { return &c.untrusted; }, 0, 0, {}, false, false, false, true},
    ConfigKey{"vault.primary", [](Config& c, Model) { return &c.primary; }, 0, 0, {}, false, false, true},
    ConfigKey{"privacy.never_send", [](Config& c, Model) { return &c.never_send; }, 0, 0, {}, false, false, false, true},
    ConfigKey{"recall.limit", [](Config& c, Model) { return &c.recall.limit; }, 1, 1000},
    ConfigKey{"recall.retrieval_log_days", [](Config& c, Model) { return &c.recall.retrieval_log_days; }, 0, 36500},
    ConfigKey{"recall.recency_half_life_days", [](Config& c, Model) { return &c.recall.recency_half_life_days; }, 0.001, 1000000},
    ConfigKey{"recall.recency_floor", [](Config& c, Model) { return &c.recall.recency_floor; }, 0, 1},
    ConfigKey{"recall.similarity_weight", [](Config& c, Model) { return &c.recall.similarity_weight; }, 0, 1},
    ConfigKey{"recall.confidence_weight", [](Config& c, Model) { return &c.recall.confidence_weight; }, 0, 1},
    ConfigKey{"recall.max_injection_tokens", [](Config& c, Model) { return &c.recall.max_injection_tokens; }, 0, 1000000},
    ConfigKey{"recall.encoding", [](Config& c, Model) { return &c.recall.encoding; }, 0, 0, encoding_choices},
    ConfigKey{"capture.turns", [](Config& c, Model) { return &c.capture.turns; }, 0, 0, turns_choices},
    ConfigKey{"capture.extract", [](Config& c, Model) { return &c.capture.extract; }, 0, 0, extract_choices},
    ConfigKey{"consolidation.enabled", [](Config& c, Model) { return &c.consolidation.enabled; }},
    ConfigKey{"consolidation.hosts", [](Config& c, Model) { return &c.consolidation.hosts; }},
    ConfigKey{"consolidation.min_hours", [](Config& c, Model) { return &c.consolidation.min_hours; }, 0, 1000000},
    ConfigKey{"consolidation.min_facts", [](Config& c, Model) { return &c.consolidation.min_facts; }, 0, 1000000},
    ConfigKey{"consolidation.max_days", [](Config& c, Model) { return &c.consolidation.max_days; }, 0, 36500},
    ConfigKey{"consolidation.interval_seconds", [](Config& c, Model) { return &c.consolidation.interval_seconds; }, 1, 31536000},
    ConfigKey{"consolidation.neighbor_k", [](Config& c, Model) { return &c.consolidation.neighbor_k; }, 0, 1000},
    ConfigKey{"consolidation.cluster_max", [](Config& c, Model) { return &c.consolidation.cluster_max; }, 1, 1000},
    ConfigKey{"consolidation.memory_max_lines", [](Config& c, Model) { return &c.consolidation.memory_max_lines; }, 0, 10000},
    ConfigKey{"consolidation.undo_keep_days", [](Config& c, Model) { return &c.consolidation.undo_keep_days; }, 0, 36500},
    ConfigKey{"consolidation.model", [](Config& c, Model) { return &c.consolidation.model; }},
    ConfigKey{"consolidation.verify", [](Config& c, Model) { return &c.consolidation.verify; }},
    ConfigKey{"models.*.provider", [](Config& c, Model m) { return &c.models[m].provider; }, 0, 0, provider_choices, true},
    ConfigKey{"models.*.base_url", [](Config& c, Model m) { return &c.models[m].base_url; }, 0, 0, {}, true},
    ConfigKey{"models.*.model", [](Config& c, Model m) { return &c.models[m].model; }, 0, 0, {}, true},
    ConfigKey{"models.*.key_file", [](Config& c, Model m) { return &c.models[m].key_file; }, 0, 0, {}, true, true},
    ConfigKey{"models.*.key_env", [](Config& c, Model m) { return &c.models[m].key_env; }, 0, 0, {}, true},
    ConfigKey{"models.*.timeout_seconds", [](Config& c, Model m) { return &c.models[m].timeout_seconds; }, 1, 86400, {}, true},
    ConfigKey{"models.*.max_tokens_a_day", [](Config& c, Model m) { return &c.models[m].max_tokens_a_day; }, 0, unbounded, {}, true},
    ConfigKey{"models.*.price_per_million", [](Config& c, Model m) { return &c.models[m].price_per_million; }, 0, unbounded, {}, true},
    ConfigKey{"http.listen", [](Config& c, Model) { return &c.http.listen; }, 0, 0, {}, true},
    ConfigKey{"http.token_file", [](Config& c, Model) { return &c.http.token_file; }, 0, 0, {}, true, true},
    ConfigKey{"http.insecure", [](Config& c, Model) { return &c.http.insecure; }, 0, 0, {}, true},
    ConfigKey{"agents.vaults.*", [](Config& c, Model m) { return &c.agents.vaults[m]; }, 0, 0, agents_vault_choices, true, true},
    ConfigKey{"sync.minutes", [](Config& c, Model) { return &c.sync.minutes; }, 0, 10080},
    ConfigKey{"watch.mode", [](Config& c, Model) { return &c.watch.mode; }, 0, 0, watch_choices},
    ConfigKey{"watch.rescan_minutes", [](Config& c, Model) { return &c.watch.rescan_minutes; }, 1, 10080},
    ConfigKey{"watch.poll_seconds", [](Config& c, Model) { return &c.watch.poll_seconds; }, 1, 86400},
};
// clang-format on

constexpr Text model_prefix = "models.", agents_vaults = "agents.vaults.*", never_send_key = "privacy.never_send";

std::string number_in_words(double number) {
  return number == std::floor(number) ? std::to_string(static_cast<std::int64_t>(number)) : to_toml(number);
}

std::string expected_number(const ConfigKey& key, Text what) {
  std::string text = "must be " + std::string(what) + " from " + number_in_words(key.least);
  return key.most == unbounded ? text + " up" : text + " to " + number_in_words(key.most);
}

bool is_within(const ConfigKey& key, double number) { return number >= key.least && number <= key.most; }  // false for NaN

std::string reason_against_text(const ConfigKey& key, const std::string& text) {
  if (text.find('\0') != std::string::npos) return "must not hold a NUL";
  const bool is_choice = std::ranges::find(key.choices, Text(text)) != key.choices.end();
  if (key.is_path && !is_choice && !text.empty() && text != "~" && !text.starts_with("~/") && !text.starts_with('/'))
    return "must be an absolute path, or one that starts with ~/" +
           (key.choices.empty() ? "" : ", or \"" + std::string(key.choices.front()) + '"');
  if (key.is_host && !text.empty() && !is_valid_host(text))
    return "must be the id of a host, a lower-case letter and 3 to 15 letters or digits: 'loci status' shows this one's";
  if (key.choices.empty() || is_choice || key.is_path) return {};
  std::string reason = "must be one of";
  for (const Text choice : key.choices) reason += (choice == key.choices.front() ? " \"" : ", \"") + std::string(choice) + '"';
  return reason;
}

// Each rule of each list is tried on every path, tag or project.
std::string reason_against_list(const std::vector<std::string>& list) {
  const bool fits = list.size() <= PathRules::most_patterns &&
                    std::ranges::all_of(list, [](const std::string& rule) { return rule.size() <= longest_pattern; });
  if (fits) return {};
  return "must have at most " + std::to_string(PathRules::most_patterns) + " rules of at most " + std::to_string(longest_pattern) +
         " characters";
}

std::string reason_against_rules(const std::vector<std::string>& rules) {
  for (const std::string& rule : rules)
    if (std::string reason = reason_against_rule(rule); !reason.empty()) return reason;
  return {};
}

bool is_empty_list(const TomlScalar& value) {
  const auto* texts = std::get_if<std::vector<std::string>>(&value);
  return texts && texts->empty();
}

std::string expand_home(const std::string& text, const path& home) {
  if (text == "~") return home.string();
  return text.starts_with("~/") ? (home / text.substr(2)).string() : text;
}

Text last_part(Text dotted) { return dotted.substr(dotted.rfind('.') + 1); }  // npos + 1 is 0

// How unlike two keys are; none: as much is wrong as right. Either every letter counts, or only the name behind the section, which
// may be cut short or stand in a wrong section.
std::optional<size_t> unlikeness(Text wanted, Text known) {
  const Text word = last_part(wanted), name = last_part(known);
  const bool same_section = wanted.size() - word.size() == known.size() - name.size() &&
                            wanted.substr(0, wanted.size() - word.size()) == known.substr(0, known.size() - name.size());
  const size_t of_name = std::min(edit_distance(word, name), 1 + distance_within(word, name));
  std::optional<size_t> best;
  if (of_name <= word.size() / 2) best = of_name + (same_section ? 0 : 2);
  const size_t of_all = edit_distance(wanted, known);
  if (of_all <= wanted.size() / 2 && (!best || of_all < *best)) best = of_all;
  return best;
}

}  // namespace

std::span<const ConfigKey> config_keys() { return keys; }

std::optional<KeyMatch> find_config_key(const std::vector<std::string>& key) {
  if (key.size() == 3 && key[0] == "agents" && key[1] == "vaults")
    return KeyMatch{&*std::ranges::find(keys, agents_vaults, &ConfigKey::name), key[2]};
  const bool of_model = key.size() == 3 && key[0] == "models";
  const std::string name = of_model ? "models.*." + key[2] : TomlValue{.key = key, .value = {}}.dotted_key();
  const auto found = std::ranges::find(keys, Text(name), &ConfigKey::name);
  if (found == keys.end() || (found->name.contains('*') && !of_model)) return std::nullopt;
  return KeyMatch{&*found, of_model ? key[1] : std::string()};
}

std::string nearest_config_key(const std::string& dotted_key) {
  // The name of a model is the person's own: only what stands behind it can be misspelled.
  const bool of_model = dotted_key.starts_with(model_prefix) && std::ranges::count(dotted_key, '.') == 2;
  const std::string wanted = of_model ? "models.*." + std::string(last_part(dotted_key)) : dotted_key;
  Text nearest;
  std::optional<size_t> smallest;
  for (const ConfigKey& key : keys) {
    const auto distance = unlikeness(wanted, key.name);
    if (!distance || (smallest && *distance >= *smallest)) continue;
    smallest = distance;
    nearest = key.name;
  }
  std::string name(nearest);
  if (const auto star = name.find('*'); star != std::string::npos)
    name.replace(star, 1, of_model ? dotted_key.substr(model_prefix.size(), dotted_key.rfind('.') - model_prefix.size()) : "NAME");
  return name;
}

std::string reason_against(const ConfigKey& key, const TomlScalar& value) {
  if (std::holds_alternative<FieldOf<bool>>(key.field)) return std::holds_alternative<bool>(value) ? "" : "must be true or false";
  if (key.is_price()) {
    const auto* price = std::get_if<std::vector<double>>(&value);
    const bool is_none = is_empty_list(value);
    const bool fits = price && price->size() == 2 && std::ranges::all_of(*price, [&](double one) { return is_within(key, one); });
    return fits || is_none ? "" : "must be two prices, for tokens in and tokens out: [3.0, 15.0]";
  }
  if (key.is_list()) {
    const auto* list = std::get_if<std::vector<std::string>>(&value);
    if (!list) return "must be a list of strings, [\"…\"]";
    std::string reason = reason_against_list(*list);
    return reason.empty() && key.name == never_send_key ? reason_against_rules(*list) : reason;
  }
  if (std::holds_alternative<FieldOf<std::string>>(key.field)) {
    const auto* text = std::get_if<std::string>(&value);
    return text ? reason_against_text(key, *text) : "must be a string, \"…\"";
  }
  const auto* integer = std::get_if<std::int64_t>(&value);
  if (std::holds_alternative<FieldOf<std::int64_t>>(key.field))
    return integer && is_within(key, static_cast<double>(*integer)) ? "" : expected_number(key, "a whole number");
  const auto* number = std::get_if<double>(&value);
  const bool fits = integer ? is_within(key, static_cast<double>(*integer)) : number && is_within(key, *number);
  return fits ? "" : expected_number(key, "a number");
}

void assign(const KeyMatch& match, const TomlScalar& value, const path& home, Config& config) {
  if (const auto* flag = std::get_if<FieldOf<bool>>(&match.key->field)) {
    *(*flag)(config, match.model) = std::get<bool>(value);
  } else if (const auto* integer = std::get_if<FieldOf<std::int64_t>>(&match.key->field)) {
    *(*integer)(config, match.model) = std::get<std::int64_t>(value);
  } else if (const auto* number = std::get_if<FieldOf<double>>(&match.key->field)) {
    const auto* whole = std::get_if<std::int64_t>(&value);
    *(*number)(config, match.model) = whole ? static_cast<double>(*whole) : std::get<double>(value);
  } else if (const auto* text = std::get_if<FieldOf<std::string>>(&match.key->field)) {
    const auto& written = std::get<std::string>(value);
    *(*text)(config, match.model) = match.key->is_path ? expand_home(written, home) : written;
  } else if (const auto* price = std::get_if<FieldOf<std::vector<double>>>(&match.key->field)) {
    *(*price)(config, match.model) = is_empty_list(value) ? std::vector<double>{} : std::get<std::vector<double>>(value);
  } else if (const auto* list = std::get_if<FieldOf<std::vector<std::string>>>(&match.key->field)) {
    auto& texts = *(*list)(config, match.model);
    const auto& added = std::get<std::vector<std::string>>(value);
    texts.insert(texts.begin(), added.begin(), added.end());
  }
}

TomlScalar value_of(const KeyMatch& match, Config& config) {
  return std::visit([&](auto field) -> TomlScalar { return *field(config, match.model); }, match.key->field);
}

}  // namespace loci
