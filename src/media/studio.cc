#include "media/studio.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/log.h"
#include "base/stand_back.h"
#include "base/thread_name.h"
#include "media/leftovers.h"

namespace waybill::media {

namespace {

Error closing_error() {
  return {ErrorKind::unavailable, "the image could not be processed: the server is stopping", {}};
}

}  // namespace

Studio::Studio(Options options) : options_(std::move(options)) {
  WAYBILL_CHECK(!options_.child.empty() && options_.children_max > 0 && options_.clock != nullptr);
  keeper_ = std::thread([this] {
    name_this_thread("studio");
    stand_back(options_.nice);
    keep_children();
  });
}

Studio::~Studio() {
  close();
  keeper_.join();
}

void Studio::close() {
  std::unique_lock lock(mutex_);
  closing_ = true;
  for (Child* child : busy_) {
    child->process.interrupt();
  }
  changed_.notify_all();
  needed_.notify_one();
  changed_.wait(lock, [this] { return callers_ == 0; });
}

Result<Converted> Studio::convert(const ConvertTask& task) {
  return perform(task, read_converted);
}

Result<Analysis> Studio::analyse(const AnalyseTask& task) {
  return perform(task, read_analysis);
}

Result<Edited> Studio::edit(const EditTask& task) {
  return perform(task, read_edited);
}

Studio::Load Studio::load() const {
  const std::lock_guard lock(mutex_);
  const std::size_t tasks = busy_.size() - starting_;
  return {idle_.size() + tasks, tasks, waiting_};
}

template <typename Read>
auto Studio::perform(Task task, Read read) -> decltype(read(json::Value())) {
  Request request{std::move(task), {}};
  {
    const std::lock_guard lock(mutex_);
    ++callers_;
    request.part = ".part-" + std::to_string(::getpid()) + "-" + std::to_string(++next_part_);
  }
  const auto line = run(request);
  {
    // Under the lock: the last caller may be what the destructor waits for.
    const std::lock_guard lock(mutex_);
    --callers_;
    changed_.notify_all();
  }
  if (!line) {
    return line.error();
  }
  json::Parser parser;
  WAYBILL_TRY_ASSIGN(const auto result, read_answer(parser, *line));
  return read(result);
}

Result<std::string> Studio::run(const Request& request) {
  const std::string line = request_line(request);
  if (line.size() >= line_bytes_max) {
    return invalid("the paths of the files are too long");
  }
  WAYBILL_TRY_ASSIGN(auto child, take_child());
  bool is_healthy = false;
  auto answer = run_on(*child, request, line, is_healthy);
  give_back(std::move(child), is_healthy);
  return answer;
}

// The line that the child answers with. Where there is none the child is of no use any more, and has ended.
Result<std::string> Studio::run_on(Child& child, const Request& request, const std::string& line,
                                   bool& is_healthy) {
  std::string answer;
  const auto outcome = child.process.exchange(line, *options_.clock, options_.limits.wall_ms_max, answer);
  is_healthy = outcome == ChildProcess::Outcome::answered;
  if (is_healthy) {
    return answer;
  }
  // It must have ended before what it left is looked at.
  const int status = child.process.end();
  remove_leftovers(request);
  {
    const std::lock_guard lock(mutex_);
    if (closing_) {
      return closing_error();
    }
  }
  if (outcome == ChildProcess::Outcome::gone) {
    return describe_end(status, options_.limits);
  }
  if (outcome == ChildProcess::Outcome::late) {
    return Error{ErrorKind::limit_exceeded,
                 "the image could not be processed: it takes more than " +
                     std::to_string(options_.limits.wall_ms_max) + " ms",
                 {}};
  }
  return Error{ErrorKind::internal,
               "the image could not be processed: its process gave no answer that makes sense",
               {}};
}

Studio::ChildPtr Studio::take_idle() {
  // The last one that worked is the warmest.
  while (!idle_.empty()) {
    ChildPtr child = std::move(idle_.back());
    idle_.pop_back();
    if (child->process.is_ready()) {
      busy_.insert(child.get());
      return child;
    }
  }
  return nullptr;
}

Result<Studio::ChildPtr> Studio::take_child() {
  std::unique_lock lock(mutex_);
  ++waiting_;
  const std::size_t failed_before = failed_starts_;
  // Once for each caller: a start that fails is not tried over and over while others work.
  wanted_ = std::clamp(busy_.size() - starting_ + waiting_, wanted_, options_.children_max);
  for (;;) {
    ChildPtr child = closing_ ? nullptr : take_idle();
    if (child || closing_) {
      --waiting_;
      return child ? Result<ChildPtr>(std::move(child)) : Result<ChildPtr>(closing_error());
    }
    // Where others are still at work one of them will be free; where there is none, nobody ever will.
    if (busy_.empty() && failed_starts_ != failed_before) {
      --waiting_;
      return *start_error_;
    }
    needed_.notify_one();
    changed_.wait(lock);
  }
}

void Studio::give_back(ChildPtr child, bool is_healthy) {
  const std::lock_guard lock(mutex_);
  busy_.erase(child.get());
  ++child->tasks;
  if (is_healthy && child->tasks < options_.tasks_of_a_child_max) {
    idle_.push_back(std::move(child));
  } else {
    needed_.notify_one();
  }
  changed_.notify_all();
}

void Studio::keep_children() {
  std::unique_lock lock(mutex_);
  for (;;) {
    needed_.wait(lock, [this] { return closing_ || idle_.size() + busy_.size() < wanted_; });
    if (closing_) {
      break;
    }
    lock.unlock();
    auto started = start_child();
    lock.lock();
    if (started) {
      idle_.push_back(*std::move(started));
    } else {
      // The next caller asks for it again.
      wanted_ = idle_.size() + busy_.size();
      ++failed_starts_;
      start_error_ = std::move(started).error();
      if (!closing_) {
        log_error(start_error_->message);
      }
    }
    changed_.notify_all();
  }
  // While the thread that started them lives.
  changed_.wait(lock, [this] { return callers_ == 0; });
  idle_.clear();
}

Result<Studio::ChildPtr> Studio::start_child() {
  WAYBILL_TRY_ASSIGN(auto process, ChildProcess::start(options_.child));
  auto child = std::make_unique<Child>(Child{std::move(process)});
  {
    const std::lock_guard lock(mutex_);
    if (closing_) {
      return closing_error();
    }
    busy_.insert(child.get());
    ++starting_;
  }
  const auto greeted = greet(*child);
  {
    const std::lock_guard lock(mutex_);
    busy_.erase(child.get());
    --starting_;
  }
  if (!greeted) {
    return greeted.error();
  }
  return child;
}

Status Studio::greet(Child& child) {
  std::string answer;
  const auto outcome =
      child.process.exchange(limits_line(options_.limits), *options_.clock, options_.start_ms_max, answer);
  if (outcome != ChildProcess::Outcome::answered) {
    return Error{ErrorKind::unavailable,
                 "cannot start " + options_.child.front() + " for images: it did not say that it is ready",
                 {}};
  }
  json::Parser parser;
  if (auto ready = read_answer(parser, answer); !ready) {
    return std::move(ready).error();
  }
  return {};
}

}  // namespace waybill::media
