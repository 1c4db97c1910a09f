#include "harness/sandbox/container.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "harness/base/text.h"
#include "harness/sandbox/oci.h"

namespace harness {
namespace {

const Container grouped = {"podman", "podman version 4.3.1", "runc",          "localhost/harness-cpu",
                           "sha256:d1", "1d0",                "control groups"};
const ContainerHost host = {true, "1900000007", "1900000007", 1024, 4096, "12:345"};

SandboxRequest request() {
  SandboxRequest r;
  r.command = {"/cache/harness-worker", "serve"};
  r.environment = {"PATH=/usr/bin:/bin", "LAB_THREADS=1"};
  r.mounts = {{"/cache/variants/ab", Access::read}, {"/cache/building-x", Access::write}};
  r.processes = 64;
  r.memory_bytes = 1 << 30;
  r.file_bytes = 8 << 20;
  r.tmp_bytes = 256 << 20;
  r.door = "/tmp/harness-Ab1/door";
  r.name = "harness-Ab1";
  return r;
}

OciProgram registered_oci(const std::string& name) {
  if (name == "podman")
    return {.name = "podman",
            .own = {"--read-only-tmpfs=false", "--no-hosts", "--http-proxy=false"},
            .unprivileged = {"--userns=keep-id"},
            .nvidia = "--device=nvidia.com/gpu=all"};
  return {.name = "docker", .root_daemon = true, .nvidia = "--gpus=all"};
}

std::string line_of(const std::string& program, const Container& container, const ContainerHost& on,
                    const SandboxRequest& r, const ContainerSpec& spec = {}) {
  return join(oci_line(registered_oci(program), container, spec, on, r, "/cache/harness-launcher"), " ");
}

constexpr const char* inside =
    "--mount=type=bind,src=/tmp/harness-Ab1/door,dst=/run/harness,ro "
    "--mount=type=bind,src=/cache/harness-launcher,dst=/cache/harness-launcher,ro "
    "--mount=type=bind,src=/cache/variants/ab,dst=/cache/variants/ab,ro "
    "--mount=type=bind,src=/cache/building-x,dst=/cache/building-x ";
constexpr const char* command =
    "enter /run/harness/door 8388608 /usr/bin/env -i PATH=/usr/bin:/bin LAB_THREADS=1 "
    "/cache/harness-launcher exec 64 0 all 0 /tmp -- /cache/harness-worker serve";

TEST(ContainerLine, OfPodmanAsRoot) {
  EXPECT_EQ(line_of("podman", grouped, host, request()),
            std::string("podman --runtime runc run --rm --pull=never --log-driver=none --label=harness.owner=12:345 "
                        "--network=none --hostname=lab --read-only --user=1900000007:1900000007 --cap-drop=ALL "
                        "--security-opt=no-new-privileges --security-opt=label=disable --ulimit=nofile=1024:1024 "
                        "--ulimit=nproc=4096:4096 --ulimit=core=0:0 "
                        "--tmpfs=/tmp:rw,nosuid,nodev,exec,mode=1777,size=268435456 --pids-limit=66 "
                        "--memory=1073741824 --read-only-tmpfs=false --no-hosts --http-proxy=false "
                        "--name=harness-Ab1 ") +
                inside + "--entrypoint=/cache/harness-launcher 1d0 " + command);
}

TEST(ContainerLine, OfAnOrdinaryUserWithoutControlGroups) {
  Container container = grouped;
  container.runtime = "crun";
  container.limits = "each process";
  const ContainerHost user = {false, "1000", "100", 512, 300, "12:345"};
  EXPECT_EQ(line_of("podman", container, user, request()),
            std::string("podman --runtime crun run --rm --pull=never --log-driver=none --label=harness.owner=12:345 "
                        "--network=none --hostname=lab --read-only --user=1000:100 --cap-drop=ALL "
                        "--security-opt=no-new-privileges --security-opt=label=disable --ulimit=nofile=512:512 "
                        "--ulimit=nproc=300:300 --ulimit=core=0:0 "
                        "--tmpfs=/tmp:rw,nosuid,nodev,exec,mode=1777,size=268435456 --read-only-tmpfs=false "
                        "--no-hosts --http-proxy=false --userns=keep-id --name=harness-Ab1 ") +
                inside + "--entrypoint=/cache/harness-launcher 1d0 " + command);
}

TEST(ContainerLine, OfDockerWithAnNvidiaGpuAndAToolkit) {
  Container container = grouped;
  container.runtime = "its own";
  SandboxRequest r = request();
  r.devices = {"/dev/nvidia0", "/dev/nvidiactl"};
  EXPECT_EQ(line_of("docker", container, host, r, {"", {"/usr/local/cuda"}}),
            "docker run --rm --pull=never --log-driver=none --label=harness.owner=12:345 --network=none "
            "--hostname=lab --read-only --user=1900000007:1900000007 --cap-drop=ALL "
            "--security-opt=no-new-privileges --security-opt=label=disable --ulimit=nofile=1024:1024 "
            "--ulimit=nproc=4096:4096 --ulimit=core=0:0 "
            "--tmpfs=/tmp:rw,nosuid,nodev,exec,mode=1777,size=268435456 --pids-limit=66 --memory=1073741824 "
            "--name=harness-Ab1 --gpus=all "
            "--mount=type=bind,src=/tmp/harness-Ab1/door,dst=/run/harness,ro "
            "--mount=type=bind,src=/cache/harness-launcher,dst=/cache/harness-launcher,ro "
            "--mount=type=bind,src=/usr/local/cuda,dst=/usr/local/cuda,ro "
            "--mount=type=bind,src=/cache/variants/ab,dst=/cache/variants/ab,ro "
            "--mount=type=bind,src=/cache/building-x,dst=/cache/building-x --entrypoint=/cache/harness-launcher 1d0 " +
                std::string(command));
}

TEST(ContainerLine, PodmanPassesGpusAsTheirMakersMeanIt) {
  SandboxRequest r = request();
  r.devices = {"/dev/nvidia0"};
  EXPECT_NE(line_of("podman", grouped, host, r).find(" --name=harness-Ab1 --device=nvidia.com/gpu=all --mount="),
            std::string::npos);
  r.devices = {"/dev/dri", "/dev/kfd"};
  EXPECT_NE(line_of("podman", grouped, host, r).find(" --device=/dev/dri --device=/dev/kfd "), std::string::npos);
}

TEST(ContainerLine, GivesAVariantTheRightToComputeOnly) {
  SandboxRequest r = request();
  r.rights = Rights::compute;
  EXPECT_NE(line_of("podman", grouped, host, r).find(" /cache/harness-launcher compute 64 0 all 0 /tmp -- "), std::string::npos);
}

TEST(ContainerLine, OfApptainer) {
  Container container = grouped;
  container.image = "/images/cpu.sif";
  const auto line = [&](const Container& c, const ContainerHost& on, const SandboxRequest& r) {
    return join(apptainer_line(c, {}, on, r, "/cache/harness-launcher"), " ");
  };
  EXPECT_EQ(line(container, host, request()),
            std::string("apptainer exec --containall --cleanenv --no-home --no-privs --net --network=none "
                        "--hostname=lab --security=uid:1900000007,gid:1900000007 --pids-limit=66 "
                        "--memory=1073741824 ") +
                inside + "/images/cpu.sif /cache/harness-launcher " + command);
  container.limits = "each process";
  SandboxRequest r = request();
  r.devices = {"/dev/nvidia0"};
  const ContainerHost user = {false, "1000", "100", 512, 300, "12:345"};
  EXPECT_EQ(line(container, user, r),
            std::string("apptainer exec --containall --cleanenv --no-home --no-privs --net --network=none "
                        "--hostname=lab --nv ") +
                inside +
                "/images/cpu.sif /cache/harness-launcher enter /run/harness/door 8388608 /usr/bin/env -i "
                "LD_LIBRARY_PATH=/.singularity.d/libs PATH=/usr/bin:/bin LAB_THREADS=1 /cache/harness-launcher exec 64 "
                "0 all 0 /tmp -- /cache/harness-worker serve");
  r.devices = {"/dev/kfd"};
  EXPECT_NE(line(container, user, r).find(" --rocm "), std::string::npos);
}

TEST(Container, ApptainerSaysHowAnImageIsMade) {
  const Sandbox& apptainer = **find_sandbox("apptainer");
  EXPECT_EQ(apptainer.with({}).error().message,
            "apptainer needs an image file; write container: {program: apptainer, image: FILE.sif}");
  EXPECT_EQ(apptainer.with({"/images/none.sif", {}}).error().message,
            "/images/none.sif: cannot read: No such file or directory; make it with `containers/make cpu`, `podman save "
            "--output cpu.tar localhost/harness-cpu` and `apptainer build /images/none.sif docker-archive:cpu.tar`");
}

TEST(Container, QuotesOddPathsOfMounts) {
  EXPECT_EQ(bind_mount("/a,b\"c", "/d", Access::write), "type=bind,\"src=/a,b\"\"c\",dst=/d");
}

TEST(Container, UlimitsNeverExceedOurOwn) {
  const ContainerHost here = container_host(true);
  EXPECT_LE(here.files, 1024);
  EXPECT_LE(here.processes, 4096);
  EXPECT_NE(here.user, "0");
  EXPECT_NE(here.user, container_host(true).user);
}

TEST(Container, ReadsWhatPodmanAndDockerSayOfAnImage) {
  const auto podman = read_inspection("podman", "localhost/harness-cpu",
                                      R"([{"Id": "ab12", "Digest": "sha256:77", "Architecture": "amd64"}])", "amd64");
  ASSERT_TRUE(podman);
  EXPECT_EQ(podman->id, "ab12");
  EXPECT_EQ(podman->digest, "sha256:77");
  const auto pulled = read_inspection(
      "docker", "x", R"([{"Id": "sha256:ab12", "RepoDigests": ["x@sha256:88"], "Architecture": "amd64"}])", "amd64");
  ASSERT_TRUE(pulled);
  EXPECT_EQ(pulled->id, "ab12");
  EXPECT_EQ(pulled->digest, "sha256:88");
  const auto own = read_inspection("docker", "x", R"([{"Id": "sha256:ab12", "RepoDigests": []}])", "amd64");
  ASSERT_TRUE(own);
  EXPECT_EQ(own->digest, "sha256:ab12");
}

TEST(Container, ErrorsSayTheWayOut) {
  EXPECT_EQ(no_program("podman", "podman").message,
            "the container program \"podman\" is not installed; type `sudo apt-get install podman`, or use --sandbox "
            "bwrap");
  EXPECT_EQ(no_image("podman", "localhost/harness-cpu").message,
            "podman has no image \"localhost/harness-cpu\"; make it with containers/make cpu");
  EXPECT_EQ(no_image("docker", "harness-cuda:latest").message,
            "docker has no image \"harness-cuda:latest\"; make it with containers/make cuda --program docker");
  EXPECT_EQ(no_image("podman", "gcc:13").message,
            "podman has no image \"gcc:13\"; name one that it has, or make ours with containers/make cpu");
  EXPECT_EQ(no_container("podman", {"runc: not found", "crun: cgroups in hybrid mode not supported"}).message,
            "podman starts no container here (runc: not found; crun: cgroups in hybrid mode not supported); see "
            "harness doctor, or use --sandbox bwrap");
  EXPECT_EQ(read_inspection("podman", "x", R"([{"Id": "ab", "Architecture": "arm64"}])", "amd64").error().message,
            "the image \"x\" is for arm64, and this machine is amd64; make it here with containers/make cpu");
  EXPECT_EQ(read_inspection("podman", "x", "{}", "amd64").error().message,
            "podman says nothing that can be read of the image \"x\"");
}

TEST(Container, ComplaintIsTheLastLineWithoutItsFrame) {
  EXPECT_EQ(complaint("warning\nError: OCI runtime error: crun: cgroups in hybrid mode not supported\n"),
            "crun: cgroups in hybrid mode not supported");
  EXPECT_EQ(complaint(""), "it fails without a word");
}

TEST(Container, AMarkTellsAProcessFromALaterOneWithItsNumber) {
  const std::string pid = std::to_string(getpid());
  EXPECT_EQ(process_mark(pid).rfind(pid + ":", 0), 0u);
  EXPECT_EQ(process_mark(pid), process_mark(pid));
  EXPECT_NE(process_mark("1"), process_mark(pid));
  EXPECT_EQ(process_mark("0"), "");
}

}  // namespace
}  // namespace harness
