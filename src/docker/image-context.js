import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { manifestOf, packageFolder, withDependencies } from './installed-packages.js'

/**
 * @typedef {object} ImageContext - what an image is built from
 * @property {string} root - folder that everything is in
 * @property {string} app - the project's folder in `root`; `.` for a clone
 * @property {string} dockerfile - path from `root`
 * @property {string[]} paths - files, and folders of packages, from `root`
 * @property {string} hash - of its code and of the versions of its packages
 */

/** PROJECT is the folder of this project. */
export const PROJECT = resolve(fileURLToPath(new URL('../../', import.meta.url)))

/** What describes the project. */
const DESCRIPTION = ['package.json', 'package-lock.json'].map(name => join(PROJECT, name))

/**
 * imageContext collects what an image is made of. A container runs the very versions of packages that a process does, and building
 * needs no package registry.
 *
 * @param {object} parts
 * @param {string} parts.dockerfile - from the project's folder
 * @param {Iterable<string>} parts.files - paths
 * @param {Iterable<string>} parts.packages - folders of those it needs; what they need follows
 * @returns {ImageContext}
 */
export function imageContext({ dockerfile, files, packages }) {
  const folders = [...withDependencies(packages)]
  const root = folders.reduce(commonFolder, PROJECT)
  const outermost = folders.filter(folder => !folders.some(other => folder.startsWith(other + sep)))
  const ours = [...new Set([join(PROJECT, dockerfile), ...files])]
  const all = new Set([...ours, ...DESCRIPTION.filter(existsSync), ...outermost])
  return {
    root,
    app: relative(root, PROJECT) || '.',
    dockerfile: relative(root, join(PROJECT, dockerfile)),
    paths: [...all].map(path => relative(root, path)).sort(),
    hash: hashOf(ours, folders.map(versionOf))
  }
}

/**
 * installed is the folder of a package that has to be there.
 *
 * @param {string} name
 * @param {string} from - folder of what imports it
 */
export function installed(name, from) {
  const folder = packageFolder(name, from)
  if (folder === null) throw new Error(`${name} is not installed: run npm ci`)
  return folder
}

/** @param {string} a @param {string} b @returns {string} at last the root, which ends with a separator of its own */
const commonFolder = (a, b) =>
  dirname(a) === a || `${b}${sep}`.startsWith(`${a}${sep}`) ? a : commonFolder(dirname(a), b)

/** @param {string} folder */
function versionOf(folder) {
  const { name, version } = manifestOf(folder)
  return `${name}@${version}`
}

/** @param {string[]} files @param {string[]} versions */
function hashOf(files, versions) {
  const hash = createHash('sha256')
  for (const file of files.toSorted())
    hash.update(relative(PROJECT, file)).update('\0').update(readFileSync(file))
  for (const version of versions.toSorted()) hash.update(version).update('\0')
  return hash.digest('hex').slice(0, 12)
}
