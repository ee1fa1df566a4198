#include "worker/steps/workflows.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <vector>

#include "base/descriptor.h"
#include "worker/steps/workflow_reader.h"
#include "worker/trouble.h"

namespace waybill::worker::steps {
namespace {

constexpr std::string_view suffix = ".yaml";

// A name is never a path: it comes from a job.
bool is_file_name(std::string_view name) {
  return !name.empty() && name.size() <= 64 && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

Result<std::string> content_of(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat about{};
  if (!file.is_open() || ::fstat(file.number(), &about) != 0) {
    return Error{errno == ENOENT ? ErrorKind::not_found : ErrorKind::unavailable,
                 std::string("the file cannot be read: ") + std::strerror(errno),
                 {}};
  }
  if (!S_ISREG(about.st_mode) || about.st_size > static_cast<off_t>(workflow_bytes_max)) {
    return invalid("the file is no regular one, or has more than 1 MiB");
  }
  std::string text(static_cast<std::size_t>(about.st_size), '\0');
  if (!read_all(file, text)) {
    return Error{ErrorKind::unavailable, std::string("the file cannot be read: ") + std::strerror(errno), {}};
  }
  return text;
}

std::string absolute(const std::string& folder) {
  std::error_code failure;
  const auto path = std::filesystem::absolute(folder, failure);
  return failure ? folder : path.lexically_normal().string();
}

std::string in_words(const contract::Problems& problems, const std::string& path) {
  std::string words;
  for (const auto& problem : problems) {
    words += (words.empty() ? "" : "\n") + contract::describe(problem, path);
  }
  return words;
}

CheckedWorkflow read_checked(const std::string& path, const std::string& text) {
  using contract::Problem;
  CheckedWorkflow checked;
  checked.workflow = read_workflow(text, checked.problems);
  const auto stem = std::filesystem::path(path).stem().string();
  if (checked.workflow && checked.workflow->name != stem) {
    checked.problems.push_back(
        {Problem::Weight::error,
         {1, 1},
         "the workflow is called \"" + checked.workflow->name + "\", and its file is not",
         "name the file " + checked.workflow->name + std::string(suffix)});
    checked.workflow.reset();
  }
  if (checked.workflow) {
    checked.workflow->folder = absolute(std::filesystem::path(path).parent_path().string());
  }
  return checked;
}

}  // namespace

CheckedWorkflow check_workflow(const std::string& path) {
  const auto text = content_of(path);
  if (!text) {
    return {{}, {{contract::Problem::Weight::error, {}, text.error().message, "check its name and rights"}}};
  }
  return read_checked(path, *text);
}

Status check_workflows(const std::string& folder) {
  std::error_code failure;
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder, failure)) {
    if (entry.path().extension() == suffix) {
      paths.push_back(entry.path().string());
    }
  }
  if (failure) {
    return invalid("the folder " + folder + " of workflows cannot be read: " + failure.message());
  }
  std::ranges::sort(paths);
  std::string wrong;
  for (const auto& path : paths) {
    if (const auto checked = check_workflow(path); !checked.problems.empty()) {
      wrong += (wrong.empty() ? "" : "\n") + in_words(checked.problems, path);
    }
  }
  return wrong.empty() ? Status() : Status(invalid("workflows are not as they should be:\n" + wrong));
}

Result<Workflow> find_workflow(const std::string& folder, std::string_view name) {
  const auto unknown = [&] {
    return final_trouble("WORKFLOW_UNKNOWN", "there is no workflow \"" + std::string(name) +
                                                 "\" where the worker runs: add its file, and replay");
  };
  if (!is_file_name(name)) {
    return unknown();
  }
  const auto path = folder + "/" + std::string(name) + std::string(suffix);
  const auto text = content_of(path);
  if (!text) {
    return text.error().kind == ErrorKind::not_found
               ? unknown()
               : passing_trouble("WORKFLOW_BROKEN", std::string(name) + ".yaml: " + text.error().message);
  }
  auto checked = read_checked(path, *text);
  if (!checked.workflow) {
    return passing_trouble("WORKFLOW_BROKEN", in_words(checked.problems, std::string(name) + ".yaml"));
  }
  return *std::move(checked.workflow);
}

}  // namespace waybill::worker::steps
