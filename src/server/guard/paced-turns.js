import { GuardError } from './guard-error.js'

/**
 * pacedTurns gives what arrives on a connection its turns, while it has a share of the event loop left. What was read at once must not wait
 * for that too long: meanwhile nobody would see that the other side has gone.
 *
 * @param {object} parts
 * @param {() => Promise<void> | undefined} parts.take - a turn
 * @param {() => void} parts.give - it back
 * @param {import('../loop-time.js').LoopShare} parts.share
 * @param {(bytes: import('uint8arraylist').Uint8ArrayList) => boolean} parts.atOnce - what needs no turn
 * @param {number} parts.stallTimeoutMs
 * @returns {Omit<import('./paced-stream.js').Pace, 'cut'>}
 */
export function pacedTurns({ take, give, share, atOnce, stallTimeoutMs }) {
  let taken = false
  let lateSince = Infinity
  const next = () => {
    taken = true
    return take()
  }
  return {
    stallTimeoutMs,
    turn(bytes) {
      const late = share.wait()
      if (late === undefined) return atOnce(bytes) ? undefined : next()
      const now = performance.now()
      lateSince = Math.min(lateSince, now)
      if (now - lateSince > stallTimeoutMs)
        throw new GuardError('ERR_TOO_MUCH_WORK', 'what it sends takes too long')
      return late.then(next)
    },
    began: share.begin,
    done(isAll) {
      if (isAll) lateSince = Infinity
      if (taken) give()
      taken = false
    }
  }
}
