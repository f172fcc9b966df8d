import { rate } from './values.js'

/** AUTO leaves it to the program to find a rate. */
export const AUTO = 'auto'

/**
 * rateOrAuto is the kind of a rate that can be `auto`.
 *
 * @param {Parameters<typeof rate>[0]} range
 * @returns {import('./values.js').Kind & { write: (rate: number | typeof AUTO) => string }}
 */
export function rateOrAuto(range) {
  const { allowed, schema } = rate(range)
  return {
    allowed: `${allowed}, or ${AUTO}`,
    schema: (z, addresses) => z.union([z.literal(AUTO), schema(z, addresses)]),
    write: value => (value === AUTO ? AUTO : `${value}/s`)
  }
}
