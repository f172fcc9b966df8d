// Defines figures and warnings of the router that links Linux network namespaces, for all scenarios. Warnings name links
// that differ from the plan.
import { omitMissing } from '../kit/collections.js'
import { makeMissingReading } from '../measure/figure.js'

/**
 * @typedef {import('./gossip/outcome.js').NamespaceFigures} NamespaceFigures
 * @typedef {NonNullable<NamespaceFigures['router']>} Router
 * @typedef {Pick<import('../measure/figure.js').Figure<any>, 'name' | 'title' | 'quantity' | 'unit' | 'better'>
 *   & { of: (router: Router) => number | null | undefined }} Row
 */

/** @type {readonly Row[]} */
const ROUTER_ROWS = [
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
 * makeRouterFigures makes the figures of the router between namespaces. Of several networks, the one with the largest value counts.
 *
 * @param {(outcome: any) => readonly (NamespaceFigures | null | undefined)[]} networksOf
 * @returns {import('../measure/figure.js').Figure<any>[]}
 */
export const makeRouterFigures = networksOf =>
  ROUTER_ROWS.map(({ of, ...row }) => ({
    ...row,
    read(outcome) {
      const routers = networksOf(outcome).flatMap(network => network?.router ?? [])
      const values = routers.flatMap(router => of(router) ?? [])
      return values.length === 0
        ? makeMissingReading('there was no router between network namespaces')
        : { value: Math.max(...values), samples: Math.max(...routers.map(({ packets }) => packets)) }
    }
  }))

/**
 * makeNamespaceWarnings warns of links or a router that differ from the plan.
 *
 * @param {import('./gossip/outcome.js').NamespaceFigures | undefined | null} namespaces - undefined or null: the run had none
 * @returns {import('../report/schema.js').Warning[]}
 */
export function makeNamespaceWarnings(namespaces) {
  if (namespaces == null) return []
  const { links, router, lateAllowedMs, dropped, congestionControl } = namespaces
  const { p99, p95, p90, p50 } = router?.lateness ?? {}
  // few packets have no p99; then a lower percentile is a lower bound of it
  const lateMs = (p99 ?? p95 ?? p90 ?? p50)?.ms ?? 0
  const overflowed = dropped + (router?.overflowed ?? 0)
  const { asked, found } = congestionControl
  return omitMissing([
    ...links.map(
      link =>
        [link.roundTrip, link.loss, link.rate].some(part => part?.asAsked === false) && makeLinkWarning(link)
    ),
    asked !== null &&
      asked !== 'host' &&
      asked !== found && {
        code: 'CONGESTION_CONTROL_NOT_SET',
        values: { asked, found }
      },
    lateMs > lateAllowedMs && { code: 'ROUTER_LATE', values: { p99Ms: lateMs, allowedMs: lateAllowedMs } },
    overflowed > 0 && { code: 'ROUTER_OVERFLOWED', values: { count: overflowed } }
  ])
}

/** @param {import('./gossip/outcome.js').NamespaceFigures['links'][number]} link */
const makeLinkWarning = ({ what, roundTrip, loss, rate }) => ({
  code: 'NETWORK_NOT_AS_ASKED',
  values: { what, roundTrip, loss, rate }
})
