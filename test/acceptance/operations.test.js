import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { assertComplete, operation, operations, sum, warningCodes } from './consistent.js'
import { QUICK, run, TIMEOUT } from './loadtest.js'

/** Of REGISTER, 4 clients need more than the namespaces there are. */
const OPERATIONS = 40

const FEW_REGISTRATIONS = ['--initialRegistrations', '10']

/** @param {string[]} args */
async function complete(...args) {
  const said = args.includes('--benchmarkRuns') || args.includes('--duration')
  const count = said ? [] : ['--benchmarkRuns', String(OPERATIONS)]
  const ended = await run([...QUICK, ...count, ...args])
  assertComplete(ended)
  return ended
}

describe('each type of operation leaves the registrations as it found them', TIMEOUT, () => {
  test('REGISTER with --registerMode new makes a new pair of peer and namespace each time, and says how many namespaces that took', async () => {
    const { result } = await complete(
      ...['--benchmarkType', 'register', '--registerMode', 'new', ...FEW_REGISTRATIONS]
    )
    assert.deepEqual(Object.keys(result.outcome.operations), ['REGISTER'])
    assert.deepEqual(operation(result, 'REGISTER').outcomes, { OK: OPERATIONS })
    const added = result.run.warnings.find(({ code }) => code === 'NAMESPACES_ADDED')
    assert.deepEqual(added?.values, { count: OPERATIONS / 4 - 5 })
  })

  test('DISCOVER gets 20 registrations of a namespace that has as many', async () => {
    const { result } = await complete('--benchmarkType', 'DISCOVER')
    assert.deepEqual(Object.keys(result.outcome.operations), ['DISCOVER'])
    assert.deepEqual(operation(result, 'DISCOVER').outcomes, { OK: OPERATIONS })
    // a registration with its signed record takes about 200 bytes
    const { bytesPerReply, receivedBytesPerSecond } = operation(result, 'DISCOVER')
    assert.ok(Number(bytesPerReply) > 20 * 150)
    // all replies of the measured time are in both
    const bytes = (Number(receivedBytesPerSecond) * result.outcome.measuredMs) / 1000
    assert.equal(Math.round(bytes), Math.round(Number(bytesPerReply) * OPERATIONS))
  })

  test('UNREGISTER removes what was registered before, confirmed: for a duration, or until as many are gone as a server takes; --inFlight 8: over one long-lived stream', async () => {
    const { result, stdout } = await complete(
      ...['--benchmarkType', 'unregister', '--inFlight', '8', ...FEW_REGISTRATIONS],
      ...['--duration', '1min', '--maxPeerRegistrations', String(OPERATIONS / 4)]
    )
    assert.equal(result.plan.streamPerOperation, false)
    assert.deepEqual(Object.keys(result.outcome.operations), ['UNREGISTER'])
    assert.deepEqual(operation(result, 'UNREGISTER').outcomes, { OK: OPERATIONS })
    assert.match(stdout, /^\| UNREGISTER \|.*^.*UNREGISTER has no reply: timed until /ms)
  })

  test('MIXED: a row for each type, in the shares asked for; the same seed gives the same numbers', async () => {
    const args = [
      ...'--benchmarkType MIXED --mix register=8,discover=1,unregister=1 --benchmarkRuns 100'.split(' '),
      ...FEW_REGISTRATIONS
    ]
    const { result, stdout } = await complete(...args, '--workers', '1')
    const counts = countsOf(result)
    assert.deepEqual(Object.keys(counts).sort(), ['DISCOVER', 'REGISTER', 'UNREGISTER'])
    assert.equal(sum(Object.values(counts)), 100)
    // drawn from the seed: within five standard deviations, which other shares would not be
    assert.ok(Math.abs(counts.REGISTER - 80) < 20, JSON.stringify(counts))
    assert.ok(Math.abs(counts.DISCOVER - 10) < 15, JSON.stringify(counts))
    assert.equal(sum(operations(result).map(([, { errors }]) => errors)), 0)
    const rows = stdout.split('\n').filter(line => /^\| (REGISTER|DISCOVER|UNREGISTER) /.test(line))
    assert.equal(rows.length, 3)
    const again = await complete(...args, '--workers', '2')
    assert.deepEqual(countsOf(again.result), counts)
  })

  test('MIXED for a duration: as many as fit in, of those asked for', async () => {
    const { result } = await complete(
      ...['--benchmarkType', 'MIXED', '--mix', 'register=1,discover=1,unregister=1'],
      ...['--duration', '1s', '--thinkTime', '5ms', '--benchmarkRuns', '100000', ...FEW_REGISTRATIONS]
    )
    const { REGISTER, DISCOVER, UNREGISTER } = countsOf(result)
    assert.ok(REGISTER > 0 && DISCOVER > 0 && UNREGISTER > 0, JSON.stringify(countsOf(result)))
    assert.equal(sum(operations(result).map(([, { errors }]) => errors)), 0)
    assert.ok(result.outcome.measuredMs >= 900, `${result.outcome.measuredMs} ms`)
  })
})

/** @param {import('../../src/report/schema.js').Result} result */
const countsOf = result => Object.fromEntries(operations(result).map(([type, { count }]) => [type, count]))

describe('what is asked for', TIMEOUT, () => {
  test('--discoverInexistentNamespaces: replies without a registration; --no-streamPerOperation: over one long-lived stream', async () => {
    const discover = ['--benchmarkType', 'DISCOVER', '--discoverInexistentNamespaces']
    const { result } = await complete(...discover, '--no-streamPerOperation', ...FEW_REGISTRATIONS)
    assert.equal(result.plan.streamPerOperation, false)
    assert.deepEqual(operation(result, 'DISCOVER').outcomes, { OK: OPERATIONS })
    // status and cookie
    assert.ok(Number(operation(result, 'DISCOVER').bytesPerReply) < 100)
  })

  test('REGISTER refreshes: no further namespaces are needed; --recordDomain libp2p-routing-state: records as rust servers want them; --connectionPerOperation: CONNECT is a row of its own, with as many connections as operations', async () => {
    const { result, stdout } = await complete(
      ...[
        ...'--recordDomain libp2p-routing-state --duration 1min --benchmarkRuns'.split(' '),
        `${OPERATIONS}`
      ],
      ...['--connectionPerOperation', ...FEW_REGISTRATIONS]
    )
    assert.deepEqual(operation(result, 'CONNECT').outcomes, { OK: OPERATIONS })
    assert.deepEqual(operation(result, 'REGISTER').outcomes, { OK: OPERATIONS })
    assert.ok(!warningCodes(result).includes('NAMESPACES_ADDED'))
    const types = stdout.split('\n').flatMap(line => /^\| (CONNECT|REGISTER) /.exec(line)?.[1] ?? [])
    assert.deepEqual(types, ['CONNECT', 'REGISTER'])
  })
})
