import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { encodeDiscoverResponse, encodeRegisterResponse, writePrefix } from '../../src/protocol/rendezvous.js'
import { assertComplete, assertSumsAgree, operation, warningCodes } from '../acceptance/consistent.js'
import { honest, reply, startHostileTarget } from '../acceptance/hostile-target.js'
import { QUICK, run, TIMEOUT } from '../acceptance/loadtest.js'

/**
 * @typedef {import('../acceptance/hostile-target.js').Behaviour} Behaviour
 * @typedef {import('../../src/report/schema.js').OperationType} Type
 */

/** Answers REGISTER and DISCOVER with a status. @param {{ status: number, statusText?: string }} body @returns {Behaviour} */
const refusing =
  body =>
  ({ message, stream }) => {
    if (message.register !== undefined) reply(stream, encodeRegisterResponse(body))
    if (message.discover !== undefined) reply(stream, encodeDiscoverResponse(body))
  }

/** Does something else where DISCOVER is asked. @param {Behaviour} behave @returns {Behaviour} */
const discovering = behave => asked => (asked.message.discover === undefined ? honest : behave)(asked)

/** Announces a message of so many bytes, and sends some of it. @param {number} bytes @returns {Behaviour} */
const announcing =
  bytes =>
  ({ stream }) => {
    const prefix = new Uint8Array(10)
    stream.send(prefix.subarray(0, writePrefix(prefix, 0, bytes)))
    stream.send(new Uint8Array(1 << 16))
  }

/** Answers as often as it is told. @param {number} times @returns {Behaviour} */
const repeating =
  times =>
  ({ stream, honestly }) => {
    const answer = honestly()
    for (let i = 0; i < times; i++) reply(stream, answer)
  }

/** E_NOT_AUTHORIZED to whoever asks for registrations. */
const hiding = discovering(refusing({ status: 200 }))

const losing = discovering(({ stream }) => reply(stream, encodeDiscoverResponse({ status: 0 })))

/** Each operation makes a registration. */
const NEW = ['--registerMode', 'new']

/**
 * @param {Behaviour} behave
 * @param {Type} type
 * @param {number} registrations
 * @param {number} [operations]
 * @param {string[]} [more]
 */
async function runAt(behave, type, registrations, operations = 20, more = []) {
  const target = await startHostileTarget(behave)
  after(() => target.stop())
  return run([
    ...['--target', target.multiaddr, '--benchmarkType', type, '--initialRegistrations', `${registrations}`],
    ...[...QUICK, '--workers', '1', '--nClients', '2'],
    ...['--benchmarkRuns', `${operations}`, ...more]
  ])
}

describe('what was registered is looked up at the end', TIMEOUT, () => {
  test('a target that loses everything does not pass', async () => {
    const { code, result, folder } = await runAt(losing, 'REGISTER', 3, 20, NEW)
    assert.equal(code, 1)
    assert.deepEqual([result.status, result.reason], ['complete', null])
    assert.deepEqual(operation(result, 'REGISTER').outcomes, { OK: 20 })
    const { registrations, drawn, lookedUp, missing } = result.outcome.lookUp ?? {}
    assert.deepEqual([registrations, drawn, lookedUp, missing], [23, 23, 23, 23])
    assert.match(await readFile(join(folder, 'report.md'), 'utf8'), /^\| Missing +\| 23 +\|$/m)
    assert.ok(warningCodes(result).includes('REGISTRATIONS_MISSING'))
  })

  test('nor does one that confirms all and refuses every DISCOVER', async () => {
    const { code, result, stdout } = await runAt(hiding, 'REGISTER', 3, 20, NEW)
    assert.equal(code, 1)
    assert.deepEqual([result.status, result.reason], ['complete', null])
    assert.deepEqual(operation(result, 'REGISTER').outcomes, { OK: 20 })
    const { drawn, lookedUp, missing } = result.outcome.lookUp ?? {}
    assert.deepEqual([drawn, lookedUp, missing], [23, 0, 0])
    assert.ok(warningCodes(result).includes('NOTHING_LOOKED_UP'), warningCodes(result).join())
    assert.match(stdout, /Not one of 23 registrations .* could be looked up.*E_NOT_AUTHORIZED/)
  })

  test('unless that is left out, which the plan of the result says', async () => {
    const { code, result, stdout } = await runAt(hiding, 'REGISTER', 3, 20, ['--skipLookUp'])
    assert.equal(code, 0)
    assert.deepEqual([result.plan.skipLookUp, result.outcome.lookUp], [true, null])
    assert.doesNotMatch(stdout, /looked up/)
  })

  test('a target that keeps them does, and what it proves is said; everything is taken back then', async () => {
    const target = await startHostileTarget(honest)
    after(() => target.stop())
    const ended = await run([
      ...['--target', target.multiaddr, '--benchmarkType', 'MIXED', '--initialRegistrations', '3'],
      ...[...QUICK, '--workers', '1', '--nClients', '2', '--benchmarkRuns', '30']
    ])
    assertComplete(ended)
    const { lookedUp, missing = null } = ended.result.outcome.lookUp ?? {}
    assert.equal(missing, 0)
    assert.ok(Number(lookedUp) > 3, `${lookedUp}`)
    assert.equal(target.registrations.size, 0)
  })
})

describe('what a target does is an outcome', TIMEOUT, () => {
  /** @type {[string, Behaviour, Type, string, number][]} */
  const cases = [
    ['a status nobody knows', refusing({ status: 999 }), 'REGISTER', 'E_UNKNOWN_999', 20],
    // other replies that are bad: reply-checks.test.js
    ['a length of 1 GB', announcing(1e9), 'DISCOVER', 'BAD_REPLY', 20]
  ]
  for (const [name, behave, type, outcome, count] of cases)
    test(`${name}: nothing succeeded, which is no success`, async () => {
      const { code, result, stdout } = await runAt(behave, type, 0, count)
      assert.deepEqual([result.status, result.reason, code], ['complete', null, 1])
      assert.deepEqual(operation(result, type).outcomes, { [outcome]: count })
      assertSumsAgree(result)
      assert.match(stdout, new RegExp(`⚠ Not one of ${count} operations succeeded`))
    })

  test('what cannot be prepared ends the run with the status; its text of 100 kB is shown short, without what terminals obey', async () => {
    const text = '\u001b[31mno'.repeat(15_000)
    const ended = await runAt(refusing({ status: 300, statusText: text }), 'UNREGISTER', 0)
    const { code, result, stdout, stderr } = ended
    assert.deepEqual([code, result.reason?.code], [1, 'E_INTERNAL_ERROR'])
    assert.ok((result.reason?.message.length ?? 0) < 500, result.reason?.message)
    assert.ok(warningCodes(result).includes('PROBE_REFUSED'))
    assert.ok(!`${stdout}${stderr}`.includes('\u001b['))
  })

  test('2,000 replies to one request are counted and said', async () => {
    const { result, stdout } = await runAt(repeating(2000), 'DISCOVER', 1, 5)
    assert.deepEqual([result.status, result.reason], ['complete', null])
    assert.deepEqual(operation(result, 'DISCOVER').outcomes, { OK: 5 })
    const said = result.run.warnings.find(({ values }) => /another reply/.test(String(values.detail)))
    // those to the last requests may come too late
    const count = Number(said?.values.count)
    assert.ok(count >= 4 * 1999, `${count}`)
    assert.match(stdout, /replies failed the check \(another reply to a request that has had its own\)/)
  })
})

describe('a reply without end', () => {
  test('4 MiB without end are waited for no longer than --timeout', TIMEOUT, async () => {
    const { code, result } = await runAt(announcing(4 << 20), 'DISCOVER', 0, 20, ['--timeout', '2s'])
    assert.deepEqual([code, result.reason?.code], [1, 'SERVER_HUNG'])
  })
})
