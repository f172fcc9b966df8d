import '../../src/node-shim.js'
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { ARGS, assertInterrupted, HOW } from './interrupted-run.js'
import { PAIRS, start, TIMEOUT } from './loadtest.js'
import { ON_LINUX } from './processes.js'

/** The other phases are interrupted in test/broken. */
const PHASES = /** @type {const} */ ([
  ['Ctrl-C in a terminal, to all its processes', 'setup'],
  ['Ctrl-C in a terminal, to all its processes', 'preload']
])

/** What comes of it with one worker comes of it with two. */
const ONE_WORKER = [...ARGS.slice(0, -2), '--workers', '1']

describe('an interrupted run ends with exit code 130, keeps its partial result, leaves no process', {
  ...ON_LINUX,
  ...PAIRS
}, () => {
  for (const [how, phase] of PHASES)
    test(`${how}, in the phase ${phase}`, TIMEOUT, () => assertInterrupted(phase, HOW[how]))

  test('SIGINT to the program, in the phase measure: it has its views at once', TIMEOUT, () =>
    assertInterrupted('measure', HOW['SIGINT to the program'], async ({ folder }) =>
      assert.match(await readFile(join(folder, 'report.md'), 'utf8'), /^- Partial result: interrupted/m)
    )
  )

  test('SIGTERM does the same', TIMEOUT, async () => {
    const loadtest = start(ONE_WORKER)
    await loadtest.measuring()
    loadtest.signal('SIGTERM')
    const { code, result } = await loadtest.ended
    assert.deepEqual([code, result.status, result.reason?.code], [130, 'partial', 'INTERRUPTED'])
    assert.deepEqual(await loadtest.leftAfter(), [])
  })

  test('a second Ctrl-C ends at once, and still no process stays', TIMEOUT, async () => {
    const loadtest = start(ONE_WORKER, { ownGroup: true })
    await loadtest.measuring()
    loadtest.ctrlC()
    await loadtest.line(/Ctrl-C again ends at once/)
    loadtest.ctrlC()
    assert.equal((await loadtest.ended).code, 130)
    assert.deepEqual(await loadtest.leftAfter(), [])
  })
})
