import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const PATCHES = join(ROOT, 'bench/upstream')

/**
 * replacing gives the flags with which Node loads other sources in the place of some modules.
 *
 * @param {Readonly<Record<string, string>>} sources - files, by the file that each takes the place of
 * @returns {string[]}
 */
export function replacing(sources) {
  const url = new URL('./replace.js', import.meta.url)
  // modules are known by where they really are, as behind a linked node_modules
  const urls = Object.entries(sources).map(entry => entry.map(file => pathToFileURL(realpathSync(file)).href))
  url.search = encodeURIComponent(JSON.stringify(Object.fromEntries(urls)))
  return Object.keys(sources).length === 0 ? [] : [`--import=${url}`]
}

/** @param {string} text - of a patch @returns {string[]} files that it changes */
export const changedBy = text => [...text.matchAll(/^\+\+\+ b\/(.+)$/gm)].map(([, file]) => file)

/** @param {string} name - of a file in bench/upstream @returns {{ file: string, folder: string, version: string, files: string[] }} */
export function readPatch(name) {
  const file = join(PATCHES, `${name}.patch`)
  const text = readFileSync(file, 'utf8')
  const [, dependency, version] = /^Package: (.+)@([^@\s]+)$/m.exec(text) ?? []
  return { file, folder: join(ROOT, 'node_modules', dependency), version, files: changedBy(text) }
}

/**
 * patched gives the sources of what a patch changes, with that change.
 *
 * @param {readonly string[]} names - of patches in bench/upstream
 * @returns {Record<string, string>} files, by what they take the place of; they go with this process
 */
export function patched(names) {
  const folder = mkdtempSync(join(tmpdir(), 'loadtest-patched-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  /** @type {Record<string, string>} */
  const sources = {}
  for (const name of names) {
    const patch = readPatch(name)
    const copy = join(folder, name)
    for (const file of patch.files) {
      mkdirSync(dirname(join(copy, file)), { recursive: true })
      copyFileSync(join(patch.folder, file), join(copy, file))
      sources[join(patch.folder, file)] = join(copy, file)
    }
    execFileSync('patch', ['--strip=1', '--silent', `--directory=${copy}`, `--input=${patch.file}`])
  }
  return sources
}
