#include "consolidate/model_problem.h"

#include <gmock/gmock.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "base/fd.h"
#include "model/model_use.h"
#include "tests/memory/memory_fixture.h"

namespace loci {
namespace {

using testing::HasSubstr;

// A port of this machine that is taken, and where nobody takes a connection unless somebody listens.
class Port {
 public:
  Port() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{.sin_family = AF_INET, .sin_port = 0, .sin_addr = {htonl(INADDR_LOOPBACK)}, .sin_zero = {}};
    socklen_t size = sizeof address;
    if (::bind(socket_.get(), reinterpret_cast<sockaddr*>(&address), size) != 0 ||
        ::getsockname(socket_.get(), reinterpret_cast<sockaddr*>(&address), &size) != 0)
      ADD_FAILURE() << "no port";
    number_ = ntohs(address.sin_port);
  }
  void listen() const { EXPECT_EQ(::listen(socket_.get(), 1), 0); }
  std::string url() const { return "http://127.0.0.1:" + std::to_string(number_); }

 private:
  Fd socket_;
  std::uint16_t number_ = 0;
};

class ModelProblem : public MemoryTest {
 protected:
  Memory with(const std::string& toml) {
    folder.write("home/.config/loci/config.toml", toml);
    return open();
  }
  static std::string model_at(const std::string& url) {
    return "[models.local]\nprovider = \"ollama\"\nmodel = \"small\"\nbase_url = \"" + url + "\"\n";
  }

  Environment environment = environment_in(folder);
};

TEST_F(ModelProblem, NothingNeedsAModelUnlessTheSettingsSaySo) {
  EXPECT_FALSE(model_problem_by_trying(with("").vault(), environment));
}

TEST_F(ModelProblem, ANameThatNoSettingsDescribeIsNoModel) {
  const auto problem =
      model_problem(with("[consolidation]\nmodel = \"locl\"\n" + model_at("http://127.0.0.1:9")).vault(), environment);
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->code, "no-model");
  EXPECT_THAT(problem->file, HasSubstr("config.toml"));
  EXPECT_THAT(problem->message, HasSubstr("'locl'"));
}

TEST_F(ModelProblem, ATurnThatIsToBeExtractedNeedsAModel) {
  const auto problem = model_problem(with("[capture]\nextract = \"turn\"\n").vault(), environment);
  ASSERT_TRUE(problem);
  EXPECT_THAT(problem->message, HasSubstr("capture.extract"));
}

TEST_F(ModelProblem, AMachineThatAsksNoneMissesNone) {
  EXPECT_FALSE(model_problem(with("[consolidation]\nmodel = \"gone\"\nenabled = false\n[capture]\nextract = \"off\"\n").vault(),
                             environment));
}

TEST_F(ModelProblem, OneThatIsLeftAloneAfterFailuresIsNoModelUntilThen) {
  Memory memory = with("[consolidation]\nmodel = \"local\"\n" + model_at("http://127.0.0.1:9"));
  ASSERT_TRUE(memory.bring_up_to_date());
  ModelUse use;
  use.put_off_until = memory.now() + std::chrono::hours(1);
  use.last_error = "connection refused";
  ASSERT_TRUE(write_model_use(memory.vault().files(), memory.vault().state_folder(), use));
  const auto problem = model_problem(memory.vault(), environment);
  ASSERT_TRUE(problem);
  EXPECT_THAT(problem->message, HasSubstr("connection refused"));
  EXPECT_THAT(problem->message, HasSubstr(format_rfc3339(*use.put_off_until)));
}

TEST_F(ModelProblem, AServerThatTakesNoConnectionIsFoundByTrying) {
  const Port port;
  const Memory memory = with("[consolidation]\nmodel = \"local\"\n" + model_at(port.url()));
  EXPECT_FALSE(model_problem(memory.vault(), environment)) << "asks no server";
  const auto problem = model_problem_by_trying(memory.vault(), environment);
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->code, "no-model");
  EXPECT_THAT(problem->message, HasSubstr("local cannot be reached"));
}

TEST_F(ModelProblem, AServerThatTakesOneIsFineThoughItSaysNothing) {
  const Port port;
  port.listen();
  EXPECT_FALSE(model_problem_by_trying(with("[consolidation]\nmodel = \"local\"\n" + model_at(port.url())).vault(), environment));
}

}  // namespace
}  // namespace loci
