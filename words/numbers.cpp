#include "words/numbers.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <sstream>
#include <unordered_map>
#include <utility>

#include "base/unicode.h"

namespace loci {
namespace {

// The zeros of Unicode's sets of decimal digits (general category Nd) but ASCII; the nine others follow each.
constexpr char32_t zeros[] = {
    0x0660,  0x06F0,  0x07C0,  0x0966,  0x09E6,  0x0A66,  0x0AE6,  0x0B66,  0x0BE6,  0x0C66,  0x0CE6,  0x0D66,  0x0DE6,  0x0E50,
    0x0ED0,  0x0F20,  0x1040,  0x1090,  0x17E0,  0x1810,  0x1946,  0x19D0,  0x1A80,  0x1A90,  0x1B50,  0x1BB0,  0x1C40,  0x1C50,
    0xA620,  0xA8D0,  0xA900,  0xA9D0,  0xA9F0,  0xAA50,  0xABF0,  0xFF10,  0x104A0, 0x10D30, 0x11066, 0x110F0, 0x11136, 0x111D0,
    0x112F0, 0x11450, 0x114D0, 0x11650, 0x116C0, 0x11730, 0x118E0, 0x11950, 0x11C50, 0x11D50, 0x11DA0, 0x11F50, 0x16A60, 0x16AC0,
    0x16B50, 0x1D7CE, 0x1D7D8, 0x1D7E2, 0x1D7EC, 0x1D7F6, 0x1E140, 0x1E2F0, 0x1E4F0, 0x1E950, 0x1FBF0};

// Spellings of one unit stand together, the first of them names it.
constexpr std::string_view unit_spellings =
    "mg milligram milligrams milligramm|g gram grams gramm|kg kilo kilos kilogram kilograms kilogramm|mcg microgram micrograms|ml "
    "milliliter milliliters millilitre millilitres|cl|dl|l liter liters litre litres litro litros|mm millimeter millimeters "
    "millimetre millimetres|cm centimeter centimeters centimetre centimetres zentimeter|m meter meters metre metres metros|km "
    "kilometer kilometers kilometre kilometres kilometern kilometros chilometri 公里|ft foot feet|inch inches|mile miles|lb lbs "
    "pound pounds|oz ounce ounces|ms millisecond milliseconds|s sec second seconds sekunde sekunden|min minute minutes minuten "
    "minutos minuti minuut 分钟|h hr hrs hour hours stunde stunden heure heures hora horas uren 小时|day days tag tage tagen jour "
    "jours dia dias giorno giorni dag dagen 天|week weeks woche wochen semaine semaines semana semanas settimana settimane weken "
    "周|month months monat monate monaten mois mes meses mese mesi maand maanden 个月|year years jahr jahre jahren ans annee "
    "annees "
    "ano anos anno anni jaar jaren 岁|% percent prozent procent|degree degrees grad|c celsius|f "
    "fahrenheit|kb|mb|gb|tb|kib|mib|gib|w watt watts|kw|kwh|v volt volts|hz|khz|mhz|ghz|euro euros eur|$ usd dollar dollars|chf "
    "franken francs|gbp sterling|jpy yen|cny yuan rmb 元|hundred|thousand k tausend mille mil|million millions millionen|billion "
    "billions|am|pm|times x mal fois veces";

const std::unordered_map<std::string, std::string>& units() {
  static const auto table = [] {
    std::unordered_map<std::string, std::string> names;
    std::string first, word;
    const auto take = [&] {
      if (first.empty()) first = word;
      if (!word.empty()) names.emplace(std::exchange(word, {}), first);
    };
    for (const char c : unit_spellings) {
      if (c != ' ' && c != '|') {
        word += c;
        continue;
      }
      take();
      if (c == '|') first.clear();
    }
    take();
    return names;
  }();
  return table;
}

constexpr std::pair<std::string_view, std::string_view> symbols[] = {
    {"%", "%"}, {"$", "$"}, {"\xE2\x82\xAC", "euro"}, {"\xC2\xA3", "gbp"}, {"\xC2\xB0", "degree"}};

}  // namespace

std::string with_ascii_digits(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t position = 0; position < text.size();) {
    const size_t begin = position;
    const char32_t c = decode_code_point(text, position);
    const auto zero = std::ranges::find_if(zeros, [&](char32_t first) { return c >= first && c < first + 10; });
    if (c < 0x80 || zero == std::end(zeros)) {
      out += text.substr(begin, position - begin);
    } else {
      out += static_cast<char>('0' + (c - *zero));
    }
  }
  return out;
}

std::optional<std::string> number_of_word(std::string_view word) {
  constexpr std::array<std::string_view, 20> small = {
      "zero", "one",    "two",    "three",    "four",     "five",    "six",     "seven",     "eight",    "nine",
      "ten",  "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"};
  constexpr std::array<std::string_view, 8> tens = {"twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"};
  if (const auto found = std::ranges::find(small, word); found != small.end()) return std::to_string(found - small.begin());
  if (const auto found = std::ranges::find(tens, word); found != tens.end()) return std::to_string(10 * (found - tens.begin() + 2));
  if (word == "hundred") return "100";
  if (word == "thousand") return "1000";
  if (word == "million") return "1000000";
  return std::nullopt;
}

std::optional<std::string> number_of_word(std::string_view word, std::string_view language) {
  static const std::map<std::string, std::map<std::string, std::string, std::less<>>, std::less<>> languages = [] {
    constexpr std::pair<std::string_view, std::string_view> written[] = {
        {"de",
         "zwei=2 zwo=2 drei=3 vier=4 funf=5 sechs=6 sieben=7 acht=8 neun=9 zehn=10 elf=11 zwolf=12 dreizehn=13 vierzehn=14 "
         "funfzehn=15 "
         "sechzehn=16 siebzehn=17 achtzehn=18 neunzehn=19 zwanzig=20 dreissig=30 vierzig=40 funfzig=50 sechzig=60 siebzig=70 "
         "achtzig=80 neunzig=90 hundert=100 tausend=1000"},
        {"fr",
         "deux=2 trois=3 quatre=4 cinq=5 six=6 sept=7 huit=8 dix=10 onze=11 douze=12 treize=13 quatorze=14 quinze=15 seize=16 "
         "vingt=20 trente=30 quarante=40 cinquante=50 soixante=60 cent=100 mille=1000"},
        {"es",
         "dos=2 tres=3 cuatro=4 cinco=5 seis=6 siete=7 ocho=8 nueve=9 diez=10 once=11 doce=12 trece=13 catorce=14 quince=15 "
         "veinte=20 treinta=30 cuarenta=40 cincuenta=50 sesenta=60 setenta=70 ochenta=80 noventa=90 cien=100 mil=1000"},
        {"it",
         "due=2 tre=3 quattro=4 cinque=5 sette=7 otto=8 nove=9 dieci=10 undici=11 dodici=12 quindici=15 venti=20 trenta=30 "
         "quaranta=40 cinquanta=50 cento=100 mille=1000"},
        {"nl",
         "twee=2 drie=3 vier=4 vijf=5 zes=6 zeven=7 acht=8 negen=9 tien=10 elf=11 twaalf=12 dertien=13 vijftien=15 twintig=20 "
         "dertig=30 veertig=40 vijftig=50 honderd=100 duizend=1000"},
        {"pt",
         "dois=2 duas=2 tres=3 quatro=4 cinco=5 seis=6 sete=7 oito=8 nove=9 dez=10 onze=11 doze=12 treze=13 quinze=15 vinte=20 "
         "trinta=30 quarenta=40 cinquenta=50 cem=100 mil=1000"},
        {"pl", "dwa=2 dwie=2 trzy=3 cztery=4 piec=5 szesc=6 siedem=7 osiem=8 dziewiec=9 dziesiec=10"},
        {"sv", "tva=2 tre=3 fyra=4 fem=5 sex=6 sju=7 atta=8 nio=9 tio=10"},
        {"ru", "два=2 две=2 три=3 четыре=4 пять=5 шесть=6 семь=7 восемь=8 девять=9 десять=10"}};
    std::map<std::string, std::map<std::string, std::string, std::less<>>, std::less<>> tables;
    for (const auto& [name, pairs] : written) {
      std::istringstream words{std::string(pairs)};
      for (std::string pair; words >> pair;) {
        const size_t equals = pair.find('=');
        tables[std::string(name)].emplace(fold(pair.substr(0, equals)), pair.substr(equals + 1));
      }
    }
    return tables;
  }();
  if (const auto table = languages.find(language); table != languages.end())
    if (const auto found = table->second.find(word); found != table->second.end()) return found->second;
  return language.empty() || language == "en" ? number_of_word(word) : std::nullopt;
}

std::string whole_number(std::string number, bool is_negative) {
  const size_t comma = number.find(',');
  bool groups_thousands = comma != std::string::npos && comma <= 3 && number.front() != '0';
  for (size_t at = comma; groups_thousands && at != std::string::npos; at = number.find(',', at + 1))
    groups_thousands = std::min(number.find_first_not_of("0123456789", at + 1), number.size()) == at + 4;
  if (groups_thousands) std::erase(number, ',');
  if (number.contains(':') && number.size() > 1 && number.front() == '0' && number[1] != ':') number.erase(0, 1);
  return is_negative ? "-" + number : number;
}

bool is_unit(std::string_view word) { return units().contains(std::string(word)); }

std::string unit_named(std::string_view word) {
  const auto found = units().find(std::string(word));
  return found == units().end() ? std::string(word) : found->second;
}

std::string unit_behind(std::string_view gap) {
  if (gap.starts_with(' ')) gap.remove_prefix(1);
  for (const auto& [symbol, name] : symbols)
    if (gap.starts_with(symbol)) return std::string(name);
  return {};
}

std::string unit_before(std::string_view gap) {
  if (gap.ends_with(' ')) gap.remove_suffix(1);
  for (const auto& [symbol, name] : symbols)
    if (symbol != "%" && gap.ends_with(symbol)) return std::string(name);
  return {};
}

}  // namespace loci
