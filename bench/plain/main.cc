// Makes texts and photos, and does to files what built-in workers do to uploads, in a plain loop: no server,
// no jobs, no children. What is measured is printed as one line of JSON.
//
//   waybill_plain text LANGUAGE BYTES SEED FILE
//   waybill_plain photo WIDTH HEIGHT SEED FILE      a JPEG, or a PNG where the name ends so
//   waybill_plain count THREADS FILE...             words, with Waybill's own counter
//   waybill_plain count_icu THREADS FILE...         the same with ICU and a hash map
//   waybill_plain convert THREADS FOLDER FILE...    WebP and thumbnail, with libvips
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "base/check.h"
#include "base/descriptor.h"
#include "base/json.h"
#include "plain/icu_count.h"
#include "plain/loop.h"
#include "plain/photos.h"
#include "plain/texts.h"
#include "text/analyzer.h"

namespace {

using waybill::Descriptor;
using namespace waybill::bench;
using waybill::text::Figures;
using Arguments = std::vector<std::string>;

constexpr std::size_t piece_bytes = 1 << 18;

Language language_of(const std::string& name) {
  return name == "german"     ? Language::german
         : name == "russian"  ? Language::russian
         : name == "japanese" ? Language::japanese
                              : Language::english;
}

int make_text(const Arguments& arguments) {
  std::ofstream file(arguments[3], std::ios::binary);
  write_text({language_of(arguments[0]), std::stoull(arguments[1]), std::stoull(arguments[2])},
             [&](std::string_view piece) { file << piece; });
  return file.good() ? 0 : 1;
}

int make_photo(const Arguments& arguments) {
  write_photo(
      {std::stoi(arguments[0]), std::stoi(arguments[1]), static_cast<uint32_t>(std::stoul(arguments[2]))},
      arguments[3]);
  return 0;
}

Figures count_file(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  WAYBILL_CHECK(file.is_open());
  auto analyzer = waybill::text::Analyzer::open({});
  WAYBILL_CHECK(analyzer.has_value());
  std::vector<char> piece(piece_bytes);
  for (;;) {
    const auto got = ::read(file.number(), piece.data(), piece.size());
    WAYBILL_CHECK(got >= 0);
    if (got == 0) {
      return **analyzer->finish();
    }
    WAYBILL_CHECK(analyzer->feed({piece.data(), static_cast<std::size_t>(got)}).has_value());
  }
}

Figures count_file_with_icu(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  return count_with_icu(bytes);
}

void print(const Spent& spent, const std::string& files) {
  std::string line;
  waybill::json::Writer writer(line);
  writer.begin_object().key("seconds").real(spent.seconds);
  writer.key("cpu_seconds").real(spent.cpu_seconds).key("files").raw(files).end_object();
  std::puts(line.c_str());
}

int count(const Arguments& arguments, Figures (*count_one)(const std::string&)) {
  const Arguments paths(arguments.begin() + 1, arguments.end());
  std::vector<Figures> all(paths.size());
  count_one(paths.back());
  const auto spent = work_through(paths.size(), std::stoull(arguments[0]),
                                  [&](std::size_t number) { all[number] = count_one(paths[number]); });
  std::string files;
  waybill::json::Writer writer(files);
  writer.begin_array();
  for (const auto& figures : all) {
    writer.begin_object().key("totalWords").integer(static_cast<int64_t>(figures.total_words));
    writer.key("uniqueWords").integer(static_cast<int64_t>(figures.unique_words));
    writer.key("avgWordLength").real(figures.average_word_length).end_object();
  }
  writer.end_array();
  print(spent, files);
  return 0;
}

int convert(const Arguments& arguments) {
  const std::string folder = arguments[1];
  const Arguments paths(arguments.begin() + 2, arguments.end());
  std::vector<PlainImage> all(paths.size());
  const auto convert_one = [&](std::size_t number) {
    const auto name = folder + "/" + std::to_string(number);
    all[number] = convert_plainly({paths[number], name + ".webp", name + ".small.webp"});
  };
  convert_one(paths.size() - 1);
  const auto spent = work_through(paths.size(), std::stoull(arguments[0]), convert_one);
  std::string files;
  waybill::json::Writer writer(files);
  writer.begin_array();
  for (const auto& image : all) {
    writer.begin_object().key("width").integer(image.width).key("height").integer(image.height);
    writer.key("processedSize").integer(static_cast<int64_t>(image.bytes)).end_object();
  }
  writer.end_array();
  print(spent, files);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  const Arguments arguments(argv + std::min(argc, 2), argv + argc);
  if (what == "photo" || what == "convert") {
    begin_vips(argv[0]);
  }
  if (what == "text" && arguments.size() == 4) {
    return make_text(arguments);
  }
  if (what == "photo" && arguments.size() == 4) {
    return make_photo(arguments);
  }
  if (what == "count" && arguments.size() > 1) {
    return count(arguments, count_file);
  }
  if (what == "count_icu" && arguments.size() > 1) {
    return count(arguments, count_file_with_icu);
  }
  if (what == "convert" && arguments.size() > 2) {
    return convert(arguments);
  }
  std::fputs("usage: its first lines say how\n", stderr);
  return 2;
}
