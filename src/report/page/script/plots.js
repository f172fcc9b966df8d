import { chartIn, faint, paints, said, share } from './chart.js'
import { button, csvButton, made } from './parts.js'

/**
 * @typedef {import('../../../kit/plots/plot-data.js').PlotData} PlotData
 * @typedef {import('../../../kit/plots/plot-data.js').DataAxis} DataAxis
 * @typedef {import('../../../kit/plots/plot-data.js').DataSeries} DataSeries
 * @typedef {import('uplot')} Chart
 *
 * @typedef {object} Joined - series by the same values of x
 * @property {number[]} xs
 * @property {(number | null | undefined)[][]} columns - undefined: it says nothing there; null: a gap begins
 */

const NUDGE = 1e-9

/** A step has two values at one place: the second is moved by what nobody sees. @param {DataSeries['values']} values @param {number} span */
const apart = (values, span) => {
  let last = -Infinity
  return [...values]
    .sort(([a], [b]) => a - b)
    .map(([x, y]) => {
      last = x > last ? x : last + span * NUDGE
      return /** @type {const} */ ([last, y])
    })
}

/** One value from one end to the other holds everywhere between. @param {DataSeries['values']} values @param {number} from @param {number} to */
const isLevel = (values, from, to) =>
  values.length === 2 && values[0][1] === values[1][1] && values[0][0] === from && values[1][0] === to

/**
 * joined puts series on the same values of x.
 *
 * @param {readonly DataSeries[]} series
 * @param {DataAxis['domain']} domain - its ends belong to them
 * @returns {Joined}
 */
export function joined(series, domain) {
  const all = series.flatMap(({ values }) => values.map(([x]) => x))
  const [from, to] = domain ?? [Math.min(...all), Math.max(...all)]
  const columns = series.map(({ values }) => new Map(apart(values, to - from)))
  const xs = [...new Set([from, to, ...columns.flatMap(column => [...column.keys()])])].sort((a, b) => a - b)
  return {
    xs,
    columns: series.map(({ values }, i) =>
      isLevel(values, from, to) ? xs.map(() => values[0][1]) : xs.map(x => columns[i].get(x))
    )
  }
}

/**
 * nearest is where a series says something, as near as can be; beyond its ends it says nothing.
 *
 * @param {readonly (number | null | undefined)[]} column
 * @param {number} at
 * @returns {number | null}
 */
export function nearest(column, at) {
  const says = (/** @type {number} */ i) => column[i] !== undefined && column[i] !== null
  if (says(at)) return at
  let [left, right] = [at, at]
  while (left >= 0 && !says(left)) left--
  while (right < column.length && !says(right)) right++
  if (left < 0 || right >= column.length) return null
  return at - left <= right - at ? left : right
}

/** @param {PlotData['stretches']} stretches @param {(colour: string) => string} paint */
const drawStretches =
  (stretches = [], paint) =>
  (/** @type {Chart} */ chart) => {
    const { ctx, bbox } = chart
    for (const { from, to, colour } of stretches) {
      const [left, right] = [from, to].map(x =>
        Math.min(bbox.left + bbox.width, Math.max(bbox.left, chart.valToPos(x, 'x', true)))
      )
      ctx.fillStyle = faint(paint(colour), 0.15)
      ctx.fillRect(left, bbox.top, Math.max(1, right - left), bbox.height)
    }
  }

/** A sign of a series, as it is drawn. @param {DataSeries} series */
function sign({ colour, dash, points }) {
  const mark = made('i', { class: points ? 'sign dot' : 'sign', 'aria-hidden': 'true' })
  if (points) mark.style.background = colour
  else
    mark.style.borderTop = `2px ${dash === undefined ? 'solid' : dash[0] < 4 ? 'dotted' : 'dashed'} ${colour}`
  return mark
}

/** Signs of the stretches, one of each name. @param {PlotData['stretches']} stretches */
const stretchSigns = (stretches = []) =>
  [...new Map(stretches.map(each => [each.label, each])).values()].map(({ label, colour }) =>
    made('li', {}, [sign({ label, colour, points: true, values: [] }), label])
  )

/** Series that are shown and hidden together: those of the same name. @param {readonly DataSeries[]} series */
const named = series =>
  [...new Set(series.map(({ label }) => label))].map(label =>
    series.flatMap((one, i) => (one.label === label ? [i] : []))
  )

const HOW = 'Point at the plot for values, drag over it to zoom in.'

/**
 * A legend that says what is pointed at, and shows and hides series.
 *
 * @param {PlotData} data
 * @param {Joined} values
 * @param {() => Chart} chart
 */
function legendOf({ x, y, series, stretches }, { xs, columns }, chart) {
  const groups = named(series)
  const isBelow = series.map(({ below = false }) => below)
  const outputs = groups.map(() => made('output'))
  const entries = groups.map((places, i) => {
    const press = button(
      '',
      () => {
        const shown = press.getAttribute('aria-pressed') !== 'true'
        press.setAttribute('aria-pressed', String(shown))
        for (const place of places) chart().setSeries(place + 1, { show: shown })
      },
      { 'aria-pressed': 'true', title: 'Show or hide' }
    )
    press.append(sign(series[places[0]]), `${series[places[0]].label} `, outputs[i])
    return made('li', {}, [press])
  })
  const at = made('li', { class: 'at' }, [HOW])
  const whole = button(
    'Show all of it',
    () => chart().setScale('x', { min: xs[0], max: xs[xs.length - 1] }),
    {
      hidden: ''
    }
  )
  const csv = csvButton(y.title, () => [
    [x.title, ...series.map(({ label, below }) => (below ? `${label}, lower edge` : label))],
    ...xs.map((value, i) => [x.nines ? share(value) : value, ...columns.map(column => column[i] ?? '')])
  ])
  const element = made('ul', { class: 'legend live' }, [
    ...entries,
    ...stretchSigns(stretches),
    at,
    made('li', {}, [whole]),
    made('li', {}, [csv])
  ])
  return {
    element,
    /** @param {number | null | undefined} place */
    point(place) {
      at.textContent = place == null ? HOW : `${x.title}: ${x.nines ? share(xs[place]) : said(xs[place])}`
      for (const [i, places] of groups.entries()) {
        const values = places.flatMap(series => {
          const near = place == null ? null : nearest(columns[series], place)
          return near === null ? [] : [/** @type {number} */ (columns[series][near])]
        })
        const ends = places.some(series => isBelow[series]) ? values.reverse() : values.slice(0, 1)
        outputs[i].textContent = ends.map(said).join(' to ')
      }
    },
    zoomed() {
      const { min, max } = chart().scales.x
      whole.hidden = min === xs[0] && max === xs[xs.length - 1]
    }
  }
}

/** Arrows move what is pointed at, for who has no mouse. @param {HTMLElement} box @param {Chart} chart @param {number[]} xs */
function byKeys(box, chart, xs) {
  let place = -1
  box.tabIndex = 0
  box.addEventListener('keydown', event => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    place = Math.min(xs.length - 1, Math.max(0, place + step))
    chart.setCursor({ left: chart.valToPos(xs[place], 'x'), top: 1 })
  })
}

/** @param {HTMLElement} figure @param {PlotData} data */
function drawn(figure, data) {
  const frame = /** @type {HTMLElement} */ (figure.querySelector('.frame'))
  const picture = [...frame.querySelectorAll('svg')].find(svg => svg.getBoundingClientRect().width > 0)
  const texts = [...(picture?.querySelectorAll('title, desc') ?? [])].map(({ textContent }) => textContent)
  const height = Math.max(120, (picture?.viewBox.baseVal.height ?? 260) - 34)
  const box = made('div', { class: 'live', role: 'group', 'aria-label': texts.join('. ') })
  const room = made('div')
  box.append(made('small', {}, [data.y.title]), room, made('small', { class: 'r' }, [data.x.title]))
  const paint = paints(box)
  const values = joined(data.series, data.x.domain)
  /** @type {Chart} */
  let chart
  const legend = legendOf(data, values, () => chart)
  figure.querySelector('ul.legend')?.after(legend.element)
  if (legend.element.parentElement === null) frame.before(legend.element)
  frame.append(box)
  figure.classList.add('asked')
  chart = chartIn(
    room,
    {
      ...{ paint, height, x: data.x, y: data.y, series: data.series },
      across: { x: { time: false, distr: data.x.log ? 3 : 1, range: (_chart, from, to) => [from, to] } },
      cursor: {
        drag: { x: true, y: false },
        dataIdx: (_chart, series, at) =>
          series === 0 ? at : (nearest(values.columns[series - 1], at) ?? at),
        sync: { key: `${data.x.title} ${data.x.domain}`, scales: ['x', null] }
      },
      hooks: {
        drawClear: [drawStretches(data.stretches, paint)],
        setCursor: [({ cursor }) => legend.point(cursor.left == null || cursor.left < 0 ? null : cursor.idx)],
        setScale: [(_chart, key) => key === 'x' && legend.zoomed()]
      }
    },
    /** @type {any} */ ([values.xs, ...values.columns])
  )
  byKeys(box, chart, values.xs)
}

/** plots draws plots anew, so that people can ask them. */
export function plots() {
  for (const block of document.querySelectorAll('.plot > script[type="application/json"]:not(.marks)'))
    drawn(/** @type {HTMLElement} */ (block.parentElement), JSON.parse(block.textContent ?? ''))
}
