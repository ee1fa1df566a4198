#include "load/job.h"

#include <algorithm>

#include "load/random.h"
#include "load/words.h"

namespace waybill::load {
namespace {

// Chosen so that the whole item has 1,000 to 1,050 bytes; the self-test holds it there. The description ends
// with the first word that reaches its share of this.
constexpr std::size_t varying_bytes = 516;

constexpr int64_t first_created_at_ms = 1'735'689'600'000;  // 2025-01-01
constexpr int64_t first_ttl_seconds = 2'000'000'000;        // May 2033

constexpr std::array<std::string_view, 4> status_names = {"QUEUED", "PROCESSING", "EDITING", "COMPLETED"};

struct FileKind {
  std::string_view type, ending, format;
};
constexpr std::array<FileKind, 4> file_kinds = {{
    {"image/jpeg", ".jpg", "jpeg"},
    {"image/png", ".png", "png"},
    {"image/webp", ".webp", "webp"},
    {"image/heic", ".heic", "jpeg"},
}};
constexpr std::array<std::string_view, 4> providers = {"gemini", "seedream", "gemini", "stub"};
constexpr std::array<std::string_view, 4> likelihoods = {"VERY_UNLIKELY", "UNLIKELY", "VERY_UNLIKELY",
                                                         "POSSIBLE"};

// Twelve characters of base 32 hold 60 bits; ids are permuted among all numbers of 60 bits, so that the order
// of jobIds tells nothing and the way back is a calculation.
constexpr uint64_t mask60 = (uint64_t{1} << 60) - 1;
constexpr uint64_t factor_a = 0xbf58476d1ce4e5b9;
constexpr uint64_t factor_b = 0x94d049bb133111eb;

constexpr uint64_t inverse(uint64_t odd) {
  uint64_t x = odd;  // right in 3 bits; each step doubles them
  for (int i = 0; i < 5; ++i) {
    x *= 2 - odd * x;
  }
  return x;
}

constexpr uint64_t permute(uint64_t x) {
  x = (x * factor_a) & mask60;
  x ^= x >> 30;
  x = (x * factor_b) & mask60;
  return x ^ (x >> 30);
}

constexpr uint64_t permute_back(uint64_t x) {
  x ^= x >> 30;
  x = (x * inverse(factor_b)) & mask60;
  x ^= x >> 30;
  return (x * inverse(factor_a)) & mask60;
}

static_assert(permute_back(permute(0)) == 0);
static_assert(permute_back(permute(123'456'789)) == 123'456'789);
static_assert(permute_back(permute(mask60)) == mask60);

constexpr std::string_view ulid_start = "01";
constexpr std::size_t base32_count = 12;

template <std::size_t count>
const auto& pick(const std::array<std::string_view, count>& from, uint64_t bits) {
  return from[bits % count];
}

void make_keys(const FileKind& kind, Random& random, Job& job) {
  job.s3_temp_key.add("uploads/temp/").add(job.user_id.view()).add("/");
  job.s3_temp_key.add_hex(random.next(), 16).add_hex(random.next(), 16).add(kind.ending);
  job.s3_final_key.add("results/final/").add(job.user_id.view()).add("/");
  job.s3_final_key.add_hex(random.next(), 16).add_hex(random.next(), 16).add(kind.ending);
  job.correlation_id.add_hex(random.next(), 16).add_hex(random.next(), 16);
  job.trace_id.add("1-").add_hex(static_cast<uint64_t>(job.created_at_ms / 1000), 8).add("-");
  job.trace_id.add_hex(random.next(), 12).add_hex(random.next(), 12);
}

void make_labels(Random& random, Job& job) {
  for (auto& label : job.labels) {
    const auto bits = random.next();
    label.name = label_names[bits % label_names.size()].view();
    label.confidence.add("0.").add_digits(500 + (bits >> 8) % 500, 3).add_digits(1 + (bits >> 32) % 9, 1);
  }
}

void make_description(Random& random, std::size_t bytes_min, Job& job) {
  uint64_t bits = 0;
  for (int i = 0; job.description.size() < bytes_min; ++i) {
    bits = i % 8 == 0 ? random.next() : bits >> 8;
    job.description.add_with_space(words[bits & 0xff]);
  }
  job.description.drop_last();
}

// What of the item's size differs from item to item, the description aside.
std::size_t other_varying_bytes(const Job& job) {
  std::size_t bytes = job.file_type.size() + job.original_file_name.size() + job.s3_temp_key.size() +
                      2 * job.s3_final_key.size() + job.provider.size() + job.adult.size() +
                      job.violence.size() + job.format.size();
  for (const auto& label : job.labels) {
    bytes += label.name.size();
  }
  return bytes;
}

}  // namespace

std::string_view name_of(JobStatus status) {
  return is_stored(status) ? status_names[static_cast<std::size_t>(status)] : "?";
}

std::optional<JobStatus> status_named(std::string_view name) {
  for (std::size_t i = 0; i < status_names.size(); ++i) {
    if (status_names[i] == name) {
      return static_cast<JobStatus>(i);
    }
  }
  return std::nullopt;
}

JobStatus first_status(uint64_t id) {
  return static_cast<JobStatus>(mix(id) % status_names.size());
}

JobId job_id_of(uint64_t id) {
  JobId text;
  text.add(ulid_start).add_base32(permute(id), base32_count).add_base32(mix(id), base32_count);
  return text;
}

UserId user_id_of(uint64_t user) {
  UserId text;
  text.add("user-").add_digits(user, 8);
  return text;
}

std::optional<uint64_t> id_of(std::string_view job_id) {
  constexpr std::string_view digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  uint64_t permuted = 0;
  for (const char c : job_id.substr(std::min(job_id.size(), ulid_start.size()), base32_count)) {
    permuted = permuted * digits.size() + digits.find(c);
  }
  const auto id = permute_back(permuted & mask60);
  return job_id_of(id).view() == job_id ? std::optional(id) : std::nullopt;
}

void make_job(const Population& population, uint64_t id, Job& job) {
  Random random(id);
  const auto bits = random.next();
  const auto& kind = file_kinds[bits % file_kinds.size()];
  job.id = id;
  job.job_id = job_id_of(id);
  job.user_id = user_id_of(population.user_of(id));
  job.created_at_ms = first_created_at_ms + static_cast<int64_t>(id * 1000 + (bits >> 8) % 1000);
  job.file_size = static_cast<int64_t>(200'000 + (bits >> 16) % 8'000'000);
  job.file_type = kind.type;
  job.original_file_name.add("IMG_").add_digits(bits >> 24, 4).add("_").add(words[bits >> 56].view());
  job.original_file_name.add(kind.ending);
  make_keys(kind, random, job);
  job.provider = pick(providers, bits >> 4);
  const auto times = random.next();
  job.processing_started_at_ms = job.created_at_ms + static_cast<int64_t>(200 + times % 800);
  job.processing_completed_at_ms =
      job.processing_started_at_ms + static_cast<int64_t>(2000 + (times >> 16) % 20'000);
  make_labels(random, job);
  job.adult = pick(likelihoods, times >> 32);
  job.violence = pick(likelihoods, times >> 40);
  job.width = static_cast<int64_t>(1000 + (times >> 8) % 3000);
  job.height = static_cast<int64_t>(1000 + (times >> 24) % 2000);
  job.format = kind.format;
  job.edited_size = static_cast<int64_t>(100'000 + (times >> 44) % 900'000);
  job.ttl_seconds = first_ttl_seconds + static_cast<int64_t>(id % 10'000'000);
  make_description(random, varying_bytes - other_varying_bytes(job), job);
}

int64_t first_updated_at_ms(const Job& job) {
  return job.processing_completed_at_ms + 150;
}

}  // namespace waybill::load
