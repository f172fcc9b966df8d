import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { assertSumsAgree } from './consistent.js'
import { startCommand } from './loadtest.js'

/**
 * @typedef {import('../../src/report/schema.js').Result} Result
 * @typedef {import('../../src/scenarios/rendezvous/schema.js').Churned} Churned
 */

/** SMALL is of few clients that are replaced often. */
export const SMALL = [
  ...'--nClients 9 --churn 3,every=2s,away=1s --ttl 4s --workers 2 --warmup 200ms'.split(' '),
  ...['--benchmarkType', 'DISCOVER', '--discoverLimit', '1000', '--initialRegistrations', '0']
]
/** STEADY is the load they send. */
export const STEADY = ['--rate', '30/s', '--nNamespaces', '1']
/** OURS has a server of its own in a process. */
export const OURS = ['--server', 'process']

/** churnOf gives what came and went. @param {Result} result @returns {Churned} */
export function churnOf({ outcome: { churn } }) {
  assert.ok(churn)
  return churn
}

/**
 * brokenOff starts a long run, breaks it once clients have come and gone, and checks what it has kept.
 *
 * @param {(loadtest: import('./loadtest.js').Loadtest) => Promise<void> | void} breakIt
 */
export async function brokenOff(breakIt) {
  const loadtest = startCommand('rendezvous', [...SMALL, ...STEADY, ...OURS, '--duration', '60s'])
  await loadtest.measuring()
  await sleep(5500)
  await breakIt(loadtest)
  const ended = await loadtest.ended
  assert.equal(ended.result.status, 'partial')
  const { lives, discovered } = churnOf(ended.result)
  assert.ok(lives.killed >= 1 && lives.started >= 1, JSON.stringify(lives))
  assert.ok(discovered.replies > 50)
  assertSumsAgree(ended.result)
  assert.deepEqual(await loadtest.leftAfter(), [])
  return ended
}
