import { setTimeout as sleep } from 'node:timers/promises'
import { collectGarbage } from '../measure/collect-garbage.js'
import { addInBulk } from './bulk.js'
import { json } from './http.js'
import { readBody } from './http-body.js'
import { LoopWatch } from './loop-watch.js'

/**
 * @typedef {import('./http.js').Handler} Handler
 * @typedef {ReturnType<typeof import('./durations.js').createDurations>} Durations
 */

// a million registrations of 4 kB
const MAX_BODY_BYTES = 4 * 2 ** 30

/**
 * publicRoutes are what every server shows on its second port. A server is healthy while its store serves all it should; one that keeps
 * registrations elsewhere says more.
 *
 * @param {Pick<import('./store/registration-store.js').RegistrationStore, 'health'>} store
 * @param {ReturnType<typeof import('./metrics.js').createMetrics>} metrics
 * @returns {Record<string, Handler>}
 */
export const publicRoutes = (store, metrics) => ({
  'GET /healthz': () => healthOf(store.health?.()),
  'GET /metrics': () => metrics.page()
})

/** @param {import('./store/registration-store.js').StoreHealth} [store] @returns {import('./http.js').Answer} */
function healthOf(store) {
  if (store === undefined) return { body: 'ok\n' }
  const { problem, durability, waiting, underWay, heldMs } = store
  const lines = [
    problem === undefined ? 'ok' : `store: ${problem}`,
    `durability: ${durability}`,
    `requests at the store: ${underWay}, waiting for a connection: ${waiting}`,
    `new registrations held back for: ${Math.round(heldMs)} ms`
  ]
  return { status: problem === undefined ? 200 : 503, body: `${lines.join('\n')}\n` }
}

/**
 * controlRoutes are what a load tester uses; whoever can reach them can add registrations in other peers' names.
 *
 * @param {object} parts
 * @param {import('./store/registration-store.js').RegistrationStore} parts.store
 * @param {number} parts.maxMessageBytes
 * @param {() => Promise<import('./metrics.js').ServerState>} parts.readState
 * @param {Durations} parts.durations
 * @param {import('../libp2p/node-settings.js').Settings} parts.settings - of the node that runs, other than what libp2p takes by itself
 * @returns {Record<string, Handler>}
 */
export const controlRoutes = ({ store, maxMessageBytes, readState, durations, settings }) => ({
  'POST /control/watch': watched(),
  'POST /control/collect': async () => json(await inUse()),
  'POST /control/registrations': async request =>
    json(await addInBulk(readBody(request, MAX_BODY_BYTES), store, maxMessageBytes)),
  'GET /control/state': async () => {
    const { user, system } = process.cpuUsage()
    return json({
      ...(await readState()),
      store: store.health?.(),
      cpuMicros: user + system,
      rssBytes: process.memoryUsage.rss()
    })
  },
  'GET /control/settings': () => json(settings),
  'GET /control/durations': () => json(durations.counts()),
  'DELETE /control/durations': () => {
    durations.reset()
    return json({})
  }
})

/** What the server costs is watched from when somebody asks first. @returns {Handler} */
function watched() {
  /** @type {LoopWatch | undefined} */
  let watch
  return () => {
    watch ??= new LoopWatch()
    return json(watch.seen())
  }
}

/** Memory of buffers is given back behind a collection, by a thread of its own. */
const SWEPT_MS = 500

/** What is in use once garbage is collected. */
async function inUse() {
  for (let times = 0; times < 2; times++) {
    collectGarbage()
    await sleep(SWEPT_MS)
  }
  const { heapUsed, external } = process.memoryUsage()
  return { heapBytes: heapUsed, externalBytes: external }
}
