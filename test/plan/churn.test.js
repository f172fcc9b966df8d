import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { churnKind } from '../../src/plan/churn.js'
import { getKindSchema } from '../../src/plan/schema.js'

/** @param {import('../../src/plan/values.js').OptionValueKind} kind @param {unknown} value */
function readBy(kind, value) {
  const { success, data } = getKindSchema(kind).safeParse(value)
  return success ? { value: data } : { allowed: kind.allowed }
}

describe('the value of --churn', () => {
  const kind = churnKind({ gossip: true })
  const group = { peers: 10, everyMs: 15_000, atRandom: false, awayMs: 5000 }
  const asNew = { asNew: true, dials: 6, settleMs: 5000 }
  /** @type {[value: unknown, spec: any][]} */
  const rows = [
    ['5%/min', { share: 0.05, perMs: 60_000, awayMs: 30_000 }],
    ['0.5 % / s, away = 10s', { share: 0.005, perMs: 1000, awayMs: 10_000 }],
    ['100%/h,away=5m', { share: 1, perMs: 3_600_000, awayMs: 300_000 }],
    ['5%/min,as=new', { share: 0.05, perMs: 60_000, awayMs: 30_000, ...asNew }],
    ['10,every=15s', { ...group, ...asNew }],
    [
      '10,every=15s,away=2s,dials=4,settle=1s',
      { ...group, awayMs: 2000, asNew: true, dials: 4, settleMs: 1000 }
    ],
    ['10,every=15s,as=itself', group],
    ['10, every=15s, order=random, as=itself', { ...group, atRandom: true }],
    ['10,every=15s,order=random', { ...group, atRandom: true, ...asNew }],
    [
      { leave: 10, every: '15s' },
      { ...group, ...asNew }
    ],
    [
      { leave: '5%/min', away: '10s' },
      { share: 0.05, perMs: 60_000, awayMs: 10_000 }
    ]
  ]
  for (const [value, spec] of rows) {
    it(`${JSON.stringify(value)} is understood, and written so that it is read again`, () => {
      assert.deepEqual(readBy(kind, value), { value: spec })
      assert.deepEqual(readBy(kind, kind.write(spec)), { value: spec })
      assert.deepEqual(getKindSchema(kind).parse(spec), spec)
    })
  }
  for (const value of [
    '5',
    '5%',
    '0%/min',
    '101%/min',
    '5%/day',
    '5%/min,away=0',
    '5%/min,down=3s',
    '5/min',
    '5%/min,every=3s',
    '10,every=1ms',
    '10,every=15s,as=others',
    '10,every=15s,order=none',
    '10,every=15s,as=itself,dials=3',
    '10,every=15s,every=15s'
  ]) {
    it(`${value} is refused`, () => assert.ok('allowed' in readBy(kind, value)))
  }
})
