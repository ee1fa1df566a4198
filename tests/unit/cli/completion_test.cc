// What is offered where the cursor stands.
#include <gtest/gtest.h>

#include "cli/completion/complete.h"

namespace waybill::cli::completion {
namespace {

CommandShape sample() {
  const OptionShape server{{"--server"}, "The server", true, {}};
  const OptionShape order{{"--order"}, "Which first", true, {"newest", "oldest"}};
  const CommandShape list{"list", "List", {server, order}, {"CONTRACT/RECORD", "FIELDS"}, {}};
  const CommandShape show{"show", "Show", {server}, {"CONTRACT/RECORD/ID"}, {}};
  return {"waybill", "", {}, {}, {{"job", "Jobs", {}, {}, {list, show}}, {"serve", "Start", {}, {}, {}}}};
}

std::vector<std::string> texts(const Completion& completion) {
  std::vector<std::string> all;
  for (const auto& candidate : completion.candidates) {
    all.push_back(candidate.text);
  }
  return all;
}

using Texts = std::vector<std::string>;

TEST(Completion, OffersCommandsOptionsAndWords) {
  EXPECT_EQ(texts(complete(sample(), {})), (Texts{"job", "serve"}));
  EXPECT_EQ(texts(complete(sample(), {"s"})), Texts{"serve"});
  EXPECT_EQ(texts(complete(sample(), {"job", ""})), (Texts{"list", "show"}));
  EXPECT_EQ(texts(complete(sample(), {"job", "list", "--"})), (Texts{"--server", "--order"}));
  EXPECT_EQ(texts(complete(sample(), {"job", "list", "--order", "n"})), Texts{"newest"});
  EXPECT_TRUE(texts(complete(sample(), {"job", "list", "--server", ""})).empty());
}

TEST(Completion, AsksTheServerForRecordsAndFields) {
  const auto kinds = complete(sample(), {"job", "list", "--server", "http://x", "or"});
  EXPECT_EQ(kinds.ask, Completion::Ask::kinds);
  EXPECT_FALSE(kinds.wants_id);
  EXPECT_EQ(kinds.server, "http://x");
  EXPECT_TRUE(complete(sample(), {"job", "show", ""}).wants_id);
  const auto fields = complete(sample(), {"job", "list", "--server=http://y", "a/b", "w"});
  EXPECT_EQ(fields.ask, Completion::Ask::fields);
  EXPECT_EQ(fields.target, "a/b");
  EXPECT_EQ(fields.server, "http://y");
  EXPECT_EQ(complete(sample(), {"job", "show", "a/b/c", ""}).ask, Completion::Ask::nothing);
  EXPECT_EQ(complete(sample(), {"serve", ""}).ask, Completion::Ask::nothing);
}

}  // namespace
}  // namespace waybill::cli::completion
