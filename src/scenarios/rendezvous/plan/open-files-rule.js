import { availableParallelism } from 'node:os'
import { grouped } from '../../../kit/numbers.js'
import { openFilesAllowed } from '../../../open-files.js'
import { isOurs } from './conditions.js'
import { usualWorkers } from './namespaces.js'
import { hasRoles } from './role-options.js'

/** Such a number of connections any process may have. */
const FEW = 500
/** A process has some files open by itself. */
const OWN_FILES = 100

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
    values.agents == null ? (workers ?? usualWorkers({ nClients, ...values }, availableParallelism())) : null
  const serversHere = isOurs(values) && server !== 'docker' ? servers : null
  const shares = [workersHere, serversHere].flatMap(processes =>
    processes === null ? [] : [Math.ceil(nClients / processes)]
  )
  const most = Math.max(0, ...shares) + OWN_FILES
  if (most <= FEW || most <= openFiles) return null
  const who = shares[0] + OWN_FILES === most && workersHere !== null ? 'the load generator' : 'the server'
  return `needs ${grouped(most)} open files in a process of ${who}, and it may have ${grouped(openFiles)} here: raise that with ulimit -n ${most}, or use fewer clients`
}

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
    'discoverers'
  ],
  refuse: values =>
    hasRoles(values) === (flag === 'providers') &&
    values.nClients > FEW - OWN_FILES &&
    tooManyConnections(values, openFilesAllowed())
})

/** OPEN_FILES_RULES refuse clients that could not all be connected. */
export const OPEN_FILES_RULES = [connects('nClients'), connects('providers')]
