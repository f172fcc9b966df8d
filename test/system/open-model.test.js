import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { assertComplete, operation, warningCodes } from '../acceptance/consistent.js'
import { run, TIMEOUT } from '../acceptance/loadtest.js'
import { offsetsNs, samplesIn } from '../acceptance/samples.js'

const RATE = 100
const SECONDS = 1

/** @param {string[]} args */
async function open(...args) {
  const ended = await run([
    ...['--rate', `${RATE}/s`, '--duration', `${SECONDS}s`, '--benchmarkType', 'DISCOVER', '--samples'],
    ...['--initialRegistrations', '20', '--warmup', '50ms', ...args]
  ])
  assertComplete(ended)
  return { result: ended.result, samples: await samplesIn(ended.folder) }
}

describe('the open model', TIMEOUT, () => {
  test(`--rate ${RATE}/s for ${SECONDS} s with 2 workers: that many operations in all, due at even distances`, async () => {
    const { result, samples } = await open('--workers', '2')
    const { count, service, lag } = operation(result, 'DISCOVER')
    assert.equal(count, RATE * SECONDS)
    assert.deepEqual([service?.count, lag?.count], [count, count])
    assert.equal(samples.length, count)
    assert.deepEqual(
      offsetsNs(samples),
      samples.map((_, index) => Math.round((index * 1e9) / RATE))
    )
    const shares = [...new Set(samples.map(({ file }) => file))].map(
      file => samples.filter(sample => sample.file === file).length
    )
    assert.deepEqual(shares, Array(2).fill(count / 2))
    for (const { dueNs, sentNs } of samples) assert.ok(sentNs >= dueNs, 'nothing is sent before it is due')
  })

  test('--arrivals poisson: the same seed gives the same due times, whatever the number of workers', async () => {
    const one = await open('--arrivals', 'poisson', '--workers', '1')
    const two = await open('--arrivals', 'poisson', '--workers', '2')
    assert.equal(one.samples.length, RATE * SECONDS)
    assert.deepEqual(offsetsNs(two.samples), offsetsNs(one.samples))
    const gaps = offsetsNs(one.samples)
      .slice(1)
      .map((offset, i) => offset - offsetsNs(one.samples)[i])
    assert.ok(new Set(gaps).size > gaps.length / 2, 'the distances differ')
  })

  test('--maxInFlight: what is due beyond it is dropped, counted, and told; with --strict it makes the exit code 4', async () => {
    const ended = await run([
      ...['--rate', '2000', '--duration', '200ms', '--maxInFlight', '1', '--benchmarkType', 'DISCOVER'],
      ...['--initialRegistrations', '20', '--warmup', '50ms', '--strict']
    ])
    assert.equal(ended.code, 4)
    assert.equal(ended.result.status, 'complete')
    assert.ok(warningCodes(ended.result).includes('DROPPED'))
    assert.match(
      ended.stderr,
      /^--strict: the load generator limited the result\n( {2}.*\n)* {2}\d.* due but never sent, because --maxInFlight/m
    )
    const { count, outcomes } = operation(ended.result, 'DISCOVER')
    assert.equal(count, 400)
    assert.ok(outcomes.DROPPED > 0)
    assert.match(ended.stdout, /were due but never sent, because --maxInFlight was reached/)
  })
})
