import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { modulesIn } from './reaching-tests.js'

/**
 * @typedef {object} Place
 * @property {number} number - of the defect, from 1
 * @property {string} file
 * @property {number} start - of the code that is replaced, in the file's text
 * @property {number} end
 * @property {string} put - instead
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
    places: sources.flatMap(each => Array(each.source.split(defect.find).length - 1).fill(each))
  }))
  const lost = found.filter(({ places }) => places.length !== 1)
  if (lost.length > 0) throw new Error(lost.map(lostInWords).join('\n'))
  return found.map(({ number, defect: { find, put }, places: [{ file, source }] }) => {
    const start = source.indexOf(find)
    return { number, file, start, end: start + find.length, put }
  })
}

/** @param {{ number: number, defect: import('./defect-list.js').Defect, places: { file: string }[] }} lost */
function lostInWords({ number, defect, places }) {
  const files = places.map(({ file }) => file).join(', ')
  const where = files === '' ? 'is nowhere in src' : `is in more than one place: ${files}`
  return `defect ${number} (${defect.what}): ${defect.find} ${where}`
}
