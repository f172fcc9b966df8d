import { grouped, MISSING } from '../../../kit/numbers.js'
import { share } from '../../../report/share.js'
import { timesTable } from '../../rotate/view/rotate-tables.js'

/**
 * @typedef {import('../rotate-gossip-types.js').RotateGossip} RotateGossip
 */

/**
 * rotateGossipTables say what became of nodes that come and go, and of what they received.
 *
 * @param {RotateGossip} rotation
 * @returns {import('../../rotate/view/rotate-tables.js').TitledTable[]}
 */
export const rotateGossipTables = ({ connect, firstDelivery, apart, duplicates }) => [
  timesTable(
    'From the start of a node, ms',
    ['Until', 'Nodes'],
    [
      ['it was connected', connect],
      ['its first delivery', firstDelivery]
    ]
  ),
  timesTable(
    'Latency of all receipts, ms',
    ['Receipts', 'Count'],
    [
      ['with duplicates', duplicates.latency.withDuplicates],
      ['without duplicates', duplicates.latency.withoutDuplicates]
    ]
  ),
  {
    title: 'Deliveries that count apart',
    table: {
      headings: ['Published', 'Messages × nodes', 'Delivered', '%'],
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
