// Makes the tables of links between Linux network namespaces, as planned and as measured, with their router. All
// scenarios use them.
import { makeTable, makeTimeCell, toMegabytes, toPercent } from '../report/description.js'

/**
 * @typedef {import('./gossip/outcome.js').NamespaceFigures} NamespaceFigures
 * @typedef {import('../report/schema.js').DescribedTable} DescribedTable
 * @typedef {{ label?: string, figures: NamespaceFigures | null | undefined }} Network - `label`: which one, of several in turn
 */

/**
 * makeNamespaceTables shows the links between network namespaces, as planned and as measured before the run, with their router and the
 * alternatives to it.
 *
 * @param {readonly Network[]} networks
 * @returns {DescribedTable[]} none: the run had no namespaces
 */
export function makeNamespaceTables(networks) {
  const known = networks.flatMap(({ label = null, figures }) => (figures ? [{ label, figures }] : []))
  const links = known.flatMap(({ label, figures }) => figures.links.map(link => ({ label, link })))
  const routers = known.flatMap(({ label, figures }) =>
    figures.router === null ? [] : [{ label, figures, router: figures.router }]
  )
  const tables = [
    {
      ...makeTable('links', 'Links between network namespaces', links, [
        ['Network', ({ label }) => label, 'text'],
        ['Link', ({ link }) => `${link.what} (${link.from} – ${link.to})`, 'text'],
        ['RTT planned ms', ({ link }) => link.roundTrip.askedMs, 'ms'],
        ['RTT measured ms', ({ link }) => link.roundTrip.foundMs, 'ms'],
        ['Loss planned %', ({ link }) => toPercent(link.loss?.asked), 'percent'],
        ['Loss measured %', ({ link }) => toPercent(link.loss?.found), 'percent'],
        ['Packets', ({ link }) => link.loss?.packets, 'count'],
        ['Planned MB/s', ({ link }) => toMegabytes(link.rate?.asked), 'number'],
        ['Measured MB/s', ({ link }) => toMegabytes(link.rate?.found), 'number']
      ]),
      note: 'Measured with segments of the kernel’s TCP, before the nodes started.'
    },
    makeTable('router', 'Router between network namespaces', routers, [
      ['Network', ({ label }) => label, 'text'],
      ['TCP', ({ figures }) => figures.congestionControl.found, 'text'],
      ['Packets/s', ({ router }) => router.packetsPerSecond, 'number'],
      ['Packets', ({ router }) => router.packets, 'count'],
      ['MB', ({ router }) => toMegabytes(router.bytes), 'MB'],
      ['CPU µs/packet', ({ router }) => router.cpuMicrosPerPacket, 'number'],
      ['Late p50 ms', ({ router }) => makeTimeCell(router.lateness.p50), 'ms'],
      ['Late p99 ms', ({ router }) => makeTimeCell(router.lateness.p99), 'ms'],
      ['Late max ms', ({ router }) => makeTimeCell(router.lateness.max), 'ms'],
      ['Allowed late p99 ms', ({ figures }) => figures.lateAllowedMs, 'ms'],
      ['Waited for a core %', ({ router }) => toPercent(router.waitedShare), 'percent'],
      ['Lost as planned', ({ router }) => router.lost, 'count'],
      ['Cut off', ({ router }) => router.cut, 'count'],
      ['Overflowed', ({ router, figures }) => router.overflowed + figures.dropped, 'count']
    ]),
    makeTable(
      'link-emulation',
      'What emulates the links',
      known
        .slice(0, 1)
        .flatMap(({ figures: { step, ladder, netem } }) => [
          ...(ladder ?? [{ step: 'netem', lacks: netem, passedOver: null }]).filter(
            rung => rung.step !== step
          ),
          { step, lacks: null, passedOver: null }
        ]),
      [
        ['Method', ({ step }) => step, 'text'],
        [
          'Not used because',
          ({ lacks, passedOver }) => lacks?.replace(/^Error: |\.$/g, '') ?? passedOver,
          'text'
        ]
      ],
      { note: 'The last one is used.' }
    )
  ]
  return tables.filter(({ rows }) => rows.length > 0)
}

/** makeRouterTimes are rows of the table of times. @param {NamespaceFigures | null | undefined} namespaces */
export const makeRouterTimes = namespaces =>
  namespaces?.router == null
    ? []
    : [/** @type {const} */ (['Router: a packet was late by', namespaces.router.lateness])]
