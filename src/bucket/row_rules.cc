#include "bucket/row_rules.h"

#include <string>

#include "bucket/errors.h"
#include "bucket/row.h"
#include "rules/arrival.h"
#include "rules/effects.h"
#include "rules/system_tables.h"

namespace waybill::bucket {
namespace {

using store::Effects;
using store::Ground;
using store::Proposal;
using store::Verdict;

void free(std::string_view kind, std::string_view id, const Ground& ground, Effects& effects) {
  item::Item row;
  add_text(row, "what", std::string(kind).append("/").append(id));
  add_whole(row, "at", ground.now_ms());
  rules::put_row(rules::freed_table, std::move(row), ground, effects);
}

std::string content_in(const std::optional<item::ItemView>& row) {
  return row ? text_in(*row, "content") : std::string();
}

// The content that was there before, where it is another now.
void free_old_content(const Proposal& proposal, const Ground& ground, Effects& effects) {
  const std::string before = content_in(proposal.before);
  if (!before.empty() && before != content_in(proposal.after)) {
    free("content", before, ground, effects);
  }
}

// Judges nothing.
class RowRules : public store::Rules {
 public:
  Result<Verdict> judge(const Proposal& /*proposal*/, Ground& /*ground*/) const override { return Verdict(); }
  Status add_effects(const Proposal& /*proposal*/, Ground& /*ground*/, Effects& /*effects*/) const override {
    return {};
  }
  Status add_refusal(const Proposal& /*proposal*/, const Error& /*refusal*/, Ground& /*ground*/,
                     Effects& /*effects*/) const override {
    return {};
  }
};

class BucketRules final : public RowRules {
 public:
  Result<Verdict> judge(const Proposal& proposal, Ground& ground) const override {
    if (proposal.after || !proposal.before) {
      return Verdict();
    }
    WAYBILL_TRY_ASSIGN(const int64_t objects,
                       ground.counter(rules::count_of_objects(text_in(*proposal.before, "name"))));
    return objects == 0 ? Verdict() : Verdict{bucket_not_empty(), {}};
  }
};

class ObjectRules final : public RowRules {
 public:
  Status add_effects(const Proposal& proposal, Ground& ground, Effects& effects) const override {
    if (!proposal.before && !proposal.after) {
      return {};
    }
    free_old_content(proposal, ground, effects);
    const item::ItemView row = proposal.after ? *proposal.after : *proposal.before;
    const std::string bucket = text_in(row, "bucket");
    if (proposal.before.has_value() != proposal.after.has_value()) {
      store::Effect& count = effects.emplace_back();
      count.kind = store::Effect::Kind::count;
      count.counter = rules::count_of_objects(bucket);
      count.delta = proposal.after ? 1 : -1;
    }
    if (proposal.after && content_in(proposal.before) != content_in(proposal.after)) {
      return rules::add_arrival({bucket, text_in(row, "key")}, ground, effects);
    }
    return {};
  }
};

class UploadRules final : public RowRules {
 public:
  Status add_effects(const Proposal& proposal, Ground& ground, Effects& effects) const override {
    if (proposal.before && !proposal.after) {
      free("upload", text_in(*proposal.before, "id"), ground, effects);
    }
    return {};
  }
};

class PartRules final : public RowRules {
 public:
  Status add_effects(const Proposal& proposal, Ground& ground, Effects& effects) const override {
    free_old_content(proposal, ground, effects);
    return {};
  }
};

}  // namespace

store::RulesPtr bucket_rules() {
  return std::make_shared<const BucketRules>();
}

store::RulesPtr object_rules() {
  return std::make_shared<const ObjectRules>();
}

store::RulesPtr upload_rules() {
  return std::make_shared<const UploadRules>();
}

store::RulesPtr part_rules() {
  return std::make_shared<const PartRules>();
}

}  // namespace waybill::bucket
