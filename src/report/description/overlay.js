/**
 * @typedef {import('./description.js').Description} Description
 * @typedef {import('./description.js').Plot} Plot
 * @typedef {import('./description.js').Series} Series
 * @typedef {{ label: string, description: Description }} DescribedRun
 */

/** More series cannot be told apart. */
const MAX_SERIES = 24
/** Points of all series of a plot together: a page stays small. */
const MAX_POINTS = 1600

/**
 * overlay lays plots of several runs over each other: those that their descriptions call `compared`, as far as two runs have them. Labels
 * begin with the label of the run. Counts become shares, since runs have different numbers of values.
 *
 * @param {readonly DescribedRun[]} runs
 * @param {string} [prefix] - of the ids
 * @returns {Plot[]}
 */
export function overlay(runs, prefix = 'runs-') {
  const compared = runs.flatMap(({ label, description }) =>
    description.plots
      .filter(({ compared, series = [] }) => compared === true && series.length > 0)
      .map(plot => ({ label, plot }))
  )
  return [...new Set(compared.map(({ plot }) => plot.id))].flatMap(id => {
    const same = compared.filter(({ plot }) => plot.id === id)
    return same.length < 2 ? [] : [laidOver(same, `${prefix}${id}`)]
  })
}

/** @param {{ label: string, plot: Plot }[]} runs @param {string} id @returns {Plot} */
function laidOver(runs, id) {
  const { spans, marks, main, compared, note, ...first } = runs[0].plot
  const isBars = first.kind === 'bars'
  const named = runs.flatMap(({ label, plot: { series = [] } }) =>
    series.map(each => ({
      ...each,
      label: series.length === 1 ? label : `${label}: ${each.label}`
    }))
  )
  const drawn = isBars ? sharesOf(named) : named
  const shown = drawn.slice(0, MAX_SERIES)
  const left = drawn.length - shown.length
  const notes = [note, left > 0 && `${left} more are not drawn.`].filter(Boolean)
  return {
    ...first,
    id,
    ...(isBars && { kind: 'lines', y: 'Share, %' }),
    ...(notes.length > 0 && { note: notes.join(' ') }),
    series: shown.map(each => ({
      ...each,
      values: thinned(each.values, Math.floor(MAX_POINTS / shown.length))
    }))
  }
}

/** @param {Series['values']} values @param {number} most @returns {Series['values']} the first and the last are kept */
function thinned(values, most) {
  if (values.length <= most) return values
  const step = (values.length - 1) / (most - 1)
  return Array.from({ length: most }, (_, i) => values[Math.round(i * step)])
}

/** @param {Series['values']} bars */
const widest = bars => Math.max(0, ...bars.map(([from, to]) => Number(to) - Number(from)))

/** Counts are put into bars of the same width: the widest that any has. @param {Series[]} all @returns {Series[]} */
function sharesOf(all) {
  const widths = all.map(({ values }) => widest(values)).filter(width => width > 0)
  const width = Math.max(...widths)
  const areSame = widths.every(each => Math.abs(each - width) < 1e-9 * width)
  return all.map(({ label, values }) => ({
    label,
    style: areSame && width < 1 ? 'line' : 'steps',
    values: asShares(areSame ? values : rebinned(values, width), areSame && width < 1)
  }))
}

/** @param {Series['values']} bars @param {boolean} atCentre - of a bar for each whole number @returns {Series['values']} steps end where no bar goes on */
function asShares(bars, atCentre) {
  const all = bars.reduce((sum, [, , count]) => sum + Number(count), 0)
  const at = (/** @type {number} */ x) => Number(x.toPrecision(6))
  return /** @type {number[][]} */ (bars).flatMap(([from, to, count], i) => {
    const share = Number(((100 * count) / all).toPrecision(4))
    if (atCentre) return [[at((from + to) / 2), share]]
    const goesOn = i + 1 < bars.length && Number(bars[i + 1][0]) <= to * (1 + 1e-9)
    return goesOn
      ? [[at(from), share]]
      : [
          [at(from), share],
          [at(to), 0]
        ]
  })
}

/** @param {Series['values']} bars @param {number} width @returns {Series['values']} */
function rebinned(bars, width) {
  /** @type {Map<number, number>} */
  const counts = new Map()
  for (const [from, to, count] of /** @type {number[][]} */ (bars)) {
    const [first, last] = [Math.floor(from / width + 1e-9), Math.ceil(to / width - 1e-9)]
    for (let place = first; place < Math.max(last, first + 1); place++) {
      const [left, right] = [Math.max(from, place * width), Math.min(to, (place + 1) * width)]
      const share = to > from ? Math.max(0, right - left) / (to - from) : 1
      counts.set(place, (counts.get(place) ?? 0) + share * count)
    }
  }
  return [...counts]
    .sort(([a], [b]) => a - b)
    .map(([place, count]) => [place * width, (place + 1) * width, count])
}
