import { grouped, MISSING } from '../../../kit/numbers.js'
import { share } from '../../../report/share.js'
import { figure } from '../../../report/table.js'
import { TIMES } from '../../gossip/view/times.js'

/**
 * @typedef {import('../rotation-types.js').Rotation} Rotation
 * @typedef {import('../../../result/types.js').Summary} Summary
 * @typedef {import('../../../kit/table.js').Table} Table
 */

/** @param {Summary} summary */
const times = summary => TIMES.map(([key]) => figure(summary[key]))
const TITLES = TIMES.map(([, title]) => title)

/** @param {number} columns @returns {Table['align']} */
const right = columns => ['l', ...Array(columns).fill('r')]

/**
 * rotationTables say what became of nodes that come and go, and of what they received.
 *
 * @param {Rotation} rotation
 * @returns {{ title: string, table: Table }[]}
 */
export const rotationTables = ({ connect, firstDelivery, apart, duplicates }) => [
  {
    title: 'From the start of a node, ms',
    table: {
      headings: ['Until', 'Nodes', ...TITLES],
      align: right(1 + TITLES.length),
      rows: [
        ['it was connected', grouped(connect.count), ...times(connect)],
        ['its first delivery', grouped(firstDelivery.count), ...times(firstDelivery)]
      ]
    }
  },
  {
    title: 'Latency of all receipts, ms',
    table: {
      headings: ['Receipts', 'Count', ...TITLES],
      align: right(1 + TITLES.length),
      rows: [
        [
          'with duplicates',
          grouped(duplicates.latency.withDuplicates.count),
          ...times(duplicates.latency.withDuplicates)
        ],
        [
          'without duplicates',
          grouped(duplicates.latency.withoutDuplicates.count),
          ...times(duplicates.latency.withoutDuplicates)
        ]
      ]
    }
  },
  {
    title: 'Deliveries that count apart',
    table: {
      headings: ['Published', 'Messages × nodes', 'Delivered', '%'],
      align: right(3),
      rows: [
        deliveredRow('while the receiver was starting', apart.joining),
        deliveredRow('just before the receiver was killed', apart.leaving),
        ['before the receiver was started', MISSING, grouped(apart.earlier.delivered), MISSING],
        ['after the receiver was to be killed', MISSING, grouped(apart.gone.delivered), MISSING]
      ]
    }
  }
]

/** @param {string} when @param {{ expected: number, delivered: number }} count */
const deliveredRow = (when, { expected, delivered }) => [
  when,
  grouped(expected),
  grouped(delivered),
  share(delivered, expected)
]
