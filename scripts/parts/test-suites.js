import { join, sep } from 'node:path'

/** Where the files of a suite are; all others are unit tests. Only unit and acceptance tests need nothing but Node. */
const FOLDERS = Object.freeze({
  acceptance: join('test', 'acceptance', sep),
  broken: join('test', 'broken', sep),
  documented: join('test', 'documented', sep),
  interop: join('test', 'interop', sep),
  soak: join('test', 'soak', sep),
  swarm: join('test', 'swarm', sep),
  system: join('test', 'system', sep),
  timed: join('test', 'timed', sep)
})

/** SUITES are the names of all suites. */
export const SUITES = Object.freeze(['unit', ...Object.keys(FOLDERS)])

/** USUAL is what `npm test` runs. */
export const USUAL = Object.freeze(['unit', 'acceptance'])

/** suiteOf is the one that a test file belongs to. @param {string} file - from the root of the checkout @returns {string} */
export const suiteOf = file =>
  Object.entries(FOLDERS).find(([, folder]) => file.startsWith(folder))?.[0] ?? 'unit'
