import { setTimeout as sleep } from 'node:timers/promises'
import { startHiccupWatch } from '../src/run/lateness.js'
import { median } from './parts/median.js'

const STRETCHES = 9
const STRETCH_MS = 1000
const TARGET_PERCENT = 1

/** hiccups measures what the thread that looks for hiccups takes of a core. */
export async function hiccups() {
  const watch = startHiccupWatch(() => {})
  await watch.ready
  /** @type {number[]} */
  const shares = []
  for (let i = 0; i < STRETCHES; i++) {
    const [before, beganMs] = [process.cpuUsage(), performance.now()]
    await sleep(STRETCH_MS)
    const { user, system } = process.cpuUsage(before)
    shares.push((user + system) / 10 / (performance.now() - beganMs))
  }
  await watch.stop()
  return {
    title: `What the thread that looks for hiccups takes, median of ${STRETCHES} s`,
    head: ['% of a core', 'Target'],
    rows: [[median(shares).toFixed(2), `≤ ${TARGET_PERCENT}`]]
  }
}
