import { comparison, REPEATS } from './parts/ab-runs.js'

const MOST = 3

/** falseAlarms counts the comparisons of real runs of one plan with each other that find a difference. */
export async function falseAlarms() {
  /** @type {string[][]} */
  const found = []
  for (let i = 0; i < REPEATS; i++) {
    const { metrics } = await comparison(0)
    found.push(metrics.filter(({ verdict }) => verdict === 'different').map(({ metric }) => metric))
    process.stderr.write(`  A/A ${i + 1} of ${REPEATS}: ${found[i].join(', ') || 'no difference'}\n`)
  }
  const alarms = found.filter(metrics => metrics.length > 0).length
  return {
    title: 'Comparisons of a server with itself that find a difference',
    head: ['Comparisons', 'Different', 'Target'],
    rows: [[String(REPEATS), String(alarms), `≤ ${MOST} of 20`]]
  }
}
