import { askedMarks, askedName } from '../../../../kit/plots/asked-marks.js'
import { span } from '../../../../kit/plots/axes.js'
import { category as colours, quantity } from '../../../../kit/plots/series-plot.js'
import { INK } from '../../../../kit/plots/theme.js'
import { categoryColour } from '../flame-graph.js'
import { percentOf } from '../hot-spot-tables.js'

/** Beyond these are slivers; the tables have all. */
const MOST = 8

/** Room for the name of the widest bar beside it, as a share of it. */
const ROOM = 0.7

/**
 * categoryBars draw which categories had most, in the colours of the flame graph.
 *
 * @param {readonly import('../../measure/hot-spots.js').CategoryShares[]} categories - the most first
 * @param {string} of - what shares are of
 * @returns {import('../../../../kit/plots/theme.js').Plot[]}
 */
export function categoryBars(categories, of) {
  const bars = categories.slice(0, MOST).map(({ category, selfShare, totalShare }) => ({
    ...{ category, said: `${category} ${percentOf(selfShare)} %` },
    self: Number((100 * selfShare).toFixed(1)),
    total: Number((100 * totalShare).toFixed(1))
  }))
  if (bars.length === 0) return []
  const names = bars.map(({ category }) => category)
  return [
    {
      id: 'hot-categories',
      title: `Share of ${of}, by category`,
      caption: `What each did itself.${categories.length > MOST ? ` The ${MOST} with most.` : ''}`,
      description: `Shares of ${of}: ${bars.map(({ said }) => said).join(', ')}.`,
      legend: [],
      marks: askedMarks(bars, {
        category: ({ category }) => category,
        'itself, %': ({ self }) => self,
        'with what it called, %': ({ total }) => total
      }),
      spec: {
        data: { values: bars },
        encoding: {
          x: { field: 'self', ...span([0, bars[0].self * (1 + ROOM)], `Share of ${of}, %`) },
          y: { field: 'category', type: 'ordinal', sort: names, axis: null }
        },
        layer: [
          {
            name: askedName(),
            mark: { type: 'bar' },
            encoding: { color: colours('category', names, names.map(categoryColour)) }
          },
          {
            mark: { type: 'text', align: 'left', dx: 5, fontSize: 11, color: INK },
            encoding: { x: quantity('self'), text: { field: 'said' } }
          }
        ]
      }
    }
  ]
}
