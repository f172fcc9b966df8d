import { minimatch } from 'minimatch'
import { formatLimitedBy } from '../src/measure/limited-by.js'
import { busyLoop } from './parts/busy-loop.js'
import { kept } from './parts/kept.js'
import { preloaded } from './parts/preloaded.js'
import { runOfOurs } from './parts/run-of-ours.js'
import { startServer } from './parts/server-process.js'
import { startSlowStore } from './parts/slow-store.js'

/**
 * @typedef {object} Situation - that is made
 * @property {readonly string[]} expected - what limits it; none: nobody can know
 * @property {(run: (...args: string[]) => Promise<any>) => Promise<any>} make - gives the outcome of a run
 */

/** The server is on the first core, and the load generator on the second. */
const CORES = { server: 0, generator: 1 }
const APART = new URL('./parts/own-core.js', import.meta.url)

const SHORT = ['--duration', '3s', '--warmup', '1s', '--skipLookUp']
const IN_PROCESS = ['--server', 'process']

/** @template T @param {() => Promise<T>} run */
const apart = run => preloaded(APART, ['BENCH_APART', 'yes'], run)

/** @param {readonly number[]} cores @param {Situation['make']} make @returns {Situation['make']} */
const besideLoops = (cores, make) => async run => {
  const ends = cores.map(busyLoop)
  try {
    return await make(run)
  } finally {
    for (const end of ends) end()
  }
}

/** @param {number} delayMs @param {(url: string) => readonly string[]} args @returns {Situation['make']} */
const withSlowStore = (delayMs, args) => async run => {
  const store = await startSlowStore(delayMs)
  try {
    return await run(...IN_PROCESS, ...args(store.url))
  } finally {
    await store.stop()
  }
}

/** A link has a namespace for each client. @param {string} bandwidth @param {readonly string[]} args */
const overLinks = (bandwidth, args) => [
  ...IN_PROCESS,
  ...['--network', 'namespaces', '--upBandwidth', bandwidth, '--nClients', '2', '--workers', '2'],
  ...args
]

const LARGE_REPLIES = [
  ...['--benchmarkType', 'DISCOVER', '--discoverLimit', '100'],
  ...['--initialRegistrations', '1000', '--nNamespaces', '1', '--inFlight', '4']
]

/**
 * What the rules were tuned with.
 *
 * @type {Readonly<Record<string, Situation>>}
 */
const TUNED = {
  'a server with 0.2 cores': {
    expected: ['server CPU'],
    make: run => run('--server', 'docker', '--cpus', '0.2')
  },
  'a load generator beside a busy loop on its core': {
    expected: ['machine'],
    make: besideLoops([CORES.generator], run => apart(() => run(...IN_PROCESS)))
  },
  'a link of 1 MB a second': { expected: ['link'], make: run => run(...overLinks('1MB/s', LARGE_REPLIES)) },
  'a store that answers 20 ms late': {
    expected: ['store'],
    make: withSlowStore(20, url => ['--store', url])
  },
  'an offered load far below all': {
    expected: ['offered load'],
    make: run => run(...IN_PROCESS, '--rate', '50/s')
  },
  'server and load generator on a core each, both full': {
    expected: ['server CPU', 'load generator'],
    make: run => apart(() => run(...IN_PROCESS, '--benchmarkType', 'MIXED', '--nClients', '50'))
  },
  'a target without counters': {
    expected: [],
    async make(run) {
      const server = await startServer()
      try {
        return await run('--target', server.multiaddr, '--nClients', '1')
      } finally {
        await server.stop()
      }
    }
  }
}

/**
 * What they were never tuned with.
 *
 * @type {Readonly<Record<string, Situation>>}
 */
const CHECKED = {
  'a server with half a core, offered too much': {
    expected: ['server CPU'],
    make: run => run('--server', 'docker', '--cpus', '0.5', '--rate', '4000/s', '--nClients', '20')
  },
  'a server beside a busy loop on its core': {
    expected: ['machine'],
    make: besideLoops([CORES.server], run => apart(() => run(...IN_PROCESS)))
  },
  'clients that think for 50 ms': {
    expected: ['offered load'],
    make: run => run(...IN_PROCESS, '--thinkTime', '50ms')
  },
  'links of 50 kB a second, full of requests': {
    expected: ['link'],
    make: run => run(...overLinks('50KB/s', ['--inFlight', '10']))
  },
  'a store that answers 50 ms late, DISCOVER': {
    expected: ['store'],
    make: withSlowStore(50, url => ['--store', url, '--benchmarkType', 'DISCOVER', '--nClients', '10'])
  },
  'gossip at a low rate': {
    expected: ['offered load'],
    make: run => run('gossip', '--nodes', '5', '--rate', '5/s')
  },
  'gossip of 30 nodes, 300 messages a second': {
    expected: ['load generator'],
    make: run => run('gossip', '--nodes', '30', '--rate', '300/s', '--cooldown', '1s')
  }
}

/** Of ten runs so many are to be named right, or not determined. */
const LEAST = 0.9

/** @param {string} name @param {number} runs @returns {Promise<string[]>} */
async function rowOf(name, runs) {
  const { expected, make } = { ...TUNED, ...CHECKED }[name]
  const run = (/** @type {string[]} */ ...args) =>
    runOfOurs([...args, ...(args[0] === 'gossip' ? ['--duration', '3s', '--workers', '1'] : SHORT)])
  const wanted = [...expected].sort().join(' and ')
  /** @type {string[]} */
  const found = []
  for (let i = 0; i < runs; i++) {
    const { limitedBy } = await make(run)
    process.stderr.write(`  ${name}: ${formatLimitedBy(limitedBy)}\n`)
    found.push([...limitedBy.by].sort().join(' and '))
  }
  const right = found.filter(by => by === wanted).length
  const open = wanted === '' ? 0 : found.filter(by => by === '').length
  const others = found.filter(by => by !== wanted && by !== '')
  return [
    name,
    wanted === '' ? 'not determined' : wanted,
    ...[runs, right, open].map(String),
    others.length === 0 ? '–' : others.join('; '),
    name in CHECKED ? 'checked' : 'tuned',
    right + open >= LEAST * runs ? 'yes' : 'no'
  ]
}

/**
 * limitedBySituations makes situations whose limit is known, and counts the runs that name it.
 *
 * @param {{ runs: number, only: string, keep: boolean }} options - `only`: of the situations
 */
export async function limitedBySituations({ runs, only, keep }) {
  let table = {
    title: `What limited a run of 3 s whose limit was made: named right or not determined in 9 of 10 (tuned: the rules were made with it; checked: they were not)`,
    head: ['Situation', 'Limit', 'Runs', 'Named right', 'Not determined', 'Otherwise', 'Rules', '9 of 10'],
    rows: /** @type {string[][]} */ ([])
  }
  for (const name of Object.keys({ ...TUNED, ...CHECKED }).filter(each => minimatch(each, only))) {
    const row = await rowOf(name, runs)
    if (keep) table = await kept('limited-by', table, { [name]: row })
    else table.rows.push(row)
  }
  return table
}
