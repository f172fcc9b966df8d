import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** SLOW_START is the entry of a process that notes its start in the file that it is set up with. */
export const SLOW_START = new URL('./slow-start.js', import.meta.url)

/**
 * startedAtOnce is how many such processes were being set up at once, at most.
 *
 * @param {(setup: { log: string }) => Promise<unknown>} start - starts all of them, and ends them
 * @returns {Promise<number>}
 */
export async function startedAtOnce(start) {
  const folder = mkdtempSync(join(tmpdir(), 'loadtest-starts-'))
  try {
    const log = join(folder, 'log')
    await start({ log })
    let now = 0
    return Math.max(...[...readFileSync(log, 'latin1')].map(mark => (now += mark === '+' ? 1 : -1)))
  } finally {
    rmSync(folder, { recursive: true })
  }
}
