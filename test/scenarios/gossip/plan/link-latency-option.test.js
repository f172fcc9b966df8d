import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { linkLatency } from '../../../../src/scenarios/network-options.js'

/** @param {unknown} value @param {(path: string) => string} [readText] @returns {any} */
const read = (value, readText) => linkLatency(readText).read?.(value, /** @type {any} */ (z))

const SPECS = /** @type {const} */ ([
  { kind: 'constant', ms: 50 },
  { kind: 'uniform', minMs: 40, maxMs: 60 },
  { kind: 'normal', meanMs: 50, sdMs: 10 },
  { kind: 'lognormal', meanMs: 50, sdMs: 0 }
])

describe('the latency of links', () => {
  it('is read as it is written', () => {
    for (const spec of SPECS) assert.deepEqual(read(linkLatency().write(spec)), { value: spec })
    assert.equal(linkLatency().write(/** @type {any} */ ({ kind: 'matrix', path: 'm.csv' })), 'file:m.csv')
  })

  it('is read from a mapping of each kind', () => {
    assert.deepEqual(read({ kind: 'constant', latency: '50ms' }), { value: SPECS[0] })
    assert.deepEqual(read({ kind: 'uniform', min: '40ms', max: '60ms' }), { value: SPECS[1] })
    assert.deepEqual(read({ kind: 'normal', mean: '50ms', sd: '10ms' }), { value: SPECS[2] })
    assert.deepEqual(read('constant: 50ms'), { value: SPECS[0] })
  })

  it('is read from a file, whose path is kept', () => {
    const matrix = '0,10\n10,0\n'
    const { value } = read({ kind: 'file', path: 'm.csv' }, path => (path === 'm.csv' ? matrix : ''))
    assert.equal(value.path, 'm.csv')
    assert.equal(value.kind, 'matrix')
  })

  it('that cannot be is refused with what is allowed', () => {
    const unreadable = () => {
      throw Object.assign(new Error('no'), { code: 'EACCES' })
    }
    for (const [value, allowed] of /** @type {[unknown, RegExp][]} */ ([
      ['fast', /^must be a latency with its unit such as 50ms, .*, each from 0 to 10s$/],
      ['11s', /, each from 0 to 10s$/],
      ['uniform:60ms-40ms', /^must have two latencies from 0 to 10s, the smaller one first/],
      ['uniform:1ms-2ms-3ms', /^must have two latencies/],
      ['normal:0ms,1ms', /such as normal:50ms,10ms$/],
      ['lognormal:50ms', /such as lognormal:50ms,10ms$/],
      ['file:', /^must name a file after the colon/],
      ['file:m.csv', /^names a file that cannot be read \(EACCES\)$/]
    ]))
      assert.match(read(value, unreadable).allowed, allowed, String(value))
    assert.match(read('file:m.csv', () => 'a,b\n').allowed, /^is no matrix of latencies: /)
  })

  it('of a plan is its kind, or the same ms for all links, and nothing else', () => {
    const schema = linkLatency().schema(/** @type {any} */ (z), /** @type {any} */ (null))
    assert.deepEqual(schema.parse('uniform:40ms-60ms'), SPECS[1])
    assert.deepEqual(schema.parse(SPECS[2]), SPECS[2])
    assert.equal(schema.parse(100), 100)
    for (const value of ['fast', -1, {}]) assert.equal(schema.safeParse(value).success, false)
  })
})
