import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readMatrixOptions } from '../../../src/studies/matrix/plan.js'

/** @param {Record<string, unknown>} options */
const refusedFlags = async options => (await readMatrixOptions(options)).problems.map(({ flag }) => flag)

describe('the options of a matrix', () => {
  test('are told apart from those of its plans', async () => {
    const { own, flags, problems } = await readMatrixOptions({
      ...{ only: ['load/*'], scale: '0.1', scaleTime: '0.5', scaleRate: '0.2' },
      ...{ runs: '3', parallel: '2', keepGoing: true, name: 'x-1', nClients: '5' }
    })
    assert.deepEqual(problems, [])
    assert.deepEqual(Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined)), {
      ...{ only: ['load/*'], scale: 0.1, scaleTime: 0.5, scaleRate: 0.2 },
      ...{ runs: 3, parallel: 2, keepGoing: true, name: 'x-1' }
    })
    assert.deepEqual(flags, { nClients: '5' })
  })

  test('go on in the latest folder unless one is named', async () => {
    const resumeOf = async (/** @type {unknown} */ resume) => (await readMatrixOptions({ resume })).own.resume
    for (const typed of ['', true]) assert.equal(await resumeOf(typed), true)
    assert.equal(await resumeOf('results/x'), 'results/x')
  })

  /** @type {[string, unknown][]} */
  const wrong = [
    ['only', ['']],
    ['only', [7]],
    ['scale', '0'],
    ['scale', '1.5'],
    ['scaleTime', 'x'],
    ['scaleRate', '-1'],
    ['runs', '0'],
    ['name', 'a/b'],
    ['resume', 7]
  ]
  for (const [name, value] of wrong)
    test(`refuse --${name} ${JSON.stringify(value)}`, async () =>
      assert.deepEqual(await refusedFlags({ [name]: value }), [`--${name}`]))
})
