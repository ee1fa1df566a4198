// Results and errors as lines.
#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "media/labels.h"
#include "media/message.h"
#include "media/message_parts.h"

namespace waybill::media {

namespace {

struct KindName {
  ErrorKind kind;
  std::string_view name;
};

// Those that tasks have. All others are internal to whoever hears of them.
constexpr std::array<KindName, 8> kind_names = {{{ErrorKind::internal, "internal"},
                                                 {ErrorKind::invalid, "invalid"},
                                                 {ErrorKind::malformed, "malformed"},
                                                 {ErrorKind::not_found, "not_found"},
                                                 {ErrorKind::limit_exceeded, "limit_exceeded"},
                                                 {ErrorKind::unsupported, "unsupported"},
                                                 {ErrorKind::too_large, "too_large"},
                                                 {ErrorKind::unavailable, "unavailable"}}};

std::string_view name_of(ErrorKind kind) {
  const auto* found =
      std::find_if(kind_names.begin(), kind_names.end(), [kind](KindName k) { return k.kind == kind; });
  return found == kind_names.end() ? kind_names.front().name : found->name;
}

ErrorKind kind_named(std::string_view name) {
  const auto* found =
      std::find_if(kind_names.begin(), kind_names.end(), [name](KindName k) { return k.name == name; });
  return found == kind_names.end() ? ErrorKind::internal : found->kind;
}

void write(json::Writer& out, std::string_view name, const Picture& picture) {
  out.key(name).begin_object();
  out.key("width").integer(picture.width);
  out.key("height").integer(picture.height);
  out.key("size").integer(picture.bytes);
  out.key("format").string(media::name_of(picture.format));
  out.end_object();
}

Result<Picture> read_picture(const json::Value& result, std::string_view name) {
  constexpr int64_t any = std::numeric_limits<int64_t>::max();
  WAYBILL_TRY_ASSIGN(const auto value, object_member(result, name));
  Picture picture;
  WAYBILL_TRY_ASSIGN(picture.width, integer_member(value, "width", 1, any));
  WAYBILL_TRY_ASSIGN(picture.height, integer_member(value, "height", 1, any));
  WAYBILL_TRY_ASSIGN(picture.bytes, integer_member(value, "size", 1, any));
  WAYBILL_TRY_ASSIGN(const auto format_name, text_member(value, "format"));
  const auto format = format_named(format_name);
  if (!format) {
    return invalid("\"format\" is not known: " + format_name);
  }
  picture.format = *format;
  return picture;
}

Result<Label> read_label(const json::Value& value) {
  if (!value.is_object()) {
    return invalid("a label must be an object");
  }
  Label label;
  WAYBILL_TRY_ASSIGN(label.name, text_member(value, "name"));
  const auto confidence = value.find("confidence");
  if (!confidence || confidence->type() != json::Type::number) {
    return invalid("\"confidence\" must be a number");
  }
  label.confidence = confidence->number();
  return label;
}

Result<Likelihood> read_likelihood(const json::Value& value, std::string_view name) {
  WAYBILL_TRY_ASSIGN(const auto text, text_member(value, name));
  const auto likelihood = likelihood_named(text);
  if (!likelihood) {
    return invalid("\"" + std::string(name) + "\" is not known: " + text);
  }
  return *likelihood;
}

Result<std::vector<Label>> read_labels(const json::Value& result) {
  const auto values = result.find("labels");
  if (!values || !values->is_array()) {
    return invalid("\"labels\" must be a list");
  }
  std::vector<Label> labels;
  for (json::Elements elements(*values); elements.next();) {
    WAYBILL_TRY_ASSIGN(auto label, read_label(elements.value()));
    labels.push_back(std::move(label));
  }
  return labels;
}

std::string text_of(const json::Value& object, std::string_view name) {
  const auto member = object.find(name);
  return member && member->is_string() ? std::string(member->string()) : std::string();
}

}  // namespace

std::string result_line(std::string_view result) {
  return std::string(R"({"result":)").append(result).append("}");
}

std::string error_line(const Error& error) {
  std::string line;
  json::Writer out(line);
  out.begin_object().key("error").begin_object();
  out.key("kind").string(name_of(error.kind));
  out.key("message").string(error.message);
  out.key("detail").string(error.detail);
  out.end_object().end_object();
  return line;
}

Result<json::Value> read_answer(json::Parser& parser, std::string_view line) {
  const auto answer = parser.parse_copy(line);
  if (answer && answer->is_object()) {
    if (const auto error = answer->find("error"); error && error->is_object()) {
      return Error{kind_named(text_of(*error, "kind")), text_of(*error, "message"),
                   text_of(*error, "detail")};
    }
    if (const auto result = answer->find("result"); result && result->is_object()) {
      return *result;
    }
  }
  return Error{ErrorKind::malformed, "the answer is neither a result nor an error", {}};
}

std::string to_json(const Analysis& analysis) {
  std::string text;
  json::Writer out(text);
  out.begin_object().key("labels").begin_array();
  for (const Label& label : analysis.labels) {
    out.begin_object().key("name").string(label.name).key("confidence").real(label.confidence).end_object();
  }
  out.end_array().key("description").string(analysis.description);
  out.key("safeSearch").begin_object();
  out.key("adult").string(media::name_of(analysis.safe_search.adult));
  out.key("violence").string(media::name_of(analysis.safe_search.violence));
  out.end_object();
  write(out, "original", analysis.original);
  out.end_object();
  return text;
}

std::string to_json(const Converted& converted) {
  std::string text;
  json::Writer out(text);
  out.begin_object();
  write(out, "original", converted.original);
  write(out, "image", converted.image);
  write(out, "thumbnail", converted.thumbnail);
  out.end_object();
  return text;
}

std::string to_json(const Edited& edited) {
  std::string text;
  json::Writer out(text);
  out.begin_object();
  write(out, "original", edited.original);
  write(out, "output", edited.output);
  out.end_object();
  return text;
}

Result<Converted> read_converted(const json::Value& result) {
  Converted converted;
  WAYBILL_TRY_ASSIGN(converted.original, read_picture(result, "original"));
  WAYBILL_TRY_ASSIGN(converted.image, read_picture(result, "image"));
  WAYBILL_TRY_ASSIGN(converted.thumbnail, read_picture(result, "thumbnail"));
  return converted;
}

Result<Analysis> read_analysis(const json::Value& result) {
  Analysis analysis;
  WAYBILL_TRY_ASSIGN(analysis.labels, read_labels(result));
  WAYBILL_TRY_ASSIGN(analysis.description, text_member(result, "description"));
  WAYBILL_TRY_ASSIGN(const auto safe_search, object_member(result, "safeSearch"));
  WAYBILL_TRY_ASSIGN(analysis.safe_search.adult, read_likelihood(safe_search, "adult"));
  WAYBILL_TRY_ASSIGN(analysis.safe_search.violence, read_likelihood(safe_search, "violence"));
  WAYBILL_TRY_ASSIGN(analysis.original, read_picture(result, "original"));
  return analysis;
}

Result<Edited> read_edited(const json::Value& result) {
  Edited edited;
  WAYBILL_TRY_ASSIGN(edited.original, read_picture(result, "original"));
  WAYBILL_TRY_ASSIGN(edited.output, read_picture(result, "output"));
  return edited;
}

}  // namespace waybill::media
