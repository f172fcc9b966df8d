import { counted, grouped, spell } from '../../../kit/numbers.js'
import { figure } from '../../../report/table.js'

/** sentence makes one of words. @param {string} text */
export const sentence = text => `${text[0].toUpperCase()}${text.slice(1)}.`

/**
 * rotatingInWords says what rotates.
 *
 * @param {{ stable: number, ephemeral: number, rotateEveryMs: number, downForMs: number }} plan
 * @param {string} many - of them: `nodes`
 */
export const rotatingInWords = ({ stable, ephemeral, rotateEveryMs, downForMs }, many) =>
  `${grouped(stable)} stable and ${grouped(ephemeral)} ephemeral ${many}, one of these killed each ${spell(rotateEveryMs)} and replaced after ${spell(downForMs)}`

/**
 * sinceStartInWords says how long it took from a start.
 *
 * @param {import('../../../measure/lives.js').TimesSinceStart} times
 * @param {{ one: string, what: string, none: string }} words - `one` of them: `node`; `what` happened: `first delivery`; `none`: where it
 *   happened to nobody
 */
export function sinceStartInWords({ count, never = 0, avg, max }, { one, what, none }) {
  if (count === never) return none
  const others =
    never === 0 ? '' : `; ${grouped(never)} of ${counted(count, one)} came to none before the kill or the end`
  return `from its start to its ${what} a ${one} took ${figure(avg)} ms on average, ${figure(max)} ms at most${others}`
}

/**
 * livesInWords says how many came and went.
 *
 * @param {{ killed: number, started: number, failed: number }} lives
 * @param {string} one - of them: `node`
 * @param {string} whom - those that failed did not reach
 */
export const livesInWords = ({ killed, started, failed }, one, whom) =>
  `${counted(killed, `${one} was`, `${one}s were`)} killed and ${grouped(started)} started in their places${failed === 0 ? '' : `, ${grouped(failed)} of them without reaching ${whom}`}`
