import { grouped, significant } from '../../../kit/numbers.js'
import { plusMinus } from '../../../report/plus-minus.js'
import { operationCells } from '../../../report/table.js'
import { timesTable } from '../../rotate/view/rotate-tables.js'
import { staleShare } from './rotate-rendezvous-words.js'

/**
 * @typedef {import('../rotate-rendezvous-types.js').RotateRendezvousResult} RotateRendezvousResult
 * @typedef {import('../rotate-rendezvous-types.js').RotateRendezvous} RotateRendezvous
 * @typedef {import('../rotate-rendezvous-types.js').RecordCount} RecordCount
 * @typedef {import('../../../kit/table.js').Table} Table
 */

/**
 * peerCells are the cells of the table of one result: that of any rendezvous run, but that nothing is registered before, and all of them refresh.
 *
 * @param {RotateRendezvousResult} result
 * @returns {Table}
 */
export function peerCells(result) {
  const { headings, rows } = operationCells(/** @type {any} */ (result))
  const without = (/** @type {any[]} */ cells) =>
    cells.filter((_, column) => !['Registrations', 'Mode'].includes(headings[column]))
  return {
    headings: without(headings).map(heading => (heading === 'Clients' ? 'Peers' : heading)),
    rows: rows.map(without)
  }
}

/** @param {string} name @param {RecordCount} count */
const records = (name, count) => [name, grouped(count.records), grouped(count.stale), staleShare(count)]

/** @param {number} ms - below 0: before */
const signed = ms => `${ms < 0 ? '−' : ''}${significant(Math.abs(ms))}`

/** @param {RotateRendezvous['left']['expiryLag']} lag @returns {import('../../rotate/view/rotate-tables.js').TitledTable[]} */
const expiry = lag =>
  lag === null
    ? []
    : [
        {
          title: 'Last given out, from the end of its time to live, ms',
          table: {
            headings: ['Registrations', 'Count', 'min', 'avg', 'median', 'max'],
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
 * rotateRendezvousTables say what became of peers that come and go, and of what they registered.
 *
 * @param {RotateRendezvous} rotation
 * @param {RotateRendezvousResult['run']} run
 * @returns {import('../../rotate/view/rotate-tables.js').TitledTable[]}
 */
export const rotateRendezvousTables = (
  { connect, register, firstDiscovery, visible, left, discovered },
  run
) => [
  timesTable(
    'From the start of a peer, ms',
    ['Until', 'Peers'],
    [
      ['it was connected', connect],
      ['it was registered', register],
      ['it had discovered another one', firstDiscovery]
    ]
  ),
  timesTable(
    `Registrations, ms${plusMinus(run)}`,
    ['From', 'Count'],
    [
      ['the reply to REGISTER until another peer was given it', visible.delay.all],
      ['the kill of its peer until it was last given out', left.lastSeenAfterKill]
    ]
  ),
  ...expiry(left.expiryLag),
  {
    title: 'Stale records in replies to DISCOVER',
    table: {
      headings: ['Records', 'Given', 'Stale', 'Share'],
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
      rows: [
        ['again', grouped(discovered.duplicates.again)],
        ['again, after the peer had registered again', grouped(discovered.duplicates.renewed)],
        ['twice in one reply', grouped(discovered.duplicates.inOneReply)]
      ]
    }
  }
]
