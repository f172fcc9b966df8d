import { usableCores } from '../../../kit/control-group.js'
import { grouped } from '../../../kit/numbers.js'
import { openFilesAllowed } from '../../../open-files.js'
import { isOurs } from './conditions.js'
import { publishes } from './full-peers.js'
import { usualWorkers } from './namespaces.js'
import { hasRoles } from './role-options.js'

/** A process that may have fewer open loads nothing, and says so: nothing is asked about them. */
const FEW = 128
/** A process has some files open by itself. */
const OWN_FILES = 100
/** A full peer listens, has a connection to its server, dials 6 others, and is dialled by as many. */
const FILES_OF_PEER = 14

/**
 * tooManyConnections says why there cannot be so many clients: each connection is an open file, at either end.
 *
 * @param {Record<string, any>} values - of options
 * @param {number} openFiles - that a process may have
 * @returns {string | null} the end of a sentence that begins with the number of clients; null: there can
 */
export function tooManyConnections({ nClients, workers, server, servers = 1, ...values }, openFiles) {
  // of an agent's machine, and of a container, nothing is known
  const workersHere =
    values.agents == null ? (workers ?? usualWorkers({ nClients, ...values }, usableCores())) : null
  const each = values.benchmarkType === 'MIXED' && publishes(values) ? FILES_OF_PEER : 1
  const serversHere = isOurs(values) && server !== 'docker' ? servers : null
  const shares = /** @type {[string, number][]} */ ([
    // a channel to each
    ['the program itself', workersHere ?? 0],
    ['a process of the server', serversHere === null ? 0 : Math.ceil(nClients / serversHere)],
    ['a process of the load generator', workersHere === null ? 0 : each * Math.ceil(nClients / workersHere)]
  ])
  const [who, share] = shares.reduce((most, one) => (one[1] >= most[1] ? one : most))
  const most = share + OWN_FILES
  if (most <= FEW || most <= openFiles) return null
  return `needs ${grouped(most)} open files in ${who}, and it may have ${grouped(openFiles)} here: raise that with ulimit -n ${most}, or use fewer clients`
}

/** connectionsRefused says the same of this machine. @param {Record<string, any>} values - of options */
export const connectionsRefused = values =>
  Math.max(values.nClients, values.workers ?? 0) > FEW - OWN_FILES &&
  tooManyConnections(values, openFilesAllowed())

/** @param {'nClients' | 'providers'} flag - that says how many clients there are @returns {import('../../../plan/option.js').Rule} */
const connects = flag => ({
  flag,
  needs: [
    'nClients',
    'workers',
    'server',
    'servers',
    'target',
    'targets',
    'agents',
    'network',
    'discoverers',
    'benchmarkType',
    'mix'
  ],
  refuse: values => hasRoles(values) === (flag === 'providers') && connectionsRefused(values)
})

/** OPEN_FILES_RULES refuse clients that could not all be connected. */
export const OPEN_FILES_RULES = [connects('nClients'), connects('providers')]
