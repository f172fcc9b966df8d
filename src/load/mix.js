/**
 * @typedef {'REGISTER' | 'DISCOVER' | 'UNREGISTER'} MixedType
 *
 * @typedef {object} OperationTypes - what one client does in one round
 * @property {number} operations - Infinity: as many as come
 * @property {() => MixedType} next
 * @property {number} removals - how many registrations there must be to remove
 */

/**
 * operationTypes chooses the types of a client's operations in one round.
 *
 * @param {import('../plan/plan.js').Plan} plan
 * @param {number} operations - Infinity only where every operation is the same
 * @param {() => number} random - uniform in [0, 1)
 * @returns {OperationTypes}
 */
export function operationTypes({ benchmarkType, mix }, operations, random) {
  if (benchmarkType !== 'MIXED' || mix == null) {
    const type = /** @type {MixedType} */ (benchmarkType)
    return { operations, next: () => type, removals: type === 'UNREGISTER' ? operations : 0 }
  }
  const types = Array.from({ length: operations }, () => draw(mix, random()))
  const removals = types.filter(type => type === 'UNREGISTER').length
  let index = 0
  return { operations, next: () => types[index++], removals }
}

/**
 * @param {{ register: number, discover: number }} mix
 * @param {number} share - uniform in [0, 1)
 * @returns {MixedType}
 */
function draw({ register, discover }, share) {
  if (share < register) return 'REGISTER'
  return share < register + discover ? 'DISCOVER' : 'UNREGISTER'
}
