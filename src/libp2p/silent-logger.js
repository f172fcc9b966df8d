/**
 * @typedef {import('@libp2p/interface').Logger} Logger
 */

const nothing = () => {}

/** @type {Logger} */
const silent = Object.assign(() => {}, {
  error: nothing,
  trace: nothing,
  enabled: false,
  newScope: () => silent
})

/**
 * silentLogger is a `logger` for createLibp2p that writes nothing. The default one writes nothing either unless DEBUG is
 * set, but it makes several functions for each stream and connection, which is 5 % of the cost of a new stream.
 *
 * @returns {import('@libp2p/interface').ComponentLogger}
 */
export const silentLogger = () => ({ forComponent: () => silent })
