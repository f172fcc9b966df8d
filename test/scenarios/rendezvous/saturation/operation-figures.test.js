import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  FIGURE_HEADINGS,
  pointFigures
} from '../../../../src/scenarios/rendezvous/saturation/operation-figures.js'
import { RENDEZVOUS_QA } from '../../../../src/scenarios/rendezvous/saturation/qa.js'
import { aLoadPoint, times } from './load-point.js'

const UNKNOWN = aLoadPoint({ serverCpuPercent: null, serverMemoryBytes: null, utilization: null })

describe('what a server made of a load', () => {
  it('is in cells, with dashes for what was not measured', () => {
    assert.deepEqual(pointFigures(aLoadPoint()), ['5.00', '4.50', '10.0', '15.0', '40', '100', '20'])
    assert.deepEqual(pointFigures(UNKNOWN).slice(4), ['–', '–', '–'])
    assert.deepEqual(
      pointFigures(null),
      FIGURE_HEADINGS.map(() => '–')
    )
  })

  it('is in figures of qa, null where it is not known', () => {
    const figuresOf = (/** @type {any} */ point) => RENDEZVOUS_QA.figures.map(({ of }) => of(point))
    assert.deepEqual(figuresOf(aLoadPoint()), [4.5, 10, 0, 40, 100])
    assert.deepEqual(figuresOf({ ...UNKNOWN, rt: { ...times(5), p50: null, p99: null } }), [
      null,
      8.5,
      0,
      null,
      null
    ])
    assert.equal(figuresOf(aLoadPoint({ due: 200, failed: 3 }))[2], 1.5)
  })
})
