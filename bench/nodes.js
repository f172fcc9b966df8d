import { execFileSync } from 'node:child_process'
import { minimatch } from 'minimatch'
import { LOADS } from './parts/against-loads.js'
import { ROOT } from './parts/checkout.js'
import { kept } from './parts/kept.js'
import { headOf, rowsOf, runsOf } from './parts/side-runs.js'

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
 * @param {{ pairs: number, only: string, keep: boolean }} options - `only`: of the loads
 */
export async function nodes({ pairs, only, keep }) {
  const [here, there] = [`Node ${process.versions.node.split('.')[0]}`, `Node ${OTHER}`]
  const both = { folder: ROOT, isToday: true }
  const arms = { a: { ...both, name: here }, b: { ...both, name: there, node: otherNode() } }
  const title = `${there} against ${here}: pairs of runs in turns; medians, with 95 % intervals`
  const head = headOf(here, there, 'At most')
  const table = { title, head, rows: /** @type {string[][]} */ ([]) }
  for (const name of SHOWN.filter(each => minimatch(each, only))) {
    const sides = await runsOf(LOADS[name], arms, { pairs, name })
    const rows = rowsOf(name, { ...LOADS[name], targets: {} }, sides)
    if (keep) await kept('nodes', table, Object.fromEntries(rows.map(row => [`${row[0]}: ${row[1]}`, row])))
    table.rows.push(...rows)
  }
  return table
}
