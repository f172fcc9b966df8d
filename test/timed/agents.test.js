import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Agent } from '../../src/agents/agent.js'
import { AgentLink } from '../../src/agents/agent-link.js'
import { listAgents } from '../../src/agents/agent-list.js'
import {
  connectBus,
  openPresenceBucket,
  openReportStream,
  reportSubject
} from '../../src/agents/bus-connection.js'
import { Fleet } from '../../src/agents/fleet.js'
import { BUS_FORMAT } from '../../src/agents/messages.js'
import { makeProcessIo } from '../../src/cli/index.js'
import { parseBusAddress } from '../../src/plan/agents.js'
import { LONG, resultOf, theirAgents } from '../acceptance/agent-study.js'
import { LOGIN, NO_NATS, startBus } from '../acceptance/bus.js'
import { assertComplete, operation, sum } from '../acceptance/consistent.js'
import { FAST, runGossip } from '../acceptance/gossip-network.js'
import {
  call,
  documentIn,
  INDEX,
  newFolder,
  PAIRS,
  QUICK,
  run,
  runCommand,
  start,
  startProgram,
  TIMEOUT
} from '../acceptance/loadtest.js'
import { localAgents } from '../acceptance/local-agents.js'
import { preloading } from '../acceptance/preloading.js'
import { makePlanOf } from '../scenarios.js'
import { until } from '../until.js'

/** What shifted-clock.js adds; importing it would shift the clock of this process. */
const SHIFT_MS = 200
const SHIFTED = preloading('./shifted-clock.js')
/** Where the run listens, for agents. */
const HERE = '127.0.0.9'

const SHORT = ['--warmup', '50ms', '--initialRegistrations', '10', '--server', 'process']
const ROWS = `
title: Two rows
defaults: { nClients: 2, duration: 1s }
rows:
  - rate: 20/s
  - rate: 40/s
`

/** Of suites that run beside each other, one lane: the agents of a bus hold one run at a time. */
const IN_TURN = Object.freeze({ concurrency: 1 })

// each has a bus and agents of its own
describe('agents', PAIRS, () => {
  describe('agents on a bus', { skip: NO_NATS, ...IN_TURN }, onABus)
  describe('a bus', { skip: NO_NATS, ...IN_TURN }, busThatMisbehaves)
  describe('a study over agents', { skip: NO_NATS, ...IN_TURN }, studyOverAgents)
})

function onABus() {
  /** @type {Awaited<ReturnType<typeof localAgents>>} */
  let local
  /** @type {string[]} */
  let ids = []
  before(async () => {
    local = await localAgents({ one: {}, two: {}, three: SHIFTED })
    ids = local.ids
  })
  after(() => local?.bus.kill())

  test(
    'hold the workers of a run, each of which has a row; a second run is told that they are busy',
    TIMEOUT,
    async () => {
      const load = ['--nClients', '6', '--rate', '60/s', '--duration', '2s']
      const over = ['--bus', local.bus.url, '--agents', '3', '--address', HERE]
      const first = start([...QUICK, ...load, ...over])
      await first.line(/✔ 6 clients connected/)
      const second = await run(['--bus', local.bus.url, '--agents', '1'])
      assert.equal(second.code, 2)
      assert.match(second.stderr, /1 agent: requested, but 0 free.*is busy with run/)
      assert.deepEqual(second.folders, [])

      const ended = await first.ended
      assertComplete(ended)
      const { outcomes, count } = operation(ended.result, 'REGISTER')
      assert.equal(count, 120)
      assert.deepEqual(outcomes, { OK: 120 })
      assert.equal(ended.result.outcome.lookUp?.missing, 0)
      assert.match(String(ended.result.outcome.target.multiaddr), /^\/ip4\/127\.0\.0\.9\/tcp/)
      const rows = ended.result.run.agents ?? []
      assert.deepEqual(rows.map(({ id }) => id).sort(), [...ids].sort())
      for (const { id, workers, operations, lateMs, clock, lost } of rows) {
        assert.equal(workers.length, 1)
        assert.equal(operations, 40)
        assert.ok(lateMs !== null && lateMs >= 0, `${lateMs}`)
        assert.equal(lost, null)
        const { offsetMs = Number.NaN, errorMs = Number.NaN } = clock ?? {}
        const truth = id === ids[2] ? SHIFT_MS : 0
        assert.ok(Math.abs(offsetMs - truth) <= errorMs, `${offsetMs} ± ${errorMs} of ${truth}`)
      }
      for (const id of ids) assert.match(ended.stdout, new RegExp(`\\| ${id} \\(`))
      const { count: starts = 0, spreadMs = -1, worstMs = -1 } = ended.result.run.starts ?? {}
      assert.ok(starts >= 1 && spreadMs >= 0 && worstMs >= spreadMs, `${starts} ${spreadMs} ${worstMs}`)
    }
  )

  test('of another version are refused with both versions', TIMEOUT, async t => {
    const other = await Agent.start({
      address: parseBusAddress(local.bus.url),
      ownAddress: null,
      tags: ['odd'],
      limits: { maxClients: null, maxRate: null, allowTargets: null },
      version: '0.0.9',
      say: () => {}
    })
    t.after(() => other.stop())
    const { code, stderr, folders } = await run(['--bus', local.bus.url, '--agents', 'odd=1'])
    assert.equal(code, 2)
    assert.match(stderr, /is version 0\.0\.9, and this is version \d/)
    assert.deepEqual(folders, [])
  })

  test('that speak otherwise on the bus are refused with both formats, and refuse so', TIMEOUT, async t => {
    const { version } = makeProcessIo()
    const own = { ownAddress: null, limits: { maxClients: null, maxRate: null, allowTargets: null }, version }
    const address = parseBusAddress(local.bus.url)
    const older = await Agent.start({ ...own, address, tags: ['older'], format: 'f0', say: () => {} })
    t.after(() => older.stop())
    const { code, stderr, folders } = await run(['--bus', local.bus.url, '--agents', 'older=1'])
    assert.equal(code, 2)
    assert.match(
      stderr,
      /is version (\S+) with format f0 of the bus, and this is version \1 with format \w+ of the bus/
    )
    assert.deepEqual(folders, [])

    const connection = await connectBus(address, 'test')
    t.after(() => connection.close())
    const { plan } = makePlanOf('rendezvous', { nClients: 1, bus: local.bus.url, agents: 1 })
    const link = new AgentLink(older.card, { connection, run: 'run' })
    const lease = { kind: 'lease', study: null, version, format: BUS_FORMAT, plan, workers: 1 }
    await assert.rejects(
      link.ask(lease),
      /it is version (\S+) with format f0 of the bus, and the run is of version \1 with format \w+ of the bus/
    )
  })

  test("take no scenario of a user's own, which is code", TIMEOUT, async t => {
    const connection = await connectBus(parseBusAddress(local.bus.url), 'test')
    t.after(() => connection.close())
    const [card] = await listAgents(connection, assert.fail)
    const link = new AgentLink(card, { connection, run: 'run' })
    const { version, format } = card
    const lease = { kind: 'lease', study: null, version, format, plan: { scenario: 'own' }, workers: 1 }
    await assert.rejects(link.ask(lease), /agents run workers of rendezvous, .* only, not of own/)
  })

  test('are seen to be free as soon as a run has given them back', TIMEOUT, async () => {
    const { plan } = makePlanOf('rendezvous', { nClients: 3, bus: local.bus.url, agents: 3 })
    const { version } = makeProcessIo()
    const of = {
      bus: parseBusAddress(local.bus.url),
      address: null,
      onLostAgent: /** @type {const} */ ('stop'),
      say: assert.fail
    }
    for (let i = 0; i < 10; i++) {
      const from = [{ tag: null, count: 3 }]
      const fleet = await Fleet.open({ ...of, version, from, run: `run${i}`, plan })
      await fleet.close()
    }
  })

  test(
    'hold nodes of a network, and the clock of a machine that is off by 200 ms is in no delivery time',
    TIMEOUT,
    async () => {
      // from a node of the first agent, and one of that whose clock is off; in a ring all agents are as far from them
      const load = ['--nodes', '15', '--messages', '24', '--rate', '6/s', '--topology', 'ring']
      const over = ['--publishers', 'node:0,2', '--bus', local.bus.url, '--agents', 'one=1,two=1,three=1']
      const { code, result, stderr } = await runGossip([...FAST, ...load, ...over])
      assert.equal(code, 0, stderr)
      assert.equal(result.outcome.delivery.ratio, 1)
      assert.ok('connectionGater' in result.outcome.network.settings)
      // a clock that is not known has deliveries come before they are published
      assert.deepEqual(
        new Set(Object.values(result.outcome.anomalies)),
        new Set([0]),
        JSON.stringify(result.outcome.anomalies)
      )
      const [apart] = result.run.warnings.filter(({ code }) => code === 'CLOCKS_APART')
      const errorMs = Number(apart.values.errorMs)
      assert.ok(errorMs > 0 && errorMs < SHIFT_MS, `${errorMs}`)
      const shifted = result.run.agents?.find(({ id }) => id === ids[2])
      const { offsetMs = Number.NaN, errorMs: ownMs = Number.NaN } = shifted?.clock ?? {}
      assert.ok(Math.abs(offsetMs - SHIFT_MS) <= ownMs, `${offsetMs} ± ${ownMs} of ${SHIFT_MS}`)
      for (const figure of Object.values(result.outcome.latency.delivered))
        if (figure !== null && typeof figure === 'object') assert.ok(figure.ms >= errorMs)

      // what is sent to the third agent would take longer by what its clock is off, and what comes from there less
      const averageMs = ids.map(id => {
        const [worker] = result.run.agents?.find(row => row.id === id)?.workers ?? []
        const own = result.outcome.resources.find(row => row.worker === worker)?.nodes ?? []
        const receivers = result.outcome.nodes.filter(({ node }) => own.includes(node))
        return sum(receivers.map(row => row.averageMs ?? Number.NaN)) / receivers.length
      })
      const [, control, there] = averageMs
      assert.ok(Math.abs(there - control) < SHIFT_MS / 2, `${averageMs}`)
    }
  )

  test('say what they do not reach, and nothing is started', TIMEOUT, async () => {
    const target = '/ip4/127.0.0.1/tcp/9/p2p/12D3KooWKrEPfpTRBNoH35vgD2cQysyNchGY1yNvdq6vFqNXsdMk'
    const over = ['--bus', local.bus.url, '--agents', '2', '--nClients', '4']
    const none = await run([...over, '--target', target])
    assert.equal(none.code, 2)
    assert.match(none.stderr, /agent \w+ \(.*\): does not reach the target, at 127\.0\.0\.1:9: ECONNREFUSED/)
    const stranger = await run([...over, '--address', '192.0.2.7'])
    assert.equal(stranger.code, 2)
    assert.match(stranger.stderr, /--address 192\.0\.2\.7 +nothing can listen on 192\.0\.2\.7/)
    assert.deepEqual([...none.folders, ...stranger.folders], [])
  })
}

function busThatMisbehaves() {
  const LOAD = ['--nClients', '4', '--rate', '40/s', '--warmup', '50ms', '--initialRegistrations', '10']
  /** @type {Awaited<ReturnType<typeof localAgents>>} */
  let local
  /** @type {string[]} */
  let over
  before(async () => {
    local = await localAgents({ one: {}, two: {} })
    over = ['--bus', local.bus.url, '--agents', '2']
  })
  after(() => local?.bus.kill())

  const busy = async () => {
    const { stdout } = await call(['agents', '--bus', local.bus.url, '--json'])
    return JSON.parse(stdout).map((/** @type {any} */ agent) => agent.busy)
  }

  for (const awayMs of [300, 5000])
    test(`that is started again and away for ${awayMs} ms loses nothing`, TIMEOUT, async () => {
      const going = start([...LOAD, '--duration', '8s', ...over])
      await going.measured()
      await local.bus.restart(awayMs)
      const ended = await going.ended
      assertComplete(ended)
      assert.deepEqual(operation(ended.result, 'REGISTER').outcomes, { OK: 320 })
      assert.deepEqual(await busy(), [null, null])
    })

  test('keeps and tells what is none of ours: it is passed over and named once', TIMEOUT, async t => {
    const connection = await connectBus(parseBusAddress(local.bus.url), 'test')
    t.after(() => connection.close())
    const presence = await openPresenceBucket(connection)
    const put = async () => {
      await presence.put('agent.nojson', 'this is no JSON {')
      await presence.put('agent.tags', JSON.stringify({ id: 'tags', host: 'h', tags: 7, busy: null }))
      await presence.put('run.odd', 'no JSON either')
    }
    await put()
    const often = setInterval(put, 1000)
    t.after(() => clearInterval(often))
    const listed = await call(['agents', '--bus', local.bus.url])
    assert.equal(listed.code, 0)
    for (const id of local.ids) assert.match(listed.stdout, new RegExp(id))
    const NAMED = /^entry agent\.(nojson|tags) on the bus is not of this tool, and is ignored$/gm
    assert.equal(listed.stderr.match(NAMED)?.length, 2, listed.stderr)

    const going = start([...LOAD, '--duration', '4s', ...over])
    await going.measured()
    const [run] = await busy()
    const { stream } = await openReportStream(connection)
    for (let i = 0; i < 2; i++) await stream.publish(reportSubject(run, local.ids[0]), 'garbage')
    const ended = await going.ended
    assertComplete(ended)
    assert.equal(ended.stderr.match(NAMED)?.length, 2, ended.stderr)
    assert.equal(
      ended.stderr.match(/a message of agent \w+ \(.+\) on the bus is not of/g)?.length,
      1,
      ended.stderr
    )
  })

  test('that has come back without what it kept is named', TIMEOUT, async () => {
    const going = start([...LOAD, '--duration', '20s', ...over])
    await going.measured()
    await local.bus.restart(300, { emptied: true })
    const { code, stdout } = await going.ended
    assert.equal(code, 1)
    assert.match(
      stdout,
      /^⚠ Partial result: the bus was started again without what it had kept: .*-sd FOLDER/m
    )
  })

  test('sees the agents of a run that was killed as free again within 10 s', TIMEOUT, async () => {
    // a bus that has forgotten them hears of them again
    await until(async () => {
      const runs = await busy()
      return runs.length === 2 && runs.every((/** @type {unknown} */ run) => run === null)
    })
    const going = start([...LOAD, '--duration', '60s', ...over])
    await going.measured()
    going.signal('SIGKILL')
    const killedMs = performance.now()
    await until(async () => (await busy()).every((/** @type {unknown} */ run) => run === null))
    assert.ok(performance.now() - killedMs < 10_000)
  })
}

function studyOverAgents() {
  /** @type {Awaited<ReturnType<typeof localAgents>>} */
  let local
  /** @type {string[]} */
  let over
  before(async () => {
    local = await localAgents({ one: {}, two: {} })
    over = ['--bus', local.bus.url, '--agents', 'one=1,two=1']
  })
  after(() => local?.bus.kill())

  test('runs the rows of a matrix on the same agents, which are free afterwards', TIMEOUT, async () => {
    const [outputDir, files] = [await newFolder(), await newFolder()]
    const file = join(files, 'two.yaml')
    await writeFile(file, ROWS)
    const { code, stderr } = await call(['matrix', file, ...SHORT, ...over, '--outputDir', outputDir])
    assert.equal(code, 0, stderr)
    const { folder, document } = await documentIn(outputDir, 'matrix.json')
    const rows = document.tables[0].rows
    for (const [i, { status, result: path }] of rows.entries()) {
      assert.equal(status, 'complete')
      const result = await resultOf(folder, join(path, '..'))
      assert.deepEqual(theirAgents(result), [...local.ids].sort())
      assert.equal(operation(result, 'REGISTER').count, [20, 40][i])
    }
    const { stdout } = await call(['agents', '--bus', local.bus.url, '--json'])
    assert.deepEqual(
      JSON.parse(stdout).map((/** @type {any} */ { busy }) => busy),
      [null, null]
    )
  })

  test('finds out loads, and keeps nothing of how agents were reached', TIMEOUT, async () => {
    const outputDir = await newFolder()
    const grid = [
      ...'saturate rendezvous --rates 10,20 --connections 2 --duration 1s --slo'.split(' '),
      'avg < 5s'
    ]
    const { code, stderr } = await call([...grid, ...SHORT, ...over, '--outputDir', outputDir])
    assert.equal(code, 0, stderr)
    const { folder, document, text } = await documentIn(outputDir, 'saturate.json')
    assert.deepEqual(
      document.grid.cells.map((/** @type {any} */ { status, point }) => [status, point.due]),
      [20, 40].map(due => ['complete', due])
    )
    for (const { run } of document.grid.cells)
      assert.deepEqual(theirAgents(await resultOf(folder, run)), [...local.ids].sort())
    assert.doesNotMatch(text, /nats:/)
    assert.equal(document.options.workers, 2)
  })

  test(
    'is refused where agents are busy with another one, or cannot reach the machine',
    TIMEOUT,
    async () => {
      const outputDir = await newFolder()
      const args = ['--runs', '2', ...LONG, ...over, '--outputDir', outputDir]
      const going = startProgram(INDEX, args)
      await until(async () => (await readdir(outputDir)).length > 0)
      const busy = await runCommand([
        'ab',
        '',
        '--inFlight 2',
        '--bus',
        local.bus.url,
        ...'--agents 1 --runs 1'.split(' ')
      ])
      assert.equal(busy.code, 2)
      assert.match(busy.stderr, /1 agent: requested, but 0 free.*is busy with run \w+/)
      going.signal('SIGINT')
      assert.equal((await going.ended).code, 130)
      const stranger = await runCommand([
        ...['saturate', 'rendezvous', ...over, '--connections', '4', '--address', '192.0.2.7']
      ])
      assert.equal(stranger.code, 2)
      assert.match(stranger.stderr, /--address 192\.0\.2\.7 +nothing can listen on 192\.0\.2\.7/)
      assert.deepEqual([...busy.folders, ...stranger.folders], [])
    }
  )
}

describe('a bus with TLS that asks for user and password', { skip: NO_NATS }, () => {
  /** @type {import('../acceptance/bus.js').Bus} */
  let bus
  before(async () => {
    bus = await startBus({ secured: true })
  })
  after(() => bus?.kill())

  test('is used by those who have them, and its certificate', TIMEOUT, async () => {
    const { code, stdout } = await call(['agents', '--bus', bus.url, '--busCa', String(bus.ca)])
    assert.deepEqual([code, stdout], [0, `no agents at ${bus.urlWith('')}\n`])
  })

  const CA = 'the certificate'
  for (const [what, login, ca, said] of /** @type {[string, string, string | null, RegExp][]} */ ([
    ['a wrong password', `${LOGIN.user}:hunter2@`, CA, /Authorization Violation/i],
    ['no password', '', CA, /Authorization Violation/i],
    ['no certificate', `${LOGIN.user}:hunter2@`, null, /self.signed certificate.*--bus …,ca=/i],
    ['a certificate that is not there', `${LOGIN.user}:hunter2@`, '/nowhere/ca.pem', /\/nowhere\/ca\.pem/]
  ]))
    for (const command of [['agent'], ['agents'], ['--agents', '1']])
      test(`${command[0]} says in a line that it has ${what}`, TIMEOUT, async () => {
        const given = ca === null ? [] : ['--busCa', ca === CA ? String(bus.ca) : ca]
        const args = [...command, '--bus', bus.urlWith(login), ...given, '--insecure']
        const { code, stderr } = await (command[0] === '--agents' ? run(args) : call(args))
        assert.equal(code, 2)
        assert.match(stderr, said)
        assert.match(stderr, new RegExp(`--bus ${bus.urlWith('')} +no NATS server can be used`))
        assert.doesNotMatch(stderr, /hunter2| at .*:\d+:\d+/)
      })
})

describe('a bus without TLS', { skip: NO_NATS }, () => {
  test('is not used where TLS is asked for', TIMEOUT, async t => {
    const bus = await startBus()
    t.after(() => bus.kill())
    const { code, stderr } = await call(['agents', '--bus', bus.url.replace('nats:', 'tls:')])
    assert.equal(code, 2)
    assert.match(stderr, /server does not support 'tls'/)
  })
})
