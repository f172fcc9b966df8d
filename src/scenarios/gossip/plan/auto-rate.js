import { AUTO } from '../../../plan/rate-or-auto.js'

export { AUTO, rateOrAuto } from '../../../plan/rate-or-auto.js'

/** @typedef {import('../../../plan/option.js').Rule} Rule */

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
