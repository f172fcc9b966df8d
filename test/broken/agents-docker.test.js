import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { after, before, describe, test } from 'node:test'
import { connectBus } from '../../src/agents/bus-connection.js'
import { parseBusAddress } from '../../src/plan/agents.js'
import { makeRunLabels, makeRunName, removeRun } from '../../src/target/docker-engine.js'
import { startJanitor } from '../../src/target/docker-processes.js'
import { buildServerImage, TOOL_PROGRAM } from '../../src/target/images.js'
import { NO_NATS } from '../acceptance/bus.js'
import { assertComplete, operation, sum } from '../acceptance/consistent.js'
import { docker, engine, leftInDockerAfter, NEEDS_DOCKER } from '../acceptance/docker.js'
import { FAST } from '../acceptance/gossip-network.js'
import { QUICK, TIMEOUT } from '../acceptance/loadtest.js'
import { until } from '../until.js'
import { startContained } from './contained.js'

const AGENTS = 3
/** A machine that is slow has no time for as many: they would all come too late. */
const RATE = Number(process.env.BROKEN_RATE ?? 300)
/** Half a minute; less where time is short. */
const SECONDS = Number(process.env.BROKEN_SECONDS ?? 30)
const TOKEN = 'sesame'
const SEED = Math.floor(Math.random() * 1e9)
/** An agent needs no rights, and writes nothing. */
const CONFINED = Object.freeze({ ReadonlyRootfs: true, CapDrop: ['ALL'], SecurityOpt: ['no-new-privileges'] })

/** Volumes that bring a program of this machine, with the libraries that it is linked to, into a container. @param {string} name */
function broughtAlong(name) {
  const path = spawnSync('sh', ['-c', `readlink -f "$(command -v ${name})"`], {
    encoding: 'utf8'
  }).stdout.trim()
  const libraries = spawnSync('ldd', [path], { encoding: 'utf8' }).stdout.match(/(?<=\s)\/\S+/g) ?? []
  return { path, binds: [path, ...libraries].map(file => `${file}:${file}:ro`) }
}

describe('agents in containers, each on a network of its own', { skip: NEEDS_DOCKER.skip || NO_NATS }, () => {
  const run = makeRunName(`agents-${SEED}`)
  /** @type {ReturnType<typeof startJanitor>} */
  let janitor
  /** @type {string} */
  let image
  /** Of the machine that the run is on, at which all agents reach it. @type {string} */
  let here
  /** @type {string} */
  let bus
  /** @type {import('./contained.js').Contained[]} */
  let agents = []

  /** @param {string} name @param {import('dockerode').ContainerCreateOptions} options @param {Parameters<typeof startContained>[1]} [before] */
  const startNamed = (name, options, before) =>
    startContained({ Image: image, name: `${run}-${name}`, Labels: makeRunLabels(run), ...options }, before)

  /** A run on this machine, in a container of its own. @param {string} name @param {readonly string[]} args */
  async function runOver(name, args) {
    const over = ['--bus', bus, '--agents', String(AGENTS), '--address', here, '--seed', String(SEED)]
    const Cmd = [...args, ...over]
    return (await startNamed(name, { Cmd, HostConfig: { NetworkMode: 'host' } })).ended
  }

  /** Bus that is on all networks. @param {string[]} networks */
  async function startBus([first, ...others]) {
    const { path, binds } = broughtAlong('nats-server')
    const known = { Aliases: ['bus'] }
    const { container } = await startNamed(
      'bus',
      {
        Entrypoint: [path],
        Cmd: ['-js', '-sd', '/tmp/bus', '--auth', TOKEN],
        HostConfig: { NetworkMode: first, Binds: binds },
        NetworkingConfig: { EndpointsConfig: { [first]: known } }
      },
      async container => {
        for (const each of others)
          await docker().getNetwork(each).connect({ Container: container.id, EndpointConfig: known })
      }
    )
    const { NetworkSettings } = await container.inspect()
    return `nats://${TOKEN}@${NetworkSettings.Networks[first].IPAddress}:4222`
  }

  before(async () => {
    docker() // fails where there is no engine
    const built = await buildServerImage(/** @type {NonNullable<typeof engine>} */ (engine), {
      program: TOOL_PROGRAM
    })
    image = built.image.id
    janitor = startJanitor(run)
    const networks = Array.from({ length: AGENTS }, (_, i) => `${run}-${i}`)
    for (const Name of networks) await docker().createNetwork({ Name, Labels: makeRunLabels(run) })
    const { IPAM } = await docker().getNetwork(networks[0]).inspect()
    here = String(IPAM?.Config?.[0].Gateway)
    bus = await startBus(networks)
    await until(async () => {
      const connection = await connectBus(parseBusAddress(bus), 'test').catch(() => null)
      await connection?.close()
      return connection !== null
    })
    agents = await Promise.all(
      networks.map((NetworkMode, i) =>
        startNamed(`agent-${i}`, {
          Cmd: ['agent', '--bus', `nats://${TOKEN}@bus:4222`],
          HostConfig: { NetworkMode, ...CONFINED }
        })
      )
    )
    await Promise.all(agents.map(agent => agent.line(/^agent \w+ is ready at nats:\/\/bus:4222/m)))
  })
  after(async () => {
    if (engine !== null) await removeRun(engine.docker, run)
    await janitor?.dismiss()
  })

  test('send together what was planned', TIMEOUT, async () => {
    const load = [
      ...['--nClients', '30', '--rate', `${RATE}/s`, '--duration', `${SECONDS}s`],
      ...['--registerMode', 'refresh', '--server', 'process']
    ]
    const { code, stdout, stderr } = await runOver('run', [...QUICK, ...load, '--json'])
    assert.equal(code, 0, stderr)
    const result = JSON.parse(stdout)
    assertComplete({ code, stdout, stderr, result, signal: null, folder: '', folders: [] })
    assert.equal(operation(result, 'REGISTER').count, RATE * SECONDS)
    const rows = result.run.agents
    assert.equal(rows.length, AGENTS)
    assert.equal(new Set(rows.map((/** @type {any} */ { host }) => host)).size, AGENTS)
    assert.equal(sum(rows.map((/** @type {any} */ { operations }) => operations)), RATE * SECONDS)
    for (const { workers, operations } of rows)
      assert.deepEqual([workers.length, operations], [1, (RATE * SECONDS) / AGENTS])
  })

  test('are no nodes of one network: they do not reach one another', TIMEOUT, async () => {
    const nodes = ['--nodes', '3', '--messages', '1', '--topology', 'ring']
    const { code, stdout, stderr } = await runOver('gossip', ['gossip', ...FAST, ...nodes])
    assert.equal(code, 2, `${stdout}${stderr}`)
    assert.match(stderr, /agent \w+ \(.*\): does not reach agent \w+ \(.*\), at \d+(\.\d+){3}: /)
  })

  test('end when they are told to, and nothing is left', TIMEOUT, async () => {
    await Promise.all(agents.map(({ container }) => container.stop({ t: 30 })))
    const ended = await Promise.all(agents.map(agent => agent.ended))
    assert.deepEqual(
      ended.map(({ code, stderr }) => [code, stderr]),
      agents.map(() => [0, 'stopping\n'])
    )
    await removeRun(docker(), run)
    assert.deepEqual(await leftInDockerAfter(SEED, 30_000, 'agents'), [])
  })
})
