/**
 * @typedef {object} Release - of whoever speaks on the bus
 * @property {string} version - of the tool
 * @property {string} [format] - of what it says there; it was not told before there was a second one
 */

/**
 * differing says how another release differs from ours; null: it does not.
 *
 * @param {Release} theirs
 * @param {Release} ours
 * @returns {{ theirs: string, ours: string } | null}
 */
export function differing(theirs, ours) {
  if (theirs.version !== ours.version) return { theirs: ofVersion(theirs), ours: ofVersion(ours) }
  if (formatOf(theirs) !== formatOf(ours)) return { theirs: withFormat(theirs), ours: withFormat(ours) }
  return null
}

/** @param {Release} release */
const formatOf = ({ format = '1' }) => String(format)

/** @param {Release} release */
const ofVersion = ({ version }) => `version ${version}`

/** @param {Release} release */
const withFormat = release => `${ofVersion(release)} with format ${formatOf(release)} of the bus`
