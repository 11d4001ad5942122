#include "words/calendar_words.h"

#include <algorithm>
#include <array>

#include "words/word_table.h"

namespace loci {
namespace {

template <size_t size>
std::optional<int> place_in(const std::array<WordTable, size>& tables, std::string_view word) {
  for (size_t i = 0; i < size; ++i)
    if (tables[i].contains(word)) return static_cast<int>(i);
  return std::nullopt;
}

}  // namespace

std::optional<int> month_named(std::string_view word) {
  static const std::array<WordTable, 12> names = {
      WordTable("january jan januar janner janvier enero gennaio januari janeiro 1月 января"),
      WordTable("february feb februar fevrier febrero febbraio februari fevereiro"),
      WordTable("march marz mars marzo maart marco"),
      WordTable("april apr avril abril aprile"),
      WordTable("may mai mayo maggio mei maio"),
      WordTable("june jun juni juin junio giugno junho"),
      WordTable("july jul juli juillet julio luglio julho"),
      WordTable("august aug aout agosto augustus"),
      WordTable("september sep sept septembre septiembre settembre setembro"),
      WordTable("october oct oktober okt octobre octubre ottobre outubro"),
      WordTable("november nov novembre noviembre novembro"),
      WordTable("december dec dezember dez decembre diciembre dicembre dezembro")};
  const auto place = place_in(names, word);
  return place ? std::optional(*place + 1) : std::nullopt;
}

std::optional<int> weekday_named(std::string_view word) {
  static const std::array<WordTable, 7> names = {
      WordTable("monday mondays montag montags lundi lundis lunes lunedi maandag maandags poniedzialek mandag"),
      WordTable("tuesday tuesdays dienstag dienstags mardi mardis martes martedi dinsdag dinsdags tisdag"),
      WordTable("wednesday wednesdays mittwoch mittwochs mercredi mercredis miercoles mercoledi woensdag woensdags onsdag"),
      WordTable("thursday thursdays donnerstag donnerstags jeudi jeudis jueves giovedi donderdag donderdags torsdag"),
      WordTable("friday fridays freitag freitags vendredi vendredis viernes venerdi vrijdag vrijdags fredag"),
      WordTable("saturday saturdays samstag samstags sonnabend sonnabends samedi samedis sabado sabados sabato zaterdag zaterdags"),
      WordTable("sunday sundays sonntag sonntags dimanche dimanches domingo domingos domenica zondag zondags")};
  const auto place = place_in(names, word);
  return place ? std::optional(*place + 1) : std::nullopt;
}

std::optional<int> day_named(std::string_view word) {
  static const std::array<WordTable, 5> names = {
      WordTable("vorgestern anteayer eergisteren 前天"), WordTable("yesterday gestern hier ayer ieri gisteren ontem 昨天 昨日"),
      WordTable("today tonight now just heute jetzt aujourd hui hoy ahora oggi vandaag nu hoje 今天 今日 现在"),
      WordTable("tomorrow morgen demain manana domani amanha 明天 明日"), WordTable("ubermorgen overmorgen 后天")};
  const auto place = place_in(names, word);
  return place ? std::optional(*place - 2) : std::nullopt;
}

std::optional<Span> span_named(std::string_view word) {
  static const std::array<WordTable, 5> names = {
      WordTable("day days night nights tag tage tagen jour jours dia dias giorno giorni dag dagen 天"),
      WordTable("week weeks fortnight woche wochen semaine semaines semana semanas settimana settimane weken 周 星期"),
      WordTable("weekend wochenende weekeinde"),
      WordTable("month months monat monate monaten monats mois mes meses mese mesi maand maanden 个月 月"),
      WordTable("year years jahr jahre jahren jahres an ans annee annees ano anos anno anni jaar jaren 年")};
  const auto place = place_in(names, word);
  return place ? std::optional(static_cast<Span>(*place)) : std::nullopt;
}

std::optional<int> direction_named(std::string_view word) {
  static const std::array<WordTable, 3> names = {
      WordTable("last past previous letzte letzten letzter letztes letztem vergangene vergangenen vorige vorigen derniere dernier "
                "passee passe pasada pasado scorsa scorso vorig vorige afgelopen passada passado 上 上周 上个月 去年"),
      WordTable("this current the diese diesen dieser dieses diesem cette ce este esta questo questa deze dit 这 本周 今年"),
      WordTable("next coming following nachste nachsten nachster nachstes nachstem kommende kommenden prochaine prochain proxima "
                "proximo prossima prossimo volgende komende que 下 下周 下个月 明年")};
  const auto place = place_in(names, word);
  return place ? std::optional(*place - 1) : std::nullopt;
}

bool is_season(std::string_view word) {
  static const WordTable words(
      "spring summer autumn fall winter fruhling fruhjahr sommer herbst printemps ete automne hiver primavera verano otono "
      "invierno "
      "estate autunno inverno zomer herfst lente christmas easter weihnachten ostern noel navidad");
  return words.contains(word);
}

bool is_end_word(std::string_view word) {
  static const WordTable words(
      "end beginning start ende anfang jahresende fin final finales debut fine inizio einde begin fim inicio");
  return words.contains(word);
}

bool is_one(std::string_view word) {
  static const WordTable words("a an one ein eine einem einen einer un une una uno een um uma 一");
  return words.contains(word);
}

}  // namespace loci
