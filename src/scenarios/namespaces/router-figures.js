import { none } from '../../measure/figure.js'

/**
 * @typedef {import('../gossip/gossip-types.js').NamespaceFigures} NamespaceFigures
 * @typedef {NonNullable<NamespaceFigures['router']>} Router
 * @typedef {Pick<import('../../measure/figure.js').Figure<any>, 'name' | 'title' | 'quantity' | 'unit' | 'better'>
 *   & { of: (router: Router) => number | null | undefined }} Row
 */

/** @type {readonly Row[]} */
const ROWS = [
  {
    name: 'routerPackets',
    title: 'Packets through the router per second',
    quantity: 'number',
    better: null,
    of: ({ packetsPerSecond }) => packetsPerSecond
  },
  {
    name: 'routerLateness.p99',
    title: 'Router late p99',
    quantity: 'time',
    better: 'lower',
    of: ({ lateness }) => lateness.p99?.ms
  },
  {
    name: 'routerCpuPerPacket',
    title: 'CPU of the router per packet',
    quantity: 'number',
    unit: 'µs',
    better: 'lower',
    of: ({ cpuMicrosPerPacket }) => cpuMicrosPerPacket
  }
]

/**
 * routerFigures are those of what joins network namespaces; of several networks in turn, of the one where they were largest.
 *
 * @param {(outcome: any) => readonly (NamespaceFigures | null | undefined)[]} networksOf
 * @returns {import('../../measure/figure.js').Figure<any>[]}
 */
export const routerFigures = networksOf =>
  ROWS.map(({ of, ...row }) => ({
    ...row,
    read(outcome) {
      const routers = networksOf(outcome).flatMap(network => network?.router ?? [])
      const values = routers.flatMap(router => of(router) ?? [])
      return values.length === 0
        ? none('there was no router between network namespaces')
        : { value: Math.max(...values), samples: Math.max(...routers.map(({ packets }) => packets)) }
    }
  }))
