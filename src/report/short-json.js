/** What would fill pages, such as the edges of a topology. */
const MOST_LETTERS = 400

/**
 * shortJson writes a value of a plan, cut where it is long.
 *
 * @param {unknown} value
 */
export function shortJson(value) {
  const text = JSON.stringify(value)
  return text.length <= MOST_LETTERS ? text : `${text.slice(0, MOST_LETTERS)}… (whole in result.json)`
}
