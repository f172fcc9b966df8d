import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { getKindSchema } from '../../../src/plan/schema.js'
import {
  makeJitterKind,
  makeLatencyKind,
  makePartitionsKind
} from '../../../src/scenarios/network-options.js'

/** @type {Record<string, string>} */
const FILES = {
  'two.csv': '# ms\n0, 10\n20; 0\n',
  'spaces.txt': '0\t10\r\n20  0',
  'rows.json': '[[1, 2], [3, 4]]',
  'regions.json': '{ "latencyMs": [[2, 110], [110, 4]], "weights": [290, 1059] }',
  'short.csv': '0,1\n2\n',
  'word.csv': '0,far\n1,0\n',
  'empty.csv': '# nothing\n',
  'broken.json': '[[1, 2',
  'weights.json': '{ "latencyMs": [[1]], "weights": [0] }',
  'named.csv': 'from,eu,us west\neu,2,110\nus west,110.5,3\n',
  'pandas.tsv': '\teu\tus\neu\t2.0\t1.1e+02\nus\t5\t3.\n',
  'named.json': '{ "names": ["eu", "us"], "latencyMs": [[2, 110], [5, 3]] }',
  'hole.csv': '5,,70\n60,5,80\n70,80,5\n',
  'corner.csv': ',5\n5,0\n',
  'hole.tsv': '5\t\t70\n60\t5\t80\n70\t80\t5\n',
  'hex.csv': '0,1\n0x10,0\n',
  'infinity.csv': '0,Infinity\n1,0\n',
  'large.csv': '0,1e400\n1,0\n',
  'large.json': '[[0, 1e400], [1, 0]]',
  'null.json': '[[0, null], [1, 0]]',
  'other-names.csv': 'from,eu,us\neu,0,1\nasia,1,0\n',
  'twice.csv': 'from,eu,eu\neu,0,1\neu,1,0\n',
  'short-names.json': '{ "names": ["eu"], "latencyMs": [[2, 110], [110, 4]] }',
  'key.json': '{ "latencyMs": [[1]], "weigths": [1] }',
  'latency-key.json': '{ "latencies": [[1]] }'
}

/** @param {string} path */
function readText(path) {
  if (!Object.hasOwn(FILES, path)) throw Object.assign(new Error('no such file'), { code: 'ENOENT' })
  return FILES[path]
}

/** @param {import('../../../src/plan/values.js').OptionValueKind} kind @param {unknown} value */
function readBy(kind, value) {
  const read = kind.read ?? kind.item
  if (read !== undefined) return read(value, z)
  const { success, data } = getKindSchema(kind).safeParse(value)
  return success ? { value: data } : { allowed: kind.allowed }
}

const LATENCY = makeLatencyKind(readText)

/** Latencies of a file. @param {string} text - its rows @param {object} more */
const matrix = (text, more) => {
  const ms = text.split(', ').map(row => row.split(' ').map(Number))
  return { kind: 'matrix', ms, ...more }
}

describe('the value of --linkLatency', () => {
  const normal = { kind: 'normal', meanMs: 50, sdMs: 10 }
  const uniform = { kind: 'uniform', minMs: 40, maxMs: 60 }
  const constant = { kind: 'constant', ms: 5 }
  /** @type {[text: unknown, spec: object][]} */
  const rows = [
    ['50ms', { kind: 'constant', ms: 50 }],
    ['0', { kind: 'constant', ms: 0 }],
    [' 1.5s ', { kind: 'constant', ms: 1500 }],
    ['uniform:40ms-60ms', uniform],
    ['normal:50ms,10ms', normal],
    ['lognormal: 50ms, 20ms', { kind: 'lognormal', meanMs: 50, sdMs: 20 }],
    ['file:two.csv', matrix('0 10, 20 0', { path: 'two.csv' })],
    ['file:spaces.txt', matrix('0 10, 20 0', { path: 'spaces.txt' })],
    ['file:rows.json', matrix('1 2, 3 4', { path: 'rows.json' })],
    ['file:regions.json', matrix('2 110, 110 4', { weights: [290, 1059], path: 'regions.json' })],
    ['file:named.csv', matrix('2 110, 110.5 3', { names: ['eu', 'us west'], path: 'named.csv' })],
    ['file:pandas.tsv', matrix('2 110, 5 3', { names: ['eu', 'us'], path: 'pandas.tsv' })],
    ['file:named.json', matrix('2 110, 5 3', { names: ['eu', 'us'], path: 'named.json' })],
    [{ kind: 'normal', mean: '50ms', sd: '10ms' }, normal],
    [{ kind: 'uniform', min: '40ms', max: '60ms' }, uniform],
    [{ kind: 'constant', latency: '5ms' }, constant]
  ]
  for (const [value, spec] of rows) {
    it(`${JSON.stringify(value)} is understood`, () =>
      assert.deepEqual(readBy(LATENCY, value), { value: spec }))
  }

  for (const [value, spec] of rows) {
    it(`${JSON.stringify(value)} is written so that it is read again`, () => {
      assert.deepEqual(readBy(LATENCY, LATENCY.write(/** @type {any} */ (spec))), { value: spec })
    })
  }

  /** @type {[text: unknown, allowed: RegExp][]} */
  const refused = [
    ['50', /^must be a latency with its unit such as 50ms, or uniform/],
    ['11s', /from 0 to 10s$/],
    ['-5ms', /^must be a latency/],
    ['gamma:1ms,2ms', /^must be a latency/],
    ['uniform:60ms-40ms', /the smaller one first/],
    ['uniform:60ms', /must have two latencies/],
    ['normal:50ms', /^must have a mean above 0 and a standard deviation/],
    ['normal:0,10ms', /^must have a mean above 0/],
    ['lognormal:50ms,20ms,1ms', /such as lognormal:50ms,10ms$/],
    ['file:', /^must name a file/],
    ['file:none.csv', /cannot be read \(ENOENT\)$/],
    ['file:short.csv', /row 2 has 1 columns, and there are 2 rows/],
    ['file:word.csv', /row 1, column 2 is "far", and no latency from 0 to 10000 ms$/],
    ['file:hole.csv', /row 1, column 2 is empty, and no latency/],
    ['file:corner.csv', /row 1, column 1 is empty/],
    ['file:hole.tsv', /row 1, column 2 is empty/],
    ['file:hex.csv', /row 2, column 1 is "0x10"/],
    ['file:infinity.csv', /row 1, column 2 is "Infinity"/],
    ['file:large.csv', /row 1, column 2 is "1e400"/],
    ['file:large.json', /row 1, column 2 is /],
    ['file:null.json', /row 1, column 2 is null/],
    ['file:other-names.csv', /row 2 is named "asia", and column 2 "us": rows and columns must have the same/],
    ['file:twice.csv', /its names must be 2 different texts/],
    ['file:short-names.json', /its names must be 2 different texts/],
    ['file:key.json', /it has the unknown key "weigths"; did you mean weights\?$/],
    ['file:latency-key.json', /it has the unknown key "latencies"/],
    [
      { kind: 'normal', mean: '5ms', sd: '1ms', max: '9ms' },
      /^has the unknown key "max": must be one of kind, mean, sd$/
    ],
    ['file:empty.csv', /it has no rows$/],
    ['file:broken.json', /begins like JSON and is none/],
    ['file:weights.json', /its weights must be 1 numbers/],
    [{ kind: 'normal' }, /^must have a mean/],
    [null, /^must be a latency/]
  ]
  for (const [value, allowed] of refused) {
    it(`${JSON.stringify(value)} is refused with what is allowed`, () => {
      const read = readBy(LATENCY, value)
      assert.ok('allowed' in read)
      assert.match(read.allowed, allowed)
    })
  }
})

describe('the value of --linkJitter', () => {
  /** @type {[text: unknown, spec: any][]} */
  const rows = [
    ['1%', { kind: 'share', share: 0.01 }],
    ['0.1 %', { kind: 'share', share: 0.001 }],
    ['5ms', { kind: 'time', ms: 5 }],
    ['0', { kind: 'time', ms: 0 }]
  ]
  for (const [value, spec] of rows) {
    it(`${value} is understood, and written so that it is read again`, () => {
      assert.deepEqual(readBy(makeJitterKind(), value), { value: spec })
      assert.deepEqual(readBy(makeJitterKind(), makeJitterKind().write(spec)), { value: spec })
    })
  }
  for (const value of ['5', '101%', '-1%', 'much', '']) {
    it(`${value} is refused`, () => assert.ok('allowed' in readBy(makeJitterKind(), value)))
  }
})

describe('the value of --partition', () => {
  const nodes = (/** @type {number} */ first, last = first) => ({ first, last })
  const two = [[nodes(0, 9)], [nodes(10, 29)]]
  const three = [[nodes(0, 2), nodes(7)], [nodes(4)], [nodes(5)]]
  const held = { kind: 'hold', fromMs: 10_000, toMs: 15_000, between: two }
  /** @type {[value: unknown, cut: any][]} */
  const rows = [
    ['hold@10s-15s:0-9|10-29', held],
    [
      ' reset @ 500ms - 1m : 0-9 | rest ',
      { kind: 'reset', fromMs: 500, toMs: 60_000, between: [two[0], []] }
    ],
    ['hold@0-1s:0-2,7|4|5', { kind: 'hold', fromMs: 0, toMs: 1000, between: three }],
    [{ kind: 'hold', from: '10s', to: '15s', between: ['0-9', '10-29'] }, held]
  ]
  for (const [value, cut] of rows) {
    it(`${JSON.stringify(value)} is understood, and written so that it is read again`, () => {
      assert.deepEqual(readBy(makePartitionsKind(), value), { value: cut })
      assert.deepEqual(readBy(makePartitionsKind(), makePartitionsKind().write(cut)), { value: cut })
      assert.deepEqual(getKindSchema(makePartitionsKind()).parse([cut]), [cut])
    })
  }

  /** @type {[text: unknown, allowed: RegExp][]} */
  const refused = [
    ['', /^must be hold or reset, when, and groups/],
    ['drop@1s-2s:0|1', /^must be hold or reset/],
    ['hold@10s:0-9|10-29', /^must be hold or reset/],
    ['hold@15s-10s:0-9|10-29', /^must have a time and a later one/],
    ['hold@10-15:0-9|10-29', /with their units/],
    ['hold@10s-15s:0-9', /^must have at least two groups/],
    ['hold@10s-15s:0-9|', /^must have groups of nodes by number/],
    ['hold@10s-15s:9-0|10', /^must have groups of nodes by number/],
    ['hold@10s-15s:a|b', /^must have groups of nodes by number/],
    ['hold@10s-15s:rest|rest', /^must name the rest once/],
    ['hold@10s-15s:0-9|9-29', /^must have each node in one group only/],
    [{ kind: 'hold' }, /^must have a time/]
  ]
  for (const [value, allowed] of refused) {
    it(`${JSON.stringify(value)} is refused with what is allowed`, () => {
      const read = readBy(makePartitionsKind(), value)
      assert.ok('allowed' in read)
      assert.match(read.allowed, allowed)
    })
  }
})
