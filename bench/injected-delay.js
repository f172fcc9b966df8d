import { BASE_DELAY_MS, comparison, p50Of, p50WithoutDelay, REPEATS } from './parts/ab-runs.js'
import { median } from './parts/median.js'

const LEAST = 19
/** of p50 */
const DELAY = 0.5
const TOLERANCE = 0.2

/** injectedDelay counts the comparisons that find a delay of the server's replies, and how large it is. */
export async function injectedDelay() {
  const delayMs = DELAY * (await p50WithoutDelay())
  let found = 0
  let sized = 0
  for (let i = 0; i < REPEATS; i++) {
    const { metrics, baseRuns } = await comparison(delayMs)
    const p50 = metrics.find(({ metric }) => metric === 'p50')
    const expected = delayMs / median(baseRuns.map(p50Of))
    const size = Number(p50?.ratio) - 1
    if (p50?.verdict === 'different') found++
    if (p50?.verdict === 'different' && Math.abs(size - expected) <= TOLERANCE * expected) sized++
    process.stderr.write(
      `  delay ${i + 1} of ${REPEATS}: ${p50?.verdict}, +${(100 * size).toFixed(0)} % of p50, injected +${(100 * expected).toFixed(0)} %\n`
    )
  }
  return {
    title: `A delay of ${delayMs.toFixed(2)} ms, half of p50, in every reply of a server that takes ${BASE_DELAY_MS} ms for it`,
    head: ['Comparisons', 'Found', `Found, size within ${100 * TOLERANCE} %`, 'Target'],
    rows: [[String(REPEATS), String(found), String(sized), `≥ ${LEAST} of 20`]]
  }
}
