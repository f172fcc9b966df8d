import wrapAnsi from 'wrap-ansi'

const GAP = '   '
const MARKS = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█']

/** widthOf counts the columns of a line. @param {string} line */
export const widthOf = line => [...line].length

/**
 * fitted joins parts into one line: what does not fit is left out from the right.
 *
 * @param {readonly string[]} parts - in order of worth
 * @param {number} columns
 */
export function fitted(parts, columns) {
  const [first = '', ...rest] = parts
  let line = first
  for (const part of rest) {
    const longer = `${line}${GAP}${part}`
    if (widthOf(longer) > columns) break
    line = longer
  }
  return [...line].slice(0, columns).join('')
}

/**
 * flowed joins parts into as many lines as they need, none of them broken.
 *
 * @param {readonly string[]} parts
 * @param {number} columns
 * @returns {string[]}
 */
export function flowed(parts, columns) {
  /** @type {string[]} */
  const lines = []
  for (const part of parts) {
    const longer = lines.length === 0 ? part : `${lines.at(-1)}${GAP}${part}`
    if (lines.length > 0 && widthOf(longer) <= columns) lines[lines.length - 1] = longer
    else lines.push(part)
  }
  return lines
}

/**
 * wrapped breaks a text between words; later lines are indented further than the first.
 *
 * @param {string} text
 * @param {number} columns
 * @param {string} [indent]
 */
export function wrapped(text, columns, indent = '  ') {
  const words = text.trimStart()
  const own = text.slice(0, text.length - words.length)
  const lines = wrapAnsi(words, Math.max(1, columns - own.length - indent.length)).split('\n')
  return own + lines.join(`\n${own}${indent}`)
}

/**
 * sparkline draws numbers as a line of text, from 0 up to the largest.
 *
 * @param {readonly number[]} values - 0 or above
 */
export function sparkline(values) {
  const most = Math.max(...values)
  if (!(most > 0)) return MARKS[0].repeat(values.length)
  return values.map(value => MARKS[Math.ceil((value / most) * (MARKS.length - 1))]).join('')
}
