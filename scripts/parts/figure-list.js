import { UNITS } from '../../src/kit/numbers.js'
import { formatMarkdownTable } from '../../src/kit/text-layout.js'

/**
 * @typedef {import('../../src/measure/figure.js').Figure} Figure
 * @typedef {Pick<import('../../src/scenarios/index.js').Scenario, 'name' | 'figures' | 'compared'>} Scenario
 */

const BEGIN = '<!-- The list of figures is made by npm run docs -->\n'
const END = '<!-- End of the list of figures -->\n'

/** Ends of names and titles of figures that differ in nothing else. */
const KIND = /[. ](avg|median|p50|p90|p95|p99|p999|p99\.9|max)(\.overhead)?$/

/** @param {string} text */
const code = text => `\`${text}\``

/** What such figures have in common in their names. @param {Figure} figure */
const stemOf = ({ name }) => (KIND.test(name) ? `${name.replace(KIND, '')}.` : name)

/** @param {Figure} figure @returns {string[]} */
function told({ told: metric }) {
  if (metric === undefined) return []
  const labels = Object.keys(metric.labels ?? {})
  return [code(`loadtest_${metric.name}${labels.length === 0 ? '' : `{${labels}}`}`)]
}

/** @param {readonly Figure[]} alike - that differ only in the ends of their names @param {readonly Figure[]} compared @returns {string[]} */
function row(alike, compared) {
  const [{ name, title, quantity, unit = UNITS[quantity].own, better }, ...others] = alike
  const decided = alike.filter(figure => compared.some(other => other.name === figure.name))
  return [
    [name, ...others.map(other => other.name.slice(stemOf(other).length - 1))].map(code).join(' '),
    others.length === 0 ? title : title.replace(KIND, ''),
    unit,
    better ?? '',
    alike.some(({ live }) => live !== undefined) ? '✔' : '',
    others.length > 0 ? decided.map(figure => code(figure.name)).join(', ') : decided.length > 0 ? '✔' : '',
    [...new Set(alike.flatMap(told))].join(', ')
  ]
}

/** Of the types of operations, one stands for all. @param {readonly Figure[]} figures */
function ofOneType(figures) {
  const [first] = figures.flatMap(({ type = [] }) => type)
  return figures.flatMap(figure => {
    if (figure.type === undefined) return [figure]
    const { name, title } = figure
    const [general, what] = [name, title].map(text => text.replace(String(first), 'TYPE'))
    return figure.type === first ? [{ ...figure, name: general, title: what }] : []
  })
}

/** @param {Scenario} scenario @param {readonly Figure[]} listed - already */
function section({ name, figures, compared }, listed) {
  const own = ofOneType(figures.filter(figure => !listed.includes(figure)))
  if (own.length === 0) return ''
  /** @type {Map<string, Figure[]>} */
  const stems = new Map()
  for (const figure of own) {
    // times and the client overhead in them are other figures
    const stem = `${stemOf(figure)} ${figure.name.endsWith('.overhead')}`
    stems.set(stem, [...(stems.get(stem) ?? []), figure])
  }
  const rows = [...stems.values()].map(alike => row(alike, compared?.figures ?? []))
  const headings = ['name', 'figure', 'unit', 'better', 'threshold', 'comparison', 'Prometheus']
  return `### ${name}\n\n${formatMarkdownTable({ headings, align: headings.map(() => 'l'), rows })}\n\n`
}

/**
 * figureList is the list of all figures, as it stands in docs/metrics.md. A scenario has those of its own.
 *
 * @param {readonly Scenario[]} scenarios
 */
export const figureList = scenarios =>
  scenarios
    .map((scenario, i) =>
      section(
        scenario,
        scenarios.slice(0, i).flatMap(({ figures }) => figures)
      )
    )
    .join('')

/**
 * withFigureList puts it into a text, in place of the one that is there.
 *
 * @param {string} text
 * @param {readonly Scenario[]} scenarios
 */
export function withFigureList(text, scenarios) {
  const [before, rest = ''] = text.split(BEGIN)
  const [, after] = rest.split(END)
  if (after === undefined) throw new Error('there is no place for the list of figures')
  return `${before}${BEGIN}\n${figureList(scenarios)}${END}${after}`
}
