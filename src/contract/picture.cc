#include "contract/picture.h"

#include <algorithm>
#include <map>
#include <vector>

#include "contract/duration.h"
#include "contract/moves.h"

namespace waybill::contract {

namespace {

using State = StatusMachine::State;

// "start", "end, kept for 90d, then archived".
std::string remark_of(const StatusMachine& machine, const State& state) {
  std::string remark;
  const auto add = [&](const std::string& text) { remark += (remark.empty() ? "" : ", ") + text; };
  if (state.name.text == machine.start.text) {
    add("start");
  }
  if (state.is_end) {
    add("end");
  }
  if (state.retention) {
    add("kept for " + duration_text(state.retention->seconds));
    if (state.retention->then == AfterLife::archive) {
      add("then archived");
    }
  }
  return remark;
}

std::string padded(const std::string& text, std::size_t width) {
  return text.size() < width ? text + std::string(width - text.size(), ' ') : text;
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

// Where the boxes of states stand. Lengths are in pixels.
class Layout {
 public:
  static constexpr int box_height = 40;
  static constexpr int row_height = 92;
  static constexpr int stair_height = 64;
  static constexpr int gap = 130;  // between columns, with room for a label
  static constexpr int margin = 50;

  explicit Layout(const StatusMachine& machine) {
    std::size_t longest = 0;
    for (const auto& state : machine.states) {
      longest = std::max(longest, state.name.text.size());
    }
    box_width_ = static_cast<int>(longest) * 9 + 28;
    find_columns(machine);
    place_rows(machine);
  }

  int left(const std::string& state) const { return margin + columns_.at(state) * (box_width_ + gap); }
  int right(const std::string& state) const { return left(state) + box_width_; }
  int top(const std::string& state) const { return tops_.at(state); }
  int middle(const std::string& state) const { return top(state) + box_height / 2; }
  int center(const std::string& state) const { return left(state) + box_width_ / 2; }
  int column(const std::string& state) const { return columns_.at(state); }
  int box_width() const { return box_width_; }
  int width() const { return 2 * margin + columns_count_ * (box_width_ + gap) - gap; }
  int height() const { return 2 * margin + bottom_; }

 private:
  // Each column begins lower than the one before: an arrow that goes further passes above the boxes between.
  void place_rows(const StatusMachine& machine) {
    std::map<int, int> used;  // rows of each column
    for (const auto& state : machine.states) {
      const std::string& name = state.name.text;
      const int column = columns_[name];
      columns_count_ = std::max(columns_count_, column + 1);
      const int begin = state.is_end ? 0 : column * stair_height;
      const int top = begin + used[column]++ * row_height;
      bottom_ = std::max(bottom_, top + box_height);
      tops_[name] = margin + top;
    }
  }

  // By the number of moves from the start, ends last; what cannot be reached stands with the start.
  void find_columns(const StatusMachine& machine) {
    std::vector<std::string> open{machine.start.text};
    columns_[machine.start.text] = 0;
    for (std::size_t at = 0; at < open.size(); ++at) {
      const std::string name = open[at];
      const State* const state = machine.find(name);
      if (state == nullptr) {
        continue;
      }
      for (const auto& next : state->next) {
        if (columns_.emplace(next.text, columns_[name] + 1).second) {
          open.push_back(next.text);
        }
      }
    }
    int last = 0;  // behind all states that can be left
    for (const auto& state : machine.states) {
      const int column = columns_.emplace(state.name.text, 0).first->second;
      if (!state.is_end) {
        last = std::max(last, column + 1);
      }
    }
    for (const auto& state : machine.states) {
      if (state.is_end) {
        columns_[state.name.text] = last;
      }
    }
  }

  int box_width_ = 0;
  int columns_count_ = 0;
  int bottom_ = 0;
  std::map<std::string, int> columns_;
  std::map<std::string, int> tops_;
};

std::string number(int value) {
  return std::to_string(value);
}

std::string box(const Layout& layout, const StatusMachine& machine, const State& state) {
  const std::string& name = state.name.text;
  const auto rectangle = [&](int inset) {
    return "<rect x=\"" + number(layout.left(name) + inset) + "\" y=\"" + number(layout.top(name) + inset) +
           "\" width=\"" + number(layout.box_width() - 2 * inset) + "\" height=\"" +
           number(Layout::box_height - 2 * inset) + "\" rx=\"" + number(8 - inset) + "\"/>\n";
  };
  std::string svg = "<g class=\"state\">\n" + rectangle(0);
  if (state.is_end) {
    svg += rectangle(4);
  }
  svg += "<text x=\"" + number(layout.center(name)) + "\" y=\"" + number(layout.middle(name) + 5) + "\">" +
         escaped(name) + "</text>\n</g>\n";
  const std::string remark = remark_of(machine, state);
  if (!remark.empty()) {
    svg += "<text class=\"remark\" x=\"" + number(layout.center(name)) + "\" y=\"" +
           number(layout.top(name) + Layout::box_height + 16) + "\">" + escaped(remark) + "</text>\n";
  }
  return svg;
}

// Forward moves go from side to side; others leave at the top and come in at the top.
std::string arrow(const Layout& layout, const NamedMove& move) {
  const bool forward = layout.column(move.to) > layout.column(move.from);
  int x1 = layout.right(move.from);
  int y1 = layout.middle(move.from);
  int x2 = layout.left(move.to) - 4;
  int y2 = layout.middle(move.to);
  std::string path;
  int label_x = (x1 + x2) / 2;
  int label_y = (y1 + y2) / 2 - 6;
  if (forward) {
    const int bend = (x2 - x1) / 2;
    path = "M" + number(x1) + " " + number(y1) + " C" + number(x1 + bend) + " " + number(y1) + " " +
           number(x2 - bend) + " " + number(y2) + " " + number(x2) + " " + number(y2);
  } else {
    x1 = layout.center(move.from) - 12;
    x2 = layout.center(move.to) + 12;
    y1 = layout.top(move.from);
    y2 = layout.top(move.to) - 4;
    const int above = std::min(y1, y2) - 34;
    path = "M" + number(x1) + " " + number(y1) + " C" + number(x1) + " " + number(above) + " " + number(x2) +
           " " + number(above) + " " + number(x2) + " " + number(y2);
    label_x = (x1 + x2) / 2;
    label_y = above + 4;
  }
  std::string svg = "<path class=\"" + std::string(move.by_hand ? "move hand" : "move") + "\" d=\"" + path +
                    "\" marker-end=\"url(#tip)\"/>\n";
  if (!move.label.empty()) {
    svg += "<text class=\"label\" x=\"" + number(label_x) + "\" y=\"" + number(label_y) + "\">" +
           escaped(move.label + (move.by_hand ? ", by hand" : "")) + "</text>\n";
  }
  return svg;
}

}  // namespace

std::string machine_text(const Record& record) {
  if (!record.status) {
    return {};
  }
  const auto moves = named_moves(record);
  std::size_t width = 0;
  for (const auto& move : moves) {
    width = std::max(width, move.to.size());
  }
  std::string text;
  for (const auto& state : record.status->states) {
    const std::string remark = remark_of(*record.status, state);
    text += state.name.text + (remark.empty() ? "" : "  (" + remark + ")") + "\n";
    std::vector<const NamedMove*> own;
    for (const auto& move : moves) {
      if (move.from == state.name.text) {
        own.push_back(&move);
      }
    }
    for (const NamedMove* const move : own) {
      const std::string how = move->label + (move->by_hand ? ", by hand" : "");
      text += std::string(move == own.back() ? "  └─> " : "  ├─> ") +
              (how.empty() ? move->to : padded(move->to, width) + "  " + how) + "\n";
    }
  }
  return text;
}

std::string machine_svg(const Record& record) {
  if (!record.status) {
    return {};
  }
  const Layout layout(*record.status);
  std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + number(layout.width()) +
                    " " + number(layout.height()) + "\" width=\"" + number(layout.width()) + "\" height=\"" +
                    number(layout.height()) + "\" role=\"img\">\n<title>" +
                    escaped("The states of " + record.name) + "</title>\n" + R"(<style>
  svg { background: #ffffff; font-family: system-ui, sans-serif; }
  text { font-size: 14px; fill: #1f2933; text-anchor: middle; }
  .remark, .label { font-size: 11px; fill: #52606d; }
  .label { paint-order: stroke; stroke: #ffffff; stroke-width: 4px; }
  .state rect { fill: #f5f7fa; stroke: #3e4c59; stroke-width: 1.5; }
  .move { fill: none; stroke: #3e4c59; stroke-width: 1.5; }
  .hand { stroke-dasharray: 5 4; }
</style>
<defs><marker id="tip" viewBox="0 0 10 10" refX="8" refY="5" markerWidth="7" markerHeight="7" orient="auto">
<path d="M0 0 L10 5 L0 10 z" fill="#3e4c59"/></marker></defs>
)";
  const auto moves = named_moves(record);
  for (const auto& move : moves) {
    svg += arrow(layout, move);
  }
  for (const auto& state : record.status->states) {
    svg += box(layout, *record.status, state);
  }
  return svg + "</svg>\n";
}

}  // namespace waybill::contract
