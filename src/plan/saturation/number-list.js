import { z } from 'zod'

/** @param {unknown} value */
const parts = value =>
  (Array.isArray(value) ? value : String(value).split(',')).map(part => String(part).trim())

/**
 * numberList takes numbers with commas between them, and gives them in ascending order.
 *
 * @param {import('../values.js').Kind} kind - of each
 * @param {string} allowed
 * @returns {import('../values.js').Kind}
 */
export const numberList = ({ schema }, allowed) => ({
  allowed,
  schema: z.preprocess(
    value => [...new Set(parts(value))].map(part => schema.safeParse(part).data),
    z
      .array(z.number())
      .min(1)
      .transform(numbers => numbers.toSorted((a, b) => a - b))
  )
})
