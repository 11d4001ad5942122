#include "vault/layout/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/temporary_folder.h"
#include "vault/layout/config_edit.h"
#include "vault/layout/token_budget.h"

namespace loci {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

class ConfigTest : public testing::Test {
 protected:
  Result<LoadedConfig> load() { return load_config(real_file_system(), user_file(), vault_file(), "/home/anna"); }
  LoadedConfig loaded() {
    auto result = load();
    EXPECT_TRUE(result) << result.error().message;
    return result ? *result : LoadedConfig{};
  }
  Error error() {
    const auto result = load();
    EXPECT_FALSE(result);
    return result ? Error{} : result.error();
  }

  void user(const std::string& toml) { folder_.write("config.toml", toml); }
  void vault(const std::string& toml) { folder_.write(".loci/config.toml", toml); }
  path user_file() const { return folder_ / "config.toml"; }
  path vault_file() const { return folder_ / ".loci/config.toml"; }

  static Setting setting(const LoadedConfig& config, const std::string& key) {
    for (const Setting& found : config.settings)
      if (found.key == key) return found;
    ADD_FAILURE() << "no setting " << key;
    return {};
  }

  TemporaryFolder folder_;
};

TEST_F(ConfigTest, WithoutFilesEverythingIsTheDefault) {
  const LoadedConfig config = loaded();
  EXPECT_EQ(config.config.recall.limit, 8);
  EXPECT_EQ(config.config.max_file_bytes, 8388608);
  EXPECT_EQ(config.config.consolidation.hosts, "primary");
  EXPECT_THAT(config.warnings, IsEmpty());
  for (const Setting& found : config.settings) EXPECT_EQ(found.origin, "default") << found.key;
}

TEST_F(ConfigTest, EveryKeyOfTheManualIsRead) {
  user(R"(
default_vault = "~/memory"
[vault]
max_file_bytes = 1000
ignore = ["a", "b/"]
untrusted = ["Clippings/**"]
primary = "k3f9"
[privacy]
never_send = ["#private"]
[recall]
limit = 9
similarity_weight = 0.5
confidence_weight = 0.5
max_injection_tokens = 2001
encoding = "o200k_base"
retrieval_log_days = 31
recency_half_life_days = 91
recency_floor = 0.25
[capture]
turns = "summary"
extract = "off"
[consolidation]
enabled = false
hosts = "all"
min_hours = 2.5
min_facts = 21
max_days = 15
interval_seconds = 1801
neighbor_k = 9
cluster_max = 26
memory_max_lines = 201
undo_keep_days = 32
model = "claude"
verify = false
[models.claude]
provider = "anthropic"
base_url = "https://api.example"
model = "m"
key_file = "~/key"
key_env = "KEY"
timeout_seconds = 60
max_tokens_a_day = 7
price_per_million = [3, 15.5]
[http]
listen = "127.0.0.1:8080"
token_file = "/etc/token"
insecure = true
[watch]
mode = "polling"
rescan_minutes = 16
poll_seconds = 31
[sync]
minutes = 12
)");
  const LoadedConfig all = loaded();
  const Config& config = all.config;
  EXPECT_EQ(config.default_vault, "/home/anna/memory");
  EXPECT_EQ(config.max_file_bytes, 1000);
  EXPECT_THAT(config.ignore, ElementsAre("a", "b/"));
  EXPECT_THAT(config.untrusted, ElementsAre("Clippings/**"));
  EXPECT_EQ(config.primary, "k3f9");
  EXPECT_THAT(config.never_send, ElementsAre("#private"));
  EXPECT_EQ(config.recall.limit, 9);
  EXPECT_EQ(config.recall.similarity_weight, 0.5);
  EXPECT_EQ(config.recall.max_injection_tokens, 2001);
  EXPECT_EQ(config.recall.encoding, "o200k_base");
  EXPECT_EQ(config.recall.retrieval_log_days, 31);
  EXPECT_EQ(config.recall.recency_floor, 0.25);
  EXPECT_EQ(config.capture.turns, "summary");
  EXPECT_EQ(config.consolidation.min_hours, 2.5);
  EXPECT_FALSE(config.consolidation.enabled);
  EXPECT_FALSE(config.consolidation.verify);
  const ModelConfig& model = config.models.at("claude");
  EXPECT_EQ(model.provider, "anthropic");
  EXPECT_EQ(model.key_file, "/home/anna/key");
  EXPECT_EQ(model.timeout_seconds, 60);
  EXPECT_THAT(model.price_per_million, ElementsAre(3.0, 15.5));
  EXPECT_EQ(config.http.token_file, "/etc/token");
  EXPECT_EQ(config.watch.poll_seconds, 31);
  EXPECT_EQ(config.sync.minutes, 12);
  EXPECT_THAT(all.warnings, IsEmpty());
  for (const Setting& found : all.settings) EXPECT_EQ(found.origin, user_file()) << found.key;
}

TEST_F(ConfigTest, APriceIsTwoNumbersOrNone) {
  user("[models.a]\nprice_per_million = []\n");
  EXPECT_THAT(loaded().config.models.at("a").price_per_million, IsEmpty());
  for (const char* wrong : {"[3.0]", "[3.0, -1.0]", "[\"3\", \"15\"]", "3.0", "[3.0, \"15\"]"}) {
    user(std::string("[models.a]\nprice_per_million = ") + wrong + "\n");
    const auto config = load();
    ASSERT_FALSE(config) << wrong;
    EXPECT_THAT(config.error().message, HasSubstr("price_per_million")) << wrong;
  }
}

TEST_F(ConfigTest, WhatARunCostIsPricedByItsOwnModelWhicheverIsAskedByNow) {
  user(R"toml([consolidation]
model = "b"
[models.a]
price_per_million = [2, 10]
[models."a (old)"]
price_per_million = [4, 20]
[models.b]
price_per_million = [200, 1000]
[models.free]
)toml");
  const Config config = loaded().config;
  EXPECT_DOUBLE_EQ(price_of(config, "a (openai, house (small))", 1'000'000, 100'000).value_or(0), 3);
  EXPECT_DOUBLE_EQ(price_of(config, "a (old) (openai, house)", 1'000'000, 100'000).value_or(0), 6);
  EXPECT_DOUBLE_EQ(price_of(config, "b", 1'000'000, 0).value_or(0), 200);
  for (const char* unpriced : {"builtin", "free (openai, house)", "ab (openai, house)", ""})
    EXPECT_EQ(price_of(config, unpriced, 1'000'000, 0), std::nullopt) << unpriced;
}

TEST_F(ConfigTest, SettingsAreListedInTheOrderOfTheManualWithTheirOrigin) {
  user("[recall]\nlimit = 3\n[watch]\nmode = 'polling'\n[models.b]\nmodel = 'x'\n[models.a]\n");
  vault("[recall]\nlimit = 4\n");
  const LoadedConfig config = loaded();
  EXPECT_EQ(config.settings.front().key, "default_vault");
  EXPECT_EQ(config.settings.back().key, "watch.poll_seconds");
  EXPECT_EQ(setting(config, "recall.limit").value, "4");
  EXPECT_EQ(setting(config, "recall.limit").origin, vault_file());
  EXPECT_EQ(setting(config, "watch.mode").value, "\"polling\"");
  EXPECT_EQ(setting(config, "watch.mode").origin, user_file());
  EXPECT_EQ(setting(config, "recall.recency_floor").value, "0.7");
  EXPECT_EQ(setting(config, "consolidation.min_hours").value, "24.0");
  EXPECT_EQ(setting(config, "vault.ignore").value, "[]");
  EXPECT_EQ(setting(config, "models.b.model").value, "\"x\"");
  EXPECT_EQ(setting(config, "models.b.timeout_seconds").origin, "default");
}

TEST_F(ConfigTest, ListsOfBothFilesAddUpAndTheUsersRulesStandLast) {
  user("[vault]\nignore = ['u']\nuntrusted = ['u2']\n[privacy]\nnever_send = ['u3']\n");
  vault("[vault]\nignore = ['v']\nuntrusted = ['v2']\n[privacy]\nnever_send = ['v3']\n");
  const LoadedConfig config = loaded();
  EXPECT_THAT(config.config.ignore, ElementsAre("v", "u"));
  EXPECT_THAT(config.config.untrusted, ElementsAre("v2", "u2"));
  EXPECT_THAT(config.config.never_send, ElementsAre("v3", "u3"));
  EXPECT_EQ(setting(config, "vault.ignore").origin, user_file().string() + ", " + vault_file().string());
}

TEST_F(ConfigTest, AMistakeInTheUsersFileNamesFileLineAndWhatToWrite) {
  struct Case {
    std::string toml;
    int line;
    std::string message, hint;
  };
  for (const auto& [toml, line, message, hint] :
       {Case{"[recall]\n\nlimt = 3\n", 3, "unknown key 'recall.limt'", "did you mean 'recall.limit'?"},
        {"[recal]\nlimit = 3\n", 2, "unknown key 'recal.limit'", "did you mean 'recall.limit'?"},
        {"limit = 3\n", 1, "unknown key 'limit'", "did you mean 'recall.limit'?"},
        {"[models.claude]\nkeyfile = 'x'\n", 2, "unknown key 'models.claude.keyfile'", "did you mean 'models.claude.key_file'?"},
        {"[models]\nkey_file = 'x'\n", 2, "unknown key 'models.key_file'", "did you mean 'models.NAME.key_file'?"},
        {"[consolidation]\nintervall = 3\n", 2, "unknown key", "did you mean 'consolidation.interval_seconds'?"},
        {"[watch]\npoll = 3\n", 2, "unknown key", "did you mean 'watch.poll_seconds'?"},
        {"[vault]\nfile_bytes = 3\n", 2, "unknown key", "did you mean 'vault.max_file_bytes'?"},
        {"[search]\nlimt = 3\n", 2, "unknown key", "did you mean 'recall.limit'?"},
        {"[zzzzzzzz]\nqqqqqqqq = 3\n", 2, "unknown key 'zzzzzzzz.qqqqqqqq'", "'loci config' lists all keys"},
        {"[[vault]]\nignore = []\n", 1, "unknown key 'vault'", ""},
        {"[recall]\nlimit = 'eight'\n", 2, "'recall.limit' must be a whole number from 1 to 1000", ""},
        {"[recall]\nlimit = 0\n", 2, "must be a whole number from 1 to 1000", ""},
        {"[recall]\nlimit = 2.5\n", 2, "must be a whole number", ""},
        {"[recall]\nlimit = 9223372036854775807\n", 2, "must be a whole number", ""},
        {"[recall]\nrecency_floor = 1.5\n", 2, "must be a number from 0 to 1", ""},
        {"[recall]\nrecency_floor = nan\n", 2, "must be a number from 0 to 1", ""},
        {"[recall]\nrecency_floor = -0.1\n", 2, "must be a number from 0 to 1", ""},
        {"[watch]\nmode = 'kqueue'\n", 2, "must be one of \"auto\", \"inotify\", \"polling\"", ""},
        {"[consolidation]\nenabled = 'yes'\n", 2, "must be true or false", ""},
        {"[vault]\nignore = 'x'\n", 2, "must be a list of strings", ""},
        {"[vault]\nprimary = 'BAD host'\n", 2, "must be the id of a host", ""},
        {"[vault]\nignore = ['x', 3]\n", 2, "must be a list of strings", ""},
        {"[vault]\nprimary = 2026-11-21\n", 2, "must be a string", ""},
        {"default_vault = 'memory'\n", 1, "must be an absolute path, or one that starts with ~/", ""},
        {"[models.x]\nprovider = 'acme'\n", 2, "must be one of \"openai\", \"anthropic\", \"ollama\"", ""},
        {"a = 1\nb = [\n", 2, "", "mend the line by hand"},
        {"[recall]\nlimit = 1\nlimit = 2\n", 3, "", ""},
        {"bad \xff utf-8\n", 1, "", ""}}) {
    user(toml);
    const Error found = error();
    EXPECT_EQ(found.code, ErrorCode::usage) << toml;
    EXPECT_EQ(found.line, line) << toml;
    EXPECT_EQ(found.file, user_file()) << toml;
    EXPECT_THAT(found.message, StartsWith(user_file().string() + ":" + std::to_string(line) + ": ")) << toml;
    EXPECT_THAT(found.message, HasSubstr(message)) << toml;
    EXPECT_THAT(found.hint, HasSubstr(hint)) << toml;
  }
}

TEST_F(ConfigTest, AMistakeInTheVaultsFileIsAWarningAndTheRestCounts) {
  vault("[recall]\nlimt = 3\nrecency_floor = 2\nretrieval_log_days = 31\nsome_day = 'new'\n");
  const LoadedConfig config = loaded();
  EXPECT_EQ(config.config.recall.retrieval_log_days, 31);
  EXPECT_EQ(config.config.recall.limit, 8);
  EXPECT_EQ(config.config.recall.recency_floor, 0.7);
  ASSERT_EQ(config.warnings.size(), 3u);
  for (const Problem& problem : config.warnings) EXPECT_EQ(problem.file, ".loci/config.toml");
  EXPECT_EQ(config.warnings[0].code, "config-unknown-key");
  EXPECT_EQ(config.warnings[0].line, 2);
  EXPECT_THAT(config.warnings[0].message, EndsWith("did you mean 'recall.limit'?"));
  EXPECT_EQ(config.warnings[1].code, "config-bad-value");
  EXPECT_EQ(config.warnings[1].line, 3);
}

TEST_F(ConfigTest, WhatIsNestedTooDeepIsRefusedBeforeItIsRead) {
  const std::string fifteen = "a.a.a.a.a.a.a.a.a.a.a.a.a.a.a";
  for (const std::string& toml :
       {fifteen + ".a.a = 1\n", "[" + fifteen + "]\na.a = 1\n", "[[" + fifteen + ".a]]\na = 1\n",
        "\n'a'." + fifteen + ".\"a\" = 1\n", "a = [" + std::string(16, '[') + "]\n", "a.a = {" + fifteen + " = 1}\n",
        "a = [\n1, 2,\n{" + fifteen + ".a = 1}]\n", "x = ''' = '''\ny = \"#\\\"\" # '\n" + fifteen + ".a.a = 1\n"}) {
    vault(toml);
    const LoadedConfig config = loaded();
    ASSERT_EQ(config.warnings.size(), 1u) << toml;
    EXPECT_THAT(config.warnings[0].message, HasSubstr("nested deeper than 16 levels")) << toml;
    EXPECT_GT(config.warnings[0].line, 0) << toml;
  }
  vault("[" + fifteen + "]\na = 1\n# a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a\nb = 'a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a'\n");
  for (const Problem& warning : loaded().warnings) EXPECT_EQ(warning.code, "config-unknown-key") << warning.message;
}

TEST_F(ConfigTest, AFileOfMoreThan64KilobytesDoesNotCount) {
  vault("[recall]\nlimit = 3\n#" + std::string(64 << 10, 'x') + "\n");
  EXPECT_EQ(loaded().config.recall.limit, 8);
  ASSERT_EQ(loaded().warnings.size(), 1u);
  EXPECT_EQ(loaded().warnings[0].code, "config-syntax");
}

TEST_F(ConfigTest, WhatIsNoTomlIsNamedOnceWithItsFileAndLine) {
  const auto count = [](std::string_view text, std::string_view part) {
    size_t found = 0;
    for (size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) ++found;
    return found;
  };
  vault("[recall]\nlimit = 3\nlimit = 4\n");
  const Problem problem = loaded().warnings.at(0);
  EXPECT_EQ(problem.line, 3);
  EXPECT_EQ(count(problem.message, "config.toml"), 0u) << problem.message;
  user("[recall\n");
  const auto failed = load();
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().line, 1);
  EXPECT_EQ(count(failed.error().message, "config.toml"), 1u) << failed.error().message;
}

TEST_F(ConfigTest, WhatMustStayPrivateStaysSoWhateverIsWrongInTheVaultsFile) {
  const auto many = [](const std::string& rule) {
    std::string list = "[";
    for (int i = 0; i < 1001; ++i) list += "'" + rule + std::to_string(i) + "',";
    return list + "]\n";
  };
  user("[privacy]\nnever_send = ['mine']\n");
  vault("[privacy]\nnever_send = " + many("#t"));
  EXPECT_THAT(loaded().config.never_send, ElementsAre("**", "mine"));
  for (const char* table : {"[privacy.never_send]\ntags = ['t']\n", "[privacy]\nnever_send = { tags = ['t'] }\n"}) {
    vault(table);
    EXPECT_THAT(loaded().config.never_send, ElementsAre("**", "mine")) << table;
  }
  vault("[privacy]\nnever_send = '#t'\n[vault]\nuntrusted = ['" + std::string(1001, 'x') + "']\nignore = " + many("i"));
  EXPECT_THAT(loaded().config.never_send, ElementsAre("**", "mine"));
  EXPECT_THAT(loaded().config.untrusted, ElementsAre("**"));
  EXPECT_TRUE(loaded().config.ignore.empty());
  EXPECT_EQ(loaded().warnings.size(), 3u);
  vault("[privacy\nnever_send = ['#t']\n");
  EXPECT_THAT(loaded().config.never_send, ElementsAre("**", "mine"));
  EXPECT_TRUE(loaded().config.untrusted.empty());
}

TEST_F(ConfigTest, ARuleOfPrivacyThatIsNoneIsAnErrorAndInTheVaultsFileNamesEverything) {
  user("[recall]\nlimit = 3\n[privacy]\nnever_send = ['#mine', 'topic:health']\n");
  const auto refused = load();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().line, 4);
  EXPECT_THAT(refused.error().message, HasSubstr("topic:health"));
  EXPECT_THAT(refused.error().message, HasSubstr("tag:NAME"));

  user("[privacy]\nnever_send = ['tag:mine']\n");
  vault("[privacy]\nnever_send = ['#theirs', 'tag:']\n");
  EXPECT_THAT(loaded().config.never_send, ElementsAre("**", "tag:mine"));
  ASSERT_EQ(loaded().warnings.size(), 1u);
  EXPECT_THAT(loaded().warnings[0].message, HasSubstr("name everything"));
}

TEST_F(ConfigTest, AVaultCannotNameAnAddressAKeyOrAnotherVault) {
  user("[http]\nlisten = '127.0.0.1:1'\n");
  vault(R"(
default_vault = "/elsewhere"
[models.evil]
base_url = "https://evil.example"
key_env = "SECRET"
[http]
listen = "0.0.0.0:80"
[consolidation]
model = "evil"
)");
  const LoadedConfig config = loaded();
  EXPECT_EQ(config.config.default_vault, "");
  EXPECT_THAT(config.config.models, IsEmpty());
  EXPECT_EQ(config.config.http.listen, "127.0.0.1:1");
  EXPECT_EQ(config.config.consolidation.model, "evil") << "naming one is allowed";
  ASSERT_EQ(config.warnings.size(), 4u);
  for (const Problem& problem : config.warnings) {
    EXPECT_EQ(problem.code, "config-user-only");
    EXPECT_THAT(problem.message, HasSubstr("counts in the user's file only"));
  }
}

TEST_F(ConfigTest, BrokenTomlInTheVaultsFileLeavesTheUsersSettings) {
  user("[recall]\nlimit = 3\n");
  vault("[recall]\nlimit = 4\n<<<<<<< HEAD\n");
  const LoadedConfig config = loaded();
  EXPECT_EQ(config.config.recall.limit, 3);
  ASSERT_EQ(config.warnings.size(), 1u);
  EXPECT_EQ(config.warnings[0].code, "config-syntax");
  EXPECT_EQ(config.warnings[0].line, 3);
}

TEST_F(ConfigTest, AVaultsFileThatCannotBeReadIsAWarning) {
  std::filesystem::create_directories(vault_file());
  EXPECT_EQ(loaded().warnings.size(), 1u);
}

TEST_F(ConfigTest, AnEndlessFileIsRefusedBeforeItIsRead) {
  user(std::string((1 << 20) + 1, '#'));
  EXPECT_THAT(error().message, HasSubstr("larger than"));
}

TEST_F(ConfigTest, DeepNestingIsAnErrorAndNoCrash) {
  user("x = " + std::string(10000, '['));
  EXPECT_EQ(error().code, ErrorCode::usage);
}

class SetConfigTest : public ConfigTest {
 protected:
  Status set(const std::string& key, const std::string& value) {
    return set_config(real_file_system(), user_file(), key, value, false);
  }
  Status set_in_vault(const std::string& key, const std::string& value) {
    return set_config(real_file_system(), vault_file(), key, value, true);
  }
};

TEST_F(SetConfigTest, TheRestOfTheFileKeepsItsBytes) {
  struct Case {
    std::string key, value, before, after;
  };
  for (const auto& [key, value, before, after] : {
           Case{"recall.limit", "12", "# mine\n[recall]\nlimit  =  8   # was 5\n", "# mine\n[recall]\nlimit  =  12   # was 5\n"},
           {"recall.limit", "12", "recall = { limit = 8, recency_floor = 0.5 }\n",
            "recall = { limit = 12, recency_floor = 0.5 }\n"},
           {"recall.limit", "12", "recall.limit = 8 # ü\n", "recall.limit = 12 # ü\n"},
           {"vault.primary", "k3f9", "vault = { primary = 'üü', ignore = ['ä'] }\n",
            "vault = { primary = \"k3f9\", ignore = ['ä'] }\n"},
           {"vault.ignore", "[\"a\", 'b']", "[vault]\nignore = [\n 'x', # why\n]\nprimary = 'pppp'\n",
            "[vault]\nignore = [\"a\", \"b\"]\nprimary = 'pppp'\n"},
           {"recall.limit", "12", "[recall]\n# all defaults\n", "[recall]\nlimit = 12\n# all defaults\n"},
           {"recall.limit", "12", "[recall]\nrecency_floor = 0.5 # low\n\n[watch]\n",
            "[recall]\nrecency_floor = 0.5 # low\nlimit = 12\n\n[watch]\n"},
           {"recall.limit", "12", "[recall]", "[recall]\nlimit = 12\n"},
           {"recall.limit", "12", "[watch]\r\nmode = 'auto'\r\n", "[watch]\r\nmode = 'auto'\r\n\r\n[recall]\r\nlimit = 12\r\n"},
           {"recall.limit", "12", "recall.recency_floor = 0.5\n[watch]\n",
            "recall.limit = 12\nrecall.recency_floor = 0.5\n[watch]\n"},
           {"recall.limit", "12", "", "[recall]\nlimit = 12\n"},
           {"default_vault", "~/memory", "[watch]\nmode = 'auto'\n", "default_vault = \"~/memory\"\n[watch]\nmode = 'auto'\n"},
           {"default_vault", "/m", "\xEF\xBB\xBF# hello\n",
            "\xEF\xBB\xBF"
            "default_vault = \"/m\"\n# hello\n"},
           {"models.claude.model", "m\"1\\", "[models.claude]\nprovider = 'openai'\n",
            "[models.claude]\nprovider = 'openai'\nmodel = \"m\\\"1\\\\\"\n"},
           {"models.my model.model", "x", "", "[models.\"my model\"]\nmodel = \"x\"\n"},
           {"consolidation.enabled", "false", "", "[consolidation]\nenabled = false\n"},
           {"consolidation.min_hours", "2", "", "[consolidation]\nmin_hours = 2\n"},
           {"recall.recency_floor", "0.25", "", "[recall]\nrecency_floor = 0.25\n"},
           {"vault.ignore", "drafts/", "", "[vault]\nignore = [\"drafts/\"]\n"},
           {"vault.ignore", "", "", "[vault]\nignore = []\n"},
           {"vault.primary", "\"k3f9\"", "", "[vault]\nprimary = \"k3f9\"\n"},
       }) {
    user(before);
    const auto done = set(key, value);
    EXPECT_TRUE(done) << done.error().message;
    EXPECT_EQ(folder_.read("config.toml"), after) << key << " in " << before;
    EXPECT_TRUE(load()) << after;
  }
}

TEST_F(SetConfigTest, WhatWasSetIsTakenOutAndLeavesTheFileAsItWas) {
  for (const std::string before : {"", "# mine\n", "[watch]\nmode = 'auto'\n", "[recall]\nrecency_floor = 0.5 # low\n\n[watch]\n",
                                   "recall.recency_floor = 0.5\n[watch]\n"}) {
    user(before);
    ASSERT_TRUE(set("recall.limit", "12"));
    const auto value = config_value_in(real_file_system(), user_file(), "recall.limit");
    ASSERT_TRUE(value);
    EXPECT_EQ(*value, "12");
    const auto done = unset_config(real_file_system(), user_file(), "recall.limit", false);
    EXPECT_TRUE(done) << done.error().message;
    EXPECT_EQ(folder_.read("config.toml"), before);
    EXPECT_EQ(config_value_in(real_file_system(), user_file(), "recall.limit").value(), std::nullopt);
  }
}

TEST_F(SetConfigTest, TakingOutOneKeyKeepsEverythingElse) {
  struct Case {
    std::string before, after;
  };
  for (const auto& [before, after] :
       {Case{"[recall]\nlimit = 8 # was 5\nrecency_floor = 0.5\n", "[recall]\n # was 5\nrecency_floor = 0.5\n"},
        {"[recall]\nlimit = 8\n# all else as it is\n", "[recall]\n# all else as it is\n"},
        {"[recall]\nlimit = 8", ""},
        {"[recall] # mine\nlimit = 8\n", "[recall] # mine\n"},
        {"[recall]\nlimit = 8\n\n[watch]\nmode = 'auto'\n", "[recall]\n\n[watch]\nmode = 'auto'\n"},
        {"recall.limit = 8\nrecall.recency_floor = 0.5\n", "recall.recency_floor = 0.5\n"},
        {"[watch]\nmode = 'auto'\n", "[watch]\nmode = 'auto'\n"}}) {
    user(before);
    const auto done = unset_config(real_file_system(), user_file(), "recall.limit", false);
    EXPECT_TRUE(done) << done.error().message;
    EXPECT_EQ(folder_.read("config.toml"), after) << before;
  }
  const std::string inline_table = "recall = { limit = 8, recency_floor = 0.5 }\n";
  user(inline_table);
  const auto refused = unset_config(real_file_system(), user_file(), "recall.limit", false);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::refused);
  EXPECT_EQ(folder_.read("config.toml"), inline_table);
}

TEST_F(SetConfigTest, WhatCannotBeSetIsRefusedAndNothingIsWritten) {
  struct Case {
    std::string key, value;
    ErrorCode code;
    std::string message, hint;
  };
  const std::string before = "recall = { recency_floor = 0.5 }\n";
  user(before);
  for (const auto& [key, value, code, message, hint] :
       {Case{"recall.limt", "3", ErrorCode::usage, "unknown key 'recall.limt'", "did you mean 'recall.limit'?"},
        {"models..model", "3", ErrorCode::usage, "unknown key", ""},
        {"", "3", ErrorCode::usage, "unknown key", ""},
        {"recall.limit", "many", ErrorCode::usage, "'recall.limit' must be a whole number from 1 to 1000", ""},
        {"recall.limit", "12x", ErrorCode::usage, "must be a whole number", ""},
        {"watch.mode", "maybe", ErrorCode::usage, "must be one of", ""},
        {"vault.ignore", "[1]", ErrorCode::usage, "must be a list of strings", ""},
        {"recall.limit", "3", ErrorCode::refused, "written in a way", "edit the file by hand; nothing was written"}}) {
    const auto done = set(key, value);
    ASSERT_FALSE(done) << key;
    EXPECT_EQ(done.error().code, code) << key;
    EXPECT_THAT(done.error().message, HasSubstr(message));
    EXPECT_THAT(done.error().hint, HasSubstr(hint));
    EXPECT_EQ(folder_.read("config.toml"), before);
  }
}

TEST_F(SetConfigTest, ABrokenFileIsNotWritten) {
  user("a = [\n");
  const auto done = set("recall.limit", "3");
  ASSERT_FALSE(done);
  EXPECT_THAT(done.error().message, StartsWith(user_file().string() + ":1: "));
  EXPECT_EQ(folder_.read("config.toml"), "a = [\n");
}

TEST_F(SetConfigTest, TheVaultsFileTakesNoKeyThatCountsInTheUsersFileOnly) {
  for (const char* key : {"default_vault", "models.x.base_url", "http.token_file", "http.listen"}) {
    const auto done = set_in_vault(key, "/x");
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, ErrorCode::usage);
  }
  EXPECT_TRUE(set_in_vault("vault.primary", "k3f9"));
  EXPECT_EQ(folder_.read(".loci/config.toml"), "[vault]\nprimary = \"k3f9\"\n");
}

TEST_F(SetConfigTest, ANewFileIsForItsOwnerOnlyAndAnOldOneKeepsItsMode) {
  namespace fs = std::filesystem;
  const path nested = folder_ / "new/loci/config.toml";
  ASSERT_TRUE(set_config(real_file_system(), nested, "recall.limit", "3", false));
  EXPECT_EQ(fs::status(nested).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  fs::permissions(nested, fs::perms::owner_all | fs::perms::group_read);
  ASSERT_TRUE(set_config(real_file_system(), nested, "recall.limit", "4", false));
  EXPECT_EQ(fs::status(nested).permissions(), fs::perms::owner_all | fs::perms::group_read);
}

TEST_F(SetConfigTest, TheVaultOfAFolderIsSetWhateverDotsTheFoldersNameHas) {
  folder_.write("config.toml", "");
  ASSERT_TRUE(set_config(real_file_system(), folder_ / "config.toml", "agents.vaults.~/.notes v1.2", "~/memory", false));
  ASSERT_TRUE(set_config(real_file_system(), folder_ / "config.toml", "agents.vaults./tmp", "off", false));
  const auto loaded = load_config(real_file_system(), folder_ / "config.toml", {}, "/home/anna");
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_THAT(loaded->config.agents.vaults,
              testing::ElementsAre(testing::Pair("/tmp", "off"), testing::Pair("~/.notes v1.2", "/home/anna/memory")));
  EXPECT_FALSE(set_config(real_file_system(), folder_ / "config.toml", "agents.vaults./tmp", "somewhere", false));
  EXPECT_FALSE(set_config(real_file_system(), folder_ / "config.toml", "agents.vaults", "x", false));
}

TEST_F(SetConfigTest, ALinkInTheUsersFolderStaysALinkAndOneInAVaultIsRefused) {
  folder_.write("dotfiles/loci.toml", "# mine\n");
  folder_.write(".loci/x", "");
  std::filesystem::create_symlink("dotfiles/loci.toml", user_file());
  std::filesystem::create_symlink("../dotfiles/loci.toml", vault_file());
  ASSERT_TRUE(set("recall.limit", "3"));
  EXPECT_TRUE(std::filesystem::is_symlink(user_file()));
  EXPECT_EQ(folder_.read("dotfiles/loci.toml"), "# mine\n\n[recall]\nlimit = 3\n");
  const auto done = set_in_vault("recall.limit", "4");
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::refused);
}

}  // namespace
}  // namespace loci
