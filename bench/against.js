import { minimatch } from 'minimatch'
import { LOADS } from './parts/against-loads.js'
import { checkoutOf, ROOT } from './parts/checkout.js'
import { kept } from './parts/kept.js'
import { headOf, rowsOf, runsOf } from './parts/side-runs.js'

/**
 * against holds this checkout against another commit: the same loads through index.js of each, with its own locked dependencies, in turns
 * (ABBA), fresh processes each time. A is the commit, B what is here.
 *
 * @param {{ commit: string, pairs: number, only: string, keep: boolean }} options - `only`: of the loads
 */
export async function against({ commit: name, pairs, only, keep }) {
  const loads = Object.entries(LOADS).filter(([load]) => minimatch(load, only))
  if (loads.length === 0) throw new Error(`--only ${only}: must name one of ${Object.keys(LOADS).join('; ')}`)
  const { folder, commit: whole } = checkoutOf(name)
  const commit = whole.slice(0, 7)
  const arms = {
    a: { name: commit, folder, isToday: false },
    b: { name: 'today', folder: ROOT, isToday: true }
  }
  /** @type {Record<string, string[]>} */
  const rows = {}
  const head = headOf(commit, 'Today', 'Target')
  const title = `Today against ${commit}: pairs of runs in turns; today ÷ then, medians, with 95 % intervals`
  for (const [load, does] of loads) {
    const sides = await runsOf(does, arms, { pairs, name: load })
    const found = Object.fromEntries(rowsOf(load, does, sides).map(row => [`${row[0]}: ${row[1]}`, row]))
    Object.assign(rows, found)
    if (keep) await kept(`against-${commit}`, { title, head, rows: [] }, found)
  }
  return { title, head, rows: Object.values(rows) }
}
