/** isLost says whether a worker was lost with its machine, and the run goes on without it. @param {unknown} error */
const isLost = error => /** @type {{ code?: string } | null} */ (error)?.code === 'AGENT_LOST'

/**
 * ofThoseLeft waits for what several workers do, but those that were lost with their machine.
 *
 * @template T
 * @param {readonly Promise<T>[]} promises - one of each worker
 * @returns {Promise<T[]>} one at least
 * @throws what one failed with otherwise, at once; what they were lost by, where none is left
 */
export async function ofThoseLeft(promises) {
  const done = await Promise.all(
    promises.map(promise =>
      promise.then(
        value => ({ value }),
        error => {
          if (isLost(error)) return { error }
          throw error
        }
      )
    )
  )
  const left = done.flatMap(one => ('value' in one ? [one.value] : []))
  if (left.length === 0 && done.length > 0) throw /** @type {{ error: unknown }} */ (done[0]).error
  return left
}
