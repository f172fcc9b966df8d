import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { assertSumsAgree } from './consistent.js'
import { startCommand } from './loadtest.js'

/**
 * @typedef {import('../../src/scenarios/rotate-rendezvous/rotate-rendezvous-types.js').RotateRendezvousResult} RotateRendezvousResult
 * @typedef {Omit<import('./loadtest.js').Outcome, 'result'> & { result: RotateRendezvousResult }} RotationEnded
 * @typedef {import('../../src/scenarios/rotate-rendezvous/rotate-rendezvous-types.js').RotateRendezvous} RotateRendezvous
 */

/** SMALL is of few peers that rotate often. */
export const SMALL = [
  ...['--stable', '6', '--ephemeral', '3', '--rotateEvery', '2s', '--downFor', '1s', '--ttl', '4s'],
  ...['--workers', '2', '--warmup', '200ms']
]
/** OURS has a server of its own in a process. */
export const OURS = ['--server', 'process']

/** rotationOf gives what rotated. @param {RotateRendezvousResult} result @returns {RotateRendezvous} */
export function rotationOf({ outcome: { rotation } }) {
  assert.ok(rotation)
  return rotation
}

/**
 * brokenOff starts a long run, breaks it once peers have rotated, and holds it against what it must have left.
 *
 * @param {(loadtest: import('./loadtest.js').Loadtest) => Promise<void> | void} breakIt
 */
export async function brokenOff(breakIt) {
  const loadtest = startCommand('rotate', ['rendezvous', ...SMALL, ...OURS, '--duration', '60s'])
  await loadtest.measuring()
  await sleep(5500)
  await breakIt(loadtest)
  const ended = /** @type {RotationEnded} */ (/** @type {unknown} */ (await loadtest.ended))
  assert.equal(ended.result.status, 'partial')
  const { lives, discovered } = rotationOf(ended.result)
  assert.ok(lives.killed >= 1 && lives.started >= 1, JSON.stringify(lives))
  assert.ok(discovered.replies > 50)
  assertSumsAgree(/** @type {any} */ (ended.result))
  assert.deepEqual(await loadtest.leftAfter(), [])
  return ended
}
