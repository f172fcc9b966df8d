// Prints the table of docs/conformance.md: `node test/interop/table.js`.
import { fileURLToPath } from 'node:url'
import { markdownTable } from 'markdown-table'
import { CHECKS } from './checks.js'
import { DEPARTURES } from './departures.js'
import { IMPLEMENTATIONS } from './implementations.js'

/** Who is tried: implementation and role. */
const TRIED = IMPLEMENTATIONS.flatMap(({ name, serves }) =>
  (serves ? ['server', 'client'] : ['client']).map(role => `${name} ${role}`)
)

/** @param {string} who @param {string} key */
function cell(who, key) {
  const index = DEPARTURES.findIndex(one => one.who === who && Object.hasOwn(one.outcomes, key))
  return index < 0 ? 'yes' : `differs ${index + 1}`
}

/** tableOfChecks is every check of every implementation in both roles, and why some differ, as markdown. */
export function tableOfChecks() {
  const rows = Object.entries(CHECKS).map(([key, { name }]) => [name, ...TRIED.map(who => cell(who, key))])
  const reasons = DEPARTURES.map(({ who, why }, index) => `${index + 1}. ${who}: ${why}`)
  return `${markdownTable([['', ...TRIED], ...rows])}\n\n${reasons.join('\n')}\n`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(tableOfChecks())
