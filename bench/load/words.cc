#include "load/words.h"

namespace waybill::load {
namespace {

constexpr std::string_view description_words =
    "a the of and in with near over under behind beside above across through against toward from at "
    "by on photo image picture shows portrait landscape scene view close detail wide angle frame "
    "background foreground bright dark soft warm cool natural golden evening morning sunset sunrise "
    "daylight shadow shadows light lights blue green red yellow orange purple white black grey "
    "silver brown pink pale deep vivid muted colourful mountain mountains river lake ocean sea "
    "shore beach sand waves forest trees tree meadow field grass flowers garden park path road "
    "street bridge tower building buildings house houses window windows door roof wall stone city "
    "village harbour boat boats ship train station car cars bicycle market shop cafe table chair "
    "cup plate bread fruit coffee dinner kitchen room floor ceiling lamp book books paper glass "
    "metal wooden fabric leather woman man child children family friends people person crowd couple "
    "girl boy grandmother runner dancer musician dog cat horse birds bird cow sheep butterfly fish "
    "smiling laughing walking running sitting standing looking holding wearing reading playing "
    "cooking painting climbing swimming waiting talking resting jumping dancing hat coat dress "
    "shirt scarf jacket shoes gloves umbrella camera guitar piano bag backpack basket bottle clock "
    "sky clouds cloudy rain snow snowy fog mist wind summer winter spring autumn night noon quiet "
    "busy empty old new small large tall round narrow long short high low distant blurred sharp "
    "reflected covered surrounded texture pattern contrast exposure focus grain lively peaceful "
    "ancient modern crowded lonely curved broken painted polished rough smooth glowing fading "
    "rising falling";

constexpr std::string_view label_words =
    "Person Mountain River Building Tree Flower Beach Street Vehicle Animal Food Furniture Sky Cloud "
    "Water Snow Sunset Bridge Window Garden Portrait Crowd Dog Cat Bird Boat Train Bicycle Book Table "
    "Clothing Instrument";

template <std::size_t count>
consteval std::array<Word, count> split(std::string_view text) {
  std::array<Word, count> words{};
  for (auto& word : words) {
    const auto size = text.find(' ') == text.npos ? text.size() : text.find(' ');
    word.bytes.fill(' ');
    for (std::size_t i = 0; i < size; ++i) {
      word.bytes[i] = text[i];  // a word that is too long, or missing, does not compile
    }
    word.size = static_cast<uint8_t>(size == 0 ? throw "too few words" : size);
    text.remove_prefix(size == text.size() ? size : size + 1);
  }
  return text.empty() ? words : throw "too many words";
}

}  // namespace

constinit const std::array<Word, 256> words = split<256>(description_words);
constinit const std::array<Word, 32> label_names = split<32>(label_words);

}  // namespace waybill::load
