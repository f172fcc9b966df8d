import { UNITS } from '../../src/kit/numbers.js'
import { formatMarkdownTable } from '../../src/kit/text-layout.js'
import { FIGURE_NOTES } from './figure-notes.js'

/**
 * @typedef {import('../../src/measure/figure.js').Figure} Figure
 * @typedef {Pick<import('../../src/scenarios/index.js').Scenario, 'name' | 'figures' | 'compared'>} Scenario
 *
 * @typedef {object} Row - figures that share a note
 * @property {string[]} names
 * @property {Set<string>} units
 * @property {string} note
 */

const BEGIN = '<!-- The list of figures is made by npm run docs -->\n'
const END = '<!-- End of the list of figures -->\n'

/** Ends of names of figures of one distribution or one series of samples. */
const KIND = /\.(avg|median|p50|p90|p95|p99|p999|max)(\.overhead)?$/
/** Figures of one protocol among others. */
const PROTOCOL = /(?<=\.)(blocks|http|https|libp2pHttp|stream)$/
/** A distribution has at least so many. */
const MIN_TIMES = 5

/** @param {string} text */
const code = text => `\`${text}\``

/** @param {readonly string[]} names */
const codes = names => [...new Set(names)].map(code).join(', ')

/** @param {Figure} figure */
const unitOf = ({ quantity, unit = UNITS[quantity].own }) => unit

/** generalNameOf is the name with TYPE and PROTOCOL in it. @param {Figure} figure @param {readonly Figure[]} figures */
function generalNameOf({ name, type }, figures) {
  const isOfProtocol = figures.filter(
    other => other.name.replace(PROTOCOL, '') === name.replace(PROTOCOL, '')
  )
  if (PROTOCOL.test(name) && isOfProtocol.length > 1) return name.replace(PROTOCOL, 'PROTOCOL')
  return type === undefined ? name : name.replace(type, 'TYPE')
}

/**
 * groupFigures puts figures of one distribution under one name: `TYPE.*`, or `cpu.` with its ends.
 *
 * @param {readonly Figure[]} figures
 * @returns {Map<string, { shown: string, units: string[] }>} by the key of the note
 */
function groupFigures(figures) {
  /** @type {Map<string, Set<string>>} */
  const ends = new Map()
  /** @type {Map<string, string[]>} */
  const units = new Map()
  const stemOf = (/** @type {string} */ name) =>
    name.replace(KIND, (_, _end, overhead) => `.*${overhead ?? ''}`)
  const named = figures.map(figure => ({ name: generalNameOf(figure, figures), unit: unitOf(figure) }))
  for (const { name, unit } of named) {
    ends.set(stemOf(name), (ends.get(stemOf(name)) ?? new Set()).add(name))
    units.set(stemOf(name), [...(units.get(stemOf(name)) ?? []), unit])
  }
  return new Map(
    [...ends].map(([stem, those]) => {
      const [first, ...others] = those
      const key = those.size === 1 ? first : those.size < MIN_TIMES ? stem.replace('*', '') : stem
      const shown =
        those.size === 1 || those.size >= MIN_TIMES
          ? code(key)
          : [first, ...others.map(name => name.slice(key.length - 1))].map(code).join(' ')
      return [key, { shown, units: units.get(stem) ?? [] }]
    })
  )
}

/** A figure of one type of operation goes with the same figure of all types. @param {string} key @param {readonly string[]} keys */
const baseOf = (key, keys) => {
  const base = key === 'TYPE.cpuPerOperation' ? 'cpu' : key.replace(/^TYPE\./, '')
  return keys.includes(base) ? base : key
}

/** @param {Scenario} scenario @throws {Error} for a figure without a note */
function section({ name, figures, compared }) {
  const notes = FIGURE_NOTES[name] ?? {}
  const grouped = groupFigures(figures)
  /** @type {Map<string, Row>} */
  const rows = new Map()
  for (const [key, { shown, units }] of grouped) {
    const note = notes[baseOf(key, [...grouped.keys()])] ?? notes[key]
    if (note === undefined) throw new Error(`figure ${key} of ${name} has no note in figure-notes.js`)
    if (note === '') continue
    const row = rows.get(note) ?? { names: [], units: new Set(), note }
    row.names.push(shown)
    for (const unit of units) if (unit !== '') row.units.add(unit)
    rows.set(note, row)
  }
  const headings = ['figure', 'unit', 'meaning']
  const table = formatMarkdownTable({
    headings,
    align: headings.map(() => 'l'),
    rows: [...rows.values()].map(({ names, units, note }) => [names.join(', '), [...units].join(', '), note])
  })
  const without = figures.filter(({ live, name: own }) => live === undefined && !own.startsWith('router'))
  const sentences = [
    without.length > 0 && `No threshold: ${codes(without.map(figure => generalNameOf(figure, figures)))}.`,
    ...listCompared(compared, figures)
  ].filter(Boolean)
  return `## ${name}\n\n${table}\n\n${sentences.join(' ')}\n\n`
}

/** @param {Scenario['compared']} compared @param {readonly Figure[]} figures */
function listCompared(compared, figures) {
  if (compared == null) return []
  const namesOf = (/** @type {readonly Figure[]} */ own) =>
    codes(own.map(figure => generalNameOf(figure, figures)))
  const variants = (compared.variants ?? []).map(variant => namesOf(variant.figures))
  return [`Comparisons decide on: ${[namesOf(compared.figures), ...variants].join('; or on ')}.`]
}

/**
 * figureList is the list of all figures in docs/figures.md.
 *
 * @param {readonly Scenario[]} scenarios
 */
export const figureList = scenarios => scenarios.map(section).join('')

/**
 * listStaleNotes names notes of figures that no scenario has.
 *
 * @param {readonly Scenario[]} scenarios
 */
export const listStaleNotes = scenarios =>
  scenarios.flatMap(({ name, figures }) => {
    const keys = [...groupFigures(figures).keys()]
    return Object.keys(FIGURE_NOTES[name] ?? {}).filter(key => !keys.includes(key))
  })

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
