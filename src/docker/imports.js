import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { init, parse } from 'es-module-lexer'

/**
 * importsOf gives every file of ours that a program can run, and the packages they import.
 *
 * @param {...string} entries - paths: of the program, and of files that no import leads to
 * @returns {Promise<{ files: Set<string>, packages: Map<string, string> }>} `packages`: name, and a folder that imports it
 */
export async function importsOf(...entries) {
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
