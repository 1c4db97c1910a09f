#include <gtest/gtest.h>

#include "harness/machine/machine.h"

namespace harness {
namespace {

TEST(Machine, KnowsItsOwnCompiler) {
  const Machine machine = inspect_machine();
  ASSERT_NE(find_tool(machine, "g++"), nullptr);
  EXPECT_EQ(find_tool(machine, "no such tool"), nullptr);
  EXPECT_GE(machine.cpu.cores, 1);
}

constexpr char kWritten[] = R"json({
    "cpu": {"model": "AMD EPYC", "vendor": "AuthenticAMD", "cores": 2, "features": ["avx2"], "l1d_bytes": 49152,
            "l2_bytes": 1048576, "l3_bytes": 33554432, "governor": "performance", "turbo": "on"},
    "memory_bytes": 100, "available_bytes": 50, "os": "Debian GNU/Linux 12 (bookworm)", "kernel": "6.18",
    "hostname_hash": "0a1b2c3d", "virtualization": "kvm",
    "gpus": [{"index": 0, "name": "NVIDIA H200", "uuid": "GPU-1", "driver": "580.1", "vendor": "nvidia",
              "architecture": "sm_90", "memory_bytes": 7, "details": {"ecc": "Enabled"}}],
    "tools": [{"name": "g++", "version": "g++ 12.2.0", "path": "/usr/bin/g++"}]})json";

TEST(Machine, IsWrittenAsTheRunFileSays) {
  Machine m;
  m.cpu = {.model = "AMD EPYC",
           .vendor = "AuthenticAMD",
           .cores = 2,
           .features = {"avx2"},
           .l1d_bytes = 49152,
           .l2_bytes = 1048576,
           .l3_bytes = 33554432,
           .governor = "performance",
           .turbo = "on"};
  m.memory_bytes = 100;
  m.available_bytes = 50;
  m.os = "Debian GNU/Linux 12 (bookworm)";
  m.kernel = "6.18";
  m.hostname_hash = "0a1b2c3d";
  m.virtualization = "kvm";
  m.gpus = {{.index = 0,
             .name = "NVIDIA H200",
             .uuid = "GPU-1",
             .driver = "580.1",
             .vendor = "nvidia",
             .architecture = "sm_90",
             .memory_bytes = 7,
             .details = {{"ecc", "Enabled"}}}};
  m.tools = {{"g++", "/usr/bin/g++", "g++ 12.2.0"}};
  EXPECT_EQ(to_json(m), nlohmann::json::parse(kWritten));
}

TEST(Machine, WhatIsNotKnownIsAbsent) {
  const auto json = to_json(Machine{});
  EXPECT_FALSE(json["cpu"].contains("governor"));
  EXPECT_FALSE(json["cpu"].contains("l3_bytes"));
  EXPECT_FALSE(json.contains("virtualization"));
}

}  // namespace
}  // namespace harness
