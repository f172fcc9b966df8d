/** @param {unknown} value */
const parts = value =>
  (Array.isArray(value) ? value : String(value).split(',')).map(part => String(part).trim())

/**
 * numberList takes numbers with commas between them, and gives them in ascending order.
 *
 * @param {import('./values.js').Kind} each - number
 * @param {string} allowed
 * @returns {import('./values.js').Kind}
 */
export const numberList = (each, allowed) => ({
  allowed,
  schema: (z, addresses) =>
    z.preprocess(
      value => [...new Set(parts(value))].map(part => each.schema(z, addresses).safeParse(part).data),
      z
        .array(z.number())
        .min(1)
        .transform(numbers => numbers.toSorted((a, b) => a - b))
    )
})
