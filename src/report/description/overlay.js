/**
 * @typedef {import('./description.js').Plot} Plot
 * @typedef {import('./description.js').Series} Series
 * @typedef {{ label: string, description: import('./description.js').Description }} DescribedRun
 */

/** All series of a plot together: more points cannot be told apart, and would make pages large. */
const MAX_POINTS = 1200
const MIN_POINTS_EACH = 30

/** @param {Series['values']} values @param {number} most */
const thinned = (values, most) => {
  const step = Math.ceil(values.length / most)
  return values.filter((_, i) => i % step === 0 || i === values.length - 1)
}

/** Bars over each other hide each other: their outline does not. @param {Series} series @param {Plot['kind']} kind @returns {Series} */
function asLine(series, kind) {
  if (kind !== 'bars') return series
  const values = series.values.flatMap(([from, to, count], i) =>
    series.values[i + 1]?.[0] === to
      ? [[from, count]]
      : [
          [from, count],
          [to, 0]
        ]
  )
  return { ...series, style: 'steps', values }
}

/**
 * overlay lays plots of several runs over each other: those that their descriptions call `compared`, as far as two runs have them. Labels
 * begin with the label of the run.
 *
 * @param {readonly DescribedRun[]} runs
 * @returns {Plot[]} ids begin with `runs-`
 */
export function overlay(runs) {
  const drawn = runs.flatMap(({ label, description }) =>
    description.plots.flatMap(plot =>
      plot.compared && plot.series !== undefined ? [{ label, plot, series: plot.series }] : []
    )
  )
  return [...new Set(drawn.map(({ plot }) => plot.id))].flatMap(id => {
    const same = drawn.filter(({ plot }) => plot.id === id)
    if (same.length < 2) return []
    const [{ plot }] = same
    const count = same.reduce((sum, { series }) => sum + series.length, 0)
    const { main, compared, marks, spans, ...rest } = plot
    return [
      {
        ...rest,
        id: `runs-${id}`,
        kind: /** @type {const} */ ('lines'),
        series: same.flatMap(({ label, series }) =>
          series.map(one => {
            const line = asLine(one, plot.kind)
            return {
              ...line,
              label: series.length === 1 ? label : `${label}: ${one.label}`,
              values: thinned(line.values, Math.max(MIN_POINTS_EACH, Math.floor(MAX_POINTS / count)))
            }
          })
        )
      }
    ]
  })
}
