import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
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

/**
 * perFolder writes, for each folder with test files, a module that loads them all: most take less than what it costs to start a process and
 * to load what they test, and the files of a folder load the same.
 *
 * @param {readonly string[]} files - test files, from the root of the checkout
 * @param {string} root - an empty folder, for the modules
 * @returns {string[]} paths of the modules, named after their folders
 */
export function perFolder(files, root) {
  return [...new Set(files.map(folderOf))].map(folder => {
    const urls = files
      .filter(file => folderOf(file) === folder)
      .map(file => pathToFileURL(resolve(file)).href)
    const module = join(root, folder, 'all.test.mjs')
    mkdirSync(dirname(module), { recursive: true })
    writeFileSync(module, moduleOf(urls))
    return module
  })
}
