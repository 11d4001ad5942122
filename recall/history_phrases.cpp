// The table behind asks_about_history().
#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "recall/phrases.h"
#include "recall/query.h"

namespace loci {
namespace {

// Phrases of whole words, separated by "|"; "*" stands for any one word.
constexpr std::array<std::string_view, 15> phrases_by_language = {
    // English
    "yesterday|the day before yesterday|the other day|last time|last night|last week|last weekend|last month|last year|last spring|"
    "last summer|last autumn|last fall|last winter|last monday|last tuesday|last wednesday|last thursday|last friday|last saturday|"
    "last sunday|earlier today|earlier this week|earlier this month|earlier this year|previously|in the past|back then|back in|"
    "long ago|minutes ago|hours ago|days ago|weeks ago|months ago|years ago|a day ago|an hour ago|a week ago|a month ago|a year "
    "ago|"
    "a while ago|a while back|some time ago|remember when|remember that time|do you remember|did i|did we|did you|have we|have i "
    "ever|"
    "had we|what did|when did|where did|who did|why did|how did|when was|when were|what was said|what was decided|what was "
    "discussed|"
    "what was agreed|what happened|we talked|we discussed|we spoke|we agreed|we decided|we said|i told you|you told me|i said|"
    "you said|i mentioned|you mentioned|i asked you|our last|our previous|our earlier|previous conversation|previous conversations|"
    "previous session|previous sessions|past conversations|past sessions|earlier conversation|earlier session|history of|used "
    "to|recently|lately|"
    "recent conversation|recent conversations|recent sessions|my conversations|our conversations|catch me up",
    // German
    "gestern|vorgestern|in letzter zeit|neulich|kürzlich|damals|früher|vorhin|letzte woche|letzten monat|letztes jahr|letztes "
    "mal|letzten montag|"
    "letzten dienstag|letzten mittwoch|letzten donnerstag|letzten freitag|letzten samstag|letzten sonntag|letzte nacht|beim "
    "letzten mal|"
    "vorige woche|vorigen monat|voriges jahr|vor * tagen|vor * wochen|vor * monaten|vor * jahren|vor * stunden|vor einer woche|"
    "vor einem monat|vor einem jahr|vor kurzem|vor langer zeit|vor einiger zeit|in der vergangenheit|erinnerst du dich|weißt du "
    "noch|"
    "haben wir|hatten wir|habe ich|hatte ich|hast du gesagt|hast du mir|wann war|wann hat|wann haben|was war|was ist passiert|wir "
    "haben "
    "besprochen|ich habe dir",
    // French
    "hier|avant hier|récemment|dernièrement|ces derniers temps|l autre jour|la dernière fois|la semaine dernière|la semaine "
    "passée|le mois dernier|le mois passé|"
    "l année dernière|l an dernier|la nuit dernière|il y a * jours|il y a * semaines|il y a * mois|il y a * ans|il y a une semaine|"
    "il y a un mois|il y a un an|il y a longtemps|auparavant|précédemment|autrefois|dans le passé|à l époque|tu te souviens|"
    "te souviens tu|vous souvenez vous|avons nous|ai je|nous avons parlé|nous avons discuté|on a parlé|on a dit|on a décidé|"
    "je t ai dit|tu m as dit|tu as dit|qu est ce qui s est passé",
    // Spanish
    "ayer|anteayer|recientemente|últimamente|anoche|el otro día|la última vez|la vez pasada|la semana pasada|el mes pasado|el año "
    "pasado|el lunes pasado|"
    "hace * días|hace * semanas|hace * meses|hace * años|hace una semana|hace un mes|hace un año|hace tiempo|hace "
    "mucho|anteriormente|"
    "en el pasado|en aquel entonces|te acuerdas|recuerdas|qué dijimos|qué dije|hablamos de|hemos hablado|decidimos|acordamos|te "
    "dije|"
    "me dijiste|dijiste|cuándo fue|qué pasó",
    // Italian
    "ieri|l altro ieri|recentemente|ultimamente|l altro giorno|l ultima volta|la volta scorsa|la settimana scorsa|la scorsa "
    "settimana|il mese scorso|"
    "lo scorso mese|l anno scorso|ieri sera|* giorni fa|* settimane fa|* mesi fa|* anni fa|una settimana fa|un mese fa|un anno fa|"
    "tempo fa|in precedenza|precedentemente|in passato|a quel tempo|ti ricordi|abbiamo parlato|abbiamo detto|abbiamo deciso|ho "
    "detto|"
    "ti ho detto|mi hai detto|hai detto|cosa è successo",
    // Portuguese
    "ontem|anteontem|recentemente|ultimamente|outro dia|da última vez|a última vez|na semana passada|a semana passada|semana "
    "passada|mês passado|ano "
    "passado|"
    "há * dias|há * semanas|há * meses|há * anos|* dias atrás|* semanas atrás|* meses atrás|* anos atrás|há uma semana|há um mês|"
    "há um ano|há muito tempo|anteriormente|no passado|naquela época|lembra|você se lembra|lembras te|nós falamos|falamos sobre|"
    "nós decidimos|eu disse|eu te disse|você disse|você me disse|o que aconteceu",
    // Dutch
    "gisteren|eergisteren|de laatste tijd|de afgelopen tijd|laatst|onlangs|vorige week|vorige maand|vorig jaar|vorige keer|de "
    "laatste keer|afgelopen week|"
    "afgelopen maand|afgelopen jaar|* dagen geleden|* weken geleden|* maanden geleden|* jaar geleden|een week geleden|"
    "een maand geleden|een jaar geleden|lang geleden|tijdje geleden|destijds|vroeger|in het verleden|weet je nog|herinner je je|"
    "hebben we|heb ik|hadden we|had ik|heb je gezegd|zei je|wanneer was|wat is er gebeurd",
    // Swedish, Norwegian, Danish
    "igår|i går|i förrgår|häromdagen|förra veckan|förra månaden|förra året|förra gången|i fjol|för * dagar sedan|för * veckor "
    "sedan|"
    "för * år sedan|tidigare|minns du|kommer du ihåg|pratade vi|sa vi|forrige uke|forrige uge|forrige måned|forrige gang|i fjor|"
    "sidste uge|sidste måned|sidste år|sidste gang|sist uke|for * dager siden|for * dage siden|for * uker siden|for * uger siden|"
    "for * år siden|tidligere|husker du",
    // Polish
    "wczoraj|przedwczoraj|ostatnio|ostatnim razem|w zeszłym tygodniu|w zeszłym miesiącu|w zeszłym roku|w poprzednim tygodniu|"
    "tydzień temu|miesiąc temu|rok temu|* dni temu|* tygodnie temu|* miesiące temu|* lata temu|* lat temu|dawno temu|wcześniej|"
    "w przeszłości|wtedy|pamiętasz|rozmawialiśmy|mówiliśmy|ustaliliśmy|mówiłem|mówiłeś|co się stało",
    // Czech, Slovak
    "včera|předevčírem|minulý týden|minulý měsíc|minulý rok|minule|naposledy|před týdnem|před měsícem|před rokem|před * "
    "dny|dříve|tehdy|"
    "pamatuješ|mluvili jsme|minulý mesiac|pred týždňom|predtým|vtedy|pamätáš|hovorili sme",
    // Russian
    "вчера|позавчера|недавно|на прошлой неделе|в прошлом месяце|в прошлом году|в прошлый раз|в последний раз|* назад|раньше|ранее|"
    "тогда|в прошлом|помнишь|помните|мы говорили|мы обсуждали|мы решили|я говорил|я говорила|ты говорил|ты сказал|что случилось",
    // Ukrainian
    "вчора|позавчора|нещодавно|минулого тижня|минулого місяця|минулого року|минулого разу|останнього разу|* тому|раніше|тоді|"
    "пам'ятаєш|ми говорили|ми обговорювали|ми вирішили|я казав|я казала|ти казав",
    // Turkish
    "dün|önceki gün|geçen hafta|geçen ay|geçen yıl|geçen sene|geçen sefer|son sefer|* gün önce|* hafta önce|* ay önce|* yıl önce|"
    "daha önce|önceden|geçmişte|hatırlıyor musun|konuşmuştuk|söylemiştim|söylemiştin|karar vermiştik",
    // Arabic and Hebrew
    "أمس|البارحة|الأسبوع الماضي|الشهر الماضي|السنة الماضية|العام الماضي|المرة الماضية|سابقا|في الماضي|هل تذكر|אתמול|שלשום|שבוע "
    "שעבר|"
    "חודש שעבר|שנה שעברה|פעם שעברה|בעבר|קודם לכן|אתה זוכר|את זוכרת|דיברנו",
    // Hindi
    "कल रात|पिछले हफ्ते|पिछले सप्ताह|पिछले महीने|पिछले साल|पिछली बार|पहले कहा|याद है",
};

// Languages without blanks between words: found anywhere in the text.
constexpr std::string_view unspaced_phrases =
    // Chinese
    "昨天|昨晚|前天|上次|上回|上周|上週|上星期|上个月|上個月|上月|去年|前年|之前|以前|从前|從前|刚才|剛才|曾经|曾經|过去|過去|当时|"
    "當時|那时|那時|"
    "还记得|還記得|记得吗|記得嗎|说过|說過|聊过|聊過|谈过|談過|讨论过|討論過|提到过|提到過|决定过|天前|周前|週前|个月前|個月前|"
    "年前|"
    // Japanese
    "昨日|一昨日|昨夜|前回|先週|先月|昨年|この前|この間|さっき|先ほど|以前|かつて|あの時|当時|覚えて|日前|週間前|か月前|ヶ月前|"
    "話した|言った|"
    "決めた|でしたか|ましたか|"
    // Korean
    "어제|그저께|지난주|지난 주|지난달|지난 달|작년|저번|지난번|지난 번|예전|이전에|그때|아까|기억나|기억해|일 전에|주 전에|달 "
    "전에|년 전에|말했|얘기했|"
    "논의했|"
    // Thai
    "เมื่อวาน|สัปดาห์ที่แล้ว|อาทิตย์ที่แล้ว|เดือนที่แล้ว|ปีที่แล้ว|ครั้งที่แล้ว|ก่อนหน้านี้|จำได้ไหม";

std::vector<std::string_view> split_at_bars(std::string_view list) {
  std::vector<std::string_view> parts;
  while (!list.empty()) {
    const size_t end = std::min(list.find('|'), list.size());
    parts.push_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return parts;
}

}  // namespace

bool asks_about_history(std::string_view text) {
  const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  if (!std::ranges::all_of(text, is_ascii))
    for (const std::string_view phrase : split_at_bars(unspaced_phrases))
      if (text.find(phrase) != std::string_view::npos) return true;
  const Words words = words_of(text);
  for (const std::string_view language : phrases_by_language)
    if (std::ranges::any_of(split_at_bars(language), [&](std::string_view phrase) { return contains_phrase(words, phrase); }))
      return true;
  return false;
}

}  // namespace loci
