#include "asset/png_reader.h"

#include <libdeflate.h>

#include <memory>
#include <optional>
#include <string>

#include "asset/png_format.h"
#include "base/bytes.h"

namespace waybill::asset {

namespace {

constexpr std::size_t side_max = 1 << 15;
constexpr std::size_t deflate_ratio_max = 1032;  // no stream of deflate grows by more

Error damaged(const std::string& why) {
  return invalid("the PNG is damaged: " + why);
}

struct Header {
  std::size_t width = 0;
  std::size_t height = 0;
  std::size_t channels = 0;

  std::size_t row_bytes() const { return width * channels; }
  std::size_t raw_bytes() const { return (row_bytes() + 1) * height; }
};

struct Chunk {
  std::string_view type;
  std::string_view data;
};

// Takes the next chunk off `rest`.
Result<Chunk> next_chunk(std::string_view& rest) {
  if (rest.size() < png::chunk_frame_bytes) {
    return damaged("it ends too early");
  }
  const std::size_t length = load_u32_be(rest.data());
  if (length > rest.size() - png::chunk_frame_bytes) {
    return damaged("a chunk is longer than the file");
  }
  const Chunk chunk{rest.substr(4, 4), rest.substr(8, length)};
  if (libdeflate_crc32(0, rest.data() + 4, length + 4) != load_u32_be(rest.data() + 8 + length)) {
    return damaged("a checksum is wrong");
  }
  rest.remove_prefix(png::chunk_frame_bytes + length);
  return chunk;
}

Result<std::size_t> channels_of(unsigned char depth, unsigned char colour) {
  if (depth != 8) {
    return invalid("the PNG has " + std::to_string(depth) + " bits a sample; convert it to 8");
  }
  switch (colour) {
    case 0:
      return std::size_t{1};
    case 2:
      return std::size_t{3};
    case 4:
      return std::size_t{2};
    case 6:
      return std::size_t{4};
    case 3:
      return invalid("the PNG has a palette; convert it to RGB or RGBA");
    default:
      return damaged("it has an unknown type of colour");
  }
}

Result<Header> read_header(const Chunk& chunk) {
  if (chunk.type != "IHDR" || chunk.data.size() != png::header_bytes) {
    return damaged("it does not begin with a header");
  }
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(chunk.data[at]); };
  Header header;
  header.width = load_u32_be(chunk.data.data());
  header.height = load_u32_be(chunk.data.data() + 4);
  if (header.width == 0 || header.height == 0) {
    return damaged("it has no pixels");
  }
  if (header.width > side_max || header.height > side_max || header.width * header.height > pixels_max) {
    return Error{ErrorKind::too_large,
                 "the PNG has " + std::to_string(header.width) + " x " + std::to_string(header.height) +
                     " pixels; at most " + std::to_string(pixels_max) + " are read",
                 {}};
  }
  WAYBILL_TRY_ASSIGN(header.channels, channels_of(byte(8), byte(9)));
  if (byte(10) != 0 || byte(11) != 0) {
    return damaged("it is compressed or filtered in an unknown way");
  }
  if (byte(12) != 0) {
    return invalid("the PNG is interlaced; save it without interlacing");
  }
  return header;
}

// What the IDAT chunks hold together.
Result<std::string> read_packed(std::string_view rest) {
  std::string packed;
  for (bool ended = false; !ended;) {
    WAYBILL_TRY_ASSIGN(const Chunk chunk, next_chunk(rest));
    const bool is_critical = (chunk.type[0] & 0x20) == 0;
    if (chunk.type == "IDAT") {
      packed.append(chunk.data);
    } else if (chunk.type == "IEND") {
      ended = true;
    } else if (chunk.type == "tRNS") {
      return invalid("the PNG has a transparent colour; convert it to RGBA");
    } else if (is_critical && chunk.type != "PLTE") {  // a palette is a mere suggestion here
      return damaged("it has an unknown critical chunk");
    }
  }
  return packed;
}

Result<std::vector<uint8_t>> decompressed(std::string_view packed, std::size_t bytes) {
  if (packed.size() < bytes / deflate_ratio_max) {
    return damaged("it has fewer pixels than its header says");
  }
  std::vector<uint8_t> raw(bytes);
  const std::unique_ptr<libdeflate_decompressor, void (*)(libdeflate_decompressor*)> decompressor(
      libdeflate_alloc_decompressor(), libdeflate_free_decompressor);
  WAYBILL_CHECK(decompressor != nullptr);
  std::size_t filled = 0;
  const auto result = libdeflate_zlib_decompress(decompressor.get(), packed.data(), packed.size(), raw.data(),
                                                 raw.size(), &filled);
  if (result != LIBDEFLATE_SUCCESS || filled != bytes) {
    return damaged("its pixels cannot be decompressed to the size in its header");
  }
  return raw;
}

struct Row {
  uint8_t* samples;
  const uint8_t* above;  // null for the first one
  std::size_t bytes;
  std::size_t channels;
};

template <typename Guess>
void unfilter_with(const Row& row, Guess guess) {
  for (std::size_t i = 0; i < row.bytes; ++i) {
    const int left = i >= row.channels ? row.samples[i - row.channels] : 0;
    const int above = row.above != nullptr ? row.above[i] : 0;
    const int corner = row.above != nullptr && i >= row.channels ? row.above[i - row.channels] : 0;
    row.samples[i] = static_cast<uint8_t>(row.samples[i] + guess(left, above, corner));
  }
}

bool unfilter(const Row& row, uint8_t filter) {
  switch (filter) {
    case png::none:
      return true;
    case png::sub:
      unfilter_with(row, [](int left, int, int) { return left; });
      return true;
    case png::up:
      unfilter_with(row, [](int, int above, int) { return above; });
      return true;
    case png::average:
      unfilter_with(row, [](int left, int above, int) { return (left + above) / 2; });
      return true;
    case png::paeth:
      unfilter_with(row, png::paeth_of);
      return true;
    default:
      return false;
  }
}

void spread(const Row& row, uint8_t* rgba) {
  const bool is_grey = row.channels < 3;
  for (std::size_t i = 0; i < row.bytes; i += row.channels, rgba += 4) {
    const uint8_t* const sample = row.samples + i;
    rgba[0] = sample[0];
    rgba[1] = is_grey ? sample[0] : sample[1];
    rgba[2] = is_grey ? sample[0] : sample[2];
    rgba[3] = row.channels % 2 == 0 ? sample[row.channels - 1] : 255;
  }
}

}  // namespace

bool looks_like_png(std::string_view file) {
  return file.starts_with(png::signature);
}

Result<Image> read_png(std::string_view file) {
  if (!looks_like_png(file)) {
    return invalid("the file is not a PNG");
  }
  std::string_view rest = file.substr(png::signature.size());
  WAYBILL_TRY_ASSIGN(const Chunk first, next_chunk(rest));
  WAYBILL_TRY_ASSIGN(const Header header, read_header(first));
  WAYBILL_TRY_ASSIGN(const std::string packed, read_packed(rest));
  WAYBILL_TRY_ASSIGN(auto raw, decompressed(packed, header.raw_bytes()));
  Image image(static_cast<int>(header.width), static_cast<int>(header.height));
  const uint8_t* above = nullptr;
  for (std::size_t y = 0; y < header.height; ++y) {
    uint8_t* const line = raw.data() + y * (header.row_bytes() + 1);
    const Row row{line + 1, above, header.row_bytes(), header.channels};
    if (!unfilter(row, line[0])) {
      return damaged("a row has an unknown filter");
    }
    spread(row, image.at(0, static_cast<int>(y)));
    above = row.samples;
  }
  return image;
}

}  // namespace waybill::asset
