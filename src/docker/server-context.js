import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { init, parse } from 'es-module-lexer'
import { stackFiles } from '../libp2p/load-stacks.js'
import { missingPackages } from '../libp2p/missing-packages.js'
import { DEFAULT_STACK } from '../libp2p/stacks.js'
import { manifestOf, packageFolder, withDependencies } from './installed-packages.js'

/**
 * @typedef {object} ServerContext - what the image of a program is built from
 * @property {string} root - folder that everything is in
 * @property {string} app - the project's folder in `root`; `.` for a clone
 * @property {string[]} paths - files, and folders of packages, from `root`
 * @property {string} hash - of its code and of the versions of its packages
 */

const PROJECT = resolve(fileURLToPath(new URL('../../', import.meta.url)))
const SERVER = join(PROJECT, 'src', 'server')

/** DOCKERFILE of the server, from the project's folder. */
export const DOCKERFILE = 'src/server/Dockerfile'

/** What the server begins with, and files that no import leads to: the container's health check, a thread. */
const SERVER_ENTRIES = ['main.js', 'health-check.js', 'store/pglite/thread.js'].map(name =>
  join(SERVER, name)
)
/** What describes the project. */
const DESCRIPTION = ['package.json', 'package-lock.json'].map(name => join(PROJECT, name))
const STACKS = new URL('../libp2p/', import.meta.url)

/**
 * serverContext collects what the server, or another program, needs to run: its files, whatever they import, and the installed packages
 * they need. So a container runs the very versions that a process does, and building needs no package registry.
 *
 * @param {readonly string[]} [entries] - paths of what it begins with; default: the server's
 * @returns {Promise<ServerContext>}
 */
export async function serverContext(entries = SERVER_ENTRIES) {
  const { files, packages } = await importsOf(...entries, ...stacks())
  const folders = withDependencies([...packages].map(([name, from]) => installed(name, from)))
  const root = [...folders].reduce(commonFolder, PROJECT)
  const outermost = [...folders].filter(folder => ![...folders].some(other => folder.startsWith(other + sep)))
  const described = [join(PROJECT, DOCKERFILE), ...DESCRIPTION.filter(existsSync)]
  return {
    root,
    app: relative(root, PROJECT) || '.',
    paths: [...described, ...files, ...outermost].map(path => relative(root, path)).sort(),
    hash: hashOf([join(PROJECT, DOCKERFILE), ...files], [...folders].map(versionOf))
  }
}

/** Files of the stacks that what is in the image can run on: those whose packages are here. Which one is said when it starts. */
const stacks = () =>
  stackFiles(STACKS)
    .filter(({ name }) => name === DEFAULT_STACK || missingPackages(name).length === 0)
    .map(({ url }) => fileURLToPath(url))

/** @param {string} name @param {string} from */
function installed(name, from) {
  const folder = packageFolder(name, from)
  if (folder === null) throw new Error(`${name} is not installed: run npm ci`)
  return folder
}

/** @param {string} a @param {string} b @returns {string} */
const commonFolder = (a, b) => (`${b}${sep}`.startsWith(`${a}${sep}`) ? a : commonFolder(dirname(a), b))

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

/**
 * importsOf gives every file of ours that a program can run, and the packages they import.
 *
 * @param {...string} entries - paths: of the program, and of files that no import leads to
 * @returns {Promise<{ files: Set<string>, packages: Map<string, string> }>} `packages`: name, and a folder that imports it
 */
async function importsOf(...entries) {
  await init()
  const files = new Set(entries)
  const packages = new Map()
  // a Set is walked to what is added meanwhile
  for (const file of files) {
    const [imports] = parse(readFileSync(file, 'utf8'))
    for (const { specifier: module } of imports) {
      if (module?.startsWith('.')) files.add(resolve(dirname(file), module))
      else if (module != null && !module.startsWith('node:')) packages.set(packageName(module), dirname(file))
    }
  }
  return { files, packages }
}

/** @param {string} module - such as `@libp2p/crypto/keys` */
const packageName = module =>
  module
    .split('/')
    .slice(0, module.startsWith('@') ? 2 : 1)
    .join('/')
