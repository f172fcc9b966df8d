import { INDEX, startProgram } from '../acceptance/loadtest.js'

/**
 * agentsOn starts an agent on each machine, which ends with the test file.
 *
 * @param {readonly import('./machines.js').Machine[]} machines
 * @param {readonly string[]} reaching - flags by which they reach the bus
 * @returns {Promise<{ id: string, address: string }[]>} when all are ready
 */
export function agentsOn(machines, reaching) {
  return Promise.all(
    machines.map(async ({ through }) => {
      const agent = startProgram(INDEX, ['agent', ...reaching], { through, wholeFile: true })
      const [, id, address] = await agent.line(/^agent (\w+) is ready at .*, on (.+)/)
      return { id, address }
    })
  )
}
