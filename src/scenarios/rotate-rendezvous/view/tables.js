import { grouped, significant } from '../../../kit/numbers.js'
import { figure, operationCells } from '../../../report/table.js'
import { TIMES } from '../../gossip/view/times.js'
import { staleShare } from './words.js'

/**
 * @typedef {import('../../gossip/gossip-types.js').RendezvousRotationResult} RendezvousRotationResult
 * @typedef {import('../rendezvous-rotation-types.js').RendezvousRotation} RendezvousRotation
 * @typedef {import('../rendezvous-rotation-types.js').RecordCount} RecordCount
 * @typedef {import('../../../result/types.js').Summary} Summary
 * @typedef {import('../../../kit/table.js').Table} Table
 */

/**
 * peerCells are the cells of the table of one result: that of any rendezvous run, but that nothing is registered before.
 *
 * @param {RendezvousRotationResult} result
 * @returns {Table}
 */
export function peerCells(result) {
  const { headings, align, rows } = operationCells(/** @type {any} */ (result))
  const left = headings.indexOf('Registrations')
  const without = (/** @type {any[]} */ cells) => cells.filter((_, column) => column !== left)
  return {
    headings: without(headings).map(heading => (heading === 'Clients' ? 'Peers' : heading)),
    align: without(align),
    rows: rows.map(without)
  }
}

/** @param {Summary} summary */
const times = summary => TIMES.map(([key]) => figure(summary[key]))
const TITLES = TIMES.map(([, title]) => title)

/** @param {number} columns @returns {Table['align']} */
const right = columns => ['l', ...Array(columns).fill('r')]

/** @param {string} name @param {RecordCount} count */
const records = (name, count) => [name, grouped(count.records), grouped(count.stale), staleShare(count)]

/** @param {number} ms - below 0: before */
const signed = ms => `${ms < 0 ? '−' : ''}${significant(Math.abs(ms))}`

/** @param {RendezvousRotation['left']['expiryLag']} lag @returns {{ title: string, table: Table }[]} */
const expiry = lag =>
  lag === null
    ? []
    : [
        {
          title: 'Last given out, from the end of its time to live, ms',
          table: {
            headings: ['Registrations', 'Count', 'min', 'avg', 'median', 'max'],
            align: right(5),
            rows: [
              [
                'of killed peers, expired',
                grouped(lag.count),
                ...[lag.min, lag.avg, lag.median, lag.max].map(signed)
              ]
            ]
          }
        }
      ]

/**
 * peerRotationTables say what became of peers that come and go, and of what they registered.
 *
 * @param {RendezvousRotation} rotation
 * @returns {{ title: string, table: Table }[]}
 */
export const peerRotationTables = ({ connect, register, firstDiscovery, visible, left, discovered }) => [
  {
    title: 'From the start of a peer, ms',
    table: {
      headings: ['Until', 'Peers', ...TITLES],
      align: right(1 + TITLES.length),
      rows: [
        ['it was connected', grouped(connect.count), ...times(connect)],
        ['it was registered', grouped(register.count), ...times(register)],
        ['it had discovered another one', grouped(firstDiscovery.count), ...times(firstDiscovery)]
      ]
    }
  },
  {
    title: 'Registrations, ms',
    table: {
      headings: ['From', 'Count', ...TITLES],
      align: right(1 + TITLES.length),
      rows: [
        [
          'the reply to REGISTER until another peer was given it',
          grouped(visible.delay.all.count),
          ...times(visible.delay.all)
        ],
        [
          'the kill of its peer until it was last given out',
          grouped(left.lastSeenAfterKill.count),
          ...times(left.lastSeenAfterKill)
        ]
      ]
    }
  },
  ...expiry(left.expiryLag),
  {
    title: 'Stale records in replies to DISCOVER',
    table: {
      headings: ['Records', 'Given', 'Stale', 'Share'],
      align: right(3),
      rows: [
        records('with duplicates', discovered.withDuplicates),
        records('without duplicates', discovered.withoutDuplicates)
      ]
    }
  },
  {
    title: 'Duplicates among these records',
    table: {
      headings: ['Given to the same discoverer', 'Records'],
      align: right(1),
      rows: [
        ['again', grouped(discovered.duplicates.again)],
        ['again, after the peer had registered again', grouped(discovered.duplicates.renewed)],
        ['twice in one reply', grouped(discovered.duplicates.inOneReply)]
      ]
    }
  }
]
