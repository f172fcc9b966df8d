const SMALLEST_TABLE = 8
const LINEAR_PROBES = 9
const PERTURB_SHIFT = 5
/** From here on a table grows by 2 instead of 4. */
const LARGE_SET = 50_000
const EMPTY = -1

/**
 * @typedef {object} CpythonIntSet
 * @property {(member: number) => void} add
 * @property {() => number} size
 * @property {() => number[]} members - in the order in which CPython iterates
 */

/**
 * cpythonIntSet holds whole numbers and gives them back in the order of a CPython 3 `set`, which is that of the slots of its
 * hash table. NetworkX makes edges in this order, so that its graphs depend on it.
 *
 * @returns {CpythonIntSet} empty; members are whole numbers from 0 to 2^31 − 1, for which the hash is the number itself
 */
export function cpythonIntSet() {
  let table = emptyTable(SMALLEST_TABLE)
  let used = 0

  /** @param {number} member */
  function add(member) {
    const slot = slotOf(table, member)
    if (table[slot] === member) return
    table[slot] = member
    used++
    if (used * 5 >= (table.length - 1) * 3) table = grown(table, used)
  }

  return { add, size: () => used, members: () => [...table].filter(member => member !== EMPTY) }
}

/** @param {number} slots - a power of two */
const emptyTable = slots => new Int32Array(slots).fill(EMPTY)

/**
 * slotOf gives the slot that holds the member or will hold it: a few neighbours are looked at before it jumps.
 *
 * @param {Int32Array} table
 * @param {number} member
 */
function slotOf(table, member) {
  const mask = table.length - 1
  let perturb = member
  for (let start = member & mask; ; start = (start * 5 + 1 + perturb) & mask) {
    const last = start + LINEAR_PROBES <= mask ? start + LINEAR_PROBES : start
    for (let slot = start; slot <= last; slot++) {
      if (table[slot] === EMPTY || table[slot] === member) return slot
    }
    perturb >>>= PERTURB_SHIFT
  }
}

/**
 * @param {Int32Array} table
 * @param {number} used
 */
function grown(table, used) {
  const least = used > LARGE_SET ? used * 2 : used * 4
  let slots = SMALLEST_TABLE
  while (slots <= least) slots *= 2
  const larger = emptyTable(slots)
  for (const member of table) if (member !== EMPTY) larger[slotOf(larger, member)] = member
  return larger
}
