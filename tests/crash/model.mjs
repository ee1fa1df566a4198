// What the database may hold, by what was acknowledged: the oracle, kept outside the server.
//
// A cell is one item, or several items that only ever change together. It has one possible state after an
// acknowledged operation, and more than one while an operation is under way or its answer was lost.

import {canonical, normalise} from '../differential/compare.mjs';

const text = (state) => canonical(normalise(state));

export class Cell {
  // members: [{table, key}]; the state of a cell is a list of items (or null) in the same order.
  constructor(members) {
    this.members = members;
    this.states = [members.map(() => null)];
  }

  // The one state there can be, or undefined where there are several.
  get certain() {
    return this.states.length === 1 ? this.states[0] : undefined;
  }

  // Before sending: the operation may happen, now or never. `apply` maps a state to the next one.
  invoked(apply) {
    this.before = this.states;
    this.after = this.states.map(apply);
    this.states = distinct([...this.before, ...this.after]);
  }

  acknowledged() {
    this.states = distinct(this.after);
  }

  refused() {
    this.states = this.before;
  }

  // After a restart: what is really there becomes the state. False where it is none of the possible ones.
  observed(state) {
    const at = this.states.findIndex((one) => text(one) === text(state));
    this.expected = this.states;
    this.states = [state];
    // Of an operation whose answer was lost: whether it happened. The state before it comes first.
    this.outcome = this.expected.length === 1 ? null : at === 0 ? 'did not happen' : 'happened';
    return at >= 0;
  }
}

function distinct(states) {
  const seen = new Map();
  for (const state of states) seen.set(text(state), state);
  return [...seen.values()];
}
