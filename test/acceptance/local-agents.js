import { startBus } from './bus.js'
import { INDEX, startProgram } from './loadtest.js'
import { processesWith } from './processes.js'

/** @typedef {import('./program.js').Program} Program */

/**
 * localAgents starts a bus, and agents on it as if each were a machine.
 *
 * @param {Readonly<Record<string, Record<string, string>>>} envs - by tag: what is in the environment of the agent that has it
 * @returns when all are ready
 */
export async function localAgents(envs) {
  const bus = await startBus()
  const agents = await Promise.all(
    Object.entries(envs).map(async ([tag, env], i) => {
      // all of loopback is of this machine
      const own = ['--tags', tag, '--address', `127.0.0.${11 + i}`]
      const program = startProgram(INDEX, ['agent', '--bus', bus.url, ...own], { env, wholeFile: true })
      const [, id] = await program.line(/^agent (\w+) is ready/)
      return { id, program }
    })
  )
  return { bus, ids: agents.map(({ id }) => id), programs: agents.map(({ program }) => program) }
}

/** workersOf are those that an agent still has. @param {Program} agent */
export const workersOf = agent =>
  processesWith(agent.mark).filter(({ command }) => /(?:run|worker)\/entry\.js/.test(command))
