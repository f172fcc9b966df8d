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
 * @param {Pick<import('../plan/plan.js').Plan, 'benchmarkType' | 'mix'>} plan - or what one client of it sends
 * @param {number} operations - Infinity only where every operation is the same
 * @param {() => () => number} draws - begins the same random numbers, uniform in [0, 1), each time it is called: types are drawn
 *   once to count them and once more to use them, so that no list grows with the number of operations
 * @returns {OperationTypes}
 */
export function operationTypes({ benchmarkType, mix }, operations, draws) {
  if (benchmarkType !== 'MIXED' || mix == null) {
    const type = /** @type {MixedType} */ (benchmarkType)
    return { operations, next: () => type, removals: type === 'UNREGISTER' ? operations : 0 }
  }
  const types = () => {
    const random = draws()
    return () => draw(mix, random())
  }
  let removals = 0
  const counting = types()
  for (let i = 0; i < operations; i++) if (counting() === 'UNREGISTER') removals++
  return { operations, next: types(), removals }
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
