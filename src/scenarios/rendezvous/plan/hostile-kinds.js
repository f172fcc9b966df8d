/**
 * @typedef {object} KindText - of hostile peers
 * @property {string} what - they do at their usual rate, for a table
 * @property {boolean} [ofOurs] - it needs what only our own server has
 */

/** KINDS of hostile peers there are, by name. Who does them: hostile/worker.js. @type {Readonly<Record<string, Readonly<KindText>>>} */
export const KINDS = Object.freeze({
  http: { what: '20 broken requests a second at the second port', ofOurs: true },
  requests: { what: 'each second 60,000 empty frames in one piece, and 20,000 DISCOVERs of 3 bytes' },
  unread: {
    what: '2 clients with 250 streams each, a reply of 1 MiB asked for on each, which read nothing'
  },
  store: { what: '25 peers, each 10 registrations of 14 kB a second, in 1,000 namespaces each' },
  records: { what: "one stream, 200 replays a second of somebody's record signed with secp256k1" },
  handshakes: { what: '100 connections a second from 20 addresses: silent, noise, or half a handshake' },
  frames: {
    what: '6 connections, each 2 pieces a second of 5,000 Yamux frames that carry nothing, or of 15,000 to 30,000 lines that ask for protocols'
  },
  invalid: {
    what: 'one stream, 400 REGISTERs a second that must be refused: a signature that does not fit, a record of somebody else, a ttl without end, no record'
  },
  connections: {
    what: '20 connections a second from 20 addresses through the whole handshake, up to 200 of them kept open'
  },
  streams: { what: 'one connection, 200 streams a second that agree on the protocol and are reset' },
  slow: {
    what: '2 clients with 100 streams each, which send a byte of a request of 1,000 bytes every second'
  },
  identities: {
    what: '20 peers at one address, each 20 DISCOVERs a second, which come back when they are refused'
  }
})

/** isAnyServers says whether hostile peers of a kind can be sent to servers of others. @param {string} kind */
export const isAnyServers = kind => !KINDS[kind].ofOurs
