import { viewOf } from '../report/shown.js'

/**
 * studyComponents are those of a study whose runs are made up, that shows its progress to nobody.
 *
 * @param {string} cacheDir
 * @param {object} parts - `runScenario`, and what is otherwise
 * @returns {any}
 */
export const studyComponents = (cacheDir, parts) => ({
  viewOf,
  signal: new AbortController().signal,
  cacheDir,
  progress: { begin() {}, add() {}, end() {}, notice() {}, close() {} },
  complain() {},
  tellError() {},
  output: { csv: false, outputFile: null },
  now: () => new Date(1000),
  ...parts
})
