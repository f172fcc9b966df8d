import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { carriedText } from '../../../../src/scenarios/gossip/view/carried-words.js'

/** @typedef {import('../../../../src/scenarios/gossip/gossip-types.js').Trial} Trial */

/** @param {number} perSecond @returns {Trial} */
const carried = perSecond => ({ perSecond, carried: true, repeats: 3, reasons: [] })

/** @param {number} perSecond @param {Trial['reasons']} reasons @returns {Trial} */
const failed = (perSecond, ...reasons) => ({ perSecond, carried: false, repeats: 1, reasons })

describe('what --rate auto found is said in a line', () => {
  /** @type {[string, Parameters<typeof carriedText>[0], string][]} */
  const rows = [
    [
      'the rate, and why the next one was not carried',
      {
        perSecond: 11.2,
        lowestNotCarried: 12.4,
        trials: [
          carried(8),
          failed(16, { why: 'busy', value: 1 }),
          failed(12.4, { why: 'missing', value: 31 }, { why: 'slow', value: 1502 }),
          carried(11.2)
        ]
      },
      'Carried: 11.2 messages/s; 12.4 not: 31 deliveries missing, dissemination p99 1,502 ms.'
    ],
    [
      'no rate',
      {
        perSecond: null,
        lowestNotCarried: 1,
        trials: [failed(1, { why: 'unpublished', value: 1 }, { why: 'backlog', value: 1_250_000 })]
      },
      'Carried: no rate; 1.00 not: 1 message not published in time, a backlog that grew to 1,250 kB.'
    ],
    [
      'a busy worker',
      { perSecond: 4, lowestNotCarried: 8, trials: [carried(4), failed(8, { why: 'busy', value: 0.931 })] },
      'Carried: 4.00 messages/s; 8.00 not: a worker 93 % busy.'
    ],
    [
      'a search that was broken off while rates were still carried',
      { perSecond: 4, lowestNotCarried: null, trials: [carried(4), failed(8)] },
      'Carried: 4.00 messages/s.'
    ]
  ]
  for (const [what, found, expected] of rows) test(what, () => assert.equal(carriedText(found), expected))
})
