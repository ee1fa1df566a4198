#pragma once

#include <memory>
#include <utility>

namespace waybill {

template <typename Signature>
class UniqueFunction;

// Holds any callable, also one that can only be moved; std::function holds only those that copy.
template <typename Return, typename... Arguments>
class UniqueFunction<Return(Arguments...)> {
 public:
  UniqueFunction() = default;

  template <typename Callable>
  UniqueFunction(Callable callable) : held_(std::make_unique<Held<Callable>>(std::move(callable))) {}

  explicit operator bool() const { return held_ != nullptr; }

  Return operator()(Arguments... arguments) { return held_->call(std::forward<Arguments>(arguments)...); }

 private:
  struct Base {
    virtual ~Base() = default;
    virtual Return call(Arguments... arguments) = 0;
  };

  template <typename Callable>
  struct Held final : Base {
    explicit Held(Callable callable) : callable_(std::move(callable)) {}
    Return call(Arguments... arguments) override { return callable_(std::forward<Arguments>(arguments)...); }
    Callable callable_;
  };

  std::unique_ptr<Base> held_;
};

}  // namespace waybill
