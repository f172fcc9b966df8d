/**
 * Horizon watches how long the oldest open transaction has been holding back what is new. It needs no rights on what others do: what is
 * below `low` is decided, `high` is given to nobody yet, and while `low` stays where it is below `high` something is open.
 */
export class Horizon {
  #now
  #low = ''
  #sinceMs

  /** @param {() => number} now - ms */
  constructor(now) {
    this.#now = now
    this.#sinceMs = now()
  }

  /** saw takes note of where the horizon is. @param {{ low: string, high: string }} seen */
  saw({ low, high }) {
    if (low !== this.#low || low === high) this.#sinceMs = this.#now()
    this.#low = low
  }

  /** heldMs is for how long it has not moved, though something is beyond it. */
  get heldMs() {
    return this.#now() - this.#sinceMs
  }
}
