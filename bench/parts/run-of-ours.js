import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { ROOT } from './checkout.js'

/**
 * runOfOurs is a run as a user makes it, in a process of its own, of which nothing is left.
 *
 * @param {readonly string[]} args
 * @returns {Promise<any>} its outcome
 * @throws {Error} it is not complete
 */
export async function runOfOurs(args) {
  const outputDir = mkdtempSync(join(tmpdir(), 'bench-run-'))
  const all = ['index.js', ...args, '--json', '--quiet', '--outputDir', outputDir]
  try {
    const child = spawn(process.execPath, all, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] })
    const { status, outcome } = /** @type {any} */ (await json(child.stdout))
    if (status !== 'complete') throw new Error(`a run of ours is ${status}`)
    return outcome
  } finally {
    rmSync(outputDir, { recursive: true, force: true })
  }
}
