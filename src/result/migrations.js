/**
 * @typedef {Record<string, any>} Document_ - a result as it was read
 */

/**
 * By version, how a document of it becomes one of the next.
 *
 * @type {Readonly<Record<number, (document: Document_) => Document_>>}
 */
const TO_NEXT = {}

/**
 * migrated brings a result of an older version up to date.
 *
 * @param {Document_} document
 * @param {object} to
 * @param {number} to.version - it is to become
 * @param {import('../scenarios/scenario.js').Documents['filled']} to.filled - what was added to that version since it was first written
 * @param {typeof TO_NEXT} [to.toNext]
 * @returns {Document_}
 */
export function migrated(document, { version, filled, toNext = TO_NEXT }) {
  let current = document
  while (current.schemaVersion < version)
    current = { ...toNext[current.schemaVersion](current), schemaVersion: current.schemaVersion + 1 }
  return filled(current)
}
