/**
 * present leaves out what is not there, so that a list says with `condition && item` what is in it at times.
 *
 * @template T
 * @param {readonly (T | null | undefined | false)[]} items
 * @returns {T[]}
 */
export const present = items => items.flatMap(item => (item == null || item === false ? [] : [item]))

/**
 * @template T
 * @typedef {{ reduce(add: (sum: number, item: T) => number, start: number): number }} Items - a list, or an array of numbers
 */

/**
 * sumOf adds up.
 *
 * @template [T=number]
 * @param {Items<T>} items
 * @param {(item: T) => number} [of] - what of an item, where the items are no numbers
 */
export const sumOf = (items, of = Number) => items.reduce((sum, item) => sum + of(item), 0)

/**
 * largestOf finds the largest number that is not below 0.
 *
 * @template [T=number]
 * @param {Items<T>} items
 * @param {(item: T) => number} [of] - what of an item, where the items are no numbers
 * @returns {number} 0 of no items
 */
export const largestOf = (items, of = Number) => items.reduce((most, item) => Math.max(most, of(item)), 0)

/**
 * enumerated writes a list as a sentence has it: A, B and C.
 *
 * @param {readonly string[]} items
 */
export const enumerated = items =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items[items.length - 1]}`

/**
 * grouping puts neighbours together until there are few groups.
 *
 * @template T
 * @param {readonly T[]} items
 * @param {number} most - groups
 * @returns {T[][]} groups of the same size, the last one smaller
 */
export function grouping(items, most) {
  const size = Math.max(1, Math.ceil(items.length / most))
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) =>
    items.slice(i * size, (i + 1) * size)
  )
}

/**
 * spread takes items that lie as far from one another as can be.
 *
 * @template T
 * @param {readonly T[]} items
 * @param {number} most - of them
 * @returns {readonly T[]} all of them where they are no more
 */
export const spread = (items, most) =>
  items.length <= most
    ? items
    : Array.from({ length: most }, (_, i) => items[Math.floor((i * items.length) / most)])

/**
 * byGroup gives items by their group, in order.
 *
 * @template {{ group: string }} T
 * @param {readonly T[]} items
 * @returns {[group: string, items: T[]][]}
 */
export function byGroup(items) {
  /** @type {Map<string, T[]>} */
  const groups = new Map()
  for (const item of items) groups.set(item.group, [...(groups.get(item.group) ?? []), item])
  return [...groups]
}
