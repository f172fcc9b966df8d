import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stackFiles } from '../libp2p/load-stacks.js'
import { missingPackages } from '../libp2p/missing-packages.js'
import { DEFAULT_STACK } from '../libp2p/stacks.js'
import { importsOf } from './imports.js'
import { manifestOf, packageFolder, withDependencies } from './installed-packages.js'

/**
 * @typedef {object} ServerContext - what the image of the server is built from
 * @property {string} root - folder that everything is in
 * @property {string} app - the project's folder in `root`; `.` for a clone
 * @property {string[]} paths - files, and folders of packages, from `root`
 * @property {string} hash - of the server's code and of the versions of its packages
 */

const PROJECT = resolve(fileURLToPath(new URL('../../', import.meta.url)))
const SERVER = join(PROJECT, 'src', 'server')

/** DOCKERFILE of the server, from the project's folder. */
export const DOCKERFILE = 'src/server/Dockerfile'

/** Files no import leads to: the container's health check, and what describes the project. */
const HEALTH_CHECK = join(SERVER, 'health-check.js')
const STACKS = new URL('../libp2p/', import.meta.url)
const DESCRIPTION = ['package.json', 'package-lock.json'].map(name => join(PROJECT, name))

/**
 * serverContext collects what the server needs to run: its files, whatever they import, and the installed packages they need.
 * So a container runs the very versions that a process does, and building needs no package registry.
 *
 * @returns {Promise<ServerContext>}
 */
export async function serverContext() {
  const { files, packages } = await importsOf(join(SERVER, 'main.js'), ...stacks())
  files.add(HEALTH_CHECK)
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

/** Files of the stacks that a server in the image can run on: those whose packages are here. Which one is said when it starts. */
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
