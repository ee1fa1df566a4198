#include "event/kafka_target.h"

#include <librdkafka/rdkafka.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/log.h"

namespace waybill::event {
namespace {

constexpr std::size_t events_at_once = 500;
constexpr int poll_ms = 50;  // how long an interruption takes to be noticed

struct ProducerDeleter {
  void operator()(rd_kafka_t* producer) const { rd_kafka_destroy(producer); }
};
struct SettingsDeleter {
  void operator()(rd_kafka_conf_t* settings) const { rd_kafka_conf_destroy(settings); }
};
using Producer = std::unique_ptr<rd_kafka_t, ProducerDeleter>;
using Settings = std::unique_ptr<rd_kafka_conf_t, SettingsDeleter>;

// What became of one message; the library holds a pointer to it until it says so.
struct Slot {
  Delivery delivery;
  std::size_t* waiting = nullptr;
};

// What no repetition will change.
bool is_final(rd_kafka_resp_err_t error) {
  constexpr std::array errors = {RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE, RD_KAFKA_RESP_ERR_INVALID_MSG_SIZE,
                                 RD_KAFKA_RESP_ERR_RECORD_LIST_TOO_LARGE, RD_KAFKA_RESP_ERR_INVALID_RECORD,
                                 RD_KAFKA_RESP_ERR_POLICY_VIOLATION};
  return std::ranges::find(errors, error) != errors.end();
}

Delivery delivery_of(rd_kafka_resp_err_t error) {
  if (error == RD_KAFKA_RESP_ERR_NO_ERROR) {
    return {};
  }
  return {is_final(error) ? Told::refused : Told::failed, rd_kafka_err2str(error)};
}

// Called for each message, once it is known what became of it.
void note_delivery(rd_kafka_t* /*producer*/, const rd_kafka_message_t* message, void* /*context*/) {
  auto& slot = *static_cast<Slot*>(message->_private);
  slot.delivery = delivery_of(message->err);
  --*slot.waiting;
}

void pass_on_log(const rd_kafka_t* /*producer*/, int level, const char* /*facility*/, const char* text) {
  constexpr int error_level = 3;  // as syslog has them
  if (level <= error_level) {
    log_warning(std::string("kafka: ") + text);
  }
}

Status set(rd_kafka_conf_t& settings, const char* name, const std::string& value) {
  std::array<char, 256> why{};
  if (rd_kafka_conf_set(&settings, name, value.c_str(), why.data(), why.size()) != RD_KAFKA_CONF_OK) {
    return invalid(why.data());
  }
  return {};
}

}  // namespace

struct KafkaTarget::State {
  Options options;
  Producer producer;
  std::atomic<bool> interrupted = false;

  Status connect();
  bool produce(const Event& event, Slot& slot) const;
  void wait_for(const std::size_t& waiting) const;
};

Status KafkaTarget::State::connect() {
  Settings settings(rd_kafka_conf_new());
  WAYBILL_TRY(set(*settings, "bootstrap.servers", options.brokers));
  WAYBILL_TRY(set(*settings, "client.id", "waybill"));
  WAYBILL_TRY(set(*settings, "acks", "all"));
  WAYBILL_TRY(set(*settings, "enable.idempotence", "true"));
  WAYBILL_TRY(set(*settings, "message.timeout.ms", std::to_string(options.timeout_ms)));
  WAYBILL_TRY(set(*settings, "linger.ms", "1"));
  rd_kafka_conf_set_dr_msg_cb(settings.get(), note_delivery);
  rd_kafka_conf_set_log_cb(settings.get(), pass_on_log);
  std::array<char, 256> why{};
  producer.reset(rd_kafka_new(RD_KAFKA_PRODUCER, settings.get(), why.data(), why.size()));
  if (producer == nullptr) {
    return invalid(why.data());
  }
  std::ignore = settings.release();  // the producer has them now
  return {};
}

// False, with the reason in the slot, where the library does not take the message.
bool KafkaTarget::State::produce(const Event& event, Slot& slot) const {
  std::string body = cloud_event(event);
  std::string key = event.subject;
  constexpr std::string_view type = cloud_event_content_type;
  rd_kafka_headers_t* const headers = rd_kafka_headers_new(1);
  rd_kafka_header_add(headers, "content-type", -1, type.data(), static_cast<ssize_t>(type.size()));
  std::array<rd_kafka_vu_t, 6> parts{};
  parts[0].vtype = RD_KAFKA_VTYPE_TOPIC;
  parts[0].u.cstr = options.topic.c_str();
  parts[1].vtype = RD_KAFKA_VTYPE_MSGFLAGS;
  parts[1].u.i = RD_KAFKA_MSG_F_COPY;
  parts[2].vtype = RD_KAFKA_VTYPE_KEY;
  parts[2].u.mem = {key.data(), key.size()};
  parts[3].vtype = RD_KAFKA_VTYPE_VALUE;
  parts[3].u.mem = {body.data(), body.size()};
  parts[4].vtype = RD_KAFKA_VTYPE_HEADERS;
  parts[4].u.headers = headers;
  parts[5].vtype = RD_KAFKA_VTYPE_OPAQUE;
  parts[5].u.ptr = &slot;
  rd_kafka_error_t* const error = rd_kafka_produceva(producer.get(), parts.data(), parts.size());
  if (error == nullptr) {
    return true;
  }
  slot.delivery = delivery_of(rd_kafka_error_code(error));
  rd_kafka_error_destroy(error);
  rd_kafka_headers_destroy(headers);
  return false;
}

void KafkaTarget::State::wait_for(const std::size_t& waiting) const {
  bool is_purged = false;
  while (waiting > 0) {
    if (interrupted && !is_purged) {
      rd_kafka_purge(producer.get(), RD_KAFKA_PURGE_F_QUEUE | RD_KAFKA_PURGE_F_INFLIGHT);
      is_purged = true;
    }
    rd_kafka_poll(producer.get(), poll_ms);
  }
}

KafkaTarget::KafkaTarget(std::unique_ptr<State> state) : state_(std::move(state)) {}

KafkaTarget::~KafkaTarget() = default;

Result<std::unique_ptr<Target>> KafkaTarget::open(Options options) {
  auto state = std::make_unique<State>();
  state->options = std::move(options);
  WAYBILL_TRY(state->connect());
  return std::unique_ptr<Target>(new KafkaTarget(std::move(state)));
}

std::size_t KafkaTarget::batch_max() const {
  return events_at_once;
}

std::vector<Delivery> KafkaTarget::deliver(const std::vector<Event>& events) {
  // A producer that lost track of its sequence numbers is of no use any more; a new one begins afresh.
  std::array<char, 256> why{};
  const bool is_broken =
      state_->producer == nullptr ||
      rd_kafka_fatal_error(state_->producer.get(), why.data(), why.size()) != RD_KAFKA_RESP_ERR_NO_ERROR;
  if (is_broken) {
    if (const auto status = state_->connect(); !status) {
      return {events.size(), Delivery{Told::failed, status.error().message}};
    }
  }
  std::size_t waiting = 0;
  std::vector<Slot> slots(events.size());
  for (std::size_t i = 0; i < events.size(); ++i) {
    slots[i].waiting = &waiting;
    waiting += state_->produce(events[i], slots[i]) ? 1 : 0;
  }
  state_->wait_for(waiting);
  std::vector<Delivery> deliveries;
  deliveries.reserve(slots.size());
  for (auto& slot : slots) {
    deliveries.push_back(std::move(slot.delivery));
  }
  return deliveries;
}

void KafkaTarget::interrupt() {
  state_->interrupted = true;
}

}  // namespace waybill::event
