import { saysItsRates } from './arrivals-option.js'

/**
 * arrivalRules are the combinations with --arrivals that cannot be run, in every scenario that has a --rate and a --duration.
 *
 * @param {string} count - the option that says how much is sent in all
 * @returns {import('./option.js').Rule[]}
 */
export const arrivalRules = count => [
  {
    flag: 'arrivals',
    needs: ['duration'],
    refuse: ({ arrivals, duration }) =>
      duration === undefined &&
      ['ramp', 'steps', 'sine'].includes(arrivals.shape) &&
      'needs --duration: the rate changes over it'
  },
  {
    flag: 'arrivals',
    needs: ['rate'],
    refuse: ({ arrivals }, given) =>
      saysItsRates(arrivals) &&
      given.has('rate') &&
      `says itself when operations are due: leave out --rate, or the ${arrivals.shape}`
  },
  {
    flag: count,
    needs: ['arrivals'],
    refuse: ({ arrivals }, given) =>
      given.has(count) &&
      arrivals.shape === 'replay' &&
      'has no use with a replay, which has as many as its file: --duration ends it earlier'
  }
]
