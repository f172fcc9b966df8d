/**
 * summaryOf is what is recorded of a description: all of it but the points of its plots.
 *
 * @param {import('../../src/report/schema.js').Description} description
 */
export const summaryOf = ({ plots, ...description }) => ({
  ...description,
  plots: plots.map(({ id, title, kind, x, y, main, compared, series = [], marks, spans }) => ({
    ...{ id, title, kind, x, y, main, compared, marks, spans },
    series: series.map(({ label, style, values }) => [label, style ?? 'line', values.length])
  }))
})
