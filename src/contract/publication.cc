#include "contract/publication.h"

#include <algorithm>

#include "base/check.h"

namespace waybill::contract {

std::string_view word_of(Publication::Kind kind) {
  switch (kind) {
    case Publication::Kind::webhook:
      return "webhook";
    case Publication::Kind::kafka:
      return "kafka";
    case Publication::Kind::eventbridge:
      return "eventbridge";
    case Publication::Kind::queue:
      return "queue";
  }
  WAYBILL_CHECK(false);
}

std::vector<PublicationText> texts_of(const Publication& publication) {
  switch (publication.to) {
    case Publication::Kind::webhook:
      return {{"url", &publication.url}};
    case Publication::Kind::kafka:
      return {{"brokers", &publication.brokers}, {"topic", &publication.topic}};
    case Publication::Kind::eventbridge:
      return {
          {"endpoint", &publication.endpoint}, {"bus", &publication.bus}, {"region", &publication.region}};
    case Publication::Kind::queue:
      return {{"name", &publication.queue}};
  }
  WAYBILL_CHECK(false);
}

bool same_place(const Publication& a, const Publication& b) {
  return a.to == b.to && std::ranges::equal(texts_of(a), texts_of(b),
                                            [](const PublicationText& mine, const PublicationText& theirs) {
                                              return *mine.text == *theirs.text;
                                            });
}

std::string written(const TextTemplate& text) {
  std::string made;
  for (const auto& part : text.parts()) {
    made += part.is_field ? "{" + part.text + "}" : part.text;
  }
  return made;
}

}  // namespace waybill::contract
