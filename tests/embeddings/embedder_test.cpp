#include "embeddings/embedder.h"

#include <gmock/gmock.h>

#include "parser/text_hash.h"
#include "tests/memory/memory_fixture.h"
#include "tests/support/model_server.h"

namespace loci {
namespace {

class TheEmbedder : public MemoryTest {
 protected:
  void settings(const ModelServer& server) {
    folder.write("home/.config/loci/config.toml",
                 "[models.embeddings]\nprovider = \"openai\"\nmodel = \"small\"\nbase_url = \"" + server.base_url() + "\"\n");
  }
  static void store(const Memory& memory, const std::vector<float>& vector) {
    const path& state = memory.vault().state_folder();
    ASSERT_TRUE(make_folders(real_file_system(), vector_folder(state)));
    const std::vector<TextVector> vectors{{stored_text_hash("tabby"), vector}};
    ASSERT_TRUE(add_vectors(real_file_system(), state, "openai small", vectors));
  }
};

TEST_F(TheEmbedder, IsNotThereWithoutAServer) {
  Memory memory = open();
  EXPECT_EQ(Embedder::of(memory.vault(), environment_in(folder)), nullptr);
}

TEST_F(TheEmbedder, CountsForNothingInTheSettingsOfAVault) {
  write(".loci/config.toml",
        "[models.embeddings]\nprovider = \"openai\"\nmodel = \"small\"\nbase_url = \"https://stranger.example\"\n");
  Memory memory = open();
  EXPECT_EQ(Embedder::of(memory.vault(), environment_in(folder)), nullptr);
}

TEST_F(TheEmbedder, AsksNobodyWhileThereIsNothingToCompareWith) {
  const auto server = ModelServer::of_embeddings();
  settings(server);
  Memory memory = open();
  const auto embedder = Embedder::of(memory.vault(), environment_in(folder));
  ASSERT_NE(embedder, nullptr);
  EXPECT_EQ(embedder->similar_to("pets"), nullptr);
  EXPECT_TRUE(server.requests().empty());
}

TEST_F(TheEmbedder, LeavesAServerAloneForAWhileThatFailed) {
  const auto server = ModelServer::of_embeddings(R"({"fault":"status"})");
  settings(server);
  Memory memory = open();
  store(memory, std::vector<float>(32, 0.1F));
  const auto embedder = Embedder::of(memory.vault(), environment_in(folder));
  EXPECT_EQ(embedder->similar_to("pets"), nullptr);
  EXPECT_EQ(embedder->similar_to("boats"), nullptr);
  EXPECT_LE(server.requests().size(), 1U);
  EXPECT_TRUE(embedder->trouble());
}

}  // namespace
}  // namespace loci
