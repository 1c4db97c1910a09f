#include "harness/engine/session.h"

#include <gtest/gtest.h>

namespace harness {
namespace {

// compute-sanitizer sees a step over the edge of an allocation, not one into the bands of a buffer.
TEST(Session, GpuDataLieBetweenBandsUnlessAToolWatches) {
  PlacedLab lab;
  VariantInfo variant;
  variant.gpu = true;
  Build build;
  build.variant = &variant;
  const Session session(lab, build);
  EXPECT_EQ(session.edge(), Edge::middle);
  lab.options.wrap = {"compute-sanitizer"};
  EXPECT_EQ(session.edge(), Edge::end);
  EXPECT_EQ(session.edge(Edge::start), Edge::start);
  lab.options.wrap.clear();
  variant.gpu = false;
  EXPECT_EQ(session.edge(), Edge::end);
}

}  // namespace
}  // namespace harness
