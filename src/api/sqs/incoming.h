#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/sqs/answer.h"
#include "api/sqs/call.h"
#include "api/sqs/parameters.h"
#include "base/result.h"
#include "queue/message.h"
#include "store/queues.h"

// A message on its way to a client: what of it was asked for, and how that is written.
namespace waybill::api::sqs {

inline constexpr ListForm messages_form{"Messages", "Message"};

// What a client wants to be told of each message besides its body.
class Selection {
 public:
  // Reads AttributeNames, MessageSystemAttributeNames and MessageAttributeNames. Wrong types go to the
  // fields' Reading. Error attribute_unknown for a name that is none.
  static Result<Selection> read(const Fields& fields);

  // Whether a look without receiving is meant.
  bool is_peek() const { return is_peek_; }
  bool wants(std::string_view system_attribute) const;
  // In the message's order.
  std::vector<queue::MessageAttribute> chosen(std::vector<queue::MessageAttribute> attributes) const;

 private:
  bool wants_all_system_attributes_ = false;
  bool is_peek_ = false;
  bool wants_all_attributes_ = false;
  std::vector<std::string> system_attributes_;
  std::vector<std::string> attributes_;
  std::vector<std::string> attribute_prefixes_;
};

// What is told of a message and is not in its content.
struct Circumstances {
  bool is_fifo = false;
  uint64_t sequence = 0;
  int64_t sent_ms = 0;
  int64_t first_received_ms = 0;  // 0: it was not
  uint32_t receive_count = 0;     // in all queues it was in
  uint64_t fencing_token = 0;     // 0: there is none
  std::string receipt_handle;     // "": there is none
  std::string_view peeked_state;  // of a peek; else empty
  std::string peeked_place;
};

// One element of the list of messages.
void write_message(Answer& answer, const Services& services, const Selection& selection,
                   queue::Message message, const Circumstances& circumstances);

}  // namespace waybill::api::sqs
