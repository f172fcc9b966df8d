import { writeDescriptionPage } from '../../src/report/page.js'

/**
 * @typedef {object} Curve - a figure over what becomes more
 * @property {string} title
 * @property {string} of
 * @property {readonly (readonly [x: number, y: number])[]} points
 */

/**
 * growthPage is one page: the exponents, a plot of each figure, and all that was measured.
 *
 * @param {{ title: string, machine: string, table: { head: string[], rows: string[][] }, curves: readonly Curve[] }} growth
 */
export const growthPage = ({ title, machine, table: { head, rows }, curves }) =>
  writeDescriptionPage(
    {
      title: 'Growth',
      headline: title,
      tiles: [],
      tables: [
        {
          id: 'exponents',
          title: 'Exponents',
          columns: head.map(heading => [heading, 'text']),
          rows
        },
        {
          id: 'measured',
          title: 'Measured',
          columns: [
            ['Figure', 'text'],
            ['At', 'count'],
            ['Value', 'number']
          ],
          rows: curves.flatMap(({ title: figure, of, points }) =>
            points.map(([x, y]) => [`${figure} over ${of}`, x, y])
          )
        }
      ],
      plots: curves.map(({ title: figure, of, points }, place) => ({
        id: `growth-${place}`,
        title: `${figure} over ${of}`,
        note: 'Both axes are logarithmic: a straight line grows as a power.',
        kind: /** @type {const} */ ('lines'),
        x: of,
        y: figure,
        logX: true,
        logY: true,
        series: [{ label: figure, values: points.map(point => [...point]) }]
      })),
      warnings: []
    },
    { head: { when: machine } }
  )
