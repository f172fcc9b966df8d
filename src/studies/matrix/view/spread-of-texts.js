/** Spans of time are written in units. */
const MS = { ms: 1, s: 1000, min: 60_000, h: 3_600_000 }

/**
 * amountIn reads the amount that a cell begins with. Signs, and what is published, stand around it.
 *
 * @param {string} text - `≥ 1,240*`, `12.3 / 23,686`, `1 min 5 s`
 * @returns {number} of a span of time in ms; −∞: there is none
 */
export function amountIn(text) {
  const [measured] = text.split(' / ')
  const spans = [...measured.matchAll(/([\d.,]+) (ms|s|min|h)\b/g)]
  const number = (/** @type {string} */ digits) => Number(digits.replaceAll(',', ''))
  if (spans.length > 0)
    return spans.reduce((sum, [, digits, unit]) => sum + number(digits) * MS[/** @type {'ms'} */ (unit)], 0)
  const [digits] = /\d[\d,]*(\.\d+)?/.exec(measured) ?? []
  return digits === undefined ? -Infinity : number(digits)
}

/**
 * spreadOfTexts gives the median, the least and the greatest of what runs show in a cell, each with its own signs.
 *
 * @param {readonly string[]} texts - of an odd number of runs; of an even one the lower of the two in the middle is the median
 * @returns {{ median: string, least: string, most: string }} `least`, `most`: empty where all are the same
 */
export function spreadOfTexts(texts) {
  const inOrder = [...texts].sort((a, b) =>
    amountIn(a) < amountIn(b) ? -1 : Number(amountIn(a) > amountIn(b))
  )
  const median = inOrder[Math.floor((inOrder.length - 1) / 2)]
  const same = texts.every(text => text === texts[0])
  return { median, least: same ? '' : inOrder[0], most: same ? '' : inOrder[inOrder.length - 1] }
}
