import { rate } from '../../../plan/values.js'

/** @typedef {import('../../../plan/option.js').Rule} Rule */

/** AUTO as --rate finds the rate that is carried. */
export const AUTO = 'auto'

/**
 * rateOrAuto is the kind of --rate: a rate, or `auto`.
 *
 * @param {{ max: number }} range
 * @returns {import('../../../plan/values.js').Kind & { write: (rate: number | typeof AUTO) => string }}
 */
export function rateOrAuto(range) {
  const { allowed, schema } = rate(range)
  return {
    allowed: `${allowed}, or ${AUTO}`,
    schema: (z, addresses) => z.union([z.literal(AUTO), schema(z, addresses)]),
    write: value => (value === AUTO ? AUTO : `${value}/s`)
  }
}

/** @param {string} flag @returns {Rule} */
const notWithAuto = flag => ({
  flag,
  needs: ['rate'],
  refuse: ({ rate }, given) =>
    given.has(flag) &&
    rate === AUTO &&
    'has no use with --rate auto, where a trial publishes for --autoDuration'
})

/** AUTO_RULES are the combinations around --rate auto that cannot be run. @type {readonly Rule[]} */
export const AUTO_RULES = [
  {
    flag: 'rate',
    needs: ['network'],
    refuse: ({ rate, network }) =>
      rate === AUTO && network === 'simulated' && 'finds what this machine carries, on real TCP: give a rate'
  },
  notWithAuto('messages'),
  notWithAuto('duration')
]
