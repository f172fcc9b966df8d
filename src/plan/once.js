/**
 * once leaves out problems that are said already.
 *
 * @template T
 * @param {readonly T[]} problems
 * @returns {T[]}
 */
export const once = problems => [
  ...new Map(problems.map(problem => [JSON.stringify(problem), problem])).values()
]
