import { minimatch } from 'minimatch'
import { orderRuns } from '../src/studies/compare/study.js'
import { keepTable, keepValues, keptValues } from './parts/kept.js'
import { conformanceOf, hostileOf, loadOf, memoryOf } from './parts/servers/measures.js'
import { serversTable } from './parts/servers/table.js'
import { testedServers } from './parts/servers/tested-servers.js'

/**
 * @typedef {import('./parts/servers/table.js').Measured} Measured
 * @typedef {import('./parts/servers/measures.js').Load} Load
 * @typedef {import('./parts/servers/tested-servers.js').TestedServer} TestedServer
 * @typedef {import('./parts/servers/tested-servers.js').Started} Started
 */

const NAME = 'servers'
/** What servers are compared with: the load of it is measured whenever that of another one is. */
const RUST = 'Rust'
/** Kinds of hostile peers that servers differ in, of those that need no more of a server than rendezvous. */
const HOSTILE = ['requests', 'unread', 'handshakes', 'frames', 'streams', 'slow']

/**
 * servers compares rendezvous servers: ours as js-libp2p is published and tuned, and those of others.
 *
 * @param {{ pairs: number, keep: boolean, only: string }} options - `only`: a pattern of `<server>: <what>`, such as `Go: *` or
 *   `*: hostile slow`; there are load, conformance, memory and hostile with its kind
 */
export async function servers({ pairs, keep, only }) {
  const { servers, command } = await testedServers()
  /** @param {string} what @returns {string[]} names of servers */
  const wanted = what => Object.keys(servers).filter(name => minimatch(`${name}: ${what}`, only))
  /** @type {Record<string, Measured>} */
  const measured = keep ? await keptValues(NAME) : {}
  /** @param {string} name @param {Measured} values */
  const add = async (name, values) => {
    measured[name] = { ...measured[name], ...values }
    tell(name, values)
    // a bench that is broken off goes on with what it has measured
    if (keep) await keepValues(NAME, measured)
  }

  for (const [name, load] of await loadsOf(wanted('load'), { servers, command, pairs }))
    await add(name, { load })
  for (const name of wanted('conformance'))
    await add(name, { conformance: await at(servers[name].start(), conformanceOf) })
  for (const name of wanted('memory')) {
    const asking = { command, domain: servers[name].domain }
    await add(name, {
      memory: await orFailure(at(servers[name].start(), server => memoryOf(server, asking)))
    })
  }
  for (const kind of HOSTILE)
    for (const name of wanted(`hostile ${kind}`)) {
      const start = servers[name].start({ strangers: true })
      const hostile = await orFailure(at(start, server => hostileOf(server, kind)))
      await add(name, { hostile: { ...measured[name]?.hostile, [kind]: hostile } })
    }

  const names = Object.keys(servers).filter(name => measured[name] !== undefined)
  const inOrder = Object.fromEntries(names.map(name => [name, measured[name]]))
  const table = serversTable(inOrder, HOSTILE)
  if (keep) {
    await keepValues(NAME, inOrder)
    await keepTable(NAME, table)
  }
  return table
}

/** @param {string} name @param {object} values */
const tell = (name, values) => process.stderr.write(`  ${name}: ${JSON.stringify(values)}\n`)

/**
 * loadsOf measures servers in turns, a fresh one each time.
 *
 * @param {readonly string[]} names
 * @param {{ servers: Record<string, TestedServer>, command: readonly string[], pairs: number }} how
 * @returns {Promise<Map<string, NonNullable<Measured['load']>>>}
 */
async function loadsOf(names, { servers, command, pairs }) {
  const arms = Object.keys(servers).filter(
    name => names.includes(name) || (name === RUST && names.length > 0)
  )
  const loads = new Map(arms.map(arm => [arm, /** @type {Load[]} */ ([])]))
  for (const { arm } of orderRuns(pairs, arms)) {
    const { start, domain } = servers[arm]
    const load = await at(start(), server => loadOf(server, { command, domain }))
    loads.get(arm)?.push(load)
    tell(arm, load)
  }
  const rust = loads.get(RUST) ?? []
  return new Map([...loads].map(([arm, own]) => [arm, { own, rust }]))
}

/**
 * @template T
 * @param {Promise<Started>} starting
 * @param {(server: Started) => Promise<T>} measure
 */
async function at(starting, measure) {
  const server = await starting
  try {
    return await measure(server)
  } finally {
    await server.stop()
  }
}

/** @template T @param {Promise<T>} measuring @returns {Promise<T | { failure: string }>} */
const orFailure = measuring => measuring.catch(error => ({ failure: error.message.split('\n')[0] }))
