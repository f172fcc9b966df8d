import { QUIET, SERIES } from '../../../../kit/plots/theme.js'

/** @type {Readonly<Record<string, string>>} */
const COLOURS = {
  REGISTER: SERIES[0],
  DISCOVER: SERIES[1],
  UNREGISTER: SERIES[2],
  CONNECT: SERIES[3]
}

/** typeColour: a type of operation has the same colour in every plot. @param {string} type */
export const typeColour = type => COLOURS[type] ?? QUIET
