/**
 * @typedef {object} Rotating - of a run of rotate rendezvous; `nClients` are the peers of the beginning, `durationMs`
 *   and `ratePerSecond` are not null
 * @property {'rotation-rendezvous'} scenario
 * @property {number} stable - peers that stay: they have the first numbers
 * @property {number} ephemeral - peers that are killed in turn and replaced by new ones
 * @property {number} rotateEveryMs - from one kill to the next
 * @property {number} downForMs - from a kill to the start of the peer that takes the place
 * @property {number} refreshEveryMs - after which a peer registers again
 * @property {boolean} cookies - a DISCOVER carries the cookie of the one before
 *
 * @typedef {Omit<import('../../../plan/plan.js').Plan, 'scenario'> & Rotating} RotateRendezvousPlan
 */

export {}
