import '../../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  backlogPlots,
  carriedPlots,
  machinePlots,
  zoomPlots
} from '../../../../../src/studies/qa/view/plots/qa-plots.js'
import { aGossipPoint } from '../../../../scenarios/gossip/saturation/a-gossip-point.js'
import { aQaDocument, aTrial } from '../../a-qa-document.js'

/** @param {any} plot @returns {any[][]} what is drawn, layer by layer */
const drawnIn = ({ spec }) => spec.layer.map((/** @type {any} */ { data }) => data.values)

/** A run that carried so many in each second. @param {number[]} counts @returns {any} */
const runOf = counts => ({
  outcome: {
    perSecond: counts.map((count, second) => ({
      second,
      type: 'REGISTER',
      outcome: 'OK',
      histogram: [[1000, count]]
    }))
  }
})
const steady = Array(30).fill(10)
const bent = [...Array(20).fill(10), ...Array(20).fill(40)]
const HOW = { id: 'carried', what: 'Operations' }

describe('what runs carried since their beginnings', () => {
  test('is a line for each, added up', () => {
    const [plot, ...more] = carriedPlots(
      [
        { label: 'A', result: runOf([1, 2, 3]) },
        { label: 'B', result: runOf([4, 4, 4]) }
      ],
      HOW
    )
    assert.deepEqual(more, [])
    const lines = drawnIn(plot)
    assert.deepEqual(
      lines[0].map(({ at, value }) => [at, value]),
      [
        [1, 1],
        [2, 3],
        [3, 6]
      ]
    )
    assert.deepEqual(
      lines[1].map(({ value }) => value),
      [4, 8, 12]
    )
    assert.match(plot.description, /12 in the end\.$/)
    assert.doesNotMatch(plot.caption, /Marked/)
  })

  test('is marked where its slope changes', () => {
    const [plot] = carriedPlots(
      [
        { label: 'A', result: runOf(steady) },
        { label: 'B', result: runOf(bent) }
      ],
      HOW
    )
    assert.match(plot.caption, /Marked: where it changes by more than a tenth\.$/)
    const marked = drawnIn(plot).at(-1)
    assert.equal(marked?.length, 1)
    const [{ at, value }] = marked ?? []
    assert.ok(at >= 20 && at <= 22, `${at}`)
    assert.ok(
      drawnIn(plot)[1].some(point => point.at === at && point.value === value),
      'on the line'
    )
    assert.equal(drawnIn(plot).length, 3)
    assert.equal(drawnIn(carriedPlots([{ label: 'A', result: runOf(steady) }], HOW)[0]).length, 1)
  })

  test('is not drawn where nothing was carried', () => {
    assert.deepEqual(carriedPlots([], HOW), [])
    assert.deepEqual(carriedPlots([{ label: 'A', result: runOf([]) }], HOW), [])
  })
})

describe('the backlog', () => {
  test('is a line for each run of operations, second by second', () => {
    const trials = [aTrial(50, { waiting: [0, 3] }), aTrial(50, null), aTrial(50, { waiting: [5] })]
    const [plot] = backlogPlots({ ...aQaDocument().examined, trials }, 'Operations')
    assert.deepEqual(
      drawnIn(plot).map(values => values.map(({ at, value }) => [at, value])),
      [
        [
          [1, 0],
          [2, 3]
        ],
        [[1, 5]]
      ]
    )
    assert.match(plot.description, /Backlog of 2 runs, 5\.00 at most\./)
  })

  test('is not drawn of a gossip network, which has none', () => {
    const trials = /** @type {any} */ ([aTrial(50, {}, /** @type {any} */ ({ point: aGossipPoint() }))])
    assert.deepEqual(backlogPlots({ ...aQaDocument().examined, trials }, 'Messages'), [])
  })
})

test('load and sockets of the machine are drawn where they were read', () => {
  const { examined } = aQaDocument()
  const readings = [
    { at: 0, load1: 1, sockets: null },
    { at: 1, load1: 2, sockets: null }
  ]
  const machine = { [examined.trials[0].name]: readings }
  const [load, ...more] = machinePlots({ ...examined, machine }, 2)
  assert.deepEqual(more, [])
  assert.match(load.caption, /The machine has 2 cores\.$/)
  assert.deepEqual(
    drawnIn(load)[0].map(({ at, value }) => [at, value]),
    [
      [0, 1],
      [1, 2]
    ]
  )
  assert.doesNotMatch(machinePlots({ ...examined, machine }, null)[0].caption, /The machine has/)
  const withSockets = { [examined.trials[0].name]: readings.map(each => ({ ...each, sockets: 7 })) }
  assert.deepEqual(
    machinePlots({ ...examined, machine: withSockets }, 2).map(({ title }) => title),
    ['load1 of the machine', 'TCP sockets in use']
  )
  assert.deepEqual(machinePlots(examined, 2), [])
})

describe('the zoom into a second', () => {
  /** @param {number} second @param {[number, number][]} histogram @param {object} [more] */
  const entry = (second, histogram, more) => ({ second, type: 'DISCOVER', outcome: 'OK', histogram, ...more })

  test('shows the times of the middle one, without those of no reply and the slowest', () => {
    const times = /** @type {[number, number][]} */ ([
      [1000, 50],
      [2000, 49],
      [90_000, 1]
    ])
    const [plot] = zoomPlots({
      outcome: {
        perSecond: [
          entry(0, [[1000, 1]]),
          entry(1, times),
          entry(1, [[5000, 9]], { type: 'CONNECT' }),
          entry(1, [[6000, 9]], { outcome: 'TIMEOUT' }),
          entry(2, [[1000, 1]])
        ]
      }
    })
    assert.equal(plot.title, 'Zoom: second 1 of the first run')
    assert.deepEqual(
      drawnIn(plot)[0].map(({ at, value }) => [at, value]),
      [
        [1, 50],
        [2, 49]
      ]
    )
    assert.match(plot.caption, /: 100 that are a dot/)
  })

  test('is not there where there are too few times', () => {
    assert.deepEqual(zoomPlots({ outcome: { perSecond: [] } }), [])
    assert.deepEqual(zoomPlots({ outcome: { perSecond: [entry(0, [[1000, 5]])] } }), [])
  })
})
