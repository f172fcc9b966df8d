import { setTimeout as sleep } from 'node:timers/promises'
import { startLoad } from './parts/load-process.js'
import { median } from './parts/median.js'
import { registrations } from './parts/registrations.js'
import { startServer } from './parts/server-process.js'

const REGISTRATIONS = 200_000
const CONNECTIONS = 200
const SAMPLES = 15
const SAMPLE_EVERY_MS = 200
const TARGET_MB = 220
const MB = 1e6

/**
 * memory is the server's resident memory while it holds 200,000 registrations of distinct peers and 200 connections. No
 * garbage collection is forced.
 */
export async function memory() {
  const server = await startServer()
  const empty = (await server.state()).rssBytes
  await server.preload(registrations(REGISTRATIONS))
  const loaded = (await server.state()).rssBytes
  const load = await startLoad(server.multiaddr, { connections: CONNECTIONS })
  /** @type {number[]} */
  const samples = []
  for (let i = 0; i < SAMPLES; i++) {
    await sleep(SAMPLE_EVERY_MS)
    samples.push((await server.state()).rssBytes)
  }
  const { registrations: held, connections } = await server.state()
  await load.stop()
  await server.stop()
  return {
    title: `Resident memory with ${held} registrations and ${connections} connections, MB`,
    head: ['Started', '+ registrations', '+ connections: median', 'Target'],
    rows: [[...[empty, loaded, median(samples)].map(bytes => (bytes / MB).toFixed(0)), `≤ ${TARGET_MB}`]]
  }
}
