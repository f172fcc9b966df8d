import '../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ARGS, assertInterrupted, HOW } from './interrupted-run.js'
import { PAIRS, start, TIMEOUT } from './loadtest.js'
import { ON_LINUX } from './processes.js'

/** The other phases are interrupted in test/broken. */
const PHASES = /** @type {const} */ ([
  ['SIGINT to the program', 'measure'],
  ['Ctrl-C in a terminal, to all its processes', 'setup'],
  ['Ctrl-C in a terminal, to all its processes', 'preload']
])

describe('an interrupted run ends with exit code 130, keeps its partial result, leaves no process', {
  ...ON_LINUX,
  ...PAIRS
}, () => {
  for (const [how, phase] of PHASES)
    test(`${how}, in the phase ${phase}`, TIMEOUT, () => assertInterrupted(phase, HOW[how]))

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
