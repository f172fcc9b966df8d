// Makes results that are to be committed small, without taking a figure away:
//   node scripts/lean-reference.js
// Documents lose their indentation, half of what they are. Runs of studies of which another one of the same kind is kept in full, or whose
// page has no plot over time, lose what only such plots need, as by `matrix --compact`.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compact } from '../src/result/compact.js'
import { RESULT_FILE } from '../src/result/folder.js'

const REFERENCE = fileURLToPath(new URL('../results/reference', import.meta.url))

/** Documents of this size and less are read by people. */
const SMALL_BYTES = 4096

/** Studies of which the runs need no plots over time. */
const WITHOUT_SECONDS = [
  // the page of `ab` has plots of pairs
  /^[\d-]+-ab-1\/[ab]\//,
  // their pages have plots of rows
  /^(20261123-0527-matrix-rendezvous-cluster|20261124-2211-matrix-process)\//,
  // of rates and searches the figures are told
  /^(20261120-1528-capacity|20261123-1455-cluster)-1\/runs\//,
  /^20261125-0233-validate-gossip-1\/(real|simulated|slower)\//,
  /^20261125-0332-saturate-rendezvous-1\/runs\//,
  // three searches of one setup
  /^20261120-(1455|1500|1505)-saturate-rendezvous-1\/runs\//
]

/** @param {string} name - within the folder of results @param {string} text */
function lean(name, text) {
  const document = JSON.parse(text)
  const isRun = name.endsWith(RESULT_FILE) && WITHOUT_SECONDS.some(pattern => pattern.test(name))
  return `${JSON.stringify(isRun ? compact(document) : document)}\n`
}

for (const entry of readdirSync(REFERENCE, { recursive: true, withFileTypes: true })) {
  const path = join(entry.parentPath, entry.name)
  const name = relative(REFERENCE, path)
  // tables of benches, which stand in no folder, are edited by hand and by `--keep`
  if (!entry.isFile() || !name.endsWith('.json') || !name.includes('/')) continue
  const text = readFileSync(path, 'utf8')
  if (text.length > SMALL_BYTES) writeFileSync(path, lean(name, text))
}
