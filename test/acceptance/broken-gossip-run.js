import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { assertGossipAgrees, codesOf, ended, startGossip } from './gossip-network.js'
import { call } from './loadtest.js'
import { assertNeverBegan } from './never-began.js'
import { send } from './processes.js'

/**
 * @typedef {import('./loadtest.js').Loadtest} Loadtest
 * @typedef {import('./gossip-network.js').GossipOutcome} GossipOutcome
 */

const NETWORK = ['--nodes', '6', '--topology', 'ring', '--workers', '2', '--heartbeat_interval', '200ms']
/** LONG is long enough to be broken at leisure. */
export const LONG = [...NETWORK, '--duration', '50s', '--rate', '20/s']
/** Nothing is ever delivered, so that it is waited for. */
const WAITING = [...NETWORK, ...'--messages 5 --rate 20/s --validation ignore=1 --cooldown 50s'.split(' ')]
/** Links so slow that connecting, or the mesh, takes its time. */
const SLOW = [...LONG, '--linkLatency', '400ms']

/** When a phase has begun, and a run in which it lasts. @type {Record<string, [RegExp, string[]]>} */
const PHASES = {
  provision: [/6 nodes, tuned, in 2 processes/, LONG],
  peer: [/✔ 6 nodes started/, SLOW],
  warmup: [/✔ nodes connected/, SLOW],
  publish: [/✔ warm-up/, LONG],
  cooldown: [/✔ published/, WAITING]
}

/** A run that fails in one of them has nothing to keep. */
const BEFORE_THE_LOAD = ['provision', 'peer']

/** ORDER of the phases. */
export const ORDER = Object.keys(PHASES)

/**
 * brokenIn starts a run and breaks it in a phase.
 *
 * @param {string} phase
 * @param {(loadtest: Loadtest) => Promise<void> | void} breakIt
 * @param {readonly string[]} [more] - options of the run
 */
export async function brokenIn(phase, breakIt, more = []) {
  const [begun, args] = PHASES[phase]
  const loadtest = startGossip([...args, ...more], { ownGroup: true })
  await loadtest.line(begun)
  if (phase === 'publish') await loadtest.measured()
  await breakIt(loadtest)
  const outcome = await ended(loadtest)
  assert.deepEqual(await loadtest.leftAfter(), [])
  return outcome
}

/**
 * assertBroken holds a run that was broken in a phase against what it must have left.
 *
 * @param {GossipOutcome} outcome
 * @param {string} phase
 * @param {{ exitCode: number, code: string, message: RegExp }} expected
 */
export function assertBroken(outcome, phase, { exitCode, code: reason, message }) {
  const { code, stdout, stderr, result } = outcome
  assert.equal(code, exitCode, stderr)
  // on a busy machine it may come when the nodes are connected already
  if (result === null && BEFORE_THE_LOAD.includes(phase)) return assertNeverBegan(outcome, reason, message)
  assert.deepEqual([result.status, result.reason?.code], ['partial', reason])
  assert.match(String(result.reason?.message), message)
  assert.match(stdout, /^⚠ Partial result: /m)
  assert.doesNotMatch(stderr, /^error|^ +at |Not every report/m)
  assertGossipAgrees(result)
  assert.ok(!codesOf(result).includes('CLOCK_ANOMALY'))
  const failed = result.run.phases.filter(({ state }) => state !== 'done').map(({ name }) => name)
  assert.equal(failed.length, 1, failed.join(', '))
  // on a busy machine it may come when the phase is over already
  assert.ok(ORDER.indexOf(failed[0]) >= ORDER.indexOf(phase), `${failed[0]} was broken off`)
  const { messages, delivery, missing } = result.outcome
  if (ORDER.indexOf(failed[0]) < ORDER.indexOf('publish')) assert.equal(messages.published, 0)
  else assert.equal(delivery.delivered + missing.pairs, delivery.expected)
  if (phase === 'publish') assert.ok(delivery.delivered > 0, 'what was measured before is kept')
}

/** assertReadable: the views of what was left can be made again. @param {string} folder */
export async function assertReadable(folder) {
  const { code, stderr } = await call(['report', folder])
  assert.equal(code, 0, stderr)
  assert.match(await readFile(join(folder, 'report.md'), 'utf8'), /partial/i)
}

/**
 * interruptedIn gives what a run has left that ended by Ctrl-C in a phase, with exit code 130.
 *
 * @param {string} phase
 * @param {readonly string[]} [more] - options of the run
 */
export async function interruptedIn(phase, more) {
  const outcome = await brokenIn(phase, loadtest => loadtest.ctrlC(), more)
  assertBroken(outcome, phase, { exitCode: 130, code: 'INTERRUPTED', message: /^interrupted$/ })
  assert.match(outcome.stderr, /stopping; Ctrl-C again ends at once/)
  return outcome
}

/** assertInterrupted: Ctrl-C in a phase ends a run with exit code 130. @param {string} phase */
export async function assertInterrupted(phase) {
  await interruptedIn(phase)
}

/**
 * workerKilledIn gives what a run has left whose worker is killed in a phase: it ends with exit code 1, and the worker is named.
 *
 * @param {string} phase
 */
export async function workerKilledIn(phase) {
  const outcome = await brokenIn(phase, async loadtest => send(await loadtest.pid(), 'SIGKILL'))
  const message = /^worker [01] \(pid \d+\) ended with SIGKILL( \(WORKER_DIED\))?$/
  assertBroken(outcome, phase, { exitCode: 1, code: 'WORKER_DIED', message })
  if (phase === 'publish') await assertReadable(outcome.folder)
  return outcome
}

/** assertWorkerKilled: a worker that is killed in a phase ends a run with exit code 1, and is named. @param {string} phase */
export async function assertWorkerKilled(phase) {
  await workerKilledIn(phase)
}
