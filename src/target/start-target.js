// Starts the server under test that a plan asks for: in a process, in Docker, several over a database, or at an address.
import { isLoopbackHost } from '../kit/host-address.js'
import { startProcessTarget } from './process-target.js'

/**
 * @typedef {import('../scenarios/rendezvous/options.js').Plan} Plan
 *
 * @typedef {Pick<Plan, 'target' | 'targets' | 'targetPid' | 'targetContainer' | 'store' | 'servers' | 'server' | 'cpus' | 'memoryBytes' |
 *   'faults'>} TargetPlan - the options of a plan for the target
 *
 * @typedef {object} StartOptions
 * @property {string} id - of the run
 * @property {Record<string, string | number | boolean>} settings - options of our server that differ from its defaults
 * @property {'process' | 'docker'} [fixedServer] - where our server ran in an earlier run of a study with --server auto
 * @property {import('./process-target.js').NetworkNamespace | null} [inside] - a network namespace in which our server runs, in a process
 * @property {string} [host] - address of this machine that our server listens on, where other machines are to reach it
 * @property {boolean} [inHostNetwork] - of our server in a container, see docker-target.js
 * @property {boolean} [profiled] - its processes are to be profiled: with --server auto our server runs in a process
 * @property {AbortSignal} signal
 * @property {(error: import('./target.js').TargetError) => void} onFailed - our server ended by itself
 * @property {import('./images.js').OnProgress} onProgress - of the image being built
 *
 * @typedef {{ target: import('./target.js').Target, why: string | null }} Started - `why`: reason of the decision of --server auto
 */

/**
 * startTarget starts the server of a plan, or makes a target of the address in the plan.
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
    const { makeAddressTarget } = await import('./address-target.js')
    const others = targets?.slice(1)
    return { target: await makeAddressTarget({ multiaddr, others, pid, container }), why: null }
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
  // the modules of Docker are loaded only when they are needed
  const { chooseServer } = await import('./images.js')
  const { engine, image, why } = await chooseServer(plan, options)
  if (engine === null) return { target: await startProcessTarget(options), why }
  const { startDockerTarget } = await import('./docker/docker-target.js')
  const { makeRunName } = await import('./docker-engine.js')
  const { cpus, memoryBytes } = plan
  const run = makeRunName(options.id)
  return { target: await startDockerTarget({ ...options, engine, image, run, cpus, memoryBytes }), why }
}
