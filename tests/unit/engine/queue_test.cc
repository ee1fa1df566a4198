#include <thread>

#include "engine/queue_fixture.h"

namespace waybill::engine {
namespace {

using Bodies = std::vector<std::string>;
using store::Settled;

TEST_F(QueueTest, AMessageIsHiddenWhileItIsInFlightAndComesBackUntilItIsDeleted) {
  ASSERT_TRUE(make("q"));
  send("q", "one");
  const auto first = receive("q", 10);
  ASSERT_EQ(bodies_of(first), Bodies{"one"});
  EXPECT_EQ(first[0].receive_count, 1U);
  EXPECT_EQ(first[0].sent_ms, start_ms);
  EXPECT_TRUE(receive("q", 10).empty());
  clock_.advance_ms(29'999);
  EXPECT_TRUE(receive("q", 10).empty());
  clock_.advance_ms(1);
  const auto second = receive("q", 10);
  ASSERT_EQ(bodies_of(second), Bodies{"one"});
  EXPECT_EQ(second[0].receive_count, 2U);
  EXPECT_EQ(second[0].first_received_ms, start_ms);
  EXPECT_GT(second[0].receipt.token, first[0].receipt.token);
  EXPECT_EQ(settle("q", first[0]), Settled::superseded);
  EXPECT_EQ(settle("q", second[0]), Settled::done);
  EXPECT_EQ(settle("q", second[0]), Settled::gone);
  clock_.advance_ms(1'000'000);
  EXPECT_TRUE(receive("q", 10).empty());
}

TEST_F(QueueTest, ARestartKeepsWhatWaitsAndWhatIsInFlight) {
  ASSERT_TRUE(make("q"));
  for (int i = 0; i < 20; ++i) {
    send("q", std::to_string(i));
  }
  const auto given = receive("q", 3);
  EXPECT_EQ(settle("q", given[1]), Settled::done);
  reopen();
  EXPECT_EQ(receive("q", 10).size(), 10U);
  EXPECT_EQ(receive("q", 10).size(), 7U);
  EXPECT_EQ(settle("q", given[0]), Settled::done);
  clock_.advance_ms(30'000);
  reopen();
  auto counted = stats("q");
  EXPECT_EQ(counted.visible, 18);
  EXPECT_EQ(counted.in_flight, 0);
  const auto again = receive("q", 1);
  EXPECT_EQ(bodies_of(again), Bodies{"2"});
  EXPECT_EQ(again[0].receive_count, 2U);
  EXPECT_EQ(counted.sent, 20U);
  EXPECT_EQ(counted.deleted, 2U);
}

TEST_F(QueueTest, VisibilityIsChangedAndEnded) {
  ASSERT_TRUE(make("q"));
  send("q", "one");
  const auto given = receive("q");
  EXPECT_EQ(settle("q", given[0], 100'000), Settled::done);
  clock_.advance_ms(99'999);
  EXPECT_TRUE(receive("q").empty());
  EXPECT_EQ(settle("q", given[0], 0), Settled::done);
  EXPECT_EQ(settle("q", given[0], 10), Settled::not_in_flight);
  // A standard queue deletes it by the last receipt, though its time is over.
  EXPECT_EQ(settle("q", given[0]), Settled::done);
  EXPECT_TRUE(receive("q").empty());
  EXPECT_EQ(stats("q").visible, 0);
}

TEST_F(QueueTest, AReceiveThatDoesNotCountIsAsIfItHadNeverBeen) {
  ASSERT_TRUE(make("q"));
  send("q", "one");
  for (const int64_t wait_ms : {0, 0, 10}) {
    const auto given = receive("q");
    ASSERT_EQ(given.size(), 1U);
    EXPECT_EQ(given[0].receive_count, 1U);
    EXPECT_EQ(settle("q", given[0], wait_ms, false), Settled::done);
    clock_.advance_ms(wait_ms);
  }
  const auto counted = receive("q");
  EXPECT_EQ(counted[0].receive_count, 1U);
  EXPECT_EQ(settle("q", counted[0], 0), Settled::done);
  const auto last = receive("q");
  EXPECT_EQ(last[0].receive_count, 2U);
  EXPECT_EQ(settle("q", last[0], 10, false), Settled::done);
  reopen();
  clock_.advance_ms(10);
  EXPECT_EQ(receive("q")[0].receive_count, 2U);
}

TEST_F(QueueTest, AReceiptThatNobodyGaveOutSettlesNothing) {
  ASSERT_TRUE(make("q"));
  send("q", "one");
  auto given = receive("q");
  given[0].receipt.group = "other";
  EXPECT_EQ(settle("q", given[0]), Settled::foreign);
  clock_.advance_ms(30'000);
  EXPECT_EQ(settle("q", given[0]), Settled::foreign);
  EXPECT_EQ(bodies_of(receive("q")), Bodies{"one"});
}

TEST_F(QueueTest, ReceivingWithoutATimeoutLeavesTheMessageWaiting) {
  ASSERT_TRUE(make("q"));
  send("q", "one");
  send("q", "two");
  EXPECT_EQ(bodies_of(receive("q", 10, 0)), (Bodies{"one", "two"}));
  EXPECT_EQ(bodies_of(receive("q", 10, 0)), (Bodies{"one", "two"}));
  EXPECT_EQ(receive("q", 1)[0].receive_count, 3U);
}

TEST_F(QueueTest, AReceiveWithoutATimeoutShowsWhatTheNextOneDeletes) {
  ASSERT_TRUE(make("q"));
  send("q", "one");
  receive("q", 1, 0);
  const auto unread = receive("q", 1, 0);
  EXPECT_EQ(settle("q", receive("q")[0]), Settled::done);
  EXPECT_EQ(bodies_of(unread), Bodies{"one"});
}

// Nothing of it is on disk when the second one gets it.
TEST_F(QueueTest, ReceivesWithoutATimeoutInTheBatchThatSendsShowTheMessageToo) {
  ASSERT_TRUE(make("q"));
  std::vector<std::promise<Result<Given>>> received(3);
  for (std::size_t i = 0; i < received.size(); ++i) {
    const int64_t visibility_ms = i < 2 ? 0 : 1000;
    queues().receive({"q", 1, visibility_ms, 10'000},
                     [&promise = received[i]](Result<Given> given) { promise.set_value(std::move(given)); });
  }
  send("q", "a");
  std::vector<Given> given;
  for (auto& one : received) {
    given.push_back(one.get_future().get().value());
    ASSERT_EQ(given.back().size(), 1U);
    EXPECT_EQ(given.back()[0].receive_count, static_cast<int>(given.size()));
  }
  EXPECT_EQ(settle("q", given[2][0]), store::Settled::done);
  EXPECT_EQ(body_of(given[0][0]), "a");
  EXPECT_EQ(body_of(given[1][0]), "a");
}

// The receive itself puts it where messages wait.
TEST_F(QueueTest, AReceiveWithoutATimeoutInTheBatchThatEndsADelayShowsTheMessageToo) {
  ASSERT_TRUE(make("q", {{"DelaySeconds", "5"}}));
  send("q", "one", "g");
  clock_.advance_ms(5'000);
  const auto unread = receive("q", 1, 0);
  EXPECT_EQ(settle("q", receive("q")[0]), Settled::done);
  EXPECT_EQ(bodies_of(unread), Bodies{"one"});
}

TEST_F(QueueTest, ADelayEndsInTimeAlsoAfterARestart) {
  ASSERT_TRUE(make("q", {{"DelaySeconds", "5"}}));
  send("q", "usual");
  auto other = message("other");
  other.delay_ms = 900'000;
  ASSERT_TRUE(send_all("q", {other}));
  auto at_once = message("at once");
  at_once.delay_ms = 0;
  ASSERT_TRUE(send_all("q", {at_once}));
  EXPECT_EQ(bodies_of(receive("q", 10)), Bodies{"at once"});
  EXPECT_EQ(stats("q").delayed, 2);
  clock_.advance_ms(5'000);
  EXPECT_EQ(bodies_of(receive("q", 10)), Bodies{"usual"});
  reopen();
  clock_.advance_ms(894'999);
  EXPECT_EQ(bodies_of(receive("q", 10)), (Bodies{"usual", "at once"}));
  clock_.advance_ms(1);
  EXPECT_EQ(bodies_of(receive("q", 10)), Bodies{"other"});
  EXPECT_EQ(stats("q").delayed, 0);
}

TEST_F(QueueTest, ThousandsOfDelayedMessagesBecomeDue) {
  ASSERT_TRUE(make("q", {{"DelaySeconds", "5"}}));
  std::vector<store::NewMessage> messages;
  for (int i = 0; i < 3000; ++i) {
    messages.push_back(message(std::to_string(i)));
  }
  ASSERT_TRUE(send_all("q", messages));
  EXPECT_EQ(stats("q").delayed, 3000);
  clock_.advance_ms(5'000);
  std::set<std::string> seen;
  for (int i = 0; i < 300; ++i) {
    for (const auto& body : bodies_of(receive("q", 10, 1000'000))) {
      EXPECT_TRUE(seen.insert(body).second) << body;
    }
  }
  EXPECT_EQ(seen.size(), 3000U);
}

TEST_F(QueueTest, RetentionEndsAMessage) {
  ASSERT_TRUE(make("q", {{"MessageRetentionPeriod", "60"}}));
  send("q", "old");
  send("q", "old in a group", "g");
  send("q", "old in flight");
  EXPECT_EQ(receive("q", 2).size(), 2U);
  clock_.advance_ms(59'000);
  send("q", "new");
  clock_.advance_ms(1'000);
  EXPECT_EQ(bodies_of(receive("q", 10)), Bodies{"new"});
  clock_.advance_ms(6'000);  // the sweep
  EXPECT_TRUE(eventually([&] { return stats("q").expired == 3; }));
  EXPECT_EQ(stats("q").visible + stats("q").in_flight, 1);
}

TEST_F(QueueTest, WhatWasReceivedTooOftenGoesToTheDeadLetters) {
  ASSERT_TRUE(make("dead"));
  ASSERT_TRUE(make(
      "q", {{"RedrivePolicy",
             R"({"deadLetterTargetArn":"arn:aws:sqs:us-east-1:000000000000:dead","maxReceiveCount":2})"}}));
  send("q", "poison");
  send("q", "good");
  for (uint32_t i = 1; i <= 2; ++i) {
    const auto given = receive("q", 1);
    ASSERT_EQ(bodies_of(given), Bodies{"poison"});
    EXPECT_EQ(given[0].receive_count, i);
    EXPECT_EQ(settle("q", given[0], 0), Settled::done);
  }
  EXPECT_EQ(bodies_of(receive("q", 10)), Bodies{"good"});
  EXPECT_EQ(stats("q").dead_lettered, 1U);
  EXPECT_EQ(stats("dead").visible, 1);
  reopen();
  const auto dead = receive("dead", 10);
  ASSERT_EQ(bodies_of(dead), Bodies{"poison"});
  const auto message = queues().read(dead[0]).value().value();
  EXPECT_EQ(message.dead_letter_source, "q");
  EXPECT_EQ(message.earlier_receives, 2U);
  EXPECT_EQ(message.id, "id-poison");
}

TEST_F(QueueTest, MessagesAreMovedBackToWhereTheyCameFrom) {
  ASSERT_TRUE(make("dead"));
  ASSERT_TRUE(make(
      "q", {{"RedrivePolicy",
             R"({"deadLetterTargetArn":"arn:aws:sqs:us-east-1:000000000000:dead","maxReceiveCount":1})"}}));
  for (int i = 0; i < 5; ++i) {
    send("q", std::to_string(i));
  }
  EXPECT_EQ(receive("q", 10, 0).size(), 5U);
  EXPECT_TRUE(receive("q", 10).empty());
  EXPECT_EQ(stats("dead").visible, 5);
  const auto move = [&](const std::string& to, std::size_t count) {
    return answer_of<Result<store::Moved>>([&](auto done) {
      queues().move({"dead", to, std::vector<std::string>(count, "new")}, std::move(done));
    });
  };
  auto moved = move("", 2);
  ASSERT_TRUE(moved) << moved.error().message;
  EXPECT_EQ(moved->count, 2U);
  EXPECT_EQ(moved->left, 3);
  const auto back = receive("q", 10);
  EXPECT_EQ(bodies_of(back), (Bodies{"0", "1"}));
  EXPECT_EQ(queues().read(back[0]).value().value().id, "new");
  EXPECT_EQ(back[0].receive_count, 1U);
  EXPECT_EQ(move("nowhere", 1).error().kind, ErrorKind::queue_not_found);
  ASSERT_TRUE(make("elsewhere"));
  EXPECT_EQ(move("elsewhere", 10)->count, 3U);
  EXPECT_EQ(bodies_of(receive("elsewhere", 10)), (Bodies{"2", "3", "4"}));
  EXPECT_EQ(stats("dead").visible, 0);
}

TEST_F(QueueTest, AFifoQueueKeepsTheOrderOfAGroupAndBlocksItWhileOneIsInFlight) {
  ASSERT_TRUE(make("q.fifo"));
  for (const auto* body : {"a1", "a2", "b1", "a3", "b2"}) {
    send("q.fifo", body, std::string(1, body[0]));
  }
  const auto first = receive("q.fifo", 2);
  EXPECT_EQ(bodies_of(first), (Bodies{"a1", "a2"}));
  const auto second = receive("q.fifo", 10);
  EXPECT_EQ(bodies_of(second), (Bodies{"b1", "b2"}));
  EXPECT_TRUE(receive("q.fifo", 10).empty());
  EXPECT_EQ(settle("q.fifo", first[0]), Settled::done);
  EXPECT_TRUE(receive("q.fifo", 10).empty());
  EXPECT_EQ(settle("q.fifo", first[1], 0), Settled::done);
  reopen();
  const auto third = receive("q.fifo", 10);
  EXPECT_EQ(bodies_of(third), (Bodies{"a2", "a3"}));
  clock_.advance_ms(30'000);
  EXPECT_EQ(settle("q.fifo", second[0]), Settled::not_in_flight);
  EXPECT_EQ(bodies_of(receive("q.fifo", 1)), Bodies{"a2"});
  EXPECT_EQ(bodies_of(receive("q.fifo", 10)), (Bodies{"b1", "b2"}));
}

TEST_F(QueueTest, AGroupThatWasInFlightAtACrashComesBackWhenItsTimeRanOutMeanwhile) {
  ASSERT_TRUE(make("q.fifo"));
  send("q.fifo", "a1", "a");
  send("q.fifo", "a2", "a");
  EXPECT_EQ(receive("q.fifo", 1).size(), 1U);
  store_.reset();
  clock_.advance_ms(31'000);
  open();
  EXPECT_EQ(bodies_of(receive("q.fifo", 10)), (Bodies{"a1", "a2"}));
}

TEST_F(QueueTest, ADuplicateIsAnsweredWithTheFirstMessageForFiveMinutes) {
  ASSERT_TRUE(make("q.fifo"));
  const auto first = send_all("q.fifo", {message("one", "g", "d")}).value()[0];
  reopen();
  clock_.advance_ms(299'999);
  const auto second = send_all("q.fifo", {message("two", "g", "d")}).value()[0];
  EXPECT_EQ(second.id, first.id);
  EXPECT_EQ(second.sequence, first.sequence);
  clock_.advance_ms(1);
  const auto third = send_all("q.fifo", {message("three", "g", "d"), message("four", "g", "d")}).value();
  EXPECT_EQ(third[0].id, "id-three");
  EXPECT_EQ(third[1].id, "id-three");
  EXPECT_EQ(bodies_of(receive("q.fifo", 10)), (Bodies{"one", "three"}));
}

TEST_F(QueueTest, AGroupWithMuchToDoDoesNotKeepOthersWaiting) {
  ASSERT_TRUE(make("q"));
  for (int i = 0; i < 500; ++i) {
    send("q", "noisy" + std::to_string(i), "noisy");
  }
  send("q", "quiet", "quiet");
  send("q", "alone");
  reopen();
  const auto bodies = bodies_of(receive("q", 4));
  EXPECT_NE(std::ranges::find(bodies, "quiet"), bodies.end());
  EXPECT_NE(std::ranges::find(bodies, "alone"), bodies.end());
  EXPECT_NE(std::ranges::find(bodies, "noisy0"), bodies.end());
  EXPECT_NE(std::ranges::find(bodies, "noisy1"), bodies.end());
}

TEST_F(QueueTest, AWaitingReceiveGetsTheMessageThatIsSent) {
  ASSERT_TRUE(make("q"));
  std::promise<Given> done;
  auto given = done.get_future();
  queues().receive({"q", 10, {}, 20'000}, [&](Result<Given> result) { done.set_value(result.value()); });
  EXPECT_EQ(given.wait_for(std::chrono::milliseconds(50)), std::future_status::timeout);
  send("q", "one");
  EXPECT_EQ(bodies_of(given.get()), Bodies{"one"});
  EXPECT_TRUE(receive("q").empty());
}

TEST_F(QueueTest, AWaitEndsWithItsTimeWithACancelAndWithTheQueue) {
  ASSERT_TRUE(make("q"));
  std::promise<Given> late;
  queues().receive({"q", 10, {}, 1'000}, [&](Result<Given> result) { late.set_value(result.value()); });
  std::promise<Given> cancelled;
  const auto wait = queues().receive({"q", 10, {}, 20'000},
                                     [&](Result<Given> result) { cancelled.set_value(result.value()); });
  std::promise<ErrorKind> removed;
  queues().receive({"q", 10, {}, 20'000},
                   [&](Result<Given> result) { removed.set_value(result.error().kind); });
  wait->cancel();
  EXPECT_TRUE(cancelled.get_future().get().empty());
  wait->cancel();
  clock_.advance_ms(1'000);
  EXPECT_TRUE(late.get_future().get().empty());
  ASSERT_TRUE(answer_of<Result<queue::QueuePtr>>([&](auto done) { queues().remove("q", std::move(done)); }));
  EXPECT_EQ(removed.get_future().get(), ErrorKind::queue_not_found);
  EXPECT_EQ(try_receive("q").error().kind, ErrorKind::queue_not_found);
}

TEST_F(QueueTest, AWaitingReceiveGetsAMessageWhoseTimeRunsOut) {
  ASSERT_TRUE(make("q"));
  send("q", "one");
  EXPECT_EQ(receive("q").size(), 1U);
  std::promise<Given> done;
  queues().receive({"q", 10, {}, 20'000'000}, [&](Result<Given> result) { done.set_value(result.value()); });
  clock_.advance_ms(30'000);
  EXPECT_EQ(done.get_future().get().size(), 1U);
}

TEST_F(QueueTest, APurgeLeavesNothingAndCannotBeRepeatedAtOnce) {
  ASSERT_TRUE(make("q"));
  send("q", "one");
  const auto given = receive("q");
  send("q", "two", "g");
  const auto purge = [&] {
    return answer_of<Result<queue::QueuePtr>>([&](auto done) { queues().purge("q", std::move(done)); });
  };
  ASSERT_TRUE(purge());
  EXPECT_EQ(purge().error().kind, ErrorKind::purge_in_progress);
  EXPECT_EQ(settle("q", given[0]), Settled::foreign);
  reopen();
  EXPECT_TRUE(receive("q", 10).empty());
  EXPECT_EQ(stats("q").sent, 2U);
  send("q", "three");
  EXPECT_EQ(bodies_of(receive("q", 10)), Bodies{"three"});
  clock_.advance_ms(60'000);
  EXPECT_TRUE(purge());
}

TEST_F(QueueTest, ThereIsALimitToWhatIsInFlight) {
  ASSERT_TRUE(make("q"));
  std::vector<store::NewMessage> messages;
  for (int i = 0; i < 10'000; ++i) {
    messages.push_back(message("x"));
  }
  for (int i = 0; i < 13; ++i) {
    ASSERT_TRUE(send_all("q", messages));
  }
  for (int i = 0; i < 12; ++i) {
    EXPECT_EQ(receive("q", 10'000).size(), 10'000U);
  }
  EXPECT_EQ(try_receive("q").error().kind, ErrorKind::too_many_in_flight);
  EXPECT_EQ(stats("q").in_flight, 120'000);
  EXPECT_EQ(stats("q").visible, 10'000);
}

TEST_F(QueueTest, MoreGroupsThanMemoryHoldsAllGetTheirTurn) {
  constexpr int groups = 10'000;
  ASSERT_TRUE(make("q.fifo"));
  for (int i = 0; i < groups; i += 1000) {
    std::vector<store::NewMessage> messages;
    for (int j = i; j < i + 1000; ++j) {
      messages.push_back(message(std::to_string(j), "g" + std::to_string(j % (groups / 2))));
    }
    ASSERT_TRUE(send_all("q.fifo", messages));
  }
  reopen();
  std::map<std::string, std::vector<int>> seen;
  int received = 0;
  for (int rounds = 0; received < groups && rounds < 3000; ++rounds) {
    const auto given = receive("q.fifo", 10);
    for (const auto& delivery : given) {
      seen[delivery.receipt.group].push_back(std::stoi(body_of(delivery)));
      EXPECT_EQ(settle("q.fifo", delivery), Settled::done);
      ++received;
    }
  }
  EXPECT_EQ(received, groups);
  EXPECT_EQ(seen.size(), static_cast<std::size_t>(groups / 2));
  for (const auto& [group, bodies] : seen) {
    EXPECT_TRUE(std::ranges::is_sorted(bodies)) << group;
  }
  EXPECT_EQ(stats("q.fifo").visible, 0);
}

// What one batch sends to a group that is on disk alone is not passed over by what it reads from there.
TEST_F(QueueTest, AMessageIsFoundWhoseGroupIsReadInTheBatchThatSendsIt) {
  ASSERT_TRUE(make("q.fifo"));
  for (int round = 0; round < 20; ++round) {
    send("q.fifo", std::to_string(round) + " first", "g");
    reopen();
    std::promise<void> created;
    std::promise<void> sent;
    std::promise<void> received;
    // While this is being written, the rest gathers.
    queues().create(described("other" + std::to_string(round)), [&](const auto&) { created.set_value(); });
    queues().send("q.fifo", {message(std::to_string(round) + " second", "g")},
                  [&](const auto&) { sent.set_value(); });
    queues().receive({"q.fifo", 1, 1'000, 0}, [&](const auto&) { received.set_value(); });
    created.get_future().wait();
    sent.get_future().wait();
    received.get_future().wait();
    clock_.advance_ms(1'000);
    const auto given = receive("q.fifo", 10);
    EXPECT_EQ(bodies_of(given),
              (Bodies{std::to_string(round) + " first", std::to_string(round) + " second"}));
    for (const auto& delivery : given) {
      EXPECT_EQ(settle("q.fifo", delivery), Settled::done);
    }
  }
}

TEST_F(QueueTest, AReceiptIsSupersededByAReceiveOfTheSameBatch) {
  ASSERT_TRUE(make("q"));
  send("q", "one");
  const auto first = receive("q", 1, 0);
  std::promise<void> created;
  std::promise<Given> received;
  std::promise<Settled> settled;
  queues().create(described("other"), [&](const auto&) { created.set_value(); });
  queues().receive({"q", 1, 0, 0}, [&](Result<Given> result) { received.set_value(result.value()); });
  queues().settle("q", {{first[0].receipt, {}}},
                  [&](Result<std::vector<Settled>> result) { settled.set_value(result->front()); });
  created.get_future().wait();
  EXPECT_EQ(received.get_future().get().size(), 1U);
  EXPECT_EQ(settled.get_future().get(), Settled::superseded);
  EXPECT_EQ(receive("q")[0].receive_count, 3U);
}

TEST_F(QueueTest, ATentativeReceiveIsForgottenByACrashUnlessItWasSettled) {
  ASSERT_TRUE(make("q"));
  send("q", "settled", "g");
  send("q", "given up", "h");
  const auto given = receive_tentatively("q", 2);
  ASSERT_EQ(given.size(), 2U);
  EXPECT_TRUE(receive("q", 10).empty());
  EXPECT_EQ(settle("q", given[0], 60'000), Settled::done);
  reopen();
  const auto again = receive("q", 10);
  EXPECT_EQ(bodies_of(again), Bodies{"given up"});
  EXPECT_EQ(again[0].receive_count, 1U);
  EXPECT_GT(again[0].receipt.token, given[1].receipt.token);
  EXPECT_EQ(settle("q", given[1]), Settled::superseded);
  EXPECT_EQ(settle("q", given[0]), Settled::done);
}

// Where the queue begins on disk is written with every change of it, and must not be behind such a message.
TEST_F(QueueTest, ATentativeReceiveOfAMessageWithoutGroupIsForgottenByACrash) {
  ASSERT_TRUE(make("q"));
  send("q", "given up");
  send("q", "settled");
  send("q", "deleted");
  const auto given = receive_tentatively("q", 3);
  ASSERT_EQ(given.size(), 3U);
  EXPECT_EQ(settle("q", given[1], 60'000), Settled::done);
  EXPECT_EQ(settle("q", given[2]), Settled::done);
  send("q", "later");
  reopen();
  EXPECT_EQ(bodies_of(receive("q", 10)), (Bodies{"given up", "later"}));
  clock_.advance_ms(60'000);
  EXPECT_EQ(bodies_of(receive("q", 10)), (Bodies{"given up", "settled", "later"}));
}

TEST_F(QueueTest, ATentativeReceiveEndsWithItsTimeAndIsCountedUntilThen) {
  ASSERT_TRUE(make("dead"));
  ASSERT_TRUE(make(
      "q", {{"RedrivePolicy",
             R"({"deadLetterTargetArn":"arn:aws:sqs:us-east-1:000000000000:dead","maxReceiveCount":3})"}}));
  send("q", "one");
  std::set<uint64_t> tokens;
  for (uint32_t count = 1; count <= 3; ++count) {
    const auto given = receive_tentatively("q");
    ASSERT_EQ(given.size(), 1U);
    EXPECT_EQ(given[0].receive_count, count);
    EXPECT_TRUE(tokens.insert(given[0].receipt.token).second);
    clock_.advance_ms(30'000);
    EXPECT_EQ(settle("q", given[0], 60'000), Settled::gone);
  }
  EXPECT_TRUE(receive_tentatively("q").empty());
  EXPECT_EQ(bodies_of(receive("dead")), Bodies{"one"});
}

// More groups than are kept when they are empty, over and over.
TEST_F(QueueTest, GroupsThatComeAndGoAreFoundAgain) {
  constexpr int groups = 1'500;
  ASSERT_TRUE(make("q"));
  for (int round = 0; round < 3; ++round) {
    std::vector<store::NewMessage> messages;
    for (int i = 0; i < groups; ++i) {
      messages.push_back(message(std::to_string(i), "g" + std::to_string(i)));
    }
    ASSERT_TRUE(send_all("q", messages));
    if (round == 1) {
      reopen();
    }
    std::set<std::string> seen;
    for (auto given = receive("q", 10); !given.empty(); given = receive("q", 10)) {
      for (const auto& delivery : given) {
        EXPECT_TRUE(seen.insert(body_of(delivery)).second);
        EXPECT_EQ(settle("q", delivery), Settled::done);
      }
    }
    EXPECT_EQ(seen.size(), static_cast<std::size_t>(groups));
    EXPECT_EQ(stats("q").visible, 0);
  }
}

// What the rows of a group say may be of some time ago, but never so that a message is passed over.
TEST_F(QueueTest, AMessageThatBecomesDueInAGroupWithoutMessagesIsFoundAfterARestart) {
  ASSERT_TRUE(make("q"));
  auto late = message("late", "g");
  late.delay_ms = 5'000;
  ASSERT_TRUE(send_all("q", {late}));
  send("q", "at once", "g");
  EXPECT_EQ(settle("q", receive("q").at(0)), Settled::done);
  clock_.advance_ms(5'000);
  EXPECT_EQ(stats("q").visible, 1);
  reopen();
  EXPECT_EQ(bodies_of(receive("q", 10)), Bodies{"late"});
}

TEST_F(QueueTest, AGroupThatWasServedForLongIsServedAfterARestart) {
  ASSERT_TRUE(make("q"));
  for (int i = 0; i < 3'000; ++i) {
    send("q", std::to_string(i), "g" + std::to_string(i % 2));
    if (i >= 10) {
      const auto given = receive("q");
      ASSERT_EQ(given.size(), 1U);
      EXPECT_EQ(settle("q", given[0]), Settled::done);
    }
  }
  reopen();
  EXPECT_EQ(receive("q", 10).size(), 10U);
  EXPECT_TRUE(receive("q", 10).empty());
}

TEST_F(QueueTest, PeekingChangesNothing) {
  ASSERT_TRUE(make("q"));
  for (int i = 0; i < 3; ++i) {
    send("q", std::to_string(i));
  }
  send("q", "grouped", "g");
  auto delayed = message("later");
  delayed.delay_ms = 60'000;
  ASSERT_TRUE(send_all("q", {delayed}));
  EXPECT_EQ(bodies_of(receive("q", 1)), Bodies{"0"});
  store::PeekRequest request{"q", "", "", 2};
  std::vector<std::pair<std::string, store::MessageState>> seen;
  for (;;) {
    const auto page = queues().peek(request).value();
    if (page.empty()) {
      break;
    }
    for (const auto& one : page) {
      seen.emplace_back(one.message.body, one.state);
    }
    request.after = page.back().place;
  }
  using State = store::MessageState;
  const std::vector<std::pair<std::string, State>> expected = {{"0", State::in_flight},
                                                               {"1", State::waiting},
                                                               {"2", State::waiting},
                                                               {"grouped", State::waiting},
                                                               {"later", State::delayed}};
  EXPECT_EQ(seen, expected);
  EXPECT_EQ(stats("q").visible, 3);
  EXPECT_EQ(receive("q", 10)[0].receive_count, 1U);
  request.after = "bm8=";
  EXPECT_EQ(queues().peek(request).error().kind, ErrorKind::invalid);
}

TEST_F(QueueTest, AReceiptTellsOfItsMessage) {
  ASSERT_TRUE(make("q"));
  send("q", "a", "g");
  const auto given = receive("q", 1, 10'000);
  const auto looked = queues().look(given[0].receipt).value();
  ASSERT_TRUE(looked);
  EXPECT_EQ(looked->message.body, "a");
  EXPECT_EQ(looked->receive_count, 1U);
  EXPECT_EQ(looked->state, store::MessageState::in_flight);
  clock_.advance_ms(10'001);
  EXPECT_EQ(queues().look(given[0].receipt).value()->state, store::MessageState::waiting);
  settle("q", receive("q")[0]);
  EXPECT_FALSE(queues().look(given[0].receipt).value());
}

// By a receipt of the token 0, which no client can show.
TEST_F(QueueTest, WhatNobodyHoldsCanBeDeleted) {
  ASSERT_TRUE(make("q"));
  const auto space = queues().find("q")->space;
  const auto first = send("q", "a");
  const auto second = send("q", "b", "g");
  const auto third = send("q", "c");
  const auto discard = [&](uint64_t sequence, const std::string& group) {
    store::Delivery named;
    named.receipt = {space, sequence, 0, group};
    return settle("q", named);
  };
  const auto held = receive("q");
  EXPECT_EQ(bodies_of(held), Bodies{"a"});
  EXPECT_EQ(discard(first.sequence, ""), store::Settled::superseded);
  EXPECT_EQ(discard(second.sequence, ""), store::Settled::gone);
  EXPECT_EQ(discard(second.sequence, "g"), store::Settled::done);
  EXPECT_EQ(discard(second.sequence, "g"), store::Settled::gone);
  EXPECT_EQ(stats("q").visible, 1);
  EXPECT_EQ(stats("q").deleted, 1U);
  EXPECT_EQ(bodies_of(receive("q", 10)), Bodies{"c"});
  clock_.advance_ms(60'000);
  EXPECT_EQ(discard(third.sequence, ""), store::Settled::done);
  reopen();
  EXPECT_EQ(bodies_of(receive("q", 10)), Bodies{"a"});
  EXPECT_FALSE(queue::decode_receipt(queue::encode({space, 1, 0, ""})));
}

}  // namespace
}  // namespace waybill::engine
