/**
 * shuffled gives items in a random order, all equally likely (R. Durstenfeld, Algorithm 235, CACM 7 (1964) 420).
 *
 * @template T
 * @param {readonly T[]} items
 * @param {() => number} random - uniform in [0, 1)
 * @returns {T[]}
 */
export function shuffled(items, random) {
  const order = [...items]
  for (let last = order.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1))
    const item = order[last]
    order[last] = order[other]
    order[other] = item
  }
  return order
}
