import { GROUP } from './shared-options.js'

/**
 * @typedef {'cpu' | 'heap'} Profilable
 * @typedef {{ profiled?: readonly Profilable[] }} Profiling - of a plan: what is sampled; absent: nothing
 */

const PROFILABLE = /** @type {const} */ (['cpu', 'heap'])

/** @param {unknown} value - `cpu,heap`, or a list in YAML @returns {Profilable[] | undefined} undefined: not allowed */
function parseProfiled(value) {
  const words = (Array.isArray(value) ? value.map(String) : String(value).split(',')).map(word => word.trim())
  if (!words.every(word => PROFILABLE.some(each => each === word))) return undefined
  return PROFILABLE.filter(each => words.includes(each))
}

/**
 * profileOption samples the processes of a load.
 *
 * @param {string} whose - processes
 * @returns {Readonly<Record<'profile', Readonly<import('./option.js').Option>>>}
 */
export const profileOption = whose => ({
  profile: {
    group: GROUP.MEASURE,
    allowed: 'must be cpu, heap or cpu,heap',
    choices: ['cpu', 'heap', 'cpu,heap'],
    schema: z => z.preprocess(parseProfiled, z.array(z.enum(PROFILABLE)).min(1)),
    write: profiled => profiled.join(','),
    planKey: 'profiled',
    ofSomePlans: true,
    only: {
      of: 'a profiled run',
      needs: [],
      met: ({ profile }) => profile !== undefined,
      asks: () => false,
      otherwise: ''
    },
    notIn: { trial: 'sampling takes time from what is measured' },
    describe: `sample what ${whose} spend CPU time on (cpu), who allocates how much (heap), or cpu,heap; see docs/profile.md`
  }
})

/** PROFILE_SAME is what two plans that are compared agree in: sampling slows what is measured. @type {import('../measure/figure.js').Comparable<any>['same']} */
export const PROFILE_SAME = {
  '--profile (sampling slows a run)': ({ profiled }) => profiled?.join(',') ?? 'none'
}
