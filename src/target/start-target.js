import { isLoopbackHost } from '../kit/host-address.js'
import { startProcessTarget } from './process-target.js'

/**
 * @typedef {import('../scenarios/rendezvous/options.js').Plan} Plan
 * @typedef {import('./docker-engine.js').Engine} Engine
 * @typedef {import('./images.js').ServerImage} ServerImage
 *
 * @typedef {Pick<Plan, 'target' | 'targets' | 'targetPid' | 'targetContainer' | 'store' | 'servers' | 'server' | 'cpus' | 'memoryBytes' |
 *   'faults'>} TargetPlan - what a plan says of it
 *
 * @typedef {object} StartOptions
 * @property {string} id - of the run
 * @property {Record<string, string | number | boolean>} settings - options of our server that differ from its defaults
 * @property {'process' | 'docker'} [held] - where --server auto has put our server in an earlier run of a study
 * @property {import('./process-target.js').Inside | null} [inside] - a network namespace in which our server runs, in a process
 * @property {string} [host] - address of this machine that our server listens on, where other machines are to reach it
 * @property {boolean} [inHostNetwork] - of our server in a container, see docker-target.js
 * @property {boolean} [profiled] - its processes are to be sampled: --server auto puts our server in one
 * @property {AbortSignal} signal
 * @property {(error: import('./target.js').TargetError) => void} onFailed - our server ended without being asked
 * @property {import('./images.js').OnProgress} onProgress - of the image being built
 *
 * @typedef {{ target: import('./target.js').Target, why: string | null }} Started - `why`: what --server auto was decided by
 */

/**
 * startTarget starts the server a plan asks for, or finds the one that it names.
 *
 * @param {TargetPlan} plan
 * @param {StartOptions} options
 * @returns {Promise<Started>}
 * @throws {import('./target.js').TargetError} SERVER_NOT_STARTED
 * @throws {import('./docker-engine.js').DockerError}
 */
export async function startTarget(plan, options) {
  const { target: multiaddr, targets, targetPid: pid, targetContainer: container } = plan
  if (multiaddr !== null) {
    const { addressTarget } = await import('./address-target.js')
    return {
      target: await addressTarget({ multiaddr, others: targets?.slice(1), pid, container }),
      why: null
    }
  }
  if (plan.store !== 'memory' || plan.servers > 1) {
    const { startClusterTarget } = await import('./cluster-target.js')
    return { target: await startClusterTarget(plan, options), why: null }
  }
  if (plan.server === 'process' || options.inside != null)
    return { target: await startProcessTarget(options), why: null }
  if (options.host !== undefined && !isLoopbackHost(options.host))
    return { target: await startProcessTarget(options), why: 'other machines are to reach it' }
  if (options.profiled && plan.server === 'auto')
    return { target: await startProcessTarget(options), why: 'a process can be profiled' }
  // nothing of Docker is loaded before somebody asks for it
  const { chooseServer } = await import('./images.js')
  const { engine, image, why } = await chooseServer(plan, options)
  if (engine === null) return { target: await startProcessTarget(options), why }
  return { target: await inDocker(plan, { ...options, engine, image }), why }
}

/**
 * @param {Pick<TargetPlan, 'cpus' | 'memoryBytes'>} plan
 * @param {StartOptions & { engine: Engine, image: ServerImage }} options
 */
async function inDocker({ cpus, memoryBytes }, { id, ...options }) {
  const { startDockerTarget } = await import('./docker/docker-target.js')
  const { nameOfRun } = await import('./docker-engine.js')
  return startDockerTarget({ ...options, run: nameOfRun(id), cpus, memoryBytes })
}
