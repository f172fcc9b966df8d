import { agentsIn } from '../../../plan/agents-option.js'
import { clientsApart } from './namespaces.js'

/**
 * usualWorkers is how many processes hold the clients where that is not said.
 *
 * @param {Record<string, any>} values - of options
 * @param {number} cores
 */
export function usualWorkers({ nClients, agents, ...values }, cores) {
  if (agents != null) return agentsIn(agents)
  return clientsApart({ nClients, ...values }) ? nClients : Math.max(1, Math.min(cores - 1, nClients))
}
