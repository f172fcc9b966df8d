/**
 * nextOf waits for the next of some events, of a stream of libp2p as a rule: its `onDrain` comes back at once from the second time on
 * (@libp2p/utils 7.4).
 *
 * @template {string} E
 * @param {{ addEventListener(event: E, listener: () => void): void, removeEventListener(event: E, listener: () => void): void }} target
 * @param {readonly E[]} events
 * @returns {Promise<void>}
 */
export function nextOf(target, events) {
  return new Promise(resolve => {
    const done = () => {
      for (const event of events) target.removeEventListener(event, done)
      resolve()
    }
    for (const event of events) target.addEventListener(event, done)
  })
}
