import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { TRANSFER_COMPARED, TRANSFER_FIGURES } from '../../../src/scenarios/transfer/figures.js'
import { scenarioNamed } from '../../scenarios.js'
import { aZerosResult, LIBP2P, shaken, took } from './a-zeros-result.js'

/** @param {string} name */
const named = name =>
  /** @type {import('../../../src/measure/figure.js').Figure<any>} */ (
    TRANSFER_FIGURES.find(figure => figure.name === name)
  )

/** @param {string} name @param {any} outcome */
const read = (name, outcome) => /** @type {any} */ (named(name)).read(outcome)

const MEASURED = aZerosResult(
  { measures: 'upload,download,latency,handshakes', streams: '1,4', protocols: 'perf,tcp' },
  {
    transfers: [
      { bytesPerSecond: 1e6 },
      { streams: 4, bytesPerSecond: 3e6 },
      { streams: 4, way: 'TCP', totalMs: 250, bytesPerSecond: 9e6 }
    ],
    exchanges: [
      ['TCP', [{ openMs: 1, exchangeMs: 1 }]],
      [LIBP2P, [{ openMs: 2, exchangeMs: 3 }]]
    ],
    handshakes: [
      ['TCP', [shaken({ times: [took(1)] })]],
      [LIBP2P, [shaken({ failed: 3 })]]
    ]
  }
)

describe('figures of what moved', () => {
  it('are of the first way over libp2p, with the number of streams that moved most', () => {
    const { outcome } = MEASURED
    assert.deepEqual(read('upload.rate', outcome), { value: 3, samples: 1 })
    assert.deepEqual(read('upload.overhead', outcome), { value: 4, samples: 1 })
    assert.deepEqual(read('latency.median', outcome), { value: 5, samples: 1 })
    assert.deepEqual(read('handshakes.rate', outcome), { value: 10, samples: 10 })
    assert.deepEqual(read('handshakes.median', outcome), { value: 20, samples: 2 })
    assert.deepEqual(read('handshakes.failed', outcome), { value: 3, samples: 10 })
  })

  it('are lower bounds where handshakes failed', () => {
    const of = (/** @type {object} */ more) =>
      aZerosResult({ measures: 'handshakes' }, { handshakes: [[LIBP2P, [shaken(more)]]] }).outcome
    const refused = of({ times: [took(20), took(30), took(40), [1, 0, false], [1, 0, false]] })
    assert.match(read('handshakes.median', refused).atLeast, /handshakes that failed/)
    assert.equal(read('handshakes.rate', of({ activeMs: 950 })).value, 10)
  })

  it('are none of what was not measured, and of a run that has measured nothing yet', () => {
    const names = ['upload.rate', 'upload.overhead', 'latency.median', 'handshakes.rate', 'handshakes.median']
    for (const name of [...names, 'handshakes.failed']) {
      assert.match(read(name, {}).missing, /nothing of it was measured/, name)
      assert.equal(read(name, aZerosResult({}).outcome).value, null, name)
    }
    assert.equal(read('download.rate', MEASURED.outcome).value, null)
    assert.equal(read('download.overhead', MEASURED.outcome).value, null)
  })

  it('are in runs whose plan measures them', () => {
    const plan = /** @type {any} */ ({ measures: ['download', 'latency'], ways: ['perf'] })
    const names = ['upload.rate', 'download.rate', 'latency.median', 'handshakes.median']
    const actual = names.map(name => named(name).lacks?.(plan))
    assert.deepEqual(actual, ['upload among --measures', null, null, 'handshakes among --measures'])
  })

  it('are compared between runs that measure the same', () => {
    const { measures } = /** @type {any} */ (TRANSFER_COMPARED.same)
    assert.deepEqual(measures(MEASURED.plan), ['upload', 'download', 'latency', 'handshakes'])
  })
})

it('a run that moves bytes is named in short by how much it moves over how many streams', () => {
  const { plan } = aZerosResult({ measures: 'upload', size: '64KiB', streams: '1,4' })
  assert.deepEqual(scenarioNamed('perf').naming?.inShort(plan, new Map()), ['size65536', 's1_4'])
})
