import { counted, grouped, spell } from '../../../kit/numbers.js'

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
 * livesInWords says how many came and went.
 *
 * @param {{ killed: number, started: number, failed: number }} lives
 * @param {string} one - of them: `node`
 * @param {string} whom - those that failed did not reach
 */
export const livesInWords = ({ killed, started, failed }, one, whom) =>
  `${counted(killed, `${one} was`, `${one}s were`)} killed and ${grouped(started)} started in their places${failed === 0 ? '' : `, ${grouped(failed)} of them without reaching ${whom}`}`
