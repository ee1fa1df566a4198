// A seeded source of choices. Every generator draws from one of these and from nothing else, so that a
// seed alone reproduces a run.

function hash_text(text) {
  let hash = 2166136261;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 16777619);
  return hash >>> 0;
}

export class Random {
  #state;

  constructor(seed) {
    this.seed = seed;
    this.#state = hash_text(String(seed));
  }

  // An independent stream: a change in one generator does not shift what the others draw.
  fork(label) {
    return new Random(`${this.seed}/${label}`);
  }

  // mulberry32
  next() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  int(below) {
    return Math.floor(this.next() * below);
  }

  between(low, high) {
    return low + this.int(high - low + 1);
  }

  chance(probability) {
    return this.next() < probability;
  }

  pick(list) {
    return list[this.int(list.length)];
  }

  // choices: [[weight, value], …]
  weighted(choices) {
    let total = 0;
    for (const [weight] of choices) total += weight;
    let at = this.next() * total;
    for (const [weight, value] of choices) {
      at -= weight;
      if (at < 0) return value;
    }
    return choices[choices.length - 1][1];
  }

  some(list, probability) {
    return list.filter(() => this.chance(probability));
  }

  shuffled(list) {
    const copy = [...list];
    for (let i = copy.length - 1; i > 0; i--) {
      const j = this.int(i + 1);
      [copy[i], copy[j]] = [copy[j], copy[i]];
    }
    return copy;
  }

  sample(list, count) {
    return this.shuffled(list).slice(0, count);
  }
}
