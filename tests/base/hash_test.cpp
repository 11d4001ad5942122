#include "base/hash.h"

#include <gtest/gtest.h>

namespace loci {
namespace {

// FIPS 180-4 and RFC 4231 give these values.
TEST(Hash, Sha256AgreesWithItsStandard) {
  EXPECT_EQ(hex(as_bytes(sha256("abc")), 64), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hex(as_bytes(sha256("")), 64), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST(Hash, HmacAgreesWithItsStandard) {
  EXPECT_EQ(hex(as_bytes(hmac_sha256("Jefe", "what do ya want for nothing?")), 64),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
}

TEST(Hash, HmacTakesAKeyThatIsLongerThanABlock) {
  EXPECT_EQ(hex(as_bytes(hmac_sha256(std::string(131, '\xaa'), "Test Using Larger Than Block-Size Key - Hash Key First")), 64),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

TEST(Hash, HexGivesAsManyDigitsAsAskedAndNoMoreThanThereAre) {
  EXPECT_EQ(hex("\x01\xab", 3), "01a");
  EXPECT_EQ(hex("\x01\xab", 9), "01ab");
}

TEST(Hash, AChangedByteChangesTheChangeHash) { EXPECT_NE(hash64("memory"), hash64("memorz")); }

}  // namespace
}  // namespace loci
