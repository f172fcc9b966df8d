import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openContainerReadings, openEngineReadings } from '../../src/target/container.js'
import { removeLeftovers } from '../../src/target/docker-engine.js'
import { buildServerImage } from '../../src/target/images.js'
import { assertSumsAgree, operation } from '../acceptance/consistent.js'
import { cutEngine } from '../acceptance/cut-engine.js'
import {
  containerOf,
  docker,
  engine,
  leftInDocker,
  leftInDockerAfter,
  NEEDS_DOCKER
} from '../acceptance/docker.js'
import {
  assertBroken,
  breakInMidMeasure,
  DOCKER,
  GONE_WITHIN_MS,
  LONG,
  startWithSeed
} from '../acceptance/docker-run.js'
import { call, FEW, PAIRS, QUICK, run, start, TIMEOUT } from '../acceptance/loadtest.js'
import { assertNeverBegan } from '../acceptance/never-began.js'
import { ON_LINUX } from '../acceptance/processes.js'
import { until } from '../until.js'

/** More than half a core of the server can do: signatures are checked. */
const HEAVY = [
  ...['--registerMode', 'refresh', '--nClients', '20', '--inFlight', '4'],
  ...['--duration', '4s', '--warmup', '500ms']
]

/** Of those that run two at a time, one lane. */
const IN_TURN = Object.freeze({ concurrency: 1 })

describe('the server in Docker', { ...NEEDS_DOCKER, ...PAIRS }, () => {
  /** @type {import('../../src/target/docker-engine.js').Engine} */
  const here = /** @type {any} */ (engine)

  before(() => void docker()) // fails where there is no engine

  describe('a run with --server auto, of more clients than libp2p admits at once from one host', () => {
    /** @type {import('../acceptance/loadtest.js').Outcome} */
    let ended
    /** @type {string[]} */
    let left

    before(async () => {
      const { seed, loadtest } = startWithSeed(['--server', 'auto', '--nClients', '60', ...FEW])
      ended = await loadtest.ended
      left = [...(await leftInDocker(seed)), ...(await loadtest.leftAfter()).map(({ command }) => command)]
    }, TIMEOUT)

    test('ends with a table, names what it ran in, and leaves nothing', () => {
      const { code, stdout, stderr, result } = ended
      assert.equal(code, 0, stderr)
      assert.deepEqual(left, [])
      assert.match(stdout, /^\| REGISTER +\|/m)
      assert.match(stderr, /✔ server ready .* container of libp2p-loadtest-server:/)
      const { outcome, run: about } = result
      assert.equal(outcome.target.kind, 'docker')
      assert.match(String(outcome.target.container?.id), /^[0-9a-f]{64}$/)
      assert.match(String(outcome.target.container?.image), /^libp2p-loadtest-server:[0-9a-f]{12}$/)
      assert.match(String(about.versions['server image']), /^sha256:/)
      assert.match(String(about.versions['docker engine']), /^\d+\./)
      assert.equal(outcome.server?.memoryCountedAs, 'container usage without page cache')
      assert.equal(operation(result, 'REGISTER').errors, 0)
      assertSumsAgree(result)
    })

    test('has all clients connect', () => {
      assert.match(ended.stderr, /✔ 60 clients connected/)
      assert.match(
        JSON.stringify(ended.result.outcome.target.settings.server),
        /"unlimitedFrom":"\/ip4\/[\d.]+\/ipcidr\/\d+"/
      )
    })
  })

  test('half a core is what it gets with --cpus 0.5, though it wants more', TIMEOUT, async () => {
    const limits = ['--cpus', '0.5', '--memory', '512MiB']
    const { seed, loadtest } = startWithSeed([...DOCKER, ...HEAVY, ...limits])
    await loadtest.measuring()
    await sleep(2000)
    const { cpu_stats: cpu } = await (await containerOf(seed)).stats({ stream: false })
    assert.ok(cpu.throttling_data.throttled_periods > 0, 'it had to wait')
    const { code, stderr, result } = await loadtest.ended
    assert.equal(code, 0, stderr)
    const { averagePercent, medianPercent } = result.outcome.server?.cpu ?? {}
    assert.ok(Number(averagePercent) <= 60 && Number(averagePercent) > 0, `average ${averagePercent} %`)
    assert.ok(Number(medianPercent) <= 60, `median ${medianPercent} %`)
    const { cpus, memoryBytes } = result.outcome.target.container ?? {}
    assert.deepEqual([cpus, memoryBytes], [0.5, 512 * 2 ** 20])
  })

  // interrupted in the phase measure; in the other phases in test/broken
  test('the engine counts what the kernel counts; Ctrl-C: exit code 130, and nothing is left', {
    ...TIMEOUT,
    ...ON_LINUX
  }, async () => {
    const { seed, loadtest } = startWithSeed(LONG, { ownGroup: true })
    await loadtest.measuring()
    const container = await containerOf(seed)
    const [kernel, slow] = [await openContainerReadings(container), await openEngineReadings(container)]
    const before = await kernel.reading()
    // the engine's are up to a second old, and come late on a busy machine
    const untilMs = performance.now() + GONE_WITHIN_MS
    let byEngine = await slow.reading()
    for (; byEngine.cpuMs < before.cpuMs && performance.now() < untilMs; byEngine = await slow.reading())
      await sleep(100)
    const after = await kernel.reading()
    slow.close()
    loadtest.ctrlC()
    const { code, stderr, result } = await loadtest.ended
    assert.equal(code, 130, stderr)
    assert.deepEqual(await leftInDocker(seed), [])
    assert.deepEqual(await loadtest.leftAfter(), [])
    assert.equal(result.reason?.code, 'INTERRUPTED')
    assert.equal(kernel.source, 'control group')
    const cpuMs = [before, byEngine, after].map(reading => reading.cpuMs)
    assert.ok(cpuMs[0] <= cpuMs[1] && cpuMs[1] <= cpuMs[2], cpuMs.join(' ≤ '))
    const { rssBytes } = byEngine
    assert.ok(Math.abs(rssBytes / after.rssBytes - 1) < 0.5, `${rssBytes} is not ${after.rssBytes}`)
  })

  describe('a run that breaks ends with exit code 1, says why, and leaves nothing', IN_TURN, () => {
    test('the container is killed', TIMEOUT, async () => {
      const ended = await breakInMidMeasure([], container => container.kill())
      assertBroken(ended, 'SERVER_DIED', /the server's container ended with signal SIGKILL/)
      const { TIMEOUT: timedOut = 0 } = operation(ended.result, 'DISCOVER').outcomes
      assert.equal(timedOut, 0, 'it does not wait for operations to time out')
    })

    test('the container is paused', TIMEOUT, async () => {
      const ended = await breakInMidMeasure(['--timeout', '2s'], container => container.pause())
      assertBroken(ended, 'SERVER_HUNG', /the server has not answered for \d+\.\d s/)
    })

    test('the container needs more memory than it may use', TIMEOUT, async () => {
      const { seed, loadtest } = startWithSeed([...LONG, '--memory', '24MiB'])
      const ended = await loadtest.ended
      assert.deepEqual(await leftInDocker(seed), [])
      const why = /it needed more than it was allowed and was killed \(raise --memory\)/
      assertNeverBegan(ended, 'SERVER_NOT_STARTED', why)
    })

    test('the engine refuses', TIMEOUT, async () => {
      const { seed, loadtest } = startWithSeed([...LONG, '--cpus', '1000'])
      const ended = await loadtest.ended
      assert.deepEqual(await leftInDocker(seed), [])
      assert.deepEqual(await loadtest.leftAfter(), [])
      assertNeverBegan(ended, 'SERVER_NOT_STARTED', /the container could not be started: .*CPUs/)
    })
  })

  test('when the program itself is killed, container and network are removed all the same', {
    ...TIMEOUT,
    ...ON_LINUX
  }, async () => {
    const { seed, loadtest } = startWithSeed(LONG)
    await loadtest.measuring()
    assert.equal((await leftInDocker(seed)).length, 2)
    loadtest.signal('SIGKILL')
    await loadtest.ended
    assert.deepEqual(await leftInDockerAfter(seed, GONE_WITHIN_MS), [])
    assert.deepEqual(await loadtest.leftAfter(), [])
  })

  test('when everything of the program is killed, the container ends by itself', {
    ...TIMEOUT,
    ...ON_LINUX
  }, async () => {
    const { seed, loadtest } = startWithSeed(LONG)
    await loadtest.measuring()
    const container = await containerOf(seed)
    await loadtest.endNow()
    // a run of another test may clear it meanwhile
    await Promise.race([container.wait().catch(() => {}), sleep(GONE_WITHIN_MS)])
    const state = await container.inspect().then(
      ({ State }) => State.Status,
      ({ statusCode }) => statusCode
    )
    assert.ok(state === 'exited' || state === 404, String(state))
    await removeLeftovers(docker())
    assert.deepEqual(await leftInDockerAfter(seed, GONE_WITHIN_MS), [])
  })

  test('when the engine is gone in mid-run it says so in a line, and the next run clears what is left', {
    ...TIMEOUT,
    ...ON_LINUX
  }, async () => {
    const { env, cut } = await cutEngine()
    const { seed, loadtest } = startWithSeed(LONG, { env })
    await loadtest.measured()
    await cut()
    const ended = await loadtest.ended
    assert.equal(ended.code, 1)
    assert.deepEqual([ended.result.status, ended.result.reason?.code], ['partial', 'SERVER_DIED'])
    assert.match(
      ended.stdout,
      /^⚠ Partial result: the Docker engine no longer responds for the server's container: connection lost/m
    )
    assert.match(
      ended.stdout,
      /^⚠ The Docker engine no longer responds: .* is cleared by the next run that uses it/m
    )
    assert.doesNotMatch(ended.stdout + ended.stderr, /connect E[A-Z]+/)
    await run([...DOCKER, ...FEW, '--nClients', '1', '--initialRegistrations', '1'])
    assert.deepEqual(await leftInDockerAfter(seed, GONE_WITHIN_MS), [])
  })

  describe('--server auto where the image of this version is not built', IN_TURN, () => {
    const AUTO = ['--server', 'auto', ...FEW]

    test('it is built on the base image that is there, and used', TIMEOUT, async () => {
      const { image } = await buildServerImage(here)
      await docker().getImage(image.name).remove({ force: true, noprune: true })
      const { code, stderr, result } = await run(AUTO)
      assert.equal(code, 0, stderr)
      const { kind, container } = result.outcome.target
      assert.deepEqual([kind, container?.image], ['docker', image.name])
      assert.match(stderr, /--server auto: an engine answers/)
    })
  })

  test('--targetContainer samples a container that is not ours', TIMEOUT, async () => {
    const { image } = await buildServerImage(here)
    const container = await docker().createContainer({
      Image: image.id,
      Cmd: ['--unlimitedFrom=/ip4/0.0.0.0/ipcidr/0']
    })
    try {
      await container.start()
      const target = await addressOf(container)
      const args = [
        '--target',
        target,
        '--targetContainer',
        container.id.slice(0, 12),
        ...QUICK,
        '--duration',
        '2s'
      ]
      const { code, stderr, result } = await run(args)
      assert.equal(code, 0, stderr)
      const { outcome } = result
      assert.deepEqual([outcome.target.kind, outcome.target.container?.id], ['address', container.id])
      assert.equal(outcome.server?.memoryCountedAs, 'container usage without page cache')
      assert.ok(Number(outcome.server?.cpu.averagePercent) > 0)
      assert.equal((await container.inspect()).State.Running, true, 'it is left running')
    } finally {
      await container.remove({ force: true })
    }
  })

  test('--targetContainer that is not there is refused before anything is sent', TIMEOUT, async () => {
    const peer = '12D3KooWGjMCwDWeCzgZ1tAFuUbBLRqHgtdVMZxqYsD9GPXMzSzd'
    const target = `/ip4/127.0.0.1/tcp/9/p2p/${peer}`
    const ended = await run(['--target', target, '--targetContainer', 'no-such-one'])
    assertNeverBegan(ended, 'NO_CONTAINER', /there is no container no-such-one/)
  })

  test('a base image that cannot be pulled names the script that makes one', TIMEOUT, async () => {
    const { code, stderr } = await call(['image', '--nodeImage', 'registry.invalid/node:1'])
    assert.equal(code, 1)
    assert.match(
      stderr,
      /the base image registry\.invalid\/node:1 could not be pulled .*scripts\/base-image\.sh makes/
    )
  })
})

describe('where no Docker engine answers', PAIRS, () => {
  const env = { DOCKER_HOST: 'unix:///nowhere/docker.sock' }

  test('--server auto takes a process and says so', TIMEOUT, async () => {
    const { code, stderr, result } = await start(['--server', 'auto', ...FEW], { env }).ended
    assert.equal(code, 0, stderr)
    assert.equal(result.outcome.target.kind, 'process')
    assert.match(stderr, /✔ server ready .*\(--server auto: no Docker engine answers/)
  })

  for (const [args, needs] of /** @type {[string[], string][]} */ ([
    [['--server', 'docker'], '--server docker'],
    [['--server', 'auto', '--cpus', '1', '--memory', '1GiB'], '--cpus and --memory']
  ]))
    test(`${args.join(' ')} starts nothing`, TIMEOUT, async () => {
      const loadtest = start([...args, ...QUICK], { env })
      const ended = await loadtest.ended
      assertNeverBegan(
        ended,
        'NO_ENGINE',
        new RegExp(`${needs} needs the server in Docker, but no Docker engine answers`)
      )
      assert.deepEqual(await loadtest.leftAfter(), [])
    })
})

/** @param {import('dockerode').Container} container - of our image, on the usual bridge */
async function addressOf(container) {
  let peer = ''
  await until(
    async () => {
      const log = String(await container.logs({ stdout: true }))
      peer = /\/p2p\/(\w+)/.exec(log)?.[1] ?? ''
      return peer !== ''
    },
    { everyMs: 50 }
  )
  const { NetworkSettings } = await container.inspect()
  return `/ip4/${NetworkSettings.Networks.bridge.IPAddress}/tcp/8000/p2p/${peer}`
}
