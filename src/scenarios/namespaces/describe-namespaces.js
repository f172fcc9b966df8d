import { facts, table } from '../../report/description/tables.js'

/**
 * @typedef {import('../../result/types.js').Shape<typeof import('./namespace-schema.js').namespaces>} NamespaceFigures
 * @typedef {import('../../report/description/description.js').DescribedTable} DescribedTable
 */

/** @param {number | null | undefined} value @param {number} factor */
const times = (value, factor) => (value == null ? null : value * factor)

/**
 * namespaceTables say which links a plan asked for, what was measured on them before the run, and what the router carried.
 *
 * @param {NamespaceFigures | null | undefined} namespaces - null: the nodes were in none
 * @returns {DescribedTable[]}
 */
export function namespaceTables(namespaces) {
  if (namespaces == null) return []
  const { links, router, congestionControl, dropped, step, ladder, netem, lateAllowedMs } = namespaces
  return [
    table(
      'links',
      'Links',
      links,
      [
        ['Link', ({ what }) => what, 'text'],
        ['Nodes', ({ from, to }) => `${from} – ${to}`, 'text'],
        ['Round trip asked ms', ({ roundTrip }) => roundTrip.askedMs, 'ms'],
        ['Measured ms', ({ roundTrip }) => roundTrip.foundMs, 'ms'],
        ['Loss asked %', ({ loss }) => times(loss?.asked, 100), 'percent'],
        ['Measured %', ({ loss }) => times(loss?.found, 100), 'percent'],
        ['Packets', ({ loss }) => loss?.packets, 'count'],
        ['Bandwidth asked MB/s', ({ rate }) => times(rate?.asked, 1e-6), 'MB'],
        ['Measured MB/s', ({ rate }) => times(rate?.found, 1e-6), 'MB']
      ],
      { note: 'Measured with TCP segments before the run.' }
    ),
    facts('router', 'Network namespaces', [
      ['Links are made by', step, 'text'],
      ['Congestion control', congestionControl.found, 'text'],
      ['Packets', router?.packets, 'count'],
      ['Data, MB', times(router?.bytes, 1e-6)],
      ['Packets per second', router?.packetsPerSecond],
      ['CPU per packet, µs', router?.cpuMicrosPerPacket],
      ['Reader waited for a core, % of the time', times(router?.waitedShare, 100)],
      ['Late at p99, ms', router?.lateness.p99?.ms],
      ['Allowed late at p99, ms', lateAllowedMs],
      ['Packets lost as asked', router?.lost, 'count'],
      ['Packets cut off by partitions', router?.cut, 'count'],
      ['Packets without room in the queue', router?.overflowed, 'count'],
      ['Packets that left their namespace in vain', dropped, 'count']
    ]),
    table(
      'link-methods',
      'Ways to make links',
      ladder ?? [{ step: 'netem', lacks: netem, passedOver: null }],
      [
        ['Method', rung => rung.step, 'text'],
        ['Not possible because', ({ lacks }) => lacks, 'text'],
        ['Not used because', ({ passedOver }) => passedOver, 'text']
      ]
    )
  ]
}

/** routerTimes are rows of the table of times. @param {NamespaceFigures | null | undefined} namespaces */
export const routerTimes = namespaces =>
  namespaces?.router == null
    ? []
    : [/** @type {const} */ (['Router: a packet was late by', namespaces.router.lateness])]
