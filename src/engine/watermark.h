#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

namespace waybill::engine {

// The number of the last acknowledged commit, kept in a small file beside the log.
//
// RocksDB recovers up to the first damaged record of its log and says nothing of what it left behind. Every
// commit carries its number; the number found after recovery must not be below the one noted here.
//
//   file := slot slot                  written in turn, so that a torn write leaves the other one
//   slot := magic:u64 commit:u64 check:u64, padded to 512 bytes; check = magic xor mixed commit
//
// Notes are written before an answer goes out, so they survive the end of the process at any moment; they
// are forced to the disk by sync(), about once a second, so they survive a power cut up to then.
//
// Thread safety: note() from one thread, sync() from another.
class Watermark {
 public:
  // Opens or creates the file. `commit()` is 0 for a new one.
  static Result<Watermark> open(const std::string& path);

  Watermark(Watermark&& other) noexcept;
  Watermark& operator=(Watermark&&) = delete;
  ~Watermark();

  uint64_t commit() const { return commit_; }
  Status note(uint64_t commit);
  Status sync() const;

 private:
  Watermark(int file, uint64_t commit) : file_(file), commit_(commit) {}

  int file_;
  uint64_t commit_;
};

}  // namespace waybill::engine
