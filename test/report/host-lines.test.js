import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { hostLines } from '../../src/report/describe-run.js'
import { summary, time } from './sample-result.js'

const HOST = {
  cores: 4,
  quotaCores: null,
  pressurePercent: 3.5,
  stealPercent: 0,
  clockSource: 'tsc',
  openFiles: 1_048_576,
  namespaces: 63_704,
  congestionControl: 'bbr',
  docker: true,
  nft: false,
  postgres: false,
  nats: true
}
const UNKNOWN = {
  pressurePercent: null,
  stealPercent: null,
  clockSource: null,
  openFiles: null,
  namespaces: null,
  congestionControl: null
}
const LATE = summary(9, { p50: time(0.1), p99: time(0.2), max: time(3) })

/** @param {Partial<import('../../src/measure/resources.js').Host>} [host] @param {import('../../src/report/schema.js').Summary} [late] */
const linesOf = (host, late = LATE) => Object.fromEntries(hostLines({ ...HOST, ...host }, late))

describe('what a machine is like', () => {
  test('is told with numbers and names', () => {
    assert.deepEqual(linesOf(), {
      cores: '4',
      'waiting for a core': 'something did for 3.50 % of the last 10 s',
      'taken by other guests': '0 % of all cores since the start',
      'late timers': 'short sleeps were too long by p50 0.100 ms, p99 0.200 ms, max 3.00 ms',
      clock: 'tsc',
      'open files': 'up to 1,048,576',
      namespaces: 'up to 63,704 of users',
      TCP: 'bbr',
      programs: 'docker found, nft not found, postgres not found, nats found',
      'believed for':
        'p99 from about 2.00 ms on: a shorter one is moved by more than a tenth by late timers alone'
    })
  })

  test('names the cores that may be used where that is not all of them', () =>
    assert.equal(linesOf({ quotaCores: 1.5 }).cores, '4, of which 1.50 may be used'))

  test('is not known where the system does not tell it, which casts no doubt by itself', () => {
    const lines = linesOf(UNKNOWN)
    for (const what of ['clock', 'open files', 'namespaces', 'TCP']) assert.equal(lines[what], 'not known')
    for (const what of ['waiting for a core', 'taken by other guests']) assert.match(lines[what], /not known/)
    assert.match(lines['believed for'], /^p99 from about 2\.00 ms on/)
  })
})

describe('what a machine can be believed for', () => {
  test('goes by the latest timer where there are too few for a p99', () => {
    const few = linesOf({}, summary(9, { p50: time(0.1), p99: null, max: time(3) }))
    assert.equal(few['late timers'], 'short sleeps were too long by p50 0.100 ms, max 3.00 ms')
    assert.match(few['believed for'], /^p99 from about 30\.0 ms on/)
  })

  test('is not known where no timer was measured', () =>
    assert.match(
      linesOf({}, summary(0, { p50: null, p99: null, max: null }))['believed for'],
      /^nobody knows what: /
    ))

  test('has every reason that speaks against it', () =>
    assert.equal(
      linesOf({ cores: 1, pressurePercent: 11, stealPercent: 2 })['believed for'],
      'no percentile just now, for something waits for a core for more than 10 % of the time and other guests take more than 1 % of its cores and server and load generator share a core; counts and what succeeded can be believed'
    ))
})
