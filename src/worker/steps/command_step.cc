#include "worker/steps/command_step.h"

#include <fcntl.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "base/descriptor.h"
#include "base/log.h"
#include "worker/steps/classify.h"
#include "worker/steps/output.h"
#include "worker/trouble.h"

namespace waybill::worker::steps {
namespace {

constexpr std::string_view default_path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

Error missing(const Error& error) {
  return final_trouble("STEP_VALUE_MISSING", error.message);
}

Result<std::vector<std::string>> arguments_of(const Command& command, const Values& values,
                                              const StepRun& run) {
  std::vector<std::string> argv;
  bool is_behind_options = false;
  for (const auto& pattern : command.run) {
    auto text = values.text(pattern);
    if (!text) {
      return missing(text.error());
    }
    const bool begins_with_value =
        !pattern.parts().empty() && pattern.parts().front().kind == Pattern::Kind::value;
    if (begins_with_value && !is_behind_options && text->starts_with('-')) {
      return final_trouble(
          "STEP_ARGUMENT_REFUSED",
          "the value {" + pattern.parts().front().text +
              "} begins with a hyphen and would be taken for an option: write \"--\" before it");
    }
    if (text->find('\0') != std::string::npos) {
      return final_trouble("STEP_ARGUMENT_REFUSED", "an argument cannot have a zero byte");
    }
    is_behind_options = is_behind_options || *text == "--";
    argv.push_back(*std::move(text));
  }
  if (argv.front().starts_with("./")) {
    argv.front() = run.programs + argv.front().substr(1);
  }
  return argv;
}

Result<std::vector<std::string>> environment_of(const Command& command, const Values& values,
                                                const StepRun& run) {
  const char* const path = std::getenv("PATH");
  std::vector<std::string> all = {
      "PATH=" + std::string(path != nullptr && *path != '\0' ? path : default_path),
      "LANG=C.UTF-8",
      "HOME=" + run.folder,
      "TMPDIR=" + run.folder,
      "WAYBILL_JOB_ID=" + run.job_id,
      "WAYBILL_WORKFLOW=" + run.workflow,
      "WAYBILL_STEP=" + run.step,
      "WAYBILL_ATTEMPT=" + std::to_string(run.attempt),
      "WAYBILL_IDEMPOTENCY_KEY=" + run.idempotency_key};
  for (const auto& [name, pattern] : command.environment) {
    const auto value = values.text(pattern);
    if (!value) {
      return missing(value.error());
    }
    std::erase_if(all, [&](const std::string& line) { return line.starts_with(name + "="); });
    all.push_back(name + "=" + value->substr(0, value->find('\0')));
  }
  return all;
}

Result<std::string> write_input(const Command& command, const Values& values, const StepRun& run) {
  if (!command.input) {
    return std::string();
  }
  const auto text = values.text(*command.input);
  if (!text) {
    return missing(text.error());
  }
  std::string path = run.folder + "/.stdin";
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  if (!file.is_open() || !write_all(file, *text)) {
    return passing_trouble("DISK_TROUBLE",
                           std::string("the command's input cannot be written: ") + std::strerror(errno));
  }
  return path;
}

Error not_started(int failure) {
  const std::string says = std::string("the command cannot be started: ") + std::strerror(failure);
  const bool may_pass = failure == EAGAIN || failure == ENOMEM || failure == EMFILE || failure == ENFILE;
  return may_pass ? passing_trouble("STEP_NOT_STARTED", says) : final_trouble("STEP_NOT_STARTED", says);
}

Result<std::string> output_of(const Step& step, const CommandEnd& end) {
  std::string output;
  json::Writer writer(output);
  writer.begin_object().key("exit").integer(WEXITSTATUS(end.wait_status));
  std::string_view bytes = end.output;
  while (!end.is_cut && bytes.ends_with('\n')) {
    bytes.remove_suffix(1);
  }
  WAYBILL_TRY(append_given(writer, "stdout", {bytes, end.is_cut, true}, step.output));
  writer.end_object();
  return output;
}

// For the operator, whose command it is. Records are for others as well.
void log_complaints(const StepRun& run, const CommandEnd& end) {
  if (!end.complaints.empty()) {
    log_warning("the command of step " + run.step + " of job " + run.job_id +
                " writes to standard error: " + end.complaints);
  }
}

}  // namespace

Result<CommandLine> make_command(const Command& command, const Values& values, const StepRun& run) {
  CommandLine line;
  WAYBILL_TRY_ASSIGN(line.argv, arguments_of(command, values, run));
  WAYBILL_TRY_ASSIGN(line.environment, environment_of(command, values, run));
  WAYBILL_TRY_ASSIGN(line.input, write_input(command, values, run));
  line.folder = run.folder;
  return line;
}

Attempt run_once(const Step& step, const Command& command, const Values& values, const StepRun& run) {
  auto line = make_command(command, values, run);
  if (!line) {
    return {std::move(line).error()};
  }
  const auto end = run_guarded(*line, {.guard = run.guard,
                                       .timeout_ms = step.timeout_s * 1000,
                                       .output_bytes_max = output_bytes_max,
                                       .stop = run.stop,
                                       .clock = run.clock});
  if (!end) {
    return {passing_trouble("STEP_NOT_STARTED", end.error().message)};
  }
  if (run.stop.stop_requested()) {
    return {passing_trouble("STOPPED", "the worker was stopped while the command ran")};
  }
  if (end->failure != 0) {
    return {not_started(end->failure)};
  }
  if (end->is_late) {
    log_complaints(run, *end);
    return {passing_trouble("STEP_TIMEOUT", "the command did not end within " +
                                                std::to_string(step.timeout_s) + " s, and was killed")};
  }
  if (auto trouble = trouble_of_exit(command, end->wait_status)) {
    log_complaints(run, *end);
    return {*std::move(trouble)};
  }
  return {output_of(step, *end)};
}

}  // namespace waybill::worker::steps
