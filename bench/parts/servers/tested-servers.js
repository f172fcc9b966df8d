import { RecordDomain } from '../../../src/protocol/signed-record.js'
import { builtCommandOf } from '../../../test/interop/build.js'
import { GO } from '../../../test/interop/implementations.js'
import { startPeer } from '../peer-process.js'
import { RELEASED_RUST } from '../released-rust.js'
import { startServer } from '../server-process.js'

/**
 * @typedef {{ multiaddr: string, pid: number, stop: () => Promise<void> }} Started
 *
 * @typedef {object} TestedServer
 * @property {string} domain - of the records it takes
 * @property {(how?: { strangers?: boolean }) => Promise<Started>} start - in a process of its own; `strangers`: with the limits for clients of
 *   other machines
 */

/** Peers of other implementations take short times to live, too. */
const SHORT_TTL = '--minTtl=1s'

/** @param {{ stock: boolean }} how @returns {TestedServer} */
const ours = how => ({
  domain: RecordDomain.PEER_RECORD,
  start: ({ strangers = false } = {}) =>
    startServer([], [SHORT_TTL, ...(strangers ? ['--unlimitedFrom='] : [])], how)
})

/** @param {typeof GO} implementation @param {readonly string[]} command @returns {TestedServer} */
const other = ({ recordDomain = RecordDomain.PEER_RECORD }, command) => ({
  domain: recordDomain,
  async start() {
    const peer = startPeer([...command, 'serve'])
    return { multiaddr: (await peer.next()).address, pid: peer.pid, stop: peer.stop }
  }
})

/**
 * testedServers builds what has to be built.
 *
 * @returns {Promise<{ servers: Record<string, TestedServer>, command: string[] }>} by name, in the order of the table; `command`: of the
 *   clients that ask all of them
 */
export async function testedServers() {
  const [rust, go] = [await builtCommandOf(RELEASED_RUST), await builtCommandOf(GO)]
  const servers = {
    'js stock': ours({ stock: true }),
    'js tuned': ours({ stock: false }),
    Rust: other(RELEASED_RUST, rust),
    Go: other(GO, go)
  }
  return { servers, command: rust }
}
