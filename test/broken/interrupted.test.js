import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { assertInterrupted, FEW, HOW, LONG } from '../acceptance/interrupted-run.js'
import { PAIRS, start, TIMEOUT } from '../acceptance/loadtest.js'
import { ON_LINUX } from '../acceptance/processes.js'

/** Those that test/acceptance leaves out. */
const PHASES = /** @type {const} */ ([
  ['SIGINT to the program', 'setup'],
  ['SIGINT to the program', 'measure'],
  ['Ctrl-C in a terminal, to all its processes', 'setup'],
  ['Ctrl-C in a terminal, to all its processes', 'preload'],
  ['Ctrl-C in a terminal, to all its processes', 'connect'],
  ['Ctrl-C in a terminal, to all its processes', 'warmup'],
  // with one worker: test/acceptance
  ['Ctrl-C in a terminal, to all its processes', 'measure']
])

describe('an interrupted run ends with exit code 130, keeps its partial result, leaves no process', {
  ...ON_LINUX,
  ...PAIRS
}, () => {
  for (const [how, phase] of PHASES)
    test(`${how}, in the phase ${phase}`, TIMEOUT, () => assertInterrupted(phase, HOW[how]))

  for (const name of /** @type {const} */ (['SIGTERM', 'SIGHUP', 'SIGQUIT']))
    test(`${name} does the same`, TIMEOUT, async () => {
      const loadtest = start([...LONG, ...FEW, '--workers', '1'])
      await loadtest.measuring()
      loadtest.signal(name)
      const { code, result } = await loadtest.ended
      assert.deepEqual([code, result.status, result.reason?.code], [130, 'partial', 'INTERRUPTED'])
      assert.deepEqual(await loadtest.leftAfter(), [])
    })
})
