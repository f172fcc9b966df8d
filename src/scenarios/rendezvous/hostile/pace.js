import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * @typedef {import('./peers.js').Peer} Peer
 *
 * @typedef {object} Run - of hostile peers
 * @property {AbortSignal} signal - ends it
 * @property {{ due: number, skipped: number }} tally - what was due, and what of it was not done because this process was late
 *
 * @typedef {(run: Run) => Promise<unknown>} Act - does it until it is aborted
 */

const AGAIN_AFTER_MS = 100

/**
 * often does something so often a second; what is late is done at once, up to a tenth of a second of it.
 *
 * @param {number} perSecond
 * @param {Run} run
 * @param {(index: number) => unknown} act
 */
export async function often(perSecond, { signal, tally }, act) {
  const began = performance.now()
  for (let done = 0; !signal.aborted; await sleep(Math.min(10, 1000 / perSecond))) {
    const due = ((performance.now() - began) * perSecond) / 1000
    const skipped = Math.max(0, Math.floor(due - perSecond / 10) - done)
    tally.skipped += skipped
    tally.due += skipped
    for (done += skipped; done < due && !signal.aborted; done++, tally.due++) act(done)
  }
}

/**
 * again does something again and again; whoever is thrown out comes back a little later.
 *
 * @param {AbortSignal} signal
 * @param {() => Promise<unknown>} act
 */
export async function again(signal, act) {
  while (!signal.aborted) {
    await act().catch(() => {})
    await sleep(AGAIN_AFTER_MS)
  }
}

/**
 * sendOften has a peer send pieces over one stream after the other, without waiting for what is answered.
 *
 * @param {Peer} peer
 * @param {number} perSecond
 * @param {Run} run
 * @param {(index: number) => Uint8Array} piece
 */
export async function sendOften(peer, perSecond, run, piece) {
  /** @type {import('@libp2p/interface').Stream | undefined} */
  let stream
  const opening = again(run.signal, async () => {
    if (stream?.status === 'open') return
    const opened = await peer.stream()
    opened.addEventListener('message', () => {})
    stream = opened
  })
  await often(perSecond, run, index => {
    if (stream?.status === 'open' && !stream.writableNeedsDrain) stream.send(piece(index))
  })
  await opening
  stream?.abort(new Error('over'))
}

/**
 * holdStreams has a peer open streams, all at once, and hold those it gets; it opens others in place of all of them when they are gone.
 *
 * @param {Peer} peer
 * @param {number} count
 * @param {AbortSignal} signal
 * @param {object} how
 * @param {(stream: import('@libp2p/interface').Stream) => unknown} how.begin - with each stream
 * @param {(stream: import('@libp2p/interface').Stream) => unknown} [how.goOn] - with each that is open, again and again
 * @param {number} [how.everyMs]
 */
export async function holdStreams(peer, count, signal, { begin, goOn = () => {}, everyMs = 50 }) {
  setMaxListeners(0, signal) // each stream that is being opened
  await again(signal, async () => {
    /** @type {import('@libp2p/interface').Stream[]} */
    const streams = []
    const openOne = async () => {
      const stream = await peer.stream(signal)
      streams.push(stream)
      begin(stream)
    }
    // for all the others there is a connection then
    await openOne()
    let opening = true
    const opened = Promise.allSettled(Array.from({ length: count - 1 }, openOne)).finally(() => {
      opening = false
    })
    const open = () => streams.filter(({ status }) => status === 'open')
    while (!signal.aborted && (opening || open().length > 0)) {
      await sleep(everyMs)
      for (const stream of open()) goOn(stream)
    }
    await opened
    for (const stream of streams) stream.abort(new Error('over'))
  })
}

/**
 * bounded starts something only while less than so much of it is under way.
 *
 * @param {number} most
 * @param {(index: number) => Promise<unknown>} act
 * @returns {(index: number) => void}
 */
export function bounded(most, act) {
  let underWay = 0
  return index => {
    if (underWay >= most) return
    underWay++
    act(index)
      .catch(() => {})
      .finally(() => underWay--)
  }
}
