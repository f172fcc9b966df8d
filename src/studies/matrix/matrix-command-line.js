import { present } from '../../kit/lists.js'
import { PROGRAM } from '../../kit/program.js'
import { quoted } from '../../plan/plan-flags.js'
import { optionFlags } from '../saturation/saturation-command-line.js'

/** @typedef {import('./matrix-folder.js').MatrixRequest} MatrixRequest */

/** An option that was given several times. @param {[string, unknown]} option */
const flagsOf = ([name, value]) => [value].flat().flatMap(each => optionFlags({ [name]: each }))

/** @param {MatrixRequest} request */
const sharesOf = ({ scale, scaleTime = 1, scaleRate = 1 }) =>
  Object.entries({ scale, scaleTime, scaleRate })
    .filter(([, share]) => share !== 1)
    .map(([name, share]) => `--${name} ${share}`)

/**
 * matrixCommandLine runs the rows of a matrix again.
 *
 * @param {{ request: MatrixRequest }} document
 */
export const matrixCommandLine = ({ request }) =>
  present([
    `${PROGRAM} matrix`,
    ...request.files.map(quoted),
    ...request.only.map(pattern => `--only ${quoted(pattern)}`),
    ...sharesOf(request),
    request.runs !== undefined && `--runs ${request.runs}`,
    ...Object.entries(request.flags).flatMap(flagsOf)
  ]).join(' ')
