import { STUDIES as THOSE_THERE_ARE } from '../studies/index.js'

/** Names of release 0.1.0 that went, kept for one release so that programs are told what to use instead. */

/** @param {string} name @param {string} where @returns {(...args: any[]) => never} */
const moved = (name, where) => () => {
  throw new Error(`${name} is gone: ${where}`)
}

const CAPACITY = 'it has moved to planSaturate, with peers among its options'
const CLUSTER = 'it has moved to planMatrix, of benchmarks/cluster.yaml'
const VALIDATION = 'the comparison with a real network has moved to bench/validation'

export const planCapacity = moved('planCapacity', CAPACITY)
export const runCapacity = moved('runCapacity', CAPACITY)
export const planCluster = moved('planCluster', CLUSTER)
export const runCluster = moved('runCluster', CLUSTER)
export const planValidation = moved('planValidation', VALIDATION)
export const runValidation = moved('runValidation', VALIDATION)

const COMPARISON = 'it has moved to STUDIES.comparison'

/** What was a study of its own in release 0.1.0. */
const FORMER = {
  ab: COMPARISON,
  repetition: COMPARISON,
  capacity: CAPACITY,
  cluster: CLUSTER,
  validation: VALIDATION,
  cases: VALIDATION
}

/** STUDIES are all there are, by what their folders are called; asking for a former one throws where it has moved to. */
export const STUDIES = Object.defineProperties(
  { ...THOSE_THERE_ARE },
  Object.fromEntries(
    Object.entries(FORMER).map(([name, where]) => [name, { get: moved(`STUDIES.${name}`, where) }])
  )
)
