/**
 * @typedef {import('../plan/plan.js').AnyPlan} AnyPlan
 *
 * @typedef {object} Left - a run that has ended and left up what it had started
 * @property {(plan: any) => boolean} serves - whether what is up is still there, and does for a run of this plan
 * @property {() => Promise<string[]>} clear - ends it; what went wrong with that
 */

/** Standing is what a run of a study leaves up for the next one, which then need not start the same again. */
export class Standing {
  /** @type {Left | null} */
  #left = null
  #tell

  /** @param {(error: Error) => void} tell - what went wrong when something that nobody needs any more was ended */
  constructor(tell) {
    this.#tell = tell
  }

  /** leave keeps what a run has started, until another one takes it. @param {Left} left */
  leave(left) {
    this.#left = left
  }

  /** serves says whether a run of a plan would go on with what was left up. @param {AnyPlan} plan */
  serves(plan) {
    return this.#left?.serves(plan) ?? false
  }

  /**
   * take gives what the run before has left up; what does not serve a plan is ended.
   *
   * @param {AnyPlan} plan
   * @returns {Promise<any>} the run that left it; null: there is nothing that serves
   */
  async take(plan) {
    const left = this.#left
    if (left?.serves(plan)) {
      this.#left = null
      return left
    }
    await this.clear()
    return null
  }

  async clear() {
    const left = this.#left
    this.#left = null
    for (const problem of (await left?.clear()) ?? []) this.#tell(new Error(problem))
  }
}
