#pragma once

#include <string>

#include "api/jobs/call.h"
#include "job/list.h"

// Answers that are a page of a list.
namespace waybill::api::jobs {

// {"items":[…],"next":"…"}; append(out, item) writes one. `binding`: see cursor.h.
template <typename Append>
http::Response page_response(const job::Page& page, std::string_view binding, Append append);

// What a cursor of this request is bound to: all of it but cursor and limit.
std::string binding_of(const Call& call, const Query& query);

Result<job::Order> read_order(const Query& query, job::Order otherwise);

std::string print_next(const job::Page& page, std::string_view binding);  // ,"next":"…" or nothing

template <typename Append>
http::Response page_response(const job::Page& page, std::string_view binding, Append append) {
  auto response = json_response();
  response.body = R"({"items":[)";
  bool first = true;
  for (const auto& record : page.records) {
    response.body += first ? "" : ",";
    first = false;
    append(response.body, record.view());
  }
  response.body.append("]").append(print_next(page, binding)).append("}");
  return response;
}

}  // namespace waybill::api::jobs
