import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { median } from './parts/median.js'

const run = promisify(execFile)

const REPEATS = 15

/** @type {readonly Readonly<{ what: string, args: string[], target: string }>[]} */
const STARTS = Object.freeze([
  { what: 'node -e 0', args: ['-e', '0'], target: '' },
  { what: '--version', args: ['index.js', '--version'], target: '≤ 1.5' },
  { what: '--help', args: ['index.js', '--help'], target: '≤ 4' }
])

/**
 * Node tells of the CPU time of children only while they run: the shell is asked.
 *
 * @param {readonly string[]} args - of node
 * @returns {Promise<number>} ms, user and system
 */
async function cpuMs(args) {
  const timed = 'TIMEFORMAT="%3U %3S"; time "$@" > /dev/null'
  const { stderr } = await run('bash', ['-c', timed, 'bash', process.execPath, ...args])
  const [user, system] = stderr.trim().split(' ').map(Number)
  return (user + system) * 1000
}

/** start is what the program costs before it does anything, beside node itself; in turns, so that the machine is the same for all. */
export async function start() {
  /** @type {number[][]} */
  const measured = STARTS.map(() => [])
  for (let repeat = 0; repeat < REPEATS; repeat++)
    for (const [index, { args }] of STARTS.entries()) measured[index].push(await cpuMs(args))
  const medians = measured.map(median)
  return {
    title: `CPU time to start, medians of ${REPEATS}`,
    head: ['Command', 'ms', '× node -e 0', 'Target'],
    rows: STARTS.map(({ what, target }, index) => [
      what,
      medians[index].toFixed(0),
      (medians[index] / medians[0]).toFixed(2),
      target
    ])
  }
}
