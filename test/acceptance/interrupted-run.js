import assert from 'node:assert/strict'
import { assertSumsAgree, operation } from './consistent.js'
import { start } from './loadtest.js'

/** @typedef {import('./loadtest.js').Loadtest} Loadtest */

/** What is printed when a phase begins, since the one before has ended. */
const PHASES = Object.freeze({
  setup: /REGISTER .*· \d+ clients/,
  preload: /✔ server ready/,
  connect: /✔ [\d,]+ registrations/,
  warmup: /✔ \d+ clients connected/,
  measure: /✔ warm-up/
})

/** LONG is long enough to be interrupted. Its clients think: what is interrupted is the same, and nothing else is busy. */
export const LONG = [...['--duration', '20s', '--thinkTime', '100ms', '--warmup', '200ms']]

/** FEW registrations are made soon. */
export const FEW = ['--initialRegistrations', '10']

/** So many that there is time to interrupt it in the phase that makes them; in other phases they would only be waited for. @type {Record<string, string[]>} */
const LONGER = { preload: ['--initialRegistrations', '2000'], connect: [...FEW, '--nClients', '40'] }

/** @typedef {keyof typeof PHASES} Phase */

const ORDER = /** @type {Phase[]} */ (Object.keys(PHASES))

let seed = 100

/** HOW a run can be interrupted. @type {Record<string, (loadtest: Loadtest) => void>} */
export const HOW = {
  'SIGINT to the program': loadtest => loadtest.signal('SIGINT'),
  'Ctrl-C in a terminal, to all its processes': loadtest => loadtest.ctrlC()
}

/**
 * assertInterrupted interrupts a run in a phase, and holds it against what it must leave.
 *
 * @param {Phase} phase
 * @param {(loadtest: Loadtest) => void} interrupt
 * @param {{ workers?: number, look?: (ended: import('./loadtest.js').Outcome) => Promise<void> }} [more] - `look`: at what else it has
 *   left
 */
export async function assertInterrupted(phase, interrupt, { workers = 2, look } = {}) {
  // a seed of its own each time, so that identities have to be made
  const own = ['--workers', String(workers), '--seed', String(++seed)]
  const args = [...LONG, ...(LONGER[phase] ?? FEW), ...own]
  const loadtest = start(args, { ownGroup: true })
  await loadtest.line(PHASES[phase])
  if (phase === 'measure') await loadtest.measured()
  interrupt(loadtest)
  const ended = await loadtest.ended
  const { code, stdout, stderr, result } = ended
  assert.deepEqual(await loadtest.leftAfter(), [])
  assert.equal(code, 130, stderr)
  assert.match(stderr, /stopping; Ctrl-C again ends at once/)
  assert.deepEqual([result.status, result.reason?.code], ['partial', 'INTERRUPTED'])
  assert.match(stdout, /^⚠ Partial result: interrupted$/m)
  assert.doesNotMatch(stderr, /^error/m)
  assertSumsAgree(result)
  const failed = result.run.phases.flatMap(({ name, state }) =>
    state === 'done' ? [] : [/** @type {Phase} */ (name)]
  )
  assert.equal(failed.length, 1, failed.join(', '))
  // on a busy machine the signal may come when the phase is over already
  assert.ok(ORDER.indexOf(failed[0]) >= ORDER.indexOf(phase), `${failed[0]} was broken off`)
  if (phase === 'measure') assert.ok(operation(result, 'REGISTER').outcomes.OK > 0)
  await look?.(ended)
}
