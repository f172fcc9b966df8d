import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { addressOf } from '../../src/network/namespaces/frames.js'
import { NamespaceNetwork } from '../../src/scenarios/namespaces/namespace-network.js'

const END = fileURLToPath(new URL('./transfer-end.js', import.meta.url))

/** planOf is as much of a plan as a network of namespaces needs. @param {Record<string, unknown>} changes */
export const planOf = changes =>
  /** @type {any} */ ({
    ...{ seed: 1, nodes: 2, workers: 2, network: 'namespaces', congestionControl: 'reno', ideal: false },
    ...{ linkLatencyMs: 0, linkLatencies: null, linkJitter: null, linkLossShare: null, partitions: [] },
    ...{
      linkBandwidthBytesPerSecond: null,
      upBandwidthBytesPerSecond: null,
      downBandwidthBytesPerSecond: null
    },
    ...{ muxer: null, security: null, ...changes }
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
  const network = await NamespaceNetwork.start(plan, {
    originNs: process.hrtime.bigint(),
    onTrouble: trouble.reject
  })
  try {
    await network.begin(0)
    return /** @type {T} */ (await Promise.race([trouble.promise, work(network)]))
  } finally {
    await network.stop()
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
  const sender = end(network, from, ['send', addressOf(from), bytes])
  try {
    for await (const line of createInterface({ input: sender.stdout })) if (line === 'listening') break
    const receiver = end(network, to, ['receive', addressOf(from), count])
    const seconds = []
    for await (const line of createInterface({ input: receiver.stdout })) seconds.push(Number(line))
    return seconds
  } finally {
    sender.kill('SIGKILL')
  }
}
