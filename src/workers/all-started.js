import { setMaxListeners } from 'node:events'

/**
 * allStarted starts processes together. Where one does not start, none stays, and none is waited for that is still starting.
 *
 * @template {{ stop(): Promise<void> }} P
 * @param {(signal: AbortSignal) => readonly Promise<P>[]} start - `signal` ends at once what is starting
 * @param {AbortSignal} [signal] - ends all of them while they start
 * @returns {Promise<P[]>} in the same order
 * @throws what kept the first one of them from starting, once the others have been stopped
 */
export async function allStarted(start, signal) {
  const failing = new AbortController()
  const until = signal === undefined ? failing.signal : AbortSignal.any([signal, failing.signal])
  // each process listens while it starts
  setMaxListeners(0, until)
  /** @type {{ error: unknown } | null} */
  let failed = null
  const settled = await Promise.allSettled(
    start(until).map(starting =>
      starting.catch(error => {
        failed ??= { error }
        failing.abort()
        throw error
      })
    )
  )
  const started = settled.flatMap(result => (result.status === 'fulfilled' ? [result.value] : []))
  if (failed === null) return started
  await Promise.all(started.map(process => process.stop()))
  throw /** @type {{ error: unknown }} */ (failed).error
}
