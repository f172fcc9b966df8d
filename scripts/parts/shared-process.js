import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Folders whose tests share a process: test/cli, test/scenarios/gossip with all that is below it. */
const DEPTH = 3

/** @param {string} file */
const folderOf = file => dirname(file).split('/').slice(0, DEPTH).join('/')

/**
 * A module that loads test files one after another. No test begins before all are loaded, so that hooks outside of any `describe` are
 * those of all tests in the process, whichever file is loaded when.
 *
 * @param {readonly string[]} urls
 */
const moduleOf = urls => `import { describe } from 'node:test'

let loaded = () => {}
const loading = new Promise(resolve => { loaded = resolve })
describe('${urls.length} test files are loaded', () => loading)
${urls.map(url => `await import(${JSON.stringify(url)})`).join('\n')}
loaded()
`

/** @param {readonly string[]} files @param {string} module - its path @returns {string} */
function written(files, module) {
  mkdirSync(dirname(module), { recursive: true })
  writeFileSync(module, moduleOf(files.map(file => pathToFileURL(resolve(file)).href)))
  return module
}

/**
 * perFolder writes, for each folder with test files, a module that loads them all: most take less than what it costs to start a process and
 * to load what they test, and the files of a folder load the same.
 *
 * @param {readonly string[]} files - test files, from the root of the checkout
 * @param {string} root - an empty folder, for the modules
 * @returns {string[]} paths of the modules, named after their folders
 */
export const perFolder = (files, root) =>
  [...new Set(files.map(folderOf))].map(folder =>
    written(
      files.filter(file => folderOf(file) === folder),
      join(root, folder, 'all.test.mjs')
    )
  )

/**
 * severalEach writes modules that load some test files each: where all of a folder would take too long in one process.
 *
 * @param {readonly string[]} files - test files, from the root of the checkout
 * @param {string} root - an empty folder, for the modules
 * @param {number} most - files that a process may have
 * @returns {string[]} paths of the modules, named after what they load
 */
export function severalEach(files, root, most) {
  const starts = files.flatMap((_, i) => (i % most === 0 ? [i] : []))
  return starts.map(start => {
    const some = files.slice(start, start + most)
    const name = some.map(file => basename(file, '.test.js')).join('+')
    return written(some, join(root, dirname(some[0]), `${name}.test.mjs`))
  })
}
