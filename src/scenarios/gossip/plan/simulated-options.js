/** @typedef {import('../../../plan/option.js').Rule} Rule */

/** @param {string} flag @param {(value: any) => boolean} asks @param {string} why @returns {Rule} */
const notSimulated = (flag, asks, why) => ({
  flag,
  needs: ['network'],
  refuse: ({ network, ...values }) => network === 'simulated' && asks(values[flag]) && why
})

/** @param {string} muxers */
const several = muxers => muxers.includes(',')

/** SIMULATED_RULES refuse what the simulated network cannot do. @type {readonly Rule[]} */
export const SIMULATED_RULES = [
  notSimulated(
    'topology',
    ({ kind }) => kind === 'rendezvous',
    'cannot be rendezvous with --network simulated: the server would be a real one'
  ),
  notSimulated(
    'transport',
    transport => transport !== 'tcp',
    'must be tcp with --network simulated: the framing of WebSockets is not among what is simulated'
  ),
  notSimulated('muxer', several, 'must be one with --network simulated: nothing is chosen from there'),
  ...[
    ['security', 'noise'],
    ['muxer', 'yamux']
  ].map(([flag, usual]) =>
    notSimulated(
      flag,
      value => value !== usual && !several(value),
      `must be ${usual} with --network simulated: nothing is encrypted and nothing is multiplexed, their bytes are calculated`
    )
  )
]
