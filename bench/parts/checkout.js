import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** ROOT of this checkout. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** NoCommitError says that nothing is known by a name. */
export class NoCommitError extends Error {
  name = 'NoCommitError'
}

/** @param {string} command @param {string[]} args @param {string} cwd */
const run = (command, args, cwd) =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })

/** @param {string} name @returns {string} its hash */
function commitOf(name) {
  try {
    return execFileSync('git', ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`], {
      cwd: ROOT,
      encoding: 'utf8'
    }).trim()
  } catch (cause) {
    throw new NoCommitError(`${name} is no commit of this repository`, { cause })
  }
}

/**
 * checkoutOf gives a folder with the files of a commit and its own locked dependencies. It is made once and kept among temporary files.
 *
 * @param {string} name - of a commit
 * @returns {{ folder: string, commit: string }}
 * @throws {NoCommitError}
 */
export function checkoutOf(name) {
  const commit = commitOf(name)
  const folder = join(tmpdir(), 'libp2p-loadtest-against', commit)
  if (existsSync(folder)) return { folder, commit }
  const unfinished = `${folder}.${process.pid}`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { recursive: true })
  const archive = `${unfinished}.tar`
  run('git', ['archive', '--output', archive, commit], ROOT)
  run('tar', ['-xf', archive, '-C', unfinished], ROOT)
  rmSync(archive)
  process.stderr.write(`npm ci of ${commit.slice(0, 7)} …\n`)
  run('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts=false'], unfinished)
  renameSync(unfinished, folder)
  return { folder, commit }
}
