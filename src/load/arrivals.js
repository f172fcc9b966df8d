/**
 * @typedef {object} Arrival - one of several schedules
 * @property {number} offset - from the start, ns
 * @property {number} of - which schedule, from 0
 * @property {number} nth - of its arrivals, from 0
 */

/**
 * constantArrivals gives when operations are due at an even pace.
 *
 * @param {number} ratePerSecond - > 0
 * @returns {Generator<number>} offsets from the start in ns, for ever
 */
export function* constantArrivals(ratePerSecond) {
  for (let index = 0; ; index++) yield Math.round((index * 1e9) / ratePerSecond)
}

/**
 * poissonArrivals gives when operations are due that know nothing of each other: gaps are exponential with mean 1 / rate.
 *
 * @param {number} ratePerSecond - > 0
 * @param {() => number} random - uniform in [0, 1)
 * @returns {Generator<number>} offsets from the start in ns, for ever
 */
export function* poissonArrivals(ratePerSecond, random) {
  let offset = 0
  while (true) {
    offset += (-Math.log(1 - random()) * 1e9) / ratePerSecond
    yield Math.round(offset)
  }
}

/**
 * shapedArrivals gives when operations are due whose rate changes over time: a schedule of rate 1 is stretched so that as many
 * are due by each time as the rate says. Stretching keeps what is independent independent (time change of a Poisson process).
 *
 * @param {(due: number) => number} timeOf - s, when so many are due
 * @param {(() => number) | null} random - uniform in [0, 1), for Poisson arrivals; null: evenly spaced
 * @returns {Generator<number>} offsets from the start in ns, for ever
 */
export function* shapedArrivals(timeOf, random) {
  let due = 0
  for (;;) {
    if (random !== null) due -= Math.log(1 - random())
    yield Math.round(timeOf(due) * 1e9)
    if (random === null) due++
  }
}

/**
 * bounded ends a schedule after a number of operations or at an offset, whichever comes first.
 *
 * @param {Iterable<number>} arrivals
 * @param {{ count?: number, durationNs?: number }} bounds
 * @returns {Generator<number>}
 */
export function* bounded(arrivals, { count = Infinity, durationNs = Infinity }) {
  if (count === 0) return
  let given = 0
  for (const offset of arrivals) {
    if (offset >= durationNs) return
    yield offset
    if (++given >= count) return
  }
}

/**
 * together puts schedules into one, in the order in which arrivals are due; of those that are due at once the first schedule's comes first.
 *
 * @param {readonly Iterable<number>[]} schedules - offsets in ns
 * @returns {Generator<Arrival>}
 */
export function* together(schedules) {
  const all = schedules.map((schedule, of) => ({ of, nth: 0, rest: schedule[Symbol.iterator]() }))
  let left = all.map(one => ({ ...one, head: one.rest.next() })).filter(({ head }) => !head.done)
  while (left.length > 0) {
    const first = left.reduce((one, other) => (other.head.value < one.head.value ? other : one))
    yield { offset: first.head.value, of: first.of, nth: first.nth++ }
    first.head = first.rest.next()
    if (first.head.done) left = left.filter(one => one !== first)
  }
}

/**
 * shareOf deals a schedule out in turn, so that together workers keep its pace and each its evenness. It is dealt to hands, and those
 * to workers: an operation is of the same hand however many workers there are, and arrival i of worker i mod workers where these
 * divide the hands.
 *
 * @param {Iterable<number>} arrivals
 * @param {object} who
 * @param {number} who.index - which worker, from 0
 * @param {number} who.workers
 * @param {number} [who.hands] - clients of all of them; default: one each
 * @returns {Generator<number>}
 */
export function* shareOf(arrivals, { index, workers, hands = workers }) {
  let arrival = 0
  for (const offset of arrivals) {
    if ((arrival++ % hands) % workers === index) yield offset
  }
}
