#include "intake/scan.h"

#include <mutex>
#include <thread>
#include <vector>

#include "base/json.h"
#include "item/json.h"

namespace waybill::intake {
namespace {

// One segment of a parallel scan.
class Segment {
 public:
  Segment(const Session& session, ServerClient& client, unsigned number, unsigned total)
      : session_(session), client_(client), number_(number), total_(total) {}

  Status walk(const OnItem& on_item) {
    do {
      WAYBILL_TRY_ASSIGN(const auto text,
                         session_.patience().keep_trying([&] { return client_.call("Scan", request()); }));
      WAYBILL_TRY_ASSIGN(const auto page, parser_.parse_copy(text));
      const auto items = page.is_object() ? page.find("Items") : std::nullopt;
      if (!items || !items->is_array()) {
        return Error{ErrorKind::internal, "the server's answer to Scan has no items", {}};
      }
      for (json::Elements each(*items); each.next();) {
        WAYBILL_TRY_ASSIGN(const auto item, item::parse_item(each.value()));
        on_item(number_, item.view());
      }
      WAYBILL_TRY(go_on(page.find("LastEvaluatedKey")));
    } while (!start_.empty() && !session_.stop().load());
    return {};
  }

 private:
  std::string request() const {
    std::string text;
    json::Writer out(text);
    out.begin_object().key("TableName").string(session_.shape().table).key("ConsistentRead").boolean(true);
    out.key("Segment").integer(number_).key("TotalSegments").integer(total_);
    if (!start_.empty()) {
      out.key("ExclusiveStartKey").raw(start_);
    }
    out.end_object();
    return text;
  }

  Status go_on(const std::optional<json::Value>& last_key) {
    start_.clear();
    if (last_key) {
      WAYBILL_TRY_ASSIGN(const auto key, item::parse_item(*last_key));
      item::append_json(start_, key.view());
    }
    return {};
  }

  const Session& session_;
  ServerClient& client_;
  const unsigned number_;
  const unsigned total_;
  json::Parser parser_;
  std::string start_;  // "": from the beginning, or at the end
};

}  // namespace

Status scan_target(const Session& session, const OnItem& on_item) {
  const unsigned total = session.settings().in_flight;
  std::vector<std::unique_ptr<ServerClient>> clients;
  for (unsigned i = 0; i < total; ++i) {
    WAYBILL_TRY_ASSIGN(auto client, ServerClient::open(session.settings().endpoint, session.clock()));
    clients.push_back(std::move(client));
  }
  std::mutex mutex;
  Status outcome;
  std::vector<std::thread> threads;
  threads.reserve(total);
  for (unsigned i = 0; i < total; ++i) {
    threads.emplace_back([&, i] {
      auto walked = Segment(session, *clients[i], i, total).walk(on_item);
      const std::lock_guard lock(mutex);
      if (!walked && outcome) {
        outcome = std::move(walked);
      }
    });
  }
  for (auto& thread : threads) {
    thread.join();
  }
  return outcome;
}

Result<TargetReader> TargetReader::open(const Session& session) {
  WAYBILL_TRY_ASSIGN(auto client, ServerClient::open(session.settings().endpoint, session.clock()));
  return TargetReader(session, std::move(client));
}

Result<std::optional<item::Item>> TargetReader::get(item::ItemView key) {
  std::string request;
  json::Writer out(request);
  out.begin_object().key("TableName").string(session_->shape().table).key("ConsistentRead").boolean(true);
  item::append_json(out.key("Key").value_place(), key);
  out.end_object();
  WAYBILL_TRY_ASSIGN(const auto text,
                     session_->patience().keep_trying([&] { return client_->call("GetItem", request); }));
  json::Parser parser;
  WAYBILL_TRY_ASSIGN(const auto answer, parser.parse_copy(text));
  const auto found = answer.is_object() ? answer.find("Item") : std::nullopt;
  if (!found) {
    return std::optional<item::Item>();
  }
  WAYBILL_TRY_ASSIGN(auto item, item::parse_item(*found));
  return std::optional(std::move(item));
}

}  // namespace waybill::intake
