/** @typedef {import('../../../plan/option.js').Rule} Rule */

/** @param {string} flag @param {string} spoken @returns {Rule} */
const onlyWith = (flag, spoken) => ({
  flag,
  needs: ['topology'],
  refuse: ({ topology, ...values }) =>
    topology.kind === 'rendezvous' &&
    values[flag] !== spoken &&
    `must be ${spoken} with --topology rendezvous: the rendezvous server speaks nothing else`
})

/** RENDEZVOUS_RULES refuse nodes that our rendezvous server does not understand. @type {readonly Rule[]} */
export const RENDEZVOUS_RULES = [onlyWith('security', 'noise'), onlyWith('muxer', 'yamux')]
