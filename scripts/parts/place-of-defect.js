import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { modulesIn } from './reaching-tests.js'

/**
 * @typedef {object} Place
 * @property {number} number - of the defect, from 1
 * @property {import('./defect-list.js').Defect} defect
 * @property {string} file
 */

/**
 * placesOf finds the files that defects go into.
 *
 * @param {readonly import('./defect-list.js').Defect[]} defects
 * @param {string} root - a checkout
 * @returns {Place[]}
 * @throws {Error} that names each defect whose code is nowhere, or in more than one place
 */
export function placesOf(defects, root) {
  const sources = modulesIn(root, 'src').map(file => ({
    file,
    source: readFileSync(join(root, file), 'utf8')
  }))
  const found = defects.map((defect, i) => ({
    number: i + 1,
    defect,
    files: sources.flatMap(({ file, source }) => Array(source.split(defect.find).length - 1).fill(file))
  }))
  const lost = found.filter(({ files }) => files.length !== 1)
  if (lost.length > 0) throw new Error(lost.map(lostInWords).join('\n'))
  return found.map(({ files: [file], ...place }) => ({ ...place, file }))
}

/** @param {{ number: number, defect: import('./defect-list.js').Defect, files: string[] }} lost */
function lostInWords({ number, defect, files }) {
  const where = files.length === 0 ? 'is nowhere in src' : `is in more than one place: ${files.join(', ')}`
  return `defect ${number} (${defect.what}): ${defect.find} ${where}`
}
