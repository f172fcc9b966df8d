/**
 * nextOf waits for the next of some events of a stream.
 *
 * @param {import('@libp2p/interface').MessageStream} stream
 * @param {ReadonlyArray<'drain' | 'close'>} events
 * @returns {Promise<void>}
 */
export function nextOf(stream, events) {
  return new Promise(resolve => {
    const done = () => {
      for (const event of events) stream.removeEventListener(event, done)
      resolve()
    }
    for (const event of events) stream.addEventListener(event, done)
  })
}
