/**
 * thinned keeps a list that grows all the time short: of its older half every other item goes.
 *
 * @template T
 * @param {T[]} list
 * @param {number} most
 * @returns {T[]}
 */
export function thinned(list, most) {
  if (list.length <= most) return list
  const half = list.length >> 1
  return list.filter((_, i) => i >= half || i % 2 === 0)
}
