import '../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { assertSumsAgree, operation } from './consistent.js'
import { PAIRS, start, TIMEOUT } from './loadtest.js'
import { ON_LINUX } from './processes.js'

/** What is printed when a phase begins, since the one before has ended. */
const PHASES = Object.freeze({
  setup: /REGISTER · 40 clients/,
  preload: /✔ server ready/,
  connect: /✔ 2,000 registrations/,
  warmup: /✔ 40 clients connected/,
  measure: /✔ warm-up/
})

const ARGS = [
  ...[
    '--nClients',
    '40',
    '--initialRegistrations',
    '2000',
    '--benchmarkRuns',
    '2000',
    '--minDuration',
    '20s'
  ],
  ...['--warmup', '200ms', '--workers', '2']
]

/** @typedef {import('./loadtest.js').Loadtest} Loadtest */

const ORDER = Object.keys(PHASES)

/** @type {[string, string[], (loadtest: Loadtest) => void][]} */
const HOW = [
  ['SIGINT to the program', ['setup', 'measure'], loadtest => loadtest.signal('SIGINT')],
  ['Ctrl-C in a terminal, to all its processes', ORDER, loadtest => loadtest.ctrlC()]
]

describe('an interrupted run ends with exit code 130, keeps its partial result, leaves no process', {
  ...ON_LINUX,
  ...PAIRS
}, () => {
  for (const [how, phases, interrupt] of HOW)
    describe(how, PAIRS, () => {
      for (const phase of phases)
        test(`in the phase ${phase}`, TIMEOUT, async () => {
          // a seed of its own each time, so that identities have to be made
          const loadtest = start([...ARGS, '--seed', String(++seed)], { ownGroup: true })
          await loadtest.line(PHASES[/** @type {keyof typeof PHASES} */ (phase)])
          if (phase === 'measure') await loadtest.measured()
          interrupt(loadtest)
          const { code, stdout, stderr, result } = await loadtest.ended
          assert.deepEqual(await loadtest.leftAfter(), [])
          assert.equal(code, 130, stderr)
          assert.match(stderr, /stopping; Ctrl-C again ends at once/)
          assert.deepEqual([result.status, result.reason?.code], ['partial', 'INTERRUPTED'])
          assert.match(stdout, /^Partial result: interrupted$/m)
          assert.doesNotMatch(stderr, /^error/m)
          assertSumsAgree(result)
          const failed = result.run.phases.filter(({ state }) => state !== 'done').map(({ name }) => name)
          assert.equal(failed.length, 1, failed.join(', '))
          // on a busy machine the signal may come when the phase is over already
          assert.ok(ORDER.indexOf(failed[0]) >= ORDER.indexOf(phase), `${failed[0]} was broken off`)
          if (phase === 'measure') assert.ok(operation(result, 'REGISTER').outcomes.OK > 0)
        })
    })

  test('SIGTERM does the same', TIMEOUT, async () => {
    const loadtest = start(ARGS)
    await loadtest.measuring()
    loadtest.signal('SIGTERM')
    const { code, result } = await loadtest.ended
    assert.deepEqual([code, result.status, result.reason?.code], [130, 'partial', 'INTERRUPTED'])
    assert.deepEqual(await loadtest.leftAfter(), [])
  })

  test('a second Ctrl-C ends at once, and still no process stays', TIMEOUT, async () => {
    const loadtest = start(ARGS, { ownGroup: true })
    await loadtest.measuring()
    loadtest.ctrlC()
    await loadtest.line(/Ctrl-C again ends at once/)
    loadtest.ctrlC()
    assert.equal((await loadtest.ended).code, 130)
    assert.deepEqual(await loadtest.leftAfter(), [])
  })
})

let seed = 100
