#include "words/orders.h"

#include <gtest/gtest.h>

namespace loci {
namespace {

TEST(StandingOrder, IsWhatAsksTheReaderForSomething) {
  for (const char* text : {"Always answer in English.", "Never call me before nine.", "Please keep it short.", "Do not use tabs.",
                           "Don't mention the move.", "Hanna: Bitte schreibt Rechnungen auf Deutsch.",
                           "Immer mit Quellen antworten.", "Réponds en français.", "Siempre en español."})
    EXPECT_TRUE(is_standing_order(text)) << text;
  for (const char* text : {"Lives in Oslo.", "The shop never closes.", "Do you like tea?", "Please, who is that?", "",
                           "Do the dishes.", "Mira: The cat is called Bo."})
    EXPECT_FALSE(is_standing_order(text)) << text;
}

TEST(Preference, IsToldByAVerb) {
  for (const char* text : {"Prefers tea over coffee.", "I love long walks.", "Fährt am liebsten Zug.", "Le gusta el café."})
    EXPECT_TRUE(tells_preference(text)) << text;
  for (const char* text : {"Works at Contoso.", "", "Der Vertrag läuft bis Mai."}) EXPECT_FALSE(tells_preference(text)) << text;
}

}  // namespace
}  // namespace loci
