/**
 * ENGINE is which order of events a simulation has. It stands before each digest: those of different engines say nothing about each other.
 *
 * 1: what happened to be asked for first came first. 2: what comes to a node at one moment comes in the order of who it is from; a node knows
 * of others what came over its links, and nothing sooner. 3: a node dials one peer after the other, as on every network. 4: what libp2p
 * hands a socket in parts is several segments, and losses are noticed as by Linux (RACK, TLP). 5: so are time-outs, which new segments put off.
 * 6: a link takes time where no latency is asked for. 7: nodes that connect say as much to one another, in as many segments, as stock ones.
 */
export const ENGINE = 7

/** named puts the engine before a digest. @param {string} hex */
export const named = hex => `engine-${ENGINE}:${hex}`

/** engineOf is what simulated the run of a digest, as in `engine-7`; the first one had no name. @param {string} digest */
export const engineOf = digest => (digest.includes(':') ? digest.split(':')[0] : 'engine-1')
