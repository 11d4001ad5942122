#include <gtest/gtest.h>

#include "recall/query.h"

namespace loci {
namespace {

TEST(AsksAboutHistory, InManyLanguages) {
  for (const char* question : {"What did we decide about the database?",
                               "Do you remember the name of the hotel?",
                               "the bug from yesterday",
                               "what was that last week",
                               "when did Anna move?",
                               "three days ago",
                               "WHAT DID I SAY",
                               "Was haben wir letzte Woche besprochen?",
                               "vor drei Tagen",
                               "gestern",
                               "Früher war es anders",
                               "Qu'avons-nous dit la semaine dernière ?",
                               "il y a deux jours",
                               "tu te souviens de l'hôtel ?",
                               "hier soir",
                               "¿Qué hablamos de eso ayer?",
                               "hace tres meses",
                               "¿te acuerdas?",
                               "l'anno scorso",
                               "due settimane fa",
                               "ti ricordi?",
                               "o que aconteceu ontem",
                               "três dias atrás",
                               "Wat hebben we gisteren besproken?",
                               "twee weken geleden",
                               "vad sa vi igår?",
                               "co ustaliliśmy w zeszłym tygodniu",
                               "о чём мы говорили вчера",
                               "два дня назад",
                               "геçen hafta olmaz mı, dün",
                               "我们上次讨论了什么",
                               "你还记得吗",
                               "ти пам'ятаєш про базу?",
                               "what have we talked about lately",
                               "summarize the key themes across my recent conversations",
                               "worum ging es in letzter Zeit",
                               "de quoi avons-nous parlé récemment",
                               "¿de qué hablamos últimamente?",
                               "昨天的会议",
                               "先週の会議",
                               "覚えていますか",
                               "지난주 회의",
                               "어제",
                               "ماذا قلنا أمس",
                               "מה אמרנו אתמול",
                               "เมื่อวานเราคุยอะไร"})
    EXPECT_TRUE(asks_about_history(question)) << question;
}

TEST(AsksAboutHistory, NotWhenThePresentIsMeant) {
  for (const char* question :
       {"", "what is the zebrafish passphrase", "how do I deploy", "her last name", "which editor does the user prefer",
        "in drei Tagen", "wie ist das Passwort", "quel est le mot de passe", "dónde está la llave", "qual é a senha",
        "数据库密码是什么", "パスワードは何ですか", "next week", "yesterdays", "the latest release", "ago", "did:plc:abc", "chier"})
    EXPECT_FALSE(asks_about_history(question)) << question;
}

}  // namespace
}  // namespace loci
