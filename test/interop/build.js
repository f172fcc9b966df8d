// Builds the peers of other implementations: `node test/interop/build.js [name …]`. What takes minutes is kept for each lock
// file, outside the project, so that another clone finds it again.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { IMPLEMENTATIONS, PEERS } from './implementations.js'
import { obstacleOf, versionOf } from './toolchains.js'

/** @typedef {import('./implementations.js').Implementation} Implementation */

const CACHE = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'libp2p-loadtest', 'interop')

/**
 * Where an implementation is built: another one for another lock file or toolchain.
 *
 * @param {Implementation} implementation
 */
async function folderOf(implementation) {
  const { name, lock } = implementation
  const key = createHash('sha256')
    .update(await readFile(join(PEERS, name, lock)))
    .update(versionOf(implementation) ?? '')
    .digest('hex')
  return join(CACHE, `${name}-${key.slice(0, 16)}`)
}

/**
 * commandOf is what starts a peer of an implementation.
 *
 * @param {Implementation} implementation
 * @returns {Promise<string[]>}
 * @throws {Error} where its toolchain is missing, or it was not built
 */
export async function commandOf(implementation) {
  const obstacle = obstacleOf(implementation)
  if (obstacle !== null) throw new Error(obstacle)
  const command = implementation.command(await folderOf(implementation))
  if (!existsSync(command[0])) throw new Error(`${implementation.name} is not built: npm run interop`)
  return command
}

/**
 * builtCommandOf builds an implementation before, where that was not done.
 *
 * @param {Implementation} implementation
 * @returns {Promise<string[]>} what starts a peer
 * @throws {Error} where its toolchain is missing
 */
export async function builtCommandOf(implementation) {
  const obstacle = obstacleOf(implementation)
  if (obstacle !== null) throw new Error(obstacle)
  await implementation.build(await folderOf(implementation), run)
  return commandOf(implementation)
}

/** @type {import('./implementations.js').Run} */
async function run(program, args, { cwd, env } = {}) {
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: 'inherit' })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}`)
}

/** @param {string[]} names - none: all */
async function main(names) {
  for (const implementation of IMPLEMENTATIONS) {
    if (names.length > 0 && !names.includes(implementation.name)) continue
    const obstacle = obstacleOf(implementation)
    if (obstacle !== null) {
      console.log(`${implementation.name}: not built, ${obstacle}`)
      continue
    }
    const startedMs = performance.now()
    await implementation.build(await folderOf(implementation), run)
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(1)
    console.log(`${implementation.name}: built in ${seconds} s, ${implementation.software}`)
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv.slice(2))
