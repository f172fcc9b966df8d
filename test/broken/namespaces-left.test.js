import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startCommand } from '../acceptance/loadtest.js'
import { AS_USER, openFolder, outside, WHERE_POSSIBLE } from '../acceptance/namespaces.js'
import { GONE_WITHIN_MS, isMarked, send } from '../acceptance/processes.js'
import { until } from '../until.js'

/** @typedef {import('../acceptance/loadtest.js').Loadtest} Loadtest */

const RUNS = Number(process.env.BROKEN_RUNS ?? 50)
const AT_ONCE = 3
/** A run that was broken has ended long before, or never ends: what is stopped is given up after 60 s. */
const HANGS_MS = 150_000
const GOSSIP = [
  ...['gossip', '--nodes', '3', '--topology', 'ring', '--heartbeat_interval', '200ms'],
  ...['--linkLatency', '300ms', '--duration', '50s', '--rate', '10/s']
]
const TRANSFER = [
  ...['transfer', '--protocols', 'stream', '--latencies', '20ms', '--bandwidths', '20kB', '--size', '200kB'],
  ...['--no-unlimitedBandwidthCase', '--repeats', '4']
]
const PERF = [
  ...['perf', '--measures', 'upload', '--bandwidths', '20KB', '--size', '1MiB'],
  ...['--protocols', 'perf']
]
const RENDEZVOUS = '--linkLatency 20ms --nClients 2 --duration 50s --benchmarkType DISCOVER'.split(' ')

/** What is broken, and when: after which line. @type {readonly (readonly [args: readonly string[], begun: RegExp])[]} */
const PLACES = [
  [GOSSIP, /3 nodes, tuned, in 3 processes/],
  [GOSSIP, /✔ 3 nodes started/],
  [GOSSIP, /✔ nodes connected/],
  [GOSSIP, /✔ warm-up/],
  [TRANSFER, /1 file of/],
  [TRANSFER, /✔ files made/],
  [PERF, /✔ provider and requestor ready/],
  [RENDEZVOUS, /2 clients in/],
  [RENDEZVOUS, /✔ 2 clients connected/]
]

const ROUTER = /namespaces\/router-entry\.js/
const MUX = /^perl .*mux\.pl/
/** Itself, not what becomes it: that could be stopped before it says that it ends with the program. */
const NODE = /^\S*node .*(gossip\/run\/gossip|provider|requestor|rendezvous\/worker\/)-?entry\.js/
const PROGRAM = /index\.js .*--outputDir/

/** @param {RegExp} whose @param {NodeJS.Signals} signal */
const hit = (whose, signal) => async (/** @type {Loadtest} */ loadtest) =>
  send(await loadtest.pid(whose), signal)

/** @param {Loadtest} loadtest */
const ctrlC = async loadtest => loadtest.ctrlC()
const kill9 = hit(PROGRAM, 'SIGKILL')

/** @type {readonly (readonly [what: string, steps: readonly ((loadtest: Loadtest) => Promise<void>)[]])[]} */
const BREAKS = [
  ['the router is killed', [hit(ROUTER, 'SIGKILL')]],
  ['the router is frozen', [hit(ROUTER, 'SIGSTOP')]],
  ['the router is frozen, and Ctrl-C comes', [hit(ROUTER, 'SIGSTOP'), ctrlC]],
  ['what holds the namespaces is killed', [hit(MUX, 'SIGKILL')]],
  ['what holds the namespaces is frozen, and the program killed', [hit(MUX, 'SIGSTOP'), kill9]],
  ['a node is killed', [hit(NODE, 'SIGKILL')]],
  ['a node is frozen, and Ctrl-C comes', [hit(NODE, 'SIGSTOP'), ctrlC]],
  ['a node is frozen, and the program killed', [hit(NODE, 'SIGSTOP'), kill9]],
  ['Ctrl-C', [ctrlC]],
  ['the program is killed', [kill9]]
]

/** @param {number} pid @param {string} where - of its links in /proc @returns {string[]} network namespaces they lead to */
function linksOf(pid, where) {
  try {
    const names = where === 'fd' ? readdirSync(`/proc/${pid}/fd`) : ['net']
    return names
      .map(name => readlinkSync(`/proc/${pid}/${where}/${name}`))
      .filter(link => /^net:\[/.test(link))
  } catch {
    return [] // it has ended
  }
}

/** held are the network namespaces that processes are in, or hold. @param {readonly number[]} pids */
const held = pids => new Set(pids.flatMap(pid => [...linksOf(pid, 'fd'), ...linksOf(pid, 'ns')]))

const everybody = () =>
  readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(Number)

/** @param {number} pid */
function isInContainer(pid) {
  try {
    return /docker/.test(readFileSync(`/proc/${pid}/cgroup`, 'utf8'))
  } catch {
    return false
  }
}

/**
 * The kernel gives the number of a namespace that is gone to the next one: to that of another run, or of a container. A process that ends
 * holds what it held for a moment after its environment is gone.
 *
 * @param {readonly string[]} namespaces - of a run whose processes have ended
 * @returns {string[]} those that somebody holds who is not of another run
 */
function stillHeld(namespaces) {
  const others = everybody().filter(pid => !isMarked(pid) && !isInContainer(pid))
  const still = held(others)
  return namespaces.filter(namespace => still.has(namespace))
}

/** @param {readonly string[]} namespaces @returns {Promise<string[]>} those that are held for longer than anything takes to end */
async function heldAfter(namespaces) {
  const untilMs = performance.now() + GONE_WITHIN_MS
  for (;;) {
    const still = stillHeld(namespaces)
    if (still.length === 0 || performance.now() > untilMs) return still
    await sleep(50)
  }
}

/** @param {number} index @returns {Promise<{ left: string[], namespaces: number }>} what is left of a broken run, and how many namespaces it had */
async function breakOne(index) {
  const [args, begun] = PLACES[index % PLACES.length]
  const [what, steps] = BREAKS[index % BREAKS.length]
  const own = held([process.pid])
  const [first, ...more] = args
  const loadtest = startCommand(first, [...more, '--network', 'namespaces'], {
    ...AS_USER,
    ownGroup: true,
    outputDir: openFolder()
  })
  await loadtest.line(begun)
  // in the other runs it is broken before there are any
  if (index % 4 !== 0) await until(async () => (await loadtest.pids(MUX)).length > 0)
  const made = [...held(await loadtest.pids(/./))].filter(namespace => !own.has(namespace))
  for (const step of steps) await step(loadtest)
  const where = `run ${index}, ${what} after ${begun}`
  const hangs = sleep(HANGS_MS, null, { ref: false }).then(() => {
    throw new Error(`${where}: has not ended`)
  })
  const { code, stderr } = await Promise.race([loadtest.ended, hangs])
  const left = (await loadtest.leftAfter()).map(({ command }) => `${where}: ${command}`)
  // what hangs is killed in the end
  const ended = steps.includes(kill9) ? code === null : code !== null && code !== 0
  if (!ended) left.push(`${where}: exit code ${code}: ${stderr}`)
  left.push(...(await heldAfter(made)).map(namespace => `${where}: ${namespace}`))
  return { left, namespaces: made.length }
}

test(`${RUNS} broken runs between namespaces leave no namespace, device or process, and nothing outside is changed`, {
  ...WHERE_POSSIBLE,
  timeout: 60_000 + RUNS * 60_000
}, async () => {
  const was = outside()
  const left = []
  let namespaces = 0
  for (let index = 0; index < RUNS; index += AT_ONCE) {
    const together = Array.from({ length: Math.min(AT_ONCE, RUNS - index) }, (_, i) => breakOne(index + i))
    for (const run of await Promise.all(together)) {
      left.push(...run.left)
      namespaces += run.namespaces
    }
  }
  assert.deepEqual(left, [])
  assert.ok(namespaces > RUNS, `of ${namespaces} namespaces it is known that nobody holds them`)
  assert.deepEqual(outside(), was)
})
