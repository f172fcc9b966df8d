import '../../src/node-shim.js'
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { assertGossipAgrees, codesOf, ended, missingOf, startGossip } from './gossip-network.js'
import { INDEX, startProgram, THREES, TIMEOUT } from './loadtest.js'
import { ON_LINUX, send } from './processes.js'

/**
 * @typedef {import('./loadtest.js').Loadtest} Loadtest
 * @typedef {import('./gossip-network.js').GossipOutcome} GossipOutcome
 */

/** Long enough to be broken at leisure. */
const NETWORK = ['--nodes', '6', '--topology', 'ring', '--workers', '2', '--heartbeat_interval', '200ms']
const LONG = [...NETWORK, '--duration', '50s', '--rate', '20/s']
/** Nothing is ever delivered, so that it is waited for. */
const WAITING = [
  ...NETWORK,
  '--messages',
  '5',
  '--rate',
  '20/s',
  '--validation',
  'ignore=1',
  '--cooldown',
  '50s'
]
/** Links so slow that connecting, or the mesh, takes its time. */
const SLOW = [...LONG, '--linkLatency', '400ms']

/** When a phase has begun, and a run in which it lasts. @type {Record<string, [RegExp, string[]]>} */
const PHASES = {
  provision: [/6 nodes in 2 processes/, LONG],
  peer: [/✔ 6 nodes started/, SLOW],
  warmup: [/✔ nodes connected/, SLOW],
  publish: [/✔ mesh/, LONG],
  cooldown: [/✔ published/, WAITING]
}

const ORDER = Object.keys(PHASES)

/**
 * brokenIn starts a run and breaks it in a phase.
 *
 * @param {string} phase
 * @param {(loadtest: Loadtest) => Promise<void> | void} breakIt
 */
async function brokenIn(phase, breakIt) {
  const [begun, args] = PHASES[phase]
  const loadtest = startGossip(args, { ownGroup: true })
  await loadtest.line(begun)
  if (phase === 'publish') await loadtest.measured()
  await breakIt(loadtest)
  const outcome = await ended(loadtest)
  assert.deepEqual(await loadtest.leftAfter(), [])
  return outcome
}

/**
 * @param {GossipOutcome} outcome
 * @param {string} phase
 * @param {{ exitCode: number, code: string, message: RegExp }} expected
 */
function assertBroken({ code, stdout, stderr, result }, phase, { exitCode, code: reason, message }) {
  assert.equal(code, exitCode, stderr)
  assert.deepEqual([result.status, result.reason?.code], ['partial', reason])
  assert.match(String(result.reason?.message), message)
  assert.match(stdout, /^Partial result: /m)
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

/** @param {string} folder */
async function assertReadable(folder) {
  const report = startProgram(INDEX, ['report', folder])
  const { code, stderr } = await report.ended
  assert.equal(code, 0, stderr)
  assert.match(await readFile(join(folder, 'report.md'), 'utf8'), /partial/i)
}

/** @param {Loadtest} loadtest @returns {Promise<number>} pid of a worker, as soon as there is one */
async function aWorker(loadtest) {
  for (;;) {
    const [pid] = await loadtest.workers()
    if (pid !== undefined) return pid
    await sleep(5)
  }
}

describe('a gossip run that is broken off says why, keeps what it has, and leaves no process', {
  ...ON_LINUX,
  ...THREES
}, () => {
  test(
    'a worker is stopped in mid-publish: exit code 1, it is named as hung; what its nodes missed is explained',
    TIMEOUT,
    async () => {
      const outcome = await brokenIn('publish', async loadtest => send(await aWorker(loadtest), 'SIGSTOP'))
      const message =
        /^worker [01] has told nothing for \d+ s: it is stopped, or its event loop does not turn$/
      assertBroken(outcome, 'publish', { exitCode: 1, code: 'WORKER_HUNG', message })
      const reasons = missingOf(outcome.result)
      assert.ok(reasons['node-gone'] > 0, JSON.stringify(reasons))
      const worker = Number(/worker (\d)/.exec(String(outcome.result.reason?.message))?.[1])
      for (const { node, reason } of outcome.result.outcome.missing.listed)
        if (reason === 'node-gone') assert.equal(node % 2, worker)
      await assertReadable(outcome.folder)
    }
  )

  test('a worker is stopped while the nodes connect: it is named as hung too', TIMEOUT, async () => {
    const outcome = await brokenIn('peer', async loadtest => send(await aWorker(loadtest), 'SIGSTOP'))
    assertBroken(outcome, 'peer', {
      exitCode: 1,
      code: 'WORKER_HUNG',
      message: /^worker [01] has told nothing/
    })
  })

  for (const phase of ORDER)
    test(`Ctrl-C in the phase ${phase}: exit code 130`, TIMEOUT, async () => {
      const outcome = await brokenIn(phase, loadtest => loadtest.ctrlC())
      assertBroken(outcome, phase, { exitCode: 130, code: 'INTERRUPTED', message: /^interrupted$/ })
      assert.match(outcome.stderr, /stopping; Ctrl-C again ends at once/)
    })

  for (const phase of ORDER)
    test(`a worker is killed in the phase ${phase}: exit code 1, and it is named`, TIMEOUT, async () => {
      const outcome = await brokenIn(phase, async loadtest => send(await aWorker(loadtest), 'SIGKILL'))
      const message = /^worker [01] \(pid \d+\) ended with SIGKILL$/
      assertBroken(outcome, phase, { exitCode: 1, code: 'WORKER_DIED', message })
      if (phase === 'publish') await assertReadable(outcome.folder)
    })

  test('Ctrl-C twice: it ends at once', TIMEOUT, async () => {
    const loadtest = startGossip(LONG, { ownGroup: true })
    await loadtest.line(/✔ mesh/)
    loadtest.ctrlC()
    await loadtest.line(/Ctrl-C again ends at once/)
    loadtest.ctrlC()
    assert.equal((await loadtest.ended).code, 130)
    assert.deepEqual(await loadtest.leftAfter(), [])
  })

  test(
    'it is killed itself in mid-publish: its workers end, and the result can be read',
    TIMEOUT,
    async () => {
      const loadtest = startGossip(LONG)
      await loadtest.measured()
      assert.equal((await loadtest.workers()).length, 2)
      loadtest.signal('SIGKILL')
      const { signal, result, folder } = await ended(loadtest)
      assert.equal(signal, 'SIGKILL')
      assert.deepEqual(await loadtest.leftAfter(), [])
      assert.deepEqual([result.status, result.reason?.code], ['partial', 'UNFINISHED'])
      assertGossipAgrees(result)
      await assertReadable(folder)
    }
  )
})
