#include "consolidate/decide/operations.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "consolidate/decide/topic_keys.h"
#include "model/json_answer.h"

namespace loci {
namespace {

using Kind = Operation::Kind;

constexpr std::array<std::pair<std::string_view, Kind>, 5> kinds = {{{"ADD", Kind::add},
                                                                     {"REPLACE", Kind::replace},
                                                                     {"REMOVE", Kind::remove},
                                                                     {"DUPLICATE", Kind::duplicate},
                                                                     {"IGNORE", Kind::ignore}}};

enum class Field : std::uint8_t { op, facts, target, into, of, text, about, kind, why, against };
constexpr std::array<std::string_view, 10> fields = {"op",   "facts", "target", "into", "of",
                                                     "text", "about", "kind",   "why",  "against"};

std::string_view name_of(Field field) { return fields[static_cast<size_t>(field)]; }

bool is_used_by(Field field, Kind kind) {
  switch (field) {
    case Field::op:
    case Field::why:  // a model may give reasons for anything
      return true;
    case Field::facts:
      return kind != Kind::remove;
    case Field::target:
      return kind == Kind::replace || kind == Kind::remove;
    case Field::into:
      return kind == Kind::remove;
    case Field::of:
      return kind == Kind::duplicate;
    case Field::text:
    case Field::about:
      return kind == Kind::add || kind == Kind::replace;
    case Field::kind:
      return kind == Kind::replace;
    case Field::against:
      return kind == Kind::add;
  }
  return false;
}

std::unexpected<Error> refuse(std::string message) { return fail(ErrorCode::refused, std::move(message)); }

// Numbers of the prompt -> indexes into the material. What is private has a number that nothing may name: it was not shown.
class Numbers {
 public:
  Numbers(const Material& material, const Cluster& cluster) : material_(material), cluster_(cluster) {}

  std::optional<size_t> fact(std::int64_t number) const {
    if (number < 1 || static_cast<size_t>(number) > cluster_.facts.size()) return std::nullopt;
    const size_t index = cluster_.facts[static_cast<size_t>(number) - 1];
    return material_.facts[index].is_private ? std::nullopt : std::optional(index);
  }

  std::optional<size_t> entry(std::int64_t number) const {
    const auto facts = static_cast<std::int64_t>(cluster_.facts.size());
    if (number <= facts) return std::nullopt;
    auto place = static_cast<size_t>(number - facts) - 1;
    const auto& list = place < cluster_.writable.size() ? cluster_.writable : cluster_.shown;
    if (&list == &cluster_.shown) place -= cluster_.writable.size();
    if (place >= list.size() || material_.entries[list[place]].is_private) return std::nullopt;
    return list[place];
  }

 private:
  const Material& material_;
  const Cluster& cluster_;
};

class OperationReader {
 public:
  OperationReader(const Json& json, const Numbers& numbers) : json_(json), numbers_(numbers) {}

  Result<Operation> read() {
    TRY(check_shape());
    for (const auto step : {&OperationReader::read_kind, &OperationReader::read_facts, &OperationReader::read_entries,
                            &OperationReader::read_same_as, &OperationReader::read_text, &OperationReader::read_change})
      TRY((this->*step)());
    return std::move(operation_);
  }

 private:
  const Json& at(Field field) const { return *json_.find(name_of(field)); }
  std::unexpected<Error> wrong(Field field, std::string_view wanted) const {
    return refuse("'" + std::string(name_of(field)) + "' has to be " + std::string(wanted));
  }

  Status check_shape() const {
    const Json::Object* object = json_.as_object();
    if (!object) return refuse("it is no object");
    for (const auto& [key, value] : *object)
      if (std::ranges::find(fields, key) == fields.end()) return refuse("unknown field '" + key + "'");
    for (const std::string_view field : fields)
      if (!json_.find(field) && field != name_of(Field::against)) return refuse("'" + std::string(field) + "' is missing");
    return {};
  }

  // Null, 0, "", "none" and [] say that a field does not apply.
  bool is_blank(Field field) const {
    if (!json_.find(name_of(field))) return true;
    const Json& value = at(field);
    if (const auto* number = value.as_integer()) return *number == 0;
    if (const auto* text = value.as_string()) return text->empty() || (field == Field::kind && *text == "none");
    if (const auto* array = value.as_array()) return array->empty();
    return value.is_null();
  }

  Status read_kind() {
    const std::string* name = at(Field::op).as_string();
    const auto found = std::ranges::find_if(kinds, [&](const auto& kind) { return name && kind.first == *name; });
    if (found == kinds.end()) return wrong(Field::op, "ADD, REPLACE, REMOVE, DUPLICATE or IGNORE");
    operation_.kind = found->second;
    for (size_t i = 0; i < fields.size(); ++i) {
      const auto field = static_cast<Field>(i);
      if (is_blank(field) || is_used_by(field, operation_.kind)) continue;
      return refuse(*name + " has no '" + std::string(fields[i]) + "'");
    }
    return {};
  }

  Status read_facts() {
    if (at(Field::facts).is_null()) return {};
    const Json::Array* array = at(Field::facts).as_array();
    if (!array) return wrong(Field::facts, "a list of numbers");
    for (const Json& element : *array) {
      const std::int64_t* number = element.as_integer();
      if (!number) return wrong(Field::facts, "a list of numbers");
      const auto fact = numbers_.fact(*number);
      if (!fact) return refuse("there is no fact " + std::to_string(*number));
      operation_.facts.push_back(*fact);
    }
    std::ranges::sort(operation_.facts);
    return {};
  }

  // 0 if the field does not apply.
  Result<std::int64_t> number_at(Field field) const {
    if (is_blank(field)) return 0;
    const std::int64_t* number = at(field).as_integer();
    if (!number) return wrong(field, "a number");
    return *number;
  }

  Status read_entries() {
    for (const auto& [field, place] : {std::pair{Field::target, &operation_.target}, std::pair{Field::into, &operation_.into},
                                       std::pair{Field::against, &operation_.against}}) {
      const auto number = TRY(number_at(field));
      if (number == 0) continue;
      *place = numbers_.entry(number);
      if (!*place) return refuse("there is no entry " + std::to_string(number));
    }
    return {};
  }

  Status read_same_as() {
    const auto number = TRY(number_at(Field::of));
    operation_.same_as_fact = numbers_.fact(number);
    operation_.same_as_entry = numbers_.entry(number);
    if (number != 0 && !operation_.same_as_fact && !operation_.same_as_entry)
      return refuse("there is no fact or entry " + std::to_string(number));
    return {};
  }

  Result<std::string> text_at(Field field) const {
    if (at(field).is_null()) return std::string();
    const std::string* text = at(field).as_string();
    if (!text) return wrong(field, "a string");
    return *text;
  }

  Status read_text() {
    for (const auto& [field, place] : {std::pair{Field::text, &operation_.text}, std::pair{Field::why, &operation_.why}}) {
      auto text = TRY(text_at(field));
      *place = std::move(text);
    }
    if (operation_.kind != Kind::ignore) operation_.why.clear();
    auto about = TRY(topic_keys(at(Field::about)));
    operation_.about = std::move(about);
    return {};
  }

  Status read_change() {
    const auto kind = TRY(text_at(Field::kind));
    const bool is_known = kind == "correction" || kind == "change";
    if (!is_known && (operation_.kind == Kind::replace || !is_blank(Field::kind)))
      return wrong(Field::kind, "\"correction\" or \"change\"");
    operation_.is_correction = kind == "correction";
    return {};
  }

  const Json& json_;
  const Numbers& numbers_;
  Operation operation_;
};

}  // namespace

std::string_view name_of(Operation::Kind kind) {
  return std::ranges::find(kinds, kind, [](const auto& one) { return one.second; })->first;
}

std::vector<size_t> Decision::left_out(const Cluster& cluster) const {
  std::vector<size_t> named;
  for (const Operation& operation : operations) named.insert(named.end(), operation.facts.begin(), operation.facts.end());
  std::ranges::sort(named);
  std::vector<size_t> rest;
  std::ranges::copy_if(cluster.facts, std::back_inserter(rest),
                       [&](size_t fact) { return !std::ranges::binary_search(named, fact); });
  return rest;
}

Result<Decision> parse_decision(std::string_view answer, const Material& material, const Cluster& cluster) {
  constexpr std::string_view keys[] = {"operations"};
  const auto json = TRY(find_json_answer(answer, keys));
  for (const auto& [key, value] : *json.as_object())
    if (key != keys[0]) return refuse("the answer has the unknown field '" + key + "'");
  const Json::Array* operations = json.find(keys[0])->as_array();
  if (!operations) return refuse("'operations' has to be a list");

  const Numbers numbers(material, cluster);
  Decision decision;
  for (const Json& one : *operations) {
    auto operation = OperationReader(one, numbers).read();
    if (operation) {
      decision.operations.push_back(std::move(*operation));
    } else {
      const size_t number = decision.operations.size() + decision.unreadable.size() + 1;
      decision.unreadable.push_back("operation " + std::to_string(number) + ": " + operation.error().message);
    }
  }
  return decision;
}

}  // namespace loci
