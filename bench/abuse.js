import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { markdownTable } from 'markdown-table'
import { minimatch } from 'minimatch'
import { encodeFrame } from '../src/protocol/framing.js'
import { encodeRegisterBody } from '../src/protocol/messages.js'
import { ed25519KeyProtobuf, sealPeerRecord } from '../src/protocol/signed-record.js'
import { hodgesLehmann } from '../src/studies/statistics/hodges-lehmann.js'
import { signFlip } from '../src/studies/statistics/sign-flip.js'
import { ABUSES, LARGE_NAMESPACE, LARGE_RECORD_ADDRESSES } from './parts/abuse/abuses.js'
import { startWatchedServer } from './parts/abuse/watched-server.js'
import { registrations } from './parts/registrations.js'

/**
 * @typedef {object} Stretch
 * @property {number} p99Ms - who was not answered counts as if at the end of the wait for it
 * @property {number} failed - of the honest client's requests
 * @property {number} longestTurnMs
 * @property {number} rssBytes - at most
 * @property {number} cpuPercent - of a core
 *
 * @typedef {object} Pair
 * @property {Stretch} quiet
 * @property {Stretch} abused
 *
 * @typedef {object} Measured - in results/reference/abuse.json
 * @property {string} abuse
 * @property {number} times - its rate
 * @property {number} seconds - of a stretch
 * @property {string} date
 * @property {Pair[]} pairs
 * @property {{ heap: number, external: number } | null} left - bytes afterwards as a share of those before; null: nobody waited
 *
 * @typedef {object} AbuseOptions
 * @property {number} pairs
 * @property {number} seconds - of a stretch
 * @property {string} only - pattern of names, such as `frames` or `frames ×10`
 * @property {number} settle - seconds until memory is looked at again; 0: it is not
 * @property {boolean} keep - in results/reference/abuse.json
 */

const FILE = fileURLToPath(new URL('../results/reference/abuse.json', import.meta.url))
const PAUSE_MS = 1500
// so that who connects, and what compiles, is not in the middle of a stretch
const LEAD_IN_MS = 1500
// how long the honest client waits behind a stretch
const LAST_REPLIES_MS = 5000
const TIMES = [1, 10]
const MOST = new Map([
  [1, 2],
  [10, 3]
])
const MB = 1e6
const HEAD = [
  'Abuse',
  'Pairs',
  'p99 quiet, ms',
  'p99 abused, ms',
  'Ratio of p99',
  '95 % interval',
  'Target',
  'Not answered',
  'Server CPU quiet → abused, %',
  'Longest turn, ms',
  'RSS quiet → abused, MB',
  'Heap, external left, %'
]

/** @param {string} abuse @param {number} times */
const nameOf = (abuse, times) => (times === 1 ? abuse : `${abuse} ×${times}`)

/** A process of ours that answers one message at a time. @param {string} file @param {string[]} args */
async function startPart(file, args) {
  const child = fork(fileURLToPath(new URL(`./parts/abuse/${file}`, import.meta.url)), args)
  await once(child, 'message')
  return {
    /** @param {object} message */
    async ask(message) {
      child.send(message)
      return (await once(child, 'message'))[0]
    },
    async stop() {
      child.disconnect()
      await once(child, 'exit')
    }
  }
}

/** What fills a page of 1 MiB. */
async function* largeRegistrations() {
  const privateKey = { publicKey: ed25519KeyProtobuf(new Uint8Array(32)), sign: () => new Uint8Array(64) }
  for (let i = 0; i < 75; i++) {
    privateKey.publicKey[privateKey.publicKey.length - 1] = i
    const addresses = [...LARGE_RECORD_ADDRESSES]
    const signedPeerRecord = await sealPeerRecord({ privateKey, addresses, seq: 1 })
    yield encodeFrame(encodeRegisterBody({ ns: LARGE_NAMESPACE, signedPeerRecord, ttl: 7200 }))
  }
}

/** @param {string} http @param {AsyncIterable<Uint8Array>} bodies */
async function preload(http, bodies) {
  const chunks = []
  for await (const body of bodies) chunks.push(body)
  const response = await fetch(`${http}/control/registrations`, {
    method: 'POST',
    body: new Uint8Array(Buffer.concat(chunks))
  })
  const { added } = await response.json()
  if (!(added > 0)) throw new Error('the server took no registrations')
}

/** @param {number[]} times @param {number} failed @param {number} mostMs @returns {number} ms */
function p99(times, failed, mostMs) {
  const sorted = [...times].sort((a, b) => a - b)
  return sorted[Math.ceil(0.99 * (times.length + failed)) - 1] ?? mostMs
}

/**
 * measure takes quiet and abused stretches in turn, on one server.
 *
 * @param {string} abuse
 * @param {number} times
 * @param {AbuseOptions} options
 * @returns {Promise<Measured>}
 */
async function measure(abuse, times, { pairs, seconds, settle }) {
  const server = await startWatchedServer()
  await preload(server.http, registrations(1000))
  await preload(server.http, largeRegistrations())
  const honest = await startPart('honest-entry.js', [server.multiaddr])
  const hostile = await startPart('hostile-entry.js', [server.multiaddr, server.http, abuse, String(times)])

  /** @param {boolean} abused @returns {Promise<Stretch>} */
  const stretch = async abused => {
    if (abused) await hostile.ask({})
    await sleep(LEAD_IN_MS)
    const [began, { cpuMs }] = [performance.now(), await server.seen()]
    const { times: ms, failed } = await honest.ask({ ms: seconds * 1000 })
    const { longestTurnMs, rssBytes, cpuMs: cpuMsThen } = await server.seen()
    const cpuPercent = (100 * (cpuMsThen - cpuMs)) / (performance.now() - began)
    if (abused) await hostile.ask({})
    await sleep(PAUSE_MS)
    return {
      p99Ms: p99(ms, failed, seconds * 1000 + LAST_REPLIES_MS),
      failed,
      longestTurnMs,
      rssBytes,
      cpuPercent
    }
  }
  // until V8 has compiled what is hot
  await honest.ask({ ms: 2000 })
  await stretch(true)
  const before = await server.seen({ collect: true })
  /** @type {Pair[]} */
  const done = []
  while (done.length < pairs) {
    if (done.length % 2 === 0) done.push({ quiet: await stretch(false), abused: await stretch(true) })
    else {
      const abused = await stretch(true)
      done.push({ quiet: await stretch(false), abused })
    }
    const { quiet, abused } = done[done.length - 1]
    const words = [quiet, abused].map(
      ({ p99Ms, cpuPercent, longestTurnMs }) =>
        `p99 ${p99Ms.toFixed(1)} ms, CPU ${cpuPercent.toFixed(0)} %, longest turn ${longestTurnMs.toFixed(0)} ms`
    )
    process.stderr.write(`  ${nameOf(abuse, times)}, pair ${done.length}: ${words.join(' → ')}\n`)
  }
  await hostile.stop()
  let left = null
  if (settle > 0) {
    await sleep(settle * 1000)
    const after = await server.seen({ collect: true })
    left = {
      heap: after.heapBytes / before.heapBytes,
      external: after.externalBytes / before.externalBytes
    }
  }
  await honest.stop()
  await server.stop()
  return { abuse, times, seconds, date: new Date().toISOString(), pairs: done, left }
}

/** @param {number[]} values */
const highest = values => Math.max(...values)

/** @param {number[]} values */
const middle = values => hodgesLehmann(values)

/** @param {Measured} measured @returns {string[]} */
function rowOf({ abuse, times, pairs, left }) {
  const quiet = pairs.map(pair => pair.quiet)
  const abused = pairs.map(pair => pair.abused)
  const logs = pairs.map(pair => Math.log(pair.abused.p99Ms / pair.quiet.p99Ms))
  const { low, high } = signFlip(logs).interval
  const [quietMb, abusedMb] = [quiet, abused].map(each => highest(each.map(({ rssBytes }) => rssBytes)) / MB)
  return [
    nameOf(abuse, times),
    String(pairs.length),
    middle(quiet.map(({ p99Ms }) => p99Ms)).toFixed(2),
    middle(abused.map(({ p99Ms }) => p99Ms)).toFixed(2),
    Math.exp(middle(logs)).toFixed(2),
    Number.isFinite(low + high)
      ? `${Math.exp(low).toFixed(2)} to ${Math.exp(high).toFixed(2)}`
      : 'too few pairs',
    `≤ ${MOST.get(times)}`,
    String(abused.reduce((sum, { failed }) => sum + failed, 0)),
    [quiet, abused].map(each => middle(each.map(({ cpuPercent }) => cpuPercent)).toFixed(0)).join(' → '),
    highest(abused.map(({ longestTurnMs }) => longestTurnMs)).toFixed(0),
    `${quietMb.toFixed(0)} → ${abusedMb.toFixed(0)}`,
    left === null ? '–' : [left.heap, left.external].map(share => (100 * share).toFixed(0)).join(', ')
  ]
}

/** @returns {Promise<Measured[]>} of earlier calls */
const kept = async () => JSON.parse(await readFile(FILE, 'utf8').catch(() => '[]'))

/** @param {Measured[]} all */
async function keep(all) {
  const places = Object.keys(ABUSES)
  const sorted = [...all].sort(
    (a, b) => places.indexOf(a.abuse) - places.indexOf(b.abuse) || a.times - b.times
  )
  await writeFile(FILE, `${JSON.stringify(sorted, null, 1)}\n`)
  const rows = sorted.map(rowOf)
  const what = Object.entries(ABUSES).map(([name, abuse]) => `- ${name}: ${abuse.what}\n`)
  const table = markdownTable([HEAD, ...rows], { align: ['l', ...HEAD.slice(1).map(() => 'r')] })
  await writeFile(FILE.replace(/json$/, 'md'), `${what.join('')}\n${table}\n`)
}

/**
 * abuse is what hostile peers cost an honest client: quiet and abused stretches take turns.
 *
 * @param {AbuseOptions} options
 */
export async function abuse(options) {
  /** @type {Measured[]} */
  const measured = []
  const names = Object.keys(ABUSES).flatMap(name => TIMES.map(times => nameOf(name, times)))
  if (!names.some(name => minimatch(name, options.only)))
    throw new Error(`--only ${options.only} is none of ${names.join(', ')}`)
  for (const name of Object.keys(ABUSES)) {
    for (const times of TIMES) {
      if (!minimatch(nameOf(name, times), options.only)) continue
      const now = await measure(name, times, options)
      measured.push(now)
      if (!options.keep) continue
      const others = (await kept()).filter(earlier => earlier.abuse !== name || earlier.times !== times)
      await keep([...others, now])
    }
  }
  return {
    title: `Abuses of a server, and an honest client that asks 100 times a second: stretches of ${options.seconds} s in turn`,
    head: HEAD,
    rows: measured.map(rowOf)
  }
}
