import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { init, parse } from 'es-module-lexer'
import { suiteOf, USUAL } from './test-suites.js'

await init()

/** Programs of processes and threads of their own, and folders of which each module is loaded, are named by URL. */
const BY_URL = /new URL\(\s*'([^']+)',\s*import\.meta\.url\s*\)/g

/**
 * @param {string} root
 * @param {string} folder
 * @returns {string[]} paths of its modules
 */
export const modulesIn = (root, folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.js'))
    .map(file => join(folder, file))

/**
 * @param {string} root
 * @param {string} file
 * @param {readonly string[]} all
 * @returns {string[]} those of all modules that it loads, or starts
 */
function loadedBy(root, file, all) {
  const source = readFileSync(join(root, file), 'utf8')
  const imported = parse(source)[0].map(({ specifier }) => specifier ?? '')
  const named = [...source.matchAll(BY_URL)].map(([, path]) => path)
  const paths = [...imported, ...named]
    .filter(path => path.startsWith('.'))
    .map(path => join(dirname(file), path))
  return all.filter(each => paths.includes(each) || paths.includes(dirname(each) + sep))
}

/** ReachingTests knows which tests load a module, by the imports of all modules. */
export class ReachingTests {
  #root
  /** @type {Map<string, string[]>} */
  #loads
  /** @type {Map<string, string[]>} */
  #loadedBy = new Map()
  /** How many modules a test loads, as found before. @type {Map<string, number>} */
  #sizes = new Map()

  /** @param {string} root - a checkout */
  constructor(root) {
    this.#root = root
    const files = ['src', 'test'].flatMap(folder => modulesIn(root, folder))
    this.#loads = new Map(files.map(file => [file, loadedBy(root, file, files)]))
    for (const [file, loaded] of this.#loads)
      for (const each of loaded) this.#loadedBy.set(each, [...(this.#loadedBy.get(each) ?? []), file])
  }

  /**
   * of gives the unit tests that reach a module, nearest first: its own, then those over fewer imports, of these the ones that
   * name what is looked for, then the ones that load less. Where there is none, the acceptance tests that do.
   *
   * @param {string} file
   * @param {string} [name] - of what is looked for in the module
   * @returns {string[]}
   */
  of(file, name) {
    const own = file.replace(/^src/, 'test').replace(/\.js$/, '.test.js')
    const tests = [...distances(this.#loadedBy, file)]
      .filter(([test]) => test.endsWith('.test.js') && USUAL.includes(suiteOf(test)))
      .map(([test, distance]) => ({
        test,
        distance: test === own ? 0 : distance,
        names: name !== undefined && readFileSync(join(this.#root, test), 'utf8').includes(name) ? 0 : 1,
        size: this.#sizeOf(test)
      }))
      .sort((a, b) => a.distance - b.distance || a.names - b.names || a.size - b.size)
      .map(({ test }) => test)
    const unit = tests.filter(test => suiteOf(test) === 'unit')
    return unit.length > 0 ? unit : tests
  }

  /** @param {string} test @returns {number} */
  #sizeOf(test) {
    const size = this.#sizes.get(test) ?? distances(this.#loads, test).size
    this.#sizes.set(test, size)
    return size
  }
}

/**
 * @param {Map<string, string[]>} edges
 * @param {string} start
 * @returns {Map<string, number>} over how few edges each place is reached
 */
function distances(edges, start) {
  const found = new Map([[start, 0]])
  // a Map is walked to what is added meanwhile
  for (const [place, distance] of found)
    for (const next of edges.get(place) ?? []) if (!found.has(next)) found.set(next, distance + 1)
  return found
}
