import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { assertComplete } from './consistent.js'
import { call, run, TIMEOUT } from './loadtest.js'

const TINY = [
  ...['--warmup', '50ms', '--initialRegistrations', '10', '--benchmarkRuns', '50'],
  ...['--server', 'process']
]

/** @typedef {import('./loadtest.js').Outcome} Outcome */

describe('runs that are compared', () => {
  /** @type {Outcome} */
  let one
  before(async () => {
    one = await run([...TINY, '--seed', '1'])
  }, TIMEOUT)

  test('two runs are laid side by side with their changes, without a verdict', TIMEOUT, async () => {
    const two = await run([...TINY, '--seed', '2', '--nClients', '2'])
    assertComplete(one)
    assertComplete(two)
    const { code, stdout, stderr } = await call(['compare', one.folder, two.folder, '--fail-on', 'p50 > +1%'])
    assert.equal(code, 3, stderr)
    for (const [what, one, other] of [
      ['nClients', 4, 2],
      ['seed', 1, 2]
    ])
      assert.match(stdout, new RegExp(`^\\| Plan \\| ${what} +\\| ${one} +\\| ${other} +\\|$`, 'm'))
    assert.match(stdout, /^\| p50 > \+1% .* \| UNDECIDED \| .* \| too few runs to tell \|$/m)
    const json = JSON.parse((await call(['compare', one.folder, two.folder, '--json'])).stdout)
    const p50 = json.sides[1].against.metrics.find((/** @type {any} */ { metric }) => metric === 'p50')
    assert.equal(p50.pairs[0].base.value, one.result.outcome.operations.REGISTER?.rt.all.p50?.ms)
  })
})
