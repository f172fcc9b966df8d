import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { buildServerImage, TOOL_PROGRAM } from '../../src/target/images.js'
import { NO_NATS, startBus } from '../acceptance/bus.js'
import { assertComplete, operation } from '../acceptance/consistent.js'
import { docker, engine, NEEDS_DOCKER } from '../acceptance/docker.js'
import { call, QUICK, run } from '../acceptance/loadtest.js'
import { makeMachines, NO_MACHINES } from '../broken/machines.js'
import { until } from '../until.js'
import { NO_ENGINE_OF_OWN, startEngine } from './own-engine.js'

/** Machines of the swarm: what is tried is the way, and an engine on a machine without a free core takes minutes to start. */
const NODES = 1
/** Until it stands, and what it places, on such a machine. */
const PATIENT = Object.freeze({ mostMs: 240_000, everyMs: 1000 })
const WITH_PATIENCE = Object.freeze({ timeout: 600_000 })
const CA = '/bus-ca.pem'

describe('agents that Docker Swarm places', {
  skip: NEEDS_DOCKER.skip || NO_NATS || NO_MACHINES || NO_ENGINE_OF_OWN
}, () => {
  /** @type {ReturnType<typeof makeMachines>} */
  let network
  /** @type {import('../acceptance/bus.js').Bus} */
  let bus
  /** @type {string[]} */
  let reaching
  /** @type {import('./own-engine.js').OwnEngine[]} */
  let engines = []
  /** @type {string} */
  let image

  before(async () => {
    docker() // fails where there is no engine
    const built = await buildServerImage(/** @type {NonNullable<typeof engine>} */ (engine), {
      program: TOOL_PROGRAM
    })
    image = built.image.name
    network = makeMachines(NODES)
    bus = await startBus({ host: network.here, secured: true })
    reaching = ['--bus', bus.url, '--busCa', String(bus.ca)]
    engines = await Promise.all(network.machines.map(startEngine))
    const [manager, ...workers] = engines
    const [at, ...addresses] = network.machines.map(({ address }) => address)
    manager.docker('swarm', 'init', '--advertise-addr', at)
    const token = manager.docker('swarm', 'join-token', '--quiet', 'worker')
    for (const [i, worker] of workers.entries())
      worker.docker('swarm', 'join', '--token', token, '--advertise-addr', addresses[i], `${at}:2377`)
    for (const each of engines) each.take(image)
  }, WITH_PATIENCE)
  after(async () => {
    await endAll()
    await bus?.kill()
    network?.end()
  })

  const endAll = async () => {
    const left = await Promise.all(engines.splice(0).map(each => each.end()))
    return left.flat()
  }
  /** How many there are; none where the bus did not answer in time. */
  const agents = async () => {
    const { code, stdout } = await call(['agents', ...reaching, '--json'])
    return code === 0 ? JSON.parse(stdout).length : null
  }

  test('are one on each node, and load our server together', WITH_PATIENCE, async () => {
    const [manager] = engines
    manager.docker('config', 'create', 'bus-ca', String(bus.ca))
    // engine 20.10 leaves the tasks of a job (global-job) running when its service is removed
    const mode = ['--mode', 'global', '--restart-condition', 'none', '--network', 'host']
    const config = ['--config', `source=bus-ca,target=${CA}`]
    const command = ['agent', '--bus', bus.url, '--busCa', CA]
    const create = ['service', 'create', '--detach', '--no-resolve-image', '--name', 'agents']
    manager.docker(...create, ...mode, ...config, image, ...command)
    await until(async () => (await agents()) === NODES, PATIENT).catch(({ message }) => {
      const tasks = manager.docker('service', 'ps', '--no-trunc', 'agents')
      throw new Error(`${message}\n${tasks}`)
    })
    const load = ['--nClients', '4', '--rate', '40/s', '--duration', '2s', '--server', 'process']
    const ended = await run([...QUICK, ...load, ...reaching, '--agents', String(NODES)])
    assertComplete(ended)
    assert.equal(operation(ended.result, 'REGISTER').count, 80)
    const rows = ended.result.run.agents ?? []
    assert.deepEqual(
      rows.map(({ operations }) => operations),
      Array(NODES).fill(80 / NODES)
    )
  })

  test('end with their service, and nothing is left', WITH_PATIENCE, async () => {
    const [manager] = engines
    manager.docker('service', 'rm', 'agents')
    await until(async () => (await agents()) === 0, PATIENT)
    await until(() => engines.every(each => each.docker('ps', '--all', '--quiet') === ''), PATIENT)
    assert.deepEqual(await endAll(), [])
  })
})
