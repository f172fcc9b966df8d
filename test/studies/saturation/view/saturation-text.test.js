import '../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { saturationPage } from '../../../../src/studies/saturation/view/page/saturation-page.js'
import { saturationText } from '../../../../src/studies/saturation/view/saturation-text.js'
import { viewOf } from '../../../report/shown.js'
import { times } from '../../../scenarios/rendezvous/saturation/load-point.js'
import { aTrial } from '../../qa/a-qa-document.js'

/** @typedef {import('../../../../src/measure/doubt.js').Cause} Cause */

/** @param {Cause} [cause] - of the doubt in p50; none: there is none @returns {any} */
function documentWith(cause) {
  const rt = times(2)
  const p50 = { ms: 12.4, censored: false, doubtful: cause !== undefined, cause }
  const cell = aTrial(50, { rt: { ...rt, p50 } })
  return {
    ...{ schemaVersion: 1, id: 'x', status: 'complete', reason: null, startedAt: '2026-11-20T07:12:00.000Z' },
    ...{ finishedAt: null, scenario: 'rendezvous', options: {}, seconds: 6, search: null },
    grid: { rates: [50], connections: [1], cells: [cell], chosen: null }
  }
}

const MEANINGS = /** @type {const} */ ([
  ['generator', '12.4*', '* doubtful: the load generator itself added more than a tenth of this time.'],
  [
    'machine',
    '12.4*m',
    '*m doubtful: the machine, which had no core free for the load generator, added more than a tenth of this time.'
  ]
])

describe('a saturation says what its marks mean', () => {
  for (const [cause, marked, meaning] of MEANINGS)
    test(`where the cause is the ${cause}`, async () => {
      const document = documentWith(cause)
      const text = saturationText(document)
      assert.ok(text.includes(` ${marked} |`), text)
      assert.deepEqual(
        text.split('\n').filter(line => /^\*.* doubtful/.test(line)),
        [meaning]
      )
      const { plan } = document.grid.cells[0]
      const page = await saturationPage(document, {
        results: new Map(),
        links: new Map(),
        view: viewOf(plan)
      })
      assert.match(
        page.replace(/[\s\u00a0]+/g, ' '),
        new RegExp(`<li>${cause === 'machine' ? '\\*m' : '\\*'} doubtful: `)
      )
    })

  test('and nothing where there is none', () =>
    assert.doesNotMatch(saturationText(documentWith()), /doubtful/))
})
