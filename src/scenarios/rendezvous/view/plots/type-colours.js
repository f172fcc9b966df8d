import { QUIET, SERIES } from '../../../../kit/plots/theme.js'

/** TYPE_COLOURS: a type of operation has the same colour in every plot. @type {Readonly<Record<string, string>>} */
export const TYPE_COLOURS = {
  REGISTER: SERIES[0],
  DISCOVER: SERIES[1],
  UNREGISTER: SERIES[2],
  CONNECT: SERIES[3]
}

/**
 * typeColour is the colour scale of the types in a plot.
 *
 * @param {string[]} types
 */
export const typeColour = types => ({ domain: types, range: types.map(type => TYPE_COLOURS[type] ?? QUIET) })
