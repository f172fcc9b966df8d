/**
 * @typedef {'REGISTER' | 'DISCOVER' | 'UNREGISTER' | 'PUBLISH'} MixedType
 *
 * @typedef {object} OperationTypes - what one client does
 * @property {number} operations - Infinity: as many as come
 * @property {() => MixedType} next
 * @property {number} removals - how many registrations there must be to remove; a mix removes those that it makes
 */

/**
 * operationTypes chooses the types of a client's operations.
 *
 * @param {Pick<import('../plan/plan.js').Plan, 'benchmarkType' | 'mix'>} plan - or what one client of it sends
 * @param {number} operations - Infinity: as many as come
 * @param {() => number} random - uniform in [0, 1)
 * @returns {OperationTypes}
 */
export function operationTypes({ benchmarkType, mix }, operations, random) {
  if (benchmarkType !== 'MIXED' || mix == null) {
    const type = /** @type {MixedType} */ (benchmarkType)
    return { operations, next: () => type, removals: type === 'UNREGISTER' ? operations : 0 }
  }
  return { operations, next: () => draw(mix, random()), removals: 0 }
}

/**
 * @param {{ register: number, discover: number, publish?: number }} mix
 * @param {number} share - uniform in [0, 1)
 * @returns {MixedType}
 */
function draw({ register, discover, publish = 0 }, share) {
  if (share < register) return 'REGISTER'
  if (share < register + discover) return 'DISCOVER'
  return share < register + discover + publish ? 'PUBLISH' : 'UNREGISTER'
}
