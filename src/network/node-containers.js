// Starts the containers that hold the real nodes of a gossip run, and removes them afterwards.
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { countUsableCores } from '../kit/linux.js'
import { startContainerChild } from '../target/container.js'
import {
  makeRunLabels,
  makeRunName,
  reachEngine,
  removeLeftovers,
  removeRun
} from '../target/docker-engine.js'
import { startJanitor } from '../target/docker-processes.js'
import { buildServerImage, collectServerContext } from '../target/images.js'
import { hasImpairments } from './link-properties.js'

/**
 * @typedef {import('../scenarios/gossip/options.js').GossipPlan} GossipPlan
 * @typedef {import('../target/docker-engine.js').Engine} Engine
 */

const ENTRY = 'src/scenarios/gossip/run/container-entry.js'

/** @type {import('../target/images.js').Program} */
const PROGRAM = {
  repository: 'libp2p-loadtest-nodes',
  what: "the nodes' image",
  context: () => collectServerContext([fileURLToPath(new URL(`../../${ENTRY}`, import.meta.url))])
}

/** What a process on a whole core may take to start, on a machine that others use, too. */
const READY_MS = 120_000

/** NodeContainers hold the nodes of a plan, each some of them. The run that drives them is in none. */
export class NodeContainers {
  #engine
  #run
  #options
  #readyMs
  #signal
  #janitor

  /**
   * start makes the image where it is missing, and what joins the containers.
   *
   * @param {GossipPlan} plan
   * @param {object} parts
   * @param {string} parts.id - of the run
   * @param {string | null} parts.folder - that nodes may write into; null: none
   * @param {AbortSignal} [parts.signal]
   * @param {import('../target/images.js').OnProgress} [parts.onProgress] - of the image
   * @returns {Promise<NodeContainers>}
   * @throws {import('../target/docker-engine.js').DockerError}
   */
  static async start(plan, { id, folder, signal, onProgress }) {
    const run = makeRunName(id)
    const engine = await reachEngine()
    await removeLeftovers(engine.docker)
    const { image } = await buildServerImage(engine, { program: PROGRAM, signal, onProgress })
    const routed = hasImpairments(plan)
    const containers = new NodeContainers(engine, {
      run,
      options: containerOptions(plan, { run, folder, image: image.id, routed }),
      readyMs: readyMsOf(plan),
      signal
    })
    try {
      signal?.throwIfAborted()
      if (!routed)
        await engine.docker.createNetwork({
          Name: run,
          Driver: 'bridge',
          Internal: true,
          Labels: makeRunLabels(run)
        })
      return containers
    } catch (error) {
      await containers.stop()
      throw error
    }
  }

  /**
   * @param {Engine} engine
   * @param {{ run: string, options: import('dockerode').ContainerCreateOptions, readyMs: number, signal?: AbortSignal }} of
   */
  constructor(engine, { run, options, readyMs, signal }) {
    this.#engine = engine
    this.#run = run
    this.#options = options
    this.#readyMs = readyMs
    this.#signal = signal
    this.#janitor = startJanitor(run)
  }

  /** versions of the engine. */
  get versions() {
    return this.#engine.versions
  }

  /** placeOf starts a worker in a container of its own. @param {number} worker @returns {import('../scenarios/gossip/run/pool.js').ProcessLocation} */
  placeOf(worker) {
    const options = { ...this.#options, name: `${this.#run}-${worker}` }
    return {
      begin: async () => {
        this.#signal?.throwIfAborted()
        return startContainerChild(this.#engine.docker, options, '--memory')
      },
      readyMs: this.#readyMs
    }
  }

  /** stop removes them all, and what joined them. */
  async stop() {
    await removeRun(this.#engine.docker, this.#run).finally(this.#janitor.dismiss)
  }
}

/** How long a container of a plan may take to start: all of them start at once. @param {GossipPlan} plan */
const readyMsOf = ({ nodeCpus, nodesPerContainer, workers }) =>
  READY_MS / Math.min(1, (nodeCpus ?? 1) * (nodesPerContainer ?? 1), countUsableCores() / workers)

/**
 * @param {GossipPlan} plan
 * @param {{ run: string, folder: string | null, image: string, routed: boolean }} where
 * @returns {import('dockerode').ContainerCreateOptions}
 */
function containerOptions({ nodeCpus, nodeMemoryBytes, nodesPerContainer }, { run, folder, image, routed }) {
  const each = nodesPerContainer ?? 1
  const memory = nodeMemoryBytes === null ? null : nodeMemoryBytes * each
  return {
    Image: image,
    Labels: makeRunLabels(run),
    Entrypoint: ['node', ENTRY],
    Healthcheck: { Test: ['NONE'] },
    // what it writes belongs to who runs this
    User: `${process.getuid?.() ?? 0}:${process.getgid?.() ?? 0}`,
    HostConfig: {
      NetworkMode: routed ? 'none' : run,
      CapDrop: ['ALL'],
      SecurityOpt: ['no-new-privileges'],
      ReadonlyRootfs: true,
      ...(folder !== null && { Binds: [`${resolve(folder)}:${resolve(folder)}`] }),
      ...(nodeCpus !== null && { NanoCpus: Math.round(nodeCpus * each * 1e9) }),
      // the same number for both: no swap
      ...(memory !== null && { Memory: memory, MemorySwap: memory })
    }
  }
}
