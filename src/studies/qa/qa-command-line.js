import { present } from '../../kit/lists.js'
import { PROGRAM } from '../../kit/program.js'
import { objectiveFlags } from '../saturation/objective.js'
import { sizesOf } from '../saturation/result/saturation-document.js'
import { SATURATED } from '../saturation/saturated.js'
import { optionFlags } from '../saturation/saturation-command-line.js'

/**
 * qaCommandLine makes a quality report again.
 *
 * @param {import('./result/qa-document.js').QaDocument} document
 */
export function qaCommandLine({ scenario, options, quick, seconds, steadySeconds, inTimeMs, ...document }) {
  const { grid, growth, examined, rotation, baseline } = document
  const { ratesFlag, sizeName } = SATURATED[scenario]
  const { churn } = rotation.options
  return present([
    `${PROGRAM} qa ${scenario}`,
    quick && '--quick',
    growth === null && `--${ratesFlag} ${grid.rates.join(',')}`,
    `--${sizeName} ${sizesOf(grid).join(',')}`,
    `--duration ${seconds}s`,
    `--runs ${examined.runs}`,
    `--steady ${steadySeconds}s`,
    `--rotation ${rotation.options.duration}`,
    inTimeMs !== undefined && `--inTime ${inTimeMs}ms`,
    ...objectiveFlags(scenario, document.objective),
    ...optionFlags(options),
    ...(churn === undefined ? [] : optionFlags({ churn })),
    baseline !== null && `--baseline ${baseline}`
  ]).join(' ')
}
