import { present } from '../../kit/lists.js'

/**
 * namespaceWarnings gives what a reader of the figures must know of the network that the nodes were joined by.
 *
 * @param {import('../gossip/gossip-types.js').NamespaceFigures | undefined | null} namespaces - undefined or null: they were in none
 * @returns {import('../../result/types.js').Warning[]}
 */
export function namespaceWarnings(namespaces) {
  if (namespaces == null) return []
  const { links, router, lateAllowedMs, dropped, congestionControl } = namespaces
  const { p99, p95, p90, p50 } = router?.lateness ?? {}
  // of few packets there is no p99, and what half of them exceed, 1 % do too
  const lateMs = (p99 ?? p95 ?? p90 ?? p50)?.ms ?? 0
  const overflowed = dropped + (router?.overflowed ?? 0)
  const { asked, found } = congestionControl
  return present([
    ...links.map(
      link => [link.roundTrip, link.loss, link.rate].some(part => part?.asAsked === false) && notAsAsked(link)
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

/** @param {import('../gossip/gossip-types.js').NamespaceFigures['links'][number]} link */
const notAsAsked = ({ what, roundTrip, loss, rate }) => ({
  code: 'NETWORK_NOT_AS_ASKED',
  values: { what, roundTrip, loss, rate }
})
