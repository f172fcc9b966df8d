import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { init, parse } from 'es-module-lexer'
import { missingPackages } from '../libp2p/missing-packages.js'
import { DEFAULT_STACK, STACKS } from '../libp2p/stacks.js'
import { imageContext, installed, PROJECT } from './image-context.js'

const SERVER = join(PROJECT, 'src', 'server')

/** DOCKERFILE of the server, from the project's folder. */
export const DOCKERFILE = 'src/server/Dockerfile'

/** What the server begins with, and a file that no import leads to: the container's health check. */
const SERVER_ENTRIES = ['main.js', 'health-check.js'].map(name => join(SERVER, name))

/**
 * serverContext collects what the server, or another program, needs to run: its files, whatever they import, and the installed packages
 * they need.
 *
 * @param {readonly string[]} [entries] - paths of what it begins with; default: the server's
 * @returns {Promise<import('./image-context.js').ImageContext>}
 */
export async function serverContext(entries = SERVER_ENTRIES) {
  const { files, packages } = await importsOf(...entries)
  const lacking = new Set(otherStacks().flatMap(name => missingPackages(name)))
  const needed = [...packages].filter(([name]) => !lacking.has(name))
  const folders = needed.map(([name, from]) => installed(name, from))
  return imageContext({ dockerfile: DOCKERFILE, files, packages: folders })
}

/** Stacks that what is in the image runs on where their packages are here. Which one is said when it starts. */
const otherStacks = () => [...STACKS.keys()].filter(name => name !== DEFAULT_STACK)

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
