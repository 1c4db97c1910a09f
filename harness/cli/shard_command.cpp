// harness shard: what the jobs of an executor do. People see it in job scripts.
#include "harness/cli/command.h"
#include "harness/cluster/shard.h"

namespace harness {
namespace {

class ShardCommand final : public Command {
 public:
  std::string name() const override { return "shard"; }
  std::string help() const override { return "what a job of --executor does: the runs of one folder"; }
  int order() const override { return 16; }
  std::vector<Option> options() override { return {{"folder", &folder_, "the folder of the shard"}}; }
  Result<ExitCode> run() override { return run_shard(folder_); }

 private:
  std::string folder_;
};

ShardCommand shard_command;
const Register<Command> register_shard(&shard_command);

}  // namespace
}  // namespace harness
