/**
 * STORED are the names that plans and results have of scenarios in which some come and go, as they were first written. Everywhere else
 * they are called like their commands.
 */
export const STORED = /** @type {const} */ ({
  'rotate-gossip': 'rotation',
  'rotate-rendezvous': 'rotation-rendezvous'
})
