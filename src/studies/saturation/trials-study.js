import { join } from 'node:path'
import { readResult } from '../../result/read-result.js'

/**
 * @typedef {import('./result/trial.js').AnyTrial} AnyTrial
 * @typedef {import('../../result/types.js').AnyResult} AnyResult
 *
 * @typedef {object} Runs - what is kept of the runs of trials
 * @property {ReadonlyMap<string, AnyResult>} results - by folder
 * @property {ReadonlyMap<string, string>} links - by folder
 * @property {import('../../report/view.js').View} view - of their scenario
 */

/** @param {readonly AnyTrial[]} trials */
const runsOf = trials => trials.flatMap(({ run }) => run ?? [])

/**
 * trialsOfStudy are the parts of a study's door that all studies that try loads have alike.
 *
 * @template {import('../study-document.js').Head} D
 * @param {(document: D) => readonly AnyTrial[]} trialsOf
 * @returns {Pick<import('../study-door.js').StudyDoor<D, ReadonlyMap<string, AnyResult>>, 'runs' | 'load'>}
 */
export const trialsOfStudy = trialsOf => ({
  runs: document => runsOf(trialsOf(document)),
  /** One that cannot be read is left out: its figures stand in the document. */
  async load(folder, document, find) {
    /** @type {Map<string, AnyResult>} */
    const results = new Map()
    for (const run of runsOf(trialsOf(document))) {
      const result = await readResult(join(folder, run), find).catch(() => null)
      if (result !== null) results.set(run, result)
    }
    return results
  }
})
