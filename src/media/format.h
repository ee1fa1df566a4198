#pragma once

#include <optional>
#include <string_view>

namespace waybill::media {

// The kinds of image files that are read. All but gif and avif are written as well.
enum class Format : unsigned char { jpeg, png, webp, gif, avif };

// "jpeg", "png", "webp", "gif", "avif".
std::string_view name_of(Format format);
std::optional<Format> format_named(std::string_view name);

// "image/jpeg" and so on.
std::string_view mime_type_of(Format format);

bool can_be_written(Format format);

// What a file is, by its first bytes: neither its name nor what a client says of it counts. nullopt for
// everything else, whatever libvips could make of it.
std::optional<Format> format_of(std::string_view bytes);

}  // namespace waybill::media
