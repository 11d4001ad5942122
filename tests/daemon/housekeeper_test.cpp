#include "daemon/housekeeper.h"

#include <fstream>
#include <thread>

#include "tests/daemon/kept_vault.h"

namespace loci {
namespace {

class HousekeeperTest : public KeptVaultTest {
 protected:
  HousekeeperTest() { keep(); }

  path write_days_ago(const path& file, int days) {
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << "x";
    std::filesystem::last_write_time(file, std::filesystem::file_time_type::clock::now() - std::chrono::days(days));
    return file;
  }
};

TEST_F(HousekeeperTest, WhatIsKeptForATimeGoesWhileADaemonRunsToo) {
  const Memory memory = open();
  const path state = memory.vault().state_folder();
  const path old_note = write_days_ago(state / "hooks/old", 60), new_note = write_days_ago(state / "hooks/new", 0);
  const path old_claim = write_days_ago(state.parent_path() / "claims/old", 2);
  const path new_claim = write_days_ago(state.parent_path() / "claims/new", 0);
  WriteQueue queue(open());
  Housekeeper housekeeper(memory.vault(), queue);
  for (const auto give_up = std::chrono::steady_clock::now() + std::chrono::minutes(2);
       std::filesystem::exists(old_claim) && std::chrono::steady_clock::now() < give_up;) {
    std::this_thread::sleep_until(housekeeper.next_due().value());
    housekeeper.step();
    queue.step(std::chrono::steady_clock::time_point::min());
  }
  for (const path& file : {old_note, old_claim}) EXPECT_FALSE(std::filesystem::exists(file)) << file;
  for (const path& file : {new_note, new_claim}) EXPECT_TRUE(std::filesystem::exists(file)) << file;
}

}  // namespace
}  // namespace loci
