/** What a terminal has that does not tell its width. */
const USUAL_COLUMNS = 80
/** Indent, the mark that moves, and a space; the last column stays free, where terminals break a line. */
const SPINNER_COLUMNS = 5

/** @typedef {{ columns?: number }} Terminal */

/** columnsOf is the width of a terminal. @param {Terminal} terminal */
export const columnsOf = ({ columns }) => columns || USUAL_COLUMNS

/** roomOf is what a line beside a mark that moves may take of it. @param {Terminal} terminal */
export const roomOf = terminal => Math.max(1, columnsOf(terminal) - SPINNER_COLUMNS)

/**
 * withWidth has a terminal say the usual width when its own is 0, as pseudo-terminals have (docker run -t, CI), now or after it was
 * resized: what draws on it divides by its columns.
 *
 * @template {Terminal & { isTTY?: boolean }} T
 * @param {T} stream
 * @returns {T} the same
 */
export function withWidth(stream) {
  if (!stream.isTTY) return stream
  let { columns } = stream
  return Object.defineProperty(stream, 'columns', {
    configurable: true,
    enumerable: true,
    get: () => columnsOf({ columns }),
    set: told => {
      columns = told
    }
  })
}
