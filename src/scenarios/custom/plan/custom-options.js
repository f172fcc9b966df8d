import { GROUP, OUTPUT_OPTIONS, STRICT } from '../../../plan/shared-options.js'
import { targetAddress } from '../../../plan/target-address.js'
import { thresholds } from '../../../plan/threshold.js'
import * as values from '../../../plan/values.js'

/** What options are of that no group is said of. */
const OF_THE_SCENARIO = 'The scenario:'

/**
 * customOptions is the table of the options of a scenario of a user's own: its own, and those that all have.
 *
 * @param {Pick<import('../types.js').CustomModule, 'options'>} module
 * @param {readonly import('../../../measure/figure.js').Figure[]} figures - of the scenario
 * @returns {import('../../../plan/read-options.js').OptionTable}
 */
export function customOptions({ options = () => ({}) }, figures) {
  const { duration, wholeNumber } = values
  const said = Object.entries(options({ ...values, targetAddress }))
  return Object.freeze({
    ...Object.fromEntries(said.map(([key, option]) => [key, { group: OF_THE_SCENARIO, ...option }])),
    inFlight: {
      group: GROUP.MEASURE,
      default: 1,
      ...wholeNumber(1, 10_000),
      describe: 'operations under way at once; each is followed by the next (closed model)'
    },
    timeout: {
      group: GROUP.MEASURE,
      default: '10s',
      ...duration({ min: '1ms', max: '1h' }),
      planKey: 'timeoutMs',
      describe: 'how long an operation may take'
    },
    warmup: {
      group: GROUP.MEASURE,
      default: '1s',
      ...duration({ max: '1h' }),
      planKey: 'warmupMs',
      describe: 'load that is not counted, before the measurement'
    },
    duration: {
      short: 'd',
      group: GROUP.MEASURE,
      default: '10s',
      ...duration({ min: '100ms' }),
      planKey: 'durationMs',
      describe: 'how long is measured'
    },
    seed: {
      group: GROUP.MEASURE,
      default: 1,
      ...wholeNumber(0, 4_294_967_295),
      describe: 'of what is random in the scenario'
    },
    threshold: {
      group: GROUP.VERDICT,
      defaultText: 'none',
      ...thresholds(figures),
      planKey: 'thresholds',
      describe:
        'what a figure must be, such as "errorRate <= 1%", or the exit code is 3; can be repeated. With ", abortOnFail, grace=5s" behind it, the run ends once it has failed for that long'
    },
    ...STRICT,
    ...OUTPUT_OPTIONS
  })
}

/** neededRules refuse what is not given, though it is needed. @param {Pick<import('../types.js').CustomModule, 'options'>} module */
export const neededRules = ({ options = () => ({}) }) =>
  Object.entries(options({ ...values, targetAddress })).flatMap(([flag, { needed = false }]) =>
    needed
      ? [
          {
            flag,
            refuse: (/** @type {unknown} */ _, /** @type {Map<string, unknown>} */ given) =>
              !given.has(flag) && 'is needed'
          }
        ]
      : []
  )
