import assert from 'node:assert/strict'
import { assertSumsAgree, operation } from './consistent.js'
import { start } from './loadtest.js'

/** @typedef {import('./loadtest.js').Loadtest} Loadtest */

/** LONG is long enough to be broken at leisure. */
export const LONG = Object.freeze([
  ...['--duration', '30s', '--benchmarkType', 'DISCOVER', '--warmup', '50ms'],
  ...['--initialRegistrations', '10']
])

/** THINKING has clients that think: what breaks is the same, and nothing else is busy. */
export const THINKING = Object.freeze(['--thinkTime', '20ms'])

/**
 * breakInMidMeasure starts a long run and breaks it once something was measured.
 *
 * @param {readonly string[]} args
 * @param {(loadtest: Loadtest) => Promise<void>} breakIt
 */
export async function breakInMidMeasure(args, breakIt) {
  const loadtest = start([...LONG, ...args])
  await loadtest.measured()
  await breakIt(loadtest)
  const ended = await loadtest.ended
  assert.deepEqual(await loadtest.leftAfter(), [])
  return ended
}

/**
 * assertPartial holds a run that was broken off against what it must have left.
 *
 * @param {import('./loadtest.js').Outcome} ended
 * @param {string} code
 * @param {RegExp} message
 */
export function assertPartial({ code: exitCode, stdout, stderr, result }, code, message) {
  assert.equal(exitCode, 1, stderr)
  assert.deepEqual([result.status, result.reason?.code], ['partial', code])
  assert.match(String(result.reason?.message), message)
  assert.match(stdout, /^⚠ Partial result: /m)
  assert.match(stdout, message)
  assert.ok(operation(result, 'DISCOVER').outcomes.OK > 0, 'what was measured before is kept')
  assertSumsAgree(result)
  assert.doesNotMatch(stderr, /^ +at /m, 'no stack traces')
}
