#include <gtest/gtest.h>

#include "harness/config/config.h"
#include "harness/config/test_texts.h"

namespace harness {
namespace {

using namespace claim;

/// The sentence begins at column 13 of line 20.
std::string with_claim(const std::string& sentence) {
  return "lab: a\nkernel: gemm\nsweeps:\n"
         "  - name: sizes\n"
         "    variants: [gpu_naive, gpu_shared]\n"
         "    axes: {size: [64, 128, 256], BLOCK: {gpu_shared: [8, 16]}, PARTITION: {gpu_shared: [row, block]}}\n"
         "  - name: shapes\n"
         "    variants: [gpu_naive]\n"
         "    axes: {shape: [{m: 8, n: 8}, {m: 64, n: 1}], size: 4}\n"
         "    zip: {THREADS: [32, 64], ROWS: [2, 1]}\n"
         "  - name: doubles\n"
         "    variants: [gpu_*]\n"
         "    dtype: f64\n"
         "    axes: {size: [64, 128]}\n"
         "\n\n\n\nclaims:\n"
         "  - {claim: " +
         sentence + ", sweep: sizes, source: report}\n";
}

Claim claim_of(const std::string& sentence) {
  const auto config = parse_config(with_claim(sentence), "a.yaml");
  EXPECT_TRUE(config) << config.error().message;
  return config ? config->claims.at(0) : Claim{};
}

template <class T>
T form_of(const std::string& sentence) {
  const Claim claim = claim_of(sentence);
  EXPECT_TRUE(std::holds_alternative<T>(claim.form)) << sentence;
  return std::holds_alternative<T>(claim.form) ? std::get<T>(claim.form) : T{};
}

TEST(ReadClaim, FasterIsAnOrderOfTimes) {
  const Order faster = form_of<Order>("gpu_shared BLOCK=8 faster than gpu_naive in doubles");
  ASSERT_EQ(faster.items.size(), 2u);
  EXPECT_EQ(faster.items[0].variant, "gpu_shared");
  EXPECT_EQ(to_string(faster.items[0].fixed), "BLOCK=8");
  EXPECT_EQ(faster.items[0].metric, MetricName::kernel_ms);
  EXPECT_EQ(faster.items[1].variant, "gpu_naive");
  EXPECT_EQ(faster.items[1].sweep, "doubles");
  EXPECT_EQ(form_of<Order>("gpu_naive slower than gpu_shared").items[0].variant, "gpu_shared");
}

TEST(ReadClaim, AnOrderHasAnyNumberOfItems) {
  const Order up = form_of<Order>("gflops of gpu_naive < gpu_shared BLOCK=8 < gpu_shared BLOCK=16");
  ASSERT_EQ(up.items.size(), 3u);
  EXPECT_EQ(up.items[2].metric, MetricName::gflops);
  EXPECT_EQ(to_string(form_of<Order>("time of gpu_shared BLOCK=8>gpu_shared BLOCK=16").items[0].fixed), "BLOCK=16");
}

TEST(ReadClaim, RangesOfARatio) {
  const auto range = [](const std::string& words) {
    return form_of<Quotient>("time of gpu_naive over gpu_shared " + words).range;
  };
  EXPECT_EQ(range("between 1.5 and 3").low, 1.5);
  EXPECT_EQ(range("between 1.5 and 3").high, 3);
  EXPECT_EQ(range("at least 2").low, 2);
  EXPECT_EQ(range("at most 2").high, 2);
  EXPECT_EQ(range("at most 2").ends, Range::Ends::inside);
  EXPECT_EQ(range("above 2").low, 2);
  EXPECT_EQ(range("below 2").high, 2);
  EXPECT_EQ(range("below 2").ends, Range::Ends::outside);
  const Quotient mixed = form_of<Quotient>("first_call_ms of gpu_naive over time of gpu_naive above 400");
  EXPECT_EQ(mixed.top.metric, MetricName::first_call_ms);
  EXPECT_EQ(mixed.bottom.metric, MetricName::kernel_ms);
  const Quotient equal = form_of<Quotient>("time of gpu_naive equal to gpu_shared within 5 %");
  EXPECT_DOUBLE_EQ(equal.range.low, 0.95);
  EXPECT_DOUBLE_EQ(equal.range.high, 1.05);
}

TEST(ReadClaim, FormsAlongAnAxis) {
  EXPECT_EQ(form_of<Monotone>("time of gpu_shared falls along BLOCK").direction, Monotone::Direction::falls);
  EXPECT_EQ(form_of<Monotone>("h2d_ms of gpu_naive rises along size").axis, "size");
  EXPECT_DOUBLE_EQ(form_of<Flat>("alloc_ms of gpu_naive flat along size within 7%").tolerance, 0.07);
  EXPECT_EQ(form_of<Extreme>("time of gpu_shared lowest at BLOCK = 8").range.high, 8);
  EXPECT_EQ(form_of<Extreme>("gflops of gpu_naive highest at size between 128 and 256").which, Extreme::Which::highest);
  EXPECT_EQ(form_of<Growth>("time of gpu_naive grows along size with exponent between 2.8 and 3.1").range.low, 2.8);
  EXPECT_EQ(form_of<LastOverHighest>("gflops of gpu_naive last over highest along size below 0.7").range.high, 0.7);
  EXPECT_DOUBLE_EQ(form_of<Dips>("gflops of gpu_naive dips along size within 10 %").tolerance, 0.1);
  EXPECT_EQ(form_of<Within>("gflops of gpu_naive at least 100").range.low, 100);
}

TEST(ReadClaim, ConditionsOfTheSelection) {
  const Claim claim =
      claim_of("gpu_shared faster than gpu_naive where size>=128 and BLOCK != 8 and PARTITION = row or block");
  ASSERT_EQ(claim.where.size(), 3u);
  EXPECT_EQ(claim.where[0].op, Filter::Op::at_least);
  EXPECT_EQ(claim.where[1].op, Filter::Op::unequal);
  EXPECT_EQ(claim.where[2].values.size(), 2u);
  EXPECT_EQ(claim.source, "report");
}

TEST(ReadClaim, AxesThatMoveWithOneThatIsSetAreNotMatched) {
  const auto unmatched = claim_of("gflops of gpu_naive in shapes m=8 < gpu_naive in shapes m=64").unmatched;
  EXPECT_NE(std::ranges::find(unmatched, "n"), unmatched.end());
  EXPECT_EQ(std::ranges::find(unmatched, "size"), unmatched.end());
  const auto zipped = claim_of("time of gpu_naive in shapes falls along THREADS").unmatched;
  EXPECT_NE(std::ranges::find(zipped, "ROWS"), zipped.end());
}

TEST(ReadClaim, MistakesHaveAPositionAndAWayOut) {
  const struct {
    const char *sentence, *message;
  } rows[] = {
      {"gpu_sharde faster than gpu_naive",
       "a.yaml:20:13: sweep \"sizes\" has no variant \"gpu_sharde\" (did you mean \"gpu_shared\"?)"},
      {"gpu_shared faster then gpu_naive", "a.yaml:20:31: unexpected \"then\" (did you mean \"than\"?)"},
      {"gpu_shared quicker than gpu_naive", "a.yaml:20:24: expected \"faster\" or \"slower\", not \"quicker\""},
      {"gpu_shared faster than", "a.yaml:20:35: the claim ends too early: expected a variant"},
      {"gpu_shared faster than gpu_naive where sise >= 128",
       "a.yaml:20:52: sweep \"sizes\" has no axis \"sise\" (did you mean \"size\"?)"},
      {"gpu_shared faster than gpu_naive where size = 100",
       "a.yaml:20:59: sweep \"sizes\" has no case with size=100; it has 64, 128, 256"},
      {"gpu_shared faster than gpu_naive where size > big", "a.yaml:20:59: expected a number, not \"big\""},
      {"gpu_shared faster than gpu_naive were size > 64",
       "a.yaml:20:46: unexpected \"were\" (did you mean \"where\"?)"},
      {"gpu_shared faster than gpu_naive where size > 64 size < 256",
       "a.yaml:20:62: expected \"and\" or \"or\", not \"size\""},
      {"gpu_shared BLOCK=7 faster than gpu_naive",
       "a.yaml:20:30: sweep \"sizes\" has no case with BLOCK=7; it has 8, 16"},
      {"gpu_shared BLOK=8 faster than gpu_naive",
       "a.yaml:20:24: sweep \"sizes\" has no axis \"BLOK\" (did you mean \"BLOCK\"?)"},
      {"gpu_shared in size faster than gpu_naive", "a.yaml:20:27: unknown sweep \"size\" (did you mean \"sizes\"?)"},
      {"gflop of gpu_naive at least 3", "a.yaml:20:13: unknown metric \"gflop\" (did you mean \"gflops\"?)"},
      {"time of gpu_naive over gflops of gpu_shared above 1",
       "a.yaml:20:36: \"kernel_ms\" and \"gflops\" have different units; compare numbers of one unit"},
      {"time of gpu_naive over gpu_shared between 3 and 2",
       "a.yaml:20:47: the range between 3 and 2 is reversed; put the smaller number first"},
      {"time of gpu_naive over gpu_shared between 2 and 2", "a.yaml:20:47: the range between 2 and 2 is empty"},
      {"time of gpu_naive equal to gpu_shared within 0 %",
       "a.yaml:20:58: a tolerance lies between 0 % and 100 %, not at 0 %"},
      {"time of gpu_shared falls along PARTITION",
       "a.yaml:20:44: \"PARTITION\" has a value \"row\", which is no number"},
      {"gpu_shared faster than gpu_naive where PARTITION < 3",
       "a.yaml:20:52: \"PARTITION\" has a value \"row\", which is no number"},
      {"\"time of gpu_shared fals along BLOCK\"", "a.yaml:20:33: unexpected \"fals\" (did you mean \"falls\"?)"},
  };
  for (const auto& row : rows) EXPECT_EQ(config_error(with_claim(row.sentence)), row.message) << row.sentence;
}

TEST(ReadClaim, ASweepMustExist) {
  EXPECT_EQ(config_error(small_config + "claims: [{claim: x, sweep: sises, source: y}]"),
            "a.yaml:7:28: unknown sweep \"sises\" (did you mean \"sizes\"?)");
}

}  // namespace
}  // namespace harness
