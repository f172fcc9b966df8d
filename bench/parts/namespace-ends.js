import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { namespaceAddress } from '../../src/network/namespaces.js'
import { makeNetworkPlan, NamespaceRun } from '../../src/scenarios/namespace-run.js'

/** @typedef {import('../../src/network/namespace-network.js').NamespaceNetwork} NamespaceNetwork */

const END = fileURLToPath(new URL('./transfer-end.js', import.meta.url))

/**
 * planOf is a network of namespaces with Reno and without jitter.
 *
 * @param {Partial<import('../../src/scenarios/namespace-run.js').NetworkPlan>} changes
 */
export const planOf = ({ nodes = 2, ...changes }) => ({
  ...makeNetworkPlan({ seed: 1, congestionControl: 'reno' }, nodes),
  linkJitter: null,
  ...changes
})

/**
 * between does something between the namespaces of a plan, and takes them down.
 *
 * @template T
 * @param {ReturnType<typeof planOf>} plan
 * @param {(network: NamespaceNetwork) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function between(plan, work) {
  const trouble = Promise.withResolvers()
  trouble.promise.catch(() => {})
  const joined = new NamespaceRun()
  try {
    await joined.start(plan, trouble.reject)
    await joined.begin()
    const { network } = joined
    return /** @type {T} */ (
      await Promise.race([trouble.promise, work(/** @type {NamespaceNetwork} */ (network))])
    )
  } finally {
    await joined.stop()
  }
}

/** @param {NamespaceNetwork} network @param {number} namespace @param {(string | number)[]} args */
function end(network, namespace, args) {
  const [command, ...first] = [...network.enter(namespace), process.execPath, END, ...args.map(String)]
  return spawn(command, first, { stdio: ['ignore', 'pipe', 'inherit'] })
}

/**
 * transfers sends bytes from one namespace to another one, again and again, each time on a connection of its own.
 *
 * @param {NamespaceNetwork} network
 * @param {{ from: number, to: number, bytes: number, count: number }} of
 * @returns {Promise<number[]>} s each, from when they were sent to when the last byte was there
 */
export async function transfers(network, { from, to, bytes, count }) {
  const sender = end(network, from, ['send', namespaceAddress(from), bytes])
  try {
    for await (const line of createInterface({ input: sender.stdout })) if (line === 'listening') break
    const receiver = end(network, to, ['receive', namespaceAddress(from), count])
    const seconds = []
    for await (const line of createInterface({ input: receiver.stdout })) seconds.push(Number(line))
    return seconds
  } finally {
    sender.kill('SIGKILL')
  }
}
