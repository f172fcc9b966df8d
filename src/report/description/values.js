/** megabytes are those of 1,000,000 bytes. @param {number | null | undefined} bytes */
export const megabytes = bytes => (bytes == null ? null : bytes / 1e6)

/** percent of a share. @param {number | null | undefined} share */
export const percent = share => (share == null ? null : 100 * share)

/** percentOf is what part of all it is, in %. @param {number} part @param {number} all */
export const percentOf = (part, all) => (all === 0 ? null : (100 * part) / all)

/**
 * four rounds to four significant digits: more cannot be seen in a plot, and would make pages large.
 *
 * @type {{ (x: number): number, (x: number | null | undefined): number | null }}
 */
export const four = (/** @type {any} */ x) =>
  x == null || !Number.isFinite(x) ? /** @type {any} */ (null) : Number(x.toPrecision(4))

/** slug is a text as a part of an id. @param {string} text */
export const slug = text =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
