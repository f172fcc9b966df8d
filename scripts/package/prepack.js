// What the package needs beside its sources, made before npm packs it: `npm pack` runs it behind tsc.
// - Of the declarations those that src/index.d.ts leads to; nobody can see the others.
// - npm-shrinkwrap.json: whoever installs the package has the very versions that are tested here. `overrides` of package.json reach
//   nobody but us, and without them some packages want Node 22. postpack.js takes it away again: here package-lock.json is what counts.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { reachedBy } from './reached-declarations.js'
import { shrinkwrapOf } from './shrinkwrap.js'

const ROOT = resolve(fileURLToPath(new URL('../..', import.meta.url)))
const TYPES = join(ROOT, 'dist/types')

const reached = reachedBy(join(TYPES, 'src/index.d.ts'))
for (const { parentPath, name } of filesIn(TYPES)) {
  const path = join(parentPath, name)
  if (!reached.has(path)) rmSync(path)
}

const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))
writeFileSync(join(ROOT, 'npm-shrinkwrap.json'), `${JSON.stringify(shrinkwrapOf(lock), null, 1)}\n`)

console.error(`${reached.size} declarations below ${dirname(TYPES)}, npm-shrinkwrap.json`)

/** @param {string} folder */
function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
}
