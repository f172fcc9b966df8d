import { saysItsRates } from './arrivals-option.js'

/**
 * ARRIVAL_RULES are the combinations with --arrivals that cannot be run, in every scenario that has a --rate and a --duration.
 *
 * @type {readonly import('./combinations.js').Rule[]}
 */
export const ARRIVAL_RULES = Object.freeze([
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
  }
])
