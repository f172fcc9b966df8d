import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runTest } from './test-run.js'

/**
 * @typedef {object} Found
 * @property {number} number - of the defect
 * @property {string} file
 * @property {string | null} by - the test that failed; null: none did
 * @property {number} tests - that were run
 * @property {number} seconds
 *
 * @typedef {import('./place-of-defect.js').Place} Place
 *
 * @typedef {object} State
 * @property {string} digest - of the code
 * @property {Found[]} found
 * @property {Record<string, boolean>} passes - test → whether it passes without a defect
 */

/** A defect may have a test hang; without one none takes as long. */
const FILE_TIMEOUT_MS = 180_000

/** DefectTrials puts defects into a copy of the program, and runs its tests. */
export class DefectTrials {
  #copy
  #state
  #save
  #signal

  /**
   * @param {import('./copy-of-checkout.js').Copy} copy
   * @param {object} parts
   * @param {Pick<State, 'passes'>} parts.state
   * @param {() => void} [parts.save]
   * @param {AbortSignal} parts.signal
   */
  constructor(copy, { state, save = () => {}, signal }) {
    this.#copy = copy
    this.#state = state
    this.#save = save
    this.#signal = signal
  }

  /**
   * try looks for a test that a defect fails.
   *
   * @param {Place} place
   * @param {readonly string[]} tests - files, in the order in which they are run
   * @returns {Promise<Found>}
   */
  async try(place, tests) {
    const { number, file } = place
    const began = performance.now()
    const found = { number, file, by: /** @type {string | null} */ (null), tests: 0, seconds: 0 }
    for (const test of tests) {
      found.tests++
      if (!(await this.#fails(test, place))) continue
      found.by = test
      break
    }
    found.seconds = Math.round((performance.now() - began) / 100) / 10
    return found
  }

  /** A test that fails without the defect too, or only now and then, has found nothing. @param {string} test @param {Place} place */
  async #fails(test, place) {
    return (
      !(await this.#passesWith(test, place)) &&
      (await this.#passesWithout(test)) &&
      !(await this.#passesWith(test, place))
    )
  }

  /** @param {string} test @param {Place} place */
  async #passesWith(test, { file, start, end, put }) {
    const path = join(this.#copy.root, file)
    const source = readFileSync(path, 'utf8')
    writeFileSync(path, source.slice(0, start) + put + source.slice(end))
    try {
      return await this.#passes(test)
    } finally {
      writeFileSync(path, source)
    }
  }

  /** @param {string} test */
  async #passesWithout(test) {
    // on a busy machine one may fail once for no reason of its own
    this.#state.passes[test] ??= (await this.#passes(test)) || (await this.#passes(test))
    this.#save()
    return this.#state.passes[test]
  }

  /** @param {string} test */
  async #passes(test) {
    const { root: cwd, tmp } = this.#copy
    return (await runTest(test, { cwd, tmp, timeoutMs: FILE_TIMEOUT_MS, signal: this.#signal })) === 'passed'
  }
}
