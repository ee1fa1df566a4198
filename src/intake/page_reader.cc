#include "intake/page_reader.h"

#include <utility>

#include "intake/sql.h"

namespace waybill::intake {

// The connection is left ready for the next statement.
PageReader::~PageReader() {
  if (is_asked_) {
    static_cast<void>(session_.database().finish());
  }
}

Status PageReader::ask() {
  const auto statement = page_statement(session_.mapping().source, session_.columns(),
                                        session_.settings().page_rows, !behind_.empty());
  WAYBILL_TRY(session_.database().begin(statement, behind_));
  is_asked_ = true;
  return {};
}

Result<Rows> PageReader::receive() {
  if (!is_asked_) {
    WAYBILL_TRY(ask());
  }
  is_asked_ = false;
  return session_.database().finish();
}

Result<std::optional<Rows>> PageReader::next() {
  if (at_end_) {
    return std::optional<Rows>();
  }
  auto rows = receive();
  while (!rows && rows.error().kind == ErrorKind::unavailable && !session_.stop().load()) {
    WAYBILL_TRY(session_.reconnect());
    rows = receive();
  }
  if (!rows) {
    return rows.error();
  }
  at_end_ = rows->count() < session_.settings().page_rows;
  if (rows->count() == 0) {
    return std::optional<Rows>();
  }
  behind_ = session_.key_values(*rows, rows->count() - 1);
  if (!at_end_) {
    // Where this fails, receive() will tell, and the connection is made anew.
    static_cast<void>(ask());
  }
  return std::optional<Rows>(*std::move(rows));
}

}  // namespace waybill::intake
