import { counted, grouped } from '../../../kit/numbers.js'

/** sentence makes one of words. @param {string} text */
export const sentence = text => `${text[0].toUpperCase()}${text.slice(1)}.`

/**
 * livesInWords says how many came and went.
 *
 * @param {{ killed: number, started: number, failed: number }} lives
 * @param {string} one - of them: `node`
 * @param {string} whom - those that failed did not reach
 */
export const livesInWords = ({ killed, started, failed }, one, whom) =>
  `${counted(killed, `${one} was`, `${one}s were`)} killed and ${grouped(started)} started in their places${failed === 0 ? '' : `, ${grouped(failed)} of them without reaching ${whom}`}`
