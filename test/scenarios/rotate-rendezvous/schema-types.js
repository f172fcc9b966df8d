/**
 * @typedef {typeof import('../../../src/scenarios/rotate-rendezvous/schemas.js').outcome} Described
 * @typedef {import('../../../src/scenarios/rotate-rendezvous/rotate-rendezvous-types.js').RotateRendezvousOutcome} RotateRendezvousOutcome
 */

// the compiler holds the two against each other; a part that only one of them knows does not compile
/** @type {(outcome: RotateRendezvousOutcome) => import('zod').output<Described>} */
export const admitted = outcome => outcome
/** @type {(outcome: import('zod').output<Described>) => RotateRendezvousOutcome} */
export const typed = outcome => outcome
