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
