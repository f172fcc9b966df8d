import '../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { networkLoad } from '../../../../src/studies/saturation/plan/network-load.js'
import { serverSearch } from '../../../../src/studies/saturation/plan/server-search.js'
import { newTrial } from '../../../../src/studies/saturation/result/trial.js'
import { capacityAnswer } from '../../../../src/studies/saturation/view/capacity-sentences.js'
import { capacityText } from '../../../../src/studies/saturation/view/capacity-text.js'
import { sampleResult } from '../../../report/sample-result.js'
import { aLoadPoint, times } from '../../../scenarios/rendezvous/saturation/load-point.js'

/**
 * @typedef {import('../../../../src/studies/saturation/result/saturation-document.js').CapacityDocument} CapacityDocument
 * @typedef {import('../../../../src/studies/saturation/result/trial.js').SearchTrial} SearchTrial
 */

const NETWORK = {
  ...{ peers: 1000, requestsPerDay: 8, peakFactor: 2, topics: 1, ttlSeconds: 7200 },
  registerShare: 0.1
}

/** @param {string} name @param {number} rate @param {object} came */
const trial = (name, rate, came) => ({
  ...newTrial({
    name,
    plan: sampleResult({ options: { rate: `${rate}/s`, nClients: 1, duration: '6s' } }).plan
  }),
  ...came
})

const MEASURED = { status: 'complete', point: aLoadPoint() }
const INTERRUPTED = {
  status: 'interrupted',
  reason: { code: 'INTERRUPTED', message: 'interrupted by SIGINT' }
}

/** @param {number} rate @param {boolean | null} sustained @returns {SearchTrial} */
const tried = (rate, sustained) =>
  /** @type {any} */ (
    trial(`search-${rate}`, rate, {
      ...{ purpose: 'search', sustained, reasons: [] },
      ...(sustained === null ? INTERRUPTED : MEASURED)
    })
  )

/** @param {{ loads?: object[], trials?: SearchTrial[] } & Omit<Partial<CapacityDocument>, 'loads'>} [parts] @returns {CapacityDocument} broken off */
const documentOf = ({ loads = [MEASURED, MEASURED, MEASURED], trials = [], ...parts } = {}) =>
  /** @type {any} */ ({
    ...{
      id: 'a',
      status: 'partial',
      reason: INTERRUPTED.reason,
      network: NETWORK,
      load: networkLoad(NETWORK)
    },
    ...{ scale: 1, seconds: 2, searchSeconds: 10, servers: null },
    loads: ['mean', 'peak', 'burst'].map((name, place) => trial(name, 10 * 2 ** place, loads[place])),
    search: { ...serverSearch({ from: 10, most: 1000 }), trials },
    ...parts
  })

const FAILED = { status: 'failed', reason: { code: 'NO_RESULT', message: 'ECONNREFUSED' } }
const DEAD = {
  loads: [FAILED, { status: 'pending' }, { status: 'pending' }],
  reason: { code: 'NO_RESULT', message: 'mean: ECONNREFUSED' }
}

describe('the answer of a capacity whose search did not end', () => {
  test('says what was sustained before it was interrupted', () =>
    assert.match(
      capacityAnswer(documentOf({ trials: [tried(80, true), tried(160, null)] })),
      /: one server sustained at least 80\/s; the search was interrupted before it found a rate that it does not sustain\.$/
    ))

  test('says what was not sustained, too', () =>
    assert.match(
      capacityAnswer(documentOf({ trials: [tried(80, true), tried(160, false), tried(120, null)] })),
      /: one server sustained at least 80\/s, and did not sustain 160\/s; the search was interrupted before its end\.$/
    ))

  test('goes by the rates of the network where no trial ended', () =>
    assert.match(
      capacityAnswer(documentOf({ trials: [tried(80, null)] })),
      /: one server sustained at least 40\/s; the search was interrupted/
    ))

  test('tells an end from an interruption', () =>
    assert.match(
      capacityAnswer(
        documentOf({ trials: [tried(80, true)], reason: { code: 'AGENT_LOST', message: 'gone' } })
      ),
      /at least 80\/s; the search ended before it found/
    ))

  test('says that nothing was sustained, or nothing measured', () => {
    const slow = { status: 'complete', point: aLoadPoint({ achieved: 60 }) }
    assert.match(
      capacityAnswer(documentOf({ loads: [slow, slow, slow] })),
      /: no rate was found that one server sustains\.$/
    )
    assert.match(capacityAnswer(documentOf(DEAD)), /: nothing was measured\.$/)
  })

  test('stands in the table of servers', () =>
    assert.match(
      capacityText(documentOf({ trials: [tried(80, true)] })),
      /\| measured here .* ≥ 80 \| +– \|/
    ))
})

describe('the text of a capacity', () => {
  test('says of which rates it is how long they were held', () => {
    assert.match(
      capacityText(documentOf({ trials: [tried(80, true)] })),
      /^- Each measured rate of the network was held for 2\.0 s only: trial figures\. Use a --duration of 60s or more\. Each measured trial of the search was held for 10\.0 s\.$/m
    )
    assert.doesNotMatch(
      capacityText(documentOf({ trials: [tried(80, null)] })),
      /trial of the search was held/
    )
  })

  test('where nothing was measured says nothing of what was', () => {
    const text = capacityText(documentOf(DEAD))
    assert.doesNotMatch(text, /was held for|that was measured held|was offered and measured|are evidence/)
    assert.match(text, /Servers = ceil\(/)
  })

  test('where the search did not end says nothing of the rate it found', () => {
    const text = capacityText(documentOf())
    assert.match(text, /each rate in the table was offered and measured\.$/m)
    const part = capacityText(documentOf({ loads: [MEASURED, FAILED, FAILED] }))
    assert.match(part, /each rate with figures in the table was offered and measured\.$/m)
    assert.doesNotMatch(text, /sustainable one|are evidence/)
  })

  test('says what its marks are, where there are any', () => {
    const legend = /^\* doubtful: the load generator itself added more than a tenth of this time\.$/m
    assert.doesNotMatch(capacityText(documentOf()), /doubtful/)
    const doubtful = { status: 'complete', point: aLoadPoint({ rt: times(5, { doubtful: true }) }) }
    assert.match(capacityText(documentOf({ loads: [MEASURED, doubtful, MEASURED] })), legend)
    const rt = times(5)
    const byMachine = { ...rt, avg: { .../** @type {any} */ (rt.avg), doubtful: true, cause: 'machine' } }
    const text = capacityText(
      documentOf({
        loads: [MEASURED, { status: 'complete', point: aLoadPoint({ rt: byMachine }) }, MEASURED]
      })
    )
    assert.match(text, /^\*m doubtful: the machine/m)
    assert.doesNotMatch(text, legend)
  })
})
