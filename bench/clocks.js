import { spawn } from 'node:child_process'
import os from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { AgentLink, CLOCK_BURST, SMALL_CLOCK_BURST } from '../src/agents/agent-link.js'
import { connectBus } from '../src/agents/bus-connection.js'
import { makeSubStream } from '../src/kit/random.js'
import { parseBusAddress } from '../src/plan/agents.js'
import { startBus } from '../test/acceptance/bus.js'
import { kept } from './parts/kept.js'
import { median } from './parts/median.js'
import { startPart } from './parts/part-process.js'

const OFFSETS = 200
const MAX_MS = 3_600_000
const DRIFTS_PPM = [100, -100, 0]
const DRIFT_FOR_S = 60

/** @param {string} url */
async function startClock(url) {
  const [entry, shifted] = ['clock-entry.js', 'shifted-clock.js'].map(
    file => new URL(`./parts/${file}`, import.meta.url)
  )
  const { ask, stop } = await startPart(entry, [url], ['--import', shifted.href])
  let last = 0
  return {
    /** set gives it another clock. @param {Record<string, string>} env @returns {Promise<string>} its id */
    set: env => ask({ id: `clock${++last}`, env }),
    stop
  }
}

/** Keeps all cores busy, as others do who want them as much. */
function keepBusy() {
  const loops = os.cpus().map(() => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }))
  return () => {
    for (const loop of loops) loop.kill('SIGKILL')
  }
}

/** @typedef {{ clock: Awaited<ReturnType<typeof startClock>>, link: (id: string) => AgentLink }} Parts */

/** @param {string} name @param {Parts} parts */
async function offsets(name, { clock, link }) {
  const random = makeSubStream(7, 'clocks', name)
  const found = []
  for (let i = 0; i < OFFSETS; i++) {
    const shiftMs = (random() - 0.5) * MAX_MS
    const agent = link(await clock.set({ CLOCK_SHIFT_MS: String(shiftMs) }))
    await agent.measureClock(CLOCK_BURST)
    const told = agent.clock.getOffset()
    if (told === null) throw new Error('the clock did not answer')
    found.push({ offMs: Math.abs(told.offsetMs - shiftMs), errorMs: told.errorMs })
    if (i % 50 === 49) process.stderr.write(`  ${name}: ${i + 1} of ${OFFSETS}\n`)
  }
  const within = found.filter(({ offMs, errorMs }) => offMs <= errorMs).length
  const [off, error] = [found.map(({ offMs }) => offMs), found.map(({ errorMs }) => errorMs)]
  const figures = [median(off), Math.max(...off), median(error), Math.max(...error)]
  return [`offsets, ${name}`, `${within} of ${OFFSETS}`, ...figures.map(ms => ms.toFixed(3)), '–']
}

/** @param {number} driftPpm @param {Parts} parts */
async function drift(driftPpm, { clock, link }) {
  const CLOCK_ORIGIN_NS = String(process.hrtime.bigint())
  const id = await clock.set({ CLOCK_SHIFT_MS: '0', CLOCK_DRIFT_PPM: String(driftPpm), CLOCK_ORIGIN_NS })
  const agent = link(id)
  await agent.measureClock(CLOCK_BURST)
  for (let s = 0; s < DRIFT_FOR_S; s++) {
    await sleep(1000)
    await agent.measureClock(SMALL_CLOCK_BURST)
  }
  await agent.measureClock(CLOCK_BURST)
  const told = agent.clock.getOffset()
  const truthMs = (Number(process.hrtime.bigint() - BigInt(CLOCK_ORIGIN_NS)) / 1e6) * (driftPpm / 1e6)
  const offMs = Math.abs((told?.offsetMs ?? Number.NaN) - truthMs)
  await clock.set({ CLOCK_DRIFT_PPM: '0' })
  const figures = ['', offMs.toFixed(3), '', (told?.errorMs ?? Number.NaN).toFixed(3)]
  return [`a drift of ${driftPpm} ppm`, '', ...figures, told?.driftPpm?.toFixed(1) ?? 'not known']
}

/**
 * clocks holds the estimated clock of an agent against one that is off by a known time, over a real bus: on one machine the truth is known.
 *
 * @param {{ keep: boolean }} options
 */
export async function clocks({ keep }) {
  const bus = await startBus()
  const connection = await connectBus(parseBusAddress(bus.url), 'bench')
  const clock = await startClock(bus.url)
  const card = /** @type {any} */ ({})
  const link = (/** @type {string} */ id) => new AgentLink({ ...card, id }, { connection, run: 'bench' })
  const parts = { clock, link }
  /** @type {Record<string, string[]>} */
  const rows = {}
  try {
    rows.quiet = await offsets('quiet', parts)
    const end = keepBusy()
    rows.busy = await offsets('both cores busy', parts).finally(end)
    for (const ppm of DRIFTS_PPM) rows[`drift ${ppm}`] = await drift(ppm, parts)
  } finally {
    await clock.stop()
    await connection.close()
    await bus.kill()
  }
  const table = {
    title: `Clocks that are off by a known time, estimated over a bus by ${CLOCK_BURST} exchanges, drifts in ${DRIFT_FOR_S} s; the error told is half of the least round trip`,
    head: [
      ...['', 'Off by no more than told', 'Off, median ms', 'Off, most ms', 'Told error, median ms'],
      ...['Told error, most ms', 'Drift found, ppm']
    ],
    rows: Object.values(rows)
  }
  return keep ? kept('clocks', table, rows) : table
}
