import { minimatch } from 'minimatch'
import pg from 'pg'
import { startOwnPostgres } from '../src/target/run-store.js'
import { kept } from './parts/kept.js'
import { median } from './parts/median.js'
import { startPart } from './parts/part-process.js'
import { isStolen, untilQuiet, watchSteal } from './parts/quiet-machine.js'
import { registrations } from './parts/registrations.js'
import { runOfOurs } from './parts/run-of-ours.js'
import { startServer } from './parts/server-process.js'

/** @typedef {{ p50: number, p99: number }} Times - ms */
/** @typedef {'REGISTER' | 'DISCOVER'} Type */
/** @typedef {'floor' | 'memory' | 'share' | 'postgres'} Arm - share: the server in memory has as much to do as each of the three */
/** @typedef {(type: Type, seconds: number) => Promise<Times>} Measure */

const REGISTRATIONS = Number(process.env.BENCH_REGISTRATIONS ?? 1_000_000)
const RATE = 300
/** The server takes none for longer than some minutes. */
const REQUESTS = 10
const SERVERS = 3
/** A load generator is new in each run. */
const WARM_UP_SECONDS = 20
/** Each of the servers has then served some 12,000 operations; the one in memory serves 6,000 in the warm-up of its first run. */
const FIRST_SECONDS = 120
const CAP = '--maxRegistrations=2000000'
const MAX_UNTIL_QUIET_MS = 60_000
const MAX_REPEATS = 1
/** p50 of the servers: the floor's and twice that of a server in memory; p99: so many times the floor's. */
const MORE_P50 = 2
const TIMES_P99 = 4

const ARMS = /** @type {const} */ (['floor', 'memory', 'share', 'postgres'])
const TYPES = /** @type {const} */ (['REGISTER', 'DISCOVER'])

/** @param {readonly string[]} targets @param {number} [ratePerSecond] @returns {Measure} */
const ofServers =
  (targets, ratePerSecond = RATE) =>
  async (type, seconds) => {
    const at = targets.length === 1 ? '--target' : '--targets'
    // what is discovered is the run's own, among all the others
    const load = ['--benchmarkType', type, '--initialRegistrations', '1000', '--nNamespaces', '10']
    const how = [
      '--nClients',
      '30',
      '--rate',
      `${ratePerSecond}/s`,
      '--arrivals',
      'constant',
      '--warmup',
      `${WARM_UP_SECONDS}s`
    ]
    // a stream each takes more of the two cores, which all share, than the store does
    const args = [
      at,
      targets.join(','),
      ...load,
      ...how,
      '--no-streamPerOperation',
      '--duration',
      `${seconds}s`
    ]
    const { operations } = await runOfOurs([...args, '--workers', '1'])
    const { p50, p99 } = operations[type].rt.all
    return { p50: p50.ms, p99: p99.ms }
  }

/** @param {string} url */
async function startFloor(url) {
  const { ask, stop } = await startPart(new URL('./parts/floor-entry.js', import.meta.url), [url])
  return {
    /** @type {Measure} */
    async measure(type, seconds) {
      const sorted = await ask({ type, ratePerSecond: RATE, seconds, warmUpSeconds: WARM_UP_SECONDS })
      const at = (/** @type {number} */ share) => sorted[Math.ceil(share * sorted.length) - 1]
      return { p50: at(0.5), p99: at(0.99) }
    },
    stop
  }
}

/** What the database does behind a bulk load by itself, some time later, is done at once: no arm has it in its time. @param {string} url */
async function tidy(url) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  for (const statement of ['VACUUM ANALYZE', 'CHECKPOINT']) await client.query(statement)
  await client.end()
}

/** @param {readonly Type[]} types */
async function startAll(types) {
  const postgres = await startOwnPostgres()
  const memory = await startServer([], [CAP])
  /** @type {(typeof memory)[]} */
  const servers = []
  for (let i = 0; i < SERVERS; i++) servers.push(await startServer([], [CAP, `--store=${postgres.url}`]))
  const began = performance.now()
  for (const server of [memory, servers[0]]) {
    let added = 0
    for (let i = 0; i < REQUESTS; i++)
      added += (await server.preload(registrations(REGISTRATIONS / REQUESTS))).added
    if (added !== REGISTRATIONS) throw new Error(`only ${added} registrations were taken`)
  }
  process.stderr.write(`  loaded in ${((performance.now() - began) / 1000).toFixed(0)} s\n`)
  await tidy(postgres.url)
  const floor = await startFloor(postgres.url)
  /** @type {Record<Arm, Measure>} */
  const arms = {
    floor: floor.measure,
    memory: ofServers([memory.multiaddr]),
    share: ofServers([memory.multiaddr], RATE / SERVERS),
    postgres: ofServers(servers.map(({ multiaddr }) => multiaddr))
  }
  for (const type of types) await arms.postgres(type, FIRST_SECONDS)
  return {
    arms,
    async stop() {
      await floor.stop()
      await Promise.all([memory, ...servers].map(server => server.stop()))
      await postgres.stop()
    }
  }
}

/** One run of each arm in turn; one during which others of the host took the cores is made again, and the one that counts is that in which they took least. @param {Record<Arm, Measure>} arms @param {Type} type @param {number} seconds @param {number} turn */
async function round(arms, type, seconds, turn) {
  /** @type {Partial<Record<Arm, Times>>} */
  const found = {}
  for (const i of ARMS.keys()) {
    const arm = ARMS[(turn + i) % ARMS.length]
    let least = Number.POSITIVE_INFINITY
    for (let attempt = 0; attempt <= MAX_REPEATS && isStolen(least); attempt++) {
      await untilQuiet(MAX_UNTIL_QUIET_MS)
      const stolen = watchSteal()
      const times = await arms[arm](type, seconds)
      const percent = stolen()
      process.stderr.write(
        `  ${type} ${arm} ${JSON.stringify(times)}, ${percent.toFixed(1)} % taken by others\n`
      )
      if (percent < least) [found[arm], least] = [times, percent]
    }
  }
  return /** @type {Record<Arm, Times>} */ (found)
}

/** @param {Type} type @param {Record<Arm, Times>[]} rounds */
function rowOf(type, rounds) {
  const of = (/** @type {Arm} */ arm, /** @type {keyof Times} */ key) =>
    median(rounds.map(found => found[arm][key]))
  const mostP50 = (/** @type {'memory' | 'share'} */ arm) => of('floor', 'p50') + MORE_P50 * of(arm, 'p50')
  const figures = [
    ...ARMS.map(arm => of(arm, 'p50')),
    mostP50('memory'),
    mostP50('share'),
    of('floor', 'p99'),
    of('postgres', 'p99'),
    TIMES_P99 * of('floor', 'p99')
  ]
  return [type, String(rounds.length), ...figures.map(ms => ms.toFixed(2))]
}

/**
 * storeFloor holds three servers on one PostgreSQL against what the same statements take without a server, and against a server with its
 * registrations in memory.
 *
 * @param {{ pairs: number, seconds: number, keep: boolean, only: string, awake: boolean }} options - only: a pattern of types. keep: a type is kept as soon as
 *   its rounds are whole
 */
export async function storeFloor({ pairs, seconds, keep, only, awake }) {
  const types = TYPES.filter(type => minimatch(type, only))
  const all = await startAll(types)
  let table = {
    title: `${SERVERS} servers on one PostgreSQL with ${REGISTRATIONS.toLocaleString('en')} registrations at ${RATE} operations/s, beside the bare statement (floor) and one server in memory, at that rate and at a third of it: ms, medians of runs of ${seconds} s in turns${awake ? '; cores kept from sleeping (`--awake`)' : ''}`,
    head: [
      ...['', 'Rounds', 'p50 floor', 'p50 memory', `p50 memory at ${RATE / SERVERS}/s`, 'p50 servers'],
      ...['at most, by memory', `at most, by memory at ${RATE / SERVERS}/s`],
      ...['p99 floor', 'p99 servers', 'at most']
    ],
    rows: /** @type {string[][]} */ ([])
  }
  try {
    for (const type of types) {
      const rounds = []
      for (let turn = 0; turn < pairs; turn++) rounds.push(await round(all.arms, type, seconds, turn))
      const row = rowOf(type, rounds)
      if (keep) table = await kept('store-floor', table, { [type]: row })
      else table.rows.push(row)
    }
  } finally {
    await all.stop()
  }
  return table
}
