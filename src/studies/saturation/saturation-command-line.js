import { present } from '../../kit/lists.js'
import { PROGRAM } from '../../kit/program.js'
import { quoted } from '../../plan/plan-flags.js'
import { defaultOf } from '../../plan/schema-of.js'
import { MOST_PER_SECOND } from '../../scenarios/saturation-options.js'
import { objectiveFlags } from './objective.js'
import { sizesOf } from './result/saturation-document.js'
import { faceOf, SATURATED } from './saturated.js'

/**
 * @typedef {import('./result/saturation-document.js').SaturationDocument} SaturationDocument
 */

/** Where results go is no part of what was measured. */
const LEFT_OUT = new Set([
  'outputDir',
  'output-dir',
  'json',
  'dryRun',
  'dry-run',
  'quiet',
  'csv',
  'outputFile',
  'output-file',
  'strict'
])

/**
 * optionFlags types options again.
 *
 * @param {Record<string, unknown>} options - as they were given
 */
export const optionFlags = options =>
  Object.entries(options)
    .filter(([name]) => !LEFT_OUT.has(name))
    .map(([name, value]) => {
      if (value === true) return `--${name}`
      return value === false ? `--no-${name}` : `--${name} ${quoted(String(value))}`
    })

/**
 * saturationCommandLine makes a saturation again.
 *
 * @param {SaturationDocument} document
 */
export function saturationCommandLine(document) {
  const { scenario, grid, search, network, seconds, inTimeMs, options } = document
  const { ratesFlag } = faceOf(document)
  const { sizeName, own: ofCommand } = SATURATED[scenario]
  const usualMs = ofCommand.inTime && defaultOf(ofCommand.inTime)
  const sizesFlag = `--${sizeName}`
  const own =
    grid !== null
      ? [`${ratesFlag} ${grid.rates.join(',')}`, `${sizesFlag} ${sizesOf(grid).join(',')}`]
      : present([
          network === undefined && '--search',
          network !== undefined && `--peers ${network.peers}`,
          network !== undefined && `--requestsPerDay ${network.requestsPerDay}`,
          network !== undefined && `--peakFactor ${network.peakFactor}`,
          `--from ${search?.fromPerSecond}/s`,
          search?.mostPerSecond !== MOST_PER_SECOND && `--most ${search?.mostPerSecond}/s`,
          search?.repeats !== 0 && `--repeats ${search?.repeats}`,
          `--blocks ${search?.blocks}`,
          `${sizesFlag} ${document[sizeName]}`
        ])
  return present([
    `${PROGRAM} saturate ${scenario}`,
    ...own,
    `--duration ${seconds}s`,
    inTimeMs !== undefined && inTimeMs !== usualMs && `--inTime ${inTimeMs}ms`,
    ...objectiveFlags(scenario, document.objective),
    ...optionFlags(options)
  ]).join(' ')
}
