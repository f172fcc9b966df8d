import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  dueIn,
  isPackedReplay,
  offeredLoad,
  packReplay,
  parseReplay,
  unpackReplay
} from '../../src/load/arrivals.js'

/** @typedef {import('../../src/load/arrivals.js').Reading} Reading */

/** @type {Reading} */
const PLAIN = { unit: 'ms', column: null }

describe('a file of arrivals', () => {
  /** @type {[string, string, Partial<Reading>, number[]][]} µs */
  const cases = [
    ['has an offset in each line', '0\n1.5\n20\n', {}, [0, 1500, 20_000]],
    ['may count in seconds', '0\n1.5\n20', { unit: 's' }, [0, 1_500_000, 20_000_000]],
    [
      'may have comments, empty lines and line ends of any system',
      '# a\r\n1\r\n\r\n 2 # b\r\n',
      {},
      [1000, 2000]
    ],
    ['may have a name above its only column', 'due\n1\n2', {}, [1000, 2000]],
    ['may be a column of a table', 'id,due\na,3\nb,3\n"c","4.25"\n', { column: 'due' }, [3000, 3000, 4250]],
    ['may have two at once', '5\n5\n5', {}, [5000, 5000, 5000]]
  ]
  for (const [name, text, reading, expected] of cases)
    it(name, () => assert.deepEqual([...parseReplay(text, { ...PLAIN, ...reading })], expected))

  /** @type {[string, string, Partial<Reading>, RegExp][]} */
  const bad = [
    ['without arrivals', '# nothing\n', {}, /^holds no arrivals$/],
    ['whose offsets fall', '1\n3\n2\n', {}, /^line 3: 2 ms is before the line above it/],
    ['with a word', '1\n\n2\nfoo\n', {}, /^line 4: "foo" must be an offset in ms, such as 12\.5$/],
    ['with a negative number', '-1\n-1', {}, /^line 2: "-1" must be an offset/],
    ['without the column', 'a,b\n1,2', { column: 'due' }, /^line 1: has no column due, only a, b$/],
    ['of several columns, none chosen', '1,2\n3,4', {}, /^line 1: has several columns: say which/],
    ['with a row that is too short', 'a,due\n1,2\n3\n', { column: 'due' }, /^line 3: "" must be an offset/],
    ['of points in time', '1763630000\n', { unit: 's' }, /^line 1: .* more than 24 days after the start/]
  ]
  for (const [name, text, reading, message] of bad)
    it(`${name} is refused, with the line`, () =>
      assert.throws(() => parseReplay(text, { ...PLAIN, ...reading }), { message }))
})

describe('arrivals in a plan', () => {
  it('that cannot be unpacked, or are not as many as they say, are told from those that can', () => {
    const { gaps, count } = packReplay(Float64Array.of(0, 1000, 5000))
    assert.equal(isPackedReplay({ gaps, count }), true)
    assert.equal(isPackedReplay({ gaps, count: 4 }), false)
    for (const wrong of ['', 'no base64!', gaps.slice(0, 8)])
      assert.equal(isPackedReplay({ gaps: wrong, count }), false, wrong)
  })

  const offsets = Float64Array.from([0, 0, 1, 127, 128, 20_000, 5e9, 5e9 + 3e9])

  it('are the same when they are unpacked', () => {
    const packed = packReplay(offsets)
    assert.deepEqual(
      [...unpackReplay(packed)],
      [...offsets].map(us => us * 1000)
    )
    assert.deepEqual([packed.count, packed.spanMs], [8, 8e6])
  })

  it('are sooner at a higher speed', () =>
    assert.deepEqual(
      [...unpackReplay(packReplay(Float64Array.from([0, 1000, 3000]), 2))],
      [0, 500_000, 1_500_000]
    ))

  it('take little room', () => {
    const many = Float64Array.from({ length: 100_000 }, (_, i) => i * 1000 + (i % 7) * 20)
    assert.ok(packReplay(many).gaps.length < 100_000)
  })

  it('end with the duration', () => {
    const arrivals = /** @type {any} */ ({
      shape: 'replay',
      ...packReplay(Float64Array.from([0, 1000, 2000, 3000]))
    })
    assert.equal(dueIn({ arrivals, ratePerSecond: 1, durationMs: 3 }), 3)
    assert.equal([...offeredLoad({ arrivals, ratePerSecond: 1, durationMs: 3 }, Math.random)].length, 4)
  })
})
