import { execFileSync } from 'node:child_process'
import { LOADS } from './parts/against-loads.js'
import { ROOT } from './parts/checkout.js'
import { kept } from './parts/kept.js'
import { rowsOf, runsOf } from './parts/side-runs.js'

const OTHER = 24
const SHOWN = ['REGISTER with a stream each', 'DISCOVER with a stream each', 'simulated unsigned']

/** npm keeps what it has fetched once. @returns {string} the path of its program */
const otherNode = () =>
  execFileSync('npx', ['--yes', '--package', `node@${OTHER}`, '--', 'node', '-p', 'process.execPath'], {
    encoding: 'utf8'
  }).trim()

/**
 * nodes holds this program on another Node against itself on this one.
 *
 * @param {{ pairs: number, keep: boolean }} options
 */
export async function nodes({ pairs, keep }) {
  const [here, there] = [`Node ${process.versions.node.split('.')[0]}`, `Node ${OTHER}`]
  const both = { folder: ROOT, isToday: true }
  const arms = { a: { ...both, name: here }, b: { ...both, name: there, node: otherNode() } }
  /** @type {Record<string, string[]>} */
  const rows = {}
  for (const name of SHOWN) {
    const sides = await runsOf(LOADS[name], arms, { pairs, name })
    for (const row of rowsOf(name, { ...LOADS[name], targets: {} }, sides)) rows[`${row[0]}: ${row[1]}`] = row
  }
  const title = `${there} against ${here}: ${pairs} pairs of runs in turns; medians, with 95 % intervals`
  const head = ['Load', 'Figure', here, there, 'Ratio', '95 % interval', 'Changed', 'At most', 'Shown']
  const table = { title, head, rows: Object.values(rows) }
  return keep ? kept('nodes', table, rows) : table
}
