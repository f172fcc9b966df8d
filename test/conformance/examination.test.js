import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { UntestableError } from '../../src/conformance/checks/verdict.js'
import { makeRestart } from '../../src/conformance/examination.js'
import { WrongServer } from './checks/wrong-server.js'

const { CHECK_GROUPS } = await import('../../src/conformance/examination.js')
const { examineServer } = await import('../../src/conformance/examination.js')
const { passVerdict } = await import('../../src/conformance/checks/verdict.js')

/** @typedef {import('../../src/conformance/examination.js').ConformanceCheck} ConformanceCheck */

/** @param {ConformanceCheck[]} checks */
const groupOf = checks => [{ title: 'Some', checks }]

/** @param {string} does @param {(address: string, server: WrongServer) => Promise<void>} use */
async function withServer(does, use) {
  const server = await new WrongServer(does).start()
  try {
    await use(/** @type {string} */ (server.address), server)
  } finally {
    await server.stop()
  }
}

test('without leave nothing broken is sent and nothing is filled, without a command nothing is restarted', () =>
  withServer('right', async address => {
    const needing = CHECK_GROUPS.map(group => ({
      ...group,
      checks: group.checks.filter(({ needs }) => needs?.some(need => need === 'own' || need === 'restart'))
    }))
    const found = new Set()
    for await (const record of examineServer(address, { groups: needing }))
      if (record.type === 'check') found.add(`${record.outcome.verdict}: ${record.outcome.found}`)
    assert.deepEqual([...found].sort(), [
      'not tested: needs --iOwnTheTarget',
      "not tested: needs --restart '<command>'"
    ])
  }))

test('what a target says is printable and bounded', () =>
  withServer('right', async address => {
    const check = {
      id: 'x',
      title: 'x',
      needs: [],
      run: async () => passVerdict(`\x1b[2J\n${'long '.repeat(1000)}`)
    }
    for await (const record of examineServer(address, { groups: groupOf([check]) }))
      if (record.type === 'check')
        assert.match(record.outcome.found, /^\\u001b\[2J\\u000a(long ){10}.{1,300}$/)
  }))

test('a check that does not end fails at its limit, the next one is made', () =>
  withServer('right', async address => {
    const endless = { id: 'x', title: 'x', needs: [], limitMs: 50, run: () => new Promise(() => {}) }
    const next = { id: 'y', title: 'y', needs: [], run: async () => passVerdict() }
    /** @type {string[]} */
    const verdicts = []
    for await (const record of examineServer(address, {
      groups: groupOf([/** @type {any} */ (endless), next])
    }))
      if (record.type === 'check') verdicts.push(`${record.outcome.verdict} ${record.outcome.found}`)
    assert.deepEqual(verdicts, ['fail it did not end within 0.05 s', 'pass '])
  }))

test('interrupted in mid-check, it takes back what is registered, and says so of all that is left', () =>
  withServer('right', async (address, server) => {
    const controller = new AbortController()
    /** @type {ConformanceCheck} */
    const first = {
      id: 'x',
      title: 'x',
      async run(visit) {
        await visit.registeredAll('A B C')
        controller.abort(new Error('Ctrl-C'))
        return new Promise(() => {})
      }
    }
    /** @type {unknown[]} */
    const seen = []
    const groups = groupOf([first, { ...first, id: 'y' }])
    for await (const record of examineServer(address, { signal: controller.signal, groups }))
      seen.push(record.type === 'check' ? [record.outcome.id, record.outcome.found] : record.left)
    assert.deepEqual(seen, [['x', 'interrupted'], ['y', 'interrupted'], 0])
    assert.deepEqual(server.registrations, [])
  }))

test('what cannot be taken back is counted', () =>
  withServer('keeps who unregisters', async address => {
    const check = CHECK_GROUPS[0].checks.find(({ id }) => id === 'renew')
    for await (const record of examineServer(address, {
      groups: groupOf([/** @type {ConformanceCheck} */ (check)])
    }))
      if (record.type === 'end') assert.equal(record.left, 2)
  }))

test('a target that is gone in the midst is not tested any further', () =>
  withServer('right', async (address, server) => {
    const last = {
      id: 'x',
      title: 'x',
      needs: [],
      async run() {
        await server.stop()
        await sleep(200)
        return passVerdict()
      }
    }
    const next = { ...last, id: 'y' }
    for await (const record of examineServer(address, { groups: groupOf([last, next]) })) {
      if (record.type === 'end') assert.equal(record.left, 0)
      else if (record.outcome.id === 'y')
        assert.equal(record.outcome.found, 'the target can no longer be reached')
    }
  }))

test('a target that stands still is waited for once', () =>
  withServer('right', async (address, server) => {
    const endless = {
      id: 'x',
      title: 'x',
      needs: [],
      limitMs: 50,
      async run() {
        server.deaf = true
        return new Promise(() => {})
      }
    }
    const next = { id: 'y', title: 'y', needs: [], run: async () => passVerdict() }
    for await (const record of examineServer(address, {
      groups: groupOf([/** @type {any} */ (endless), next])
    }))
      if (record.type === 'check' && record.outcome.id === 'y')
        assert.equal(record.outcome.found, 'the target no longer answers')
  }))

const never = new AbortController().signal

describe('the command that starts a target again', { skip: process.platform === 'win32' }, () => {
  test('may leave something running', async () => {
    await makeRestart('sleep 5 & exit 0')(never)
  })

  for (const [command, how] of [
    ['exit 3', '3'],
    ['kill -KILL $$', 'SIGKILL']
  ])
    test(`is not taken to have done so when it ends with ${how}`, () =>
      assert.rejects(makeRestart(command)(never), error => {
        assert.ok(error instanceof UntestableError)
        assert.equal(error.message, `--restart ended with ${how}`)
        return true
      }))

  test('is ended when nobody waits for it any more', async () => {
    const ending = new AbortController()
    const restarted = makeRestart('sleep 60')(ending.signal)
    ending.abort()
    await assert.rejects(restarted, { name: 'AbortError' })
  })
})
