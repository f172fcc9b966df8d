import { encodeFrame } from '../../../../protocol/framing.js'
import { encodeDiscover } from '../../../../protocol/messages.js'
import { LARGE_NAMESPACE } from '../held.js'
import { bounded, holdStreams, often, sendOften } from './pace.js'
import { Peer, peersAt } from './peers.js'

/** @typedef {import('./registering.js').Prepare} Prepare */

const STREAMS_OF_SILENT = 250
const STREAMS_OF_SLOW = 100
const IDENTITIES = 20
const STREAMS_BEING_OPENED = 200
const SLOW_EVERY_MS = 1000

/** requests is of frames that are tiny. @type {Prepare} */
export async function requests(target, times) {
  const pieces = [Buffer.alloc(60_000), Buffer.concat(Array(20_000).fill(Uint8Array.of(2, 8, 3)))]
  const peer = await Peer.at(target, '127.0.9.1')
  return run => sendOften(peer, 2 * times, run, index => pieces[index % 2])
}

/** unread is of replies that nobody reads: of a server of others the largest there are. @type {Prepare} */
export async function unread(target, times) {
  const ask = encodeFrame(encodeDiscover(target.http === null ? {} : { ns: LARGE_NAMESPACE }))
  const peers = await peersAt(target, 2 * times, 1)
  return ({ signal }) =>
    Promise.all(
      peers.map(peer =>
        holdStreams(peer, STREAMS_OF_SILENT, signal, {
          begin(stream) {
            stream.pause()
            stream.send(ask)
          }
        })
      )
    )
}

/** slow is of requests that come a byte at a time. @type {Prepare} */
export async function slow(target, times) {
  const request = encodeFrame(new Uint8Array(1000))
  const peers = await peersAt(target, 2 * times, 11)
  const byte = request.subarray(-1)
  return ({ signal }) =>
    Promise.all(
      peers.map(peer =>
        holdStreams(peer, STREAMS_OF_SLOW, signal, {
          begin: stream => stream.send(request.subarray(0, 3)),
          goOn: stream => stream.send(byte),
          everyMs: SLOW_EVERY_MS
        })
      )
    )
}

/** streams is of streams that are opened for nothing. @type {Prepare} */
export async function streams(target, times) {
  const peer = await Peer.at(target, '127.0.10.1')
  const openOne = bounded(STREAMS_BEING_OPENED, async () => {
    const stream = await peer.stream()
    stream.abort(new Error('over'))
  })
  return run => often(200 * times, run, openOne)
}

/** identities is of many peers at one address. @type {Prepare} */
export async function identities(target, times) {
  const ask = encodeFrame(encodeDiscover({ limit: 20 }))
  const peers = await Promise.all(Array.from({ length: IDENTITIES }, () => Peer.apart(target, '127.0.7.1')))
  return run => Promise.all(peers.map(peer => sendOften(peer, 20 * times, run, () => ask)))
}
