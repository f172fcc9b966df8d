import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { makePublications, selectPublications } from '../../src/load/publications.js'

/** @typedef {Parameters<typeof makePublications>[0]} Load */

/** @param {Partial<Load>} [changes] @returns {Load} */
const load = changes => ({
  seed: 1,
  ratePerSecond: 10,
  arrivals: 'constant',
  messages: 100,
  durationMs: null,
  messageBytes: { min: 1000, max: 1000 },
  ...changes
})

/** Nodes 0 and 3 subscribe to nothing. */
const SUBSCRIPTIONS = [[], [0, 2], [1], [], [2]]

/** @param {Partial<Load>} [changes] */
const made = (changes, subscriptions = SUBSCRIPTIONS) => makePublications(load(changes), subscriptions)

describe('publications', () => {
  it('are as many as asked for, numbered, evenly spaced from the start', () => {
    const { message, offsetNs } = made({ messages: 4 })
    assert.deepEqual([...message], [0, 1, 2, 3])
    assert.deepEqual([...offsetNs], [0, 1e8, 2e8, 3e8])
  })

  for (const [durationMs, count] of /** @type {[number, number][]} */ ([
    [1000, 10],
    [1001, 11],
    [50, 1]
  ]))
    it(`are ${count} at 10/s for ${durationMs} ms`, () =>
      assert.equal(made({ messages: null, durationMs }).message.length, count))

  it('are independent of each other with poisson arrivals: as many in the long run, as often close together', () => {
    const { offsetNs } = made({ arrivals: 'poisson', messages: 5000 })
    const gaps = [...offsetNs].map((ns, i) => ns - (offsetNs[i - 1] ?? 0))
    assert.ok(gaps.every(gap => gap >= 0))
    const averageMs = offsetNs[4999] / 5000 / 1e6
    assert.ok(Math.abs(averageMs - 100) < 8, `${averageMs} ms`)
    const shorter = gaps.filter(gap => gap < 1e8).length / gaps.length
    assert.ok(Math.abs(shorter - (1 - Math.exp(-1))) < 0.04, `${shorter} are shorter than the average`)
  })

  it('come from nodes that subscribe to something, to one of their topics, each of them as often', () => {
    const { node, topic } = made({ messages: 3000 })
    for (const [row, from] of node.entries()) assert.ok(SUBSCRIPTIONS[from].includes(topic[row]))
    for (const publisher of [1, 2, 4]) {
      const share = node.filter(from => from === publisher).length / 3000
      assert.ok(Math.abs(share - 1 / 3) < 0.05, `node ${publisher}: ${share}`)
    }
    const ofFirst = topic.filter((_, row) => node[row] === 1)
    const share = ofFirst.filter(each => each === 0).length / ofFirst.length
    assert.ok(Math.abs(share - 0.5) < 0.08, `topic 0: ${share}`)
  })

  it('come from the named nodes alone, as often from each, and from none of them that subscribes to nothing', () => {
    const { node } = made({ publishers: { nodes: [4, 3, 1] }, messages: 1000 })
    assert.deepEqual([...new Set(node)].sort(), [1, 4])
    const ones = node.filter(each => each === 1).length
    assert.ok(ones > 400 && ones < 600, `${ones} of 1000`)
    assert.deepEqual(new Set(made({ publishers: { nodes: [2] } }).node), new Set([2]))
  })

  it('have sizes of the range, both ends too', () => {
    const { bytes } = made({ messageBytes: { min: 8, max: 10 } })
    assert.deepEqual([...new Set(bytes)].sort(), [10, 8, 9])
  })

  it('are the same with the same seed, and others with another one', () => {
    assert.deepEqual(made(), made())
    assert.notDeepEqual(made().node, made({ seed: 2 }).node)
  })

  it('keep sources and topics when sizes or times are drawn otherwise', () => {
    const usual = made()
    const other = made({ messageBytes: { min: 8, max: 4000 }, arrivals: 'poisson' })
    assert.deepEqual([other.node, other.topic], [usual.node, usual.topic])
  })
})

describe('the publications of some nodes', () => {
  const rows = made()

  it('are their rows, in order', () => {
    const mine = selectPublications(rows, node => node === 2)
    const places = [...rows.node].flatMap((node, row) => (node === 2 ? [row] : []))
    assert.ok(places.length > 0)
    for (const [name, column] of Object.entries(mine)) {
      const whole = rows[/** @type {keyof typeof rows} */ (name)]
      assert.equal(column.constructor, whole.constructor)
      assert.deepEqual(
        [...column],
        places.map(row => whole[row]),
        name
      )
    }
  })

  it('of all shares together are all of them', () => {
    const shares = [0, 1, 2].map(worker => selectPublications(rows, node => node % 3 === worker))
    const messages = shares.flatMap(({ message }) => [...message]).sort((a, b) => a - b)
    assert.deepEqual(messages, [...rows.message])
  })

  it('of nobody are none', () => {
    for (const column of Object.values(selectPublications(rows, () => false))) assert.equal(column.length, 0)
  })
})
