import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { RESULT_FILE, removeTimeSeries } from '../../src/report/result-folder.js'

/** Documents of this size and less are read by people. */
const SMALL_BYTES = 4096

/** Runs that need no plots over time, in their folders of results/reference. */
const WITHOUT_SECONDS = [
  // reports of studies have no plots over time
  /^ab-\w+\/[ab]\//,
  /^(cluster|profiles)\//,
  /^saturate-rendezvous\/runs\//
]

/** @param {string} name - within the folder of results @param {string} text */
function lean(name, text) {
  const document = JSON.parse(text)
  const isRun = name.endsWith(RESULT_FILE) && WITHOUT_SECONDS.some(pattern => pattern.test(name))
  return `${JSON.stringify(isRun ? removeTimeSeries(document) : document)}\n`
}

/**
 * leanResults makes results that are to be committed small, without taking a figure away: documents lose their indentation, half of what they
 * are. Runs of studies of which another one of the same kind is kept in full, or whose page has no plot over time, lose what only
 * such plots need, as by `matrix --compact`.
 *
 * @param {string} reference - the folder of committed results
 * @param {string} [folder] - of it; all when left out
 */
export function leanResults(reference, folder = '') {
  for (const entry of readdirSync(join(reference, folder), { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const name = relative(reference, path)
    // tables of benches, which stand in no folder, are edited by hand and by `--keep`
    if (!entry.isFile() || !name.endsWith('.json') || !name.includes('/')) continue
    const text = readFileSync(path, 'utf8')
    if (text.length > SMALL_BYTES) writeFileSync(path, lean(name, text))
  }
}
