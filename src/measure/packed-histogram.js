/** @typedef {import('./histogram.js').HistogramData} HistogramData */

/** Of a whole number, 7 bits in each. */
const MOST_BYTES = 8
/** Values are below 2 ** 32, and there are fewer of them than that. */
const PLACES = 2 ** 20

/**
 * packHistogram packs a histogram for a way on which bytes count: its values go in order, each as what it is more than the one before, and
 * their counts after them, all in as few bytes as they need. It stays as exact as it was.
 *
 * @param {HistogramData} data - of whole numbers
 * @returns {Uint8Array}
 */
export function packHistogram({ values, counts, count, sum, max }) {
  const bytes = new Uint8Array(MOST_BYTES * (4 + 2 * values.length))
  let length = 0
  // written by hand: with protons-runtime it took more than twice the CPU, and reading it five times
  const write = (/** @type {number} */ number) => {
    let rest = number
    for (; rest > 127; rest = Math.floor(rest / 128)) bytes[length++] = (rest % 128) | 128
    bytes[length++] = rest
  }
  for (const total of [count, sum, max, values.length]) write(total)
  // sorted as numbers, each with its place: with a function to compare them it takes much longer
  const order = values.map((value, place) => value * PLACES + place).sort()
  let before = 0
  for (const each of order) {
    const value = Math.floor(each / PLACES)
    write(value - before)
    before = value
  }
  for (const each of order) write(counts[each % PLACES])
  return bytes.slice(0, length)
}

/**
 * unpackHistogram gives what was packed, values ascending.
 *
 * @param {Uint8Array} bytes
 * @returns {HistogramData}
 * @throws {RangeError} it is cut short, or has more to it
 */
export function unpackHistogram(bytes) {
  let place = 0
  const read = () => {
    let number = 0
    for (let unit = 1; ; unit *= 128) {
      const byte = bytes[place++]
      number += (byte & 127) * unit
      if (!(byte > 127)) return number
    }
  }
  const totals = { count: read(), sum: read(), max: read() }
  const places = read()
  // each takes two bytes at least: a peer, or a file, asks for no more memory than it gives
  if (places > bytes.length) throw new RangeError('a packed histogram ends before its values do')
  const values = new Float64Array(places)
  let before = 0
  for (let i = 0; i < values.length; i++) values[i] = before += read()
  const counts = new Uint32Array(values.length)
  for (let i = 0; i < counts.length; i++) counts[i] = read()
  if (place !== bytes.length) throw new RangeError('a packed histogram is cut short, or has more to it')
  return { values, counts, ...totals }
}
