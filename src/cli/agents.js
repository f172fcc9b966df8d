import { BUS_OPTIONS } from '../plan/agents-option.js'
import { busAddress } from '../plan/bus-address.js'
import { readCommandOptions } from '../plan/command-options.js'
import { OUTPUT_OPTIONS } from '../plan/shared-options.js'
import { busProblems, strays } from './agent.js'
import { EXIT } from './exit-codes.js'
import { refuse } from './refuse.js'

const COMMAND_OPTIONS = {
  ...BUS_OPTIONS,
  json: { ...OUTPUT_OPTIONS.json, describe: 'print them as JSON and nothing else' }
}

/** @type {import('./arguments.js').CommandHelp} */
export const AGENTS = {
  options: COMMAND_OPTIONS,
  examples: /** @type {[string, string][]} */ ([
    ['who could send load', 'agents --bus nats://192.168.1.5:4222']
  ]),
  epilogue: 'Clocks are told against that of this machine: both count since their machine started.'
}

/**
 * agentsCommand lists the agents on a bus.
 *
 * @param {import('./arguments.js').Arguments} args
 * @param {import('./surroundings.js').Surroundings} surroundings
 * @returns {Promise<number>} exit code
 */
export async function agentsCommand({ options, words }, surroundings) {
  const { own, problems } = readCommandOptions(COMMAND_OPTIONS, options)
  const all = [...problems, ...strays(words), ...busProblems(own, problems)]
  if (all.length > 0) return refuse('agents', all, surroundings)
  const { stdout, stderr } = surroundings
  const address = busAddress(own.bus, { credentials: own.busCredentials, ca: own.busCa })
  const { agentsOn, agentTable } = await import('../agents/agent-table.js')
  try {
    const agents = await agentsOn(address, text => void stderr.write(`${text}\n`))
    const text = agents.length === 0 ? `no agents at ${address.url}` : agentTable(agents)
    stdout.write(own.json ? `${JSON.stringify(agents, null, 2)}\n` : `${text}\n`)
    return EXIT.DONE
  } catch (error) {
    const { code, message } = /** @type {Error & { code?: string }} */ (error)
    if (code !== 'BUS') throw error
    return refuse('agents', [{ flag: '--bus', value: address.url, allowed: message }], surroundings)
  }
}
