import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { minimatch } from 'minimatch'
import { Fleet } from '../src/agents/fleet.js'
import { makeProcessIo } from '../src/cli/index.js'
import { computeSum } from '../src/kit/collections.js'
import { parseBusAddress } from '../src/plan/agents.js'
import { runScenario } from '../src/run/run.js'
import { loadScenario } from '../src/scenarios/index.js'
import { startBus } from '../test/acceptance/bus.js'
import { Program, ROOT } from '../test/acceptance/program.js'
import { makePlanOf } from '../test/scenarios.js'
import { watchBus } from './parts/bus-watch.js'
import { kept } from './parts/kept.js'
import { median } from './parts/median.js'

const AGENTS = 3
const STARTS = 20
/** Large messages, as figures of many deliveries are; what they come in one by one takes the bus more. */
const LARGE_BYTES = 100_000
const SPEED_FOR_MS = 2000

/**
 * @typedef {import('./parts/bus-watch.js').Seen} Seen
 *
 * @typedef {object} Load
 * @property {string} scenario
 * @property {number} agents
 * @property {(seconds: number) => Record<string, unknown>} options
 * @property {readonly string[]} phases - in which is measured
 * @property {(outcome: any) => number} count - of what is counted
 * @property {string} unit
 * @property {boolean} [grows] - what goes over the bus does so with each
 */

/** @param {any} outcome */
const operationsIn = ({ operations }) =>
  computeSum(Object.entries(operations), ([type, { count }]) => (type === 'CONNECT' ? 0 : count))
/** @param {any} outcome */
const transfersIn = ({ transfers }) => transfers.length
/** @param {any} outcome */
const deliveriesIn = ({ delivery }) => delivery.delivered

/** @param {number} rate @param {number} [agents] @returns {Load} */
const rendezvousAt = (rate, agents = AGENTS) => ({
  ...{ scenario: 'rendezvous', agents, phases: ['measure'], count: operationsIn, unit: 'operations' },
  options: seconds => ({
    ...{ nClients: 30, rate: `${rate}/s`, arrivals: 'constant', duration: `${seconds}s`, warmup: '1s' },
    ...{ skipLookUp: true, server: 'process' }
  })
})

/** @param {{ size: string, files?: number }} what - `files`: that each requestor fetches at once @returns {Load} */
const transferOf = ({ size, files = 1 }) => ({
  ...{ scenario: 'transfer', agents: AGENTS, phases: ['measure'], count: transfersIn, unit: 'transfers' },
  options: seconds => ({
    ...{ requestors: AGENTS, size, concurrency: files, repeats: String(3 * seconds) },
    ...{ protocols: 'blocks,http,stream', latencies: 'none', bandwidths: 'none' }
  })
})

/** @param {Record<string, unknown>} given @returns {Load} */
const perfWith = given => ({
  ...{ scenario: 'perf', agents: 1, count: transfersIn, unit: 'transfers' },
  phases: ['measure', 'latency', 'handshakes'],
  options: seconds => ({ size: '1MiB', repeats: String(seconds), handshakeFor: '1s', ...given })
})

/** @type {Record<string, Load>} */
const LOADS = {
  ...Object.fromEntries([100, 300, 600].map(rate => [`rendezvous at ${rate}`, rendezvousAt(rate)])),
  // how much of it comes with each agent
  'rendezvous at 300 from one': rendezvousAt(300, 1),
  transfer: transferOf({ size: '1MB' }),
  'transfer of 20 files at once': transferOf({ size: '50kB', files: 20 }),
  perf: perfWith({ exchanges: 100 }),
  // of fewer ways, or it would take minutes
  'perf with 1,000 exchanges': perfWith({ exchanges: 1000, muxer: 'yamux', protocols: 'perf,tcp' }),
  gossip: {
    ...{ scenario: 'gossip', agents: AGENTS, phases: ['publish'], count: deliveriesIn, unit: 'deliveries' },
    grows: true,
    options: seconds => ({
      ...{ nodes: 30, topology: 'random-degree:k=6', linkLatency: '0', messageBytes: 200 },
      ...{ rate: '20/s', messages: String(20 * seconds) }
    })
  },
  'gossip --churn': {
    ...{ scenario: 'gossip', agents: AGENTS, phases: ['publish'], count: deliveriesIn, unit: 'deliveries' },
    grows: true,
    options: seconds => ({
      ...{ nodes: 20, topology: 'random-degree:k=6', churn: '10,every=3s,away=5s', rate: '10/s' },
      duration: `${Math.max(10, seconds)}s`
    })
  },
  'rendezvous --churn': {
    ...{ scenario: 'rendezvous', agents: AGENTS, count: operationsIn, unit: 'operations' },
    phases: ['measure'],
    options: seconds => ({
      ...{ nClients: 30, churn: '10,every=2s,away=1s', duration: `${seconds}s`, ttl: '1m' },
      ...{ benchmarkType: 'DISCOVER', rate: '30/s', discoverLimit: 1000, nNamespaces: 1 },
      initialRegistrations: 0
    })
  }
}

/** A short run: its warm-up and its measurement begin at times that are agreed ahead. @type {Load} */
const SHORT = {
  ...rendezvousAt(0),
  options: () => ({
    ...{ nClients: 3, benchmarkRuns: 30, minDuration: '1s', warmup: '200ms' },
    ...{ skipLookUp: true, server: 'process' }
  })
}

/**
 * @typedef {object} Part - of a run
 * @property {number} seconds
 * @property {number} cpuMs - of this process, which makes it
 * @property {Seen[]} seen
 */

/**
 * @param {Load} load
 * @param {number} seconds
 * @param {{ url: string, look: () => Promise<Seen> }} bus
 * @returns {Promise<Part & { result: any }>}
 */
async function runOver({ scenario, agents, options, phases }, seconds, { url, look }) {
  const { plan, problems } = makePlanOf(scenario, { ...options(seconds), bus: url, agents })
  if (plan === undefined) throw new Error(JSON.stringify(problems))
  const { version } = makeProcessIo()
  const of = {
    bus: parseBusAddress(url),
    address: null,
    onLostAgent: /** @type {const} */ ('stop'),
    version,
    say: console.error
  }
  const from = [{ tag: null, count: agents }]
  const fleet = await Fleet.open({ ...of, from, run: randomUUID().slice(0, 8), plan })
  const folder = await mkdtemp(join(tmpdir(), 'bench-'))
  const part = { seconds: 0, cpuMs: 0, seen: /** @type {Seen[]} */ ([]) }
  /** @type {any} */
  let result
  try {
    await look()
    for await (const record of runScenario(loadScenario)(plan, { id: 'bench', folder, fleet })) {
      if (record.type === 'result') result = record.result
      if (record.type !== 'phase' || !phases.includes(record.name)) continue
      const seen = await look()
      const sign = record.state === 'begin' ? -1 : 1
      if (sign === 1) part.seen.push(seen)
      const { user, system } = process.cpuUsage()
      part.cpuMs += (sign * (user + system)) / 1000
      part.seconds += (sign * performance.now()) / 1000
    }
  } finally {
    await fleet.close()
    await rm(folder, { recursive: true })
  }
  if (result.status !== 'complete') throw new Error(`${scenario} failed: ${result.reason?.message}`)
  return { ...part, result }
}

/**
 * @param {string} name
 * @param {number} seconds
 * @param {{ url: string } & Awaited<ReturnType<typeof watchBus>>} bus
 */
async function rowOf(name, seconds, bus) {
  const load = LOADS[name]
  const part = await runOver(load, seconds, bus)
  const { cpuMs, seen } = part
  const count = load.count(part.result.outcome)
  const total = (/** @type {'bytes' | 'toldBytes' | 'toldMessages'} */ key) =>
    computeSum(seen, each => each[key])
  const largest = Math.max(...seen.map(({ largest: { bytes } }) => bytes))
  const agentSeconds = part.seconds * load.agents
  const perAgent = total('toldMessages') / agentSeconds
  // figures of operations are as many however many those are; those of deliveries are not
  const each = load.grows ? LARGE_BYTES : Math.ceil(total('toldBytes') / Math.max(1, total('toldMessages')))
  const speed = await bus.speedOf(each, SPEED_FOR_MS)
  const ends = load.grows
    ? `${Math.round((speed * LARGE_BYTES * count) / total('toldBytes')).toLocaleString('en')} ${load.unit}/s`
    : `${Math.round(speed / perAgent).toLocaleString('en')} agents`
  return [
    ...[`${name}, ${load.agents === 1 ? '1 agent' : `${load.agents} agents`}`, `${count} ${load.unit}`],
    ...[((1000 * cpuMs) / count).toFixed(1), (cpuMs / 10 / part.seconds).toFixed(1)],
    ...[(total('bytes') / 1000 / agentSeconds).toFixed(2), (total('toldBytes') / count).toFixed(1)],
    ...[(largest / 1000).toFixed(1), (seen[0].limitBytes / 1000).toFixed(0), ends]
  ]
}

/** How far apart agents begin. @param {Parameters<typeof runOver>[2]} bus */
async function spreadOfStarts(bus) {
  /** @type {number[]} medians of runs, one for each of their starts */
  const spreads = []
  while (spreads.length < STARTS) {
    const { result } = await runOver(SHORT, 0, bus)
    const { count, spreadMs } = result.run.starts
    spreads.push(...Array(count).fill(spreadMs))
  }
  return [String(spreads.length), median(spreads).toFixed(2)]
}

/** @param {string} url */
async function startAgents(url) {
  const agents = Array.from(
    { length: AGENTS },
    () => new Program(join(ROOT, 'index.js'), ['agent', '--bus', url], { hangsAfterMs: 2 ** 31 - 1 })
  )
  await Promise.all(agents.map(agent => agent.line(/^agent \w+ is ready/)))
  return agents
}

/**
 * fleet is what load over agents costs beside the load: in the process that makes the run, and on the bus.
 *
 * @param {{ seconds: number, only: string, keep: boolean }} options - `seconds`: of each run; `only`: of the loads, and `starts`
 */
export async function fleet({ seconds, only, keep }) {
  const server = await startBus()
  const [agents, watch] = [await startAgents(server.url), await watchBus(server.url)]
  const bus = { url: server.url, ...watch }
  /** @type {Record<string, string[]>} */
  const rows = {}
  /** @type {Record<string, string[]>} */
  const starts = {}
  try {
    for (const name of Object.keys(LOADS).filter(each => minimatch(each, only))) {
      rows[name] = await rowOf(name, seconds, bus)
      process.stderr.write(`  ${rows[name].join('  ')}\n`)
    }
    if (minimatch('starts', only)) starts.all = await spreadOfStarts(bus)
  } finally {
    await watch.end()
    await Promise.all(agents.map(agent => agent.endNow()))
    await server.kill()
  }
  const table = {
    title: `What load over agents costs, all on this machine, runs of ${seconds} s`,
    head: [
      ...['', 'Measured', 'CPU of the run ms per 1,000', 'of a core %', 'Bus kB/s and agent'],
      ...['Figures B each', 'Largest message kB', 'Limit kB', 'The bus ends at']
    ],
    rows: Object.values(rows)
  }
  const startsTable = {
    title: `How far apart the workers of ${AGENTS} agents on this machine begin at a start that was agreed ahead`,
    head: ['Starts', 'Spread, median ms'],
    rows: Object.values(starts)
  }
  if (keep && startsTable.rows.length > 0) await kept('fleet-starts', startsTable, starts)
  if (Object.keys(rows).length === 0) return startsTable
  for (const [count, ms] of startsTable.rows)
    process.stderr.write(`  ${count} starts: median spread ${ms} ms\n`)
  return keep ? kept('fleet', table, rows) : table
}
