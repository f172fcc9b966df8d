import { present } from '../../../kit/lists.js'
import { PROGRAM } from '../../../kit/program.js'
import { optionFlags } from '../../saturation/view/saturation-command-line.js'

/** @typedef {import('../result/cluster-document.js').ClusterDocument} ClusterDocument */

/** What follows from other options. */
const DERIVED = new Set(['benchmarkType', 'mix', 'initialRegistrations', 'failover'])

/** @param {number} x */
const short = x => Number(x.toPrecision(6))

/**
 * clusterCommandLine makes a run of the servers again.
 *
 * @param {ClusterDocument} document
 */
export function clusterCommandLine({ preset, network, mix, registrations, options, search, ...document }) {
  const given = Object.fromEntries(Object.entries(options).filter(([name]) => !DERIVED.has(name)))
  const shares = Object.entries(mix).map(([name, share]) => `${name}=${short(share)}`)
  return present([
    `${PROGRAM} capacity --run`,
    `--preset ${preset}`,
    `--peers ${network.peers}`,
    `--requestsPerDay ${network.requestsPerDay}`,
    `--mix ${shares.join(',')}`,
    `--peakFactor ${short(network.peakFactor)}`,
    `--registrations ${registrations}`,
    ...(search === null
      ? [`--duration ${document.seconds}s`]
      : [`--searchDuration ${document.searchSeconds}s`, `--repeats ${search.repeats}`]),
    `--nClients ${document.connections}`,
    ...optionFlags(given)
  ]).join(' ')
}
