import { said } from '../../page/script/chart.js'
import { made } from '../../page/script/parts.js'
import { linesOverTime } from './lines-over-time.js'
import { COLUMNS, nothingSeen, see, shownOf } from './seen.js'

/**
 * @typedef {import('./seen.js').SeenRun} SeenRun
 * @typedef {import('./seen.js').Seen} Seen
 */

/** @param {string} id */
const part = id => /** @type {HTMLElement} */ (document.getElementById(id))

/** @param {string} id @param {readonly Node[]} children */
const fill = (id, children) => part(id).replaceChildren(...children)

/** @param {string} id @param {string} text */
const write = (id, text) => {
  part(id).textContent = text
}

/** @param {number} ms */
function spelt(ms) {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`
}

/** @param {SeenRun} run */
function doing({ phases, progress, status, reason }) {
  if (status === 'complete') return 'Complete.'
  if (status === 'partial') return `Partial: ${reason ?? 'it did not come to its end'}.`
  const title = phases.findLast(({ toMs }) => toMs === null)?.title ?? 'making ready'
  if (progress === null) return `Goes on: ${title}.`
  const { done, total, unit, etaMs } = progress
  const figure = unit === 'ms' ? spelt : said
  const amount = `${figure(done)}${total === null ? '' : ` of ${figure(total)}`}${unit === 'ms' ? '' : ` ${unit}`}`
  return `Goes on: ${title}, ${amount}${etaMs == null ? '' : `, ${spelt(etaMs)} left`}.`
}

/** @param {'good' | 'mind' | 'bad'} tone @param {string} text */
const statement = (tone, text) =>
  made('li', { class: tone }, [
    made('b', { 'aria-hidden': 'true' }, [{ good: '✓', mind: '!', bad: '✗' }[tone]]),
    made('span', {}, [text])
  ])

/** @param {SeenRun} run */
function statements(run) {
  const { thresholds, warnings, status, folder } = run
  return [
    statement(status === 'partial' ? 'bad' : 'good', doing(run)),
    ...thresholds.map(({ text, passed }) =>
      statement(passed ? 'good' : 'bad', `${text} ${passed ? 'holds' : 'does not hold'}`)
    ),
    ...warnings.map(text => statement('mind', text)),
    ...(folder === null ? [] : [statement('good', `Its result is in ${folder}.`)])
  ]
}

/** @param {SeenRun} run @returns {[string, string][]} */
function tiles({ points }) {
  const latest = (/** @type {Exclude<keyof import('./seen.js').Point, 'at'>} */ key) =>
    points.findLast(point => point[key] !== null)?.[key] ?? null
  const known = (
    /** @type {string} */ name,
    /** @type {number | null} */ value,
    /** @type {string} */ unit
  ) => (value === null ? [] : [/** @type {[string, string]} */ ([name, `${said(value)}${unit}`])])
  return [
    ...known('rate', latest('rate'), '/s'),
    ...known('p50', latest('p50'), ' ms'),
    ...known('p99', latest('p99'), ' ms'),
    ...known('CPU', latest('cpu'), ' %')
  ]
}

/** @param {readonly (string | [text: string, look: string])[]} cells */
const row = cells =>
  made(
    'tr',
    {},
    cells.map(cell =>
      typeof cell === 'string' ? made('td', {}, [cell]) : made('td', { class: cell[1] }, [cell[0]])
    )
  )

/** @param {SeenRun} run */
const values = ({ figures, units, atLeast, doubtful }) =>
  Object.entries(figures).map(([name, value]) =>
    row([
      name,
      [`${atLeast.includes(name) ? '≥ ' : ''}${said(value)}${doubtful.includes(name) ? '*' : ''}`, 'r'],
      units[name] ?? ''
    ])
  )

/** @param {SeenRun} run */
const phases = ({ phases }) =>
  phases.map(({ title, state, fromMs, toMs, detail = '' }) =>
    row([
      title,
      [toMs === null ? '…' : spelt(toMs - fromMs), 'r'],
      [state === 'failed' ? `broken off ${detail}` : detail, 'wrap']
    ])
  )

/** @param {Seen} seen */
const runs = ({ runs }) =>
  [...runs.values()].map((run, i) =>
    row([[String(run.index ?? i + 1), 'r'], run.label ?? run.id, [doing(run), 'wrap']])
  )

/** @param {Seen} seen @param {SeenRun} run */
function head({ study }, { id, index, total, label }) {
  if (study === null) return id
  return `${study.run} · ${index === undefined ? '' : `run ${index}${total === undefined ? '' : ` of ${total}`} · `}${label ?? id}`
}

const drawings = COLUMNS.map(linesOverTime)

/** @param {Seen} seen */
function show(seen) {
  const run = shownOf(seen)
  part('study').hidden = seen.study === null
  fill('runs', runs(seen))
  if (run === null) return
  const title = head(seen, run)
  write('head', title)
  document.title = `${title} · libp2p-loadtest`
  write('when', `${run.scenario}, since ${new Date(run.beganAt).toLocaleTimeString()}`)
  write('says', run.says)
  fill(
    'tiles',
    tiles(run).map(([name, value]) => made('div', {}, [made('dt', {}, [name]), made('dd', {}, [value])]))
  )
  fill('verdict', statements(run))
  fill('phases', phases(run))
  part('figures').hidden = Object.keys(run.figures).length === 0
  fill('values', values(run))
  for (const drawing of drawings) drawing.show(run.points)
}

fill(
  'plots',
  drawings.map(({ element }) => element)
)
let seen = nothingSeen()
let isDue = false

/** However much is told, it is shown once a frame. */
function due() {
  if (isDue) return
  isDue = true
  requestAnimationFrame(() => {
    isDue = false
    show(seen)
  })
}

const source = new EventSource('records')
// whoever comes back is told all of it again
source.addEventListener('open', () => {
  seen = nothingSeen()
})
source.addEventListener('message', ({ data }) => {
  see(seen, JSON.parse(data))
  if (seen.over) source.close()
  due()
})
source.addEventListener('error', () => {
  if (!seen.over)
    fill('verdict', [statement('bad', 'Nothing more is told: the run has gone, or does not answer.')])
})
